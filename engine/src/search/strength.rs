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
/// Elo that a doubling of the nodes is taken to be worth at these levels.
const ELO_PER_DOUBLING: f64 = 130.0;
/// Nodes at [`MIN_ELO`].
const MIN_NODES: f64 = 60.0;

/// How a level plays: a budget of nodes, and how far from the best move it may stray.
#[derive(Debug, Clone)]
pub(super) struct Handicap {
    /// Nodes per move.
    pub(super) nodes: u64,
    /// Centipawns of error that are common.
    spread: i32,
    seed: u64,
}

impl Handicap {
    pub(super) fn new(elo: u32, seed: u64) -> Handicap {
        let above = f64::from(elo.clamp(MIN_ELO, MAX_ELO) - MIN_ELO);
        Handicap {
            nodes: (MIN_NODES * (above / ELO_PER_DOUBLING).exp2()) as u64,
            spread: ((f64::from(MAX_ELO - MIN_ELO) - above) / 9.0) as i32,
            seed,
        }
    }

    /// The move that this level plays.
    pub(super) fn choose<'a>(&self, moves: &'a [RootMove]) -> Option<&'a RootMove> {
        let mut state = self.seed;
        candidates(moves).max_by_key(|root| {
            let (next, noise) = split_mix(state);
            state = next;
            let noise = if self.spread > 0 { (noise % self.spread as u64) as i32 } else { 0 };
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
        let seen = |elo| -> std::collections::BTreeSet<u16> {
            (0..200).map(|seed| Handicap::new(elo, seed).choose(&moves).unwrap().mv.0).collect()
        };
        assert_eq!(seen(MAX_ELO), [1].into());
        assert_eq!(seen(MIN_ELO), [1, 2, 3].into());
        assert!(Handicap::new(MAX_ELO, 0).nodes > 100 * Handicap::new(MIN_ELO, 0).nodes);
    }
}
