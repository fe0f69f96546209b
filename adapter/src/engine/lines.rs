//! Lines from a stream that is not trusted: bounded in length, any line end, any bytes.
use memchr::memchr;
use std::collections::VecDeque;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::time::Instant;

/// Longest line that is kept, in bytes; the rest of a longer one is dropped. A PV of 250 moves in 10 variations fits.
pub const MAX_LINE: usize = 16 * 1024;

/// Reads lines one at a time. Nothing is read ahead beyond one buffer, so a peer that writes more than is read
/// is held up by its own pipe, and memory does not grow.
#[derive(Debug)]
pub struct LineReader<R> {
    inner: BufReader<R>,
    line: Vec<u8>,
    /// `line` has been given out.
    whole: bool,
    read_at: Instant,
    /// The last piece filled the buffer, so there may be more.
    full: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// A reader of `stream`.
    pub fn new(stream: R) -> LineReader<R> {
        let inner = BufReader::with_capacity(MAX_LINE, stream);
        LineReader { inner, line: Vec::new(), whole: false, read_at: Instant::now(), full: false }
    }

    /// When the end of the last line was taken from the stream, which may be well before it was asked for: much is read at a time.
    pub fn read_at(&self) -> Instant {
        self.read_at
    }

    /// A whole line has been read already.
    pub fn has_line(&self) -> bool {
        memchr(b'\n', self.inner.buffer()).is_some()
    }

    /// The stream had no more to give when it was last read.
    pub fn is_drained(&self) -> bool {
        !self.full
    }

    /// The next line without its line end (LF or CRLF); `None` at the end of the stream. Bytes that are not UTF-8 are replaced.
    /// Safe to cancel: a part of a line already read is kept for the next call.
    ///
    /// # Errors
    /// What the system says.
    pub async fn next_line(&mut self) -> std::io::Result<Option<&str>> {
        Ok(if self.advance().await? { Some(self.line()) } else { None })
    }

    /// The line that was last given.
    pub fn line(&self) -> &str {
        // It was made valid.
        std::str::from_utf8(&self.line).unwrap_or_default()
    }

    /// Reads the next line into `line`; false at the end of the stream.
    async fn advance(&mut self) -> std::io::Result<bool> {
        if std::mem::take(&mut self.whole) {
            self.line.clear();
        }
        loop {
            let fresh = self.inner.buffer().is_empty();
            let chunk = self.inner.fill_buf().await?;
            if fresh {
                self.read_at = Instant::now();
                self.full = chunk.len() >= MAX_LINE;
            }
            if chunk.is_empty() {
                self.whole = !self.line.is_empty();
                break;
            }
            let end = memchr(b'\n', chunk);
            let (part, used) = match end {
                Some(at) => (chunk.get(..at).unwrap_or_default(), at + 1),
                None => (chunk, chunk.len()),
            };
            let room = MAX_LINE.saturating_sub(self.line.len());
            self.line.extend_from_slice(part.get(..room.min(part.len())).unwrap_or_default());
            self.inner.consume(used);
            if end.is_some() {
                self.whole = true;
                break;
            }
        }
        if self.line.ends_with(b"\r") {
            self.line.pop();
        }
        if std::str::from_utf8(&self.line).is_err() {
            self.line = String::from_utf8_lossy(&self.line).into_owned().into_bytes();
        }
        Ok(self.whole)
    }
}

/// The last few lines of a conversation, for messages about its failure.
#[derive(Debug, Default, Clone)]
pub struct Tail {
    lines: VecDeque<String>,
}

/// Lines a [`Tail`] keeps.
const TAIL_LINES: usize = 20;
/// Bytes of a line that a [`Tail`] keeps.
const TAIL_WIDTH: usize = 400;

impl Tail {
    /// Takes a line, dropping the oldest when full.
    pub fn push(&mut self, mark: &str, line: &str) {
        // The memory of the oldest line is used again: short searches say thousands of lines a second.
        let oldest = if self.lines.len() >= TAIL_LINES { self.lines.pop_front() } else { None };
        let mut kept = oldest.unwrap_or_default();
        kept.clear();
        let cut = (0..=TAIL_WIDTH.min(line.len())).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
        kept.push_str(mark);
        kept.push_str(line.get(..cut).unwrap_or_default());
        self.lines.push_back(kept);
    }

    /// The lines kept, oldest first.
    pub fn lines(&self) -> Vec<String> {
        self.lines.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut reader = LineReader::new(bytes);
            let mut lines = Vec::new();
            while let Some(line) = reader.next_line().await.unwrap() {
                lines.push(line.to_owned());
            }
            lines
        })
    }

    #[test]
    fn line_ends() {
        assert_eq!(read(b"a\r\nb\n\nc"), ["a", "b", "", "c"]);
    }

    #[test]
    fn not_utf8() {
        assert_eq!(read(b"a\xffb\n"), ["a\u{fffd}b"]);
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_read() {
        let mut bytes = vec![b'x'; 5 * MAX_LINE];
        bytes.extend_from_slice(b"\nnext\n");
        let lines = read(&bytes);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [MAX_LINE, 4]);
    }

    #[test]
    fn tail_is_bounded() {
        let mut tail = Tail::default();
        (0..100).for_each(|n| tail.push("> ", &format!("{n} {}", "é".repeat(1000))));
        assert_eq!(tail.lines().len(), TAIL_LINES);
        assert!(tail.lines().iter().all(|l| l.len() <= TAIL_WIDTH + 2));
        assert!(tail.lines()[0].starts_with("> 80 "));
    }
}
