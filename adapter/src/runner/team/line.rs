//! A match in progress as each protocol writes it, kept so that no move is written twice.
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove};
use sanqi::games::{Outcome, Position, RankBase};

/// The moves of both boards in their order, and those of each board alone.
#[derive(Debug, Clone)]
pub(super) struct TeamLine {
    /// `startpos`, or `fen …`.
    pub(super) start: String,
    fens: [String; 2],
    from_one: String,
    from_zero: String,
    lists: [Vec<String>; 2],
    over: String,
}

impl TeamLine {
    pub(super) fn new(game: &TeamGame) -> TeamLine {
        let fen = game.fen();
        let start = if fen == TeamGame::new().fen() { "startpos".to_owned() } else { format!("fen {fen}") };
        TeamLine {
            start,
            fens: BoardId::ALL.map(|board| game.position(board).fen()),
            from_one: String::new(),
            from_zero: String::new(),
            lists: [Vec::new(), Vec::new()],
            over: String::new(),
        }
    }

    /// Adds a move that is legal in `game` and not yet played.
    pub(super) fn push(&mut self, game: &TeamGame, mv: TeamMove) {
        for (line, base) in [(&mut self.from_one, RankBase::One), (&mut self.from_zero, RankBase::Zero)] {
            line.push_str(if line.is_empty() { " moves " } else { " " });
            line.push_str(&game.move_text(mv, base));
        }
        let [one, two] = &mut self.lists;
        let list = if mv.board == BoardId::One { one } else { two };
        list.push(game.position(mv.board).move_text(mv.mv, RankBase::Zero));
    }

    /// Notes that a board has been ended from outside.
    pub(super) fn end(&mut self, board: BoardId, outcome: Outcome) {
        self.over.push_str(&format!(" over {board} {outcome}"));
    }

    /// What follows [`TeamLine::start`], with ranks from 1 and from 0.
    pub(super) fn moves(&self) -> [String; 2] {
        [&self.from_one, &self.from_zero].map(|moves| format!("{moves}{}", self.over))
    }

    /// The moves of one board, with ranks from 0.
    pub(super) fn list(&self, board: BoardId) -> &[String] {
        let [one, two] = &self.lists;
        if board == BoardId::One { one } else { two }
    }

    /// The FEN one board begins at, unless the match begins at the start position.
    pub(super) fn fen(&self, board: BoardId) -> Option<&str> {
        let [one, two] = &self.fens;
        (self.start != "startpos").then_some(if board == BoardId::One { one } else { two })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanqi::board::Color;

    #[test]
    fn one_order_for_both_boards() {
        let mut game = TeamGame::new();
        let mut line = TeamLine::new(&game);
        assert_eq!((line.start.as_str(), line.moves()), ("startpos", [String::new(), String::new()]));
        for text in ["1h3h10", "2a4a5", "2N@a6"] {
            let mv = game.parse_move(text, RankBase::One).unwrap();
            line.push(&game, mv);
            game.push(mv).unwrap();
        }
        line.end(BoardId::One, Outcome::Win(Color::Black));
        assert_eq!(line.moves(), [" moves 1h3h10 2a4a5 2N@a6 over 1 0-1", " moves 1h2h9 2a3a4 2N@a5 over 1 0-1"]);
        assert_eq!(
            (line.list(BoardId::Two), line.fen(BoardId::Two)),
            (&["a3a4".to_owned(), "N@a5".to_owned()][..], None)
        );
        let later = TeamLine::new(&game);
        assert!(later.start.starts_with("fen ") && later.fen(BoardId::One).is_some());
    }
}
