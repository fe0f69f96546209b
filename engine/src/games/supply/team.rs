//! The team game `supply2`: two boards, four seats, reserves crossing over.
//!
//! Team 1 has Red on board 1 and Black on board 2, team 2 the other two seats (WHW-SXQ-001). What is captured on one board goes,
//! with its colour and so with its letter, into the reserve of that colour on the other board (WHW-SXQ-002): team-mates play
//! opposite colours.
use super::Supply;
use crate::board::Color;
use crate::games::error::{FenError, MoveError};
use crate::games::moves::Move;
use crate::games::position::{Position, perft};
use crate::games::record::{Past, Record};
use crate::games::result::{GameResult, Outcome, Reason};
use crate::games::text::RankBase;
use crate::games::xiangqi::piece::{PieceType, RESERVE_TYPES, code};
use std::fmt;
use thiserror::Error;

/// One of the two boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BoardId {
    /// Board 1.
    One,
    /// Board 2.
    Two,
}

impl BoardId {
    /// Both boards.
    pub const ALL: [BoardId; 2] = [BoardId::One, BoardId::Two];

    /// 0 for board 1, 1 for board 2.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 1 or 2, as the protocol counts.
    pub const fn number(self) -> usize {
        self as usize + 1
    }

    /// The board with a number as the protocol counts.
    pub fn from_number(text: &str) -> Option<BoardId> {
        match text {
            "1" => Some(BoardId::One),
            "2" => Some(BoardId::Two),
            _ => None,
        }
    }

    /// The other board.
    pub const fn other(self) -> BoardId {
        match self {
            BoardId::One => BoardId::Two,
            BoardId::Two => BoardId::One,
        }
    }
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// The team of a seat, 1 or 2 (WHW-SXQ-001).
pub const fn team_of(board: BoardId, color: Color) -> usize {
    match (board, color) {
        (BoardId::One, Color::White) | (BoardId::Two, Color::Black) => 1,
        _ => 2,
    }
}

/// A move and the board it is made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TeamMove {
    /// The board.
    pub board: BoardId,
    /// The move or drop.
    pub mv: Move,
}

/// Why a two-board position or move is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamError {
    /// Not two FENs with a bar between them.
    #[error("`{0}` is not two FENs separated by |")]
    Bar(String),
    /// One of the FENs is refused.
    #[error("board {board}: {error}")]
    Fen {
        /// The board.
        board: BoardId,
        /// What is wrong with its FEN.
        error: FenError,
    },
    /// Both boards together hold more than both sets do (SX-9).
    #[error("position refused (SX-9): both boards together have {count} {letter}, at most {most} are allowed")]
    TooMany {
        /// The piece.
        letter: char,
        /// How many there are.
        count: u32,
        /// How many there may be.
        most: u32,
    },
    /// A move without the number of its board.
    #[error("`{0}` does not begin with the number of its board, 1 or 2")]
    NoBoard(String),
    /// The move is refused on its board.
    #[error("board {board}: {error}")]
    Move {
        /// The board.
        board: BoardId,
        /// What is wrong with the move.
        error: MoveError,
    },
    /// A move on a board that has ended (SX-6).
    #[error("board {0} has ended")]
    Ended(BoardId),
}

/// A match in progress.
#[derive(Debug, Clone)]
pub struct TeamGame {
    boards: [Supply; 2],
    /// Every position of each board, for the search's view of repetition.
    lines: [Vec<Past>; 2],
    results: [GameResult; 2],
    moves: Vec<TeamMove>,
}

impl TeamGame {
    /// The start of a match.
    pub fn new() -> TeamGame {
        TeamGame::of([Supply::start(), Supply::start()])
    }

    fn of(boards: [Supply; 2]) -> TeamGame {
        let lines = [vec![Past::of(&boards[0])], vec![Past::of(&boards[1])]];
        let results = [boards[0].result(), boards[1].result()];
        TeamGame { boards, lines, results, moves: Vec::new() }
    }

    /// Reads `FEN1 | FEN2`, blanks around the bar optional.
    ///
    /// # Errors
    /// No bar or more than one, a FEN that is refused, more pieces than two sets hold.
    pub fn from_fen(text: &str) -> Result<TeamGame, TeamError> {
        let mut halves = text.split('|');
        let (Some(first), Some(second), None) = (halves.next(), halves.next(), halves.next()) else {
            return Err(TeamError::Bar(text.trim().to_owned()));
        };
        let read = |board, fen| Supply::from_fen(fen).map_err(|error| TeamError::Fen { board, error });
        let boards = [read(BoardId::One, first)?, read(BoardId::Two, second)?];
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let count: u32 = boards.iter().map(|b| owned(b, color, kind)).sum();
                let most = 2 * kind.per_set();
                if count > most {
                    let letter = Supply::piece_letter(code(color, kind));
                    return Err(TeamError::TooMany { letter, count, most });
                }
            }
        }
        Ok(TeamGame::of(boards))
    }

    /// Writes both FENs, ` | ` between them.
    pub fn fen(&self) -> String {
        format!("{} | {}", self.boards[0].fen(), self.boards[1].fen())
    }

    /// The position on a board.
    pub fn position(&self, board: BoardId) -> &Supply {
        &self.boards[board.index()]
    }

    /// The moves played on both boards, in their order.
    pub fn moves(&self) -> &[TeamMove] {
        &self.moves
    }

    /// One board as a game for the search: where it stands and what it has seen.
    pub fn record(&self, board: BoardId) -> Record<Supply> {
        Record::resume(self.position(board).clone(), self.lines[board.index()].clone())
    }

    /// Legal moves on a board; none once it has ended.
    pub fn legal_moves(&self, board: BoardId) -> Vec<Move> {
        if self.has_ended(board) { Vec::new() } else { self.position(board).legal_moves().to_vec() }
    }

    /// Result of a board. Once it has ended nothing changes it any more (SX-2, SX-4).
    pub fn result(&self, board: BoardId) -> GameResult {
        self.results[board.index()]
    }

    /// True once a board has ended.
    pub fn has_ended(&self, board: BoardId) -> bool {
        self.result(board).outcome != Outcome::Ongoing
    }

    /// The lowest-numbered board that goes on.
    pub fn first_running(&self) -> Option<BoardId> {
        BoardId::ALL.into_iter().find(|&board| !self.has_ended(board))
    }

    /// Points of both teams: a board win scores 1, a drawn board 0 (WHW-SXQ-008, SX-6).
    pub fn score(&self) -> [u32; 2] {
        let mut score = [0; 2];
        for board in BoardId::ALL {
            if let Outcome::Win(color) = self.result(board).outcome {
                score[team_of(board, color) - 1] += 1;
            }
        }
        score
    }

    /// Result of the match: White stands for team 1. Open until both boards have ended (WHW-SXQ-008).
    pub fn match_outcome(&self) -> Outcome {
        if self.first_running().is_some() {
            return Outcome::Ongoing;
        }
        let [one, two] = self.score();
        match one.cmp(&two) {
            std::cmp::Ordering::Greater => Outcome::Win(Color::White),
            std::cmp::Ordering::Less => Outcome::Win(Color::Black),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// Ends a board from outside: flag, resignation, adjudication (SX-6). The other board plays on.
    ///
    /// # Errors
    /// The board has ended already.
    pub fn end(&mut self, board: BoardId, outcome: Outcome) -> Result<(), TeamError> {
        if self.has_ended(board) {
            return Err(TeamError::Ended(board));
        }
        self.results[board.index()] = GameResult { outcome, reason: Reason::Adjudicated };
        Ok(())
    }

    /// Plays a legal move and gives the type of the piece that it sends to the other board.
    ///
    /// # Errors
    /// The board has ended, or the move is not legal on it; nothing changes then.
    pub fn push(&mut self, played: TeamMove) -> Result<Option<PieceType>, TeamError> {
        let TeamMove { board, mv } = played;
        if self.has_ended(board) {
            return Err(TeamError::Ended(board));
        }
        let position = &mut self.boards[board.index()];
        if !position.is_legal(mv) {
            let error = MoveError::Illegal(position.move_text(mv, RankBase::One));
            return Err(TeamError::Move { board, error });
        }
        let enemy = !position.side();
        let captured = position.captured(mv).checked_sub(1).map(|index| PieceType::ALL[index]);
        position.make(mv, &mut ());
        self.results[board.index()] = position.result();
        self.lines[board.index()].push(Past::of(position));
        if let Some(kind) = captured {
            // WHW-SXQ-002; SX-2: also when this move ends its board, and into the reserve of a board that has ended.
            let other = &mut self.boards[board.other().index()];
            let received = other.receive(code(enemy, kind), &mut ());
            debug_assert!(received.is_ok(), "no more pieces than two sets");
            if let Some(last) = self.lines[board.other().index()].last_mut() {
                *last = Past::of(other);
            }
        }
        self.moves.push(played);
        Ok(captured)
    }

    /// Reads a move with the number of its board in front, `1h3e3`, `2P@a7`.
    ///
    /// # Errors
    /// No board number, an ended board, no legal move.
    pub fn parse_move(&self, text: &str, base: RankBase) -> Result<TeamMove, TeamError> {
        let (board, rest) = text
            .split_at_checked(1)
            .and_then(|(number, rest)| Some((BoardId::from_number(number)?, rest)))
            .ok_or_else(|| TeamError::NoBoard(text.to_owned()))?;
        if self.has_ended(board) {
            return Err(TeamError::Ended(board));
        }
        let mv = self.position(board).parse_move(rest, base).map_err(|error| TeamError::Move { board, error })?;
        Ok(TeamMove { board, mv })
    }

    /// A move with the number of its board in front.
    pub fn move_text(&self, played: TeamMove, base: RankBase) -> String {
        format!("{}{}", played.board, self.position(played.board).move_text(played.mv, base))
    }

    /// Leaves of the tree in which the boards take turns, beginning with `board`: 1, 2, 1, 2 … A board that has ended is passed over.
    pub fn perft(&self, board: BoardId, depth: u32) -> u64 {
        self.perft_until(board, depth, &|| false).unwrap_or(0)
    }

    /// [`TeamGame::perft`], `None` when `stopped` said so on the way.
    pub fn perft_until(&self, board: BoardId, depth: u32, stopped: &dyn Fn() -> bool) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        if stopped() {
            return None;
        }
        let board = if self.has_ended(board) { board.other() } else { board };
        let moves = self.legal_moves(board);
        if depth == 1 {
            return Some(moves.len() as u64);
        }
        let leaves = |mv| {
            let mut next = self.clone();
            match next.push(TeamMove { board, mv }) {
                Ok(_) => next.perft_until(board.other(), depth - 1, stopped),
                Err(_) => Some(0),
            }
        };
        moves.into_iter().try_fold(0u64, |sum, mv| Some(sum.saturating_add(leaves(mv)?)))
    }

    /// Leaves of the tree of one board while the other stands still.
    pub fn perft_board(&self, board: BoardId, depth: u32) -> u64 {
        perft(self.position(board), depth)
    }

    /// Pieces of both boards and all reserves; 64 in a match from the start (SX-2).
    pub fn pieces(&self) -> u32 {
        let of = |board: &Supply| -> u32 {
            Color::ALL.into_iter().flat_map(|c| PieceType::ALL.map(|kind| owned(board, c, kind))).sum()
        };
        self.boards.iter().map(of).sum()
    }
}

impl Default for TeamGame {
    fn default() -> TeamGame {
        TeamGame::new()
    }
}

/// Pieces of a type that a colour has on a board and in its reserve.
fn owned(board: &Supply, color: Color, kind: PieceType) -> u32 {
    board.pieces(color, kind).count_ones() + u32::from(board.reserve(color, kind))
}

const _: () = assert!(RESERVE_TYPES == PieceType::General as usize, "a captured type is a reserve type");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::split_mix;

    fn play(game: &mut TeamGame, words: &[&str]) {
        for word in words {
            let mv = game.parse_move(word, RankBase::One).unwrap_or_else(|e| panic!("{e}"));
            game.push(mv).unwrap_or_else(|e| panic!("{e}"));
        }
    }

    /// WHW-SXQ-001, WHW-SXQ-002: Red on board 1 captures a horse; it goes to Black on board 2, the same team.
    #[test]
    fn captures_cross_to_the_team_mate() {
        let mut game = TeamGame::new();
        play(&mut game, &["1h3h10"]);
        assert_eq!(team_of(BoardId::One, Color::White), team_of(BoardId::Two, Color::Black));
        assert_eq!(game.position(BoardId::Two).reserves(), "n");
        assert_eq!(game.position(BoardId::One).reserves(), "");
        // Black on board 2 may drop it once it is its turn there, and not before.
        assert!(game.parse_move("2N@a6", RankBase::One).is_err());
        play(&mut game, &["2a4a5", "2N@a6"]);
        assert_eq!(game.position(BoardId::Two).reserves(), "");
        assert_eq!(game.pieces(), 64);
    }

    /// SX-4, SX-2: a board ends at once, and what arrives later changes nothing.
    #[test]
    fn an_ended_board_is_frozen() {
        // Black on board 2 is mated, with Red to capture on board 1 next.
        let mated = "3k5/3R5/3R5/9/9/9/9/9/9/4K4[] b - - 0 1";
        let game = TeamGame::from_fen(&format!("{} | {mated}", Supply::start().fen()));
        let mut game = game.unwrap();
        assert_eq!(game.result(BoardId::Two).outcome, Outcome::Win(Color::White));
        play(&mut game, &["1h3h10"]);
        assert_eq!(game.position(BoardId::Two).reserves(), "n");
        assert_eq!(game.result(BoardId::Two).outcome, Outcome::Win(Color::White));
        assert_eq!(game.parse_move("2N@a6", RankBase::One), Err(TeamError::Ended(BoardId::Two)));
        assert_eq!(game.score(), [0, 1]);
        assert_eq!(game.match_outcome(), Outcome::Ongoing);
        // WHW-SXQ-008, SX-6: the other board plays on, a drawn board scores nothing.
        game.end(BoardId::One, Outcome::Draw).unwrap();
        assert_eq!(game.match_outcome(), Outcome::Win(Color::Black));
        assert_eq!(game.end(BoardId::One, Outcome::Draw), Err(TeamError::Ended(BoardId::One)));
    }

    /// WHW-SXQ-008: equal points draw the match.
    #[test]
    fn equal_points_draw_the_match() {
        let mut game = TeamGame::new();
        game.end(BoardId::One, Outcome::Win(Color::White)).unwrap();
        game.end(BoardId::Two, Outcome::Win(Color::White)).unwrap();
        assert_eq!((game.score(), game.match_outcome()), ([1, 1], Outcome::Draw));
    }

    /// SX-8: the boards' moves in any order.
    #[test]
    fn the_boards_are_independent_in_time() {
        let mut one = TeamGame::new();
        play(&mut one, &["1h3e3", "1h8e8", "2b3e3", "2b8e8"]);
        let mut two = TeamGame::new();
        play(&mut two, &["2b3e3", "1h3e3", "2b8e8", "1h8e8"]);
        assert_eq!(one.fen(), two.fen());
        assert_eq!(TeamGame::from_fen(&one.fen()).unwrap().fen(), one.fen());
        assert_eq!(TeamGame::from_fen(&one.fen().replace(" | ", "|")).unwrap().fen(), one.fen());
    }

    /// SX-9 over both boards.
    #[test]
    fn two_sets_are_all_there_is() {
        let start = Supply::start().fen();
        let rich = start.replace("[]", "[RR]");
        assert!(Supply::from_fen(&rich).is_ok());
        let refused = TeamGame::from_fen(&format!("{rich} | {start}")).unwrap_err();
        assert_eq!(refused, TeamError::TooMany { letter: 'R', count: 6, most: 4 });
        assert!(matches!(TeamGame::from_fen(&start), Err(TeamError::Bar(_))));
        assert!(matches!(
            TeamGame::from_fen(&format!("{start} | x w")),
            Err(TeamError::Fen { board: BoardId::Two, .. })
        ));
    }

    #[test]
    fn perft_takes_the_boards_in_turn() {
        let game = TeamGame::new();
        assert_eq!(game.perft(BoardId::One, 1), 44);
        assert_eq!(game.perft(BoardId::One, 2), 44 * 44);
        // Two of Red's moves on board 2 capture a horse, which Black on board 1 may drop at once: in 1272 of the 44 positions' ways.
        assert_eq!(game.perft(BoardId::One, 3), 44 * 1920 + 2 * 1272);
        assert_eq!(game.perft_board(BoardId::Two, 3), 79_666);
    }

    /// SX-2 and the colours of reserves, over random matches.
    #[test]
    fn random_matches_keep_64_pieces() {
        let mut state = 20_261_129;
        let mut random = move |bound: usize| {
            let (next, value) = split_mix(state);
            state = next;
            (value % bound as u64) as usize
        };
        for _ in 0..60 {
            let mut game = TeamGame::new();
            for _ in 0..300 {
                let running: Vec<BoardId> = BoardId::ALL.into_iter().filter(|&b| !game.has_ended(b)).collect();
                if running.is_empty() {
                    break;
                }
                let board = running[random(running.len())];
                let frozen = game.has_ended(board.other()).then(|| game.result(board.other()));
                let moves = game.legal_moves(board);
                let mv = moves[random(moves.len())];
                game.push(TeamMove { board, mv }).unwrap();
                assert_eq!(game.pieces(), 64);
                for board in BoardId::ALL {
                    game.position(board).verify().unwrap();
                }
                if let Some(result) = frozen {
                    assert_eq!(game.result(board.other()), result);
                }
            }
        }
    }
}
