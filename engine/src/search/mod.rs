//! One search for all games.
pub mod api;
pub mod control;
pub mod score;
pub mod table;

mod searcher;

pub use api::{Clock, Limits, Options, Report, Reporter, Summary};
pub use control::Control;
pub use score::{Bound, Score, Value};
pub use searcher::Searcher;
pub use table::Table;
