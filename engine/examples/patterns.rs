//! Fits the pattern tables of fangqi's evaluation to positions of its own games, as `tune generate` writes them
//! (`FEN;score;result`, both from White's side; without a result only the score teaches):
//!
//! ```text
//! cargo run --release --example tune -- generate fangqi --games 20000 --nodes 1000 --out fangqi.txt
//! cargo run --release --example patterns -- fangqi.txt
//! ```
//!
//! writes `engine/src/eval/fangqi.pat`, which the next build takes in. The tables learn what is missing between the counted features
//! ([`Evaluate::base`]) and a short search's score, by stochastic gradient descent with a step per entry (AdaGrad: Duchi, Hazan and
//! Singer, 2011), from every position in one of its eight symmetric images. The last part of every file is kept out and tells how
//! well the tables predict.
use clap::Parser;
use sanqi::board::Color;
use sanqi::board::zobrist::split_mix;
use sanqi::eval::Evaluate;
use sanqi::eval::patterns::{BLOCK_CLASSES, BLOCK_STATES, ENTRIES, GRAIN, PHASES, Patterns, WINDOWS};
use sanqi::games::Position;
use sanqi::games::fangqi::Fangqi;
use sanqi::games::fangqi::geometry::{FILES, POINTS};
use sanqi::games::position::Observer;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

#[derive(Parser)]
struct Arguments {
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the tables go.
    #[arg(long, default_value = "engine/src/eval/fangqi.pat")]
    out: PathBuf,
    #[arg(long, default_value_t = 10)]
    epochs: usize,
    /// Share of the search score in what is learnt, the rest is the result.
    #[arg(long, default_value_t = 0.9)]
    lambda: f32,
    /// First step of an entry, in centipawns.
    #[arg(long, default_value_t = 0.7)]
    rate: f32,
    /// Entries are drawn to zero by so much a visit.
    #[arg(long, default_value_t = 0.0002)]
    decay: f32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Training positions, test positions, and the scale of scores.
type Data = (Vec<Sample>, Vec<Sample>, f32);

struct Sample {
    position: Fangqi,
    /// The counted features, for the side to move, in centipawns.
    base: f32,
    /// Expected score of the side to move.
    target: f32,
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The scale by which scores predict results best, in centipawns.
fn best_scale(lines: &[(f32, f32)]) -> f32 {
    let loss = |scale: f32| -> f64 { lines.iter().map(|(s, r)| f64::from((sigmoid(s / scale) - r).powi(2))).sum() };
    let scales = (0..40).map(|step| 80.0 * 1.08f32.powi(step));
    scales.map(|s| (loss(s), s)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(300.0, |best| best.1)
}

fn load(arguments: &Arguments) -> Result<Data, Box<dyn Error>> {
    let mut parsed = Vec::new();
    for path in &arguments.files {
        let lines: Vec<String> = BufReader::new(File::open(path)?).lines().collect::<Result<_, _>>()?;
        let kept_out = lines.len() - lines.len() / 20;
        for (index, line) in lines.iter().enumerate() {
            let mut parts = line.split(';');
            let (Some(fen), Some(score), Some(result)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let (Ok(position), Ok(score)) = (Fangqi::from_fen(fen), score.parse::<f32>()) else { continue };
            parsed.push((index >= kept_out, position, score, result.parse::<f32>().ok()));
        }
    }
    let known: Vec<(f32, f32)> = parsed.iter().filter_map(|p| Some((p.2, p.3?))).collect();
    let scale = best_scale(&known);
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for (is_test, position, score, result) in parsed {
        let black_moves = position.side() == Color::Black;
        let sign = if black_moves { -1.0 } else { 1.0 };
        let score_share = sigmoid(sign * score / scale);
        let result_share = result.map_or(score_share, |result| if black_moves { 1.0 - result } else { result });
        let sample = Sample {
            base: sign * position.base() as f32,
            target: arguments.lambda * score_share + (1.0 - arguments.lambda) * result_share,
            position,
        };
        if is_test { &mut test } else { &mut train }.push(sample);
    }
    Ok((train, test, scale))
}

/// Sees a board through one of its eight symmetries.
struct Turned {
    patterns: Patterns,
    symmetry: usize,
}

impl Observer for Turned {
    fn add(&mut self, piece: usize, square: u8) {
        let (mut rank, mut file) = (square as usize / FILES, square as usize % FILES);
        if self.symmetry & 1 != 0 {
            file = FILES - 1 - file;
        }
        if self.symmetry & 2 != 0 {
            rank = FILES - 1 - rank;
        }
        if self.symmetry & 4 != 0 {
            (rank, file) = (file, rank);
        }
        debug_assert!(rank * FILES + file < POINTS);
        self.patterns.add(piece, (rank * FILES + file) as u8);
    }
    fn remove(&mut self, _: usize, _: u8) {}
}

fn entries(sample: &Sample, symmetry: usize) -> [usize; WINDOWS] {
    let mut turned = Turned { patterns: Patterns::default(), symmetry };
    sample.position.enumerate(&mut turned);
    let begin = sample.position.bucket() * ENTRIES;
    let mut found = [0; WINDOWS];
    found.iter_mut().zip(turned.patterns.entries(sample.position.side())).for_each(|(to, entry)| *to = begin + entry);
    found
}

/// Mean cross entropy of the predictions, over that of the targets themselves.
fn loss(samples: &[Sample], table: &[f32], scale: f32) -> f64 {
    let total: f64 = samples
        .iter()
        .map(|sample| {
            let value = sample.base + entries(sample, 0).iter().map(|&e| table[e]).sum::<f32>();
            let (p, t) = (sigmoid(value / scale).clamp(1e-6, 1.0 - 1e-6), sample.target.clamp(1e-6, 1.0 - 1e-6));
            f64::from(t * (t / p).ln() + (1.0 - t) * ((1.0 - t) / (1.0 - p)).ln())
        })
        .sum();
    total / samples.len().max(1) as f64
}

/// Gives contents of a block that a symmetry of its class carries into each other the same worth.
fn symmetrise(table: &mut [f32]) {
    // By class: blocks at (0,0), (1,1) and (2,2) lie on a diagonal, those at (0,2), (1,2) and (2,2) on the middle file.
    let symmetries = [(true, false), (false, false), (false, true), (true, false), (false, true), (true, true)];
    let turned = |state: usize, map: &dyn Fn(usize, usize) -> (usize, usize)| -> usize {
        (0..9)
            .map(|cell| {
                let (i, j) = map(cell / 3, cell % 3);
                state / 3usize.pow(cell as u32) % 3 * 3usize.pow((3 * i + j) as u32)
            })
            .sum()
    };
    for phase in 0..PHASES {
        for (class, &(diagonal, middle)) in symmetries.iter().enumerate() {
            let block = &mut table[phase * ENTRIES + class * BLOCK_STATES..][..BLOCK_STATES];
            debug_assert!(class < BLOCK_CLASSES);
            for state in 0..BLOCK_STATES {
                let mut orbit = vec![state];
                let mut next = 0;
                while next < orbit.len() {
                    let at = orbit[next];
                    next += 1;
                    if diagonal {
                        orbit.push(turned(at, &|i, j| (j, i)));
                    }
                    if middle {
                        orbit.push(turned(at, &|i, j| (i, 2 - j)));
                    }
                    orbit[next..].sort_unstable();
                    let mut seen = Vec::new();
                    orbit.retain(|s| {
                        !seen.contains(s) && {
                            seen.push(*s);
                            true
                        }
                    });
                }
                let mean = orbit.iter().map(|&s| block[s]).sum::<f32>() / orbit.len() as f32;
                orbit.iter().for_each(|&s| block[s] = mean);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let (train, test, scale) = load(&arguments)?;
    let mut table = vec![0f32; PHASES * ENTRIES];
    let mut squares = vec![0f32; PHASES * ENTRIES];
    println!(
        "{} positions, {} kept out, scale {scale:.0}; loss {:.5}",
        train.len(),
        test.len(),
        loss(&test, &table, scale)
    );
    let mut state = arguments.seed;
    let mut random = |bound: usize| {
        let (next, value) = split_mix(state);
        state = next;
        (value % bound as u64) as usize
    };
    let mut order: Vec<usize> = (0..train.len()).collect();
    for epoch in 1..=arguments.epochs {
        for index in (1..order.len()).rev() {
            order.swap(index, random(index + 1));
        }
        // The step shrinks to a tenth.
        let rate = arguments.rate * (1.0 - 0.9 * (epoch - 1) as f32 / arguments.epochs as f32);
        for &index in &order {
            let sample = &train[index];
            let found = entries(sample, random(8));
            let value = sample.base + found.iter().map(|&e| table[e]).sum::<f32>();
            let gradient = sigmoid(value / scale) - sample.target;
            for entry in found {
                squares[entry] += gradient * gradient;
                table[entry] -= rate * gradient / (squares[entry].sqrt() + 0.3) + arguments.decay * table[entry];
            }
        }
        println!("epoch {epoch}: loss {:.5}", loss(&test, &table, scale));
    }
    symmetrise(&mut table);
    let bytes: Vec<u8> = table.iter().map(|w| ((w * GRAIN as f32).round().clamp(-127.0, 127.0) as i8) as u8).collect();
    table.iter_mut().for_each(|w| *w = (*w * GRAIN as f32).round().clamp(-127.0, 127.0) / GRAIN as f32);
    println!("rounded: loss {:.5}", loss(&test, &table, scale));
    let part = arguments.out.with_extension("part");
    fs::write(&part, bytes)?;
    fs::rename(part, &arguments.out)?;
    Ok(())
}
