//! How far the static evaluation has been off in positions that share a structure: pawns, one side's pieces, the king's guard.
//! What a search brought is fed back, and later positions with the same structure are judged the better for it ("correction
//! history", Caissa and Stockfish, 2024).
use super::score::{MATE_BOUND, Value};
use crate::board::Color;

/// Structures of one position that are told apart.
pub const STRUCTURES: usize = 4;
/// Slots of one structure.
const SLOTS: usize = 1 << 14;
/// Bound of a slot, in 1/[`GRAIN`] centipawns.
const LIMIT: i32 = 8192;
const GRAIN: i32 = 128;

/// Corrections of one thread, by side to move, structure and its hash.
#[derive(Debug)]
pub(super) struct Corrections(Box<[i16]>);

impl Corrections {
    /// Nothing known.
    pub(super) fn new() -> Corrections {
        Corrections(vec![0; 2 * STRUCTURES * SLOTS].into_boxed_slice())
    }

    /// Forgets.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline(always)]
    fn slot(side: Color, structure: usize, hash: u64) -> usize {
        // The upper bits of a product are the well-mixed ones.
        (side.index() * STRUCTURES + structure) * SLOTS + (hash >> 50) as usize
    }

    /// What to add to the evaluation, in centipawns.
    #[inline(always)]
    pub(super) fn of(&self, side: Color, structures: &[u64; STRUCTURES]) -> Value {
        let sum: i32 = (0..STRUCTURES).map(|s| i32::from(self.0[Self::slot(side, s, structures[s])])).sum();
        sum / GRAIN
    }

    /// A search to `depth` found the position worth `error` centipawns more than its corrected evaluation.
    pub(super) fn learn(&mut self, side: Color, structures: &[u64; STRUCTURES], error: Value, depth: i32) {
        let bonus = (error * depth * GRAIN / 64).clamp(-LIMIT / 4, LIMIT / 4);
        for (structure, &hash) in structures.iter().enumerate() {
            let slot = &mut self.0[Self::slot(side, structure, hash)];
            let old = i32::from(*slot);
            *slot = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

/// An evaluation with its correction, which must not look like a mate.
#[inline(always)]
pub(super) fn corrected(raw: Value, correction: Value) -> Value {
    (raw + correction).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
}

/// Hashes a few sets of squares into one word whose upper bits are well mixed.
#[inline(always)]
pub(super) fn hash_sets<const N: usize>(sets: [u128; N]) -> u64 {
    sets.into_iter().fold(0x9E37_79B9_7F4A_7C15, |hash: u64, set| {
        let low = (set as u64 ^ hash).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let high = ((set >> 64) as u64).wrapping_mul(0xA076_1D64_78BD_642F);
        (low ^ high ^ low >> 32).wrapping_mul(0xE703_7ED1_A0B4_28DB)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_one_structure_are_learnt_and_bounded() {
        let mut corrections = Corrections::new();
        let structures = [1 << 60, 2 << 60, 3 << 60, 4 << 60];
        assert_eq!(corrections.of(Color::White, &structures), 0);
        for _ in 0..2000 {
            corrections.learn(Color::White, &structures, 90, 8);
        }
        let learnt = corrections.of(Color::White, &structures);
        assert!((200..=4 * LIMIT / GRAIN).contains(&learnt), "{learnt}");
        assert_eq!(corrections.of(Color::Black, &structures), 0);
        assert_eq!(corrections.of(Color::White, &[5 << 60, 6 << 60, 7 << 60, 8 << 60]), 0);
        corrections.clear();
        assert_eq!(corrections.of(Color::White, &structures), 0);
    }
}
