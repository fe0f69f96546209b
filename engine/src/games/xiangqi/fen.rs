//! FENs, and the set-up rule SX-9.
use super::Rules;
use super::attacks::{DROPS, general_points, soldier_home};
use super::piece::{EMPTY, PieceType, RESERVE_TYPES, code, kind_of, letter_of};
use super::position::XiangqiPosition;
use crate::board::Color;
use crate::board::bitboard::{FILES, FULL, RANKS, bit, file_of, rank_of, square};
use crate::board::bits::{BitSet, Squares};
use crate::board::orthogonal::lines;
use crate::games::fen::{FenFields, write_board};
use crate::games::position::Position;
use crate::games::text::square_name;
use crate::games::{FenError, RankBase};

/// Reads a piece letter.
fn read_piece(letter: char) -> Option<usize> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    PieceType::from_letter(letter).map(|kind| code(color, kind))
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "Red",
        Color::Black => "Black",
    }
}

impl<R: Rules> XiangqiPosition<R> {
    /// Reads a FEN.
    pub(super) fn read(text: &str) -> Result<Self, FenError> {
        let fields = FenFields::parse(text)?;
        let mut position = Self::empty(fields.side, fields.halfmove as u16, fields.fullmove as u16);
        fields.walk_board(FILES, RANKS, |letter, file, rank| match read_piece(letter) {
            Some(piece) => {
                position.add(piece, square(file, rank), &mut ());
                Ok(())
            }
            None => Err(FenError::field("board", letter, "expected one of the letters K A B N R C P, or E H")),
        })?;
        for letter in fields.holdings.unwrap_or_default().chars() {
            let piece = read_piece(letter).filter(|&p| kind_of(p) != PieceType::General);
            let Some(piece) = piece else {
                return Err(FenError::field("holdings", letter, "expected one of the letters R N B A C P, or E H"));
            };
            if !R::DROPS {
                return Err(FenError::field("holdings", letter, "this game has no reserves"));
            }
            let (color, kind) = (super::piece::color_of(piece), kind_of(piece));
            position.set_reserve(color, kind, position.reserve(color, kind).saturating_add(1), &mut ());
        }
        position.check_setup()?;
        position.refresh_checkers();
        Ok(position)
    }

    /// SX-9: what a set-up position must satisfy.
    fn check_setup(&self) -> Result<(), FenError> {
        let refuse = |why: String| Err(FenError::setup("SX-9", why));
        for color in Color::ALL {
            let name = color_name(color);
            let generals = self.pieces(color, PieceType::General).len();
            if generals != 1 {
                return refuse(format!("{name} has {generals} Generals, expected 1"));
            }
            for kind in PieceType::ALL {
                let points = match kind {
                    PieceType::General => general_points(color.index()),
                    PieceType::Soldier => soldier_home(color.index()),
                    PieceType::Advisor | PieceType::Elephant => DROPS[color.index()][kind.index()],
                    _ => FULL,
                };
                let pieces = self.pieces(color, kind);
                if let Some(astray) = Squares(pieces & !points).next() {
                    let place = square_name(file_of(astray), rank_of(astray), RankBase::One);
                    return refuse(format!("{name} {} on {place}, where it can never stand", kind.name()));
                }
                let count = pieces.len() as u32 + u32::from(self.reserve(color, kind));
                let most = if kind == PieceType::General { 1 } else { R::SETS * kind.per_set() };
                if count > most {
                    return refuse(format!("{name} has {count} {}s, at most {most} are allowed", kind.name()));
                }
            }
        }
        let (waiting, general) = (!self.side, self.general(!self.side));
        if lines(general, self.occupied()).reach & bit(self.general(self.side)) != 0 {
            return refuse("the Generals face each other".to_owned());
        }
        if let Some(checker) = Squares(self.checks_on(waiting)).next() {
            let place = square_name(file_of(checker), rank_of(checker), RankBase::One);
            let letter = letter_of(self.board[checker as usize] as usize);
            return refuse(format!("{} is not to move but in check from {letter} on {place}", color_name(waiting)));
        }
        Ok(())
    }

    /// Writes the FEN; with drops always with brackets.
    pub(super) fn write(&self) -> String {
        let board = write_board(FILES, RANKS, |file, rank| {
            let piece = self.board[square(file, rank) as usize];
            (piece != EMPTY).then(|| letter_of(piece as usize))
        });
        let holdings = if R::DROPS { format!("[{}]", self.reserves()) } else { String::new() };
        format!("{board}{holdings} {} - - {} {}", self.side.letter(), self.halfmove, self.fullmove)
    }
}

// Reserves are written in the order of the piece types.
const _: () = assert!(RESERVE_TYPES == PieceType::General as usize);
