//! The README: its dialogues are held with the engine, its links lead somewhere, its commands exist.
use sanqi_tests::{binary, dialogue};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn documents() -> Vec<PathBuf> {
    let mut out = vec![root().join("README.md")];
    let mut folders = vec![root().join("protocol-docs")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                out.push(path);
            }
        }
    }
    out
}

/// The README's dialogues come out as printed.
#[test]
fn the_readme_is_right() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let dialogues = dialogue::read(&text);
    assert!(!dialogues.is_empty());
    dialogues.iter().for_each(|dialogue| dialogue.play("README.md"));
}

/// Every relative link of the documents leads to a file or folder.
#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a readable document");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains(':') {
                continue;
            }
            links += 1;
            let target = document.parent().expect("a folder").join(file);
            assert!(target.exists(), "{}: `{link}` leads nowhere", document.display());
        }
    }
    assert!(links > 10, "only {links} links found");
}

/// Every subcommand that the README names is one.
#[test]
fn commands_exist() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let mut commands = 0;
    for (program, path) in [("sanqi", binary::sanqi()), ("sanqi-adapter", binary::adapter())] {
        for rest in text.split(&format!("`{program} ")).skip(1) {
            let command = rest.split(['`', ' ']).next().unwrap_or_default();
            let output = Command::new(path).args(["help", command]).output().expect("the program runs");
            assert!(output.status.success(), "`{program} {command}`: {}", String::from_utf8_lossy(&output.stderr));
            commands += 1;
        }
    }
    assert!(commands > 1, "only {commands} commands found");
    for script in text.split("python3 ").skip(1).filter_map(|rest| rest.split_whitespace().next()) {
        assert!(root().join(script).is_file(), "{script} is not there");
    }
}
