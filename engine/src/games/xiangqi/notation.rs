//! Moves as text: coordinates, ICCS and WXF.
use super::Rules;
use super::piece::{PieceType, RESERVE_TYPES, kind_of};
use super::position::{DROP, XiangqiPosition};
use crate::board::Color;
use crate::board::bitboard::{Bitboard, FILES, RANKS, bit, file_of, rank_of, square};
use crate::board::bits::{BitSet, Squares};
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

    /// WXF: piece, its file, direction, and the target file or the number of ranks, files counted from the mover's right.
    /// Drops, which WXF does not know, are `R@e3`.
    pub(super) fn wxf(&self, mv: Move) -> String {
        let Some(piece) = self.moving(mv).filter(|_| mv.from() < DROP) else {
            return self.write_move(mv, RankBase::One);
        };
        let (from, to, kind) = (mv.from(), mv.to(), kind_of(piece));
        let color = super::piece::color_of(piece);
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
        format!("{}{sign}{number}", self.wxf_piece(color, kind, from))
    }

    /// The first two characters: letter and file, or how the piece stands among its like on one file.
    fn wxf_piece(&self, color: Color, kind: PieceType, from: u8) -> String {
        let pieces = self.pieces(color, kind);
        let letter = wxf_letter(kind);
        let file = file_of(from);
        // From the front to the rear.
        let tandem = column(pieces, file, color);
        // Of two Advisors or Elephants on a file each has moves that the other lacks, so they keep letter and file.
        if tandem.len() < 2
            || matches!(kind, PieceType::Advisor | PieceType::Elephant) && tandem.len() == 2 && !R::DROPS
        {
            return format!("{letter}{}", wxf_file(color, from));
        }
        let place = tandem.iter().position(|&s| s == from).unwrap_or(0);
        let mark = rank_mark(place, tandem.len());
        let doubled = (0..FILES).filter(|&f| column(pieces, f, color).len() > 1).count();
        match kind {
            // Soldiers doubled on two files: front or rear, then the file. Three and more on one: numbered from the front.
            PieceType::Soldier if doubled > 1 => return format!("{mark}{}", wxf_file(color, from)),
            PieceType::Soldier if tandem.len() > 2 => return format!("{}{}", place + 1, wxf_file(color, from)),
            // Other pieces are doubled on two files only when reserves came in, which WXF does not foresee: file as well.
            _ if doubled > 1 => return format!("{mark}{letter}{}", wxf_file(color, from)),
            _ => {}
        }
        format!("{mark}{letter}")
    }
}

/// `+` for the front piece, `-` for the rear one; between them a number counted from the front.
fn rank_mark(place: usize, among: usize) -> String {
    match place {
        0 => "+".to_owned(),
        p if p + 1 == among => "-".to_owned(),
        p => (p + 1).to_string(),
    }
}

/// The squares of `pieces` on one file, from the front to the rear of `color`.
fn column(pieces: Bitboard, file: usize, color: Color) -> Vec<u8> {
    let on_file = (0..RANKS).fold(0, |set, rank| set | bit(square(file, rank)));
    let mut squares: Vec<u8> = Squares(pieces & on_file).collect();
    if color == Color::White {
        squares.reverse();
    }
    debug_assert_eq!(squares.len(), (pieces & on_file).len());
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
