//! Positions and moves seen from the other side, or in a mirror: done on text, so that nothing of the engine's own board
//! code can hide in it.
use sanqi::games::RankBase;
use sanqi::games::text::{read_square, square_name};

/// How to look at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The players change places: ranks reversed, colours exchanged.
    OtherSide,
    /// Files reversed.
    Mirror,
}

/// A board's files and ranks.
pub type Dimensions = (usize, usize);

fn swap_case(text: &str) -> String {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    text.chars().map(swap).collect()
}

fn square(file: usize, rank: usize, view: View, (files, ranks): Dimensions) -> String {
    match view {
        View::OtherSide => square_name(file, ranks - 1 - rank, RankBase::One),
        View::Mirror => square_name(files - 1 - file, rank, RankBase::One),
    }
}

/// A six-field FEN as the engine writes it, seen otherwise. Holdings come out in an order that only a reader need accept.
///
/// # Panics
/// The FEN does not have six fields.
pub fn fen(fen: &str, view: View, dimensions: Dimensions) -> String {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let [place, side, castling, ep, half, full] = fields[..] else { panic!("not a six-field FEN: {fen}") };
    let (board, holdings) = match place.split_once('[') {
        Some((board, holdings)) => (board, format!("[{holdings}")),
        None => (place, String::new()),
    };
    let ep = match read_square(ep, dimensions.0, dimensions.1, RankBase::One) {
        Some((file, rank, "")) => square(file, rank, view, dimensions),
        _ => ep.to_owned(),
    };
    let rows = board.split('/');
    match view {
        View::OtherSide => {
            let board = rows.rev().map(swap_case).collect::<Vec<_>>().join("/");
            let side = if side == "w" { "b" } else { "w" };
            format!("{board}{} {side} {castling} {ep} {half} {full}", swap_case(&holdings))
        }
        View::Mirror => {
            let board = rows.map(|row| row.chars().rev().collect::<String>()).collect::<Vec<_>>().join("/");
            format!("{board}{holdings} {side} {castling} {ep} {half} {full}")
        }
    }
}

/// A move with ranks from 1, seen otherwise. Drop and promotion letters stay as they are.
///
/// # Panics
/// The text is no move.
pub fn move_text(text: &str, view: View, dimensions: Dimensions) -> String {
    let (drop, mut rest) = match text.split_once('@') {
        Some((letter, rest)) => (format!("{letter}@"), rest),
        None => (String::new(), text),
    };
    let mut out = drop;
    while let Some((file, rank, tail)) = read_square(rest, dimensions.0, dimensions.1, RankBase::One) {
        out.push_str(&square(file, rank, view, dimensions));
        rest = tail;
    }
    assert!(rest.len() <= 1, "not a move: {text}");
    out + rest
}
