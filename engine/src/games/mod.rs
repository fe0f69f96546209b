//! The rules, one folder a game. Rule ids (FQ-3, WHW-SXQ-005, YQ-6 …) are those of `protocol-docs/rules/`.
pub mod error;
pub mod fangqi;
pub mod fen;
mod game;
pub mod moves;
pub mod position;
pub mod record;
pub mod result;
pub mod supply;
pub mod text;
pub mod variant;
pub mod xiangqi;
pub mod yangqi;

pub use error::{FenError, MoveError};
pub use game::Game;
pub use moves::{Generate, Move, MoveList};
pub use position::{Position, perft};
pub use record::Record;
pub use result::{GameResult, Outcome, Reason};
pub use text::{Notation, RankBase};
pub use variant::Variant;
