//! The built binaries as child processes.
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Longer than anything that is waited for takes, even on a busy machine. Only a hung engine meets it.
const PATIENCE: Duration = Duration::from_secs(120);

/// The path of a built binary, `sanqi` or `sanqi-adapter`, of the profile that the tests were built with.
///
/// # Panics
/// It cannot be built.
pub fn binary(name: &str) -> PathBuf {
    // A test of another package's binary is not told its path, and cargo may not have built it: it is asked once per test
    // program, which costs nothing when everything is fresh.
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let test = std::env::current_exe().expect("the path of this test");
        let folder = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST").to_owned();
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(other) => other,
        };
        let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--quiet", "--workspace", "--bins", "--profile", profile])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the binaries cannot be built");
        folder
    });
    folder.join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// A running program that reads and writes lines.
#[derive(Debug)]
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ending {
    /// Its exit status.
    pub status: ExitStatus,
    /// The lines on its standard output that nobody had read.
    pub lines: Vec<String>,
    /// All of its standard error.
    pub errors: String,
}

impl Engine {
    /// Starts `sanqi` with arguments.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(arguments: &[&str]) -> Engine {
        Engine::spawn(Command::new(binary("sanqi")).args(arguments))
    }

    /// Starts any program.
    ///
    /// # Panics
    /// It does not start.
    pub fn spawn(command: &mut Command) -> Engine {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let (output, mut error) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
                if sender.send(text).is_err() {
                    break;
                }
                line.clear();
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = error.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Engine { input: child.stdin.take(), child, lines, errors: Some(errors) }
    }

    /// Sends bytes as they are. A program that has ended is noticed when its answer is waited for.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line.
    ///
    /// # Panics
    /// The program has ended, or says nothing for two minutes.
    pub fn line(&mut self) -> String {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no answer within {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => {
                let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default());
                panic!("the program has ended: {:?}: {}", self.child.wait(), errors.unwrap_or_default());
            }
        }
    }

    /// The lines up to the first that begins with `prefix`, that one included.
    ///
    /// # Panics
    /// As [`Engine::line`].
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines.last().is_some_and(|line| line.starts_with(prefix)) {
            lines.push(self.line());
        }
        lines
    }

    /// Sends a line and gives the first answer that begins with `prefix`.
    ///
    /// # Panics
    /// As [`Engine::line`].
    pub fn ask(&mut self, line: &str, prefix: &str) -> String {
        self.send(line);
        self.until(prefix).pop().unwrap_or_default()
    }

    /// Everything said until the program is ready again, its `readyok` left out.
    ///
    /// # Panics
    /// As [`Engine::line`].
    pub fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Closes the input and waits for the end.
    ///
    /// # Panics
    /// The program does not end within two minutes.
    pub fn finish(mut self) -> Ending {
        self.input = None;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the program does not end"),
            }
        }
        let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default()).unwrap_or_default();
        let status = self.child.wait().expect("the exit status");
        Ending { status, lines, errors }
    }
}

impl Drop for Engine {
    /// A test that fails leaves no process behind.
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
