//! Who attacks a square.
use super::piece::PieceType::{Bishop, Cannon, King, Knight, Pawn, Rook, Vao};
use super::position::YangqiBoard;
use crate::board::bitboard::{Bitboard, FILES, RANKS, SQUARES, file_of, rank_of};
use crate::board::{Color, diagonal, orthogonal};

/// Squares a knight attacks.
pub(crate) static KNIGHT: [Bitboard; SQUARES] =
    leaper(&[(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]);
/// Squares a king attacks.
pub(crate) static KING: [Bitboard; SQUARES] =
    leaper(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
/// Squares a pawn of each colour attacks; read backwards, where the pawns stand that attack a square.
pub(crate) static PAWN: [[Bitboard; SQUARES]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];
/// Rank and file of each square, without it.
static RANK_AND_FILE: [Bitboard; SQUARES] = rank_and_file();

const fn leaper(steps: &[(isize, isize)]) -> [Bitboard; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut i = 0;
        while i < steps.len() {
            let file = file_of(square as u8) as isize + steps[i].0;
            let rank = rank_of(square as u8) as isize + steps[i].1;
            if 0 <= file && file < FILES as isize && 0 <= rank && rank < RANKS as isize {
                table[square] |= 1 << (rank * FILES as isize + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn rank_and_file() -> [Bitboard; SQUARES] {
    let mut table = [0; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let mut b = 0;
        while b < SQUARES {
            let same_line = a % FILES == b % FILES || a / FILES == b / FILES;
            if same_line && a != b {
                table[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

/// Squares strictly between two squares of one rank, file or diagonal; empty when they share none.
#[inline(always)]
pub(super) fn between(a: u8, b: u8) -> Bitboard {
    if RANK_AND_FILE[a as usize] >> b & 1 != 0 { orthogonal::between(a, b) } else { diagonal::between(a, b) }
}

impl<const SWAPS: bool> YangqiBoard<SWAPS> {
    /// Whether a piece of colour `by` that is in `enemies` attacks `square`, with the board occupied as `occupied`.
    #[inline]
    pub(super) fn attacked(&self, square: u8, by: Color, enemies: Bitboard, occupied: Bitboard) -> bool {
        let at = square as usize;
        let leapers = PAWN[(!by).index()][at] & self.of_type(Pawn)
            | KNIGHT[at] & self.of_type(Knight)
            | KING[at] & self.of_type(King);
        if leapers & enemies != 0 {
            return true;
        }
        let (rooks, cannons) = (self.of_type(Rook) & enemies, self.of_type(Cannon) & enemies);
        if (rooks | cannons) & RANK_AND_FILE[at] != 0 {
            let lines = orthogonal::lines(square, occupied);
            if lines.reach & rooks | lines.second & cannons != 0 {
                return true;
            }
        }
        let (bishops, vaos) = (self.of_type(Bishop) & enemies, self.of_type(Vao) & enemies);
        if (bishops | vaos) & diagonal::rays(square) != 0 {
            let lines = diagonal::lines(square, occupied);
            if lines.reach & bishops | lines.second & vaos != 0 {
                return true;
            }
        }
        false
    }

    /// The pieces of colour `by` among `pieces` that attack `square`, with the board occupied as `occupied`.
    #[inline]
    pub(crate) fn attackers(&self, square: u8, by: Color, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
        let at = square as usize;
        let (straight, slanted) = (orthogonal::lines(square, occupied), diagonal::lines(square, occupied));
        let attackers = PAWN[(!by).index()][at] & self.of_type(Pawn)
            | KNIGHT[at] & self.of_type(Knight)
            | KING[at] & self.of_type(King)
            | straight.reach & self.of_type(Rook)
            | straight.second & self.of_type(Cannon)
            | slanted.reach & self.of_type(Bishop)
            | slanted.second & self.of_type(Vao);
        attackers & pieces & self.of_color(by)
    }
}
