//! Static exchange evaluation with screens: which side wins material when both keep capturing on one square.
use super::piece::PieceType::{self, King, Pawn};
use super::piece::TYPES;
use super::position::YangqiBoard;
use crate::board::Color;
use crate::board::bitboard::{Bitboard, RANKS, bit, rank_of};
use crate::games::moves::Move;

/// Worth of the types in an exchange, in centipawns; never falling with the type's number, which is the order of capturing.
const VALUES: [i32; TYPES] = [100, 200, 320, 320, 360, 550, 10_000];

const fn value(piece_type: PieceType) -> i32 {
    VALUES[piece_type as usize]
}

impl<const SWAPS: bool> YangqiBoard<SWAPS> {
    /// What a move gains at once.
    pub(super) fn gain_of(&self, mv: Move) -> i32 {
        self.victim(mv).map_or(0, value) + self.promotion(mv).map_or(0, |made| value(made) - value(Pawn))
    }

    /// The exchange that `mv` begins is worth at least `threshold` to its mover.
    pub(super) fn exchange_is_worth(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), self.target(mv));
        if self.is_swap(mv) {
            // The king was not in check, so nothing attacks the partner where it stood, and the occupied squares stay the same.
            return threshold <= 0;
        }
        let balance = self.gain_of(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let Some(moving) = self.promotion(mv).or(self.type_on(from)) else { return false };
        let mut occupied = self.occupied() & !bit(from) | bit(to);
        if to == self.en_passant && self.victim(mv).is_some() {
            occupied &= !bit(self.behind(to));
        }
        self.settle(to, balance, value(moving), occupied)
    }

    /// The opponent may now capture on `at`, where a piece worth `stake` stands: does the mover, who is `balance` ahead, stay at
    /// 0 or more with best play of both?
    fn settle(&self, at: u8, balance: i32, stake: i32, mut occupied: Bitboard) -> bool {
        let mut lead = stake - balance;
        let mut side = self.side;
        let mut mover_holds = true;
        while lead >= i32::from(mover_holds) {
            side = !side;
            let attackers = self.capturers(at, side, occupied);
            let Some((capturer, from)) = self.least(attackers) else { break };
            mover_holds = !mover_holds;
            if capturer == King {
                // A king may take last only.
                let defended = self.capturers(at, !side, occupied & !bit(from)) != 0;
                return mover_holds ^ defended;
            }
            lead = value(capturer) - lead;
            occupied &= !bit(from);
        }
        mover_holds
    }

    /// The pieces of `side` still on the board that can capture on `at`.
    fn capturers(&self, at: u8, side: Color, occupied: Bitboard) -> Bitboard {
        let attackers = self.attackers(at, side, occupied, occupied);
        let last_rank = if side == Color::White { RANKS - 1 } else { 0 };
        if rank_of(at) == last_rank && attackers & self.of_type(Pawn) != 0 {
            // YQ-10: a pawn without an available type does not capture there.
            let can_promote = PieceType::PROMOTIONS.into_iter().any(|made| self.is_available(made, side));
            return if can_promote { attackers } else { attackers & !self.of_type(Pawn) };
        }
        attackers
    }

    /// The least valuable of some pieces.
    fn least(&self, pieces: Bitboard) -> Option<(PieceType, u8)> {
        PieceType::ALL.into_iter().find_map(|piece_type| {
            let candidates = self.of_type(piece_type) & pieces;
            (candidates != 0).then(|| (piece_type, candidates.trailing_zeros() as u8))
        })
    }
}
