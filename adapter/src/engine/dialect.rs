//! How an engine writes what the standards leave open: the number of the lowest rank, whether it knows variants, the word `position`.
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
    /// UCI-Cyclone: ranks 0–9, and positions without the word `position` in front.
    Cyclone,
    /// ChessV's letter for the arrow of Yáng Qí, `A` (XBoard protocol).
    ChessV,
}

/// Not the name of a dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect `{0}` (known: auto, uci1, uci0, cyclone, chessv)")]
pub struct UnknownDialect(String);

impl FromStr for DialectChoice {
    type Err = UnknownDialect;
    fn from_str(text: &str) -> Result<DialectChoice, UnknownDialect> {
        match text {
            "auto" => Ok(DialectChoice::Auto),
            "uci1" | "1" => Ok(DialectChoice::Uci1),
            "uci0" | "0" => Ok(DialectChoice::Uci0),
            "cyclone" => Ok(DialectChoice::Cyclone),
            "chessv" => Ok(DialectChoice::ChessV),
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
    /// Positions are sent without the word `position`.
    pub bare_positions: bool,
}

impl Dialect {
    /// How to speak to a UCI engine with these options. An engine without `UCI_Variant` can only be meant to play xiangqi, and
    /// engines that know no variants count ranks from 0.
    pub fn of(choice: DialectChoice, options: &[EngineOption], variant: Variant) -> Dialect {
        Dialect::named(choice, options, variant.name())
    }

    /// [`Dialect::of`] for a game by its name, so also for the one with two boards.
    pub fn named(choice: DialectChoice, options: &[EngineOption], variant: &str) -> Dialect {
        let option = options.iter().find(|o| o.name.eq_ignore_ascii_case("UCI_Variant"));
        let base = match choice {
            DialectChoice::Auto if option.is_none() => RankBase::Zero,
            DialectChoice::Auto | DialectChoice::Uci1 | DialectChoice::ChessV => RankBase::One,
            DialectChoice::Uci0 | DialectChoice::Cyclone => RankBase::Zero,
        };
        let bare_positions = choice == DialectChoice::Cyclone;
        // Cyclone means xiangqi; Fairy-Stockfish leaves it for plain UCI when it is told so.
        let option = option.filter(|_| !bare_positions || variant != Variant::Xiangqi.name());
        Dialect { base, bare_positions, ..Dialect::with_option(option, variant) }
    }

    /// How to speak to a UCCI engine with these options: ranks 0–9, and the variant by an option of either name, if it has one.
    pub fn ucci(options: &[EngineOption], variant: &str) -> Dialect {
        let is_variant = |name: &str| name.eq_ignore_ascii_case("variant") || name.eq_ignore_ascii_case("UCI_Variant");
        Dialect::with_option(options.iter().find(|o| is_variant(&o.name)), variant)
    }

    fn with_option(option: Option<&EngineOption>, variant: &str) -> Dialect {
        let listed = option.map(|o| match &o.kind {
            Kind::Combo(names) => names.iter().find(|n| n.eq_ignore_ascii_case(variant)).cloned(),
            _ => Some(variant.to_owned()),
        });
        Dialect {
            base: RankBase::Zero,
            unlisted: matches!(listed, Some(None)),
            variant: listed.map(|name| name.unwrap_or_else(|| variant.to_owned())),
            bare_positions: false,
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
        let expected =
            Dialect { base: RankBase::One, variant: Some("Xiangqi".into()), unlisted: false, bare_positions: false };
        assert_eq!(dialect, expected);
        let dialect = Dialect::of(DialectChoice::Auto, &knows, Variant::YangqiNoSwap);
        let unlisted = Dialect { variant: Some("yangqinoswap".into()), unlisted: true, ..expected.clone() };
        assert_eq!(dialect, unlisted);
        let dialect = Dialect::of(DialectChoice::Auto, &[], Variant::Xiangqi);
        assert_eq!(dialect, Dialect { base: RankBase::Zero, variant: None, ..expected.clone() });
        assert_eq!(Dialect::of(DialectChoice::Uci0, &knows, Variant::Xiangqi).base, RankBase::Zero);
        assert_eq!(Dialect::of(DialectChoice::Uci1, &[], Variant::Xiangqi).base, RankBase::One);
        let cyclone = Dialect::of(DialectChoice::Cyclone, &knows, Variant::Xiangqi);
        assert_eq!(cyclone, Dialect { base: RankBase::Zero, bare_positions: true, variant: None, ..expected });
        let ucci = [EngineOption::parse("variant type combo var xiangqi var supply default xiangqi").unwrap()];
        let dialect = Dialect::ucci(&ucci, "supply");
        assert_eq!((dialect.base, dialect.variant.as_deref()), (RankBase::Zero, Some("supply")));
    }
}
