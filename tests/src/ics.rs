//! The chess server as its clients see it.
use crate::dialogue::fits;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// A silence this long means that the server hangs. No test measures time; this only keeps a broken one from running for ever.
const HANG: Duration = Duration::from_secs(60);

/// A running server; killed when dropped, and its folder removed.
#[derive(Debug)]
pub struct Server {
    child: Child,
    address: SocketAddr,
    folder: PathBuf,
    keeps_folder: bool,
}

impl Server {
    /// Starts a server on a free port, with the built engine and a folder of its own.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(arguments: &[&str]) -> Server {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let name = format!("sanqi-ics-{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        Server::start_in(&std::env::temp_dir().join(name), arguments)
    }

    /// Starts a server on the games of another one.
    ///
    /// # Panics
    /// It does not start.
    pub fn start_in(folder: &Path, arguments: &[&str]) -> Server {
        let mut command = Command::new(crate::binary::adapter());
        command.args(["ics", "--port", "0", "--games"]).arg(folder).args(arguments);
        if !arguments.contains(&"--engine") {
            command.arg("--engine").arg(crate::binary::sanqi());
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the adapter can be started");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").and_then(|text| text.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address in `{line}`"));
        Server { child, address, folder: folder.to_owned(), keeps_folder: false }
    }

    /// The folder of its games.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Kilobytes of memory that it uses, from `/proc`.
    ///
    /// # Panics
    /// There is no `/proc`.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a running process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Kills it without warning; gives the folder.
    ///
    /// # Panics
    /// It cannot be killed.
    pub fn kill(mut self) -> PathBuf {
        self.keeps_folder = true;
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        self.folder.clone()
    }

    /// Asks it to end, as a service manager does, and waits; gives the folder.
    ///
    /// # Panics
    /// It does not end well.
    pub fn terminate(self) -> PathBuf {
        self.end_by("TERM")
    }

    /// Asks it to end by a signal.
    ///
    /// # Panics
    /// It does not end well.
    pub fn end_by(mut self, signal: &str) -> PathBuf {
        self.keeps_folder = true;
        let words = [format!("-{signal}"), self.child.id().to_string()];
        let sent = Command::new("kill").args(words).status().expect("the program `kill`");
        assert!(sent.success());
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{signal}: {status}");
        self.folder.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // These fail when it has ended already, which is what was wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !self.keeps_folder {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// A client.
#[derive(Debug)]
pub struct Client {
    stream: TcpStream,
    lines: Receiver<String>,
    name: String,
}

impl Client {
    /// Connects, and does not log in.
    ///
    /// # Panics
    /// Nobody listens.
    pub fn connect(server: &Server) -> Client {
        let stream = TcpStream::connect(server.address).expect("the server listens");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in reader.split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                // Prompts stand alone, for nothing follows them but the next message, which begins on a line of its own.
                if !["", "fics%", "login:"].contains(&line.as_str()) && sender.send(line).is_err() {
                    break;
                }
            }
        });
        Client { stream, lines, name: String::new() }
    }

    /// Connects and logs in.
    ///
    /// # Panics
    /// It is not let in.
    pub fn login(server: &Server, name: &str) -> Client {
        let mut client = Client::connect(server);
        client.name = name.to_owned();
        client.send(name);
        client.expect(&format!("**** Starting FICS session as {name} ****"));
        client.line();
        client
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\r\n").as_bytes());
    }

    /// Sends bytes as they are; gives whether the server still takes them.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// The next line that is not empty and no prompt.
    ///
    /// # Panics
    /// There is none.
    pub fn line(&mut self) -> String {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("{}: no line", self.name),
            Err(RecvTimeoutError::Disconnected) => panic!("{}: the server has closed the connection", self.name),
        }
    }

    /// Skips lines up to one that fits, in which `…` stands for any text.
    ///
    /// # Panics
    /// There is none.
    pub fn expect(&mut self, expected: &str) -> String {
        let mut seen = Vec::new();
        loop {
            let line = match self.lines.recv_timeout(HANG) {
                Ok(line) => line,
                Err(_) => panic!("{}: no `{expected}` among {seen:#?}", self.name),
            };
            if fits(expected, &line) {
                return line;
            }
            seen.push(line);
        }
    }

    /// Sends a line and skips lines up to one that fits.
    ///
    /// # Panics
    /// There is none.
    pub fn ask(&mut self, line: &str, expected: &str) -> String {
        self.send(line);
        self.expect(expected)
    }

    /// Everything up to the end of the connection, which the server has to make.
    ///
    /// # Panics
    /// It does not.
    pub fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(HANG) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => return lines,
                Err(RecvTimeoutError::Timeout) => panic!("{}: the connection stays open", self.name),
            }
        }
    }

    /// Cuts the connection off.
    pub fn cut(self) {
        // It may be gone already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Plays the dialogues of a document with servers of their own: fenced blocks that open with `ics`, after which arguments for the server may
/// stand. `NAME> text` is sent by the client NAME, whose first line logs it in; `NAME< text` is the next line that it gets, `NAME< …` any
/// number of lines up to the next one that is named. `server> restart` ends the server and starts another on the same games. What follows
/// two blanks and `#` is for the reader. Gives the number of dialogues.
///
/// # Panics
/// The server says something else.
pub fn play_dialogues(document: &str) -> usize {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.extend(["..", "protocol-docs", document]);
    let mut text = String::new();
    std::fs::File::open(&path).and_then(|mut file| file.read_to_string(&mut text)).expect("a readable document");
    let mut count = 0;
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(arguments) = line.strip_prefix("```ics") else { continue };
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let body: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        play(document, &arguments, &body);
        count += 1;
    }
    count
}

fn play(document: &str, arguments: &[&str], body: &[(usize, &str)]) {
    let mut server = Some(Server::start(arguments));
    let mut clients: HashMap<&str, (Client, bool)> = HashMap::new();
    for &(index, line) in body {
        let at = format!("{document}:{}", index + 1);
        let line = line.split("  #").next().unwrap_or_default().trim_end();
        let Some(mark) = line.find(['>', '<']) else {
            assert!(line.is_empty(), "{at}: neither `>` nor `<`");
            continue;
        };
        let (name, text) = (&line[..mark], line[mark + 1..].strip_prefix(' ').unwrap_or_default());
        if name == "server" {
            clients.clear();
            let folder = server.take().expect("a server").terminate();
            server = Some(Server::start_in(&folder, arguments));
            continue;
        }
        let running = server.as_ref().expect("a server");
        let (client, skipping) = clients.entry(name).or_insert_with(|| (Client::connect(running), false));
        match (&line[mark..=mark], text) {
            ("<", "…") => *skipping = true,
            ("<", expected) if std::mem::take(skipping) => {
                client.expect(expected);
            }
            ("<", expected) => {
                let line = client.line();
                assert!(fits(expected, &line), "{at}: expected `{expected}`, found `{line}`");
            }
            (_, "(cut off)") => {
                if let Some((client, _)) = clients.remove(name) {
                    client.cut();
                }
            }
            (_, text) => client.send(text),
        }
    }
}
