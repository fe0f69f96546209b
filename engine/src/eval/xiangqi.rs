//! Evaluation of xiangqi and of Supply Xiangqi: placement and reserves with each game's own weights, and on top of them each game's
//! network.
use super::network::{BUCKETS, Judge, Neurons, SupplyJudge, XiangqiJudge};
use super::{Evaluate, FULL_PHASE, Weight, supply_weights, xiangqi_weights};
use crate::board::Color;
use crate::board::bitboard::{FILES, RANKS, SQUARES, file_of, rank_of};
use crate::board::bits::BitSet;
use crate::games::position::{Observer, Position};
use crate::games::supply::WithReserves;
use crate::games::xiangqi::piece::{self, PieceType, RESERVE_TYPES, TYPES, code, color_of, kind_of};
use crate::games::xiangqi::{Plain, Rules, XiangqiPosition};

/// Files that differ when left and right are taken as one.
const FOLDED_FILES: usize = FILES.div_ceil(2);
/// Placement features of one type.
const PLACES: usize = FOLDED_FILES * RANKS;

/// Each piece in reserve, by type.
const RESERVE: usize = TYPES * PLACES;
/// Number of features.
const FEATURES: usize = RESERVE + RESERVE_TYPES;

/// The rules of a game whose positions can be judged: they bring the weights.
pub trait Weighted: Rules {
    /// See [`Evaluate::WEIGHTS`].
    const WEIGHTS: &'static [Weight];
    /// See [`Evaluate::Layer`].
    type Judge: Judge;
}

impl Weighted for Plain {
    const WEIGHTS: &'static [Weight] = &xiangqi_weights::WEIGHTS;
    type Judge = XiangqiJudge;
}

impl Weighted for WithReserves {
    const WEIGHTS: &'static [Weight] = &supply_weights::WEIGHTS;
    type Judge = SupplyJudge;
}

impl<R: Weighted> Evaluate for XiangqiPosition<R> {
    type Layer = Neurons<R::Judge>;
    const WEIGHTS: &'static [Weight] = R::WEIGHTS;
    const GROUPS: &'static [(&'static str, usize)] = &[("material and placement", RESERVE), ("reserves", FEATURES)];

    #[inline(always)]
    fn bucket(&self) -> usize {
        // 32 pieces at the start.
        self.occupied().len().saturating_sub(2) * BUCKETS / 31
    }

    #[inline(always)]
    fn placement(piece: usize, square: u8) -> usize {
        let own_rank = match color_of(piece) {
            Color::White => rank_of(square),
            Color::Black => RANKS - 1 - rank_of(square),
        };
        let file = file_of(square);
        kind_of(piece).index() * PLACES + own_rank * FOLDED_FILES + file.min(FILES - 1 - file)
    }

    #[inline(always)]
    fn reserve(piece: usize) -> Option<usize> {
        Some(RESERVE + kind_of(piece).index())
    }

    #[inline(always)]
    fn color_of(piece: usize) -> Color {
        piece::color_of(piece)
    }

    fn enumerate<O: Observer>(&self, observer: &mut O) {
        for square in 0..SQUARES as u8 {
            if let Some(piece) = self.piece_at(square) {
                observer.add(piece, square);
            }
        }
        for color in Color::ALL {
            for kind in &PieceType::ALL[..RESERVE_TYPES] {
                observer.reserve(code(color, *kind), 0, self.reserve(color, *kind));
            }
        }
    }

    /// Chariots count two, Horses and Cannons one, on the board or in reserve.
    #[inline(always)]
    fn phase(&self) -> i32 {
        let of = |kind: PieceType| {
            let board = self.pieces(Color::White, kind) | self.pieces(Color::Black, kind);
            let reserve = self.reserve(Color::White, kind) + self.reserve(Color::Black, kind);
            board.len() as i32 + i32::from(reserve)
        };
        let strength = 2 * of(PieceType::Chariot) + of(PieceType::Horse) + of(PieceType::Cannon);
        // A set a side makes 16.
        (strength * FULL_PHASE / 16).min(FULL_PHASE)
    }

    /// Nearly worthless is an advantage without pieces that could win; and every advantage shrinks towards half as the count of
    /// half-moves runs out (XQ-3, WHW-SXQ-007).
    #[inline(always)]
    fn adjust(&self, white: i32) -> i32 {
        let limit = R::MOVE_LIMIT as i32;
        let halfmove = (self.halfmove() as i32).min(limit);
        let value = white * (2 * limit - halfmove) / (2 * limit);
        let winner = if white >= 0 { Color::White } else { Color::Black };
        value * self.winning_chances(winner) / FULL_CHANCES
    }
}

/// [`XiangqiPosition::winning_chances`] of a side with enough pieces.
const FULL_CHANCES: i32 = 16;

impl<R: Rules> XiangqiPosition<R> {
    /// Scale for an advantage of `color`, from 1 (nothing that crosses the river) to [`FULL_CHANCES`].
    #[inline(always)]
    fn winning_chances(&self, color: Color) -> i32 {
        let count = |color, kind| self.pieces(color, kind).len() as i32 + i32::from(self.reserve(color, kind));
        if count(color, PieceType::Chariot) + count(color, PieceType::Soldier) > 0 {
            return FULL_CHANCES;
        }
        let guards = count(!color, PieceType::Advisor) + count(!color, PieceType::Elephant);
        match count(color, PieceType::Horse) + count(color, PieceType::Cannon) {
            0 => 1,
            // A lone Horse or Cannon does not break a guarded palace.
            1 if guards >= 2 => 4,
            _ => FULL_CHANCES,
        }
    }
}
