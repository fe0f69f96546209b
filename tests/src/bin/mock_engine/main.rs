//! An engine that plays legal moves at random and, when told to, misbehaves: `mock_engine FAULT=MOVE`, the fault happening at its
//! MOVE-th move of a game (0: at every one). It exists to see what a client makes of each fault. Its first line of input decides
//! whether it speaks UCI, UCCI or the XBoard protocol. In UCI a second argument may name a file with a game that both sides play
//! from their start position, of whatever kind; so it can be compared what two match tools make of the same engine.
mod uci;
mod xboard;

use sanqi_tests::random::Random;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What it does wrong, and at which of its moves.
struct Fault {
    name: String,
    at: u32,
}

/// What both protocols need.
struct Mock {
    fault: Fault,
    moves: u32,
    random: Random,
    input: Receiver<String>,
    line_end: &'static str,
    /// The moves of a game that it plays instead of random ones.
    script: Vec<String>,
}

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_default();
    let script = std::env::args().nth(2).map(|path| std::fs::read_to_string(path).expect("a game to play"));
    let script = script.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let (name, at) = argument.split_once('=').unwrap_or((&argument, "0"));
    let fault = Fault { name: name.to_owned(), at: at.parse().unwrap_or(0) };
    if fault.name == "deaf" {
        deaf();
    }
    let (sender, input) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let line_end = if fault.name == "crlf" { "\r\n" } else { "\n" };
    let mock = Mock { fault, moves: 0, random: Random::new(1), input, line_end, script };
    match mock.input.recv().as_deref() {
        Ok("xboard") => xboard::run(mock),
        Ok(hello) => uci::run(mock, hello),
        Err(_) => {}
    }
}

/// Speaks like an engine that is ready for everything, and never reads.
fn deaf() -> ! {
    let hello = "id name Mock\noption name Hash type spin default 16 min 1 max 1024\noption name Text type string default\n\
                 option name UCI_Variant type combo default xiangqi var xiangqi var fangqi\nuciok\n";
    let mut out = std::io::stdout().lock();
    let mut said = out.write_all(hello.as_bytes());
    while said.and_then(|()| out.flush()).is_ok() {
        std::thread::sleep(Duration::from_millis(20));
        said = out.write_all(b"readyok\n");
    }
    std::process::exit(0);
}

/// A gigabyte: lines of thinking, one line that does not end for long, and lines of the error output.
fn gigabyte() {
    const PART: usize = 64 << 10;
    const PARTS: usize = (1 << 30) / PART / 3;
    let thinking = format!("info depth 1 score cp 1 string {}\n", "x".repeat(1000));
    let lines = thinking.repeat(PART / thinking.len() + 1);
    let (mut out, mut errors) = (std::io::stdout().lock(), std::io::stderr().lock());
    let parts = (0..PARTS).map(|_| {
        out.write_all(lines.as_bytes())?;
        errors.write_all(lines.as_bytes())
    });
    let long = vec![b'x'; PART];
    // Who does not read any more is told nothing any more.
    let _ = parts.collect::<std::io::Result<()>>();
    let _ = (0..PARTS).try_for_each(|_| out.write_all(&long)).and_then(|()| out.write_all(b"\n"));
}

impl Mock {
    fn say(&self, line: &str) {
        let mut out = std::io::stdout().lock();
        if out.write_all(format!("{line}{}", self.line_end).as_bytes()).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    }

    /// The fault is to happen now; `moves` counts those begun.
    fn is_due(&self, fault: &str) -> bool {
        self.fault.name == fault && (self.fault.at == 0 || self.fault.at == self.moves + 1)
    }

    /// Faults that come before the move, whatever the protocol. `stop` is what brings a late engine to its move.
    fn before_the_move(&self, stop: &str) {
        if self.is_due("exit") {
            eprintln!("mock engine: leaving");
            std::process::exit(3);
        }
        if self.is_due("hang") {
            std::thread::sleep(Duration::from_secs(3600));
        }
        if self.is_due("signal") {
            std::process::abort();
        }
        if self.is_due("late") {
            while let Ok(line) = self.input.recv()
                && line != stop
            {
                if line == "isready" {
                    self.say("readyok");
                }
            }
        }
        if self.is_due("slow") {
            std::thread::sleep(Duration::from_secs(2));
        }
        if self.is_due("flood") {
            for n in 0.. {
                self.say(&format!("info depth {n} score cp 1 string {}", "x".repeat(1000)));
                if self.input.try_recv().is_ok_and(|line| line == stop) {
                    break;
                }
            }
        }
        if self.is_due("gigabyte") {
            gigabyte();
        }
        if self.is_due("garbage") {
            let mut out = std::io::stdout().lock();
            // A lost pipe shows at the next line.
            let _ = out.write_all(b"\xff\xfe\x00info \xc3 depth\ninfo score cp depth x pv\n\n   \nbestmovement\n");
            let _ = out.write_all(&vec![b'y'; 100_000]);
            let _ = out.write_all(b"\n");
        }
    }

    /// What it announces in place of the move it would make.
    fn announced(&self, best: String) -> String {
        match self.fault.name.as_str() {
            _ if !self.is_due(&self.fault.name) => best,
            "illegal" => "a1a9".to_owned(),
            "upper" => best.to_ascii_uppercase(),
            "square" => "e2".to_owned(),
            "none" => "(none)".to_owned(),
            "null" => "0000".to_owned(),
            "empty" => String::new(),
            "resign" => "resign".to_owned(),
            _ => best,
        }
    }
}
