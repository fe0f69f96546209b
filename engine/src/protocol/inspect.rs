//! Positions for people: `d`, `eval` and `go perft`.
use super::announce::Style;
use super::output::Output;
use crate::board::Color;
use crate::eval::Evaluate;
use crate::games::text::square_name;
use crate::games::{Position, RankBase, Record};
use crate::search::Control;

/// The board as rows of letters, White below.
pub(super) fn diagram<P: Position>(position: &P, base: RankBase) -> Vec<String> {
    let (files, ranks) = P::dimensions();
    let mut lines = Vec::with_capacity(ranks + 6);
    for rank in (0..ranks).rev() {
        let letter = |file| position.piece_at((rank * files + file) as u8).map_or('.', P::piece_letter);
        let row: Vec<String> = (0..files).map(|file| letter(file).to_string()).collect();
        lines.push(format!("{:>2}  {}", rank + base.offset(), row.join(" ")));
    }
    let letters: Vec<String> = (b'a'..).take(files).map(|file| char::from(file).to_string()).collect();
    lines.push(format!("    {}", letters.join(" ")));
    lines
}

/// The squares of the pieces that give check.
pub(super) fn checkers<P: Position>(position: &P, base: RankBase) -> String {
    let (files, _) = P::dimensions();
    let name = |square: u8| square_name(usize::from(square) % files, usize::from(square) / files, base);
    position.checkers().into_iter().map(name).collect::<Vec<_>>().join(" ")
}

/// The board, then key, checkers, reserves and result, one line each.
pub(super) fn display<P: Position>(record: &Record<P>, base: RankBase) -> Vec<String> {
    let position = record.position();
    let mut lines = diagram(position, base);
    let result = record.result();
    lines.push(format!("Fen: {}", position.fen()));
    lines.push(format!("Key: {:016X}", position.key()));
    lines.push(format!("Checkers: {}", checkers(position, base)));
    lines.push(format!("Reserves: {}", position.reserves()));
    lines.push(format!("Result: {} {}", result.outcome, result.reason));
    lines
}

/// The static evaluation by groups of features.
pub(super) fn evaluation<P: Evaluate>(position: &P) -> Vec<String> {
    let mut lines = vec!["Evaluation in centipawns, positive for the first player".to_owned()];
    lines.extend(position.terms().iter().map(|term| format!("{:>24} {:>7}", term.name, term.value)));
    let value = position.evaluate(&position.accumulate());
    let white = if position.side() == Color::White { value } else { -value };
    lines.push(format!("{:>24} {white:>7}", "with the move, in all"));
    lines.push(format!("Evaluation: {value} for the side to move"));
    lines
}

/// The static value of a position for its side to move.
pub(super) fn static_value<P: Evaluate>(position: &P) -> i32 {
    position.evaluate(&position.accumulate())
}

/// Counts leaves until `control` says stop.
fn count<P: Position>(position: &P, depth: u32, control: &Control) -> Option<u64> {
    match depth {
        _ if control.stopped() => None,
        0 => Some(1),
        1 => Some(position.count_legal() as u64),
        _ => position
            .legal_moves()
            .iter()
            .try_fold(0_u64, |sum, &mv| Some(sum.saturating_add(count(&position.after(mv), depth - 1, control)?))),
    }
}

/// `go perft`: says the leaves under every move, and gives their sum.
pub(super) fn perft<P: Position>(position: &P, depth: u32, control: &Control, style: Style, out: &Output) -> u64 {
    let mut total = 0_u64;
    if depth == 0 {
        total = 1;
    } else {
        for &mv in position.legal_moves().iter() {
            let Some(leaves) = count(&position.after(mv), depth - 1, control) else {
                out.remark(style.dialect, "perft stopped; the count is not complete");
                break;
            };
            total = total.saturating_add(leaves);
            out.line(&format!("{}: {leaves}", style.move_text(position, mv)));
        }
    }
    total
}
