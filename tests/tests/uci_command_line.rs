//! The command line of the engine, and what happens when nobody reads.
use sanqi_tests::binary::sanqi;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    Command::new(sanqi()).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn bench_prints_one_line_for_programs_and_three_for_people() {
    let count = || {
        let output = run(&["bench", "1", "1", "4"]);
        assert_eq!(output.status.code(), Some(0));
        let line = text(&output.stdout);
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{line}");
        let people = text(&output.stderr);
        for label in ["Total time (ms) : ", "Nodes searched  : ", "Nodes/second    : "] {
            assert!(people.lines().any(|line| line.starts_with(label)), "{people}");
        }
        words[0].parse::<u64>().unwrap()
    };
    assert_eq!(count(), count(), "the node count on one thread is a fingerprint");
}

#[test]
fn bench_in_a_session_ends_by_stop_and_by_quit() {
    for end in ["stop\nisready", "quit"] {
        let mut child =
            Command::new(sanqi()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(format!("bench 16 1 100\n{end}\n").as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{end}");
        assert!(text(&output.stdout).lines().any(|line| line.ends_with(" nps")), "{end}");
    }
}

#[test]
fn version_help_and_errors() {
    let version = run(&["--version"]);
    assert_eq!(
        (version.status.code(), text(&version.stdout)),
        (Some(0), format!("sanqi {}\n", env!("CARGO_PKG_VERSION")))
    );
    assert!(text(&run(&["--help"]).stdout).contains("--protocol"));
    for bad in [&["--protocol", "xboard"][..], &["play"], &["bench", "many"], &["bench", "1", "2", "3", "4"]] {
        let output = run(bad);
        assert_ne!(output.status.code(), Some(0), "{bad:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{bad:?}");
    }
}

#[test]
fn no_input_at_all() {
    let output = run(&[]);
    assert_eq!(
        (output.status.code(), text(&output.stdout), text(&output.stderr)),
        (Some(0), String::new(), String::new())
    );
}

#[test]
fn a_broken_pipe_ends_the_engine_quietly() {
    let mut child =
        Command::new(sanqi()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The input stays open: it is the answer without a reader that ends the engine.
    input.write_all(b"uci\n").unwrap();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}
