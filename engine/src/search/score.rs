//! Scores inside the search and as they are reported.

/// Centipawns inside the search, or a distance to the end of the game near ±[`MATE`].
pub type Value = i32;

/// Being mated now is `-MATE`.
pub const MATE: Value = 32_000;
/// Deepest ply a search line can reach.
pub const MAX_PLY: usize = 128;
/// Values beyond this are distances to the end: `MATE - plies`.
pub const MATE_BOUND: Value = MATE - 1_000;
/// Above every value.
pub const INFINITE: Value = 32_500;
/// No value.
pub const NONE: Value = 32_600;

/// A score as it is reported, from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves (not plies) to the end: positive = wins in n, zero or negative = loses in n.
    Mate(i32),
}

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        if value >= MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Score::Mate(-((MATE + value) / 2))
        } else {
            Score::Cp(value)
        }
    }
}

/// What a value is known to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// Nothing is known.
    None = 0,
    /// The true value is at most this (failed low).
    Upper = 1,
    /// The true value is at least this (failed high).
    Lower = 2,
    /// Exact.
    Exact = 3,
}
