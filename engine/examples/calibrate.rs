//! Measures how strong each step of weaker play is, for `UCI_Elo`: every step plays the next one, with colours changed from the same
//! openings, and the differences add up to the game's ladder. Nodes are fixed, so the speed of the machine does not matter.
//!
//! `cargo run --release --example calibrate -- yangqi adapter/openings/yangqi.epd --pairs 100`
use clap::Parser;
use sanqi::board::Color;
use sanqi::games::fangqi::Fangqi;
use sanqi::games::supply::Supply;
use sanqi::games::xiangqi::Xiangqi;
use sanqi::games::yangqi::Yangqi;
use sanqi::games::{Outcome, Record, Variant};
use sanqi::search::searchable::Searchable;
use sanqi::search::{Control, Limits, MIN_ELO, Options, PARTS, Report, Reporter, STEPS, Searcher, Step, Table};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Parser)]
struct Arguments {
    /// The game.
    variant: Variant,
    /// Openings, a FEN a line.
    openings: PathBuf,
    /// Openings for each pair of steps; each is played twice.
    #[arg(long, default_value_t = 100)]
    pairs: usize,
    /// Games at a time.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The first step that plays the next one.
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// The last step that is played.
    #[arg(long, default_value_t = STEPS.len() - 1)]
    to: usize,
    /// Plies after which a game is drawn.
    #[arg(long, default_value_t = 400)]
    plies: usize,
    /// Play levels instead, given as Elo and told by the ladder that the engine has: each plays the next one.
    #[arg(long, value_delimiter = ',')]
    elo: Vec<u32>,
}

struct Silent;
impl Reporter for Silent {
    fn report(&self, _: &Report<'_>) {}
    fn message(&self, _: &str) {}
}

/// How one side is weakened.
#[derive(Clone, Copy)]
enum Strength {
    Step(usize),
    Elo(u32),
}

impl Strength {
    fn options(self, seed: u64) -> Options {
        match self {
            Strength::Step(step) => Options { level: Some(step as u32 * PARTS), seed, ..Options::default() },
            Strength::Elo(elo) => Options { elo: Some(elo), seed, ..Options::default() },
        }
    }
}

/// Half points of `white`.
fn play<P: Searchable>(start: &P, white: Strength, black: Strength, seed: u64, plies: usize) -> u32 {
    let mut record = Record::new(start.clone());
    let mut sides: Vec<(Searcher<P>, Table)> =
        (0..2).map(|_| (Searcher::new(), Table::new(4).unwrap_or_else(|error| panic!("{error}")))).collect();
    for _ in 0..plies {
        match record.result().outcome {
            Outcome::Ongoing => {}
            Outcome::Draw => return 1,
            Outcome::Win(Color::White) => return 2,
            Outcome::Win(Color::Black) => return 0,
        }
        let side = record.position().side();
        let options = if side == Color::White { white } else { black }.options(seed);
        let Some((searcher, table)) = sides.get_mut(side.index()) else { return 1 };
        let summary = searcher.search(&record, &Limits::default(), &options, table, &Control::new(false), &Silent);
        let Some(mv) = summary.best else { return 1 };
        record.push(mv);
    }
    1
}

/// Elo of a score, and its 95 % error.
fn elo(pairs: &[u32]) -> (f64, f64, f64) {
    let count = pairs.len() as f64;
    let scores: Vec<f64> = pairs.iter().map(|&points| f64::from(points) / 4.0).collect();
    let mean = scores.iter().sum::<f64>() / count;
    let error = 1.96 * (scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count / count).sqrt();
    let of = |score: f64| {
        let score = score.clamp(0.002, 0.998);
        400.0 * (score / (1.0 - score)).log10()
    };
    (100.0 * mean, of(mean), (of(mean + error) - of(mean - error)) / 2.0)
}

/// What `strong` scores against `weak`, a number of half points for every opening.
fn pairs<P: Searchable>(openings: &[P], strong: Strength, weak: Strength, arguments: &Arguments) -> Vec<u32> {
    let (next, points) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= arguments.pairs {
                        return;
                    }
                    let Some(start) = openings.get(pair * openings.len() / arguments.pairs) else { return };
                    let seed = 2 * pair as u64;
                    let won = play(start, strong, weak, seed, arguments.plies) + 2
                        - play(start, weak, strong, seed + 1, arguments.plies);
                    if let Ok(mut points) = points.lock() {
                        points.push(won);
                    }
                }
            });
        }
    });
    points.into_inner().unwrap_or_default()
}

fn run<P: Searchable>(arguments: &Arguments) -> Result<(), String> {
    let text = std::fs::read_to_string(&arguments.openings).map_err(|error| error.to_string())?;
    let fen = |line: &str| line.split_whitespace().take(4).chain(["0", "1"]).collect::<Vec<_>>().join(" ");
    let openings: Result<Vec<P>, _> = text.lines().map(|line| P::from_fen(&fen(line))).collect();
    let openings = openings.map_err(|error| error.to_string())?;
    let strengths: Vec<Strength> = if arguments.elo.is_empty() {
        (arguments.from..=arguments.to).map(Strength::Step).collect()
    } else {
        arguments.elo.iter().copied().map(Strength::Elo).collect()
    };
    let mut ladder = vec![f64::from(MIN_ELO)];
    for two in strengths.windows(2) {
        let (score, difference, error) = elo(&pairs(&openings, two[1], two[0], arguments));
        let name = |strength| match strength {
            Strength::Step(step) => {
                let Step { nodes, spread, lapses } = STEPS[step];
                format!("step {step} ({nodes} nodes, {spread} cp, {lapses} ‰)")
            }
            Strength::Elo(elo) => format!("{elo}"),
        };
        println!("{} v {}: {score:.1} %, {difference:+.0} ± {error:.0}", name(two[1]), name(two[0]));
        ladder.push(ladder.last().unwrap_or(&0.0) + difference);
    }
    println!("{:?}", ladder.iter().map(|elo| elo.round() as i64).collect::<Vec<_>>());
    Ok(())
}

fn main() {
    let arguments = Arguments::parse();
    let done = match arguments.variant {
        Variant::Xiangqi => run::<Xiangqi>(&arguments),
        Variant::Supply => run::<Supply>(&arguments),
        Variant::Fangqi => run::<Fangqi>(&arguments),
        _ => run::<Yangqi>(&arguments),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
