//! Fitted by `cargo run --release --example tune`; the groups are those of `Evaluate::GROUPS`.
use super::{Weight, w};

/// Opening and end worth of each feature, in centipawns.
#[rustfmt::skip]
pub(super) static WEIGHTS: [Weight; 39] = [
    // stones
    w(82, 103), w(68, 107), w(75, 105), w(83, 103), w(54, 108), w(72, 108), w(75, 107), w(89, 108), w(91, 106),
    w(104, 100),
    // hand
    w(173, 121),
    // open squares
    w(19, 0), w(21, 4), w(18, 8), w(9, 16), w(68, -3), w(77, 31), w(74, 40), w(61, 59), w(85, 8),
    w(107, 39), w(80, 58), w(35, 61), w(-71, 5), w(-31, 14), w(12, 15), w(76, 30),
    // exposed stones
    w(-44, 0), w(-21, 12), w(-25, 5), w(-25, 3),
    // room
    w(-3, 3), w(1, -9),
    // threats
    w(21, 21), w(88, 10), w(111, 112), w(-12, 16), w(42, 77),
    // last stone
    w(-23, 17),
];
