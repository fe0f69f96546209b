//! `info` and `bestmove` lines.
use std::fmt;

/// A score in an `info` line, from the engine's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves of the winner; negative when the engine is mated; 0 when it already is.
    Mate(i32),
}

impl Value {
    /// One number for comparisons: mates count beyond every centipawn value, the nearer the further out.
    pub fn centipawns(self) -> i32 {
        match self {
            Value::Centipawns(cp) => cp.clamp(-MATE_CP + 1000, MATE_CP - 1000),
            Value::Mate(n) if n > 0 => MATE_CP - n.min(999),
            Value::Mate(n) => -MATE_CP - n.max(-999),
        }
    }
}

/// What [`Value::centipawns`] makes of a mate in no moves.
const MATE_CP: i32 = 100_000;

/// `+0.35`, `-1.20`, `+M5`, `-M4` (moves in half-moves, as match tools print them).
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            // As fastchess and cutechess write it into PGN.
            Value::Centipawns(0) => f.write_str("0.00"),
            Value::Centipawns(cp) => {
                let sign = if cp < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
            }
            Value::Mate(n) if n > 0 => write!(f, "+M{}", i64::from(n) * 2 - 1),
            Value::Mate(n) => write!(f, "-M{}", i64::from(n).abs() * 2),
        }
    }
}

/// Whether a score is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// `lowerbound`.
    Lower,
    /// `upperbound`.
    Upper,
}

/// What an `info` line says. Unknown words are skipped; a number that cannot be read leaves its field empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Milliseconds as the engine measures them.
    pub time: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Permille of the table in use.
    pub hashfull: Option<u32>,
    /// Hits in endgame tables.
    pub tbhits: Option<u64>,
    /// Which of several variations, from 1.
    pub multipv: Option<u32>,
    /// The score.
    pub score: Option<Value>,
    /// Whether it is exact.
    pub bound: Bound,
    /// Win, draw, loss in permille.
    pub wdl: Option<[u32; 3]>,
    /// The principal variation, as words.
    pub pv: Vec<String>,
    /// Text after `string`.
    pub string: Option<String>,
}

/// Words that begin a field of an `info` line; a PV ends at one of them.
const FIELDS: [&str; 17] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
];

impl Info {
    /// Reads what follows the word `info`.
    pub fn parse(text: &str) -> Info {
        fn number<'a, T: std::str::FromStr>(
            words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
        ) -> Option<T> {
            let value = words.peek()?.parse().ok()?;
            words.next();
            Some(value)
        }
        let mut info = Info::default();
        // Text is taken as it stands, blanks included, so it is cut off before the rest is split into words.
        let (fields, string) = match text.split_once("string ") {
            Some((before, after)) if before.is_empty() || before.ends_with(' ') => (before, Some(after.trim())),
            _ => (text, None),
        };
        info.string = string.map(str::to_owned);
        let mut words = fields.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "seldepth" => info.seldepth = number(&mut words),
                "time" => info.time = number(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.nps = number(&mut words),
                "hashfull" => info.hashfull = number(&mut words),
                "tbhits" => info.tbhits = number(&mut words),
                "multipv" => info.multipv = number(&mut words),
                "score" => match words.peek() {
                    // `score 35` is how UCCI engines write it.
                    Some(&"cp") => {
                        words.next();
                        info.score = number(&mut words).map(Value::Centipawns);
                    }
                    Some(&"mate") => {
                        words.next();
                        info.score = number(&mut words).map(Value::Mate);
                    }
                    _ => info.score = number(&mut words).map(Value::Centipawns),
                },
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => {
                    if let (Some(w), Some(d), Some(l)) = (number(&mut words), number(&mut words), number(&mut words)) {
                        info.wdl = Some([w, d, l]);
                    }
                }
                "pv" => {
                    info.pv.clear();
                    while let Some(mv) = words.next_if(|w| !FIELDS.contains(w)) {
                        info.pv.push(mv.to_owned());
                    }
                }
                _ => {}
            }
        }
        info
    }

    /// The main variation: no number, or number 1.
    pub fn is_main(&self) -> bool {
        self.multipv.is_none_or(|n| n == 1)
    }
}

/// What a `bestmove` line says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BestMove {
    /// The move; empty when the line has none.
    pub text: String,
    /// The reply the engine would ponder on.
    pub ponder: Option<String>,
    /// The engine gives the game up, as it may say in UCCI.
    pub resigns: bool,
}

impl BestMove {
    /// Reads what follows the word `bestmove`.
    pub fn parse(text: &str) -> BestMove {
        let mut words = text.split_whitespace();
        let mut best = BestMove { text: words.next().unwrap_or_default().to_owned(), ..BestMove::default() };
        while let Some(word) = words.next() {
            match word {
                "ponder" => {
                    best.ponder = words.next().filter(|mv| !matches!(*mv, "(none)" | "0000")).map(str::to_owned)
                }
                "resign" => best.resigns = true,
                _ => {}
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_line() {
        let info = Info::parse(
            "depth 12 seldepth 20 multipv 1 score cp -35 wdl 300 400 300 nodes 123456789012 nps 1000000 hashfull 12 tbhits 0 time 1234 pv h3e3 b8e8 P@d4",
        );
        assert_eq!(info.depth, Some(12));
        assert_eq!(info.seldepth, Some(20));
        assert_eq!(info.score, Some(Value::Centipawns(-35)));
        assert_eq!(info.bound, Bound::Exact);
        assert_eq!(info.wdl, Some([300, 400, 300]));
        assert_eq!(info.nodes, Some(123_456_789_012));
        assert_eq!((info.nps, info.hashfull, info.tbhits, info.time), (Some(1_000_000), Some(12), Some(0), Some(1234)));
        assert_eq!(info.pv, ["h3e3", "b8e8", "P@d4"]);
        assert!(info.is_main());
    }

    #[test]
    fn bounds_mates_and_other_lines() {
        let info = Info::parse("depth 3 score mate -4 upperbound");
        assert_eq!((info.score, info.bound), (Some(Value::Mate(-4)), Bound::Upper));
        assert_eq!(Info::parse("score 35 pv a0a1").score, Some(Value::Centipawns(35)));
        assert!(!Info::parse("multipv 2 score cp 3").is_main());
    }

    #[test]
    fn rubbish_is_skipped() {
        let info = Info::parse("depth x nodes 5 frobnicate 7 score cp score mate time -3 depth 2 pv");
        assert_eq!((info.depth, info.nodes, info.score, info.time), (Some(2), Some(5), None, None));
        assert!(info.pv.is_empty());
        assert_eq!(Info::parse(""), Info::default());
        assert_eq!(Info::parse("pv a1a2 depth 4").depth, Some(4));
    }

    #[test]
    fn text_is_not_read_as_fields() {
        let info = Info::parse("string score cp 9  depth 3");
        assert_eq!((info.string.as_deref(), info.score, info.depth), (Some("score cp 9  depth 3"), None, None));
        let info = Info::parse("depth 5 string hello");
        assert_eq!((info.string.as_deref(), info.depth), (Some("hello"), Some(5)));
    }

    #[test]
    fn best_moves() {
        let best = BestMove { text: "h3e3".into(), ponder: Some("b8e8".into()), resigns: false };
        assert_eq!(BestMove::parse(" h3e3 ponder b8e8"), best);
        assert_eq!(BestMove::parse("h3e3 ponder b8e8 resign"), BestMove { resigns: true, ..best });
        assert!(!BestMove::parse("h3e3 draw").resigns);
        assert_eq!(BestMove::parse(" h3e3 ponder (none)").ponder, None);
        assert_eq!(BestMove::parse(" h3e3 ponder").ponder, None);
        assert_eq!(BestMove::parse(""), BestMove::default());
    }

    #[test]
    fn values_as_text_and_number() {
        assert_eq!(Value::Centipawns(-5).to_string(), "-0.05");
        assert_eq!(Value::Centipawns(0).to_string(), "0.00");
        assert_eq!(Value::Mate(3).to_string(), "+M5");
        assert_eq!(Value::Mate(-2).to_string(), "-M4");
        assert!(Value::Mate(1).centipawns() > Value::Mate(2).centipawns());
        assert!(Value::Mate(999).centipawns() > Value::Centipawns(i32::MAX).centipawns());
        assert!(Value::Mate(0).centipawns() < Value::Mate(-1).centipawns());
        assert!(Value::Mate(-1).centipawns() < Value::Centipawns(i32::MIN).centipawns());
    }
}
