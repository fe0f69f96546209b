//! What survives a match that is cut off, by an interrupt or by a kill: the configuration, and a line for every finished game.
//!
//! A game goes first into the PGN file, then into the journal together with the length the PGN file has then. So a resumed match knows
//! exactly which games are finished, and cuts from the PGN file what the journal does not know.
use super::book::fen_to_epd;
use super::record::Played;
use super::report::Tallies;
use super::settings::Settings;
use super::statistics::Tally;
use crate::record_file::RecordFile;
use crate::replay::Replay;
use crate::whole_file::write_atomically;
use sanqi::games::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file of the match that cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system refuses.
    #[error("file `{path}`: {source}")]
    File {
        /// Path of the file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// Not a configuration.
    #[error("file `{path}`: {source}")]
    Json {
        /// Path of the file.
        path: String,
        /// What is wrong.
        source: serde_json::Error,
    },
}

fn file_error(path: &Path) -> impl Fn(std::io::Error) -> JournalError + '_ {
    move |source| JournalError::File { path: path.display().to_string(), source }
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "lowercase")]
pub enum Entry {
    /// The first line of a run.
    Start {
        /// Name of the run.
        run: String,
        /// Length of the PGN file before it.
        pgn: u64,
        /// Length of the EPD file before it.
        epd: u64,
    },
    /// A finished game.
    Game(Box<GameEntry>),
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEntry {
    /// Name of the run.
    pub run: String,
    /// Number of the game, from 1.
    pub number: u64,
    /// Round, from 1.
    pub round: u64,
    /// Name of the first player.
    pub white: String,
    /// Name of the second player.
    pub black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The verdict.
    pub reason: String,
    /// The kind of end.
    pub termination: String,
    /// Moves, those of the opening included.
    pub plies: usize,
    /// Milliseconds from begin to end.
    pub duration: u64,
    /// FEN of the opening.
    pub opening: String,
    /// FEN at the end.
    pub end: String,
    /// Length of the PGN file with this game.
    pub pgn: u64,
    /// Length of the EPD file with this game.
    pub epd: u64,
}

impl GameEntry {
    /// The result; `None` when the text is none.
    pub fn outcome(&self) -> Option<Outcome> {
        use sanqi::board::Color;
        [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw]
            .into_iter()
            .find(|outcome| outcome.to_string() == self.result)
    }
}

/// An output and its path, for messages.
#[derive(Debug)]
struct Output {
    path: PathBuf,
    file: RecordFile,
}

impl Output {
    /// Opens a file. Nothing is changed in it: another one may be refused.
    fn open(path: &Path) -> Result<Output, JournalError> {
        let at = file_error(path);
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            std::fs::create_dir_all(dir).map_err(&at)?;
        }
        Ok(Output { path: path.to_owned(), file: RecordFile::open(path).map_err(&at)? })
    }

    fn keep(&mut self, length: u64) -> Result<(), JournalError> {
        self.file.keep(length).map_err(file_error(&self.path))
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        self.file.append(text).map_err(file_error(&self.path))
    }
}

/// The files of a running match.
#[derive(Debug)]
pub struct Journal {
    run: String,
    config: PathBuf,
    journal: Output,
    pgn: Option<Output>,
    epd: Option<Output>,
}

/// Writes the replay of a match, whole or not at all; played again after a kill it is written again.
fn save_replay(dir: &Path, number: u64, replay: &Replay) -> Result<(), JournalError> {
    std::fs::create_dir_all(dir).map_err(file_error(dir))?;
    let path = dir.join(format!("match-{number:05}.json"));
    replay.save(&path).map_err(|error| file_error(&path)(std::io::Error::other(error.to_string())))
}

/// Where the journal of a configuration is: `config.json` has `config.games.jsonl`.
pub fn journal_path(config: &Path) -> PathBuf {
    config.with_extension("games.jsonl")
}

/// The path of an output file, if one is wanted.
fn wanted(path: &str) -> Option<&Path> {
    (!path.is_empty()).then(|| Path::new(path))
}

impl Journal {
    /// Begins a run: the journal anew, PGN and EPD as their settings say.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn begin(settings: &Settings) -> Result<Journal, JournalError> {
        let config = PathBuf::from(&settings.config_name);
        // All are opened before one is emptied.
        let mut journal = Output::open(&journal_path(&config))?;
        let mut pgn = wanted(&settings.pgn.file).map(Output::open).transpose()?;
        let mut epd = wanted(&settings.epd.file).map(Output::open).transpose()?;
        journal.keep(0)?;
        for (output, append) in [(&mut pgn, settings.pgn.append_file), (&mut epd, settings.epd.append_file)] {
            if let Some(output) = output.as_mut().filter(|_| !append) {
                output.keep(0)?;
            }
        }
        let mut journal = Journal { run: settings.run.clone(), config, journal, pgn, epd };
        let entry = Entry::Start { run: journal.run.clone(), pgn: journal.pgn_length(), epd: journal.epd_length() };
        journal.write(&entry)?;
        journal.save(settings, &Tallies::new())?;
        Ok(journal)
    }

    /// Goes on with the run of `config`, perhaps under another name: the finished games, and the files cut back to them.
    ///
    /// # Errors
    /// The journal cannot be read, or a file not written.
    pub fn resume(settings: &Settings, config: &Path) -> Result<(Journal, Vec<GameEntry>), JournalError> {
        let (source, name) = (journal_path(config), PathBuf::from(&settings.config_name));
        let bytes = std::fs::read(&source).map_err(file_error(&source))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut journal = Output::open(&journal_path(&name))?;
        let (mut games, mut pgn, mut epd, mut length) = (Vec::<GameEntry>::new(), None, None, 0);
        for line in text.split_inclusive('\n') {
            // A kill may have cut the last line off; then its game is played again.
            if !line.ends_with('\n') {
                break;
            }
            let Ok(entry) = serde_json::from_str::<Entry>(line) else { break };
            length += line.len();
            match entry {
                Entry::Start { run, pgn: p, epd: e } if run == settings.run => (pgn, epd) = (Some(p), Some(e)),
                Entry::Game(game) if game.run == settings.run => {
                    (pgn, epd) = (Some(game.pgn), Some(game.epd));
                    games.push(*game);
                }
                _ => {}
            }
        }
        let mut pgn_file = wanted(&settings.pgn.file).map(Output::open).transpose()?;
        let mut epd_file = wanted(&settings.epd.file).map(Output::open).transpose()?;
        for (output, keep) in [(&mut pgn_file, pgn), (&mut epd_file, epd)] {
            if let (Some(output), Some(keep)) = (output, keep) {
                output.keep(keep)?;
            }
        }
        if name == config {
            journal.keep(length as u64)?;
        } else {
            journal.keep(0)?;
            journal.append(text.get(..length).unwrap_or_default())?;
        }
        Ok((Journal { run: settings.run.clone(), config: name, journal, pgn: pgn_file, epd: epd_file }, games))
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn game(&mut self, settings: &Settings, played: &Played) -> Result<(), JournalError> {
        if let Some(replay) = &played.replay
            && let Some(dir) = wanted(&settings.replay_dir)
        {
            save_replay(dir, played.slot.number, replay)?;
        }
        if let Some(pgn) = &mut self.pgn {
            let gap = if pgn.file.length() > 0 { "\n" } else { "" };
            pgn.append(&format!("{gap}{}", played.text))?;
        }
        if let Some(epd) = &mut self.epd {
            epd.append(&format!("{}\n", fen_to_epd(&played.end)))?;
        }
        let name = |index: usize| settings.engines.get(index).map(|e| e.name.clone()).unwrap_or_default();
        let entry = GameEntry {
            run: self.run.clone(),
            number: played.slot.number,
            round: played.slot.round,
            white: name(played.slot.white),
            black: name(played.slot.black),
            result: played.verdict.outcome.to_string(),
            reason: played.verdict.text.clone(),
            termination: played.verdict.termination.to_string(),
            plies: played.plies,
            duration: played.times[1].saturating_sub(played.times[0]),
            opening: played.opening.clone(),
            end: played.end.clone(),
            pgn: self.pgn_length(),
            epd: self.epd_length(),
        };
        self.write(&Entry::Game(Box::new(entry)))
    }

    /// Writes the configuration with the results so far. A reader sees the old file or the new one, never a part.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, settings: &Settings, tallies: &Tallies) -> Result<(), JournalError> {
        let json = |source| JournalError::Json { path: self.config.display().to_string(), source };
        let name = |index: usize| settings.engines.get(index).map_or("", |e| e.name.as_str());
        let stats: BTreeMap<String, &Tally> =
            tallies.iter().map(|([a, b], tally)| (format!("{} vs {}", name(*a), name(*b)), tally)).collect();
        let mut value = serde_json::to_value(settings).map_err(json)?;
        if let Some(object) = value.as_object_mut() {
            object.insert("stats".to_owned(), serde_json::to_value(stats).map_err(json)?);
        }
        let text = serde_json::to_string_pretty(&value).map_err(json)?;
        write_atomically(&self.config, (text + "\n").as_bytes()).map_err(file_error(&self.config))
    }

    fn pgn_length(&self) -> u64 {
        self.pgn.as_ref().map_or(0, |f| f.file.length())
    }

    fn epd_length(&self) -> u64 {
        self.epd.as_ref().map_or(0, |f| f.file.length())
    }

    fn write(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let path = self.journal.path.display().to_string();
        let text = serde_json::to_string(entry).map_err(|source| JournalError::Json { path, source })?;
        self.journal.append(&format!("{text}\n"))
    }
}

/// Reads a configuration.
///
/// # Errors
/// The file cannot be read, or is none.
pub fn load(path: &Path) -> Result<Settings, JournalError> {
    let text = std::fs::read_to_string(path).map_err(file_error(path))?;
    serde_json::from_str(&text).map_err(|source| JournalError::Json { path: path.display().to_string(), source })
}
