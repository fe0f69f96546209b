//! `sanqi-adapter gui`: a game in XBoard, with the own server behind it and the own pieces on it.
mod xboard;

use crate::engine::Board;
use crate::ics::{self, IcsOptions};
use crate::picture::write_xboard_pieces;
use crate::replay::{one_line, write_atomically};
use clap::{Args, ValueEnum};
use sanqi::games::Variant;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// How long the server may take to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// A game in XBoard: the commands for the server and for XBoard, or with --run both of them running. Piece images and what XBoard logs in
/// with are written to a folder.
#[derive(Debug, Args)]
pub struct GuiOptions {
    /// fangqi, yangqi, supply, supply2 or xiangqi.
    variant: Board,
    /// The engine's seat on your board; on supply2 it also plays the other board. With `none` you wait for other persons.
    #[arg(long, value_enum, default_value = "black")]
    engine_seat: EngineSeat,
    /// Minutes on each clock at the beginning; 0 with an increment of 0 is a game without clocks.
    #[arg(long, value_name = "N", default_value_t = 10)]
    minutes: u32,
    /// Seconds added for each move.
    #[arg(long, value_name = "N", default_value_t = 5)]
    increment: u32,
    /// Your name on the server: three to seventeen letters.
    #[arg(long, default_value = "human", value_parser = name)]
    name: String,
    /// Where piece images and the logon file go.
    #[arg(long, value_name = "DIR", default_value = "sanqi-gui")]
    files: PathBuf,
    /// XBoard [default: `xboard` from PATH or from /usr/games].
    #[arg(long, value_name = "PATH")]
    xboard: Option<PathBuf>,
    /// Start the server and XBoard. What is typed goes to the server; the end of XBoard ends it all.
    #[arg(long)]
    run: bool,
    /// Options of the server.
    #[command(flatten)]
    server: IcsOptions,
}

/// Who the engine is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineSeat {
    White,
    Black,
    None,
}

fn name(text: &str) -> Result<String, String> {
    let fits = (3..=17).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphabetic());
    if fits { Ok(text.to_owned()) } else { Err("expected three to seventeen letters".to_owned()) }
}

impl GuiOptions {
    /// Prints the commands, or runs them. What is wrong goes to the standard error as one line.
    pub async fn run(self) -> ExitCode {
        match self.start().await {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                // Nothing can be done about a standard error that is gone.
                let _ = writeln!(std::io::stderr(), "{}", one_line(&error));
                ExitCode::FAILURE
            }
        }
    }

    async fn start(self) -> Result<(), String> {
        if self.server.port == 0 {
            return Err("--port 0: XBoard has to be told the port before the server knows it".to_owned());
        }
        let (logon, pieces) = self.write_files()?;
        // What listens everywhere is also to be found here.
        let host = match self.server.bind {
            any if any.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            host => host,
        };
        let address = SocketAddr::new(host, self.server.port);
        let arguments = xboard::arguments(self.variant, address, &logon, &pieces);
        let program = self.program();
        if self.run {
            return run(self.server, address, &program, &arguments).await;
        }
        let mut server = vec!["sanqi-adapter", "ics", "--port"].into_iter().map(str::to_owned).collect::<Vec<_>>();
        server.push(self.server.port.to_string());
        if let Some(engine) = &self.server.engine {
            server.extend(["--engine".to_owned(), engine.display().to_string()]);
        }
        let xboard = [vec![program], arguments].concat();
        let text = format!("{}\n{}\n", xboard::shell(&server), xboard::shell(&xboard));
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| format!("standard output: {error}"))
    }

    /// Writes piece images, and what XBoard sends first: the name, and the challenge.
    fn write_files(&self) -> Result<(PathBuf, PathBuf), String> {
        let drawn = match self.variant {
            Board::One(variant) => variant,
            Board::Two => Variant::Supply,
        };
        let pieces = self.files.join(self.variant.name());
        std::fs::create_dir_all(&pieces).map_err(|error| format!("{}: {error}", pieces.display()))?;
        write_xboard_pieces(drawn, &pieces).map_err(|error| format!("{}: {error}", pieces.display()))?;
        let logon = self.files.join("logon");
        write_atomically(&logon, self.logon().as_bytes()).map_err(|error| format!("{}: {error}", logon.display()))?;
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        Ok((absolute(logon), absolute(pieces)))
    }

    fn logon(&self) -> String {
        let seat = match self.engine_seat {
            EngineSeat::White => "black",
            EngineSeat::Black => "white",
            EngineSeat::None => return format!("{}\n", self.name),
        };
        let (minutes, increment) = (self.minutes, self.increment);
        format!("{}\nmatch engine {minutes} {increment} {} {seat}\n", self.name, self.variant.name())
    }

    fn program(&self) -> String {
        // Debian has its games in a folder that PATH may leave out.
        let games = PathBuf::from("/usr/games/xboard");
        let found = std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("xboard").is_file()));
        match &self.xboard {
            Some(path) => path.display().to_string(),
            None if !found && games.is_file() => games.display().to_string(),
            None => "xboard".to_owned(),
        }
    }
}

/// Server and XBoard until one of them ends.
async fn run(options: IcsOptions, address: SocketAddr, program: &str, arguments: &[String]) -> Result<(), String> {
    let server = ics::run(options);
    tokio::pin!(server);
    let listening = async {
        while TcpStream::connect(address).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        ended = &mut server => return ended.map_err(|error| error.to_string()),
        () = listening => {}
        () = tokio::time::sleep(PATIENCE) => return Err(format!("the server does not listen on {address}")),
    }
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    tokio::select! {
        ended = &mut server => ended.map_err(|error| error.to_string()),
        ended = forward(&mut child) => ended.map_err(|error| format!("{program}: {error}")),
    }
}

/// Gives XBoard what is typed, and waits for its end. Its input stays open when there is nothing more: XBoard ends with it.
async fn forward(child: &mut Child) -> std::io::Result<()> {
    let mut input = child.stdin.take();
    let mut typed = BufReader::new(tokio::io::stdin()).lines();
    let mut open = true;
    loop {
        tokio::select! {
            ended = child.wait() => return ended.map(|_| ()),
            line = typed.next_line(), if open => match (line, &mut input) {
                (Ok(Some(line)), Some(pipe)) => open = pipe.write_all(format!("{line}\n").as_bytes()).await.is_ok(),
                _ => open = false,
            },
        }
    }
}
