//! Trains the network of a game's evaluation on positions of its own games, as `tune generate` writes them
//! (`FEN;score;result`, both from White's side; without a result only the score teaches):
//!
//! ```text
//! cargo run --release --example tune -- generate supply --games 20000 --nodes 700 --out supply.txt
//! cargo run --release --example train -- supply supply.txt
//! ```
//!
//! writes `engine/src/eval/supply.net`, which the next build takes in. What the network is to learn is the difference between a
//! short search's score and [`Evaluate::base`], so new placement weights need a new network. Plain stochastic gradient descent by Adam (Kingma and Ba, 2015), sparse in the first layer, deterministic for a seed and a number
//! of threads. The last part of every file is kept out of the training and tells how well the network predicts.
use clap::Parser;
use sanqi::board::Color;
use sanqi::board::bitboard::{FILES, SQUARES, file_of};
use sanqi::board::zobrist::split_mix;
use sanqi::eval::Evaluate;
use sanqi::eval::network::{BUCKETS, HIDDEN, INPUTS, Network, UNIT, held_inputs, piece_input};
use sanqi::games::Variant;
use sanqi::games::position::Observer;
use sanqi::games::supply::Supply;
use sanqi::games::xiangqi::Xiangqi;
use sanqi::games::yangqi::Yangqi;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Parser)]
struct Arguments {
    variant: String,
    files: Vec<PathBuf>,
    /// Where the network goes; by default into the source tree.
    #[arg(long)]
    out: Option<PathBuf>,
    #[arg(long, default_value_t = 20)]
    epochs: usize,
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Share of the search score in what is learnt, the rest is the result.
    #[arg(long, default_value_t = 0.75)]
    lambda: f32,
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    match arguments.variant.parse()? {
        Variant::Xiangqi => train::<Xiangqi>(&arguments),
        Variant::Supply => train::<Supply>(&arguments),
        Variant::Yangqi | Variant::YangqiNoSwap => train::<Yangqi>(&arguments),
        Variant::Fangqi => Err("fangqi has patterns in place of a network: see examples/patterns.rs".into()),
    }
}

/// A position as the network sees it.
struct Sample {
    /// Where its features begin among all, White's view first, then Black's; each `count` long.
    begin: usize,
    count: u8,
    bucket: u8,
    black_moves: bool,
    /// What the rest of the evaluation says, for the side to move, in centipawns.
    base: f32,
    /// Expected score of the side to move.
    target: f32,
}

#[derive(Default)]
struct Data {
    features: Vec<u16>,
    samples: Vec<Sample>,
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn load<P: Evaluate>(arguments: &Arguments) -> Result<(Data, Data, f32), Box<dyn Error>> {
    let mut lines = Vec::new();
    for path in &arguments.files {
        let all: Vec<String> = BufReader::new(File::open(path)?).lines().collect::<Result<_, _>>()?;
        let kept_out = all.len() - all.len() / 20;
        lines.extend(all.into_iter().enumerate().map(|(i, line)| (i >= kept_out, line)));
    }
    let mut parsed = Vec::with_capacity(lines.len());
    for (is_test, line) in &lines {
        let mut parts = line.split(';');
        let (Some(fen), Some(score), Some(result)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (Ok(position), Ok(score)) = (P::from_fen(fen), score.parse::<f32>()) else { continue };
        let result = result.parse::<f32>().ok();
        parsed.push((*is_test, position, score, result));
    }
    let scale = best_scale(parsed.iter().filter_map(|p| Some((p.2, p.3?))));
    let (mut train, mut test) = (Data::default(), Data::default());
    for (is_test, position, score, result) in parsed {
        let data = if is_test { &mut test } else { &mut train };
        let begin = data.features.len();
        let views = Color::ALL.map(|view| {
            let mut inputs = Inputs { view, list: Vec::new() };
            position.enumerate(&mut inputs);
            inputs.list
        });
        data.features.extend_from_slice(&views[0]);
        data.features.extend_from_slice(&views[1]);
        let black_moves = position.side() == Color::Black;
        let sign = if black_moves { -1.0 } else { 1.0 };
        let score_share = sigmoid(sign * score / scale);
        let result_share = result.map_or(score_share, |result| if black_moves { 1.0 - result } else { result });
        data.samples.push(Sample {
            begin,
            count: views[0].len() as u8,
            bucket: position.bucket().min(BUCKETS - 1) as u8,
            black_moves,
            base: sign * position.base() as f32,
            target: arguments.lambda * score_share + (1.0 - arguments.lambda) * result_share,
        });
    }
    Ok((train, test, scale))
}

/// The inputs of a position in one view.
struct Inputs {
    view: Color,
    list: Vec<u16>,
}

impl Observer for Inputs {
    fn add(&mut self, piece: usize, square: u8) {
        self.list.push(piece_input(self.view, piece, square) as u16);
    }
    fn remove(&mut self, _: usize, _: u8) {}
    fn reserve(&mut self, piece: usize, before: u8, count: u8) {
        self.list.extend(held_inputs(self.view, piece, before, count).map(|input| input as u16));
    }
}

/// The scale by which scores predict results best, in centipawns.
fn best_scale(lines: impl Iterator<Item = (f32, f32)> + Clone) -> f32 {
    let loss = |scale: f32| -> f64 { lines.clone().map(|(s, r)| f64::from((sigmoid(s / scale) - r).powi(2))).sum() };
    let scales = (0..40).map(|step| 80.0 * 1.08f32.powi(step));
    scales.map(|s| (loss(s), s)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(300.0, |best| best.1)
}

/// Parameters, or a gradient of them, in one vector: first layer by feature, its bias, the output layer by bucket, its biases.
#[derive(Clone)]
struct Parameters {
    all: Vec<f32>,
    features: usize,
}

impl Parameters {
    fn zeros(features: usize) -> Parameters {
        Parameters { all: vec![0.0; features * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN + BUCKETS], features }
    }
    fn bias(&self) -> usize {
        self.features * HIDDEN
    }
    fn output(&self, bucket: usize) -> usize {
        self.bias() + HIDDEN + bucket * 2 * HIDDEN
    }
    fn output_bias(&self, bucket: usize) -> usize {
        self.output(BUCKETS) + bucket
    }
    fn row(&self, feature: u16) -> &[f32] {
        &self.all[usize::from(feature) * HIDDEN..][..HIDDEN]
    }
    fn row_mut(&mut self, feature: u16) -> &mut [f32] {
        &mut self.all[usize::from(feature) * HIDDEN..][..HIDDEN]
    }
}

/// Each input's mirror image.
fn mirror() -> Vec<u16> {
    let mut mirror: Vec<u16> = (0..INPUTS as u16).collect();
    for piece in 0..INPUTS / SQUARES {
        for square in 0..SQUARES as u8 {
            let other = square - file_of(square) as u8 + (FILES - 1 - file_of(square)) as u8;
            if piece < 14 {
                mirror[piece_input(Color::White, piece, square)] = piece_input(Color::White, piece, other) as u16;
            }
        }
    }
    mirror
}

/// Centipawns of one unit of output.
const OUTPUT: f32 = UNIT as f32;

struct Worker {
    gradient: Parameters,
    error: f64,
    /// Every input with left and right exchanged: the games know no difference, so half of the samples of an epoch are mirrored.
    mirror: Vec<u16>,
    epoch: u32,
}

impl Worker {
    /// Adds gradients of some samples; without `learn` only the error.
    fn run(&mut self, net: &Parameters, data: &Data, samples: &[u32], scale: f32, learn: bool) {
        let mut hidden = [[0f32; HIDDEN]; 2];
        for &index in samples {
            let sample = &data.samples[index as usize];
            let is_mirrored =
                learn && (index ^ self.epoch.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B) >> 31 == 1;
            let turned = |input: u16| if is_mirrored { self.mirror[usize::from(input)] } else { input };
            let count = sample.count as usize;
            let both = &data.features[sample.begin..sample.begin + 2 * count];
            let own = usize::from(sample.black_moves);
            let views = [&both[own * count..][..count], &both[(1 - own) * count..][..count]];
            for (hidden, view) in hidden.iter_mut().zip(views) {
                hidden.copy_from_slice(&net.all[net.bias()..][..HIDDEN]);
                for feature in view.iter().map(|&feature| turned(feature)) {
                    for (h, w) in hidden.iter_mut().zip(net.row(feature)) {
                        *h += w;
                    }
                }
            }
            let bucket = sample.bucket as usize;
            let output = &net.all[net.output(bucket)..][..2 * HIDDEN];
            let mut value = net.all[net.output_bias(bucket)];
            for half in 0..2 {
                for (h, w) in hidden[half].iter().zip(&output[half * HIDDEN..]) {
                    let c = h.clamp(0.0, 1.0);
                    value += c * c * w;
                }
            }
            let predicted = sigmoid((sample.base + OUTPUT * value) / scale);
            let error = predicted - sample.target;
            self.error += f64::from(error * error);
            if !learn {
                continue;
            }
            let slope = 2.0 * error * predicted * (1.0 - predicted) * OUTPUT / scale;
            let at = self.gradient.output_bias(bucket);
            self.gradient.all[at] += slope;
            let at = self.gradient.output(bucket);
            let mut back = [[0f32; HIDDEN]; 2];
            for half in 0..2 {
                let gradient = &mut self.gradient.all[at + half * HIDDEN..][..HIDDEN];
                for i in 0..HIDDEN {
                    let h = hidden[half][i];
                    let c = h.clamp(0.0, 1.0);
                    gradient[i] += slope * c * c;
                    let inside = if h > 0.0 && h < 1.0 { 1.0 } else { 0.0 };
                    back[half][i] = slope * output[half * HIDDEN + i] * 2.0 * c * inside;
                }
            }
            let at = self.gradient.bias();
            for (half, view) in views.into_iter().enumerate() {
                for (g, b) in self.gradient.all[at..][..HIDDEN].iter_mut().zip(&back[half]) {
                    *g += b;
                }
                for feature in view.iter().map(|&feature| turned(feature)) {
                    for (g, b) in self.gradient.row_mut(feature).iter_mut().zip(&back[half]) {
                        *g += b;
                    }
                }
            }
        }
    }
}

/// Runs samples on all threads; gradients and errors end up in the first worker.
fn spread(workers: &mut [Worker], net: &Parameters, data: &Data, samples: &[u32], scale: f32, learn: bool) -> f64 {
    let share = samples.len().div_ceil(workers.len()).max(1);
    std::thread::scope(|scope| {
        for (worker, part) in workers.iter_mut().zip(samples.chunks(share)) {
            scope.spawn(move || worker.run(net, data, part, scale, learn));
        }
    });
    workers.iter_mut().map(|worker| std::mem::take(&mut worker.error)).sum()
}

fn train<P: Evaluate>(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    const BATCH: usize = 16384;
    let began = Instant::now();
    let (data, test, scale) = load::<P>(arguments)?;
    eprintln!(
        "{} positions, {} kept out, scale {scale:.0}, {:.0?}",
        data.samples.len(),
        test.samples.len(),
        began.elapsed()
    );
    let features = INPUTS;
    let mut net = Parameters::zeros(features);
    let mut state = arguments.seed;
    let mut random = || {
        let (next, value) = split_mix(state);
        state = next;
        value
    };
    let mut noise = |size: f32| (random() >> 40) as f32 / (1u64 << 24) as f32 * 2.0 * size - size;
    let first = net.bias();
    net.all[..first].iter_mut().for_each(|w| *w = noise(0.15));
    let (from, to) = (net.output(0), net.output(BUCKETS));
    let row: Vec<f32> = (0..2 * HIDDEN).map(|_| noise(0.1)).collect();
    for chunk in net.all[from..to].chunks_mut(2 * HIDDEN) {
        chunk.copy_from_slice(&row);
    }
    let (mut first_moment, mut second_moment) = (vec![0f32; net.all.len()], vec![0f32; net.all.len()]);
    let mut workers: Vec<Worker> = (0..arguments.threads)
        .map(|_| Worker { gradient: Parameters::zeros(features), error: 0.0, mirror: mirror(), epoch: 0 })
        .collect();
    let everything: Vec<u32> = (0..test.samples.len() as u32).collect();
    let mut order: Vec<u32> = (0..data.samples.len() as u32).collect();
    let mut time = 0;
    let steps = (order.len().div_ceil(BATCH) * arguments.epochs) as f32;
    let mut state = arguments.seed ^ 0x5A;
    for epoch in 0..arguments.epochs {
        for i in (1..order.len()).rev() {
            let (next, value) = split_mix(state);
            state = next;
            order.swap(i, (value % (i as u64 + 1)) as usize);
        }
        workers.iter_mut().for_each(|worker| worker.epoch = epoch as u32);
        let mut error = 0.0;
        for batch in order.chunks(BATCH) {
            error += spread(&mut workers, &net, &data, batch, scale, true);
            time += 1;
            let rate = arguments.rate * (1.0 - time as f32 / (steps + 1.0)).max(0.01);
            let (fix1, fix2) = (1.0 - 0.9f32.powi(time), 1.0 - 0.999f32.powi(time));
            let (head, tail) = workers.split_at_mut(1);
            let gradient = &mut head[0].gradient.all;
            for worker in tail {
                for (g, other) in gradient.iter_mut().zip(&mut worker.gradient.all) {
                    *g += std::mem::take(other);
                }
            }
            for (((w, g), m), v) in net.all.iter_mut().zip(gradient).zip(&mut first_moment).zip(&mut second_moment) {
                let slope = std::mem::take(g) / batch.len() as f32;
                *m = 0.9 * *m + 0.1 * slope;
                *v = 0.999 * *v + 0.001 * slope * slope;
                // What the quantised network can hold.
                *w = (*w - rate * (*m / fix1) / ((*v / fix2).sqrt() + 1e-8)).clamp(-1.98, 1.98);
            }
        }
        let kept_out = spread(&mut workers, &net, &test, &everything, scale, false) / test.samples.len().max(1) as f64;
        eprintln!(
            "epoch {:3}: error {:.6}, kept out {kept_out:.6}, {:.0?}",
            epoch + 1,
            error / order.len() as f64,
            began.elapsed()
        );
    }
    let bytes =
        Network::quantised(&net.all[..first], &net.all[first..first + HIDDEN], &net.all[from..to], &net.all[to..]);
    let file = format!("{}.net", arguments.variant);
    let out =
        arguments.out.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval").join(file));
    fs::write(&out, bytes)?;
    eprintln!("wrote {}", out.display());
    Ok(())
}
