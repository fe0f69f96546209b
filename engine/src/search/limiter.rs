//! When a search has to end: every limit that was given, and what of the clock one move may use.
use super::api::{Limits, Options};
use super::control::Control;
use std::time::Duration;

/// The bounds of one search. Times are on the clock of the [`Control`].
#[derive(Debug, Clone)]
pub(super) struct Limiter {
    /// No new iteration after this, scaled by how settled the search is.
    soft: Option<Duration>,
    /// The end, whatever happens.
    hard: Option<Duration>,
    /// Nodes over all threads.
    pub(super) nodes: Option<u64>,
    /// Iterations.
    pub(super) depth: u32,
    /// A mate in so many moves ends the search.
    pub(super) mate: Option<u32>,
    /// Only `stop` may end it.
    infinite: bool,
}

/// So many times Move Overhead is kept on the clock: a machine that has other work now and then holds up an answer for several times
/// what it usually does, and once is enough to lose the game.
const RESERVE: f64 = 10.0;
/// Moves that a game without a move count is expected to go on for.
const EXPECTED_MOVES: f64 = 24.0;

impl Limiter {
    /// `moves_left`: moves that the side to move can still make in this game, where the game knows it.
    pub(super) fn new(limits: &Limits, options: &Options, moves_left: Option<u32>, max_depth: u32) -> Limiter {
        let mut limiter = Limiter {
            soft: None,
            hard: None,
            nodes: limits.nodes,
            depth: limits.depth.unwrap_or(max_depth).clamp(1, max_depth),
            mate: limits.mate,
            infinite: limits.infinite,
        };
        if limits.at_once {
            limiter.depth = 1;
            limiter.infinite = false;
        }
        let less_overhead = |ms: u64| ms.saturating_sub(options.move_overhead).max(1);
        if let Some(clock) = limits.clock {
            let time = less_overhead(clock.time) as f64;
            let increment = clock.increment as f64;
            // The last move before the refill must not use everything: the clock stops only when the answer arrives.
            let moves = match (limits.moves_to_go, moves_left) {
                (Some(n), Some(left)) => f64::from(n.min(left)) + 0.5,
                (Some(n), None) => f64::from(n) + 0.5,
                // The middle of a placement game decides it, and its end is solved: spend ahead.
                (None, Some(left)) => (0.6 * f64::from(left)).max(1.5),
                (None, None) => EXPECTED_MOVES,
            };
            let moves = moves.max(1.3);
            // Before the clock is refilled no more moves than are left can be held up, but each of them can be.
            let held_up = if limits.moves_to_go.is_some() { (moves - 1.0).clamp(3.0, RESERVE) } else { RESERVE };
            let reserve = held_up * options.move_overhead as f64;
            // Short of time the increment is not spent but saved, until a hiccup of the machine no longer costs the game.
            let comfort = (time / (RESERVE * options.move_overhead.max(1) as f64)).min(1.0);
            let budget = (time - reserve).max(0.0) / moves + 0.75 * increment * comfort;
            let pondering = if options.ponder { 1.2 } else { 1.0 };
            let hard = (0.72 * (time - reserve).max(time / 2.0)).min((2.0 + 3.0 * comfort) * budget).max(1.0);
            limiter.restrict(Some(budget * pondering * 0.8 * f64::from(options.pace) / 100.0), hard);
        }
        if let Some(movetime) = limits.movetime {
            limiter.restrict(None, less_overhead(movetime) as f64);
        }
        limiter
    }

    fn restrict(&mut self, soft: Option<f64>, hard_ms: f64) {
        let hard = Duration::from_secs_f64(hard_ms.min(1e12) / 1e3);
        self.hard = Some(self.hard.map_or(hard, |h| h.min(hard)));
        if let Some(ms) = soft {
            self.soft = Some(Duration::from_secs_f64(ms.min(hard_ms).min(1e12) / 1e3));
        }
    }

    /// True when the search must end now.
    pub(super) fn expired(&self, control: &Control, nodes: u64) -> bool {
        if self.nodes.is_some_and(|n| nodes >= n) {
            return true;
        }
        !self.infinite && !control.pondering() && self.hard.is_some_and(|hard| control.elapsed() >= hard)
    }

    /// True when another iteration is not worth beginning. `scale` is 1 for an ordinary search, more for an unsettled one.
    pub(super) fn enough(&self, control: &Control, scale: f64) -> bool {
        !self.infinite
            && !control.pondering()
            && self.soft.is_some_and(|soft| {
                control.thought().as_secs_f64()
                    >= soft.as_secs_f64() * scale * if control.hurried() { 0.25 } else { 1.0 }
            })
    }

    /// A game clock governs the search, so that it may end early on an obvious answer.
    pub(super) fn on_clock(&self) -> bool {
        self.soft.is_some() && !self.infinite
    }

    /// How long the search may go on at most, `None` without a limit in time.
    pub(super) fn time_left(&self, control: &Control) -> Option<Duration> {
        if self.infinite || control.pondering() {
            return None;
        }
        self.hard.map(|hard| hard.saturating_sub(control.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::api::Clock;
    use super::*;

    fn limiter(limits: Limits) -> Limiter {
        Limiter::new(&limits, &Options::default(), None, 100)
    }

    #[test]
    fn all_limits_apply_together() {
        let l = limiter(Limits {
            clock: Some(Clock { time: 600_000, increment: 0 }),
            movetime: Some(110),
            depth: Some(7),
            nodes: Some(5),
            ..Limits::default()
        });
        assert_eq!((l.depth, l.nodes), (7, Some(5)));
        assert_eq!(l.hard, Some(Duration::from_millis(100)), "Move Overhead applies to movetime too");
        assert!(l.soft.is_some());
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for time in [1, 5, 11, 50, 100, 1_000, 60_000, u64::MAX] {
            for increment in [0, 1, 10, 1_000, 100_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let clock = Some(Clock { time, increment });
                    let l = limiter(Limits { clock, moves_to_go, ..Limits::default() });
                    let hard = l.hard.unwrap().as_secs_f64() * 1e3;
                    assert!(
                        hard <= (time as f64 - 10.0).max(1.0) && l.soft.unwrap() <= l.hard.unwrap(),
                        "{time} {increment}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_low_clock_with_increment_recovers() {
        let soft =
            |time| limiter(Limits { clock: Some(Clock { time, increment: 10 }), ..Limits::default() }).soft.unwrap();
        assert!(soft(20) < Duration::from_millis(3), "{:?}", soft(20));
        assert!(soft(2000) > Duration::from_millis(60), "{:?}", soft(2000));
    }

    #[test]
    fn a_reserve_is_not_thought_away() {
        let hard = |time, moves_to_go| {
            let clock = Some(Clock { time, increment: 2 });
            limiter(Limits { clock, moves_to_go, ..Limits::default() }).hard.unwrap().as_secs_f64() * 1e3
        };
        assert!(hard(110, None) <= 8.0, "{}", hard(110, None));
        assert!(hard(50, None) <= 2.0, "{}", hard(50, None));
        // The clock is about to be refilled.
        assert!(hard(110, Some(1)) >= 45.0, "{}", hard(110, Some(1)));
        // The end of a placement game is not.
        let limits = Limits { clock: Some(Clock { time: 60, increment: 2 }), ..Limits::default() };
        let last = Limiter::new(&limits, &Options::default(), Some(2), 100).hard.unwrap();
        assert!(last <= Duration::from_millis(4), "{last:?}");
    }

    #[test]
    fn infinite_overrules_the_clock() {
        let l = limiter(Limits { infinite: true, movetime: Some(1), ..Limits::default() });
        std::thread::sleep(Duration::from_millis(3));
        assert!(!l.expired(&Control::new(false), 0));
    }
}
