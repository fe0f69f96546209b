//! The folder of games. A thread of its own writes, so that a slow disk holds nobody's game up.
use super::record::Stored;
use crate::record_file::{FolderLock, RecordFile};
use crate::replay::{MAX_BYTES, Replay, bpgn, read_text};
use crate::whole_file::{is_unfinished, write_atomically};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// Finished games on one board.
const PGN: &str = "games.pgn";
/// The folder of unfinished matches.
const UNFINISHED: &str = "unfinished";
/// Stored matches that are read at the start; more are left alone.
const MOST: usize = 10_000;

/// How long games that the disk did not take wait before they are tried again.
const PAUSE: Duration = Duration::from_secs(10);

/// What is to be written.
#[derive(Debug)]
enum Job {
    /// An unfinished match as it stands.
    Keep(Box<Stored>),
    /// It is finished or broken off.
    Forget(String),
    /// A finished game.
    Finished(Finished),
    /// Somebody wants to know when everything before this is on the disk, or has been tried.
    Tell(oneshot::Sender<()>),
}

/// A finished game.
#[derive(Debug)]
enum Finished {
    /// On one board, as PGN.
    Pgn(String),
    /// A match on two boards, and its id.
    Replay(String, Box<Replay>),
}

/// The folder.
#[derive(Debug)]
pub(super) struct Store {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    /// A finished game has been sent since [`Store::settled`] was last asked for.
    has_finished: Cell<bool>,
    /// Held as long as the server lives.
    _lock: FolderLock,
}

impl Store {
    /// Opens the folder, makes it if need be, and reads the unfinished matches. A file that cannot be used is left as it is, with a warning.
    ///
    /// # Errors
    /// The folder cannot be made or read, or another server has it.
    pub(super) fn open(folder: &Path) -> std::io::Result<(Store, Vec<Stored>)> {
        let unfinished = folder.join(UNFINISHED);
        std::fs::create_dir_all(&unfinished)?;
        let lock = FolderLock::take(folder)?;
        let mut stored = Vec::new();
        for entry in std::fs::read_dir(&unfinished)?.take(MOST) {
            let path = entry?.path();
            if is_unfinished(&path) {
                // Of a server that was killed while it wrote: the lock is ours, so nobody writes it.
                std::fs::remove_file(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "json") {
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
        let has_finished = Cell::new(false);
        Ok((Store { jobs: Some(jobs), thread: Some(thread), has_finished, _lock: lock }, stored))
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
        self.has_finished.set(true);
        self.send(Job::Finished(Finished::Pgn(text)));
    }

    /// Writes a finished match on two boards.
    pub(super) fn replay(&self, id: &str, replay: Replay) {
        self.has_finished.set(true);
        self.send(Job::Finished(Finished::Replay(id.to_owned(), Box::new(replay))));
    }

    /// Completes when the games that have just finished are on the disk, or have been tried; `None` when there are none.
    pub(super) fn settled(&self) -> Option<oneshot::Receiver<()>> {
        self.has_finished.take().then(|| {
            let (done, settled) = oneshot::channel();
            self.send(Job::Tell(done));
            settled
        })
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
/// take are tried again, and no unfinished match is removed as long as one of them waits: should the server be killed, it is still
/// there. What is left of them at the end goes to the log, too.
fn write_all(folder: &Path, jobs: &Receiver<Job>) {
    let mut unsaved = Vec::new();
    let mut states: BTreeMap<String, Option<Box<Stored>>> = BTreeMap::new();
    loop {
        let next = match unsaved.is_empty() {
            true => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => jobs.recv_timeout(PAUSE),
        };
        let is_over = matches!(next, Err(RecvTimeoutError::Disconnected));
        let mut hearers = Vec::new();
        for job in next.into_iter().chain(jobs.try_iter()) {
            match job {
                Job::Tell(done) => hearers.push(done),
                Job::Keep(stored) => _ = states.insert(stored.id.clone(), Some(stored)),
                Job::Forget(id) => _ = states.insert(id, None),
                Job::Finished(game) => unsaved.push(game),
            }
        }
        if let Err(why) = write_finished(folder, &mut unsaved) {
            log::error!("{} finished games are not saved yet: {why}", unsaved.len());
        }
        states.retain(|id, state| {
            if state.is_none() && !unsaved.is_empty() {
                return true;
            }
            let path = folder.join(UNFINISHED).join(format!("{id}.json"));
            if let Err(why) = write_state(&path, state.as_deref()) {
                log::error!("{}: {why}", path.display());
            }
            false
        });
        // Who waits no longer need not know.
        hearers.into_iter().for_each(|done| _ = done.send(()));
        if is_over {
            break;
        }
    }
    for game in unsaved {
        let text = match game {
            Finished::Pgn(text) => text,
            Finished::Replay(_, replay) => replay.to_json(),
        };
        log::error!("not saved:\n{text}");
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

/// Writes games, each whole or not at all; those that are on the disk are taken off the list.
fn write_finished(folder: &Path, games: &mut Vec<Finished>) -> Result<(), String> {
    let mut outcome = Ok(());
    games.retain(|game| {
        let written = match game {
            Finished::Pgn(text) => append(&folder.join(PGN), text),
            Finished::Replay(id, replay) => write_replay(folder, id, replay),
        };
        let is_left = written.is_err();
        outcome = outcome.clone().and(written);
        is_left
    });
    outcome
}

fn append(path: &Path, game: &str) -> Result<(), String> {
    let appended = RecordFile::open(path).and_then(|mut file| file.append(game));
    appended.map_err(|error| format!("{}: {error}", path.display()))
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
        let mut games = ["first\n", "second\n"].map(|text| Finished::Pgn(text.to_owned())).into();
        assert!(write_finished(&folder, &mut games).unwrap_err().contains(PGN));
        assert_eq!(games.len(), 2);
        std::fs::remove_dir(&path).unwrap();
        write_finished(&folder, &mut games).unwrap();
        assert!(games.is_empty());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\nsecond\n");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// As long as a game is not on the disk its match is still among the unfinished ones.
    #[test]
    fn an_unfinished_match_stays_until_its_game_is_written() {
        let folder = std::env::temp_dir().join(format!("sanqi-unfinished-{}", std::process::id()));
        let torn = folder.join(UNFINISHED).join(".one.json.123-4.tmp");
        std::fs::create_dir_all(folder.join(UNFINISHED)).unwrap();
        std::fs::write(&torn, "half of it").unwrap();
        let (store, stored) = Store::open(&folder).unwrap();
        assert!(stored.is_empty() && store.settled().is_none() && !torn.exists());
        let (pgn, unfinished) = (folder.join(PGN), folder.join(UNFINISHED).join("one.json"));
        std::fs::write(&unfinished, "its last state").unwrap();
        // Stands for a disk that takes nothing.
        std::fs::create_dir(&pgn).unwrap();
        store.pgn("the game\n".to_owned());
        store.forget("one");
        store.settled().unwrap().blocking_recv().unwrap();
        assert!(unfinished.is_file() && store.settled().is_none());
        std::fs::remove_dir(&pgn).unwrap();
        store.close();
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), "the game\n");
        assert!(!unfinished.exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
