//! A running engine and the dialogue with it.
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A silence this long means that the engine hangs. No test measures time; this only keeps a broken one from running for ever.
const HANG: Duration = Duration::from_secs(120);

/// An engine process; killed when dropped.
#[derive(Debug)]
pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
    errors: Option<JoinHandle<String>>,
}

impl Session {
    /// Starts the built engine.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn start(arguments: &[&str]) -> Session {
        Session::start_program(crate::binary::sanqi(), arguments)
    }

    /// Starts `sanqi-adapter COMMAND` with the built engine behind it.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn start_front(command: &str, arguments: &[&str]) -> Session {
        let engine = crate::binary::sanqi().to_string_lossy();
        let mut all = vec![command, "--engine", &engine];
        all.extend(arguments);
        Session::start_program(crate::binary::adapter(), &all)
    }

    /// Starts any program that is spoken to by lines.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn start_program(program: &Path, arguments: &[&str]) -> Session {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the engine can be started");
        let output = child.stdout.take().expect("standard output is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut error = child.stderr.take().expect("standard error is piped");
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = error.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Session { input: child.stdin.take(), child, lines, transcript: Vec::new(), errors: Some(errors) }
    }

    /// Starts the engine and greets it with `hello`, up to the answer `HELLOok`.
    pub fn greeted(hello: &str) -> Session {
        let mut session = Session::start(&[]);
        session.send(hello);
        session.until(&format!("{hello}ok"));
        session
    }

    /// A greeted UCI session in which `variant` is chosen.
    pub fn playing(variant: &str) -> Session {
        let mut session = Session::greeted("uci");
        session.send(&format!("setoption name UCI_Variant value {variant}"));
        session
    }

    /// Sends one line, or several.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends anything.
    ///
    /// # Panics
    /// The engine has gone.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.transcript.push(format!("> {}", String::from_utf8_lossy(bytes).trim_end()));
        let done = self.input.as_mut().map(|input| input.write_all(bytes).and_then(|()| input.flush()));
        if !matches!(done, Some(Ok(()))) {
            self.fail("the engine takes no more input");
        }
    }

    /// The next line; `None` at the end of output.
    pub fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => {
                self.transcript.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("the engine says nothing"),
        }
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        match self.next_line() {
            Some(line) => line,
            None => self.fail("the engine has ended"),
        }
    }

    /// The lines up to and with the first that is `start` or begins with `start` and a blank.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let found = line.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends a command and gives the lines up to and with the first that begins with `start`.
    pub fn ask(&mut self, command: &str, start: &str) -> Vec<String> {
        self.send(command);
        self.until(start)
    }

    /// Sends a search command and gives the lines up to and with its answer.
    pub fn go(&mut self, command: &str) -> Search {
        self.send(command);
        self.answer()
    }

    /// The lines up to and with the next answer.
    pub fn answer(&mut self) -> Search {
        Search(self.until("bestmove"))
    }

    /// Sends `isready` and gives what was said before the answer to it.
    pub fn ready(&mut self) -> Vec<String> {
        let mut lines = self.ask("isready", "readyok");
        lines.pop();
        lines
    }

    /// The FEN of the current position.
    pub fn fen(&mut self) -> String {
        let lines = self.ask("d", "Result:");
        lines.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap_or_default().to_owned()
    }

    /// The legal moves of the current position.
    pub fn legal(&mut self) -> Vec<String> {
        let lines = self.ask("legal", "info string legal");
        lines.last().map(|line| line.split_whitespace().skip(3).map(str::to_owned).collect()).unwrap_or_default()
    }

    /// Ends the input and gives the lines until the end of output, and the exit code.
    ///
    /// # Panics
    /// It does not end, or has written to the standard error, as a caught panic does.
    pub fn close(mut self) -> (Vec<String>, Option<i32>) {
        self.input = None;
        self.end()
    }

    /// Sends `quit`; otherwise as [`Session::close`], but the input stays open.
    pub fn quit(mut self) -> (Vec<String>, Option<i32>) {
        self.send("quit");
        self.end()
    }

    fn end(&mut self) -> (Vec<String>, Option<i32>) {
        let lines = std::iter::from_fn(|| self.next_line()).collect();
        let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default()).unwrap_or_default();
        if !errors.is_empty() {
            self.fail(&format!("on the standard error: {errors}"));
        }
        let until = Instant::now() + HANG;
        while Instant::now() < until {
            match self.child.try_wait() {
                Ok(Some(status)) => return (lines, status.code()),
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(error) => self.fail(&error.to_string()),
            }
        }
        self.fail("the engine does not end")
    }

    /// Fails with the end of the dialogue so far.
    ///
    /// # Panics
    /// Always.
    pub fn fail(&self, why: &str) -> ! {
        let begin = self.transcript.len().saturating_sub(40);
        panic!("{why}; the dialogue ends\n{}", self.transcript[begin..].join("\n"));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is what was wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What an engine said from `go` to its answer.
#[derive(Debug, Clone)]
pub struct Search(pub Vec<String>);

impl Search {
    /// The answer.
    pub fn bestmove_line(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }

    /// The move of the answer.
    pub fn bestmove(&self) -> &str {
        self.bestmove_line().split_whitespace().nth(1).unwrap_or_default()
    }

    /// The `info` lines with a score.
    pub fn infos(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().map(String::as_str).filter(|line| line.starts_with("info ") && line.contains(" score "))
    }

    /// Text for people among the lines.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str).filter(|l| l.starts_with("info string ") || l.starts_with("info message "))
    }
}

/// The word after `key` in an `info` line.
pub fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|word| *word == key)?;
    words.next()
}

/// The moves after `pv` in an `info` line.
pub fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map(|(_, moves)| moves.split_whitespace().collect()).unwrap_or_default()
}
