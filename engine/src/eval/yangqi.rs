//! Evaluation of Yáng Qí: its features and their places among the weights.
use super::yangqi_features::count_features;
use super::yangqi_weights::WEIGHTS;
use super::{Evaluate, FULL_PHASE, FeatureSink, Weight};
use crate::board::Color;
use crate::board::bitboard::{FILES, RANKS, SQUARES, file_of, rank_of};
use crate::games::position::{Observer, Position};
use crate::games::yangqi::{PieceType, YangqiBoard};

const TYPES: usize = PieceType::ALL.len();
/// Files folded at the e-file: the start position is symmetric.
const FOLDED_FILES: usize = FILES.div_ceil(2);
/// Placement features of one type.
const PLACES: usize = FOLDED_FILES * RANKS;
/// Mobility is counted up to this.
pub(super) const MOST_MOBILITY: usize = 17;
/// Attack units on a king are counted up to this.
pub(super) const MOST_DANGER: usize = 23;

/// First indices of the features, and their number at the end.
pub(super) mod at {
    use super::{MOST_DANGER, MOST_MOBILITY, PLACES, RANKS, TYPES};

    /// Type (pawn to rook) by squares it can go to, the squares that enemy pawns attack left out.
    pub(in crate::eval) const MOBILITY: usize = TYPES * PLACES;
    /// Passed pawn by own rank, with a type available to become (YQ-10).
    pub(in crate::eval) const PASSED: usize = MOBILITY + (TYPES - 1) * (MOST_MOBILITY + 1);
    /// Passed pawn by own rank that could not promote now.
    pub(in crate::eval) const PASSED_BARRED: usize = PASSED + RANKS;
    /// Passed pawn by own rank with an empty square ahead.
    pub(in crate::eval) const PASSED_FREE: usize = PASSED_BARRED + RANKS;
    /// Steps from the kings to the square ahead of a passed pawn beyond rank 5: the own, the enemy's.
    pub(in crate::eval) const PASSED_KINGS: usize = PASSED_FREE + RANKS;
    /// Pawns: isolated, doubled, beside another, guarded by another.
    pub(in crate::eval) const PAWNS: usize = PASSED_KINGS + 2;
    /// King's surroundings attacked, by attack units.
    pub(in crate::eval) const DANGER: usize = PAWNS + 4;
    /// Attacked squares beside the enemy king, by type of attacker.
    pub(in crate::eval) const ZONE: usize = DANGER + MOST_DANGER + 1;
    /// Own pawns on the king's three files: one and two ranks ahead of it; then files among them without own pawns, and without any.
    pub(in crate::eval) const SHELTER: usize = ZONE + TYPES - 1;
    /// Lines to the enemy king: cannons, then vaos, with no piece between, with two; rooks, then bishops behind one.
    pub(in crate::eval) const AIM: usize = SHELTER + 4;
    /// Own piece attacked by a pawn, by type.
    pub(in crate::eval) const BY_PAWN: usize = AIM + 6;
    /// Own piece attacked and not guarded, by type.
    pub(in crate::eval) const HANGING: usize = BY_PAWN + TYPES - 1;
    /// Own rook attacked by a lesser piece.
    pub(in crate::eval) const ROOK_ATTACKED: usize = HANGING + TYPES - 1;
    /// Rook on a file without own pawns, and without any.
    pub(in crate::eval) const ROOK_FILE: usize = ROOK_ATTACKED + 1;
    /// Bishops on both colours, vaos on both colours, pieces that the king may swap with (YQ-7).
    pub(in crate::eval) const COLORS: usize = ROOK_FILE + 2;
    /// Pawns on the colour of an own bishop: the own, the enemy's.
    pub(in crate::eval) const BISHOP_PAWNS: usize = COLORS + 3;
    /// Cannons, then vaos, times a quarter of the pieces on the board: screens.
    pub(in crate::eval) const SCREENS: usize = BISHOP_PAWNS + 2;
    /// Number of features.
    pub(in crate::eval) const END: usize = SCREENS + 2;
}

impl<const SWAPS: bool> Evaluate for YangqiBoard<SWAPS> {
    const WEIGHTS: &'static [Weight] = &WEIGHTS;
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("placement", at::MOBILITY),
        ("mobility", at::PASSED),
        ("passed pawns", at::PAWNS),
        ("pawn structure", at::DANGER),
        ("king safety", at::BY_PAWN),
        ("threats", at::ROOK_FILE),
        ("files, colours, screens", at::END),
    ];
    const TEMPO: i32 = 12;

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

    fn features<S: FeatureSink>(&self, sink: &mut S) {
        count_features(self, sink);
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
