//! Move text and algebraic notation (YQ-9).
use super::make::promotion_move;
use super::piece::PieceType::{self, Cannon, King, Pawn};
use super::position::YangqiBoard;
use crate::board::bitboard::{FILES, RANKS, bit, file_of, rank_of, square};
use crate::games::error::MoveError;
use crate::games::moves::Move;
use crate::games::position::Position;
use crate::games::text::{Notation, RankBase, illegal, read_square, square_name, syntax};

/// How algebraic notation writes a king's swap (YQ-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SwapText {
    /// `Kd1; Ve1`: the partner's move follows after a semicolon.
    #[default]
    Full,
    /// `Kd1`: for PGN movetext, where a semicolon opens a comment.
    Short,
}

/// A piece move of algebraic notation, read but not yet looked for on the board.
#[derive(Debug, PartialEq, Eq)]
struct Algebraic {
    piece_type: PieceType,
    from_file: Option<usize>,
    from_rank: Option<usize>,
    to: u8,
    is_capture: bool,
    promotion: Option<PieceType>,
}

fn name(at: u8, base: RankBase) -> String {
    square_name(file_of(at), rank_of(at), base)
}

/// The letter of a type in algebraic notation.
fn algebraic_letter(piece_type: PieceType, notation: Notation) -> char {
    match (piece_type, notation) {
        (Cannon, Notation::CannonC) => 'C',
        (Cannon, _) => 'P',
        _ => piece_type.letter(),
    }
}

/// The type of a letter of algebraic notation: `P` and `C` are the cannon, `A` is the vao as in FENs.
fn algebraic_type(letter: char) -> Option<PieceType> {
    match letter {
        'P' => Some(Cannon),
        'A'..='Z' => PieceType::from_letter(letter),
        _ => None,
    }
}

impl Algebraic {
    fn read(text: &str) -> Option<Algebraic> {
        let (body, promotion) = Self::read_promotion(text)?;
        let (piece_type, body) = match body.chars().next().filter(char::is_ascii_uppercase) {
            Some(letter) => (algebraic_type(letter)?, &body[1..]),
            None => (Pawn, body),
        };
        let at = body.rfind(|c: char| c.is_ascii_lowercase() && c != 'x')?;
        let (origin, target) = body.split_at(at);
        let (file, rank, "") = read_square(target, FILES, RANKS, RankBase::One)? else { return None };
        let to = square(file, rank);
        let is_capture = origin.ends_with(['x', ':']);
        let origin = origin.trim_end_matches(['x', ':', '-']);
        let (from_file, digits) = match origin.chars().next() {
            Some(letter @ 'a'..='i') => (Some(letter as usize - 'a' as usize), &origin[1..]),
            _ => (None, origin),
        };
        let from_rank = match digits {
            "" => None,
            _ => Some(digits.parse::<usize>().ok().filter(|rank| (1..=RANKS).contains(rank))? - 1),
        };
        Some(Algebraic { piece_type, from_file, from_rank, to, is_capture, promotion })
    }

    /// Cuts `=R` or `R` off the end.
    fn read_promotion(text: &str) -> Option<(&str, Option<PieceType>)> {
        let Some(letter) = text.chars().next_back().filter(char::is_ascii_uppercase) else { return Some((text, None)) };
        let made = algebraic_type(letter).filter(|made| PieceType::PROMOTIONS.contains(made))?;
        let body = &text[..text.len() - 1];
        Some((body.strip_suffix('=').unwrap_or(body), Some(made)))
    }
}

impl<const SWAPS: bool> YangqiBoard<SWAPS> {
    pub(super) fn write_move(&self, mv: Move, base: RankBase) -> String {
        let mut text = name(mv.from(), base) + &name(self.target(mv), base);
        text.extend(self.promotion(mv).map(|made| made.letter().to_ascii_lowercase()));
        text
    }

    /// Origin, target and promotion letter of either case; a swap may name the partner's square first.
    pub(super) fn read_move(&self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        let squares = |text| {
            let (file, rank, rest) = read_square(text, FILES, RANKS, base)?;
            Some((square(file, rank), rest))
        };
        let read = |text| {
            let (from, rest) = squares(text)?;
            let (to, rest) = squares(rest)?;
            let mut letters = rest.chars();
            let promotion = match letters.next() {
                None => None,
                Some(letter) => {
                    let made = PieceType::from_letter(letter)?;
                    Some(PieceType::PROMOTIONS.into_iter().position(|t| t == made)?)
                }
            };
            letters.next().is_none().then_some((from, to, promotion))
        };
        let (from, to, promotion) = read(text.trim()).ok_or_else(|| syntax(text))?;
        let mv = match promotion {
            None if to == self.king(self.side) && from != to => Move::new(to, from),
            None => Move::new(from, to),
            Some(index) => {
                let direction = file_of(to) as i8 - file_of(from) as i8;
                let mv = promotion_move(from, index as u8, direction.clamp(-1, 1));
                if self.target(mv) != to {
                    return Err(illegal(text));
                }
                mv
            }
        };
        // Read backwards, only a swap has the king's square as its target.
        let is_reversed = mv.from() != from;
        if self.is_legal_move(mv) && (!is_reversed || self.is_swap(mv)) { Ok(mv) } else { Err(illegal(text)) }
    }

    /// A legal move in algebraic notation (YQ-9), check and mate marked.
    pub fn write_san(&self, mv: Move, notation: Notation, swap_text: SwapText) -> String {
        let (from, to) = (mv.from(), self.target(mv));
        let Some(moving) = self.type_on(from) else { return String::new() };
        let letter = |piece_type| algebraic_letter(piece_type, notation);
        let target = name(to, RankBase::One);
        let takes = if self.victim(mv).is_some() { "x" } else { "" };
        let mut san = match moving {
            Pawn if takes.is_empty() => target,
            Pawn => format!("{}x{target}", (b'a' + file_of(from) as u8) as char),
            _ => format!("{}{}{takes}{target}", letter(moving), self.origin_hint(mv, moving)),
        };
        if let Some(made) = self.promotion(mv) {
            san.extend(['=', letter(made)]);
        }
        if let (true, SwapText::Full, Some(partner)) = (self.is_swap(mv), swap_text, self.type_on(to)) {
            san += &format!("; {}{}", letter(partner), name(from, RankBase::One));
        }
        let after = self.after(mv);
        if after.in_check() {
            san.push(if after.has_legal() { '+' } else { '#' });
        }
        san
    }

    /// File, rank or both of the origin, as far as other pieces of the type can move to the same square.
    fn origin_hint(&self, mv: Move, moving: PieceType) -> String {
        let from = mv.from();
        let rivals: Vec<u8> = self
            .legal_moves()
            .iter()
            .filter(|other| other.from() != from && self.target(**other) == self.target(mv))
            .map(|other| other.from())
            .filter(|&origin| self.type_on(origin) == Some(moving))
            .collect();
        let origin = name(from, RankBase::One);
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|&rival| file_of(rival) != file_of(from)) {
            origin[..1].to_owned()
        } else if rivals.iter().all(|&rival| rank_of(rival) != rank_of(from)) {
            origin[1..].to_owned()
        } else {
            origin
        }
    }

    /// Reads a move in algebraic notation (YQ-9): cannons as `P` or `C`, swaps in the full or the short form, marks of check, mate
    /// and comment ignored.
    ///
    /// # Errors
    /// Not algebraic notation, or not exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let unmarked = |part: &str| {
            let part = part.trim().trim_end_matches(['+', '#', '!', '?']).trim_end();
            part.strip_suffix("e.p.").unwrap_or(part).trim_end().to_owned()
        };
        let (first, partner) = match text.split_once(';') {
            Some((first, second)) => (first, Some(Algebraic::read(&unmarked(second)).ok_or_else(|| syntax(text))?)),
            None => (text, None),
        };
        let wanted = Algebraic::read(&unmarked(first)).ok_or_else(|| syntax(text))?;
        if let Some(partner) = &partner {
            let king = self.king(self.side);
            let is_swap =
                wanted.piece_type == King && partner.to == king && self.of_color(self.side) & bit(wanted.to) != 0;
            if !is_swap || self.type_on(wanted.to) != Some(partner.piece_type) {
                return Err(illegal(text));
            }
        }
        let list = self.legal_moves();
        let mut matching = list.iter().filter(|&&mv| {
            let from = mv.from();
            self.type_on(from) == Some(wanted.piece_type)
                && self.target(mv) == wanted.to
                && self.promotion(mv) == wanted.promotion
                && wanted.from_file.is_none_or(|file| file == file_of(from))
                && wanted.from_rank.is_none_or(|rank| rank == rank_of(from))
                && (!wanted.is_capture || self.victim(mv).is_some())
        });
        match (matching.next(), matching.next()) {
            (Some(&mv), None) => Ok(mv),
            _ => Err(illegal(text)),
        }
    }
}
