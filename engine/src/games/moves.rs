//! Moves as 16-bit words, and the places generators put them.
use crate::board::bits::BitSet;

/// A move of any game in 16 bits. Bits 0–6 are the target field, bits 7–13 the origin field, bits 14–15 belong to the game.
/// What the fields mean beyond plain squares (drops, promotions, swaps) is each game's own business; a word is only
/// meaningful together with a position of its game. Zero is no move of any game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Move(pub u16);

impl Move {
    /// No move. Also the null move inside the search.
    pub const NONE: Move = Move(0);

    /// A word from origin field `from` and target field `to`, both below 128.
    #[inline(always)]
    pub const fn new(from: u8, to: u8) -> Move {
        Move((from as u16) << 7 | to as u16)
    }

    /// The origin field, 0–127.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        (self.0 >> 7) as u8 & 127
    }

    /// The target field, 0–127.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        self.0 as u8 & 127
    }

    /// True for anything but [`Move::NONE`].
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// What a generator is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generate {
    /// Every legal move.
    All,
    /// Legal moves that change material (captures, promotions; in fangqi placements that capture).
    Noisy,
    /// The other legal moves.
    Quiet,
}

/// Where a generator puts moves. A counting sink lets perft count a set of targets without walking it.
pub trait MoveSink {
    /// Takes one move.
    fn push(&mut self, mv: Move);

    /// Takes one move per square of `targets`: `base` with its target field (which is 0 in `base`) set to the square.
    fn push_targets<B: BitSet>(&mut self, base: Move, targets: B);

    /// Takes one move per square of `targets`, each from the square `step` below its target: many pawns at once. `step` is negative
    /// for a step downwards.
    #[inline(always)]
    fn push_steps<B: BitSet>(&mut self, step: i8, mut targets: B) {
        while let Some(to) = targets.pop() {
            self.push(Move::new(to.wrapping_add_signed(-step), to));
        }
    }
}

/// Counts moves.
#[derive(Debug, Default, Clone, Copy)]
pub struct Count(pub usize);

impl MoveSink for Count {
    #[inline(always)]
    fn push(&mut self, _: Move) {
        self.0 += 1;
    }
    #[inline(always)]
    fn push_targets<B: BitSet>(&mut self, _: Move, targets: B) {
        self.0 += targets.len();
    }
    #[inline(always)]
    fn push_steps<B: BitSet>(&mut self, _: i8, targets: B) {
        self.0 += targets.len();
    }
}

/// More than any legal position of any game has: supply with every type in hand stays below 450.
pub const MAX_MOVES: usize = 512;

/// A list of moves on the stack. Moves beyond [`MAX_MOVES`] would be dropped; no game has that many.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::NONE; MAX_MOVES], len: 0 }
    }

    /// The moves taken so far.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        debug_assert!(self.len < MAX_MOVES);
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }
    #[inline(always)]
    fn push_targets<B: BitSet>(&mut self, base: Move, mut targets: B) {
        while let Some(square) = targets.pop() {
            self.push(Move(base.0 | u16::from(square)));
        }
    }
}
