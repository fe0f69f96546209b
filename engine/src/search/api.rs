//! What goes into a search and what comes out.
use super::score::{Bound, Score};
use super::team::TeamTerms;
use crate::games::Move;
use std::time::Duration;

/// One side's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Milliseconds left.
    pub time: u64,
    /// Milliseconds gained by each move.
    pub increment: u64,
}

/// Everything that can end a search; all that are given apply together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The opponent's clock; never a limit.
    pub opponent: Option<Clock>,
    /// Moves until the clock is refilled.
    pub moves_to_go: Option<u32>,
    /// Milliseconds for this move.
    pub movetime: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes, over all threads.
    pub nodes: Option<u64>,
    /// End when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Do not answer before `stop`.
    pub infinite: bool,
    /// A limit was present but zero, negative or unreadable: answer at once with a legal move.
    pub at_once: bool,
    /// Only these root moves are searched; empty: all.
    pub moves: Vec<Move>,
}

/// Options that a search heeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Threads, at least 1.
    pub threads: usize,
    /// Lines reported, at least 1.
    pub multi_pv: usize,
    /// Milliseconds kept back on every clock for the way to the GUI.
    pub move_overhead: u64,
    /// Weaker play: Elo, `None` at full strength.
    pub elo: Option<u32>,
    /// Weaker play by its level, in hundredths of a step of [`super::strength::STEPS`], in place of `elo`.
    pub level: Option<u32>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Centipawns within which a seeded choice among root moves is made; 0 = deterministic.
    pub variety: i32,
    /// The GUI ponders: more time may be used.
    pub ponder: bool,
    /// Percent of the usual time of a move.
    pub pace: u32,
    /// What counts from another board.
    pub team: Option<TeamTerms>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            multi_pv: 1,
            move_overhead: 10,
            elo: None,
            level: None,
            seed: 0,
            variety: 0,
            ponder: false,
            pace: 100,
            team: None,
        }
    }
}

/// One `info` line's worth of news.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// Depth in plies that is complete (or was cut by a bound).
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank of this line, from 1.
    pub multipv: usize,
    /// Score of the line for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Permille of the table in use.
    pub hashfull: u32,
    /// The line; legal to its end.
    pub pv: &'a [Move],
}

impl Report<'static> {
    /// What is reported of a position without a legal move.
    pub fn finished(score: Score, time: Duration) -> Report<'static> {
        Report { depth: 0, seldepth: 0, multipv: 1, score, bound: Bound::Exact, nodes: 0, time, hashfull: 0, pv: &[] }
    }
}

/// Takes the news of a search.
pub trait Reporter: Sync {
    /// One line has a new value.
    fn report(&self, report: &Report<'_>);
    /// Text for people, or for programs that know it (`exact`).
    fn message(&self, text: &str);
    /// The search goes on, `thought` after it was asked for. Called now and then until it returns true: what was reported may be held back
    /// at the beginning, but not longer than that.
    fn pulse(&self, thought: Duration) -> bool {
        let _ = thought;
        true
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The move to play; `None` only without a legal move.
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// Score of the best move.
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
}
