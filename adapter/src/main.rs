//! `sanqi-adapter`: one binary, a subcommand per way of driving the engine.
fn main() {}
