//! The dialogues in `protocol-docs/` are what the engine really says.
use sanqi_tests::dialogue;
use std::fs;
use std::path::{Path, PathBuf};

/// Every Markdown file below `folder`.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(documents(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            all.push(path);
        }
    }
    all.sort();
    all
}

#[test]
fn every_dialogue_of_every_document() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol-docs");
    let mut counts = Vec::new();
    for path in documents(&folder) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let dialogues = dialogue::read(&fs::read_to_string(&path).unwrap());
        dialogues.iter().for_each(|dialogue| dialogue.play(&name));
        counts.push((name, dialogues.len()));
    }
    for (name, least) in [("uci.md", 8), ("ucci.md", 6), ("two-boards.md", 3)] {
        let found = counts.iter().find(|(n, _)| n == name).map_or(0, |(_, count)| *count);
        assert!(found >= least, "{name} has only {found} dialogues");
    }
}
