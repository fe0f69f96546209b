//! A run from the input to the output: one thread reads, workers analyse, one task writes. What is under way at any time is bounded, so
//! memory does not grow with the input, nor with a position that takes long.
use super::analyst::{Analyst, AnalystError};
use super::format::Formatter;
use super::input::Input;
use super::nats::{Collect, NatsError};
use super::output::{Done, Output};
use super::row::Row;
use super::rules::rules_row;
use super::task::Task;
use crate::interrupt::interrupted;
use indicatif::{ProgressBar, ProgressStyle};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// How long a row may wait for others: to be woken and to write for each costs more than some searches.
const GATHER: Duration = Duration::from_millis(5);

/// Why a run ends before its time.
#[derive(Debug, Error)]
pub enum RunError {
    /// The input.
    #[error("{0}")]
    Read(io::Error),
    /// The output.
    #[error("{path}: {source}")]
    Write {
        /// Its path.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The engine.
    #[error(transparent)]
    Engine(#[from] AnalystError),
    /// The server for work on many machines.
    #[error(transparent)]
    Nats(#[from] NatsError),
    /// No limit was given.
    #[error("searches would never end; give --depth, --nodes, --movetime or --mate, or --rules-only")]
    Endless,
}

/// A row with the number of its position, or why there will be no more.
pub(super) type Produced = Result<(u64, Row), RunError>;

/// How rows are made of positions.
#[derive(Debug)]
pub enum Method {
    /// By the rules alone, so many at a time.
    Rules(usize),
    /// By engines like this, so many at a time.
    Engines(Box<Analyst>, usize),
    /// By workers behind a server.
    Nats(Box<Collect>),
}

impl Method {
    /// Positions that may be under way. More let fast workers go on while one is slow, and cost memory.
    fn window(&self) -> usize {
        match self {
            Method::Rules(count) | Method::Engines(_, count) => 256 * count.max(&4),
            Method::Nats(_) => 4096,
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every position has its row.
    Complete,
    /// From outside.
    Interrupted,
}

/// Runs until the input is done, with `done` as what the output has already. `path` names the output in messages.
///
/// # Errors
/// The input cannot be read, the output not written, or no engine started.
pub async fn run(
    input: Input,
    method: Method,
    mut output: Output,
    formatter: Formatter,
    done: Done,
    path: &str,
) -> Result<Ending, RunError> {
    let bar = progress(input.size().map_err(RunError::Read)?);
    let bytes = input.bytes.clone();
    let room = Arc::new(Semaphore::new(method.window()));
    // Room for all that may be under way: the reader then waits for room alone, and is seldom woken.
    let window = method.window();
    let (tasks, waiting) = mpsc::channel(window);
    let mut written = 0;
    let (rows, mut produced) = mpsc::channel::<Produced>(window);
    let reader = std::thread::spawn({
        let (room, rows) = (room.clone(), rows.clone());
        move || {
            if let Err(error) = read(&input, formatter, done, &room, &tasks) {
                // Nobody listens once the run has ended.
                let _ = rows.blocking_send(Err(RunError::Read(error)));
            }
        }
    });
    let mut workers = JoinSet::new();
    let mut handed_out = None;
    match method {
        Method::Nats(collect) => {
            workers.spawn((*collect).clone().run(waiting, rows));
            handed_out = Some(collect);
        }
        Method::Rules(count) => {
            let waiting = Arc::new(Mutex::new(waiting));
            (0..count).for_each(|_| _ = workers.spawn(judge(waiting.clone(), rows.clone())));
            drop(rows);
        }
        Method::Engines(first, count) => {
            let waiting = Arc::new(Mutex::new(waiting));
            for _ in 1..count {
                workers.spawn(analyse(first.another(), waiting.clone(), rows.clone()));
            }
            workers.spawn(analyse(*first, waiting, rows));
        }
    }
    let write_error = |source| RunError::Write { path: path.to_owned(), source };
    let interrupt = interrupted();
    tokio::pin!(interrupt);
    let ending = loop {
        // Rows that are there already are written together, and rows of short searches are let gather.
        let next = match produced.try_recv() {
            Ok(row) => Some(row),
            Err(_) => {
                output.flush().map_err(write_error)?;
                if !bar.is_hidden() {
                    bar.set_position(bytes.load(Ordering::Relaxed));
                    bar.set_message(format!("{} rows, {} errors", output.rows, output.errors));
                }
                let row = tokio::select! {
                    row = produced.recv() => row,
                    () = &mut interrupt => break Ending::Interrupted,
                };
                if row.is_some() {
                    sleep(GATHER).await;
                }
                row
            }
        };
        match next {
            None => break Ending::Complete,
            Some(Err(error)) => {
                output.flush().map_err(write_error)?;
                return Err(error);
            }
            Some(Ok((number, row))) => {
                written += output.take(number, row).map_err(write_error)?;
                if written >= window / 4 {
                    room.add_permits(std::mem::take(&mut written));
                }
            }
        }
    };
    room.close();
    // Workers that are still at it are dropped with their engines; their positions are left for a resumed run.
    workers.shutdown().await;
    if ending == Ending::Interrupted
        && let Some(collect) = handed_out
    {
        collect.abandon().await;
    }
    output.flush().map_err(write_error)?;
    bar.finish_and_clear();
    if ending == Ending::Complete {
        // It has ended: nobody holds the other end of its channel any more.
        let _ = reader.join();
    }
    let verb = if ending == Ending::Complete { "" } else { "interrupted: " };
    say(&format!("{verb}{} rows, {} with an error", output.rows, output.errors));
    Ok(ending)
}

/// Tells a person something. Nobody may be there any more.
pub(super) fn say(text: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{text}");
}

/// A bar on the standard error when that is a terminal.
fn progress(size: Option<u64>) -> ProgressBar {
    let (bar, template) = match size {
        Some(size) => (ProgressBar::new(size), "{wide_bar} {percent}% {elapsed} (left {eta}) {msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {elapsed} {msg}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Reads the input and hands out what is not done yet, as far as there is room.
fn read(
    input: &Input,
    formatter: Formatter,
    mut done: Done,
    room: &Semaphore,
    tasks: &mpsc::Sender<Task>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut number = 0;
    input.read(|id, source| {
        let board = source.as_ref().ok().and_then(|source| source.board);
        if done.take(&formatter, &id.to_string(), board) {
            return true;
        }
        match runtime.block_on(room.acquire()) {
            Ok(permit) => permit.forget(),
            Err(_) => return false,
        }
        let task = Task { number, id, source };
        number += 1;
        tasks.blocking_send(task).is_ok()
    })
}

type Waiting = Arc<Mutex<mpsc::Receiver<Task>>>;

async fn judge(waiting: Waiting, rows: mpsc::Sender<Produced>) {
    while let Some(task) = { waiting.lock().await.recv().await } {
        if rows.send(Ok((task.number, rules_row(&task)))).await.is_err() {
            break;
        }
    }
}

async fn analyse(mut analyst: Analyst, waiting: Waiting, rows: mpsc::Sender<Produced>) {
    loop {
        while analyst.wants_more()
            && let Some(task) = next_task(&waiting, analyst.is_idle()).await
        {
            analyst.submit(task);
        }
        let row = match analyst.next().await {
            Ok(None) => break,
            Ok(Some(row)) => Ok(row),
            Err(error) => Err(error.into()),
        };
        let failed = row.is_err();
        if rows.send(row).await.is_err() || failed {
            break;
        }
    }
    analyst.quit().await;
}

/// The next position, if there is one: at once, or `patient` until it comes or there will be none.
async fn next_task(waiting: &Waiting, patient: bool) -> Option<Task> {
    if patient {
        return waiting.lock().await.recv().await;
    }
    // Held by an engine that waits, so there is none.
    waiting.try_lock().ok()?.try_recv().ok()
}
