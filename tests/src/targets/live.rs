//! Conversations with the programs, inside this process; engines behind fronts are processes.
use crate::binary::mock_engine;
use sanqi::protocol::{self, Dialect};
use sanqi_adapter::engine::{Info, Output};
use sanqi_adapter::gtp::{self, GtpOptions};
use sanqi_adapter::ics::{self, IcsOptions};
use sanqi_adapter::xboard::{self, XboardOptions};
use std::io::{Cursor, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::runtime::Runtime;

/// What was said.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics here").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Said {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("nobody panics here").clone()).expect("what is said is UTF-8")
    }
}

/// The lines, but for those with a banned word: those by which a file would be written or read, and those that take long by right.
fn harmless(data: &[u8], is_banned: impl Fn(&str) -> bool) -> Vec<u8> {
    const MOST: usize = 200;
    let allowed = |line: &&[u8]| {
        // Signs between letters may be dropped by those who read lines.
        let text = String::from_utf8_lossy(line).to_lowercase();
        let words =
            text.split_whitespace().map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>());
        !words.into_iter().any(|word| is_banned(&word))
    };
    data.split(|&byte| byte == b'\n').filter(allowed).take(MOST).flat_map(|line| [line, b"\n"].concat()).collect()
}

fn engine(dialect: Dialect, data: &[u8]) {
    let mut lines = harmless(data, |word| {
        ["log", "quit", "bench", "perft", "threads", "hash"].iter().any(|banned| word.contains(banned))
    });
    let count = lines.iter().filter(|&&byte| byte == b'\n').count();
    lines.extend_from_slice(b"setoption batch false\nsetoption name batch value false\n");
    // A search that has no end of its own is told to end, and one that has one need not come to it.
    lines.extend(b"stop\n".repeat(count + 1));
    lines.extend_from_slice(b"isready\n");
    let said = Said::default();
    protocol::converse(Some(dialect), Cursor::new(lines), Box::new(said.clone())).expect("a thread");
    let text = said.text();
    assert!(!text.contains("internal error"), "{text}");
    assert!(text.lines().any(|line| line == "readyok"), "{text}");
    let answers = text.lines().filter(|line| line.starts_with("bestmove") || *line == "nobestmove").count();
    assert!(dialect == Dialect::Ucci || answers <= count, "{answers} answers to {count} lines\n{text}");
}

/// UCI.
pub(super) fn uci(data: &[u8]) {
    engine(Dialect::Uci, data);
}

/// UCCI.
pub(super) fn ucci(data: &[u8]) {
    engine(Dialect::Ucci, data);
}

/// What engines say, as a client reads it.
pub(super) fn engine_output(data: &[u8]) {
    for line in super::text(data).lines() {
        let _ = Output::parse(line.to_owned());
        let _ = Info::parse(line);
        let _ = sanqi_adapter::engine::EngineOption::parse(line);
        let _ = sanqi_adapter::cecp::Thinking::parse(line);
    }
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().expect("a runtime"))
}

/// Whoever has a task with a panic in it, or no end, has a fault.
fn finish<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> T {
    const HANG: Duration = Duration::from_secs(60);
    runtime().block_on(async {
        let done = tokio::time::timeout(HANG, tokio::spawn(task)).await;
        done.expect("it comes to an end").expect("it does not panic")
    })
}

/// GTP.
pub(super) fn gtp(data: &[u8]) {
    let options = GtpOptions {
        engine: Some(mock_engine().to_owned()),
        engine_arg: Vec::new(),
        movetime: None,
        nodes: Some(1),
        depth: None,
        seed: 0,
        variety: 0,
        elo: None,
        hash: None,
        threads: None,
        margin: 1000,
    };
    let lines = harmless(data, |word| word.contains("sgf"));
    let said = Said::default();
    finish(gtp::serve(options, Cursor::new(lines), said.clone(), std::io::sink())).expect("memory can be written");
    let text = said.text();
    // Every answer begins with its sign and ends with an empty line.
    for answer in text.split_terminator("\n\n") {
        assert!(answer.trim_start_matches('\n').starts_with(['=', '?']), "{answer}\n{text}");
    }
}

/// XBoard's protocol.
pub(super) fn xboard(data: &[u8]) {
    let options = XboardOptions { engine: Some(mock_engine().to_owned()), ..XboardOptions::default() };
    let lines =
        sanqi_adapter::input::lines(Cursor::new(harmless(data, |word| ["analyze", "st", "level"].contains(&word))));
    let said = Said::default();
    let served = finish(xboard::serve(options, lines, Box::new(said.clone())));
    served.unwrap_or_else(|error| panic!("{error}\n{}", said.text()));
}

/// A server of this process.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (sender, receiver) = std::sync::mpsc::channel();
        // Beside the programs, so that nothing is left anywhere else. What an earlier run has left means nothing.
        let games = mock_engine().with_file_name("fuzz-ics");
        let _ = std::fs::remove_dir_all(&games);
        let options = IcsOptions {
            port: 0,
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            games,
            engine: Some(mock_engine().to_owned()),
            engine_arg: Vec::new(),
            engines: 4,
            movetime: None,
            nodes: Some(1),
            depth: None,
            elo: None,
            hash: Some(1),
            connections: 100,
            rate: 100_000,
            idle: 1,
        };
        runtime().spawn(async move {
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
            let ready = move |address| sender.send(address).map_err(std::io::Error::other);
            ics::serve(listener, options, ready, std::future::pending()).await.expect("it serves");
        });
        receiver.recv().expect("it begins")
    })
}

/// The chess server's commands, after a login. Whatever came before, the server answers another client.
pub(super) fn ics(data: &[u8]) {
    const HANG: Duration = Duration::from_secs(30);
    for lines in [harmless(data, |_| false), Vec::new()] {
        let mut stream = TcpStream::connect(server()).expect("a server");
        stream.set_read_timeout(Some(HANG)).expect("a socket");
        let mut all = b"guest\n".to_vec();
        all.extend(lines);
        all.extend_from_slice(b"\nabort\nquit\n");
        // A client that is cut off for what it has sent is served rightly.
        let sent = stream.write_all(&all).and_then(|()| stream.shutdown(Shutdown::Write));
        let mut said = Vec::new();
        let read = stream.read_to_end(&mut said);
        assert!(sent.is_err() || read.is_err() || said.starts_with(b"\r\nSanqi"), "{}", String::from_utf8_lossy(&said));
        assert!(!matches!(&read, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock), "the server hangs");
    }
}
