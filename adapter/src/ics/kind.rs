//! The games that the server offers, and what XBoard has to be told so that it shows them.
use sanqi::games::{RankBase, Variant};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A game of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Xinjiang Fangqi.
    Fangqi,
    /// Yáng Qí.
    Yangqi,
    /// Supply Xiangqi, one board.
    Supply,
    /// Supply Xiangqi, the team game on two boards.
    Supply2,
    /// Plain xiangqi.
    Xiangqi,
}

impl Kind {
    /// All games.
    pub const ALL: [Kind; 5] = [Kind::Fangqi, Kind::Yangqi, Kind::Supply, Kind::Supply2, Kind::Xiangqi];

    /// Its name, that of `UCI_Variant`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Fangqi => "fangqi",
            Kind::Yangqi => "yangqi",
            Kind::Supply => "supply",
            Kind::Supply2 => "supply2",
            Kind::Xiangqi => "xiangqi",
        }
    }

    /// The game of one of its boards.
    pub const fn board(self) -> Variant {
        match self {
            Kind::Fangqi => Variant::Fangqi,
            Kind::Yangqi => Variant::Yangqi,
            Kind::Supply | Kind::Supply2 => Variant::Supply,
            Kind::Xiangqi => Variant::Xiangqi,
        }
    }

    /// Number of boards.
    pub const fn boards(self) -> usize {
        if matches!(self, Kind::Supply2) { 2 } else { 1 }
    }

    /// Whether a person has something in hand that may be placed on the board.
    pub const fn has_holdings(self) -> bool {
        matches!(self, Kind::Fangqi | Kind::Supply | Kind::Supply2)
    }

    /// The lowest rank in moves: XBoard counts from 0 on boards with ten ranks, and from 1 on all others.
    pub const fn base(self) -> RankBase {
        if matches!(self, Kind::Fangqi) { RankBase::One } else { RankBase::Zero }
    }

    /// How the game is called in announcements: the name, and after the slash the variant by whose rules XBoard shows moves.
    ///
    /// XBoard takes the first variant that it knows from the text. It must not be one of the older ones when letters beyond those of
    /// chess stand on the board, or XBoard guesses another game from the size of the board. `asean` has no castling, hence swaps of
    /// own pieces, and lets a pawn promote to any piece.
    pub const fn announced(self) -> &'static str {
        match self {
            Kind::Fangqi => "fangqi/crazyhouse",
            Kind::Yangqi => "yangqi/asean",
            Kind::Supply => "supply/xiangqi",
            Kind::Supply2 => "supply2/xiangqi",
            Kind::Xiangqi => "xiangqi",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = ();
    /// Reads a name, or the way it is announced.
    fn from_str(text: &str) -> Result<Kind, ()> {
        let name = text.split_once('/').map_or(text, |(name, _)| name);
        Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name)).ok_or(())
    }
}
