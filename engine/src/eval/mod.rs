//! Static evaluation: one evaluator a game behind one trait. A position does not know its evaluator; the evaluator keeps its sums
//! by watching moves through [`Observer`].
use crate::games::position::{Observer, Position};

/// One line of the `eval` command: what a term is worth for each side, in centipawns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Name of the term.
    pub name: &'static str,
    /// Its worth for White.
    pub white: i32,
    /// Its worth for Black.
    pub black: i32,
}

/// A game whose positions can be judged without searching.
pub trait Evaluate: Position {
    /// Sums kept while moves are made.
    type Accumulator: Observer + Clone + Send + std::fmt::Debug;

    /// The sums of this position from scratch.
    fn accumulate(&self) -> Self::Accumulator;

    /// The static value for the side to move in centipawns, between −20,000 and 20,000. Symmetric: a position with the colours
    /// flipped has the same value.
    fn evaluate(&self, sums: &Self::Accumulator) -> i32;

    /// The same value by terms; their sum White − Black is `evaluate` from White's side (tempo included as a term).
    fn terms(&self) -> Vec<Term>;
}
