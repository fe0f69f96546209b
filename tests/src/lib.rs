//! Shared helpers of the end-to-end tests.
pub mod engine;
pub mod matches;
pub mod positions;
pub mod random;
pub mod symmetry;
