//! Moves as text: coordinates, ICCS and WXF.
use super::Rules;
use super::piece::{PieceType, RESERVE_TYPES, color_of, kind_of};
use super::position::{DROP, XiangqiPosition};
use crate::board::Color;
use crate::board::bitboard::{Bitboard, FILES, RANKS, bit, file_of, rank_of, square};
use crate::board::bits::Squares;
use crate::games::moves::Move;
use crate::games::text::{illegal, read_square, square_name, syntax};
use crate::games::{MoveError, RankBase};

impl<R: Rules> XiangqiPosition<R> {
    /// `h3e3`, drops `P@d4`.
    pub(super) fn write_move(&self, mv: Move, base: RankBase) -> String {
        let name = |square: u8| square_name(file_of(square), rank_of(square), base);
        match drop_letter(mv) {
            Some(letter) => format!("{letter}@{}", name(mv.to())),
            None => format!("{}{}", name(mv.from()), name(mv.to())),
        }
    }

    /// Reads what [`Self::write_move`] writes, in letters of either case.
    pub(super) fn read_move(&self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        let read = |text| read_square(text, FILES, RANKS, base);
        let mv = match text.split_once('@') {
            Some((piece, target)) => {
                let mut letters = piece.chars();
                let kind = letters.next().and_then(PieceType::from_letter).filter(|k| k.index() < RESERVE_TYPES);
                match (kind, letters.next(), read(target)) {
                    (Some(kind), None, Some((file, rank, ""))) => {
                        Some(Move::new(DROP + kind.index() as u8, square(file, rank)))
                    }
                    _ => None,
                }
            }
            None => read(text).and_then(|(file, rank, rest)| match read(rest) {
                Some((to_file, to_rank, "")) => Some(Move::new(square(file, rank), square(to_file, to_rank))),
                _ => None,
            }),
        };
        let mv = mv.ok_or_else(|| syntax(text))?;
        if self.legal(mv) { Ok(mv) } else { Err(illegal(text)) }
    }

    /// `H2-E2`: ICCS has ranks 0–9. A drop is `R@E3`.
    pub(super) fn iccs(&self, mv: Move) -> String {
        let name = |square: u8| square_name(file_of(square), rank_of(square), RankBase::Zero).to_ascii_uppercase();
        match drop_letter(mv) {
            Some(letter) => format!("{letter}@{}", name(mv.to())),
            None => format!("{}-{}", name(mv.from()), name(mv.to())),
        }
    }

    /// WXF: piece, its file, direction, and the target file or the number of ranks, files counted from the mover's right. Of pieces that stand
    /// on one file the front one is marked `+`, the rear one `-`. Drops, which WXF does not know, are `R@e3`; a piece among more of its
    /// like on one file than WXF has names for is written by coordinates.
    pub(super) fn wxf(&self, mv: Move) -> String {
        let by_coordinates = || self.write_move(mv, RankBase::One);
        let Some(piece) = self.moving(mv).filter(|_| mv.from() < DROP) else { return by_coordinates() };
        let (from, to, kind, color) = (mv.from(), mv.to(), kind_of(piece), color_of(piece));
        let Some(subject) = self.wxf_subject(color, kind, from) else { return by_coordinates() };
        let forward = |square: u8| match color {
            Color::White => rank_of(square) as i32,
            Color::Black => -(rank_of(square) as i32),
        };
        let advance = forward(to) - forward(from);
        let sign = match advance.signum() {
            1 => '+',
            -1 => '-',
            _ => '=',
        };
        let oblique = matches!(kind, PieceType::Horse | PieceType::Elephant | PieceType::Advisor);
        let number = if oblique || advance == 0 { wxf_file(color, to) } else { advance.unsigned_abs() as usize };
        format!("{subject}{sign}{number}")
    }

    /// The first two characters, which name the piece; `None` where WXF has no name for it.
    fn wxf_subject(&self, color: Color, kind: PieceType, from: u8) -> Option<String> {
        let pieces = self.pieces(color, kind);
        let (letter, file) = (wxf_letter(kind), wxf_file(color, from));
        // From the front to the rear.
        let tandem = column(pieces, file_of(from), color);
        let place = tandem.iter().position(|&s| s == from)?;
        // Of two Advisors or Elephants on a file one can only advance and the other only retreat: the file tells enough.
        if tandem.len() == 1 || matches!(kind, PieceType::Advisor | PieceType::Elephant) {
            return Some(format!("{letter}{file}"));
        }
        let other_tandems = (0..FILES).any(|f| f != file_of(from) && column(pieces, f, color).len() > 1);
        if kind == PieceType::Soldier {
            if other_tandems {
                // The file takes the place of the letter.
                let mark = ['+', char::from_digit(file as u32, 10)?, '-'];
                return Some(format!("{file}{}", mark[middle_of_three(place, tandem.len())?]));
            }
            let middle = format!("P{file}");
            let names: &[&str] = match tandem.len() {
                2 => &["P+", "P-"],
                3 => &["P+", &middle, "P-"],
                4 => &["++", "P+", "P-", "--"],
                5 => &["++", "P+", &middle, "P-", "--"],
                _ => &[],
            };
            return names.get(place).map(|&name| name.to_owned());
        }
        // Only in Supply Xiangqi can there be more than one tandem of the others.
        if other_tandems {
            return None;
        }
        let mark = ["+".to_owned(), file.to_string(), "-".to_owned()];
        Some(format!("{letter}{}", mark[middle_of_three(place, tandem.len())?]))
    }
}

/// 0 for the front piece, 2 for the rear one, 1 for the middle one of three; `None` for one of several in the middle.
fn middle_of_three(place: usize, among: usize) -> Option<usize> {
    match place {
        0 => Some(0),
        _ if place + 1 == among => Some(2),
        _ if among == 3 => Some(1),
        _ => None,
    }
}

/// The squares of `pieces` on one file, from the front to the rear of `color`.
fn column(pieces: Bitboard, file: usize, color: Color) -> Vec<u8> {
    let on_file = (0..RANKS).fold(0, |set, rank| set | bit(square(file, rank)));
    let mut squares: Vec<u8> = Squares(pieces & on_file).collect();
    if color == Color::White {
        squares.reverse();
    }
    squares
}

/// A file as its player counts it: from the right, 1–9.
fn wxf_file(color: Color, square: u8) -> usize {
    match color {
        Color::White => FILES - file_of(square),
        Color::Black => 1 + file_of(square),
    }
}

/// WXF names Horse and Elephant H and E.
fn wxf_letter(kind: PieceType) -> char {
    match kind {
        PieceType::Horse => 'H',
        PieceType::Elephant => 'E',
        other => other.letter(),
    }
}

/// Letter of the dropped piece; `None` for other moves.
fn drop_letter(mv: Move) -> Option<char> {
    PieceType::ALL[..RESERVE_TYPES].get(mv.from().checked_sub(DROP)? as usize).map(|kind| kind.letter())
}
