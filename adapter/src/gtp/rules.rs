//! What GoGui asks of a game's rules (`gogui-rules_…`), and boards as text. GoGui reads some of these replies with little care, so
//! their exact form matters: see `protocol-docs/gtp.md`.
use super::game::Game;
use super::vertex::{BLACK, WHITE, color_name, point_names};
use sanqi::games::Position;
use sanqi::games::fangqi::geometry::{FILES, points_of};

/// What marks a capturing square: the source text shows a gold dashed one (FQ-8).
pub(super) const GOLD: &str = "#ffd700";
/// What marks a square that is completed and captures nothing.
pub(super) const SILVER: &str = "#d0d0d0";

/// Empty when and only when the game is over.
pub(super) fn legal_moves(game: &Game) -> String {
    if game.is_over() { String::new() } else { point_names(game.position().empty()) }
}

/// Stones captured by Black, then by White.
pub(super) fn captured_count(game: &Game) -> String {
    format!("{} {}", game.captured_by(BLACK), game.captured_by(WHITE))
}

/// Stones in hand in one line.
pub(super) fn hands(game: &Game) -> String {
    let position = game.position();
    format!("In hand: Black {}, White {}", position.hand(BLACK), position.hand(WHITE))
}

/// The squares that the last move completed, the points that it cleared, and the stones in hand.
pub(super) fn board_gfx(game: &Game) -> String {
    let mut lines = Vec::new();
    if let Some(effect) = game.plies().last().and_then(|ply| ply.effect()) {
        lines.extend(square_colors(effect.squares, effect.capturing));
        if effect.captures != 0 {
            lines.push(format!("MARK {}", point_names(effect.captures)));
        }
    }
    lines.push(format!("TEXT {}", hands(game)));
    lines.join("\n")
}

/// Colours the points of completed squares, those of capturing ones in gold.
pub(super) fn square_colors(squares: u64, capturing: u64) -> Vec<String> {
    let gold = points_of(capturing);
    let silver = points_of(squares) & !gold;
    let line = |(color, set)| format!("COLOR {color} {}", point_names(set));
    [(SILVER, silver), (GOLD, gold)].into_iter().filter(|&(_, set)| set != 0).map(line).collect()
}

/// The board for people.
pub(super) fn show(game: &Game) -> String {
    let letters = (0..FILES as u8).map(|file| ((b'A' + file) as char).to_string()).collect::<Vec<_>>().join(" ");
    let player = |name, color| {
        let (hand, captured) = (game.position().hand(color), game.captured_by(color));
        format!("     {name}: {hand} in hand, {captured} captured")
    };
    let mut out = format!("\n   {letters}");
    for (index, row) in game.rows().iter().enumerate() {
        let rank = FILES - index;
        let note = match rank {
            5 => player("Black (X)", BLACK),
            4 => player("White (O)", WHITE),
            3 if game.is_over() => format!("     {}", game.result_text()),
            3 => format!("     {} to play", color_name(game.position().side())),
            _ => String::new(),
        };
        out.push_str(&format!("\n {rank} {row} {rank}{note}"));
    }
    out.push_str(&format!("\n   {letters}"));
    out
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::{finished, played};
    use super::*;

    #[test]
    fn the_capture_of_the_reference() {
        let game = played("D4 C4 E4 F5 D5 D6 E5");
        assert_eq!(captured_count(&game), "3 0");
        assert_eq!(board_gfx(&game), "COLOR #ffd700 D4 E4 D5 E5\nMARK C4 F5 D6\nTEXT In hand: Black 16, White 17");
        assert_eq!(game.rows().join("/").replace(' ', ""), "......./......./...XX../...XX../......./......./.......");
        assert_eq!(legal_moves(&game).split(' ').count(), 45);
    }

    #[test]
    fn no_legal_move_when_it_is_over() {
        let game = finished();
        assert_eq!(legal_moves(&game), "");
        assert!(game.result_text().contains("stones"));
        assert!(legal_moves(&played("A1")).starts_with("B1 C1"));
    }

    #[test]
    fn shown_board() {
        let text = show(&played("A1 G7"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "   A B C D E F G");
        assert_eq!(lines[2], " 7 . . . . . . O 7");
        assert_eq!(lines[4], " 5 . . . . . . . 5     Black (X): 19 in hand, 0 captured");
        assert_eq!(lines[6], " 3 . . . . . . . 3     black to play");
        assert_eq!(lines[8], " 1 X . . . . . . 1");
    }
}
