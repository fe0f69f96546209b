//! One thread of the solver: alpha-beta with a null window over stone differences.
use super::reach::{Reach, reach};
use super::table::{Busy, ExactTable, Known, NO_POINT, hash};
use crate::board::bits::Squares;
use crate::games::fangqi::geometry::{
    FULL, POINTS, SQUARES_OF, by_count, complete, neighbours, points_of, squares_beside, squares_touching,
};
use crate::search::control::Control;
use crate::search::way::make_way;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// With fewer placements left than this, positions are not looked up in the table.
const TABLE_FROM: u32 = 4;
/// With fewer placements left than this, replies are not looked up before one is searched.
const LOOK_AHEAD_FROM: u32 = 6;
/// With fewer placements left than this, threads do not avoid each other.
const SHARE_FROM: u32 = 7;
/// Nodes between two looks at the stop flag: well below a millisecond.
const POLL: u64 = 256;
/// Positions between two looks at the input, a third of a millisecond or so.
const WAY_INTERVAL: u64 = 24 * POLL;

/// Stones seen from the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    /// Stones of the player to move.
    pub own: u64,
    /// Stones of the opponent.
    pub enemy: u64,
}

impl Board {
    /// Empty points.
    #[inline(always)]
    pub(super) fn empty(self) -> u64 {
        FULL & !(self.own | self.enemy)
    }

    /// FQ-3: what a placement on `point` takes.
    #[inline(always)]
    fn captures(self, point: u8) -> u64 {
        let squares = complete(self.own | 1 << point) & SQUARES_OF[point as usize];
        neighbours(squares) & self.enemy
    }

    /// The board after a placement, seen from the opponent.
    #[inline(always)]
    pub(super) fn after(self, point: u8) -> Board {
        Board { own: self.enemy & !self.captures(point), enemy: self.own | 1 << point }
    }

    /// Points where a placement captures.
    #[inline(always)]
    fn capturing(self) -> u64 {
        let threats = by_count(self.own)[2] & !squares_touching(self.enemy) & squares_beside(self.enemy);
        points_of(threats) & self.empty()
    }

    /// The most that one placement can take.
    #[inline(always)]
    fn best_capture(self) -> i32 {
        Squares(self.capturing()).map(|point| self.captures(point).count_ones() as i32).max().unwrap_or(0)
    }

    /// Stones on the board, mover minus opponent.
    #[inline(always)]
    pub(super) fn difference(self) -> i32 {
        self.own.count_ones() as i32 - self.enemy.count_ones() as i32
    }
}

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a ExactTable,
    pub busy: &'a Busy,
    pub control: &'a Control,
    pub deadline: Option<Instant>,
    /// Some thread has the answer.
    pub done: AtomicBool,
    pub nodes: AtomicU64,
    pub threads: usize,
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.control.stopped()
            || self.done.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A thread's own memory.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// Cutoffs by player (parity of the placements left) and point.
    history: [[i32; POINTS]; 2],
    nodes: u64,
    /// The search has to end; results are void.
    pub aborted: bool,
    /// The empty points may run out before the hands do: nothing that counts on every stone being placed holds.
    tight: bool,
}

/// Candidate points with their scores.
struct Candidates {
    list: [(i32, u8); POINTS],
    len: usize,
}

impl Candidates {
    #[inline(always)]
    fn push(&mut self, score: i32, point: u8) {
        self.list[self.len] = (score, point);
        self.len += 1;
    }

    /// Moves the best of the rest to place `index` and returns it.
    #[inline(always)]
    fn pick(&mut self, index: usize) -> u8 {
        let mut best = index;
        for other in index + 1..self.len {
            if self.list[other].0 > self.list[best].0 {
                best = other;
            }
        }
        self.list.swap(index, best);
        self.list[index].1
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, tight: bool) -> Worker<'a> {
        Worker { shared, history: [[0; POINTS]; 2], nodes: 0, aborted: shared.is_over(), tight }
    }

    /// A bound on the value of `board` with `left` placements to come: at least `target` if the value is, below it otherwise.
    /// Void when [`Worker::aborted`] is set.
    pub(super) fn search(&mut self, board: Board, left: u32, target: i32) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) {
            self.shared.nodes.fetch_add(POLL, Ordering::Relaxed);
            self.aborted |= self.shared.is_over();
            if self.nodes.is_multiple_of(WAY_INTERVAL) {
                make_way();
            }
        }
        if self.aborted {
            return 0;
        }
        let empty = board.empty();
        if left == 0 || empty == 0 {
            return board.difference();
        }
        // Every stone that is still to come adds one to its owner's count.
        let base = board.difference() + (left & 1) as i32;
        if !self.tight && left <= 2 {
            return if left == 1 { base + board.best_capture() } else { two_left(board, target) };
        }
        let (own_left, enemy_left) = (left.div_ceil(2), left / 2);
        let reach = reach(board.own, board.enemy, own_left, enemy_left);
        let (mut low, mut high) = (Known::NOTHING.low, Known::NOTHING.high);
        if !self.tight {
            (low, high) = limits(board, &reach, empty, left, base);
            if low >= target {
                return low;
            }
            if high < target {
                return high;
            }
        }
        let use_table = left >= TABLE_FROM;
        let key = hash(board.own, board.enemy, left);
        let mut known = Known { low, high, best: NO_POINT };
        if use_table && let Some(entry) = self.shared.table.probe(key, board.own, board.enemy, left) {
            if entry.low >= target {
                return entry.low;
            }
            if entry.high < target {
                return entry.high;
            }
            known = Known { low: low.max(entry.low), high: high.min(entry.high), best: entry.best };
        }

        let mut candidates = self.candidates(board, &reach, left, known.best);
        if left >= LOOK_AHEAD_FROM {
            for &(_, point) in &candidates.list[..candidates.len] {
                let next = board.after(point);
                let key = hash(next.own, next.enemy, left - 1);
                if let Some(entry) = self.shared.table.probe(key, next.own, next.enemy, left - 1)
                    && -entry.high >= target
                {
                    return -entry.high;
                }
            }
        }
        let share = self.shared.threads > 1 && left >= SHARE_FROM;
        let mut best = Known::NOTHING.low;
        let mut deferred = [0u8; POINTS];
        let mut deferred_len = 0;
        let (mut index, mut second) = (0, 0);
        loop {
            let point = if index < candidates.len {
                index += 1;
                candidates.pick(index - 1)
            } else if second < deferred_len {
                second += 1;
                deferred[second - 1]
            } else {
                break;
            };
            let next = board.after(point);
            let mut value_key = 0;
            if share {
                value_key = hash(next.own, next.enemy, left - 1);
                if index > 1 && second == 0 && self.shared.busy.contains(value_key) {
                    deferred[deferred_len] = point;
                    deferred_len += 1;
                    continue;
                }
                self.shared.busy.enter(value_key);
            }
            let value = -self.search(next, left - 1, 1 - target);
            if share {
                self.shared.busy.leave(value_key);
            }
            if self.aborted {
                return 0;
            }
            if value > best {
                best = value;
                if value >= target {
                    known.best = point;
                    self.reward(left, point);
                    break;
                }
            }
        }
        known.learn(best, target);
        if use_table {
            self.shared.table.store(key, board.own, board.enemy, left, known);
        }
        best
    }

    #[inline(always)]
    fn reward(&mut self, left: u32, point: u8) {
        let history = &mut self.history[(left & 1) as usize];
        history[point as usize] += (left * left) as i32;
        if history[point as usize] > 1 << 14 {
            history.iter_mut().for_each(|h| *h /= 2);
        }
    }

    /// The points worth trying, scored.
    #[inline(always)]
    fn candidates(&self, board: Board, reach: &Reach, left: u32, first: u8) -> Candidates {
        let empty = board.empty();
        let dead = empty & reach.dead();
        // A dead point is never worse than a point that belongs to no square that can capture: the other one can only be taken, or
        // would be bad for the opponent to have to use. And dead points are all the same.
        let tried = if dead != 0 && !self.tight { empty & reach.points() | dead & dead.wrapping_neg() } else { empty };
        let enemy_view = Board { own: board.enemy, enemy: board.own };
        let (capturing, denying) = (board.capturing(), enemy_view.capturing());
        let (own_counts, enemy_counts) = (by_count(board.own), by_count(board.enemy));
        let (own_two, enemy_two) = (own_counts[1] & reach.own, enemy_counts[1] & reach.enemy);
        let (own_one, enemy_one) = (own_counts[0] & reach.own, enemy_counts[0] & reach.enemy);
        let exposed = neighbours(enemy_counts[2] & reach.enemy);
        let history = &self.history[(left & 1) as usize];
        let mut candidates = Candidates { list: [(0, 0); POINTS], len: 0 };
        for point in Squares(tried) {
            let bit = 1u64 << point;
            let around = SQUARES_OF[point as usize];
            let count = |set: u64| (set & around).count_ones() as i32;
            let mut score = history[point as usize] / 16;
            if point == first {
                score += 1 << 24;
            }
            if capturing & bit != 0 {
                score += 4000 + 4000 * board.captures(point).count_ones() as i32;
            }
            if denying & bit != 0 {
                score += 2000 + 3000 * enemy_view.captures(point).count_ones() as i32;
            }
            score += 600 * count(own_two) + 300 * count(enemy_two) + 100 * count(own_one) + 50 * count(enemy_one);
            if exposed & bit != 0 {
                score -= 1500;
            }
            candidates.push(score, point);
        }
        candidates
    }

    /// Nodes since the last time they were added to the shared count.
    pub(super) fn rest(&self) -> u64 {
        self.nodes % POLL
    }
}

/// Limits of the value that hold whatever is played.
#[inline(always)]
fn limits(board: Board, reach: &Reach, empty: u64, left: u32, base: i32) -> (i32, i32) {
    let (own_left, enemy_left) = (left.div_ceil(2) as i32, (left / 2) as i32);
    let count = |set: u64| set.count_ones() as i32;
    let (mut low, mut high) = (base, base);
    // Each stone is taken once at most. With enough safe points a player can place the rest out of reach.
    if reach.own != 0 {
        high += count(board.enemy & reach.beside_own);
        if count(empty & !reach.beside_own) < left as i32 {
            high += enemy_left;
        }
    }
    if reach.enemy != 0 {
        low -= count(board.own & reach.beside_enemy);
        if count(empty & !reach.beside_enemy) < left as i32 {
            low -= own_left;
        }
    }
    (low, high)
}

/// [`Worker::search`] with one placement left for each player and points enough.
#[inline(always)]
fn two_left(board: Board, target: i32) -> i32 {
    let base = board.difference();
    let capturing = board.capturing();
    let mut best = Known::NOTHING.low;
    for point in Squares(capturing) {
        let next = board.after(point);
        let value = -(next.difference() + 1 + next.best_capture());
        if value >= target {
            return value;
        }
        best = best.max(value);
    }
    // A quiet placement ends at `base` less what the opponent then takes.
    let slack = base - target;
    if slack < 0 {
        return best.max(base);
    }
    let view = Board { own: board.enemy, enemy: board.own };
    let open = by_count(board.enemy)[2] & !squares_touching(board.own);
    let quiet = board.empty() & !capturing;
    let points = points_of(open & squares_beside(board.own)) & board.empty();
    let strong = Squares(points)
        .filter(|&point| view.captures(point).count_ones() as i32 > slack)
        .fold(0u64, |set, point| set | 1 << point);
    let value_of = |point: u8| base - Board { own: board.enemy, enemy: board.own | 1 << point }.best_capture();
    if strong == 0 {
        if quiet & !neighbours(open) != 0 {
            return target;
        }
        for point in Squares(quiet) {
            if value_of(point) >= target {
                return target;
            }
        }
    } else if strong & (strong - 1) == 0 && strong & quiet != 0 && value_of(strong.trailing_zeros() as u8) >= target {
        // Only standing on the point itself keeps the opponent from using it.
        return target;
    }
    best.max(target - 1)
}
