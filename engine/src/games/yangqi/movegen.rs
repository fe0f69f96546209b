//! Legal moves.
//!
//! Every line between the own king and an enemy rider restricts moves, depending on how many pieces stand on it: a rook or bishop
//! checks over none and pins one, a cannon or vao checks over one, forbids to step between when there is none and pins each of two.
//! The restrictions of all lines together are one set of allowed targets for the pieces that stand on no line, and one for each
//! that does; so double checks and double pins need no case of their own.
use super::attacks::{KING, KNIGHT, PAWN, between};
use super::make::promotion_move;
use super::piece::PieceType::{self, Bishop, Cannon, King, Knight, Pawn, Rook, Vao};
use super::position::{NO_SQUARE, YangqiBoard};
use crate::board::bitboard::{Bitboard, FILES, FULL, SQUARES, bit};
use crate::board::bits::Squares;
use crate::board::{Color, diagonal, orthogonal};
use crate::games::moves::{Generate, Move, MoveSink};
use crate::games::position::Position;

const RANK: Bitboard = (1 << FILES) - 1;
const FILE_A: Bitboard = FULL / RANK;
const FILE_I: Bitboard = FILE_A << (FILES - 1);
/// By colour: the rank that may double-step (YQ-4), and the one before promotion.
const DOUBLE_STEP_RANK: [Bitboard; 2] = [RANK << (2 * FILES), RANK << (7 * FILES)];
const LAST_STEP_RANK: [Bitboard; 2] = [RANK << (8 * FILES), RANK << FILES];

/// Riders on lines with the king, by what the pieces between make of them.
struct Pressure {
    king: u8,
    occupied: Bitboard,
    /// Pawns and knights that check.
    leapers: Bitboard,
    /// Rooks and bishops with a free line: they check.
    direct: Bitboard,
    /// Rooks and bishops behind one piece.
    behind_one: Bitboard,
    /// Cannons and vaos with a free line: a piece between would make them check.
    idle: Bitboard,
    /// Cannons and vaos behind one piece: they check.
    screened: Bitboard,
    /// Cannons and vaos behind two.
    behind_two: Bitboard,
    /// Own pieces that are restricted otherwise than those off the lines.
    bound: Bitboard,
    /// Targets of the pieces that are not bound.
    targets: Bitboard,
}

impl Pressure {
    #[inline(always)]
    fn of<const SWAPS: bool>(board: &YangqiBoard<SWAPS>) -> Pressure {
        let (us, them) = (board.side, !board.side);
        let (king, occupied, own) = (board.king(us), board.occupied(), board.of_color(us));
        let enemies = board.of_color(them);
        let at = king as usize;
        let leapers = (PAWN[us.index()][at] & board.of_type(Pawn) | KNIGHT[at] & board.of_type(Knight)) & enemies;
        let (rooks, cannons) = (board.of_type(Rook) & enemies, board.of_type(Cannon) & enemies);
        let (bishops, vaos) = (board.of_type(Bishop) & enemies, board.of_type(Vao) & enemies);
        let (straight, slanted) = (orthogonal::lines(king, occupied), diagonal::lines(king, occupied));
        let mut pressure = Pressure {
            king,
            occupied,
            leapers,
            direct: straight.reach & rooks | slanted.reach & bishops,
            behind_one: straight.second & rooks | slanted.second & bishops,
            idle: straight.reach & cannons | slanted.reach & vaos,
            screened: straight.second & cannons | slanted.second & vaos,
            behind_two: straight.third & cannons | slanted.third & vaos,
            bound: 0,
            targets: FULL,
        };
        for rider in Squares(pressure.behind_one | pressure.screened | pressure.behind_two) {
            pressure.bound |= between(king, rider) & own;
        }
        pressure.targets = pressure.targets_of(0);
        pressure
    }

    #[inline(always)]
    fn is_check(&self) -> bool {
        self.leapers | self.direct | self.screened != 0
    }

    /// Where the piece `mover` may go without leaving or bringing the king into check; 0 stands for any unbound piece.
    #[inline(always)]
    fn targets_of(&self, mover: Bitboard) -> Bitboard {
        let mut targets = FULL;
        for leaper in Squares(self.leapers) {
            targets &= bit(leaper);
        }
        for rider in Squares(self.direct) {
            targets &= between(self.king, rider) | bit(rider);
        }
        for rider in Squares(self.idle) {
            targets &= !between(self.king, rider);
        }
        for rider in Squares(self.screened) {
            let line = between(self.king, rider);
            // The screen may leave the line; others may add a second one.
            targets &= if line & mover != 0 { !line } else { line & !self.occupied | bit(rider) };
        }
        if mover != 0 {
            for rider in Squares(self.behind_one) {
                let line = between(self.king, rider);
                targets &= if line & mover != 0 { line | bit(rider) } else { FULL };
            }
            for rider in Squares(self.behind_two) {
                let line = between(self.king, rider);
                targets &= if line & mover != 0 { line & !self.occupied | bit(rider) } else { FULL };
            }
        }
        targets
    }

    /// Where the piece on `from` may go.
    #[inline(always)]
    fn allowed(&self, from: u8) -> Bitboard {
        if self.bound & bit(from) == 0 { self.targets } else { self.targets_of(bit(from)) }
    }
}

impl<const SWAPS: bool> YangqiBoard<SWAPS> {
    #[inline(always)]
    pub(super) fn generate_moves<S: MoveSink>(&self, which: Generate, sink: &mut S) {
        let (us, occupied) = (self.side, self.occupied());
        let (own, enemies) = (self.of_color(us), self.of_color(!us));
        let wanted = match which {
            Generate::All => !own,
            Generate::Noisy => enemies,
            Generate::Quiet => !occupied,
        };
        let pressure = Pressure::of(self);
        self.king_moves(which, wanted, pressure.is_check(), sink);
        if pressure.targets == 0 && pressure.bound == 0 {
            return;
        }
        for from in Squares(self.of_type(Knight) & own) {
            sink.push_targets(Move::new(from, 0), KNIGHT[from as usize] & wanted & pressure.allowed(from));
        }
        for from in Squares(self.of_type(Rook) & own) {
            let reach = orthogonal::rook_attacks(from, occupied);
            sink.push_targets(Move::new(from, 0), reach & wanted & pressure.allowed(from));
        }
        for from in Squares(self.of_type(Bishop) & own) {
            let reach = diagonal::bishop_attacks(from, occupied);
            sink.push_targets(Move::new(from, 0), reach & wanted & pressure.allowed(from));
        }
        for from in Squares(self.of_type(Cannon) & own) {
            let lines = orthogonal::lines(from, occupied);
            let reach = lines.reach & !occupied | lines.second & enemies;
            sink.push_targets(Move::new(from, 0), reach & wanted & pressure.allowed(from));
        }
        for from in Squares(self.of_type(Vao) & own) {
            let lines = diagonal::lines(from, occupied);
            let reach = lines.reach & !occupied | lines.second & enemies;
            sink.push_targets(Move::new(from, 0), reach & wanted & pressure.allowed(from));
        }
        let pawns = self.of_type(Pawn) & own;
        self.pawn_moves(pawns & !pressure.bound, which, pressure.targets, sink);
        for from in Squares(pawns & pressure.bound) {
            self.pawn_moves(bit(from), which, pressure.targets_of(bit(from)), sink);
        }
        if self.en_passant != NO_SQUARE && which != Generate::Quiet {
            for from in Squares(PAWN[(!us).index()][self.en_passant as usize] & pawns) {
                if self.en_passant_is_safe(from, self.en_passant) {
                    sink.push(Move::new(from, self.en_passant));
                }
            }
        }
    }

    /// YQ-1, YQ-7.
    #[inline(always)]
    fn king_moves<S: MoveSink>(&self, which: Generate, wanted: Bitboard, in_check: bool, sink: &mut S) {
        let (king, them, occupied) = (self.king(self.side), !self.side, self.occupied());
        let enemies = self.of_color(them);
        let around = KING[king as usize];
        let mut targets = 0;
        for to in Squares(around & wanted) {
            if !self.attacked(to, them, enemies & !bit(to), occupied ^ bit(king)) {
                targets |= bit(to);
            }
        }
        if SWAPS && !in_check && which != Generate::Noisy {
            for to in Squares(around & self.of_color(self.side) & !self.of_type(Pawn)) {
                // The squares that are occupied stay the same.
                if !self.attacked(to, them, enemies, occupied) {
                    targets |= bit(to);
                }
            }
        }
        sink.push_targets(Move::new(king, 0), targets);
    }

    /// Steps, captures and promotions of `pawns`, en passant excepted (YQ-4, YQ-6, YQ-10).
    #[inline(always)]
    fn pawn_moves<S: MoveSink>(&self, pawns: Bitboard, which: Generate, allowed: Bitboard, sink: &mut S) {
        let us = self.side;
        let (empty, enemies) = (!self.occupied() & FULL, self.of_color(!us));
        let ahead = |set: Bitboard| match us {
            Color::White => set << FILES,
            Color::Black => set >> FILES,
        };
        let forward: i8 = if us == Color::White { FILES as i8 } else { -(FILES as i8) };
        let walkers = pawns & !LAST_STEP_RANK[us.index()];
        if which != Generate::Noisy {
            let single = ahead(walkers) & empty;
            let double = ahead(ahead(walkers & DOUBLE_STEP_RANK[us.index()]) & empty) & empty;
            sink.push_steps(forward, single & allowed);
            sink.push_steps(2 * forward, double & allowed);
        }
        if which != Generate::Quiet {
            let takes = enemies & allowed;
            sink.push_steps(forward - 1, ahead((walkers & !FILE_A) >> 1) & takes);
            sink.push_steps(forward + 1, ahead((walkers & !FILE_I) << 1) & takes);
            let promoting = pawns & LAST_STEP_RANK[us.index()];
            if promoting != 0 {
                self.promotions(promoting, allowed, sink);
            }
        }
    }

    /// YQ-6, YQ-10.
    fn promotions<S: MoveSink>(&self, pawns: Bitboard, allowed: Bitboard, sink: &mut S) {
        let us = self.side;
        let available = PieceType::PROMOTIONS.map(|piece_type| self.is_available(piece_type, us));
        for from in Squares(pawns) {
            let attacked = PAWN[us.index()][from as usize];
            for direction in [-1, 0, 1] {
                let to = self.target(promotion_move(from, 0, direction));
                let is_open = if direction == 0 {
                    self.occupied() & bit(to) == 0
                } else {
                    attacked & self.of_color(!us) & bit(to) != 0
                };
                if !is_open || allowed & bit(to) == 0 {
                    continue;
                }
                for index in (0..available.len() as u8).filter(|&index| available[index as usize]) {
                    sink.push(promotion_move(from, index, direction));
                }
            }
        }
    }

    pub(super) fn is_legal_move(&self, mv: Move) -> bool {
        let (us, them, from, to) = (self.side, !self.side, mv.from(), self.target(mv));
        let (own, enemies, occupied) = (self.of_color(us), self.of_color(them), self.occupied());
        let known_bits = Move::new(from, mv.to()) == mv;
        let Some(moving) = self.type_on(from).filter(|_| known_bits && own & bit(from) != 0) else { return false };
        let is_plain = (mv.to() as usize) < SQUARES;
        if !is_plain && moving != Pawn || !self.reaches(moving, mv, from, to) {
            return false;
        }
        if moving == King {
            return if own & bit(to) != 0 {
                SWAPS && !self.in_check() && !self.attacked(to, them, enemies, occupied)
            } else {
                !self.attacked(to, them, enemies & !bit(to), occupied ^ bit(from))
            };
        }
        if moving == Pawn && to == self.en_passant && PAWN[us.index()][from as usize] & bit(to) != 0 {
            return self.en_passant_is_safe(from, to);
        }
        !self.attacked(self.king(us), them, enemies & !bit(to), occupied ^ bit(from) | bit(to))
    }

    /// The piece on `from` can make the move, whatever becomes of its king.
    fn reaches(&self, moving: PieceType, mv: Move, from: u8, to: u8) -> bool {
        let us = self.side;
        let (own, enemies, occupied) = (self.of_color(us), self.of_color(!us), self.occupied());
        let reach = match moving {
            Pawn => return self.pawn_reaches(mv, from, to),
            King => KING[from as usize] & (!own | own & !self.of_type(Pawn)),
            Knight => KNIGHT[from as usize] & !own,
            Rook => orthogonal::rook_attacks(from, occupied) & !own,
            Bishop => diagonal::bishop_attacks(from, occupied) & !own,
            Cannon => {
                let lines = orthogonal::lines(from, occupied);
                lines.reach & !occupied | lines.second & enemies
            }
            Vao => {
                let lines = diagonal::lines(from, occupied);
                lines.reach & !occupied | lines.second & enemies
            }
        };
        reach & bit(to) != 0
    }

    fn pawn_reaches(&self, mv: Move, from: u8, to: u8) -> bool {
        let us = self.side.index();
        let on_last_step = LAST_STEP_RANK[us] & bit(from) != 0;
        let promotion = self.promotion(mv);
        let is_known = promotion.is_some() || (mv.to() as usize) < SQUARES;
        if !is_known || on_last_step != promotion.is_some() {
            return false;
        }
        if promotion.is_some_and(|made| !self.is_available(made, self.side)) {
            return false;
        }
        if PAWN[us][from as usize] & bit(to) != 0 {
            return self.of_color(!self.side) & bit(to) != 0 || to == self.en_passant;
        }
        let occupied = self.occupied();
        let next = match self.side {
            Color::White => from + FILES as u8,
            Color::Black => from.wrapping_sub(FILES as u8),
        };
        let beyond = next.wrapping_add(next.wrapping_sub(from));
        let steps_once = to == next;
        let steps_twice = to == beyond && DOUBLE_STEP_RANK[us] & bit(from) != 0 && occupied & bit(next) == 0;
        (steps_once || steps_twice) && occupied & bit(to) == 0
    }
}
