//! Weaker and varied play: a choice among the best root moves, by chance that a seed decides.
use super::score::{INFINITE, Value};
use super::thread::RootMove;
use crate::board::zobrist::split_mix;

/// Root moves that are given a score so that there is something to choose from.
pub(super) const CANDIDATES: usize = 6;
/// Lowest value of `UCI_Elo`.
pub const MIN_ELO: u32 = 800;
/// Highest value of `UCI_Elo`.
pub const MAX_ELO: u32 = 2600;

/// A way to play weaker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Nodes per move.
    pub nodes: u64,
    /// How far from the best move it may stray, in centipawns.
    pub spread: i32,
    /// How often it plays just any legal move, in permille.
    pub lapses: u32,
}

const fn step(nodes: u64, spread: i32, lapses: u32) -> Step {
    Step { nodes, spread, lapses }
}

/// Steps of weaker play, weakest first.
pub const STEPS: [Step; 20] = [
    step(40, 600, 1000),
    step(40, 600, 750),
    step(40, 600, 500),
    step(40, 600, 350),
    step(40, 500, 250),
    step(50, 400, 180),
    step(60, 300, 120),
    step(80, 250, 80),
    step(120, 200, 50),
    step(200, 150, 30),
    step(350, 110, 15),
    step(700, 80, 5),
    step(1_400, 50, 0),
    step(2_800, 30, 0),
    step(5_500, 18, 0),
    step(11_000, 8, 0),
    step(22_000, 4, 0),
    step(45_000, 0, 0),
    step(90_000, 0, 0),
    step(180_000, 0, 0),
];
/// Parts of a step that a level is counted in.
pub const PARTS: u32 = 100;

/// Elo of the steps in one game, from the first one up to one that is at least [`MAX_ELO`]; measured by `examples/calibrate.rs`.
pub type Ladder = [i32];

/// The level of an Elo, in [`PARTS`] of a step; one that is beyond the ladder is that of its end.
pub(super) fn level_of(elo: u32, ladder: &Ladder) -> u32 {
    let elo = elo as i32;
    let above = ladder.iter().position(|&step| step > elo).unwrap_or(ladder.len());
    let Some(below) = above.checked_sub(1) else { return 0 };
    let whole = below as u32 * PARTS;
    match (ladder.get(below), ladder.get(above)) {
        (Some(&low), Some(&high)) => whole + (elo - low) as u32 * PARTS / (high - low) as u32,
        _ => whole,
    }
}

/// How a level plays.
#[derive(Debug, Clone)]
pub(super) struct Handicap {
    pub(super) step: Step,
    seed: u64,
}

impl Handicap {
    /// `level` in [`PARTS`] of a step.
    pub(super) fn new(level: u32, seed: u64) -> Handicap {
        let last = STEPS.len() - 1;
        let below = ((level / PARTS) as usize).min(last);
        let (low, high) = (STEPS[below], STEPS[(below + 1).min(last)]);
        let part = f64::from(level % PARTS) / f64::from(PARTS);
        let between = |low: f64, high: f64| low + part * (high - low);
        let nodes = between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp();
        let step = Step {
            nodes: nodes.round() as u64,
            spread: between(low.spread.into(), high.spread.into()) as i32,
            lapses: between(low.lapses.into(), high.lapses.into()) as u32,
        };
        Handicap { step, seed }
    }

    /// The move that this level plays.
    pub(super) fn choose<'a>(&self, moves: &'a [RootMove]) -> Option<&'a RootMove> {
        let (mut state, chance) = split_mix(self.seed);
        if chance % 1000 < u64::from(self.step.lapses) {
            let (_, chance) = split_mix(state);
            return moves.get((chance % moves.len().max(1) as u64) as usize);
        }
        candidates(moves).max_by_key(|root| {
            let (next, noise) = split_mix(state);
            state = next;
            let noise = if self.step.spread > 0 { (noise % self.step.spread as u64) as i32 } else { 0 };
            score(root) + noise
        })
    }
}

/// One of the moves within `variety` centipawns of the best.
pub(super) fn vary(moves: &[RootMove], variety: i32, seed: u64) -> Option<&RootMove> {
    let best = candidates(moves).map(score).max()?;
    let close: Vec<&RootMove> = candidates(moves).filter(|root| score(root) >= best.saturating_sub(variety)).collect();
    let (_, chance) = split_mix(seed);
    close.get((chance % close.len().max(1) as u64) as usize).copied()
}

fn candidates(moves: &[RootMove]) -> impl Iterator<Item = &RootMove> {
    let scored = moves.iter().take(CANDIDATES).filter(|root| score(root) > -INFINITE).count().max(1);
    moves.iter().take(scored)
}

fn score(root: &RootMove) -> Value {
    if root.score > -INFINITE { root.score } else { root.previous }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Move;
    use crate::games::fangqi::Fangqi;
    use crate::games::supply::Supply;
    use crate::games::xiangqi::Xiangqi;
    use crate::games::yangqi::Yangqi;
    use crate::search::searchable::Searchable;

    fn moves(scores: &[Value]) -> Vec<RootMove> {
        let root = |(i, &score): (usize, &Value)| RootMove {
            mv: Move(i as u16 + 1),
            score,
            previous: score,
            seldepth: 0,
            nodes: 0,
            line: Vec::new(),
        };
        scores.iter().enumerate().map(root).collect()
    }

    #[test]
    fn variety_stays_within_its_bound_and_uses_it() {
        let moves = moves(&[50, 45, 30, -INFINITE]);
        let chosen = |seed| vary(&moves, 10, seed).unwrap().mv.0;
        let seen: std::collections::BTreeSet<u16> = (0..64).map(chosen).collect();
        assert_eq!(seen, [1, 2].into());
    }

    #[test]
    fn a_low_level_errs_and_the_highest_does_not() {
        let moves = moves(&[50, 0, -40]);
        let top = (STEPS.len() as u32 - 1) * PARTS;
        let seen = |level| -> std::collections::BTreeSet<u16> {
            (0..200).map(|seed| Handicap::new(level, seed).choose(&moves).unwrap().mv.0).collect()
        };
        assert_eq!(seen(top), [1].into());
        assert_eq!(seen(0), [1, 2, 3].into());
    }

    #[test]
    fn only_a_lapse_plays_a_move_without_a_look_at_it() {
        let moves = moves(&[50, 0, -INFINITE]);
        let without = STEPS.iter().position(|step| step.lapses == 0).unwrap() as u32 * PARTS;
        let played = |level| (0..200).any(|seed| Handicap::new(level, seed).choose(&moves).unwrap().mv.0 == 3);
        assert!(played(0) && !played(without));
    }

    #[test]
    fn ladders_reach_from_the_lowest_to_the_highest_level() {
        for ladder in [Xiangqi::LADDER, Supply::LADDER, Yangqi::LADDER, Fangqi::LADDER] {
            assert!(ladder.is_sorted_by(|low, high| low < high), "{ladder:?}");
            assert!(ladder.len() <= STEPS.len(), "{ladder:?}");
            assert!(ladder[0] <= MIN_ELO as i32 && ladder[ladder.len() - 1] >= MAX_ELO as i32, "{ladder:?}");
        }
    }

    #[test]
    fn levels_go_up_by_elo_and_work_goes_up_with_them() {
        let ladder: Vec<i32> = (0..STEPS.len() as i32).map(|step| 700 + 120 * step).collect();
        assert_eq!(level_of(700, &ladder), 0);
        assert_eq!(level_of(760, &ladder), PARTS / 2);
        assert_eq!(level_of(100, &ladder), 0);
        assert_eq!(level_of(9000, &ladder), (STEPS.len() as u32 - 1) * PARTS);
        let levels: Vec<u32> = (MIN_ELO..=MAX_ELO).step_by(10).map(|elo| level_of(elo, &ladder)).collect();
        assert!(levels.is_sorted_by(|low, high| low < high));
        let handicaps: Vec<Handicap> = (0..STEPS.len() as u32 * PARTS).map(|level| Handicap::new(level, 0)).collect();
        assert!(handicaps.is_sorted_by(|low, high| {
            let (low, high) = (low.step, high.step);
            low.nodes <= high.nodes && low.spread >= high.spread && low.lapses >= high.lapses
        }));
    }
}
