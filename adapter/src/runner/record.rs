//! What is kept of a played game.
use super::referee::Verdict;
use super::schedule::Slot;
use crate::engine::Info;
use sanqi::board::Color;
use sanqi::games::Game;
use std::time::Duration;

/// A move and what is known about it.
#[derive(Debug, Clone)]
pub struct PlayedMove {
    /// Who made it.
    pub side: Color,
    /// What the engine last said about it.
    pub info: Option<Box<Info>>,
    /// Time as measured here.
    pub elapsed: Duration,
    /// Time left on the clock afterwards.
    pub left: Option<Duration>,
}

/// A played game.
#[derive(Debug, Clone)]
pub struct GameRecord {
    /// Which game of the match.
    pub slot: Slot,
    /// The game itself.
    pub game: Game,
    /// Moves of the opening, at the head of [`Game::moves`].
    pub book_plies: usize,
    /// The moves after those.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub verdict: Verdict,
    /// The word that was ruled illegal.
    pub illegal: Option<String>,
    /// Begin and end, milliseconds since 1970 UTC.
    pub times: [u64; 2],
    /// Names and authors that the engines gave of themselves, first player first.
    pub identities: [(String, String); 2],
    /// Warnings about it.
    pub warnings: Vec<Warning>,
    /// For a crash or stall: the last lines exchanged, and the engine's error output.
    pub post_mortem: Vec<String>,
}

/// Something an engine should not have done, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// In fastchess' words.
    pub text: String,
    /// More lines: `Info; …`, `Position; …`, `Moves; …`.
    pub details: Vec<String>,
}
