//! One search for all games.
mod alphabeta;
pub mod api;
pub mod control;
pub mod correction;
pub mod fangqi_solver;
mod history;
mod limiter;
mod memory;
mod picker;
pub mod score;
pub mod searchable;
mod searcher;
mod strength;
pub mod table;
pub mod team;
mod thread;
pub mod way;

pub use api::{Clock, Limits, Options, Report, Reporter, Summary};
pub use control::Control;
pub use score::{Bound, Score, Value};
pub use searcher::Searcher;
pub use strength::{Ladder, MAX_ELO, MIN_ELO, PARTS, STEPS, Step};
pub use table::Table;
