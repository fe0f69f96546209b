//! `info` lines: what a search reports, in the words of a dialect.
use super::dialect::Dialect;
use super::output::Output;
use crate::games::supply::team::BoardId;
use crate::games::{Move, Outcome, Position, RankBase, Record, Variant};
use crate::search::{Bound, Report, Reporter, Score};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What a search reports before this waits for what it says next: a short search says all at once. That saves a client that has many of
/// them a tenth of the time.
const GATHER: Duration = Duration::from_millis(5);

/// How a session wants its `info` lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// The protocol.
    pub(super) dialect: Dialect,
    /// Numbering of ranks.
    pub(super) base: RankBase,
    /// With chances of winning, drawing and losing.
    pub(super) wdl: bool,
    /// The board of `supply2` that moves are about: its number stands before each.
    pub(super) board: Option<BoardId>,
}

impl Style {
    /// A legal move in this style.
    pub(super) fn move_text<P: Position>(&self, position: &P, mv: Move) -> String {
        let text = position.move_text(mv, self.base);
        self.board.map_or_else(|| text.clone(), |board| format!("{board}{text}"))
    }
}

/// What was said last about the best line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    /// First move of the line.
    pub(super) first: Option<Move>,
    /// Depth in plies.
    pub(super) depth: u32,
    /// Deepest ply.
    pub(super) seldepth: u32,
}

/// Writes reports about one position.
pub(super) struct Announcer<'a, P> {
    record: &'a Record<P>,
    style: Style,
    out: &'a Output,
    said: Mutex<Option<Said>>,
}

impl<'a, P: Position> Announcer<'a, P> {
    /// For the position at the end of `record`.
    pub(super) fn new(record: &'a Record<P>, style: Style, out: &'a Output) -> Announcer<'a, P> {
        Announcer { record, style, out, said: Mutex::new(None) }
    }

    /// The last words about the best line.
    pub(super) fn said(&self) -> Option<Said> {
        *self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line as text, as far as it is legal: the text of a move depends on the position it is played in.
    fn line(&self, pv: &[Move]) -> Vec<String> {
        let mut position = self.record.position().clone();
        let mut words = Vec::with_capacity(pv.len());
        for &mv in pv {
            if !position.is_legal(mv) {
                break;
            }
            words.push(self.style.move_text(&position, mv));
            position.make(mv, &mut ());
        }
        words
    }

    /// A lone move with the score of exactly 0 tells clients that the move draws. Where it does not, one centipawn is added.
    fn honest(&self, score: Score, pv: &[Move]) -> Score {
        match (score, pv) {
            (Score::Cp(0), [mv]) if self.record.position().is_legal(*mv) => {
                let mut next = self.record.clone();
                next.push(*mv);
                if next.result().outcome == Outcome::Draw { score } else { Score::Cp(1) }
            }
            _ => score,
        }
    }

    fn text(&self, report: &Report<'_>) -> String {
        let Style { dialect, wdl, .. } = self.style;
        let score = self.honest(report.score, report.pv);
        let mut text = format!("info depth {}", report.depth);
        if dialect != Dialect::Ucci {
            text += &format!(" seldepth {}", report.seldepth);
        }
        if dialect != Dialect::Ucci || report.multipv > 1 {
            text += &format!(" multipv {}", report.multipv);
        }
        text += &format!(" {}", dialect.score(score));
        match report.bound {
            Bound::Lower => text += " lowerbound",
            Bound::Upper => text += " upperbound",
            Bound::Exact | Bound::None => {}
        }
        if wdl && dialect != Dialect::Ucci {
            let [win, draw, loss] = chances(P::VARIANT, score);
            text += &format!(" wdl {win} {draw} {loss}");
        }
        let millis = u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX);
        let speed = report.nodes.saturating_mul(1000) / millis.max(1);
        text += &format!(" nodes {} nps {speed} hashfull {} time {millis}", report.nodes, report.hashfull);
        let line = self.line(report.pv);
        if !line.is_empty() {
            text += &format!(" pv {}", line.join(" "));
        }
        text
    }
}

impl<P: Position> Reporter for Announcer<'_, P> {
    fn report(&self, report: &Report<'_>) {
        // UCCI has no word for a score that is only a bound.
        if self.style.dialect == Dialect::Ucci && matches!(report.bound, Bound::Lower | Bound::Upper) {
            return;
        }
        let text = self.text(report);
        if report.time < GATHER {
            self.out.hold(&text);
        } else {
            self.out.line(&text);
        }
        if report.multipv == 1 {
            *self.said.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(Said { first: report.pv.first().copied(), depth: report.depth, seldepth: report.seldepth });
        }
    }

    fn message(&self, text: &str) {
        self.out.remark(self.style.dialect, text);
    }

    fn pulse(&self, thought: Duration) -> bool {
        if thought >= GATHER {
            self.out.flush();
        }
        thought >= GATHER
    }
}

/// What is said before the answer when the game has ended, or when there is no position.
pub(super) fn end_line(style: Style, score: Score) -> String {
    format!("info depth 0 {}", style.dialect.score(score))
}

/// A report that the session makes itself.
pub(super) fn own_report(said: Option<Said>, score: Score, nodes: u64, time: Duration, pv: &[Move]) -> Report<'_> {
    let (depth, seldepth) = said.map_or((1, 1), |said| (said.depth.max(1), said.seldepth.max(1)));
    Report { depth, seldepth, multipv: 1, score, bound: Bound::Exact, nodes, time, hashfull: 0, pv }
}

/// Permille of games won, drawn and lost at a score, by the logistic model that is usual since Stockfish 14: a side
/// wins with 1 / (1 + exp((a − score) / b)). `a` is the score that wins half the games, `b` how fast that changes.
fn chances(variant: Variant, score: Score) -> [u32; 3] {
    let (a, b) = match variant {
        // Draws are rare: forty stones seldom end level.
        Variant::Fangqi => (20.0, 120.0),
        Variant::Supply => (60.0, 120.0),
        Variant::Xiangqi | Variant::Yangqi | Variant::YangqiNoSwap => (150.0, 90.0),
    };
    let wins = |cp: f64| (1000.0 / (1.0 + ((a - cp) / b).exp())).round() as u32;
    match score {
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
        Score::Cp(cp) => {
            let (win, loss) = (wins(f64::from(cp)), wins(f64::from(-cp)));
            [win, 1000_u32.saturating_sub(win + loss), loss]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_are_symmetric() {
        for variant in Variant::ALL {
            for cp in [-20_000, -300, -1, 0, 1, 50, 300, 20_000] {
                let [win, draw, loss] = chances(variant, Score::Cp(cp));
                assert_eq!(win + draw + loss, 1000);
                assert_eq!([loss, draw, win], chances(variant, Score::Cp(-cp)));
            }
            assert_eq!(chances(variant, Score::Mate(3)), [1000, 0, 0]);
            assert_eq!(chances(variant, Score::Mate(0)), [0, 0, 1000]);
        }
    }
}
