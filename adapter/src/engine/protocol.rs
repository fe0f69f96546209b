//! The protocols engines are spoken to in.
use std::fmt;
use std::str::FromStr;

/// A protocol, as `proto=` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCI, with the dialects of xiangqi programs.
    #[default]
    Uci,
    /// UCCI 3.0, the Chinese relative of UCI.
    Ucci,
    /// The Chess Engine Communication Protocol, version 2, that XBoard and WinBoard speak.
    Xboard,
}

/// Not the name of a protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown protocol `{0}` (known: uci, ucci, xboard)")]
pub struct UnknownProtocol(String);

impl FromStr for Protocol {
    type Err = UnknownProtocol;
    fn from_str(text: &str) -> Result<Protocol, UnknownProtocol> {
        match text {
            "uci" => Ok(Protocol::Uci),
            "ucci" => Ok(Protocol::Ucci),
            "xboard" | "cecp" => Ok(Protocol::Xboard),
            _ => Err(UnknownProtocol(text.to_owned())),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
            Protocol::Xboard => "xboard",
        })
    }
}
