//! Running `sanqi-adapter analyse`.
use crate::binary;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Where these tests put their files: beside the binaries.
///
/// # Panics
/// The folder cannot be made.
pub fn folder() -> PathBuf {
    let folder = binary::adapter().parent().expect("the folder of the binary").join("analyse-tests");
    std::fs::create_dir_all(&folder).expect("a folder for the files of the tests");
    folder
}

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Analysed {
    /// Exit status; -1 after a kill.
    pub status: i32,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl Analysed {
    /// The rows as JSON.
    ///
    /// # Panics
    /// One is none.
    pub fn rows(&self) -> Vec<Value> {
        self.output.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }

    /// One field of every row.
    pub fn column(&self, name: &str) -> Vec<Value> {
        self.rows().iter().map(|row| row[name].clone()).collect()
    }
}

/// Starts a run with arguments that are separated by blanks. `ENGINE` and `MOCK` among them stand for those programs.
///
/// # Panics
/// There is no adapter.
pub fn start(arguments: &str) -> Child {
    let program = |word: &str| match word {
        "ENGINE" => binary::sanqi().display().to_string(),
        "MOCK" => binary::mock_engine().display().to_string(),
        _ => word.to_owned(),
    };
    Command::new(binary::adapter())
        .arg("analyse")
        .args(arguments.split_whitespace().map(program))
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the adapter starts")
}

/// Feeds a run and waits for its end.
///
/// # Panics
/// It does not end in order.
pub fn finish(mut child: Child, input: &str) -> Analysed {
    let mut pipe = child.stdin.take().expect("standard input is piped");
    let text = input.to_owned();
    // A run that is interrupted leaves input unread.
    let feeder = std::thread::spawn(move || drop(pipe.write_all(text.as_bytes())));
    let done = child.wait_with_output().expect("the adapter ends");
    feeder.join().expect("the feeder ends");
    Analysed {
        status: done.status.code().unwrap_or(-1),
        output: String::from_utf8(done.stdout).expect("text"),
        errors: String::from_utf8_lossy(&done.stderr).into_owned(),
    }
}

/// Runs with a text on standard input.
pub fn run(arguments: &str, input: &str) -> Analysed {
    finish(start(arguments), input)
}
