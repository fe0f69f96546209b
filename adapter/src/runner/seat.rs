//! An engine's seat in a match: its settings, and its process as long as that is worth keeping.
use super::record::Identity;
use super::settings::EngineSettings;
use crate::engine::{EngineError, GameStart, Launch, Player, Timeouts, WireLog};
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
    running: Option<Player>,
    complaints: Vec<String>,
    log: Option<WireLog>,
}

impl Seat {
    /// A seat whose engine has not been started; all that is said will be recorded in `log`.
    pub fn new(settings: EngineSettings, timeouts: Timeouts, log: Option<&WireLog>) -> Seat {
        let log = log.map(|log| log.of_engine(&settings.name));
        Seat { settings, timeouts, running: None, complaints: Vec::new(), log }
    }

    /// Makes the engine ready for a new game. A process left over from the last game that fails now is replaced once: what it did
    /// wrong was not done in this game.
    ///
    /// # Errors
    /// A fresh process does not get ready either.
    pub async fn prepare(&mut self, start: GameStart<'_>) -> Result<(), SeatError> {
        if self.settings.restart || self.running.as_ref().is_some_and(|player| !player.is_reusable()) {
            self.quit().await;
        }
        if self.running.is_some() {
            if self.new_game(start).await.is_ok() {
                return Ok(());
            }
            self.kill();
        }
        let named = |source| SeatError { name: self.settings.name.clone(), source };
        let launch = Launch { log: self.log.clone(), ..self.settings.launch() };
        let (proto, dialect) = (self.settings.proto, self.settings.dialect);
        let mut player = Player::start(proto, dialect, start.board, &launch, self.timeouts).await.map_err(named)?;
        for line in &self.settings.init {
            player.send(line).await.map_err(named)?;
        }
        // The variant is the match's business, and may be one that is not listed.
        let options = self.settings.options.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("UCI_Variant"));
        self.complaints =
            options.filter_map(|(name, value)| player.complaint(&self.settings.name, name, value)).collect();
        // Variants that a file defines are listed only later.
        if player.is_unlisted() && self.settings.option("VariantPath").is_none() {
            self.complaints.push(format!("Invalid value for option UCI_Variant; {}", start.board.name()));
        }
        self.running = Some(player);
        let ready = self.new_game(start).await;
        ready.map_err(|source| SeatError { name: self.settings.name.clone(), source })
    }

    async fn new_game(&mut self, start: GameStart<'_>) -> Result<(), EngineError> {
        let Some(player) = &mut self.running else { return Ok(()) };
        // Threads first, because a table is best allocated with the number of threads known. The variant last: the file that defines
        // it may be one of the options.
        let is_threads = |name: &str| name.eq_ignore_ascii_case("Threads");
        let (threads, others): (Vec<_>, Vec<_>) = self.settings.options.iter().partition(|(name, _)| is_threads(name));
        for (name, value) in threads.into_iter().chain(others) {
            if !name.eq_ignore_ascii_case("UCI_Variant") {
                player.set_option(name, value).await?;
            }
        }
        // An engine that hides its variants until it has read its file gets the name all the same.
        player.new_game(start, self.settings.option("UCI_Variant").is_some()).await
    }

    /// The engine; `None` before [`Seat::prepare`].
    pub fn player(&mut self) -> Option<&mut Player> {
        self.running.as_mut()
    }

    /// What the engine says of itself.
    pub fn identity(&self) -> Identity {
        let Some(player) = &self.running else { return Identity::default() };
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        // A value that the engine does not take is not what it plays with.
        let taken = |name: &str, value: &str| player.complaint(&self.settings.name, name, value).is_none();
        let value = |name: &str| {
            let set = self.settings.option(name).filter(|value| taken(name, value));
            set.or(player.option_default(name)).map(str::to_owned)
        };
        Identity { name: text(player.name()), author: text(player.author()), values: [value("Threads"), value("Hash")] }
    }

    /// Complaints about the settings, once per process.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// The last lines exchanged and the error output.
    pub fn post_mortem(&self) -> Vec<String> {
        self.running.as_ref().map(Player::post_mortem).unwrap_or_default()
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Ends the process in order.
    pub async fn quit(&mut self) {
        if let Some(player) = self.running.take() {
            player.quit().await;
        }
    }
}
