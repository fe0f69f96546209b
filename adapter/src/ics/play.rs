//! The boards of a match and their rules, one board or two.
use super::kind::Kind;
use super::view::View;
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove};
use sanqi::games::xiangqi::piece::PieceType;
use sanqi::games::{Game, GameResult, Move, Outcome, Position, RankBase};

/// The boards as they stand.
#[derive(Debug, Clone)]
pub(super) enum Play {
    /// One board.
    One(Box<Game>),
    /// The two boards of `supply2`.
    Two(Box<TeamGame>),
}

/// A piece that has crossed to the other board: whose reserve there, and its letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) board: BoardId,
    pub(super) side: Color,
    pub(super) letter: char,
}

impl Play {
    /// The start of a game.
    pub(super) fn new(kind: Kind) -> Play {
        match kind {
            Kind::Supply2 => Play::Two(Box::default()),
            kind => Play::One(Box::new(Game::new(kind.board()))),
        }
    }

    /// FEN of a board.
    pub(super) fn fen(&self, board: BoardId) -> String {
        match self {
            Play::One(game) => game.fen(),
            Play::Two(game) => game.position(board).fen(),
        }
    }

    /// FEN of everything, both boards with a bar between them.
    pub(super) fn whole_fen(&self) -> String {
        match self {
            Play::One(game) => game.fen(),
            Play::Two(game) => game.fen(),
        }
    }

    /// A board as it is shown.
    pub(super) fn view(&self, board: BoardId) -> View {
        View::of_fen(&self.fen(board))
    }

    /// The side to move.
    pub(super) fn side(&self, board: BoardId) -> Color {
        match self {
            Play::One(game) => game.side(),
            Play::Two(game) => game.position(board).side(),
        }
    }

    /// Reads a legal move.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(&self, board: BoardId, text: &str, base: RankBase) -> Result<Move, String> {
        match self {
            Play::One(game) => game.parse_move(text, base).map_err(|error| error.to_string()),
            Play::Two(game) if game.has_ended(board) => Err(format!("board {board} has ended")),
            Play::Two(game) => game.position(board).parse_move(text, base).map_err(|error| error.to_string()),
        }
    }

    /// A legal move as text.
    pub(super) fn text(&self, board: BoardId, mv: Move, base: RankBase) -> String {
        match self {
            Play::One(game) => game.move_text(mv, base),
            Play::Two(game) => game.position(board).move_text(mv, base),
        }
    }

    /// A legal move as engines are told it: ranks from 1, and with two boards the number of the board in front.
    pub(super) fn word(&self, board: BoardId, mv: Move) -> String {
        let text = self.text(board, mv, RankBase::One);
        match self {
            Play::One(_) => text,
            Play::Two(_) => format!("{board}{text}"),
        }
    }

    /// Reads what [`Play::word`] writes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse_word(&self, word: &str) -> Result<(BoardId, Move), String> {
        match self {
            Play::One(_) => self.parse(BoardId::One, word, RankBase::One).map(|mv| (BoardId::One, mv)),
            Play::Two(game) => {
                let TeamMove { board, mv } = game.parse_move(word, RankBase::One).map_err(|error| error.to_string())?;
                Ok((board, mv))
            }
        }
    }

    /// Plays a legal move.
    pub(super) fn push(&mut self, board: BoardId, mv: Move) -> Option<Arrival> {
        match self {
            Play::One(game) => {
                game.push(mv);
                None
            }
            Play::Two(game) => {
                let enemy = !game.position(board).side();
                // The move has been read as a legal one.
                let captured = game.push(TeamMove { board, mv }).ok().flatten()?;
                Some(Arrival { board: board.other(), side: enemy, letter: PieceType::letter(captured) })
            }
        }
    }

    /// How the rules have ended a board, if they have.
    pub(super) fn result(&self, board: BoardId) -> GameResult {
        match self {
            Play::One(game) => game.result(),
            Play::Two(game) => game.result(board),
        }
    }

    /// Ends a board from outside (SX-6).
    pub(super) fn end(&mut self, board: BoardId, outcome: Outcome) {
        if let Play::Two(game) = self {
            // A board that has ended already keeps its result.
            let _ = game.end(board, outcome);
        }
    }

    /// The points of both teams and the result of the match; `None` with one board.
    pub(super) fn score(&self) -> Option<([u32; 2], Outcome)> {
        match self {
            Play::One(_) => None,
            Play::Two(game) => Some((game.score(), game.match_outcome())),
        }
    }
}
