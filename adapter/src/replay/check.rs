//! A replay played again by the rules, and compared with what it says about itself.
use super::error::{Place, ReplayError};
use super::format::{BoardResult, Event, EventKind, Replay, SupplyEntry};
use super::recorder::{Recorder, Timing, reserve_of};
use super::values::{BoardOutcome, EndReason, Milliseconds, Piece, Seat, Side};
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove};
use sanqi::games::{Outcome, Position, RankBase};
use std::fmt::Display;

/// The two-board position a replay begins with.
///
/// # Errors
/// `startPosition` is no position.
pub fn start_of(replay: &Replay) -> Result<TeamGame, ReplayError> {
    match &replay.start_position {
        None => Ok(TeamGame::new()),
        Some(fen) => TeamGame::from_fen(fen).map_err(|error| ReplayError::rule(Place::field("startPosition"), error)),
    }
}

/// Plays a replay to its end and compares events, supply timeline, result and score, in this order, with what the rules give.
///
/// # Errors
/// The first disagreement.
pub fn check(replay: &Replay) -> Result<(), ReplayError> {
    if replay.exported_at.is_before(&replay.started_at) {
        let expected = format!("{} or later", replay.started_at);
        return Err(ReplayError::disagreement(Place::field("exportedAt"), expected, &replay.exported_at));
    }
    let mut playback = Playback::start(replay)?;
    while playback.step()?.is_some() {}
    playback.compare_timeline()?;
    playback.compare_result()?;
    playback.compare_score()
}

/// A replay being played again. Every event that it has passed agrees with the rules.
#[derive(Debug)]
pub struct Playback<'a> {
    replay: &'a Replay,
    recorder: Recorder,
    supply: Vec<SupplyEntry>,
}

impl<'a> Playback<'a> {
    /// Before the first event.
    ///
    /// # Errors
    /// `startPosition` is no position, or a board ends before the first event as it cannot end.
    pub fn start(replay: &'a Replay) -> Result<Playback<'a>, ReplayError> {
        let recorder = Recorder::new(start_of(replay)?);
        let mut playback = Playback { replay, recorder, supply: Vec::new() };
        playback.end_from_outside()?;
        Ok(playback)
    }

    /// After the first `number` events.
    ///
    /// # Errors
    /// There are fewer, or one of them disagrees with the rules.
    pub fn until(replay: &'a Replay, number: usize) -> Result<Playback<'a>, ReplayError> {
        let mut playback = Playback::start(replay)?;
        for _ in 0..number {
            if playback.step()?.is_none() {
                let there = replay.events.len();
                return Err(ReplayError::rule(Place::event(number, ""), format!("there are only {there} events")));
            }
        }
        Ok(playback)
    }

    /// The match as it stands.
    pub fn game(&self) -> &TeamGame {
        self.recorder.game()
    }

    /// Events passed.
    pub fn events(&self) -> usize {
        self.recorder.events()
    }

    /// The event passed last.
    pub fn last_event(&self) -> Option<&'a Event> {
        self.replay.events.get(self.events().checked_sub(1)?)
    }

    /// How a board has ended, if it has by now.
    pub fn end_of(&self, board: BoardId) -> Option<&BoardResult> {
        self.recorder.end_of(board)
    }

    /// Plays the next event; `None` when there is none.
    ///
    /// # Errors
    /// It disagrees with the rules.
    pub fn step(&mut self) -> Result<Option<&'a Event>, ReplayError> {
        let number = self.events() + 1;
        let Some(event) = self.replay.events.get(number - 1) else { return Ok(None) };
        let played = self.read(event, number)?;
        let timing = Timing { clock: event.clock_ms, time: event.time_ms };
        let place = |field| Place::event(number, field);
        if event.time_ms.is_some() {
            not_before(|| place("timeMs"), self.recorder.last_time(), event.time_ms)?;
        }
        let (expected, supply) =
            self.recorder.play(played, timing).map_err(|error| ReplayError::rule(place(""), error))?;
        agree(|| place("seat"), expected.seat, event.seat)?;
        agree(|| place("ply"), expected.ply, event.ply)?;
        agree_if_any(|| place("captured"), expected.captured, event.captured)?;
        let (after, found) = (&expected.reserves_after, &event.reserves_after);
        agree(|| place("reservesAfter.board1"), quoted(&after.board1), quoted(&found.board1))?;
        agree(|| place("reservesAfter.board2"), quoted(&after.board2), quoted(&found.board2))?;
        self.supply.extend(supply);
        self.end_from_outside()?;
        Ok(Some(event))
    }

    /// The move that an event is, if it is legal.
    fn read(&self, event: &Event, number: usize) -> Result<TeamMove, ReplayError> {
        let place = |field| Place::event(number, field);
        agree(|| place("number"), number, event.number)?;
        let board = event.board;
        if let Some(end) = self.recorder.end_of(board) {
            let after = end.after_event.unwrap_or(0);
            let why = format!("board {board} has ended ({}) after event {after}", end.reason);
            return Err(ReplayError::rule(place("board"), why));
        }
        let game = self.game();
        let position = game.position(board);
        let color = position.side();
        agree(|| place("side"), Side::from(color), event.side)?;
        match (event.kind, event.from) {
            (EventKind::Move, Some(from)) => {
                let found = position.piece_at(from.square()).map(Piece::from_code);
                let Some(found) = found else {
                    return Err(ReplayError::rule(place("from"), format!("no piece on {from}")));
                };
                agree(|| place("piece"), found, event.piece)?;
            }
            (EventKind::Drop, None) => {
                let held = position.reserve(color, event.piece.kind) > 0 && event.piece.color == color;
                if !held {
                    let reserve = reserve_of(game, board, color);
                    let expected = format!("a piece of the reserve {}", quoted(&reserve));
                    return Err(ReplayError::disagreement(place("piece"), expected, event.piece));
                }
            }
            (EventKind::Move, None) => {
                return Err(ReplayError::rule(place("from"), "missing, a move needs it"));
            }
            (EventKind::Drop, Some(from)) => {
                return Err(ReplayError::disagreement(place("from"), "nothing for a drop", from));
            }
        }
        let mv = position.parse_move(&event.move_text(), RankBase::One);
        let mv = mv.map_err(|error| ReplayError::rule(place(""), format!("{error} on board {board}")))?;
        Ok(TeamMove { board, mv })
    }

    /// Ends the boards that the result says were ended from outside at this point.
    fn end_from_outside(&mut self) -> Result<(), ReplayError> {
        // Two boards may end after the same event in any order, but not before what was earlier than that.
        let last = self.recorder.last_time();
        for board in BoardId::ALL {
            let end = self.replay.result.board(board);
            if end.after_event != Some(self.events()) || !end.reason.is_from_outside() {
                continue;
            }
            let place = |field: &str| Place::field(format!("result.board{board}.{field}"));
            if let Some(already) = self.recorder.end_of(board) {
                return Err(ReplayError::disagreement(place("reason"), already.reason, end.reason));
            }
            if !end.reason.allows(end.outcome) {
                let why = format!("`{}` cannot be how {} comes about", end.reason, outcome_name(end.outcome));
                return Err(ReplayError::rule(place("outcome"), why));
            }
            if end.time_ms.is_some() {
                not_before(|| place("timeMs"), last, end.time_ms)?;
            }
            self.recorder.end(board, end.outcome, end.reason, end.time_ms)?;
        }
        Ok(())
    }

    fn compare_timeline(&self) -> Result<(), ReplayError> {
        let found = &self.replay.supply_timeline;
        for (index, expected) in self.supply.iter().enumerate() {
            let place = |field: &str| Place::Supply(index + 1, field.to_owned());
            let Some(found) = found.get(index) else {
                let expected = format!("an entry for event {}", expected.event);
                return Err(ReplayError::disagreement(place(""), expected, "the end of the timeline"));
            };
            agree(|| place("event"), expected.event, found.event)?;
            if expected.change != found.change {
                return Err(ReplayError::disagreement(place("change"), supply_name(expected), supply_name(found)));
            }
            agree(|| place("board"), expected.board, found.board)?;
            agree(|| place("seat"), expected.seat, found.seat)?;
            agree(|| place("side"), expected.side, found.side)?;
            agree(|| place("piece"), expected.piece, found.piece)?;
            agree(|| place("reserve"), quoted(&expected.reserve), quoted(&found.reserve))?;
            agree_if_any(|| place("timeMs"), expected.time_ms, found.time_ms)?;
        }
        match found.get(self.supply.len()) {
            None => Ok(()),
            Some(extra) => {
                let place = Place::Supply(self.supply.len() + 1, String::new());
                let found = format!("an entry for event {}", extra.event);
                Err(ReplayError::disagreement(place, "the end of the timeline", found))
            }
        }
    }

    fn compare_result(&self) -> Result<(), ReplayError> {
        let (expected, found) = (self.recorder.result(), &self.replay.result);
        for board in BoardId::ALL {
            let place = |field: &str| Place::field(format!("result.board{board}.{field}"));
            let (expected, found) = (expected.board(board), found.board(board));
            // An end from outside that was not met on the way lies behind the last event.
            if found.reason.is_from_outside() && expected.reason == EndReason::Unfinished {
                let expected = format!("an event number up to {}", self.events());
                let found = found.after_event.map_or_else(|| "nothing".to_owned(), |number| number.to_string());
                return Err(ReplayError::disagreement(place("afterEvent"), expected, found));
            }
            agree(|| place("outcome"), expected.outcome, found.outcome)?;
            agree(|| place("reason"), expected.reason, found.reason)?;
            agree_if_any(|| place("afterEvent"), expected.after_event, found.after_event)?;
            agree_if_any(|| place("timeMs"), expected.time_ms, found.time_ms)?;
        }
        agree(|| Place::field("result.match"), expected.outcome, found.outcome)
    }

    fn compare_score(&self) -> Result<(), ReplayError> {
        let (expected, found) = (self.recorder.score(), &self.replay.score);
        agree(|| Place::field("score.team1"), expected.team1, found.team1)?;
        agree(|| Place::field("score.team2"), expected.team2, found.team2)
    }

    /// The match as the protocol's `position` command. Boards that were ended from outside follow with `over`; those the rules have ended
    /// need no telling.
    pub fn position_command(&self) -> String {
        let mut words = match &self.replay.start_position {
            None => "position startpos".to_owned(),
            Some(_) => {
                // Written anew: one spelling, whatever the file has.
                let start = start_of(self.replay).map_or_else(|_| String::new(), |game| game.fen());
                format!("position fen {start}")
            }
        };
        let played = self.replay.events.get(..self.events()).unwrap_or_default();
        if !played.is_empty() {
            words.push_str(" moves");
        }
        for event in played {
            words.push_str(&format!(" {}{}", event.board, event.move_text()));
        }
        for board in BoardId::ALL {
            if let Some(end) = self.end_of(board).filter(|end| end.reason.is_from_outside()) {
                words.push_str(&format!(" over {board} {}", Outcome::from(end.outcome)));
            }
        }
        words
    }

    /// Whose turn it is on a board; `None` once it has ended.
    pub fn turn_on(&self, board: BoardId) -> Option<Seat> {
        let color: Color = self.game().position(board).side();
        self.end_of(board).is_none().then(|| Seat::of(board, color))
    }
}

fn outcome_name(outcome: BoardOutcome) -> &'static str {
    match outcome {
        BoardOutcome::Red => "a win of Red",
        BoardOutcome::Black => "a win of Black",
        BoardOutcome::Draw => "a draw",
        BoardOutcome::Unfinished => "an unfinished board",
    }
}

fn supply_name(entry: &SupplyEntry) -> &'static str {
    match entry.change {
        super::format::SupplyChange::Received => "received",
        super::format::SupplyChange::Dropped => "dropped",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

fn agree<T: PartialEq + Display>(place: impl Fn() -> Place, expected: T, found: T) -> Result<(), ReplayError> {
    if expected == found { Ok(()) } else { Err(ReplayError::disagreement(place(), expected, found)) }
}

fn agree_if_any<T: PartialEq + Display>(
    place: impl Fn() -> Place,
    expected: Option<T>,
    found: Option<T>,
) -> Result<(), ReplayError> {
    let text = |value: Option<T>| value.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
    if expected == found { Ok(()) } else { Err(ReplayError::disagreement(place(), text(expected), text(found))) }
}

/// The order of the events is their order in time.
fn not_before(
    place: impl Fn() -> Place,
    earliest: Option<Milliseconds>,
    found: Option<Milliseconds>,
) -> Result<(), ReplayError> {
    match (earliest, found) {
        (Some(earliest), Some(found)) if found < earliest => {
            Err(ReplayError::disagreement(place(), format!("at least {earliest}"), found))
        }
        _ => Ok(()),
    }
}
