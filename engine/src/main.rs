//! The engine's command line.
#![deny(clippy::print_stdout, clippy::print_stderr)]
use clap::{Parser, Subcommand};
use sanqi::protocol::bench::Bench;
use sanqi::protocol::{self, Dialect};
use sanqi::search::Control;
use std::io::Write;
use std::process::ExitCode;

/// An engine for Xinjiang Fangqi, Supply Xiangqi, Yáng Qí and xiangqi. Without arguments it speaks UCI or UCCI on standard
/// input and output.
#[derive(Debug, Parser)]
#[command(name = "sanqi", version)]
struct Arguments {
    /// Speak this protocol from the start and stay with it: uci, ucci or cyclone.
    #[arg(long, value_name = "NAME")]
    protocol: Option<Dialect>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Search fixed positions of every variant and print nodes and speed.
    Bench {
        /// HASH (MiB), THREADS and DEPTH (plies), each optional.
        #[arg(value_name = "HASH THREADS DEPTH", num_args = 0..=3)]
        numbers: Vec<String>,
    },
}

fn main() -> ExitCode {
    // Everything for people goes to standard error; `RUST_LOG` asks for more.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments = Arguments::parse();
    let done = match arguments.command {
        None => protocol::run(arguments.protocol).map_err(|error| error.to_string()),
        Some(Subcommands::Bench { numbers }) => bench(&numbers.join(" ")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be there to read it.
            let _ = writeln!(std::io::stderr(), "sanqi: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(numbers: &str) -> Result<(), String> {
    let total = Bench::parse(numbers)?.run(&Control::new(false))?;
    total.print_times();
    // Whoever closed the pipe does not want to know.
    let _ = writeln!(std::io::stdout(), "{}", total.summary());
    Ok(())
}
