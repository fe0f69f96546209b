//! The options in one place: names in both protocols, types, defaults and bounds; and the values they have.
use super::dialect::Dialect;
use super::output::clip;
use crate::games::{Notation, RankBase, Variant};
use crate::search;

/// Size of the table in MiB unless told otherwise.
pub const DEFAULT_HASH: usize = 16;
/// Largest table in MiB that can be asked for; the memory there is decides before that.
const MAX_HASH: i64 = 1 << 20;
/// Most threads.
const MAX_THREADS: i64 = 512;
/// Most lines.
const MAX_LINES: i64 = 500;
/// Largest seed. Clients read bounds into 32 bits with a sign: uci2wb turns a larger one into -1.
const MAX_SEED: i64 = i32::MAX as i64;
/// Limited play unless told otherwise.
const DEFAULT_ELO: i64 = 1500;

/// Names an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub(super) enum OptionId {
    DebugLog,
    Hash,
    ClearHash,
    NewGame,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    Variant,
    RankBase,
    LimitStrength,
    Elo,
    ShowWdl,
    Analyse,
    Seed,
    Variety,
    Notation,
    UseMillisec,
    Batch,
    Debug,
    Promotion,
    Randomness,
    Offers,
    Concede,
}

/// The type of an option with default and bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// On or off.
    Check(bool),
    /// A whole number.
    #[allow(missing_docs)]
    Spin { default: i64, min: i64, max: i64 },
    /// One of these words; the first is the default, because some clients lose a default and take the first.
    Combo(&'static [&'static str]),
    /// An action.
    Button,
    /// Free text, empty by default.
    Text,
}

/// One option.
#[derive(Debug, Clone, Copy)]
pub(super) struct OptionSpec {
    /// Which.
    pub(super) id: OptionId,
    /// Its name in UCI; `None` when it is not offered there.
    pub(super) uci: Option<&'static str>,
    /// Its name in UCCI: one lower-case word. No name may contain `draw`, `resign` or `bestmove`, for which some clients
    /// search the raw text.
    pub(super) ucci: Option<&'static str>,
    /// Its type in UCI.
    pub(super) kind: Kind,
    /// Its type in UCCI where that differs.
    pub(super) ucci_kind: Option<Kind>,
}

const fn both(id: OptionId, uci: &'static str, ucci: &'static str, kind: Kind) -> OptionSpec {
    OptionSpec { id, uci: Some(uci), ucci: Some(ucci), kind, ucci_kind: None }
}

const fn uci(id: OptionId, name: &'static str, kind: Kind) -> OptionSpec {
    OptionSpec { id, uci: Some(name), ucci: None, kind, ucci_kind: None }
}

const fn ucci(id: OptionId, name: &'static str, kind: Kind) -> OptionSpec {
    OptionSpec { id, uci: None, ucci: Some(name), kind, ucci_kind: None }
}

const fn spin(default: i64, min: i64, max: i64) -> Kind {
    Kind::Spin { default, min, max }
}

/// Values of `Notation`.
const NOTATIONS: &[&str] = &["native", "iccs", "cannon-c"];
/// Values of `Rank Base`.
const RANK_BASES: &[&str] = &["auto", "0", "1"];
/// Values of `UCI_Variant` that are offered.
const VARIANTS: &[&str] = &["xiangqi", "supply", "supply2", "yangqi", "fangqi"];
/// Values of UCCI's `variant`: its moves have no place for a board.
const UCCI_VARIANTS: &[&str] = &["xiangqi", "supply", "yangqi", "fangqi"];
/// Values of UCCI's `randomness` and the centipawns each stands for.
const RANDOMNESS: &[&str] = &["none", "tiny", "small", "medium", "large", "huge"];
const RANDOMNESS_CENTIPAWNS: [i32; 6] = [0, 5, 10, 25, 60, 120];

/// Every option, in the order in which they are printed.
pub(super) const OPTIONS: &[OptionSpec] = &[
    ucci(OptionId::UseMillisec, "usemillisec", Kind::Check(true)),
    ucci(OptionId::Batch, "batch", Kind::Check(false)),
    ucci(OptionId::Debug, "debug", Kind::Check(false)),
    both(OptionId::DebugLog, "Debug Log File", "logfile", Kind::Text),
    OptionSpec {
        ucci_kind: Some(spin(0, 0, MAX_HASH)),
        ..both(OptionId::Hash, "Hash", "hashsize", spin(DEFAULT_HASH as i64, 1, MAX_HASH))
    },
    both(OptionId::ClearHash, "Clear Hash", "clearhash", Kind::Button),
    ucci(OptionId::NewGame, "newgame", Kind::Button),
    OptionSpec {
        ucci_kind: Some(spin(0, 0, MAX_THREADS)),
        ..both(OptionId::Threads, "Threads", "threads", spin(1, 1, MAX_THREADS))
    },
    both(OptionId::MultiPv, "MultiPV", "multipv", spin(1, 1, MAX_LINES)),
    both(OptionId::Ponder, "Ponder", "ponder", Kind::Check(false)),
    both(OptionId::MoveOverhead, "Move Overhead", "moveoverhead", spin(10, 0, 5000)),
    OptionSpec {
        ucci_kind: Some(Kind::Combo(UCCI_VARIANTS)),
        ..both(OptionId::Variant, "UCI_Variant", "variant", Kind::Combo(VARIANTS))
    },
    uci(OptionId::RankBase, "Rank Base", Kind::Combo(RANK_BASES)),
    both(OptionId::LimitStrength, "UCI_LimitStrength", "limitstrength", Kind::Check(false)),
    both(OptionId::Elo, "UCI_Elo", "elo", spin(DEFAULT_ELO, search::MIN_ELO as i64, search::MAX_ELO as i64)),
    uci(OptionId::ShowWdl, "UCI_ShowWDL", Kind::Check(false)),
    both(OptionId::Analyse, "UCI_AnalyseMode", "analysemode", Kind::Check(false)),
    both(OptionId::Seed, "Seed", "seed", spin(0, 0, MAX_SEED)),
    uci(OptionId::Variety, "Variety", spin(0, 0, 1000)),
    ucci(OptionId::Randomness, "randomness", Kind::Combo(RANDOMNESS)),
    both(OptionId::Notation, "Notation", "notation", Kind::Combo(NOTATIONS)),
    ucci(OptionId::Promotion, "promotion", Kind::Check(false)),
    ucci(OptionId::Offers, "offers", Kind::Check(false)),
    ucci(OptionId::Concede, "concede", Kind::Check(false)),
];

/// The option of a name, case aside, in either protocol: clients of one send names of the other.
pub(super) fn find(name: &str) -> Option<&'static OptionSpec> {
    let is = |n: &Option<&str>| n.is_some_and(|n| n.eq_ignore_ascii_case(name));
    OPTIONS.iter().find(|spec| is(&spec.uci) || is(&spec.ucci))
}

/// A value that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Of a check.
    Flag(bool),
    /// Of a spin, within its bounds.
    Number(i64),
    /// Of a combo.
    Word(String),
    /// A button was pressed.
    Press,
    /// Free text.
    Text(String),
}

impl OptionSpec {
    /// The type as a dialect sees it.
    pub(super) fn kind_in(&self, dialect: Dialect) -> Kind {
        match (dialect, self.ucci_kind) {
            (Dialect::Ucci, Some(kind)) => kind,
            _ => self.kind,
        }
    }

    /// The option line of UCCI; `None` when it is not offered there.
    pub(super) fn ucci_line(&self) -> Option<String> {
        let name = self.ucci?;
        Some(match self.kind_in(Dialect::Ucci) {
            Kind::Check(default) => format!("option {name} type check default {default}"),
            Kind::Spin { default, min, max } => {
                format!("option {name} type spin min {min} max {max} default {default}")
            }
            Kind::Combo(values) => format!(
                "option {name} type combo var {} default {}",
                values.join(" var "),
                values.first().copied().unwrap_or_default()
            ),
            Kind::Button => format!("option {name} type button"),
            Kind::Text => format!("option {name} type string"),
        })
    }

    /// Reads a value. A number outside the bounds becomes the nearest one inside; the second part of the result says so.
    ///
    /// # Errors
    /// No value of this option's type; the text names option and value.
    pub(super) fn read(&self, text: Option<&str>, dialect: Dialect) -> Result<(Value, Option<String>), String> {
        let name = if dialect == Dialect::Ucci { self.ucci.or(self.uci) } else { self.uci.or(self.ucci) };
        let name = name.unwrap_or_default();
        let word = text.unwrap_or_default().trim();
        let refuse = |expected: &str| {
            let found = if word.is_empty() { "no value".to_owned() } else { format!("`{}`", clip(word)) };
            Err(format!("option {name}: {found}, expected {expected}"))
        };
        let value = match self.kind_in(dialect) {
            Kind::Button => Value::Press,
            Kind::Text => Value::Text(if word == "<empty>" { String::new() } else { word.to_owned() }),
            Kind::Check(_) => match word.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Value::Flag(true),
                "false" | "off" | "0" => Value::Flag(false),
                _ => return refuse("true or false"),
            },
            Kind::Spin { min, max, .. } => {
                let Some(number) = read_integer(word) else { return refuse(&format!("a number from {min} to {max}")) };
                let kept = number.clamp(min, max);
                let note = (kept != number)
                    .then(|| format!("option {name}: {} is outside {min} to {max}, set to {kept}", clip(word)));
                return Ok((Value::Number(kept), note));
            }
            // A variant is looked up among all variants, also those that are not offered.
            Kind::Combo(offered) if self.id == OptionId::Variant => {
                let hidden = Variant::YangqiNoSwap.name();
                match offered.iter().chain([&hidden]).find(|name| name.eq_ignore_ascii_case(word)) {
                    Some(name) => Value::Word((*name).to_owned()),
                    None => return refuse(&offered.join(", ")),
                }
            }
            Kind::Combo(values) => match values.iter().find(|v| v.eq_ignore_ascii_case(word)) {
                Some(value) => Value::Word((*value).to_owned()),
                None => return refuse(&values.join(", ")),
            },
        };
        Ok((value, None))
    }
}

/// Reads a whole number of any length; what does not fit becomes the largest or smallest number.
fn read_integer(word: &str) -> Option<i64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

/// What the options that hold a value are set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// What the search heeds, the strength limit aside.
    pub(super) search: search::Options,
    /// Size of the table in MiB.
    pub(super) hash: usize,
    /// Play no stronger than `elo`.
    pub(super) limit_strength: bool,
    /// Strength under that limit.
    pub(super) elo: u32,
    /// Print chances of winning, drawing and losing.
    pub(super) show_wdl: bool,
    /// Analyse: no variety, no weaker play.
    pub(super) analyse: bool,
    /// What `san` writes.
    pub(super) notation: Notation,
    /// `Rank Base`, `None` for `auto`.
    pub(super) rank_base: Option<RankBase>,
    /// `UCI_Variant` has been set: the client knows variants.
    pub(super) variant_chosen: bool,
    /// UCCI clocks are milliseconds, not seconds.
    pub(super) milliseconds: bool,
    /// Report more.
    pub(super) debug: bool,
    /// Offer draws (UCCI).
    pub(super) offers: bool,
    /// Resign lost games (UCCI).
    pub(super) concede: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            search: search::Options::default(),
            hash: DEFAULT_HASH,
            limit_strength: false,
            elo: DEFAULT_ELO as u32,
            show_wdl: false,
            analyse: false,
            notation: Notation::Native,
            rank_base: None,
            variant_chosen: false,
            milliseconds: true,
            debug: false,
            offers: false,
            concede: false,
        }
    }
}

impl Settings {
    /// Keeps a value. Those that are actions (variant, table, log, new game) are the session's and change nothing here.
    pub(super) fn set(&mut self, id: OptionId, value: &Value) {
        match (id, value) {
            (OptionId::Threads, Value::Number(n)) => self.search.threads = (*n).max(1) as usize,
            (OptionId::MultiPv, Value::Number(n)) => self.search.multi_pv = *n as usize,
            (OptionId::Ponder, Value::Flag(on)) => self.search.ponder = *on,
            (OptionId::MoveOverhead, Value::Number(n)) => self.search.move_overhead = *n as u64,
            (OptionId::Seed, Value::Number(n)) => self.search.seed = *n as u64,
            (OptionId::Variety, Value::Number(n)) => self.search.variety = *n as i32,
            (OptionId::Randomness, Value::Word(word)) => {
                let index = RANDOMNESS.iter().position(|w| w == word).unwrap_or_default();
                self.search.variety = RANDOMNESS_CENTIPAWNS.get(index).copied().unwrap_or_default();
            }
            (OptionId::LimitStrength, Value::Flag(on)) => self.limit_strength = *on,
            (OptionId::Elo, Value::Number(n)) => self.elo = *n as u32,
            (OptionId::ShowWdl, Value::Flag(on)) => self.show_wdl = *on,
            (OptionId::Analyse, Value::Flag(on)) => self.analyse = *on,
            (OptionId::UseMillisec, Value::Flag(on)) => self.milliseconds = *on,
            (OptionId::Debug, Value::Flag(on)) => self.debug = *on,
            (OptionId::Offers, Value::Flag(on)) => self.offers = *on,
            (OptionId::Concede, Value::Flag(on)) => self.concede = *on,
            (OptionId::RankBase, Value::Word(word)) => {
                self.rank_base = match word.as_str() {
                    "0" => Some(RankBase::Zero),
                    "1" => Some(RankBase::One),
                    _ => None,
                };
            }
            (OptionId::Notation, Value::Word(word)) => {
                self.notation = match word.as_str() {
                    "iccs" => Notation::Iccs,
                    "cannon-c" => Notation::CannonC,
                    _ => Notation::Native,
                };
            }
            _ => {}
        }
    }

    /// How ranks are numbered in move text.
    pub(super) fn ranks(&self, dialect: Dialect) -> RankBase {
        match (dialect, self.rank_base) {
            (Dialect::Ucci, _) => RankBase::Zero,
            (_, Some(base)) => base,
            (Dialect::Uci, None) if self.variant_chosen => RankBase::One,
            _ => RankBase::Zero,
        }
    }

    /// What the next search has to heed.
    pub(super) fn search_options(&self) -> search::Options {
        let mut options = self.search.clone();
        options.elo = self.limit_strength.then_some(self.elo);
        if self.analyse {
            options.elo = None;
            options.variety = 0;
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::super::standard;
    use super::*;

    #[test]
    fn handshakes_are_short_and_say_the_default_first() {
        for lines in [
            OPTIONS.iter().filter_map(standard::option_line).collect::<Vec<_>>(),
            OPTIONS.iter().filter_map(OptionSpec::ucci_line).collect::<Vec<_>>(),
        ] {
            assert!(lines.len() <= 37, "ids and the closing word make 40");
            for line in lines {
                assert!(line.len() < 1000);
                assert!(!["draw", "resign", "bestmove"].iter().any(|w| line.contains(w)), "{line}");
                if let Some((_, combo)) = line.split_once(" type combo ") {
                    let after = |mark: &str| combo.split(mark).nth(1).and_then(|rest| rest.split(' ').next());
                    assert_eq!(after("var "), after("default "), "{line}");
                }
            }
        }
    }

    #[test]
    fn defaults_on_paper_are_the_defaults_in_force() {
        for dialect in [Dialect::Uci, Dialect::Ucci] {
            let mut settings = Settings::default();
            for spec in OPTIONS {
                let text = match spec.kind_in(dialect) {
                    Kind::Check(default) => default.to_string(),
                    Kind::Spin { default, .. } => default.to_string(),
                    Kind::Combo(values) => values[0].to_owned(),
                    Kind::Button | Kind::Text => continue,
                };
                let (value, note) = spec.read(Some(&text), dialect).unwrap();
                assert_eq!(note, None);
                settings.set(spec.id, &value);
            }
            assert_eq!(settings, Settings::default());
        }
    }

    #[test]
    fn values_are_read_leniently_and_refused_by_name() {
        let read = |name: &str, text: &str| find(name).unwrap().read(Some(text), Dialect::Uci);
        assert_eq!(read("hash", " 64 ").unwrap(), (Value::Number(64), None));
        assert_eq!(read("MULTIPV", "99999999999999999999").unwrap().0, Value::Number(MAX_LINES));
        assert!(read("Threads", "0").unwrap().1.unwrap().contains("Threads"));
        assert_eq!(read("ponder", "ON").unwrap().0, Value::Flag(true));
        assert_eq!(read("uci_variant", "FANGQI").unwrap().0, Value::Word("fangqi".to_owned()));
        assert_eq!(read("UCI_Variant", "yangqinoswap").unwrap().0, Value::Word("yangqinoswap".to_owned()));
        for (name, text) in [
            ("Hash", "abc"),
            ("Hash", ""),
            ("Ponder", "yes"),
            ("Ponder", "no"),
            ("Rank Base", "2"),
            ("UCI_Variant", "chess"),
        ] {
            assert!(read(name, text).unwrap_err().contains(name), "{name} {text}");
        }
    }

    #[test]
    fn ranks_follow_dialect_variant_and_option() {
        let mut settings = Settings::default();
        assert_eq!(settings.ranks(Dialect::Uci), RankBase::Zero);
        settings.variant_chosen = true;
        assert_eq!(settings.ranks(Dialect::Uci), RankBase::One);
        assert_eq!(settings.ranks(Dialect::Cyclone), RankBase::Zero);
        assert_eq!(settings.ranks(Dialect::Ucci), RankBase::Zero);
        settings.rank_base = Some(RankBase::Zero);
        assert_eq!(settings.ranks(Dialect::Uci), RankBase::Zero);
    }
}
