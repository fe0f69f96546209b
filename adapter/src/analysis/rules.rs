//! What the rules alone say about a position.
use super::game::AnyGame;
use super::row::{LegalMove, Preview, Row};
use super::task::Task;

/// Legal moves, check and result of a position, without any engine.
pub fn rules_row(task: &Task) -> Row {
    match task.open() {
        Ok((game, mut row)) => {
            row.check = Some(game.in_check());
            row.legal = Some(legal(&game));
            row
        }
        Err(row) => *row,
    }
}

fn legal(game: &AnyGame) -> Vec<LegalMove> {
    let describe = |mv| {
        let preview = game.preview(mv).map(|preview| Preview {
            squares: preview.squares,
            capturing: preview.capturing,
            captures: preview.captures,
        });
        LegalMove { text: game.move_text(mv), san: game.san(mv), preview }
    };
    game.legal_moves().into_iter().map(describe).collect()
}
