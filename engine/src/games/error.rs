//! What can be wrong with text that should be a position or a move.
use thiserror::Error;

/// Why a FEN is refused. Every variant carries the offending text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FenError {
    /// No field at all, or no side to move.
    #[error("FEN `{0}` has no side to move")]
    Short(String),
    /// A field that is not what stands at its place.
    #[error("FEN {field} `{text}`: {why}")]
    Field {
        /// Which field: board, holdings, side, en passant, half-move counter, full-move number.
        field: &'static str,
        /// The text found there.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// Well-formed, but not a position that the game's set-up rule allows.
    #[error("position refused ({rule}): {why}")]
    Setup {
        /// Id of the rule, as in `protocol-docs/rules/`.
        rule: &'static str,
        /// What is wrong, naming squares and pieces.
        why: String,
    },
}

impl FenError {
    /// A [`FenError::Field`].
    pub fn field(field: &'static str, text: impl Into<String>, why: impl Into<String>) -> FenError {
        FenError::Field { field, text: text.into(), why: why.into() }
    }

    /// A [`FenError::Setup`].
    pub fn setup(rule: &'static str, why: impl Into<String>) -> FenError {
        FenError::Setup { rule, why: why.into() }
    }
}

/// Why a move word is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Not the form of a move of this game.
    #[error("`{0}` is not a move")]
    Syntax(String),
    /// A move that the rules do not allow here.
    #[error("illegal move `{0}`")]
    Illegal(String),
}
