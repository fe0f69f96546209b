//! The words of a replay that are more than plain text or numbers, each read strictly and written back as it was read.
use sanqi::board::Color;
use sanqi::board::bitboard::{FILES, RANKS};
use sanqi::games::RankBase;
use sanqi::games::supply::team::{BoardId, team_of};
use sanqi::games::text::{read_square, square_name};
use sanqi::games::xiangqi::piece::{PieceType, code, color_of, kind_of, letter_of};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

pub use super::ends::{BoardOutcome, EndReason, MatchOutcome};
pub use super::times::{Milliseconds, Moment};
pub(super) use super::whole::{present_whole, whole};

/// The only format name there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum FormatName {
    /// `wonghongwei-supply-xiangqi-replay`.
    #[default]
    #[serde(rename = "wonghongwei-supply-xiangqi-replay")]
    SupplyXiangqiReplay,
}

/// The only version there is, 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(into = "u64")]
pub struct FormatVersion;

impl<'de> Deserialize<'de> for FormatVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FormatVersion, D::Error> {
        FormatVersion::try_from(whole::<D, u64>(deserializer)?).map_err(D::Error::custom)
    }
}

impl TryFrom<u64> for FormatVersion {
    type Error = String;
    fn try_from(number: u64) -> Result<FormatVersion, String> {
        if number == 1 { Ok(FormatVersion) } else { Err(format!("expected 1, found {number}")) }
    }
}

impl From<FormatVersion> for u64 {
    fn from(_: FormatVersion) -> u64 {
        1
    }
}

/// The side of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Red, `w` in FENs, the side that begins.
    Red,
    /// Black.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::Red,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Red => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Red => "red",
            Side::Black => "black",
        })
    }
}

/// One of the four seats (WHW-SXQ-001).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// Red on board 1, team 1.
    Red1,
    /// Black on board 1, team 2.
    Black1,
    /// Red on board 2, team 2.
    Red2,
    /// Black on board 2, team 1.
    Black2,
}

impl Seat {
    /// All seats, board 1 first and Red before Black.
    pub const ALL: [Seat; 4] = [Seat::Red1, Seat::Black1, Seat::Red2, Seat::Black2];

    /// The seat of a side on a board.
    pub const fn of(board: BoardId, color: Color) -> Seat {
        match (board, color) {
            (BoardId::One, Color::White) => Seat::Red1,
            (BoardId::One, Color::Black) => Seat::Black1,
            (BoardId::Two, Color::White) => Seat::Red2,
            (BoardId::Two, Color::Black) => Seat::Black2,
        }
    }

    /// Its board.
    pub const fn board(self) -> BoardId {
        match self {
            Seat::Red1 | Seat::Black1 => BoardId::One,
            Seat::Red2 | Seat::Black2 => BoardId::Two,
        }
    }

    /// Its colour.
    pub const fn color(self) -> Color {
        match self {
            Seat::Red1 | Seat::Red2 => Color::White,
            Seat::Black1 | Seat::Black2 => Color::Black,
        }
    }

    /// Its team, 1 or 2.
    pub const fn team(self) -> usize {
        team_of(self.board(), self.color())
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Side::from(self.color()), self.board())
    }
}

/// A board number, 1 or 2, for `#[serde(with)]`.
pub(super) mod board {
    use super::{BoardId, Deserializer, Serializer, whole};
    use serde::de::Error;

    pub(in crate::replay) fn serialize<S: Serializer>(board: &BoardId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(board.number() as u64)
    }

    pub(in crate::replay) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardId, D::Error> {
        match whole::<D, u64>(deserializer)? {
            1 => Ok(BoardId::One),
            2 => Ok(BoardId::Two),
            other => Err(D::Error::custom(format!("expected board 1 or 2, found {other}"))),
        }
    }
}

/// Reads an optional field that, when it is there, is not `null`.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A piece: its letter as in FENs, upper case for Red.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Piece {
    /// Its colour.
    pub color: Color,
    /// Its type.
    pub kind: PieceType,
}

impl Piece {
    /// The piece with an engine's piece code.
    pub const fn from_code(code: usize) -> Piece {
        Piece { color: color_of(code), kind: kind_of(code) }
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        letter_of(code(self.color, self.kind))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl TryFrom<String> for Piece {
    type Error = String;
    fn try_from(text: String) -> Result<Piece, String> {
        let mut letters = text.chars();
        let piece = letters.next().and_then(|letter| {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            // The synonyms E and H would come back as B and N: no round trip.
            PieceType::from_letter(letter).map(|kind| Piece { color, kind }).filter(|piece| piece.letter() == letter)
        });
        match (piece, letters.next()) {
            (Some(piece), None) => Ok(piece),
            _ => Err(format!("expected one of the letters R N B A C P K in either case, found `{text}`")),
        }
    }
}

impl From<Piece> for String {
    fn from(piece: Piece) -> String {
        piece.to_string()
    }
}

/// A point of the board: file `a`–`i` and rank 1–10, `h10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Point {
    file: usize,
    rank: usize,
}

impl Point {
    /// The engine's square index, 0–89.
    pub const fn square(self) -> u8 {
        (self.rank * FILES + self.file) as u8
    }

    /// The point of a square index.
    pub const fn of_square(square: u8) -> Point {
        Point { file: square as usize % FILES, rank: square as usize / FILES }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&square_name(self.file, self.rank, RankBase::One))
    }
}

impl TryFrom<String> for Point {
    type Error = String;
    fn try_from(text: String) -> Result<Point, String> {
        match read_square(&text, FILES, RANKS, RankBase::One) {
            Some((file, rank, "")) if text.starts_with(|c: char| c.is_ascii_lowercase()) => Ok(Point { file, rank }),
            _ => Err(format!("expected a point a1 to i10, found `{text}`")),
        }
    }
}

impl From<Point> for String {
    fn from(point: Point) -> String {
        point.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_strictly() {
        for (text, good) in
            [("C", true), ("n", true), ("k", true), ("H", false), ("", false), ("RR", false), ("ß", false)]
        {
            assert_eq!(Piece::try_from(text.to_owned()).is_ok(), good, "{text}");
        }
        for (text, good) in
            [("a1", true), ("i10", true), ("A1", false), ("i11", false), ("j1", false), ("a0", false), ("a01", false)]
        {
            assert_eq!(Point::try_from(text.to_owned()).is_ok(), good, "{text}");
        }
        for seat in Seat::ALL {
            assert_eq!(serde_json::to_value(seat).unwrap(), seat.to_string());
            assert_eq!(Seat::of(seat.board(), seat.color()), seat);
        }
        assert_eq!(Seat::ALL.map(Seat::team), [1, 2, 2, 1]);
    }
}
