//! A game of any variant, for callers that learn the variant at run time.
use super::error::{FenError, MoveError};
use super::fangqi::{Fangqi, PreviewText};
use super::moves::Move;
use super::position::Position;
use super::record::Record;
use super::result::GameResult;
use super::supply::Supply;
use super::text::{Notation, RankBase};
use super::variant::Variant;
use super::xiangqi::Xiangqi;
use super::yangqi::{Yangqi, YangqiNoSwap};
use crate::board::Color;

/// A game in progress of one of the one-board variants.
#[derive(Debug, Clone)]
pub enum Game {
    /// Plain xiangqi.
    Xiangqi(Record<Xiangqi>),
    /// Supply Xiangqi, one board.
    Supply(Record<Supply>),
    /// Yáng Qí.
    Yangqi(Record<Yangqi>),
    /// Xinjiang Fangqi.
    Fangqi(Record<Fangqi>),
    /// Yáng Qí without swaps.
    YangqiNoSwap(Record<YangqiNoSwap>),
}

/// Runs one expression for whatever game it is, statically dispatched: `with_game!(game, record => record.position().fen())`.
#[macro_export]
macro_rules! with_game {
    ($game:expr, $record:ident => $body:expr) => {
        match $game {
            $crate::games::Game::Xiangqi($record) => $body,
            $crate::games::Game::Supply($record) => $body,
            $crate::games::Game::Yangqi($record) => $body,
            $crate::games::Game::Fangqi($record) => $body,
            $crate::games::Game::YangqiNoSwap($record) => $body,
        }
    };
}

impl Game {
    /// A game from the variant's start position.
    pub fn new(variant: Variant) -> Game {
        match variant {
            Variant::Xiangqi => Game::Xiangqi(Record::new(Position::start())),
            Variant::Supply => Game::Supply(Record::new(Position::start())),
            Variant::Yangqi => Game::Yangqi(Record::new(Position::start())),
            Variant::Fangqi => Game::Fangqi(Record::new(Position::start())),
            Variant::YangqiNoSwap => Game::YangqiNoSwap(Record::new(Position::start())),
        }
    }

    /// A game from a set-up position.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Game, FenError> {
        Ok(match variant {
            Variant::Xiangqi => Game::Xiangqi(Record::new(Position::from_fen(fen)?)),
            Variant::Supply => Game::Supply(Record::new(Position::from_fen(fen)?)),
            Variant::Yangqi => Game::Yangqi(Record::new(Position::from_fen(fen)?)),
            Variant::Fangqi => Game::Fangqi(Record::new(Position::from_fen(fen)?)),
            Variant::YangqiNoSwap => Game::YangqiNoSwap(Record::new(Position::from_fen(fen)?)),
        })
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        fn of<P: Position>(_: &Record<P>) -> Variant {
            P::VARIANT
        }
        with_game!(self, r => of(r))
    }

    /// FEN of the current position.
    pub fn fen(&self) -> String {
        with_game!(self, r => r.position().fen())
    }

    /// FEN of the position the game began at.
    pub fn start_fen(&self) -> String {
        with_game!(self, r => r.start().fen())
    }

    /// Side to move.
    pub fn side(&self) -> Color {
        with_game!(self, r => r.position().side())
    }

    /// The side to move is in check.
    pub fn in_check(&self) -> bool {
        with_game!(self, r => r.position().in_check())
    }

    /// Moves played so far.
    pub fn moves(&self) -> &[Move] {
        with_game!(self, r => r.moves())
    }

    /// Legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        with_game!(self, r => r.position().legal_moves().to_vec())
    }

    /// The result by every rule of the game.
    pub fn result(&self) -> GameResult {
        with_game!(self, r => r.result())
    }

    /// Plays a legal move.
    pub fn push(&mut self, mv: Move) {
        with_game!(self, r => r.push(mv))
    }

    /// Reads and plays a move; on an error nothing changes.
    ///
    /// # Errors
    /// As [`Position::parse_move`].
    pub fn push_text(&mut self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        with_game!(self, r => r.push_text(text, base))
    }

    /// Takes the last move back; false when there is none.
    pub fn undo(&mut self) -> bool {
        with_game!(self, r => r.undo())
    }

    /// A legal move as text.
    pub fn move_text(&self, mv: Move, base: RankBase) -> String {
        with_game!(self, r => r.position().move_text(mv, base))
    }

    /// Reads a legal move.
    ///
    /// # Errors
    /// As [`Position::parse_move`].
    pub fn parse_move(&self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        with_game!(self, r => r.position().parse_move(text, base))
    }

    /// FQ-8: what a placement would complete and capture; `None` for an illegal move and in every other game.
    pub fn preview(&self, mv: Move, base: RankBase) -> Option<PreviewText> {
        match self {
            Game::Fangqi(record) => record.position().preview(mv).map(|preview| preview.text(base)),
            _ => None,
        }
    }

    /// A legal move in the game's notation.
    pub fn san(&self, mv: Move, notation: Notation) -> String {
        with_game!(self, r => r.position().san(mv, notation))
    }
}
