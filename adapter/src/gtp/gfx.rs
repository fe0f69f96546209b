//! Live graphics: what the engine considers, drawn by GoGui while it thinks.
use super::vertex::{Vertex, color_letter, vertex_name};
use crate::engine::{Info, Value};
use sanqi::board::Color;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::mpsc::{SyncSender, sync_channel};

/// Moves of a variation that are drawn; more would cover the board.
const MOVES: usize = 8;
/// Pictures that wait to be written. When nobody reads them the rest is dropped, so that no search waits for a picture.
const WAITING: usize = 64;

/// Writes `gogui-gfx`, for GoGui to standard error.
#[derive(Debug)]
pub(super) struct LiveGraphics {
    pictures: SyncSender<String>,
}

impl LiveGraphics {
    /// Starts the writer.
    pub(super) fn new(mut out: impl Write + Send + 'static) -> LiveGraphics {
        let (pictures, receiver) = sync_channel::<String>(WAITING);
        std::thread::spawn(move || {
            for picture in receiver {
                if out.write_all(picture.as_bytes()).and_then(|()| out.flush()).is_err() {
                    break;
                }
            }
        });
        LiveGraphics { pictures }
    }

    /// Shows a variation that begins with a move of `color`, and the score from that player's point of view.
    pub(super) fn show(&self, color: Color, line: &[Vertex], info: &Info) {
        self.write(picture(color, line, info));
    }

    /// Wipes the board of what was shown.
    pub(super) fn clear(&self) {
        self.write("gogui-gfx: CLEAR\n".to_owned());
    }

    fn write(&self, picture: String) {
        // A full queue means that nobody looks.
        let _ = self.pictures.try_send(picture);
    }
}

fn picture(color: Color, line: &[Vertex], info: &Info) -> String {
    let mut out = String::from("gogui-gfx:\nVAR");
    let mut turn = color;
    for &vertex in line.iter().take(MOVES) {
        // Writing into a string cannot fail.
        let _ = write!(out, " {} {}", color_letter(turn).to_ascii_lowercase(), vertex_name(vertex));
        turn = !turn;
    }
    let _ = write!(out, "\nTEXT {}\n\n", summary(info));
    out
}

/// Depth, score and nodes in one line.
pub(super) fn summary(info: &Info) -> String {
    let mut parts = Vec::new();
    parts.extend(info.score.map(score_text));
    parts.extend(info.depth.map(|depth| format!("depth {depth}")));
    parts.extend(info.nodes.map(|nodes| format!("{nodes} nodes")));
    parts.join(", ")
}

/// A score in stones, or the number of moves to a game that is decided.
fn score_text(score: Value) -> String {
    match score {
        Value::Centipawns(_) => format!("{score} stones"),
        Value::Mate(n) if n > 0 => format!("won in {n}"),
        Value::Mate(n) => format!("lost in {}", n.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::vertex::WHITE;
    use super::*;

    #[test]
    fn a_picture_is_a_block_that_ends_with_an_empty_line() {
        let info = Info::parse("depth 5 score cp -120 nodes 321 pv P@d4 P@e5");
        let text = picture(WHITE, &[Vertex::Point(24), Vertex::Point(32)], &info);
        assert_eq!(text, "gogui-gfx:\nVAR w D4 b E5\nTEXT -1.20 stones, depth 5, 321 nodes\n\n");
        let long: Vec<Vertex> = (0..40).map(Vertex::Point).collect();
        assert_eq!(picture(WHITE, &long, &info).split_whitespace().filter(|w| w.len() == 1).count(), MOVES);
        assert_eq!(summary(&Info::parse("score mate -3")), "lost in 3");
    }
}
