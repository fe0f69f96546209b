//! Which game is which: a pure function of the number of the game, so that a resumed match finds every game where it was.
use super::settings::{Settings, TournamentKind};

/// One game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Number of the game, from 1.
    pub number: u64,
    /// Round, from 1.
    pub round: u64,
    /// The games of one opening between the same two engines share a number, from 0.
    pub pair: u64,
    /// The two engines as indices, the one results are counted for first.
    pub engines: [usize; 2],
    /// The engine that plays first.
    pub white: usize,
    /// The engine that plays second.
    pub black: usize,
    /// Index of the opening, from 0 at `-openings start=1`.
    pub opening: u64,
}

/// All games of a match, in order.
#[derive(Debug, Clone)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
    games: u64,
    noswap: bool,
    reverse: bool,
    first_opening: u64,
}

impl Schedule {
    /// The schedule of a match.
    pub fn new(settings: &Settings) -> Schedule {
        let engines = settings.engines.len();
        let firsts = match settings.tournament {
            TournamentKind::RoundRobin => engines,
            TournamentKind::Gauntlet => settings.gauntlet_seeds.min(engines),
        };
        let pairings = (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        let pairings = match settings.tournament {
            TournamentKind::RoundRobin => pairings.collect(),
            // The heads of a gauntlet do not meet.
            TournamentKind::Gauntlet => pairings.filter(|&[_, b]| b >= firsts).collect(),
        };
        Schedule {
            pairings,
            rounds: settings.rounds.into(),
            games: settings.games.max(1).into(),
            noswap: settings.noswap,
            reverse: settings.reverse,
            first_opening: settings.opening.start.saturating_sub(1),
        }
    }

    /// Games of the whole match.
    pub fn total(&self) -> u64 {
        self.pairings.len() as u64 * self.rounds * self.games
    }

    /// The pairings, in order.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The game with a number, from 1; `None` beyond the last.
    pub fn slot(&self, number: u64) -> Option<Slot> {
        let index = number.checked_sub(1)?;
        if index >= self.total() {
            return None;
        }
        let pair = index / self.games;
        let (round, pairing) = (pair / self.pairings.len() as u64, pair % self.pairings.len() as u64);
        let engines = *self.pairings.get(pairing as usize)?;
        // With one game an opening, colours change from round to round.
        let turn = if self.games == 1 { round } else { index % self.games };
        let swapped = (!self.noswap && turn % 2 == 1) != self.reverse;
        let [first, second] = engines;
        let (white, black) = if swapped { (second, first) } else { (first, second) };
        let opening = self.first_opening + round;
        Some(Slot { number, round: round + 1, pair, engines, white, black, opening })
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::EngineSettings;
    use super::*;

    fn schedule(engines: usize, change: impl FnOnce(&mut Settings)) -> Schedule {
        let mut settings = Settings { engines: vec![EngineSettings::default(); engines], ..Settings::default() };
        change(&mut settings);
        Schedule::new(&settings)
    }

    fn colours(schedule: &Schedule) -> Vec<(usize, usize, u64)> {
        (1..=schedule.total()).map(|n| schedule.slot(n).unwrap()).map(|s| (s.white, s.black, s.opening)).collect()
    }

    #[test]
    fn pairs_share_an_opening_with_colours_reversed() {
        let schedule = schedule(2, |s| s.opening.start = 5);
        assert_eq!(colours(&schedule), [(0, 1, 4), (1, 0, 4), (0, 1, 5), (1, 0, 5)]);
        assert_eq!(schedule.slot(3).unwrap().pair, 1);
        assert_eq!((schedule.slot(0), schedule.slot(5)), (None, None));
    }

    #[test]
    fn colour_options() {
        assert_eq!(colours(&schedule(2, |s| s.reverse = true))[..2], [(1, 0, 0), (0, 1, 0)]);
        assert_eq!(colours(&schedule(2, |s| s.noswap = true))[..2], [(0, 1, 0), (0, 1, 0)]);
        assert_eq!(colours(&schedule(2, |s| s.games = 1)), [(0, 1, 0), (1, 0, 1)]);
    }

    #[test]
    fn tournaments() {
        assert_eq!(schedule(4, |_| ()).pairings(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let gauntlet = schedule(4, |s| {
            s.tournament = TournamentKind::Gauntlet;
            s.gauntlet_seeds = 2;
        });
        assert_eq!(gauntlet.pairings(), [[0, 2], [0, 3], [1, 2], [1, 3]]);
        assert_eq!(gauntlet.total(), 16);
        // Everybody's second round begins after everybody's first.
        assert_eq!(gauntlet.slot(8).unwrap().round, 1);
        assert_eq!(gauntlet.slot(9).unwrap().round, 2);
    }
}
