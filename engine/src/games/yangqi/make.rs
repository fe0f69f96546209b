//! What the words of moves mean on a board, and making them.
//!
//! Origin field: the square of the moving piece. Target field: below 90 the target square; the partner's square makes it a swap
//! (YQ-7). From 90 on a promotion (YQ-10): `90 + 3 * type + direction`, the type by its place in `PieceType::PROMOTIONS`, the
//! direction 0, 1 or 2 for a step towards the a-file, straight on or towards the i-file.
use super::attacks::PAWN;
use super::piece::PieceType;
use super::position::YangqiBoard;
use crate::board::Color;
use crate::board::bitboard::{FILES, SQUARES, bit};
use crate::games::moves::Move;
use crate::games::position::Observer;

const FORWARD: u8 = FILES as u8;
/// The first promotion field.
const PROMOTION: u8 = SQUARES as u8;

/// The word of a promotion of a pawn on `from`. `direction` is −1, 0 or 1.
#[inline(always)]
pub(super) const fn promotion_move(from: u8, index: u8, direction: i8) -> Move {
    Move::new(from, PROMOTION + 3 * index + (direction + 1) as u8)
}

impl<const SWAPS: bool> YangqiBoard<SWAPS> {
    /// The type a promotion makes; `None` for other words.
    #[inline(always)]
    pub(super) fn promotion(&self, mv: Move) -> Option<PieceType> {
        let index = mv.to().checked_sub(PROMOTION)? / 3;
        PieceType::PROMOTIONS.get(index as usize).copied()
    }

    /// The target square of a move, always below 90.
    #[inline(always)]
    pub(super) fn target(&self, mv: Move) -> u8 {
        let (from, field) = (mv.from(), mv.to());
        if field < PROMOTION {
            return field;
        }
        // Only White promotes in the upper half.
        let beyond = if from as usize >= SQUARES / 2 { from + FORWARD } else { from.wrapping_sub(FORWARD) };
        (beyond.wrapping_add((field - PROMOTION) % 3).wrapping_sub(1)).min(PROMOTION - 1)
    }

    /// The move is a king's swap.
    #[inline(always)]
    pub(super) fn is_swap(&self, mv: Move) -> bool {
        SWAPS && mv.to() < PROMOTION && self.of_color(self.side) & bit(mv.to()) != 0
    }

    /// The type that a move captures.
    #[inline(always)]
    pub(super) fn victim(&self, mv: Move) -> Option<PieceType> {
        let to = self.target(mv);
        if self.of_color(!self.side) & bit(to) != 0 {
            self.type_on(to)
        } else if to == self.en_passant && self.type_on(mv.from()) == Some(PieceType::Pawn) && self.is_diagonal(mv) {
            Some(PieceType::Pawn)
        } else {
            None
        }
    }

    /// A pawn's word that leads to another file.
    #[inline(always)]
    fn is_diagonal(&self, mv: Move) -> bool {
        PAWN[self.side.index()].get(mv.from() as usize).is_some_and(|attacks| attacks & bit(self.target(mv)) != 0)
    }

    /// The square of the pawn that is captured en passant on `passed` by the side to move.
    #[inline(always)]
    pub(super) fn behind(&self, passed: u8) -> u8 {
        match self.side {
            Color::White => passed.wrapping_sub(FORWARD),
            Color::Black => passed + FORWARD,
        }
    }

    /// An en passant capture by the pawn on `from` on `passed` leaves the own king unattacked (YQ-5).
    pub(super) fn en_passant_is_safe(&self, from: u8, passed: u8) -> bool {
        let (us, them) = (self.side, !self.side);
        let gone = bit(self.behind(passed));
        let occupied = self.occupied() ^ bit(from) ^ gone | bit(passed);
        !self.attacked(self.king(us), them, self.of_color(them) ^ gone, occupied)
    }

    #[inline(always)]
    pub(super) fn make_move<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let (us, them, from) = (self.side, !self.side, mv.from());
        let Some(moving) = self.type_on(from) else { return };
        let to = self.target(mv);
        let mut passed = None;
        self.halfmove = self.halfmove.saturating_add(1);
        if self.is_swap(mv) {
            self.swap(moving, from, to, observer);
            self.clear_en_passant();
        } else {
            self.take(moving, us, from);
            observer.remove(moving.code(us) as usize, from);
            let captured = if moving == PieceType::Pawn {
                self.halfmove = 0;
                if from.abs_diff(to) == 2 * FORWARD {
                    passed = Some((from + to) / 2);
                }
                if to == self.en_passant && from.abs_diff(to) != FORWARD { self.behind(to) } else { to }
            } else {
                to
            };
            self.clear_en_passant();
            if let Some(victim) = self.type_on(captured) {
                self.halfmove = 0;
                self.take(victim, them, captured);
                observer.remove(victim.code(them) as usize, captured);
            }
            let placed = self.promotion(mv).unwrap_or(moving);
            self.put(placed, us, to);
            observer.add(placed.code(us) as usize, to);
        }
        self.fullmove += u16::from(us == Color::Black);
        self.pass_turn();
        if let Some(passed) = passed {
            self.offer_en_passant(passed);
        }
    }

    /// YQ-7: king and partner change places.
    fn swap<O: Observer>(&mut self, king: PieceType, from: u8, to: u8, observer: &mut O) {
        let (us, Some(partner)) = (self.side, self.type_on(to)) else { return };
        for (piece_type, before) in [(king, from), (partner, to)] {
            self.take(piece_type, us, before);
            observer.remove(piece_type.code(us) as usize, before);
        }
        for (piece_type, after) in [(king, to), (partner, from)] {
            self.put(piece_type, us, after);
            observer.add(piece_type.code(us) as usize, after);
        }
    }
}
