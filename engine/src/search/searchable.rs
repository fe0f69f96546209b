//! What the search asks of a game beyond its rules and its evaluation.
use super::api::Reporter;
use super::control::Control;
use super::score::{Score, Value};
use super::team::TeamTerms;
use crate::eval::Evaluate;
use crate::games::Move;
use crate::games::supply::Supply;
use crate::games::xiangqi::Xiangqi;
use crate::games::yangqi::{Yangqi, YangqiNoSwap};
use std::time::Duration;

/// A proved result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solved {
    /// For the side to move.
    pub score: Score,
    /// Best play to the end of the game.
    pub line: Vec<Move>,
    /// Nodes it took.
    pub nodes: u64,
}

/// What a solver may use.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Threads.
    pub threads: usize,
    /// When it has to give up; `None`: when `control` says so.
    pub time: Option<Duration>,
    /// The search it works for.
    pub control: &'a Control,
    /// Where progress is told.
    pub reporter: &'a dyn Reporter,
}

/// A game that can be searched.
pub trait Searchable: Evaluate {
    /// Moves that the side to move can make at most until the game ends, where that is known.
    fn moves_left(&self) -> Option<u32> {
        None
    }

    /// What another board adds to the value, seen from White.
    fn team_value(&self, terms: &TeamTerms) -> Value {
        let _ = terms;
        0
    }

    /// What a capture brings on another board.
    fn team_gain(&self, mv: Move, terms: &TeamTerms) -> Value {
        let _ = (mv, terms);
        0
    }

    /// The exact result, where the game has a solver and this position is within its reach; `None` when not, or when it had to
    /// give up.
    fn solve(&self, means: &Means<'_>) -> Option<Solved> {
        let _ = means;
        None
    }
}

impl Searchable for Xiangqi {}
impl Searchable for Supply {
    fn team_value(&self, terms: &TeamTerms) -> Value {
        terms.value(self)
    }

    fn team_gain(&self, mv: Move, terms: &TeamTerms) -> Value {
        terms.gain(self, mv)
    }
}
impl Searchable for Yangqi {}
impl Searchable for YangqiNoSwap {}
