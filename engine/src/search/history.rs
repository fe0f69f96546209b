//! What moves have been worth elsewhere in the tree: butterfly, continuation and capture histories.
//!
//! Every value is kept within ±[`LIMIT`] by the gravity rule `h += b − h·|b| / LIMIT`: the nearer to the limit, the less a bonus adds.
use super::score::MAX_PLY;
use crate::games::{Move, Position};
use std::marker::PhantomData;

/// Bound of a single history value.
pub(super) const LIMIT: i32 = 8192;

/// The histories of one thread.
#[derive(Debug)]
pub(super) struct Histories<P> {
    /// `[side][history_index]`
    quiet: Box<[i16]>,
    /// `[piece_to of an earlier move, or none][piece_to]`
    continuation: Box<[i16]>,
    /// `[piece_to][captured]`
    capture: Box<[i16]>,
    game: PhantomData<P>,
}

/// Row of the continuation table that belongs to no move (before the root, after a null move).
pub(super) const fn no_row<P: Position>() -> usize {
    P::PIECE_TO
}

/// The continuation rows that judge a move: those of the moves one, two and four plies back.
pub(super) type Rows = [usize; 3];

#[inline(always)]
fn gravity(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl<P: Position> Histories<P> {
    /// Nothing known.
    pub(super) fn new() -> Self {
        Histories {
            quiet: vec![0; 2 * P::HISTORY].into_boxed_slice(),
            continuation: vec![0; (P::PIECE_TO + 1) * P::PIECE_TO].into_boxed_slice(),
            capture: vec![0; P::PIECE_TO * P::CAPTURED].into_boxed_slice(),
            game: PhantomData,
        }
    }

    /// Forgets.
    pub(super) fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(0);
        self.capture.fill(0);
    }

    /// Worth of a quiet move, within ±3.5 × [`LIMIT`].
    #[inline(always)]
    pub(super) fn quiet(&self, position: &P, mv: Move, rows: &Rows) -> i32 {
        let to = position.piece_to(mv);
        let butterfly = self.quiet[position.side().index() * P::HISTORY + position.history_index(mv)];
        let near = self.continuation[rows[0] * P::PIECE_TO + to];
        let own = self.continuation[rows[1] * P::PIECE_TO + to];
        let far = self.continuation[rows[2] * P::PIECE_TO + to];
        i32::from(butterfly) + i32::from(near) + i32::from(own) + i32::from(far) / 2
    }

    /// Worth of a noisy move beyond its gain, within ±[`LIMIT`].
    #[inline(always)]
    pub(super) fn noisy(&self, position: &P, mv: Move) -> i32 {
        i32::from(self.capture[position.piece_to(mv) * P::CAPTURED + position.captured(mv)])
    }

    /// Rewards or punishes a quiet move.
    pub(super) fn update_quiet(&mut self, position: &P, mv: Move, rows: &Rows, bonus: i32) {
        let to = position.piece_to(mv);
        gravity(&mut self.quiet[position.side().index() * P::HISTORY + position.history_index(mv)], bonus);
        for row in rows {
            gravity(&mut self.continuation[row * P::PIECE_TO + to], bonus);
        }
    }

    /// Rewards or punishes a noisy move.
    pub(super) fn update_noisy(&mut self, position: &P, mv: Move, bonus: i32) {
        gravity(&mut self.capture[position.piece_to(mv) * P::CAPTURED + position.captured(mv)], bonus);
    }
}

/// The bonus for a move that cut at `depth`.
pub(super) fn bonus(depth: i32) -> i32 {
    (24 * depth * depth + 96 * depth).min(LIMIT / 5)
}

const _: () = assert!(MAX_PLY < 256, "depths are stored in eight bits");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_values_within_the_limit() {
        let mut value = 0;
        for _ in 0..1000 {
            gravity(&mut value, LIMIT / 5);
        }
        assert!(i32::from(value) > LIMIT * 9 / 10 && i32::from(value) <= LIMIT);
        for _ in 0..1000 {
            gravity(&mut value, -LIMIT / 5);
        }
        assert!(i32::from(value) < -LIMIT * 9 / 10 && i32::from(value) >= -LIMIT);
    }
}
