//! An engine process as a client sees it. Everything has a time limit, nothing an engine prints can make memory grow, and a
//! dropped engine is a killed one.
pub mod client;
pub mod dialect;
pub mod error;
pub mod info;
pub mod limits;
pub mod lines;
pub mod options;
pub mod process;
pub mod wire;

pub use client::{Output, Timeouts, UciEngine};
pub use dialect::{Dialect, DialectChoice};
pub use error::EngineError;
pub use info::{BestMove, Bound, Info, Value};
pub use limits::Limits;
pub use options::EngineOption;
pub use process::{EngineProcess, Launch};
pub use wire::WireLog;
