//! How boards and matches end.
use super::error::ReplayError;
use sanqi::board::Color;
use sanqi::games::{Outcome, Reason};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who won a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardOutcome {
    /// Red won.
    Red,
    /// Black won.
    Black,
    /// Drawn.
    Draw,
    /// The board had not ended when the replay was exported.
    Unfinished,
}

impl From<Outcome> for BoardOutcome {
    fn from(outcome: Outcome) -> BoardOutcome {
        match outcome {
            Outcome::Win(Color::White) => BoardOutcome::Red,
            Outcome::Win(Color::Black) => BoardOutcome::Black,
            Outcome::Draw => BoardOutcome::Draw,
            Outcome::Ongoing => BoardOutcome::Unfinished,
        }
    }
}

impl From<BoardOutcome> for Outcome {
    fn from(outcome: BoardOutcome) -> Outcome {
        match outcome {
            BoardOutcome::Red => Outcome::Win(Color::White),
            BoardOutcome::Black => Outcome::Win(Color::Black),
            BoardOutcome::Draw => Outcome::Draw,
            BoardOutcome::Unfinished => Outcome::Ongoing,
        }
    }
}

impl fmt::Display for BoardOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BoardOutcome::Red => "red",
            BoardOutcome::Black => "black",
            BoardOutcome::Draw => "draw",
            BoardOutcome::Unfinished => "unfinished",
        })
    }
}

/// Who won the match (WHW-SXQ-008).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchOutcome {
    /// Team 1: Red on board 1 and Black on board 2.
    Team1,
    /// Team 2.
    Team2,
    /// Equal points.
    Draw,
    /// A board had not ended when the replay was exported.
    Unfinished,
}

impl From<Outcome> for MatchOutcome {
    fn from(outcome: Outcome) -> MatchOutcome {
        match outcome {
            Outcome::Win(Color::White) => MatchOutcome::Team1,
            Outcome::Win(Color::Black) => MatchOutcome::Team2,
            Outcome::Draw => MatchOutcome::Draw,
            Outcome::Ongoing => MatchOutcome::Unfinished,
        }
    }
}

impl From<MatchOutcome> for Outcome {
    fn from(outcome: MatchOutcome) -> Outcome {
        match outcome {
            MatchOutcome::Team1 => Outcome::Win(Color::White),
            MatchOutcome::Team2 => Outcome::Win(Color::Black),
            MatchOutcome::Draw => Outcome::Draw,
            MatchOutcome::Unfinished => Outcome::Ongoing,
        }
    }
}

impl fmt::Display for MatchOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MatchOutcome::Team1 => "team1",
            MatchOutcome::Team2 => "team2",
            MatchOutcome::Draw => "draw",
            MatchOutcome::Unfinished => "unfinished",
        })
    }
}

/// How a board ended. The first three follow from the events, the others come from outside (SX-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EndReason {
    /// No legal action, in check (WHW-SXQ-006).
    Checkmate,
    /// No legal action, not in check (SX-4).
    Stalemate,
    /// One hundred turns without capture or drop (WHW-SXQ-007).
    MoveCount,
    /// The loser's time ran out.
    Flag,
    /// The loser gave up.
    Resignation,
    /// The loser tried an illegal move.
    IllegalMove,
    /// The loser's program or connection died.
    Disconnection,
    /// A draw was agreed.
    Agreement,
    /// Decided by an arbiter or by a rule of the event.
    Adjudication,
    /// The board had not ended when the replay was exported.
    Unfinished,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [EndReason; 10] = [
        EndReason::Checkmate,
        EndReason::Stalemate,
        EndReason::MoveCount,
        EndReason::Flag,
        EndReason::Resignation,
        EndReason::IllegalMove,
        EndReason::Disconnection,
        EndReason::Agreement,
        EndReason::Adjudication,
        EndReason::Unfinished,
    ];

    /// Who ended the board: the players by their moves, or something outside of them.
    pub const fn is_from_outside(self) -> bool {
        !matches!(self, EndReason::Checkmate | EndReason::Stalemate | EndReason::MoveCount | EndReason::Unfinished)
    }

    /// Whether a board can end like this from outside: an agreement draws, an adjudication may do anything, the others have a loser.
    pub const fn allows(self, outcome: BoardOutcome) -> bool {
        match outcome {
            BoardOutcome::Red | BoardOutcome::Black => self.is_from_outside() && !matches!(self, EndReason::Agreement),
            BoardOutcome::Draw => matches!(self, EndReason::Agreement | EndReason::Adjudication),
            BoardOutcome::Unfinished => false,
        }
    }
}

impl From<Reason> for EndReason {
    fn from(reason: Reason) -> EndReason {
        match reason {
            Reason::Checkmate => EndReason::Checkmate,
            Reason::Stalemate => EndReason::Stalemate,
            Reason::MoveCount => EndReason::MoveCount,
            Reason::Ongoing => EndReason::Unfinished,
            // Supply Xiangqi has no other end (SX-7).
            Reason::Repetition
            | Reason::PerpetualCheck
            | Reason::BareKings
            | Reason::NoStones
            | Reason::StoneCount
            | Reason::Adjudicated => EndReason::Adjudication,
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::MoveCount => "moveCount",
            EndReason::Flag => "flag",
            EndReason::Resignation => "resignation",
            EndReason::IllegalMove => "illegalMove",
            EndReason::Disconnection => "disconnection",
            EndReason::Agreement => "agreement",
            EndReason::Adjudication => "adjudication",
            EndReason::Unfinished => "unfinished",
        })
    }
}

impl std::str::FromStr for EndReason {
    type Err = ReplayError;
    fn from_str(text: &str) -> Result<EndReason, ReplayError> {
        let found = EndReason::ALL.into_iter().find(|reason| reason.to_string() == text);
        found.ok_or_else(|| ReplayError::Ending(format!("`{text}` is no way for a board to end")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_one_name() {
        for reason in EndReason::ALL {
            assert_eq!(reason.to_string().parse::<EndReason>().unwrap(), reason);
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.to_string());
        }
    }
}
