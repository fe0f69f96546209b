//! An engine process as a client sees it. Everything has a time limit, nothing an engine prints can make memory grow, and a
//! dropped engine is a killed one.
pub mod client;
pub mod dialect;
pub mod error;
pub mod features;
pub mod info;
pub mod limits;
pub mod lines;
pub mod options;
pub mod player;
pub mod process;
pub mod protocol;
pub mod wire;
pub mod xboard;

pub use client::{Output, Timeouts, UciEngine};
pub use dialect::{Dialect, DialectChoice};
pub use error::EngineError;
pub use info::{BestMove, Bound, Info, Value};
pub use limits::{BoardLimits, Limits};
pub use options::EngineOption;
pub use player::{Board, GameStart, Player, Said, Turn};
pub use process::{EngineProcess, Launch};
pub use protocol::Protocol;
pub use wire::WireLog;
pub use xboard::XboardEngine;
