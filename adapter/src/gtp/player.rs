//! The engine behind the front: started when the first move is asked for, held to its time, replaced when it fails.
use super::vertex::Vertex;
use crate::engine::options::Kind;
use crate::engine::{
    BestMove, Dialect, DialectChoice, EngineError, EngineOption, Info, Launch, Limits, Output, Timeouts, UciEngine,
};
use sanqi::games::fangqi::Fangqi;
use sanqi::games::{Position, RankBase, Variant};
use std::collections::HashMap;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// An engine that has been silent for so long, without a limit in time to wait for, is asked whether it still lives.
const SILENCE: Duration = Duration::from_secs(2);

/// How long an engine may take for what is not a search. The limit in time of a move, if there is one, holds besides.
const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(10),
    new_game: Duration::from_secs(10),
    ping: Duration::from_secs(4),
    stop: SILENCE,
    quit: Duration::from_secs(1),
};

/// Why there is no move.
#[derive(Debug, Error)]
pub(super) enum Failure {
    /// The process failed.
    #[error("engine failed: {0}")]
    Engine(#[from] EngineError),
    /// It did not answer.
    #[error("engine hangs: no move within {} ms", .0.as_millis())]
    Hangs(Duration),
    /// It answered with something else than a legal move.
    #[error("engine played an illegal move: {0}")]
    Illegal(String),
    /// It lacks an option that is needed.
    #[error("engine has no option {0}")]
    Unable(&'static str),
}

/// When a search must have ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Allowance {
    /// The time that the limits give; without one the engine is asked from time to time whether it lives.
    pub(super) time: Option<Duration>,
    /// How much later an answer may come.
    pub(super) margin: Duration,
}

impl Allowance {
    /// When `stop` is sent: the engine has missed its limit by half the margin.
    fn soft(&self) -> Option<Duration> {
        self.time.map(|time| time + self.margin / 2)
    }

    /// When it has failed.
    fn hard(&self) -> Option<Duration> {
        self.time.map(|time| time + self.margin)
    }
}

/// What an engine is asked.
#[derive(Debug)]
pub(super) struct Request<'a> {
    /// Where.
    pub(super) position: &'a Fangqi,
    /// The limits.
    pub(super) limits: Limits,
    /// How long to wait for it.
    pub(super) allowance: Allowance,
    /// Options to be set before, in this order.
    pub(super) options: Vec<(&'static str, String)>,
}

/// Tells that a command has been interrupted.
#[derive(Debug, Clone)]
pub(super) struct Interrupt {
    /// The last command before the latest `# interrupt`.
    latest: watch::Receiver<u64>,
    /// The running command.
    command: u64,
}

impl Interrupt {
    /// For the command of this index.
    pub(super) fn new(latest: watch::Receiver<u64>, command: u64) -> Interrupt {
        Interrupt { latest, command }
    }

    /// Waits for the interrupt; for ever when the input has ended without one.
    async fn wait(&mut self) {
        let command = self.command;
        if self.latest.wait_for(|&last| last >= command).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// A process with what is known of its state.
#[derive(Debug)]
struct Running {
    engine: UciEngine,
    /// The engine's options as they have been set.
    set: HashMap<&'static str, String>,
    base: RankBase,
}

/// The engine, running or not.
#[derive(Debug)]
pub(super) struct Player {
    launch: Launch,
    running: Option<Running>,
    /// The next search is the first of a game.
    new_game: bool,
}

impl Player {
    /// An engine that has not been started.
    pub(super) fn new(launch: Launch) -> Player {
        Player { launch, running: None, new_game: false }
    }

    /// Another game begins; the engine is told when it is next needed.
    pub(super) fn begin_game(&mut self) {
        self.new_game = true;
    }

    /// Process id of the engine while it runs.
    pub(super) fn process_id(&self) -> Option<u32> {
        self.running.as_ref().and_then(|running| running.engine.id())
    }

    /// Has the engine search, and gives the move it would play. Every `info` line is shown to `watch`. An engine that fails in
    /// any way is ended, and the next search has a new one.
    ///
    /// # Errors
    /// See [`Failure`].
    pub(super) async fn search(
        &mut self,
        request: Request<'_>,
        interrupt: Interrupt,
        watch: impl FnMut(&Info),
    ) -> Result<u8, Failure> {
        let begin = Instant::now();
        let work = self.think(&request, begin, interrupt, watch);
        let found = match request.allowance.hard() {
            None => work.await,
            Some(limit) => match timeout_at(begin + limit, work).await {
                Ok(found) => found,
                Err(_) => Err(Failure::Hangs(limit)),
            },
        };
        if let Err(failure) = &found {
            if let Some(running) = &self.running {
                let said = running.engine.dialogue().into_iter().chain(running.engine.error_output());
                log::info!("{failure}; the last lines:\n{}", said.collect::<Vec<_>>().join("\n"));
            }
            // Dropping the process kills it.
            self.running = None;
        }
        found
    }

    async fn think(
        &mut self,
        request: &Request<'_>,
        begin: Instant,
        mut interrupt: Interrupt,
        mut watch: impl FnMut(&Info),
    ) -> Result<u8, Failure> {
        let new_game = std::mem::take(&mut self.new_game);
        let running = match &mut self.running {
            Some(running) => running,
            None => self.running.insert(start(&self.launch).await?),
        };
        running.apply(&request.options).await?;
        if new_game {
            running.engine.new_game().await?;
        }
        // The position alone says all there is to know: fangqi has no repetition, and GTP may change the turn.
        running.engine.position(&format!("fen {}", request.position.fen())).await?;
        running.engine.go(&after(&request.limits, request.position, begin.elapsed())).await?;
        let best = running.best_move(&request.allowance, begin, &mut interrupt, &mut watch).await?;
        let mv = request.position.parse_move(&best.text, running.base).map_err(|_| Failure::Illegal(best.text))?;
        Ok(mv.to())
    }

    /// The points of a variation, up to the first word that is no legal move.
    pub(super) fn line(position: &Fangqi, words: &[String]) -> Vec<Vertex> {
        let mut position = *position;
        let mut line = Vec::new();
        for word in words {
            let Ok(mv) = position.parse_move(word, RankBase::One) else { break };
            line.push(Vertex::Point(mv.to()));
            position = position.after(mv);
        }
        line
    }

    /// Ends the engine in order.
    pub(super) async fn close(&mut self) {
        if let Some(running) = self.running.take() {
            running.engine.quit().await;
        }
    }
}

async fn start(launch: &Launch) -> Result<Running, Failure> {
    let engine = UciEngine::start(launch, TIMEOUTS).await?;
    let dialect = Dialect::of(DialectChoice::Auto, engine.options(), Variant::Fangqi);
    let mut running = Running { engine, set: HashMap::new(), base: dialect.base };
    let Some(name) = dialect.variant else { return Err(Failure::Unable("UCI_Variant")) };
    running.engine.set_option("UCI_Variant", &name).await?;
    Ok(running)
}

impl Running {
    /// Sets what has changed, within the engine's bounds. An option that it does not have matters only when something depends on it.
    async fn apply(&mut self, options: &[(&'static str, String)]) -> Result<(), Failure> {
        for (name, value) in options {
            let Some(option) = self.engine.option(name) else {
                if *name == "MultiPV" && value != "1" {
                    return Err(Failure::Unable("MultiPV"));
                }
                continue;
            };
            let value = within(option, value);
            if self.set.get(name) != Some(&value) {
                self.engine.set_option(name, &value).await?;
                self.set.insert(name, value);
            }
        }
        Ok(())
    }

    /// Listens to a search until its move comes.
    async fn best_move(
        &mut self,
        allowance: &Allowance,
        begin: Instant,
        interrupt: &mut Interrupt,
        watch: &mut impl FnMut(&Info),
    ) -> Result<BestMove, Failure> {
        let mut stop_at = allowance.soft().map(|limit| begin + limit);
        let mut stopped = false;
        let mut asked = false;
        let mut heard = Instant::now();
        loop {
            let patience = if asked { allowance.margin } else { SILENCE };
            let wake = stop_at.unwrap_or(heard + patience);
            let must_stop = tokio::select! {
                () = interrupt.wait(), if !stopped => true,
                said = self.engine.next(Some(wake)) => match said? {
                    Some(Output::BestMove(best)) => return Ok(best),
                    Some(said) => {
                        if let Output::Info(info, _) = said {
                            watch(&info);
                        }
                        (heard, asked) = (Instant::now(), false);
                        false
                    }
                    None if stopped || asked => return Err(Failure::Hangs(begin.elapsed())),
                    None if stop_at.is_some() => true,
                    None => {
                        (heard, asked) = (Instant::now(), true);
                        self.engine.send("isready").await?;
                        false
                    }
                }
            };
            if must_stop {
                stopped = true;
                stop_at = Some(Instant::now() + allowance.margin);
                self.engine.send("stop").await?;
            }
        }
    }
}

/// The value, or the nearest one that the engine takes.
fn within(option: &EngineOption, value: &str) -> String {
    match (&option.kind, value.parse::<i64>()) {
        (Kind::Spin { min, max }, Ok(number)) => number.min(*max).max(*min).to_string(),
        _ => value.to_owned(),
    }
}

/// The limits after what the start of the engine has cost the player on the move.
fn after(limits: &Limits, position: &Fangqi, spent: Duration) -> Limits {
    let mut limits = limits.clone();
    if let Some(clocks) = &mut limits.clocks
        && let Some(own) = clocks.get_mut(position.side().index())
    {
        let spent = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX);
        // An engine that is told of no time at all may take it for no limit.
        *own = own.saturating_sub(spent).max(1);
    }
    limits
}
