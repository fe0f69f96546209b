//! Input that no decent program sends: a line of ten megabytes, bytes that are no text, NUL. Whatever reads lines reads the next one as ever,
//! and whatever reads files says what is wrong with them, or takes what it can.
use sanqi_tests::binary::{adapter, sanqi};
use sanqi_tests::gtp::Gtp;
use sanqi_tests::ics::{Client, Server};
use sanqi_tests::session::Session;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const MEBIBYTES: usize = 10 << 20;

/// Each kind of it, without the line end. `word` is what a line of the reader begins with.
fn nonsense(word: &str) -> [(&'static str, Vec<u8>); 4] {
    let long = |filling: &str| {
        let mut line = word.as_bytes().to_vec();
        line.extend(filling.bytes().cycle().take(MEBIBYTES));
        line
    };
    let bytes = [word.as_bytes(), b" \xff\xfe\xc3( \xf0\x9f \xed\xa0\x80"].concat();
    let nul = [b"\0\0\0", word.as_bytes(), b"\0 a\0b \0"].concat();
    [("long", long("x")), ("words", long(" a0a1")), ("bytes", bytes), ("nul", nul)]
}

fn with_line_end(mut line: Vec<u8>) -> Vec<u8> {
    line.push(b'\n');
    line
}

#[test]
fn the_engine_reads_the_next_line() {
    for hello in ["uci", "ucci"] {
        for word in ["position startpos moves", "go", "setoption name", "probe fen"] {
            for (_, line) in nonsense(word) {
                let mut session = Session::greeted(hello);
                session.send_bytes(&with_line_end(line));
                session.send("stop");
                session.ready();
                session.send("position startpos");
                session.send("go depth 1");
                session.until("bestmove");
            }
        }
    }
}

#[test]
fn the_fronts_read_the_next_line() {
    for word in ["play b", "genmove", "loadsgf"] {
        let mut gtp = Gtp::start(&["--movetime", "50"]);
        for (_, line) in nonsense(word) {
            gtp.send_bytes(&with_line_end(line));
        }
        gtp.send("99 name");
        while !gtp.reply().starts_with("=99 ") {}
    }
    for word in ["usermove", "setboard", "e2e4", "ptell"] {
        let mut session = Session::start_front("xboard", &[]);
        session.send("xboard\nprotover 2");
        session.until("feature done=1");
        session.send("new\nforce");
        for (_, line) in nonsense(word) {
            session.send_bytes(&with_line_end(line));
        }
        session.send("ping 99");
        session.until("pong 99");
    }
    let server = Server::start(&[]);
    for word in ["match", "tell", "ann"] {
        let mut client = Client::login(&server, "ann");
        for (name, line) in nonsense(word) {
            assert!(client.send_bytes(&with_line_end(line)), "{word} {name}");
            client.ask("who", "… players displayed.");
        }
    }
}

/// Runs a command on a file of nonsense; it ends, and without a panic.
fn read(arguments: &[&str], folder: &PathBuf, content: &[u8]) -> (Option<i32>, String) {
    std::fs::write(folder.join("input"), content).expect("the input");
    // What an earlier command has written is in the way of some.
    let _ = std::fs::remove_file(folder.join("out"));
    let mut command = Command::new(adapter());
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let done = command.output().expect("the adapter runs");
    let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
    let code = done.status.code();
    assert!(matches!(code, Some(0..=2)) && !said.contains("panicked"), "{arguments:?}: {:?} {said:.2000}", done.status);
    (code, said)
}

#[test]
fn files_are_refused_or_read_as_far_as_they_go() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("faults-input");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let engine = format!("cmd={}", sanqi().display());
    let engines = ["-engine", &engine, "name=A", "-engine", &engine, "name=B", "-each", "nodes=1", "-rounds", "1"];
    let book = |format: &'static str| {
        [&["match", "-variant", "xiangqi", "-openings", "file=input", format][..], &engines].concat()
    };
    let program = sanqi().to_string_lossy();
    for (commands, heads) in [
        (
            vec![
                vec!["pgn", "check", "input"],
                vec!["pgn", "convert", "input"],
                vec!["report", "input", "--output", "out"],
                vec!["annotate", "input", "--depth", "1", "--engine", &program, "--output", "out"],
                book("format=pgn"),
            ],
            &["", "1. ", "{", "[Event \"", "[Variant \"xiangqi\"]\n\n1. C2=5 {"][..],
        ),
        (
            vec![
                vec!["replay", "check", "input"],
                vec!["replay", "show", "input"],
                vec!["replay", "to-bpgn", "input"],
                vec!["match", "-config", "file=input"],
            ],
            &["", "{\"format\":\"", "[", "{\"a\":["],
        ),
        (vec![vec!["replay", "from-bpgn", "input"]], &["", "[White \"", "1A. ", "{"]),
        (vec![book("format=epd")], &["", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 "]),
    ] {
        for words in commands {
            for head in heads {
                for (_, content) in nonsense(head) {
                    read(&words, &folder, &content);
                }
            }
        }
    }
}

/// Each line gets its row, and the good one behind them all gets a good one.
#[test]
fn positions_behind_nonsense_are_analysed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("faults-positions");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    for head in ["", "{\"fen\":\"", "position startpos moves", "rnbakabnr/9/"] {
        let mut content = Vec::new();
        let lines = nonsense(head);
        lines.iter().for_each(|(_, line)| content.extend(with_line_end(line.clone())));
        content.extend(b"position startpos moves h3e3\n");
        let (code, said) = read(&["analyse", "--rules-only", "input", "--output", "out"], &folder, &content);
        assert_eq!(code, Some(0), "{head}: {said}");
        let text = std::fs::read_to_string(folder.join("out")).expect("the rows");
        let rows: Vec<serde_json::Value> = text.lines().map(|row| serde_json::from_str(row).expect("a row")).collect();
        assert_eq!(rows.len(), lines.len() + 1, "{head}: {text:.2000}");
        let (last, bad) = rows.split_last().expect("rows");
        assert!(last["fen"].is_string() && bad.iter().all(|row| row["error"].is_string()), "{head}: {text:.2000}");
    }
}
