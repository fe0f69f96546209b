//! `feature` lines of the XBoard protocol: what an engine can be told, and how.
use super::options::{EngineOption, Kind};

/// Most variants and options that are kept of an engine.
const MAX_ENTRIES: usize = 1000;

/// The features of an engine, with the protocol's defaults for what it does not mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features {
    /// `done=1` has been said.
    pub done: bool,
    /// It answers `ping`.
    pub ping: bool,
    /// It can be given positions.
    pub setboard: bool,
    /// Moves are to be sent behind the word `usermove`.
    pub usermove: bool,
    /// It wants `time` and `otim`.
    pub time: bool,
    /// It takes `memory`.
    pub memory: bool,
    /// It takes `cores`.
    pub smp: bool,
    /// It wants the opponent's name.
    pub name: bool,
    /// The same process may play several games.
    pub reuse: bool,
    /// What it calls itself.
    pub myname: Option<String>,
    /// The variants it plays; empty when it does not say.
    pub variants: Vec<String>,
    /// Its options.
    pub options: Vec<EngineOption>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            done: false,
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            memory: false,
            smp: false,
            name: false,
            reuse: true,
            myname: None,
            variants: Vec::new(),
            options: Vec::new(),
        }
    }
}

/// Features that change nothing here, whatever their value: this client never sends what they are about. Not
/// `highlight`, which only a GUI accepts: our own front takes whoever does so for XBoard, whose board has to be helped.
const HARMLESS: [&str; 11] =
    ["analyze", "colors", "debug", "draw", "egt", "exclude", "ics", "pause", "playother", "sigint", "sigterm"];

impl Features {
    /// Takes what follows the first word of a `feature` line. Gives the lines that answer it.
    pub fn take(&mut self, text: &str) -> Vec<String> {
        assignments(text)
            .into_iter()
            .map(|(name, value)| {
                let verb = if self.set(name, value) { "accepted" } else { "rejected" };
                format!("{verb} {name}")
            })
            .collect()
    }

    /// Sets one feature; false when it is not understood.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "done" => self.done = on,
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "time" => self.time = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "name" => self.name = on,
            "reuse" => self.reuse = on,
            "myname" => self.myname = Some(value.to_owned()),
            "variants" => {
                let names = value.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
                self.variants = names.take(MAX_ENTRIES).collect();
            }
            "option" => {
                if let Some(option) = option(value)
                    && self.options.len() < MAX_ENTRIES
                {
                    self.options.push(option);
                }
            }
            _ => return HARMLESS.contains(&name),
        }
        true
    }
}

/// `name=value` and `name="value with blanks"`; other words are passed over.
fn assignments(text: &str) -> Vec<(&str, &str)> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('=') {
        let name = before.split_whitespace().next_back().unwrap_or_default();
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
        };
        if !name.is_empty() {
            found.push((name, value));
        }
        rest = next;
    }
    found
}

/// `NAME -check 1`, `NAME -spin 5 0 10`, `NAME -combo A /// *B`, `NAME -string text`, `NAME -button`.
fn option(text: &str) -> Option<EngineOption> {
    let (name, rest) = text.rsplit_once(" -").filter(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_lowercase()))?;
    let (kind, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut numbers = value.split_whitespace().map(|word| word.parse::<i64>().ok());
    let (kind, default) = match kind {
        "check" => (Kind::Check, Some(value.to_owned())),
        "spin" | "slider" => {
            let default = numbers.next().flatten().map(|n| n.to_string());
            let (min, max) = (numbers.next().flatten(), numbers.next().flatten());
            (Kind::Spin { min: min.unwrap_or(i64::MIN), max: max.unwrap_or(i64::MAX) }, default)
        }
        "combo" => {
            let choices: Vec<&str> = value.split("///").map(str::trim).collect();
            let default = choices.iter().find_map(|c| c.strip_prefix('*')).or(choices.first().copied());
            let default = default.map(str::to_owned);
            (Kind::Combo(choices.iter().map(|c| c.trim_start_matches('*').to_owned()).collect()), default)
        }
        "button" | "save" | "reset" => (Kind::Button, None),
        _ => (Kind::Text, Some(value.to_owned())),
    };
    Some(EngineOption { name: name.trim().to_owned(), kind, default })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_quotes_and_unknown_features() {
        let mut features = Features::default();
        let answers = features
            .take("setboard=1 ping=1 myname=\"Max Qi=2\" highlight=1 frob=3 variants=\"xiangqi, supply\" done=1");
        assert_eq!(
            answers,
            [
                "accepted setboard",
                "accepted ping",
                "accepted myname",
                "rejected highlight",
                "rejected frob",
                "accepted variants",
                "accepted done"
            ]
        );
        assert!(features.setboard && features.ping && features.done && features.time && !features.usermove);
        assert_eq!(features.myname.as_deref(), Some("Max Qi=2"));
        assert_eq!(features.variants, ["xiangqi", "supply"]);
    }

    /// ChessV 2.2 doubles the word and puts all into one line.
    #[test]
    fn repeated_words_are_passed_over() {
        let mut features = Features::default();
        features.take("ping=1   feature memory=1   feature usermove=1 feature done=1");
        assert!(features.ping && features.memory && features.usermove && features.done);
    }

    #[test]
    fn options() {
        let mut features = Features::default();
        features.take("option=\"Move Overhead -spin 10 0 5000\" option=\"Style -combo Solid /// *Risky\"");
        features.take(
            "option=\"Use NNUE -check 1\" option=\"Clear Hash -button\" option=\"Eval-File -string a b\" option=\"x\"",
        );
        let kinds: Vec<(&str, &Kind)> = features.options.iter().map(|o| (o.name.as_str(), &o.kind)).collect();
        assert_eq!(
            kinds,
            [
                ("Move Overhead", &Kind::Spin { min: 0, max: 5000 }),
                ("Style", &Kind::Combo(vec!["Solid".into(), "Risky".into()])),
                ("Use NNUE", &Kind::Check),
                ("Clear Hash", &Kind::Button),
                ("Eval-File", &Kind::Text),
            ]
        );
        assert_eq!(features.options.get(1).and_then(|o| o.default.as_deref()), Some("Risky"));
    }
}
