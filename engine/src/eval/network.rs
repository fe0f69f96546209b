//! A small neural network that judges positions of the games on 9×10 squares, and its first layer kept while moves are made
//! (NNUE: Y. Nasu, 2018).
//!
//! Inputs are pieces on squares and pieces in reserve, seen from each side: own pieces first, the board turned so that the viewer
//! sits below. Each view feeds the same [`HIDDEN`] neurons; their squared clipped values, the mover's view first, are weighed by one
//! of [`BUCKETS`] outputs, chosen by how many pieces are left. Weights are integers: the first layer in 1/255, the output in 1/64.
use super::Layer;
use crate::board::Color;
use crate::board::bitboard::{FILES, RANKS, SQUARES};
use crate::games::position::Observer;
use std::marker::PhantomData;

/// Neurons of one view.
pub const HIDDEN: usize = 128;
/// Outputs.
pub const BUCKETS: usize = 8;
/// Piece types of every game that has a network; codes are `colour * TYPES + type`.
const TYPES: usize = 7;
/// Types that can be in reserve.
const RESERVE_TYPES: usize = 6;
/// Pieces of one type in reserve are told apart up to this number.
const MOST_HELD: u8 = 5;
/// Inputs of one view.
pub const INPUTS: usize = 2 * TYPES * SQUARES + 2 * RESERVE_TYPES * MOST_HELD as usize;

const ONE_HIDDEN: i32 = 255;
const ONE_OUTPUT: i32 = 64;
/// Centipawns of an output of one.
pub const UNIT: i32 = 400;
/// Bytes of a network file: all weights as little-endian 16-bit integers, the output biases as 32-bit ones.
const BYTES: usize = 2 * (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS;

/// The input of a piece on a square, in the view of one side.
#[inline(always)]
pub fn piece_input(view: Color, piece: usize, square: u8) -> usize {
    let (file, rank) = (square as usize % FILES, square as usize / FILES);
    let (piece, square) = match view {
        Color::White => (piece, square as usize),
        Color::Black => ((piece + TYPES) % (2 * TYPES), (RANKS - 1 - rank) * FILES + file),
    };
    piece * SQUARES + square
}

/// The inputs of `piece` in reserve from number `from` up to `to` (exclusive), in the view of one side.
#[inline(always)]
pub fn held_inputs(view: Color, piece: usize, from: u8, to: u8) -> impl Iterator<Item = usize> {
    let (owner, kind) = (piece / TYPES, piece % TYPES);
    let foreign = usize::from(owner != view.index());
    let first = 2 * TYPES * SQUARES + (foreign * RESERVE_TYPES + kind) * MOST_HELD as usize;
    (from.min(MOST_HELD)..to.min(MOST_HELD)).map(move |nth| first + nth as usize)
}

/// The weights.
#[derive(Debug)]
pub struct Network {
    rows: Vec<[i16; HIDDEN]>,
    bias: [i16; HIDDEN],
    output: [[i16; 2 * HIDDEN]; BUCKETS],
    output_bias: [i32; BUCKETS],
}

impl Network {
    /// Reads a network file.
    pub fn read(bytes: &[u8; BYTES]) -> Network {
        let (words, biases) = bytes.split_at(BYTES - 4 * BUCKETS);
        let mut words = words.chunks_exact(2).map(|word| i16::from_le_bytes([word[0], word[1]]));
        let mut next = || words.next().unwrap_or_default();
        Network {
            rows: (0..INPUTS).map(|_| std::array::from_fn(|_| next())).collect(),
            bias: std::array::from_fn(|_| next()),
            output: std::array::from_fn(|_| std::array::from_fn(|_| next())),
            output_bias: std::array::from_fn(|i| i32::from_le_bytes(std::array::from_fn(|byte| biases[4 * i + byte]))),
        }
    }

    /// The file of trained weights, in floating point: `rows` by input, `bias`, `output` by bucket and its biases.
    pub fn quantised(rows: &[f32], bias: &[f32], output: &[f32], output_bias: &[f32]) -> Vec<u8> {
        let rounded = |weight: f32, one: i32| (weight * one as f32).round() as i32;
        let mut bytes = Vec::with_capacity(BYTES);
        for &weight in rows.iter().chain(bias) {
            bytes.extend((rounded(weight, ONE_HIDDEN) as i16).to_le_bytes());
        }
        for &weight in output {
            bytes.extend((rounded(weight, ONE_OUTPUT) as i16).to_le_bytes());
        }
        for &weight in output_bias {
            bytes.extend(rounded(weight, ONE_HIDDEN * ONE_OUTPUT).to_le_bytes());
        }
        bytes
    }

    /// Centipawns for the side whose view is `own`.
    #[inline]
    fn value(&self, own: &[i16; HIDDEN], other: &[i16; HIDDEN], bucket: usize) -> i32 {
        let weights = &self.output[bucket];
        let half = |view: &[i16; HIDDEN], weights: &[i16]| -> i32 {
            let squared = view.iter().zip(weights).map(|(&neuron, &weight)| {
                let clipped = neuron.clamp(0, ONE_HIDDEN as i16);
                // Within 16 bits: weights are below 2 * 64.
                i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped)
            });
            squared.sum()
        };
        let sum = half(own, &weights[..HIDDEN]) + half(other, &weights[HIDDEN..]);
        (sum / ONE_HIDDEN + self.output_bias[bucket]) * UNIT / (ONE_HIDDEN * ONE_OUTPUT)
    }
}

/// A game's network.
pub trait Judge: Send + Sync + 'static {
    /// Its weights.
    fn network() -> &'static Network;
}

/// The neurons before clipping, White's view first.
pub struct Neurons<J> {
    views: [[i16; HIDDEN]; 2],
    judge: PhantomData<J>,
}

impl<J: Judge> Neurons<J> {
    #[inline(always)]
    fn change(&mut self, view: Color, input: usize, is_added: bool) {
        let row = &J::network().rows[input];
        for (neuron, &weight) in self.views[view.index()].iter_mut().zip(row) {
            // Wraps in absurd positions only, and comes back with the piece.
            *neuron = if is_added { neuron.wrapping_add(weight) } else { neuron.wrapping_sub(weight) };
        }
    }
}

impl<J: Judge> Default for Neurons<J> {
    fn default() -> Self {
        Neurons { views: [J::network().bias; 2], judge: PhantomData }
    }
}

impl<J> Clone for Neurons<J> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Neurons { views: self.views, judge: PhantomData }
    }
}

impl<J> PartialEq for Neurons<J> {
    fn eq(&self, other: &Self) -> bool {
        self.views == other.views
    }
}

impl<J> std::fmt::Debug for Neurons<J> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.views.iter().map(|view| &view[..4])).finish()
    }
}

impl<J: Judge> Observer for Neurons<J> {
    #[inline(always)]
    fn add(&mut self, piece: usize, square: u8) {
        for view in Color::ALL {
            self.change(view, piece_input(view, piece, square), true);
        }
    }
    #[inline(always)]
    fn remove(&mut self, piece: usize, square: u8) {
        for view in Color::ALL {
            self.change(view, piece_input(view, piece, square), false);
        }
    }
    #[inline(always)]
    fn reserve(&mut self, piece: usize, before: u8, count: u8) {
        for view in Color::ALL {
            held_inputs(view, piece, before, count).for_each(|input| self.change(view, input, true));
            held_inputs(view, piece, count, before).for_each(|input| self.change(view, input, false));
        }
    }
}

impl<J: Judge> Layer for Neurons<J> {
    const NAME: &'static str = "network";

    #[inline(always)]
    fn value(&self, side: Color, bucket: usize) -> i32 {
        let [own, other] = [&self.views[side.index()], &self.views[(!side).index()]];
        J::network().value(own, other, bucket.min(BUCKETS - 1))
    }
}

/// Defines a game's [`Judge`], whose weights are a file beside the source.
macro_rules! judge {
    ($(#[$doc:meta])* $name:ident, $file:literal) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;
        impl Judge for $name {
            #[inline(always)]
            fn network() -> &'static Network {
                static NETWORK: std::sync::LazyLock<Network> =
                    std::sync::LazyLock::new(|| Network::read(include_bytes!($file)));
                &NETWORK
            }
        }
    };
}

judge!(
    /// Xiangqi's.
    XiangqiJudge,
    "xiangqi.net"
);
judge!(
    /// Supply Xiangqi's.
    SupplyJudge,
    "supply.net"
);
judge!(
    /// Yáng Qí's.
    YangqiJudge,
    "yangqi.net"
);
