//! What can be wrong with a replay, and where.
use std::fmt;
use thiserror::Error;

/// Where in a replay something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An event, counted from 1, and its field if it is about one.
    Event(usize, String),
    /// An entry of the supply timeline, counted from 1, and its field if it is about one.
    Supply(usize, String),
    /// Any other field, `result.board1.reason`; empty for the file as a whole.
    Field(String),
    /// A line of BPGN, counted from 1.
    Line(usize),
}

impl Place {
    /// A field of an event.
    pub fn event(number: usize, field: &str) -> Place {
        Place::Event(number, field.to_owned())
    }

    /// A field outside of events and timeline.
    pub fn field(path: impl Into<String>) -> Place {
        Place::Field(path.into())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (list, number, field) = match self {
            Place::Field(path) if path.is_empty() => return f.write_str("replay"),
            Place::Field(path) => return f.write_str(path),
            Place::Line(line) => return write!(f, "line {line}"),
            Place::Event(number, field) => ("event", number, field),
            Place::Supply(number, field) => ("supplyTimeline entry", number, field),
        };
        write!(f, "{list} {number}")?;
        if field.is_empty() { Ok(()) } else { write!(f, ", {field}") }
    }
}

/// What a conversion could not keep or had to change, and where in what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub place: Place,
    /// What became of it.
    pub why: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

/// Why a replay is refused.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// More bytes than are read.
    #[error("larger than {limit} bytes, the most that is read")]
    TooLarge {
        /// The most that is read, in bytes.
        limit: u64,
    },
    /// Not UTF-8.
    #[error("byte {offset}: not UTF-8")]
    Encoding {
        /// The first byte that is not, counted from 0.
        offset: usize,
    },
    /// Another format than the one that is read.
    #[error("{found}, where {expected} is expected: `{reader}` reads it")]
    Format {
        /// What it is.
        found: &'static str,
        /// What is read.
        expected: &'static str,
        /// The command that reads what it is.
        reader: &'static str,
    },
    /// Not JSON, or JSON of another shape.
    #[error("{place}: {why}")]
    Shape {
        /// Where.
        place: Place,
        /// What was expected, with line and column.
        why: String,
    },
    /// The rules give something else than what is written.
    #[error("{place}: expected {expected}, found {found}")]
    Disagreement {
        /// Where.
        place: Place,
        /// What the rules give.
        expected: String,
        /// What is written.
        found: String,
    },
    /// An event that the rules do not allow, or a position that is none.
    #[error("{place}: {why}")]
    Rule {
        /// Where.
        place: Place,
        /// What is wrong.
        why: String,
    },
    /// An end of a board that cannot be.
    #[error("{0}")]
    Ending(String),
    /// BPGN text that cannot be read.
    #[error("line {line}: {why}")]
    Bpgn {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

impl ReplayError {
    /// A [`ReplayError::Disagreement`].
    pub(super) fn disagreement(place: Place, expected: impl fmt::Display, found: impl fmt::Display) -> ReplayError {
        ReplayError::Disagreement { place, expected: expected.to_string(), found: found.to_string() }
    }

    /// A [`ReplayError::Rule`].
    pub(super) fn rule(place: Place, why: impl fmt::Display) -> ReplayError {
        ReplayError::Rule { place, why: why.to_string() }
    }
}

/// Text of a file as it may stand in a message: on one line, and not longer than can be read.
pub fn one_line(text: &str) -> String {
    const MOST: usize = 300;
    let mut line: String = text
        .chars()
        .take(MOST)
        .flat_map(|c| {
            if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { c.escape_default().collect() } else { vec![c] }
        })
        .collect();
    if text.chars().nth(MOST).is_some() {
        line.push('…');
    }
    line
}
