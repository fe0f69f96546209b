//! Both boards as text.
use super::check::Playback;
use super::recorder::reserve_of;
use super::values::{BoardOutcome, Milliseconds, Side};
use sanqi::board::Color;
use sanqi::board::bitboard::{FILES, RANKS};
use sanqi::games::Position;
use sanqi::games::supply::Supply;
use sanqi::games::supply::team::BoardId;

/// Columns of a board and the gap beside it.
const WIDTH: usize = 36;

/// Both boards side by side after an event, with reserves, the event and the FEN.
pub fn show(playback: &Playback<'_>, total: usize) -> String {
    let [one, two] = BoardId::ALL.map(|board| board_lines(playback, board));
    let mut text = format!("{}\n\n", headline(playback, total));
    for (left, right) in one.iter().zip(&two) {
        text.push_str(format!("{left:WIDTH$}{right}").trim_end());
        text.push('\n');
    }
    text.push_str(&format!("\nFen: {}\n", playback.game().fen()));
    text
}

fn headline(playback: &Playback<'_>, total: usize) -> String {
    let Some(event) = playback.last_event() else { return format!("Before event 1 of {total}") };
    let mut text = format!(
        "Event {} of {total}: {} plays {} on board {}, turn {}",
        event.number,
        event.side,
        event.move_text(),
        event.board,
        event.ply
    );
    if let Some(piece) = event.captured {
        text.push_str(&format!(", takes {piece}"));
    }
    let times = [("clock", event.clock_ms), ("time", event.time_ms)];
    for (name, time) in times.into_iter().filter_map(|(name, time)| Some((name, time?))) {
        text.push_str(&format!(", {name} {}", minutes(time)));
    }
    text
}

/// `4:58.210`.
fn minutes(time: Milliseconds) -> String {
    let (minutes, rest) = (time.get() / 60_000, time.get() % 60_000);
    format!("{minutes}:{:02}.{:03}", rest / 1000, rest % 1000)
}

fn board_lines(playback: &Playback<'_>, board: BoardId) -> Vec<String> {
    let position = playback.game().position(board);
    let reserve = |color| {
        let letters = reserve_of(playback.game(), board, color);
        let shown = if letters.is_empty() { "-" } else { &letters };
        format!("{} in reserve: {shown}", Side::from(color))
    };
    let mut lines = vec![state(playback, board), reserve(Color::Black)];
    for rank in (0..RANKS).rev() {
        let mut line = format!("{:2}", rank + 1);
        for file in 0..FILES {
            let piece = u8::try_from(rank * FILES + file).ok().and_then(|square| position.piece_at(square));
            line.push(' ');
            line.push(piece.map_or('.', Supply::piece_letter));
        }
        lines.push(line);
    }
    lines.push("   a b c d e f g h i".to_owned());
    lines.push(reserve(Color::White));
    lines
}

fn state(playback: &Playback<'_>, board: BoardId) -> String {
    match (playback.end_of(board), playback.turn_on(board)) {
        (Some(end), _) if end.outcome == BoardOutcome::Draw => format!("Board {board}: drawn ({})", end.reason),
        (Some(end), _) => format!("Board {board}: {} won ({})", end.outcome, end.reason),
        (None, Some(seat)) => format!("Board {board}: {} to move", Side::from(seat.color())),
        (None, None) => format!("Board {board}"),
    }
}
