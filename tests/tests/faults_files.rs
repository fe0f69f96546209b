//! Faults of the world that concern files: a full disk, a second writer, a reader that has gone. The limit of a file's size stands for the
//! disk that is full: a write stops in the middle, and the next one fails.
#![cfg(unix)]
use sanqi_adapter::record_file::RecordFile;
use sanqi_tests::binary::{adapter, mock_engine, sanqi};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // There is none at the first time.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Runs the adapter where no file may become longer than `blocks` of 512 bytes.
fn on_a_full_disk(folder: &Path, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(adapter()).args(arguments).current_dir(folder).stdin(Stdio::null());
    command.output().expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The arguments of a match of the mock engine with itself.
fn a_match(rounds: &str) -> Vec<String> {
    let engine = format!("cmd={}", mock_engine().display());
    let words = ["match", "-variant", "fangqi", "-rounds", rounds, "-each", "tc=10+1", "-pgnout", "file=games.pgn"];
    let engines = ["-engine", &engine, "name=A", "-engine", &engine, "name=B"];
    words.iter().chain(&engines).map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_match_on_a_full_disk_stops_and_leaves_whole_games() {
    let folder = folder("faults-match");
    let words = a_match("200");
    let done = on_a_full_disk(&folder, 24, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let said = text(&done.stdout) + &text(&done.stderr);
    assert!(!done.status.success() && said.contains("games.pgn"), "{}: {said}", done.status);
    let written = std::fs::read_to_string(folder.join("games.pgn")).expect("the file");
    let games = written.matches("[Result ").count();
    assert!(games > 0 && games < 400, "{games} games");
    let check = Command::new(adapter()).args(["pgn", "check", "games.pgn"]).current_dir(&folder).output();
    let check = check.expect("the adapter runs");
    assert!(check.status.success(), "{}", text(&check.stderr));
    let journal = std::fs::read_to_string(folder.join("config.games.jsonl")).expect("the journal");
    assert_eq!(journal.matches("\"entry\":\"game\"").count(), games, "{journal}");
}

#[test]
fn analysis_on_a_full_disk_stops_and_leaves_whole_rows() {
    let folder = folder("faults-analyse");
    let positions = "startpos moves h3e3\n".repeat(2000).replace("startpos", "position startpos");
    std::fs::write(folder.join("in.txt"), positions).expect("the input");
    let words = ["analyse", "--rules-only", "--output", "out.jsonl", "in.txt"];
    let done = on_a_full_disk(&folder, 300, &words);
    let said = text(&done.stderr);
    assert!(done.status.code() == Some(1) && said.contains("out.jsonl"), "{}: {said}", done.status);
    let written = std::fs::read_to_string(folder.join("out.jsonl")).expect("the file");
    assert!(written.ends_with('\n') && written.lines().count() > 10, "{} bytes", written.len());
    for line in written.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    }
}

#[test]
fn a_second_writer_is_refused_and_changes_nothing() {
    let folder = folder("faults-two");
    let pgn = folder.join("games.pgn");
    std::fs::write(&pgn, "what is there\n").expect("a file");
    std::fs::write(folder.join("config.games.jsonl"), "the other journal\n").expect("a file");
    let first = RecordFile::open(&pgn).expect("nobody else");
    assert_eq!(RecordFile::open(&pgn).expect_err("a second one").kind(), std::io::ErrorKind::ResourceBusy);
    let second = Command::new(adapter()).args(a_match("1")).current_dir(&folder).output().expect("the adapter runs");
    let said = text(&second.stdout) + &text(&second.stderr);
    assert!(!second.status.success() && said.contains("another program is writing"), "{said}");
    assert_eq!(std::fs::read(&pgn).expect("the file"), b"what is there\n");
    assert_eq!(std::fs::read(folder.join("config.games.jsonl")).expect("the file"), b"the other journal\n");
    drop(first);
    let third = Command::new(adapter()).args(a_match("1")).current_dir(&folder).output().expect("the adapter runs");
    assert!(third.status.success(), "{}", text(&third.stderr));
}

/// Nobody reads any more: the programs end, without a panic.
#[test]
fn programs_end_when_their_output_is_closed() {
    let positions = "position startpos moves h3e3\n".repeat(5000);
    let adapter_words = ["analyse", "--rules-only", "-"];
    for (program, words, input) in
        [(adapter(), &adapter_words[..], positions.as_str()), (sanqi(), &[], "uci\ngo infinite\nd\nd\nd\n")]
    {
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        // It may be gone before it has read everything, and that is what is wanted; its input stays open.
        let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
        let done = child.wait_with_output().expect("it ends");
        let said = text(&done.stderr);
        assert!(done.status.code().is_some() && !said.contains("panicked"), "{}: {said}", done.status);
    }
}

/// A wall clock that jumps changes nothing: it only dates games and makes names; durations are monotonic.
#[test]
fn the_wall_clock_measures_nothing() {
    fn visit(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs")
                && std::fs::read_to_string(&path).expect("text").contains("SystemTime::now")
            {
                found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    for source in ["engine/src", "adapter/src"] {
        visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(source), &mut found);
    }
    found.sort();
    assert_eq!(found, ["collect.rs", "date.rs"]);
}
