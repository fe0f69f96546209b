//! Times the exact solver: `fangqi_solve [STONES_LEFT] [THREADS] [HASH_MIB] [POSITIONS] [SEED]` plays seeded, sensible games until so many
//! stones are left to place, solves each position and prints time and nodes, then median and maximum.
use sanqi::board::zobrist::split_mix;
use sanqi::games::fangqi::Fangqi;
use sanqi::games::{Position, RankBase};
use sanqi::search::Control;
use sanqi::search::fangqi_solver::{placements_left, solve};
use std::time::Instant;

/// A position with `left` placements to come. Each move is the best by captures, ordering hint and a little chance.
fn reached_by_play(seed: u64, left: u32) -> Fangqi {
    let mut position = Fangqi::start();
    let mut state = seed;
    while placements_left(&position) > left {
        let moves = position.legal_moves();
        let best = moves.iter().copied().max_by_key(|&mv| {
            let (next, value) = split_mix(state);
            state = next;
            let reply = position.after(mv);
            let threat = reply.legal_moves().iter().map(|&m| reply.gain(m)).max().unwrap_or(0);
            20 * (position.gain(mv) - threat) + position.order_hint(mv) + (value % 1000) as i32
        });
        let Some(mv) = best else { break };
        position.make(mv, &mut ());
    }
    position
}

fn main() {
    let number =
        |index: usize, default: u64| std::env::args().nth(index).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (left, threads, hash) = (number(1, 12) as u32, number(2, 2) as usize, number(3, 64) as usize);
    let (positions, seed) = (number(4, 10), number(5, 1));
    let mut times = Vec::new();
    let mut total = 0;
    for index in 0..positions {
        let position = reached_by_play(seed + index, left);
        let began = Instant::now();
        let solved = solve(&position, threads, hash, &Control::new(false), &mut |_| {});
        let seconds = began.elapsed().as_secs_f64();
        if let Some(solved) = solved {
            let best = position.move_text(solved.best, RankBase::One);
            println!("{} {seconds:.3} s {} nodes {:+} {best}", position.fen(), solved.nodes, solved.sign);
            total += solved.nodes;
        }
        times.push(seconds);
    }
    times.sort_by(f64::total_cmp);
    if let (Some(median), Some(max)) = (times.get(times.len() / 2), times.last()) {
        let sum: f64 = times.iter().sum();
        println!("median {median:.3} s, maximum {max:.3} s, {total} nodes, {:.2} Mnodes/s", total as f64 / sum / 1e6);
    }
}
