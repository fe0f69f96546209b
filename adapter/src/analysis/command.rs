//! The command line of `sanqi-adapter analyse`.
use super::analyst::Analyst;
use super::format::{Format, Formatter};
use super::game::AnyVariant;
use super::input::Input;
use super::made::Made;
use super::nats::{Collect, ConnectionOptions};
use super::output::{Done, Order, Output, resume};
use super::run::{Ending, Method, RunError, run, say};
use super::task::SearchOptions;
use crate::engine::Launch;
use crate::record_file::RecordFile;
use clap::Args;
use serde_json::{Map, Value, json};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

/// What is analysed, how, and where the rows go.
#[derive(Debug, Clone, Args)]
pub struct AnalyseArguments {
    /// Files with positions: FEN or EPD, UCI `position` commands or JSON objects, one a line; PGN; replays. `-` is the standard input
    /// [default: -].
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    /// The game of positions that do not name theirs.
    #[arg(long, value_name = "NAME", default_value = "xiangqi")]
    variant: AnyVariant,
    /// Of the positions of a game or replay take every N-th, beginning with the first.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Limits and options of the search.
    #[command(flatten)]
    search: SearchOptions,
    /// No search: legal moves, check, result, and in fangqi what each placement captures.
    #[arg(long, conflicts_with_all = ["depth", "nodes", "movetime", "mate", "multipv", "threads", "hash", "options", "engine", "engine_arg"])]
    rules_only: bool,
    /// The UCI engine [default: `sanqi` beside this program, else from PATH].
    #[arg(long, value_name = "PATH", conflicts_with = "url")]
    engine: Option<PathBuf>,
    /// An argument for the engine's command line; may be given several times.
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true, conflicts_with = "url")]
    engine_arg: Vec<String>,
    /// Engines that run side by side [default: one for each processor, with --threads fewer].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "url")]
    concurrency: Option<u32>,
    /// The order of the rows.
    #[arg(long, value_enum, default_value = "input")]
    order: Order,
    /// How rows are written.
    #[arg(long, value_enum, default_value = "jsonl")]
    format: Format,
    /// Leave out `time` and `nps`, which differ from run to run.
    #[arg(long)]
    no_times: bool,
    /// Work on many machines. Without a server all is done here.
    #[command(flatten)]
    connection: ConnectionOptions,
    /// Where the rows go [default: the standard output]. A file that is there already is only written to with --resume.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on with the output file: positions whose rows it has are passed over, a torn last line is repaired. The options of the search
    /// must be the same.
    #[arg(long, requires = "output")]
    resume: bool,
}

impl AnalyseArguments {
    /// Runs the subcommand; gives the exit status.
    pub async fn run(self) -> u8 {
        match self.start().await {
            Ok(Ending::Complete) => 0,
            // As shells report a process that an interrupt has ended.
            Ok(Ending::Interrupted) => 130,
            Err(error) => {
                say(&format!("sanqi-adapter analyse: {error}"));
                1
            }
        }
    }

    async fn start(self) -> Result<Ending, RunError> {
        let files = if self.files.is_empty() { vec![PathBuf::from("-")] } else { self.files.clone() };
        let input = Input { files, variant: self.variant, every: self.every as usize, bytes: Default::default() };
        // Before anything is written.
        input.size().map_err(RunError::Read)?;
        let method = self.method().await?;
        let formatter = Formatter {
            format: self.format,
            multipv: self.search.multipv,
            rules_only: self.rules_only,
            no_times: self.no_times,
        };
        let path = self.output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string());
        let failed = |source| RunError::Write { path: path.clone(), source };
        let (out, done, begun) = self.open(&formatter).map_err(failed)?;
        let output = Output::new(out, formatter, self.order, begun).map_err(failed)?;
        run(input, method, output, formatter, done, &path).await
    }

    fn open(&self, formatter: &Formatter) -> io::Result<(Box<dyn Write + Send>, Done, bool)> {
        let Some(path) = &self.output else { return Ok((Box::new(io::stdout()), Done::default(), false)) };
        let made = self.made();
        if self.resume {
            let has_rows = fs::metadata(path).is_ok_and(|found| found.len() > 0);
            if has_rows {
                made.check(path)?;
            }
            let (file, done, begun) = resume(path, formatter)?;
            if !has_rows && path.is_file() {
                made.save(path)?;
            }
            return Ok((Box::new(file), done, begun));
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::Error::new(error.kind(), "exists already; --resume goes on with it"),
            _ => error,
        })?;
        let file = RecordFile::of(file)?;
        made.save(path)?;
        Ok((Box::new(file), Done::default(), false))
    }

    /// What rows depend on besides their positions and the engine.
    fn made(&self) -> Made {
        let mut options = match json!(self.search) {
            Value::Object(options) => options,
            _ => Map::new(),
        };
        options.insert("variant".to_owned(), json!(self.variant));
        options.insert("rules_only".to_owned(), json!(self.rules_only));
        options.insert("no_times".to_owned(), json!(self.no_times));
        Made(options)
    }

    async fn method(&self) -> Result<Method, RunError> {
        if !self.rules_only && self.search.is_endless() {
            return Err(RunError::Endless);
        }
        if self.connection.url.is_some() {
            let search = (!self.rules_only).then(|| self.search.clone());
            let collect = Collect::new(self.connection.clone(), search, self.output.as_deref());
            collect.check().await?;
            return Ok(Method::Nats(Box::new(collect)));
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let count = |threads: u32| match self.concurrency {
            Some(count) => count as usize,
            None => (processors / threads.max(1) as usize).max(1),
        };
        if self.rules_only {
            return Ok(Method::Rules(count(1)));
        }
        let launch = Launch::of_engine(self.engine.as_deref(), &self.engine_arg);
        // What is wrong with the engine or its options is told before the output is touched.
        let mut first = Analyst::new(launch, self.search.clone());
        first.start().await?;
        Ok(Method::Engines(Box::new(first), count(self.search.threads)))
    }
}
