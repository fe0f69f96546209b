//! Exact results of fangqi endings.
//!
//! Once few stones are left to place a game can be searched to its end. The value of a position is the difference of stones on the
//! board at the end, mover minus opponent; win, draw and loss are its sign, so two searches with a null window at most decide.
//! What makes it fast:
//! - [`reach`]: which squares either side can still complete with a capture. It proves many positions without search, and points that
//!   belong to no such square are all alike, so one of them stands for all.
//! - The last two placements are computed, not searched.
//! - A table whose entries hold the whole position, so that no two positions are ever mistaken for each other.
mod reach;
mod root;
mod table;
#[cfg(test)]
mod tests;
mod worker;

use super::control::Control;
use crate::games::fangqi::Fangqi;
use crate::games::{Move, Outcome, Position};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use table::{Busy, ExactTable, Known};
use worker::{Board, Worker};

/// An exactly solved position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solved {
    /// Who wins with best play: a colour, or a draw.
    pub outcome: Outcome,
    /// The side to move wins (1), draws (0) or loses (-1).
    pub sign: i32,
    /// The difference of stones at the end with best play, for the side to move, if it was found out: always for a draw, for a lost
    /// position unless time ran out. A won position is left at the proof that it is won.
    pub difference: Option<i32>,
    /// A move that keeps the outcome; in a lost position the one that loses by least, where that is known.
    pub best: Move,
    /// A line that keeps the outcome, `best` first. Legal, and to the end of the game unless the work was stopped after the result had
    /// been found.
    pub pv: Vec<Move>,
    /// Positions visited, over all threads.
    pub nodes: u64,
}

/// How a running [`solve`] stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// It is proved that the side to move ends with at least this many stones more; `None` when nothing is proved.
    pub at_least: Option<i32>,
    /// It is proved that it ends with at most this many stones more; `None` when nothing is proved.
    pub at_most: Option<i32>,
    /// Positions visited, over all threads.
    pub nodes: u64,
}

/// What a solver may use.
#[derive(Debug, Clone, Copy)]
pub struct Resources<'a> {
    /// Threads, at least 1.
    pub threads: usize,
    /// Size of the table, in MiB.
    pub hash_mib: usize,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Tells when to give up.
    pub control: &'a Control,
}

/// Placements left until the game ends, both players together, if no player is left without any stone before.
pub fn placements_left(position: &Fangqi) -> u32 {
    let (own, enemy) = (position.hand(position.side()), position.hand(!position.side()));
    // The game ends when the player on turn has an empty hand (FQ-7).
    if own <= enemy { 2 * u32::from(own) } else { 2 * u32::from(enemy) + 1 }
}

/// Solves a position exactly with `threads` threads and a new table of `hash_mib` MiB. `progress` is told of every bound that is proved.
///
/// The effort grows by a factor of two to three with each stone left to place ([`placements_left`]). `None` when the game is over,
/// when `control` stops the work (within two milliseconds) before the result is known, or when there is no memory for the table.
pub fn solve(
    position: &Fangqi,
    threads: usize,
    hash_mib: usize,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Option<Solved> {
    let resources = Resources { threads, hash_mib, deadline: None, control };
    solve_in(&mut ExactTable::new(hash_mib)?, position, &resources, progress)
}

/// [`solve`] with a deadline, and with the table of the last call, where there is one that is large enough: what it knows is true of every
/// game, and its memory need not be handed out again.
pub fn solve_within(
    position: &Fangqi,
    resources: &Resources<'_>,
    progress: &mut dyn FnMut(&Progress),
) -> Option<Solved> {
    let mut table = ExactTable::spare(resources.hash_mib)?;
    let solved = solve_in(&mut table, position, resources, progress);
    table.keep();
    solved
}

fn solve_in(
    table: &mut ExactTable,
    position: &Fangqi,
    resources: &Resources<'_>,
    progress: &mut dyn FnMut(&Progress),
) -> Option<Solved> {
    if !position.has_legal() {
        return None;
    }
    let is_late = || resources.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    table.touch(|| resources.control.stopped() || is_late());
    Solver { table, busy: Busy::new(), resources, nodes: 0 }.solve(position, progress)
}

/// A position as the search sees it: the stones, and the placements left.
fn parts(position: &Fangqi) -> (Board, u32) {
    let side = position.side();
    (Board { own: position.stones(side), enemy: position.stones(!side) }, placements_left(position))
}

struct Solver<'a> {
    table: &'a ExactTable,
    busy: Busy,
    resources: &'a Resources<'a>,
    nodes: u64,
}

impl Solver<'_> {
    fn solve(&mut self, position: &Fangqi, progress: &mut dyn FnMut(&Progress)) -> Option<Solved> {
        let (board, left) = parts(position);
        let mut known = Known::NOTHING;
        // The target that is more likely to settle the matter alone comes first.
        let first = i32::from(board.difference() + (left % 2) as i32 > 0);
        for target in [first, 1 - first] {
            if known.low < target && known.high >= target {
                let value = self.bound(board, left, target)?;
                known.learn(value, target);
                progress(&self.progress(known));
            }
        }
        let sign = if known.low > 0 { 1 } else { known.high.signum().min(0) };
        // A lost game is to be lost by as little as possible: the opponent may not know.
        while sign < 0 && known.low < known.high {
            let Some(value) = self.bound(board, left, known.high) else { break };
            known.learn(value, known.high);
            progress(&self.progress(known));
        }
        let worth = if sign < 0 { known.low } else { sign };
        let pv = self.line(position, worth);
        let outcome = match sign {
            1 => Outcome::Win(position.side()),
            -1 => Outcome::Win(!position.side()),
            _ => Outcome::Draw,
        };
        let difference = (known.low == known.high).then_some(known.low);
        Some(Solved { outcome, sign, difference, best: *pv.first()?, pv, nodes: self.nodes })
    }

    fn progress(&self, known: Known) -> Progress {
        Progress {
            at_least: (known.low > Known::NOTHING.low).then_some(known.low),
            at_most: (known.high < Known::NOTHING.high).then_some(known.high),
            nodes: self.nodes,
        }
    }

    /// [`Worker::search`] with all threads; `None` when stopped.
    fn bound(&mut self, board: Board, left: u32, target: i32) -> Option<i32> {
        let tight = board.empty().count_ones() < left;
        // Small trees are not worth a thread.
        let threads = if left < 8 { 1 } else { self.resources.threads.max(1) };
        let shared = worker::Shared {
            table: self.table,
            busy: &self.busy,
            control: self.resources.control,
            deadline: self.resources.deadline,
            done: AtomicBool::new(false),
            nodes: 0.into(),
            threads,
        };
        let run = || {
            let mut worker = Worker::new(&shared, tight);
            let value = worker.search(board, left, target);
            let value = (!worker.aborted).then_some(value);
            if value.is_some() {
                shared.done.store(true, Ordering::Relaxed);
            }
            shared.nodes.fetch_add(worker.rest(), Ordering::Relaxed);
            value
        };
        let value = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .filter_map(|_| std::thread::Builder::new().stack_size(1 << 20).spawn_scoped(scope, run).ok())
                .collect();
            let own = run();
            helpers.into_iter().fold(own, |value, helper| value.or(helper.join().ok().flatten()))
        });
        self.nodes += shared.nodes.load(Ordering::Relaxed);
        value
    }

    /// A line from a position whose mover gets at least `worth`, by moves that keep the sign of that; never empty.
    fn line(&mut self, position: &Fangqi, worth: i32) -> Vec<Move> {
        let (mut position, mut worth) = (*position, worth);
        let mut line = Vec::new();
        while let Some((mv, proved)) = self.keeping_move(&position, worth) {
            line.push(mv);
            if !proved {
                break;
            }
            position.make(mv, &mut ());
            // The opponent's side of it: lost, whatever it does; or drawn; or won.
            worth = if worth > 0 { Known::NOTHING.low } else { -worth.signum() };
        }
        line
    }

    /// A move after which the mover still gets at least `worth`, and whether that is proved; `None` without a legal move.
    fn keeping_move(&mut self, position: &Fangqi, worth: i32) -> Option<(Move, bool)> {
        let (board, left) = parts(position);
        let remembered = self
            .table
            .probe(table::hash(board.own, board.enemy, left), board.own, board.enemy, left)
            .map_or(table::NO_POINT, |known| known.best);
        let mut moves = position.legal_moves().to_vec();
        moves.sort_by_key(|&mv| (mv.to() != remembered, -position.gain(mv), -position.order_hint(mv)));
        let first = *moves.first()?;
        if worth <= Known::NOTHING.low {
            return Some((first, true));
        }
        // If nothing else keeps it, the last one does.
        let last = moves.pop()?;
        for mv in moves {
            let (next, next_left) = parts(&position.after(mv));
            match self.bound(next, next_left, 1 - worth) {
                Some(value) if -value >= worth => return Some((mv, true)),
                Some(_) => {}
                None => return Some((first, false)),
            }
        }
        Some((last, true))
    }
}
