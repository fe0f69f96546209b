//! Shared helpers of the end-to-end tests.
pub mod analyse;
pub mod binary;
pub mod dialogue;
pub mod gtp;
pub mod ics;
pub mod matches;
pub mod positions;
pub mod random;
pub mod session;
pub mod symmetry;
pub mod targets;
