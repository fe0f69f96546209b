//! Games as PGN: the movetext of every variant, a reader that forgives what others write, and checks.
pub mod command;
pub mod movetext;
pub mod notation;
pub mod reader;
mod token;

pub use movetext::{Movetext, tag};
pub use notation::MoveNotation;
pub use reader::{PgnError, PgnGame, Splitter, cut_games, read_games};
