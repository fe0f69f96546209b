//! An engine's seat in a match: its settings, and its process as long as that is worth keeping.
use super::settings::EngineSettings;
use crate::engine::{Dialect, EngineError, Launch, Timeouts, UciEngine, WireLog};
use sanqi::games::Variant;
use thiserror::Error;

/// An engine that cannot be brought to play at all, which ends the match.
#[derive(Debug, Error)]
#[error("engine {name}: {source}")]
pub struct SeatError {
    /// Name of the engine.
    pub name: String,
    /// What went wrong.
    pub source: EngineError,
}

/// An engine of a match.
#[derive(Debug)]
pub struct Seat {
    /// Its settings.
    pub settings: EngineSettings,
    timeouts: Timeouts,
    running: Option<(UciEngine, Dialect)>,
    complaints: Vec<String>,
    log: Option<WireLog>,
}

impl Seat {
    /// A seat whose engine has not been started; all that is said will be recorded in `log`.
    pub fn new(settings: EngineSettings, timeouts: Timeouts, log: Option<&WireLog>) -> Seat {
        let log = log.map(|log| log.of_engine(&settings.name));
        Seat { settings, timeouts, running: None, complaints: Vec::new(), log }
    }

    /// Makes the engine ready for a new game of `variant`. A process left over from the last game that fails now is replaced once:
    /// what it did wrong was not done in this game.
    ///
    /// # Errors
    /// A fresh process does not get ready either.
    pub async fn prepare(&mut self, variant: Variant) -> Result<(), SeatError> {
        if self.settings.restart {
            self.quit().await;
        }
        if self.running.is_some() {
            if self.new_game(variant).await.is_ok() {
                return Ok(());
            }
            self.kill();
        }
        let named = |source| SeatError { name: self.settings.name.clone(), source };
        let launch = Launch { log: self.log.clone(), ..self.settings.launch() };
        let mut engine = UciEngine::start(&launch, self.timeouts).await.map_err(named)?;
        for line in &self.settings.init {
            engine.send(line).await.map_err(named)?;
        }
        self.complaints = complaints(&self.settings, &engine);
        let dialect = Dialect::of(self.settings.dialect, engine.options(), variant);
        self.running = Some((engine, dialect));
        let ready = self.new_game(variant).await;
        ready.map_err(|source| SeatError { name: self.settings.name.clone(), source })
    }

    async fn new_game(&mut self, variant: Variant) -> Result<(), EngineError> {
        let Some((engine, dialect)) = &mut self.running else { return Ok(()) };
        // Threads first, because a table is best allocated with the number of threads known. The variant last: the file that defines
        // it may be one of the options.
        let is_threads = |name: &str| name.eq_ignore_ascii_case("Threads");
        let (threads, others): (Vec<_>, Vec<_>) = self.settings.options.iter().partition(|(name, _)| is_threads(name));
        for (name, value) in threads.into_iter().chain(others) {
            if !name.eq_ignore_ascii_case("UCI_Variant") {
                engine.set_option(name, value).await?;
            }
        }
        // An engine that hides its variants until it has read its file gets the name all the same.
        let named =
            dialect.variant.clone().or_else(|| self.settings.option("UCI_Variant").map(|_| variant.name().to_owned()));
        if let Some(name) = named {
            engine.set_option("UCI_Variant", &name).await?;
        }
        engine.new_game().await
    }

    /// The engine and how to speak to it; `None` before [`Seat::prepare`].
    pub fn engine(&mut self) -> Option<(&mut UciEngine, &Dialect)> {
        self.running.as_mut().map(|(engine, dialect)| (engine, &*dialect))
    }

    /// What the engine calls itself, and its author.
    pub fn identity(&self) -> (String, String) {
        let Some((engine, _)) = &self.running else { return Default::default() };
        (engine.name().unwrap_or_default().to_owned(), engine.author().unwrap_or_default().to_owned())
    }

    /// Complaints about the settings, once per process.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// The last lines exchanged and the error output.
    pub fn post_mortem(&self) -> Vec<String> {
        let Some((engine, _)) = &self.running else { return Vec::new() };
        let mut lines = engine.dialogue();
        lines.extend(engine.error_output().into_iter().map(|line| format!("! {line}")));
        lines
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Ends the process in order.
    pub async fn quit(&mut self) {
        if let Some((engine, _)) = self.running.take() {
            engine.quit().await;
        }
    }
}

/// Options that the engine does not have, and values that do not fit, in fastchess' words.
fn complaints(settings: &EngineSettings, engine: &UciEngine) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, value) in &settings.options {
        match engine.option(name) {
            // The variant is the match's business, and may be one that is not listed.
            _ if name.eq_ignore_ascii_case("UCI_Variant") => {}
            None => complaints.push(format!("{} doesn't have option {name}", settings.name)),
            Some(option) if !option.accepts(value) => {
                complaints.push(format!("Invalid value for option {name}; {value}"));
            }
            Some(_) => {}
        }
    }
    complaints
}
