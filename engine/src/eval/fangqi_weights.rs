//! Weights of [`super::fangqi`], one line a feature in the order of its indices: opening, end, in centipawns.
use super::Weight;

pub(super) static WEIGHTS: [Weight; 11] = [
    Weight(86, 100),
    Weight(88, 100),
    Weight(90, 100),
    Weight(90, 100),
    Weight(95, 100),
    Weight(98, 100),
    Weight(98, 100),
    Weight(104, 100),
    Weight(105, 100),
    Weight(106, 100),
    Weight(100, 100),
];
