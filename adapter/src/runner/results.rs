//! Counting finished games into tallies, pair by pair.
use super::journal::GameEntry;
use super::report::{Tallies, TestState};
use super::schedule::{Schedule, Slot};
use super::settings::Settings;
use super::statistics::Score;
use sanqi::board::Color;
use sanqi::games::Outcome;
use std::collections::{HashMap, HashSet};

/// Results of a match so far.
///
/// With statistics by pairs a game counts only when its pair is complete: the games of one opening belong together, and programs that
/// read the output check that there are twice as many games as pairs.
#[derive(Debug)]
pub struct Results {
    by_pairs: bool,
    tallies: Tallies,
    halves: HashMap<u64, Score>,
}

impl Results {
    /// No results.
    pub fn new(settings: &Settings) -> Results {
        Results { by_pairs: settings.by_pairs(), tallies: Tallies::new(), halves: HashMap::new() }
    }

    /// The results of finished games, and their numbers.
    pub fn of(settings: &Settings, schedule: &Schedule, games: &[GameEntry]) -> (Results, HashSet<u64>) {
        let (mut results, mut numbers) = (Results::new(settings), HashSet::new());
        for game in games {
            if let (Some(slot), Some(outcome)) = (schedule.slot(game.number), game.outcome())
                && numbers.insert(game.number)
            {
                results.add(&slot, outcome);
            }
        }
        (results, numbers)
    }

    /// The hypothesis that the test has accepted.
    pub fn decided(&self, settings: &Settings) -> Option<bool> {
        let tally = self.tallies.get(&[0, 1]).filter(|_| settings.sprt.enabled)?;
        TestState::of(&settings.sprt, tally, settings.by_pairs()).decision()
    }

    /// Counts a game. True when that changed a tally.
    pub fn add(&mut self, slot: &Slot, outcome: Outcome) -> bool {
        let winner = match outcome {
            Outcome::Win(Color::White) => Some(slot.white),
            Outcome::Win(Color::Black) => Some(slot.black),
            Outcome::Draw | Outcome::Ongoing => None,
        };
        let [first, _] = slot.engines;
        let score = match winner {
            None => Score::Draw,
            Some(engine) if engine == first => Score::Win,
            Some(_) => Score::Loss,
        };
        let tally = self.tallies.entry(slot.engines).or_default();
        if !self.by_pairs {
            tally.game(score);
            return true;
        }
        match self.halves.remove(&slot.pair) {
            None => {
                self.halves.insert(slot.pair, score);
                false
            }
            Some(other) => {
                tally.game(other);
                tally.game(score);
                tally.pair(other, score);
                true
            }
        }
    }

    /// The tallies.
    pub fn tallies(&self) -> &Tallies {
        &self.tallies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(pair: u64, white: usize) -> Slot {
        Slot { number: 1, round: 1, pair, engines: [0, 1], white, black: 1 - white, opening: 0 }
    }

    #[test]
    fn pairs_count_when_complete_whatever_the_order() {
        let mut results = Results::new(&Settings::default());
        assert!(!results.add(&slot(0, 0), Outcome::Win(Color::White)));
        assert!(!results.add(&slot(1, 1), Outcome::Draw));
        assert_eq!(results.tallies()[&[0, 1]].games(), 0);
        assert!(results.add(&slot(1, 0), Outcome::Win(Color::Black)));
        assert!(results.add(&slot(0, 1), Outcome::Win(Color::Black)));
        let tally = results.tallies()[&[0, 1]];
        assert_eq!((tally.wins, tally.losses, tally.draws), (2, 1, 1));
        assert_eq!(tally.pentanomial(), [0, 1, 0, 0, 1]);
    }

    #[test]
    fn single_games_count_at_once() {
        let mut results = Results::new(&Settings { games: 1, ..Settings::default() });
        assert!(results.add(&slot(0, 1), Outcome::Win(Color::White)));
        assert_eq!(results.tallies()[&[0, 1]].losses, 1);
    }
}
