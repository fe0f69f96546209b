//! What is to be done with one position, and how every position is to be searched.
use super::game::{AnyGame, Source};
use super::row::{Id, Row};
use crate::engine::Limits;
use clap::Args;
use sanqi::games::Outcome;
use serde::{Deserialize, Serialize};

/// A position that gives one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its number in this run, from 0.
    pub number: u64,
    /// Its id.
    pub id: Id,
    /// The position, or why there is none.
    pub source: Result<Source, String>,
}

impl Task {
    /// The position by the rules, and a row that says which position it is about.
    ///
    /// # Errors
    /// A row that says what is wrong with it.
    pub fn open(&self) -> Result<(AnyGame, Row), Box<Row>> {
        let mut row = Row::new(self.id.clone());
        let opened = self.source.as_ref().map_err(String::clone).and_then(|source| {
            row.variant = Some(source.variant);
            row.board = source.board;
            source.open().map(|game| (source, game))
        });
        match opened {
            Ok((source, game)) => {
                row.fen = Some(game.fen());
                if !source.moves.is_empty() {
                    row.startfen = Some(source.start.clone().unwrap_or_else(|| source.variant.start_fen()));
                    row.moves.clone_from(&source.moves);
                }
                row.over.clone_from(&source.over);
                let result = game.result();
                row.result = Some(result.outcome.to_string());
                row.reason = (result.outcome != Outcome::Ongoing).then(|| result.reason.to_string());
                Ok((game, row))
            }
            Err(error) => {
                row.error = Some(error);
                Err(Box::new(row))
            }
        }
    }
}

/// How positions are searched. All limits that are given apply together.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchOptions {
    /// Plies per position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Nodes per position. With one thread, what the engine finds then depends on nothing else.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds per position.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Search until a mate in so many moves is found; without another limit to a depth at which one would have been found.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub mate: Option<u32>,
    /// Lines per position.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub multipv: u32,
    /// Threads of each engine.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,
    /// Size of each engine's table in MiB [default: the engine's own].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Another option of the engine; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub options: Vec<(String, String)>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            depth: None,
            nodes: None,
            movetime: None,
            mate: None,
            multipv: 1,
            threads: 1,
            hash: None,
            options: Vec::new(),
        }
    }
}

/// The depth to which a mate in so many moves is looked for. It is `2 * mate - 1` plies away, and more are needed to find it, because
/// searches cut and shorten lines.
fn mate_depth(mate: u32) -> u32 {
    mate.saturating_mul(2).saturating_add(MATE_MARGIN)
}

const MATE_MARGIN: u32 = 8;

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if name.trim().eq_ignore_ascii_case("UCI_Variant") {
        return Err("the game is that of the position, else that of --variant".to_owned());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl SearchOptions {
    /// A search would never end by itself.
    pub fn is_endless(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none() && self.mate.is_none()
    }

    /// The limits of one search. A mate alone would be looked for without end where there is none.
    pub fn limits(&self) -> Limits {
        let alone = self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none();
        let depth = if alone { self.mate.map(mate_depth) } else { self.depth };
        Limits { depth, nodes: self.nodes, move_time: self.movetime, mate: self.mate, ..Limits::default() }
    }

    /// Options of the engine, in the order in which they are set: threads first, because a table is best allocated with the number of
    /// threads known.
    pub fn engine_options(&self) -> Vec<(String, String)> {
        let mut options = Vec::new();
        let mut set = |name: &str, value: String| options.push((name.to_owned(), value));
        if self.threads != 1 {
            set("Threads", self.threads.to_string());
        }
        if let Some(hash) = self.hash {
            set("Hash", hash.to_string());
        }
        if self.multipv > 1 {
            set("MultiPV", self.multipv.to_string());
        }
        options.extend(self.options.iter().cloned());
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_alone_is_bounded() {
        let go = |options: SearchOptions| options.limits().go();
        let mate = SearchOptions { mate: Some(3), ..SearchOptions::default() };
        assert_eq!(go(mate.clone()), "go depth 14 mate 3");
        assert_eq!(go(SearchOptions { nodes: Some(5), ..mate.clone() }), "go nodes 5 mate 3");
        assert_eq!(go(SearchOptions { depth: Some(2), ..mate }), "go depth 2 mate 3");
    }

    #[test]
    fn the_game_is_no_option() {
        assert!(name_and_value("uci_variant = yangqi").is_err());
        assert_eq!(name_and_value("Seed = 5"), Ok(("Seed".to_owned(), "5".to_owned())));
    }
}
