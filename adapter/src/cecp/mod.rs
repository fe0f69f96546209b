//! What the XBoard/CECP protocol calls things: variants, positions, moves and thinking lines as text, read and written. Both
//! sides of the protocol use it, the front that is an engine to a GUI, and the client that drives such engines.
pub mod fen;
pub mod moves;
pub mod setup;
pub mod thinking;

pub use fen::{read_fen, write_fen};
pub use moves::{MoveStyle, MoveWord, rank_base};
pub use setup::{pieces, setup};
pub use thinking::Thinking;
