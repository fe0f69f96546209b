//! Zobrist keys, made at compile time from a fixed seed so that keys never differ between runs or machines.

/// One step of SplitMix64 (Steele, Lea, Flood 2014); good enough for keys and usable in `const fn`.
pub const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ (z >> 31))
}

/// `N` random keys from `seed`; give each table its own seed.
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut out = [0; N];
    let mut state = seed;
    let mut i = 0;
    while i < N {
        let (next, value) = split_mix(state);
        state = next;
        out[i] = value;
        i += 1;
    }
    out
}
