//! Pictures of boards, for all games: SVG that stands alone, PNG made of it, and text.
pub mod command;
mod outlines;
pub mod pieces;
pub mod png;
pub mod svg;
pub mod text;
pub mod view;

pub use command::ShowOptions;
pub use pieces::{PieceSet, write_xboard_pieces};
pub use view::{Arrow, BoardView};
