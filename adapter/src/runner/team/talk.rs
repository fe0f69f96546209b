//! What partners tell each other, from one protocol to another.

/// What the partner is sent; `None` when its protocol has no word for it. In UCI the vocabulary is that of `team`
/// (`protocol-docs/two-boards.md`), in the XBoard protocol free text in which bughouse engines know a few words.
pub(super) fn translated(text: &str, from_xboard: bool, to_xboard: bool) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let word = text.split_whitespace().next().unwrap_or_default();
    match (from_xboard, to_xboard) {
        (false, false) => Some(format!("team {text}")),
        (true, true) => Some(format!("ptell {text}")),
        (false, true) => Some(match word {
            // `sit` would stop a bughouse engine's clock hand for good; all that is meant is that there is time.
            "sit" => "ptell slow".to_owned(),
            "go" => "ptell fast".to_owned(),
            _ => format!("ptell {text}"),
        }),
        (true, false) => match word {
            "sit" | "slow" => Some("team sit".to_owned()),
            "go" | "fast" | "move" | "dead" => Some("team go".to_owned()),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn words_of_both_protocols() {
        assert_eq!(translated("need R", false, false).as_deref(), Some("team need R"));
        assert_eq!(translated("time 1000", true, true).as_deref(), Some("ptell time 1000"));
        assert_eq!(translated("go", false, true).as_deref(), Some("ptell fast"));
        assert_eq!(translated("need R", false, true).as_deref(), Some("ptell need R"));
        assert_eq!(translated("sit", true, false).as_deref(), Some("team sit"));
        assert_eq!(translated("otim 900", true, false), None);
        assert_eq!(translated("go\nquit", false, false).as_deref(), Some("team goquit"));
    }
}
