//! Squares and sets of squares of the 9×10 board. A square is `rank * 9 + file`, both from 0: a1 = 0, i10 = 89.

/// A set of squares of the 9×10 board, bit `rank * 9 + file`.
pub type Bitboard = u128;

/// Number of squares.
pub const SQUARES: usize = 90;
/// Number of files.
pub const FILES: usize = 9;
/// Number of ranks.
pub const RANKS: usize = 10;
/// All 90 squares.
pub const FULL: Bitboard = (1 << SQUARES) - 1;

/// The square at `file` 0–8, `rank` 0–9.
pub const fn square(file: usize, rank: usize) -> u8 {
    (rank * FILES + file) as u8
}

/// File of a square, 0–8.
pub const fn file_of(square: u8) -> usize {
    square as usize % FILES
}

/// Rank of a square, 0–9.
pub const fn rank_of(square: u8) -> usize {
    square as usize / FILES
}

/// The set holding one square.
#[inline(always)]
pub const fn bit(square: u8) -> Bitboard {
    1 << square
}
