//! An engine that speaks the XBoard protocol, version 2, as a client sees it.
use super::client::Timeouts;
use super::error::EngineError;
use super::features::Features;
use super::info::{BestMove, Info};
use super::limits::Limits;
use super::options::{EngineOption, Kind};
use super::process::{EngineProcess, Launch};
use crate::cecp::Thinking;
use sanqi::board::Color;
use std::time::Duration;
use tokio::time::Instant;

/// What an engine says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum XboardOutput {
    /// Its move.
    Move(BestMove),
    /// A line of thinking.
    Info(Box<Info>),
    /// It gives up.
    Resign,
    /// It says that the game has a result.
    Claim(String),
    /// It does not accept what it was told.
    Refusal(String),
    /// To its partner on the other board.
    Talk(String),
    /// To the user, about something that is wrong.
    Complaint(String),
    /// The answer to a ping.
    Pong(String),
    /// Anything else.
    Other(String),
}

impl XboardOutput {
    /// Reads a line.
    pub fn parse(line: String) -> XboardOutput {
        let text = line.trim();
        let (word, rest) = text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "move" => XboardOutput::Move(BestMove::parse(rest)),
            "resign" => XboardOutput::Resign,
            "1-0" | "0-1" | "1/2-1/2" => XboardOutput::Claim(text.to_owned()),
            "Illegal" => XboardOutput::Refusal(text.to_owned()),
            "tellusererror" => XboardOutput::Complaint(rest.to_owned()),
            "pong" => XboardOutput::Pong(rest.to_owned()),
            "tellics" => match rest.split_once(char::is_whitespace) {
                Some(("ptell", talk)) => XboardOutput::Talk(talk.trim().to_owned()),
                _ => XboardOutput::Other(line),
            },
            _ => match Thinking::parse(text) {
                Some(thinking) => XboardOutput::Info(Box::new(info(&thinking))),
                None => XboardOutput::Other(line),
            },
        }
    }
}

fn info(thinking: &Thinking) -> Info {
    Info {
        depth: Some(thinking.depth),
        score: Some(thinking.score),
        time: Some(thinking.time.saturating_mul(10)),
        nodes: Some(thinking.nodes),
        pv: thinking.pv.split_whitespace().map(str::to_owned).collect(),
        ..Info::default()
    }
}

/// A running engine that has said what it can. Dropping it kills the process; [`XboardEngine::quit`] ends it in order.
#[derive(Debug)]
pub struct XboardEngine {
    process: EngineProcess,
    timeouts: Timeouts,
    features: Features,
    pings: u32,
    /// Moves of the game that it knows.
    known: usize,
    /// It is not in force mode: a move of the opponent makes it think.
    playing: bool,
    strays: Vec<String>,
    /// What it has complained about since the game was begun.
    refused: Option<String>,
}

impl XboardEngine {
    /// Starts the process, says `xboard` and `protover 2`, and collects features up to `done=1`.
    ///
    /// # Errors
    /// The process cannot be started, ends, or names no feature in time.
    pub async fn start(launch: &Launch, timeouts: Timeouts) -> Result<XboardEngine, EngineError> {
        let process = EngineProcess::spawn(launch).await?;
        let mut engine = XboardEngine {
            process,
            timeouts,
            features: Features::default(),
            pings: 0,
            known: 0,
            playing: false,
            strays: Vec::new(),
            refused: None,
        };
        engine.process.send("xboard\nprotover 2").await?;
        let deadline = Instant::now() + timeouts.startup;
        let mut spoken = false;
        while !engine.features.done {
            match engine.process.line(Some(deadline)).await?.map(str::to_owned) {
                Some(line) => spoken |= engine.feature(&line).await?,
                // Not every engine says that it is done.
                None if spoken => break,
                None => return Err(EngineError::Timeout { request: "protover 2", after: timeouts.startup }),
            }
        }
        Ok(engine)
    }

    /// Takes a `feature` line and answers it; false when the line is another one. ChessV 2.2 doubles the word.
    async fn feature(&mut self, line: &str) -> Result<bool, EngineError> {
        let line = line.trim_start();
        let Some(text) = line.strip_prefix("feature").filter(|text| text.starts_with([' ', '\t', 'f'])) else {
            return Ok(false);
        };
        let answers = self.features.take(text);
        if !answers.is_empty() {
            self.process.send(&answers.join("\n")).await?;
        }
        Ok(true)
    }

    /// What it can do.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The option of that name, without regard to case.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        self.features.options.iter().find(|o| o.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option. `Hash` and `Threads` are words of their own here.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let option = self.option(name);
        let line = match option.map(|o| &o.kind) {
            Some(Kind::Button) if value.eq_ignore_ascii_case("false") => return Ok(()),
            Some(Kind::Button) => format!("option {name}"),
            Some(Kind::Check) => {
                format!("option {name}={}", u8::from(value.eq_ignore_ascii_case("true") || value == "1"))
            }
            None if name.eq_ignore_ascii_case("Hash") && self.features.memory => format!("memory {value}"),
            None if name.eq_ignore_ascii_case("Threads") && self.features.smp => format!("cores {value}"),
            _ => format!("option {name}={value}"),
        };
        self.process.send(&line).await
    }

    /// Whether [`XboardEngine::set_option`] has a word for it.
    pub fn has_option(&self, name: &str) -> bool {
        self.option(name).is_some()
            || name.eq_ignore_ascii_case("Hash") && self.features.memory
            || name.eq_ignore_ascii_case("Threads") && self.features.smp
    }

    /// Begins a game: variant, limits of the whole game as those of its first move tell them, position. The engine waits for moves then.
    ///
    /// # Errors
    /// [`EngineError::Timeout`] or the death of the process.
    pub async fn new_game(
        &mut self,
        variant: &str,
        fen: Option<&str>,
        side: Color,
        limits: &Limits,
    ) -> Result<(), EngineError> {
        let mut lines = vec!["new".to_owned()];
        if variant != "normal" {
            lines.push(format!("variant {variant}"));
        }
        // `force` at once: after `new` the engine would play the second side.
        lines.extend(["force", "computer", "easy", "post"].map(str::to_owned));
        lines.push(time_control(side, limits));
        if let Some(depth) = limits.depth {
            lines.push(format!("sd {depth}"));
        }
        if let Some(fen) = fen {
            lines.push(format!("setboard {fen}"));
        }
        (self.known, self.playing, self.refused) = (0, false, None);
        self.process.send(&lines.join("\n")).await?;
        self.ready_within(self.timeouts.new_game).await?;
        match self.refused.take() {
            Some(text) if fen.is_some() => Err(EngineError::Position(text)),
            _ => Ok(()),
        }
    }

    /// Lets the engine think about its move. `moves` are all of the game, as this protocol writes them.
    ///
    /// # Errors
    /// [`EngineError::Timeout`] or the death of the process.
    pub async fn go(&mut self, moves: &[String], side: Color, limits: &Limits) -> Result<(), EngineError> {
        // What it has to do before costs it no time on its clock.
        if self.catch_up(moves).await? {
            self.await_pong(self.timeouts.ping).await?;
        }
        self.think(moves, side, limits).await
    }

    /// Sends the moves it does not know yet, but for one that is to make it think, and a ping. True when that is to be answered.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn catch_up(&mut self, moves: &[String]) -> Result<bool, EngineError> {
        let new = moves.get(self.known..).unwrap_or_default();
        let mut lines = Vec::new();
        if !(self.playing && new.len() == 1) {
            lines.push("force".to_owned());
            lines.extend(new.iter().map(|mv| self.usermove(mv)));
            (self.known, self.playing) = (moves.len(), false);
        }
        if self.features.ping {
            self.pings += 1;
            lines.push(format!("ping {}", self.pings));
        }
        if !lines.is_empty() {
            self.process.send(&lines.join("\n")).await?;
        }
        Ok(self.features.ping)
    }

    /// Starts its search after [`XboardEngine::catch_up`].
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn think(&mut self, moves: &[String], side: Color, limits: &Limits) -> Result<(), EngineError> {
        let start = match moves.get(self.known..) {
            Some([mv]) if self.playing => self.usermove(mv),
            _ => "go".to_owned(),
        };
        let times = if self.features.time { times(side, limits) } else { String::new() };
        self.process.send(&format!("{times}{start}")).await?;
        (self.known, self.playing) = (moves.len() + 1, true);
        Ok(())
    }

    fn usermove(&self, mv: &str) -> String {
        if self.features.usermove { format!("usermove {mv}") } else { mv.to_owned() }
    }

    /// The text is the answer to the last ping.
    pub fn is_last_pong(&self, text: &str) -> bool {
        text == self.pings.to_string()
    }

    /// Sends `ping` and waits for its answer; an engine that knows no ping is ready by definition.
    async fn ready_within(&mut self, limit: Duration) -> Result<(), EngineError> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        self.process.send(&format!("ping {}", self.pings)).await?;
        self.await_pong(limit).await
    }

    async fn await_pong(&mut self, limit: Duration) -> Result<(), EngineError> {
        let deadline = Instant::now() + limit;
        while let Some(said) = self.next(Some(deadline)).await? {
            match said {
                XboardOutput::Pong(answer) if self.is_last_pong(&answer) => return Ok(()),
                XboardOutput::Move(best) if self.strays.len() < 8 => self.strays.push(best.text),
                XboardOutput::Complaint(text) => self.refused = Some(text),
                _ => {}
            }
        }
        Err(EngineError::Timeout { request: "ping", after: limit })
    }

    /// Moves that were announced without being asked for, since the last call.
    pub fn take_strays(&mut self) -> Vec<String> {
        std::mem::take(&mut self.strays)
    }

    /// The next thing the engine says, or `None` when `deadline` passes first. Safe to cancel.
    ///
    /// # Errors
    /// The death of the process.
    pub async fn next(&mut self, deadline: Option<Instant>) -> Result<Option<XboardOutput>, EngineError> {
        let Some(line) = self.process.line(deadline).await?.map(str::to_owned) else { return Ok(None) };
        if self.feature(&line).await? {
            return Ok(Some(XboardOutput::Other(line)));
        }
        Ok(Some(XboardOutput::parse(line)))
    }

    /// Sends lines; for what this client has no words for.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.process.send(lines).await
    }

    /// Tells it how the game ended; it stops thinking.
    ///
    /// # Errors
    /// As [`EngineProcess::send`].
    pub async fn result(&mut self, text: &str) -> Result<(), EngineError> {
        self.playing = false;
        self.process.send(&format!("force\nresult {text}")).await
    }

    /// How long an answer to `?` may take.
    pub fn stop_limit(&self) -> Duration {
        self.timeouts.stop
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
}

/// `time` and `otim` lines, in centiseconds, or nothing where no clock runs.
pub fn times(side: Color, limits: &Limits) -> String {
    match limits.clocks.or(odd_move_time(limits).map(|ms| [ms, ms])) {
        Some([white, black]) => {
            let (mine, theirs) = if side == Color::White { (white, black) } else { (black, white) };
            // An engine told of no time at all may take it for no limit.
            format!("time {}\notim {}\n", (mine / 10).max(1), (theirs / 10).max(1))
        }
        None => String::new(),
    }
}

/// `level` or `st` for the game whose first move has these limits.
fn time_control(side: Color, limits: &Limits) -> String {
    let seconds = |ms: u64| {
        let text = format!("{}.{:03}", ms / 1000, ms % 1000);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if let Some(clocks) = limits.clocks {
        let mine = |pair: [u64; 2]| if side == Color::White { pair[0] } else { pair[1] };
        let increment = mine(limits.increments);
        // Whole seconds, and at least one: what is left exactly is told before each move, but some engines take a clock of no
        // seconds for none.
        let base = mine(clocks).saturating_sub(increment).div_ceil(1000).max(1);
        let moves = limits.moves_to_go.unwrap_or(0);
        return format!("level {moves} {}:{:02} {}", base / 60, base % 60, seconds(increment));
    }
    match (limits.move_time, odd_move_time(limits)) {
        (_, Some(ms)) => format!("level 1 0:{:02} 0", ms.div_ceil(1000)),
        (Some(ms), None) => format!("st {}", ms / 1000),
        (None, None) => "st 86400".to_owned(),
    }
}

/// A time for each move that `st`, which engines read in whole seconds, cannot say; a clock for one move can.
fn odd_move_time(limits: &Limits) -> Option<u64> {
    limits.move_time.filter(|ms| !ms.is_multiple_of(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let parse = |line: &str| XboardOutput::parse(line.to_owned());
        assert_eq!(parse("move h2e2\t"), XboardOutput::Move(BestMove::parse("h2e2")));
        assert_eq!(parse("tellics ptell  go  now"), XboardOutput::Talk("go  now".into()));
        assert_eq!(parse("1/2-1/2 {Draw}"), XboardOutput::Claim("1/2-1/2 {Draw}".into()));
        assert_eq!(parse("Illegal move: a1a2"), XboardOutput::Refusal("Illegal move: a1a2".into()));
        assert_eq!(parse("pong 7"), XboardOutput::Pong("7".into()));
        assert_eq!(parse("resign"), XboardOutput::Resign);
        assert!(matches!(parse("3 20 1 500 a0a1"), XboardOutput::Info(_)));
        for line in ["tellics say hello", "# move a1a2", "Error (unknown command): post", ""] {
            assert!(matches!(parse(line), XboardOutput::Other(_)), "{line}");
        }
    }

    #[test]
    fn time_controls() {
        let clock = |mine: u64, increment: u64, moves| Limits {
            clocks: Some([1, mine]),
            increments: [0, increment],
            moves_to_go: moves,
            ..Limits::default()
        };
        let line = |limits: &Limits| time_control(Color::Black, limits);
        assert_eq!(line(&clock(202, 2, None)), "level 0 0:01 0.002");
        assert_eq!(line(&clock(90_000, 0, Some(40))), "level 40 1:30 0");
        assert_eq!(line(&clock(65_000, 5000, None)), "level 0 1:00 5");
        assert_eq!(line(&Limits { move_time: Some(1500), ..Limits::default() }), "level 1 0:02 0");
        assert_eq!(line(&Limits { move_time: Some(2000), ..Limits::default() }), "st 2");
        assert_eq!(line(&Limits { depth: Some(3), ..Limits::default() }), "st 86400");
    }
}
