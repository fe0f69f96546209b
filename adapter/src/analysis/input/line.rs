//! Lines that each stand for a position: FEN, EPD, a UCI `position` command, JSON.
use super::json;
use crate::analysis::game::{AnyVariant, Source};
use crate::analysis::row::Id;
use crate::runner::book::epd_to_fen;

/// Commands of a recorded UCI dialogue that say nothing about a position.
const OTHER_COMMANDS: [&str; 9] =
    ["uci", "isready", "ucinewgame", "go", "stop", "ponderhit", "quit", "debug", "setoption"];

/// What a line gives: an id, if it has one, and the position or what is wrong with it.
pub(super) type Entry = (Option<Id>, Result<Source, String>);

/// Nothing, or a comment.
pub(super) fn is_empty(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text.starts_with('#')
}

/// Reads a line; `None` when it stands for no position. `variant` is the game of a line that does not name its own, and changes with
/// `setoption name UCI_Variant`.
pub(super) fn read(text: &str, variant: &mut AnyVariant) -> Option<Entry> {
    let text = text.trim();
    if is_empty(text) {
        return None;
    }
    if text.starts_with('{') {
        return Some(json::read(text, *variant));
    }
    let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if command == "position" {
        return Some((None, Source::of_command(*variant, rest)));
    }
    if let Some(name) = rest.strip_prefix("name UCI_Variant value ").filter(|_| command == "setoption") {
        return match name.trim().parse() {
            Ok(chosen) => {
                *variant = chosen;
                None
            }
            Err(error) => Some((None, Err(error.to_string()))),
        };
    }
    if OTHER_COMMANDS.contains(&command) {
        return None;
    }
    // Only supply2 has two FENs, with operations of an EPD in neither of them.
    if text.contains('|') {
        return Some((None, Ok(Source::of_fen(AnyVariant::Supply2, text))));
    }
    Some((epd_id(text).map(Id::Text), Ok(Source::of_fen(*variant, &epd_to_fen(text)))))
}

/// The operand of `id`.
fn epd_id(line: &str) -> Option<String> {
    let (_, rest) = line.split_once(" id \"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanqi::games::Variant;

    const FANGQI: AnyVariant = AnyVariant::One(Variant::Fangqi);

    fn one(text: &str) -> Option<Entry> {
        read(text, &mut FANGQI.clone())
    }

    #[test]
    fn every_kind_of_line() {
        let fen = "7/7/7/3P3/7/7/7 b - - 0 1";
        let plain = Some((None, Ok(Source::of_fen(FANGQI, fen))));
        assert_eq!(one(fen), plain);
        assert_eq!(one("  7/7/7/3P3/7/7/7 b - - 0 1 \t"), plain);
        let named = one("7/7/7/3P3/7/7/7 b - - id \"a b\"; ce 5;").unwrap();
        assert_eq!(named, (Some(Id::Text("a b".into())), Ok(Source::of_fen(FANGQI, fen))));
        let command = one("position startpos moves P@d4").unwrap().1.unwrap();
        assert_eq!(command.moves, ["P@d4"]);
        for nothing in ["", "  ", "# x", "go nodes 5", "uci", "setoption name Hash value 3"] {
            assert_eq!(one(nothing), None, "{nothing}");
        }
        assert_eq!(one("a w | b w").unwrap().1.unwrap().variant, AnyVariant::Supply2);
    }

    #[test]
    fn the_variant_is_followed() {
        let mut variant = FANGQI;
        assert_eq!(read("setoption name UCI_Variant value yangqi", &mut variant), None);
        assert_eq!(variant, AnyVariant::One(Variant::Yangqi));
        let refused = read("setoption name UCI_Variant value chess", &mut variant).unwrap().1.unwrap_err();
        assert!(refused.contains("`chess`"), "{refused}");
    }
}
