//! The game on the board, with what GTP wants to know of its past.
use super::vertex::{BLACK, Vertex, WHITE, color_letter, color_name};
use sanqi::board::Color;
use sanqi::games::fangqi::geometry::{FILES, POINTS};
use sanqi::games::fangqi::{Fangqi, Preview};
use sanqi::games::{FenError, Outcome, Position, Reason};

/// A move that the rules or the state of the game do not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IllegalMove;

/// One turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ply {
    /// The position before it, the player's turn or not.
    before: Fangqi,
    /// Who played.
    pub(super) color: Color,
    /// What.
    pub(super) vertex: Vertex,
}

impl Ply {
    /// What the placement completed and captured (FQ-8); `None` for a pass.
    pub(super) fn effect(&self) -> Option<Preview> {
        match self.vertex {
            Vertex::Point(point) => turn_of(self.before, self.color).preview(Fangqi::placement_on(point)),
            Vertex::Pass => None,
        }
    }
}

/// A game of Fangqi. GTP lets a player play twice in a row; the position then simply has the turn changed.
#[derive(Debug, Clone)]
pub(super) struct Game {
    start: Fangqi,
    position: Fangqi,
    plies: Vec<Ply>,
}

impl Game {
    /// A game at its beginning (FQ-1).
    pub(super) fn new() -> Game {
        Game::from_position(Fangqi::start())
    }

    fn from_position(start: Fangqi) -> Game {
        Game { start, position: start, plies: Vec::new() }
    }

    /// A game that begins with these stones, given as sets of points; in each hand 20 minus the stones on the board (FQ-9).
    ///
    /// # Errors
    /// Stones of both colours on one point.
    pub(super) fn set_up(black: u64, white: u64, to_play: Color) -> Result<Game, FenError> {
        if black & white != 0 {
            return Err(FenError::setup("FQ-9", "two stones on one point"));
        }
        let row = |rank: usize| {
            let letter = |file: usize| match 1u64 << (rank * FILES + file) {
                bit if black & bit != 0 => 'P',
                bit if white & bit != 0 => 'p',
                _ => '1',
            };
            (0..FILES).map(letter).collect::<String>()
        };
        let board = (0..FILES).rev().map(row).collect::<Vec<_>>().join("/");
        Fangqi::from_fen(&format!("{board} {} - - 0 1", to_play.letter())).map(Game::from_position)
    }

    /// Where it began.
    pub(super) fn start(&self) -> &Fangqi {
        &self.start
    }

    /// Where it stands.
    pub(super) fn position(&self) -> &Fangqi {
        &self.position
    }

    /// The turns played.
    pub(super) fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// No stone has been placed nor set up; whose turn it is does not matter.
    pub(super) fn is_fresh(&self) -> bool {
        self.plies.is_empty() && self.on_board(BLACK) + self.on_board(WHITE) == 0
    }

    /// The game has ended (FQ-6, FQ-7).
    pub(super) fn is_over(&self) -> bool {
        !self.position.has_legal()
    }

    /// The position with `color` to move.
    pub(super) fn turn_of(&self, color: Color) -> Fangqi {
        turn_of(self.position, color)
    }

    /// Plays for `color`, whose turn it need not be. A pass ends nothing and changes nothing: it is allowed when the game is over, because
    /// Go programs end their games by passing.
    ///
    /// # Errors
    /// No stone in hand, an occupied point, a game that is over, or a pass before that (FQ-2). Nothing has changed then.
    pub(super) fn play(&mut self, color: Color, vertex: Vertex) -> Result<(), IllegalMove> {
        let before = self.position;
        match vertex {
            Vertex::Pass if self.is_over() => {}
            Vertex::Point(point) if !self.is_over() => {
                let turn = self.turn_of(color);
                let mv = Fangqi::placement_on(point);
                if !turn.is_legal(mv) {
                    return Err(IllegalMove);
                }
                self.position = turn.after(mv);
            }
            _ => return Err(IllegalMove),
        }
        self.plies.push(Ply { before, color, vertex });
        Ok(())
    }

    /// Takes the last `count` turns back; false, and nothing taken back, when there are fewer.
    pub(super) fn undo(&mut self, count: usize) -> bool {
        let Some(kept) = self.plies.len().checked_sub(count) else { return false };
        if let Some(ply) = self.plies.get(kept) {
            self.position = ply.before;
        }
        self.plies.truncate(kept);
        true
    }

    /// Stones that `color` has captured.
    pub(super) fn captured_by(&self, color: Color) -> u32 {
        let own = self.plies.iter().filter(|ply| ply.color == color);
        own.filter_map(Ply::effect).map(|effect| effect.captures.count_ones()).sum()
    }

    /// Stones of `color` on the board.
    pub(super) fn on_board(&self, color: Color) -> u32 {
        self.position.stones(color).count_ones()
    }

    /// The result as Go writes it, `B+3`, `W+1` or `0`; `None` while the game goes on.
    pub(super) fn score(&self) -> Option<String> {
        let result = self.position.result();
        match result.outcome {
            Outcome::Ongoing => None,
            Outcome::Draw => Some("0".to_owned()),
            Outcome::Win(winner) => {
                let hand = |color| if result.reason == Reason::NoStones { self.position.hand(color).into() } else { 0 };
                let total = |color| self.on_board(color) + hand(color);
                Some(format!("{}+{}", color_letter(winner), total(winner).abs_diff(total(!winner))))
            }
        }
    }

    /// The result in words.
    pub(super) fn result_text(&self) -> String {
        let result = self.position.result();
        let counts = format!("{} to {} stones", self.on_board(BLACK), self.on_board(WHITE));
        let name = |color| if color == BLACK { "Black" } else { "White" };
        match (result.outcome, result.reason) {
            (Outcome::Ongoing, _) => format!("the game goes on, {} to play", color_name(self.position.side())),
            (Outcome::Draw, _) => format!("Draw: {counts}"),
            (Outcome::Win(winner), Reason::NoStones) => {
                format!("{} wins: {} has no stones left", name(winner), name(!winner))
            }
            // The loser's stones come last, whoever won.
            (Outcome::Win(winner), _) => {
                let (more, fewer) = (self.on_board(winner), self.on_board(!winner));
                format!("{} wins: {more} to {fewer} stones", name(winner))
            }
        }
    }

    /// The board from the top rank down, `X` for Black and `O` for White.
    pub(super) fn rows(&self) -> Vec<String> {
        let (black, white) = (self.position.stones(BLACK), self.position.stones(WHITE));
        let cell = |point: usize| match 1u64 << point {
            bit if black & bit != 0 => "X",
            bit if white & bit != 0 => "O",
            _ => ".",
        };
        let row = |rank: usize| (0..FILES).map(|file| cell(rank * FILES + file)).collect::<Vec<_>>().join(" ");
        (0..POINTS / FILES).rev().map(row).collect()
    }
}

fn turn_of(mut position: Fangqi, color: Color) -> Fangqi {
    if position.side() != color {
        position.make_null();
    }
    position
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::vertex::{parse_vertex, points};
    use super::*;

    /// Plays alternately from Black.
    pub(crate) fn played(moves: &str) -> Game {
        let mut game = Game::new();
        for (index, word) in moves.split_whitespace().enumerate() {
            let color = if index % 2 == 0 { BLACK } else { WHITE };
            game.play(color, parse_vertex(word).unwrap()).unwrap();
        }
        game
    }

    /// All 40 placements, the first free point each time.
    pub(crate) fn finished() -> Game {
        let mut game = Game::new();
        while !game.is_over() {
            let point = points(game.position().empty()).next().unwrap();
            game.play(game.position().side(), Vertex::Point(point)).unwrap();
        }
        game
    }

    #[test]
    fn a_square_captures_and_undo_gives_the_stones_back() {
        // FQ-3: D4 D5 E4 and then E5; C4, F5 and D6 stand beside the square.
        let mut game = played("D4 C4 E4 F5 D5 D6 E5");
        assert_eq!((game.captured_by(BLACK), game.captured_by(WHITE)), (3, 0));
        assert_eq!((game.on_board(BLACK), game.on_board(WHITE)), (4, 0));
        assert!(game.undo(1));
        assert_eq!((game.captured_by(BLACK), game.on_board(WHITE)), (0, 3));
        assert!(!game.undo(7) && game.plies().len() == 6);
        assert!(game.undo(6) && game.is_fresh());
    }

    #[test]
    fn playing_out_of_turn() {
        let mut game = Game::new();
        for word in ["A1", "B1", "A2", "B2"] {
            game.play(WHITE, parse_vertex(word).unwrap()).unwrap();
        }
        assert_eq!((game.position().hand(WHITE), game.position().hand(BLACK)), (16, 20));
        assert_eq!(game.position().side(), BLACK);
        assert_eq!(game.play(BLACK, Vertex::Point(0)), Err(IllegalMove));
    }

    #[test]
    fn passing_is_for_the_end() {
        // FQ-2: no pass in play.
        assert_eq!(Game::new().play(BLACK, Vertex::Pass), Err(IllegalMove));
        let mut game = finished();
        assert_eq!(game.plies().len(), 40);
        let score = game.score();
        assert!(score.is_some());
        game.play(BLACK, Vertex::Pass).unwrap();
        game.play(WHITE, Vertex::Pass).unwrap();
        assert_eq!((game.score(), game.is_over()), (score, true));
        assert_eq!(game.play(BLACK, Vertex::Point(48)), Err(IllegalMove));
        assert!(game.undo(3) && !game.is_over());
    }

    #[test]
    fn set_up_positions() {
        let game = Game::set_up(0b11, 0b100, WHITE).unwrap();
        assert_eq!((game.position().hand(BLACK), game.position().hand(WHITE)), (18, 19));
        assert_eq!((game.on_board(BLACK), game.position().side()), (2, WHITE));
        assert!(!game.is_fresh() && Game::set_up(0, 0, WHITE).unwrap().is_fresh());
        assert!(Game::set_up(1, 1, BLACK).is_err());
        // FQ-7: a full board ends the game.
        let full = (1u64 << POINTS) - 1;
        let game = Game::set_up(full >> 1, full ^ full >> 1, BLACK).unwrap();
        assert_eq!(game.score().as_deref(), Some("B+47"));
        assert_eq!(game.result_text(), "Black wins: 48 to 1 stones");
    }

    #[test]
    fn every_move_of_a_game_can_be_taken_back() {
        let game = finished();
        let mut replayed = Game::new();
        for ply in game.plies() {
            assert_eq!(ply.before, *replayed.position());
            replayed.play(ply.color, ply.vertex).unwrap();
        }
        assert_eq!(replayed.position(), game.position());
        assert_eq!(replayed.rows(), game.rows());
    }
}
