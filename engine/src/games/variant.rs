//! The games by name.
use std::fmt;
use std::str::FromStr;

/// A game that is played on one board. The two-board `supply2` is a thing of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Plain xiangqi.
    Xiangqi,
    /// One board of Supply Xiangqi.
    Supply,
    /// Yáng Qí.
    Yangqi,
    /// Xinjiang Fangqi.
    Fangqi,
    /// Yáng Qí without king swaps (YQ-7): what other engines can play. Not offered to users.
    YangqiNoSwap,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 5] =
        [Variant::Xiangqi, Variant::Supply, Variant::Yangqi, Variant::Fangqi, Variant::YangqiNoSwap];

    /// The name that `UCI_Variant` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Xiangqi => "xiangqi",
            Variant::Supply => "supply",
            Variant::Yangqi => "yangqi",
            Variant::Fangqi => "fangqi",
            Variant::YangqiNoSwap => "yangqinoswap",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no variant's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant `{0}` (known: xiangqi, supply, yangqi, fangqi)")]
pub struct UnknownVariant(pub String);

impl FromStr for Variant {
    type Err = UnknownVariant;
    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        Variant::ALL
            .into_iter()
            .find(|v| v.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}
