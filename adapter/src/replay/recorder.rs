//! A match in progress and what a replay says about each of its turns: the one place where events, timeline, result and score are
//! computed. The writer keeps what it gives, the checker compares with it.
use super::error::ReplayError;
use super::format::{BoardResult, Event, EventKind, Extra, MatchResult, Reserves, Score, SupplyChange, SupplyEntry};
use super::values::{BoardOutcome, EndReason, MatchOutcome, Milliseconds, Piece, Point, Seat};
use sanqi::board::Color;
use sanqi::board::bitboard::SQUARES;
use sanqi::games::supply::team::{BoardId, TeamError, TeamGame, TeamMove};
use sanqi::games::xiangqi::piece::{PieceType, code};
use sanqi::games::{Outcome, Position};

/// Clock and time of a turn, where known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timing {
    /// The clock of the seat after its turn, increment included.
    pub clock: Option<Milliseconds>,
    /// When the turn was made, since the start of the match.
    pub time: Option<Milliseconds>,
}

/// A match in progress.
#[derive(Debug, Clone)]
pub(super) struct Recorder {
    game: TeamGame,
    /// Turns made on each board.
    turns: [usize; 2],
    ends: [Option<BoardResult>; 2],
    last_time: Option<Milliseconds>,
}

impl Recorder {
    /// A match that begins like this.
    pub(super) fn new(game: TeamGame) -> Recorder {
        let mut recorder = Recorder { game, turns: [0; 2], ends: [None, None], last_time: None };
        BoardId::ALL.into_iter().for_each(|board| recorder.note_end(board, None));
        recorder
    }

    /// The match as it stands.
    pub(super) fn game(&self) -> &TeamGame {
        &self.game
    }

    /// Events so far.
    pub(super) fn events(&self) -> usize {
        self.game.moves().len()
    }

    /// The latest time of an event or an end so far.
    pub(super) fn last_time(&self) -> Option<Milliseconds> {
        self.last_time
    }

    /// How a board has ended, if it has.
    pub(super) fn end_of(&self, board: BoardId) -> Option<&BoardResult> {
        match board {
            BoardId::One => self.ends[0].as_ref(),
            BoardId::Two => self.ends[1].as_ref(),
        }
    }

    fn set_end(&mut self, board: BoardId, end: BoardResult) {
        match board {
            BoardId::One => self.ends[0] = Some(end),
            BoardId::Two => self.ends[1] = Some(end),
        }
    }

    /// Notes that the rules have ended a board.
    fn note_end(&mut self, board: BoardId, time_ms: Option<Milliseconds>) {
        let result = self.game.result(board);
        if result.outcome != Outcome::Ongoing && self.end_of(board).is_none() {
            let end = BoardResult {
                outcome: result.outcome.into(),
                reason: result.reason.into(),
                after_event: Some(self.events()),
                time_ms,
                extra: Extra::new(),
            };
            self.set_end(board, end);
        }
    }

    /// Plays a turn; gives its event and the change of a reserve that it causes.
    pub(super) fn play(&mut self, played: TeamMove, timing: Timing) -> Result<(Event, Option<SupplyEntry>), TeamError> {
        let TeamMove { board, mv } = played;
        let color = self.game.position(board).side();
        let from = Some(mv.from()).filter(|&from| usize::from(from) < SQUARES);
        // A legal move either has a piece on its origin or drops a type of the reserve.
        let moved = from.and_then(|from| self.game.position(board).piece_at(from));
        let dropped = usize::from(mv.from()).checked_sub(SQUARES).and_then(|index| PieceType::ALL.get(index));
        let captured = self.game.push(played)?;
        let piece = moved
            .map_or_else(|| Piece { color, kind: dropped.copied().unwrap_or(PieceType::Soldier) }, Piece::from_code);
        let captured = captured.map(|kind| Piece { color: !color, kind });
        let turns = match board {
            BoardId::One => &mut self.turns[0],
            BoardId::Two => &mut self.turns[1],
        };
        *turns += 1;
        let event = Event {
            number: self.game.moves().len(),
            kind: if from.is_some() { EventKind::Move } else { EventKind::Drop },
            board,
            seat: Seat::of(board, color),
            side: color.into(),
            ply: *turns,
            piece,
            from: from.map(Point::of_square),
            to: Point::of_square(mv.to()),
            captured,
            reserves_after: Reserves::of(&self.game),
            clock_ms: timing.clock,
            time_ms: timing.time,
            comments: Vec::new(),
            extra: Extra::new(),
        };
        self.last_time = self.last_time.max(timing.time);
        self.note_end(board, timing.time);
        // WHW-SXQ-002: the captured piece goes, with its colour, to the other board.
        let change = match (captured, event.kind) {
            (Some(piece), _) => Some((SupplyChange::Received, board.other(), piece)),
            (None, EventKind::Drop) => Some((SupplyChange::Dropped, board, piece)),
            (None, EventKind::Move) => None,
        };
        let supply = change.map(|(change, board, piece)| SupplyEntry {
            event: event.number,
            change,
            board,
            seat: Seat::of(board, piece.color),
            side: piece.color.into(),
            piece,
            reserve: reserve_of(&self.game, board, piece.color),
            time_ms: timing.time,
            extra: Extra::new(),
        });
        Ok((event, supply))
    }

    /// Ends a board from outside (SX-6).
    ///
    /// # Errors
    /// The board has ended already, or that reason cannot end a board so.
    pub(super) fn end(
        &mut self,
        board: BoardId,
        outcome: BoardOutcome,
        reason: EndReason,
        time_ms: Option<Milliseconds>,
    ) -> Result<(), ReplayError> {
        if !reason.allows(outcome) {
            return Err(ReplayError::Ending(format!("board {board} cannot end as `{outcome}` by `{reason}`")));
        }
        self.game.end(board, outcome.into()).map_err(|error| ReplayError::Ending(error.to_string()))?;
        self.last_time = self.last_time.max(time_ms);
        let after_event = Some(self.events());
        self.set_end(board, BoardResult { outcome, reason, after_event, time_ms, extra: Extra::new() });
        Ok(())
    }

    /// The result as it stands.
    pub(super) fn result(&self) -> MatchResult {
        let board = |board| self.end_of(board).cloned().unwrap_or_else(BoardResult::unfinished);
        MatchResult {
            outcome: MatchOutcome::from(self.game.match_outcome()),
            board1: board(BoardId::One),
            board2: board(BoardId::Two),
            extra: Extra::new(),
        }
    }

    /// The score as it stands.
    pub(super) fn score(&self) -> Score {
        let [team1, team2] = self.game.score();
        Score { team1, team2, extra: Extra::new() }
    }
}

/// One seat's reserve, in the order of FEN holdings.
pub(super) fn reserve_of(game: &TeamGame, board: BoardId, color: Color) -> String {
    let position = game.position(board);
    let letters = PieceType::ALL.into_iter().flat_map(|kind| {
        let letter = Piece::from_code(code(color, kind)).letter();
        (0..position.reserve(color, kind)).map(move |_| letter)
    });
    letters.collect()
}
