//! One client's connection: bytes in, lines to the server; text out. What it costs is bounded: the length of a line, lines per second,
//! what waits to be sent, and silence.
use super::options::IcsOptions;
use super::server::{ClientId, Event};
use super::telnet::{Line, Lines};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, sleep, timeout};

/// Bytes that may wait to be sent to a client; one for whom more gather is cut off.
const MOST_WAITING: usize = 512 * 1024;
/// How long a client may take to log in.
const LOGIN_TIME: Duration = Duration::from_secs(120);
/// How long a client may refuse to take what it is sent.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// Lines too long that are forgiven.
const MOST_LONG_LINES: u32 = 20;
/// Bytes that are read at once.
const BUFFER: usize = 2048;

/// What waits to be sent to a client. Dropping it ends the connection when all of it has been sent.
#[derive(Debug)]
pub(super) struct Outbox {
    texts: mpsc::UnboundedSender<String>,
    waiting: Arc<AtomicUsize>,
}

impl Outbox {
    fn new() -> (Outbox, Waiting) {
        let (texts, received) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        (Outbox { texts, waiting: waiting.clone() }, Waiting { texts: received, waiting })
    }

    /// Adds a text; false when the client is gone or too much waits for it already.
    pub(super) fn send(&self, text: String) -> bool {
        let before = self.waiting.fetch_add(text.len(), Ordering::Relaxed);
        before < MOST_WAITING && self.texts.send(text).is_ok()
    }
}

/// The other end of an [`Outbox`].
#[derive(Debug)]
struct Waiting {
    texts: mpsc::UnboundedReceiver<String>,
    waiting: Arc<AtomicUsize>,
}

/// Lets so many lines a second through, and some at once.
#[derive(Debug)]
struct Rate {
    per_second: f64,
    credit: f64,
    since: Instant,
}

impl Rate {
    fn new(per_second: u32) -> Rate {
        let per_second = f64::from(per_second);
        Rate { per_second, credit: 3.0 * per_second, since: Instant::now() }
    }

    /// How long to wait before the next line is taken.
    fn take(&mut self, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        self.credit = (self.credit + passed * self.per_second).min(3.0 * self.per_second) - 1.0;
        self.since = now;
        Duration::from_secs_f64((-self.credit / self.per_second).max(0.0))
    }
}

/// Serves a client until it leaves or is cut off. Its place among the connections is free again when it sees the end of its own, so that it
/// can come back at once.
pub(super) async fn serve(
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    id: ClientId,
    options: IcsOptions,
    events: mpsc::Sender<Event>,
) {
    let Ok(address) = stream.peer_addr() else { return };
    // Lines are short and wanted at once.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let (out, texts) = Outbox::new();
    if events.send(Event::Connected { id, address: address.ip(), out }).await.is_err() {
        return;
    }
    // The server ends a connection by dropping its end of the queue; the writer then finishes, and with it the reader.
    let mut write = tokio::spawn(write_all(writer, texts, place));
    let (why, is_written) = tokio::select! {
        why = read_all(reader, id, &options, &events) => (why, false),
        _ = &mut write => ("is cut off", true),
    };
    // A server that has ended needs no news.
    let _ = events.send(Event::Closed { id, why }).await;
    // What it was told last is still sent; a client that does not take it has had its time.
    if !is_written && timeout(WRITE_TIME, &mut write).await.is_err() {
        write.abort();
    }
}

async fn write_all(mut writer: OwnedWriteHalf, mut queue: Waiting, place: OwnedSemaphorePermit) {
    while let Some(text) = queue.texts.recv().await {
        let done = timeout(WRITE_TIME, writer.write_all(text.as_bytes())).await;
        if !matches!(done, Ok(Ok(()))) {
            return;
        }
        queue.waiting.fetch_sub(text.len(), Ordering::Relaxed);
    }
    drop(place);
    // The other side may have closed it already.
    let _ = writer.shutdown().await;
}

async fn read_all(
    mut reader: OwnedReadHalf,
    id: ClientId,
    options: &IcsOptions,
    events: &mpsc::Sender<Event>,
) -> &'static str {
    let mut lines = Lines::new();
    let mut rate = Rate::new(options.rate);
    let mut buffer = [0; BUFFER];
    let mut long_lines = 0;
    let mut patience = LOGIN_TIME.min(options.idle_time());
    let mut heard = Instant::now();
    loop {
        // Bytes that make no line are no sign of life.
        let count = match timeout(patience.saturating_sub(heard.elapsed()), reader.read(&mut buffer)).await {
            Err(_) => return "has been silent for too long",
            Ok(Err(_) | Ok(0)) => return "has lost the connection",
            Ok(Ok(count)) => count,
        };
        for &byte in buffer.get(..count).unwrap_or_default() {
            let Some(line) = lines.push(byte) else { continue };
            (heard, patience) = (Instant::now(), options.idle_time());
            if line == Line::TooLong {
                long_lines += 1;
                if long_lines > MOST_LONG_LINES {
                    return "sends lines that are too long";
                }
            }
            // Whoever sends faster is read more slowly, and held up by the system at his own end.
            let wait = rate.take(heard);
            if !wait.is_zero() {
                sleep(wait).await;
            }
            if events.send(Event::Line { id, line }).await.is_err() {
                return "is left alone";
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_bounded() {
        let (out, mut queue) = Outbox::new();
        let text = "x".repeat(MOST_WAITING / 2);
        assert!(out.send(text.clone()) && out.send(text.clone()) && !out.send(text));
        assert!(queue.texts.try_recv().is_ok() && queue.texts.try_recv().is_ok() && queue.texts.try_recv().is_err());
    }

    #[test]
    fn rates() {
        let mut rate = Rate::new(10);
        let begin = rate.since;
        assert!((0..30).all(|_| rate.take(begin).is_zero()));
        assert_eq!(rate.take(begin), Duration::from_millis(100));
        assert_eq!(rate.take(begin), Duration::from_millis(200));
        let later = begin + Duration::from_secs(100);
        assert!((0..30).all(|_| rate.take(later).is_zero()));
        assert!(!rate.take(later).is_zero());
    }
}
