//! Attacks along ranks and files: chariots, rooks, cannons and facing generals.
//!
//! A line of up to ten squares has so few occupancies that one small table answers for every line: the occupancy of the rank or
//! file is gathered into ten bits, looked up, and spread over the board again. No magics have to be found and the tables stay
//! in the first two cache levels.
use super::bitboard::{Bitboard, FILES, RANKS, SQUARES, file_of, rank_of};

/// Squares of the longest line, a file.
const LENGTH: usize = RANKS;
/// All squares of a line.
const LINE: u32 = (1 << LENGTH) - 1;
/// All squares of a rank within a line.
const RANK: u32 = (1 << FILES) - 1;
/// The a-file.
const FILE_A: Bitboard = spread_file(LINE as usize);

/// `LINES[place][occupancy]`: three sets of ten bits each, see [`Lines`].
static LINES: [[u32; 1 << LENGTH]; LENGTH] = line_table();
/// The squares of a line laid along the a-file.
static SPREAD: [Bitboard; 1 << LENGTH] = spread_table();
/// See [`between`].
static BETWEEN: [[Bitboard; SQUARES]; SQUARES] = between_table();

const fn line_table() -> [[u32; 1 << LENGTH]; LENGTH] {
    let mut table = [[0; 1 << LENGTH]; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut occupied = 0;
        while occupied < 1 << LENGTH {
            table[place][occupied] = walk(place, occupied as u32, false) | walk(place, occupied as u32, true);
            occupied += 1;
        }
        place += 1;
    }
    table
}

/// One direction of an entry of [`LINES`].
const fn walk(place: usize, occupied: u32, up: bool) -> u32 {
    let (mut sets, mut met, mut at) = (0, 0, place);
    while met < 3 && (if up { at + 1 < LENGTH } else { at > 0 }) {
        at = if up { at + 1 } else { at - 1 };
        let here = 1 << at;
        let is_occupied = occupied & here != 0;
        if met == 0 || is_occupied {
            sets |= here << (met * LENGTH);
        }
        met += is_occupied as usize;
    }
    sets
}

const fn spread_file(line: usize) -> Bitboard {
    let (mut squares, mut rank) = (0, 0);
    while rank < LENGTH {
        squares |= ((line >> rank & 1) as Bitboard) << (rank * FILES);
        rank += 1;
    }
    squares
}

const fn spread_table() -> [Bitboard; 1 << LENGTH] {
    let mut table = [0; 1 << LENGTH];
    let mut line = 0;
    while line < 1 << LENGTH {
        table[line] = spread_file(line);
        line += 1;
    }
    table
}

const fn between_table() -> [[Bitboard; SQUARES]; SQUARES] {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        // Upwards along the file, then along the rank; the other half is the mirror image.
        let mut strides = [FILES, 1];
        if a % FILES == FILES - 1 {
            strides[1] = SQUARES;
        }
        let mut i = 0;
        while i < 2 {
            let mut squares = 0;
            let mut b = a + strides[i];
            while b < SQUARES {
                table[a][b] = squares;
                table[b][a] = squares;
                squares |= 1 << b;
                if strides[i] == 1 && b % FILES == FILES - 1 {
                    break;
                }
                b += strides[i];
            }
            i += 1;
        }
        a += 1;
    }
    table
}

/// What lies along the rank and the file of a square, all four directions together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// Squares up to and including the first piece: a rook's attacks.
    pub reach: Bitboard,
    /// The second piece, beyond exactly one screen: a cannon's captures, a rook's pins.
    pub second: Bitboard,
    /// The third piece, beyond exactly two: a cannon's pins.
    pub third: Bitboard,
}

/// All three sets of [`Lines`] for `square`; those that the caller ignores cost nothing.
#[inline(always)]
pub fn lines(square: u8, occupied: Bitboard) -> Lines {
    let (rank, file) = (rank_of(square), file_of(square));
    let base = rank * FILES;
    let along_rank = LINES[file][(occupied >> base) as usize & RANK as usize];
    let along_file = LINES[rank][gather_file(file, occupied)];
    // A rank is one square shorter than a line: what a ray finds on the tenth square is cut off.
    let set = |part: usize| {
        let rank_part = Bitboard::from(along_rank >> (part * LENGTH) & RANK) << base;
        let file_part = SPREAD[(along_file >> (part * LENGTH) & LINE) as usize] << file;
        rank_part | file_part
    };
    Lines { reach: set(0), second: set(1), third: set(2) }
}

/// The occupancy of a file in ten bits, rank 1 lowest.
#[inline(always)]
fn gather_file(file: usize, occupied: Bitboard) -> usize {
    // Square 9i goes to bit 54 + i (high part: 18 + i); no two products meet in one bit, so nothing carries.
    const LOW: u64 = 1 << 54 | 1 << 46 | 1 << 38 | 1 << 30 | 1 << 22 | 1 << 14 | 1 << 6;
    const HIGH: u64 = 1 << 18 | 1 << 10 | 1 << 2;
    let squares = occupied >> file & FILE_A;
    let low = (squares as u64 & (u64::MAX >> 1)).wrapping_mul(LOW) >> 54 & 0x7F;
    let high = ((squares >> 63) as u64).wrapping_mul(HIGH) >> 18 & 7;
    (low | high << 7) as usize
}

/// Squares a rook or chariot attacks: all up to and including the first piece in each direction.
#[inline(always)]
pub fn rook_attacks(square: u8, occupied: Bitboard) -> Bitboard {
    lines(square, occupied).reach
}

/// Squares of the first piece beyond exactly one screen in each direction: what a cannon captures.
#[inline(always)]
pub fn cannon_captures(square: u8, occupied: Bitboard) -> Bitboard {
    lines(square, occupied).second
}

/// Squares strictly between two squares of one rank or file; empty for any other pair.
#[inline(always)]
pub fn between(a: u8, b: u8) -> Bitboard {
    BETWEEN[a as usize][b as usize]
}

/// True when two different squares share a rank or a file.
#[inline(always)]
pub fn aligned(a: u8, b: u8) -> bool {
    a != b && (rank_of(a) == rank_of(b) || file_of(a) == file_of(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bitboard::{FULL, bit, square};
    use crate::board::zobrist::split_mix;

    fn slow(from: u8, occupied: Bitboard) -> Lines {
        let mut sets = [0; 3];
        for (df, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut file, mut rank, mut met) = (file_of(from) as i32 + df, rank_of(from) as i32 + dr, 0);
            while (0..9).contains(&file) && (0..10).contains(&rank) && met < 3 {
                let here = bit(square(file as usize, rank as usize));
                if met == 0 || occupied & here != 0 {
                    sets[met] |= here;
                }
                met += usize::from(occupied & here != 0);
                (file, rank) = (file + df, rank + dr);
            }
        }
        Lines { reach: sets[0], second: sets[1], third: sets[2] }
    }

    #[test]
    fn lookups_agree_with_ray_walks() {
        let mut state = 1;
        let mut random = || {
            let mut word = 0;
            for _ in 0..2 {
                let (next, value) = split_mix(state);
                state = next;
                word = word << 64 | Bitboard::from(value);
            }
            word & FULL
        };
        for round in 0..2000 {
            let occupied = if round % 2 == 0 { random() } else { random() & random() };
            for from in 0..SQUARES as u8 {
                assert_eq!(lines(from, occupied), slow(from, occupied), "square {from} occupied {occupied:x}");
            }
        }
    }

    #[test]
    fn between_is_strict_and_only_on_lines() {
        for a in 0..SQUARES as u8 {
            for b in 0..SQUARES as u8 {
                let expected = if aligned(a, b) {
                    (0..SQUARES as u8)
                        .filter(|&c| {
                            let inside = |x: usize, y: usize, z: usize| x.min(y) < z && z < x.max(y);
                            let (fa, fb, fc) = (file_of(a), file_of(b), file_of(c));
                            let (ra, rb, rc) = (rank_of(a), rank_of(b), rank_of(c));
                            (fa == fb && fc == fa && inside(ra, rb, rc)) || (ra == rb && rc == ra && inside(fa, fb, fc))
                        })
                        .fold(0, |set, c| set | bit(c))
                } else {
                    0
                };
                assert_eq!(between(a, b), expected, "{a} {b}");
            }
        }
    }
}
