//! Captured stones of Fangqi in a GUI that does not know they are gone. Nothing but a move changes XBoard's board during a game. A
//! program that plays matches by the rules needs nothing but the moves.
//!
//! In a match of two fronts the stone just placed "shoots" the captured ones, one at a time, by a move of two legs that ends where it
//! began, while the other side passes. Both sides know the list, so neither needs to be told.
use sanqi::board::Color;
use sanqi::games::fangqi::geometry::FILES;
use sanqi::games::text::square_name;
use sanqi::games::{Game, Move, Position, RankBase};
use std::collections::VecDeque;

/// Points as `(file, rank)` from 0.
type Point = (usize, usize);

/// The points whose stones a placement that is legal in `game` takes off.
pub(super) fn captured(game: &Game, mv: Move) -> Vec<Point> {
    let Game::Fangqi(record) = game else { return Vec::new() };
    let position = record.position();
    let enemy = !position.side();
    let gone = position.stones(enemy) & !position.after(mv).stones(enemy);
    (0..FILES * FILES).filter(|point| gone >> point & 1 == 1).map(|point| (point % FILES, point / FILES)).collect()
}

/// What has to happen after a placement that captured before the game goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shots {
    mover: Color,
    shooter: Point,
    victims: VecDeque<Point>,
    /// The other side passes next, and then the mover shoots.
    pass_due: bool,
}

impl Shots {
    /// For a placement of `mover` on `shooter`; `None` when nothing was captured.
    pub(super) fn after(mover: Color, shooter: Point, victims: Vec<Point>) -> Option<Shots> {
        (!victims.is_empty()).then(|| Shots { mover, shooter, victims: victims.into(), pass_due: true })
    }

    /// Who has to act.
    pub(super) fn side(&self) -> Color {
        if self.pass_due { !self.mover } else { self.mover }
    }

    /// A pass is due.
    pub(super) fn pass_due(&self) -> bool {
        self.pass_due
    }

    /// The point of the stone that is shot next, and who shoots.
    pub(super) fn next_shot(&self) -> Option<(Point, Point)> {
        if self.pass_due { None } else { self.victims.front().map(|&victim| (self.shooter, victim)) }
    }

    /// True when nothing is left to be done.
    pub(super) fn done(&self) -> bool {
        self.victims.is_empty()
    }

    /// Does what is due and gives it as a move.
    pub(super) fn act(&mut self) -> String {
        self.pass_due = !self.pass_due;
        if !self.pass_due {
            return "@@@@".to_owned();
        }
        let name = |(file, rank)| square_name(file, rank, RankBase::One);
        let (shooter, victim) = (name(self.shooter), self.victims.pop_front().map(name).unwrap_or_default());
        format!("{shooter}{victim},{victim}{shooter}")
    }
}

/// A position for a GUI that takes the human for White whoever he is, and White for the side to move: `exchanged` when the colours have
/// to change for that.
pub(super) fn for_human(fen: &str, exchanged: bool) -> String {
    let mut words = fen.split_whitespace();
    let board = words.next().unwrap_or_default();
    let other = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let board: String = if exchanged { board.chars().map(other).collect() } else { board.to_owned() };
    let rest: Vec<&str> = words.skip(1).collect();
    format!("{board} w {}", rest.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanqi::games::Variant;

    const FEN: &str = "7/2pp3/1pP1p2/1pPPp2/2pp3/7/7[PPPPPPPPPPPPPPpppppppppppp] w - - 0 9";

    #[test]
    fn eight_stones_are_shot_one_by_one() {
        let game = Game::from_fen(Variant::Fangqi, FEN).unwrap();
        let mv = game.parse_move("P@d5", RankBase::One).unwrap();
        let victims = captured(&game, mv);
        assert_eq!(victims.len(), 8);
        assert_eq!(captured(&game, game.parse_move("P@a1", RankBase::One).unwrap()), []);
        let mut shots = Shots::after(Color::White, (3, 4), victims).unwrap();
        let mut said = Vec::new();
        while !shots.done() {
            let side = shots.side();
            said.push((side, shots.act()));
        }
        assert_eq!(said.len(), 16);
        assert_eq!(said[0], (Color::Black, "@@@@".to_owned()));
        assert_eq!(said[1], (Color::White, "d5c3,c3d5".to_owned()));
        assert_eq!(said[15], (Color::White, "d5d6,d6d5".to_owned()));
        assert_eq!(Shots::after(Color::White, (0, 0), Vec::new()), None);
    }

    #[test]
    fn the_human_is_white_and_to_move() {
        assert_eq!(for_human("p6/7/7/7/7/7/6P[Ppp] b - - 0 9", true), "P6/7/7/7/7/7/6p[pPP] w - - 0 9");
        assert_eq!(for_human("p6/7/7/7/7/7/6P[Ppp] w - - 0 9", false), "p6/7/7/7/7/7/6P[Ppp] w - - 0 9");
    }
}
