//! What is kept of a played game.
use super::pgn;
use super::referee::Verdict;
use super::schedule::Slot;
use super::settings::Settings;
use crate::engine::Info;
use crate::replay::Replay;
use sanqi::board::Color;
use sanqi::games::Game;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
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
    /// Lines of output that are to be kept (`-pgnout match_line=`).
    pub lines: Vec<String>,
}

/// What an engine says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its author.
    pub author: String,
    /// Its threads, and its table in megabytes, as they are set or else by its default; `None` when it has no such option.
    pub values: [Option<String>; 2],
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
    /// What the engines say of themselves, first player first.
    pub identities: [Identity; 2],
    /// Warnings about it.
    pub warnings: Vec<Warning>,
    /// For a crash or stall: the last lines exchanged, and the engine's error output.
    pub post_mortem: Vec<String>,
}

/// What the match as a whole needs to know of a finished game, on one board or two.
#[derive(Debug, Clone)]
pub struct Played {
    /// Which game of the match.
    pub slot: Slot,
    /// How it ended.
    pub verdict: Verdict,
    /// Moves, those of the opening included.
    pub plies: usize,
    /// FEN it began at.
    pub opening: String,
    /// FEN it ended at.
    pub end: String,
    /// Begin and end, milliseconds since 1970 UTC.
    pub times: [u64; 2],
    /// Warnings about it.
    pub warnings: Vec<Warning>,
    /// For a crash or stall: the last lines exchanged, and the engine's error output.
    pub post_mortem: Vec<String>,
    /// What the engines say of themselves, first player first.
    pub identities: [Identity; 2],
    /// As PGN, with two boards as BPGN.
    pub text: String,
    /// With two boards the replay.
    pub replay: Option<Box<Replay>>,
    /// Seconds that moves took longer here than by the account of the engine with that index.
    pub latency: Vec<(usize, f64)>,
}

impl Played {
    /// A game on one board.
    pub fn of(settings: &Settings, record: GameRecord) -> Played {
        let text = pgn::game_text(settings, &record);
        let latency = record.moves.iter().filter_map(|played| {
            let engine = if played.side == Color::White { record.slot.white } else { record.slot.black };
            let time = played.info.as_ref()?.time?;
            Some((engine, played.elapsed.as_secs_f64() - time as f64 / 1000.0))
        });
        let latency = latency.collect();
        Played {
            slot: record.slot,
            plies: record.game.moves().len(),
            opening: record.game.start_fen(),
            end: record.game.fen(),
            times: record.times,
            warnings: record.warnings,
            post_mortem: record.post_mortem,
            identities: record.identities,
            verdict: record.verdict,
            text,
            replay: None,
            latency,
        }
    }
}

/// What a warning is about. Each kind can be switched off by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WarningKind {
    /// Options that an engine does not have, or not with that value.
    Option,
    /// Moves that are illegal or not asked for.
    Move,
    /// No score.
    Score,
    /// Variations.
    Pv,
    /// The length and end of variations with a mate score.
    Mate,
}

impl FromStr for WarningKind {
    type Err = ();
    fn from_str(name: &str) -> Result<WarningKind, ()> {
        Ok(match name {
            "option" => WarningKind::Option,
            "move" => WarningKind::Move,
            "score" => WarningKind::Score,
            "pv" => WarningKind::Pv,
            "mate" => WarningKind::Mate,
            _ => return Err(()),
        })
    }
}

/// Something an engine should not have done, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// In fastchess' words.
    pub text: String,
    /// More lines: `Info; …`, `Position; …`, `Moves; …`.
    pub details: Vec<String>,
}

impl Warning {
    /// A complaint about an option.
    pub fn option(text: String) -> Warning {
        Warning { kind: WarningKind::Option, text, details: Vec::new() }
    }
}
