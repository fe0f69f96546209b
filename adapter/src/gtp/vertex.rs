//! Colours and points as GTP writes them. GTP's Black moves first and is therefore the engine's White (FQ-1).
use sanqi::board::Color;
use sanqi::games::fangqi::geometry::{FILES, POINTS};

/// GTP's Black: the first player.
pub(super) const BLACK: Color = Color::White;
/// GTP's White: the second player.
pub(super) const WHITE: Color = Color::Black;

/// What a player does in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vertex {
    /// Places a stone on the point of this index (a1 = 0, b1 = 1 … g7 = 48).
    Point(u8),
    /// Passes, which is possible only when the game is over.
    Pass,
}

/// Reads `b`, `black`, `w` or `white` in any case.
pub(super) fn parse_color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(BLACK),
        "w" | "white" => Some(WHITE),
        _ => None,
    }
}

/// `black` or `white`.
pub(super) fn color_name(color: Color) -> &'static str {
    if color == BLACK { "black" } else { "white" }
}

/// `B` or `W`.
pub(super) fn color_letter(color: Color) -> char {
    if color == BLACK { 'B' } else { 'W' }
}

/// Reads a point or `pass` in any case. GTP's letters leave out I, which lies beyond the board.
pub(super) fn parse_vertex(word: &str) -> Option<Vertex> {
    let word = word.to_ascii_lowercase();
    if word == "pass" {
        return Some(Vertex::Pass);
    }
    let mut bytes = word.bytes();
    let (letter, digit, end) = (bytes.next()?, bytes.next()?, bytes.next());
    let (file, rank) = (letter.checked_sub(b'a')?, digit.checked_sub(b'1')?);
    let on_board = usize::from(file) < FILES && usize::from(rank) < FILES && end.is_none();
    on_board.then(|| Vertex::Point(rank * FILES as u8 + file))
}

/// The name of a point, `D4`.
pub(super) fn point_name(point: u8) -> String {
    let (file, rank) = (point % FILES as u8, point / FILES as u8);
    format!("{}{}", (b'A' + file) as char, rank + 1)
}

/// The name of what was played.
pub(super) fn vertex_name(vertex: Vertex) -> String {
    match vertex {
        Vertex::Point(point) => point_name(point),
        Vertex::Pass => "pass".to_owned(),
    }
}

/// The names of the points in a set, from A1 to G7, with blanks between them.
pub(super) fn point_names(set: u64) -> String {
    points(set).map(point_name).collect::<Vec<_>>().join(" ")
}

/// The points in a set, from A1 to G7.
pub(super) fn points(set: u64) -> impl Iterator<Item = u8> {
    (0..POINTS as u8).filter(move |&point| set >> point & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_by_name() {
        assert_eq!(parse_vertex("a1"), Some(Vertex::Point(0)));
        assert_eq!(parse_vertex("D4"), Some(Vertex::Point(24)));
        assert_eq!(parse_vertex("g7"), Some(Vertex::Point(48)));
        assert_eq!(parse_vertex("PASS"), Some(Vertex::Pass));
        for point in 0..POINTS as u8 {
            assert_eq!(parse_vertex(&point_name(point)), Some(Vertex::Point(point)));
        }
        for wrong in ["", "a", "a0", "a8", "h1", "i4", "d9", "d44", "4d", "dd", "ä1", "resign"] {
            assert_eq!(parse_vertex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn colors_by_name() {
        assert_eq!(["b", "BLACK", "Black"].map(parse_color), [Some(BLACK); 3]);
        assert_eq!(["W", "white"].map(parse_color), [Some(WHITE); 2]);
        assert_eq!(["", "x", "blac", "bw"].map(parse_color), [None; 4]);
        assert_eq!((color_name(BLACK), color_letter(WHITE)), ("black", 'W'));
    }
}
