//! Xiangqi, and what Supply Xiangqi shares with it: one position for both, told apart by their [`Rules`].
pub(crate) mod attacks;
mod fen;
mod movegen;
mod notation;
pub mod piece;
mod position;
mod see;

pub use piece::PieceType;
pub use position::XiangqiPosition;

use super::position::Repetition;
use super::variant::Variant;

/// In what the games on this board differ.
pub trait Rules: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// The game.
    const VARIANT: Variant;
    /// Pieces in reserve can be dropped.
    const DROPS: bool;
    /// So many half-moves without capture or drop draw.
    const MOVE_LIMIT: u32;
    /// Sets of pieces that one side may own, reserve included (SX-9).
    const SETS: u32;
    /// What recurrence of a position means.
    const REPETITION: Repetition;
    /// The start position.
    const START: &'static str;
}

/// The rules of plain xiangqi: XQ-1 to XQ-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plain;

impl Rules for Plain {
    const VARIANT: Variant = Variant::Xiangqi;
    const DROPS: bool = false;
    // XQ-3
    const MOVE_LIMIT: u32 = 120;
    const SETS: u32 = 1;
    // XQ-2
    const REPETITION: Repetition = Repetition::PerpetualCheckLoses;
    const START: &'static str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
}

/// A position of plain xiangqi.
pub type Xiangqi = XiangqiPosition<Plain>;
