//! SGF, file format 4. GoGui writes its other games like Go, without `GM`, and so do we. A file holds moves and set-up stones; what is
//! captured is found by playing the moves.
use super::game::Game;
use super::vertex::{BLACK, Vertex, WHITE, color_letter, points};
use sanqi::games::Position;
use sanqi::games::fangqi::geometry::FILES;
use thiserror::Error;

/// Moves on a line of a file.
const MOVES_PER_LINE: usize = 10;

/// Why a text is no record of a game of Fangqi.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum SgfError {
    /// No `(;`.
    #[error("no game tree")]
    NoTree,
    /// A property without value, a bracket that is not closed.
    #[error("broken property {0}")]
    Broken(String),
    /// `GM` of another game.
    #[error("another game, GM[{0}]")]
    OtherGame(String),
    /// `SZ` other than 7, or absent, which means 19.
    #[error("unacceptable size {0}")]
    Size(String),
    /// Not a point of the board, or not a colour.
    #[error("bad value {0}[{1}]")]
    Value(String, String),
    /// Set-up stones after the first move.
    #[error("set-up stones after a move")]
    LateSetup,
    /// Two stones on a point.
    #[error("stones on one point")]
    Overlap,
    /// A move that the rules refuse.
    #[error("move {0} is illegal")]
    Illegal(usize),
}

/// Reads the main line of the first game in `text`, or its first `moves` moves. Where variations branch off, the first is the main line.
///
/// # Errors
/// See [`SgfError`].
pub(super) fn read(text: &str, moves: usize) -> Result<Game, SgfError> {
    let nodes = main_line(text)?;
    let property = |name: &str| nodes.iter().flatten().find(|p| p.name == name).and_then(|p| p.values.first());
    let game = property("GM").map_or("", |value| value.trim());
    if !matches!(game, "" | "1") {
        return Err(SgfError::OtherGame(game.to_owned()));
    }
    let size = property("SZ").map_or("19", |value| value.trim());
    if !matches!(size, "7" | "7:7") {
        return Err(SgfError::Size(size.to_owned()));
    }
    let mut setup = [0u64; 2];
    let mut to_play = BLACK;
    let mut played = Vec::new();
    for property in nodes.iter().flatten() {
        match property.name.as_str() {
            "AB" | "AW" | "AE" if !played.is_empty() => return Err(SgfError::LateSetup),
            "AB" | "AW" | "AE" => {
                let [black, white] = &mut setup;
                for value in &property.values {
                    let set = rectangle(value).ok_or_else(|| property.bad(value))?;
                    match property.name.as_str() {
                        "AB" => *black |= set,
                        "AW" => *white |= set,
                        _ => (*black, *white) = (*black & !set, *white & !set),
                    }
                }
            }
            "PL" if played.is_empty() => {
                let value = property.values.first().map_or("", |v| v.trim());
                to_play = match value {
                    "B" | "b" | "1" => BLACK,
                    "W" | "w" | "2" => WHITE,
                    _ => return Err(property.bad(value)),
                };
            }
            "B" | "W" => {
                let color = if property.name == "B" { BLACK } else { WHITE };
                let value = property.values.first().map_or("", |v| v.trim());
                played.push((color, vertex(value).ok_or_else(|| property.bad(value))?));
            }
            _ => {}
        }
    }
    let [black, white] = setup;
    let mut game = if (black, white, to_play) == (0, 0, BLACK) {
        Game::new()
    } else {
        Game::set_up(black, white, to_play).map_err(|_| SgfError::Overlap)?
    };
    for (index, (color, vertex)) in played.into_iter().take(moves).enumerate() {
        game.play(color, vertex).map_err(|_| SgfError::Illegal(index + 1))?;
    }
    Ok(game)
}

/// Writes a game.
pub(super) fn write(game: &Game) -> String {
    let mut out = format!("(;FF[4]CA[UTF-8]AP[Sanqi:{}]SZ[{FILES}]RU[Fangqi]", env!("CARGO_PKG_VERSION"));
    if let Some(score) = game.score() {
        out.push_str(&format!("RE[{score}]"));
    }
    let start = game.start();
    for (name, color) in [("AB", BLACK), ("AW", WHITE)] {
        let stones = start.stones(color);
        if stones != 0 {
            out.push_str(name);
            points(stones).for_each(|point| out.push_str(&format!("[{}]", letters(point))));
        }
    }
    if start.side() == WHITE {
        out.push_str("PL[W]");
    }
    for (index, ply) in game.plies().iter().enumerate() {
        if index % MOVES_PER_LINE == 0 {
            out.push('\n');
        }
        let place = match ply.vertex {
            Vertex::Point(point) => letters(point),
            Vertex::Pass => String::new(),
        };
        out.push_str(&format!(";{}[{place}]", color_letter(ply.color)));
    }
    out.push_str("\n)\n");
    out
}

/// A property of a node with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Property {
    name: String,
    values: Vec<String>,
}

impl Property {
    fn bad(&self, value: &str) -> SgfError {
        SgfError::Value(self.name.clone(), value.chars().filter(|c| !c.is_control()).take(20).collect())
    }
}

/// The nodes of the first game's main line.
fn main_line(text: &str) -> Result<Vec<Vec<Property>>, SgfError> {
    let mut chars = text.chars().peekable();
    // Text may stand before the game.
    loop {
        match chars.next() {
            None => return Err(SgfError::NoTree),
            Some('(') => {
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                if chars.peek() == Some(&';') {
                    break;
                }
            }
            Some(_) => {}
        }
    }
    let mut nodes: Vec<Vec<Property>> = Vec::new();
    let mut name = String::new();
    while let Some(c) = chars.next() {
        match c {
            ';' => nodes.push(Vec::new()),
            // The first variation goes on with the main line, and where it closes the main line ends.
            ')' => break,
            '[' => {
                let value = value(&mut chars).ok_or_else(|| SgfError::Broken(name.clone()))?;
                let Some(node) = nodes.last_mut() else { return Err(SgfError::NoTree) };
                if name.is_empty() {
                    let Some(last) = node.last_mut() else { return Err(SgfError::Broken("[".to_owned())) };
                    last.values.push(value);
                } else {
                    node.push(Property { name: std::mem::take(&mut name), values: vec![value] });
                }
            }
            // Older formats write names out and mix lower case in, which does not count: `BlacK` is `BK`.
            c if c.is_ascii_uppercase() => name.push(c),
            _ => {}
        }
    }
    if name.is_empty() { Ok(nodes) } else { Err(SgfError::Broken(name)) }
}

/// A value up to its closing bracket; a backslash takes the next character as it stands.
fn value(chars: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut value = String::new();
    loop {
        match chars.next()? {
            ']' => return Some(value),
            '\\' => value.push(chars.next()?),
            c => value.push(c),
        }
    }
}

/// A point or a pass, which is an empty value or, as in older files, `tt`.
fn vertex(value: &str) -> Option<Vertex> {
    if matches!(value, "" | "tt") { Some(Vertex::Pass) } else { point(value).map(Vertex::Point) }
}

/// A point as two letters: file from the left, rank from the top.
fn point(value: &str) -> Option<u8> {
    let mut bytes = value.trim().bytes();
    let (column, row, end) = (bytes.next()?, bytes.next()?, bytes.next());
    let (file, down) = (column.checked_sub(b'a')?, row.checked_sub(b'a')?);
    let side = FILES as u8;
    (file < side && down < side && end.is_none()).then(|| (side - 1 - down) * side + file)
}

/// A point, or a rectangle from its upper left to its lower right corner, as a set.
fn rectangle(value: &str) -> Option<u64> {
    let (from, to) = value.split_once(':').unwrap_or((value, value));
    let (from, to) = (point(from)?, point(to)?);
    let side = FILES as u8;
    let within =
        |p: u8| (from % side..=to % side).contains(&(p % side)) && (to / side..=from / side).contains(&(p / side));
    let set = (0..side * side).filter(|&p| within(p)).fold(0, |set, p| set | 1u64 << p);
    (set != 0).then_some(set)
}

fn letters(point: u8) -> String {
    let side = FILES as u8;
    let (column, row) = (point % side, side - 1 - point / side);
    format!("{}{}", (b'a' + column) as char, (b'a' + row) as char)
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::{finished, played};
    use super::*;

    const ALL: usize = usize::MAX;

    #[test]
    fn games_survive_writing_and_reading() {
        let mut ended = finished();
        ended.play(BLACK, Vertex::Pass).unwrap();
        let mut set_up = Game::set_up(0b101, 1 << 48, WHITE).unwrap();
        set_up.play(WHITE, Vertex::Point(20)).unwrap();
        for game in [Game::new(), played("D4 C4 E4 F5 D5 D6 E5"), ended, set_up] {
            let text = write(&game);
            let again = read(&text, ALL).unwrap();
            assert_eq!((again.position(), again.plies().len()), (game.position(), game.plies().len()), "{text}");
            assert_eq!(write(&again), text);
        }
    }

    #[test]
    fn captures_are_found_by_playing() {
        // FQ-3, as GoGui's match tool writes a game: no GM, points as letters from the top left.
        let text = "(;FF[4]CA[UTF-8]AP[gogui-twogtp:1.6.0]SZ[7]\n;B[dd];W[cd];B[ed];W[fc];B[dc];W[db];B[ec])";
        let game = read(text, ALL).unwrap();
        assert_eq!((game.captured_by(BLACK), game.on_board(BLACK), game.on_board(WHITE)), (3, 4, 0));
        assert_eq!(read(text, 6).unwrap().on_board(WHITE), 3);
        assert_eq!(read(text, 0).unwrap().plies().len(), 0);
    }

    #[test]
    fn the_first_variation_is_the_main_line() {
        let text = "noise (x) (;GM[1]SZ[7:7]C[a \\] ; ( bracket](;B[aa](;W[ab];B[ac])(;W[gg]))(;B[bb]))(;SZ[19];B[cc])";
        let game = read(text, ALL).unwrap();
        let colors: Vec<_> = game.plies().iter().map(|p| (p.color, p.vertex)).collect();
        assert_eq!(colors, [(BLACK, Vertex::Point(42)), (WHITE, Vertex::Point(35)), (BLACK, Vertex::Point(28))]);
    }

    #[test]
    fn set_up_stones() {
        let game = read("(;SZ[7]AB[aa:bb][gg]AE[ab]AW[dd]PL[W];W[cc])", ALL).unwrap();
        assert_eq!((game.on_board(BLACK), game.on_board(WHITE)), (4, 2));
        assert_eq!(game.position().hand(WHITE), 18);
        assert_eq!(read("(;SiZe[7]BlacKx[];B[])", ALL).unwrap_err(), SgfError::Illegal(1));
    }

    #[test]
    fn what_is_refused() {
        let refused = |text: &str| read(text, ALL).unwrap_err().to_string();
        assert_eq!(refused(""), "no game tree");
        assert_eq!(refused("(;GM[2]SZ[7])"), "another game, GM[2]");
        assert_eq!(refused("(;GM[1])"), "unacceptable size 19");
        assert_eq!(refused("(;SZ[7];B[hh])"), "bad value B[hh]");
        assert_eq!(refused("(;SZ[7];B[aa"), "broken property B");
        assert_eq!(refused("(;SZ[7];B)"), "broken property B");
        assert_eq!(refused("(;SZ[7];B[aa];W[aa])"), "move 2 is illegal");
        assert_eq!(refused("(;SZ[7];B[])"), "move 1 is illegal");
        assert_eq!(refused("(;SZ[7];B[aa]AW[bb])"), "set-up stones after a move");
        assert_eq!(refused("(;SZ[7]AB[aa]AW[aa])"), "stones on one point");
        assert_eq!(refused("(;SZ[7]AB[bb:aa])"), "bad value AB[bb:aa]");
        assert_eq!(refused("(;[7])"), "broken property [");
    }
}
