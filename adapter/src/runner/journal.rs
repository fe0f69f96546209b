//! What survives a match that is cut off, by an interrupt or by a kill: the configuration, and a line for every finished game.
//!
//! A game goes first into the PGN file, then into the journal together with the length the PGN file has then. So a resumed match knows
//! exactly which games are finished, and cuts from the PGN file what the journal does not know.
use super::book::fen_to_epd;
use super::record::Played;
use super::report::Tallies;
use super::results::Results;
use super::schedule::Schedule;
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
    /// A journal in place of the configuration that it belongs to.
    #[error("file `{0}` is the journal of a match; give its configuration (`config.json`), or its PGN file")]
    IsJournal(String),
    /// A configuration is to be written over something else.
    #[error("file `{0}` is no configuration of a match, and is left as it is; give another name by -config outname=")]
    Foreign(String),
    /// Two outputs of one name.
    #[error("{0} and {1} name one file, `{2}`")]
    Twice(&'static str, &'static str, String),
    /// An output has lost games that the journal knows.
    #[error(
        "file `{path}` has {found} bytes, but should have at least {expected}, which are the games in `{journal}`: \
         it was moved, cut or replaced. Put it back as it was, or begin anew by -config file=… stats=false"
    )]
    Short {
        /// Path of the file.
        path: String,
        /// Its length.
        found: u64,
        /// Its length by the journal.
        expected: u64,
        /// Path of the journal.
        journal: String,
    },
    /// An output is to be emptied that an unfinished match goes on with.
    #[error(
        "file `{path}` has the games of the unfinished match in `{config}`, which append=false would remove; go on with it by \
         -config file={config}, or give another file"
    )]
    Emptied {
        /// Path of the file.
        path: String,
        /// Path of the configuration.
        config: String,
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
    /// The run was set aside unfinished: its files may have other games behind this.
    Aside {
        /// Name of the run.
        run: String,
    },
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
        Ok(Output { path: path.to_owned(), file: RecordFile::open(path).map_err(file_error(path))? })
    }

    fn keep(&mut self, length: u64) -> Result<(), JournalError> {
        self.file.keep(length).map_err(file_error(&self.path))
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        self.file.append(text).map_err(file_error(&self.path))
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let path = self.path.display().to_string();
        let text = serde_json::to_string(entry).map_err(|source| JournalError::Json { path, source })?;
        self.append(&format!("{text}\n"))
    }
}

/// What a journal says of one run.
#[derive(Debug, Default)]
struct Known {
    games: Vec<GameEntry>,
    /// Length of the PGN file with them.
    pgn: Option<u64>,
    /// Length of the EPD file.
    epd: Option<u64>,
    /// Nothing of the run came after it was set aside.
    aside: bool,
    /// Length of the journal without a torn line.
    length: usize,
}

impl Known {
    fn of(text: &str, run: &str) -> Known {
        let mut known = Known::default();
        for line in text.split_inclusive('\n') {
            // A kill may have cut the last line off; then its game is played again.
            if !line.ends_with('\n') {
                break;
            }
            let Ok(entry) = serde_json::from_str::<Entry>(line) else { break };
            known.length += line.len();
            match entry {
                Entry::Start { run: name, pgn, epd } if name == run => {
                    (known.pgn, known.epd, known.aside) = (Some(pgn), Some(epd), false);
                }
                Entry::Game(game) if game.run == run => {
                    (known.pgn, known.epd) = (Some(game.pgn), Some(game.epd));
                    known.games.push(*game);
                }
                Entry::Aside { run: name } if name == run => known.aside = true,
                _ => {}
            }
        }
        known
    }

    /// There are games to come after these.
    fn is_unfinished(&self, settings: &Settings) -> bool {
        let schedule = Schedule::new(settings);
        let (results, numbers) = Results::of(settings, &schedule, &self.games);
        !numbers.is_empty() && (numbers.len() as u64) < schedule.total() && results.decided(settings).is_none()
    }
}

/// A file, whatever its path is written like.
fn place(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// A device or pipe, which holds nothing.
fn is_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Refuses outputs that would overwrite each other.
fn tell_apart(settings: &Settings) -> Result<(), JournalError> {
    let journal = journal_path(settings.config_name.as_ref());
    let log = if settings.log.compress { "" } else { &settings.log.file };
    let outputs = [
        ("-config outname", wanted(&settings.config_name)),
        ("the journal of -config outname", Some(journal.as_path())),
        ("-pgnout", wanted(&settings.pgn.file)),
        ("-epdout", wanted(&settings.epd.file)),
        ("-log", wanted(log)),
    ];
    let mut seen: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in outputs {
        let Some(path) = path.filter(|path| !is_device(path)) else { continue };
        let at = place(path);
        if let Some((other, _)) = seen.iter().find(|(_, seen)| *seen == at) {
            return Err(JournalError::Twice(other, option, path.display().to_string()));
        }
        seen.push((option, at));
    }
    Ok(())
}

/// The settings in a configuration that is about to be written over; `None` where there is nothing to lose.
fn previous(config: &Path) -> Result<Option<Settings>, JournalError> {
    if is_device(config) {
        return Ok(None);
    }
    let bytes = match std::fs::read(config) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(file_error(config))?,
    };
    if bytes.is_empty() {
        return Ok(None);
    }
    let value = serde_json::from_slice::<serde_json::Value>(&bytes).ok();
    let value = value.filter(|value| value.get("engines").is_some_and(serde_json::Value::is_array));
    let Some(value) = value else { return Err(JournalError::Foreign(config.display().to_string())) };
    // What fastchess itself has written may have other types; nobody can go on with it here.
    Ok(serde_json::from_value(value).ok())
}

/// Makes room for a configuration: if one of an unfinished match has its name, that is renamed together with its journal. Gives the new name.
fn make_room(settings: &Settings, config: &Path) -> Result<Option<PathBuf>, JournalError> {
    let source = journal_path(config);
    let (Some(old), true) = (previous(config)?, source.is_file()) else { return Ok(None) };
    let known = Known::of(&String::from_utf8_lossy(&std::fs::read(&source).map_err(file_error(&source))?), &old.run);
    // Workers, which say -testEnv, begin match after match and go on with none.
    if settings.test_env || !known.is_unfinished(&old) {
        return Ok(None);
    }
    // It is not renamed while it is being played.
    let mut journal = Output::open(&source)?;
    for (file, keep, new, append) in [
        (&old.pgn.file, known.pgn, &settings.pgn.file, settings.pgn.append_file),
        (&old.epd.file, known.epd, &settings.epd.file, settings.epd.append_file),
    ] {
        let Some(path) = wanted(file).filter(|path| path.is_file()) else { continue };
        if !append && wanted(new).is_some_and(|new| place(new) == place(path)) {
            let (path, config) = (path.display().to_string(), config.display().to_string());
            return Err(JournalError::Emptied { path, config });
        }
        // What a kill has left there could not be cut off once other games stand behind it.
        if let Some(keep) = keep.filter(|_| !known.aside) {
            Output::open(path)?.keep(keep)?;
        }
    }
    journal.keep(known.length as u64)?;
    journal.entry(&Entry::Aside { run: old.run })?;
    let aside = free_name(config);
    std::fs::rename(&source, journal_path(&aside)).map_err(file_error(&source))?;
    std::fs::rename(config, &aside).map_err(file_error(config))?;
    Ok(Some(aside))
}

/// `config.1.json`, or the first such name that neither a configuration nor a journal has.
fn free_name(config: &Path) -> PathBuf {
    let mut number = 0_u64;
    loop {
        number += 1;
        let mut path = config.with_extension(number.to_string());
        if let Some(extension) = config.extension() {
            path.as_mut_os_string().push(".");
            path.as_mut_os_string().push(extension);
        }
        if !path.exists() && !journal_path(&path).exists() {
            return path;
        }
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
    /// What an unfinished match is called now that had the name of this one.
    pub set_aside: Option<PathBuf>,
}

/// Makes the folder of replays, which are not written before the first match has ended.
fn make_replay_dir(settings: &Settings) -> Result<(), JournalError> {
    wanted(&settings.replay_dir).map_or(Ok(()), |dir| std::fs::create_dir_all(dir).map_err(file_error(dir)))
}

/// Writes the replay of a match, whole or not at all; played again after a kill it is written again.
fn save_replay(dir: &Path, number: u64, replay: &Replay) -> Result<(), JournalError> {
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
        tell_apart(settings)?;
        let open = || {
            let journal = Output::open(&journal_path(&config))?;
            let pgn = wanted(&settings.pgn.file).map(Output::open).transpose()?;
            let epd = wanted(&settings.epd.file).map(Output::open).transpose()?;
            Ok::<_, JournalError>((journal, pgn, epd))
        };
        // All can be opened before one is renamed or emptied.
        previous(&config)?;
        drop(open()?);
        let set_aside = make_room(settings, &config)?;
        let (mut journal, mut pgn, mut epd) = open()?;
        make_replay_dir(settings)?;
        journal.keep(0)?;
        for (output, append) in [(&mut pgn, settings.pgn.append_file), (&mut epd, settings.epd.append_file)] {
            if let Some(output) = output.as_mut().filter(|_| !append) {
                output.keep(0)?;
            }
        }
        let mut journal = Journal { run: settings.run.clone(), config, journal, pgn, epd, set_aside };
        journal.start()?;
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
        let Known { games, pgn, epd, aside, length } = Known::of(&text, &settings.run);
        tell_apart(settings)?;
        for (file, expected) in [(&settings.pgn.file, pgn), (&settings.epd.file, epd)] {
            let (Some(path), Some(expected)) = (wanted(file).filter(|path| !is_device(path)), expected) else {
                continue;
            };
            let found = std::fs::metadata(path).map_or(0, |found| found.len());
            if found < expected {
                let (path, journal) = (path.display().to_string(), source.display().to_string());
                return Err(JournalError::Short { path, found, expected, journal });
            }
        }
        let set_aside = if name == config { None } else { make_room(settings, &name)? };
        make_replay_dir(settings)?;
        let mut journal = Output::open(&journal_path(&name))?;
        let mut pgn_file = wanted(&settings.pgn.file).map(Output::open).transpose()?;
        let mut epd_file = wanted(&settings.epd.file).map(Output::open).transpose()?;
        for (output, keep) in [(&mut pgn_file, pgn), (&mut epd_file, epd)] {
            // Behind the games of a match that was set aside stand those of others.
            if let (Some(output), Some(keep), false) = (output, keep, aside) {
                output.keep(keep)?;
            }
        }
        if name == config {
            journal.keep(length as u64)?;
        } else {
            journal.keep(0)?;
            journal.append(text.get(..length).unwrap_or_default())?;
        }
        let (run, pgn, epd) = (settings.run.clone(), pgn_file, epd_file);
        let mut journal = Journal { run, config: name, journal, pgn, epd, set_aside };
        if aside {
            journal.start()?;
        }
        Ok((journal, games))
    }

    /// From here on the run's games are added.
    fn start(&mut self) -> Result<(), JournalError> {
        let entry = Entry::Start { run: self.run.clone(), pgn: self.pgn_length(), epd: self.epd_length() };
        self.journal.entry(&entry)
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
        self.journal.entry(&Entry::Game(Box::new(entry)))
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
}

/// Reads a configuration.
///
/// # Errors
/// The file cannot be read, or is none.
pub fn load(path: &Path) -> Result<Settings, JournalError> {
    let text = std::fs::read_to_string(path).map_err(file_error(path))?;
    if text.lines().next().is_some_and(|line| serde_json::from_str::<Entry>(line).is_ok()) {
        return Err(JournalError::IsJournal(path.display().to_string()));
    }
    serde_json::from_str(&text).map_err(|source| JournalError::Json { path: path.display().to_string(), source })
}
