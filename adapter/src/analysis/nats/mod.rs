//! Analysis on many machines behind a NATS server. Positions lie in a work-queue stream until a worker has acknowledged them, rows in a
//! second one until they are written. What is lost on the way is done again, and what comes twice is written once.
mod collect;
mod connection;
mod worker;

pub use collect::Collect;
pub use connection::ConnectionOptions;
pub use worker::WorkerArguments;

use super::row::Row;
use super::task::{SearchOptions, Task};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, Message};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::time::Duration;
use thiserror::Error;

/// The stream of positions, and the head of its subjects. Behind it stands the name of the run.
const JOBS: (&str, &str) = ("SANQI_JOBS", "sanqi.jobs");
/// The stream of rows, and the head of its subjects.
const ROWS: (&str, &str) = ("SANQI_ROWS", "sanqi.rows");
/// The consumer that all workers share.
const WORKERS: &str = "workers";
/// A message that has not been acknowledged for so long is delivered again: its worker is gone.
const ACK_WAIT: Duration = Duration::from_secs(10);
/// A position that is under way says so this often.
const PROGRESS: Duration = Duration::from_secs(3);
/// Positions whose worker has vanished so often are given up.
const MAX_DELIVERIES: i64 = 5;
/// What nobody has asked for is forgotten after this time: the run that it belongs to has been killed.
const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 3600);
/// A wait before something that the server has refused is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// What went wrong between here and the server.
#[derive(Debug, Error)]
#[error("NATS: {0}")]
pub struct NatsError(String);

impl NatsError {
    fn new(error: impl Display) -> NatsError {
        NatsError(error.to_string())
    }
}

/// Positions for one worker.
#[derive(Debug, Serialize, Deserialize)]
struct Job {
    /// The run that they belong to, and which attempt of it: a resumed run has the name of the first, but wants only its own rows.
    run: String,
    session: String,
    /// How they are searched; by the rules alone when `None`.
    search: Option<SearchOptions>,
    tasks: Vec<Task>,
}

/// Rows on their way back.
#[derive(Debug, Serialize, Deserialize)]
struct Rows {
    session: String,
    rows: Vec<(u64, Row)>,
}

fn subject(head: &str, run: &str) -> String {
    format!("{head}.{run}")
}

/// The stream, made if it is not there.
async fn stream(context: &Context, (name, head): (&str, &str)) -> Result<Stream, NatsError> {
    let config = Config {
        name: name.to_owned(),
        subjects: vec![format!("{head}.>")],
        retention: RetentionPolicy::WorkQueue,
        max_age: MAX_AGE,
        ..Config::default()
    };
    context.get_or_create_stream(config).await.map_err(NatsError::new)
}

/// A consumer of a stream, made if it is not there.
async fn consumer(stream: &Stream, name: &str, filter: String, idle: Duration) -> Result<PullConsumer, NatsError> {
    let config = pull::Config {
        durable_name: Some(name.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_ack_pending: 100_000,
        filter_subject: filter,
        inactive_threshold: idle,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(name, config).await.map_err(NatsError::new)
}

/// What all workers take their positions from.
async fn jobs(context: &Context) -> Result<PullConsumer, NatsError> {
    let stream = stream(context, JOBS).await?;
    consumer(&stream, WORKERS, format!("{}.>", JOBS.1), Duration::ZERO).await
}

/// Publishes a message and waits until the server has stored it.
async fn publish(context: &Context, subject: String, payload: Vec<u8>) -> Result<(), NatsError> {
    let stored = context.publish(subject, payload.into()).await.map_err(NatsError::new)?;
    stored.await.map(drop).map_err(NatsError::new)
}

/// Acknowledges a message. If that is lost, it comes again and is recognised.
async fn acknowledge(message: &Message) {
    if let Err(error) = message.ack().await {
        log::info!("not acknowledged: {error}");
    }
}
