//! How an engine writes what the standard leaves open: the number of the lowest rank, and whether it knows variants.
use super::options::{EngineOption, Kind};
use sanqi::games::{RankBase, Variant};
use std::str::FromStr;

/// What is asked for by `dialect=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialectChoice {
    /// Ranks from 1 with engines that list `UCI_Variant`, ranks 0–9 in xiangqi with those that do not.
    #[default]
    Auto,
    /// Ranks from 1.
    Uci1,
    /// Ranks 0–9.
    Uci0,
}

/// Not the name of a dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect `{0}` (known: auto, uci1, uci0)")]
pub struct UnknownDialect(String);

impl FromStr for DialectChoice {
    type Err = UnknownDialect;
    fn from_str(text: &str) -> Result<DialectChoice, UnknownDialect> {
        match text {
            "auto" => Ok(DialectChoice::Auto),
            "uci1" | "1" => Ok(DialectChoice::Uci1),
            "uci0" | "0" => Ok(DialectChoice::Uci0),
            _ => Err(UnknownDialect(text.to_owned())),
        }
    }
}

/// How one engine is spoken to in one variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// Number of its lowest rank in moves.
    pub base: RankBase,
    /// What `UCI_Variant` is set to; `None` for an engine without that option.
    pub variant: Option<String>,
    /// The engine lists its variants and this one is not among them. Some accept names they do not list.
    pub unlisted: bool,
}

impl Dialect {
    /// How to speak to an engine with these options. An engine without `UCI_Variant` can only be meant to play xiangqi, and
    /// engines that know no variants count ranks from 0.
    pub fn of(choice: DialectChoice, options: &[EngineOption], variant: Variant) -> Dialect {
        let option = options.iter().find(|o| o.name.eq_ignore_ascii_case("UCI_Variant"));
        let listed = option.map(|o| match &o.kind {
            Kind::Combo(names) => names.iter().find(|n| n.eq_ignore_ascii_case(variant.name())).cloned(),
            _ => Some(variant.name().to_owned()),
        });
        let base = match choice {
            DialectChoice::Auto if option.is_none() => RankBase::Zero,
            DialectChoice::Auto | DialectChoice::Uci1 => RankBase::One,
            DialectChoice::Uci0 => RankBase::Zero,
        };
        Dialect {
            base,
            unlisted: matches!(listed, Some(None)),
            variant: listed.map(|name| name.unwrap_or_else(|| variant.name().to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detection() {
        let knows = [EngineOption::parse("name UCI_Variant type combo default chess var chess var Xiangqi").unwrap()];
        let dialect = Dialect::of(DialectChoice::Auto, &knows, Variant::Xiangqi);
        assert_eq!(dialect, Dialect { base: RankBase::One, variant: Some("Xiangqi".into()), unlisted: false });
        let dialect = Dialect::of(DialectChoice::Auto, &knows, Variant::YangqiNoSwap);
        assert_eq!(dialect, Dialect { base: RankBase::One, variant: Some("yangqinoswap".into()), unlisted: true });
        let dialect = Dialect::of(DialectChoice::Auto, &[], Variant::Xiangqi);
        assert_eq!(dialect, Dialect { base: RankBase::Zero, variant: None, unlisted: false });
        assert_eq!(Dialect::of(DialectChoice::Uci0, &knows, Variant::Xiangqi).base, RankBase::Zero);
        assert_eq!(Dialect::of(DialectChoice::Uci1, &[], Variant::Xiangqi).base, RankBase::One);
    }
}
