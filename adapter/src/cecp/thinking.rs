//! Thinking output: `ply score time nodes [seldepth nps tbhits TAB] pv`, time in centiseconds.
use crate::engine::{Info, Value};

/// What a mate in no moves counts as a score. A mate in `n` is written `MATE + n`, being mated in `n` `-MATE - n`.
pub const MATE: i32 = 100_000;

/// A thinking line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thinking {
    /// Depth in plies.
    pub depth: u32,
    /// The score from the engine's point of view.
    pub score: Value,
    /// Centiseconds.
    pub time: u64,
    /// Nodes.
    pub nodes: u64,
    /// The variation as it is written.
    pub pv: String,
}

impl Thinking {
    /// Reads a line; `None` for anything but four whole numbers with or without more behind them.
    pub fn parse(line: &str) -> Option<Thinking> {
        let (numbers, tail) = match line.split_once('\t') {
            Some((numbers, pv)) => (numbers, Some(pv)),
            None => (line, None),
        };
        let mut words = numbers.split_whitespace();
        // Some engines mark the depth: `9.` or `9&`.
        let depth = words.next()?.trim_end_matches(['.', '&', '+', '-']).parse().ok()?;
        let score: i32 = words.next()?.parse().ok()?;
        let time = words.next()?.parse().ok()?;
        let nodes = words.next()?.parse().ok()?;
        let pv = match tail {
            Some(pv) => pv.trim().to_owned(),
            None => words.collect::<Vec<_>>().join(" "),
        };
        let score = match score {
            s if s >= MATE => Value::Mate(s - MATE),
            s if s <= -MATE => Value::Mate(s.saturating_add(MATE)),
            s => Value::Centipawns(s),
        };
        Some(Thinking { depth, score, time, nodes, pv })
    }

    /// The line, without line end.
    pub fn write(&self) -> String {
        let score = match self.score {
            Value::Centipawns(cp) => cp.clamp(1 - MATE, MATE - 1),
            Value::Mate(n) if n > 0 => MATE.saturating_add(n),
            Value::Mate(n) => (-MATE).saturating_add(n),
        };
        format!("{} {score} {} {} {}", self.depth, self.time, self.nodes, self.pv).trim_end().to_owned()
    }

    /// What an `info` line says, with `pv` as the peer is to read it; `None` when it has no depth or no score.
    pub fn of(info: &Info, pv: String) -> Option<Thinking> {
        let time = info.time.unwrap_or(0) / 10;
        Some(Thinking { depth: info.depth?, score: info.score?, time, nodes: info.nodes.unwrap_or(0), pv })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_engines() {
        let line = Thinking::parse("5 106 0 1203 5 133666 0\t b0c2 b7g7").unwrap();
        assert_eq!(
            (line.depth, line.score, line.nodes, line.pv.as_str()),
            (5, Value::Centipawns(106), 1203, "b0c2 b7g7")
        );
        let line = Thinking::parse("  9. -100003 12 500 h2e2 (mated)").unwrap();
        assert_eq!((line.depth, line.score, line.pv.as_str()), (9, Value::Mate(-3), "h2e2 (mated)"));
        for text in ["", "move e2e4", "1 2 3", "1-0 {White mates}", "pong 1", "4 x 2 1 e2e4"] {
            assert_eq!(Thinking::parse(text), None, "{text}");
        }
    }

    #[test]
    fn there_and_back() {
        for score in [Value::Centipawns(-35), Value::Mate(4), Value::Mate(-4)] {
            let line = Thinking { depth: 7, score, time: 123, nodes: 456, pv: "P@d4 P@e5".to_owned() };
            assert_eq!(Thinking::parse(&line.write()), Some(line));
        }
        let info = Info::parse("depth 3 score mate 2 nodes 10 time 257 pv a1a2");
        assert_eq!(Thinking::of(&info, "a0a1".into()).unwrap().write(), "3 100002 25 10 a0a1");
        assert_eq!(Thinking::of(&Info::parse("nodes 7"), String::new()), None);
    }
}
