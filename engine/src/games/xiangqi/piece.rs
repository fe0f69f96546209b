//! The pieces: types, letters, codes and rough values.
use crate::board::Color;

/// What a piece is, without its colour. The order is the one in which reserves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PieceType {
    /// Chariot, `R`.
    Chariot = 0,
    /// Horse, `N` (`H` is read as well).
    Horse = 1,
    /// Elephant, `B` (`E` is read as well).
    Elephant = 2,
    /// Advisor, `A`.
    Advisor = 3,
    /// Cannon, `C`.
    Cannon = 4,
    /// Soldier, `P`.
    Soldier = 5,
    /// General, `K`. Never in reserve.
    General = 6,
}

/// Number of piece types.
pub const TYPES: usize = 7;
/// Number of piece types that can be in reserve: all but the General.
pub const RESERVE_TYPES: usize = 6;
/// Number of piece codes.
pub const PIECES: usize = 2 * TYPES;
/// What stands on an empty square.
pub(super) const EMPTY: u8 = PIECES as u8;

impl PieceType {
    /// All types, by index.
    pub const ALL: [PieceType; TYPES] = [
        PieceType::Chariot,
        PieceType::Horse,
        PieceType::Elephant,
        PieceType::Advisor,
        PieceType::Cannon,
        PieceType::Soldier,
        PieceType::General,
    ];

    /// The index, 0–6.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Upper-case letter in FENs and moves.
    pub const fn letter(self) -> char {
        match self {
            PieceType::Chariot => 'R',
            PieceType::Horse => 'N',
            PieceType::Elephant => 'B',
            PieceType::Advisor => 'A',
            PieceType::Cannon => 'C',
            PieceType::Soldier => 'P',
            PieceType::General => 'K',
        }
    }

    /// Reads a letter of either case, synonyms included (SX-1).
    pub const fn from_letter(letter: char) -> Option<PieceType> {
        Some(match letter.to_ascii_uppercase() {
            'R' => PieceType::Chariot,
            'N' | 'H' => PieceType::Horse,
            'B' | 'E' => PieceType::Elephant,
            'A' => PieceType::Advisor,
            'C' => PieceType::Cannon,
            'P' => PieceType::Soldier,
            'K' => PieceType::General,
            _ => return None,
        })
    }

    /// Rough worth in centipawns, for exchanges and move ordering. The General is worth more than everything else together.
    pub const fn value(self) -> i32 {
        match self {
            PieceType::Chariot => 950,
            PieceType::Horse => 420,
            PieceType::Elephant => 190,
            PieceType::Advisor => 190,
            PieceType::Cannon => 450,
            PieceType::Soldier => 110,
            PieceType::General => 20_000,
        }
    }

    /// How many of the type one set has.
    pub const fn per_set(self) -> u32 {
        match self {
            PieceType::General => 1,
            PieceType::Soldier => 5,
            _ => 2,
        }
    }

    /// The name, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            PieceType::Chariot => "Chariot",
            PieceType::Horse => "Horse",
            PieceType::Elephant => "Elephant",
            PieceType::Advisor => "Advisor",
            PieceType::Cannon => "Cannon",
            PieceType::Soldier => "Soldier",
            PieceType::General => "General",
        }
    }
}

/// The piece code: colour and type in one number below [`PIECES`].
pub const fn code(color: Color, kind: PieceType) -> usize {
    color.index() * TYPES + kind.index()
}

/// The type of a piece code.
pub const fn kind_of(code: usize) -> PieceType {
    PieceType::ALL[code % TYPES]
}

/// The colour of a piece code.
pub const fn color_of(code: usize) -> Color {
    if code < TYPES { Color::White } else { Color::Black }
}

/// The letter of a piece code as in FENs.
pub const fn letter_of(code: usize) -> char {
    let letter = kind_of(code).letter();
    if code < TYPES { letter } else { letter.to_ascii_lowercase() }
}
