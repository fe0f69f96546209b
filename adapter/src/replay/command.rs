//! `sanqi-adapter replay …`.
use super::error::{ReplayError, Warning, one_line};
use super::file::read_text;
use super::format::Replay;
use super::values::Moment;
use super::{Playback, bpgn, check, show};
use crate::whole_file::write_atomically;
use clap::Subcommand;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to do with a replay.
#[derive(Debug, Subcommand)]
pub enum ReplayCommand {
    /// Play replays again by the rules; name the first disagreement of each on one line.
    Check {
        /// Replays; `-` is the standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Print both boards.
    Show {
        /// A replay; `-` is the standard input.
        file: PathBuf,
        /// After which event, 0 for the start. Without it after the last.
        #[arg(long)]
        event: Option<usize>,
    },
    /// Turn a replay into BPGN.
    ToBpgn {
        /// A replay; `-` is the standard input.
        file: PathBuf,
        /// Where to write it. Without it to the standard output.
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Turn BPGN into a replay.
    FromBpgn {
        /// A BPGN file; `-` is the standard input.
        file: PathBuf,
        /// Which match of the file, from 1. One that holds several needs it.
        #[arg(long = "match")]
        number: Option<NonZeroUsize>,
        /// Where to write it. Without it to the standard output.
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Print the `position` command that brings an engine to an event.
    ToUci {
        /// A replay; `-` is the standard input.
        file: PathBuf,
        /// After which event, 0 for the start. Without it after the last.
        #[arg(long)]
        event: Option<usize>,
    },
}

impl ReplayCommand {
    /// Does it. Errors and warnings go to the standard error, one line each, with the name of the file in front.
    pub fn run(&self) -> ExitCode {
        match self {
            ReplayCommand::Check { files } => {
                // Each file is looked at, also behind a bad one.
                let good = files.iter().map(|file| report(file, check_file(file))).filter(|good| !good).count() == 0;
                if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
            ReplayCommand::Show { file, event } => finish(file, at(file, *event, show)),
            ReplayCommand::ToUci { file, event } => {
                finish(file, at(file, *event, |playback, _| playback.position_command() + "\n"))
            }
            ReplayCommand::ToBpgn { file, output } => {
                let text = Replay::load(file).and_then(|replay| {
                    let text = bpgn::write(&replay)?;
                    warn(file, &bpgn::losses(&replay, &text)?);
                    Ok(text)
                });
                finish(file, text.and_then(|text| deliver(text, output.as_deref())))
            }
            ReplayCommand::FromBpgn { file, number, output } => {
                let reading = read_text(file).and_then(|text| bpgn::read_one(&text, *number, Moment::now()));
                finish(
                    file,
                    reading.and_then(|reading| {
                        warn(file, &reading.warnings);
                        deliver(reading.replay.to_json(), output.as_deref())
                    }),
                )
            }
        }
    }
}

fn check_file(file: &Path) -> Result<String, ReplayError> {
    let replay = Replay::load(file)?;
    check(&replay)?;
    let result = &replay.result;
    let boards = [&result.board1, &result.board2].map(|board| format!("{} ({})", board.outcome, board.reason));
    let [one, two] = boards.map(|board| one_line(&board));
    Ok(format!(
        "{}: {} events, board 1 {one}, board 2 {two}, match {}, score {}-{}\n",
        one_line(&file.display().to_string()),
        replay.events.len(),
        result.outcome,
        replay.score.team1,
        replay.score.team2
    ))
}

fn at(
    file: &Path,
    event: Option<usize>,
    print: impl Fn(&Playback<'_>, usize) -> String,
) -> Result<String, ReplayError> {
    let replay = Replay::load(file)?;
    let total = replay.events.len();
    Ok(print(&Playback::until(&replay, event.unwrap_or(total))?, total))
}

/// Writes text to a file, or gives it back for the standard output.
fn deliver(text: String, output: Option<&Path>) -> Result<String, ReplayError> {
    match output {
        None => Ok(text),
        Some(path) => match write_atomically(path, text.as_bytes()) {
            Ok(()) => Ok(String::new()),
            Err(error) => Err(io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()),
        },
    }
}

/// Names on the standard error what a conversion did not keep as it was.
fn warn(file: &Path, warnings: &[Warning]) {
    const MOST: usize = 20;
    let file = one_line(&file.display().to_string());
    let lines =
        warnings.iter().take(MOST).map(|warning| format!("{file}: warning: {}\n", one_line(&warning.to_string())));
    let mut text: String = lines.collect();
    if let Some(more) = warnings.len().checked_sub(MOST).filter(|&more| more > 0) {
        text.push_str(&format!("{file}: warning: and {more} more\n"));
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn finish(file: &Path, outcome: Result<String, ReplayError>) -> ExitCode {
    if report(file, outcome) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints what came out; true if that was no error. Printing macros would panic when the reader has gone.
fn report(file: &Path, outcome: Result<String, ReplayError>) -> bool {
    let failure = match outcome {
        Ok(text) => {
            let mut out = std::io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Ok(()) => return true,
                Err(error) => format!("standard output: {error}"),
            }
        }
        Err(error) => format!("{}: {}", one_line(&file.display().to_string()), one_line(&error.to_string())),
    };
    let _ = writeln!(std::io::stderr(), "{failure}");
    false
}
