//! Measures what playing for the team is worth: the two-board search against the same search with the other board left out of
//! account, both seats of a team each, teams alternating from the same opening.
//!
//! `cargo run --release --example team_match -- --pairs 200 --nodes 5000`
use clap::Parser;
use sanqi::board::zobrist::split_mix;
use sanqi::games::Outcome;
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove, team_of};
use sanqi::games::{Move, Position};
use sanqi::search::team::{Around, Talk, TeamSearcher};
use sanqi::search::{Control, Limits, Options, Report, Reporter, Table};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Parser)]
struct Arguments {
    /// Openings; each is played twice.
    #[arg(long, default_value_t = 200)]
    pairs: usize,
    /// Nodes a move, probes of the other board included.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// Matches at a time.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Seed of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Turns a board after which the match is cut off; boards that still run are drawn.
    #[arg(long, default_value_t = 300)]
    turns: usize,
}

#[derive(Default)]
struct Heard(Mutex<Vec<Talk>>);
impl Reporter for Heard {
    fn report(&self, _: &Report<'_>) {}
    fn message(&self, text: &str) {
        if let (Some(talk), Ok(mut heard)) = (text.strip_prefix("team ").and_then(Talk::parse), self.0.lock()) {
            heard.push(talk);
        }
    }
}

/// Two boards a few random plies from the start.
fn opening(seed: u64) -> TeamGame {
    let mut state = seed;
    let mut game = TeamGame::new();
    for ply in 0..8 {
        let board = BoardId::ALL[ply % 2];
        let moves = game.legal_moves(board);
        let (next, chance) = split_mix(state);
        state = next;
        if let Some(&mv) = moves.get((chance % moves.len().max(1) as u64) as usize) {
            let _ = game.push(TeamMove { board, mv });
        }
    }
    game
}

/// Points of the team that plays as a team, in halves: 2 for a win, 1 for a draw.
fn play(mut game: TeamGame, team: usize, arguments: &Arguments) -> usize {
    let tables: [Table; 4] = std::array::from_fn(|_| Table::new(4).unwrap_or_else(|e| panic!("{e}")));
    let mut seats: [TeamSearcher; 4] = Default::default();
    // What each seat has asked of its partner.
    let mut asked: [Vec<Talk>; 4] = Default::default();
    let seat = |board: BoardId, color: sanqi::board::Color| 2 * board.index() + color.index();
    for turn in 0..2 * arguments.turns {
        let board = BoardId::ALL[turn % 2];
        if game.has_ended(board) {
            continue;
        }
        let side = game.position(board).side();
        let (own, partner) = (seat(board, side), seat(board.other(), !side));
        let around = Around { alone: team_of(board, side) != team, asked: asked[partner].clone(), ..Around::default() };
        let heard = Heard::default();
        let limits = Limits { nodes: Some(arguments.nodes), ..Limits::default() };
        let control = Control::new(false);
        let summary =
            seats[own].search(&game, board, &around, &limits, &Options::default(), &tables[own], &control, &heard);
        let mv: Move = summary.best.unwrap_or_default();
        if let Err(error) = game.push(TeamMove { board, mv }) {
            panic!("{error} in {}", game.fen());
        }
        asked[own] = heard.0.into_inner().unwrap_or_default();
    }
    for board in BoardId::ALL {
        let _ = game.end(board, Outcome::Draw);
    }
    let [one, two] = game.score();
    let (ours, theirs) = if team == 1 { (one, two) } else { (two, one) };
    match ours.cmp(&theirs) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    }
}

fn main() {
    let arguments = Arguments::parse();
    let next = AtomicUsize::new(0);
    // Points of each pair of matches, 0 to 4 halves.
    let pairs = Mutex::new([0usize; 5]);
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= arguments.pairs {
                        return;
                    }
                    let game = opening(arguments.seed.wrapping_mul(1_000_003).wrapping_add(pair as u64));
                    let points = play(game.clone(), 1, &arguments) + play(game, 2, &arguments);
                    if let Ok(mut pairs) = pairs.lock() {
                        pairs[points] += 1;
                        report(&pairs);
                    }
                }
            });
        }
    });
}

/// The score with its 95 % bounds, by pairs: the two matches from one opening are not independent.
fn report(pairs: &[usize; 5]) {
    let n: f64 = pairs.iter().sum::<usize>() as f64;
    let mean = pairs.iter().enumerate().map(|(i, &c)| c as f64 * i as f64 / 4.0).sum::<f64>() / n;
    let variance = pairs.iter().enumerate().map(|(i, &c)| c as f64 * (i as f64 / 4.0 - mean).powi(2)).sum::<f64>() / n;
    let error = 1.96 * (variance / n).sqrt();
    if (n as usize).is_multiple_of(10) {
        println!(
            "{} matches: {:.1} % [{:.1}, {:.1}]  pairs {pairs:?}",
            2 * n as usize,
            100.0 * mean,
            100.0 * (mean - error),
            100.0 * (mean + error)
        );
    }
}
