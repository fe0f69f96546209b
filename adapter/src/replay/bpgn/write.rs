//! A replay as BPGN.
use super::{ending, player_tag, rating_tag, result_token, seat_letter, summary};
use crate::replay::check::{Playback, check};
use crate::replay::error::ReplayError;
use crate::replay::format::{Replay, TimeControl};
use crate::replay::values::{Milliseconds, Seat};
use indexmap::IndexMap;
use sanqi::board::Color;
use sanqi::games::Position;
use sanqi::games::supply::team::BoardId;

/// Lines of moves are broken here.
const WIDTH: usize = 100;

/// Writes a replay as BPGN. What BPGN has no place for is left out: fields that the format does not know, tags that a field tells or whose
/// name is none, and in comments and tags braces and line ends, which become brackets and blanks. [`super::losses()`] names it.
///
/// # Errors
/// The replay does not agree with the rules.
pub fn write(replay: &Replay) -> Result<String, ReplayError> {
    check(replay)?;
    let mut text = Tags::of(replay).text();
    text.push('\n');
    let mut playback = Playback::start(replay)?;
    // A board's turns are numbered in pairs, as its start position begins.
    let black_begins = BoardId::ALL.map(|board| usize::from(playback.game().position(board).side() == Color::Black));
    let mut moves = Moves::default();
    replay.comments.iter().for_each(|comment| moves.comment(comment));
    moves.endings(replay, 0);
    while let Some(event) = playback.step()? {
        let [one, two] = black_begins;
        let offset = if event.board == BoardId::One { one } else { two };
        let number = (event.ply + offset).div_ceil(2);
        let mut word = format!("{number}{}. {}", seat_letter(event.seat), event.move_text());
        if let Some(clock) = event.clock_ms {
            word.push_str(&format!("{{{}}}", clock.seconds()));
        }
        if let Some(time) = event.time_ms {
            word.push_str(&format!(" {{{}}}", stamp(time)));
        }
        moves.word(&word);
        event.comments.iter().for_each(|comment| moves.comment(comment));
        moves.endings(replay, event.number);
    }
    moves.word(&format!("{{{}}} {}", summary(&replay.result), result_token(&replay.result)));
    text.push_str(&moves.text);
    text.push('\n');
    Ok(text)
}

fn stamp(time: Milliseconds) -> String {
    format!("[ts={}]", time.seconds())
}

/// The movetext as it grows.
#[derive(Debug, Default)]
struct Moves {
    text: String,
    column: usize,
}

impl Moves {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            let broken = self.column + 1 + width > WIDTH;
            self.text.push(if broken { '\n' } else { ' ' });
            self.column = if broken { 0 } else { self.column + 1 };
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn comment(&mut self, comment: &str) {
        self.word(&format!("{{C: {}}}", plain(comment, true)));
    }

    /// The boards that were ended from outside after an event, in their order in time.
    fn endings(&mut self, replay: &Replay, number: usize) {
        let mut boards = BoardId::ALL;
        boards.sort_by_key(|&board| replay.result.board(board).time_ms);
        for board in boards {
            let end = replay.result.board(board);
            if end.reason.is_from_outside() && end.after_event == Some(number) {
                let time = end.time_ms.map_or_else(String::new, |time| format!(" {}", stamp(time)));
                self.word(&format!("{{{}{time}}}", ending(board, end.outcome.into(), end.reason)));
            }
        }
    }
}

/// Text without what would end it too early.
fn plain(text: &str, in_braces: bool) -> String {
    let replace = |c: char| match c {
        '{' if in_braces => '(',
        '}' if in_braces => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(replace).collect()
}

/// Tags as they are collected, each name once.
#[derive(Debug, Default)]
pub(super) struct Tags(IndexMap<String, String>);

impl Tags {
    fn add(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// Whether a tag is written, and so.
    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        self.0.get(name).is_some_and(|written| written == value)
    }

    fn text(&self) -> String {
        let line = |(name, value): (&String, &String)| {
            let value = plain(value, false).replace('\\', "\\\\").replace('"', "\\\"");
            format!("[{name} \"{value}\"]\n")
        };
        self.0.iter().map(line).collect()
    }

    /// The tags of a replay.
    pub(super) fn of(replay: &Replay) -> Tags {
        let mut tags = Tags::default();
        tags.add_fields(replay);
        for (name, value) in &replay.bpgn_tags {
            // A FEN without `startPosition` would move the match to another position.
            if is_tag_name(name) && !tags.0.contains_key(name) && !matches!(name.as_str(), "FEN" | "SetUp") {
                tags.add(name, value);
            }
        }
        tags
    }

    fn add_fields(&mut self, replay: &Replay) {
        let (mut date, mut time) = replay.started_at.pgn_tags();
        // Less exact ones stay as they were; `StartedAt` has what was taken for them.
        let kept = |name: &str| replay.bpgn_tags.get(name).cloned();
        if let Some(kept) = kept("Date").filter(|kept| replay.started_at.allows_date(kept)) {
            date = kept;
        }
        if let Some(kept) = kept("Time").filter(|kept| replay.started_at.allows_time(kept)) {
            time = kept;
        }
        self.add("Event", &replay.series.name);
        if let Some(site) = &replay.series.site {
            self.add("Site", site);
        }
        self.add("Date", date);
        self.add("Time", time);
        if let Some(number) = replay.series.number {
            self.add("Round", number.to_string());
        }
        for seat in Seat::ALL {
            let player = replay.seats.get(seat);
            self.add(player_tag(seat), player.map_or("?", |player| &player.name));
            if let Some(rating) = player.and_then(|player| player.rating) {
                self.add(rating_tag(seat), rating.to_string());
            }
        }
        if let Some(control) = &replay.time_control {
            self.add("TimeControl", time_control(control));
        }
        self.add("Variant", "supply2");
        if let Some(fen) = &replay.start_position {
            self.add("SetUp", "1");
            self.add("FEN", fen);
        }
        self.add("StartedAt", replay.started_at.text());
        self.add("ExportedAt", replay.exported_at.text());
        self.add("Result", result_token(&replay.result));
    }
}

/// Letters, digits and underscores, as PGN has them.
pub(in crate::replay) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `300+2`, in seconds.
fn time_control(control: &TimeControl) -> String {
    let seconds = |time: Milliseconds| {
        let text = time.seconds();
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let (initial, increment) = (seconds(control.initial_ms), seconds(control.increment_ms));
    format!("{initial}+{increment}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::format::Extra;

    #[test]
    fn time_controls_are_seconds() {
        let text = |initial: u64, increment: u64| {
            time_control(&TimeControl {
                initial_ms: Milliseconds::try_from(initial).unwrap(),
                increment_ms: Milliseconds::try_from(increment).unwrap(),
                extra: Extra::new(),
            })
        };
        assert_eq!(text(300_000, 2_000), "300+2");
        assert_eq!(text(0, 0), "0+0");
        assert_eq!(text(8_000, 80), "8+0.08");
    }
}
