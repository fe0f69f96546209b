//! Openings for two boards.
use super::super::book::{BookError, read_file};
use super::super::rng::SplitMix64;
use super::super::settings::{BookFormat, Openings, Order};
use sanqi::games::supply::team::{TeamGame, TeamMove};
use std::collections::HashSet;

/// Plies on each board when random openings do not say.
const DEFAULT_PLIES: u32 = 6;

/// A source of openings.
#[derive(Debug)]
pub enum TeamBook {
    /// Every match begins at the start position.
    Start,
    /// Positions in the order of use; begins again when they run out.
    List(Vec<TeamGame>),
    /// Random moves.
    Random {
        /// Plies on each board.
        plies: u32,
        /// Where the moves come from.
        rng: SplitMix64,
        /// What has been made so far.
        made: Vec<TeamGame>,
        /// Their FENs.
        seen: HashSet<String>,
    },
}

impl TeamBook {
    /// The book that settings ask for.
    ///
    /// # Errors
    /// The file is missing, empty, not of a kind for two boards, or has a line that is no position to play from.
    pub fn open(openings: &Openings, seed: u64) -> Result<TeamBook, BookError> {
        match openings.format {
            BookFormat::Random => {
                let plies = if openings.plies == 0 { DEFAULT_PLIES } else { openings.plies };
                Ok(TeamBook::Random { plies, rng: SplitMix64::new(seed), made: Vec::new(), seen: HashSet::new() })
            }
            _ if openings.file.is_empty() => Ok(TeamBook::Start),
            BookFormat::Pgn => Err(BookError::NoTeamGames),
            BookFormat::Epd => {
                let file = &openings.file;
                let mut games = read(&read_file(file)?)?;
                if games.is_empty() {
                    return Err(BookError::Empty(file.clone()));
                }
                if openings.order == Order::Random {
                    SplitMix64::new(seed).shuffle(&mut games);
                }
                Ok(TeamBook::List(games))
            }
        }
    }

    /// The match at its opening number `index`, from 0.
    ///
    /// # Errors
    /// Random openings have run out; the others begin again.
    pub fn game(&mut self, index: u64) -> Result<TeamGame, BookError> {
        match self {
            TeamBook::Start => Ok(TeamGame::new()),
            TeamBook::List(games) => {
                let at = (index % games.len().max(1) as u64) as usize;
                Ok(games.get(at).cloned().unwrap_or_default())
            }
            TeamBook::Random { plies, rng, made, seen } => {
                let mut failures = 0;
                while made.len() as u64 <= index {
                    match random(*plies, rng).filter(|game| seen.insert(game.fen())) {
                        Some(game) => {
                            made.push(game);
                            failures = 0;
                        }
                        None => failures += 1,
                    }
                    if failures >= 1000 {
                        return Err(BookError::Exhausted { found: made.len(), plies: *plies });
                    }
                }
                Ok(made.get(index as usize).cloned().unwrap_or_default())
            }
        }
    }
}

/// Reads one position a line, `FEN1 | FEN2`; empty lines and those that begin with `#` are skipped.
///
/// # Errors
/// Names the first line that is no position to play from.
fn read(text: &str) -> Result<Vec<TeamGame>, BookError> {
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let (line, number) = (line.trim(), index + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let game = TeamGame::from_fen(line).map_err(|source| BookError::Team { line: number, source })?;
        if super::boards().into_iter().any(|board| game.has_ended(board)) {
            return Err(BookError::Over(number));
        }
        games.push(game);
    }
    Ok(games)
}

/// Random moves on both boards in turn; `None` when they end a board or leave somebody in check.
fn random(plies: u32, rng: &mut SplitMix64) -> Option<TeamGame> {
    use sanqi::games::Position;
    let mut game = TeamGame::new();
    for _ in 0..plies {
        for board in super::boards() {
            let moves = game.legal_moves(board);
            let mv = *moves.get(rng.below(moves.len()))?;
            game.push(TeamMove { board, mv }).ok()?;
        }
    }
    let quiet = |board| !game.has_ended(board) && !game.position(board).in_check();
    if !super::boards().into_iter().all(quiet) {
        return None;
    }
    // Without its history, as a file of positions would give it.
    TeamGame::from_fen(&game.fen()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_from_a_file() {
        let start = TeamGame::new().fen();
        let joined = start.replace(" | ", "|");
        assert_eq!(read(&format!("# two\n{start}\n\n{joined}\r\n")).unwrap().len(), 2);
        assert!(matches!(read(&format!("{start}\nx|y\n")), Err(BookError::Team { line: 2, .. })));
        let (board, _) = start.split_once(" | ").unwrap();
        assert!(matches!(read(&format!("3k5/3R5/3R5/9/9/9/9/9/9/4K4[] b - - 0 1|{board}")), Err(BookError::Over(1))));
    }

    #[test]
    fn random_openings_depend_on_the_seed_alone() {
        let settings = Openings { format: BookFormat::Random, ..Openings::default() };
        let fens = |order: &[u64]| -> Vec<String> {
            let mut book = TeamBook::open(&settings, 7).unwrap();
            order.iter().map(|&index| book.game(index).unwrap().fen()).collect()
        };
        let straight = fens(&[0, 1, 2]);
        assert_eq!(fens(&[2, 0, 1]), [straight[2].clone(), straight[0].clone(), straight[1].clone()]);
        assert!(straight[0] != straight[1] && straight[1] != straight[2]);
    }
}
