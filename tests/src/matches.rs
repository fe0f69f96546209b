//! Running `sanqi-adapter match` with mock engines in a folder of its own.
use crate::binary;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Where the matches of these tests put their files: beside the binaries.
///
/// # Panics
/// As [`binary`].
pub fn folder() -> PathBuf {
    binary::adapter().parent().expect("the folder of the binary").join("match-tests")
}

/// A match that is to be run.
#[derive(Debug)]
pub struct Match {
    folder: PathBuf,
    arguments: Vec<String>,
}

/// What a match left behind.
#[derive(Debug)]
pub struct Finished {
    /// Exit status; -1 after a kill.
    pub status: i32,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
    /// The lines of finished games in the journal.
    pub games: Vec<serde_json::Value>,
    /// The PGN file.
    pub pgn: String,
    /// The saved configuration.
    pub config: serde_json::Value,
}

impl Match {
    /// A match whose files are in an empty folder called `name`.
    ///
    /// # Panics
    /// The folder cannot be made.
    pub fn new(name: &str) -> Match {
        let folder = folder().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder for the files of the match");
        Match { folder, arguments: vec!["match".to_owned()] }.options("-pgnout file=games.pgn")
    }

    /// The same folder as an earlier match, as it was left.
    pub fn again(name: &str) -> Match {
        let folder = folder().join(name);
        Match { folder, arguments: vec!["match".to_owned()] }
    }

    /// Two mock engines, A and B, with their faults.
    #[must_use]
    pub fn engines(mut self, first: &str, second: &str) -> Match {
        for (name, fault) in [("A", first), ("B", second)] {
            let command = format!("cmd={}", binary::mock_engine().display());
            self.arguments.extend(["-engine".to_owned(), command, format!("name={name}"), format!("args={fault}")]);
        }
        self
    }

    /// A mock engine in a protocol, with a fault; `option` is `-engine`, or `-partner` for another one beside the last.
    #[must_use]
    pub fn mock(mut self, option: &str, name: &str, protocol: &str, fault: &str) -> Match {
        let command = format!("cmd={}", binary::mock_engine().display());
        let words = [option, &command, &format!("name={name}"), &format!("proto={protocol}"), &format!("args={fault}")];
        self.arguments.extend(words.map(str::to_owned));
        self
    }

    /// More options, separated by blanks.
    #[must_use]
    pub fn options(mut self, text: &str) -> Match {
        self.arguments.extend(text.split_whitespace().map(str::to_owned));
        self
    }

    /// Starts it.
    ///
    /// # Panics
    /// There is no adapter.
    pub fn start(&self) -> Child {
        Command::new(binary::adapter())
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env("RUST_LOG", "error")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the adapter starts")
    }

    /// Runs it to its end.
    ///
    /// # Panics
    /// There is no adapter.
    pub fn run(self) -> Finished {
        let done = self.start().wait_with_output().expect("the adapter ends");
        let read = |name: &str| std::fs::read_to_string(self.folder.join(name)).unwrap_or_default();
        Finished {
            status: done.status.code().unwrap_or(-1),
            output: String::from_utf8_lossy(&done.stdout).into_owned(),
            errors: String::from_utf8_lossy(&done.stderr).into_owned(),
            games: self.journal(),
            pgn: read("games.pgn"),
            config: serde_json::from_str(&read("config.json")).unwrap_or_default(),
        }
    }

    /// The folder of its files.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// The games in the journal so far; a line that is being written is left out.
    pub fn journal(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(self.folder.join("config.games.jsonl")).unwrap_or_default();
        let entries = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        entries.filter(|entry| entry["entry"] == "game").collect()
    }
}
