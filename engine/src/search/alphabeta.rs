//! Principal variation search with its reductions, prunings and extensions, and the quiescence search below it.
//!
//! Margins are in centipawns, reductions in 1/1024 ply.
use super::correction::corrected;
use super::history;
use super::picker::{Picked, Picker};
use super::score::{Bound, INFINITE, MATE, MATE_BOUND, MAX_PLY, NONE, Value};
use super::searchable::Searchable;
use super::table::Entry;
use super::thread::{Shared, ThreadData};
use crate::board::Color;
use crate::games::position::Repetition;
use crate::games::record::{Judgement, judge_repetition};
use crate::games::{Move, Outcome, Position};
use std::sync::LazyLock;

/// Base reductions by depth and move number, in 1/1024 ply.
static REDUCTIONS: LazyLock<Box<[[i32; 64]; 64]>> = LazyLock::new(|| {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, cell) in row.iter_mut().enumerate().skip(1) {
            *cell = (1024.0 * (0.55 + (depth as f64).ln() * (number as f64).ln() / 2.35)) as i32;
        }
    }
    table
});

/// How many quiet moves are remembered to be punished when a later one cuts.
const MAX_TRIED: usize = 48;

/// The value of a finished game at `ply` for the side to move.
pub(super) fn finished<P: Position>(position: &P, ply: usize) -> Value {
    match position.no_moves().outcome {
        Outcome::Win(side) if side == position.side() => MATE - ply as Value,
        Outcome::Win(_) => ply as Value - MATE,
        Outcome::Draw | Outcome::Ongoing => 0,
    }
}

impl<P: Searchable> ThreadData<P> {
    /// The static evaluation; never 0, which is left to draws.
    pub(super) fn evaluate(&self, ply: usize) -> Value {
        let frame = &self.stack[ply];
        let mut value = frame.position.evaluate(&frame.sums);
        if let Some(terms) = &self.team {
            let white = frame.position.team_value(terms);
            value += if frame.position.side() == Color::White { white } else { -white };
        }
        if value == 0 { 1 } else { value }
    }

    /// What to add to the static evaluation at `ply`, learnt from its errors in like positions. Asked for before the table is, it does
    /// not cost the time of its memory: both are waited for together.
    #[inline(always)]
    fn correction(&self, ply: usize, in_check: bool) -> Value {
        let position = &self.stack[ply].position;
        let parts = if in_check { None } else { position.structures() };
        parts.map_or(0, |parts| self.corrections.of(position.side(), &parts))
    }

    /// The value of a position that a rule has ended: the counters of the game, a repetition.
    fn ended(&self, ply: usize) -> Option<Value> {
        let position = &self.stack[ply].position;
        if P::REPETITION == Repetition::Never {
            return (!position.has_legal()).then(|| finished(position, ply));
        }
        if position.rule_draw().is_some() {
            return Some(if position.has_legal() { 0 } else { finished(position, ply) });
        }
        let reach = position.halfmove() as usize;
        if reach < 4 {
            return None;
        }
        let current = self.past.len() - 1;
        let oldest = current.saturating_sub(reach).max(self.barrier);
        let key = self.past[current].key;
        let mut seen = 0;
        let mut index = current;
        while index >= oldest + 2 {
            index -= 2;
            if self.past[index].key != key {
                continue;
            }
            seen += 1;
            // Once within the line under search is enough: what could be repeated once can be repeated again.
            if index + 1 >= self.root_past || seen == 2 {
                let rule = match P::REPETITION {
                    // Repetition ends nothing here, but going round in circles is worth nothing either (SX-7).
                    Repetition::Ignored => Repetition::Draw,
                    rule => rule,
                };
                return match judge_repetition(rule, &self.past[index..], seen + 1)? {
                    Judgement::Draw => Some(0),
                    Judgement::MoverWins => Some(MATE_BOUND - 1 - ply as Value),
                    Judgement::MoverLoses => Some(ply as Value + 1 - MATE_BOUND),
                };
            }
        }
        None
    }

    /// The value of the node at `ply` within (`alpha`, `beta`), searched `depth` plies deep. `cut`: a cut is expected here.
    pub(super) fn search<const PV: bool, const ROOT: bool>(
        &mut self,
        shared: &Shared<'_>,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if depth <= 0 {
            return self.quiescence::<PV>(shared, alpha, beta, ply);
        }
        if PV {
            self.clear_line(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if self.count_node(shared) {
            return 0;
        }
        if !ROOT {
            if let Some(value) = self.ended(ply) {
                return value;
            }
            if ply >= MAX_PLY {
                return self.evaluate(ply);
            }
            // Mate distance pruning: nothing here can beat a mate already found nearer the root.
            alpha = alpha.max(ply as Value - MATE);
            beta = beta.min(MATE - ply as Value - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let mut depth = depth.min(MAX_PLY as i32 - 1);
        let in_check = self.in_check();
        let excluded = self.stack[ply].excluded;
        let key = self.past[self.past.len() - 1].key ^ self.salt;

        let correction = self.correction(ply, in_check);

        // Transposition table.
        let entry = if excluded.is_some() { None } else { shared.table.probe(key, ply) };
        let table_pv = PV || entry.is_some_and(|e| e.pv);
        let mut table_move = entry.map_or(Move::NONE, |e| e.mv);
        if ROOT {
            table_move = self.root_moves[self.first_root].line[0];
        }
        if let Some(e) = entry
            && !PV
            && e.depth >= depth
            && match e.bound {
                Bound::Exact => true,
                Bound::Lower => e.value >= beta,
                Bound::Upper => e.value <= alpha,
                Bound::None => false,
            }
            && self.stack[ply].position.halfmove() < 80
        {
            // A cut by a known quiet move is as good a recommendation as one found here.
            if e.value >= beta && e.mv.is_some() {
                let rows = self.rows(ply);
                let position = &self.stack[ply].position;
                if position.is_legal(e.mv) && !position.is_noisy(e.mv) {
                    self.histories.update_quiet(position, e.mv, &rows, history::bonus(depth));
                }
            }
            return e.value;
        }

        // Static evaluation.
        let raw = match entry {
            _ if in_check => NONE,
            Some(e) if e.eval != NONE => e.eval,
            _ => self.evaluate(ply),
        };
        let judged = if in_check { NONE } else { corrected(raw, correction) };
        self.stack[ply].eval = judged;
        // The table may know better than the evaluation.
        let mut eval = judged;
        if let Some(e) = entry
            && !in_check
            && e.value.abs() < MATE_BOUND
            && match e.bound {
                Bound::Exact => true,
                Bound::Lower => e.value > judged,
                Bound::Upper => e.value < judged,
                Bound::None => false,
            }
        {
            eval = e.value;
        }
        let improving = !in_check && {
            let before = [2, 4]
                .into_iter()
                .find_map(|back| ply.checked_sub(back).map(|p| self.stack[p].eval).filter(|&e| e != NONE));
            before.is_none_or(|before| judged > before)
        };
        if entry.is_none() && !in_check && !excluded.is_some() {
            let entry = Entry { mv: Move::NONE, value: 0, eval: raw, depth: 0, bound: Bound::None, pv: table_pv };
            shared.table.store(key, ply, entry);
        }

        self.stack[ply + 1].killers = [Move::NONE; 2];
        if let Some(frame) = self.stack.get_mut(ply + 2) {
            frame.cuts = 0;
        }

        if !PV && !in_check && !excluded.is_some() && beta.abs() < MATE_BOUND {
            // Razoring: so far below alpha that only captures could help.
            if depth <= 3 && eval + 220 + 180 * depth * depth <= alpha {
                let value = self.quiescence::<false>(shared, alpha, alpha + 1, ply);
                if value <= alpha {
                    return value;
                }
            }

            // Reverse futility: so far above beta that the opponent would need several moves.
            if depth <= 8 && eval < MATE_BOUND && eval - (85 * depth - if improving { 70 } else { 0 }) >= beta {
                return (eval + beta) / 2;
            }

            // Null move: if even a pass holds beta, a move will.
            if P::NULL_MOVE
                && cut
                && depth >= 3
                && ply >= self.null_from
                && eval >= beta
                && judged >= beta - 20 * depth + 120
                && self.stack[ply.saturating_sub(1)].mv.is_some()
                && self.stack[ply].position.null_move_is_sound()
            {
                let reduction = 4 + depth / 3 + ((eval - beta) / 200).min(3);
                let barrier = self.make_null(ply);
                let value = -self.search::<false, false>(shared, -beta, 1 - beta, depth - reduction, ply + 1, false);
                self.unmake_null(barrier);
                if shared.must_end() {
                    return 0;
                }
                if value >= beta {
                    let value = if value >= MATE_BOUND { beta } else { value };
                    if depth < 14 || self.null_from > 0 {
                        return value;
                    }
                    // Deep down a pass may be better than every move; see whether a reduced search without passes agrees.
                    self.null_from = ply + (3 * (depth - reduction) as usize) / 4;
                    let verified = self.search::<false, false>(shared, beta - 1, beta, depth - reduction, ply, false);
                    self.null_from = 0;
                    if verified >= beta {
                        return value;
                    }
                }
            }

            // ProbCut: a capture that holds a raised beta at reduced depth will hold beta.
            let raised = beta + 180 - if improving { 50 } else { 0 };
            if depth >= 5
                && raised < MATE_BOUND
                && !entry.is_some_and(|e| e.depth >= depth - 3 && e.value < raised && e.bound != Bound::None)
                && let Some(value) = self.prob_cut(shared, raised, depth, ply, table_move, cut)
            {
                return value;
            }
            if shared.must_end() {
                return 0;
            }
        }

        // Internal iterative reduction: without a move to begin with, learn one cheaply first.
        if depth >= 4 && !table_move.is_some() && (PV || cut) && !excluded.is_some() {
            depth -= 1;
        }

        let original_alpha = alpha;
        let rows = self.rows(ply);
        let killers = self.stack[ply].killers;
        let mut picker = Picker::main(&self.stack[ply].position, in_check, table_move, killers, rows, &self.buffer);
        let mut best = -INFINITE;
        let mut best_move = Move::NONE;
        let mut number = 0;
        let mut tried_quiet = [Move::NONE; MAX_TRIED];
        let mut quiets = 0;
        let mut tried_noisy = [Move::NONE; MAX_TRIED];
        let mut noisies = 0;

        // So far below alpha that no quiet move's reduction could save it: they need not even be generated.
        let hopeless =
            !ROOT && !in_check && depth <= 7 && alpha.abs() < MATE_BOUND && judged + 110 + 85 * depth <= alpha;
        loop {
            if hopeless && best > -MATE_BOUND {
                picker.skip_quiets();
            }
            let Some(picked) = picker.next(&self.stack[ply].position, &self.histories, &mut self.buffer) else { break };
            let Picked { mv, noisy, history: hist } = picked;
            if mv == excluded {
                continue;
            }
            if ROOT && !self.root_moves[self.first_root..].iter().any(|root| root.mv == mv) {
                continue;
            }
            number += 1;
            self.prefetch(shared, ply, mv);
            let position = &self.stack[ply].position;
            let base = REDUCTIONS[depth.min(63) as usize][number.min(63)];
            if !ROOT && best > -MATE_BOUND {
                let reduced = (depth - (base - hist / 10) / 1024).max(0);
                if !noisy && !in_check {
                    // Late move pruning.
                    let limit = (4 + depth * depth) / if improving { 1 } else { 2 };
                    if depth <= 8 && number as i32 > limit {
                        picker.skip_quiets();
                    }
                    // Futility: the evaluation is so low that a quiet move will not raise it to alpha.
                    if reduced <= 7 && judged + 110 + 85 * reduced <= alpha && alpha.abs() < MATE_BOUND {
                        picker.skip_quiets();
                        continue;
                    }
                    // History pruning.
                    if reduced <= 4 && hist < -2600 * depth {
                        continue;
                    }
                }
                // Moves that lose material in the exchange.
                let margin = if noisy { -90 * depth } else { -30 * reduced * reduced };
                if depth <= 9 && (!noisy || picker.in_bad_noisy()) && !position.see(mv, margin) {
                    continue;
                }
            }

            // Singular extension: is the table's move the only one that holds?
            let mut extension = 0;
            if !ROOT
                && mv == table_move
                && !excluded.is_some()
                && depth >= 6
                && ply < 2 * self.root_depth as usize
                && let Some(e) = entry
                && e.depth >= depth - 3
                && matches!(e.bound, Bound::Lower | Bound::Exact)
                && e.value.abs() < MATE_BOUND
            {
                let singular = e.value - 2 * depth;
                self.stack[ply].excluded = mv;
                let value = self.search::<false, false>(shared, singular - 1, singular, (depth - 1) / 2, ply, cut);
                self.stack[ply].excluded = Move::NONE;
                if shared.must_end() {
                    picker.finish(&mut self.buffer);
                    return 0;
                }
                if value < singular {
                    extension = if !PV && value < singular - 24 { 2 } else { 1 };
                } else if value >= beta && value.abs() < MATE_BOUND {
                    // Multi-cut: another move holds beta as well.
                    picker.finish(&mut self.buffer);
                    return value;
                } else if e.value >= beta || cut {
                    extension = -2;
                }
            }

            let nodes_before = self.nodes;
            self.make(ply, mv);
            let gives_check = self.in_check();
            if extension == 0 && in_check && ply < 2 * self.root_depth as usize {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;
            let mut value = -INFINITE;

            // Late move reduction.
            let full = if depth >= 2 && number > 1 + usize::from(ROOT) && (!noisy || picker.in_bad_noisy() || cut) {
                let mut r = base;
                if noisy {
                    r = r * 3 / 5;
                }
                r -= hist / 9;
                r -= i32::from(table_pv) * 900;
                r -= i32::from(gives_check) * 900;
                r -= i32::from(in_check) * 500;
                r += i32::from(cut) * 1300;
                r += i32::from(!improving) * 450;
                r -= i32::from(killers.contains(&mv)) * 700;
                r += i32::from(self.stack[ply + 1].cuts > 3) * 700;
                if self.id > 0 {
                    // Helpers look elsewhere: their reductions wobble.
                    r += ((self.nodes as i32 + 37 * self.id as i32) & 127) * 4 - 256;
                }
                let reduced = (new_depth - r / 1024).clamp(1, new_depth.max(1));
                value = -self.search::<false, false>(shared, -alpha - 1, -alpha, reduced, ply + 1, true);
                if value > alpha && reduced < new_depth {
                    let deeper = i32::from(value > best + 60 + 4 * new_depth) - i32::from(value < best + 8);
                    let again = new_depth + deeper;
                    if again > reduced {
                        value = -self.search::<false, false>(shared, -alpha - 1, -alpha, again, ply + 1, !cut);
                    }
                }
                false
            } else {
                !PV || number > 1
            };
            if full {
                value = -self.search::<false, false>(shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut);
            }
            if PV && (number == 1 || value > alpha) {
                value = -self.search::<true, false>(shared, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake();
            if shared.must_end() {
                picker.finish(&mut self.buffer);
                return 0;
            }

            if ROOT {
                self.note_root(mv, number, value, alpha, nodes_before);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if PV {
                        self.set_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
            if mv != best_move {
                if noisy && noisies < MAX_TRIED {
                    tried_noisy[noisies] = mv;
                    noisies += 1;
                } else if !noisy && quiets < MAX_TRIED {
                    tried_quiet[quiets] = mv;
                    quiets += 1;
                }
            }
        }
        picker.finish(&mut self.buffer);

        if number == 0 {
            return if excluded.is_some() { alpha } else { finished(&self.stack[ply].position, ply) };
        }

        if best_move.is_some() && best >= beta {
            if ply > 0 {
                self.stack[ply].cuts += 1;
            }
            let bonus = history::bonus(depth);
            let frame = &mut self.stack[ply];
            let position = &frame.position;
            if position.is_noisy(best_move) {
                self.histories.update_noisy(position, best_move, bonus);
            } else {
                if frame.killers[0] != best_move {
                    frame.killers = [best_move, frame.killers[0]];
                }
                self.histories.update_quiet(position, best_move, &rows, bonus);
                for &mv in &tried_quiet[..quiets] {
                    self.histories.update_quiet(position, mv, &rows, -bonus);
                }
            }
            for &mv in &tried_noisy[..noisies] {
                self.histories.update_noisy(position, mv, -bonus);
            }
        }

        if !(excluded.is_some() || ROOT && self.first_root > 0) {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry { mv: best_move, value: best, eval: raw, depth, bound, pv: table_pv };
            shared.table.store(key, ply, entry);
            let position = &self.stack[ply].position;
            // A capture's gain is no error of the evaluation, and a bound tells of an error only on its side.
            if !in_check
                && best.abs() < MATE_BOUND
                && !(best_move.is_some() && position.is_noisy(best_move))
                && !(bound == Bound::Lower && best <= judged || bound == Bound::Upper && best >= judged)
                && let Some(parts) = position.structures()
            {
                self.corrections.learn(position.side(), &parts, best - judged, depth);
            }
        }
        best
    }

    /// The value of a capture that holds `raised` at reduced depth, if there is one.
    fn prob_cut(
        &mut self,
        shared: &Shared<'_>,
        raised: Value,
        depth: i32,
        ply: usize,
        table_move: Move,
        cut: bool,
    ) -> Option<Value> {
        let rows = self.rows(ply);
        let threshold = raised - self.stack[ply].eval;
        let mut picker =
            Picker::quiescence(&self.stack[ply].position, false, table_move, rows, threshold, &self.buffer);
        let mut found = None;
        while let Some(Picked { mv, .. }) = picker.next(&self.stack[ply].position, &self.histories, &mut self.buffer) {
            self.prefetch(shared, ply, mv);
            self.make(ply, mv);
            let mut value = -self.quiescence::<false>(shared, -raised, 1 - raised, ply + 1);
            if value >= raised {
                value = -self.search::<false, false>(shared, -raised, 1 - raised, depth - 4, ply + 1, !cut);
            }
            self.unmake();
            if shared.must_end() {
                break;
            }
            if value >= raised {
                let key = self.stack[ply].position.key() ^ self.salt;
                let entry = Entry { mv, value, eval: NONE, depth: depth - 3, bound: Bound::Lower, pv: false };
                shared.table.store(key, ply, entry);
                found = Some(value);
                break;
            }
        }
        picker.finish(&mut self.buffer);
        found
    }

    /// Keeps what the search of a root move has brought.
    fn note_root(&mut self, mv: Move, number: usize, value: Value, alpha: Value, nodes_before: u64) {
        let (nodes, seldepth) = (self.nodes - nodes_before, self.seldepth);
        let line = self.stack[1].line.as_slice().to_vec();
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number == 1 || value > alpha {
            root.score = value;
            root.seldepth = seldepth;
            root.line.clear();
            root.line.push(mv);
            root.line.extend(line);
        } else {
            root.score = -INFINITE;
        }
    }

    /// Searches on until the position is quiet: captures only, or every evasion in check.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        shared: &Shared<'_>,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        if PV {
            self.clear_line(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if self.count_node(shared) {
            return 0;
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate(ply);
        }
        let in_check = self.in_check();
        let key = self.past[self.past.len() - 1].key ^ self.salt;
        let correction = self.correction(ply, in_check);
        let entry = shared.table.probe(key, ply);
        if let Some(e) = entry
            && !PV
            && match e.bound {
                Bound::Exact => true,
                Bound::Lower => e.value >= beta,
                Bound::Upper => e.value <= alpha,
                Bound::None => false,
            }
        {
            return e.value;
        }

        let original_alpha = alpha;
        let mut raw = NONE;
        let mut best = -INFINITE;
        let mut futility = -INFINITE;
        if !in_check {
            raw = entry.map(|e| e.eval).filter(|&e| e != NONE).unwrap_or_else(|| self.evaluate(ply));
            best = corrected(raw, correction);
            if let Some(e) = entry
                && e.value.abs() < MATE_BOUND
                && match e.bound {
                    Bound::Exact => true,
                    Bound::Lower => e.value > best,
                    Bound::Upper => e.value < best,
                    Bound::None => false,
                }
            {
                best = e.value;
            }
            if best >= beta {
                if entry.is_none() {
                    let entry =
                        Entry { mv: Move::NONE, value: best, eval: raw, depth: 0, bound: Bound::Lower, pv: false };
                    shared.table.store(key, ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility = best + 180;
        }

        let rows = self.rows(ply);
        let table_move = entry.map_or(Move::NONE, |e| e.mv);
        // Where not even winning the exchange by a little would reach alpha, equal exchanges are not looked at.
        let threshold = i32::from(!in_check && futility <= alpha);
        let mut picker =
            Picker::quiescence(&self.stack[ply].position, in_check, table_move, rows, threshold, &self.buffer);
        if !in_check && self.team.is_none() {
            picker.leave_out(alpha - futility);
        }
        let mut best_move = Move::NONE;
        let mut number = 0;
        while let Some(Picked { mv, noisy, .. }) =
            picker.next(&self.stack[ply].position, &self.histories, &mut self.buffer)
        {
            number += 1;
            self.prefetch(shared, ply, mv);
            let position = &self.stack[ply].position;
            if best > -MATE_BOUND {
                if !in_check {
                    let gain = position.gain(mv) + self.team.as_ref().map_or(0, |terms| position.team_gain(mv, terms));
                    if futility + gain <= alpha {
                        best = best.max(futility + gain);
                        continue;
                    }
                    if futility <= alpha && !position.see(mv, 1) {
                        best = best.max(futility);
                        continue;
                    }
                } else if number > 3 && !noisy {
                    // A quiet evasion has already avoided mate; the rest is for the main search.
                    continue;
                }
            }
            self.make(ply, mv);
            let value = -self.quiescence::<PV>(shared, -beta, -alpha, ply + 1);
            self.unmake();
            if shared.must_end() {
                picker.finish(&mut self.buffer);
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if PV {
                        self.set_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        picker.finish(&mut self.buffer);
        if let Some(gain) = picker.left_out() {
            best = best.max(futility + gain);
        }
        if in_check && number == 0 {
            return finished(&self.stack[ply].position, ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let bound = if PV || bound != Bound::Exact { bound } else { Bound::Upper };
        let entry = Entry { mv: best_move, value: best, eval: raw, depth: 0, bound, pv: false };
        shared.table.store(key, ply, entry);
        best
    }
}
