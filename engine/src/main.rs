//! The engine's command line.
fn main() {}
