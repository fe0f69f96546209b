//! What no compiler checks on the machine at hand: that the sources build elsewhere too, and that nothing unfinished is left in them.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of every file under `folders` with one of the `endings`, by its path from the root.
fn sources(folders: &[&str], endings: &[&str]) -> Vec<(String, String)> {
    fn collect(folder: &Path, endings: &[&str], out: &mut Vec<(String, String)>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for path in entries.map(|entry| entry.expect("a folder entry").path()) {
            if path.is_dir() {
                collect(&path, endings, out);
            } else if path.extension().is_some_and(|e| endings.iter().any(|&ending| e == ending)) {
                let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                out.push((path.strip_prefix(root()).unwrap_or(&path).display().to_string(), text));
            }
        }
    }
    let mut out = Vec::new();
    folders.iter().for_each(|folder| collect(&root().join(folder), endings, &mut out));
    assert!(!out.is_empty(), "no sources found");
    out
}

/// Lines of `text` that contain one of `words`, with their numbers.
fn lines_with<'a>(text: &'a str, words: &'a [&str]) -> impl Iterator<Item = (usize, &'a str)> {
    text.lines().enumerate().filter(|(_, line)| words.iter().any(|word| line.contains(word))).map(|(n, l)| (n + 1, l))
}

/// Engine and adapter build on Windows: what only Unix has stands behind a `cfg`.
#[test]
fn nothing_but_unix_without_saying_so() {
    // A `cfg` counts when it stands on the line or within the few above it: on the item, the statement or the import.
    const NEAR: usize = 4;
    const UNIX: [&str; 8] =
        ["os::unix", "os::linux", "os::fd", "signal::unix", "libc::", "\"/proc/", "\"/dev/", "\"/tmp"];
    for (path, text) in sources(&["engine/src", "adapter/src"], &["rs"]) {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines_with(&text, &UNIX) {
            let above = &lines[number.saturating_sub(NEAR)..number];
            let guarded = above.iter().any(|line| line.contains("cfg(") || line.contains("cfg!("));
            assert!(guarded || line.trim_start().starts_with("//"), "{path}:{number}: not on Windows: {line}");
        }
    }
}

/// Nothing is left to be done.
#[test]
fn nothing_unfinished() {
    // Taken apart, or this file would find itself.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("unimple", "mented!"),
        concat!("to", "do!("),
    ];
    for (path, text) in sources(&["engine", "adapter", "tests", "protocol-docs"], &["rs", "py", "md", "toml"]) {
        if let Some((number, line)) = lines_with(&text, &words).next() {
            panic!("{path}:{number}: {line}");
        }
    }
}

/// Every rule of `protocol-docs/rules/` has a test: its id stands in a file with tests, or in the name of one.
#[test]
fn every_rule_has_a_test() {
    let ids = |text: &str| -> BTreeSet<String> {
        let is_rule = |id: &&str| {
            let (name, number) = id.rsplit_once('-').unwrap_or_default();
            ["FQ", "SX", "YQ", "XQ", "WHW-SXQ"].contains(&name) && number.parse::<u8>().is_ok()
        };
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(is_rule).map(str::to_owned).collect()
    };
    let rules: BTreeSet<_> =
        sources(&["protocol-docs/rules"], &["md"]).iter().flat_map(|(_, text)| ids(text)).collect();
    assert!(rules.len() > 30, "only {} rules found", rules.len());
    let tests = sources(&["engine", "adapter", "tests"], &["rs", "jsonl", "py"]);
    let tests = tests.iter().filter(|(path, text)| path.contains("test") || text.contains("#[test]"));
    // In a comment or message as it stands, or at the head of a test's name: `fn fq_4_…`.
    let named = |id: &str| format!("fn {}_", id.to_ascii_lowercase().replace('-', "_"));
    let texts: String = tests.map(|(_, text)| text.as_str()).collect();
    let words = ids(&texts);
    let untested: Vec<_> = rules.iter().filter(|id| !words.contains(*id) && !texts.contains(&named(id))).collect();
    assert!(untested.is_empty(), "rules without a test: {untested:?}");
}
