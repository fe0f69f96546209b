//! Evaluation of xiangqi and of Supply Xiangqi: the same features, each game with its own weights.
use super::{Evaluate, FULL_PHASE, FeatureSink, Weight, supply_weights, xiangqi_weights};
use crate::board::Color;
use crate::board::bitboard::{FILES, RANKS, file_of, rank_of};
use crate::games::position::{Observer, Position};
use crate::games::supply::WithReserves;
use crate::games::xiangqi::piece::{self, PieceType, RESERVE_TYPES, TYPES, code, color_of, kind_of};
use crate::games::xiangqi::{Plain, Rules, XiangqiPosition};

/// Squares that differ when left and right are taken as one.
const SQUARES: usize = 5 * RANKS;
/// Where each group of features begins.
const RESERVE: usize = TYPES * SQUARES;
const END: usize = RESERVE + RESERVE_TYPES;
/// Number of features.
pub(super) const FEATURES: usize = END;

/// The rules of a game whose positions can be judged: they bring the weights.
pub trait Weighted: Rules {
    /// See [`Evaluate::WEIGHTS`].
    const WEIGHTS: &'static [Weight];
}

impl Weighted for Plain {
    const WEIGHTS: &'static [Weight] = &xiangqi_weights::WEIGHTS;
}

impl Weighted for WithReserves {
    const WEIGHTS: &'static [Weight] = &supply_weights::WEIGHTS;
}

impl<R: Weighted> Evaluate for XiangqiPosition<R> {
    const WEIGHTS: &'static [Weight] = R::WEIGHTS;
    const GROUPS: &'static [(&'static str, usize)] = &[("material and placement", RESERVE), ("reserves", END)];
    const TEMPO: i32 = 15;

    #[inline(always)]
    fn placement(piece: usize, square: u8) -> usize {
        let rank = match color_of(piece) {
            Color::White => rank_of(square),
            Color::Black => RANKS - 1 - rank_of(square),
        };
        let file = file_of(square);
        kind_of(piece).index() * SQUARES + rank * 5 + file.min(FILES - 1 - file)
    }

    #[inline(always)]
    fn reserve(piece: usize) -> Option<usize> {
        Some(RESERVE + kind_of(piece).index())
    }

    fn color_of(piece: usize) -> Color {
        piece::color_of(piece)
    }

    fn enumerate<O: Observer>(&self, observer: &mut O) {
        for square in 0..(FILES * RANKS) as u8 {
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

    fn features<S: FeatureSink>(&self, _: &mut S) {}

    fn phase(&self) -> i32 {
        FULL_PHASE
    }
}
