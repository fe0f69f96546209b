//! An engine on a seat: a task with a process of its own, which answers every request for a move with one report.
use super::IcsError;
use super::kind::Kind;
use super::options::IcsOptions;
use super::server::{Event, MatchId};
use crate::engine::{Dialect, DialectChoice, EngineError, Launch, Output, Timeouts, UciEngine};
use crate::replay::values::Seat;
use sanqi::games::RankBase;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How long an engine may take for what is not a search.
const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(20),
    new_game: Duration::from_secs(20),
    ping: Duration::from_secs(20),
    stop: Duration::from_secs(5),
    quit: Duration::from_secs(2),
};

/// Requests that wait for the engine. The server never has more than a few for it.
const QUEUE: usize = 64;

/// What the engine is asked. A request for a move takes back the one before.
#[derive(Debug)]
pub(super) enum Ask {
    /// A move.
    Think(Box<Think>),
    /// Not to think any more.
    Stop,
    /// A line for it, between partners.
    Tell(String),
}

/// A request for a move.
#[derive(Debug)]
pub(super) struct Think {
    /// Comes back with the report.
    pub(super) ticket: u64,
    /// The game as `position` takes it, ranks from 1 and from 0.
    pub(super) positions: [String; 2],
    /// The whole `go` line.
    pub(super) go: String,
    /// When an engine that has not answered counts as hanging.
    pub(super) patience: Duration,
}

/// What it answers.
#[derive(Debug)]
pub(super) enum Report {
    /// A move, the ranks' base it is written with, and the score in centipawns from its side, if it told one.
    Move { ticket: u64, text: String, base: RankBase, score: Option<i32> },
    /// It failed.
    Failed { ticket: u64, why: String },
    /// Something for its partner: `need R`.
    Talk(String),
}

/// Options that are set once.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) launch: Launch,
    pub(super) kind: Kind,
    pub(super) options: Vec<(&'static str, String)>,
}

/// A running seat. Dropping it ends the process.
#[derive(Debug)]
pub(super) struct Robot {
    asks: mpsc::Sender<Ask>,
}

impl Robot {
    /// Takes a seat in a match; the server gets everything that the engine has to say.
    pub(super) fn start(setup: Setup, server: mpsc::Sender<Event>, game: MatchId, seat: Seat) -> Robot {
        let (asks, requests) = mpsc::channel(QUEUE);
        tokio::spawn(serve(setup, requests, Reporter { server, game, seat }));
        Robot { asks }
    }

    /// Asks for something. A seat that does not listen any more will have reported why.
    pub(super) fn ask(&self, ask: Ask) {
        if self.asks.try_send(ask).is_err() {
            log::warn!("an engine does not read what it is asked");
        }
    }
}

/// The way to the server.
struct Reporter {
    server: mpsc::Sender<Event>,
    game: MatchId,
    seat: Seat,
}

impl Reporter {
    async fn report(&self, report: Report) {
        // Without a server nobody wants to know.
        let _ = self.server.send(Event::Robot { game: self.game, seat: self.seat, report }).await;
    }
}

struct Running {
    engine: UciEngine,
    base: RankBase,
}

async fn serve(setup: Setup, mut requests: mpsc::Receiver<Ask>, reporter: Reporter) {
    let mut running: Option<Running> = None;
    let mut next = requests.recv().await;
    while let Some(ask) = next.take() {
        match ask {
            Ask::Stop => {}
            Ask::Tell(line) => {
                if let Some(running) = &mut running {
                    // An engine that is gone is noticed when it is asked for a move.
                    let _ = running.engine.send(&line).await;
                }
            }
            Ask::Think(think) => match search(&setup, &mut running, &think, &mut requests, &reporter).await {
                Ok(Searched::Move(text, score)) => {
                    let base = running.as_ref().map_or(RankBase::One, |running| running.base);
                    reporter.report(Report::Move { ticket: think.ticket, text, base, score }).await;
                }
                Ok(Searched::Interrupted(ask)) => {
                    next = ask;
                    continue;
                }
                Err(error) => {
                    if let Some(running) = running.take() {
                        log::info!("{error}; the last lines:\n{}", running.engine.dialogue().join("\n"));
                    }
                    reporter.report(Report::Failed { ticket: think.ticket, why: error.to_string() }).await;
                }
            },
        }
        next = requests.recv().await;
    }
    if let Some(running) = running {
        running.engine.quit().await;
    }
}

enum Searched {
    Move(String, Option<i32>),
    /// The search is not wanted any more; `None` when nobody sits at the other end.
    Interrupted(Option<Ask>),
}

async fn search(
    setup: &Setup,
    running: &mut Option<Running>,
    think: &Think,
    requests: &mut mpsc::Receiver<Ask>,
    reporter: &Reporter,
) -> Result<Searched, EngineError> {
    let running = match running {
        Some(running) => running,
        None => running.insert(start(setup).await?),
    };
    let [from_one, from_zero] = &think.positions;
    running.engine.position(if running.base == RankBase::One { from_one } else { from_zero }).await?;
    running.engine.send(&think.go).await?;
    let deadline = Instant::now() + think.patience;
    let mut score = None;
    loop {
        tokio::select! {
            said = running.engine.next(Some(deadline)) => match said? {
                Some(Output::BestMove(best)) => return Ok(Searched::Move(best.text, score)),
                Some(Output::Info(info, line)) => {
                    if let Some(words) = line.trim().strip_prefix("info string team ") {
                        reporter.report(Report::Talk(words.to_owned())).await;
                    } else if let Some(value) = info.score.filter(|_| info.is_main()) {
                        score = Some(value.centipawns());
                    }
                }
                Some(Output::Other(_)) => {}
                None => return Err(EngineError::Timeout { request: "go", after: think.patience }),
            },
            ask = requests.recv() => match ask {
                Some(Ask::Tell(line)) => running.engine.send(&line).await?,
                ask => {
                    running.engine.stop().await?;
                    return Ok(Searched::Interrupted(ask));
                }
            }
        }
    }
}

/// Starts an engine, sets it up and ends it.
///
/// # Errors
/// It cannot be started, is no UCI engine, or what it shall be set to does not fit it.
pub(super) async fn try_out(options: &IcsOptions) -> Result<(), IcsError> {
    let mut engine = UciEngine::start(&options.launch(), TIMEOUTS).await?;
    let misfit = options.misfit(&engine);
    if misfit.is_none() {
        set(&mut engine, &options.engine_options()).await?;
        engine.is_ready().await?;
    }
    engine.quit().await;
    misfit.map_or(Ok(()), |why| Err(IcsError::Option(why)))
}

async fn set(engine: &mut UciEngine, options: &[(&'static str, String)]) -> Result<(), EngineError> {
    for (name, value) in options {
        if engine.option(name).is_some_and(|option| option.accepts(value)) {
            engine.set_option(name, value).await?;
        }
    }
    Ok(())
}

async fn start(setup: &Setup) -> Result<Running, EngineError> {
    let mut engine = UciEngine::start(&setup.launch, TIMEOUTS).await?;
    let dialect = Dialect::of(DialectChoice::Auto, engine.options(), setup.kind.board());
    set(&mut engine, &setup.options).await?;
    if let Some(name) = &dialect.variant {
        let name = if setup.kind == Kind::Supply2 { setup.kind.name() } else { name };
        engine.set_option("UCI_Variant", name).await?;
    }
    engine.new_game().await?;
    Ok(Running { engine, base: dialect.base })
}
