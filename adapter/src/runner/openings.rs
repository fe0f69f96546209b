//! `sanqi-adapter openings`: balanced, different openings by random moves, tried by an engine, as EPD.
use super::book::position_hash;
use super::rng::SplitMix64;
use crate::engine::{Dialect, DialectChoice, EngineError, Launch, Limits, Output, Timeouts, UciEngine};
use crate::whole_file::write_atomically;
use clap::Args;
use sanqi::games::{Game, Outcome, RankBase, Variant};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;

/// What openings are wanted.
#[derive(Debug, Clone, Args)]
pub struct OpeningsArguments {
    /// The game.
    #[arg(long)]
    variant: Variant,
    /// How many openings.
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Random plies, at least.
    #[arg(long, default_value_t = 6)]
    min_plies: u32,
    /// Random plies, at most.
    #[arg(long, default_value_t = 9)]
    max_plies: u32,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// supply: up to so many pieces in the reserve of each side, the same for both; 0 for none.
    #[arg(long, default_value_t = 0)]
    reserves: u32,
    /// A UCI engine that tries every opening; without one all are taken.
    #[arg(long)]
    engine: Option<String>,
    /// Options of the engine, NAME=VALUE.
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Nodes of the engine's search. One thread and a limit in nodes make the openings reproducible.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Largest score either way, in centipawns.
    #[arg(long, default_value_t = 80)]
    max_score: i32,
    /// The file to write; standard output without.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine gave a move without a score.
    #[error("the engine gives no score")]
    NoScore,
    /// The file.
    #[error("{file}: {source}")]
    Write {
        /// Its path.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// Too many attempts.
    #[error("only {found} openings found; try more plies or a larger score")]
    Exhausted {
        /// Openings found.
        found: usize,
    },
    /// Arguments that contradict each other.
    #[error("{0}")]
    Arguments(&'static str),
}

/// Attempts in a row without a new opening that end the search.
const ATTEMPTS: usize = 3_000;
/// How long one search may take.
const SEARCH_LIMIT: Duration = Duration::from_secs(120);

/// An opening.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Opening {
    fen: String,
    /// Centipawns for the side to move.
    score: Option<i32>,
}

impl Opening {
    /// As an EPD line: four fields, the counters as operations, and the score as `ce`.
    fn epd(&self) -> String {
        let fields: Vec<&str> = self.fen.split_whitespace().collect();
        let (position, counters) = fields.split_at_checked(4).unwrap_or((&fields, &[]));
        let mut line = position.join(" ");
        for (name, value) in ["hmvc", "fmvn"].iter().zip(counters) {
            line.push_str(&format!(" {name} {value};"));
        }
        if let Some(score) = self.score {
            line.push_str(&format!(" ce {score};"));
        }
        line
    }
}

/// Runs the subcommand.
///
/// # Errors
/// The engine fails, the file cannot be written, or there are not that many openings.
pub async fn run(arguments: &OpeningsArguments) -> Result<(), OpeningsError> {
    if arguments.min_plies > arguments.max_plies {
        return Err(OpeningsError::Arguments("--min-plies is larger than --max-plies"));
    }
    if arguments.reserves > 0 && arguments.variant != Variant::Supply {
        return Err(OpeningsError::Arguments("only supply has reserves"));
    }
    let mut judge = match &arguments.engine {
        Some(command) => Some(Judge::start(command, arguments).await?),
        None => None,
    };
    let mut rng = SplitMix64::new(arguments.seed);
    let (mut openings, mut seen, mut failures) = (Vec::new(), HashSet::new(), 0);
    while openings.len() < arguments.count {
        if failures >= ATTEMPTS {
            return Err(OpeningsError::Exhausted { found: openings.len() });
        }
        failures += 1;
        let Some(fen) = random_opening(arguments, &mut rng) else { continue };
        if !seen.insert(position_hash(&fen)) {
            continue;
        }
        let score = match &mut judge {
            Some(judge) => Some(judge.score(&fen).await?),
            None => None,
        };
        if score.is_none_or(|cp| cp.abs() <= arguments.max_score) {
            openings.push(Opening { fen, score });
            failures = 0;
        }
    }
    if let Some(judge) = judge {
        judge.engine.quit().await;
    }
    let text: String = openings.iter().map(|opening| opening.epd() + "\n").collect();
    let written = match &arguments.out {
        Some(path) => write_atomically(path, text.as_bytes()),
        None => std::io::stdout().lock().write_all(text.as_bytes()),
    };
    let file = || arguments.out.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string());
    written.map_err(|source| OpeningsError::Write { file: file(), source })
}

/// Random moves from the start; `None` when they end the game or leave the side to move in check.
fn random_opening(arguments: &OpeningsArguments, rng: &mut SplitMix64) -> Option<String> {
    let mut game = Game::new(arguments.variant);
    if arguments.reserves > 0 {
        game = with_reserves(&game.fen(), arguments.reserves, rng)?;
    }
    let plies = arguments.min_plies as usize + rng.below((arguments.max_plies - arguments.min_plies) as usize + 1);
    for _ in 0..plies {
        let moves = game.legal_moves();
        game.push(*moves.get(rng.below(moves.len()))?);
        if game.result().outcome != Outcome::Ongoing {
            return None;
        }
    }
    (!game.in_check()).then(|| game.fen())
}

/// The supply start position with the same one to `most` pieces in both reserves; `None` when the set-up rule (SX-9) does not allow them.
fn with_reserves(fen: &str, most: u32, rng: &mut SplitMix64) -> Option<Game> {
    const PIECES: [char; 6] = ['R', 'N', 'B', 'A', 'C', 'P'];
    let count = 1 + rng.below(most as usize);
    let white: String = (0..count).filter_map(|_| PIECES.get(rng.below(PIECES.len()))).collect();
    let holdings = format!("[{white}{}]", white.to_ascii_lowercase());
    Game::from_fen(Variant::Supply, &fen.replacen("[]", &holdings, 1)).ok()
}

/// The engine that tries openings.
struct Judge {
    engine: UciEngine,
    nodes: u64,
}

impl Judge {
    async fn start(command: &str, arguments: &OpeningsArguments) -> Result<Judge, OpeningsError> {
        let launch = Launch { command: command.to_owned(), ..Launch::default() };
        let mut engine = UciEngine::start(&launch, Timeouts::default()).await?;
        for option in &arguments.option {
            let Some((name, value)) = option.split_once('=') else {
                return Err(OpeningsError::Arguments("--option wants NAME=VALUE"));
            };
            engine.set_option(name, value).await?;
        }
        let dialect = Dialect::of(DialectChoice::Auto, engine.options(), arguments.variant);
        // Only positions are sent and only scores are read, so the ranks of moves do not matter.
        debug_assert!(dialect.base == RankBase::One || arguments.variant == Variant::Xiangqi);
        if let Some(name) = dialect.variant {
            engine.set_option("UCI_Variant", &name).await?;
        }
        Ok(Judge { engine, nodes: arguments.nodes })
    }

    /// Centipawns for the side to move. The engine forgets everything before, so that the order of openings does not matter.
    async fn score(&mut self, fen: &str) -> Result<i32, OpeningsError> {
        self.engine.new_game().await?;
        self.engine.position(&format!("fen {fen}")).await?;
        self.engine.go(&Limits { nodes: Some(self.nodes), ..Limits::default() }).await?;
        let deadline = Instant::now() + SEARCH_LIMIT;
        let mut infos = super::referee::BestInfo::default();
        loop {
            match self.engine.next(Some(deadline)).await? {
                Some(Output::Info(info, _)) => infos.take(info),
                Some(Output::BestMove(_)) => break,
                Some(Output::Other(_)) => {}
                None => return Err(EngineError::Timeout { request: "go", after: SEARCH_LIMIT }.into()),
            }
        }
        let score = infos.into_info().and_then(|info| info.score);
        score.map(|score| score.centipawns()).ok_or(OpeningsError::NoScore)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::book::read_epd;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: OpeningsArguments,
    }

    fn arguments(line: &str) -> OpeningsArguments {
        Line::parse_from(std::iter::once("openings").chain(line.split_whitespace())).arguments
    }

    #[test]
    fn random_openings_are_read_back_as_epd() {
        for variant in Variant::ALL {
            let arguments = arguments(&format!("--variant {variant}"));
            let mut rng = SplitMix64::new(3);
            let fens: Vec<String> = (0..20).filter_map(|_| random_opening(&arguments, &mut rng)).collect();
            assert!(fens.len() > 10);
            let lines: String =
                fens.iter().map(|fen| Opening { fen: fen.clone(), score: Some(-7) }.epd() + "\n").collect();
            assert!(lines.contains("; ce -7;"));
            assert_eq!(read_epd(variant, &lines).unwrap(), fens);
        }
    }

    #[test]
    fn reserves_are_the_same_for_both() {
        let start = Game::new(Variant::Supply).fen();
        let (mut rng, mut sizes) = (SplitMix64::new(5), HashSet::new());
        // Three more of a type that has two is not allowed (SX-9), so not every choice is a position.
        let games = (0..50).filter_map(|_| with_reserves(&start, 4, &mut rng));
        for fen in games.map(|game| game.fen()) {
            let held = fen.split_once('[').unwrap().1.split_once(']').unwrap().0.to_owned();
            let sorted = |text: String| {
                let mut letters: Vec<char> = text.chars().collect();
                letters.sort_unstable();
                letters
            };
            let white: String = held.chars().filter(char::is_ascii_uppercase).collect();
            let black: String = held.chars().filter(char::is_ascii_lowercase).collect();
            assert_eq!(sorted(white.to_ascii_lowercase()), sorted(black));
            sizes.insert(white.len());
        }
        assert_eq!(sizes, HashSet::from([1, 2, 3, 4]));
    }

    #[test]
    fn contradictions_are_refused() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for line in ["--variant supply --min-plies 9 --max-plies 3", "--variant yangqi --reserves 2"] {
            assert!(matches!(runtime.block_on(run(&arguments(line))), Err(OpeningsError::Arguments(_))));
        }
        let few = arguments("--variant fangqi --min-plies 1 --max-plies 1 --count 50");
        assert!(matches!(runtime.block_on(run(&few)), Err(OpeningsError::Exhausted { found: 49 })));
    }
}
