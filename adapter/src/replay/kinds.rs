//! Telling the formats of records apart: for texts that could not be read as what they were taken for.
use super::bpgn;
use super::error::ReplayError;

/// What a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A match on two boards.
    Bpgn,
    /// A game on one board.
    Pgn,
    /// Tags, which both have.
    Tags,
    /// An object.
    Json,
    Unknown,
}

/// What to say instead of `error` about a text that is no replay in JSON.
pub(super) fn not_json(text: &str, error: ReplayError) -> ReplayError {
    let (found, reader) = match kind_of(text) {
        Kind::Bpgn => ("BPGN", "replay from-bpgn"),
        Kind::Pgn | Kind::Tags => ("PGN", "pgn check"),
        Kind::Json | Kind::Unknown => return error,
    };
    ReplayError::Format { found, expected: "JSON", reader }
}

/// What to say instead of `error` about a text that is no BPGN.
pub(super) fn not_bpgn(text: &str, error: ReplayError) -> ReplayError {
    let (found, reader) = match kind_of(text) {
        Kind::Json => ("JSON", "replay check"),
        Kind::Pgn => ("PGN of one board", "pgn check"),
        Kind::Bpgn | Kind::Tags | Kind::Unknown => return error,
    };
    ReplayError::Format { found, expected: "BPGN", reader }
}

fn kind_of(text: &str) -> Kind {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    if begins_object(text) {
        return Kind::Json;
    }
    let (mut rest, mut has_tags, mut one_board) = (text, false, false);
    // What is read as a tag may also be a list of lists.
    while let Some((name, tail)) = bpgn::leading_tag(rest).filter(|(name, _)| bpgn::is_tag_name(name)) {
        match name {
            "WhiteA" | "BlackA" | "WhiteB" | "BlackB" => return Kind::Bpgn,
            "White" | "Black" => one_board = true,
            _ => {}
        }
        (rest, has_tags) = (tail.trim_start(), true);
    }
    // Comments may stand before the first move.
    while let Some((_, tail)) = rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        rest = tail.trim_start();
    }
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < rest.len();
    let mut after = number.chars();
    match (after.next(), after.next()) {
        (Some('A' | 'a' | 'B' | 'b'), Some('.')) if is_numbered => Kind::Bpgn,
        (Some('.'), next) if is_numbered && !next.is_some_and(|c| c.is_ascii_digit()) => Kind::Pgn,
        _ if one_board => Kind::Pgn,
        _ if has_tags => Kind::Tags,
        _ => Kind::Unknown,
    }
}

/// `{"name":`, which no comment in braces is likely to begin with.
fn begins_object(text: &str) -> bool {
    let name = text.strip_prefix('{').and_then(|inner| inner.trim_start().strip_prefix('"'));
    name.and_then(|name| name.split_once('"')).is_some_and(|(_, tail)| tail.trim_start().starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        for (text, kind) in [
            ("{ \"format\": 1}", Kind::Json),
            ("\u{feff}\n{\n\"format\":", Kind::Json),
            ("{\"Good\" he said} 1A. h3e3 *", Kind::Bpgn),
            ("[Event \"x\"]\n[WhiteA \"y\"]\n", Kind::Bpgn),
            ("[Event \"x\"]\n\n{note} 1a. h8e8 *", Kind::Bpgn),
            ("12B. h3e3", Kind::Bpgn),
            ("[Event \"x\"]\n[White \"y\"]\n\n*", Kind::Pgn),
            ("[Event \"x\"]\n\n1. h3e3 *", Kind::Pgn),
            ("1.h3e3 *", Kind::Pgn),
            ("[Event \"x\"]\n\n*", Kind::Tags),
            ("", Kind::Unknown),
            ("1.5", Kind::Unknown),
            ("[[\"a\"]]", Kind::Unknown),
            ("[\"White\", \"y\"]", Kind::Unknown),
            ("{}", Kind::Unknown),
            ("(;GM[1])", Kind::Unknown),
            ("Dear diary", Kind::Unknown),
        ] {
            assert_eq!(kind_of(text), kind, "{text}");
        }
    }
}
