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
mod table;
#[cfg(test)]
mod tests;
mod worker;

use super::control::Control;
use crate::board::Color;
use crate::games::fangqi::Fangqi;
use crate::games::{Move, Outcome, Position};
use std::sync::atomic::{AtomicBool, Ordering};
use table::{Busy, ExactTable};
use worker::{Board, Worker};

/// An exactly solved position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solved {
    /// Who wins with best play: a colour, or a draw.
    pub outcome: Outcome,
    /// The side to move wins (1), draws (0) or loses (-1).
    pub sign: i32,
    /// A move that keeps the outcome.
    pub best: Move,
    /// A line of best play, `best` first, legal to the end of the game.
    pub pv: Vec<Move>,
    /// Positions visited, over all threads.
    pub nodes: u64,
}

/// How a running [`solve`] stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What has been proved so far: the side to move ends with at least this many stones more; `None` when nothing is known.
    pub at_least: Option<i32>,
    /// It ends with at most this many stones more; `None` when nothing is known.
    pub at_most: Option<i32>,
    /// Positions visited, over all threads.
    pub nodes: u64,
}

/// Placements left until the game ends, both players together, if no player is left without any stone before.
pub fn placements_left(position: &Fangqi) -> u32 {
    let (own, enemy) = (position.hand(position.side()), position.hand(!position.side()));
    // The game ends when the player on turn has an empty hand (FQ-7).
    if own <= enemy { 2 * u32::from(own) } else { 2 * u32::from(enemy) + 1 }
}

/// Solves a position exactly with `threads` threads and a table of `hash_mib` MiB. `progress` is told of every bound that is proved.
///
/// The effort grows about threefold with each stone left to place ([`placements_left`]). `None` when the game is over, when
/// `control` stops the work (within two milliseconds), or when there is no memory for the table.
pub fn solve(
    position: &Fangqi,
    threads: usize,
    hash_mib: usize,
    control: &Control,
    progress: &mut dyn FnMut(&Progress),
) -> Option<Solved> {
    if !position.has_legal() {
        return None;
    }
    let table = ExactTable::new(hash_mib)?;
    let mut solver = Solver { table, busy: Busy::new(), control, threads: threads.max(1), nodes: 0 };
    let (board, left) = parts(position);
    let guess = board.difference();
    let mut known = Progress { at_least: None, at_most: None, nodes: 0 };
    // The target that is more likely to settle the matter alone comes first.
    let targets = if guess > 0 { [1, 0] } else { [0, 1] };
    for target in targets {
        if known.at_least.is_some_and(|low| low >= target) || known.at_most.is_some_and(|high| high < target) {
            continue;
        }
        let value = solver.bound(board, left, target)?;
        if value >= target {
            known.at_least = Some(value);
        } else {
            known.at_most = Some(value);
        }
        known.nodes = solver.nodes;
        progress(&known);
    }
    let sign = match known {
        Progress { at_least: Some(1..), .. } => 1,
        Progress { at_most: Some(..=-1), .. } => -1,
        _ => 0,
    };
    let pv = solver.line(position, sign)?;
    let outcome = match sign {
        1 => Outcome::Win(position.side()),
        -1 => Outcome::Win(!position.side()),
        _ => Outcome::Draw,
    };
    Some(Solved { outcome, sign, best: *pv.first()?, pv, nodes: solver.nodes })
}

/// A position as the search sees it: the stones, and the placements left.
fn parts(position: &Fangqi) -> (Board, u32) {
    let side: Color = position.side();
    (Board { own: position.stones(side), enemy: position.stones(!side) }, placements_left(position))
}

struct Solver<'a> {
    table: ExactTable,
    busy: Busy,
    control: &'a Control,
    threads: usize,
    nodes: u64,
}

impl Solver<'_> {
    /// [`Worker::search`] with all threads; `None` when stopped.
    fn bound(&mut self, board: Board, left: u32, target: i32) -> Option<i32> {
        let tight = board.empty().count_ones() < left;
        // Small trees are not worth a thread.
        let threads = if left < 8 { 1 } else { self.threads };
        let shared = worker::Shared {
            table: &self.table,
            busy: &self.busy,
            control: self.control,
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

    /// A line of best play from a position whose value has this sign.
    fn line(&mut self, position: &Fangqi, sign: i32) -> Option<Vec<Move>> {
        let (mut position, mut sign) = (*position, sign);
        let mut line = Vec::new();
        while position.has_legal() {
            let mv = self.keeping_move(&position, sign)?;
            line.push(mv);
            position.make(mv, &mut ());
            sign = -sign;
        }
        Some(line)
    }

    /// A move that keeps the sign of the value.
    fn keeping_move(&mut self, position: &Fangqi, sign: i32) -> Option<Move> {
        let (board, left) = parts(position);
        let mut moves = position.legal_moves().to_vec();
        let remembered = self
            .table
            .probe(table::hash(board.own, board.enemy, left), board.own, board.enemy, left)
            .map_or(table::NO_POINT, |known| known.best);
        moves.sort_by_key(|&mv| (mv.to() != remembered, -position.gain(mv), -position.order_hint(mv)));
        if sign < 0 {
            return moves.first().copied();
        }
        let last = moves.pop()?;
        for mv in moves {
            let (next, next_left) = parts(&position.after(mv));
            if -self.bound(next, next_left, 1 - sign)? >= sign {
                return Some(mv);
            }
        }
        // Nothing else keeps it, so this one does.
        Some(last)
    }
}
