//! The replay format, version 1: what `protocol-docs/replay/README.md` describes. Fields that are not known here are kept in `extra`,
//! in their order, and written after the known ones.
use super::values::{
    BoardOutcome, EndReason, FormatName, FormatVersion, MatchOutcome, Milliseconds, Moment, Piece, Point, Seat, Side,
    board, present, present_whole, whole,
};
use indexmap::IndexMap;
use sanqi::games::Position;
use sanqi::games::supply::team::{BoardId, TeamGame};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::num::NonZeroU32;

/// Fields that this version of the format does not know.
pub type Extra = Map<String, Value>;

/// A match on two boards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// The name of the format.
    pub format: FormatName,
    /// Its version.
    pub version: FormatVersion,
    /// What the match is one of.
    pub series: Series,
    /// When the match began; `timeMs` counts from here.
    pub started_at: Moment,
    /// When this replay was written, not before `started_at`.
    pub exported_at: Moment,
    /// Who sat where.
    #[serde(default, skip_serializing_if = "Seats::is_empty")]
    pub seats: Seats,
    /// The clocks at the start.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
    /// `FEN1 | FEN2` when the match did not begin at the start position.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub start_position: Option<String>,
    /// Comments from before the first event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Tags of a BPGN file that have no field here.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub bpgn_tags: IndexMap<String, String>,
    /// How boards and match ended.
    pub result: MatchResult,
    /// The points of the teams.
    pub score: Score,
    /// Every move and drop, in the order in which they were made.
    pub events: Vec<Event>,
    /// Every change of a reserve, in order.
    pub supply_timeline: Vec<SupplyEntry>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a match is one of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// The name of the event.
    pub name: String,
    /// Which match of it, from 1.
    #[serde(rename = "match", default, deserialize_with = "present_whole", skip_serializing_if = "Option::is_none")]
    pub number: Option<NonZeroU32>,
    /// Where it was played.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Who sat where.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seats {
    /// Red on board 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub red1: Option<Player>,
    /// Black on board 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub black1: Option<Player>,
    /// Red on board 2.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub red2: Option<Player>,
    /// Black on board 2.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub black2: Option<Player>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Seats {
    fn is_empty(&self) -> bool {
        *self == Seats::default()
    }

    /// Who sits on a seat, if known.
    pub fn get(&self, seat: Seat) -> Option<&Player> {
        match seat {
            Seat::Red1 => self.red1.as_ref(),
            Seat::Black1 => self.black1.as_ref(),
            Seat::Red2 => self.red2.as_ref(),
            Seat::Black2 => self.black2.as_ref(),
        }
    }

    /// The entry of a seat.
    pub fn get_mut(&mut self, seat: Seat) -> &mut Option<Player> {
        match seat {
            Seat::Red1 => &mut self.red1,
            Seat::Black1 => &mut self.black1,
            Seat::Red2 => &mut self.red2,
            Seat::Black2 => &mut self.black2,
        }
    }
}

/// Who sits on a seat.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    /// The name.
    pub name: String,
    /// The rating, in Elo points.
    #[serde(default, deserialize_with = "present_whole", skip_serializing_if = "Option::is_none")]
    pub rating: Option<u32>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The clocks at the start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeControl {
    /// What each of the four clocks shows at the start.
    pub initial_ms: Milliseconds,
    /// What a seat gets after each of its turns.
    pub increment_ms: Milliseconds,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How boards and match ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchResult {
    /// Who won the match (WHW-SXQ-008).
    #[serde(rename = "match")]
    pub outcome: MatchOutcome,
    /// How board 1 ended.
    pub board1: BoardResult,
    /// How board 2 ended.
    pub board2: BoardResult,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl MatchResult {
    /// How a board ended.
    pub fn board(&self, board: BoardId) -> &BoardResult {
        match board {
            BoardId::One => &self.board1,
            BoardId::Two => &self.board2,
        }
    }
}

/// How a board ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardResult {
    /// Who won it.
    pub outcome: BoardOutcome,
    /// By what.
    pub reason: EndReason,
    /// How many events of both boards had been played when it ended; nothing while it is unfinished.
    #[serde(default, deserialize_with = "present_whole", skip_serializing_if = "Option::is_none")]
    pub after_event: Option<usize>,
    /// When it ended, since the start of the match.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<Milliseconds>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl BoardResult {
    /// The board goes on.
    pub fn unfinished() -> BoardResult {
        BoardResult {
            outcome: BoardOutcome::Unfinished,
            reason: EndReason::Unfinished,
            after_event: None,
            time_ms: None,
            extra: Extra::new(),
        }
    }
}

/// The points of the teams: one for each board won (WHW-SXQ-008).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Score {
    /// Team 1: Red on board 1 and Black on board 2.
    #[serde(deserialize_with = "whole")]
    pub team1: u32,
    /// Team 2.
    #[serde(deserialize_with = "whole")]
    pub team2: u32,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A piece moves on its board.
    Move,
    /// A piece of the reserve is placed.
    Drop,
}

/// A move or a drop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its number among the events of both boards, from 1.
    #[serde(deserialize_with = "whole")]
    pub number: usize,
    /// Move or drop.
    pub kind: EventKind,
    /// The board.
    #[serde(with = "board")]
    pub board: BoardId,
    /// The seat that acts.
    pub seat: Seat,
    /// The side that acts.
    pub side: Side,
    /// The number of the turn among those of its board, from 1.
    #[serde(deserialize_with = "whole")]
    pub ply: usize,
    /// The piece that moves or is dropped.
    pub piece: Piece,
    /// Where it comes from; nothing for a drop.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub from: Option<Point>,
    /// Where it arrives.
    pub to: Point,
    /// What it takes, if anything.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub captured: Option<Piece>,
    /// The reserves of both boards afterwards.
    pub reserves_after: Reserves,
    /// The clock of the seat afterwards, increment included.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<Milliseconds>,
    /// When it was made, since the start of the match.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<Milliseconds>,
    /// Comments on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Event {
    /// The move as the protocol writes it after the number of the board: `h3e3`, `P@a7`.
    pub fn move_text(&self) -> String {
        match self.from {
            Some(from) => format!("{from}{}", self.to),
            None => format!("{}@{}", self.piece.kind.letter(), self.to),
        }
    }
}

/// The reserves of both boards, as the holdings of their FENs: Red's letters first, in the order R N B A C P.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reserves {
    /// Of board 1.
    pub board1: String,
    /// Of board 2.
    pub board2: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Reserves {
    /// The reserves of a match as it stands.
    pub fn of(game: &TeamGame) -> Reserves {
        let reserves = |board| game.position(board).reserves();
        Reserves { board1: reserves(BoardId::One), board2: reserves(BoardId::Two), extra: Extra::new() }
    }
}

/// How a reserve changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SupplyChange {
    /// A piece captured on the other board arrives (WHW-SXQ-002).
    Received,
    /// A piece is dropped (WHW-SXQ-003).
    Dropped,
}

/// A change of a reserve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SupplyEntry {
    /// The number of the event that causes it.
    #[serde(deserialize_with = "whole")]
    pub event: usize,
    /// Arrives or leaves.
    pub change: SupplyChange,
    /// The board of the reserve; for an arrival the other one than the event's.
    #[serde(with = "board")]
    pub board: BoardId,
    /// Whose reserve.
    pub seat: Seat,
    /// Whose reserve, by side.
    pub side: Side,
    /// The piece.
    pub piece: Piece,
    /// That seat's reserve afterwards.
    pub reserve: String,
    /// When, since the start of the match: the event's time.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<Milliseconds>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}
