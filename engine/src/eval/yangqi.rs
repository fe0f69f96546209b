//! Evaluation of Yáng Qí: placement, and on top of it the game's network.
use super::network::{BUCKETS, Neurons, YangqiJudge};
use super::yangqi_weights::WEIGHTS;
use super::{Evaluate, FULL_PHASE, Weight};
use crate::board::Color;
use crate::board::bitboard::{FILES, RANKS, SQUARES, file_of, rank_of};
use crate::games::position::{Observer, Position};
use crate::games::yangqi::{PieceType, YangqiBoard};

const TYPES: usize = PieceType::ALL.len();
/// Files folded at the e-file: the start position is symmetric.
const FOLDED_FILES: usize = FILES.div_ceil(2);
/// Placement features of one type.
const PLACES: usize = FOLDED_FILES * RANKS;
impl<const SWAPS: bool> Evaluate for YangqiBoard<SWAPS> {
    type Layer = Neurons<YangqiJudge>;
    const WEIGHTS: &'static [Weight] = &WEIGHTS;
    const GROUPS: &'static [(&'static str, usize)] = &[("material and placement", TYPES * PLACES)];

    #[inline(always)]
    fn bucket(&self) -> usize {
        // 36 pieces at the start.
        (self.occupied().count_ones() as usize).saturating_sub(2) * BUCKETS / 35
    }

    fn placement(piece: usize, square: u8) -> usize {
        let (file, rank) = (file_of(square), rank_of(square));
        let own_rank = if piece < TYPES { rank } else { RANKS - 1 - rank };
        piece % TYPES * PLACES + own_rank * FOLDED_FILES + file.min(FILES - 1 - file)
    }

    fn reserve(_: usize) -> Option<usize> {
        None
    }

    fn color_of(piece: usize) -> Color {
        if piece < TYPES { Color::White } else { Color::Black }
    }

    fn enumerate<O: Observer>(&self, observer: &mut O) {
        for square in 0..SQUARES as u8 {
            if let Some(piece) = self.piece_at(square) {
                observer.add(piece, square);
            }
        }
    }

    fn phase(&self) -> i32 {
        // Two of each type a side: 24 in all.
        const WEIGHTS: [u32; TYPES] = [0, 1, 1, 1, 1, 2, 0];
        let sum: u32 = PieceType::ALL.iter().map(|&t| self.of_type(t).count_ones() * WEIGHTS[t as usize]).sum();
        (sum as i32 * FULL_PHASE / 24).min(FULL_PHASE)
    }

    /// Endings that hardly anyone wins count little, and every move without progress takes from the lead (YQ-8).
    fn adjust(&self, white: i32) -> i32 {
        let ahead = if white > 0 { Color::White } else { Color::Black };
        let count = |piece_type| self.pieces(piece_type, ahead).count_ones();
        let strong = count(PieceType::Rook) + count(PieceType::Pawn);
        let riders = count(PieceType::Bishop) + count(PieceType::Knight);
        let cannons = count(PieceType::Cannon) + count(PieceType::Vao);
        // One knight, bishop, cannon or vao never mates alone; cannons and vaos lack screens.
        let share = match (strong, riders, cannons) {
            (0, 0, 0..=1) | (0, 1, 0) => 1,
            (0, 0, 2) => 8,
            (0, 1, 1) => 12,
            _ => 32,
        };
        let progress = (220 - self.halfmove() as i32).max(0);
        white * share / 32 * progress / 220
    }
}
