//! Attacks along diagonals: bishops and vaos (cannons of the diagonals).
//!
//! A diagonal crosses each file at most once, so its occupancy is gathered into nine bits by one multiplication ("kindergarten
//! bitboards"), looked up in a table that serves every diagonal, and spread over the board again by another. The seven lower ranks
//! and the three upper ones are two words, whose occupied files never collide on one diagonal.
use super::bitboard::{Bitboard, FILES, FULL, RANKS, SQUARES, file_of, rank_of};
use super::orthogonal::Lines;

/// Bits of the lower word: seven ranks.
const LOW_BITS: usize = 7 * FILES;
/// One square on each of seven ranks, all on the a-file: gathers files by multiplication and replicates a row of them.
const RANKS_OF_ROW: u64 = 1 | 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36 | 1 << 45 | 1 << 54;
/// A row of nine files.
const ROW: u32 = (1 << FILES) - 1;

/// The squares of one diagonal without the square it belongs to, cut into the lower seven ranks and the upper three.
#[derive(Clone, Copy)]
struct Diagonal {
    low: u64,
    high: u64,
}

/// The rising (a1–i9) and the falling (a9–i1) diagonal of each square.
static DIAGONALS: [[Diagonal; 2]; SQUARES] = diagonal_table();
/// `ROWS[file][occupied files]`: three sets of nine bits, the parts of [`Lines`].
static ROWS: [[u32; 1 << FILES]; FILES] = row_table();

const fn diagonal(square: usize, rising: bool) -> Diagonal {
    let (file, rank) = (file_of(square as u8) as isize, rank_of(square as u8) as isize);
    let mut squares: Bitboard = 0;
    let mut f = 0;
    while f < FILES as isize {
        let r = if rising { rank + f - file } else { rank - f + file };
        if f != file && r >= 0 && r < RANKS as isize {
            squares |= 1 << (r * FILES as isize + f);
        }
        f += 1;
    }
    Diagonal { low: squares as u64 & (u64::MAX >> 1), high: (squares >> LOW_BITS) as u64 }
}

const fn diagonal_table() -> [[Diagonal; 2]; SQUARES] {
    let mut table = [[Diagonal { low: 0, high: 0 }; 2]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = [diagonal(square, true), diagonal(square, false)];
        square += 1;
    }
    table
}

const fn row_table() -> [[u32; 1 << FILES]; FILES] {
    let mut table = [[0; 1 << FILES]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut occupied = 0;
        while occupied < 1 << FILES {
            table[file][occupied] = walk(file, occupied as u32, false) | walk(file, occupied as u32, true);
            occupied += 1;
        }
        file += 1;
    }
    table
}

/// One direction of an entry of [`ROWS`].
const fn walk(file: usize, occupied: u32, right: bool) -> u32 {
    let (mut sets, mut met, mut at) = (0, 0, file);
    while met < 3 && (if right { at + 1 < FILES } else { at > 0 }) {
        at = if right { at + 1 } else { at - 1 };
        let here = 1 << at;
        let is_occupied = occupied & here != 0;
        if met == 0 || is_occupied {
            sets |= here << (met * FILES);
        }
        met += is_occupied as usize;
    }
    sets
}

impl Diagonal {
    /// Files of the occupied squares of this diagonal.
    #[inline(always)]
    fn gather(self, low: u64, high: u64) -> usize {
        ((low & self.low | high & self.high).wrapping_mul(RANKS_OF_ROW) >> (LOW_BITS - FILES)) as usize & ROW as usize
    }

    /// The squares of this diagonal on the files of `row`.
    #[inline(always)]
    fn spread(self, row: u32) -> Bitboard {
        let ranks = u64::from(row).wrapping_mul(RANKS_OF_ROW);
        Bitboard::from(ranks & self.low) | Bitboard::from(ranks & self.high) << LOW_BITS
    }

    const fn squares(self) -> Bitboard {
        self.low as Bitboard | (self.high as Bitboard) << LOW_BITS
    }
}

/// All three sets of [`Lines`] along the two diagonals of `square`; those that the caller ignores cost nothing.
#[inline(always)]
pub fn lines(square: u8, occupied: Bitboard) -> Lines {
    let (low, high) = (occupied as u64, (occupied >> LOW_BITS) as u64);
    let [rising, falling] = DIAGONALS[square as usize];
    let rows = &ROWS[file_of(square)];
    let (up, down) = (rows[rising.gather(low, high)], rows[falling.gather(low, high)]);
    let set = |part: usize| rising.spread(up >> (part * FILES) & ROW) | falling.spread(down >> (part * FILES) & ROW);
    Lines { reach: set(0), second: set(1), third: set(2) }
}

/// Squares a bishop attacks: all up to and including the first piece in each direction.
#[inline(always)]
pub fn bishop_attacks(square: u8, occupied: Bitboard) -> Bitboard {
    lines(square, occupied).reach
}

/// Squares of the first piece beyond exactly one screen in each direction: what a vao captures.
#[inline(always)]
pub fn vao_captures(square: u8, occupied: Bitboard) -> Bitboard {
    lines(square, occupied).second
}

/// The two diagonals of a square, without it.
#[inline(always)]
pub fn rays(square: u8) -> Bitboard {
    let [rising, falling] = DIAGONALS[square as usize];
    rising.squares() | falling.squares()
}

/// Squares strictly between two squares of one diagonal; empty when they share none.
#[inline(always)]
pub fn between(a: u8, b: u8) -> Bitboard {
    let (below, above) = if a < b { (a, b) } else { (b, a) };
    let span = ((1 << above) - 1) & !((2 << below) - 1) & FULL;
    let [rising, falling] = DIAGONALS[a as usize];
    let (rising, falling) = (rising.squares(), falling.squares());
    if rising >> b & 1 != 0 {
        rising & span
    } else if falling >> b & 1 != 0 {
        falling & span
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bitboard::{bit, square};
    use crate::board::zobrist::split_mix;

    /// The pieces met on the way from `from`, nearest first, and the empty squares before the first, by walking.
    fn walk_slowly(from: u8, step: (isize, isize), occupied: Bitboard) -> (Bitboard, Vec<u8>) {
        let (mut file, mut rank) = (file_of(from) as isize, rank_of(from) as isize);
        let (mut free, mut met) = (0, Vec::new());
        loop {
            (file, rank) = (file + step.0, rank + step.1);
            if !(0..FILES as isize).contains(&file) || !(0..RANKS as isize).contains(&rank) {
                return (free, met);
            }
            let here = square(file as usize, rank as usize);
            if occupied & bit(here) != 0 {
                met.push(here);
            } else if met.is_empty() {
                free |= bit(here);
            }
        }
    }

    const STEPS: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    fn random_board(state: &mut u64, density: u32) -> Bitboard {
        let mut board = FULL;
        for _ in 0..density {
            let (next, low) = split_mix(*state);
            let (next, high) = split_mix(next);
            *state = next;
            board &= Bitboard::from(low) | Bitboard::from(high) << 64;
        }
        board
    }

    #[test]
    fn lines_agree_with_walking() {
        let mut state = 7;
        for round in 0..600 {
            let occupied = random_board(&mut state, round % 4);
            for from in 0..SQUARES as u8 {
                let mut expected = Lines { reach: 0, second: 0, third: 0 };
                for step in STEPS {
                    let (free, met) = walk_slowly(from, step, occupied);
                    let nth = |n: usize| met.get(n).map_or(0, |&s| bit(s));
                    expected.reach |= free | nth(0);
                    expected.second |= nth(1);
                    expected.third |= nth(2);
                }
                assert_eq!(lines(from, occupied), expected, "from {from} on {occupied:#x}");
                assert_eq!(bishop_attacks(from, occupied), expected.reach);
                assert_eq!(vao_captures(from, occupied), expected.second);
            }
        }
    }

    #[test]
    fn between_agrees_with_walking() {
        for a in 0..SQUARES as u8 {
            let mut on_rays = 0;
            for b in 0..SQUARES as u8 {
                let expected = STEPS.iter().find_map(|&step| {
                    let (free, met) = walk_slowly(a, step, bit(b));
                    (!met.is_empty()).then_some(free)
                });
                assert_eq!(between(a, b), expected.unwrap_or(0), "{a} {b}");
                on_rays |= if expected.is_some() { bit(b) } else { 0 };
            }
            assert_eq!(rays(a), on_rays);
        }
    }
}
