//! Legal moves. Every generated move is legal: for each piece the squares that keep the own General safe are known beforehand,
//! so nothing is made and taken back, and a set of targets is handed on whole.
//!
//! A move changes the occupancy of two squares at most: it vacates its origin, and fills its target if that was empty. So each enemy
//! piece on a line with the General can be judged alone, by the number of pieces between (SX-1):
//!
//! | between | Chariot, General | Cannon |
//! |---|---|---|
//! | 0 | check: interpose or capture | harmless, but nobody may step between |
//! | 1 | the one is pinned to the line | check: interpose, capture, or take the screen away |
//! | 2 | - | either one must stay between, and may not capture the other |
use super::Rules;
use super::attacks::{DROPS, GENERAL, HORSE_FROM, leg};
use super::piece::{EMPTY, PieceType, RESERVE_TYPES, TYPES, color_of, kind_of};
use super::position::{DROP, XiangqiPosition, targets};
use crate::board::bitboard::{Bitboard, FULL, SQUARES, bit};
use crate::board::bits::{BitSet, Squares};
use crate::board::orthogonal::{between, lines};
use crate::games::moves::{Generate, Move, MoveSink};

/// Where the pieces of the side to move, other than the General, may land without leaving it attacked.
struct Safety {
    /// Squares for pieces that are neither bound nor a screen, and for drops.
    landing: Bitboard,
    /// Own pieces that may not leave as they like.
    bound: Bitboard,
    /// Own pieces that are the screen of a Cannon which gives check: by leaving they answer it.
    screens: Bitboard,
    /// Squares between the General and a Cannon that lacks a screen.
    closed: Bitboard,
    /// Chariots and the General behind one piece.
    straight_pins: Bitboard,
    /// Cannons behind two pieces.
    cannon_pins: Bitboard,
    /// Horses whose leg is held by an own piece.
    horse_pins: Bitboard,
}

impl<R: Rules> XiangqiPosition<R> {
    #[inline(always)]
    fn safety(&self) -> Safety {
        let (us, general, occupied) = (self.side, self.general(self.side), self.occupied());
        let (own, of) = (self.pieces_of(us), |kind| self.pieces(!us, kind));
        let seen = lines(general, occupied);
        let cannons = of(PieceType::Cannon);
        let mut closed = 0;
        for cannon in Squares(seen.reach & cannons) {
            closed |= between(general, cannon);
        }
        let straight_pins = seen.second & (of(PieceType::Chariot) | of(PieceType::General));
        let cannon_pins = seen.third & cannons;
        let mut bound = 0;
        for pinner in Squares(straight_pins | cannon_pins) {
            bound |= between(general, pinner);
        }
        let mut horse_pins = 0;
        for horse in Squares(HORSE_FROM[general as usize] & of(PieceType::Horse)) {
            let leg = bit(leg(horse, general));
            if leg & own != 0 {
                bound |= leg;
                horse_pins |= bit(horse);
            }
        }
        let mut safety = Safety {
            landing: FULL & !closed,
            bound: bound & own,
            screens: 0,
            closed,
            straight_pins,
            cannon_pins,
            horse_pins,
        };
        for checker in Squares(self.checkers) {
            safety.landing &= self.answers(checker);
            if cannons & bit(checker) != 0 {
                safety.screens |= between(general, checker) & own;
            }
        }
        safety
    }

    /// Squares on which a piece that is not the screen answers the check of `checker`: where it captures or interposes.
    fn answers(&self, checker: u8) -> Bitboard {
        let general = self.general(self.side);
        let interpose = match kind_of(self.board[checker as usize] as usize) {
            PieceType::Chariot | PieceType::General => between(general, checker),
            // A second screen; the one that stands there is no empty square.
            PieceType::Cannon => between(general, checker) & !self.occupied(),
            PieceType::Horse => bit(leg(checker, general)),
            _ => 0,
        };
        interpose | bit(checker)
    }

    /// Landing squares of a piece that is bound or a screen.
    #[cold]
    fn restricted(&self, safety: &Safety, from: u8) -> Bitboard {
        let (general, occupied) = (self.general(self.side), self.occupied());
        let mut landing = FULL & !safety.closed;
        for checker in Squares(self.checkers) {
            let line = between(general, checker);
            let is_screen = self.by_type[PieceType::Cannon.index()] & bit(checker) != 0 && line & bit(from) != 0;
            landing &= if is_screen { !line } else { self.answers(checker) };
        }
        for pinner in Squares(safety.straight_pins) {
            let line = between(general, pinner);
            if line & bit(from) != 0 {
                landing &= line | bit(pinner);
            }
        }
        for pinner in Squares(safety.cannon_pins) {
            let line = between(general, pinner);
            if line & bit(from) != 0 {
                landing &= line & !occupied | bit(pinner);
            }
        }
        for horse in Squares(safety.horse_pins) {
            if leg(horse, general) == from {
                landing &= bit(horse);
            }
        }
        landing
    }

    /// Pushes the legal moves.
    #[inline(always)]
    pub(super) fn generate_moves<S: MoveSink>(&self, which: Generate, sink: &mut S) {
        let (us, occupied) = (self.side, self.occupied());
        let (own, them) = (self.pieces_of(us), self.pieces_of(!us));
        let wanted = match which {
            Generate::All => FULL & !own,
            Generate::Noisy => them,
            Generate::Quiet => FULL & !occupied,
        };
        let general = self.general(us);
        let mut steps = 0;
        for to in Squares(GENERAL[general as usize] & wanted) {
            if self.attackers(to, us, occupied ^ bit(general), them) == 0 {
                steps |= bit(to);
            }
        }
        sink.push_targets(Move::new(general, 0), steps);

        let safety = self.safety();
        if (safety.landing | safety.screens).is_empty() {
            return;
        }
        let free = wanted & safety.landing;
        let special = safety.bound | safety.screens;
        for kind in &PieceType::ALL[..TYPES - 1] {
            for from in Squares(self.pieces(us, *kind)) {
                let landing = if special & bit(from) == 0 { free } else { wanted & self.restricted(&safety, from) };
                sink.push_targets(Move::new(from, 0), targets(*kind, us, from, occupied) & landing);
            }
        }
        if R::DROPS && which != Generate::Noisy {
            self.generate_drops(safety.landing & !occupied, sink);
        }
    }

    /// Pushes the drops on squares of `landing` (WHW-SXQ-003 to 005, SX-3).
    fn generate_drops<S: MoveSink>(&self, landing: Bitboard, sink: &mut S) {
        let us = self.side;
        let reserves = self.reserves_of(us);
        if landing == 0 || reserves.iter().all(|&n| n == 0) {
            return;
        }
        let (target, occupied) = (self.general(!us), self.occupied());
        let seen = lines(target, occupied);
        // No piece may become the screen of a Cannon that already aims at the General.
        let mut landing = landing;
        for cannon in Squares(seen.reach & self.pieces(us, PieceType::Cannon)) {
            landing &= !between(target, cannon);
        }
        for kind in &PieceType::ALL[..RESERVE_TYPES] {
            if reserves[kind.index()] == 0 {
                continue;
            }
            // From its own half nothing but a Chariot or a Cannon reaches the palace beyond.
            let checks = match kind {
                PieceType::Chariot => seen.reach,
                PieceType::Cannon => lines(target, occupied & !seen.reach).reach & !seen.reach,
                _ => 0,
            };
            let squares = DROPS[us.index()][kind.index()] & landing & !checks;
            sink.push_targets(Move::new(DROP + kind.index() as u8, 0), squares);
        }
    }

    /// True for legal moves and for no other word.
    pub(super) fn legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv != Move::new(from, to) || to as usize >= SQUARES {
            return false;
        }
        let (us, occupied) = (self.side, self.occupied());
        if from >= DROP {
            return self.legal_drop(from - DROP, to);
        }
        let piece = self.board[from as usize];
        if piece == EMPTY || color_of(piece as usize) != us {
            return false;
        }
        let kind = kind_of(piece as usize);
        if targets(kind, us, from, occupied) & !self.pieces_of(us) & bit(to) == 0 {
            return false;
        }
        let general = if kind == PieceType::General { to } else { self.general(us) };
        self.attackers(general, us, occupied & !bit(from) | bit(to), self.pieces_of(!us) & !bit(to)) == 0
    }

    fn legal_drop(&self, index: u8, to: u8) -> bool {
        let us = self.side;
        let Some(&kind) = PieceType::ALL[..RESERVE_TYPES].get(index as usize) else { return false };
        let occupied = self.occupied() | bit(to);
        if !R::DROPS
            || self.reserve(us, kind) == 0
            || DROPS[us.index()][kind.index()] & !self.occupied() & bit(to) == 0
            || self.attackers(self.general(us), us, occupied, self.pieces_of(!us)) != 0
        {
            return false;
        }
        let target = self.general(!us);
        let seen = lines(target, occupied);
        let (chariots, cannons) = match kind {
            PieceType::Chariot => (bit(to), 0),
            PieceType::Cannon => (0, bit(to)),
            _ => (0, 0),
        };
        seen.reach & chariots == 0 && seen.second & (self.pieces(us, PieceType::Cannon) | cannons) == 0
    }
}
