//! Writing the replay of a match while it is played.
use super::error::ReplayError;
use super::format::{Event, Extra, MatchResult, Player, Replay, Seats, Series, SupplyEntry, TimeControl};
use super::recorder::{Recorder, Timing};
use super::values::{BoardOutcome, EndReason, FormatName, FormatVersion, Milliseconds, Moment, Seat};
use indexmap::IndexMap;
use sanqi::games::Outcome;
use sanqi::games::supply::team::{BoardId, TeamError, TeamGame, TeamMove};
use std::time::Duration;

/// Collects a match turn by turn. [`ReplayBuilder::finish`] gives a replay that [`super::check()`] accepts, at any time: boards that still
/// run are written as unfinished.
#[derive(Debug, Clone)]
pub struct ReplayBuilder {
    recorder: Recorder,
    series: Series,
    started_at: Moment,
    seats: Seats,
    time_control: Option<TimeControl>,
    start_position: Option<String>,
    comments: Vec<String>,
    bpgn_tags: IndexMap<String, String>,
    events: Vec<Event>,
    supply: Vec<SupplyEntry>,
}

impl ReplayBuilder {
    /// A match from the start position.
    pub fn new(series: Series, started_at: Moment) -> ReplayBuilder {
        ReplayBuilder {
            recorder: Recorder::new(TeamGame::new()),
            series,
            started_at,
            seats: Seats::default(),
            time_control: None,
            start_position: None,
            comments: Vec::new(),
            bpgn_tags: IndexMap::new(),
            events: Vec::new(),
            supply: Vec::new(),
        }
    }

    /// A match from `FEN1 | FEN2`.
    ///
    /// # Errors
    /// No such position.
    pub fn from_position(series: Series, started_at: Moment, fen: &str) -> Result<ReplayBuilder, TeamError> {
        let game = TeamGame::from_fen(fen)?;
        let start_position = Some(game.fen());
        let recorder = Recorder::new(game);
        Ok(ReplayBuilder { recorder, start_position, ..ReplayBuilder::new(series, started_at) })
    }

    /// Says who sits on a seat.
    pub fn seat(&mut self, seat: Seat, player: Player) {
        *self.seats.get_mut(seat) = Some(player);
    }

    /// Says what the clocks show at the start and what a seat gets after each turn.
    pub fn time_control(&mut self, initial: Duration, increment: Duration) {
        self.time_control =
            Some(TimeControl { initial_ms: initial.into(), increment_ms: increment.into(), extra: Extra::new() });
    }

    /// Keeps a tag of a BPGN file that has no field here.
    pub(super) fn tag(&mut self, name: String, value: String) {
        self.bpgn_tags.insert(name, value);
    }

    /// How boards and match stand.
    pub(super) fn result(&self) -> MatchResult {
        self.recorder.result()
    }

    /// The match as it stands.
    pub fn game(&self) -> &TeamGame {
        self.recorder.game()
    }

    /// The latest time of an event or an end so far; an earlier one is written as this.
    pub(super) fn last_time(&self) -> Option<Milliseconds> {
        self.recorder.last_time()
    }

    /// Plays a turn. `clock` is what the seat's clock shows after it, increment included; `time` counts from the start of the match. The
    /// order of the calls is the order of the events: a time before that of an earlier event is written as that one's.
    ///
    /// # Errors
    /// The board has ended, or the move is not legal on it; nothing changes then.
    pub fn push(&mut self, played: TeamMove, clock: Option<Duration>, time: Option<Duration>) -> Result<(), TeamError> {
        let timing = Timing { clock: clock.map(Milliseconds::from), time: self.ordered(time) };
        let (event, supply) = self.recorder.play(played, timing)?;
        self.events.push(event);
        self.supply.extend(supply);
        Ok(())
    }

    /// Adds a comment on the last event, or on the match when there is none yet.
    pub fn comment(&mut self, text: String) {
        self.events.last_mut().map_or(&mut self.comments, |event| &mut event.comments).push(text);
    }

    /// Ends a board from outside (SX-6); the other board plays on. Ends by the rules are noted without being told.
    ///
    /// # Errors
    /// The board has ended already, or that reason cannot end a board so: an agreement draws, an adjudication may do anything, everything
    /// else has a loser. Nothing changes then.
    pub fn end(
        &mut self,
        board: BoardId,
        outcome: Outcome,
        reason: EndReason,
        time: Option<Duration>,
    ) -> Result<(), ReplayError> {
        let time = self.ordered(time);
        self.recorder.end(board, BoardOutcome::from(outcome), reason, time)
    }

    fn ordered(&self, time: Option<Duration>) -> Option<Milliseconds> {
        time.map(|time| Milliseconds::from(time).max(self.last_time().unwrap_or_default()))
    }

    /// The replay as it stands, exported now or, if that were earlier, at its start.
    pub fn finish(&self, exported_at: Moment) -> Replay {
        let early = exported_at.is_before(&self.started_at);
        Replay {
            format: FormatName::SupplyXiangqiReplay,
            version: FormatVersion,
            series: self.series.clone(),
            started_at: self.started_at.clone(),
            exported_at: if early { self.started_at.clone() } else { exported_at },
            seats: self.seats.clone(),
            time_control: self.time_control.clone(),
            start_position: self.start_position.clone(),
            comments: self.comments.clone(),
            bpgn_tags: self.bpgn_tags.clone(),
            result: self.recorder.result(),
            score: self.recorder.score(),
            events: self.events.clone(),
            supply_timeline: self.supply.clone(),
            extra: Extra::new(),
        }
    }
}
