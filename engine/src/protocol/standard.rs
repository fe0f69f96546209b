//! The part of UCI that is left to `vampirc-uci`: the standard words that carry no move, position, limit or free text, and
//! the writing of `id` and `option` lines.
//!
//! Everything else is read by our own code. That parser knows 8×8 boards only; it cuts what it does not understand in silence
//! (`e2e10`, `P@d4`, `depth 1000`, `ponder` before a clock) and panics on some lines (`go depth 300`, `go` with a trailing blank).
use super::options::{Kind, OptionSpec};
use vampirc_uci::{Serializable, UciMessage, UciOptionConfig, parse_strict};

/// A standard word without arguments, or `debug on|off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// `uci`
    Uci,
    /// `debug on`, `debug off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
}

/// The longest text that can be one of these.
const LONGEST: usize = 16;

/// Reads a trimmed line that holds nothing but a standard word.
pub(super) fn read(line: &str) -> Option<Bare> {
    // Only letters, and one blank for `debug`: what the crate panics on has numbers in it or blanks at its end.
    if line.len() > LONGEST || line.trim() != line || !line.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ') {
        return None;
    }
    let mut messages = parse_strict(line).ok()?.into_iter();
    let bare = match messages.next()? {
        UciMessage::Uci => Bare::Uci,
        UciMessage::Debug(on) => Bare::Debug(on),
        UciMessage::IsReady => Bare::IsReady,
        UciMessage::UciNewGame => Bare::NewGame,
        UciMessage::Stop => Bare::Stop,
        UciMessage::PonderHit => Bare::PonderHit,
        UciMessage::Quit => Bare::Quit,
        _ => return None,
    };
    messages.next().is_none().then_some(bare)
}

/// The `id` lines.
pub(super) fn identity() -> [String; 2] {
    let name = UciMessage::Id { name: Some(format!("Sanqi {}", env!("CARGO_PKG_VERSION"))), author: None };
    let author = UciMessage::Id { name: None, author: Some("the Sanqi authors".to_owned()) };
    [name.serialize(), author.serialize()]
}

/// The `option` line of one option; `None` when it is not offered in UCI.
pub(super) fn option_line(spec: &OptionSpec) -> Option<String> {
    let name = spec.uci?.to_owned();
    let config = match spec.kind {
        Kind::Check(default) => UciOptionConfig::Check { name, default: Some(default) },
        Kind::Spin { default, min, max } => {
            UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
        }
        Kind::Combo(values) => UciOptionConfig::Combo {
            name,
            default: values.first().map(|v| (*v).to_owned()),
            var: values.iter().map(|v| (*v).to_owned()).collect(),
        },
        Kind::Button => UciOptionConfig::Button { name },
        Kind::Text => UciOptionConfig::String { name, default: Some("<empty>".to_owned()) },
    };
    Some(UciMessage::Option(config).serialize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_words_only() {
        assert_eq!(read("uci"), Some(Bare::Uci));
        assert_eq!(read("debug on"), Some(Bare::Debug(true)));
        assert_eq!(read("ponderhit"), Some(Bare::PonderHit));
        for other in
            ["", "isreadyGARBAGE", "ponderhitter", "go", "go ", "uci quit", "ucci", "debug maybe", "go depth 300"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn identity_lines() {
        let [name, author] = identity();
        assert!(name.starts_with("id name Sanqi "), "{name}");
        assert!(author.starts_with("id author "), "{author}");
    }
}
