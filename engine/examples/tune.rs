//! Fits the evaluation weights of a game to the results of its own games (Texel's method: P. Österlund, 2014), in two steps
//! that can be repeated and resumed:
//!
//! ```text
//! cargo run --release --example tune -- generate supply --games 4000 --nodes 3000 --out supply.txt
//! cargo run --release --example tune -- fit supply supply.txt
//! ```
//!
//! `generate` appends one line per quiet position, `FEN;score;result`, both from White's side. `fit` writes
//! `engine/src/eval/GAME_weights.rs`.
use clap::{Parser, Subcommand};
use sanqi::board::Color;
use sanqi::board::zobrist::split_mix;
use sanqi::eval::{Evaluate, FULL_PHASE};
use sanqi::games::fangqi::Fangqi;
use sanqi::games::supply::Supply;
use sanqi::games::xiangqi::Xiangqi;
use sanqi::games::yangqi::Yangqi;
use sanqi::games::{Move, Outcome, Position, Record, Variant};
use sanqi::search::searchable::Searchable;
use sanqi::search::{Control, Limits, Options, Report, Reporter, Score, Searcher, Table};
use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Plays games and appends their quiet positions to a file.
    Generate {
        variant: String,
        #[arg(long, default_value_t = 1000)]
        games: usize,
        /// Nodes per move.
        #[arg(long, default_value_t = 3000)]
        nodes: u64,
        #[arg(long, default_value_t = 2)]
        threads: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits the weights to the positions of some files.
    Fit {
        variant: String,
        files: Vec<PathBuf>,
        #[arg(long, default_value_t = 60)]
        epochs: usize,
        /// Share of the search score in what is fitted, the rest is the result.
        #[arg(long, default_value_t = 0.4)]
        lambda: f64,
        /// Where the weights go; by default into the source tree.
        #[arg(long)]
        out: Option<PathBuf>,
    },
}

fn main() -> Result<(), Box<dyn Error>> {
    match Arguments::parse().step {
        Step::Generate { variant, games, nodes, threads, seed, out } => {
            let work = Work { games, nodes, threads, seed, out };
            match variant.parse()? {
                Variant::Xiangqi => generate::<Xiangqi>(&work),
                Variant::Supply => generate::<Supply>(&work),
                Variant::Yangqi | Variant::YangqiNoSwap => generate::<Yangqi>(&work),
                Variant::Fangqi => generate::<Fangqi>(&work),
            }
        }
        Step::Fit { variant, files, epochs, lambda, out } => {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval");
            let out = |name: &str| out.clone().unwrap_or_else(|| source.join(format!("{name}_weights.rs")));
            match variant.parse()? {
                Variant::Xiangqi => fit::<Xiangqi>(&files, epochs, lambda, &out("xiangqi")),
                Variant::Supply => fit::<Supply>(&files, epochs, lambda, &out("supply")),
                Variant::Yangqi | Variant::YangqiNoSwap => fit::<Yangqi>(&files, epochs, lambda, &out("yangqi")),
                Variant::Fangqi => fit::<Fangqi>(&files, epochs, lambda, &out("fangqi")),
            }
        }
    }
}

struct Work {
    games: usize,
    nodes: u64,
    threads: usize,
    seed: u64,
    out: PathBuf,
}

struct Silent;
impl Reporter for Silent {
    fn report(&self, _: &Report<'_>) {}
    fn message(&self, _: &str) {}
}

struct Random(u64);
impl Random {
    fn below(&mut self, bound: usize) -> usize {
        let (next, value) = split_mix(self.0);
        self.0 = next;
        (value % bound.max(1) as u64) as usize
    }
}

fn generate<P: Searchable>(work: &Work) -> Result<(), Box<dyn Error>> {
    let file = Mutex::new(OpenOptions::new().create(true).append(true).open(&work.out)?);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..work.threads {
            scope.spawn(|| -> Result<(), Box<dyn Error + Send + Sync>> {
                let table = Table::new(8)?;
                let mut searcher = Searcher::<P>::new();
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= work.games {
                        return Ok(());
                    }
                    let mut random = Random(work.seed.wrapping_mul(0x9E37_79B9).wrapping_add(game as u64));
                    let text = play(&mut searcher, &table, work.nodes, &mut random);
                    file.lock().map_err(|e| e.to_string())?.write_all(text.as_bytes())?;
                    if game % 100 == 99 {
                        eprintln!("{} games", game + 1);
                    }
                }
            });
        }
    });
    Ok(())
}

/// A start with random pieces in reserve, so that games of one board meet what the other board would send.
fn opening<P: Position>(random: &mut Random) -> P {
    let start = P::start();
    if P::VARIANT != Variant::Supply {
        return start;
    }
    let pieces = ['R', 'N', 'B', 'A', 'C', 'P', 'P', 'P', 'N', 'C'];
    let mut holdings = String::new();
    for _ in 0..random.below(5) {
        holdings.push(pieces[random.below(pieces.len())]);
    }
    for _ in 0..random.below(5) {
        holdings.push(pieces[random.below(pieces.len())].to_ascii_lowercase());
    }
    P::from_fen(&start.fen().replace("[]", &format!("[{holdings}]"))).unwrap_or(start)
}

fn play<P: Searchable>(searcher: &mut Searcher<P>, table: &Table, nodes: u64, random: &mut Random) -> String {
    let mut record = Record::new(opening::<P>(random));
    for _ in 0..4 + random.below(7) {
        let moves = record.position().legal_moves();
        if moves.is_empty() {
            return String::new();
        }
        record.push(moves[random.below(moves.len())]);
    }
    searcher.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut kept: Vec<(String, i32)> = Vec::new();
    let mut aside = String::new();
    let mut result = record.result().outcome;
    while result == Outcome::Ongoing && record.moves().len() < 300 {
        let control = Control::new(false);
        let summary = searcher.search(&record, &limits, &Options::default(), table, &control, &Silent);
        let Some(mv) = summary.best else { break };
        let position = record.position();
        let white = |v: i32| if position.side() == Color::White { v } else { -v };
        let score = worth(summary.score);
        if is_quiet(position, mv) {
            kept.push((position.fen(), white(score)));
        }
        if let Score::Mate(moves) = summary.score {
            // The game is decided: no need to play it out.
            let winner = if moves > 0 { position.side() } else { !position.side() };
            result = Outcome::Win(winner);
            break;
        }
        if let Some(line) = offshoot(searcher, table, position, &limits, random) {
            aside.push_str(&line);
        }
        record.push(mv);
        result = record.result().outcome;
    }
    let result = match result {
        Outcome::Win(Color::White) => "1",
        Outcome::Win(Color::Black) => "0",
        Outcome::Draw | Outcome::Ongoing => "0.5",
    };
    let mut out = aside;
    for (fen, score) in kept {
        let _ = writeln!(out, "{fen};{score};{result}");
    }
    out
}

/// A few random moves away from a game, as most positions of a search tree are. Nobody plays on from there, so there is no result.
fn offshoot<P: Searchable>(
    searcher: &mut Searcher<P>,
    table: &Table,
    position: &P,
    limits: &Limits,
    random: &mut Random,
) -> Option<String> {
    let mut position = position.clone();
    for _ in 0..1 + random.below(3) {
        let moves = position.legal_moves();
        let &mv = moves.get(random.below(moves.len()))?;
        position.make(mv, &mut ());
    }
    let record = Record::new(position);
    if record.position().in_check() || record.result().outcome != Outcome::Ongoing {
        return None;
    }
    let summary = searcher.search(&record, limits, &Options::default(), table, &Control::new(false), &Silent);
    let (position, score) = (record.position(), worth(summary.score));
    let white = if position.side() == Color::White { score } else { -score };
    is_quiet(position, summary.best?).then(|| format!("{};{white};\n", position.fen()))
}

/// A score in centipawns. Mates are not left out: who never sees one does not learn to fear it.
fn worth(score: Score) -> i32 {
    match score {
        Score::Cp(score) => score.clamp(-MOST_DECIDED, MOST_DECIDED),
        Score::Mate(moves) => MOST_DECIDED * if moves > 0 { 1 } else { -1 },
    }
}

fn is_quiet<P: Position>(position: &P, best: Move) -> bool {
    !position.in_check() && !position.is_noisy(best)
}

/// Scores beyond this, in centipawns, teach nothing more.
const MOST_DECIDED: i32 = 2500;

/// A position as the fit sees it.
struct Sample {
    features: Vec<(u16, i16)>,
    /// Share of the opening weights.
    opening: f32,
    /// Expected score of White.
    target: f32,
}

fn fit<P: Evaluate>(files: &[PathBuf], epochs: usize, lambda: f64, out: &Path) -> Result<(), Box<dyn Error>> {
    let mut lines: Vec<(P, f64, f64)> = Vec::new();
    for path in files {
        for line in BufReader::new(File::open(path)?).lines() {
            let line = line?;
            let mut parts = line.split(';');
            let (Some(fen), Some(score), Some(result)) = (parts.next(), parts.next(), parts.next()) else { continue };
            if !result.is_empty() {
                lines.push((P::from_fen(fen)?, score.parse()?, result.parse()?));
            }
        }
    }
    let scale = best_scale(&lines);
    eprintln!(
        "{} positions, one pawn is worth {:.1} % near equality",
        lines.len(),
        100.0 * (sigmoid(100.0 / scale) - 0.5)
    );
    let samples: Vec<Sample> = lines
        .iter()
        .map(|(position, score, result)| Sample {
            features: position.trace().0.into_iter().map(|(i, n)| (i as u16, n as i16)).collect(),
            opening: position.phase() as f32 / FULL_PHASE as f32,
            target: (lambda * sigmoid(score / scale) + (1.0 - lambda) * result) as f32,
        })
        .collect();
    let start: Vec<[f32; 2]> = P::WEIGHTS.iter().map(|w| [w.opening() as f32, w.end() as f32]).collect();
    let weights = descend(&samples, &start, scale as f32, epochs);
    fs::write(out, source::<P>(&weights))?;
    eprintln!("wrote {}", out.display());
    Ok(())
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The scale by which scores predict results best, in centipawns.
fn best_scale<P>(lines: &[(P, f64, f64)]) -> f64 {
    let loss =
        |scale: f64| -> f64 { lines.iter().map(|(_, score, result)| (sigmoid(score / scale) - result).powi(2)).sum() };
    let mut best = (f64::MAX, 200.0);
    for step in 0..60 {
        let scale = 40.0 * 1.06f64.powi(step);
        let value = loss(scale);
        if value < best.0 {
            best = (value, scale);
        }
    }
    best.1
}

/// Adam (Kingma and Ba, 2015) on the mean squared error, with a pull back to the start so that rare features stay sane.
fn descend(samples: &[Sample], start: &[[f32; 2]], scale: f32, epochs: usize) -> Vec<[f32; 2]> {
    const BATCH: usize = 8192;
    const PULL: f32 = 2e-7;
    let mut weights = start.to_vec();
    let mut first = vec![[0f32; 2]; start.len()];
    let mut second = vec![[0f32; 2]; start.len()];
    let mut gradient = vec![[0f32; 2]; start.len()];
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut random = Random(7);
    let mut time = 0;
    for epoch in 0..epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let rate = 2.0 * (1.0 - epoch as f32 / epochs as f32) + 0.05;
        let mut total = 0f64;
        for batch in order.chunks(BATCH) {
            gradient.iter_mut().for_each(|g| *g = [0.0; 2]);
            for &index in batch {
                let sample = &samples[index];
                let share = [sample.opening, 1.0 - sample.opening];
                let value: f32 = sample
                    .features
                    .iter()
                    .map(|&(i, n)| {
                        let w = weights[i as usize];
                        f32::from(n) * (w[0] * share[0] + w[1] * share[1])
                    })
                    .sum();
                let predicted = 1.0 / (1.0 + (-value / scale).exp());
                let error = predicted - sample.target;
                total += f64::from(error * error);
                let slope = error * predicted * (1.0 - predicted) / scale / batch.len() as f32;
                for &(i, n) in &sample.features {
                    for half in 0..2 {
                        gradient[i as usize][half] += slope * f32::from(n) * share[half];
                    }
                }
            }
            time += 1;
            let (fix1, fix2) = (1.0 - 0.9f32.powi(time), 1.0 - 0.999f32.powi(time));
            for i in 0..weights.len() {
                for half in 0..2 {
                    let g = gradient[i][half] + PULL / scale * (weights[i][half] - start[i][half]);
                    first[i][half] = 0.9 * first[i][half] + 0.1 * g;
                    second[i][half] = 0.999 * second[i][half] + 0.001 * g * g;
                    if second[i][half] > 0.0 {
                        weights[i][half] -= rate * (first[i][half] / fix1) / ((second[i][half] / fix2).sqrt() + 1e-9);
                    }
                }
            }
        }
        if epoch % 10 == 9 || epoch == 0 {
            eprintln!("epoch {:3}: error {:.6}", epoch + 1, total / samples.len() as f64);
        }
    }
    weights
}

/// The weights as a source file.
fn source<P: Evaluate>(weights: &[[f32; 2]]) -> String {
    let mut out = String::from(
        "//! Fitted by `cargo run --release --example tune`; the groups are those of `Evaluate::GROUPS`.\n",
    );
    out.push_str(
        "use super::{Weight, w};\n\n/// Opening and end worth of each feature, in centipawns.\n#[rustfmt::skip]\n",
    );
    let _ = writeln!(out, "pub(super) static WEIGHTS: [Weight; {}] = [", weights.len());
    let mut begin = 0;
    for &(name, end) in P::GROUPS {
        let _ = writeln!(out, "    // {name}");
        for row in weights[begin..end].chunks(9) {
            out.push_str("   ");
            for &[opening, finish] in row {
                let _ = write!(out, " w({}, {}),", rounded(opening), rounded(finish));
            }
            out.push('\n');
        }
        begin = end;
    }
    out.push_str("];\n");
    out
}

fn rounded(weight: f32) -> i16 {
    weight.round().clamp(-20_000.0, 20_000.0) as i16
}
