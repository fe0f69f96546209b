//! One engine that analyses position after position: kept as long as it works, replaced when it fails.
//!
//! Short searches would wait for each other's messages longer than they take. So an engine that promises to take its commands in order is
//! given a few positions ahead, and what it says is then read in larger pieces.
use super::game::{AnyGame, AnyVariant};
use super::row::{BoundName, Identity, Line, Row, Score};
use super::task::{SearchOptions, Task};
use crate::engine::{BestMove, Bound, Dialect, DialectChoice, EngineError, Info, Launch, Output, Timeouts, UciEngine};
use crate::runner::referee::BestInfo;
use sanqi::games::{RankBase, Variant};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::time::{Instant, sleep};

/// An engine that says nothing for so long is asked whether it lives.
const SILENCE: Duration = Duration::from_secs(60);
/// How much later than its limit in time an engine may answer before it is told to stop.
const MARGIN: Duration = Duration::from_secs(5);
/// Lines of one search that are kept, however many an engine claims to have.
const MAX_LINES: usize = 500;

/// Work that an engine has at once when searches are short. It is given more when half of it is done: one message wakes it once. Longer
/// searches are given to it one by one, so that what is left at the end is shared by all engines.
const AHEAD: Duration = Duration::from_millis(20);
/// How long a busy engine's output is left to gather.
const GATHER: Duration = Duration::from_millis(4);
/// Positions that an engine has at once, however short searches are.
const MOST_AHEAD: usize = 64;

/// How often an engine is started that ends before it is ready.
const STARTS: u32 = 3;

/// Why no position can be analysed at all.
#[derive(Debug, Error)]
pub enum AnalystError {
    /// The engine does not start.
    #[error("engine `{command}`: {source}")]
    Start {
        /// Its command.
        command: String,
        /// What went wrong.
        source: EngineError,
    },
    /// It does not take an option.
    #[error("engine `{command}` {complaint}")]
    Option {
        /// Its command.
        command: String,
        /// Which, and why not.
        complaint: String,
    },
}

/// A process with what is known of its state.
#[derive(Debug)]
struct Running {
    engine: UciEngine,
    identity: Arc<Identity>,
    /// The game that it is set to, and the numbering of its ranks.
    game: Option<(AnyVariant, RankBase)>,
}

/// What a search found.
#[derive(Debug)]
struct Found {
    /// By the rank of the line.
    lines: Vec<Heard>,
    exact: bool,
    best: BestMove,
    base: RankBase,
}

/// What was last said about one line, as it was said: nothing is read before the end, when most of it has been overtaken.
#[derive(Debug, Default)]
struct Heard {
    exact: Option<String>,
    /// After the exact score, if there is one.
    bound: Option<String>,
}

/// A position under way.
#[derive(Debug)]
struct Flight {
    task: Task,
    game: AnyGame,
    row: Row,
    failures: u32,
    /// The engine has it, and numbers ranks like this.
    sent: Option<RankBase>,
}

/// A row with the number of its task.
pub type Numbered = (u64, Row);

/// An engine for analysis, running or not, and the positions that it has been given.
#[derive(Debug)]
pub struct Analyst {
    launch: Launch,
    options: SearchOptions,
    running: Option<Running>,
    waiting: VecDeque<Flight>,
    /// Rows that needed no engine.
    done: VecDeque<Numbered>,
    /// What a search has taken of late.
    pace: Duration,
    /// Half of what it had ahead is done.
    refills: bool,
}

impl Analyst {
    /// An engine that has not been started.
    pub fn new(launch: Launch, options: SearchOptions) -> Analyst {
        let (waiting, done) = Default::default();
        Analyst { launch, options, running: None, waiting, done, pace: AHEAD * 2, refills: true }
    }

    /// One like this that has not been started.
    pub fn another(&self) -> Analyst {
        Analyst::new(self.launch.clone(), self.options.clone())
    }

    /// Nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.done.is_empty()
    }

    /// Another position would save time.
    pub fn wants_more(&self) -> bool {
        self.refills && self.waiting.len() + self.done.len() < self.most_ahead()
    }

    /// Positions that the engine may have at once.
    fn most_ahead(&self) -> usize {
        let queues = self.running.as_ref().is_some_and(|running| running.engine.queues_searches());
        let fit = AHEAD.as_nanos() / self.pace.as_nanos().max(1);
        if queues { fit.clamp(1, MOST_AHEAD as u128) as usize } else { 1 }
    }

    /// Takes a position; [`Analyst::next`] gives its row.
    pub fn submit(&mut self, task: Task) {
        match task.open() {
            Ok((game, row)) => self.waiting.push_back(Flight { task, game, row, failures: 0, sent: None }),
            Err(row) => self.done.push_back((task.number, *row)),
        }
    }

    /// Starts the engine, if it is not running, and sees to it that it takes its options. One that is killed meanwhile is started again.
    ///
    /// # Errors
    /// It does not start, or does not take one of them.
    pub async fn start(&mut self) -> Result<(), AnalystError> {
        for _ in 1..STARTS {
            match self.start_once().await {
                Err(AnalystError::Start { source: EngineError::Died { .. } | EngineError::Pipe(_), .. }) => {}
                done => return done,
            }
        }
        self.start_once().await
    }

    async fn start_once(&mut self) -> Result<(), AnalystError> {
        if self.running.is_some() {
            return Ok(());
        }
        let failed = |source| AnalystError::Start { command: self.launch.command.clone(), source };
        let mut engine = UciEngine::start(&self.launch, Timeouts::default()).await.map_err(failed)?;
        let mut options = self.options.engine_options();
        for (name, value) in &options {
            let complaint = match engine.option(name) {
                None => format!("has no option {name}"),
                Some(option) if !option.accepts(value) => format!("does not take `{value}` for its option {name}"),
                Some(_) => continue,
            };
            return Err(AnalystError::Option { command: self.launch.command.clone(), complaint });
        }
        // Wanted for every row, and always set first so that a user can overrule them.
        for name in ["UCI_AnalyseMode", "UCI_ShowWDL"] {
            if engine.option(name).is_some() && !options.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
                options.push((name.to_owned(), "true".to_owned()));
            }
        }
        for (name, value) in &options {
            engine.set_option(name, value).await.map_err(failed)?;
        }
        engine.is_ready().await.map_err(failed)?;
        let name = engine.name().unwrap_or_default().to_owned();
        let version = name.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let identity = Identity { version: version.map(str::to_owned), name, options: options.into_iter().collect() };
        self.running = Some(Running { engine, identity: Arc::new(identity), game: None });
        Ok(())
    }

    /// The next row, `None` when nothing is under way. An engine that fails is replaced and the position tried once more; a second failure,
    /// like a bad position, is told by the row.
    ///
    /// # Errors
    /// The engine cannot be started any more.
    pub async fn next(&mut self) -> Result<Option<Numbered>, AnalystError> {
        let began = Instant::now();
        self.refills = self.waiting.len() <= 1 + self.most_ahead() / 2;
        loop {
            if let Some(done) = self.done.pop_front() {
                return Ok(Some(done));
            }
            if self.waiting.is_empty() {
                return Ok(None);
            }
            self.start().await?;
            let Some(running) = &mut self.running else { continue };
            let outcome = running.search(&mut self.waiting, &self.options).await;
            let Some(mut flight) = self.waiting.pop_front() else { continue };
            flight.row.engine = Some(running.identity.clone());
            match outcome {
                Ok(Ok(found)) => fill(&mut flight.row, &flight.game, found),
                Ok(Err(refusal)) => flight.row.error = Some(refusal),
                Err(error) => {
                    let said = running.engine.dialogue().into_iter().chain(running.engine.error_output());
                    log::info!("{}: {error}; the last lines:\n{}", flight.task.id, said.collect::<Vec<_>>().join("\n"));
                    // Dropping the process kills it.
                    self.running = None;
                    flight.failures += 1;
                    if flight.failures < 2 {
                        self.waiting.push_front(flight);
                        self.waiting.iter_mut().for_each(|flight| flight.sent = None);
                        continue;
                    }
                    self.waiting.iter_mut().for_each(|flight| flight.sent = None);
                    flight.row.error = Some(format!("engine failed twice: {error}"));
                }
            }
            self.pace = (self.pace * 7 + began.elapsed()) / 8;
            return Ok(Some((flight.task.number, flight.row)));
        }
    }

    /// The row of one position; nothing else may be under way. Errors are those of [`Analyst::next`].
    ///
    /// # Errors
    /// The engine cannot be started any more.
    pub async fn analyse(&mut self, task: &Task) -> Result<Row, AnalystError> {
        self.submit(task.clone());
        let row = self.next().await?;
        Ok(row.map_or_else(|| Row::new(task.id.clone()), |(_, row)| row))
    }

    /// Ends the process in order.
    pub async fn quit(&mut self) {
        if let Some(running) = self.running.take() {
            running.engine.quit().await;
        }
    }
}

impl Running {
    /// Writes what sets the engine to a game; gives the numbering of its ranks, or why it cannot play that.
    fn choose(&mut self, variant: AnyVariant, lines: &mut String) -> Result<RankBase, String> {
        if let Some((chosen, base)) = self.game
            && chosen == variant
        {
            return Ok(base);
        }
        let (base, name) = match variant {
            AnyVariant::One(variant) => {
                let dialect = Dialect::of(DialectChoice::Auto, self.engine.options(), variant);
                if dialect.variant.is_none() && variant != Variant::Xiangqi {
                    return Err(format!("engine `{}` knows no variants, so not {variant}", self.identity.name));
                }
                (dialect.base, dialect.variant)
            }
            AnyVariant::Supply2 => {
                let offered = self.engine.option("UCI_Variant").is_some_and(|option| option.accepts("supply2"));
                if !offered {
                    return Err(format!("engine `{}` does not offer supply2", self.identity.name));
                }
                (RankBase::One, Some("supply2".to_owned()))
            }
        };
        if let Some(name) = name {
            *lines += &format!("setoption name UCI_Variant value {name}\n");
        }
        self.game = Some((variant, base));
        Ok(base)
    }

    /// Writes what has the engine search a position as if it had never searched before.
    fn ask(&mut self, flight: &Flight, options: &SearchOptions, lines: &mut String) -> Result<RankBase, String> {
        let base = self.choose(flight.game.variant(), lines)?;
        let mut go = options.limits().go();
        if let AnyGame::Two(_, board) = &flight.game {
            go = go.replacen("go", &format!("go board {board}"), 1);
        }
        // All at once: an engine reads on while it gets ready, and each wait would cost a short search a part of its speed. One that queues
        // would say only that it has read so far.
        let ready = if self.engine.queues_searches() { "" } else { "isready\n" };
        lines.push_str("ucinewgame\nposition ");
        write_position(lines, &flight.task, &flight.game, base);
        lines.extend(["\n", ready, &go, "\n"]);
        Ok(base)
    }

    /// Gives the engine what it does not have yet, and waits for its answer to the first. The inner error is the engine's refusal of that
    /// position.
    async fn search(
        &mut self,
        flights: &mut VecDeque<Flight>,
        options: &SearchOptions,
    ) -> Result<Result<Found, String>, EngineError> {
        let mut lines = String::new();
        for (index, flight) in flights.iter_mut().enumerate().filter(|(_, flight)| flight.sent.is_none()) {
            match self.ask(flight, options, &mut lines) {
                Ok(base) => flight.sent = Some(base),
                Err(refusal) if index == 0 => return Ok(Err(refusal)),
                // It is told when its turn comes.
                Err(_) => break,
            }
        }
        if !lines.is_empty() {
            self.engine.send(lines.trim_end()).await?;
        }
        let busy = flights.get(1).is_some_and(|flight| flight.sent.is_some());
        let Some(base) = flights.front().and_then(|flight| flight.sent) else { return Ok(Err(String::new())) };
        let begin = Instant::now();
        let limit = options.movetime.map(|ms| begin + Duration::from_millis(ms) + MARGIN);
        let mut found = Found { lines: Vec::new(), exact: false, best: BestMove::default(), base };
        // One that queues is not asked whether it took the position, and tells before its first score that it did not.
        let queues = self.engine.queues_searches();
        let (mut ready, mut refusal, mut asked) = (false, None, false);
        // The clock is not asked for every line.
        let mut silent_since = begin;
        loop {
            if busy && !self.engine.has_line() && self.engine.is_drained() {
                sleep(GATHER).await;
            }
            let deadline = limit.unwrap_or_else(|| silent_since.max(self.engine.read_at()) + SILENCE);
            match self.engine.next_line(Some(deadline)).await? {
                Some(line) if line.starts_with("info ") && !line.starts_with("info string ") => found.take(line),
                Some(line) => match Output::parse(line.to_owned()) {
                    Output::BestMove(best) => {
                        found.best = best;
                        break;
                    }
                    Output::Info(info, line) => match info.string.as_deref() {
                        Some("exact") => found.exact = true,
                        Some(text) if text.starts_with("error") && (!ready || found.lines.is_empty() && queues) => {
                            refusal = Some(text.to_owned());
                        }
                        Some(_) => {}
                        None => found.take(&line),
                    },
                    Output::Other(line) => ready |= line.trim() == "readyok",
                },
                None if limit.is_some() => {
                    found.best = self.engine.stop().await?;
                    break;
                }
                None if asked => return Err(EngineError::Timeout { request: "isready", after: SILENCE }),
                None => {
                    self.engine.send("isready").await?;
                    (asked, silent_since) = (true, Instant::now());
                    continue;
                }
            }
            asked = false;
        }
        Ok(refusal.map_or(Ok(found), Err))
    }
}

/// Writes the position for the engine, with the moves that led to it: repetitions count.
fn write_position(text: &mut String, task: &Task, game: &AnyGame, base: RankBase) {
    text.push_str("fen ");
    let (moves, over) = match (game, &task.source) {
        (AnyGame::One(game), _) => {
            text.push_str(&game.start_fen());
            (spelled(game, base), &[][..])
        }
        (AnyGame::Two(..), Ok(source)) => {
            text.push_str(&source.start.clone().unwrap_or_else(|| source.variant.start_fen()));
            (source.moves.clone(), source.over.as_slice())
        }
        (AnyGame::Two(..), Err(_)) => Default::default(),
    };
    if !moves.is_empty() {
        text.push_str(" moves ");
        text.push_str(&moves.join(" "));
    }
    for (board, result) in over {
        text.push_str(&format!(" over {board} {result}"));
    }
}

/// The moves of a game as the engine writes them.
fn spelled(game: &sanqi::games::Game, base: RankBase) -> Vec<String> {
    use sanqi::games::Game;
    let Ok(mut replay) = Game::from_fen(game.variant(), &game.start_fen()) else { return Vec::new() };
    let mut words = Vec::with_capacity(game.moves().len());
    for &mv in game.moves() {
        words.push(replay.move_text(mv, base));
        replay.push(mv);
    }
    words
}

impl Found {
    /// Keeps a line with a score. Which line of the search it is about and what kind of score it has is looked for no further than the words.
    fn take(&mut self, line: &str) {
        let (mut rank, mut scored, mut bound) = (1_usize, false, false);
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "multipv" => rank = words.next().and_then(|number| number.parse().ok()).unwrap_or(1),
                "score" => scored = true,
                "lowerbound" | "upperbound" => bound = true,
                // The moves; what is behind them says nothing about the score.
                "pv" | "string" => break,
                _ => {}
            }
        }
        let Some(index) = rank.checked_sub(1).filter(|index| scored && *index < MAX_LINES) else { return };
        if self.lines.len() <= index {
            self.lines.resize_with(index + 1, Heard::default);
        }
        let Some(heard) = self.lines.get_mut(index) else { return };
        let kept = if bound {
            heard.bound.get_or_insert_default()
        } else {
            heard.bound = None;
            heard.exact.get_or_insert_default()
        };
        kept.clear();
        kept.push_str(line);
    }
}

impl Heard {
    /// What speaks for the line: the last exact score, and the moves of a later bound if it has some.
    fn into_info(self) -> Option<Box<Info>> {
        let mut best = BestInfo::default();
        let mut counters = (None, None, None);
        for line in [self.exact, self.bound].into_iter().flatten() {
            if let Output::Info(mut info, _) = Output::parse(line) {
                counters = (info.nodes, info.time, info.nps);
                // Which line it is has been read already; what is kept follows the same rule for each.
                info.multipv = None;
                best.take(info);
            }
        }
        let mut info = best.into_info()?;
        (info.nodes, info.time, info.nps) = counters;
        Some(info)
    }
}

/// Writes what was found into a row.
fn fill(row: &mut Row, game: &AnyGame, found: Found) {
    row.exact = found.exact;
    let best = found.best;
    let played = !matches!(best.text.as_str(), "" | "(none)" | "0000");
    let words: Vec<String> = std::iter::once(best.text).chain(best.ponder).filter(|_| played).collect();
    for info in found.lines.into_iter().filter_map(Heard::into_info) {
        let Some(value) = info.score else { continue };
        (row.nodes, row.time, row.nps) = (info.nodes.max(row.nodes), info.time.max(row.time), info.nps.or(row.nps));
        let mut score = Score::new(value, game.side());
        score.bound = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some(BoundName::Lower),
            Bound::Upper => Some(BoundName::Upper),
        };
        let (pv, san) = game.line(&info.pv, found.base);
        if row.multipv.is_empty() {
            (row.depth, row.seldepth) = (info.depth, info.seldepth);
            if played && pv.len() >= words.len() && info.pv.starts_with(&words) {
                (row.bestmove, row.ponder) = (pv.first().cloned(), pv.get(1).filter(|_| words.len() > 1).cloned());
            }
        }
        row.multipv.push(Line { score, wdl: info.wdl, depth: info.depth, seldepth: info.seldepth, pv, san });
    }
    if played && row.bestmove.is_none() {
        let mut moves = game.line(&words, found.base).0.into_iter();
        row.bestmove = moves.next();
        row.ponder = moves.next();
        if row.bestmove.is_none() {
            row.error = words.first().map(|word| format!("engine plays an illegal move: {word}"));
        }
    }
}
