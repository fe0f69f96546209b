//! Finished games of a match, read from what the runner leaves: PGN, or the configuration and journal beside it.
use crate::engine::Board;
use crate::pgn::{PgnGame, read_games};
use crate::replay::bpgn::{self, Reading};
use crate::replay::values::{EndReason, MatchOutcome, Moment, Seat};
use crate::runner::clock::describe;
use crate::runner::journal::{Entry, GameEntry, journal_path, load};
use crate::runner::settings::{Settings, Sprt};
use crate::runner::statistics::{Score, Tally};
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, TeamGame};
use sanqi::games::{Outcome, Variant};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// First player.
    pub white: String,
    /// Second player.
    pub black: String,
    /// Who won.
    pub outcome: Outcome,
    /// The round; both games of a pair have the same.
    pub round: String,
    /// FEN that it began at.
    pub opening: String,
    /// Moves.
    pub plies: usize,
    /// The kind of end, as the Termination tag has it.
    pub termination: String,
    /// Seconds of each move that has them: whose, in which move of the game from 1.
    pub times: Vec<(Color, usize, f64)>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Games {
    /// Finished games in their order.
    pub games: Vec<Played>,
    /// What could not be read, a line each.
    pub faults: Vec<String>,
    /// The test that was run, if the configuration says so.
    pub sprt: Option<Sprt>,
    /// Under what conditions: games, time controls, days, openings.
    pub conditions: Vec<String>,
}

/// Reads PGN, or the JSON configuration of a match and with it the PGN file or the journal.
///
/// # Errors
/// A file cannot be read, or is neither.
pub fn read(path: &Path, variant: Option<Variant>) -> Result<Games, String> {
    let at = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| at(path, &error))?;
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Ok(from_pgn(&String::from_utf8_lossy(&bytes), path, variant));
    }
    let settings = load(path).map_err(|error| error.to_string())?;
    let journal = journal_path(path);
    let journal = std::fs::read_to_string(&journal).map_err(|error| at(&journal, &error))?;
    let variant = match settings.variant {
        Some(Board::One(variant)) => Some(variant),
        _ => None,
    };
    // Matches on two boards are BPGN; the journal has what counts.
    let pgn = variant.and_then(|_| beside(path, &settings));
    let mut games = match pgn.as_deref().map(|pgn| (pgn, std::fs::read(pgn))) {
        Some((pgn, Ok(bytes))) => {
            let own = own_part(&bytes, &journal, &settings.run);
            let mut games = from_pgn(&String::from_utf8_lossy(&own), pgn, variant);
            let known = from_journal(&journal, &settings.run).games.len();
            if games.games.len() + games.faults.len() < known {
                let found = games.games.len();
                games.faults.push(format!("{}: {found} games, but the journal has {known}", pgn.display()));
            }
            games
        }
        _ => from_journal(&journal, &settings.run),
    };
    let limits = joined(settings.engines.iter().map(|engine| describe(&engine.limit)).collect(), " or ");
    let variant = settings.variant.map(|board| board.name().to_owned()).unwrap_or_default();
    for (at, part) in [variant, limits].into_iter().enumerate() {
        if !games.conditions.contains(&part) {
            games.conditions.insert(at.min(games.conditions.len()), part);
        }
    }
    if let Some(book) = Path::new(&settings.opening.file).file_name() {
        games.conditions.push(format!("openings from {}", book.to_string_lossy()));
    }
    games.sprt = settings.sprt.enabled.then_some(settings.sprt);
    Ok(games)
}

/// The PGN file of a match: its path was meant for the folder that the match ran in, which is mostly that of its configuration.
fn beside(config: &Path, settings: &Settings) -> Option<PathBuf> {
    let file = Some(Path::new(&settings.pgn.file)).filter(|file| !file.as_os_str().is_empty())?;
    let beside = config.parent().map(|folder| folder.join(file));
    beside.into_iter().chain([file.to_owned()]).find(|path| path.is_file())
}

fn from_pgn(text: &str, path: &Path, variant: Option<Variant>) -> Games {
    if bpgn::is_bpgn(text) {
        return from_bpgn(text, path);
    }
    let mut games = Games::default();
    let [mut variants, mut controls, mut days] = [const { BTreeSet::new() }; 3];
    for (line, game) in read_games(text, variant) {
        match game {
            Ok(game) if game.result == Outcome::Ongoing => {}
            Ok(game) => {
                variants.insert(game.game.variant().name().to_owned());
                controls.extend(
                    CONTROLS.iter().filter_map(|tag| game.tag(tag)).filter(|tag| *tag != "-").map(str::to_owned),
                );
                days.extend(game.tag("Date").map(str::to_owned));
                games.games.push(played(&game));
            }
            Err(error) => games.faults.push(format!("{}:{line}: {error}", path.display())),
        }
    }
    let days = [days.first(), days.last().filter(|last| days.first() != Some(last))];
    let days: Vec<String> = days.into_iter().flatten().cloned().collect();
    let parts = [joined(variants, ", "), joined(controls, " or "), days.join("–")];
    games.conditions = parts.into_iter().filter(|part| !part.is_empty()).collect();
    games
}

/// Matches on two boards: players are the teams, by the names of those who have White on one board each.
fn from_bpgn(text: &str, path: &Path) -> Games {
    let mut games = Games { conditions: vec![Board::Two.name().to_owned()], ..Games::default() };
    for (line, reading) in bpgn::read_all(text, &Moment::now()) {
        match reading {
            Ok(reading) if reading.replay.result.outcome == MatchOutcome::Unfinished => {}
            Ok(Reading { replay, .. }) => {
                let name = |seat| replay.seats.get(seat).map_or_else(|| "?".to_owned(), |player| player.name.clone());
                let (white, black) = (name(Seat::Red1), name(Seat::Red2));
                let reasons = BoardId::ALL.map(|board| replay.result.board(board).reason);
                games.games.push(Played {
                    white,
                    black,
                    outcome: replay.result.outcome.into(),
                    // The number there is the match's own: pairs have the opening in common.
                    round: String::new(),
                    opening: replay.start_position.unwrap_or_else(|| TeamGame::new().fen()),
                    plies: replay.events.len(),
                    termination: termination(reasons).to_owned(),
                    times: Vec::new(),
                });
            }
            Err(error) => games.faults.push(format!("{}:{line}: {error}", path.display())),
        }
    }
    games
}

/// The graver end of two boards, as a journal calls it.
fn termination(reasons: [EndReason; 2]) -> &'static str {
    let known = [
        (EndReason::Disconnection, "abandoned"),
        (EndReason::IllegalMove, "illegal move"),
        (EndReason::Flag, "time forfeit"),
        (EndReason::Adjudication, "adjudication"),
    ];
    known.into_iter().find(|(reason, _)| reasons.contains(reason)).map_or("normal", |(_, name)| name)
}

/// Tags that tell the limits of a game.
const CONTROLS: [&str; 3] = ["TimeControl", "WhiteTimeControl", "BlackTimeControl"];

fn joined(words: BTreeSet<String>, between: &str) -> String {
    words.into_iter().collect::<Vec<_>>().join(between)
}

fn played(game: &PgnGame) -> Played {
    let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
    let first = if game.game.moves().len().is_multiple_of(2) { game.game.side() } else { !game.game.side() };
    let times = game.comments.iter().enumerate().filter_map(|(ply, comment)| {
        let mover = if ply % 2 == 0 { first } else { !first };
        Some((mover, ply / 2 + 1, seconds(comment)?))
    });
    Played {
        white: tag("White"),
        black: tag("Black"),
        outcome: game.result,
        round: tag("Round"),
        opening: game.game.start_fen(),
        plies: game.game.moves().len(),
        termination: game.tag("Termination").unwrap_or("normal").to_owned(),
        times: times.collect(),
    }
}

/// The time in a comment, `+0.35/12 0.100s, n=1465`.
fn seconds(comment: &str) -> Option<f64> {
    let is_time = |word: &&str| word.ends_with('s') && word.starts_with(|c: char| c.is_ascii_digit());
    let word = comment.split([' ', ',']).find(is_time)?;
    word.strip_suffix('s')?.parse().ok().filter(|s: &f64| s.is_finite())
}

/// The entries of a journal; a kill may have cut the last line off.
fn entries(journal: &str) -> impl Iterator<Item = Entry> {
    journal.lines().map_while(|line| serde_json::from_str::<Entry>(line).ok())
}

/// The games of a run in its PGN file: before them, and between them when the run was set aside for a while, are those of other matches.
fn own_part(bytes: &[u8], journal: &str, run: &str) -> Vec<u8> {
    let (mut own, mut at) = (Vec::new(), 0);
    for entry in entries(journal) {
        match entry {
            Entry::Start { run: name, pgn, .. } if name == run => at = usize::try_from(pgn).unwrap_or(usize::MAX),
            Entry::Game(game) if game.run == run => {
                let end = usize::try_from(game.pgn).unwrap_or(usize::MAX);
                own.extend_from_slice(bytes.get(at..end.min(bytes.len())).unwrap_or_default());
                at = end;
            }
            _ => {}
        }
    }
    own
}

fn from_journal(journal: &str, run: &str) -> Games {
    let mut games = Games::default();
    for entry in entries(journal) {
        let Entry::Game(game) = entry else { continue };
        let Some(outcome) = game.outcome().filter(|_| game.run == run) else { continue };
        let GameEntry { white, black, round, opening, plies, termination, .. } = *game;
        let round = round.to_string();
        games.games.push(Played { white, black, outcome, round, opening, plies, termination, times: Vec::new() });
    }
    games
}

/// Tallies by pairing of engines, and how they grew.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// Engines in the order of their appearance.
    pub engines: Vec<String>,
    /// Results of every pairing from its first engine's point of view.
    pub tallies: BTreeMap<[usize; 2], Tally>,
    /// The tally of the first pairing after each of its pairs.
    pub course: Vec<Tally>,
}

impl Standing {
    /// Counts games, pair by pair where there are pairs.
    pub fn of(games: &[Played]) -> Standing {
        let mut standing = Standing::default();
        let mut halves: HashMap<(usize, usize, &str, &str), Score> = HashMap::new();
        for game in games {
            let (white, black) = (standing.engine(&game.white), standing.engine(&game.black));
            let pairing = [white.min(black), white.max(black)];
            let score = match game.outcome {
                Outcome::Win(Color::White) if white <= black => Score::Win,
                Outcome::Win(Color::Black) if black < white => Score::Win,
                Outcome::Win(_) => Score::Loss,
                Outcome::Draw | Outcome::Ongoing => Score::Draw,
            };
            let tally = standing.tallies.entry(pairing).or_default();
            tally.game(score);
            let (round, opening) = (game.round.as_str(), game.opening.as_str());
            match halves.remove(&(black, white, round, opening)) {
                Some(other) => tally.pair(other, score),
                None => _ = halves.insert((white, black, round, opening), score),
            }
            let tally = *tally;
            if pairing == [0, 1] {
                standing.course.push(tally);
            }
        }
        standing
    }

    /// Whether the games came in pairs with colours reversed.
    pub fn by_pairs(&self) -> bool {
        self.tallies.values().all(|tally| 2 * tally.pairs() + 1 >= tally.games() && tally.pairs() > 0)
    }

    fn engine(&mut self, name: &str) -> usize {
        self.engines.iter().position(|engine| engine == name).unwrap_or_else(|| {
            self.engines.push(name.to_owned());
            self.engines.len() - 1
        })
    }

    /// The results of one engine against all others.
    pub fn total(&self, engine: usize) -> Tally {
        let mut sum = Tally::default();
        for ([first, second], tally) in &self.tallies {
            if *first == engine {
                sum.add(tally);
            } else if *second == engine {
                sum.add(&tally.reversed());
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, round: &str, outcome: Outcome) -> Played {
        let [white, black, round] = [white, black, round].map(str::to_owned);
        let (opening, termination) = ("x".to_owned(), "normal".to_owned());
        Played { white, black, outcome, round, opening, plies: 1, termination, times: Vec::new() }
    }

    #[test]
    fn pairs_and_points_of_view() {
        let white = Outcome::Win(Color::White);
        let games = [
            game("A", "B", "1", white),
            game("A", "B", "2", Outcome::Draw),
            game("B", "A", "1", white),
            game("B", "A", "2", Outcome::Win(Color::Black)),
        ];
        let standing = Standing::of(&games);
        let tally = standing.tallies[&[0, 1]];
        assert_eq!((tally.wins, tally.losses, tally.draws), (2, 1, 1));
        assert_eq!(tally.pentanomial(), [0, 0, 1, 1, 0]);
        assert_eq!((standing.total(1).wins, standing.course.len(), standing.by_pairs()), (1, 4, true));
        assert!(!Standing::of(&games[..2]).by_pairs());
    }

    #[test]
    fn times_of_comments() {
        assert_eq!(seconds("+0.35/12 0.100s, n=1465"), Some(0.1));
        assert_eq!(seconds("0.100s"), Some(0.1));
        assert_eq!(seconds("+M5/12 1.5s, Red mates"), Some(1.5));
        for comment in ["", "book", "no 1 has passes", "+1.00/3"] {
            assert_eq!(seconds(comment), None, "{comment}");
        }
    }

    #[test]
    fn games_of_pgn() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[Round \"3\"]\n[Variant \"fangqi\"]\n\n1. d4 {+0.1/2 0.5s} a1 {0.25s, B resigns} 1-0\n\n[Variant \"fangqi\"]\n\n1. z9 *\n";
        let games = from_pgn(text, Path::new("g.pgn"), None);
        let [game] = games.games.as_slice() else { panic!("{games:?}") };
        assert_eq!((game.round.as_str(), game.plies), ("3", 2));
        assert_eq!(games.conditions, ["fangqi"]);
        assert_eq!(game.times, [(Color::White, 1, 0.5), (Color::Black, 1, 0.25)]);
        assert!(games.faults.len() == 1 && games.faults[0].starts_with("g.pgn:8: ply 1"), "{:?}", games.faults);
    }
}
