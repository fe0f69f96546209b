//! Openings: from a file, or by random legal moves. Which opening a number means depends on nothing but the settings and the seed.
use super::rng::SplitMix64;
use super::settings::{BookFormat, Openings, Order};
use crate::pgn::{PgnError, read_games};
use flate2::read::MultiGzDecoder;
use sanqi::games::supply::team::TeamError;
use sanqi::games::{FenError, Game, Outcome, Variant};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use thiserror::Error;

/// Why there is no opening.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read openings file `{file}`: {source}")]
    File {
        /// Its path.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line that is no position of the game.
    #[error("openings file, line {line}: {source}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// A line that is no position of a match on two boards.
    #[error("openings file, line {line}: {source}")]
    Team {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        source: TeamError,
    },
    /// Games as openings of two boards.
    #[error("openings of two boards are positions, `FEN1 | FEN2` a line (format=epd), not games")]
    NoTeamGames,
    /// A position in which the game is over.
    #[error("openings file, line {0}: the game is over in this position")]
    Over(usize),
    /// Nothing in the file.
    #[error("openings file `{0}` has no openings")]
    Empty(String),
    /// A game that cannot be read.
    #[error("openings file, game at line {line}: {source}")]
    Game {
        /// Number of the game's first line, from 1.
        line: usize,
        /// What is wrong with it.
        source: PgnError,
    },
    /// Random moves found nothing new for too long.
    #[error("there are no more than {found} different openings of {plies} random plies")]
    Exhausted {
        /// Openings found.
        found: usize,
        /// Plies asked for.
        plies: u32,
    },
}

/// A source of openings.
#[derive(Debug)]
pub enum Book {
    /// Every game begins at the start position.
    Start(Variant),
    /// FENs in the order of use; begins again when they run out.
    List(Variant, Vec<String>),
    /// Games that have begun, in the order of use; begins again when they run out.
    Games(Variant, Vec<Game>),
    /// Random moves.
    Random(RandomOpenings),
}

impl Book {
    /// The book that settings ask for.
    ///
    /// # Errors
    /// The file is missing, empty, or has a line that is no position to play from.
    pub fn open(variant: Variant, openings: &Openings, seed: u64) -> Result<Book, BookError> {
        match openings.format {
            BookFormat::Random => {
                let plies = if openings.plies == 0 { default_plies(variant) } else { openings.plies };
                Ok(Book::Random(RandomOpenings::new(variant, plies, seed)))
            }
            _ if openings.file.is_empty() => Ok(Book::Start(variant)),
            BookFormat::Pgn => {
                let games = read_pgn(variant, &read_file(&openings.file)?, openings.plies)?;
                Ok(Book::Games(variant, ordered(games, openings, seed)?))
            }
            BookFormat::Epd => {
                let fens = read_epd(variant, &read_file(&openings.file)?)?;
                Ok(Book::List(variant, ordered(fens, openings, seed)?))
            }
        }
    }

    /// The game at its opening number `index`, from 0.
    ///
    /// # Errors
    /// Random openings have run out; the others begin again.
    pub fn game(&mut self, index: u64) -> Result<Game, BookError> {
        let (variant, fen) = match self {
            Book::Start(variant) => return Ok(Game::new(*variant)),
            Book::List(variant, fens) => {
                let at = (index % fens.len().max(1) as u64) as usize;
                (*variant, fens.get(at).cloned().unwrap_or_default())
            }
            Book::Games(variant, games) => {
                let at = (index % games.len().max(1) as u64) as usize;
                return Ok(games.get(at).cloned().unwrap_or_else(|| Game::new(*variant)));
            }
            Book::Random(random) => (random.variant, random.fen(index)?),
        };
        Game::from_fen(variant, &fen).map_err(|source| BookError::Line { line: index as usize + 1, source })
    }
}

/// The text of an openings file, which may be compressed by gzip.
pub(crate) fn read_file(file: &str) -> Result<String, BookError> {
    let text = if file.ends_with(".gz") {
        std::fs::File::open(file).and_then(|file| std::io::read_to_string(MultiGzDecoder::new(file)))
    } else {
        std::fs::read_to_string(file)
    };
    // Editors on Windows begin a text with a byte order mark.
    let text = text.map(|text| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text));
    text.map_err(|source| BookError::File { file: file.to_owned(), source })
}

/// Openings in the order of use.
fn ordered<T>(mut items: Vec<T>, openings: &Openings, seed: u64) -> Result<Vec<T>, BookError> {
    if items.is_empty() {
        return Err(BookError::Empty(openings.file.clone()));
    }
    if openings.order == Order::Random {
        SplitMix64::new(seed).shuffle(&mut items);
    }
    Ok(items)
}

/// The first `plies` half-moves of every game of a PGN file, all of them when 0. The last moves of a game that is over are left out, since there
/// is nothing to play after them.
///
/// # Errors
/// Names the first game that cannot be read, or is of another variant.
pub fn read_pgn(variant: Variant, text: &str, plies: u32) -> Result<Vec<Game>, BookError> {
    let mut openings = Vec::new();
    for (line, game) in read_games(text, Some(variant)) {
        let game = game.map_err(|source| BookError::Game { line, source })?.game;
        if game.variant() != variant {
            return Err(BookError::Game { line, source: PgnError::Variant(game.variant().name().to_owned()) });
        }
        let wanted = if plies == 0 { usize::MAX } else { plies as usize };
        let start = |source| BookError::Line { line, source };
        let mut opening = Game::from_fen(variant, &game.start_fen()).map_err(start)?;
        for &mv in game.moves().iter().take(wanted) {
            let mut next = opening.clone();
            next.push(mv);
            if next.result().outcome != Outcome::Ongoing {
                break;
            }
            opening = next;
        }
        if opening.result().outcome != Outcome::Ongoing {
            return Err(BookError::Over(line));
        }
        openings.push(opening);
    }
    Ok(openings)
}

/// Random plies when no number is given: enough that two games hardly ever begin alike, few enough that neither side is lost.
fn default_plies(variant: Variant) -> u32 {
    match variant {
        Variant::Fangqi => 6,
        _ => 8,
    }
}

/// Reads the positions of an EPD or FEN file, checked and in the library's own form. Empty lines and those that begin with `#` are
/// skipped.
///
/// # Errors
/// Names the first line that is no position to play from.
pub fn read_epd(variant: Variant, text: &str) -> Result<Vec<String>, BookError> {
    let mut fens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let (line, number) = (line.trim(), index + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let game =
            Game::from_fen(variant, &epd_to_fen(line)).map_err(|source| BookError::Line { line: number, source })?;
        if game.result().outcome != Outcome::Ongoing {
            return Err(BookError::Over(number));
        }
        fens.push(game.fen());
    }
    Ok(fens)
}

/// Four fields of a FEN, then either the two counters or operations, of which `hmvc` and `fmvn` are the counters.
pub(crate) fn epd_to_fen(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (position, rest) = words.split_at_checked(4).unwrap_or((&words, &[]));
    let is_number = |w: &&str| w.parse::<u32>().is_ok();
    if rest.first().is_none_or(is_number) {
        return words.iter().take(6).map(|w| w.trim_end_matches(';')).collect::<Vec<_>>().join(" ");
    }
    let operations = rest.join(" ");
    let operand = |name: &str| {
        let operation = operations.split(';').map(str::trim).find_map(|o| o.strip_prefix(name)?.strip_prefix(' '));
        operation.and_then(|value| value.trim().parse::<u32>().ok())
    };
    format!("{} {} {}", position.join(" "), operand("hmvc").unwrap_or(0), operand("fmvn").unwrap_or(1))
}

/// A FEN with its two counters as operations; that of two boards is left as it is.
pub(crate) fn fen_to_epd(fen: &str) -> String {
    match fen.split_whitespace().collect::<Vec<_>>().as_slice() {
        [position @ .., halfmoves, number] if position.len() == 4 => {
            format!("{} hmvc {halfmoves}; fmvn {number};", position.join(" "))
        }
        _ => fen.to_owned(),
    }
}

/// Openings by random legal moves from the start position, all different.
#[derive(Debug)]
pub struct RandomOpenings {
    variant: Variant,
    plies: u32,
    rng: SplitMix64,
    found: Vec<String>,
    seen: HashSet<u64>,
}

/// Attempts in a row that may give nothing new before the openings count as exhausted.
const ATTEMPTS: usize = 10_000;

impl RandomOpenings {
    /// A sequence of openings `plies` long.
    pub fn new(variant: Variant, plies: u32, seed: u64) -> RandomOpenings {
        RandomOpenings { variant, plies, rng: SplitMix64::new(seed), found: Vec::new(), seen: HashSet::new() }
    }

    /// The FEN of opening number `index`, from 0.
    ///
    /// # Errors
    /// There are not that many.
    pub fn fen(&mut self, index: u64) -> Result<String, BookError> {
        let index = index as usize;
        while self.found.len() <= index {
            let new = (0..ATTEMPTS).find_map(|_| self.attempt());
            let Some(fen) = new else {
                return Err(BookError::Exhausted { found: self.found.len(), plies: self.plies });
            };
            self.found.push(fen);
        }
        Ok(self.found.get(index).cloned().unwrap_or_default())
    }

    /// One random line; `None` when it ends the game, leaves the side to move in check, or is known.
    fn attempt(&mut self) -> Option<String> {
        let mut game = Game::new(self.variant);
        for _ in 0..self.plies {
            let moves = game.legal_moves();
            game.push(*moves.get(self.rng.below(moves.len()))?);
            if game.result().outcome != Outcome::Ongoing {
                return None;
            }
        }
        if game.in_check() {
            return None;
        }
        let fen = game.fen();
        self.seen.insert(position_hash(&fen)).then_some(fen)
    }
}

/// Hash of a position without its counters.
pub(super) fn position_hash(fen: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    fen.split_whitespace().take(4).for_each(|field| field.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_forms() {
        assert_eq!(epd_to_fen("b w - - 3 7"), "b w - - 3 7");
        assert_eq!(epd_to_fen("b w - - hmvc 3; fmvn 7; id \"x\";"), "b w - - 3 7");
        assert_eq!(epd_to_fen("b w - - id \"x\";"), "b w - - 0 1");
        assert_eq!(epd_to_fen("b w - -"), "b w - -");
        assert_eq!(epd_to_fen("b w"), "b w");
        assert_eq!(fen_to_epd("b w - - 3 7"), "b w - - hmvc 3; fmvn 7;");
        assert_eq!(fen_to_epd("b w - - 3 7 | b w - - 0 1"), "b w - - 3 7 | b w - - 0 1");
        assert_eq!(epd_to_fen("b w - - 3 7;"), "b w - - 3 7");
    }

    #[test]
    fn games_as_openings() {
        let text = "1. d4 a1 2. d5 *\n\n[FEN \"7/7/7/7/7/7/p6[P] w - - 0 1\"]\n\n1. d4 1-0\n";
        let lengths = |plies| -> Vec<usize> {
            let games = read_pgn(Variant::Fangqi, text, plies).unwrap();
            games.iter().map(|g| g.moves().len()).collect()
        };
        assert_eq!((lengths(0), lengths(2)), (vec![3, 0], vec![2, 0]));
        let error = read_pgn(Variant::Xiangqi, "[Variant \"fangqi\"]\n\n1. d4 *", 0).unwrap_err();
        assert!(error.to_string().contains("fangqi"), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let openings = Openings { file: "no/such/file.epd".into(), ..Openings::default() };
        let error = Book::open(Variant::Xiangqi, &openings, 1).unwrap_err();
        assert!(error.to_string().contains("no/such/file.epd"));
    }

    #[test]
    fn start_position_without_a_book() {
        let mut book = Book::open(Variant::Supply, &Openings::default(), 1).unwrap();
        assert_eq!(book.game(7).unwrap().fen(), Game::new(Variant::Supply).fen());
    }
}
