//! The command line of `sanqi-adapter gtp`.
use crate::engine::Launch;
use std::path::PathBuf;

/// Options of the GTP front. All limits of a move that are given apply together; without any a move takes a second, unless the
/// controller sets a clock.
#[derive(Debug, Clone, clap::Args)]
pub struct GtpOptions {
    /// The UCI engine [default: `sanqi` beside this program, else from PATH].
    #[arg(long, value_name = "PATH")]
    pub engine: Option<PathBuf>,
    /// An argument for the engine's command line; may be given several times.
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub engine_arg: Vec<String>,
    /// Milliseconds per move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Nodes per move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies per move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Where choices by chance begin. Every game of a session draws its own numbers from it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Centipawns within which a move is chosen by chance; 0 always plays the best.
    #[arg(long, value_name = "CP", default_value_t = 0)]
    pub variety: u32,
    /// Play like a player of this rating.
    #[arg(long, value_name = "N")]
    pub elo: Option<u32>,
    /// Size of the engine's table in MiB.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Threads of the engine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Milliseconds that an answer of the engine may come late before it counts as hanging.
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub margin: u64,
}

impl GtpOptions {
    /// How the engine is started.
    pub(super) fn launch(&self) -> Launch {
        Launch::of_engine(self.engine.as_deref(), &self.engine_arg)
    }
}
