//! `sanqi-adapter analyse`: positions in, a row for each out; on this machine or, behind a NATS server, on many.
pub mod analyst;
pub mod command;
pub mod format;
pub mod game;
pub mod input;
pub mod made;
pub mod nats;
pub mod output;
pub mod row;
pub mod rules;
pub mod run;
pub mod task;

pub use analyst::{Analyst, AnalystError};
pub use game::{AnyGame, AnyVariant, Source};
pub use row::{Id, Row};
pub use task::{SearchOptions, Task};
