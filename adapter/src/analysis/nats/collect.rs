//! The end that hands positions out and takes rows in.
use super::{
    ConnectionOptions, JOBS, Job, NatsError, PAUSE, ROWS, Rows, acknowledge, consumer, jobs, publish, stream, subject,
};
use crate::analysis::row::Row;
use crate::analysis::run::{Produced, RunError, say};
use crate::analysis::task::{SearchOptions, Task};
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::pull;
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, sleep, timeout};

/// Milliseconds of work in one message, roughly: the server then costs little beside it.
const MESSAGE_WORK: u64 = 200;
/// Most positions in one message.
const MESSAGE_TASKS: u64 = 64;
/// Most bytes of positions in one message, far below what a server takes.
const MESSAGE_BYTES: usize = 256 << 10;
/// Without a row for so long it is asked what has become of the positions.
const CHECK: Duration = Duration::from_secs(10);

/// How positions are handed out.
#[derive(Debug, Clone)]
pub struct Collect {
    connection: ConnectionOptions,
    search: Option<SearchOptions>,
    run: String,
    session: String,
}

impl Collect {
    /// Positions are searched as `search` says, by the rules alone when `None`. A run that writes to the same `output` as one that was
    /// killed clears away what that one has left on the server.
    pub fn new(connection: ConnectionOptions, search: Option<SearchOptions>, output: Option<&Path>) -> Collect {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let session = hash(&(now, std::process::id()));
        let run = match output {
            None => session.clone(),
            Some(path) => hash(&(std::path::absolute(path).ok(), sysinfo::System::host_name())),
        };
        Collect { connection, search, run, session }
    }

    /// The server can be reached.
    ///
    /// # Errors
    /// It cannot, or has no JetStream.
    pub async fn check(&self) -> Result<(), NatsError> {
        let context = self.connection.connect(false).await?;
        stream(&context, ROWS).await.map(drop)
    }

    /// Takes back what has been handed out: the run has been interrupted.
    pub async fn abandon(&self) {
        let clear = async { self.clear(&self.connection.connect(false).await?).await };
        // A server that is not there now forgets it in time.
        if let Ok(Err(error)) = timeout(Duration::from_secs(5), clear).await {
            log::warn!("{error}");
        }
    }

    async fn clear(&self, context: &Context) -> Result<(), NatsError> {
        for at in [JOBS, ROWS] {
            let purge = stream(context, at).await?.purge().filter(subject(at.1, &self.run));
            purge.await.map_err(NatsError::new)?;
        }
        let _ = stream(context, ROWS).await?.delete_consumer(&self.run).await;
        Ok(())
    }

    /// Hands out positions as they come and gives their rows, each once, until every position has its row.
    pub(crate) async fn run(self, tasks: mpsc::Receiver<Task>, rows: mpsc::Sender<Produced>) {
        let worked = async {
            let context = self.connection.connect(false).await?;
            self.clear(&context).await?;
            // Workers that come later find it.
            jobs(&context).await?;
            let mut desk = Desk { collect: &self, context: &context, waiting: BTreeMap::new() };
            desk.work(tasks, &rows).await;
            self.clear(&context).await
        };
        if let Err(error) = worked.await {
            // Nobody listens once the run has ended.
            let _ = rows.send(Err(RunError::Nats(error))).await;
        }
    }

    /// Positions in one message.
    fn size(&self) -> usize {
        let work = match &self.search {
            None => 1,
            Some(SearchOptions { movetime: Some(ms), .. }) => *ms,
            // A thousand nodes take about a millisecond.
            Some(SearchOptions { nodes: Some(nodes), .. }) => nodes / 1000,
            Some(_) => MESSAGE_WORK,
        };
        (MESSAGE_WORK / work.max(1)).clamp(1, MESSAGE_TASKS) as usize
    }
}

fn hash(value: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// What is under way.
struct Desk<'a> {
    collect: &'a Collect,
    context: &'a Context,
    /// Positions without a row; their number is bounded by the run.
    waiting: BTreeMap<u64, Task>,
}

impl Desk<'_> {
    async fn work(&mut self, mut tasks: mpsc::Receiver<Task>, rows: &mpsc::Sender<Produced>) {
        let mut open = true;
        let mut arriving = self.arriving().await;
        let mut check = interval(CHECK);
        let mut last = Instant::now();
        while open || !self.waiting.is_empty() {
            tokio::select! {
                task = tasks.recv(), if open => match task {
                    None => open = false,
                    Some(first) => {
                        let mut batch = vec![first];
                        // The first ones go out at once, one by one, as long as that is all there is.
                        while batch.len() < self.collect.size() && let Ok(task) = tasks.try_recv() {
                            batch.push(task);
                        }
                        self.send(batch).await;
                    }
                },
                message = arriving.next() => match message {
                    Some(Ok(message)) => {
                        last = Instant::now();
                        for (number, row) in self.accept(&message.payload) {
                            if rows.send(Ok((number, row))).await.is_err() {
                                return;
                            }
                        }
                        acknowledge(&message).await;
                    }
                    Some(Err(error)) => log::info!("rows: {error}"),
                    None => arriving = self.arriving().await,
                },
                _ = check.tick() => if last.elapsed() > CHECK && !self.waiting.is_empty() {
                    self.look_after().await;
                },
            }
        }
    }

    /// The rows of this run, tried again until the server gives them.
    async fn arriving(&self) -> pull::Stream {
        loop {
            let opened = async {
                let stream = stream(self.context, ROWS).await?;
                let filter = subject(ROWS.1, &self.collect.run);
                let consumer = consumer(&stream, &self.collect.run, filter, Duration::from_secs(3600)).await?;
                let messages = consumer.stream().max_messages_per_batch(64).messages();
                messages.await.map_err(NatsError::new)
            };
            match opened.await {
                Ok(messages) => return messages,
                Err(error) => log::info!("{error}"),
            }
            sleep(PAUSE).await;
        }
    }

    /// The rows of a message that have been waited for.
    fn accept(&mut self, payload: &[u8]) -> Vec<(u64, Row)> {
        match serde_json::from_slice::<Rows>(payload) {
            Ok(message) if message.session == self.collect.session => {
                message.rows.into_iter().filter(|(number, _)| self.waiting.remove(number).is_some()).collect()
            }
            Ok(_) => Vec::new(),
            Err(error) => {
                log::warn!("rows that cannot be read: {error}");
                Vec::new()
            }
        }
    }

    /// Hands positions out, in as many messages as their size needs.
    async fn send(&mut self, batch: Vec<Task>) {
        let (mut part, mut bytes) = (Vec::new(), 0);
        for task in batch {
            let size = serde_json::to_vec(&task).map_or(0, |text| text.len());
            if bytes + size > MESSAGE_BYTES && !part.is_empty() {
                self.send_part(std::mem::take(&mut part)).await;
                bytes = 0;
            }
            bytes += size;
            part.push(task);
        }
        self.send_part(part).await;
    }

    async fn send_part(&mut self, tasks: Vec<Task>) {
        let Collect { search, run, session, .. } = self.collect;
        let job = Job { run: run.clone(), session: session.clone(), search: search.clone(), tasks };
        // Text and numbers always have a JSON form.
        let payload = serde_json::to_vec(&job).unwrap_or_default();
        self.waiting.extend(job.tasks.into_iter().map(|task| (task.number, task)));
        while let Err(error) = publish(self.context, subject(JOBS.1, run), payload.clone()).await {
            log::info!("{error}");
            sleep(PAUSE).await;
            // The server may have come back without its streams.
            if let Err(error) = jobs(self.context).await {
                log::info!("{error}");
            }
        }
    }

    /// No row has come for some time. Either the positions lie there and no worker takes them, or they are long searches, or the server has lost them;
    /// then they are handed out again.
    async fn look_after(&mut self) {
        let count = async |at: (&str, &str)| -> Result<(usize, usize), NatsError> {
            let stream = stream(self.context, at).await?;
            let info = stream.info_with_subjects(subject(at.1, &self.collect.run)).await.map_err(NatsError::new)?;
            Ok((info.info.state.messages as usize, info.info.state.consumer_count))
        };
        let lying = async {
            let (jobs_left, _) = count(JOBS).await?;
            let (rows_left, _) = count(ROWS).await?;
            let mut workers = jobs(self.context).await?;
            let idle = workers.info().await.map_err(NatsError::new)?;
            Ok::<_, NatsError>((jobs_left + rows_left, idle.num_ack_pending, idle.num_waiting))
        };
        match lying.await {
            Ok((0, ..)) => {
                let lost: Vec<Task> = std::mem::take(&mut self.waiting).into_values().collect();
                say(&format!("the server has lost {} positions; they are handed out again", lost.len()));
                for part in lost.chunks(self.collect.size()) {
                    self.send(part.to_vec()).await;
                }
            }
            Ok((_, 0, 0)) => say(&format!("{} positions wait, and no worker is there", self.waiting.len())),
            Ok(_) => {}
            Err(error) => log::info!("{error}"),
        }
    }
}
