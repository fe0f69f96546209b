//! Moves one by one in the order most likely to cut, generated in stages so that a cut saves the stages after it.
use super::history::{Histories, Rows};
use crate::board::bits::BitSet;
use crate::games::moves::MoveSink;
use crate::games::{Generate, Move, Position};

/// Captures out of check come first: more than any quiet move's score.
const NOISY_EVASION: i32 = 1 << 20;

/// A move and what it is hoped to be worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    mv: Move,
    /// What the histories know of it when it is generated.
    history: i16,
    score: i32,
}

/// A move that is handed out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picked {
    pub(super) mv: Move,
    pub(super) noisy: bool,
    /// Its history; 0 for moves that quiescence takes from the table.
    pub(super) history: i32,
}

impl Scored {
    #[inline(always)]
    fn picked(self, noisy: bool) -> Option<Picked> {
        Some(Picked { mv: self.mv, noisy, history: i32::from(self.history) })
    }
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
        self.0.push(Scored { mv, history: 0, score: 0 });
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
    /// Noisy moves that gain no more than this at once, in centipawns, are left out.
    floor: i32,
    /// The most that a move left out would have gained.
    left_out: Option<i32>,
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

    /// The moves of a quiescence node: all evasions in check, else the noisy ones worth at least `threshold` in the exchange.
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
            floor: i32::MIN,
            left_out: None,
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

    /// Leaves out the noisy moves that gain at most `floor` centipawns, before anything else is asked about them. The table's move
    /// is not judged.
    pub(super) fn leave_out(&mut self, floor: i32) {
        self.floor = floor;
    }

    /// The most that a move left out would have gained, in centipawns.
    pub(super) fn left_out(&self) -> Option<i32> {
        self.left_out
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
    ) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = self.generation;
                    return Some(self.known(position, histories, self.table_move));
                }
                Stage::GenerateNoisy => {
                    position.generate(Generate::Noisy, buffer);
                    self.end = self.cursor;
                    for index in self.cursor..buffer.0.len() {
                        let mv = buffer.0[index].mv;
                        let gain = position.gain(mv);
                        if gain <= self.floor {
                            self.left_out = self.left_out.max(Some(gain));
                            continue;
                        }
                        let history = histories.noisy(position, mv);
                        buffer.0[self.end] = Scored { mv, history: history as i16, score: 16 * gain + history };
                        self.end += 1;
                    }
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(scored) = self.select(buffer) {
                        if scored.mv == self.table_move {
                            continue;
                        }
                        if position.see(scored.mv, self.threshold) {
                            return scored.picked(true);
                        }
                        buffer.0[self.bad_end] = scored;
                        self.bad_end += 1;
                    }
                    self.stage = if self.main { Stage::FirstKiller } else { Stage::Done };
                }
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if self.quiets && self.killer_is_usable(position, 0) {
                        return Some(self.known(position, histories, self.killers[0]));
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiet;
                    if self.quiets && self.killers[1] != self.killers[0] && self.killer_is_usable(position, 1) {
                        return Some(self.known(position, histories, self.killers[1]));
                    }
                }
                Stage::GenerateQuiet => {
                    if self.quiets {
                        self.cursor = buffer.0.len();
                        position.generate(Generate::Quiet, buffer);
                        self.end = buffer.0.len();
                        for scored in &mut buffer.0[self.cursor..] {
                            let history = histories.quiet(position, scored.mv, &self.rows);
                            scored.history = history as i16;
                            scored.score = history + position.order_hint(scored.mv);
                        }
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while self.quiets {
                        let Some(scored) = self.select(buffer) else { break };
                        if scored.mv != self.table_move && !self.killers.contains(&scored.mv) {
                            return scored.picked(false);
                        }
                    }
                    self.rewind_to_bad();
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if self.cursor < self.end {
                        self.cursor += 1;
                        return buffer.0[self.cursor - 1].picked(true);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    position.generate(Generate::All, buffer);
                    self.end = buffer.0.len();
                    for scored in &mut buffer.0[self.cursor..] {
                        let (history, hint) = if position.is_noisy(scored.mv) {
                            (histories.noisy(position, scored.mv), NOISY_EVASION + 16 * position.gain(scored.mv))
                        } else {
                            (histories.quiet(position, scored.mv, &self.rows), position.order_hint(scored.mv))
                        };
                        scored.history = history as i16;
                        scored.score = history + hint;
                    }
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.select(buffer) {
                    Some(scored) if scored.mv == self.table_move => {}
                    Some(scored) => return scored.picked(scored.score >= NOISY_EVASION / 2),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// A legal move that comes before the others are generated.
    fn known<P: Position>(&self, position: &P, histories: &Histories<P>, mv: Move) -> Picked {
        let noisy = position.is_noisy(mv);
        let history = match (self.main, noisy) {
            (false, _) => 0,
            (true, true) => histories.noisy(position, mv),
            (true, false) => histories.quiet(position, mv, &self.rows),
        };
        Picked { mv, noisy, history }
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
    fn select(&mut self, buffer: &mut Buffer) -> Option<Scored> {
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
        Some(rest[0])
    }
}
