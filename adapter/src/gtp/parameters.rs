//! What can be set at the command line, and later through GoGui's parameter dialogues.
use super::command::{Reply, fail};
use super::options::GtpOptions;
use crate::engine::Limits;

/// A move without any other limit takes this long, in milliseconds.
const DEFAULT_MOVE_TIME: u64 = 1000;
/// Rating that is offered before one has been chosen.
const DEFAULT_ELO: u32 = 1500;

/// Strength, time and chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameters {
    limit_strength: bool,
    elo: u32,
    hash: Option<u32>,
    threads: Option<u32>,
    move_time: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    seed: u32,
    variety: u32,
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move in the game with this number, counted from 0.
    Game(u32),
    /// The same move each time (`reg_genmove`).
    Regression,
    /// The truth about this many moves, at full strength.
    Analysis(usize),
}

impl Parameters {
    /// As the command line has them.
    pub(super) fn new(options: &GtpOptions) -> Parameters {
        Parameters {
            limit_strength: options.elo.is_some(),
            elo: options.elo.unwrap_or(DEFAULT_ELO),
            hash: options.hash,
            threads: options.threads,
            move_time: options.movetime,
            nodes: options.nodes,
            depth: options.depth,
            seed: options.seed,
            variety: options.variety,
        }
    }

    /// The limits of a search without a clock.
    pub(super) fn limits(&self) -> Limits {
        let mut limits = self.limits_beside_a_clock();
        if limits == Limits::default() {
            limits.move_time = Some(DEFAULT_MOVE_TIME);
        }
        limits
    }

    /// The limits that hold when there is a clock too.
    pub(super) fn limits_beside_a_clock(&self) -> Limits {
        Limits { move_time: self.move_time, nodes: self.nodes, depth: self.depth, ..Limits::default() }
    }

    /// The engine's options for a search.
    pub(super) fn engine_options(&self, purpose: Purpose) -> Vec<(&'static str, String)> {
        let mut options = Vec::new();
        options.extend(self.threads.map(|n| ("Threads", n.to_string())));
        options.extend(self.hash.map(|n| ("Hash", n.to_string())));
        let (seed, variety, limited, lines) = match purpose {
            // Games of one session must differ, and the same session must be the same again.
            Purpose::Game(number) => (self.seed.wrapping_add(number), self.variety, self.limit_strength, 1),
            Purpose::Regression => (self.seed, 0, self.limit_strength, 1),
            Purpose::Analysis(lines) => (self.seed, 0, false, lines),
        };
        options.push(("Seed", seed.to_string()));
        options.push(("Variety", variety.to_string()));
        options.push(("UCI_Elo", self.elo.to_string()));
        options.push(("UCI_LimitStrength", limited.to_string()));
        options.push(("MultiPV", lines.to_string()));
        options
    }

    /// `gogui-param_strength [KEY VALUE]`.
    pub(super) fn strength(&mut self, key: &str, value: &str) -> Reply {
        match key {
            "" => {
                let limited = u8::from(self.limit_strength);
                let size = |n: Option<u32>| n.unwrap_or(0);
                return Ok(format!(
                    "[bool] limit_strength {limited}\n[string] elo {}\n[string] hash {}\n[string] threads {}",
                    self.elo,
                    size(self.hash),
                    size(self.threads)
                ));
            }
            "limit_strength" => match value {
                "0" | "false" => self.limit_strength = false,
                "1" | "true" => self.limit_strength = true,
                _ => return fail("limit_strength is 0 or 1"),
            },
            "elo" => self.elo = number(value)?,
            "hash" => self.hash = unless_zero(number(value)?),
            "threads" => self.threads = unless_zero(number(value)?),
            _ => return fail("unknown parameter"),
        }
        Ok(String::new())
    }

    /// `gogui-param_time [KEY VALUE]`; 0 stands for no limit of that kind.
    pub(super) fn time(&mut self, key: &str, value: &str) -> Reply {
        match key {
            "" => {
                return Ok(format!(
                    "[string] milliseconds {}\n[string] nodes {}\n[string] depth {}",
                    self.move_time.unwrap_or(0),
                    self.nodes.unwrap_or(0),
                    self.depth.unwrap_or(0)
                ));
            }
            "milliseconds" => self.move_time = unless_zero(number(value)?),
            "nodes" => self.nodes = unless_zero(number(value)?),
            "depth" => self.depth = unless_zero(number(value)?),
            _ => return fail("unknown parameter"),
        }
        Ok(String::new())
    }

    /// `gogui-param_seed [KEY VALUE]`.
    pub(super) fn chance(&mut self, key: &str, value: &str) -> Reply {
        match key {
            "" => return Ok(format!("[string] seed {}\n[string] variety {}", self.seed, self.variety)),
            "seed" => self.seed = number(value)?,
            "variety" => self.variety = number(value)?,
            _ => return fail("unknown parameter"),
        }
        Ok(String::new())
    }
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
    value.parse().map_err(|_| "not a number in range".to_owned())
}

fn unless_zero<T: Default + PartialEq>(value: T) -> Option<T> {
    (value != T::default()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: GtpOptions,
    }

    fn parameters(line: &str) -> Parameters {
        Parameters::new(&Line::parse_from(line.split(' ')).options)
    }

    #[test]
    fn limits_apply_together_and_default_to_a_second() {
        assert_eq!(parameters("gtp").limits().go(), "go movetime 1000");
        assert_eq!(parameters("gtp --nodes 5").limits().go(), "go nodes 5");
        assert_eq!(parameters("gtp --nodes 5 --movetime 7 --depth 3").limits().go(), "go movetime 7 depth 3 nodes 5");
        assert_eq!(parameters("gtp").limits_beside_a_clock(), Limits::default());
    }

    #[test]
    fn each_game_has_its_own_numbers() {
        let parameters = parameters("gtp --seed 7 --variety 20 --elo 1200");
        let of = |purpose, name| parameters.engine_options(purpose).into_iter().find(|(n, _)| *n == name).unwrap().1;
        assert_eq!((of(Purpose::Game(0), "Seed"), of(Purpose::Game(3), "Seed")), ("7".into(), "10".into()));
        assert_eq!((of(Purpose::Game(0), "Variety"), of(Purpose::Regression, "Variety")), ("20".into(), "0".into()));
        assert_eq!(of(Purpose::Analysis(49), "MultiPV"), "49");
        assert_eq!(of(Purpose::Analysis(49), "UCI_LimitStrength"), "false");
        assert_eq!(of(Purpose::Regression, "UCI_LimitStrength"), "true");
    }

    #[test]
    fn dialogues_read_back_what_they_set() {
        let mut parameters = parameters("gtp");
        parameters.strength("elo", "900").unwrap();
        parameters.strength("limit_strength", "1").unwrap();
        assert_eq!(
            parameters.strength("", "").unwrap(),
            "[bool] limit_strength 1\n[string] elo 900\n[string] hash 0\n[string] threads 0"
        );
        parameters.time("nodes", "100").unwrap();
        assert_eq!(parameters.limits().go(), "go nodes 100");
        parameters.time("nodes", "0").unwrap();
        assert_eq!(parameters.limits().go(), "go movetime 1000");
        parameters.chance("seed", "4294967295").unwrap();
        assert_eq!(parameters.chance("", "").unwrap(), "[string] seed 4294967295\n[string] variety 0");
        let before = parameters.clone();
        for (key, value) in [("seed", "-1"), ("variety", ""), ("depth", "1")] {
            assert!(parameters.chance(key, value).is_err());
        }
        assert_eq!(parameters, before);
    }
}
