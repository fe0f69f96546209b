//! What can go wrong with an engine process.
use std::time::Duration;
use thiserror::Error;

/// Why an engine did not do what it was asked. After any of these the process is of no further use and is best dropped.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The process could not be started.
    #[error("cannot start `{command}`: {source}")]
    Spawn {
        /// The command as it was given.
        command: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// No answer in time. The process may still live.
    #[error("no answer to `{request}` within {} ms", after.as_millis())]
    Timeout {
        /// What was asked.
        request: &'static str,
        /// How long was waited.
        after: Duration,
    },
    /// The process has ended or closed its output.
    #[error("the process has ended ({status})")]
    Died {
        /// Exit status as far as it is known.
        status: String,
    },
    /// The pipe to the process failed.
    #[error("pipe: {0}")]
    Pipe(#[from] std::io::Error),
    /// It does not play the variant.
    #[error("it does not play `{0}`")]
    Variant(String),
    /// It only plays from the start position.
    #[error(
        "it cannot be given positions (no feature `setboard`); of openings it can only play those of a PGN file that begin at the start position"
    )]
    NoSetUp,
    /// It does not accept the position that it is to begin at.
    #[error("it refuses the opening: {0}")]
    Position(String),
    /// A file for the engine's error output could not be opened.
    #[error("cannot write `{path}`: {source}")]
    File {
        /// Its path.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
}

impl EngineError {
    /// The process is gone, as opposed to silent.
    pub fn is_death(&self) -> bool {
        !matches!(self, EngineError::Timeout { .. })
    }
}
