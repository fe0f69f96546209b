//! A position of any game, of one board or of two, as analysis needs it.
use sanqi::board::Color;
use sanqi::games::fangqi::PreviewText;
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove};
use sanqi::games::{Game, GameResult, Move, Notation, Outcome, Position, RankBase, Variant};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A game by the name that `UCI_Variant` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyVariant {
    /// A game on one board.
    One(Variant),
    /// Supply Xiangqi on two boards.
    Supply2,
}

impl AnyVariant {
    /// FEN of the start position.
    pub fn start_fen(self) -> String {
        match self {
            AnyVariant::One(variant) => Game::new(variant).fen(),
            AnyVariant::Supply2 => TeamGame::new().fen(),
        }
    }
}

impl fmt::Display for AnyVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyVariant::One(variant) => variant.fmt(f),
            AnyVariant::Supply2 => f.write_str("supply2"),
        }
    }
}

/// A name that is no game's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant `{0}` (known: xiangqi, supply, supply2, yangqi, fangqi)")]
pub struct UnknownGame(String);

impl FromStr for AnyVariant {
    type Err = UnknownGame;
    fn from_str(text: &str) -> Result<AnyVariant, UnknownGame> {
        if text.eq_ignore_ascii_case("supply2") {
            return Ok(AnyVariant::Supply2);
        }
        text.parse().map(AnyVariant::One).map_err(|_| UnknownGame(text.to_owned()))
    }
}

impl Serialize for AnyVariant {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AnyVariant {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<AnyVariant, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A position as it was given, not yet looked into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The game.
    pub variant: AnyVariant,
    /// FEN before the moves; the start position when `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves from there, ranks from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Boards of `supply2` that were ended from outside: number and result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<(String, String)>,
    /// The board of `supply2` that is asked about, 1 or 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
}

impl Source {
    /// A position set up by a FEN.
    pub fn of_fen(variant: AnyVariant, fen: &str) -> Source {
        Source { variant, start: Some(fen.to_owned()), moves: Vec::new(), over: Vec::new(), board: None }
    }

    /// Reads the words of a `position` command after the word itself: `startpos` or `fen FEN`, then `moves …`, then `over N RESULT`.
    ///
    /// # Errors
    /// Neither `startpos` nor `fen`, or a word where none may stand.
    pub fn of_command(variant: AnyVariant, text: &str) -> Result<Source, String> {
        let mut words = text.split_whitespace().peekable();
        let mut take = |until: &[&str]| {
            let mut taken = Vec::new();
            while let Some(word) = words.next_if(|word| !until.contains(word)) {
                taken.push(word);
            }
            (taken, words.next())
        };
        let (head, next) = take(&["moves", "over"]);
        let start = match head.split_first() {
            Some((&"startpos", [])) => None,
            Some((&"fen", fen)) if !fen.is_empty() => Some(fen.join(" ")),
            _ => return Err(format!("position `{}`: expected startpos or fen", head.join(" "))),
        };
        let (moves, mut next) = if next == Some("moves") { take(&["over"]) } else { (Vec::new(), next) };
        let mut over = Vec::new();
        while next.is_some() {
            let (words, after) = take(&["over"]);
            let [board, result] = words.as_slice() else {
                return Err(format!("over `{}`: expected a board and its result", words.join(" ")));
            };
            over.push(((*board).to_owned(), (*result).to_owned()));
            next = after;
        }
        Ok(Source { variant, start, moves: moves.into_iter().map(str::to_owned).collect(), over, board: None })
    }

    /// Plays the moves by the rules.
    ///
    /// # Errors
    /// What is wrong, naming the offending part.
    pub fn open(&self) -> Result<AnyGame, String> {
        match self.variant {
            AnyVariant::One(variant) => {
                if !self.over.is_empty() || self.board.is_some() {
                    return Err(format!("only supply2 has boards to be named, {variant} has one"));
                }
                let mut game = match &self.start {
                    None => Game::new(variant),
                    Some(fen) => Game::from_fen(variant, fen).map_err(|error| error.to_string())?,
                };
                for (index, word) in self.moves.iter().enumerate() {
                    game.push_text(word, RankBase::One).map_err(|error| format!("move {}: {error}", index + 1))?;
                }
                Ok(AnyGame::One(Box::new(game)))
            }
            AnyVariant::Supply2 => {
                let mut game = match &self.start {
                    None => TeamGame::new(),
                    Some(fen) => TeamGame::from_fen(fen).map_err(|error| error.to_string())?,
                };
                for (index, word) in self.moves.iter().enumerate() {
                    let played = game.parse_move(word, RankBase::One).and_then(|mv| game.push(mv));
                    played.map_err(|error| format!("move {}: {error}", index + 1))?;
                }
                for (board, result) in &self.over {
                    let bad = || format!("over {board} {result}: expected 1 or 2, and 1-0, 0-1 or 1/2-1/2");
                    let board = BoardId::from_number(board).ok_or_else(bad)?;
                    let outcome = read_outcome(result).ok_or_else(bad)?;
                    game.end(board, outcome).map_err(|error| format!("over {board}: {error}"))?;
                }
                let board = match self.board {
                    None => game.first_running().unwrap_or(BoardId::One),
                    Some(2) => BoardId::Two,
                    Some(_) => BoardId::One,
                };
                Ok(AnyGame::Two(Box::new(game), board))
            }
        }
    }
}

fn read_outcome(text: &str) -> Option<Outcome> {
    [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw]
        .into_iter()
        .find(|outcome| outcome.to_string() == text)
}

/// A game in progress, and for two boards the one that is asked about.
#[derive(Debug, Clone)]
pub enum AnyGame {
    /// On one board.
    One(Box<Game>),
    /// On two boards.
    Two(Box<TeamGame>, BoardId),
}

impl AnyGame {
    /// The game.
    pub fn variant(&self) -> AnyVariant {
        match self {
            AnyGame::One(game) => AnyVariant::One(game.variant()),
            AnyGame::Two(..) => AnyVariant::Supply2,
        }
    }

    /// FEN of the position, of both boards where there are two.
    pub fn fen(&self) -> String {
        match self {
            AnyGame::One(game) => game.fen(),
            AnyGame::Two(game, _) => game.fen(),
        }
    }

    /// The side to move, on the board that is asked about.
    pub fn side(&self) -> Color {
        match self {
            AnyGame::One(game) => game.side(),
            AnyGame::Two(game, board) => game.position(*board).side(),
        }
    }

    /// The result of the game, of the board that is asked about where there are two.
    pub fn result(&self) -> GameResult {
        match self {
            AnyGame::One(game) => game.result(),
            AnyGame::Two(game, board) => game.result(*board),
        }
    }

    /// The side to move is in check.
    pub fn in_check(&self) -> bool {
        match self {
            AnyGame::One(game) => game.in_check(),
            AnyGame::Two(game, board) => game.position(*board).in_check(),
        }
    }

    /// Legal moves, on the board that is asked about.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self {
            AnyGame::One(game) => game.legal_moves(),
            AnyGame::Two(game, board) => game.legal_moves(*board),
        }
    }

    /// A legal move as text with ranks from 1, on two boards with the number of its board.
    pub fn move_text(&self, mv: Move) -> String {
        match self {
            AnyGame::One(game) => game.move_text(mv, RankBase::One),
            AnyGame::Two(game, board) => game.move_text(TeamMove { board: *board, mv }, RankBase::One),
        }
    }

    /// A legal move in the game's notation.
    pub fn san(&self, mv: Move) -> String {
        match self {
            AnyGame::One(game) => game.san(mv, Notation::Native),
            AnyGame::Two(game, board) => game.position(*board).san(mv, Notation::Native),
        }
    }

    /// FQ-8: what a placement would complete and capture; `None` in every other game.
    pub fn preview(&self, mv: Move) -> Option<PreviewText> {
        match self {
            AnyGame::One(game) => game.preview(mv, RankBase::One),
            AnyGame::Two(..) => None,
        }
    }

    /// Plays moves as an engine writes them, and gives them with ranks from 1 and in the game's notation, up to the first that is
    /// not legal.
    pub fn line(&self, words: &[String], base: RankBase) -> (Vec<String>, Vec<String>) {
        let mut game = self.clone();
        let (mut moves, mut san) = (Vec::with_capacity(words.len()), Vec::with_capacity(words.len()));
        for word in words {
            let Some((text, written)) = game.play(word, base) else { break };
            moves.push(text);
            san.push(written);
        }
        (moves, san)
    }

    /// Plays a move; gives it as text and in the game's notation.
    fn play(&mut self, word: &str, base: RankBase) -> Option<(String, String)> {
        match self {
            AnyGame::One(game) => {
                let mv = game.parse_move(word, base).ok()?;
                let written = (game.move_text(mv, RankBase::One), game.san(mv, Notation::Native));
                game.push(mv);
                Some(written)
            }
            AnyGame::Two(game, _) => {
                let played = game.parse_move(word, base).ok()?;
                let san = game.position(played.board).san(played.mv, Notation::Native);
                let written = (game.move_text(played, RankBase::One), san);
                game.push(played).ok()?;
                Some(written)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const XIANGQI: AnyVariant = AnyVariant::One(Variant::Xiangqi);

    #[test]
    fn position_commands() {
        let source = Source::of_command(AnyVariant::Supply2, "startpos moves 1h3h10 over 1 0-1").unwrap();
        assert_eq!((source.moves.len(), source.over.len(), &source.start), (1, 1, &None));
        let AnyGame::Two(game, board) = source.open().unwrap() else { panic!("two boards") };
        assert_eq!((game.result(BoardId::One).outcome, board), (Outcome::Win(Color::Black), BoardId::Two));
        let source = Source::of_command(XIANGQI, "fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d1d2").unwrap();
        assert!(source.open().unwrap().fen().starts_with("4k4/9/9/9/9/9/9/9/3K5/9 b"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |variant, text: &str| Source::of_command(variant, text).and_then(|s| s.open()).unwrap_err();
        for (text, part) in [
            ("", "expected startpos or fen"),
            ("endpos", "endpos"),
            ("startpos moves h3e3 h3e3", "move 2: illegal move `h3e3`"),
            ("fen 9/9 w", "9/9"),
            ("startpos over 1 1-0", "only supply2"),
        ] {
            let found = error(XIANGQI, text);
            assert!(found.contains(part), "{text}: {found}");
        }
        for (text, part) in [
            ("startpos moves h3e3", "`h3e3`"),
            ("startpos over 3 1-0", "over 3 1-0"),
            ("startpos over 1 1-0 over 1 1-0", "board 1 has ended"),
            ("startpos over 1", "expected a board and its result"),
        ] {
            let found = error(AnyVariant::Supply2, text);
            assert!(found.contains(part), "{text}: {found}");
        }
    }

    #[test]
    fn lines_end_at_the_first_illegal_word() {
        let game = Source::of_command(XIANGQI, "startpos").unwrap().open().unwrap();
        let words = ["h2e2", "h9g7", "a0a9"].map(str::to_owned);
        let (moves, san) = game.line(&words, RankBase::Zero);
        assert_eq!(moves, ["h3e3", "h10g8"]);
        assert_eq!(san, ["C2=5", "H8+7"]);
    }
}
