//! BPGN as a replay.
use super::tags::Tags;
use super::{board_letter, result_token, seat_letter, summary};
use crate::pgn::cut_games;
use crate::replay::ReplayBuilder;
use crate::replay::error::{Place, ReplayError, Warning};
use crate::replay::format::Replay;
use crate::replay::kinds::not_bpgn;
use crate::replay::values::{EndReason, Milliseconds, Moment, Seat};
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, TeamGame};
use sanqi::games::{Outcome, Position, RankBase};
use std::num::NonZeroUsize;
use std::time::Duration;

/// A piece of the text and the line it begins on.
#[derive(Debug, PartialEq, Eq)]
struct Token<'a> {
    line: usize,
    kind: TokenKind<'a>,
}

#[derive(Debug, PartialEq, Eq)]
enum TokenKind<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// What stands in braces.
    Brace(&'a str),
    /// `12A.`
    Turn(usize, char),
    /// Anything else up to a blank or a brace.
    Word(&'a str),
}

/// A match that has been read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The match.
    pub replay: Replay,
    /// What is another in it than in the text, in the order of the lines but for those of tags, which come first.
    pub warnings: Vec<Warning>,
}

/// Warnings as they are collected.
#[derive(Debug, Default)]
pub(super) struct Warnings(Vec<Warning>);

impl Warnings {
    /// Adds one.
    pub(super) fn add(&mut self, line: usize, why: String) {
        self.0.push(Warning { place: Place::Line(line), why });
    }
}

/// Reads one match. `now` becomes `exportedAt` unless a tag tells it.
///
/// # Errors
/// Names the line, or the command that reads what the text is instead of BPGN.
pub fn read(text: &str, now: Moment) -> Result<Reading, ReplayError> {
    read_match(text, now).map_err(|error| not_bpgn(text, error))
}

fn read_match(text: &str, now: Moment) -> Result<Reading, ReplayError> {
    let tokens = tokens(text)?;
    let mut tags = Tags::default();
    let mut rest = tokens.as_slice();
    while let [Token { line, kind: TokenKind::Tag(name, value) }, others @ ..] = rest {
        tags.insert(*line, name, value)?;
        rest = others;
    }
    let mut warnings = Warnings::default();
    let (mut builder, exported_at) = tags.begin(now, &mut warnings)?;
    let mut movetext = Movetext::new(builder.game(), warnings);
    let result_line = loop {
        let Some((token, others)) = rest.split_first() else {
            return Err(wrong(text.lines().count().max(1), "the text ends without a result"));
        };
        rest = others;
        if movetext.take(token, &mut rest, &mut builder)? {
            break token.line;
        }
    };
    if let Some(extra) = rest.first() {
        return Err(wrong(extra.line, "something follows after the result"));
    }
    let replay = builder.finish(exported_at);
    let expected = result_token(&replay.result);
    if movetext.result != expected {
        return Err(wrong(result_line, format!("expected the result {expected}, found {}", movetext.result)));
    }
    match tags.result {
        Some((line, result)) if result != expected => {
            Err(wrong(line, format!("expected the tag Result to be {expected}, found {result}")))
        }
        _ => Ok(Reading { replay, warnings: movetext.warnings.0 }),
    }
}

/// Whether a text is BPGN: its first game is a match on two boards.
pub fn is_bpgn(text: &str) -> bool {
    cut_games(text).first().is_some_and(|(_, game)| game.lines().any(|line| line.trim_start().starts_with("[WhiteA ")))
}

/// Reads all matches of a text; with each comes the number of its first line, from 1.
pub fn read_all(text: &str, now: &Moment) -> Vec<(usize, Result<Reading, ReplayError>)> {
    cut_games(text).into_iter().map(|(first, part)| (first, read_part(first, part, now.clone()))).collect()
}

/// Reads match `number` of a text, from 1; without a number the only one.
///
/// # Errors
/// There is no such match, or there are several; otherwise as [`read`].
pub fn read_one(text: &str, number: Option<NonZeroUsize>, now: Moment) -> Result<Reading, ReplayError> {
    let parts = cut_games(text);
    match (number, parts.as_slice()) {
        // A tag among the moves of one match does not make it two.
        (None, [(_, first), (second, _), ..]) if read(first, now.clone()).is_ok() => {
            Err(wrong(*second, format!("another match begins here: choose one of {} with --match", parts.len())))
        }
        (None, _) => read(text, now),
        (Some(number), parts) => match parts.get(number.get() - 1) {
            Some(&(first, part)) => read_part(first, part, now),
            None => Err(wrong(text.lines().count().max(1), format!("no match {number}: the text has {}", parts.len()))),
        },
    }
}

/// Reads a match that begins on line `first` of the text; errors and warnings name lines of the whole.
fn read_part(first: usize, part: &str, now: Moment) -> Result<Reading, ReplayError> {
    let mut reading = read(part, now).map_err(|error| match error {
        ReplayError::Bpgn { line, why } => wrong(line + first - 1, why),
        other => other,
    })?;
    for warning in &mut reading.warnings {
        if let Place::Line(line) = &mut warning.place {
            *line += first - 1;
        }
    }
    Ok(reading)
}

/// What is wrong with a line.
pub(super) fn wrong(line: usize, why: impl Into<String>) -> ReplayError {
    ReplayError::Bpgn { line, why: why.into() }
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, ReplayError> {
    let mut tokens = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut line = 1;
    loop {
        let trimmed = rest.trim_start();
        let blank = rest.get(..rest.len() - trimmed.len()).unwrap_or_default();
        line += blank.matches('\n').count();
        let Some(first) = trimmed.chars().next() else { return Ok(tokens) };
        let (kind, tail) = match first {
            '[' => tag(trimmed).ok_or_else(|| wrong(line, "expected a tag [Name \"value\"]"))?,
            '{' => {
                let inner = trimmed.strip_prefix('{').and_then(|inner| inner.split_once('}'));
                let (inner, tail) = inner.ok_or_else(|| wrong(line, "a brace that is not closed"))?;
                (TokenKind::Brace(inner), tail)
            }
            _ => {
                let end = trimmed.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(trimmed.len());
                let (word, tail) = trimmed.split_at_checked(end).unwrap_or((trimmed, ""));
                match turn(word) {
                    Some((kind, after)) => (kind, trimmed.get(word.len() - after.len()..).unwrap_or(tail)),
                    None => (TokenKind::Word(word), tail),
                }
            }
        };
        let taken = trimmed.get(..trimmed.len() - tail.len()).unwrap_or_default();
        tokens.push(Token { line, kind });
        line += taken.matches('\n').count();
        rest = tail;
    }
}

/// Reads `[Name "value"]` with `\"` and `\\` in the value.
fn tag(text: &str) -> Option<(TokenKind<'_>, &str)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let (name, rest) = inner.split_at_checked(inner.find(|c: char| c.is_whitespace() || c == '"')?)?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => break,
            '\\' => value.push(letters.next()?),
            '\n' => return None,
            letter => value.push(letter),
        }
    }
    let tail = letters.as_str().trim_start().strip_prefix(']')?;
    (!name.is_empty()).then_some((TokenKind::Tag(name, value), tail))
}

/// The name of the tag that a text begins with, and what follows it.
pub(in crate::replay) fn leading_tag(text: &str) -> Option<(&str, &str)> {
    match tag(text)? {
        (TokenKind::Tag(name, _), tail) => Some((name, tail)),
        _ => None,
    }
}

/// Reads `12A.` at the start of a word.
fn turn(word: &str) -> Option<(TokenKind<'_>, &str)> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = word.split_at_checked(digits)?;
    let mut letters = rest.chars();
    let letter = letters.next().filter(|c| matches!(c, 'A' | 'a' | 'B' | 'b'))?;
    let tail = letters.as_str().strip_prefix('.')?;
    Some((TokenKind::Turn(number.parse().ok()?, letter), tail))
}

/// A span of time, for the builder.
pub(super) fn duration(time: Milliseconds) -> Duration {
    Duration::from_millis(time.get())
}

/// Reads `[ts=12.345]`.
fn stamp(text: &str) -> Option<Duration> {
    Milliseconds::from_seconds(text.trim().strip_prefix("[ts=")?.strip_suffix(']')?).map(duration)
}

/// The movetext being read.
#[derive(Debug)]
struct Movetext<'a> {
    /// Half turns passed on each board, counted from Red's first.
    turns: [usize; 2],
    /// A brace of a kind that is not known. Before the result it is the summary, elsewhere a comment.
    remark: Option<&'a str>,
    result: &'a str,
    warnings: Warnings,
}

impl<'a> Movetext<'a> {
    fn new(game: &TeamGame, warnings: Warnings) -> Movetext<'a> {
        let turns = BoardId::ALL.map(|board| usize::from(game.position(board).side() == Color::Black));
        Movetext { turns, remark: None, result: "", warnings }
    }

    /// Takes a token, and from `rest` what belongs to it. True when it was the result.
    fn take(
        &mut self,
        token: &Token<'a>,
        rest: &mut &[Token<'a>],
        builder: &mut ReplayBuilder,
    ) -> Result<bool, ReplayError> {
        let line = token.line;
        let remark = self.remark.take();
        match token.kind {
            TokenKind::Word(word @ ("1-0" | "0-1" | "1/2-1/2" | "*")) => {
                let known = summary(&builder.result());
                if let Some(remark) = remark.filter(|remark| *remark != known) {
                    builder.comment(remark.to_owned());
                }
                self.result = word;
                return Ok(true);
            }
            _ => {
                if let Some(remark) = remark {
                    builder.comment(remark.to_owned());
                }
            }
        }
        match token.kind {
            TokenKind::Turn(number, letter) => self.turn(number, letter, line, rest, builder)?,
            TokenKind::Brace(inner) => match (inner.strip_prefix("C:"), ending(inner)) {
                (Some(comment), _) => builder.comment(comment.strip_prefix(' ').unwrap_or(comment).to_owned()),
                (None, Some((board, outcome, reason, time))) => {
                    self.note_time(line, || format!("the end of board {}", board_letter(board)), time, builder);
                    builder.end(board, outcome, reason, time).map_err(|error| wrong(line, error.to_string()))?;
                }
                (None, None) => self.remark = Some(inner),
            },
            TokenKind::Tag(name, _) => return Err(wrong(line, format!("tag {name} among the moves"))),
            TokenKind::Word(word) => {
                return Err(wrong(line, format!("expected a turn such as 1A., a brace or the result, found {word}")));
            }
        }
        Ok(false)
    }

    fn turn(
        &mut self,
        number: usize,
        letter: char,
        line: usize,
        rest: &mut &[Token<'a>],
        builder: &mut ReplayBuilder,
    ) -> Result<(), ReplayError> {
        let seat = Seat::ALL.into_iter().find(|&seat| seat_letter(seat) == letter);
        let seat = seat.ok_or_else(|| wrong(line, format!("no seat {letter}")))?;
        let [one, two] = &mut self.turns;
        let turns = if seat.board() == BoardId::One { one } else { two };
        let expected = Seat::of(seat.board(), builder.game().position(seat.board()).side());
        let expected = format!("{}{}.", *turns / 2 + 1, seat_letter(expected));
        *turns += 1;
        let found = format!("{number}{letter}.");
        if expected != found {
            return Err(wrong(line, format!("expected {expected} as the next turn on this board, found {found}")));
        }
        let Some((Token { kind: TokenKind::Word(word), .. }, others)) = rest.split_first() else {
            return Err(wrong(line, format!("no move after {found}")));
        };
        *rest = others;
        let mut clock = None;
        let mut time = None;
        while let Some((Token { kind: TokenKind::Brace(inner), .. }, others)) = rest.split_first() {
            match (Milliseconds::from_seconds(inner.trim()), stamp(inner)) {
                (Some(read), _) if clock.is_none() => clock = Some(duration(read)),
                (None, Some(read)) if time.is_none() => time = Some(read),
                _ => break,
            }
            *rest = others;
        }
        let played = builder.game().parse_move(&format!("{}{word}", seat.board()), RankBase::One);
        self.note_time(line, || format!("{found} {word}"), time, builder);
        let played = played.and_then(|played| builder.push(played, clock, time));
        played.map_err(|error| wrong(line, format!("{found} {word}: {error}")))
    }

    /// Says that a time runs backwards, which the builder then does not let it.
    fn note_time(&mut self, line: usize, what: impl Fn() -> String, time: Option<Duration>, builder: &ReplayBuilder) {
        let (Some(time), Some(before)) = (time.map(Milliseconds::from), builder.last_time()) else { return };
        if time < before {
            let (what, time, before) = (what(), time.seconds(), before.seconds());
            self.warnings.add(
                line,
                format!("{what}: the time {time} is before the {before} that went before it, which is taken"),
            );
        }
    }
}

/// Reads `board A 0-1 flag`, with a time if it is told, when that is an end from outside.
fn ending(text: &str) -> Option<(BoardId, Outcome, EndReason, Option<Duration>)> {
    let mut words = text.split(' ');
    let (Some("board"), Some(letter), Some(outcome), Some(reason)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return None;
    };
    let board = BoardId::ALL.into_iter().find(|&board| letter.chars().eq([board_letter(board)]))?;
    let outcomes = [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw];
    let outcome = outcomes.into_iter().find(|known| known.to_string() == outcome)?;
    let reason = reason.parse::<EndReason>().ok().filter(|reason| reason.is_from_outside())?;
    let time = match (words.next(), words.next()) {
        (None, _) => None,
        (Some(word), None) => Some(stamp(word)?),
        (Some(_), Some(_)) => return None,
    };
    Some((board, outcome, reason, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_falls_into_tokens() {
        let text = "[A \"x \\\" y\"][B \"\"]\n\n1A. h3e3{298.21} {C: two\nlines} 1a.P@a7 *";
        let found = tokens(text).unwrap();
        let kinds: Vec<_> = found.iter().map(|token| (token.line, &token.kind)).collect();
        let expected = [
            (1, TokenKind::Tag("A", "x \" y".to_owned())),
            (1, TokenKind::Tag("B", String::new())),
            (3, TokenKind::Turn(1, 'A')),
            (3, TokenKind::Word("h3e3")),
            (3, TokenKind::Brace("298.21")),
            (3, TokenKind::Brace("C: two\nlines")),
            (4, TokenKind::Turn(1, 'a')),
            (4, TokenKind::Word("P@a7")),
            (4, TokenKind::Word("*")),
        ];
        assert_eq!(kinds, expected.iter().map(|(line, kind)| (*line, kind)).collect::<Vec<_>>());
        for bad in ["[A", "[A \"", "[A \"x\"", "[\"x\"]", "[A x]", "{", "1A. h3e3 {"] {
            assert!(tokens(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn endings_are_told_apart_from_remarks() {
        let time = Some(Duration::from_millis(1_500));
        assert_eq!(
            ending("board B 0-1 flag [ts=1.5]"),
            Some((BoardId::Two, Outcome::Win(Color::Black), EndReason::Flag, time))
        );
        for remark in
            ["board A 1-0 checkmate", "board C 1-0 flag", "board A * flag", "WA checkmated", "board A 1-0 flag x"]
        {
            assert_eq!(ending(remark), None, "{remark}");
        }
    }
}
