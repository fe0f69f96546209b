//! One of the four seats of a match.
use super::super::clock::Clock;
use super::super::referee::BestInfo;
use super::super::seat::Seat;
use crate::engine::{EngineError, Said};
use tokio::time::Instant;

/// What a seat's engine is doing.
#[derive(Debug)]
pub(super) enum Activity {
    /// Nothing.
    Idle,
    /// It has been sent the position and is to say that it is ready.
    Preparing {
        /// A piece arrived meanwhile: it has to be sent the position again.
        stale: bool,
    },
    /// It thinks.
    Thinking(Search),
}

/// A search in progress.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// What it has said so far.
    pub(super) infos: BestInfo,
    /// It has been told to stop, because it is late or because a piece has arrived.
    pub(super) stopped: bool,
    /// A piece has arrived: its move is passed over, and it is asked again.
    pub(super) again: bool,
}

/// A seat.
pub(super) struct TeamSeat<'a> {
    pub(super) seat: &'a mut Seat,
    pub(super) clock: Clock,
    pub(super) activity: Activity,
    /// When its turn began; its clock runs from there. `None` until it has been told to think.
    pub(super) since: Option<Instant>,
    /// What it is waited for next.
    pub(super) deadline: Option<Instant>,
    /// Its process is gone.
    pub(super) dead: bool,
    /// Arrivals that it is to hear of behind the move that it is about to be told.
    pub(super) arrivals: Vec<String>,
}

impl<'a> TeamSeat<'a> {
    pub(super) fn new(seat: &'a mut Seat) -> TeamSeat<'a> {
        let clock = Clock::new(seat.settings.limit);
        TeamSeat {
            seat,
            clock,
            activity: Activity::Idle,
            since: None,
            deadline: None,
            dead: false,
            arrivals: Vec::new(),
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        !matches!(self.activity, Activity::Idle)
    }

    /// The next thing it says, `None` when its deadline passes first. One that is gone can only be told from its silence where it is waited for;
    /// otherwise this waits for ever.
    pub(super) async fn next(&mut self) -> Result<Option<Said>, EngineError> {
        let is_busy = self.is_busy();
        let deadline = if is_busy { self.deadline } else { None };
        match self.seat.player() {
            Some(player) if !self.dead => player.next(deadline).await,
            // It may have been found dead when it was told of a piece, or to stop.
            _ if is_busy => Err(EngineError::Died { status: "it takes no more lines".to_owned() }),
            _ => std::future::pending().await,
        }
    }

    /// Sends lines to its engine. One that does not take them is found dead when it is its turn.
    pub(super) async fn send(&mut self, line: &str) {
        if let Some(player) = self.seat.player()
            && !self.dead
            && player.send(line).await.is_err()
        {
            self.dead = true;
        }
    }
}

/// Waits for whoever speaks first, or whose deadline passes first; its place at the table.
pub(super) async fn first_word(seats: &mut [TeamSeat<'_>; 4]) -> (usize, Result<Option<Said>, EngineError>) {
    let [a, b, c, d] = seats;
    tokio::select! {
        said = a.next() => (0, said),
        said = b.next() => (1, said),
        said = c.next() => (2, said),
        said = d.next() => (3, said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Timeouts;
    use crate::runner::settings::EngineSettings;
    use std::time::Duration;
    use tokio::time::timeout;

    /// Else the match would wait for ever: its deadline is that of a living one.
    #[tokio::test]
    async fn a_dead_seat_that_is_waited_for_says_so() {
        let mut inner = Seat::new(EngineSettings::default(), Timeouts::default(), None);
        let mut seat = TeamSeat::new(&mut inner);
        seat.dead = true;
        assert!(timeout(Duration::from_millis(1), seat.next()).await.is_err());
        for activity in [Activity::Thinking(Search::default()), Activity::Preparing { stale: true }] {
            seat.activity = activity;
            let said = timeout(Duration::from_secs(60), seat.next()).await;
            assert!(matches!(said, Ok(Err(EngineError::Died { .. }))), "{said:?}");
        }
    }
}
