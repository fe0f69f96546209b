//! The search of one game: iterative deepening over all threads, reports, and the choice of the move.
use super::api::{Limits, Options, Report, Reporter, Summary};
use super::control::Control;
use super::limiter::Limiter;
use super::score::{Bound, INFINITE, MATE_BOUND, MAX_PLY, Score, Value};
use super::searchable::{Means, Searchable};
use super::strength;
use super::table::Table;
use super::thread::{RootMove, Shared, ThreadData};
use crate::eval::Evaluate;
use crate::games::{Move, Outcome, Position, Record};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Deepest iteration.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 8;
/// Iterations before a solver is asked.
const FIRST_LOOK: i32 = 6;
/// Bounds that failed are reported only by searches that have gone on for so long.
const QUIET_TIME: Duration = Duration::from_millis(2500);

/// Searches positions of one game; keeps histories between the moves of a game.
#[derive(Debug)]
pub struct Searcher<P: Evaluate> {
    threads: Vec<ThreadData<P>>,
}

impl<P: Searchable> Default for Searcher<P> {
    fn default() -> Searcher<P> {
        Searcher::new()
    }
}

impl<P: Searchable> Searcher<P> {
    /// A searcher that has seen nothing.
    pub fn new() -> Searcher<P> {
        Searcher { threads: Vec::new() }
    }

    /// Forgets the last game.
    pub fn clear(&mut self) {
        for thread in &mut self.threads {
            thread.histories.clear();
            thread.corrections.clear();
        }
    }

    /// Searches until a limit, or `control`, ends it; then waits until the answer may be given (`infinite`, pondering).
    /// At least one report is made.
    pub fn search(
        &mut self,
        record: &Record<P>,
        limits: &Limits,
        options: &Options,
        table: &Table,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Summary {
        let position = record.position();
        let legal = position.legal_moves();
        let mut moves: Vec<Move> =
            legal.iter().copied().filter(|mv| limits.moves.is_empty() || limits.moves.contains(mv)).collect();
        if moves.is_empty() {
            // Nothing that was asked for is legal: any legal move is better than none.
            moves = legal.to_vec();
        }
        if moves.is_empty() {
            let score = no_moves_score(position);
            reporter.report(&Report::finished(score, control.elapsed()));
            reporter.pulse(Duration::MAX);
            control.wait_until_released(limits.infinite);
            return Summary { best: None, ponder: None, score, nodes: 0 };
        }

        let level = options.level.or(options.elo.map(|elo| strength::level_of(elo, P::LADDER)));
        let weakened = level.map(|level| strength::Handicap::new(level, options.seed ^ position.key()));
        let mut limiter = Limiter::new(limits, options, position.moves_left(), MAX_DEPTH);
        if let Some(handicap) = &weakened {
            limiter.nodes = Some(limiter.nodes.unwrap_or(u64::MAX).min(handicap.step.nodes));
        }
        let chooses = weakened.is_some() || options.variety > 0;
        let lines = options.multi_pv.max(if chooses { strength::CANDIDATES } else { 1 }).min(moves.len());

        table.new_search();
        let count = if weakened.is_some() { 1 } else { options.threads.max(1) };
        while self.threads.len() < count {
            self.threads.push(ThreadData::new(self.threads.len(), position));
        }
        self.threads.truncate(count);
        self.threads.iter_mut().for_each(|thread| thread.prepare(record, &moves, options.team.as_ref()));

        let shared = Shared {
            table,
            control,
            reporter,
            limiter,
            nodes: (0..count).map(|_| Default::default()).collect(),
            over: AtomicBool::new(false),
            rest: AtomicBool::new(false),
        };
        let reports = Reports { reporter, shown: options.multi_pv.min(lines) };
        // A solver counts no plies and no nodes, so it is no answer to a limit on them.
        let counted = limits.at_once || limits.nodes.is_some() || limits.depth.is_some() || limits.mate.is_some();
        let solvable = weakened.is_none() && moves.len() == legal.len() && options.multi_pv == 1 && !counted;
        let mut exact = None;
        let mut depth = 1;
        if solvable && position.moves_left().is_some() {
            // A first look, so that there is an answer whatever becomes of the solver.
            let first = FIRST_LOOK.min(shared.limiter.depth as i32);
            self.deepen_all(&shared, lines, &reports, 1..=first);
            depth = first + 1;
            if !shared.must_end() {
                // Half of the time is kept for the ordinary search, should the solver not get through.
                reporter.pulse(Duration::MAX);
                let time = shared.limiter.time_left(control).map(|left| left / 2);
                exact = position.solve(&Means { threads: count, time, control, reporter });
            }
        }
        if exact.is_some() {
            reporter.message("exact");
        } else {
            self.deepen_all(&shared, lines, &reports, depth..=shared.limiter.depth as i32);
        }
        let nodes = shared.total_nodes() + exact.as_ref().map_or(0, |solved| solved.nodes);
        let score;
        let (best, ponder);
        if let Some(solved) = exact {
            score = solved.score;
            (best, ponder) = (solved.line.first().copied(), solved.line.get(1).copied());
        } else {
            let (chosen, thread) = self.choose(options, weakened.as_ref());
            let value = if chosen.score == -INFINITE { chosen.previous } else { chosen.score };
            score = if value == -INFINITE { Score::Cp(self.static_score()) } else { value.into() };
            if value == -INFINITE {
                // Stopped before it was searched, or played without a look at it: say at least what the position looks like.
                reporter.report(&Report {
                    depth: 1,
                    seldepth: 1,
                    nodes,
                    pv: &[chosen.mv],
                    ..Report::finished(score, control.thought())
                });
            } else if thread != 0 || chosen.mv != self.threads[0].reported {
                reports.root(&shared, &self.threads[thread], &chosen, 1, Bound::Exact);
            }
            best = Some(chosen.mv);
            ponder = chosen
                .line
                .get(1)
                .copied()
                .or_else(|| expected_reply(table, position, chosen.mv, self.threads[0].salt));
        }
        if limits.infinite || control.pondering() {
            reporter.pulse(Duration::MAX);
        }
        control.wait_until_released(limits.infinite && !limits.at_once);
        Summary { best, ponder, score, nodes }
    }

    /// Runs the iterations of `depths` on all threads.
    fn deepen_all(&mut self, shared: &Shared<'_>, lines: usize, reports: &Reports<'_>, depths: RangeInclusive<i32>) {
        std::thread::scope(|scope| {
            let Some((main, helpers)) = self.threads.split_first_mut() else { return };
            for helper in helpers {
                let depths = depths.clone();
                let run = move || helper.deepen(shared, lines, None, depths);
                if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                    // The system gives no more threads: those that there are go on.
                    break;
                }
            }
            main.deepen(shared, lines, Some(reports), depths);
            // While the answer must be held back, the helpers may rest as well.
            shared.rest.store(true, Ordering::Relaxed);
        });
        shared.rest.store(false, Ordering::Relaxed);
    }

    /// The static evaluation of the root.
    fn static_score(&self) -> Value {
        self.threads[0].evaluate(0)
    }

    /// The move to play and the thread it comes from.
    fn choose(&self, options: &Options, weakened: Option<&strength::Handicap>) -> (RootMove, usize) {
        let main = &self.threads[0];
        let first = &main.root_moves[0];
        if let Some(handicap) = weakened {
            return (handicap.choose(&main.root_moves).unwrap_or(first).clone(), 0);
        }
        if options.variety > 0 {
            let seed = options.seed ^ main.stack[0].position.key();
            return (strength::vary(&main.root_moves, options.variety, seed).unwrap_or(first).clone(), 0);
        }
        let mut best = main;
        if options.multi_pv == 1 {
            // A helper that is deeper and no worse has seen more.
            for thread in &self.threads[1..] {
                let (mine, its) = (best.root_moves[0].score, thread.root_moves[0].score);
                let deeper = thread.completed > best.completed && its >= mine;
                if its > -INFINITE && (deeper || its >= MATE_BOUND && its > mine) {
                    best = thread;
                }
            }
        }
        (best.root_moves[0].clone(), best.id)
    }
}

/// The score of a finished position for its side to move.
fn no_moves_score<P: Position>(position: &P) -> Score {
    match position.no_moves().outcome {
        Outcome::Win(side) if side == position.side() => Score::Mate(1),
        Outcome::Win(_) => Score::Mate(0),
        Outcome::Draw | Outcome::Ongoing => Score::Cp(0),
    }
}

/// What the table thinks the opponent will reply.
fn expected_reply<P: Evaluate>(table: &Table, position: &P, mv: Move, salt: u64) -> Option<Move> {
    let next = position.after(mv);
    table.probe(next.key() ^ salt, 0).map(|entry| entry.mv).filter(|&reply| reply.is_some() && next.is_legal(reply))
}

/// How reports of a search reach its reporter.
struct Reports<'a> {
    reporter: &'a dyn Reporter,
    /// Lines that the user asked for.
    shown: usize,
}

impl Reports<'_> {
    fn root<P: Evaluate>(
        &self,
        shared: &Shared<'_>,
        thread: &ThreadData<P>,
        root: &RootMove,
        multipv: usize,
        bound: Bound,
    ) {
        let (score, depth) = match root.score {
            score if score == -INFINITE => (root.previous, thread.root_depth - 1),
            score => (score, thread.root_depth),
        };
        if score == -INFINITE {
            return;
        }
        self.reporter.report(&Report {
            depth: depth.max(1) as u32,
            seldepth: root.seldepth.max(depth.max(1) as usize) as u32,
            multipv,
            score: score.into(),
            bound,
            nodes: shared.total_nodes(),
            time: shared.control.thought(),
            hashfull: shared.table.hashfull(),
            pv: &root.line,
        });
    }
}

impl<P: Searchable> ThreadData<P> {
    /// Iterative deepening. Only the main thread has `reports`.
    fn deepen(
        &mut self,
        shared: &Shared<'_>,
        lines: usize,
        reports: Option<&Reports<'_>>,
        depths: RangeInclusive<i32>,
    ) {
        let mut averages: Vec<Value> = vec![-INFINITE; lines];
        let mut stability = 0;
        let mut last_best = Move::NONE;
        let mut last_value = -INFINITE;
        for depth in depths {
            if shared.must_end() && depth > 1 {
                break;
            }
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous = root.score;
            }
            let mut cut_short = false;
            for (line, average) in averages.iter_mut().enumerate() {
                self.first_root = line;
                self.seldepth = 0;
                self.aspirate(shared, depth, *average, reports, line);
                if shared.must_end() {
                    cut_short = true;
                    break;
                }
                let value = self.root_moves[line].score;
                *average = if *average == -INFINITE { value } else { (*average + value) / 2 };
                // Lines found later may beat earlier ones.
                self.root_moves[..=line].sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            self.publish_nodes(shared);
            if cut_short {
                break;
            }
            self.completed = depth;
            let Some(reports) = reports else { continue };
            for (rank, root) in self.root_moves[..reports.shown].iter().enumerate() {
                reports.root(shared, self, root, rank + 1, Bound::Exact);
            }
            self.reported = self.root_moves[0].mv;

            // Is another iteration worth its time?
            let best = &self.root_moves[0];
            stability = if best.mv == last_best { stability + 1 } else { 0 };
            let drop = if last_value == -INFINITE { 0 } else { last_value - best.score };
            let effort = best.nodes as f64 / self.nodes.max(1) as f64;
            last_best = best.mv;
            last_value = best.score;
            let value = best.score;
            if shared
                .limiter
                .mate
                .is_some_and(|n| matches!(Score::from(value), Score::Mate(m) if m > 0 && m as u32 <= n))
            {
                shared.over.store(true, Ordering::Relaxed);
                break;
            }
            if shared.limiter.on_clock() {
                let settled = [1.6, 1.2, 1.0, 0.9, 0.8][stability.min(4)];
                let falling = (1.0 + f64::from(drop) / 120.0).clamp(0.75, 1.7);
                let scale = settled * falling * (1.7 - effort).clamp(0.7, 1.4);
                let proved = value.abs() >= MATE_BOUND && depth > 2 * (super::score::MATE - value.abs()) + 2;
                let forced = self.root_moves.len() == 1 && depth >= 6;
                if !shared.control.pondering() && (proved || forced) || shared.limiter.enough(shared.control, scale) {
                    shared.over.store(true, Ordering::Relaxed);
                    break;
                }
            }
        }
        self.publish_nodes(shared);
    }

    /// One line of one iteration, with a window around what is expected.
    fn aspirate(
        &mut self,
        shared: &Shared<'_>,
        depth: i32,
        expected: Value,
        reports: Option<&Reports<'_>>,
        line: usize,
    ) {
        let mut delta = 18;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 5 && expected.abs() < MATE_BOUND {
            alpha = (expected - delta).max(-INFINITE);
            beta = (expected + delta).min(INFINITE);
        }
        let mut reduction = 0;
        loop {
            let value = self.search::<true, true>(shared, alpha, beta, (depth - reduction).max(1), 0, false);
            // Stable: moves that were not raised keep their order.
            self.root_moves[self.first_root..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if shared.must_end() {
                return;
            }
            let bound = if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                reduction = 0;
                Bound::Upper
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                reduction = (reduction + 1).min(3);
                Bound::Lower
            } else {
                return;
            };
            if let Some(reports) = reports
                && line < reports.shown
                && reports.shown == 1
                && shared.control.thought() > QUIET_TIME
            {
                reports.root(shared, self, &self.root_moves[self.first_root], line + 1, bound);
            }
            delta += delta / 2;
            if delta > 800 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}
