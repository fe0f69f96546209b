//! Moves one by one in the order most likely to cut, generated in stages so that a cut saves the stages after it.
use super::history::{Histories, Rows};
use crate::board::bits::BitSet;
use crate::games::moves::MoveSink;
use crate::games::{Generate, Move, Position};

/// A move and what it is hoped to be worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    mv: Move,
    score: i32,
}

/// The moves of all nodes of a line, one stack: a node's picker owns the part above where it began.
#[derive(Debug, Default)]
pub(super) struct Buffer(Vec<Scored>);

impl Buffer {
    pub(super) fn with_capacity(moves: usize) -> Buffer {
        Buffer(Vec::with_capacity(moves))
    }
}

impl MoveSink for Buffer {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        self.0.push(Scored { mv, score: 0 });
    }
    #[inline(always)]
    fn push_targets<B: BitSet>(&mut self, base: Move, mut targets: B) {
        while let Some(square) = targets.pop() {
            self.push(Move(base.0 | u16::from(square)));
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    GenerateEvasions,
    Evasions,
    Done,
}

/// Hands out the moves of one node.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    /// The first stage that generates moves.
    generation: Stage,
    table_move: Move,
    killers: [Move; 2],
    rows: Rows,
    /// Noisy moves must be worth this much, in centipawns, to come before the quiet ones.
    threshold: i32,
    quiets: bool,
    /// Quiet moves and losing noisy moves follow the good noisy ones.
    main: bool,
    begin: usize,
    /// Bad noisy moves wait in `begin..bad_end`.
    bad_end: usize,
    cursor: usize,
    end: usize,
}

impl Picker {
    /// All moves of a node of the main search. `table_move` and `killers` may be any words; they are checked.
    pub(super) fn main<P: Position>(
        position: &P,
        in_check: bool,
        table_move: Move,
        killers: [Move; 2],
        rows: Rows,
        buffer: &Buffer,
    ) -> Picker {
        let mut picker = Picker::new(position, in_check, table_move, rows, buffer);
        picker.killers = killers;
        picker
    }

    /// The moves of a quiescence node: all evasions in check, else the noisy ones worth at least `threshold`.
    pub(super) fn quiescence<P: Position>(
        position: &P,
        in_check: bool,
        table_move: Move,
        rows: Rows,
        threshold: i32,
        buffer: &Buffer,
    ) -> Picker {
        let quiet = !in_check && table_move.is_some() && !position.is_noisy(table_move);
        let mut picker = Picker::new(position, in_check, if quiet { Move::NONE } else { table_move }, rows, buffer);
        picker.threshold = threshold;
        picker.main = false;
        picker
    }

    fn new<P: Position>(position: &P, in_check: bool, table_move: Move, rows: Rows, buffer: &Buffer) -> Picker {
        let usable = table_move.is_some() && position.is_legal(table_move);
        let begin = buffer.0.len();
        let generation = if in_check { Stage::GenerateEvasions } else { Stage::GenerateNoisy };
        Picker {
            stage: if usable { Stage::Table } else { generation },
            generation,
            table_move: if usable { table_move } else { Move::NONE },
            killers: [Move::NONE; 2],
            rows,
            threshold: 0,
            quiets: true,
            main: true,
            begin,
            bad_end: begin,
            cursor: begin,
            end: begin,
        }
    }

    /// From now on only noisy moves are handed out.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// True once the moves that are handed out are noisy ones that lose material.
    pub(super) fn in_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Gives the buffer back; call it when the node is done.
    pub(super) fn finish(&self, buffer: &mut Buffer) {
        buffer.0.truncate(self.begin);
    }

    /// The next move, or `None`.
    pub(super) fn next<P: Position>(
        &mut self,
        position: &P,
        histories: &Histories<P>,
        buffer: &mut Buffer,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = self.generation;
                    return Some(self.table_move);
                }
                Stage::GenerateNoisy => {
                    position.generate(Generate::Noisy, buffer);
                    self.end = buffer.0.len();
                    for scored in &mut buffer.0[self.cursor..] {
                        scored.score = 16 * position.gain(scored.mv) + histories.noisy(position, scored.mv);
                    }
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(mv) = self.select(buffer) {
                        if mv == self.table_move {
                            continue;
                        }
                        if position.see(mv, self.threshold) {
                            return Some(mv);
                        }
                        buffer.0[self.bad_end].mv = mv;
                        self.bad_end += 1;
                    }
                    self.stage = if self.main { Stage::FirstKiller } else { Stage::Done };
                }
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if self.quiets && self.killer_is_usable(position, 0) {
                        return Some(self.killers[0]);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiet;
                    if self.quiets && self.killers[1] != self.killers[0] && self.killer_is_usable(position, 1) {
                        return Some(self.killers[1]);
                    }
                }
                Stage::GenerateQuiet => {
                    if self.quiets {
                        self.cursor = buffer.0.len();
                        position.generate(Generate::Quiet, buffer);
                        self.end = buffer.0.len();
                        for scored in &mut buffer.0[self.cursor..] {
                            scored.score =
                                histories.quiet(position, scored.mv, &self.rows) + position.order_hint(scored.mv);
                        }
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while self.quiets {
                        let Some(mv) = self.select(buffer) else { break };
                        if mv != self.table_move && !self.killers.contains(&mv) {
                            return Some(mv);
                        }
                    }
                    self.rewind_to_bad();
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if self.cursor < self.end {
                        self.cursor += 1;
                        return Some(buffer.0[self.cursor - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    position.generate(Generate::All, buffer);
                    self.end = buffer.0.len();
                    for scored in &mut buffer.0[self.cursor..] {
                        scored.score = if position.is_noisy(scored.mv) {
                            (1 << 20) + 16 * position.gain(scored.mv) + histories.noisy(position, scored.mv)
                        } else {
                            histories.quiet(position, scored.mv, &self.rows) + position.order_hint(scored.mv)
                        };
                    }
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.select(buffer) {
                    Some(mv) if mv == self.table_move => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// A killer that is a legal quiet move here. One that is not is forgotten, so that it is not skipped among the quiets.
    fn killer_is_usable<P: Position>(&mut self, position: &P, index: usize) -> bool {
        let killer = self.killers[index];
        let usable =
            killer.is_some() && killer != self.table_move && position.is_legal(killer) && !position.is_noisy(killer);
        if !usable {
            self.killers[index] = Move::NONE;
        }
        usable
    }

    fn rewind_to_bad(&mut self) {
        self.cursor = self.begin;
        self.end = self.bad_end;
    }

    /// Takes the best of what is left: moves that are never asked for are never sorted.
    #[inline(always)]
    fn select(&mut self, buffer: &mut Buffer) -> Option<Move> {
        let rest = &mut buffer.0[self.cursor..self.end];
        let first = rest.first()?;
        let (mut best, mut best_score) = (0, first.score);
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best_score {
                (best, best_score) = (index, scored.score);
            }
        }
        rest.swap(0, best);
        self.cursor += 1;
        Some(rest[0].mv)
    }
}
