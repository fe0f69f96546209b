//! The two clocks of a board. Times come in from outside, so it can be tested without waiting.
use sanqi::board::Color;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::Instant;

/// What players have for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Control {
    /// Minutes at the start.
    pub(super) minutes: u32,
    /// Seconds after each move.
    pub(super) increment: u32,
}

impl Control {
    /// Most minutes, and most seconds of increment.
    pub(super) const MAX: u32 = 600;

    /// Reads the minutes or the seconds.
    ///
    /// # Errors
    /// It is none, or too many; what may be given.
    pub(crate) fn amount(word: &str) -> Result<u32, String> {
        let amount = word.parse::<u32>().ok().filter(|&amount| amount <= Control::MAX);
        amount.ok_or_else(|| format!("expected a whole number from 0 to {}", Control::MAX))
    }

    /// Neither: nobody's time runs out.
    pub(super) fn is_untimed(self) -> bool {
        self.minutes == 0 && self.increment == 0
    }

    /// What the clocks show at the start. With nothing but an increment that is ten seconds, as on other servers.
    pub(super) fn initial(self) -> Duration {
        if self.minutes == 0 && self.increment > 0 {
            Duration::from_secs(10)
        } else {
            Duration::from_secs(u64::from(self.minutes) * 60)
        }
    }

    /// What a move adds.
    pub(super) fn bonus(self) -> Duration {
        Duration::from_secs(u64::from(self.increment))
    }
}

/// The clocks of a board.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    control: Control,
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Color, Instant)>,
    /// When the side to move began to think, whether its clock runs or not.
    since: Option<Instant>,
}

impl Clock {
    /// At the start of a game.
    pub(super) fn new(control: Control) -> Clock {
        Clock::resumed(control, [control.initial(); 2])
    }

    /// With times left over.
    pub(super) fn resumed(control: Control, left: [Duration; 2]) -> Clock {
        Clock { control, left, running: None, since: None }
    }

    /// A side begins to think; its clock runs if `ticking`.
    pub(super) fn start(&mut self, side: Color, ticking: bool, now: Instant) {
        self.since = Some(now);
        self.running = (ticking && !self.control.is_untimed()).then_some((side, now));
    }

    /// Whether a clock runs.
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Time left.
    pub(super) fn left(&self, side: Color, now: Instant) -> Duration {
        let [white, black] = self.left;
        let left = if side == Color::White { white } else { black };
        match self.running {
            Some((runs, since)) if runs == side => left.saturating_sub(now.saturating_duration_since(since)),
            _ => left,
        }
    }

    /// Stops the clock; gives how long the side to move has thought.
    pub(super) fn stop(&mut self, now: Instant) -> Duration {
        if let Some((side, _)) = self.running {
            self.set(side, self.left(side, now));
        }
        self.running = None;
        self.since.take().map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Stops it because `side` has moved; adds the increment if its clock was running.
    pub(super) fn punch(&mut self, side: Color, now: Instant) -> Duration {
        let was_running = self.is_running();
        let elapsed = self.stop(now);
        if was_running {
            self.set(side, self.left(side, now) + self.control.bonus());
        }
        elapsed
    }

    /// Sets the time left, for a game that is taken back.
    pub(super) fn set(&mut self, side: Color, time: Duration) {
        let [white, black] = &mut self.left;
        *(if side == Color::White { white } else { black }) = time;
    }

    /// When the flag falls, and whose, if nobody moves.
    pub(super) fn flag_at(&self) -> Option<(Instant, Color)> {
        self.running.map(|(side, since)| (since + self.left(side, since), side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_run_down_and_grow_by_the_increment() {
        let control = Control { minutes: 1, increment: 2 };
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        let mut clock = Clock::new(control);
        // The first move is free.
        clock.start(Color::White, false, begin);
        assert_eq!(clock.flag_at(), None);
        assert_eq!(clock.punch(Color::White, after(5)), Duration::from_secs(5));
        assert_eq!(clock.left(Color::White, after(5)), Duration::from_secs(60));
        clock.start(Color::Black, true, after(5));
        assert_eq!(clock.flag_at(), Some((after(65), Color::Black)));
        assert_eq!(clock.left(Color::Black, after(15)), Duration::from_secs(50));
        assert_eq!(clock.left(Color::White, after(15)), Duration::from_secs(60));
        clock.punch(Color::Black, after(15));
        assert_eq!(clock.left(Color::Black, after(99)), Duration::from_secs(52));
        clock.start(Color::White, true, after(15));
        clock.stop(after(100));
        assert_eq!(clock.left(Color::White, after(100)), Duration::ZERO);
    }

    #[test]
    fn without_time_nothing_runs() {
        let mut clock = Clock::new(Control { minutes: 0, increment: 0 });
        assert_eq!(clock.left(Color::White, Instant::now()), Duration::ZERO);
        clock.start(Color::White, true, Instant::now());
        assert_eq!(clock.flag_at(), None);
        assert_eq!(Control { minutes: 0, increment: 3 }.initial(), Duration::from_secs(10));
    }
}
