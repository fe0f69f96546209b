//! FENs of Yáng Qí and what makes a set-up position acceptable (YQ-12).
use super::piece::{PieceType, code_letter};
use super::position::{NO_SQUARE, YangqiBoard};
use crate::board::Color;
use crate::board::bitboard::{FILES, RANKS, bit, file_of, rank_of, square};
use crate::board::bits::Squares;
use crate::games::error::FenError;
use crate::games::fen::{FenFields, write_board};
use crate::games::position::Position;
use crate::games::text::{RankBase, read_square, square_name};

/// The rule that set-up positions must satisfy.
const RULE: &str = "YQ-12";

impl<const SWAPS: bool> YangqiBoard<SWAPS> {
    pub(super) fn read_fen(text: &str) -> Result<Self, FenError> {
        let fields = FenFields::parse(text)?;
        if let Some(holdings) = fields.holdings.filter(|holdings| !holdings.is_empty()) {
            return Err(FenError::field("holdings", holdings, "this game has no reserves"));
        }
        let mut board = Self::empty(fields.side);
        fields.walk_board(FILES, RANKS, |letter, file, rank| {
            let Some(piece_type) = PieceType::from_letter(letter) else {
                return Err(FenError::field("board", letter, "is no piece, expected one of K R N B V C P"));
            };
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            board.put(piece_type, color, square(file, rank));
            Ok(())
        })?;
        board.halfmove = fields.halfmove as u16;
        board.fullmove = fields.fullmove as u16;
        board.check_setup()?;
        if let Some(name) = fields.en_passant {
            let Some((file, rank, "")) = read_square(name, FILES, RANKS, RankBase::One) else {
                return Err(FenError::field("en passant", name, "expected a square or -"));
            };
            board.read_en_passant(square(file, rank));
        }
        Ok(board)
    }

    /// Takes over an en passant square when a double step can just have passed it and a capture there is legal (YQ-5); another
    /// one says nothing about the position and is dropped.
    fn read_en_passant(&mut self, passed: u8) {
        // White passes rank 4, Black rank 7.
        let (rank, stride) = match self.side {
            Color::Black => (3, FILES as u8),
            Color::White => (6, FILES.wrapping_neg() as u8),
        };
        if rank_of(passed) != rank {
            return;
        }
        let (landing, start) = (passed.wrapping_add(stride), passed.wrapping_sub(stride));
        let way_was_free = self.occupied() & (bit(passed) | bit(start)) == 0;
        if way_was_free && self.pieces(PieceType::Pawn, !self.side) & bit(landing) != 0 {
            self.offer_en_passant(passed);
        }
    }

    /// YQ-12.
    pub(super) fn check_setup(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let name = color_name(color);
            for piece_type in PieceType::ALL {
                let (count, most) = (self.pieces(piece_type, color).count_ones(), piece_type.full_count());
                let letter = code_letter(piece_type.code(color) as usize);
                if piece_type == PieceType::King && count != 1 {
                    return Err(FenError::setup(RULE, format!("{name} has {count} kings ({letter}), expected one")));
                }
                if count > most {
                    return Err(FenError::setup(RULE, format!("{name} has {count} of {letter}, at most {most} exist")));
                }
            }
            let (lowest, highest) = match color {
                Color::White => (2, 8),
                Color::Black => (1, 7),
            };
            let pawns = self.pieces(PieceType::Pawn, color);
            if let Some(pawn) = Squares(pawns).find(|&pawn| !(lowest..=highest).contains(&rank_of(pawn))) {
                let why = format!(
                    "{name} pawn on {}, {name} pawns stand on ranks {} to {}",
                    square_name(file_of(pawn), rank_of(pawn), RankBase::One),
                    lowest + 1,
                    highest + 1
                );
                return Err(FenError::setup(RULE, why));
            }
        }
        let waiting = !self.side;
        if self.attacked(self.king(waiting), self.side, self.of_color(self.side), self.occupied()) {
            let why = format!("{} is to move and already attacks the enemy king", color_name(self.side));
            return Err(FenError::setup(RULE, why));
        }
        Ok(())
    }

    pub(super) fn write_fen(&self) -> String {
        let board = write_board(FILES, RANKS, |file, rank| self.piece_at(square(file, rank)).map(code_letter));
        let en_passant = match self.en_passant {
            NO_SQUARE => "-".to_owned(),
            passed => square_name(file_of(passed), rank_of(passed), RankBase::One),
        };
        format!("{board} {} - {en_passant} {} {}", self.side.letter(), self.halfmove, self.fullmove)
    }
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
