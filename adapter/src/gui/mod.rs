//! `sanqi-adapter gui`: a game in XBoard, with the own server behind it and the own pieces on it.
mod xboard;

use crate::engine::Board;
use crate::ics::kind::Kind;
use crate::ics::{self, Control, IcsOptions, has_engines, own_name};
use crate::picture::write_xboard_pieces;
use crate::replay::one_line;
use crate::whole_file::write_atomically;
use clap::{Args, ValueEnum};
use sanqi::games::Variant;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
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
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = Control::amount)]
    minutes: u32,
    /// Seconds added for each move.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = Control::amount)]
    increment: u32,
    /// Your name on the server: three to seventeen letters.
    #[arg(long, default_value = "human", value_parser = own_name)]
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
        self.check()?;
        let (logons, pieces) = self.write_files()?;
        // What listens everywhere is also to be found here.
        let host = match self.server.bind {
            any if any.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            host => host,
        };
        let address = SocketAddr::new(host, self.server.port);
        // The player's board first; on two boards his partner's has a window of its own.
        let windows: Vec<Vec<String>> =
            (0..).zip(&logons).map(|(n, logon)| xboard::arguments(self.variant, n, address, logon, &pieces)).collect();
        let program = self.program();
        if self.run {
            return run(self.server, address, &program, &windows).await;
        }
        let server =
            ["sanqi-adapter", "ics"].map(str::to_owned).into_iter().chain(self.server.words()).collect::<Vec<_>>();
        let xboards = windows.into_iter().map(|arguments| [vec![program.clone()], arguments].concat());
        let text: String = std::iter::once(server).chain(xboards).map(|words| xboard::shell(&words) + "\n").collect();
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| format!("standard output: {error}"))
    }

    /// The server would refuse the game, and XBoard would show an empty board.
    fn check(&self) -> Result<(), String> {
        let name = self.variant.name();
        let Ok(kind) = name.parse::<Kind>() else {
            return Err(format!("{name}: the server does not offer that game"));
        };
        if self.engine_seat != EngineSeat::None {
            let seats = kind.boards() * 2 - 1;
            has_engines(seats, 0, self.server.engines)
                .map_err(|why| format!("--engines {}: {why} `--engine-seat none` needs none", self.server.engines))?;
        }
        if (self.server.connections as usize) < kind.boards() {
            return Err(format!("--connections {}: each board is a connection of its own", self.server.connections));
        }
        Ok(())
    }

    /// Writes piece images, and what each XBoard sends first: the name, and the challenge; or as a guest whom to watch.
    fn write_files(&self) -> Result<(Vec<PathBuf>, PathBuf), String> {
        let drawn = match self.variant {
            Board::One(variant) => variant,
            Board::Two => Variant::Supply,
        };
        let pieces = self.files.join(self.variant.name());
        std::fs::create_dir_all(&pieces).map_err(|error| format!("{}: {error}", pieces.display()))?;
        write_xboard_pieces(drawn, &pieces).map_err(|error| format!("{}: {error}", pieces.display()))?;
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        let mut lines = vec![("logon", self.logon())];
        if self.variant == Board::Two {
            lines.push(("logon-partner", format!("guest\npfollow {}\n", self.name)));
        }
        let mut logons = Vec::new();
        for (file, text) in lines {
            let logon = self.files.join(file);
            write_atomically(&logon, text.as_bytes()).map_err(|error| format!("{}: {error}", logon.display()))?;
            logons.push(absolute(logon));
        }
        Ok((logons, absolute(pieces)))
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

/// Server and XBoards until the server ends, or the player's XBoard, which is the first.
async fn run(options: IcsOptions, address: SocketAddr, program: &str, windows: &[Vec<String>]) -> Result<(), String> {
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
    let mut children = Vec::new();
    for arguments in windows {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).kill_on_drop(true);
        children.push(command.spawn().map_err(|error| format!("{program}: {error}"))?);
    }
    let Some(own) = children.first_mut() else { return Ok(()) };
    tokio::select! {
        ended = &mut server => ended.map_err(|error| error.to_string()),
        ended = forward(own) => match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{program} has ended with {status}")),
            Err(error) => Err(format!("{program}: {error}")),
        },
    }
}

/// Gives XBoard what is typed, and waits for its end. Its input stays open when there is nothing more: XBoard ends with it.
async fn forward(child: &mut Child) -> std::io::Result<ExitStatus> {
    let mut input = child.stdin.take();
    // From a thread that does not hold up the end of it all while nobody types.
    let mut typed = crate::input::lines(std::io::stdin());
    let mut open = true;
    loop {
        tokio::select! {
            ended = child.wait() => return ended,
            line = typed.recv(), if open => match (line, &mut input) {
                (Some(line), Some(pipe)) => open = pipe.write_all(format!("{line}\n").as_bytes()).await.is_ok(),
                _ => open = false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: GuiOptions,
    }

    /// What is wrong with a command line, if anything.
    fn fault(words: &str) -> Option<String> {
        match Line::try_parse_from(words.split_whitespace()) {
            Ok(line) => line.options.check().err(),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Nothing is asked of the server that it would refuse.
    #[test]
    fn what_the_server_refuses_is_refused() {
        for (words, said) in [
            ("gui fangqi --name engine", "'--name <NAME>': that is nobody's name"),
            ("gui fangqi --name White", "'--name <NAME>': that is nobody's name"),
            ("gui fangqi --name guest", "'--name <NAME>': a guest gets another name from the server"),
            ("gui fangqi --name quit", "'--name <NAME>': whoever says that leaves"),
            ("gui fangqi --name al", "'--name <NAME>': a name has three to seventeen letters"),
            ("gui fangqi --minutes 601", "'--minutes <N>': expected a whole number from 0 to 600"),
            ("gui fangqi --increment 601", "'--increment <N>': expected a whole number from 0 to 600"),
            ("gui yangqinoswap", "yangqinoswap: the server does not offer that game"),
            ("gui fangqi --engines 0", "--engines 0: No engine is free: 0 of 0 seats are taken."),
            ("gui supply2 --engines 2", "--engines 2: 3 engines are wanted, 2 of 2 are free."),
            ("gui supply2 --connections 1", "--connections 1: each board is a connection of its own"),
        ] {
            let fault = fault(words).unwrap_or_default();
            assert!(fault.contains(said), "{words}: {fault}");
        }
        for words in [
            "gui fangqi --minutes 600 --increment 600 --name alice",
            "gui fangqi --engines 0 --engine-seat none",
            "gui fangqi --engines 1 --connections 1",
            "gui supply2 --engines 3 --connections 2",
        ] {
            assert_eq!(fault(words), None, "{words}");
        }
    }
}
