//! Yáng Qí (rules YQ-1 to YQ-12), with its king swaps and, for comparison with other engines, without them.
pub(crate) mod attacks;
mod fen;
mod make;
mod movegen;
mod notation;
mod piece;
mod position;
mod see;

pub use notation::SwapText;
pub use piece::PieceType;
pub use position::YangqiBoard;

/// A position of Yáng Qí.
pub type Yangqi = YangqiBoard<true>;
/// A position of Yáng Qí without king swaps (YQ-7).
pub type YangqiNoSwap = YangqiBoard<false>;
