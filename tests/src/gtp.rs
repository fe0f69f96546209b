//! The GTP front as a controller sees it.
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A silence this long means that the front hangs. No test measures time; this only keeps a broken one from running for ever.
const HANG: Duration = Duration::from_secs(120);

/// A running `sanqi-adapter gtp`; killed when dropped.
#[derive(Debug)]
pub struct Gtp {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

/// How a process ended.
#[derive(Debug)]
pub struct Ending {
    /// Its exit status.
    pub status: ExitStatus,
    /// The lines on its standard output that nobody had read.
    pub lines: Vec<String>,
    /// All of its standard error.
    pub errors: String,
}

/// The folder of the GTP tests' files.
pub fn files() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("gtp")
}

impl Gtp {
    /// Starts it with arguments and the built engine, unless the arguments name another. Relative file names are those of [`files`].
    ///
    /// # Panics
    /// It does not start.
    pub fn start(arguments: &[&str]) -> Gtp {
        let mut command = Command::new(crate::binary::adapter());
        command.arg("gtp").args(arguments).current_dir(files());
        if !arguments.contains(&"--engine") {
            command.arg("--engine").arg(crate::binary::sanqi());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the adapter can be started");
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
        Gtp { input: child.stdin.take(), child, lines, errors: Some(errors) }
    }

    /// Sends a line without waiting.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are. A process that has ended is noticed when its reply is waited for.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    fn line(&mut self) -> String {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no reply"),
            Err(RecvTimeoutError::Disconnected) => {
                let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default());
                panic!("the adapter has ended: {}", errors.unwrap_or_default());
            }
        }
    }

    /// The next reply, its empty last line left out.
    ///
    /// # Panics
    /// What comes is no reply, or nothing comes.
    pub fn reply(&mut self) -> String {
        let mut lines = vec![self.line()];
        assert!(lines[0].starts_with(['=', '?']), "not a reply: {lines:?}");
        loop {
            let line = self.line();
            if line.is_empty() {
                return lines.join("\n");
            }
            lines.push(line);
        }
    }

    /// The reply to a line.
    ///
    /// # Panics
    /// As [`Gtp::reply`].
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.reply()
    }

    /// The text of the success that a line has.
    ///
    /// # Panics
    /// It fails.
    pub fn ok(&mut self, line: &str) -> String {
        let reply = self.ask(line);
        reply.strip_prefix("= ").unwrap_or_else(|| panic!("{line}: {reply}")).to_owned()
    }

    /// Process ids of the engines that it runs, from `/proc`.
    ///
    /// # Panics
    /// There is no `/proc`.
    pub fn engines(&self) -> Vec<u32> {
        let parent = format!("PPid:\t{}", self.child.id());
        let processes = std::fs::read_dir("/proc").expect("the processes");
        let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let is_child = |id: &u32| {
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            status.lines().any(|line| line == parent) && !status.contains("State:\tZ")
        };
        ids.filter(is_child).collect()
    }

    /// Closes the input and waits for the end.
    ///
    /// # Panics
    /// It does not end.
    pub fn finish(mut self) -> Ending {
        self.input = None;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(HANG) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the adapter does not end"),
            }
        }
        let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default()).unwrap_or_default();
        let status = self.child.wait().expect("the exit status");
        Ending { status, lines, errors }
    }
}

impl Drop for Gtp {
    fn drop(&mut self) {
        self.input = None;
        // Both fail when it has ended already, which is what was wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
