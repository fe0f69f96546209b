//! `sanqi-adapter`: one binary, a subcommand per way of driving the engine.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use clap::{Parser, Subcommand};
use sanqi_adapter::pgn::command::{self, PgnCommand};
use sanqi_adapter::runner::openings::{self, OpeningsArguments};
use std::process::ExitCode;

/// Drives the Sanqi engine, and engines like it, from existing tools.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// A match between engines, with fastchess' own options (`sanqi-adapter match -help`).
    #[command(disable_help_flag = true)]
    Match {
        /// fastchess options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Fangqi for Go programs: GTP version 2 with GoGui's rules extension, on standard input and output.
    Gtp(sanqi_adapter::gtp::GtpOptions),
    /// Balanced, different openings by random moves, as EPD.
    Openings(OpeningsArguments),
    /// Check or convert PGN files.
    #[command(subcommand)]
    Pgn(PgnCommand),
    /// Replays of Supply Xiangqi on two boards.
    #[command(subcommand)]
    Replay(sanqi_adapter::replay::ReplayCommand),
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            log::error!("no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    match arguments.command {
        Command::Match { options } => ExitCode::from(runtime.block_on(sanqi_adapter::runner::main(&options))),
        Command::Gtp(options) => match runtime.block_on(sanqi_adapter::gtp::run(options)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                log::error!("standard output: {error}");
                ExitCode::FAILURE
            }
        },
        Command::Openings(arguments) => match runtime.block_on(openings::run(&arguments)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                log::error!("{error}");
                ExitCode::FAILURE
            }
        },
        Command::Pgn(command) => ExitCode::from(command::run(&command)),
        Command::Replay(command) => command.run(),
    }
}
