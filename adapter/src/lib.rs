//! Drives the engine, and engines like it, from existing GUIs and test tools.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]
// The printing macros panic when nobody reads any more.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
pub mod analysis;
pub mod annotate;
pub mod cecp;
pub mod chart;
pub mod engine;
pub mod gtp;
pub mod gui;
pub mod ics;
pub mod input;
pub mod interrupt;
pub mod pgn;
pub mod picture;
pub mod record_file;
pub mod replay;
pub mod report;
pub mod runner;
pub mod whole_file;
pub mod xboard;
