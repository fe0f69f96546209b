//! A match as a whole: workers that play, and one coordinator that counts, prints, saves and decides when it is over.
use super::book::{Book, BookError};
use super::date;
use super::journal::{Journal, JournalError};
use super::play::play;
use super::record::{Played, Warning};
use super::report::{self, TestState};
use super::results::Results;
use super::schedule::{Schedule, Slot};
use super::seat::{Seat, SeatError};
use super::settings::{EngineSettings, LogSettings, OutputFormat, Settings};
use super::team::{self, TeamBook};
use crate::engine::{Board, WireLog};
use crate::interrupt::interrupted;
use indicatif::{ProgressBar, ProgressStyle};
use sanqi::games::Game;
use sanqi::games::supply::team::TeamGame;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

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
    /// Complete, but with warnings under `-strict`.
    Faulty,
}

impl Ending {
    /// The process's exit status.
    pub fn status(self) -> u8 {
        match self {
            Ending::Complete | Ending::Interrupted => 0,
            Ending::Crashed | Ending::Faulty => 1,
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
    let seat = |settings: &EngineSettings| Seat::new(settings.clone(), shared.settings.timeouts(), shared.log.as_ref());
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
        let opening = shared.book.lock().unwrap_or_else(PoisonError::into_inner).opening(slot.opening);
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
                play(settings, slot, game, white, black).await.map(|record| Played::of(settings, record))
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
    settings: Settings,
    mut journal: Journal,
    done: Vec<super::journal::GameEntry>,
) -> Result<Ending, MatchError> {
    let board = settings.variant.ok_or(MatchError::NoVariant)?;
    let schedule = Schedule::new(&settings);
    let book = AnyBook::open(board, &settings)?;
    let log = open_log(&settings.log)?;
    let mut results = Results::new(&settings);
    let mut numbers = HashSet::new();
    for game in &done {
        if let (Some(slot), Some(outcome)) = (schedule.slot(game.number), game.outcome())
            && numbers.insert(game.number)
        {
            results.add(&slot, outcome);
        }
    }
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
        warned: false,
        crashed: false,
        bar,
    };
    let began = Instant::now();
    // A test that was decided before it was cut off stays decided.
    let ending =
        if coordinator.decided().is_some() { Ending::Complete } else { coordinator.play_all(&mut journal).await? };
    coordinator.finish(&mut journal, ending, began.elapsed())?;
    Ok(match ending {
        Ending::Complete if coordinator.warned && shared.settings.strict => Ending::Faulty,
        other => other,
    })
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

/// The log of what engines say, if one is wanted.
fn open_log(settings: &LogSettings) -> Result<Option<WireLog>, MatchError> {
    if settings.file.is_empty() || !settings.engine_coms {
        return Ok(None);
    }
    let log = WireLog::open(settings.file.as_ref(), settings.append_file);
    log.map(Some).map_err(|source| MatchError::Log { file: settings.file.clone(), source })
}

struct Coordinator {
    shared: Arc<Shared>,
    results: Results,
    /// Games played, those before a resume included.
    finished: u64,
    /// Statistics as last printed, so that the end does not repeat them.
    reported: Vec<String>,
    /// Sum of seconds and number of moves, by engine.
    latency: Vec<(f64, u64)>,
    warned: bool,
    crashed: bool,
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
                    return Err(error);
                }
                Some(Event::Started(slot)) => self.bar.suspend(|| self.started(&slot)),
                Some(Event::Finished(record)) => {
                    let bar = self.bar.clone();
                    bar.suspend(|| self.game(journal, &record))?;
                    bar.inc(1);
                    if record.verdict.is_crash() {
                        self.crashed = true;
                        if !self.shared.settings.recover {
                            break Ending::Crashed;
                        }
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

    fn started(&self, slot: &Slot) {
        let total = self.shared.schedule.total();
        say(&format!(
            "Started game {} of {total} ({} vs {})",
            slot.number,
            self.name(slot.white),
            self.name(slot.black)
        ));
    }

    fn game(&mut self, journal: &mut Journal, record: &Played) -> Result<(), MatchError> {
        let settings = &self.shared.settings;
        for warning in record.warnings.iter().filter(|warning| !settings.nowarn.contains(&warning.kind)) {
            warn(settings, warning);
            self.warned = true;
        }
        for line in &record.post_mortem {
            log::error!("game {}: {line}", record.slot.number);
        }
        journal.game(settings, record)?;
        self.finished += 1;
        let (slot, verdict) = (&record.slot, &record.verdict);
        let players = format!("{} vs {}", self.name(slot.white), self.name(slot.black));
        say(&format!("Finished game {} ({players}): {} {{{}}}", slot.number, verdict.outcome, verdict.text));
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
            say(&report::score(settings, slot.engines, &tally));
        }
        let units = if settings.by_pairs() { tally.pairs() } else { tally.games() };
        if changed && every(settings.ratinginterval, units) {
            self.report(slot.engines);
        }
        let settings = &self.shared.settings;
        if every(settings.autosaveinterval, self.finished) {
            journal.save(settings, self.results.tallies())?;
        }
        Ok(())
    }

    /// Prints the statistics of a pairing, or of all when there are more than two engines.
    fn report(&mut self, pairing: [usize; 2]) {
        let settings = &self.shared.settings;
        let text = if settings.engines.len() > 2 {
            report::ranking(settings, self.results.tallies())
        } else {
            let tally = self.results.tallies().get(&pairing).copied().unwrap_or_default();
            report::results(settings, pairing, &tally)
        };
        if self.reported.last() != Some(&text) {
            say(&text);
            self.reported = vec![text];
        }
    }

    /// The hypothesis that the test has accepted.
    fn decided(&self) -> Option<bool> {
        let settings = &self.shared.settings;
        if !settings.sprt.enabled {
            return None;
        }
        let tally = self.results.tallies().get(&[0, 1])?;
        TestState::of(&settings.sprt, tally, settings.by_pairs()).decision()
    }

    fn finish(&mut self, journal: &mut Journal, ending: Ending, elapsed: Duration) -> Result<(), MatchError> {
        let shared = self.shared.clone();
        let settings = &shared.settings;
        journal.save(settings, self.results.tallies())?;
        if self.results.tallies().values().any(|t| t.games() > 0) {
            self.report([0, 1]);
        }
        if settings.show_latency {
            for (engine, (sum, count)) in settings.engines.iter().zip(&self.latency) {
                if *count > 0 {
                    say(&format!("Latency of {}: {:.3} ms", engine.name, sum / *count as f64 * 1000.0));
                }
            }
        }
        if ending == Ending::Complete {
            if let Some(accepted) = self.decided() {
                say(&report::decision(&settings.sprt, accepted));
            }
        } else {
            say(&format!(
                "Tournament was interrupted. To resume the tournament, run: sanqi-adapter match -config file={}",
                settings.config_name
            ));
        }
        if settings.pgn.crc
            && let Ok(bytes) = std::fs::read(&settings.pgn.file)
        {
            say(&format!("{} has CRC32: {:08x}", settings.pgn.file, crc32(&bytes)));
        }
        say("Finished match");
        say(&format!("Total Time: {} (hours:minutes:seconds)", date::hms(elapsed.as_secs())));
        Ok(())
    }
}

fn warn(settings: &Settings, warning: &Warning) {
    let head = format!("Warning; {}", warning.text);
    if settings.test_env {
        let parts: Vec<&str> =
            std::iter::once(head.as_str()).chain(warning.details.iter().map(String::as_str)).collect();
        say(&parts.join(" :: "));
    } else {
        say(&head);
        warning.details.iter().for_each(|line| say(line));
    }
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
        assert_eq!(statuses, [0, 0, 1, 1]);
    }
}
