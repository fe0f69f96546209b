//! The command line of `sanqi-adapter ics`.
use crate::engine::{Launch, Limits, UciEngine};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// MiB of an engine's table when nothing else is said.
const DEFAULT_HASH: u32 = 16;

/// Options of the chess server. The limits of the engine's moves that are given apply together, and with the clock of the game.
#[derive(Debug, Clone, clap::Args)]
pub struct IcsOptions {
    /// The port to listen on; 0 takes one that is free. The address is printed when clients can connect.
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub port: u16,
    /// The address to listen on. Anyone who reaches it may play under any name: use other than the default only among friends.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// Folder for finished and unfinished games; it is made if need be.
    #[arg(long, value_name = "DIR", default_value = "sanqi-games")]
    pub games: PathBuf,
    /// The UCI engine [default: `sanqi` beside this program, else from PATH].
    #[arg(long, value_name = "PATH")]
    pub engine: Option<PathBuf>,
    /// An argument for the engine's command line; may be given several times.
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub engine_arg: Vec<String>,
    /// Seats that engines may hold at the same time, each with a process of its own; with 0 people play each other only.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub engines: usize,
    /// Milliseconds per move of the engine, at most [default in games without clocks: 1000].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub movetime: Option<u64>,
    /// Nodes per move of the engine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies per move of the engine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Let the engine play like a player of this rating.
    #[arg(long, value_name = "N")]
    pub elo: Option<u32>,
    /// Size of each engine's table in MiB [default: 16].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Clients at the same time; one more is turned away.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub connections: u32,
    /// Lines that a client may send per second; what comes faster waits.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rate: u32,
    /// Minutes of silence after which a client is cut off.
    #[arg(long, value_name = "MINUTES", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub idle: u64,
}

impl IcsOptions {
    /// The options as words of a command line, those left out that say what is the case without them.
    pub(crate) fn words(&self) -> Vec<String> {
        let optional = |value: Option<String>| value.unwrap_or_default();
        let number = |value: Option<u64>| optional(value.map(|value| value.to_string()));
        let engine = optional(self.engine.as_ref().map(|path| path.display().to_string()));
        // With what holds without the option.
        let single = [
            ("--port", self.port.to_string(), "5000"),
            ("--bind", self.bind.to_string(), "127.0.0.1"),
            ("--games", self.games.display().to_string(), "sanqi-games"),
            ("--engine", engine, ""),
            ("--engines", self.engines.to_string(), "16"),
            ("--movetime", number(self.movetime), ""),
            ("--nodes", number(self.nodes), ""),
            ("--depth", number(self.depth.map(u64::from)), ""),
            ("--elo", number(self.elo.map(u64::from)), ""),
            ("--hash", number(self.hash.map(u64::from)), ""),
            ("--connections", self.connections.to_string(), "128"),
            ("--rate", self.rate.to_string(), "20"),
            ("--idle", self.idle.to_string(), "60"),
        ];
        let given = single.into_iter().filter(|(_, value, default)| value != default);
        let words = given.flat_map(|(name, value, _)| [name.to_owned(), value]);
        words.chain(self.engine_arg.iter().map(|argument| format!("--engine-arg={argument}"))).collect()
    }

    /// How the engine is started.
    pub(super) fn launch(&self) -> Launch {
        Launch::of_engine(self.engine.as_deref(), &self.engine_arg)
    }

    /// What is set in an engine once, as far as it has such options.
    pub(super) fn engine_options(&self) -> Vec<(&'static str, String)> {
        let hash = self.hash.unwrap_or(DEFAULT_HASH).to_string();
        let mut options = vec![("Threads", "1".to_owned()), ("Hash", hash)];
        if let Some(elo) = self.elo {
            options.push(("UCI_LimitStrength", "true".to_owned()));
            options.push(("UCI_Elo", elo.to_string()));
        }
        options
    }

    /// What was given on the command line for the engine, and does not fit it, if anything: the engine would play on as if it were not
    /// there.
    pub(super) fn misfit(&self, engine: &UciEngine) -> Option<String> {
        let given = [("--hash", "Hash", self.hash), ("--elo", "UCI_Elo", self.elo)];
        given.into_iter().find_map(|(word, name, value)| {
            let value = value?.to_string();
            match engine.option(name) {
                None => Some(format!("{word} {value}: the engine has no option {name}")),
                Some(option) if option.accepts(&value) => None,
                Some(option) => Some(format!("{word} {value}: the engine takes {}", option.expected())),
            }
        })
    }

    /// The limits of a move besides the clock. In a game without clocks there is always one in time or work.
    pub(super) fn limits(&self, untimed: bool) -> Limits {
        let none = self.movetime.is_none() && self.nodes.is_none() && self.depth.is_none();
        let move_time = self.movetime.or((untimed && none).then_some(1000));
        Limits { move_time, nodes: self.nodes, depth: self.depth, ..Limits::default() }
    }

    /// Silence after which a client is cut off.
    pub(super) fn idle_time(&self) -> Duration {
        Duration::from_secs(self.idle * 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: IcsOptions,
    }

    /// What is given comes back, and nothing that holds anyway.
    #[test]
    fn words_are_what_was_given() {
        for text in [
            "ics",
            "ics --port 5001 --bind ::1 --games g --engine e --engines 3 --movetime 5 --nodes 7 --depth 9 --elo 900 --hash 1 \
             --connections 5 --rate 6 --idle 7 --engine-arg=--x --engine-arg=y",
        ] {
            let given: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(Line::parse_from(&given).options.words(), given[1..]);
        }
    }
}
