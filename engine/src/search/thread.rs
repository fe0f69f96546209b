//! What one search thread owns, and what all threads of a search share.
use super::api::Reporter;
use super::control::Control;
use super::correction::Corrections;
use super::history::{Histories, Rows, no_row};
use super::limiter::Limiter;
use super::picker::Buffer;
use super::score::{MAX_PLY, NONE, Value};
use super::table::Table;
use super::team::TeamTerms;
use super::way::make_way;
use crate::eval::{Evaluate, Placement};
use crate::games::record::Past;
use crate::games::{Move, Record};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A counter on a cache line of its own, written by one thread only.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
    fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }
}

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) reporter: &'a dyn Reporter,
    pub(super) limiter: Limiter,
    /// Nodes of each thread.
    pub(super) nodes: Vec<Counter>,
    /// A limit was reached: everybody out.
    pub(super) over: AtomicBool,
    /// The main thread has finished its iterations: the helpers stop theirs.
    pub(super) rest: AtomicBool,
}

impl Shared<'_> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(Counter::get).sum()
    }

    #[inline(always)]
    pub(super) fn must_end(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.rest.load(Ordering::Relaxed) || self.control.stopped()
    }
}

/// A line of moves, the best found from some node on.
#[derive(Debug, Clone)]
pub(super) struct Line {
    moves: [Move; MAX_PLY],
    len: usize,
}

impl Line {
    pub(super) const EMPTY: Line = Line { moves: [Move::NONE; MAX_PLY], len: 0 };

    pub(super) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    fn set(&mut self, first: Move, rest: &Line) {
        let len = rest.len.min(MAX_PLY - 1);
        self.moves[0] = first;
        self.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        self.len = len + 1;
    }
}

/// One ply of the line under search.
#[derive(Debug, Clone)]
pub(super) struct Frame<P: Evaluate> {
    pub(super) position: P,
    pub(super) sums: Placement<P>,
    /// The move made at this node to reach the next.
    pub(super) mv: Move,
    /// Its row in the continuation table.
    pub(super) row: usize,
    /// Corrected static evaluation, [`NONE`] in check.
    pub(super) eval: Value,
    /// The move left out by a singular search of this node.
    pub(super) excluded: Move,
    pub(super) killers: [Move; 2],
    /// Cuts among the children of this node's children.
    pub(super) cuts: u32,
    pub(super) line: Line,
}

/// A move at the root and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) score: Value,
    /// Score of the iteration before.
    pub(super) previous: Value,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    pub(super) line: Vec<Move>,
}

/// What one thread owns.
#[derive(Debug)]
pub(super) struct ThreadData<P: Evaluate> {
    pub(super) id: usize,
    pub(super) histories: Histories<P>,
    pub(super) corrections: Corrections,
    pub(super) buffer: Buffer,
    /// Frames of the plies; frame 0 is the root.
    pub(super) stack: Vec<Frame<P>>,
    /// The game's positions and those of the line under search.
    pub(super) past: Vec<Past>,
    /// Number of entries of `past` up to and including the root.
    pub(super) root_past: usize,
    /// Repetitions are not looked for before this index: a null move lies there.
    pub(super) barrier: usize,
    pub(super) nodes: u64,
    pub(super) next_check: u64,
    /// Looks at the limits, over all searches: many small ones make way like a large one.
    pub(super) checks: u32,
    /// What the reporter holds back has to be looked after.
    pub(super) pulses: bool,
    pub(super) seldepth: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// Index of the root move from which on moves are searched: the rank of the line in MultiPV.
    pub(super) first_root: usize,
    pub(super) root_depth: i32,
    pub(super) completed: i32,
    /// Best move of the last report.
    pub(super) reported: Move,
    /// What counts from another board, and its mark on the keys of the table.
    pub(super) team: Option<TeamTerms>,
    pub(super) salt: u64,
    /// No null move before this ply (verification).
    pub(super) null_from: usize,
}

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 256;
/// Looks at the limits between two looks at the input, a third of a millisecond or so.
const CHECKS_PER_WAY: u32 = 3;

impl<P: Evaluate> ThreadData<P> {
    pub(super) fn new(id: usize, start: &P) -> Self {
        let frame = Frame {
            position: start.clone(),
            sums: start.accumulate(),
            mv: Move::NONE,
            row: no_row::<P>(),
            eval: NONE,
            excluded: Move::NONE,
            killers: [Move::NONE; 2],
            cuts: 0,
            line: Line::EMPTY,
        };
        ThreadData {
            id,
            histories: Histories::new(),
            corrections: Corrections::new(),
            buffer: Buffer::with_capacity(4096),
            stack: vec![frame; MAX_PLY + 2],
            past: Vec::new(),
            root_past: 0,
            barrier: 0,
            nodes: 0,
            next_check: 0,
            checks: 0,
            pulses: false,
            seldepth: 0,
            root_moves: Vec::new(),
            first_root: 0,
            root_depth: 0,
            completed: 0,
            reported: Move::NONE,
            team: None,
            salt: 0,
            null_from: 0,
        }
    }

    /// Gets ready for a search from the record's position among `moves`.
    pub(super) fn prepare(&mut self, record: &Record<P>, moves: &[Move], team: Option<&TeamTerms>) {
        let root = &mut self.stack[0];
        root.position = record.position().clone();
        root.sums = root.position.accumulate();
        for frame in &mut self.stack {
            frame.killers = [Move::NONE; 2];
            frame.excluded = Move::NONE;
            frame.mv = Move::NONE;
            frame.row = no_row::<P>();
            frame.eval = NONE;
            frame.cuts = 0;
            frame.line.len = 0;
        }
        self.past.clear();
        self.past.extend_from_slice(record.line());
        self.root_past = self.past.len();
        self.barrier = 0;
        self.nodes = 0;
        self.next_check = 0;
        self.pulses = self.id == 0;
        self.seldepth = 0;
        self.first_root = 0;
        self.root_depth = 0;
        self.completed = 0;
        self.reported = Move::NONE;
        self.null_from = 0;
        self.team = team.cloned();
        self.salt = team.map_or(0, TeamTerms::salt);
        self.root_moves.clear();
        self.root_moves.extend(moves.iter().map(|&mv| RootMove {
            mv,
            score: -super::score::INFINITE,
            previous: -super::score::INFINITE,
            seldepth: 0,
            nodes: 0,
            line: vec![mv],
        }));
    }

    /// Asks memory for what is known of the position after `mv`, which takes longer than deciding whether it will be made.
    #[inline(always)]
    pub(super) fn prefetch(&self, shared: &Shared<'_>, ply: usize, mv: Move) {
        shared.table.prefetch(self.stack[ply].position.key_after(mv) ^ self.salt);
    }

    /// Makes a legal move at `ply`; the next frame is ready afterwards.
    #[inline]
    pub(super) fn make(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.stack.split_at_mut(ply + 1);
        let (from, to) = (&mut before[ply], &mut after[0]);
        from.mv = mv;
        from.row = from.position.piece_to(mv);
        to.position.clone_from(&from.position);
        to.sums.clone_from(&from.sums);
        to.position.make(mv, &mut to.sums);
        self.past.push(Past::of(&to.position));
    }

    /// Passes the turn at `ply`. Gives what [`ThreadData::unmake_null`] wants back.
    pub(super) fn make_null(&mut self, ply: usize) -> usize {
        let (before, after) = self.stack.split_at_mut(ply + 1);
        let (from, to) = (&mut before[ply], &mut after[0]);
        from.mv = Move::NONE;
        from.row = no_row::<P>();
        to.position.clone_from(&from.position);
        to.sums.clone_from(&from.sums);
        to.position.make_null();
        let barrier = std::mem::replace(&mut self.barrier, self.past.len());
        self.past.push(Past::of(&to.position));
        barrier
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.past.pop();
    }

    pub(super) fn unmake_null(&mut self, barrier: usize) {
        self.past.pop();
        self.barrier = barrier;
    }

    /// The side to move at the current node is in check.
    #[inline(always)]
    pub(super) fn in_check(&self) -> bool {
        self.past.last().is_some_and(|past| past.check)
    }

    /// Continuation rows for a move at `ply`.
    #[inline(always)]
    pub(super) fn rows(&self, ply: usize) -> Rows {
        let row = |back: usize| ply.checked_sub(back).map_or(no_row::<P>(), |p| self.stack[p].row);
        [row(1), row(2), row(4)]
    }

    /// Sets the best line of `ply` to `mv` and the line of the next ply.
    pub(super) fn set_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.stack.split_at_mut(ply + 1);
        before[ply].line.set(mv, &after[0].line);
    }

    pub(super) fn clear_line(&mut self, ply: usize) {
        self.stack[ply].line.len = 0;
    }

    /// Counts a node and, on the main thread, looks at the limits now and then. True when the search must end.
    #[inline(always)]
    pub(super) fn count_node(&mut self, shared: &Shared<'_>) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits(shared);
        }
        shared.must_end()
    }

    #[cold]
    fn check_limits(&mut self, shared: &Shared<'_>) {
        shared.nodes[self.id].set(self.nodes);
        self.next_check = self.nodes + CHECK_INTERVAL;
        let total = shared.total_nodes();
        if let Some(limit) = shared.limiter.nodes
            && limit.saturating_sub(total) < CHECK_INTERVAL
        {
            self.next_check = self.nodes + limit.saturating_sub(total).max(1);
        }
        self.checks = self.checks.wrapping_add(1);
        if self.checks.is_multiple_of(CHECKS_PER_WAY) {
            make_way();
        }
        if self.pulses {
            self.pulses = !shared.reporter.pulse(shared.control.thought());
        }
        // The first iteration is always finished, so that there is a move to play.
        if self.id == 0 && self.completed >= 1 && shared.limiter.expired(shared.control, total) {
            shared.over.store(true, Ordering::Relaxed);
        }
    }

    /// Publishes the node count at the end of an iteration.
    pub(super) fn publish_nodes(&self, shared: &Shared<'_>) {
        shared.nodes[self.id].set(self.nodes);
    }
}
