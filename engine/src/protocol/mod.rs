//! Sessions: uci, ucci and cyclone; the only place where text becomes a game.
//!
//! One thread reads ([`reader`]), one executes ([`session`]); the [`desk`] between them holds the queue and every search that
//! was asked for and not yet answered. What the dialects share is in [`command`], [`go`], [`options`] and [`arena`].
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
mod announce;
mod arena;
pub mod bench;
mod command;
mod desk;
mod dialect;
mod go;
mod inspect;
mod options;
mod output;
mod reader;
mod session;
mod standard;
mod team_arena;
mod waiting;

pub use dialect::Dialect;
pub use options::DEFAULT_HASH;
pub use session::{converse, run};
