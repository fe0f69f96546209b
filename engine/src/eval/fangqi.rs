//! Evaluation of fangqi positions. A stone is worth about 100.
use super::fangqi_weights::WEIGHTS;
use super::{Evaluate, FULL_PHASE, FeatureSink, Weight};
use crate::board::Color;
use crate::board::bits::Squares;
use crate::games::fangqi::geometry::{FILES, POINTS};
use crate::games::fangqi::{Fangqi, HAND};
use crate::games::position::Observer;

/// Classes of points under the eight symmetries of the board.
const CLASSES: usize = 10;
/// A stone in hand.
const IN_HAND: usize = CLASSES;

/// The class of each point: distances from the two nearest edges, the smaller one first, numbered from the corner inwards.
const CLASS: [usize; POINTS] = {
    let mut table = [0; POINTS];
    let mut point = 0;
    while point < POINTS {
        let (file, rank) = (point % FILES, point / FILES);
        let file = if file > 3 { 6 - file } else { file };
        let rank = if rank > 3 { 6 - rank } else { rank };
        let (low, high) = if file < rank { (file, rank) } else { (rank, file) };
        // Row `low` of a triangle whose rows have 4, 3, 2, 1 entries.
        table[point] = low * (9 - low) / 2 + high - low;
        point += 1;
    }
    table
};

impl Evaluate for Fangqi {
    const WEIGHTS: &'static [Weight] = &WEIGHTS;
    const GROUPS: &'static [(&'static str, usize)] = &[("stones", CLASSES), ("hand", IN_HAND + 1)];
    const TEMPO: i32 = 0;

    #[inline(always)]
    fn placement(_: usize, square: u8) -> usize {
        CLASS[square as usize]
    }

    #[inline(always)]
    fn reserve(_: usize) -> Option<usize> {
        Some(IN_HAND)
    }

    #[inline(always)]
    fn color_of(piece: usize) -> Color {
        if piece == 0 { Color::White } else { Color::Black }
    }

    fn enumerate<O: Observer>(&self, observer: &mut O) {
        for color in Color::ALL {
            Squares(self.stones(color)).for_each(|point| observer.add(color.index(), point));
            observer.reserve(color.index(), 0, self.hand(color));
        }
    }

    fn features<S: FeatureSink>(&self, _: &mut S) {}

    #[inline(always)]
    fn phase(&self) -> i32 {
        let in_hand = i32::from(self.hand(Color::White)) + i32::from(self.hand(Color::Black));
        in_hand * FULL_PHASE / (2 * i32::from(HAND))
    }
}
