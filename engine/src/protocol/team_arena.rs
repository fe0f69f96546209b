//! The two-board game `supply2` as a session sees it: words carry the number of their board.
use super::announce::{Announcer, Style, end_line};
use super::arena::{Answer, Arena, Request, answer, choose_among, panic_text};
use super::command::PositionWords;
use super::inspect;
use super::output::{Output, clip};
use crate::games::supply::team::{BoardId, TeamError, TeamGame, TeamMove};
use crate::games::{MoveError, Notation, Outcome, Position, RankBase, Variant};
use crate::search::team::{Around, TeamSearcher};
use crate::search::{Control, Score, Summary};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Name of the game as in `UCI_Variant`.
pub(super) const NAME: &str = "supply2";

/// A two-board match and the search of its seats.
pub(super) struct TeamArena {
    game: TeamGame,
    searcher: TeamSearcher,
}

impl TeamArena {
    /// A match at its start.
    pub(super) fn new() -> TeamArena {
        TeamArena { game: TeamGame::new(), searcher: TeamSearcher::default() }
    }

    /// The board that a `go` is about.
    fn board(&self, request: &Request<'_>) -> BoardId {
        let first = self.game.first_running().unwrap_or(BoardId::One);
        let Some(word) = &request.go.board else { return first };
        BoardId::from_number(word).unwrap_or_else(|| {
            let text = format!("error go board: expected 1 or 2, found `{}`; board {first} is searched", clip(word));
            request.out.remark(request.style.dialect, &text);
            first
        })
    }

    /// Moves of `searchmoves` for a board, without its number. Those of the other board are passed over.
    fn search_words(board: BoardId, words: &[String]) -> Vec<String> {
        let other = board.other().to_string();
        let own = board.to_string();
        let on_board = words.iter().filter(|word| !word.starts_with(&other));
        on_board.map(|word| word.strip_prefix(&own).unwrap_or(word).to_owned()).collect()
    }

    fn count(game: &TeamGame, board: BoardId, depth: u32, control: &Control) -> Option<u64> {
        game.perft_until(board, depth, &|| control.stopped())
    }
}

impl Arena for TeamArena {
    fn name(&self) -> &'static str {
        NAME
    }

    fn variant(&self) -> Option<Variant> {
        None
    }

    fn set_up(&mut self, words: &PositionWords, base: RankBase) -> Result<(), String> {
        let mut game = match &words.fen {
            None => TeamGame::new(),
            Some(fen) => TeamGame::from_fen(fen).map_err(|error| error.to_string())?,
        };
        for word in &words.moves {
            let mv = game.parse_move(word, base).map_err(|error| tell(&error, word))?;
            game.push(mv).map_err(|error| tell(&error, word))?;
        }
        for [board, result] in &words.over {
            let id = BoardId::from_number(board)
                .ok_or_else(|| format!("over: expected board 1 or 2, found `{}`", clip(board)))?;
            let outcome =
                [Outcome::Win(crate::board::Color::White), Outcome::Win(crate::board::Color::Black), Outcome::Draw]
                    .into_iter()
                    .find(|outcome| outcome.to_string() == *result)
                    .ok_or_else(|| format!("over {id}: expected 1-0, 0-1 or 1/2-1/2, found `{}`", clip(result)))?;
            game.end(id, outcome).map_err(|error| format!("over {id}: {error}"))?;
        }
        self.game = game;
        Ok(())
    }

    fn ban(&mut self, _: &[String], _: RankBase) {}

    fn forget(&mut self) {
        self.searcher.clear();
    }

    fn plies(&self) -> usize {
        self.game.moves().len()
    }

    fn search(&mut self, request: &Request<'_>) -> Answer {
        let Request { control, out, .. } = *request;
        let board = self.board(request);
        let style = Style { board: Some(board), ..request.style };
        let legal = self.game.legal_moves(board);
        let position = self.game.position(board).clone();
        let mut limits = request.go.limits(position.side(), style.dialect, request.settings.milliseconds);
        let Some(&first) = legal.first() else {
            let score = match self.game.result(board).outcome {
                Outcome::Win(side) if side == position.side() => Score::Mate(1),
                Outcome::Win(_) => Score::Mate(0),
                Outcome::Draw | Outcome::Ongoing => Score::Cp(0),
            };
            out.line(&end_line(style, score));
            control.wait_until_released(limits.infinite);
            return Answer::none(score);
        };
        let words = TeamArena::search_words(board, &request.go.search_moves);
        let candidates = choose_among(&position, &legal, &words, &[], style, out);
        if candidates.len() < legal.len() {
            limits.moves = candidates.clone();
        }
        let fallback = candidates.first().copied().unwrap_or(first);
        let around = Around { other: request.go.other_clocks(), asked: request.talk.to_vec(), ..Around::default() };
        let options = request.settings.search_options();
        let record = self.game.record(board);
        let announcer = Announcer::new(&record, style, out);
        let (searcher, game) = (&mut self.searcher, &self.game);
        let search = AssertUnwindSafe(|| {
            searcher.search(game, board, &around, &limits, &options, request.table, control, &announcer)
        });
        let summary = catch_unwind(search).unwrap_or_else(|payload| {
            let text = format!("error internal error in the search: {}", panic_text(&*payload));
            out.remark(style.dialect, &text);
            self.searcher = TeamSearcher::default();
            control.wait_until_released(limits.infinite);
            Summary { best: Some(fallback), ponder: None, score: Score::Cp(inspect::static_value(&position)), nodes: 0 }
        });
        answer(&announcer, &record, style, &summary, (&candidates, fallback), control)
    }

    fn any_move(&self, base: RankBase) -> Option<String> {
        self.legal(base).into_iter().next()
    }

    /// With a board that board alone, else both in turn, beginning with board 1.
    fn perft(
        &self,
        depth: u32,
        board: Option<&str>,
        control: &Control,
        style: Style,
        out: &Output,
    ) -> Result<u64, &'static str> {
        if let Some(board) = board {
            let id = BoardId::from_number(board).ok_or("go board: expected 1 or 2")?;
            let style = Style { board: Some(id), ..style };
            return Ok(inspect::perft(self.game.position(id), depth, control, style, out));
        }
        let mut total = u64::from(depth == 0);
        if depth > 0
            && let Some(board) = self.game.first_running()
        {
            for mv in self.game.legal_moves(board) {
                let played = TeamMove { board, mv };
                let mut next = self.game.clone();
                if next.push(played).is_err() {
                    continue;
                }
                let Some(leaves) = TeamArena::count(&next, board.other(), depth - 1, control) else {
                    out.remark(style.dialect, "perft stopped; the count is not complete");
                    break;
                };
                total = total.saturating_add(leaves);
                out.line(&format!("{}: {leaves}", self.game.move_text(played, style.base)));
            }
        }
        Ok(total)
    }

    fn display(&self, base: RankBase) -> Vec<String> {
        let mut lines = Vec::new();
        for board in BoardId::ALL {
            lines.push(format!("Board {board}"));
            lines.extend(inspect::diagram(self.game.position(board), base));
        }
        let both = |of: &dyn Fn(BoardId) -> String| BoardId::ALL.map(of).join(" | ");
        lines.push(format!("Fen: {}", self.game.fen()));
        lines.push(format!("Key: {}", both(&|b| format!("{:016X}", self.game.position(b).key()))));
        lines.push(format!("Checkers: {}", both(&|b| inspect::checkers(self.game.position(b), base))));
        lines.push(format!("Reserves: {}", both(&|b| self.game.position(b).reserves())));
        lines.push(format!("Result: {}", self.result()));
        lines
    }

    fn evaluation(&self) -> Vec<String> {
        let of = |board: BoardId| {
            std::iter::once(format!("Board {board}")).chain(inspect::evaluation(self.game.position(board)))
        };
        BoardId::ALL.into_iter().flat_map(of).collect()
    }

    fn legal(&self, base: RankBase) -> Vec<String> {
        let of = |board| self.game.legal_moves(board).into_iter().map(move |mv| TeamMove { board, mv });
        BoardId::ALL.into_iter().flat_map(of).map(|played| self.game.move_text(played, base)).collect()
    }

    fn result(&self) -> String {
        let [one, two] = BoardId::ALL.map(|board| self.game.result(board).outcome);
        format!("board1 {one} board2 {two} match {}", self.game.match_outcome())
    }

    fn preview(&self, _: &str, _: RankBase) -> Result<String, String> {
        Err(format!("preview belongs to fangqi, this is {NAME}"))
    }

    fn san(&self, word: &str, base: RankBase, notation: Notation) -> Result<String, String> {
        let TeamMove { board, mv } = self.game.parse_move(word, base).map_err(|error| tell(&error, word))?;
        Ok(self.game.position(board).san(mv, notation))
    }
}

/// A refused move word, short enough for one line.
fn tell(error: &TeamError, word: &str) -> String {
    match error {
        TeamError::NoBoard(_) => TeamError::NoBoard(clip(word)).to_string(),
        TeamError::Move { board, error } => {
            let word = clip(word);
            let error = match error {
                MoveError::Syntax(_) => MoveError::Syntax(word),
                MoveError::Illegal(_) => MoveError::Illegal(word),
            };
            TeamError::Move { board: *board, error }.to_string()
        }
        TeamError::Ended(_) => format!("`{}`: {error}", clip(word)),
        _ => error.to_string(),
    }
}
