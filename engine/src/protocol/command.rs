//! A line becomes a command. Nothing here knows the game or the state of the session.
use super::dialect::Dialect;
use super::go::GoWords;
use super::standard::{self, Bare};
use crate::search::team::Talk;

/// A position as it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PositionWords {
    /// The FEN; `None` for `startpos`.
    pub(super) fen: Option<String>,
    /// The words after `moves`.
    pub(super) moves: Vec<String>,
    /// The words after each `over`: a board of `supply2` and how it was ended from outside.
    pub(super) over: Vec<[String; 2]>,
}

impl PositionWords {
    /// Reads `startpos` or `fen FEN`, then perhaps `moves …`. The FEN runs until `moves`.
    ///
    /// # Errors
    /// Something else; the text names the word.
    pub(super) fn parse(text: &str) -> Result<PositionWords, String> {
        let mut words = text.split_whitespace();
        let fen = match words.next() {
            Some("startpos") => match words.next() {
                None | Some("moves") => None,
                Some("over") => return Ok(PositionWords { fen: None, moves: Vec::new(), over: over(&mut words)? }),
                Some(word) => return Err(format!("expected moves after startpos, found `{word}`")),
            },
            Some("fen") => {
                let fen: Vec<&str> = words.by_ref().take_while(|w| *w != "moves").collect();
                if fen.is_empty() {
                    return Err("no FEN after `fen`".to_owned());
                }
                Some(fen.join(" "))
            }
            Some(word) => return Err(format!("expected startpos or fen, found `{word}`")),
            None => return Err("position without startpos or fen".to_owned()),
        };
        // A FEN runs until `moves`; without moves it may end at `over`.
        let (fen, early) = match fen.as_deref().and_then(|fen| fen.split_once(" over ")) {
            Some((before, after)) => (Some(before.to_owned()), over(&mut after.split_whitespace())?),
            None => (fen, Vec::new()),
        };
        let moves = words.by_ref().take_while(|w| *w != "over").map(str::to_owned).collect();
        let over = if early.is_empty() { over(&mut words)? } else { early };
        Ok(PositionWords { fen, moves, over })
    }
}

/// Reads `N RESULT [over N RESULT]`; the first `over` has been read.
fn over<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Vec<[String; 2]>, String> {
    let mut all = Vec::new();
    while let Some(board) = words.next() {
        let Some(result) = words.next() else { return Err(format!("no result after `over {board}`")) };
        all.push([board.to_owned(), result.to_owned()]);
        match words.next() {
            None | Some("over") => {}
            Some(word) => return Err(format!("expected over or the end of the line, found `{word}`")),
        }
    }
    Ok(all)
}

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// A greeting.
    Hello(Dialect),
    /// `isready`
    IsReady,
    /// `debug on|off`
    Debug(bool),
    /// `setoption`, the value without its blanks at both ends.
    #[allow(missing_docs)]
    SetOption { name: String, value: Option<String> },
    /// `ucinewgame` and its synonyms.
    NewGame,
    /// `position`, or what is wrong with it.
    Position(Result<PositionWords, String>),
    /// The same without the word `position`, as UCI-Cyclone has it.
    BarePosition(Result<PositionWords, String>),
    /// UCCI's `banmoves`.
    BanMoves(Vec<String>),
    /// `go`
    Go(Box<GoWords>),
    /// `ponderhit`; UCCI may add that the opponent offers a draw.
    #[allow(missing_docs)]
    PonderHit { draw: bool },
    /// `stop`
    Stop,
    /// UCCI's `probe`.
    Probe(Result<PositionWords, String>),
    /// `quit`
    Quit,
    /// `d`
    Display,
    /// `eval`
    Eval,
    /// `legal`
    Legal,
    /// `result`
    Result,
    /// `preview MOVE`
    Preview(String),
    /// `san MOVE`
    San(String),
    /// `team …`: what the partner in `supply2` wants.
    Team(Talk),
    /// `bench [HASH] [THREADS] [DEPTH]`
    Bench(String),
    /// Understood, and nothing is to be done.
    Nothing,
    /// Not understood; the line.
    Unknown(String),
    /// A line beyond the limit of the reader.
    TooLong,
}

/// The words of UCI that may follow unknown ones on a line ("joho debug on").
const STANDARD: &[&str] =
    &["uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];

/// Splits the first word off.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

impl Command {
    /// Reads a line, which is already free of line ends and control characters at its ends.
    pub(super) fn parse(line: &str, dialect: Dialect) -> Command {
        let line = line.trim();
        let (first, rest) = split_word(line);
        if first.is_empty() {
            return Command::Nothing;
        }
        let first = first.to_ascii_lowercase();
        if let Some(command) = Command::of_word(&first, rest.trim(), dialect) {
            return command;
        }
        if dialect != Dialect::Ucci
            && let Some(at) = standard_word(rest)
            && let (word, rest) = split_word(rest.get(at..).unwrap_or_default())
            && let Some(command) = Command::of_word(word, rest.trim(), dialect)
        {
            return command;
        }
        Command::Unknown(line.to_owned())
    }

    fn of_word(word: &str, rest: &str, dialect: Dialect) -> Option<Command> {
        Some(match word {
            "ucci" => Command::Hello(Dialect::Ucci),
            "ucicyclone" => Command::Hello(Dialect::Cyclone),
            "setoption" => set_option(rest),
            "position" => Command::Position(PositionWords::parse(rest)),
            "fen" | "startpos" => Command::BarePosition(PositionWords::parse(&format!("{word} {rest}"))),
            "go" => Command::Go(Box::new(GoWords::parse(rest))),
            "newgame" | "uccinewgame" => Command::NewGame,
            "register" => Command::Nothing,
            "debug" => match standard::read(&format!("debug {}", split_word(rest).0)) {
                Some(Bare::Debug(on)) => Command::Debug(on),
                _ => Command::Unknown(format!("{word} {rest}")),
            },
            "ponderhit" if split_word(rest).0 == "draw" => Command::PonderHit { draw: true },
            "banmoves" => Command::BanMoves(rest.split_whitespace().map(str::to_owned).collect()),
            "probe" if dialect == Dialect::Ucci => Command::Probe(PositionWords::parse(rest)),
            "d" => Command::Display,
            "eval" => Command::Eval,
            "legal" => Command::Legal,
            "result" => Command::Result,
            "preview" => Command::Preview(split_word(rest).0.to_owned()),
            "san" => Command::San(split_word(rest).0.to_owned()),
            "team" => Talk::parse(rest).map_or_else(|| Command::Unknown(format!("team {rest}")), Command::Team),
            "bench" => Command::Bench(rest.to_owned()),
            _ => match standard::read(word)? {
                Bare::Uci => Command::Hello(Dialect::Uci),
                Bare::Debug(on) => Command::Debug(on),
                Bare::IsReady => Command::IsReady,
                Bare::NewGame => Command::NewGame,
                Bare::Stop => Command::Stop,
                Bare::PonderHit => Command::PonderHit { draw: false },
                Bare::Quit => Command::Quit,
            },
        })
    }
}

/// Where the first standard word begins.
fn standard_word(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let (word, after) = split_word(rest);
        if word.is_empty() {
            return None;
        }
        if STANDARD.contains(&word) {
            return Some(text.len() - after.len() - word.len());
        }
        at = text.len() - after.len();
    }
}

/// `name N [value V]` in either protocol, and UCCI's `N [V]`.
fn set_option(text: &str) -> Command {
    let (first, rest) = split_word(text);
    if !first.eq_ignore_ascii_case("name") {
        let value = rest.trim();
        return Command::SetOption { name: first.to_owned(), value: (!value.is_empty()).then(|| value.to_owned()) };
    }
    let mut name: Vec<&str> = Vec::new();
    let mut tail = rest;
    loop {
        let (word, after) = split_word(tail);
        if word.is_empty() {
            return Command::SetOption { name: name.join(" "), value: None };
        }
        if word.eq_ignore_ascii_case("value") {
            return Command::SetOption { name: name.join(" "), value: Some(after.trim().to_owned()) };
        }
        name.push(word);
        tail = after;
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
