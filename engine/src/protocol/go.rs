//! The words of `go`: any order, every number readable or known to be unreadable.
use super::dialect::Dialect;
use crate::board::Color;
use crate::search::{Clock, Limits, score::MAX_PLY};

/// Longest time that is told apart, in milliseconds: 30 years. Longer ones become this, so that sums never overflow.
const FOREVER: u64 = 1_000_000_000_000;

/// The number after a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// Zero or more; too large ones are the largest.
    Value(u64),
    /// Negative, missing, or no number.
    Unreadable,
}

impl Number {
    /// Whole numbers, and decimal ones without their fraction.
    fn read(word: &str) -> Number {
        let word = word.strip_prefix('+').unwrap_or(word);
        let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) {
            return Number::Unreadable;
        }
        Number::Value(whole.parse().unwrap_or(u64::MAX))
    }

    /// A value above zero.
    fn positive(self) -> Option<u64> {
        match self {
            Number::Value(n) if n > 0 => Some(n),
            _ => None,
        }
    }
}

/// What a `go` asks for, as it was said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct GoWords {
    /// `wtime`, `btime`.
    pub(super) time: [Option<Number>; 2],
    /// `winc`, `binc`.
    pub(super) increment: [Option<Number>; 2],
    /// UCCI's `time`: the mover's clock.
    pub(super) own_time: Option<Number>,
    /// UCCI's `increment`.
    pub(super) own_increment: Option<Number>,
    /// UCCI's `opptime`.
    pub(super) opponent_time: Option<Number>,
    /// UCCI's `oppincrement`.
    pub(super) opponent_increment: Option<Number>,
    /// `movestogo`
    pub(super) moves_to_go: Option<Number>,
    /// `movetime`
    pub(super) movetime: Option<Number>,
    /// `depth`
    pub(super) depth: Option<Number>,
    /// `nodes`
    pub(super) nodes: Option<Number>,
    /// `mate`
    pub(super) mate: Option<Number>,
    /// `perft`
    pub(super) perft: Option<Number>,
    /// `infinite`
    pub(super) infinite: bool,
    /// `ponder`
    pub(super) ponder: bool,
    /// UCCI's `draw`: the opponent offers one.
    pub(super) draw: bool,
    /// `wtime2`, `btime2`: the clocks of the other board in `supply2`.
    pub(super) other_time: [Option<Number>; 2],
    /// `winc2`, `binc2`.
    pub(super) other_increment: [Option<Number>; 2],
    /// `board`: the word after it.
    pub(super) board: Option<String>,
    /// The words after `searchmoves`.
    pub(super) search_moves: Vec<String>,
}

/// The words that mean something after `go`. Those of UCI and UCCI do not collide, so both are always understood.
const KEYWORDS: &[&str] = &[
    "wtime",
    "btime",
    "winc",
    "binc",
    "wtime2",
    "btime2",
    "winc2",
    "binc2",
    "board",
    "time",
    "increment",
    "opptime",
    "oppincrement",
    "movestogo",
    "oppmovestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "perft",
    "infinite",
    "ponder",
    "draw",
    "searchmoves",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl GoWords {
    /// Reads the words after `go`. Unknown ones are skipped; of a keyword given twice the last one counts.
    pub(super) fn parse(text: &str) -> GoWords {
        let mut go = GoWords::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let slot = match word {
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                "ponder" => {
                    go.ponder = true;
                    continue;
                }
                "draw" => {
                    go.draw = true;
                    continue;
                }
                "board" => {
                    go.board = Some(words.next_if(|w| !is_keyword(w)).unwrap_or_default().to_owned());
                    continue;
                }
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|w| !is_keyword(w)) {
                        go.search_moves.push(mv.to_owned());
                    }
                    continue;
                }
                "wtime" => &mut go.time[0],
                "btime" => &mut go.time[1],
                "winc" => &mut go.increment[0],
                "binc" => &mut go.increment[1],
                "wtime2" => &mut go.other_time[0],
                "btime2" => &mut go.other_time[1],
                "winc2" => &mut go.other_increment[0],
                "binc2" => &mut go.other_increment[1],
                "time" => &mut go.own_time,
                "increment" => &mut go.own_increment,
                "opptime" => &mut go.opponent_time,
                "oppincrement" => &mut go.opponent_increment,
                "movestogo" => &mut go.moves_to_go,
                // Says nothing about this move, but its number must not be taken for an unknown word.
                "oppmovestogo" => &mut None,
                "movetime" => &mut go.movetime,
                "depth" => &mut go.depth,
                "nodes" => &mut go.nodes,
                "mate" => &mut go.mate,
                "perft" => &mut go.perft,
                _ => continue,
            };
            *slot = Some(words.next_if(|w| !is_keyword(w)).map_or(Number::Unreadable, Number::read));
        }
        go
    }

    /// Something was said that can end the search, or would have if it had been readable.
    fn is_limited(&self) -> bool {
        [self.own_time, self.opponent_time, self.movetime, self.depth, self.nodes, self.mate]
            .iter()
            .any(Option::is_some)
            || self.time.iter().any(Option::is_some)
    }

    /// The search ends by itself, once it does not ponder (any more). One that is limited by a mate alone may seek it for ever.
    pub(super) fn is_finite(&self) -> bool {
        // One clock may be the opponent's, which is no limit; whose turn it is will be known only with the position.
        let clock = self.own_time.is_some() || self.time.iter().all(Option::is_some);
        let others = clock || [self.movetime, self.depth, self.nodes].iter().any(Option::is_some);
        let seeks_mate = self.mate.is_some() && !others;
        self.perft.is_some() || !self.is_infinite() && (!seeks_mate || self.is_at_once())
    }

    /// The answer is held back until `stop`. A limit of zero says "at once" and has the last word.
    fn is_infinite(&self) -> bool {
        (self.infinite || !(self.is_limited() || self.ponder)) && !self.is_at_once()
    }

    /// A limit that is no clock was given and is not above zero. (Whose clock counts is known only with the position.)
    fn is_at_once(&self) -> bool {
        [self.movetime, self.depth, self.nodes, self.mate, self.own_time]
            .iter()
            .flatten()
            .any(|n| n.positive().is_none())
    }

    /// A ponder search that has no limit to go by after `ponderhit`; it answers then.
    pub(super) fn is_open_ponder(&self) -> bool {
        self.ponder && !self.is_limited() && !self.infinite
    }

    /// Clocks of the other board, by colour.
    pub(super) fn other_clocks(&self) -> [Option<Clock>; 2] {
        [0, 1].map(|color: usize| {
            let value = |numbers: &[Option<Number>; 2]| numbers.get(color).copied().flatten();
            let time = value(&self.other_time)?;
            let ms = |n: Number| n.positive().unwrap_or(0).min(FOREVER);
            Some(Clock { time: ms(time), increment: value(&self.other_increment).map_or(0, ms) })
        })
    }

    /// The limits for `side` to move. UCCI's numbers are seconds unless `milliseconds`.
    ///
    /// A limit that is present but zero, negative or unreadable becomes [`Limits::at_once`]; so does a clock for the opponent
    /// alone, which would otherwise leave a game without a limit. Increments, moves to go and the opponent's clock may be
    /// anything.
    pub(super) fn limits(&self, side: Color, dialect: Dialect, milliseconds: bool) -> Limits {
        let unit = if dialect == Dialect::Ucci && !milliseconds { 1000 } else { 1 };
        let time = |n: Number| n.positive().map(|n| n.saturating_mul(unit).min(FOREVER));
        let plies = |n: Number| n.positive().map(|n| n.min(MAX_PLY as u64) as u32);
        let [white, black] = self.time;
        let [white_increment, black_increment] = self.increment;
        let (own, other, own_increment, other_increment) = match side {
            Color::White => (white, black, white_increment, black_increment),
            Color::Black => (black, white, black_increment, white_increment),
        };
        let own = self.own_time.or(own);
        let other = self.opponent_time.or(other);
        let own_increment = self.own_increment.or(own_increment);
        let other_increment = self.opponent_increment.or(other_increment);
        let clock = |time_left: Option<Number>, increment: Option<Number>| {
            Some(Clock { time: time(time_left?)?, increment: increment.and_then(time).unwrap_or(0) })
        };
        let mut limits = Limits {
            clock: clock(own, own_increment),
            opponent: clock(other, other_increment),
            moves_to_go: self.moves_to_go.and_then(Number::positive).map(|n| n.min(10_000) as u32),
            movetime: self.movetime.and_then(time),
            depth: self.depth.and_then(plies),
            nodes: self.nodes.and_then(Number::positive),
            mate: self.mate.and_then(plies),
            infinite: self.infinite || !(self.is_limited() || self.ponder),
            at_once: false,
            moves: Vec::new(),
        };
        if dialect == Dialect::Ucci {
            // XBoard's `st` reaches UCCI engines as a movetime beside the clock, and the movetime is meant.
            if limits.movetime.is_some() {
                limits.clock = None;
            }
            // A bare `time` is the budget of this one move.
            if self.own_time.is_some() && self.moves_to_go.is_none() && self.own_increment.is_none() {
                limits.moves_to_go = Some(1);
            }
        }
        let missing = |said: Option<Number>| said.is_some_and(|n| n.positive().is_none());
        let only_the_opponents = other.is_some()
            && [own, self.movetime, self.depth, self.nodes, self.mate].iter().all(Option::is_none)
            && !self.infinite;
        limits.at_once = self.is_at_once() || missing(own) || only_the_opponents;
        limits.infinite &= !limits.at_once;
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white(text: &str) -> Limits {
        GoWords::parse(text).limits(Color::White, Dialect::Uci, true)
    }

    #[test]
    fn every_limit_in_any_order() {
        let limits = white("binc 4 depth 9 btime 30 nodes 7 wtime 20 mate 3 movestogo 5 winc 2 movetime 100 ponder");
        let expected = Limits {
            clock: Some(Clock { time: 20, increment: 2 }),
            opponent: Some(Clock { time: 30, increment: 4 }),
            moves_to_go: Some(5),
            movetime: Some(100),
            depth: Some(9),
            nodes: Some(7),
            mate: Some(3),
            ..Limits::default()
        };
        assert_eq!(limits, expected);
        let black = GoWords::parse("wtime 20 btime 30 binc 4").limits(Color::Black, Dialect::Uci, true);
        assert_eq!(black.clock, Some(Clock { time: 30, increment: 4 }));
    }

    #[test]
    fn limits_that_mean_at_once() {
        for text in [
            "movetime 0",
            "movetime -1",
            "movetime x",
            "movetime",
            "movetime 0.9",
            "depth 0",
            "depth -3",
            "nodes 0",
            "mate 0",
            "wtime 0 btime 1000",
            "wtime -500 btime 1000",
            "wtime abc",
            "depth depth 3 depth",
            "btime 1000",
            "wtime 1000 btime 1000 movetime 0",
            "infinite depth 0",
        ] {
            let limits = white(text);
            assert!(limits.at_once && !limits.infinite, "{text}: {limits:?}");
        }
    }

    #[test]
    fn zeroes_that_mean_nothing() {
        for text in [
            "wtime 100 btime 0",
            "wtime 100 winc 0 binc 0",
            "wtime 100 movestogo 0",
            "wtime 100 winc -5",
            "depth 2 btime -1",
        ] {
            assert!(!white(text).at_once, "{text}");
        }
        assert_eq!(white("wtime 100 movestogo 0").moves_to_go, None);
    }

    #[test]
    fn huge_numbers_saturate() {
        let limits = white(
            "wtime 99999999999999999999999 winc 18446744073709551615 depth 4294967297 nodes 18446744073709551616",
        );
        assert_eq!(limits.clock, Some(Clock { time: FOREVER, increment: FOREVER }));
        assert_eq!(limits.depth, Some(MAX_PLY as u32));
        assert_eq!(limits.nodes, Some(u64::MAX));
    }

    #[test]
    fn unknown_words_are_skipped_and_no_limit_is_infinite() {
        assert_eq!(white("foo depth 3 bar 4"), Limits { depth: Some(3), ..Limits::default() });
        for text in ["", "foo", "infinite", "infinite depth 5", "searchmoves a1a2"] {
            assert!(white(text).infinite, "{text}");
            assert!(!GoWords::parse(text).is_finite(), "{text}");
        }
        assert!(!white("ponder").infinite);
        assert!(GoWords::parse("ponder").is_open_ponder());
        assert!(GoWords::parse("depth 0").is_finite());
    }

    #[test]
    fn search_moves_end_at_the_next_keyword() {
        let go = GoWords::parse("searchmoves h3e3 P@d4 a9a10r depth 2 searchmoves e1d1");
        assert_eq!(go.search_moves, ["h3e3", "P@d4", "a9a10r", "e1d1"]);
        assert_eq!(go.depth, Some(Number::Value(2)));
    }

    #[test]
    fn ucci_clocks() {
        let ucci = |text: &str, ms| GoWords::parse(text).limits(Color::Black, Dialect::Ucci, ms);
        let limits = ucci("time 270000 opptime 260000 oppincrement 3000 increment 3000", true);
        assert_eq!(limits.clock, Some(Clock { time: 270_000, increment: 3000 }));
        assert_eq!(limits.opponent, Some(Clock { time: 260_000, increment: 3000 }));
        assert_eq!(limits.moves_to_go, None);
        let seconds = ucci("time 300 movestogo 40 opptime 299 oppmovestogo 40", false);
        assert_eq!(seconds.clock, Some(Clock { time: 300_000, increment: 0 }));
        assert_eq!(seconds.moves_to_go, Some(40));
        let budget = ucci("time 5000", true);
        assert_eq!(budget.moves_to_go, Some(1));
        let st = ucci("time 300000 opptime 300000 movetime 2970", true);
        assert_eq!((st.clock, st.movetime), (None, Some(2970)));
        assert!(ucci("draw", true).infinite);
    }
}
