//! What the front says about itself after `protover`.
use super::options::OFFERED;
use crate::engine::EngineOption;
use crate::engine::options::Kind;
use sanqi::games::Variant;

/// Options of the engine for which CECP has a command of its own: `variant`, `hard`, `memory`, `cores`, `analyze`; and the numbering of
/// ranks, which is the front's own business.
const SPOKEN_FOR: [&str; 6] = ["UCI_Variant", "Rank Base", "Ponder", "Hash", "Threads", "UCI_AnalyseMode"];

/// The `feature` lines. `first` is the variant that a GUI without one of its own begins with.
pub(super) fn lines(name: &str, first: Variant, options: &[EngineOption]) -> Vec<String> {
    let others = OFFERED.into_iter().filter(|variant| *variant != first);
    let variants: Vec<&str> = std::iter::once(first).chain(others).map(Variant::name).collect();
    let mut lines = vec![
        "feature ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1"
            .to_owned(),
        "feature colors=0 san=0 name=1 ics=1 debug=1 memory=1 smp=1 nps=1 exclude=1 highlight=1".to_owned(),
        format!("feature myname=\"{}\" variants=\"{}\"", quotable(name), variants.join(",")),
    ];
    lines.extend(options.iter().filter_map(option));
    lines.push("feature done=1".to_owned());
    lines
}

/// True for an option that is set in another way.
pub(super) fn is_spoken_for(name: &str) -> bool {
    SPOKEN_FOR.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// An option as CECP describes it.
fn option(option: &EngineOption) -> Option<String> {
    if is_spoken_for(&option.name) {
        return None;
    }
    let default = option.default.as_deref().unwrap_or_default();
    let text = match &option.kind {
        Kind::Check => format!("-check {}", u8::from(default.eq_ignore_ascii_case("true"))),
        // XBoard keeps numbers in 32 bits.
        Kind::Spin { min, max } => {
            let within = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
            format!("-spin {} {} {}", within(default.parse().unwrap_or(*min)), within(*min), within(*max))
        }
        Kind::Combo(choices) => {
            let mark = |choice: &String| if choice == default { format!("*{choice}") } else { choice.clone() };
            format!("-combo {}", choices.iter().map(mark).collect::<Vec<_>>().join(" /// "))
        }
        Kind::Button => "-button".to_owned(),
        Kind::Text => {
            let kind = if option.name.to_ascii_lowercase().ends_with("file") { "file" } else { "string" };
            format!("-{kind} {}", if default == "<empty>" { "" } else { default })
        }
    };
    Some(format!("feature option=\"{} {}\"", quotable(&option.name), quotable(&text)))
}

/// The value that UCI wants for one that CECP gives; `None` when it does not fit.
pub(super) fn value_for(option: &EngineOption, value: Option<&str>) -> Option<String> {
    let value = match (&option.kind, value) {
        (Kind::Button, None) => String::new(),
        (Kind::Check, Some("1")) => "true".to_owned(),
        (Kind::Check, Some("0")) => "false".to_owned(),
        (Kind::Button, Some(_)) | (_, None) => return None,
        (Kind::Text, Some("")) => "<empty>".to_owned(),
        (_, Some(value)) => value.to_owned(),
    };
    option.accepts(&value).then_some(value)
}

/// There is no way to write a quotation mark within quotation marks.
fn quotable(text: &str) -> String {
    text.replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> EngineOption {
        EngineOption::parse(text).unwrap()
    }

    #[test]
    fn options_of_every_kind() {
        let written = |text| option(&parsed(text));
        assert_eq!(written("name Hash type spin default 16 min 1 max 64"), None);
        for (uci, cecp) in [
            ("name MultiPV type spin default 1 min 1 max 256", "MultiPV -spin 1 1 256"),
            ("name UCI_ShowWDL type check default false", "UCI_ShowWDL -check 0"),
            ("name Notation type combo default wxf var wxf var iccs", "Notation -combo *wxf /// iccs"),
            ("name Clear Hash type button", "Clear Hash -button"),
            ("name Debug Log File type string default <empty>", "Debug Log File -file "),
            ("name Big type spin default 0 min 0 max 18446744073709551615", "Big -spin 0 -2147483648 2147483647"),
        ] {
            let written = written(uci).unwrap();
            assert!(
                written.starts_with(&format!("feature option=\"{}", cecp.split(" -").next().unwrap())),
                "{written}"
            );
            if !uci.contains("Big") {
                assert_eq!(written, format!("feature option=\"{cecp}\""));
            }
        }
        let lines = lines("a \"b\"", Variant::Fangqi, &[]);
        assert!(lines[2].ends_with("myname=\"a 'b'\" variants=\"fangqi,yangqi,supply,xiangqi\""), "{lines:?}");
    }

    #[test]
    fn values() {
        let check = parsed("name UCI_ShowWDL type check default false");
        assert_eq!(value_for(&check, Some("1")).as_deref(), Some("true"));
        assert_eq!((value_for(&check, Some("7")), value_for(&check, None)), (None, None));
        let spin = parsed("name MultiPV type spin default 1 min 1 max 256");
        assert_eq!((value_for(&spin, Some("3")).as_deref(), value_for(&spin, Some("0"))), (Some("3"), None));
        let button = parsed("name Clear Hash type button");
        assert_eq!((value_for(&button, None).as_deref(), value_for(&button, Some("1"))), (Some(""), None));
        let file = parsed("name Debug Log File type string default <empty>");
        assert_eq!(value_for(&file, Some("")).as_deref(), Some("<empty>"));
    }
}
