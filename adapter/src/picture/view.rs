//! What a picture shows, without how it is drawn.
use super::pieces::PieceSet;
use sanqi::board::Color;
use sanqi::games::fangqi::PreviewText;
use sanqi::games::supply::team::{BoardId, TeamGame};
use sanqi::games::text::read_square;
use sanqi::games::{Game, GameResult, Outcome, Position, RankBase, Variant};
use sanqi::with_game;

/// A square or point: file and rank, both from 0.
pub type Square = (usize, usize);

/// An arrow, or a ring where nothing comes from the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// Where it begins; `None` for a drop or a placement.
    pub from: Option<Square>,
    /// Where it ends.
    pub to: Square,
}

impl Arrow {
    /// Reads a move, whether legal or not: two squares, or a drop or placement `P@d4`; a promotion letter behind may follow.
    pub fn parse(text: &str, (files, ranks): (usize, usize)) -> Option<Arrow> {
        let square = |text| read_square(text, files, ranks, RankBase::One);
        if let Some((_, target)) = text.split_once('@') {
            let (file, rank, "") = square(target)? else { return None };
            return Some(Arrow { from: None, to: (file, rank) });
        }
        let (file, rank, rest) = square(text)?;
        let (to_file, to_rank, rest) = square(rest)?;
        (rest.chars().count() <= 1).then_some(Arrow { from: Some((file, rank)), to: (to_file, to_rank) })
    }
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardView {
    /// The drawings of its pieces, and with them the kind of board.
    pub set: PieceSet,
    /// Files and ranks.
    pub size: (usize, usize),
    /// Pieces by FEN letter.
    pub pieces: Vec<(Square, char)>,
    /// Reserves or stones in hand of White and Black, letter and number; `None` in games without.
    pub reserves: Option<[Vec<(char, usize)>; 2]>,
    /// Side to move; `None` when the game is over.
    pub turn: Option<Color>,
    /// The result, when the game is over.
    pub result: GameResult,
    /// What stands above the board.
    pub caption: Option<String>,
    /// Black is at the bottom.
    pub is_flipped: bool,
    /// The last move.
    pub last: Option<Arrow>,
    /// What a placement of fangqi captured or would capture: FQ-8.
    pub capture: Option<Capture>,
    /// Arrows that were asked for.
    pub arrows: Vec<Arrow>,
}

/// Squares of four that capture, and what they take off the board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Capture {
    /// Lower left points of the capturing squares.
    pub squares: Vec<Square>,
    /// The stones that leave the board, and their letter.
    pub stones: Vec<(Square, char)>,
    /// A stone that would be placed, and its letter.
    pub placed: Option<(Square, char)>,
}

impl Capture {
    fn of(preview: &PreviewText, size: (usize, usize), side: Color) -> Capture {
        let points = |names: &[String]| -> Vec<Square> {
            names.iter().filter_map(|n| read_square(n, size.0, size.1, RankBase::One)).map(|(f, r, _)| (f, r)).collect()
        };
        let enemy = if side == Color::White { 'p' } else { 'P' };
        Capture {
            squares: points(&preview.capturing),
            stones: points(&preview.captures).into_iter().map(|point| (point, enemy)).collect(),
            placed: None,
        }
    }
}

impl BoardView {
    /// A game with its last move, and what that captured.
    pub fn of_game(game: &Game) -> BoardView {
        let mut view = with_game!(game, record => BoardView::of_position(record.position(), game.result()));
        let mut before = game.clone();
        if let Some(&mv) = game.moves().last()
            && before.undo()
        {
            view.last = Arrow::parse(&before.move_text(mv, RankBase::One), view.size);
            view.capture = before.preview(mv, RankBase::One).map(|p| Capture::of(&p, view.size, before.side()));
        }
        view
    }

    /// Both boards of a match. Board 2 is turned round, so that team-mates sit side by side. `last` are the last moves on the boards, as text.
    pub fn of_team(game: &TeamGame, last: &[Option<String>; 2]) -> [BoardView; 2] {
        BoardId::ALL.map(|board| {
            let mut view = BoardView::of_position(game.position(board), game.result(board));
            view.caption = Some(match view.result.outcome {
                Outcome::Ongoing => format!("Board {board}"),
                outcome => format!("Board {board} {outcome}"),
            });
            view.is_flipped = board == BoardId::Two;
            let text = last.get(board.index()).and_then(Option::as_deref);
            view.last = text.and_then(|text| Arrow::parse(text, view.size));
            view
        })
    }

    fn of_position<P: Position>(position: &P, result: GameResult) -> BoardView {
        let (files, ranks) = P::dimensions();
        let squares = (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
        let pieces = squares
            .filter_map(|(file, rank)| {
                let piece = position.piece_at(u8::try_from(rank * files + file).ok()?)?;
                Some(((file, rank), P::piece_letter(piece)))
            })
            .collect();
        let reserves = position.reserves();
        let has_reserves = matches!(P::VARIANT, Variant::Supply | Variant::Fangqi);
        BoardView {
            set: PieceSet::of(P::VARIANT),
            size: (files, ranks),
            pieces,
            reserves: has_reserves.then(|| [true, false].map(|upper| counted(&reserves, upper))),
            turn: (result.outcome == Outcome::Ongoing).then(|| position.side()),
            result,
            caption: None,
            is_flipped: false,
            last: None,
            capture: None,
            arrows: Vec::new(),
        }
    }

    /// Shows what a placement of fangqi would do, instead of what the last one did; false for a move that is not legal and in other games.
    #[must_use]
    pub fn preview(&mut self, game: &Game, text: &str) -> bool {
        let Ok(mv) = game.parse_move(text, RankBase::One) else { return false };
        let (Some(preview), Some(arrow)) = (game.preview(mv, RankBase::One), Arrow::parse(text, self.size)) else {
            return false;
        };
        let stone = if game.side() == Color::White { 'P' } else { 'p' };
        self.capture =
            Some(Capture { placed: Some((arrow.to, stone)), ..Capture::of(&preview, self.size, game.side()) });
        true
    }

    /// The letter on a square.
    pub fn piece_at(&self, square: Square) -> Option<char> {
        self.pieces.iter().find(|(at, _)| *at == square).map(|&(_, letter)| letter)
    }
}

/// Letters of one case with their numbers, in the order of their first appearance.
fn counted(reserves: &str, upper: bool) -> Vec<(char, usize)> {
    let mut counts: Vec<(char, usize)> = Vec::new();
    for letter in reserves.chars().filter(|c| c.is_ascii_uppercase() == upper) {
        match counts.iter_mut().find(|(c, _)| *c == letter) {
            Some((_, count)) => *count += 1,
            None => counts.push((letter, 1)),
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows() {
        let board = (9, 10);
        assert_eq!(Arrow::parse("a9a10r", board), Some(Arrow { from: Some((0, 8)), to: (0, 9) }));
        assert_eq!(Arrow::parse("R@e4", board), Some(Arrow { from: None, to: (4, 3) }));
        for text in ["", "e2", "e2e44x", "e2j3", "@", "R@", "R@e4e5", "e2e4qq", "é2e4"] {
            assert_eq!(Arrow::parse(text, board), None, "{text}");
        }
    }

    /// FQ-8: a square of four that takes eight stones.
    #[test]
    fn a_capture_before_and_after() {
        let fen = "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9";
        let mut game = Game::from_fen(Variant::Fangqi, fen).unwrap();
        let mut view = BoardView::of_game(&game);
        assert!(view.capture.is_none() && !view.preview(&game, "P@c4") && view.preview(&game, "P@d5"));
        let capture = view.capture.unwrap();
        assert_eq!((capture.squares.as_slice(), capture.stones.len()), ([(2, 3)].as_slice(), 8));
        assert_eq!(capture.placed, Some(((3, 4), 'P')));
        game.push_text("P@d5", RankBase::One).unwrap();
        let after = BoardView::of_game(&game);
        assert_eq!(after.capture, Some(Capture { placed: None, ..capture }));
        assert_eq!((after.last, after.pieces.len()), (Some(Arrow { from: None, to: (3, 4) }), 4));
        assert_eq!(after.reserves, Some([vec![('P', 13)], vec![('p', 12)]]));
    }
}
