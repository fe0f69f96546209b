//! Positions from files, one at a time: memory does not grow with the input.
mod json;
mod line;
mod lines;
mod pgn;

use super::game::{AnyVariant, Source};
use super::row::Id;
use crate::replay::{MAX_BYTES, Playback, Replay};
use lines::{Line, Lines};
use pgn::Games;
use sanqi::games::supply::team::BoardId;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is read, and how.
#[derive(Debug, Clone)]
pub struct Input {
    /// Files; `-` is the standard input.
    pub files: Vec<PathBuf>,
    /// The game of positions that do not name theirs.
    pub variant: AnyVariant,
    /// Of the positions of a game or replay every so many-th is taken.
    pub every: usize,
    /// Bytes read so far.
    pub bytes: Arc<AtomicU64>,
}

/// Takes the positions; false when no more are wanted.
pub type Sink<'a> = &'a mut dyn FnMut(Id, Result<Source, String>) -> bool;

impl Input {
    /// All files can be opened; gives the bytes that they have together, `None` when one of them is no regular file.
    ///
    /// # Errors
    /// Names the first that cannot.
    pub fn size(&self) -> io::Result<Option<u64>> {
        let mut total = Some(0);
        for path in self.files.iter().filter(|path| path.as_os_str() != "-") {
            let data = File::open(path).and_then(|file| file.metadata()).map_err(|error| named(path, &error))?;
            if data.is_dir() {
                return Err(named(path, &io::Error::other("is a folder")));
            }
            total = total.filter(|_| data.is_file()).map(|sum| sum + data.len());
        }
        Ok(total.filter(|_| self.files.iter().all(|path| path.as_os_str() != "-")))
    }

    /// Hands every position of every file to `sink`, in order, until it wants no more.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn read(&self, mut sink: impl FnMut(Id, Result<Source, String>) -> bool) -> io::Result<()> {
        for path in &self.files {
            let is_stdin = path.as_os_str() == "-";
            let source: Box<dyn Read> = if is_stdin {
                Box::new(io::stdin().lock())
            } else {
                Box::new(File::open(path).map_err(|e| named(path, &e))?)
            };
            let name = if is_stdin { "stdin".to_owned() } else { path.to_string_lossy().into_owned() };
            let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
            if !self.read_one(name, source, is_pgn, &mut sink).map_err(|error| named(path, &error))? {
                break;
            }
        }
        Ok(())
    }

    /// Hands every position of one text to `sink`, in order; false when it wants no more.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read_one(&self, name: String, source: impl Read, is_pgn: bool, sink: Sink<'_>) -> io::Result<bool> {
        let counted = Counted { inner: source, bytes: self.bytes.clone() };
        let lines = Lines::new(io::BufReader::with_capacity(1 << 16, counted));
        FileReader { input: self, name, lines }.read(is_pgn, sink)
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Counts what goes through.
struct Counted<R> {
    inner: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

struct FileReader<'a, R> {
    input: &'a Input,
    name: String,
    lines: Lines<R>,
}

impl<R: BufRead> FileReader<'_, R> {
    /// Reads to the end; false when `sink` wants no more. What the first line with content looks like decides between PGN, a replay, and
    /// lines that each stand for themselves.
    fn read(&mut self, is_pgn: bool, sink: Sink<'_>) -> io::Result<bool> {
        let Some(first) = self.first_line()? else { return Ok(true) };
        match &first {
            Line::Text(text) if is_pgn || text.trim_start().starts_with('[') => self.games(first, sink),
            Line::Text(text) if json::begins_replay(text) => {
                let text = format!("{text}\n");
                self.replay(text, sink)
            }
            _ => self.each_line(first, sink),
        }
    }

    /// The first line that is neither empty nor a comment.
    fn first_line(&mut self) -> io::Result<Option<Line>> {
        while let Some(line) = self.lines.next()? {
            match &line {
                Line::Text(text) if line::is_empty(text) => {}
                _ => return Ok(Some(line)),
            }
        }
        Ok(None)
    }

    fn each_line(&mut self, first: Line, sink: Sink<'_>) -> io::Result<bool> {
        let mut variant = self.input.variant;
        let mut next = Some(first);
        while let Some(line) = next {
            let place = Id::Text(format!("{}:{}", self.name, self.lines.number()));
            let read = match &line {
                Line::Text(text) => line::read(text, &mut variant),
                Line::TooLong => Some((None, Err(format!("line longer than {} bytes", lines::MAX_LINE)))),
            };
            if let Some((id, source)) = read
                && !expand(id.unwrap_or(place), source, sink)
            {
                return Ok(false);
            }
            next = self.lines.next()?;
        }
        Ok(true)
    }

    fn games(&mut self, first: Line, sink: Sink<'_>) -> io::Result<bool> {
        let mut games = Games::new(first);
        while let Some((number, game)) = games.next(&mut self.lines, self.input.variant)? {
            let name = format!("{}:{number}", self.name);
            let wanted = match game {
                Ok(game) => pgn::positions(&game, self.input.every, |ply, source| {
                    sink(Id::Text(format!("{name}:{ply}")), Ok(source))
                }),
                Err(error) => sink(Id::Text(name), Err(error)),
            };
            if !wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn replay(&mut self, mut text: String, sink: Sink<'_>) -> io::Result<bool> {
        while let Some(line) = self.lines.next()? {
            if let Line::Text(line) = line {
                text.push_str(&line);
                text.push('\n');
            }
            if text.len() as u64 > MAX_BYTES {
                let error = format!("replay larger than {MAX_BYTES} bytes");
                return Ok(sink(Id::Text(self.name.clone()), Err(error)));
            }
        }
        let replay = Replay::from_json(&text);
        let opened = replay
            .as_ref()
            .map_err(ToString::to_string)
            .and_then(|replay| Playback::start(replay).map_err(|error| error.to_string()));
        let mut playback = match opened {
            Ok(playback) => playback,
            Err(error) => return Ok(sink(Id::Text(self.name.clone()), Err(error))),
        };
        loop {
            let event = playback.events();
            if event.is_multiple_of(self.input.every) {
                let command = playback.position_command();
                let words = command.strip_prefix("position ").unwrap_or(&command);
                let source = Source::of_command(AnyVariant::Supply2, words);
                if !expand(Id::Text(format!("{}:{event}", self.name)), source, sink) {
                    return Ok(false);
                }
            }
            match playback.step() {
                Ok(Some(_)) => {}
                Ok(None) => return Ok(true),
                Err(error) => {
                    return Ok(sink(Id::Text(format!("{}:{}", self.name, event + 1)), Err(error.to_string())));
                }
            }
        }
    }
}

/// Hands over a position, one of `supply2` once for each board that goes on, unless it names a board itself.
fn expand(id: Id, source: Result<Source, String>, sink: Sink<'_>) -> bool {
    let source = match source {
        Ok(source) if source.variant == AnyVariant::Supply2 && source.board.is_none() => source,
        other => return sink(id, other),
    };
    let game = match source.open() {
        Ok(super::game::AnyGame::Two(game, _)) => game,
        // A bad one is told where it is opened again.
        _ => return sink(id, Ok(source)),
    };
    let running: Vec<BoardId> = BoardId::ALL.into_iter().filter(|&board| !game.has_ended(board)).collect();
    if running.is_empty() {
        return sink(id, Ok(source));
    }
    running.into_iter().all(|board| sink(id.clone(), Ok(Source { board: Some(board.number()), ..source.clone() })))
}
