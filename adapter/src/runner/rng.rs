//! Random numbers that a seed determines for ever, unlike those of a library that may change its mind.
use sanqi::board::zobrist::split_mix;

/// SplitMix64 (Steele, Lea, Flood 2014): good enough to shuffle and to choose moves, and the same on every machine.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let (state, value) = split_mix(self.0);
        self.0 = state;
        value
    }

    /// A number below `bound`; 0 when `bound` is 0. The bias of a bound far below 2^64 is of no account.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Puts a slice in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sequence() {
        // The published test vector of seed 1234567.
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!([rng.next_u64(), rng.next_u64()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn shuffling_keeps_everything() {
        let mut items: Vec<u32> = (0..50).collect();
        SplitMix64::new(1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
        assert_eq!(SplitMix64::new(1).below(0), 0);
    }
}
