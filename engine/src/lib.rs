//! Sanqi (三棋, "three games"): rules, search and protocol of Xinjiang Fangqi, Supply Xiangqi, Yáng Qí and plain xiangqi.
// The printing macros panic when nobody reads any more.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]
pub mod board;
pub mod eval;
pub mod games;
pub mod protocol;
pub mod search;
