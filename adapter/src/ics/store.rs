//! The folder of games. A thread of its own writes, so that a slow disk holds nobody's game up.
use super::record::Stored;
use crate::record_file::RecordFile;
use crate::replay::{MAX_BYTES, Replay, bpgn, read_text, write_atomically};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Finished games on one board.
const PGN: &str = "games.pgn";
/// The folder of unfinished matches.
const UNFINISHED: &str = "unfinished";
/// Stored matches that are read at the start; more are left alone.
const MOST: usize = 10_000;

/// What is to be written.
#[derive(Debug)]
enum Job {
    /// An unfinished match as it stands.
    Keep(Box<Stored>),
    /// It is finished or broken off.
    Forget(String),
    /// A finished game on one board.
    Pgn(String),
    /// A finished match on two boards.
    Replay(String, Box<Replay>),
}

/// The folder.
#[derive(Debug)]
pub(super) struct Store {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Store {
    /// Opens the folder, makes it if need be, and reads the unfinished matches. A file that cannot be used is left as it is, with a warning.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub(super) fn open(folder: &Path) -> std::io::Result<(Store, Vec<Stored>)> {
        let unfinished = folder.join(UNFINISHED);
        std::fs::create_dir_all(&unfinished)?;
        let mut stored = Vec::new();
        for entry in std::fs::read_dir(&unfinished)?.take(MOST) {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                match read(&path) {
                    Ok(found) => stored.push(found),
                    Err(why) => log::warn!("{}: {why}", path.display()),
                }
            }
        }
        stored.sort_by(|one, two| one.id.cmp(&two.id));
        let (jobs, receiver) = channel();
        let folder = folder.to_owned();
        let thread =
            std::thread::Builder::new().name("games".to_owned()).spawn(move || write_all(&folder, &receiver))?;
        Ok((Store { jobs: Some(jobs), thread: Some(thread) }, stored))
    }

    fn send(&self, job: Job) {
        if self.jobs.as_ref().is_none_or(|jobs| jobs.send(job).is_err()) {
            log::error!("games can no longer be written");
        }
    }

    /// Stores an unfinished match as it stands.
    pub(super) fn keep(&self, stored: Stored) {
        self.send(Job::Keep(Box::new(stored)));
    }

    /// Removes a match from the unfinished ones.
    pub(super) fn forget(&self, id: &str) {
        self.send(Job::Forget(id.to_owned()));
    }

    /// Appends a finished game.
    pub(super) fn pgn(&self, text: String) {
        self.send(Job::Pgn(text));
    }

    /// Writes a finished match on two boards.
    pub(super) fn replay(&self, id: &str, replay: Replay) {
        self.send(Job::Replay(id.to_owned(), Box::new(replay)));
    }

    /// Waits until everything has been written.
    pub(super) fn close(mut self) {
        self.jobs = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            log::error!("the writer of games has failed");
        }
    }
}

/// Reads an unfinished match; the rules are looked at when it is resumed, and once here so that nobody is offered a broken one.
fn read(path: &Path) -> Result<Stored, String> {
    if path.metadata().map_err(|error| error.to_string())?.len() > MAX_BYTES {
        return Err("too large".to_owned());
    }
    let text = read_text(path).map_err(|error| error.to_string())?;
    let stored: Stored = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if path.file_stem().is_none_or(|stem| stem != stored.id.as_str()) {
        return Err(format!("is the file of `{}`", stored.id));
    }
    stored.restore([1, 2])?;
    Ok(stored)
}

/// Writes until nobody sends any more. Of several states of a match that wait only the last is written. Games that the disk does not
/// take are tried again with the next ones; what is left of them at the end goes to the log, so that nothing is lost.
fn write_all(folder: &Path, jobs: &Receiver<Job>) {
    let mut unsaved = Vec::new();
    while let Ok(first) = jobs.recv() {
        let mut states: BTreeMap<String, Option<Box<Stored>>> = BTreeMap::new();
        for job in std::iter::once(first).chain(jobs.try_iter()) {
            let done = match job {
                Job::Keep(stored) => {
                    states.insert(stored.id.clone(), Some(stored));
                    Ok(())
                }
                Job::Forget(id) => {
                    states.insert(id, None);
                    Ok(())
                }
                Job::Pgn(text) => {
                    unsaved.push(text);
                    append(&folder.join(PGN), &mut unsaved)
                }
                Job::Replay(id, replay) => write_replay(folder, &id, &replay),
            };
            if let Err(why) = done {
                log::error!("a finished game is not saved: {why}");
            }
        }
        for (id, state) in states {
            let path = folder.join(UNFINISHED).join(format!("{id}.json"));
            if let Err(why) = write_state(&path, state.as_deref()) {
                log::error!("{}: {why}", path.display());
            }
        }
    }
    if let Err(why) = append(&folder.join(PGN), &mut unsaved) {
        log::error!("{why}; the games were\n{}", unsaved.concat());
    }
}

fn write_state(path: &Path, state: Option<&Stored>) -> Result<(), String> {
    match state {
        Some(stored) => {
            let bytes = serde_json::to_vec(stored).map_err(|error| error.to_string())?;
            write_atomically(path, &bytes).map_err(|error| error.to_string())
        }
        None => match std::fs::remove_file(path) {
            // A match that ended before it was ever written.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            done => done.map_err(|error| error.to_string()),
        },
    }
}

/// Appends games, each whole or not at all; those that are in the file are taken off the list.
fn append(path: &Path, games: &mut Vec<String>) -> Result<(), String> {
    if games.is_empty() {
        return Ok(());
    }
    let named = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut file = RecordFile::open(path).map_err(named)?;
    while let Some(game) = games.first() {
        file.append(game).map_err(named)?;
        games.remove(0);
    }
    Ok(())
}

fn write_replay(folder: &Path, id: &str, replay: &Replay) -> Result<(), String> {
    let json = replay.to_json();
    let text = bpgn::write(replay).map_err(|error| error.to_string())?;
    for (extension, bytes) in [("json", json), ("bpgn", text)] {
        let path = folder.join(format!("{id}.{extension}"));
        write_atomically(&path, bytes.as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_cannot_be_written_wait() {
        let folder = std::env::temp_dir().join(format!("sanqi-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(PGN);
        // Stands for a disk that takes nothing.
        std::fs::create_dir(&path).unwrap();
        let mut games = vec!["first\n".to_owned(), "second\n".to_owned()];
        assert!(append(&path, &mut games).unwrap_err().contains(PGN));
        assert_eq!(games.len(), 2);
        std::fs::remove_dir(&path).unwrap();
        append(&path, &mut games).unwrap();
        assert!(games.is_empty());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\nsecond\n");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
