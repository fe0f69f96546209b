//! The log file of a match: everything that goes to and comes from engines, and what the match itself has to say.
use crate::runner::date::now_of_day;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Where lines go.
struct Sink {
    file: Box<dyn Write + Send>,
    /// Each line is written at once.
    realtime: bool,
}

/// A log file that several engines write to, a line each time, in the form of fastchess' log files.
#[derive(Clone)]
pub struct WireLog {
    sink: Arc<Mutex<Sink>>,
    name: String,
}

impl WireLog {
    /// Opens the file, at its end or emptied. Without `realtime` lines are gathered before they are written.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path, append: bool, realtime: bool) -> io::Result<WireLog> {
        let file = OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(path)?;
        Ok(WireLog::of(Box::new(BufWriter::new(file)), realtime))
    }

    /// Makes a new file that is compressed by gzip.
    ///
    /// # Errors
    /// What the system says.
    pub fn compressed(path: &Path, realtime: bool) -> io::Result<WireLog> {
        let file = GzEncoder::new(File::create(path)?, Compression::default());
        Ok(WireLog::of(Box::new(BufWriter::new(file)), realtime))
    }

    fn of(file: Box<dyn Write + Send>, realtime: bool) -> WireLog {
        WireLog { sink: Arc::new(Mutex::new(Sink { file, realtime })), name: String::new() }
    }

    /// The same file for the engine called `name`.
    #[must_use]
    pub fn of_engine(&self, name: &str) -> WireLog {
        WireLog { sink: self.sink.clone(), name: name.to_owned() }
    }

    /// Writes a line that an engine has said or been told: an arrow to or from it, the text.
    pub fn line(&self, arrow: &str, text: &str) {
        self.write("Engine", format_args!("{} {arrow} {text}", self.name));
    }

    /// Writes a line about the match.
    pub fn note(&self, label: &str, text: &str) {
        self.write(label, format_args!("sanqi-adapter --- {text}"));
    }

    fn write(&self, label: &str, text: fmt::Arguments<'_>) {
        let time = now_of_day();
        if let Ok(mut sink) = self.sink.lock() {
            // Programs that read such logs expect a thread in the angle brackets, which says nothing here. A log that cannot be
            // written must not stop what it is about.
            let _ = writeln!(sink.file, "[{label:<6}] [{time:>15}] <{:>20}> {text}", "");
            if sink.realtime {
                let _ = sink.file.flush();
            }
        }
    }
}

impl fmt::Debug for WireLog {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("WireLog").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Two logs are the same when they go to the same file for the same engine.
impl PartialEq for WireLog {
    fn eq(&self, other: &WireLog) -> bool {
        Arc::ptr_eq(&self.sink, &other.sink) && self.name == other.name
    }
}

impl Eq for WireLog {}
