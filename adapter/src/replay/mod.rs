//! The replay format of Supply Xiangqi on two boards, `wonghongwei-supply-xiangqi-replay` version 1: read, checked by the rules, shown,
//! written, and turned into BPGN and back. `protocol-docs/replay/README.md` describes it.
pub mod bpgn;
mod builder;
mod check;
mod command;
mod ends;
mod error;
mod file;
pub mod format;
mod kinds;
mod recorder;
mod show;
mod times;
pub mod values;
mod whole;

pub use builder::ReplayBuilder;
pub use check::{Playback, check, start_of};
pub use command::ReplayCommand;
pub use error::{Place, ReplayError, Warning, one_line};
pub use file::{MAX_BYTES, read_text};
pub use format::Replay;
pub use recorder::Timing;
pub use show::show;
