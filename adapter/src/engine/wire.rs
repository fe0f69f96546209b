//! A record of everything that goes to and comes from engines.
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A log file that several engines write to, a line each time.
#[derive(Debug, Clone)]
pub struct WireLog {
    shared: Arc<(Mutex<File>, Instant)>,
    name: String,
}

impl WireLog {
    /// Opens the file, at its end or emptied.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path, append: bool) -> std::io::Result<WireLog> {
        let file = OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(path)?;
        Ok(WireLog { shared: Arc::new((Mutex::new(file), Instant::now())), name: String::new() })
    }

    /// The same file for the engine called `name`.
    #[must_use]
    pub fn of_engine(&self, name: &str) -> WireLog {
        WireLog { shared: self.shared.clone(), name: name.to_owned() }
    }

    /// Writes a line: seconds since the log was opened, the engine, an arrow to or from it, the text.
    pub fn line(&self, arrow: &str, text: &str) {
        let (file, began) = &*self.shared;
        if let Ok(mut file) = file.lock() {
            let line = format!("[{:.6}] {} {arrow} {text}\n", began.elapsed().as_secs_f64(), self.name);
            // A log that cannot be written must not stop what it is about.
            let _ = file.write_all(line.as_bytes());
        }
    }
}

/// Two logs are the same when they go to the same file for the same engine.
impl PartialEq for WireLog {
    fn eq(&self, other: &WireLog) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) && self.name == other.name
    }
}

impl Eq for WireLog {}
