//! `option` lines: what an engine can be told.

/// The type of an option, with its bounds or choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Spin {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of several words.
    Combo(Vec<String>),
    /// Something that is done at once.
    Button,
    /// Any text.
    Text,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name, blanks and all.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// Its default as it was written, if any.
    pub default: Option<String>,
}

impl EngineOption {
    /// Reads what follows the word `option`: `name N type T [default D] [min A] [max B] [var V]...` as in UCI, or with the bare
    /// name before the type as in UCCI. `None` when there is no name or type. Unknown types count as text.
    pub fn parse(text: &str) -> Option<EngineOption> {
        let text = text.trim();
        let text = text.strip_prefix("name ").unwrap_or(text);
        let (name, rest) = text.split_once(" type ")?;
        let mut words = rest.split_whitespace().peekable();
        let kind = words.next()?;
        let (mut default, mut min, mut max, mut vars) = (None, i64::MIN, i64::MAX, Vec::new());
        let is_key = |w: &&str| matches!(*w, "default" | "min" | "max" | "var");
        while let Some(key) = words.next() {
            let mut value = Vec::new();
            while let Some(word) = words.next_if(|w| !is_key(w)) {
                value.push(word);
            }
            let value = value.join(" ");
            match key {
                "default" => default = Some(value),
                "min" => min = value.parse().unwrap_or(i64::MIN),
                "max" => max = value.parse().unwrap_or(i64::MAX),
                "var" => vars.push(value),
                _ => {}
            }
        }
        let kind = match kind {
            "check" => Kind::Check,
            "spin" => Kind::Spin { min, max },
            "combo" => Kind::Combo(vars),
            "button" => Kind::Button,
            _ => Kind::Text,
        };
        Some(EngineOption { name: name.trim().to_owned(), kind, default })
    }

    /// True when `value` fits the type. Names of choices and truth values are compared without regard to case.
    pub fn accepts(&self, value: &str) -> bool {
        match &self.kind {
            Kind::Check => value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false"),
            Kind::Spin { min, max } => value.parse::<i64>().is_ok_and(|n| n >= *min && n <= *max),
            Kind::Combo(vars) => vars.iter().any(|v| v.eq_ignore_ascii_case(value)),
            Kind::Button | Kind::Text => true,
        }
    }

    /// What [`EngineOption::accepts`] takes, in words.
    pub fn expected(&self) -> String {
        match &self.kind {
            Kind::Check => "true or false".to_owned(),
            Kind::Spin { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Combo(vars) => format!("one of {}", vars.join(", ")),
            Kind::Button | Kind::Text => "anything".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let option = EngineOption::parse(" name Hash type spin default 16 min 1 max 1024").unwrap();
        assert_eq!(option.kind, Kind::Spin { min: 1, max: 1024 });
        assert!(option.accepts("1024") && !option.accepts("0") && !option.accepts("x"));
        assert_eq!(option.expected(), "a whole number from 1 to 1024");
        let option = EngineOption::parse("name UCI_Variant type combo default xiangqi var xiangqi var supply").unwrap();
        assert_eq!(option.kind, Kind::Combo(vec!["xiangqi".into(), "supply".into()]));
        assert!(option.accepts("Supply") && !option.accepts("chess"));
        assert_eq!(option.expected(), "one of xiangqi, supply");
        let option = EngineOption::parse("name Debug Log File type string default <empty>").unwrap();
        assert_eq!((option.name.as_str(), option.default.as_deref()), ("Debug Log File", Some("<empty>")));
        let option = EngineOption::parse("name Ponder type check default false").unwrap();
        assert!(option.accepts("TRUE") && !option.accepts("1"));
        assert_eq!(EngineOption::parse("name Clear Hash type button").unwrap().kind, Kind::Button);
        assert_eq!(EngineOption::parse("usemillisec type check default true").unwrap().name, "usemillisec");
        assert_eq!(EngineOption::parse("name Broken"), None);
        assert_eq!(EngineOption::parse("name X type"), None);
        assert_eq!(
            EngineOption::parse("name X type spin default 1 min z").unwrap().kind,
            Kind::Spin { min: i64::MIN, max: i64::MAX }
        );
    }
}
