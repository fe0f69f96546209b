//! What reads text from outside, one function for each kind of it that takes any bytes: it must not panic, and what it accepts must hold
//! together. `tests/fuzz` feeds them from libFuzzer (outside the workspace, it needs unstable flags), `tests/tests/fuzz.rs` from seeded
//! mutations of the shared inputs in `tests/corpus`, where every input that once found a fault is kept.
mod files;
mod live;
mod rules;

use std::path::PathBuf;

/// Something that reads text.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, and that of its folder of inputs.
    pub name: &'static str,
    /// Reads any bytes.
    ///
    /// # Panics
    /// A fault is found.
    pub run: fn(&[u8]),
}

/// All of them.
pub const ALL: [Target; 14] = [
    Target { name: "fen", run: rules::fen },
    Target { name: "moves", run: rules::moves },
    Target { name: "team", run: rules::team },
    Target { name: "pgn", run: files::pgn },
    Target { name: "bpgn", run: files::bpgn },
    Target { name: "replay", run: files::replay },
    Target { name: "sgf", run: files::sgf },
    Target { name: "positions", run: files::positions },
    Target { name: "uci", run: live::uci },
    Target { name: "ucci", run: live::ucci },
    Target { name: "engine_output", run: live::engine_output },
    Target { name: "gtp", run: live::gtp },
    Target { name: "xboard", run: live::xboard },
    Target { name: "ics", run: live::ics },
];

/// The target of a name.
///
/// # Panics
/// There is none.
pub fn find(name: &str) -> Target {
    ALL.into_iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no target {name}"))
}

impl Target {
    /// The shared inputs.
    ///
    /// # Panics
    /// There are none.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name);
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{}: no input", folder.display());
        paths.iter().map(|path| std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).collect()
    }
}

/// Bytes as every reader of a stream takes them.
fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
