//! The way out: whole lines in order, from any thread, and the log of the dialogue.
use super::dialect::Dialect;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Longest piece of foreign text that is quoted back, in characters.
const QUOTE: usize = 80;

/// Foreign text made fit for one line of ours: short, without control characters.
pub(super) fn clip(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let mut out: String = text.chars().take(QUOTE).map(clean).collect();
    if text.chars().nth(QUOTE).is_some() {
        out.push('…');
    }
    out
}

/// The way out and the dialogue log.
pub(super) struct Output {
    ways: Mutex<Ways>,
}

struct Ways {
    out: Box<dyn Write + Send>,
    /// Lines that may wait for the next one.
    held: Vec<u8>,
    log: Option<File>,
}

impl Output {
    /// Writes to `out`.
    pub(super) fn new(out: Box<dyn Write + Send>) -> Output {
        Output { ways: Mutex::new(Ways { out, held: Vec::new(), log: None }) }
    }

    fn ways(&self) -> MutexGuard<'_, Ways> {
        self.ways.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one line, behind those that wait.
    pub(super) fn line(&self, text: &str) {
        self.ways().add(text).write();
    }

    /// Takes one line that is written with the next one, or by [`Output::flush`].
    pub(super) fn hold(&self, text: &str) {
        self.ways().add(text);
    }

    /// Writes the lines that wait.
    pub(super) fn flush(&self) {
        self.ways().write();
    }

    /// Writes a remark in the words of a dialect.
    pub(super) fn remark(&self, dialect: Dialect, text: &str) {
        self.line(&dialect.remark(text));
    }

    /// Notes a line that came in.
    pub(super) fn heard(&self, text: &str) {
        record(&mut self.ways().log, "> ", text);
    }

    /// Writes the dialogue to the end of a file from now on; an empty path ends that.
    ///
    /// # Errors
    /// The file cannot be opened; the old log goes on.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        let file = if path.is_empty() { None } else { Some(OpenOptions::new().create(true).append(true).open(path)?) };
        self.ways().log = file;
        Ok(())
    }
}

impl Ways {
    fn add(&mut self, text: &str) -> &mut Ways {
        self.held.extend_from_slice(text.as_bytes());
        self.held.push(b'\n');
        record(&mut self.log, "< ", text);
        self
    }

    /// When nobody reads any more there is nobody left to play for: the process ends quietly.
    fn write(&mut self) {
        if !self.held.is_empty() && self.out.write_all(&self.held).and_then(|()| self.out.flush()).is_err() {
            std::process::exit(0);
        }
        self.held.clear();
    }
}

/// A log that cannot be written (full disk) is given up: play goes on.
fn record(log: &mut Option<File>, mark: &str, text: &str) {
    if let Some(file) = log
        && let Err(error) = writeln!(file, "{mark}{text}")
    {
        log::warn!("dialogue log given up: {error}");
        *log = None;
    }
}
