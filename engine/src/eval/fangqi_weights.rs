//! Fitted by `cargo run --release --example tune`; the groups are those of `Evaluate::GROUPS`.
use super::Weight;

/// Opening and end worth of each feature, in centipawns.
#[rustfmt::skip]
pub(super) static WEIGHTS: [Weight; 39] = [
    // stones
    Weight(82, 103), Weight(68, 107), Weight(75, 105), Weight(83, 103), Weight(54, 108), Weight(72, 108), Weight(75, 107), Weight(89, 108), Weight(91, 106),
    Weight(104, 100),
    // hand
    Weight(173, 121),
    // open squares
    Weight(19, 0), Weight(21, 4), Weight(18, 8), Weight(9, 16), Weight(68, -3), Weight(77, 31), Weight(74, 40), Weight(61, 59), Weight(85, 8),
    Weight(107, 39), Weight(80, 58), Weight(35, 61), Weight(-71, 5), Weight(-31, 14), Weight(12, 15), Weight(76, 30),
    // exposed stones
    Weight(-44, 0), Weight(-21, 12), Weight(-25, 5), Weight(-25, 3),
    // room
    Weight(-3, 3), Weight(1, -9),
    // threats
    Weight(21, 21), Weight(88, 10), Weight(111, 112), Weight(-12, 16), Weight(42, 77),
    // last stone
    Weight(-23, 17),
];
