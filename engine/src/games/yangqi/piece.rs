//! Piece types and codes of Yáng Qí.
use crate::board::Color;

/// Number of piece types.
pub(crate) const TYPES: usize = 7;
/// Number of piece codes.
pub(crate) const CODES: usize = 2 * TYPES;
/// The code of an empty square.
pub(super) const EMPTY: u8 = CODES as u8;
/// Letters of the types as in FENs, upper case.
const LETTERS: [char; TYPES] = ['P', 'V', 'N', 'C', 'B', 'R', 'K'];

/// A type of piece, from the least to the most valuable on average.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
    /// YQ-4.
    Pawn,
    /// The cannon of the diagonals (YQ-3).
    Vao,
    /// Leaps as in FIDE chess (YQ-2).
    Knight,
    /// The cannon of the files and ranks (YQ-3).
    Cannon,
    /// As in FIDE chess (YQ-2).
    Bishop,
    /// As in FIDE chess (YQ-2).
    Rook,
    /// YQ-1, YQ-7.
    King,
}

impl PieceType {
    /// All types, in the order of their numbers.
    pub const ALL: [PieceType; TYPES] = [
        PieceType::Pawn,
        PieceType::Vao,
        PieceType::Knight,
        PieceType::Cannon,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::King,
    ];

    /// What a pawn may become (YQ-10), in the order in which promotion moves number them.
    pub const PROMOTIONS: [PieceType; 5] =
        [PieceType::Rook, PieceType::Knight, PieceType::Bishop, PieceType::Vao, PieceType::Cannon];

    /// How many a side has in the start position, and may at most have (YQ-12).
    pub const fn full_count(self) -> u32 {
        match self {
            PieceType::Pawn => 9,
            PieceType::King => 1,
            _ => 2,
        }
    }

    /// The letter in FENs, upper case.
    pub const fn letter(self) -> char {
        LETTERS[self as usize]
    }

    /// The type of a FEN letter of either case; `A` means the vao, as ChessV writes it.
    pub fn from_letter(letter: char) -> Option<PieceType> {
        let upper = match letter.to_ascii_uppercase() {
            'A' => 'V',
            other => other,
        };
        PieceType::ALL.into_iter().find(|t| t.letter() == upper)
    }

    /// The code of a piece of this type.
    #[inline(always)]
    pub const fn code(self, color: Color) -> u8 {
        color as u8 * TYPES as u8 + self as u8
    }

    /// The type of a piece code; `None` for the code of an empty square.
    #[inline(always)]
    pub(crate) fn of_code(code: u8) -> Option<PieceType> {
        (code < EMPTY).then(|| PieceType::ALL[code as usize % TYPES])
    }
}

/// The FEN letter of a piece code, upper case for White.
pub(super) fn code_letter(code: usize) -> char {
    let letter = LETTERS[code % TYPES];
    if code < TYPES { letter } else { letter.to_ascii_lowercase() }
}
