//! Verdicts: how a game ended, in fastchess' words. Results come from the library's rules; what engines claim is not asked.
use super::clock::Overrun;
use super::settings::{DrawRule, MaxMoves, ResignRule};
use crate::engine::{Info, Value};
use sanqi::board::Color;
use sanqi::games::{GameResult, Outcome, Reason, Variant};
use std::fmt;
use std::time::Duration;

/// The PGN tag of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// By the rules.
    Normal,
    /// By the scores, or by length.
    Adjudication,
    /// By the clock.
    TimeForfeit,
    /// An engine died or fell silent.
    Abandoned,
    /// Not a legal move.
    IllegalMove,
    /// A result claimed in place of a move, or a legal move not accepted.
    RulesInfraction,
    /// The match was interrupted.
    Unterminated,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::Abandoned => "abandoned",
            Termination::IllegalMove => "illegal move",
            Termination::RulesInfraction => "rules infraction",
            Termination::Unterminated => "unterminated",
        })
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The result.
    pub outcome: Outcome,
    /// The reason, as it is printed.
    pub text: String,
    /// The kind of end.
    pub termination: Termination,
}

/// `White` or `Black`, whatever the game calls its players: it is what programs look for.
pub fn color_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Words of an engine as part of a verdict: braces would end the comment they are printed in.
fn tame(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '{' | '}') && !c.is_control()).take(100).collect()
}

impl Verdict {
    fn loss(side: Color, what: &str, termination: Termination) -> Verdict {
        Verdict { outcome: Outcome::Win(!side), text: format!("{}{what}", color_name(side)), termination }
    }

    /// A game that has ended by its rules; `None` while it goes on.
    pub fn of_result(variant: Variant, result: GameResult) -> Option<Verdict> {
        let text = match (result.outcome, result.reason) {
            (Outcome::Ongoing, _) => return None,
            (Outcome::Win(side), Reason::Checkmate) => format!("{} mates", color_name(side)),
            (Outcome::Win(side), Reason::PerpetualCheck) => {
                format!("{} wins, {} gave perpetual check", color_name(side), color_name(!side))
            }
            (Outcome::Win(side), reason) => format!("{} wins by {reason}", color_name(side)),
            (Outcome::Draw, Reason::Stalemate) => "Draw by stalemate".to_owned(),
            (Outcome::Draw, Reason::Repetition | Reason::PerpetualCheck) => "Draw by 3-fold repetition".to_owned(),
            (Outcome::Draw, Reason::MoveCount) => match variant {
                Variant::Xiangqi => "Draw by sixty moves rule".to_owned(),
                Variant::Supply => "Draw by hundred turns rule".to_owned(),
                _ => "Draw by fifty moves rule".to_owned(),
            },
            (Outcome::Draw, Reason::BareKings) => "Draw by insufficient mating material".to_owned(),
            (Outcome::Draw, reason) => format!("Draw by {reason}"),
        };
        Some(Verdict { outcome: result.outcome, text, termination: Termination::Normal })
    }

    /// `side` announced something that is no legal move.
    pub fn illegal_move(side: Color) -> Verdict {
        Verdict::loss(side, " makes an illegal move", Termination::IllegalMove)
    }

    /// `side` gives up.
    pub fn resignation(side: Color) -> Verdict {
        Verdict::loss(side, " resigns", Termination::Normal)
    }

    /// `side` says in place of a move that the game has ended, while it has not.
    pub fn false_claim(side: Color, claim: &str) -> Verdict {
        Verdict::loss(side, &format!(" makes a false claim: {}", tame(claim)), Termination::RulesInfraction)
    }

    /// `side` does not accept what has been played.
    pub fn refusal(side: Color, words: &str) -> Verdict {
        Verdict::loss(side, &format!(" refuses a legal move: {}", tame(words)), Termination::RulesInfraction)
    }

    /// `side` was too late by `overrun`.
    pub fn time(side: Color, overrun: Duration) -> Verdict {
        let what = format!(" loses on time ({}ms overrun)", overrun.as_millis());
        Verdict::loss(side, &what, Termination::TimeForfeit)
    }

    /// The move that `side` announces when it is to be played, `legal` being what the rules make of it. One that had to be called for
    /// with `stop` is too late, whatever it is; otherwise legality comes before time, as in fastchess.
    ///
    /// # Errors
    /// It loses.
    pub fn of_move<M>(
        side: Color,
        legal: Option<M>,
        in_time: Result<(), Overrun>,
        stopped: bool,
    ) -> Result<M, Verdict> {
        match (legal, in_time) {
            (Some(mv), Ok(())) => Ok(mv),
            (legal, Err(Overrun(overrun))) if stopped || legal.is_some() => Err(Verdict::time(side, overrun)),
            _ => Err(Verdict::illegal_move(side)),
        }
    }

    /// The process of `side` is gone.
    pub fn disconnect(side: Color) -> Verdict {
        Verdict::loss(side, " disconnects", Termination::Abandoned)
    }

    /// The process of `side` lives and does not answer.
    pub fn stall(side: Color) -> Verdict {
        Verdict::loss(side, "'s connection stalls", Termination::Abandoned)
    }

    fn adjudicated(outcome: Outcome, text: String) -> Verdict {
        Verdict { outcome, text, termination: Termination::Adjudication }
    }

    /// The engine to blame is broken, not just beaten: without `-recover` the match ends.
    pub fn is_crash(&self) -> bool {
        self.termination == Termination::Abandoned
    }
}

/// Ends games early by the scores of the engines, and by their length.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    draw: DrawRule,
    resign: ResignRule,
    max_moves: MaxMoves,
    drawish: u32,
    /// Moves in a row that each colour has called lost, and won.
    lost: [u32; 2],
    won: [u32; 2],
}

impl Adjudicator {
    /// At the start of a game.
    pub fn new(draw: DrawRule, resign: ResignRule, max_moves: MaxMoves) -> Adjudicator {
        Adjudicator { draw, resign, max_moves, drawish: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Takes a move of `side` and the last score it announced. `irreversible`: a capture, drop, or whatever else resets the game's
    /// counter. `number`: the number of the full move to come, as in FENs. `length`: full moves played in this game.
    pub fn judge(
        &mut self,
        side: Color,
        score: Option<Value>,
        irreversible: bool,
        number: u32,
        length: u32,
    ) -> Option<Verdict> {
        let cp = score.map(Value::centipawns);
        if irreversible {
            self.drawish = 0;
        }
        self.drawish = match cp {
            Some(cp) if cp.abs() <= self.draw.score => self.drawish + 1,
            _ => 0,
        };
        for (counter, met) in [
            (self.lost.get_mut(side.index()), cp.is_some_and(|cp| cp < 0 && cp <= -self.resign.score)),
            (self.won.get_mut(side.index()), cp.is_some_and(|cp| cp >= self.resign.score)),
        ] {
            if let Some(counter) = counter {
                *counter = if met { *counter + 1 } else { 0 };
            }
        }
        if self.resign.enabled {
            let count = |counters: &[u32; 2], side: Color| counters.get(side.index()).copied().unwrap_or_default();
            for loser in Color::ALL {
                let agreed = !self.resign.twosided || count(&self.won, !loser) >= self.resign.move_count;
                if count(&self.lost, loser) >= self.resign.move_count.max(1) && agreed {
                    let text = format!("{} wins by adjudication", color_name(!loser));
                    return Some(Verdict::adjudicated(Outcome::Win(!loser), text));
                }
            }
        }
        // Scores count from the beginning, and so many moves must have been completed.
        let is_late = number > self.draw.move_number;
        if self.draw.enabled && is_late && self.drawish >= self.draw.move_count.max(1) * 2 {
            return Some(Verdict::adjudicated(Outcome::Draw, "Draw by adjudication".to_owned()));
        }
        if self.max_moves.enabled && length >= self.max_moves.move_count {
            let text = "Draw by adjudication".to_owned();
            return Some(Verdict::adjudicated(Outcome::Draw, text));
        }
        None
    }
}

/// The lines that speak for a search: for its score the last exact one of the main variation, or the last bound when there is none;
/// for its move the last one with a variation, bound or not, since a bound may be what changed the move.
#[derive(Debug, Clone, Default)]
pub struct BestInfo {
    exact: Option<Box<Info>>,
    bound: Option<Box<Info>>,
    /// Variation of the last bound after the last exact score.
    changed_pv: Vec<String>,
}

impl BestInfo {
    /// Takes an `info` line.
    pub fn take(&mut self, info: Box<Info>) {
        if info.score.is_none() || !info.is_main() {
            return;
        }
        if info.bound == crate::engine::Bound::Exact {
            self.exact = Some(info);
            self.changed_pv.clear();
        } else {
            if !info.pv.is_empty() {
                self.changed_pv.clone_from(&info.pv);
            }
            self.bound = Some(info);
        }
    }

    /// The line for the score, with the variation of the line for the move.
    pub fn into_info(self) -> Option<Box<Info>> {
        let mut info = self.exact.or(self.bound)?;
        if !self.changed_pv.is_empty() {
            info.pv = self.changed_pv;
        }
        Some(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(variant: Variant, outcome: Outcome, reason: Reason) -> String {
        Verdict::of_result(variant, GameResult { outcome, reason }).unwrap().text
    }

    #[test]
    fn words_for_results() {
        use Outcome::{Draw, Win};
        assert_eq!(verdict(Variant::Xiangqi, Win(Color::White), Reason::Checkmate), "White mates");
        assert_eq!(verdict(Variant::Xiangqi, Win(Color::Black), Reason::Stalemate), "Black wins by stalemate");
        assert_eq!(
            verdict(Variant::Xiangqi, Win(Color::Black), Reason::PerpetualCheck),
            "Black wins, White gave perpetual check"
        );
        assert_eq!(verdict(Variant::Yangqi, Draw, Reason::Stalemate), "Draw by stalemate");
        assert_eq!(verdict(Variant::Yangqi, Draw, Reason::MoveCount), "Draw by fifty moves rule");
        assert_eq!(verdict(Variant::Supply, Draw, Reason::MoveCount), "Draw by hundred turns rule");
        assert_eq!(verdict(Variant::Fangqi, Win(Color::White), Reason::StoneCount), "White wins by stone count");
        assert_eq!(Verdict::of_result(Variant::Yangqi, GameResult::ONGOING), None);
    }

    #[test]
    fn the_offender_loses() {
        for verdict in [
            Verdict::illegal_move(Color::White),
            Verdict::time(Color::White, Duration::from_millis(3)),
            Verdict::disconnect(Color::White),
            Verdict::stall(Color::White),
        ] {
            assert_eq!(verdict.outcome, Outcome::Win(Color::Black));
        }
        assert_eq!(Verdict::time(Color::Black, Duration::from_millis(100)).text, "Black loses on time (100ms overrun)");
        assert!(Verdict::stall(Color::White).is_crash() && !Verdict::illegal_move(Color::White).is_crash());
    }

    #[test]
    fn legality_comes_before_time_unless_the_move_was_called_for() {
        let late = Err(Overrun(Duration::from_millis(5)));
        let ruled = |in_time, legal: bool, stopped| {
            Verdict::of_move(Color::Black, legal.then_some(()), in_time, stopped).map_err(|verdict| verdict.text)
        };
        assert_eq!(ruled(Ok(()), true, false), Ok(()));
        assert_eq!(ruled(Ok(()), false, false).unwrap_err(), "Black makes an illegal move");
        assert_eq!(ruled(late, false, false).unwrap_err(), "Black makes an illegal move");
        assert_eq!(ruled(late, true, false).unwrap_err(), "Black loses on time (5ms overrun)");
        assert_eq!(ruled(late, false, true).unwrap_err(), "Black loses on time (5ms overrun)");
    }

    fn cp(n: i32) -> Option<Value> {
        Some(Value::Centipawns(n))
    }

    #[test]
    fn draws_need_both_sides_for_long_enough() {
        let rule = DrawRule { enabled: true, move_number: 3, move_count: 2, score: 10 };
        let mut judge = Adjudicator::new(rule, ResignRule::default(), MaxMoves::default());
        assert_eq!(judge.judge(Color::White, cp(0), false, 1, 1), None);
        for side in [Color::Black, Color::White, Color::Black, Color::White] {
            assert_eq!(judge.judge(side, cp(10), false, 3, 3), None);
        }
        let verdict = judge.judge(Color::Black, cp(-10), false, 4, 3).unwrap();
        assert_eq!((verdict.outcome, verdict.text.as_str()), (Outcome::Draw, "Draw by adjudication"));
    }

    #[test]
    fn captures_silence_and_scores_reset_a_draw() {
        let rule = DrawRule { enabled: true, move_number: 0, move_count: 1, score: 10 };
        for (score, irreversible) in [(cp(11), false), (None, false)] {
            let mut judge = Adjudicator::new(rule, ResignRule::default(), MaxMoves::default());
            judge.judge(Color::White, cp(0), false, 1, 1);
            assert_eq!(judge.judge(Color::Black, score, irreversible, 1, 1), None);
            assert_eq!(judge.judge(Color::White, cp(0), false, 2, 2), None);
        }
        let mut judge = Adjudicator::new(rule, ResignRule::default(), MaxMoves::default());
        judge.judge(Color::White, cp(0), false, 1, 1);
        assert_eq!(judge.judge(Color::Black, cp(0), true, 1, 1), None);
    }

    #[test]
    fn resigning() {
        let rule = ResignRule { enabled: true, move_count: 2, score: 500, twosided: false };
        let mut judge = Adjudicator::new(DrawRule::default(), rule, MaxMoves::default());
        assert_eq!(judge.judge(Color::Black, cp(-500), false, 1, 1), None);
        assert_eq!(judge.judge(Color::White, cp(0), false, 2, 2), None);
        let verdict = judge.judge(Color::Black, Some(Value::Mate(-9)), false, 2, 2).unwrap();
        assert_eq!(
            (verdict.outcome, verdict.text.as_str()),
            (Outcome::Win(Color::White), "White wins by adjudication")
        );
        // Nobody gives up an even game, whatever the rule.
        let any = ResignRule { enabled: true, move_count: 1, score: 0, twosided: false };
        let mut judge = Adjudicator::new(DrawRule::default(), any, MaxMoves::default());
        assert_eq!(judge.judge(Color::White, cp(0), false, 1, 1), None);
        assert!(judge.judge(Color::Black, cp(-1), false, 2, 1).is_some());
        let mut judge =
            Adjudicator::new(DrawRule::default(), ResignRule { twosided: true, ..rule }, MaxMoves::default());
        for _ in 0..5 {
            assert_eq!(judge.judge(Color::Black, cp(-900), false, 1, 1), None);
            assert_eq!(judge.judge(Color::White, cp(10), false, 1, 1), None);
        }
        assert_eq!(judge.judge(Color::White, cp(900), false, 1, 1), None);
        assert!(judge.judge(Color::White, cp(900), false, 1, 1).is_some());
    }

    #[test]
    fn longest_game() {
        let rule = MaxMoves { enabled: true, move_count: 3 };
        let mut judge = Adjudicator::new(DrawRule::default(), ResignRule::default(), rule);
        assert_eq!(judge.judge(Color::White, None, false, 2, 2), None);
        assert_eq!(judge.judge(Color::White, None, false, 3, 3).unwrap().termination, Termination::Adjudication);
    }

    #[test]
    fn exact_scores_are_preferred() {
        let mut best = BestInfo::default();
        for line in
            ["depth 5 score cp 3 pv a", "depth 6 score cp 9 lowerbound", "depth 6 multipv 2 score cp 1", "depth 7"]
        {
            best.take(Box::new(Info::parse(line)));
        }
        let info = best.into_info().unwrap();
        assert_eq!((info.depth, info.pv), (Some(5), vec!["a".to_owned()]));
        let mut best = BestInfo::default();
        for line in ["depth 5 score cp 3 pv a b", "depth 6 score cp 9 lowerbound pv c"] {
            best.take(Box::new(Info::parse(line)));
        }
        let info = best.into_info().unwrap();
        assert_eq!((info.score, info.pv), (cp(3), vec!["c".to_owned()]));
        let mut best = BestInfo::default();
        best.take(Box::new(Info::parse("score cp 9 lowerbound")));
        assert_eq!(best.into_info().unwrap().score, cp(9));
    }
}
