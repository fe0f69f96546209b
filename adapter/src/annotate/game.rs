//! A game with an engine's opinion of every position.
use super::judge::{Judgement, expectation, scored};
use crate::analysis::row::{Id, Line, Row};
use crate::analysis::{AnyVariant, Source, Task};
use crate::pgn::PgnGame;
use sanqi::board::Color;
use sanqi::games::{Game, Outcome, RankBase};

/// A position of the game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Point {
    /// Who is to move.
    pub side: Color,
    /// The engine's best line; `None` where the rules have ended the game.
    pub line: Option<Line>,
    /// Proved rather than estimated.
    pub is_exact: bool,
    /// Score that White can expect, 0 to 1.
    pub white: f64,
}

impl Point {
    /// Score that `side` can expect.
    fn of(&self, side: Color) -> f64 {
        if side == Color::White { self.white } else { 1.0 - self.white }
    }
}

/// A move that was played.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ply {
    /// Who moved.
    pub side: Color,
    /// The move as the game file will have it.
    pub word: String,
    /// Score that the mover could expect before it, and after it.
    pub expected: [f64; 2],
    /// What it cost; 0 for the engine's own choice.
    pub loss: f64,
    /// How bad it was.
    pub judgement: Option<Judgement>,
}

/// The positions of a game, to be searched.
pub(super) fn tasks(game: &Game) -> Vec<Task> {
    let start = game.start_fen();
    let moves = words(game);
    (0..=moves.len())
        .map(|plies| {
            let moves = moves.get(..plies).unwrap_or_default().to_vec();
            let variant = AnyVariant::One(game.variant());
            let source = Source { variant, start: Some(start.clone()), moves, over: Vec::new(), board: None };
            Task { number: plies as u64, id: Id::Number(plies as i64), source: Ok(source) }
        })
        .collect()
}

/// The moves with ranks from 1.
fn words(game: &Game) -> Vec<String> {
    let Ok(mut board) = Game::from_fen(game.variant(), &game.start_fen()) else { return Vec::new() };
    let mut words = Vec::with_capacity(game.moves().len());
    for &mv in game.moves() {
        words.push(board.move_text(mv, RankBase::One));
        board.push(mv);
    }
    words
}

/// What a search, or the end of the game, says about a position.
///
/// # Errors
/// The search failed, or found no line.
pub(super) fn point(row: Row, side: Color, outcome: Outcome) -> Result<Point, String> {
    let of_white = |score: f64| if side == Color::White { score } else { 1.0 - score };
    if let Some(score) = scored(outcome, side) {
        return Ok(Point { side, line: None, is_exact: true, white: of_white(score) });
    }
    if let Some(error) = row.error {
        return Err(error);
    }
    let line = row.multipv.into_iter().next().ok_or("the engine gives no score")?;
    Ok(Point { side, is_exact: row.exact, white: of_white(expectation(&line)), line: Some(line) })
}

/// Judges the moves of a game by the opinions of its positions, one more than it has moves. `words` are the moves as they will be written.
pub(super) fn plies(game: &PgnGame, words: Vec<String>, points: &[Point]) -> Vec<Ply> {
    let played = self::words(&game.game);
    let moves = words.into_iter().zip(played).zip(points.windows(2));
    moves
        .filter_map(|((word, played), pair)| {
            let [before, after] = pair else { return None };
            let side = before.side;
            let expected = [before.of(side), after.of(side)];
            let best = before.line.as_ref().and_then(|line| line.pv.first());
            let loss = if best == Some(&played) { 0.0 } else { (expected[0] - expected[1]).max(0.0) };
            Some(Ply { side, word, expected, loss, judgement: Judgement::of(loss) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::row::Score;
    use crate::engine::Value;
    use crate::pgn::read_games;
    use sanqi::games::Variant;

    fn at(side: Color, cp: i32, best: &str) -> Point {
        let score = Score::new(Value::Centipawns(cp), side);
        let pv = vec![best.to_owned()];
        let line = Line { score, wdl: None, depth: Some(1), seldepth: None, pv, san: Vec::new() };
        let mut row = Row::new(Id::Number(0));
        row.multipv.push(line);
        point(row, side, Outcome::Ongoing).unwrap()
    }

    #[test]
    fn losses_are_those_of_the_mover_and_the_best_move_has_none() {
        let (_, game) = read_games("1. d4 a1 2. b2 *", Some(Variant::Fangqi)).remove(0);
        let game = game.unwrap();
        use Color::{Black, White};
        let points = [at(White, 100, "P@d4"), at(Black, 0, "P@c3"), at(White, 400, "P@c3"), at(Black, 0, "P@c3")];
        let plies = plies(&game, ["d4", "a1", "b2"].map(str::to_owned).to_vec(), &points);
        assert_eq!(
            plies.iter().map(|p| p.judgement).collect::<Vec<_>>(),
            [None, Some(Judgement::Blunder), Some(Judgement::Blunder)]
        );
        assert_eq!(plies[0].loss, 0.0);
        assert!((plies[1].expected[0] - 0.5).abs() < 1e-9 && (plies[1].loss - (0.5 - 1.0 / 11.0)).abs() < 1e-9);
    }

    #[test]
    fn the_rules_know_better_than_a_search() {
        let row = Row::new(Id::Number(0));
        let won = point(row.clone(), Color::Black, Outcome::Win(Color::White)).unwrap();
        assert_eq!((won.white, won.line), (1.0, None));
        assert!(point(row, Color::Black, Outcome::Ongoing).is_err());
    }

    #[test]
    fn every_position_is_a_task() {
        let (_, game) = read_games("1. h3e3 h10g8 *", Some(Variant::Xiangqi)).remove(0);
        let tasks = tasks(&game.unwrap().game);
        assert_eq!(tasks.len(), 3);
        assert_eq!(tasks[2].source.as_ref().unwrap().moves, ["h3e3", "h10g8"]);
    }
}
