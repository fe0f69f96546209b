//! The dialogues in `protocol-docs/` are what the engine really says.
use sanqi_tests::dialogue;
use std::path::Path;

fn play(name: &str, at_least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol-docs").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let dialogues = dialogue::read(&text);
    assert!(dialogues.len() >= at_least, "{name} has only {} dialogues", dialogues.len());
    for dialogue in dialogues {
        dialogue.play(name);
    }
}

#[test]
fn uci_document() {
    play("uci.md", 8);
}

#[test]
fn ucci_document() {
    play("ucci.md", 6);
}
