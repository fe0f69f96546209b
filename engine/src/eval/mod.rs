//! Static evaluation: one evaluator a game behind one trait.
//!
//! Every evaluation has a part that is linear in its weights: a sum over features, each counted for White minus Black. The same code
//! that evaluates also tells a tuner the counts, so weights can be fitted to game results by a script (`engine/examples/tune.rs`).
//! A second part is trained beside it. In the games on 9×10 squares the first is placement and reserves only, and a small [`network`]
//! says the rest (`engine/examples/train.rs`); in fangqi tables of local [`patterns`] add to the counted features
//! (`engine/examples/patterns.rs`). What depends only on where pieces stand and what is in reserve is summed while moves are made,
//! through [`Placement`].
mod fangqi;
mod fangqi_weights;
pub mod network;
pub mod patterns;
mod supply_weights;
pub mod xiangqi;
mod xiangqi_weights;
mod yangqi;
mod yangqi_weights;

use crate::board::Color;
use crate::games::position::{Observer, Position};
use std::marker::PhantomData;

/// Worth in centipawns at the start of the game and at its end, of one unit of a feature or of a sum of them. Between the two the
/// position's [`Evaluate::phase`] mixes. Both share one word, so that one addition and one multiplication serve them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight(i64);

/// A weight of `opening` and `end` centipawns.
const fn w(opening: i16, end: i16) -> Weight {
    Weight(((end as i64) << 32) + opening as i64)
}

impl Weight {
    /// Centipawns at the start of the game.
    #[inline(always)]
    pub const fn opening(self) -> i32 {
        self.0 as i32
    }

    /// Centipawns at the end.
    #[inline(always)]
    pub const fn end(self) -> i32 {
        // The lower half borrows one when it is negative.
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    #[inline(always)]
    fn add(&mut self, other: Weight, count: i32) {
        self.0 += other.0 * i64::from(count);
    }
}

/// The most that an evaluation may return, in centipawns.
pub const MAX_EVALUATION: i32 = 20_000;
/// [`Evaluate::phase`] at the start of a game.
pub const FULL_PHASE: i32 = 256;

/// Takes counted features.
pub trait FeatureSink {
    /// Feature `index` occurs `count` times more for White than for Black.
    fn add(&mut self, index: usize, count: i32);
}

/// Sums features by their weights.
#[derive(Debug)]
pub struct Sum {
    weights: &'static [Weight],
    /// White minus Black.
    pub total: Weight,
}

impl FeatureSink for Sum {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        self.total.add(self.weights[index], count);
    }
}

/// Remembers features and their counts, for the tuner and for `eval`.
#[derive(Debug, Default)]
pub struct Trace(pub Vec<(usize, i32)>);

impl FeatureSink for Trace {
    fn add(&mut self, index: usize, count: i32) {
        if count != 0 {
            self.0.push((index, count));
        }
    }
}

/// One line of the `eval` command: what a group of features is worth, White minus Black, in centipawns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Name of the group.
    pub name: &'static str,
    /// Its worth for White; negative when it favours Black.
    pub value: i32,
}

/// The part of an evaluation that is no sum over features: kept while moves are made, in one of several tables of weights.
pub trait Layer: Observer + Clone + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// What `eval` calls it.
    const NAME: &'static str;

    /// Centipawns for the side to move, by the weights of `bucket`.
    fn value(&self, side: Color, bucket: usize) -> i32;
}

/// A game whose positions can be judged without searching.
pub trait Evaluate: Position {
    /// The weights, one per feature.
    const WEIGHTS: &'static [Weight];
    /// The groups of features in the order of their indices: name and the index after the last one. The last group ends at
    /// `WEIGHTS.len()`.
    const GROUPS: &'static [(&'static str, usize)];

    /// What judges beside the features.
    type Layer: Layer;

    /// Which of the layer's tables of weights judges.
    fn bucket(&self) -> usize;

    /// What the counted features are worth, seen from White: what the layer adds to.
    fn base(&self) -> i32 {
        let mut sink = Sum { weights: Self::WEIGHTS, total: self.accumulate().total };
        self.features(&mut sink);
        mix(sink.total, self.phase())
    }

    /// The feature of a piece (colour included, see [`Observer`]) on a square. Material is part of it. The same index for a
    /// White piece and for a Black piece on the mirrored square.
    fn placement(piece: usize, square: u8) -> usize;

    /// The feature of one `piece` in reserve; `None` when reserves have no linear worth in this game.
    fn reserve(piece: usize) -> Option<usize>;

    /// The colour of a piece code.
    fn color_of(piece: usize) -> Color;

    /// Counts every piece and reserve: calls `observer.add` and `observer.reserve` for the whole position.
    fn enumerate<O: Observer>(&self, observer: &mut O);

    /// Every feature that [`Evaluate::placement`] and [`Evaluate::reserve`] do not cover.
    fn features<S: FeatureSink>(&self, sink: &mut S) {
        let _ = sink;
    }

    /// How much of the game is still to come: [`FULL_PHASE`] at the start, 0 at the end.
    fn phase(&self) -> i32;

    /// Last correction to a value seen from White: draw-ish endings, the half-move counter.
    fn adjust(&self, white: i32) -> i32 {
        white
    }

    /// The sums of this position from scratch.
    fn accumulate(&self) -> Placement<Self> {
        let mut sums = Placement::default();
        self.enumerate(&mut sums);
        sums
    }

    /// The static value for the side to move in centipawns, within ±[`MAX_EVALUATION`]. Symmetric: a position with the colours
    /// flipped has the same value.
    fn evaluate(&self, sums: &Placement<Self>) -> i32 {
        let mut sink = Sum { weights: Self::WEIGHTS, total: sums.total };
        self.features(&mut sink);
        let judged = sums.layer.value(self.side(), self.bucket());
        let to_mover = |value: i32| if self.side() == Color::White { value } else { -value };
        let white = self.adjust(mix(sink.total, self.phase()) + to_mover(judged));
        to_mover(white).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Every feature of the position with its count, placement and reserves included.
    fn trace(&self) -> Trace {
        let mut trace = PlacementTrace::<Self>(Trace::default(), PhantomData);
        self.enumerate(&mut trace);
        self.features(&mut trace.0);
        trace.0
    }

    /// The value by groups of features and of the layer, before [`Evaluate::adjust`].
    fn terms(&self) -> Vec<Term> {
        let trace = self.trace();
        let mut begin = 0;
        let mut terms = Vec::with_capacity(Self::GROUPS.len());
        for &(name, end) in Self::GROUPS {
            let mut sink = Sum { weights: Self::WEIGHTS, total: Weight::default() };
            trace.0.iter().filter(|(i, _)| (begin..end).contains(i)).for_each(|&(i, n)| sink.add(i, n));
            terms.push(Term { name, value: mix(sink.total, self.phase()) });
            begin = end;
        }
        let value = self.accumulate().layer.value(self.side(), self.bucket());
        let white = if self.side() == Color::White { value } else { -value };
        terms.push(Term { name: <Self::Layer as Layer>::NAME, value: white });
        terms
    }
}

/// Opening and end sums mixed by the phase.
#[inline(always)]
fn mix(total: Weight, phase: i32) -> i32 {
    (total.opening() * phase + total.end() * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Sums of placement and reserve features and the first layer of the network, kept while moves are made.
#[derive(Debug, Clone)]
pub struct Placement<P: Evaluate> {
    total: Weight,
    layer: P::Layer,
}

// Derived, it would ask the position itself to be comparable.
impl<P: Evaluate> PartialEq for Placement<P> {
    fn eq(&self, other: &Self) -> bool {
        self.total == other.total && self.layer == other.layer
    }
}

impl<P: Evaluate> Default for Placement<P> {
    fn default() -> Self {
        Placement { total: Weight::default(), layer: P::Layer::default() }
    }
}

impl<P: Evaluate> Placement<P> {
    /// What is kept beside the linear sums.
    pub fn layer(&self) -> &P::Layer {
        &self.layer
    }

    #[inline(always)]
    fn count(&mut self, index: usize, piece: usize, count: i32) {
        let signed = if P::color_of(piece) == Color::White { count } else { -count };
        self.total.add(P::WEIGHTS[index], signed);
    }
}

impl<P: Evaluate> Observer for Placement<P> {
    #[inline(always)]
    fn add(&mut self, piece: usize, square: u8) {
        self.count(P::placement(piece, square), piece, 1);
        self.layer.add(piece, square);
    }
    #[inline(always)]
    fn remove(&mut self, piece: usize, square: u8) {
        self.count(P::placement(piece, square), piece, -1);
        self.layer.remove(piece, square);
    }
    #[inline(always)]
    fn reserve(&mut self, piece: usize, before: u8, count: u8) {
        if let Some(index) = P::reserve(piece) {
            self.count(index, piece, i32::from(count) - i32::from(before));
        }
        self.layer.reserve(piece, before, count);
    }
}

/// [`Placement`] for the tuner.
struct PlacementTrace<P>(Trace, PhantomData<P>);

impl<P: Evaluate> PlacementTrace<P> {
    fn count(&mut self, index: usize, piece: usize, count: i32) {
        self.0.add(index, if P::color_of(piece) == Color::White { count } else { -count });
    }
}

impl<P: Evaluate> Observer for PlacementTrace<P> {
    fn add(&mut self, piece: usize, square: u8) {
        self.count(P::placement(piece, square), piece, 1);
    }
    fn remove(&mut self, piece: usize, square: u8) {
        self.count(P::placement(piece, square), piece, -1);
    }
    fn reserve(&mut self, piece: usize, before: u8, count: u8) {
        if let Some(index) = P::reserve(piece) {
            self.count(index, piece, i32::from(count) - i32::from(before));
        }
    }
}
