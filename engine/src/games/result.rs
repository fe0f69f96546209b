//! How games end.
use crate::board::Color;
use std::fmt;

/// Who has won, if anybody has yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0`, `0-1`.
    Win(Color),
    /// `1/2-1/2`.
    Draw,
    /// `*`.
    Ongoing,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Win(Color::White) => "1-0",
            Outcome::Win(Color::Black) => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Ongoing => "*",
        })
    }
}

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No legal move, in check.
    Checkmate,
    /// No legal move, not in check.
    Stalemate,
    /// Third occurrence of a position.
    Repetition,
    /// Third occurrence, one side gave check with every move (XQ-2).
    PerpetualCheck,
    /// The half-move counter reached its limit: 100 in supply and yangqi, 120 in xiangqi.
    MoveCount,
    /// King against king (YQ-8).
    BareKings,
    /// Fangqi: no stone on the board and none in hand (FQ-6).
    NoStones,
    /// Fangqi: the side to move cannot place; stones were counted (FQ-7).
    StoneCount,
    /// Ended from outside: flag, resignation, adjudication (SX-6).
    Adjudicated,
    /// The game goes on.
    Ongoing,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual check",
            Reason::MoveCount => "move count",
            Reason::BareKings => "bare kings",
            Reason::NoStones => "no stones left",
            Reason::StoneCount => "stone count",
            Reason::Adjudicated => "adjudicated",
            Reason::Ongoing => "game goes on",
        })
    }
}

/// Outcome and reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
}

impl GameResult {
    /// The game goes on.
    pub const ONGOING: GameResult = GameResult { outcome: Outcome::Ongoing, reason: Reason::Ongoing };
}
