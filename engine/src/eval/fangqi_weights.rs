//! Weights of the evaluation, one per feature in the order of its groups.
use super::Weight;
use super::fangqi::FEATURES;

/// Opening and end worth of each feature, in centipawns.
#[rustfmt::skip]
pub(super) static WEIGHTS: [Weight; FEATURES] = [
    // stones
    Weight(80, 98), Weight(84, 99), Weight(88, 99), Weight(88, 99), Weight(95, 100), Weight(98, 100), Weight(98, 100), Weight(104, 100), Weight(105, 100),
    Weight(106, 100),
    // hand
    Weight(100, 100),
    // open squares
    Weight(2, 0), Weight(4, 1), Weight(6, 2), Weight(8, 2), Weight(5, 2), Weight(12, 4), Weight(20, 8), Weight(26, 12), Weight(12, 4),
    Weight(35, 20), Weight(60, 35), Weight(90, 50), Weight(0, 0), Weight(0, 0), Weight(0, 0), Weight(0, 0),
    // exposed stones
    Weight(-12, -10), Weight(-6, -4), Weight(-2, -1), Weight(2, 2),
    // room
    Weight(3, 8), Weight(3, 3),
    // threats
    Weight(40, 60), Weight(80, 110), Weight(120, 170), Weight(40, 50), Weight(50, 60),
    // last stone
    Weight(10, 15),
];
