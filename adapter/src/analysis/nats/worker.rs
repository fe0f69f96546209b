//! `sanqi-adapter worker`: analyses what a server hands out.
use super::{
    ConnectionOptions, Job, MAX_DELIVERIES, NatsError, PAUSE, PROGRESS, ROWS, Rows, acknowledge, jobs, publish, subject,
};
use crate::analysis::analyst::{Analyst, AnalystError};
use crate::analysis::row::Row;
use crate::analysis::rules::rules_row;
use crate::analysis::run::say;
use crate::analysis::task::{SearchOptions, Task};
use crate::engine::Launch;
use crate::interrupt::interrupted;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Context, Message};
use clap::Args;
use futures_util::StreamExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep};

/// How long the server keeps a request for work open. A worker that drains waits as long at most before it ends.
const REQUEST: Duration = Duration::from_secs(2);
/// Most bytes of rows in one message, half of what a server takes by default.
const MESSAGE_BYTES: usize = 512 << 10;

/// Who works, and for which server.
#[derive(Debug, Clone, Args)]
pub struct WorkerArguments {
    /// The server.
    #[command(flatten)]
    connection: ConnectionOptions,
    /// Processors to use: so many engines run side by side, fewer when a run gives each several threads [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cores: Option<u32>,
    /// The UCI engine [default: `sanqi` beside this program, else from PATH].
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// An argument for the engine's command line; may be given several times.
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    engine_arg: Vec<String>,
}

impl WorkerArguments {
    /// Works until SIGTERM or an interrupt, then ends what it has in hand; gives the exit status. A second interrupt hands it back.
    pub async fn run(self) -> u8 {
        match self.work().await {
            Ok(()) => 0,
            Err(error) => {
                say(&format!("sanqi-adapter worker: {error}"));
                1
            }
        }
    }

    async fn work(self) -> Result<(), WorkerError> {
        if self.connection.url.is_none() {
            return Err(NatsError::new("no server; give --nats URL").into());
        }
        let launch = Launch::of_engine(self.engine.as_deref(), &self.engine_arg);
        let mut first = Analyst::new(launch.clone(), SearchOptions::default());
        first.start().await?;
        first.quit().await;
        let context = self.connection.connect(true).await?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let cores = self.cores.map_or(processors, |cores| cores as usize);
        let (stop, stopped) = watch::channel(false);
        let shared = Arc::new(Semaphore::new(cores));
        let mut slots = JoinSet::new();
        for _ in 0..cores {
            let slot = Slot {
                context: context.clone(),
                launch: launch.clone(),
                cores: shared.clone(),
                all: cores,
                analyst: None,
                stopped: stopped.clone(),
            };
            slots.spawn(slot.work());
        }
        say(&format!("working with {cores} engines"));
        let interrupt = interrupted();
        tokio::pin!(interrupt);
        let mut draining = false;
        loop {
            tokio::select! {
                ended = slots.join_next() => match ended {
                    None => return Ok(()),
                    Some(Ok(Err(error))) => return Err(error.into()),
                    Some(_) => {}
                },
                () = &mut interrupt => {
                    if draining {
                        // What is dropped here comes to another worker when it is not acknowledged.
                        return Ok(());
                    }
                    say("ending what is in hand");
                    draining = true;
                    // Nobody listens only when all slots have ended.
                    let _ = stop.send(true);
                    interrupt.set(interrupted());
                }
            }
        }
    }
}

/// Why a worker ends before it is told to.
#[derive(Debug, thiserror::Error)]
enum WorkerError {
    #[error(transparent)]
    Nats(#[from] NatsError),
    #[error(transparent)]
    Engine(#[from] AnalystError),
}

/// One of the engines side by side.
struct Slot {
    context: Context,
    launch: Launch,
    /// A permit for every processor.
    cores: Arc<Semaphore>,
    all: usize,
    /// The engine with the options that it was started with.
    analyst: Option<(SearchOptions, Analyst)>,
    stopped: watch::Receiver<bool>,
}

impl Slot {
    async fn work(mut self) -> Result<(), AnalystError> {
        let mut consumer = None;
        while !*self.stopped.borrow() {
            match self.request(&mut consumer).await {
                Ok(Some(message)) => self.message(&message).await?,
                Ok(None) => {}
                Err(error) => {
                    log::info!("{error}");
                    consumer = None;
                    sleep(PAUSE).await;
                }
            }
        }
        if let Some((_, mut analyst)) = self.analyst.take() {
            analyst.quit().await;
        }
        Ok(())
    }

    /// The next message, if there is one within some time.
    async fn request(&self, consumer: &mut Option<PullConsumer>) -> Result<Option<Message>, NatsError> {
        let consumer = match consumer {
            Some(consumer) => consumer,
            None => consumer.insert(jobs(&self.context).await?),
        };
        let request = consumer.batch().max_messages(1).expires(REQUEST).messages();
        let mut messages = request.await.map_err(NatsError::new)?;
        // To the end, also when the one message is there: so nothing is ever delivered to nobody.
        let mut found = None;
        while let Some(message) = messages.next().await {
            found = Some(message.map_err(NatsError::new)?);
        }
        Ok(found)
    }

    /// Does what a message asks for and tells the server meanwhile that it is under way.
    async fn message(&mut self, message: &Message) -> Result<(), AnalystError> {
        let job: Job = match serde_json::from_slice(&message.payload) {
            Ok(job) => job,
            Err(error) => {
                log::warn!("a message that is no job: {error}");
                let _ = message.ack_with(AckKind::Term).await;
                return Ok(());
            }
        };
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let work = async {
            let rows =
                if deliveries > MAX_DELIVERIES { give_up(&job) } else { self.rows(&job, deliveries > 1).await? };
            self.deliver(&job, rows).await;
            Ok(())
        };
        tokio::pin!(work);
        let mut progress = interval(PROGRESS);
        loop {
            tokio::select! {
                done = &mut work => {
                    match &done {
                        Ok(()) => acknowledge(message).await,
                        // Another worker may have an engine that starts.
                        Err(_) => _ = message.ack_with(AckKind::Nak(Some(PAUSE))).await,
                    }
                    return done;
                }
                _ = progress.tick() => if let Err(error) = message.ack_with(AckKind::Progress).await {
                    log::info!("progress: {error}");
                },
            }
        }
    }

    /// The rows of a job. `wary`: each is sent at once, because the last worker that had this job was lost over it; so only the position that
    /// it was lost over, and those behind it, can be lost again.
    async fn rows(&mut self, job: &Job, wary: bool) -> Result<Vec<(u64, Row)>, AnalystError> {
        let Some(search) = &job.search else {
            return Ok(job.tasks.iter().map(|task| (task.number, rules_row(task))).collect());
        };
        let threads = (search.threads as usize).min(self.all) as u32;
        // Closed never: the semaphore lives as long as the worker.
        let _cores = self.cores.clone().acquire_many_owned(threads).await;
        if self.analyst.as_ref().is_none_or(|(options, _)| options != search) {
            if let Some((_, mut other)) = self.analyst.take() {
                other.quit().await;
            }
            self.analyst = Some((search.clone(), Analyst::new(self.launch.clone(), search.clone())));
        }
        let mut rows = Vec::with_capacity(job.tasks.len());
        let mut left = job.tasks.iter();
        let mut open: Vec<&Task> = job.tasks.iter().collect();
        while let Some((_, analyst)) = &mut self.analyst {
            while analyst.wants_more()
                && (analyst.is_idle() || !wary)
                && let Some(task) = left.next()
            {
                analyst.submit(task.clone());
            }
            match analyst.next().await {
                Ok(None) => break,
                Ok(Some(row)) => {
                    open.retain(|task| task.number != row.0);
                    rows.push(row);
                }
                Err(error) => {
                    // What it was given is not lost with it: the job has it.
                    self.analyst = None;
                    let AnalystError::Option { .. } = error else { return Err(error) };
                    // The same run would be refused by every engine of this kind.
                    rows.extend(open.drain(..).map(|task| (task.number, failed(task, &error.to_string()))));
                }
            }
            if wary {
                self.deliver(job, std::mem::take(&mut rows)).await;
            }
        }
        Ok(rows)
    }

    /// Sends rows back, in as many messages as their size needs, and does not give up: an analysis is worth more than a wait for the server.
    async fn deliver(&self, job: &Job, rows: Vec<(u64, Row)>) {
        let (mut part, mut bytes) = (Vec::new(), 0);
        for (number, row) in rows {
            let mut size = serde_json::to_vec(&row).map_or(0, |text| text.len());
            let row = if size > MESSAGE_BYTES {
                let mut short = Row::new(row.id);
                short.error = Some(format!("row of {size} bytes, too large to be sent"));
                size = 0;
                short
            } else {
                row
            };
            if bytes + size > MESSAGE_BYTES {
                self.deliver_part(job, std::mem::take(&mut part)).await;
                bytes = 0;
            }
            bytes += size;
            part.push((number, row));
        }
        if !part.is_empty() {
            self.deliver_part(job, part).await;
        }
    }

    async fn deliver_part(&self, job: &Job, rows: Vec<(u64, Row)>) {
        let rows = Rows { session: job.session.clone(), rows };
        // Text and numbers always have a JSON form.
        let payload = serde_json::to_vec(&rows).unwrap_or_default();
        while let Err(error) = publish(&self.context, subject(ROWS.1, &job.run), payload.clone()).await {
            log::info!("{error}");
            sleep(PAUSE).await;
        }
    }
}

/// Rows for positions that nobody could finish.
fn give_up(job: &Job) -> Vec<(u64, Row)> {
    let why = format!("given up: {MAX_DELIVERIES} workers were lost over it");
    job.tasks.iter().map(|task| (task.number, failed(task, &why))).collect()
}

fn failed(task: &Task, why: &str) -> Row {
    let (Ok((_, mut row)) | Err(mut row)) = task.open().map(|(game, row)| (game, Box::new(row)));
    row.error = Some(why.to_owned());
    *row
}
