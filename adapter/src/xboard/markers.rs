//! Which squares to mark while the user holds a piece: `highlight` in answer to `lift` and `hover`, `choice` in answer to `put`.
use super::stones::captured;
use crate::cecp::{MoveStyle, rank_base};
use sanqi::board::Color;
use sanqi::games::text::read_square;
use sanqi::games::{Game, Move, Variant};
use sanqi::with_game;

/// Kinds of pieces in hand in XBoard's order, from the edge of the board that is nearest to their owner.
const HOLDINGS: &str = "PNRABKC";

/// What the user has picked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lifted {
    /// From a square of the board, `(file, rank)` from 0.
    Square(usize, usize),
    /// One of those in hand.
    Hand(char),
}

/// A move taken apart: where it begins, where it ends, what it promotes to.
struct Parts {
    from: Lifted,
    to: (usize, usize),
    promotion: Option<char>,
}

fn size(game: &Game) -> (usize, usize) {
    fn of<P: sanqi::games::Position>(_: &P) -> (usize, usize) {
        P::dimensions()
    }
    with_game!(game, record => of(record.position()))
}

fn parts(game: &Game, mv: Move) -> Option<Parts> {
    let (files, ranks) = size(game);
    let base = rank_base(game.variant());
    let text = MoveStyle { marks_soldiers: true, ..MoveStyle::of(game.variant()) }.write(game, mv);
    let (from, rest) = match text.split_once('@') {
        Some((piece, rest)) => (Lifted::Hand(piece.chars().next()?), rest),
        None => {
            let (file, rank, rest) = read_square(&text, files, ranks, base)?;
            (Lifted::Square(file, rank), rest)
        }
    };
    let (file, rank, rest) = read_square(rest, files, ranks, base)?;
    Some(Parts { from, to: (file, rank), promotion: rest.chars().next() })
}

impl Lifted {
    /// What stands for the square in `lift SQUARE`. Pieces in hand have squares beside the board: White's on the right, counted from
    /// below, Black's on the left, counted from above.
    pub(super) fn at(game: &Game, square: &str) -> Option<Lifted> {
        let (files, ranks) = size(game);
        let base = rank_base(game.variant());
        if let Some((file, rank, "")) = read_square(square, files, ranks, base) {
            return Some(Lifted::Square(file, rank));
        }
        let rank = square.get(1..)?.parse::<usize>().ok()?.checked_sub(base.offset())?;
        let index = if game.side() == Color::White { rank } else { ranks.checked_sub(rank + 1)? };
        match game.variant() {
            Variant::Fangqi => Some(Lifted::Hand('P')),
            Variant::Supply => HOLDINGS.chars().nth(index).map(Lifted::Hand),
            Variant::Xiangqi | Variant::Yangqi | Variant::YangqiNoSwap => None,
        }
    }

    fn moves(&self, game: &Game) -> Vec<(Move, Parts)> {
        let all = game.legal_moves().into_iter().filter_map(|mv| Some((mv, parts(game, mv)?)));
        all.filter(|(_, parts)| parts.from == *self).collect()
    }

    /// The squares that this may go to, as XBoard reads them: `R` where something is captured, `M` where a pawn promotes, `B` where
    /// XBoard believes so and has to be told that a Soldier stays one, `Y` elsewhere; in Fangqi `T`, which allows without a mark. `None` for what cannot move.
    pub(super) fn targets(&self, game: &Game) -> Option<String> {
        self.colors(game).map(|board| write(&board))
    }

    fn colors(&self, game: &Game) -> Option<Vec<Vec<Option<char>>>> {
        let moves = self.moves(game);
        let (files, ranks) = size(game);
        let mut board = vec![vec![None; files]; ranks];
        for (mv, parts) in &moves {
            let captures = with_game!(game, record => sanqi::games::Position::captured(record.position(), *mv)) > 0;
            let color = match (parts.promotion, captures, game.variant()) {
                (Some('p'), ..) => 'B',
                (Some(_), ..) => 'M',
                (None, true, _) => 'R',
                (None, false, Variant::Fangqi) => 'T',
                (None, false, _) => 'Y',
            };
            set(&mut board, parts.to, color);
        }
        (!moves.is_empty()).then_some(board)
    }

    /// FQ-8: the stones that a placement there takes off, green among the squares allowed. `None` where nothing is captured.
    pub(super) fn victims(&self, game: &Game, square: &str) -> Option<String> {
        let (files, ranks) = size(game);
        let (file, rank, rest) = read_square(square, files, ranks, rank_base(game.variant()))?;
        let (mv, _) = self.moves(game).into_iter().find(|(_, parts)| parts.to == (file, rank))?;
        let victims = captured(game, mv);
        if victims.is_empty() || !rest.is_empty() {
            return None;
        }
        let mut board = self.colors(game)?;
        victims.into_iter().for_each(|victim| set(&mut board, victim, 'g'));
        Some(write(&board))
    }

    /// What a pawn may become where it is put, in capitals, the strongest first, and a Soldier that stays one; `None` when nothing
    /// promotes there. Without a square, when it is taken up: wherever it may go.
    pub(super) fn choice(&self, game: &Game, square: Option<&str>, vao: char) -> Option<String> {
        let (files, ranks) = size(game);
        let base = rank_base(game.variant());
        let to = match square {
            Some(square) => Some(read_square(square, files, ranks, base).map(|(file, rank, _)| (file, rank))?),
            None => None,
        };
        let moves = self.moves(game);
        let there = moves.iter().filter(|(_, parts)| to.is_none_or(|to| parts.to == to));
        let available: Vec<char> = there.filter_map(|(_, parts)| parts.promotion).collect();
        let named = |letter| if letter == 'v' { vao } else { letter }.to_ascii_uppercase();
        let choice: String = "rcvbnp".chars().filter(|letter| available.contains(letter)).map(named).collect();
        (!choice.is_empty()).then_some(choice)
    }
}

fn set(board: &mut [Vec<Option<char>>], (file, rank): (usize, usize), color: char) {
    if let Some(square) = board.get_mut(rank).and_then(|row| row.get_mut(file)) {
        *square = Some(color);
    }
}

fn write(board: &[Vec<Option<char>>]) -> String {
    let files = board.first().map_or(0, Vec::len);
    sanqi::games::fen::write_board(files, board.len(), |file, rank| *board.get(rank)?.get(file)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fangqi_shows_what_captures_and_what_goes() {
        let fen = "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9";
        let game = Game::from_fen(Variant::Fangqi, fen).unwrap();
        let lifted = Lifted::at(&game, "i1").unwrap();
        assert_eq!(lifted, Lifted::Hand('P'));
        let targets = lifted.targets(&game).unwrap();
        assert_eq!(targets, "TTTTTTT/TT2TTT/T2R1TT/T4TT/TT2TTT/TTTTTTT/TTTTTTT");
        let victims = lifted.victims(&game, "d5").unwrap();
        assert_eq!(victims, "TTTTTTT/TTggTTT/Tg1RgTT/Tg2gTT/TTggTTT/TTTTTTT/TTTTTTT");
        assert_eq!((lifted.victims(&game, "a1"), lifted.victims(&game, "z9")), (None, None));
        assert_eq!(Lifted::Square(3, 3).targets(&game), None);
    }

    #[test]
    fn yangqi_shows_swaps_and_promotions() {
        let game = Game::new(Variant::Yangqi);
        let king = Lifted::at(&game, "e0").unwrap();
        assert_eq!(king.targets(&game).as_deref(), Some("9/9/9/9/9/9/9/9/3YYY3/3Y1Y3"));
        let fen = "b1b1kc1nr/1P5c1/n8/1p3pp1B/Cv1p2P1P/C2P1P3/2P3V2/P1K6/9/RN5Nv w - - 0 1";
        let game = Game::from_fen(Variant::Yangqi, fen).unwrap();
        let pawn = Lifted::at(&game, "b8").unwrap();
        assert_eq!(pawn.targets(&game).as_deref(), Some("MMM6/9/9/9/9/9/9/9/9/9"));
        assert_eq!(pawn.choice(&game, Some("b9"), 'v').as_deref(), Some("RVB"));
        assert_eq!(pawn.choice(&game, Some("b9"), 'a').as_deref(), Some("RAB"));
        assert_eq!(pawn.choice(&game, Some("b7"), 'v'), None);
        assert_eq!(Lifted::at(&game, "k0"), None);
    }

    #[test]
    fn supply_shows_drops() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[RPr] w - - 0 1";
        let white = Game::from_fen(Variant::Supply, fen).unwrap();
        assert_eq!(Lifted::at(&white, "k2"), Some(Lifted::Hand('R')));
        let soldier = Lifted::at(&white, "k0").unwrap();
        assert_eq!(soldier.targets(&white).as_deref(), Some("9/9/9/9/9/Y1Y1Y1Y1Y/9/9/9/9"));
        let soldier = Game::from_fen(Variant::Supply, "3ak4/5P3/9/9/9/9/9/9/9/3K5[] w - - 0 1").unwrap();
        let lifted = Lifted::at(&soldier, "f8").unwrap();
        assert_eq!(lifted.targets(&soldier).as_deref(), Some("5B3/4Y1Y2/9/9/9/9/9/9/9/9"));
        assert_eq!(lifted.choice(&soldier, None, 'v').as_deref(), Some("P"));
        let black = Game::from_fen(Variant::Supply, &fen.replace(" w ", " b ")).unwrap();
        assert_eq!(Lifted::at(&black, "`7"), Some(Lifted::Hand('R')));
        assert_eq!(Lifted::at(&black, "k"), None);
    }
}
