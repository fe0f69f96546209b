//! Requests to end, and kills. What has been written is whole, engines go with the program that has started them, and the exit status says
//! what happened.
#![cfg(target_os = "linux")]
use sanqi_tests::binary::{adapter, mock_engine, sanqi};
use sanqi_tests::ics::{Client, Server};
use sanqi_tests::matches::Match;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The signals by which a program is asked to end, and their numbers.
const ENDS: [(&str, i32); 2] = [("TERM", 15), ("INT", 2)];

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // There is none at the first time.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Waits for what comes soon. No test measures time; this only keeps a broken one from running for ever.
#[track_caller]
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < until, "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn start(program: &Path, arguments: &[&str], folder: &Path, input: &str) -> Child {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    child.stdin.as_mut().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child
}

fn signal(child: &Child, name: &str) {
    let words = [format!("-{name}"), child.id().to_string()];
    assert!(Command::new("kill").args(words).status().expect("the program `kill`").success());
}

/// The processes that any thread of a process has started.
fn children(process: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

fn is_running(process: u32) -> bool {
    // Who has ended and was not asked after by anybody is a zombie.
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Ends a program whose engine is at work, and sees the engine go. The input stays open until then.
#[track_caller]
fn end_with_its_engine(mut child: Child, name: &str) -> Output {
    let mut engines = Vec::new();
    eventually("an engine", || {
        engines = children(child.id());
        !engines.is_empty()
    });
    signal(&child, name);
    let input = child.stdin.take();
    let done = child.wait_with_output().expect("it ends");
    eventually("the engine goes", || engines.iter().all(|&engine| !is_running(engine)));
    drop(input);
    assert!(!String::from_utf8_lossy(&done.stderr).contains("panicked"), "{done:?}");
    done
}

/// Who has started the tests ignores the signal, as shells do for what runs in the background, and so does the engine then.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (number - 1) & 1 != 0)
}

#[test]
fn the_engine_ends_at_once_and_between_two_lines() {
    for (name, number) in ENDS.into_iter().filter(|&(_, number)| !is_ignored(number)) {
        let folder = folder("signal-engine");
        let child = start(sanqi(), &[], &folder, "uci\nsetoption name Debug Log File value log\ngo infinite\n");
        let log = folder.join("log");
        let read = || fs::read_to_string(&log).unwrap_or_default();
        eventually("a search", || read().contains("info depth 3"));
        signal(&child, name);
        let done = child.wait_with_output().expect("it ends");
        assert_eq!(done.status.signal(), Some(number));
        assert!(done.stdout.ends_with(b"\n") && read().ends_with('\n'));
    }
}

#[test]
fn fronts_end_with_their_engines() {
    let folder = folder("signal-fronts");
    let engine = sanqi().to_string_lossy();
    for (front, input) in [
        ("gtp", "gogui-param_time milliseconds 86400000\ngenmove b\n"),
        ("xboard", "xboard\nprotover 2\nnew\nvariant yangqi\nst 86400\ngo\n"),
    ] {
        for (name, _) in ENDS {
            let done = end_with_its_engine(start(adapter(), &[front, "--engine", &engine], &folder, input), name);
            assert_eq!(done.status.code(), Some(130), "{front}");
        }
    }
}

/// What writes a file in the end leaves the old one as it is when it does not get there.
#[test]
fn files_that_are_written_in_the_end_stay_as_they_were() {
    let folder = folder("signal-files");
    let engine = sanqi().to_string_lossy();
    let old = "what was there\n";
    fs::write(folder.join("in.pgn"), "[Variant \"fangqi\"]\n\n1. d4 e4 2. d5 e5 *\n").expect("the input");
    for words in [
        &["annotate", "in.pgn", "--movetime", "86400000", "--output", "out", "--svg", "graph", "--engine", &engine][..],
        &["openings", "--variant", "yangqi", "--nodes", "1000000000000", "--out", "out", "--engine", &engine],
    ] {
        for (name, _) in ENDS {
            fs::write(folder.join("out"), old).expect("a file");
            let done = end_with_its_engine(start(adapter(), words, &folder, ""), name);
            assert_eq!(done.status.code(), Some(130), "{words:?}");
            assert_eq!(fs::read_to_string(folder.join("out")).expect("the file"), old, "{words:?}");
            assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2, "{words:?} leaves more behind");
        }
    }
}

#[test]
fn a_match_is_saved_and_goes_on_later() {
    for (name, _) in ENDS {
        let folder = format!("signal-match-{name}");
        let first = Match::new(&folder).engines("", "").options("-variant fangqi -each nodes=1 -rounds 5000 -games 2");
        let child = first.start();
        eventually("some games", || first.journal().len() >= 3);
        let done = end_with_its_engine(child, name);
        // As fastchess says that there is more to play.
        assert_eq!(done.status.code(), Some(1), "{done:?}");
        let played = first.journal().len();
        let pgn = first.folder().join("games.pgn");
        let games = || fs::read_to_string(&pgn).expect("the games").matches("[Event ").count();
        assert_eq!(games(), played);
        let resumed = Match::again(&folder)
            .options("-config file=config.json -rounds")
            .options(&played.div_ceil(2).to_string())
            .run();
        assert_eq!(resumed.status, 0, "{}", resumed.output);
        assert_eq!((resumed.games.len(), games()), (played.next_multiple_of(2), played.next_multiple_of(2)));
        let check = Command::new(adapter()).args(["pgn", "check"]).arg(&pgn).output().expect("the adapter runs");
        assert!(check.status.success(), "{check:?}");
    }
}

#[test]
fn an_analysis_leaves_whole_rows() {
    for (name, _) in ENDS {
        let folder = folder("signal-analyse");
        let engine = sanqi().to_string_lossy();
        let words = ["analyse", "--engine", &engine, "--movetime", "20", "--output", "out.jsonl"];
        let child = start(adapter(), &words, &folder, &"position startpos moves h3e3\n".repeat(3000));
        let out = folder.join("out.jsonl");
        let rows = || fs::read_to_string(&out).unwrap_or_default();
        eventually("some rows", || rows().lines().count() >= 3);
        let done = end_with_its_engine(child, name);
        assert_eq!(done.status.code(), Some(130), "{done:?}");
        assert!(rows().ends_with('\n'));
        for row in rows().lines() {
            serde_json::from_str::<serde_json::Value>(row).unwrap_or_else(|error| panic!("{error}: {row}"));
        }
    }
}

#[test]
fn a_server_adjourns_what_is_being_played() {
    for (name, _) in ENDS {
        let server = Server::start(&["--nodes", "50"]);
        let mut ann = Client::login(&server, "ann");
        ann.ask("match engine 5 3 yangqi", "<12> …");
        ann.ask("a2a4", "<12> … W …");
        let folder = server.end_by(name);
        let server = Server::start_in(&folder, &["--nodes", "50"]);
        let mut ann = Client::login(&server, "ann");
        ann.expect("  1 yangqi 5 3, ann vs. engine");
        fs::remove_dir_all(server.terminate()).expect("the folder can go");
    }
}

/// Killed the moment a result is told, a server has the game: among the finished ones, or as an unfinished one that it offers to go on with.
#[test]
fn a_server_that_is_killed_loses_no_game() {
    let mut server = Server::start(&["--nodes", "1"]);
    for number in 1..=8 {
        let (mut ann, mut bob) = (Client::login(&server, "ann"), Client::login(&server, "bob"));
        ann.ask("match bob 5 0 fangqi", "Issuing: …");
        bob.ask("accept", "<12> …");
        ann.expect("<12> …");
        ann.ask("d4", "<12> … B …");
        bob.expect("<12> … B …");
        bob.ask("c3", "<12> … W …");
        ann.ask("resign", "{Game 1 (ann vs. bob) ann resigns} 0-1");
        let folder = server.kill();
        server = Server::start_in(&folder, &["--nodes", "1"]);
        let finished = fs::read_to_string(folder.join("games.pgn")).unwrap_or_default().matches("[Event ").count();
        let unfinished = fs::read_dir(folder.join("unfinished")).expect("the folder").count();
        assert!(finished + unfinished >= number, "{finished} finished and {unfinished} unfinished games of {number}");
        let second = Command::new(adapter()).args(["ics", "--port", "0", "--games"]).arg(&folder).output();
        let second = second.expect("the adapter runs");
        let said = String::from_utf8_lossy(&second.stderr).into_owned();
        assert!(!second.status.success() && said.contains("another program"), "{said}");
    }
    let folder = server.terminate();
    let check = Command::new(adapter()).args(["pgn", "check"]).arg(folder.join("games.pgn")).output();
    let check = check.expect("the adapter runs");
    assert!(check.status.success(), "{check:?}");
    fs::remove_dir_all(folder).expect("the folder can go");
}

/// An engine that heeds nothing, not even the end of its input, is killed with the program that has started it.
#[test]
fn an_engine_that_heeds_nothing_goes_too() {
    let folder = folder("signal-hang");
    let mock = mock_engine().to_string_lossy();
    let engine = format!("cmd={mock}");
    let player = |name: &'static str| ["-engine", &engine, name, "args=hang"];
    let game = ["match", "-variant", "fangqi", "-each", "tc=600", "-rounds", "1", "-games", "1"];
    for (words, input, code) in [
        ([&game[..], &player("name=A"), &player("name=B")].concat(), "", 1),
        (vec!["gtp", "--engine", &mock, "--engine-arg", "hang"], "genmove b\n", 130),
        (vec!["analyse", "--engine", &mock, "--engine-arg", "hang", "--depth", "1"], "position startpos\n", 130),
    ] {
        let child = start(adapter(), &words, &folder, input);
        // It hangs when it has been asked for a move.
        eventually("an engine that waits", || children(child.id()).iter().any(|&engine| sleeps(engine)));
        assert_eq!(end_with_its_engine(child, "TERM").status.code(), Some(code), "{words:?}");
    }
}

fn sleeps(process: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/wchan")).is_ok_and(|place| place.contains("nanosleep"))
}
