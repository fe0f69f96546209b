//! Positions as JSON lines. A row of the output is one, too.
use super::line::Entry;
use crate::analysis::game::{AnyVariant, Source};
use serde::Deserialize;

/// What a line may have. Other fields are passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct JsonPosition {
    id: Option<serde_json::Value>,
    variant: Option<String>,
    /// Before the moves, unless there is a `startfen`.
    fen: Option<String>,
    startfen: Option<String>,
    moves: Option<serde_json::Value>,
    /// The words of a `position` command, instead of `fen` and `moves`.
    position: Option<String>,
    over: Vec<(String, String)>,
    board: Option<usize>,
}

/// Moves as a list, or as words in a text.
fn moves(value: serde_json::Value) -> Result<Vec<String>, String> {
    match value {
        serde_json::Value::String(words) => Ok(words.split_whitespace().map(str::to_owned).collect()),
        _ => {
            Vec::deserialize(&value).map_err(|_| format!("moves {value}: expected a list of moves, or a text of them"))
        }
    }
}

/// Reads a line.
pub(super) fn read(text: &str, variant: AnyVariant) -> Entry {
    let position: JsonPosition = match serde_json::from_str(text) {
        Ok(position) => position,
        Err(error) => return (None, Err(format!("not a JSON position: {error}"))),
    };
    let id = match &position.id {
        None => None,
        Some(value) => match serde_json::from_value(value.clone()) {
            Ok(id) => Some(id),
            Err(_) => return (None, Err(format!("id {value}: expected text or a whole number"))),
        },
    };
    (id, position.source(variant))
}

impl JsonPosition {
    fn source(self, default: AnyVariant) -> Result<Source, String> {
        let variant = match &self.variant {
            None => default,
            Some(name) => name.parse().map_err(|error: crate::analysis::game::UnknownGame| error.to_string())?,
        };
        let mut source = match self.position {
            Some(_) if self.fen.is_some() || self.moves.is_some() => {
                return Err("`position` together with `fen` or `moves`".to_owned());
            }
            Some(text) => Source::of_command(variant, text.strip_prefix("position ").unwrap_or(&text))?,
            None if self.fen.is_none() && self.startfen.is_none() && self.moves.is_none() => {
                return Err("no `fen`, `moves` or `position`".to_owned());
            }
            None => Source {
                variant,
                start: self.startfen.or(self.fen),
                moves: self.moves.map(moves).transpose()?.unwrap_or_default(),
                over: self.over,
                board: None,
            },
        };
        if source.start.as_deref() == Some("startpos") {
            source.start = None;
        }
        source.board = match self.board {
            Some(board) if !(1..=2).contains(&board) => return Err(format!("board {board}: there are only 1 and 2")),
            board => board,
        };
        Ok(source)
    }
}

/// A line with which a replay begins: an object that is not complete on its line, or one that says that it is a replay.
pub(super) fn begins_replay(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Head {
        format: Option<String>,
    }
    if !text.trim_start().starts_with('{') {
        return false;
    }
    match serde_json::from_str::<Head>(text) {
        Ok(head) => head.format.is_some_and(|format| format.ends_with("-replay")),
        Err(error) => error.is_eof() && text.trim() == "{",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::row::Id;
    use sanqi::games::Variant;

    fn one(text: &str) -> Entry {
        read(text, AnyVariant::One(Variant::Xiangqi))
    }

    #[test]
    fn positions() {
        let (id, source) = one(r#"{"id": 7, "variant": "fangqi", "fen": "startpos", "moves": "P@d4 P@a1", "x": [1]}"#);
        let source = source.unwrap();
        assert_eq!((id, source.moves.len(), source.start), (Some(Id::Number(7)), 2, None));
        assert_eq!(source.variant, AnyVariant::One(Variant::Fangqi));
        let (id, source) = one(r#"{"id": "a", "fen": "y", "startfen": "x", "moves": ["h3e3"], "board": 2}"#);
        let source = source.unwrap();
        assert_eq!((id, source.start.as_deref(), source.board), (Some(Id::Text("a".into())), Some("x"), Some(2)));
        assert_eq!(one(r#"{"position": "startpos moves h3e3"}"#).1.unwrap().moves, ["h3e3"]);
        assert_eq!(one(r#"{"position": "startpos"}"#).1.unwrap().start, None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("{", "not a JSON position"),
            (r#"{"fen": 5}"#, "not a JSON position"),
            (r#"{"id": 1.5, "fen": "x"}"#, "id 1.5"),
            (r#"{"id": 1}"#, "no `fen`"),
            (r#"{"fen": "x", "position": "startpos"}"#, "together"),
            (r#"{"fen": "startpos", "moves": 5}"#, "moves 5: expected a list of moves"),
            (r#"{"moves": ["h3e3", 5]}"#, r#"moves ["h3e3",5]: expected a list of moves"#),
            (r#"{"fen": "x", "variant": "chess"}"#, "`chess`"),
            (r#"{"fen": "x", "variant": "supply2", "board": 3}"#, "board 3"),
        ] {
            let found = one(text).1.unwrap_err();
            assert!(found.contains(part), "{text}: {found}");
        }
        // The id is kept where the position is bad.
        assert_eq!(one(r#"{"id": 3, "variant": "chess", "fen": "x"}"#).0, Some(Id::Number(3)));
    }

    #[test]
    fn replays_are_told_from_positions() {
        assert!(
            begins_replay("{") && begins_replay(r#"{"format": "wonghongwei-supply-xiangqi-replay", "version": 1}"#)
        );
        assert!(!begins_replay(r#"{"fen": "x"}"#) && !begins_replay("{broken") && !begins_replay("4k4/9 w"));
    }
}
