//! Sanqi (三棋, "three games"): rules, search and protocol of Xinjiang Fangqi, Supply Xiangqi, Yáng Qí and plain xiangqi.
pub mod board;
pub mod eval;
pub mod games;
pub mod protocol;
pub mod search;
