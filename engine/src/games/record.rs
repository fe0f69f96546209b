//! A game in progress: where it began, the moves since, and what the repetition rules must remember.
use super::error::MoveError;
use super::moves::Move;
use super::position::{Position, Repetition};
use super::result::{GameResult, Outcome, Reason};
use super::text::RankBase;

/// What a repetition rule has to know about an earlier position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Past {
    /// Its Zobrist key.
    pub key: u64,
    /// Its side to move was in check, that is, the move that led to it gave check.
    pub check: bool,
}

impl Past {
    /// What is to be remembered of `position`.
    pub fn of<P: Position>(position: &P) -> Past {
        Past { key: position.key(), check: position.in_check() }
    }
}

/// How the third occurrence of a position is judged (XQ-2, YQ-8). `line` holds every position of the game in order, the current
/// one last; `None` when the current one has occurred fewer than `times` times.
pub fn judge_repetition(rule: Repetition, line: &[Past], times: usize) -> Option<Judgement> {
    if matches!(rule, Repetition::Never | Repetition::Ignored) {
        return None;
    }
    let (current, earlier) = line.split_last()?;
    // Positions with the same side to move are an even number of plies apart, and the key says whose turn it is.
    let first = earlier.iter().rposition_nth(|p| p.key == current.key, times - 1)?;
    if rule == Repetition::PerpetualCheckLoses {
        // The positions after the first occurrence, alternately with the opponent and with the side to move on turn.
        let cycle = &line[first + 1..];
        let (mut mover_checks, mut other_checks) = (true, true);
        for (index, past) in cycle.iter().rev().enumerate() {
            // Index 0 is the current position: the opponent of its side to move has just moved.
            if index % 2 == 0 { other_checks &= past.check } else { mover_checks &= past.check }
        }
        if mover_checks != other_checks {
            return Some(if mover_checks { Judgement::MoverLoses } else { Judgement::MoverWins });
        }
    }
    Some(Judgement::Draw)
}

/// The verdict on a repetition, seen from the side to move in the repeated position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// Nobody is at fault, or both are.
    Draw,
    /// The opponent gave check with every move.
    MoverWins,
    /// The side to move gave check with every move.
    MoverLoses,
}

/// Finds the n-th match from the end.
trait RPositionNth {
    fn rposition_nth(self, matches: impl Fn(&Past) -> bool, n: usize) -> Option<usize>;
}

impl<'a, I: DoubleEndedIterator<Item = &'a Past> + ExactSizeIterator> RPositionNth for I {
    fn rposition_nth(self, matches: impl Fn(&Past) -> bool, n: usize) -> Option<usize> {
        self.enumerate().rev().filter(|(_, p)| matches(p)).nth(n.checked_sub(1)?).map(|(index, _)| index)
    }
}

/// A start position and the moves played from it.
#[derive(Debug, Clone)]
pub struct Record<P> {
    start: P,
    position: P,
    moves: Vec<Move>,
    line: Vec<Past>,
}

impl<P: Position> Record<P> {
    /// A game that begins at `start`.
    pub fn new(start: P) -> Record<P> {
        let line = vec![Past::of(&start)];
        Record { position: start.clone(), start, moves: Vec::new(), line }
    }

    /// A game that stands at `position` after the positions of `line`, the last of which is `position` itself. For games whose
    /// positions change by more than their own moves.
    pub fn resume(position: P, line: Vec<Past>) -> Record<P> {
        debug_assert_eq!(line.last(), Some(&Past::of(&position)));
        Record { start: position.clone(), position, moves: Vec::new(), line }
    }

    /// Where the game began.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Every position of the game in order, the current one last.
    pub fn line(&self) -> &[Past] {
        &self.line
    }

    /// Plays a legal move.
    pub fn push(&mut self, mv: Move) {
        debug_assert!(self.position.is_legal(mv));
        self.position.make(mv, &mut ());
        self.moves.push(mv);
        self.line.push(Past::of(&self.position));
    }

    /// Reads and plays a move; on an error nothing changes.
    ///
    /// # Errors
    /// As [`Position::parse_move`].
    pub fn push_text(&mut self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        let mv = self.position.parse_move(text, base)?;
        self.push(mv);
        Ok(mv)
    }

    /// Takes the last move back; false when there is none.
    pub fn undo(&mut self) -> bool {
        let Some(kept) = self.moves.len().checked_sub(1) else { return false };
        let moves = self.moves[..kept].to_vec();
        let mut replayed = Record::new(self.start.clone());
        moves.into_iter().for_each(|mv| replayed.push(mv));
        *self = replayed;
        true
    }

    /// The result by every rule of the game, repetition included.
    pub fn result(&self) -> GameResult {
        let result = self.position.result();
        if result.outcome != Outcome::Ongoing {
            return result;
        }
        let side = self.position.side();
        match judge_repetition(P::REPETITION, &self.line, 3) {
            None => GameResult::ONGOING,
            Some(Judgement::Draw) => GameResult { outcome: Outcome::Draw, reason: Reason::Repetition },
            Some(Judgement::MoverWins) => GameResult { outcome: Outcome::Win(side), reason: Reason::PerpetualCheck },
            Some(Judgement::MoverLoses) => GameResult { outcome: Outcome::Win(!side), reason: Reason::PerpetualCheck },
        }
    }
}
