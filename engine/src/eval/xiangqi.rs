//! Evaluation of xiangqi and of Supply Xiangqi: the same features, each game with its own weights. Here stand the order of the features and
//! what depends on placement alone; the others are counted in [`super::xiangqi_features`].
use super::{Evaluate, FULL_PHASE, FeatureSink, Weight, supply_weights, xiangqi_weights};
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
/// At least one of a type in reserve.
pub(super) const FIRST: usize = RESERVE + RESERVE_TYPES;
/// Each of a type in reserve beyond the second.
pub(super) const SURPLUS: usize = FIRST + RESERVE_TYPES;
/// Chariots by number of squares they reach.
pub(super) const CHARIOT_MOBILITY: usize = SURPLUS + RESERVE_TYPES;
/// Most squares that a Chariot or Cannon reaches.
pub(super) const MOST_REACHED: usize = FILES + RANKS - 2;
/// Horses by number of squares they reach.
pub(super) const HORSE_MOBILITY: usize = CHARIOT_MOBILITY + MOST_REACHED + 1;
/// Cannons by number of squares they reach.
pub(super) const CANNON_MOBILITY: usize = HORSE_MOBILITY + 9;
/// Squares of the enemy palace attacked by Chariots, Horses, Cannons and Soldiers.
pub(super) const PALACE: usize = CANNON_MOBILITY + MOST_REACHED + 1;
/// Number of own pieces that attack the enemy palace, up to [`MOST_ATTACKERS`].
pub(super) const ATTACKERS: usize = PALACE + 4;
/// Attackers beyond this number are not told apart.
pub(super) const MOST_ATTACKERS: usize = 7;
/// Missing enemy Advisors times Chariots, missing Elephants times Cannons, missing Advisors times Horses.
pub(super) const EXPOSED: usize = ATTACKERS + MOST_ATTACKERS + 1;
/// A Chariot behind one piece on a line with the enemy General.
pub(super) const CHARIOT_LINE: usize = EXPOSED + 3;
/// A Cannon on the enemy General's file with nothing between (hollow cannon); the second with a Chariot to help.
pub(super) const HOLLOW_CANNON: usize = CHARIOT_LINE + 1;
/// A Cannon on the enemy General's rank with nothing between.
pub(super) const BOTTOM_CANNON: usize = HOLLOW_CANNON + 2;
/// A Cannon behind two pieces on the enemy General's file, and on its rank.
pub(super) const CANNON_LINE: usize = BOTTOM_CANNON + 1;
/// An enemy piece alone between the Generals.
pub(super) const FACING_PIN: usize = CANNON_LINE + 2;
/// Two Soldiers side by side past the river.
pub(super) const SOLDIER_PAIR: usize = FACING_PIN + 1;
/// Enemy pieces that are attacked and not guarded, by type.
pub(super) const HANGING: usize = SOLDIER_PAIR + 1;
/// Enemy Chariots attacked by lesser pieces; Horses and Cannons attacked by Soldiers, Advisors and Elephants.
pub(super) const LESSER: usize = HANGING + RESERVE_TYPES;
/// Own attackers of the enemy palace times own pieces in reserve; enemy attackers of the own palace times own pieces in reserve.
pub(super) const SUPPLIED: usize = LESSER + 2;
/// Number of features.
pub(super) const FEATURES: usize = SUPPLIED + 2;

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
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("material and placement", RESERVE),
        ("reserves", CHARIOT_MOBILITY),
        ("mobility", PALACE),
        ("attack on the General", SOLDIER_PAIR),
        ("soldiers", HANGING),
        ("threats", SUPPLIED),
        ("reserves in attack and defence", FEATURES),
    ];
    const TEMPO: i32 = 15;

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

    #[inline]
    fn features<S: FeatureSink>(&self, sink: &mut S) {
        self.count_features(sink);
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
