//! The benchmark: fixed positions of every variant to a fixed depth. On one thread its node count is a fingerprint of the search.
use super::arena::Silent;
use super::options::DEFAULT_HASH;
use super::output::clip;
use crate::games::{Game, RankBase, Record, Variant};
use crate::search::searchable::Searchable;
use crate::search::{Control, Limits, Options, Searcher, Table};
use crate::with_game;
use std::io::Write;
use std::time::{Duration, Instant};

/// Depth in plies unless told otherwise.
const DEPTH: u32 = 13;
/// Most threads, and largest table in MiB, that may be asked for.
const MOST_THREADS: usize = 512;
const LARGEST_HASH: usize = 1 << 20;

/// The positions: variant, FEN (empty: the start position), moves with ranks from 1.
const POSITIONS: &[(Variant, &str, &str)] = &[
    (Variant::Xiangqi, "", "h3e3 h10g8 h1g3"),
    (Variant::Xiangqi, "1n1akabn1/9/bc7/r1p3p1p/C1C6/4P1B2/P1P3P2/B1N3NR1/4A3c/3RKA1r1 w - - 10 24", ""),
    (Variant::Supply, "", ""),
    (Variant::Supply, "rnbakabnr/3r5/n5r1c/p1p1p1p1p/1c2P2cp/2P6/PR4P1P/BC2B2C1/R1N6/RNRAKABN1[NBAAcp] b - - 3 10", ""),
    (Variant::Yangqi, "", ""),
    (Variant::Yangqi, "1rb1v1b2/2k3c1r/n3p2cn/pp1p1pp2/3v4p/1Pp1PP1p1/3P2PPP/PCP1C4/2R2KVB1/1NB2V1NR b - - 3 21", ""),
    (Variant::Fangqi, "", "P@d4 P@c3 P@d3 P@e4 P@c4 P@e3"),
    (Variant::Fangqi, "3p3/P1p3p/1p1PP1P/1P1pP1p/4PP1/P6/pp2Pp1[PPPPPPPPPPppppppppppp] b - - 0 10", ""),
];

/// What is measured, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bench {
    /// Size of the table in MiB.
    pub hash: usize,
    /// Threads.
    pub threads: usize,
    /// Depth in plies.
    pub depth: u32,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench { hash: DEFAULT_HASH, threads: 1, depth: DEPTH }
    }
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time for all positions.
    pub time: Duration,
}

impl Total {
    fn millis(&self) -> u64 {
        u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX).max(1)
    }

    fn speed(&self) -> u64 {
        self.nodes.saturating_mul(1000) / self.millis()
    }

    /// Nodes and speed in one line, as test frameworks read it.
    pub fn summary(&self) -> String {
        format!("{} nodes {} nps", self.nodes, self.speed())
    }

    /// Time, nodes and speed on standard error, as Stockfish's `bench` prints them.
    pub fn print_times(&self) {
        let (millis, nodes, speed) = (self.millis(), self.nodes, self.speed());
        // Nobody may be there to read it.
        let _ = writeln!(
            std::io::stderr(),
            "\n===========================\nTotal time (ms) : {millis}\nNodes searched  : {nodes}\nNodes/second    : {speed}"
        );
    }
}

impl Bench {
    /// Reads `[HASH] [THREADS] [DEPTH]`.
    ///
    /// # Errors
    /// A word that is no number, a zero, or a word too many.
    pub fn parse(text: &str) -> Result<Bench, String> {
        let mut bench = Bench::default();
        for (index, word) in text.split_whitespace().enumerate() {
            let number = word.parse().ok().filter(|n| *n > 0);
            let number: usize = number.ok_or_else(|| format!("`{}` is no number above 0", clip(word)))?;
            match index {
                0 => bench.hash = number.min(LARGEST_HASH),
                1 => bench.threads = number.min(MOST_THREADS),
                2 => bench.depth = u32::try_from(number).unwrap_or(u32::MAX),
                _ => return Err(format!("`{}` is a word too many after [HASH] [THREADS] [DEPTH]", clip(word))),
            }
        }
        Ok(bench)
    }

    /// Searches every position, each with an empty table, until `control` says stop.
    ///
    /// # Errors
    /// The memory for the table cannot be had.
    pub fn run(&self, control: &Control) -> Result<Total, String> {
        let mut total = Total::default();
        for &(variant, fen, moves) in POSITIONS {
            if control.stopped() {
                break;
            }
            let mut game = match fen {
                "" => Game::new(variant),
                fen => Game::from_fen(variant, fen).map_err(|error| error.to_string())?,
            };
            for word in moves.split_whitespace() {
                game.push_text(word, RankBase::One).map_err(|error| error.to_string())?;
            }
            // A fresh table is quicker than a cleared one, and the clock runs for the search only.
            let table = Table::new(self.hash)?;
            let begun = Instant::now();
            total.nodes += with_game!(&game, record => self.nodes(record, &table, control));
            total.time += begun.elapsed();
        }
        Ok(total)
    }

    fn nodes<P: Searchable>(&self, record: &Record<P>, table: &Table, control: &Control) -> u64 {
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let options = Options { threads: self.threads, ..Options::default() };
        let summary = Searcher::new().search(record, &limits, &options, table, control, &Silent);
        log::info!("{} {} nodes {}", P::VARIANT, record.position().fen(), summary.nodes);
        summary.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        assert_eq!(Bench::parse(""), Ok(Bench::default()));
        assert_eq!(Bench::parse(" 32 2 5 "), Ok(Bench { hash: 32, threads: 2, depth: 5 }));
        for bad in ["x", "0", "-1", "16 0", "16 1 0", "16 1 5 7"] {
            assert!(Bench::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_variant_is_measured_and_every_position_is_sound() {
        for variant in [Variant::Xiangqi, Variant::Supply, Variant::Yangqi, Variant::Fangqi] {
            assert!(POSITIONS.iter().any(|(v, ..)| *v == variant));
        }
        for &(variant, fen, moves) in POSITIONS {
            let mut game = if fen.is_empty() { Game::new(variant) } else { Game::from_fen(variant, fen).unwrap() };
            for word in moves.split_whitespace() {
                game.push_text(word, RankBase::One).unwrap();
            }
            assert!(!game.legal_moves().is_empty(), "{variant} {fen}");
        }
    }

    #[test]
    fn one_thread_counts_the_same_nodes_twice() {
        let bench = Bench { depth: 3, ..Bench::default() };
        let count = || bench.run(&Control::new(false)).unwrap().nodes;
        assert_eq!(count(), count());
    }
}
