//! A UCI or UCCI engine as a client sees it.
use super::error::EngineError;
use super::info::{BestMove, Info};
use super::limits::Limits;
use super::options::{EngineOption, Kind};
use super::process::{EngineProcess, Launch};
use sanqi::board::Color;
use std::time::Duration;
use tokio::time::Instant;

/// How long each kind of answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// `uciok` after the start.
    pub startup: Duration,
    /// `readyok` after `ucinewgame` and the options.
    pub new_game: Duration,
    /// `readyok` otherwise.
    pub ping: Duration,
    /// `bestmove` after `stop`.
    pub stop: Duration,
    /// The end of the process after `quit`.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            startup: Duration::from_secs(10),
            new_game: Duration::from_secs(60),
            ping: Duration::from_secs(60),
            stop: Duration::from_secs(10),
            quit: Duration::from_secs(5),
        }
    }
}

/// Most options that are kept of an engine.
const MAX_OPTIONS: usize = 1000;

/// What an engine says during a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// An `info` line, and the whole of it as text.
    Info(Box<Info>, String),
    /// A `bestmove` line, or UCCI's `nobestmove`, which has no move.
    BestMove(BestMove),
    /// Anything else, which a client ignores.
    Other(String),
}

impl Output {
    /// Reads a line.
    pub fn parse(line: String) -> Output {
        let text = line.trim();
        match text.split_once(char::is_whitespace) {
            Some(("info", rest)) => Output::Info(Box::new(Info::parse(rest.trim_start())), line),
            Some(("bestmove", rest)) => Output::BestMove(BestMove::parse(rest)),
            None if matches!(text, "bestmove" | "nobestmove") => Output::BestMove(BestMove::default()),
            _ => Output::Other(line),
        }
    }
}

/// A running engine that has said `uciok` or `ucciok`. Dropping it kills the process; [`UciEngine::quit`] ends it in order.
#[derive(Debug)]
pub struct UciEngine {
    process: EngineProcess,
    ucci: bool,
    timeouts: Timeouts,
    name: Option<String>,
    author: Option<String>,
    options: Vec<EngineOption>,
    strays: Vec<String>,
}

impl UciEngine {
    /// Starts the process, says `uci`, and collects its name and options up to `uciok`.
    ///
    /// # Errors
    /// The process cannot be started, ends, or is not ready in time.
    pub async fn start(launch: &Launch, timeouts: Timeouts) -> Result<UciEngine, EngineError> {
        UciEngine::start_in(launch, timeouts, false).await
    }

    /// [`UciEngine::start`] in UCCI. An engine that can count in milliseconds is told to.
    ///
    /// # Errors
    /// As [`UciEngine::start`].
    pub async fn start_ucci(launch: &Launch, timeouts: Timeouts) -> Result<UciEngine, EngineError> {
        let mut engine = UciEngine::start_in(launch, timeouts, true).await?;
        if engine.counts_milliseconds() {
            engine.set_option("usemillisec", "true").await?;
        }
        Ok(engine)
    }

    async fn start_in(launch: &Launch, timeouts: Timeouts, ucci: bool) -> Result<UciEngine, EngineError> {
        let process = EngineProcess::spawn(launch).await?;
        let mut engine =
            UciEngine { process, ucci, timeouts, name: None, author: None, options: Vec::new(), strays: Vec::new() };
        let (request, answer) = if ucci { ("ucci", "ucciok") } else { ("uci", "uciok") };
        engine.process.send(request).await?;
        let deadline = Instant::now() + timeouts.startup;
        loop {
            let Some(line) = engine.process.line(Some(deadline)).await? else {
                return Err(EngineError::Timeout { request, after: timeouts.startup });
            };
            let line = line.trim();
            if line == answer {
                return Ok(engine);
            } else if let Some(name) = line.strip_prefix("id name ") {
                engine.name = Some(name.trim().to_owned());
            } else if let Some(author) = line.strip_prefix("id author ") {
                engine.author = Some(author.trim().to_owned());
            } else if let Some(option) = line.strip_prefix("option ").and_then(EngineOption::parse)
                && engine.options.len() < MAX_OPTIONS
            {
                engine.options.push(option);
            }
        }
    }

    /// `id name`.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// `id author`.
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The options it listed.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// The option of that name, without regard to case. UCCI's own names are found by those that UCI has for the same things.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        let named = |name: &str| self.options.iter().find(|o| o.name.eq_ignore_ascii_case(name));
        named(name).or_else(|| match name.to_ascii_lowercase().as_str() {
            "hash" if self.ucci => named("hashsize"),
            "uci_variant" if self.ucci => named("variant"),
            _ => None,
        })
    }

    /// A UCCI engine whose clocks are in milliseconds, as those of UCI always are.
    fn counts_milliseconds(&self) -> bool {
        self.option("usemillisec").is_some()
    }

    /// Sends `setoption`. A button is pressed whatever the value, unless it is `false`.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let option = self.option(name);
        let button = option.is_some_and(|o| o.kind == Kind::Button);
        if button && value.eq_ignore_ascii_case("false") {
            return Ok(());
        }
        let line = match (self.ucci, button) {
            (false, false) => format!("setoption name {name} value {value}"),
            (false, true) => format!("setoption name {name}"),
            (true, _) => {
                let name = option.map_or(name, |o| o.name.as_str());
                if button { format!("setoption {name}") } else { format!("setoption {name} {value}") }
            }
        };
        self.process.send(&line).await
    }

    /// Sends `ucinewgame`, in UCCI the option that stands for it, and waits until the engine is ready.
    ///
    /// # Errors
    /// As [`UciEngine::is_ready`].
    pub async fn new_game(&mut self) -> Result<(), EngineError> {
        let lines = match self.ucci {
            false => "ucinewgame\nisready",
            true if self.option("newgame").is_some() => "setoption newgame\nisready",
            true => "isready",
        };
        self.process.send(lines).await?;
        self.await_ready(self.timeouts.new_game).await
    }

    /// Sends `isready` and waits for `readyok`. `bestmove` lines met on the way belong to no search and are kept for
    /// [`UciEngine::take_strays`].
    ///
    /// # Errors
    /// [`EngineError::Timeout`] or the death of the process.
    pub async fn is_ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready").await?;
        self.await_ready(self.timeouts.ping).await
    }

    /// Sends a `position` line (without the word itself) together with `isready`, and waits, so that what the engine does with the
    /// position costs it no time on its clock.
    ///
    /// # Errors
    /// As [`UciEngine::is_ready`].
    pub async fn position(&mut self, position: &str) -> Result<(), EngineError> {
        self.ready_after(&format!("position {position}")).await
    }

    /// Sends any line together with `isready`, and waits.
    ///
    /// # Errors
    /// As [`UciEngine::is_ready`].
    pub async fn ready_after(&mut self, line: &str) -> Result<(), EngineError> {
        self.process.send(&format!("{line}\nisready")).await?;
        self.await_ready(self.timeouts.ping).await
    }

    async fn await_ready(&mut self, limit: Duration) -> Result<(), EngineError> {
        let deadline = Instant::now() + limit;
        while let Some(line) = self.process.line(Some(deadline)).await? {
            if line.trim() == "readyok" {
                return Ok(());
            }
            if let Output::BestMove(best) = Output::parse(line.to_owned())
                && self.strays.len() < 8
            {
                self.strays.push(best.text);
            }
        }
        Err(EngineError::Timeout { request: "isready", after: limit })
    }

    /// Moves that were announced without being asked for, since the last call.
    pub fn take_strays(&mut self) -> Vec<String> {
        std::mem::take(&mut self.strays)
    }

    /// Begins a search.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn go(&mut self, limits: &Limits) -> Result<(), EngineError> {
        self.process.send(&limits.go()).await
    }

    /// Begins a search of the side to move, in UCI or UCCI: UCCI tells the clocks as the mover's and the opponent's.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn go_as(&mut self, side: Color, limits: &Limits) -> Result<(), EngineError> {
        let line = if self.ucci { limits.go_ucci(side, self.counts_milliseconds()) } else { limits.go() };
        self.process.send(&line).await
    }

    /// How long the answer to `stop` may take.
    pub fn stop_limit(&self) -> Duration {
        self.timeouts.stop
    }

    /// The engine promises to do in order what it is told during a search, other searches included (`protocol-docs/uci.md`). UCI leaves that open.
    pub fn queues_searches(&self) -> bool {
        !self.ucci && self.name().is_some_and(|name| name.starts_with("Sanqi "))
    }

    /// [`UciEngine::next_line`] would not have to wait.
    pub fn has_line(&self) -> bool {
        self.process.has_line()
    }

    /// The engine had no more to say when it was last read.
    pub fn is_drained(&self) -> bool {
        self.process.is_drained()
    }

    /// The next line the engine says as it stands; otherwise as [`UciEngine::next`].
    ///
    /// # Errors
    /// The death of the process.
    pub async fn next_line(&mut self, deadline: Option<Instant>) -> Result<Option<&str>, EngineError> {
        self.process.line(deadline).await
    }

    /// The next thing the engine says, or `None` when `deadline` passes first. Not reading holds the engine up, not the client.
    ///
    /// # Errors
    /// The death of the process.
    pub async fn next(&mut self, deadline: Option<Instant>) -> Result<Option<Output>, EngineError> {
        Ok(self.process.line(deadline).await?.map(|line| Output::parse(line.to_owned())))
    }

    /// Sends `ponderhit`.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn ponder_hit(&mut self) -> Result<(), EngineError> {
        self.process.send("ponderhit").await
    }

    /// Sends `stop` and waits for the move.
    ///
    /// # Errors
    /// [`EngineError::Timeout`] when there is none, or the death of the process.
    pub async fn stop(&mut self) -> Result<BestMove, EngineError> {
        self.process.send("stop").await?;
        let after = self.timeouts.stop;
        let deadline = Instant::now() + after;
        loop {
            match self.next(Some(deadline)).await? {
                None => return Err(EngineError::Timeout { request: "stop", after }),
                Some(Output::BestMove(best)) => return Ok(best),
                Some(_) => {}
            }
        }
    }

    /// Sends any line; for what this client has no words for.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn send(&mut self, line: &str) -> Result<(), EngineError> {
        self.process.send(line).await
    }

    /// Says `quit` and waits for the end; a process that does not end in time is killed. True when it ended by itself.
    pub async fn quit(mut self) -> bool {
        // A process that is already gone has nothing left to be told.
        let _ = self.process.send("quit").await;
        self.process.close_input();
        self.process.finish(self.timeouts.quit).await
    }

    /// When the last line it said was taken from its pipe.
    pub fn read_at(&self) -> Instant {
        self.process.read_at()
    }

    /// The last lines exchanged.
    pub fn dialogue(&self) -> Vec<String> {
        self.process.dialogue()
    }

    /// The last lines of the engine's error output.
    pub fn error_output(&self) -> Vec<String> {
        self.process.error_output()
    }

    /// Process id while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }
}
