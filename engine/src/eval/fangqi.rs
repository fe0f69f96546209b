//! Evaluation of fangqi positions. A stone is worth about 100.
//!
//! Captures come from 2×2 squares that hold stones of one colour only ("open" squares), so these are counted by their number of
//! stones and by the enemy stones beside them. All of it is set operations on the 36 squares at once.
use super::fangqi_weights::WEIGHTS;
use super::patterns::{PHASES, Patterns};
use super::{Evaluate, FULL_PHASE, FeatureSink, Weight};
use crate::board::Color;
use crate::board::bits::Squares;
use crate::games::fangqi::geometry::{
    CORNERS, FILES, FULL, POINTS, by_count, neighbour_planes, neighbours, points_of, squares_touching,
};
use crate::games::fangqi::{Fangqi, HAND};
use crate::games::position::{Observer, Position};

/// Classes of points under the eight symmetries of the board.
const CLASSES: usize = 10;
/// A stone in hand.
const IN_HAND: usize = CLASSES;
/// Open squares with one to four stones, by enemy stones beside them: 0, 1, 2, more.
const OPEN: usize = IN_HAND + 1;
/// Stones beside an open enemy square of three, of two, of one; and beside none of them.
const EXPOSED: usize = OPEN + 16;
/// Empty points beside an open own square of two or three and not beside such an enemy square: bad points for the enemy.
const ROOM: usize = EXPOSED + 4;
/// Empty points of own open squares of two or three that belong to no such enemy square.
const SHAPE: usize = ROOM + 1;
/// How many of the features are counted for either side in the same way: those from [`OPEN`] up to here.
const EVEN: usize = SHAPE + 1 - OPEN;
/// Capturing placements of the side to move, by what stands beside the square: 1, 2, more.
const READY: usize = SHAPE + 1;
/// More than one capturing placement: for the side to move, for the other.
const DOUBLE: usize = READY + 3;
/// The right to place the last stone.
const LAST: usize = DOUBLE + 2;
/// Number of features.
pub(super) const FEATURES: usize = LAST + 1;

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

#[inline(always)]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The open squares of one colour.
struct Open {
    /// Those with `n` stones at `n - 1`.
    by_stones: [u64; 4],
    /// Squares with at least one, two, three enemy stones beside them.
    beside: [u64; 3],
}

impl Open {
    #[inline(always)]
    fn new(own: u64, enemy: u64) -> Open {
        let open = CORNERS & !squares_touching(enemy);
        let [mut one, mut two, mut three] = [0; 3];
        for plane in neighbour_planes(enemy) {
            three |= two & plane;
            two |= one & plane;
            one |= plane;
        }
        Open { by_stones: by_count(own).map(|set| set & open), beside: [one, two, three] }
    }

    /// Squares of two or three stones.
    #[inline(always)]
    fn growing(&self) -> u64 {
        self.by_stones[1] | self.by_stones[2]
    }

    /// Points where a placement captures.
    #[inline(always)]
    fn capturing(&self, empty: u64) -> u64 {
        points_of(self.by_stones[2] & self.beside[0]) & empty
    }

    /// The features from [`OPEN`] on.
    #[inline(always)]
    fn features(&self, enemy: &Open, own: u64, empty: u64) -> [i32; EVEN] {
        let mut features = [0; EVEN];
        let [one, two, three] = self.beside;
        for (stones, set) in self.by_stones.into_iter().enumerate() {
            features[stones * 4] = count(set & !one);
            features[stones * 4 + 1] = count(set & one & !two);
            features[stones * 4 + 2] = count(set & two & !three);
            features[stones * 4 + 3] = count(set & three);
        }
        let mut unseen = own;
        for (index, stones) in [2, 1, 0].into_iter().enumerate() {
            let near = neighbours(enemy.by_stones[stones]);
            features[EXPOSED - OPEN + index] = count(unseen & near);
            unseen &= !near;
        }
        features[EXPOSED - OPEN + 3] = count(unseen);
        let (mine, theirs) = (self.growing(), enemy.growing());
        features[ROOM - OPEN] = count(empty & neighbours(mine) & !neighbours(theirs));
        features[SHAPE - OPEN] = count(empty & points_of(mine) & !points_of(theirs));
        features
    }
}

impl Fangqi {
    /// Stones in both hands.
    #[inline(always)]
    fn in_hand(&self) -> usize {
        (self.hand(Color::White) + self.hand(Color::Black)) as usize
    }
}

impl Evaluate for Fangqi {
    type Layer = Patterns;

    #[inline(always)]
    fn bucket(&self) -> usize {
        PHASES * self.in_hand() / (2 * HAND as usize + 1)
    }

    const WEIGHTS: &'static [Weight] = &WEIGHTS;
    const GROUPS: &'static [(&'static str, usize)] = &[
        ("stones", CLASSES),
        ("hand", IN_HAND + 1),
        ("open squares", EXPOSED),
        ("exposed stones", ROOM),
        ("room", READY),
        ("threats", LAST),
        ("last stone", FEATURES),
    ];

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

    #[inline(always)]
    fn features<S: FeatureSink>(&self, sink: &mut S) {
        let (white, black) = (self.stones(Color::White), self.stones(Color::Black));
        let empty = FULL & !(white | black);
        let open = [Open::new(white, black), Open::new(black, white)];
        let ours = open[0].features(&open[1], white, empty);
        let theirs = open[1].features(&open[0], black, empty);
        for (index, (ours, theirs)) in ours.into_iter().zip(theirs).enumerate() {
            sink.add(OPEN + index, ours - theirs);
        }

        let side = self.side();
        let sign = if side == Color::White { 1 } else { -1 };
        let (mover, other) = (&open[side.index()], &open[(!side).index()]);
        let [one, two, three] = mover.beside;
        let threats = mover.by_stones[2];
        sink.add(READY, sign * count(threats & one & !two));
        sink.add(READY + 1, sign * count(threats & two & !three));
        sink.add(READY + 2, sign * count(threats & three));
        sink.add(DOUBLE, sign * i32::from(count(mover.capturing(empty)) > 1));
        sink.add(DOUBLE + 1, -sign * i32::from(count(other.capturing(empty)) > 1));
        // FQ-7: with no more stones than the opponent the side to move is the first that cannot place.
        let last = if self.hand(side) <= self.hand(!side) { -sign } else { sign };
        sink.add(LAST, last);
    }

    #[inline(always)]
    fn phase(&self) -> i32 {
        self.in_hand() as i32 * FULL_PHASE / (2 * i32::from(HAND))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Trace;

    fn position(fen: &str) -> Fangqi {
        Fangqi::from_fen(fen).unwrap()
    }

    fn feature(fen: &str, index: usize) -> i32 {
        let Trace(counts) = position(fen).trace();
        counts.iter().filter(|(i, _)| *i == index).map(|(_, n)| n).sum()
    }

    #[test]
    fn ten_classes_under_the_eight_symmetries() {
        let mut sizes = [0; CLASSES];
        for point in 0..POINTS {
            sizes[CLASS[point]] += 1;
            let (file, rank) = (point % 7, point / 7);
            for image in [rank * 7 + 6 - file, (6 - rank) * 7 + file, file * 7 + rank] {
                assert_eq!(CLASS[image], CLASS[point]);
            }
        }
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 4, 4, 4, 4, 4, 4, 8, 8, 8]);
    }

    #[test]
    fn squares_are_counted_by_stones_and_enemies_beside() {
        // White's square b3–c4 has three stones and two enemies beside it; Black to move.
        let fen = "7/7/1p5/1PP4/pP5/7/7 b";
        assert_eq!(feature(fen, OPEN + 2 * 4 + 2), 1);
        assert_eq!(feature(fen, READY + 1), 0);
        let fen = "7/7/1p5/1PP4/pP5/7/7 w";
        assert_eq!(feature(fen, READY + 1), 1);
        // A stone in it closes it.
        assert_eq!(feature("7/7/1p5/1PP4/pPp4/7/7 w", OPEN + 2 * 4 + 2), 0);
        // Both black stones are beside a square of three.
        assert_eq!(feature(fen, EXPOSED), -2);
    }

    #[test]
    fn flipped_colours_have_the_same_value() {
        for fen in ["7/7/1p5/1PP4/pP5/7/7 w", "1p1P2p/3P3/3P1P1/7/1pP4/ppP1P2/P1p1pp1[PPPPPPPPPPPPpppppppppppp] b"] {
            let flipped: String = fen
                .chars()
                .map(|c| match c {
                    'P' => 'p',
                    'p' => 'P',
                    'w' => 'b',
                    'b' => 'w',
                    other => other,
                })
                .collect();
            let (a, b) = (position(fen), position(&flipped));
            assert_eq!(a.evaluate(&a.accumulate()), b.evaluate(&b.accumulate()), "{fen}");
        }
    }

    #[test]
    fn more_stones_are_better_and_so_is_a_threat() {
        let value = |fen: &str| position(fen).evaluate(&position(fen).accumulate());
        assert!(value("7/7/1p5/1PP4/pP5/7/7[PPpp] w") > 50);
        assert!(value("7/7/1p5/1PP4/pP5/7/7[PPpp] w") > value("7/7/5p1/1PP4/P5p/7/7[PPpp] w"));
    }
}
