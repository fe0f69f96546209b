//! What a move has cost, in chances to win.
use crate::analysis::row::Line;
use crate::engine::Value;
use sanqi::board::Color;
use sanqi::games::Outcome;

/// The score that a side can expect, 0 to 1: chances to win and half of those to draw. From the engine's own chances where it gives
/// them, else from centipawns on the scale of Elo, where 400 are odds of ten to one.
pub(super) fn expectation(line: &Line) -> f64 {
    match (line.score.value(), line.wdl) {
        (Value::Mate(moves), _) => f64::from(moves > 0),
        (_, Some([win, draw, _])) => ((f64::from(win) + f64::from(draw) / 2.0) / 1000.0).clamp(0.0, 1.0),
        (Value::Centipawns(cp), None) => 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 400.0)),
    }
}

/// The score of `side` in a game that is over; `None` in one that goes on.
pub(super) fn scored(outcome: Outcome, side: Color) -> Option<f64> {
    match outcome {
        Outcome::Win(winner) => Some(f64::from(winner == side)),
        Outcome::Draw => Some(0.5),
        Outcome::Ongoing => None,
    }
}

/// How bad a move was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// A loss of 5 % or more.
    Inaccuracy,
    /// A loss of 10 % or more.
    Mistake,
    /// A loss of 15 % or more.
    Blunder,
}

impl Judgement {
    /// All, the mildest first.
    pub const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// What a loss of expected score is called, if it is worth a word.
    pub fn of(loss: f64) -> Option<Judgement> {
        // Half a permille: chances are given in permille.
        let at_least = |judgement: &&Judgement| loss + 0.0005 >= judgement.threshold();
        Judgement::ALL.iter().rev().find(at_least).copied()
    }

    fn threshold(self) -> f64 {
        match self {
            Judgement::Inaccuracy => 0.05,
            Judgement::Mistake => 0.10,
            Judgement::Blunder => 0.15,
        }
    }

    /// The numeric annotation glyph: `?!`, `?`, `??`.
    pub fn nag(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "Inaccuracy",
            Judgement::Mistake => "Mistake",
            Judgement::Blunder => "Blunder",
        }
    }

    /// Its colour in graphs.
    pub fn color(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "#e0b000",
            Judgement::Mistake => "#e07a1f",
            Judgement::Blunder => "#c8281e",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::row::Score;

    fn line(value: Value, wdl: Option<[u32; 3]>) -> Line {
        let score = Score::new(value, Color::White);
        Line { score, wdl, depth: None, seldepth: None, pv: Vec::new(), san: Vec::new() }
    }

    #[test]
    fn expectations() {
        assert_eq!(expectation(&line(Value::Centipawns(0), None)), 0.5);
        assert!((expectation(&line(Value::Centipawns(400), None)) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(expectation(&line(Value::Centipawns(-300), Some([300, 400, 300]))), 0.5);
        assert_eq!(expectation(&line(Value::Mate(3), Some([0, 0, 1000]))), 1.0);
        assert_eq!(expectation(&line(Value::Mate(-1), None)), 0.0);
        assert_eq!(expectation(&line(Value::Mate(0), None)), 0.0);
    }

    #[test]
    fn judgements() {
        let of = |percent: f64| Judgement::of(percent / 100.0);
        assert_eq!([of(-3.0), of(4.9), of(5.0)], [None, None, Some(Judgement::Inaccuracy)]);
        assert_eq!([of(10.0), of(14.9)], [Some(Judgement::Mistake); 2]);
        assert_eq!(of(100.0), Some(Judgement::Blunder));
    }
}
