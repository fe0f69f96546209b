//! FQ-8: what a placement would do, before it is made.
use super::geometry::point_name;
use super::{Fangqi, Position};
use crate::board::bits::Squares;
use crate::games::{Move, RankBase};
use std::fmt;

/// FQ-8: the 2×2 squares a placement completes and what they capture, as sets of points of the 7×7 board. A square is named by
/// its lower-left point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preview {
    /// Squares that the placement completes.
    pub squares: u64,
    /// Those of them that capture.
    pub capturing: u64,
    /// The enemy stones that leave the board.
    pub captures: u64,
}

/// A [`Preview`] with the points by name, each list in the order of ranks, then files; displayed as
/// `squares c3 c4 capturing c3 captures a3 b5`, with `-` for an empty list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewText {
    /// Lower-left points of the squares that the placement completes.
    pub squares: Vec<String>,
    /// Lower-left points of those of them that capture.
    pub capturing: Vec<String>,
    /// Points of the captured stones.
    pub captures: Vec<String>,
}

impl Fangqi {
    /// FQ-8: what the legal move `mv` would complete and capture; `None` when it is not legal.
    pub fn preview(&self, mv: Move) -> Option<Preview> {
        self.is_legal(mv).then(|| self.effect(mv.to()))
    }
}

impl Preview {
    /// The points by name.
    pub fn text(&self, base: RankBase) -> PreviewText {
        let names = |set: u64| Squares(set).map(|point| point_name(point, base)).collect();
        PreviewText { squares: names(self.squares), capturing: names(self.capturing), captures: names(self.captures) }
    }
}

impl fmt::Display for PreviewText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[String]| if names.is_empty() { "-".to_owned() } else { names.join(" ") };
        write!(
            f,
            "squares {} capturing {} captures {}",
            list(&self.squares),
            list(&self.capturing),
            list(&self.captures)
        )
    }
}
