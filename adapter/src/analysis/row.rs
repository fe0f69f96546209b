//! A row of the output: what `protocol-docs/analysis/row.schema.json` describes. Fields without content are left out.
use super::game::AnyVariant;
use crate::engine::Value;
use sanqi::board::Color;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Version of the rows.
pub const VERSION: u32 = 1;

/// What is known of one position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Version of this form.
    pub version: u32,
    /// The position's id: what the input says, or its place there.
    pub id: Id,
    /// The game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<AnyVariant>,
    /// The board of `supply2` that the row is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
    /// FEN of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// FEN before `moves`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startfen: Option<String>,
    /// Moves that led to the position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Boards of `supply2` that were ended from outside: number and result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, by the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Why it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The side to move is in check (`--rules-only`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<bool>,
    /// Every legal move (`--rules-only`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<LegalMove>>,
    /// Depth of the first line in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Deepest ply of the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds, as the engine measures them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Nodes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// The lines found, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub multipv: Vec<Line>,
    /// The first line's score is proved (the end of fangqi).
    #[serde(default, skip_serializing_if = "is_false")]
    pub exact: bool,
    /// The move that the engine would play; left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bestmove: Option<String>,
    /// The reply that it expects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder: Option<String>,
    /// Who searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Arc<Identity>>,
    /// Why there is no analysis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Row {
    /// A row without content.
    pub fn new(id: Id) -> Row {
        Row {
            version: VERSION,
            id,
            variant: None,
            board: None,
            fen: None,
            startfen: None,
            moves: Vec::new(),
            over: Vec::new(),
            result: None,
            reason: None,
            check: None,
            legal: None,
            depth: None,
            seldepth: None,
            nodes: None,
            time: None,
            nps: None,
            multipv: Vec::new(),
            exact: false,
            bestmove: None,
            ponder: None,
            engine: None,
            error: None,
        }
    }
}

/// The id of a position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// A whole number.
    Number(i64),
    /// Any text.
    Text(String),
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Id::Number(number) => number.fmt(f),
            Id::Text(text) => f.write_str(text),
        }
    }
}

/// A line of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its score.
    pub score: Score,
    /// Chances to win, draw and lose, in permille, for the score's viewpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u32; 3]>,
    /// Its depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Its deepest ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Its moves in coordinates.
    pub pv: Vec<String>,
    /// The same moves in the game's notation.
    pub san: Vec<String>,
}

/// A score with its viewpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Centipawns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Mate in so many moves; negative when the viewpoint is mated, 0 when it already is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The search had only proved that the score is at least (`lower`) or at most (`upper`) this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<BoundName>,
    /// For whom positive is good: the side to move.
    pub viewpoint: Side,
}

impl Score {
    /// A score of the side to move.
    pub fn new(value: Value, side: Color) -> Score {
        let (cp, mate) = match value {
            Value::Centipawns(cp) => (Some(cp), None),
            Value::Mate(moves) => (None, Some(moves)),
        };
        Score { cp, mate, bound: None, viewpoint: side.into() }
    }

    /// The value without its viewpoint.
    pub fn value(&self) -> Value {
        self.mate.map_or(Value::Centipawns(self.cp.unwrap_or_default()), Value::Mate)
    }
}

/// A bound by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundName {
    /// At least.
    Lower,
    /// At most.
    Upper,
}

/// A side by the letter that FENs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The first player.
    #[serde(rename = "w")]
    White,
    /// The second player.
    #[serde(rename = "b")]
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegalMove {
    /// In coordinates.
    #[serde(rename = "move")]
    pub text: String,
    /// In the game's notation.
    pub san: String,
    /// FQ-8: what a placement of fangqi completes and captures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<Preview>,
}

/// FQ-8: what a placement completes and captures. Squares are named by their lower-left points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Squares that it completes.
    pub squares: Vec<String>,
    /// Those that capture.
    pub capturing: Vec<String>,
    /// Stones that leave the board.
    pub captures: Vec<String>,
}

/// An engine and how it was set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// What it calls itself.
    pub name: String,
    /// The version in that name, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
}
