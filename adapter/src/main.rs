//! `sanqi-adapter`: one binary, a subcommand per way of driving the engine.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
// The printing macros panic when nobody reads any more.
#![deny(clippy::print_stdout, clippy::print_stderr)]
use clap::{CommandFactory, Parser, Subcommand};
use sanqi_adapter::gtp::GtpOptions;
use sanqi_adapter::interrupt::interrupted;
use sanqi_adapter::pgn::command::{self, PgnCommand};
use sanqi_adapter::runner::openings::{self, OpeningsArguments};
use sanqi_adapter::xboard::XboardOptions;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use tokio::sync::mpsc;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Drives the Sanqi engine, and engines like it, from existing tools.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Positions in, a row of analysis for each out.
    Analyse(sanqi_adapter::analysis::command::AnalyseArguments),
    /// Analyse what `analyse --nats` hands out, on this machine.
    Worker(sanqi_adapter::analysis::nats::WorkerArguments),
    /// A match between engines, with fastchess' own options (`sanqi-adapter match -help`).
    #[command(disable_help_flag = true)]
    Match {
        /// fastchess options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Fangqi for Go programs: GTP version 2 with GoGui's rules extension, on standard input and output.
    Gtp(GtpOptions),
    /// Every game in XBoard, WinBoard and ChessV: CECP version 2 on standard input and output. Without a command, a first input line
    /// `xboard` starts it too.
    Xboard(sanqi_adapter::xboard::XboardOptions),
    /// A chess server for XBoard and telnet: every game, two boards included, against the engine and among people.
    Ics(sanqi_adapter::ics::IcsOptions),
    /// Balanced, different openings by random moves, as EPD.
    Openings(OpeningsArguments),
    /// Check or convert PGN files.
    #[command(subcommand)]
    Pgn(PgnCommand),
    /// Replays of Supply Xiangqi on two boards.
    #[command(subcommand)]
    Replay(sanqi_adapter::replay::ReplayCommand),
    /// Evaluations, better lines and mistakes for the games of a PGN file.
    Annotate(sanqi_adapter::annotate::AnnotateOptions),
    /// One HTML page about the games of a match.
    Report(sanqi_adapter::report::ReportOptions),
    /// A game in XBoard, with the chess server behind it.
    Gui(sanqi_adapter::gui::GuiOptions),
    /// A picture of a position: SVG, PNG or text.
    Show(sanqi_adapter::picture::ShowOptions),
}

/// OpenBench builds its match runner under this name and starts it without a subcommand (`protocol-docs/openbench.md`).
fn is_match_runner(program: &OsStr) -> bool {
    Path::new(program).file_name().is_some_and(|name| name.to_string_lossy().starts_with("fastchess"))
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.first().is_some_and(|program| is_match_runner(program)) {
        words.insert(1, "match".into());
    }
    let arguments = Arguments::parse_from(words);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all();
    if let Some(Command::Analyse(_) | Command::Worker(_)) = arguments.command {
        // The processors are for the engines, and a row is soon written: to hand it from thread to thread costs more than that.
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        builder.worker_threads(processors.div_ceil(8));
    }
    let runtime = match builder.build() {
        Ok(runtime) => runtime,
        Err(error) => {
            log::error!("no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    let Some(command) = arguments.command else { return runtime.block_on(or_interrupted(by_first_line())) };
    match command {
        Command::Analyse(arguments) => finish(runtime.block_on(runtime.spawn(arguments.run()))),
        Command::Worker(arguments) => finish(runtime.block_on(runtime.spawn(arguments.run()))),
        Command::Match { options } => ExitCode::from(runtime.block_on(sanqi_adapter::runner::main(&options))),
        Command::Gtp(options) => runtime.block_on(or_interrupted(gtp(options))),
        Command::Xboard(options) => {
            let lines = sanqi_adapter::input::lines(std::io::stdin());
            runtime.block_on(or_interrupted(xboard(options, lines)))
        }
        Command::Ics(options) => match runtime.block_on(sanqi_adapter::ics::run(options)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                log::error!("{error}");
                ExitCode::FAILURE
            }
        },
        Command::Openings(arguments) => runtime.block_on(or_interrupted(find_openings(&arguments))),
        Command::Pgn(command) => ExitCode::from(command::run(&command)),
        Command::Replay(command) => command.run(),
        Command::Annotate(options) => runtime.block_on(or_interrupted(options.run())),
        Command::Report(options) => options.run(),
        Command::Gui(options) => runtime.block_on(options.run()),
        Command::Show(options) => options.run(),
    }
}

/// The exit status of a task.
fn finish(status: Result<u8, tokio::task::JoinError>) -> ExitCode {
    status.map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Works to the end, or until somebody asks for it. Engines hear no interrupt at the terminal, for they are in groups of their own; what is
/// dropped here kills them.
async fn or_interrupted(work: impl Future<Output = ExitCode>) -> ExitCode {
    tokio::select! {
        // In this order, so that the signals are heeded before the first engine is started.
        biased;
        // As shells report a process that an interrupt has ended.
        () = interrupted() => ExitCode::from(130),
        status = work => status,
    }
}

async fn gtp(options: GtpOptions) -> ExitCode {
    match sanqi_adapter::gtp::run(options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn find_openings(arguments: &OpeningsArguments) -> ExitCode {
    match openings::run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn xboard(options: XboardOptions, lines: mpsc::Receiver<String>) -> ExitCode {
    match sanqi_adapter::xboard::run(options, lines).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// GUIs that allow no arguments say first which protocol they speak.
async fn by_first_line() -> ExitCode {
    if !std::io::stdin().is_terminal() {
        let mut lines = sanqi_adapter::input::lines(std::io::stdin());
        if lines.recv().await.is_some_and(|line| line.trim() == "xboard") {
            return xboard(XboardOptions::default(), lines).await;
        }
    }
    // Nobody may be there to read it.
    let _ = write!(std::io::stderr(), "{}", Arguments::command().render_help());
    ExitCode::from(2)
}
