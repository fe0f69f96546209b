//! One engine's clock. It knows durations only; who measures them is not its business, so it can be tested without waiting.
use super::settings::SearchLimit;
use crate::engine::Limits;
use sanqi::board::Color;
use std::time::Duration;

/// Beyond its clock and margin an engine gets this long before it is told to stop, so that a move which is just too late is seen.
const GRACE: Duration = Duration::from_millis(100);

/// The clock of one engine in one game.
#[derive(Debug, Clone)]
pub struct Clock {
    limit: SearchLimit,
    left: Duration,
    moves_to_go: u32,
}

/// By how much an engine overstepped its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overrun(pub Duration);

impl Clock {
    /// A clock at the start of a game. The first move has its increment already, as with fastchess and cutechess.
    pub fn new(limit: SearchLimit) -> Clock {
        let left = Duration::from_millis(limit.tc.time + limit.tc.increment);
        Clock { limit, left, moves_to_go: limit.tc.moves }
    }

    fn is_timed(&self) -> bool {
        self.limit.tc.time + self.limit.tc.increment > 0
    }

    /// Time for the next move; `None` when only nodes or depth limit it.
    pub fn budget(&self) -> Option<Duration> {
        if self.is_timed() {
            Some(self.left)
        } else if self.limit.tc.fixed_time > 0 {
            Some(Duration::from_millis(self.limit.tc.fixed_time))
        } else {
            None
        }
    }

    /// How long to wait for a move before telling the engine to stop.
    pub fn patience(&self) -> Option<Duration> {
        Some(self.budget()? + self.margin() + GRACE)
    }

    fn margin(&self) -> Duration {
        Duration::from_millis(self.limit.tc.timemargin)
    }

    /// Time left of a clock; `None` when there is none to run down.
    pub fn left(&self) -> Option<Duration> {
        self.is_timed().then_some(self.left)
    }

    /// The clock as it shows after running for so long in a turn that has not ended.
    #[must_use]
    pub fn running(&self, elapsed: Duration) -> Clock {
        Clock { left: self.left.saturating_sub(elapsed), ..self.clone() }
    }

    /// Milliseconds added per move.
    pub fn increment(&self) -> u64 {
        self.limit.tc.increment
    }

    /// Takes the time of a move, in whole milliseconds, since that is what engines are told of their clocks; a part of one is given to them, as
    /// fastchess does.
    ///
    /// # Errors
    /// The move took longer than the clock and its margin allow.
    pub fn spend(&mut self, elapsed: Duration) -> Result<(), Overrun> {
        let Some(budget) = self.budget() else { return Ok(()) };
        let elapsed = Duration::from_millis(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
        if elapsed > budget + self.margin() {
            return Err(Overrun(elapsed - budget));
        }
        if self.is_timed() {
            self.left = self.left.saturating_sub(elapsed) + Duration::from_millis(self.limit.tc.increment);
            if self.limit.tc.moves > 0 {
                self.moves_to_go -= 1;
                if self.moves_to_go == 0 {
                    self.moves_to_go = self.limit.tc.moves;
                    self.left += Duration::from_millis(self.limit.tc.time);
                }
            }
        }
        Ok(())
    }

    /// What the engine is told when it is to move with colour `side` against `opponent`'s clock.
    pub fn limits(&self, side: Color, opponent: &Clock) -> Limits {
        let mut limits = Limits {
            nodes: (self.limit.nodes > 0).then_some(self.limit.nodes),
            depth: (self.limit.plies > 0).then_some(self.limit.plies),
            ..Limits::default()
        };
        if self.is_timed() {
            // An opponent without a clock is given the same, since an engine may expect both.
            let theirs = if opponent.is_timed() { opponent } else { self };
            let order = |mine: u64, theirs: u64| match side {
                Color::White => [mine, theirs],
                Color::Black => [theirs, mine],
            };
            let ms = |clock: &Clock| u64::try_from(clock.left.as_millis()).unwrap_or(u64::MAX).max(1);
            limits.clocks = Some(order(ms(self), ms(theirs)));
            limits.increments = order(self.limit.tc.increment, theirs.limit.tc.increment);
            limits.moves_to_go = (self.limit.tc.moves > 0).then_some(self.moves_to_go);
        } else if self.limit.tc.fixed_time > 0 {
            limits.move_time = Some(self.limit.tc.fixed_time);
        }
        limits
    }
}

/// The limits as PGN and reports write them: `40/60+0.5`, `1/move`, `7 plies`, `5000 nodes`.
pub fn describe(limit: &SearchLimit) -> String {
    let tc = &limit.tc;
    let seconds = |ms: u64| {
        let text = format!("{}.{:03}", ms / 1000, ms % 1000);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if tc.time + tc.increment > 0 {
        let moves = if tc.moves > 0 { format!("{}/", tc.moves) } else { String::new() };
        let increment = if tc.increment > 0 { format!("+{}", seconds(tc.increment)) } else { String::new() };
        format!("{moves}{}{increment}", seconds(tc.time))
    } else if tc.fixed_time > 0 {
        format!("{}/move", seconds(tc.fixed_time))
    } else if limit.plies > 0 {
        format!("{} plies", limit.plies)
    } else if limit.nodes > 0 {
        format!("{} nodes", limit.nodes)
    } else {
        "inf".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::TimeControl;
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(tc: TimeControl) -> Clock {
        Clock::new(SearchLimit { tc, ..SearchLimit::default() })
    }

    fn sudden(time: u64, increment: u64, margin: u64) -> Clock {
        clock(TimeControl { time, increment, timemargin: margin, ..TimeControl::default() })
    }

    #[test]
    fn increments() {
        let mut clock = sudden(1000, 10, 0);
        assert_eq!(clock.left(), Some(ms(1010)));
        assert_eq!(clock.spend(ms(300)), Ok(()));
        assert_eq!(clock.left(), Some(ms(720)));
        assert_eq!(clock.spend(ms(720) + Duration::from_micros(999)), Ok(()));
        assert_eq!(clock.left(), Some(ms(10)));
        assert_eq!(clock.spend(ms(11)), Err(Overrun(ms(1))));
        // Either alone is a clock, and so are two equal ones.
        assert_eq!(
            [sudden(0, 10, 0), sudden(20, 0, 0), sudden(10, 10, 0)].map(|c| c.left()),
            [Some(ms(10)), Some(ms(20)), Some(ms(20))]
        );
    }

    #[test]
    fn margins_forgive_and_do_not_add_up() {
        let mut clock = sudden(100, 5, 50);
        assert_eq!(clock.spend(ms(155)), Ok(()));
        assert_eq!(clock.left(), Some(ms(5)));
        assert_eq!(clock.spend(ms(56)), Err(Overrun(ms(51))));
        assert_eq!(clock.patience(), Some(ms(5 + 50 + 100)));
    }

    #[test]
    fn controls_every_so_many_moves() {
        let mut clock = clock(TimeControl { time: 1000, moves: 2, ..TimeControl::default() });
        let other = clock.clone();
        assert_eq!(clock.limits(Color::White, &other).moves_to_go, Some(2));
        clock.spend(ms(400)).unwrap();
        assert_eq!(clock.limits(Color::White, &other).moves_to_go, Some(1));
        clock.spend(ms(400)).unwrap();
        assert_eq!((clock.left(), clock.limits(Color::White, &other).moves_to_go), (Some(ms(1200)), Some(2)));
    }

    #[test]
    fn fixed_time_and_none() {
        let mut fixed = clock(TimeControl { fixed_time: 300, timemargin: 20, ..TimeControl::default() });
        for _ in 0..3 {
            assert_eq!(fixed.spend(ms(320)), Ok(()));
        }
        assert_eq!(fixed.spend(ms(321)), Err(Overrun(ms(21))));
        assert_eq!(fixed.limits(Color::White, &fixed).go(), "go movetime 300");
        let mut free = Clock::new(SearchLimit { nodes: 9, plies: 4, ..SearchLimit::default() });
        assert_eq!((free.spend(ms(1_000_000)), free.patience(), free.left()), (Ok(()), None, None));
        assert_eq!(free.limits(Color::Black, &free).go(), "go depth 4 nodes 9");
    }

    #[test]
    fn a_running_clock_has_not_spent_its_time() {
        let clock = sudden(1000, 10, 0);
        let running = clock.running(ms(400));
        assert_eq!((running.left(), running.increment(), clock.left()), (Some(ms(610)), 10, Some(ms(1010))));
        assert_eq!(clock.running(ms(5000)).limits(Color::White, &clock).go(), "go wtime 1 btime 1010 winc 10 binc 10");
    }

    #[test]
    fn both_clocks_are_told() {
        let (mine, theirs) = (sudden(1000, 10, 0), sudden(5000, 0, 0));
        assert_eq!(mine.limits(Color::White, &theirs).go(), "go wtime 1010 btime 5000 winc 10");
        assert_eq!(mine.limits(Color::Black, &theirs).go(), "go wtime 5000 btime 1010 binc 10");
        let free = Clock::new(SearchLimit { nodes: 9, ..SearchLimit::default() });
        assert_eq!(mine.limits(Color::Black, &free).go(), "go wtime 1010 btime 1010 winc 10 binc 10");
    }

    #[test]
    fn descriptions() {
        let describe_tc = |tc| describe(&SearchLimit { tc, ..SearchLimit::default() });
        assert_eq!(describe_tc(TimeControl { time: 500, increment: 5, ..TimeControl::default() }), "0.5+0.005");
        assert_eq!(describe_tc(TimeControl { time: 60_000, moves: 40, ..TimeControl::default() }), "40/60");
        assert_eq!(describe_tc(TimeControl { fixed_time: 1500, ..TimeControl::default() }), "1.5/move");
        assert_eq!(describe(&SearchLimit { plies: 7, ..SearchLimit::default() }), "7 plies");
        assert_eq!(describe_tc(TimeControl { time: 1000, increment: 1000, ..TimeControl::default() }), "1+1");
        assert_eq!(describe(&SearchLimit::default()), "inf");
        assert_eq!(describe(&SearchLimit { nodes: 50, ..SearchLimit::default() }), "50 nodes");
    }
}
