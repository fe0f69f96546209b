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

/// What is written in the end is there whole or not at all.
#[test]
fn files_are_whole_or_not_there_on_a_full_disk() {
    let folder = folder("faults-whole");
    std::fs::write(folder.join("game.pgn"), GAME).expect("a file");
    std::fs::write(folder.join("old"), "what was there\n").expect("a file");
    for words in [
        &["show", "startpos", "--svg", "--output", "old"][..],
        &["show", "startpos", "--png", "--output", "new"],
        &["report", "game.pgn", "--output", "old"],
        &["openings", "--variant", "yangqi", "--count", "100", "--out", "old"],
        &["gui", "yangqi", "--files", "pieces"],
    ] {
        let done = on_a_full_disk(&folder, 2, words);
        let said = text(&done.stderr);
        let name = words.last().expect("a file");
        assert!(
            done.status.code() == Some(1) && said.contains(name) && said.contains("too large"),
            "{words:?}: {said}"
        );
    }
    assert_eq!(std::fs::read_to_string(folder.join("old")).expect("the file"), "what was there\n");
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 3);
    for piece in std::fs::read_dir(folder.join("pieces/yangqi")).expect("a folder") {
        let picture = std::fs::read_to_string(piece.expect("an entry").path()).expect("text");
        assert!(picture.trim_end().ends_with("</svg>"), "{picture}");
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
    assert!(!second.status.success() && said.contains("another program is writing here"), "{said}");
    assert_eq!(std::fs::read(&pgn).expect("the file"), b"what is there\n");
    assert_eq!(std::fs::read(folder.join("config.games.jsonl")).expect("the file"), b"the other journal\n");
    drop(first);
    let third = Command::new(adapter()).args(a_match("1")).current_dir(&folder).output().expect("the adapter runs");
    assert!(third.status.success(), "{}", text(&third.stderr));
}

/// A game of fangqi as PGN.
const GAME: &str =
    "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Variant \"fangqi\"]\n\n1. d4 e4 2. d5 e5 1-0\n";

/// A match on two boards.
fn replay() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/replay/short");
    std::fs::read_to_string(path).expect("a replay")
}

/// Every command of the adapter that writes to its standard output, with what it reads.
fn talkative() -> Vec<(Vec<String>, String)> {
    let (engine, mock) = (sanqi().display().to_string(), mock_engine().display().to_string());
    let words = |text: &str| -> Vec<String> {
        text.split(' ').map(|word| word.replace("ENGINE", &engine).replace("MOCK", &mock)).collect()
    };
    let positions = "position startpos moves h3e3\n".repeat(5000);
    vec![
        (words("analyse --rules-only -"), positions),
        (words("gtp --engine ENGINE"), "list_commands\n".repeat(1000)),
        (words("xboard --engine ENGINE"), "xboard\nprotover 2\nping 1\nping 2\nping 3\n".into()),
        (words("ics --port 0 --games games --engine ENGINE"), String::new()),
        (words("openings --variant fangqi --count 2000"), String::new()),
        (words("pgn check game.pgn"), String::new()),
        (words("pgn convert game.pgn"), String::new()),
        (words("pgn check missing.pgn"), String::new()),
        (words("replay check replay.json"), String::new()),
        (words("replay show replay.json"), String::new()),
        (words("replay to-bpgn replay.json"), String::new()),
        (words("replay to-uci replay.json"), String::new()),
        (words("annotate game.pgn --depth 1 --engine ENGINE"), String::new()),
        (words("report game.pgn"), String::new()),
        (words("show startpos --variant yangqi"), String::new()),
        (words("show startpos --png"), String::new()),
        (words("gui fangqi --files gui"), String::new()),
        (words("match --compliance ENGINE"), String::new()),
        (words("match -help"), String::new()),
        (words("--help"), String::new()),
        (words("nonsense"), String::new()),
    ]
}

/// Nobody reads any more, on one output or on both: the programs end, without a panic.
#[test]
fn programs_end_when_their_output_is_closed() {
    let folder = folder("faults-closed");
    std::fs::write(folder.join("game.pgn"), GAME).expect("a file");
    std::fs::write(folder.join("replay.json"), replay()).expect("a file");
    let mut all: Vec<_> = talkative().into_iter().map(|(words, input)| (adapter(), words, input)).collect();
    all.push((sanqi(), vec![], "uci\ngo infinite\nd\nd\nd\n".into()));
    all.push((sanqi(), vec!["bench".into(), "1".into(), "1".into(), "2".into()], String::new()));
    all.push((sanqi(), vec!["bench".into(), "x".into()], String::new()));
    for (program, words, input) in all {
        for both in [false, true] {
            let mut command = Command::new(program);
            command.args(&words).current_dir(&folder).env("RUST_LOG", "error");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("the program runs");
            drop(child.stdout.take());
            if both {
                drop(child.stderr.take());
            }
            let mut stdin = child.stdin.take().expect("a pipe");
            // It may be gone before it has read everything, and that is what is wanted; its input stays open.
            let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
            let done = child.wait_with_output().expect("it ends");
            let said = text(&done.stderr);
            // A panic of the main thread gives 101.
            let is_good = done.status.code().is_some_and(|code| code < 100) && !said.contains("panicked");
            assert!(is_good, "{words:?}: {} {said}", done.status);
        }
    }
}

/// A match is worth more than what it says: it goes on when nobody reads that.
#[test]
fn a_match_plays_on_when_nobody_reads() {
    let folder = folder("faults-unread");
    let mut command = Command::new(adapter());
    command.args(a_match("4")).current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the adapter runs");
    drop((child.stdout.take(), child.stderr.take()));
    assert!(child.wait().expect("it ends").success());
    let written = std::fs::read_to_string(folder.join("games.pgn")).expect("the file");
    assert_eq!(written.matches("[Result ").count(), 8);
}

/// Runs a program that may not write where its user may not: the superuser may write anywhere, unless that is taken from him.
fn without_privileges(program: &Path, arguments: &[String], folder: &Path, input: &str) -> Output {
    let mut command = Command::new(program);
    if std::fs::write(folder.join("probe"), "").is_ok() {
        std::fs::remove_file(folder.join("probe")).expect("the file just made");
        command = Command::new("setpriv");
        command.arg("--bounding-set=-dac_override").arg(program);
    }
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // What has already given up does not read it.
    let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// Where nothing may be written, every output is refused by its name, and nothing is left behind.
#[test]
fn a_folder_that_cannot_be_written_to_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("faults-readonly");
    std::fs::write(folder.join("game.pgn"), GAME).expect("a file");
    std::fs::write(folder.join("replay.json"), replay()).expect("a file");
    let bpgn = Command::new(adapter()).args(["replay", "to-bpgn", "replay.json"]).current_dir(&folder).output();
    std::fs::write(folder.join("game.bpgn"), bpgn.expect("the adapter runs").stdout).expect("a file");
    let config = format!("-config outname={}/fine.json", env!("CARGO_TARGET_TMPDIR"));
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o555)).expect("own folder");
    let engine = sanqi().display().to_string();
    let game =
        "match -variant fangqi -rounds 1 -games 1 -each nodes=1 -engine cmd=ENGINE name=A -engine cmd=ENGINE name=B";
    let teams = game.replace("fangqi", "supply2 -maxmoves 4");
    for (line, input, file) in [
        (format!("{game} {config} -pgnout file=out.pgn"), "", "out.pgn"),
        (format!("{game} {config} -epdout file=out.epd"), "", "out.epd"),
        (format!("{game} {config} -log file=out.log engine=true"), "", "out.log"),
        (format!("{teams} {config} -replayout dir=out"), "", "out"),
        (format!("{game} -config outname=out.json"), "", "out.games.jsonl"),
        ("analyse --rules-only --output out.jsonl -".to_owned(), "position startpos\n", "out.jsonl"),
        ("annotate game.pgn --depth 1 --engine ENGINE --output out.pgn".to_owned(), "", "out.pgn"),
        ("annotate game.pgn --depth 1 --engine ENGINE --svg out.svg".to_owned(), "", "out.svg"),
        ("openings --variant fangqi --count 1 --out out.epd".to_owned(), "", "out.epd"),
        ("report game.pgn --output out.html".to_owned(), "", "out.html"),
        ("show startpos --variant yangqi --output out.txt".to_owned(), "", "out.txt"),
        ("show startpos --png --output out.png".to_owned(), "", "out.png"),
        ("gui fangqi --files out".to_owned(), "", "out"),
        ("replay to-bpgn replay.json --output out.bpgn".to_owned(), "", "out.bpgn"),
        ("replay from-bpgn game.bpgn --output out.json".to_owned(), "", "out.json"),
        ("ics --port 0 --engine ENGINE --games out".to_owned(), "", "out"),
    ] {
        let words: Vec<String> = line.split(' ').map(|word| word.replace("ENGINE", &engine)).collect();
        let done = without_privileges(adapter(), &words, &folder, input);
        let said = text(&done.stdout) + &text(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{line}: {said}");
        assert!(said.contains(file) && said.contains("denied"), "{line}: {said}");
    }
    let gtp = without_privileges(adapter(), &["gtp".into()], &folder, "printsgf out.sgf\nname\n");
    let said = text(&gtp.stdout);
    assert!(said.starts_with("? cannot write file: ") && said.contains("\n\n= "), "{said}");
    let log = without_privileges(sanqi(), &[], &folder, "uci\nsetoption name Debug Log File value out.log\nisready\n");
    let said = text(&log.stdout);
    assert!(
        said.contains("info string error option Debug Log File: `out.log`") && said.ends_with("readyok\n"),
        "{said}"
    );
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).expect("own folder");
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 3);
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
                && ["SystemTime::now", "Timestamp::now", "Zoned::now"]
                    .iter()
                    .any(|clock| std::fs::read_to_string(&path).expect("text").contains(clock))
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
    assert_eq!(found, ["collect.rs", "date.rs", "times.rs"]);
}
