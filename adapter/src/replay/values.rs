//! The words of a replay that are more than plain text or numbers, each read strictly and written back as it was read.
use super::error::ReplayError;
use jiff::{Timestamp, Unit};
use sanqi::board::Color;
use sanqi::board::bitboard::{FILES, RANKS};
use sanqi::games::supply::team::{BoardId, team_of};
use sanqi::games::text::{read_square, square_name};
use sanqi::games::xiangqi::piece::{PieceType, code, color_of, kind_of, letter_of};
use sanqi::games::{Outcome, RankBase, Reason};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// The only format name there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum FormatName {
    /// `wonghongwei-supply-xiangqi-replay`.
    #[default]
    #[serde(rename = "wonghongwei-supply-xiangqi-replay")]
    SupplyXiangqiReplay,
}

/// The only version there is, 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct FormatVersion;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    use super::{BoardId, Deserialize, Deserializer, Serializer};
    use serde::de::Error;

    pub(in crate::replay) fn serialize<S: Serializer>(board: &BoardId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(board.number() as u64)
    }

    pub(in crate::replay) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardId, D::Error> {
        match u64::deserialize(deserializer)? {
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

/// A span of time in whole milliseconds, at most [`Milliseconds::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Milliseconds(u64);

impl Milliseconds {
    /// 2⁵³ − 1, the largest whole number that every JSON reader keeps exactly.
    pub const MAX: Milliseconds = Milliseconds((1 << 53) - 1);

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// `298.210`: seconds with three decimals, as BPGN 1.2 has clocks.
    pub fn seconds(self) -> String {
        format!("{}.{:03}", self.0 / 1000, self.0 % 1000)
    }

    /// Reads seconds with up to three decimals; further ones are cut off.
    pub fn from_seconds(text: &str) -> Option<Milliseconds> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let thousandths: String = decimals.chars().chain("000".chars()).take(3).collect();
        let total = whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths.parse().ok()?)?;
        Milliseconds::try_from(total).ok()
    }
}

impl TryFrom<u64> for Milliseconds {
    type Error = String;
    fn try_from(number: u64) -> Result<Milliseconds, String> {
        match Milliseconds(number) {
            time if time <= Milliseconds::MAX => Ok(time),
            _ => Err(format!("expected at most {} milliseconds, found {number}", Milliseconds::MAX.0)),
        }
    }
}

impl From<Milliseconds> for u64 {
    fn from(time: Milliseconds) -> u64 {
        time.0
    }
}

/// Cut to whole milliseconds; what is too long becomes [`Milliseconds::MAX`].
impl From<Duration> for Milliseconds {
    fn from(duration: Duration) -> Milliseconds {
        u64::try_from(duration.as_millis()).map_or(Milliseconds::MAX, |n| Milliseconds(n).min(Milliseconds::MAX))
    }
}

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A point in time as RFC 3339 writes it, `2026-11-29T22:50:42.125Z`. The text is kept as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment {
    text: String,
    timestamp: Timestamp,
}

impl Moment {
    /// Now, in whole milliseconds.
    pub fn now() -> Moment {
        Moment::from(Timestamp::now())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True when this is before `other`, whatever the offsets they are written with.
    pub fn is_before(&self, other: &Moment) -> bool {
        self.timestamp < other.timestamp
    }

    /// Day and time of day in UTC as PGN tags have them: `2026.11.29`, `22:50:42`.
    pub fn pgn_tags(&self) -> (String, String) {
        (self.timestamp.strftime("%Y.%m.%d").to_string(), self.timestamp.strftime("%H:%M:%S").to_string())
    }

    /// Reads the PGN tags that [`Moment::pgn_tags`] writes.
    ///
    /// # Errors
    /// Not a day of the calendar or not a time of day.
    pub fn from_pgn_tags(date: &str, time: &str) -> Result<Moment, String> {
        Moment::try_from(format!("{}T{time}Z", date.replace('.', "-")))
    }

    /// `dddd-dd-ddTdd:dd:dd[.d…](Z|±dd:dd)`: narrower than what the calendar library reads.
    fn has_shape(text: &str) -> bool {
        let fits = |text: &str, shape: &str| {
            text.len() == shape.len()
                && text.bytes().zip(shape.bytes()).all(|(c, s)| if s == b'd' { c.is_ascii_digit() } else { c == s })
        };
        let Some((head, tail)) = text.split_at_checked("dddd-dd-ddTdd:dd:dd".len()) else { return false };
        let zone = match tail.strip_prefix('.') {
            Some(decimals) => {
                let zone = decimals.trim_start_matches(|c: char| c.is_ascii_digit());
                if zone.len() == decimals.len() {
                    return false;
                }
                zone
            }
            None => tail,
        };
        fits(head, "dddd-dd-ddTdd:dd:dd") && (zone == "Z" || fits(zone, "+dd:dd") || fits(zone, "-dd:dd"))
    }
}

impl From<Timestamp> for Moment {
    fn from(timestamp: Timestamp) -> Moment {
        let timestamp = timestamp.round(Unit::Millisecond).unwrap_or(timestamp);
        Moment { text: timestamp.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(), timestamp }
    }
}

impl TryFrom<String> for Moment {
    type Error = String;
    fn try_from(text: String) -> Result<Moment, String> {
        match text.parse() {
            Ok(timestamp) if Moment::has_shape(&text) => Ok(Moment { text, timestamp }),
            _ => Err(format!("expected a time as in 2026-11-29T22:50:42.125Z, found `{text}`")),
        }
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> String {
        moment.text
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Who won a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardOutcome {
    /// Red won.
    Red,
    /// Black won.
    Black,
    /// Drawn.
    Draw,
    /// The board had not ended when the replay was exported.
    Unfinished,
}

impl From<Outcome> for BoardOutcome {
    fn from(outcome: Outcome) -> BoardOutcome {
        match outcome {
            Outcome::Win(Color::White) => BoardOutcome::Red,
            Outcome::Win(Color::Black) => BoardOutcome::Black,
            Outcome::Draw => BoardOutcome::Draw,
            Outcome::Ongoing => BoardOutcome::Unfinished,
        }
    }
}

impl From<BoardOutcome> for Outcome {
    fn from(outcome: BoardOutcome) -> Outcome {
        match outcome {
            BoardOutcome::Red => Outcome::Win(Color::White),
            BoardOutcome::Black => Outcome::Win(Color::Black),
            BoardOutcome::Draw => Outcome::Draw,
            BoardOutcome::Unfinished => Outcome::Ongoing,
        }
    }
}

impl fmt::Display for BoardOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BoardOutcome::Red => "red",
            BoardOutcome::Black => "black",
            BoardOutcome::Draw => "draw",
            BoardOutcome::Unfinished => "unfinished",
        })
    }
}

/// Who won the match (WHW-SXQ-008).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchOutcome {
    /// Team 1: Red on board 1 and Black on board 2.
    Team1,
    /// Team 2.
    Team2,
    /// Equal points.
    Draw,
    /// A board had not ended when the replay was exported.
    Unfinished,
}

impl From<Outcome> for MatchOutcome {
    fn from(outcome: Outcome) -> MatchOutcome {
        match outcome {
            Outcome::Win(Color::White) => MatchOutcome::Team1,
            Outcome::Win(Color::Black) => MatchOutcome::Team2,
            Outcome::Draw => MatchOutcome::Draw,
            Outcome::Ongoing => MatchOutcome::Unfinished,
        }
    }
}

impl fmt::Display for MatchOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MatchOutcome::Team1 => "team1",
            MatchOutcome::Team2 => "team2",
            MatchOutcome::Draw => "draw",
            MatchOutcome::Unfinished => "unfinished",
        })
    }
}

/// How a board ended. The first three follow from the events, the others come from outside (SX-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EndReason {
    /// No legal action, in check (WHW-SXQ-006).
    Checkmate,
    /// No legal action, not in check (SX-4).
    Stalemate,
    /// One hundred turns without capture or drop (WHW-SXQ-007).
    MoveCount,
    /// The loser's time ran out.
    Flag,
    /// The loser gave up.
    Resignation,
    /// The loser tried an illegal move.
    IllegalMove,
    /// The loser's program or connection died.
    Disconnection,
    /// A draw was agreed.
    Agreement,
    /// Decided by an arbiter or by a rule of the event.
    Adjudication,
    /// The board had not ended when the replay was exported.
    Unfinished,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [EndReason; 10] = [
        EndReason::Checkmate,
        EndReason::Stalemate,
        EndReason::MoveCount,
        EndReason::Flag,
        EndReason::Resignation,
        EndReason::IllegalMove,
        EndReason::Disconnection,
        EndReason::Agreement,
        EndReason::Adjudication,
        EndReason::Unfinished,
    ];

    /// Who ended the board: the players by their moves, or something outside of them.
    pub const fn is_from_outside(self) -> bool {
        !matches!(self, EndReason::Checkmate | EndReason::Stalemate | EndReason::MoveCount | EndReason::Unfinished)
    }

    /// Whether a board can end like this from outside: an agreement draws, an adjudication may do anything, the others have a loser.
    pub const fn allows(self, outcome: BoardOutcome) -> bool {
        match outcome {
            BoardOutcome::Red | BoardOutcome::Black => self.is_from_outside() && !matches!(self, EndReason::Agreement),
            BoardOutcome::Draw => matches!(self, EndReason::Agreement | EndReason::Adjudication),
            BoardOutcome::Unfinished => false,
        }
    }
}

impl From<Reason> for EndReason {
    fn from(reason: Reason) -> EndReason {
        match reason {
            Reason::Checkmate => EndReason::Checkmate,
            Reason::Stalemate => EndReason::Stalemate,
            Reason::MoveCount => EndReason::MoveCount,
            Reason::Ongoing => EndReason::Unfinished,
            // Supply Xiangqi has no other end (SX-7).
            Reason::Repetition
            | Reason::PerpetualCheck
            | Reason::BareKings
            | Reason::NoStones
            | Reason::StoneCount
            | Reason::Adjudicated => EndReason::Adjudication,
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::MoveCount => "moveCount",
            EndReason::Flag => "flag",
            EndReason::Resignation => "resignation",
            EndReason::IllegalMove => "illegalMove",
            EndReason::Disconnection => "disconnection",
            EndReason::Agreement => "agreement",
            EndReason::Adjudication => "adjudication",
            EndReason::Unfinished => "unfinished",
        })
    }
}

impl std::str::FromStr for EndReason {
    type Err = ReplayError;
    fn from_str(text: &str) -> Result<EndReason, ReplayError> {
        let found = EndReason::ALL.into_iter().find(|reason| reason.to_string() == text);
        found.ok_or_else(|| ReplayError::Ending(format!("`{text}` is no way for a board to end")))
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
        for text in ["2026-11-29T22:50:42Z", "2026-11-29T22:50:42.125Z", "2026-11-29T22:50:42+08:00"] {
            assert_eq!(Moment::try_from(text.to_owned()).unwrap().text(), text);
        }
        for text in [
            "2026-02-30T22:50:42Z",
            "2026-11-29 22:50:42Z",
            "2026-11-29T22:50:42",
            "2026-11-29T22:50:42.Z",
            "20261129T225042Z",
            "2026-11-29T25:50:42Z",
        ] {
            assert!(Moment::try_from(text.to_owned()).is_err(), "{text}");
        }
        for reason in EndReason::ALL {
            assert_eq!(reason.to_string().parse::<EndReason>().unwrap(), reason);
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.to_string());
        }
        for seat in Seat::ALL {
            assert_eq!(serde_json::to_value(seat).unwrap(), seat.to_string());
            assert_eq!(Seat::of(seat.board(), seat.color()), seat);
        }
        assert_eq!(Seat::ALL.map(Seat::team), [1, 2, 2, 1]);
    }

    #[test]
    fn seconds_and_milliseconds() {
        for (text, expected) in [
            ("180", Some(180_000)),
            ("296.784", Some(296_784)),
            ("298.21", Some(298_210)),
            ("0.0019", Some(1)),
            ("", None),
            (".5", None),
            ("1.", None),
            ("-1", None),
            ("1e3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(Milliseconds::from_seconds(text).map(Milliseconds::get), expected, "{text}");
        }
        assert_eq!(Milliseconds(298_210).seconds(), "298.210");
        assert_eq!(Milliseconds::from(Duration::MAX), Milliseconds::MAX);
    }

    #[test]
    fn moments_meet_pgn_tags() {
        let moment = Moment::try_from("2026-11-30T06:50:42.125+08:00".to_owned()).unwrap();
        let (date, time) = moment.pgn_tags();
        assert_eq!((date.as_str(), time.as_str()), ("2026.11.29", "22:50:42"));
        let read = Moment::from_pgn_tags(&date, &time).unwrap();
        assert_eq!(read.text(), "2026-11-29T22:50:42Z");
        assert!(read.is_before(&moment) && !moment.is_before(&read));
        assert!(Moment::from_pgn_tags("????.??.??", "00:00:00").is_err());
    }
}
