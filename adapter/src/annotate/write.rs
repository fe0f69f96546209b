//! The annotated game as PGN, and its graph.
use super::game::{Ply, Point};
use super::judge::Judgement;
use crate::chart::{COLORS, Chart, Mark, Series};
use crate::engine::Value;
use crate::pgn::{Movetext, PgnGame};
use sanqi::board::Color;
use std::fmt::Write as _;

/// Moves of a best line that are shown.
const SHOWN: usize = 10;

/// The game with evaluations, glyphs, comments and better lines. `better[i]` is the best line instead of move i, as the file's words.
pub(super) fn pgn(game: &PgnGame, engine: &str, plies: &[Ply], points: &[Point], better: &[Vec<String>]) -> String {
    let mut text = String::new();
    let others = game.tags.iter().filter(|(name, _)| name != "Annotator");
    let annotator = ("Annotator".to_owned(), engine.to_owned());
    // Writing into a string cannot fail.
    for (name, value) in others.chain([&annotator]) {
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    }
    text.push('\n');
    let mut movetext = Movetext::new(&game.game.start_fen());
    let rest = points.iter().skip(1).zip(better).zip(&game.comments);
    for (ply, ((after, better), old)) in plies.iter().zip(rest) {
        let number = movetext.number();
        movetext.mv(ply.side, &ply.word);
        if let Some(judgement) = ply.judgement {
            movetext.nag(judgement.nag());
        }
        let comment = comment(old, ply, after, better);
        if !comment.is_empty() {
            movetext.comment(&comment);
        }
        if ply.judgement.is_some() && !better.is_empty() {
            let line = better.get(..SHOWN.min(better.len())).unwrap_or_default();
            movetext.variation(number, ply.side, line);
        }
    }
    text + &movetext.finish(&game.result.to_string())
}

fn comment(old: &str, ply: &Ply, after: &Point, better: &[String]) -> String {
    let mut parts = vec![without_evaluation(old)];
    if let Some(line) = &after.line {
        // As PGN programs write it: for White, mates in moves.
        let sign = if after.side == Color::White { 1 } else { -1 };
        let depth = line.depth.map(|depth| format!(",{depth}")).unwrap_or_default();
        parts.push(match line.score.value() {
            Value::Centipawns(cp) => format!("[%eval {:.2}{depth}]", f64::from(cp * sign) / 100.0 + 0.0),
            Value::Mate(0) => format!("[%eval #{}0]", if sign > 0 { "-" } else { "" }),
            Value::Mate(moves) => format!("[%eval #{}{depth}]", moves * sign),
        });
    }
    if let Some(judgement) = ply.judgement {
        let [before, after] = ply.expected.map(|score| (score * 100.0).round());
        let mut words = format!("{}: {before} % to {after} %", judgement.name());
        if let Some(best) = better.first() {
            let _ = write!(words, ", best {best}");
        }
        parts.push(words);
    }
    if after.is_exact && after.line.is_some() {
        parts.push("proved".to_owned());
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// A comment without what an earlier run has left there: the evaluation and the judgement after it.
fn without_evaluation(comment: &str) -> String {
    let mut out = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%eval ") {
        out.push_str(before);
        rest = after.split_once(']').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    let words: Vec<&str> = out.split_whitespace().collect();
    let begins_judgement = |rest: &[&str]| {
        let named =
            |word: &str| Judgement::ALL.iter().any(|judgement| word.strip_suffix(':') == Some(judgement.name()));
        matches!(rest, [name, _, "%", "to", ..] if named(name))
    };
    let kept: Vec<&str> = (0..words.len())
        .take_while(|&at| !words.get(at..).is_some_and(begins_judgement))
        .filter_map(|at| words.get(at).copied())
        .collect();
    let proved = comment.contains("[%eval ") && kept.last() == Some(&"proved");
    kept.get(..kept.len() - usize::from(proved)).unwrap_or_default().join(" ")
}

/// Mistakes of a side in words, `2 inaccuracies, 1 mistake, 0 blunders, mean loss 3.1 %`.
pub(super) fn summary(plies: &[Ply], side: Color) -> String {
    let own: Vec<&Ply> = plies.iter().filter(|ply| ply.side == side).collect();
    let mut text = String::new();
    for (judgement, one, many) in [
        (Judgement::Inaccuracy, "inaccuracy", "inaccuracies"),
        (Judgement::Mistake, "mistake", "mistakes"),
        (Judgement::Blunder, "blunder", "blunders"),
    ] {
        let count = own.iter().filter(|ply| ply.judgement == Some(judgement)).count();
        let _ = write!(text, "{count} {}, ", if count == 1 { one } else { many });
    }
    let mean = own.iter().map(|ply| ply.loss).sum::<f64>() / own.len().max(1) as f64 * 100.0;
    text + &format!("mean loss {mean:.1} %")
}

/// The chances of White over the game, the mistakes marked.
pub(super) fn graph(game: &PgnGame, plies: &[Ply], points: &[Point]) -> String {
    let player = |name: &str| game.tag(name).unwrap_or("?");
    let at = |index: usize| (index as f64 / 2.0 + 1.0, points.get(index).map_or(50.0, |p| p.white * 100.0));
    let marks = plies.iter().enumerate().filter_map(|(index, ply)| {
        let judgement = ply.judgement?;
        let dots = if ply.side == Color::White { "." } else { "..." };
        let number = index / 2 + 1;
        let [before, after] = ply.expected.map(|score| (score * 100.0).round());
        let text = format!("{number}{dots} {} {}: {before} % to {after} %", ply.word, judgement.name());
        Some(Mark { at: at(index + 1), color: judgement.color(), text })
    });
    Chart {
        title: format!("{} – {}: {}", player("White"), player("Black"), game.result),
        x_label: "move".to_owned(),
        y_label: "first player, %".to_owned(),
        series: vec![Series {
            name: "first player".to_owned(),
            color: COLORS[0],
            points: (0..points.len()).map(at).collect(),
        }],
        is_area: true,
        levels: vec![(50.0, String::new())],
        marks: marks.collect(),
        range: Some((0.0, 100.0)),
    }
    .svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_evaluations_go() {
        assert_eq!(without_evaluation("good [%eval 0.3,12] move"), "good move");
        assert_eq!(without_evaluation("[%eval #3][%clk 1:00]"), "[%clk 1:00]");
        assert_eq!(without_evaluation("[%eval 3"), "");
    }
}
