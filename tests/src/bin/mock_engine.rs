//! A UCI engine that plays legal moves at random and, when told to, misbehaves: `mock_engine FAULT=MOVE`, the fault happening at its
//! MOVE-th move of a game (0: at every one). It exists to see what a client makes of each fault.
use sanqi::games::{Game, Outcome, RankBase, Variant};
use sanqi_tests::random::Random;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What it does wrong, and at which of its moves.
struct Fault {
    name: String,
    at: u32,
}

struct Mock {
    fault: Fault,
    variant: Variant,
    game: Game,
    moves: u32,
    random: Random,
    input: Receiver<String>,
    line_end: &'static str,
}

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_default();
    let (name, at) = argument.split_once('=').unwrap_or((&argument, "0"));
    let fault = Fault { name: name.to_owned(), at: at.parse().unwrap_or(0) };
    let (sender, input) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let line_end = if fault.name == "crlf" { "\r\n" } else { "\n" };
    let game = Game::new(Variant::Xiangqi);
    let mut mock = Mock { fault, variant: Variant::Xiangqi, game, moves: 0, random: Random::new(1), input, line_end };
    while let Ok(line) = mock.input.recv() {
        if line == "quit" {
            break;
        }
        mock.command(line.trim());
    }
}

impl Mock {
    fn say(&self, line: &str) {
        let mut out = std::io::stdout().lock();
        if out.write_all(format!("{line}{}", self.line_end).as_bytes()).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    }

    fn command(&mut self, line: &str) {
        if self.fault.name == "mute" {
            return;
        }
        match line.split_whitespace().next() {
            Some("uci") => {
                self.say("id name Mock\nid author nobody");
                self.say("option name Hash type spin default 16 min 1 max 1024");
                self.say(
                    "option name UCI_Variant type combo default xiangqi var xiangqi var supply var yangqi var fangqi",
                );
                self.say("uciok");
            }
            Some("isready") if self.is_due("unready") => {}
            Some("isready") => self.say("readyok"),
            Some("ucinewgame") => self.moves = 0,
            Some("setoption") => {
                if let Some(name) = line.strip_prefix("setoption name UCI_Variant value ") {
                    self.variant = name.parse().unwrap_or(Variant::Xiangqi);
                }
            }
            Some("position") => self.position(line),
            Some("go") => self.go(),
            _ => {}
        }
    }

    fn position(&mut self, line: &str) {
        let line = line.strip_prefix("position ").unwrap_or(line);
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        self.game = match start.strip_prefix("fen ") {
            Some(fen) => Game::from_fen(self.variant, fen).expect("the client sends good positions"),
            None => Game::new(self.variant),
        };
        for text in moves.split_whitespace() {
            self.game.push_text(text, RankBase::One).expect("the client sends legal moves");
        }
    }

    /// The fault is to happen now; `moves` counts those begun.
    fn is_due(&self, fault: &str) -> bool {
        self.fault.name == fault && (self.fault.at == 0 || self.fault.at == self.moves + 1)
    }

    fn go(&mut self) {
        let moves = self.game.legal_moves();
        let ended = self.game.result().outcome != Outcome::Ongoing;
        assert!(!ended, "nobody may be asked for a move in a finished game");
        let best = self.game.move_text(moves[self.random.below(moves.len())], RankBase::One);
        self.say(&format!("info depth 1 nodes 1 score cp 0 time 0 pv {best}"));
        if self.is_due("exit") {
            eprintln!("mock engine: leaving");
            std::process::exit(3);
        }
        if self.is_due("hang") {
            std::thread::sleep(Duration::from_secs(3600));
        }
        if self.is_due("late") {
            // Only a request to stop brings it to its move.
            while self.input.recv().is_ok_and(|line| line != "stop") {}
        }
        if self.is_due("flood") {
            for n in 0.. {
                self.say(&format!("info depth {n} score cp 1 string {}", "x".repeat(1000)));
                if self.input.try_recv().is_ok_and(|line| line == "stop") {
                    break;
                }
            }
        }
        if self.is_due("garbage") {
            let mut out = std::io::stdout().lock();
            // A lost pipe shows at the next line.
            let _ = out.write_all(b"\xff\xfe\x00info \xc3 depth\ninfo score cp depth x pv\n\n   \nbestmovement\n");
            let _ = out.write_all(&vec![b'y'; 100_000]);
            let _ = out.write_all(b"\n");
        }
        let answer = match self.fault.name.as_str() {
            _ if !self.is_due(&self.fault.name) => best,
            "illegal" => "a1a9".to_owned(),
            "none" => "(none)".to_owned(),
            "null" => "0000".to_owned(),
            "empty" => String::new(),
            "resign" => "resign".to_owned(),
            _ => best,
        };
        self.say(format!("bestmove {answer}").trim_end());
        if self.is_due("twice") {
            self.say(&format!("bestmove {answer}"));
        }
        self.moves += 1;
    }
}
