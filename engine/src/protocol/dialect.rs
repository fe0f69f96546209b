//! The protocols by name and what differs between them in wording.
use crate::search::Score;
use std::str::FromStr;

/// A protocol that a session can speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// UCCI 3.0, the interface of xiangqi programs.
    Ucci,
    /// UCI-Cyclone: UCI with bare `fen …` and `startpos …` lines, always xiangqi with ranks 0–9.
    Cyclone,
}

impl Dialect {
    /// A line of text for people, or for programs that know it.
    pub(super) fn remark(self, text: &str) -> String {
        match self {
            Dialect::Ucci => format!("info message {text}"),
            Dialect::Uci | Dialect::Cyclone => format!("info string {text}"),
        }
    }

    /// A score with its keyword. UCCI knows bare integers only: a mate is 30000 less the plies to it.
    pub(super) fn score(self, score: Score) -> String {
        match (self, score) {
            (Dialect::Ucci, Score::Cp(value)) => format!("score {value}"),
            (Dialect::Ucci, Score::Mate(moves)) if moves > 0 => format!("score {}", 30_001 - 2 * moves),
            (Dialect::Ucci, Score::Mate(moves)) => format!("score {}", -30_000 - 2 * moves),
            (_, Score::Cp(value)) => format!("score cp {value}"),
            (_, Score::Mate(moves)) => format!("score mate {moves}"),
        }
    }

    /// The answer when there is no move.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Dialect::Ucci => "nobestmove",
            Dialect::Uci | Dialect::Cyclone => "bestmove (none)",
        }
    }
}

impl FromStr for Dialect {
    type Err = String;
    fn from_str(text: &str) -> Result<Dialect, String> {
        match text.to_ascii_lowercase().as_str() {
            "uci" => Ok(Dialect::Uci),
            "ucci" => Ok(Dialect::Ucci),
            "cyclone" | "ucicyclone" => Ok(Dialect::Cyclone),
            _ => Err(format!("unknown protocol `{text}` (known: uci, ucci, cyclone)")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ucci_scores_are_integers_that_count_plies_to_mate() {
        let ucci = |score| Dialect::Ucci.score(score);
        assert_eq!(ucci(Score::Cp(-12)), "score -12");
        assert_eq!(ucci(Score::Mate(1)), "score 29999");
        assert_eq!(ucci(Score::Mate(3)), "score 29995");
        assert_eq!(ucci(Score::Mate(0)), "score -30000");
        assert_eq!(ucci(Score::Mate(-1)), "score -29998");
    }
}
