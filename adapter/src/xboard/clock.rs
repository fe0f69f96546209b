//! Time as CECP tells it: `level`, `st`, `sd`, `nps`, and the clocks by `time` and `otim`.
use crate::engine::Limits;
use sanqi::board::Color;
use std::time::Duration;

/// Longest time that is taken for one, in milliseconds: ChessV says `st 86400` for no limit.
const MAX_MS: f64 = 1e10;
/// A part of the clock that a move may take when nodes are counted in place of time.
const SHARE: u64 = 30;

/// How much time there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Control {
    /// `level MOVES BASE INCREMENT`, in milliseconds; `moves` 0 for the whole game.
    Level { moves: u64, base: u64, increment: u64 },
    /// `st`, in milliseconds a move.
    PerMove(u64),
}

/// The time control and what the clocks showed last.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    control: Control,
    depth: Option<u32>,
    /// Nodes that stand for a second.
    rate: Option<u64>,
    own: Option<u64>,
    other: Option<u64>,
}

impl Default for Clock {
    /// Forty moves in five minutes, as the protocol has it until something else is said.
    fn default() -> Clock {
        let control = Control::Level { moves: 40, base: 300_000, increment: 0 };
        Clock { control, depth: None, rate: None, own: None, other: None }
    }
}

/// What a search may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn {
    /// As the engine is told.
    pub(super) limits: Limits,
    /// When even a late engine has moved; `None` without a limit in time.
    pub(super) time: Option<Duration>,
}

impl Clock {
    /// What `new` leaves: the time control, without a limit of depth and nodes.
    pub(super) fn new_game(&mut self) {
        *self = Clock { control: self.control, ..Clock::default() };
    }

    /// `level MOVES MINUTES[:SECONDS] INCREMENT`, the increment in seconds and perhaps fractional. False when it cannot be read.
    pub(super) fn level(&mut self, words: &str) -> bool {
        let mut words = words.split_whitespace();
        let (Some(moves), Some(base), Some(increment)) = (words.next(), words.next(), words.next()) else {
            return false;
        };
        let minutes = match base.split_once(':') {
            Some((minutes, seconds)) => number(minutes).zip(number(seconds)).map(|(m, s)| m + s / 60.0),
            None => number(base),
        };
        let (Ok(moves), Some(minutes), Some(increment)) = (moves.parse(), minutes, number(increment)) else {
            return false;
        };
        if minutes < 0.0 || increment < 0.0 {
            return false;
        }
        self.control = Control::Level { moves, base: milliseconds(minutes * 60.0), increment: milliseconds(increment) };
        (self.own, self.other) = (None, None);
        true
    }

    /// `st SECONDS`.
    pub(super) fn per_move(&mut self, seconds: &str) -> bool {
        let Some(seconds) = number(seconds).filter(|&seconds| seconds > 0.0) else { return false };
        self.control = Control::PerMove(milliseconds(seconds));
        true
    }

    /// `sd PLIES`.
    pub(super) fn depth(&mut self, plies: &str) -> bool {
        let Ok(plies) = plies.parse::<u32>() else { return false };
        self.depth = Some(plies.max(1));
        true
    }

    /// `nps RATE`. A rate of 0 asks for processor time, of which a search on one thread uses as much as the clock shows.
    pub(super) fn rate(&mut self, rate: &str) -> bool {
        let Ok(rate) = rate.parse::<u64>() else { return false };
        self.rate = (rate > 0).then_some(rate);
        true
    }

    /// `time`, in centiseconds.
    pub(super) fn time(&mut self, centiseconds: &str) -> bool {
        let Some(time) = number(centiseconds) else { return false };
        self.own = Some(milliseconds(time / 100.0));
        true
    }

    /// `otim`, in centiseconds.
    pub(super) fn otim(&mut self, centiseconds: &str) -> bool {
        let Some(time) = number(centiseconds) else { return false };
        self.other = Some(milliseconds(time / 100.0));
        true
    }

    /// The clocks in centiseconds, as far as they have been told.
    pub(super) fn shown(&self) -> Option<[u64; 2]> {
        Some([self.own? / 10, self.other? / 10])
    }

    /// Nodes that stand for a second; `None` when time is time.
    pub(super) fn nodes_per_second(&self) -> Option<u64> {
        self.rate
    }

    /// What the engine may use for a move of `side`, which has made `moves` of its own before and thought about this one for
    /// `spent` already.
    pub(super) fn turn(&self, side: Color, moves: u64, spent: Duration) -> Turn {
        let spent = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX);
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        let time = match self.control {
            Control::PerMove(time) => {
                let left = time.saturating_sub(spent).max(1);
                match self.rate {
                    Some(rate) => limits.nodes = Some(nodes(left, rate)),
                    None => limits.move_time = Some(left),
                }
                left
            }
            Control::Level { moves: session, base, increment } => {
                let own = self.own.unwrap_or(base).saturating_sub(spent).max(1);
                let other = self.other.unwrap_or(base).max(1);
                let to_go = (session > 0).then(|| session - moves % session);
                match self.rate {
                    Some(rate) => limits.nodes = Some(nodes(own / to_go.unwrap_or(SHARE).min(SHARE) + increment, rate)),
                    None => {
                        limits.clocks = Some(if side == Color::White { [own, other] } else { [other, own] });
                        limits.increments = [increment; 2];
                        limits.moves_to_go = to_go.and_then(|n| u32::try_from(n).ok());
                    }
                }
                own
            }
        };
        Turn { limits, time: self.rate.is_none().then(|| Duration::from_millis(time)) }
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|n| n.is_finite())
}

fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round().clamp(0.0, MAX_MS) as u64
}

fn nodes(milliseconds: u64, rate: u64) -> u64 {
    (u128::from(milliseconds) * u128::from(rate) / 1000).clamp(1, u128::from(u64::MAX)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Duration = Duration::ZERO;

    fn go(clock: &Clock, side: Color, moves: u64) -> String {
        clock.turn(side, moves, NONE).limits.go()
    }

    #[test]
    fn levels() {
        let mut clock = Clock::default();
        assert_eq!(go(&clock, Color::White, 1), "go wtime 300000 btime 300000 movestogo 39");
        assert!(clock.level("0 1:05 0.5"));
        assert_eq!(go(&clock, Color::White, 7), "go wtime 65000 btime 65000 winc 500 binc 500");
        assert!(clock.time("1234") && clock.otim("-50"));
        assert_eq!(go(&clock, Color::Black, 7), "go wtime 1 btime 12340 winc 500 binc 500");
        assert_eq!(clock.shown(), Some([1234, 0]));
        assert!(clock.level("40 5 0"));
        assert_eq!(go(&clock, Color::Black, 41), "go wtime 300000 btime 300000 movestogo 39");
        for wrong in ["", "0 1", "x 1 0", "0 1:x 0", "0 nan 0", "-1 1 0", "0 1 inf", "0 -1 0", "0 1 -1"] {
            assert!(!clock.level(wrong), "{wrong}");
        }
        assert_eq!(go(&clock, Color::Black, 41), "go wtime 300000 btime 300000 movestogo 39");
    }

    #[test]
    fn other_limits() {
        let mut clock = Clock::default();
        assert!(clock.per_move("2.5") && clock.depth("6"));
        assert_eq!(go(&clock, Color::White, 0), "go movetime 2500 depth 6");
        assert_eq!(clock.turn(Color::White, 0, Duration::from_secs(2)).limits.go(), "go movetime 500 depth 6");
        assert!(clock.rate("10000"));
        let turn = clock.turn(Color::White, 0, NONE);
        assert_eq!((turn.limits.go().as_str(), turn.time), ("go depth 6 nodes 25000", None));
        clock.new_game();
        assert_eq!(go(&clock, Color::White, 0), "go movetime 2500");
        assert!(clock.rate("0"));
        assert_eq!(clock.nodes_per_second(), None);
        assert!(
            !clock.rate("-1") && !clock.depth("x") && !clock.per_move("soon") && !clock.time("") && !clock.otim("?")
        );
        assert!(!clock.per_move("0") && !clock.per_move("-5"));
        assert!(clock.per_move("1e99"));
        assert_eq!(go(&clock, Color::White, 0), "go movetime 10000000000");
    }

    #[test]
    fn nodes_by_the_clock() {
        let mut clock = Clock::default();
        assert!(clock.level("40 4 1") && clock.rate("1000"));
        assert_eq!(go(&clock, Color::White, 0), "go nodes 9000");
        assert_eq!(go(&clock, Color::White, 39), "go nodes 241000");
    }
}
