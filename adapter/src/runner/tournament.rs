//! A match as a whole: workers that play, and one coordinator that counts, prints, saves and decides when it is over.
use super::arguments::ArgumentError;
use super::book::{Book, BookError};
use super::date;
use super::journal::{Journal, JournalError};
use super::play::play;
use super::record::Played;
use super::referee::Termination;
use super::report::{self, AllValues};
use super::results::Results;
use super::schedule::{Schedule, Slot};
use super::seat::{Seat, SeatError};
use super::settings::{EngineSettings, LogLevel, LogSettings, OutputFormat, Settings};
use super::team::{self, TeamBook};
use crate::engine::{Board, WireLog};
use crate::interrupt::interrupted;
use indicatif::{ProgressBar, ProgressStyle};
use sanqi::board::Color;
use sanqi::games::supply::team::TeamGame;
use sanqi::games::{Game, Outcome};
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::task::{JoinSet, block_in_place};

/// Why a match cannot begin or go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The settings name no game.
    #[error("the configuration names no game")]
    NoVariant,
    /// Openings.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The log file.
    #[error("log file `{file}`: {source}")]
    Log {
        /// Its path.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// Files.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What is to be changed when a match is resumed.
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    /// Engines.
    #[error(transparent)]
    Seat(#[from] SeatError),
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every game was played, or the test decided.
    Complete,
    /// From outside.
    Interrupted,
    /// An engine crashed or stalled, and `-recover` was not given.
    Crashed,
    /// A warning, under `-strict`.
    Faulty,
}

impl Ending {
    /// The process's exit status.
    pub fn status(self) -> u8 {
        match self {
            Ending::Complete => 0,
            Ending::Interrupted | Ending::Crashed | Ending::Faulty => 1,
        }
    }
}

/// Prints a line. A reader that has gone away is no reason to stop a match.
pub(super) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// What workers share.
struct Shared {
    settings: Settings,
    schedule: Schedule,
    book: Mutex<AnyBook>,
    log: Option<WireLog>,
    /// Number of the next game to look at, and those that a resumed match has behind it.
    next: Mutex<u64>,
    done: HashSet<u64>,
}

impl Shared {
    fn next_slot(&self) -> Option<Slot> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let slot = self.schedule.slot(*next)?;
            *next += 1;
            if !self.done.contains(&slot.number) {
                return Some(slot);
            }
        }
    }
}

/// Openings of one board or two.
enum AnyBook {
    One(Book),
    Two(TeamBook),
}

/// How a game or a match of two boards begins.
enum Opening {
    One(Game),
    Two(TeamGame),
}

impl AnyBook {
    fn open(board: Board, settings: &Settings) -> Result<AnyBook, BookError> {
        Ok(match board {
            Board::One(variant) => AnyBook::One(Book::open(variant, &settings.opening, settings.seed)?),
            Board::Two => AnyBook::Two(TeamBook::open(&settings.opening, settings.seed)?),
        })
    }

    fn opening(&mut self, index: u64) -> Result<Opening, BookError> {
        Ok(match self {
            AnyBook::One(book) => Opening::One(book.game(index)?),
            AnyBook::Two(book) => Opening::Two(book.game(index)?),
        })
    }
}

/// What a worker tells.
enum Event {
    Started(Slot),
    Finished(Box<Played>),
    Failed(MatchError),
}

/// An engine's two seats, of which a game on one board needs the first.
type Team = [Seat; 2];

/// The seats of an engine.
fn team_of(shared: &Shared, engine: &EngineSettings) -> Team {
    let log = shared.log.as_ref().filter(|_| shared.settings.log.engine_coms);
    let seat = |settings: &EngineSettings| Seat::new(settings.clone(), shared.settings.timeouts(), log);
    [seat(engine), seat(engine.partner.as_deref().unwrap_or(engine))]
}

async fn quit(team: &mut Team) {
    for seat in team {
        seat.quit().await;
    }
}

/// Plays game after game until there are none left or nobody listens.
async fn work(shared: Arc<Shared>, events: mpsc::Sender<Event>) {
    let settings = &shared.settings;
    let mut teams: BTreeMap<usize, Team> = BTreeMap::new();
    let seated = |teams: &mut BTreeMap<usize, Team>, index: usize| {
        teams.remove(&index).or_else(|| Some(team_of(&shared, settings.engines.get(index)?)))
    };
    while let Some(slot) = shared.next_slot() {
        let opening =
            block_in_place(|| shared.book.lock().unwrap_or_else(PoisonError::into_inner).opening(slot.opening));
        let opening = match opening {
            Ok(opening) => opening,
            Err(error) => {
                let _ = events.send(Event::Failed(error.into())).await;
                break;
            }
        };
        let (Some(mut first), Some(mut second)) = (seated(&mut teams, slot.white), seated(&mut teams, slot.black))
        else {
            break;
        };
        // Engines that sit this game out must not take memory from those that play.
        while let Some((_, mut idle)) = teams.pop_first() {
            quit(&mut idle).await;
        }
        if events.send(Event::Started(slot)).await.is_err() {
            break;
        }
        let played = match opening {
            Opening::One(game) => {
                let ([white, _], [black, _]) = (&mut first, &mut second);
                let record = play(settings, slot, game, white, black).await;
                // Other games must not wait for the text of this one.
                record.map(|record| block_in_place(|| Played::of(settings, record)))
            }
            Opening::Two(game) => team::play(settings, slot, &game, &mut first, &mut second).await,
        };
        teams.insert(slot.white, first);
        teams.insert(slot.black, second);
        let event = match played {
            Ok(played) => Event::Finished(Box::new(played)),
            Err(error) => Event::Failed(error.into()),
        };
        let failed = matches!(event, Event::Failed(_));
        if events.send(event).await.is_err() || failed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(settings.wait)).await;
    }
    while let Some((_, mut team)) = teams.pop_first() {
        quit(&mut team).await;
    }
}

/// Runs a match from where `journal` says it stands, with `done` as the games already played.
///
/// # Errors
/// An opening, a file or an engine is missing.
pub async fn run(
    mut settings: Settings,
    mut journal: Journal,
    done: Vec<super::journal::GameEntry>,
) -> Result<Ending, MatchError> {
    let board = settings.variant.ok_or(MatchError::NoVariant)?;
    let schedule = Schedule::new(&settings);
    let book = AnyBook::open(board, &settings)?;
    let log = open_log(&settings.log)?;
    limit_files(&mut settings);
    let (results, numbers) = Results::of(&settings, &schedule, &done);
    let finished = numbers.len() as u64;
    let bar = progress(schedule.total(), finished);
    let shared =
        Arc::new(Shared { schedule, book: Mutex::new(book), log, next: Mutex::new(1), done: numbers, settings });
    let mut coordinator = Coordinator {
        shared: shared.clone(),
        results,
        finished,
        reported: Vec::new(),
        latency: vec![(0.0, 0); shared.settings.engines.len()],
        values: AllValues::new(),
        forfeits: BTreeMap::new(),
        bar,
    };
    let began = Instant::now();
    // A test that was decided before it was cut off stays decided.
    let ending =
        if coordinator.decided().is_some() { Ending::Complete } else { coordinator.play_all(&mut journal).await? };
    coordinator.finish(&mut journal, ending, began.elapsed())?;
    Ok(ending)
}

/// A bar on the standard error, if that is a terminal: the lines of the standard output are for programs as well.
fn progress(total: u64, finished: u64) -> ProgressBar {
    let bar = ProgressBar::new(total).with_position(finished);
    // Games before a resume say nothing about the speed.
    bar.reset_eta();
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} games {elapsed} (left {eta})") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The log file, if one is wanted.
fn open_log(settings: &LogSettings) -> Result<Option<WireLog>, MatchError> {
    if settings.file.is_empty() {
        return Ok(None);
    }
    let log = if settings.compress {
        let time = date::compact(date::now_ms());
        WireLog::compressed(format!("{}{time}.gz", settings.file).as_ref(), settings.realtime)
    } else {
        WireLog::open(settings.file.as_ref(), settings.append_file, settings.realtime)
    };
    log.map(Some).map_err(|source| MatchError::Log { file: settings.file.clone(), source })
}

/// Files that a game needs: three pipes and the process itself for each of up to four engines. Some more are for everything else.
#[cfg(unix)]
const FILES_PER_GAME: u64 = 16;
#[cfg(unix)]
const OTHER_FILES: u64 = 64;

/// Plays no more games at a time than the system grants files for, after asking for as many as it may grant.
#[cfg(unix)]
fn limit_files(settings: &mut Settings) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = OTHER_FILES + FILES_PER_GAME * settings.concurrency as u64;
    let Some(current) = current.filter(|&current| current < wanted) else { return };
    let granted = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(granted), maximum }).is_ok();
    let files = if raised { granted } else { current };
    if files < wanted {
        settings.concurrency = (files.saturating_sub(OTHER_FILES) / FILES_PER_GAME).max(1) as usize;
        say(&format!(
            "Warning: {files} open files allow no more than {} games at a time; raise the limit with `ulimit -n {wanted}`",
            settings.concurrency
        ));
    }
}

/// Elsewhere there is no such limit.
#[cfg(not(unix))]
fn limit_files(_: &mut Settings) {}

struct Coordinator {
    shared: Arc<Shared>,
    results: Results,
    /// Games played, those before a resume included.
    finished: u64,
    /// Statistics as last printed, so that the end does not repeat them.
    reported: Vec<String>,
    /// Sum of seconds and number of moves, by engine.
    latency: Vec<(f64, u64)>,
    /// What engines say of their threads and tables.
    values: AllValues,
    /// Games lost on time and by crashes and stalls, by engine.
    forfeits: BTreeMap<usize, [u64; 2]>,
    bar: ProgressBar,
}

impl Coordinator {
    async fn play_all(&mut self, journal: &mut Journal) -> Result<Ending, MatchError> {
        let (sender, mut events) = mpsc::channel(16);
        let mut workers = JoinSet::new();
        for _ in 0..self.shared.settings.concurrency.max(1) {
            workers.spawn(work(self.shared.clone(), sender.clone()));
        }
        drop(sender);
        let interrupt = interrupted();
        tokio::pin!(interrupt);
        let ending = loop {
            let event = tokio::select! {
                event = events.recv() => event,
                () = &mut interrupt => break Ending::Interrupted,
            };
            match event {
                None => break Ending::Complete,
                Some(Event::Failed(error)) => {
                    self.bar.finish_and_clear();
                    self.note(LogLevel::Fatal, &error.to_string());
                    return Err(error);
                }
                Some(Event::Started(slot)) => self.bar.suspend(|| self.started(&slot)),
                Some(Event::Finished(record)) => {
                    let bar = self.bar.clone();
                    let warned = bar.suspend(|| self.game(journal, &record))?;
                    bar.inc(1);
                    if record.verdict.is_crash() && !self.shared.settings.recover {
                        let number = record.slot.number;
                        self.tell(
                            LogLevel::Warn,
                            &format!(
                                "Game {number} stalled / disconnected and no recover option set for engine, stopping tournament."
                            ),
                        );
                        break Ending::Crashed;
                    }
                    if warned && self.shared.settings.strict {
                        break Ending::Faulty;
                    }
                    if self.decided().is_some() {
                        break Ending::Complete;
                    }
                }
            }
        };
        self.bar.finish_and_clear();
        // Games still running are dropped with their engines; they count for nothing.
        workers.shutdown().await;
        Ok(ending)
    }

    fn name(&self, engine: usize) -> &str {
        self.shared.settings.engines.get(engine).map_or("", |e| e.name.as_str())
    }

    /// Prints lines, and puts them into the log file.
    fn tell(&self, level: LogLevel, text: &str) {
        say(text);
        self.note(level, text);
    }

    /// Puts lines into the log file alone.
    fn note(&self, level: LogLevel, text: &str) {
        if let Some(log) = self.shared.log.as_ref().filter(|_| level >= self.shared.settings.log.level) {
            text.lines().for_each(|line| log.note(level.label(), line));
        }
    }

    fn started(&self, slot: &Slot) {
        let total = self.shared.schedule.total();
        let players = format!("({} vs {})", self.name(slot.white), self.name(slot.black));
        self.tell(LogLevel::Trace, &format!("Started game {} of {total} {players}", slot.number));
    }

    /// Takes a finished game; true when there were warnings about it.
    fn game(&mut self, journal: &mut Journal, record: &Played) -> Result<bool, MatchError> {
        let settings = &self.shared.settings;
        let mut warned = false;
        for warning in record.warnings.iter().filter(|warning| !settings.nowarn.contains(&warning.kind)) {
            let separator = if settings.test_env { " :: " } else { "\n" };
            let lines = std::iter::once(format!("Warning; {}", warning.text)).chain(warning.details.iter().cloned());
            self.tell(LogLevel::Warn, &lines.collect::<Vec<_>>().join(separator));
            warned = true;
        }
        for line in &record.post_mortem {
            log::error!("game {}: {line}", record.slot.number);
            self.note(LogLevel::Warn, &format!("game {}: {line}", record.slot.number));
        }
        journal.game(settings, record)?;
        self.finished += 1;
        let (slot, verdict) = (&record.slot, &record.verdict);
        let players = format!("{} vs {}", self.name(slot.white), self.name(slot.black));
        let line = format!("Finished game {} ({players}): {} {{{}}}", slot.number, verdict.outcome, verdict.text);
        let forfeit = [Termination::TimeForfeit, Termination::Abandoned].iter().position(|t| *t == verdict.termination);
        self.tell(if forfeit.is_some() { LogLevel::Warn } else { LogLevel::Trace }, &line);
        for (engine, identity) in [slot.white, slot.black].into_iter().zip(&record.identities) {
            self.values.entry(engine).or_insert_with(|| identity.values.clone());
        }
        let loser = match verdict.outcome {
            Outcome::Win(Color::White) => Some(slot.black),
            Outcome::Win(Color::Black) => Some(slot.white),
            Outcome::Draw | Outcome::Ongoing => None,
        };
        if let (Some(kind), Some(loser)) = (forfeit, loser)
            && let Some(count) = self.forfeits.entry(loser).or_default().get_mut(kind)
        {
            *count += 1;
        }
        for &(engine, seconds) in &record.latency {
            if let Some(sum) = self.latency.get_mut(engine) {
                sum.0 += seconds;
                sum.1 += 1;
            }
        }
        let settings = &self.shared.settings;
        let changed = self.results.add(slot, verdict.outcome);
        let tally = self.results.tallies().get(&slot.engines).copied().unwrap_or_default();
        let every = |interval: u32, count: u64| interval > 0 && count > 0 && count.is_multiple_of(u64::from(interval));
        if settings.output == OutputFormat::Cutechess && changed && every(settings.scoreinterval, tally.games()) {
            self.tell(LogLevel::Trace, &report::score(settings, slot.engines, &tally));
        }
        let units = if settings.by_pairs() { tally.pairs() } else { tally.games() };
        if changed && every(settings.ratinginterval, units) {
            self.report(slot.engines);
        }
        let settings = &self.shared.settings;
        if every(settings.autosaveinterval, self.finished) {
            journal.save(settings, self.results.tallies())?;
        }
        Ok(warned)
    }

    /// Prints the statistics of a pairing, or of all when there are more than two engines.
    fn report(&mut self, pairing: [usize; 2]) {
        let settings = &self.shared.settings;
        let text = if settings.engines.len() > 2 {
            report::ranking(settings, self.results.tallies())
        } else {
            let tally = self.results.tallies().get(&pairing).copied().unwrap_or_default();
            report::results(settings, pairing, &tally, &self.values)
        };
        if self.reported.last() != Some(&text) {
            self.tell(LogLevel::Trace, &text);
            self.reported = vec![text];
        }
    }

    /// The hypothesis that the test has accepted.
    fn decided(&self) -> Option<bool> {
        self.results.decided(&self.shared.settings)
    }

    fn finish(&mut self, journal: &mut Journal, ending: Ending, elapsed: Duration) -> Result<(), MatchError> {
        let shared = self.shared.clone();
        let settings = &shared.settings;
        journal.save(settings, self.results.tallies())?;
        if self.results.tallies().values().any(|t| t.games() > 0) {
            self.report([0, 1]);
        }
        if let Some(accepted) = self.decided().filter(|_| ending == Ending::Complete) {
            self.tell(LogLevel::Info, &report::decision(&settings.sprt, accepted));
        }
        if settings.output == OutputFormat::Fastchess {
            for (engine, [timeouts, crashes]) in &self.forfeits {
                let name = self.name(*engine);
                let text = format!("Player: {name}\n  Timeouts: {timeouts}\n  Crashed: {crashes}");
                self.tell(LogLevel::Info, &text);
            }
        }
        if settings.show_latency {
            for (engine, (sum, count)) in settings.engines.iter().zip(&self.latency) {
                if *count > 0 {
                    let mean = sum / *count as f64 * 1000.0;
                    self.tell(LogLevel::Info, &format!("Latency of {}: {mean:.3} ms", engine.name));
                }
            }
        }
        if ending != Ending::Complete {
            let config = &settings.config_name;
            let text = format!(
                "Tournament was interrupted. To resume the tournament, run: {} -config file={config}",
                program()
            );
            self.tell(LogLevel::Info, &text);
        }
        if settings.pgn.crc
            && let Ok(bytes) = std::fs::read(&settings.pgn.file)
        {
            self.tell(LogLevel::Info, &format!("File {} has CRC32: {:#x}", settings.pgn.file, crc32(&bytes)));
        }
        self.tell(LogLevel::Info, "Finished match");
        let time = date::hms(elapsed.as_secs());
        self.tell(LogLevel::Info, &format!("Total Time: {time} (hours:minutes:seconds)"));
        Ok(())
    }
}

/// How this program was called, without its options: `sanqi-adapter match`, or a name that stands for both words.
pub(super) fn program() -> String {
    let words: Vec<String> = std::env::args().collect();
    let name = words.first().map_or("sanqi-adapter", String::as_str);
    if words.get(1).is_some_and(|word| word == "match") { format!("{name} match") } else { name.to_owned() }
}

/// CRC-32 as in zip (IEEE 802.3, reflected).
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sum() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn exit_statuses() {
        let statuses = [Ending::Complete, Ending::Interrupted, Ending::Crashed, Ending::Faulty].map(Ending::status);
        assert_eq!(statuses, [0, 1, 1, 1]);
    }
}
