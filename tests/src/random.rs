//! A small seeded random source, so that a failing test fails again.
use sanqi::board::zobrist::split_mix;

/// SplitMix64 from a seed. Not for anything but tests.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers on every machine.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let (state, value) = split_mix(self.0);
        self.0 = state;
        value
    }

    /// A number below `bound`, which is at least 1. The bias is far below what a test could see.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound.max(1) as u64) as usize
    }

    /// One of `items`; `None` when there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
