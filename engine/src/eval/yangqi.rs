//! Evaluation of Yáng Qí.
use super::yangqi_weights::WEIGHTS;
use super::{Evaluate, FULL_PHASE, FeatureSink, Weight};
use crate::board::Color;
use crate::board::bitboard::{FILES, RANKS, SQUARES, file_of, rank_of};
use crate::games::position::{Observer, Position};
use crate::games::yangqi::{PieceType, YangqiBoard};

/// Files folded at the e-file: the start position is symmetric.
const FOLDED_FILES: usize = FILES.div_ceil(2);
/// Placement features of one type.
pub(super) const PLACES: usize = FOLDED_FILES * RANKS;

impl<const SWAPS: bool> Evaluate for YangqiBoard<SWAPS> {
    const WEIGHTS: &'static [Weight] = &WEIGHTS;
    const GROUPS: &'static [(&'static str, usize)] = &[("placement", WEIGHTS.len())];
    const TEMPO: i32 = 10;

    fn placement(piece: usize, square: u8) -> usize {
        let (file, rank) = (file_of(square), rank_of(square));
        let own_rank = if piece < PieceType::ALL.len() { rank } else { RANKS - 1 - rank };
        piece % PieceType::ALL.len() * PLACES + own_rank * FOLDED_FILES + file.min(FILES - 1 - file)
    }

    fn reserve(_: usize) -> Option<usize> {
        None
    }

    fn color_of(piece: usize) -> Color {
        if piece < PieceType::ALL.len() { Color::White } else { Color::Black }
    }

    fn enumerate<O: Observer>(&self, observer: &mut O) {
        for square in 0..SQUARES as u8 {
            if let Some(piece) = self.piece_at(square) {
                observer.add(piece, square);
            }
        }
    }

    fn features<S: FeatureSink>(&self, _: &mut S) {}

    fn phase(&self) -> i32 {
        let weights = [0, 1, 1, 1, 1, 2, 0];
        let sum: u32 = PieceType::ALL.iter().map(|&t| self.of_type(t).count_ones() * weights[t as usize]).sum();
        (sum as i32 * FULL_PHASE / 24).min(FULL_PHASE)
    }
}
