//! The engine behind the front. One that fails is replaced, and its options are set again.
use super::features;
use crate::engine::{Dialect, DialectChoice, EngineError, Launch, Timeouts, UciEngine};
use sanqi::games::{RankBase, Variant};
use std::time::Duration;
use thiserror::Error;

/// How long an engine may take for what is not a search. A GUI that waits for its features gives up after some ten seconds.
const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(6),
    new_game: Duration::from_secs(10),
    ping: Duration::from_secs(10),
    stop: Duration::from_secs(5),
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
    /// It does not play this.
    #[error("engine does not play {0}")]
    Unable(&'static str),
}

/// A running engine with what it has been told.
#[derive(Debug)]
pub(super) struct Player {
    launch: Launch,
    /// The process.
    pub(super) engine: UciEngine,
    /// Options in the order in which they were set.
    wanted: Vec<(String, String)>,
    /// The value of `UCI_Variant`.
    game: Option<&'static str>,
}

impl Player {
    /// Starts the engine and sets its options.
    pub(super) async fn start(launch: Launch, options: &[(String, String)]) -> Result<Player, Failure> {
        let engine = UciEngine::start(&launch, TIMEOUTS).await?;
        let mut player = Player { launch, engine, wanted: Vec::new(), game: None };
        for (name, value) in options {
            player.set(name, value).await?;
        }
        Ok(player)
    }

    /// Another process in the place of this one.
    pub(super) async fn restart(&mut self) -> Result<(), Failure> {
        self.engine = UciEngine::start(&self.launch, TIMEOUTS).await?;
        self.game = None;
        for (name, value) in self.wanted.clone() {
            self.engine.set_option(&name, &value).await?;
        }
        Ok(())
    }

    /// Sets an option, if the engine has it. What is not a button is remembered for an engine that replaces this one.
    pub(super) async fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let Some(option) = self.engine.option(name) else { return Ok(()) };
        if option.kind != crate::engine::options::Kind::Button {
            self.wanted.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            self.wanted.push((name.to_owned(), value.to_owned()));
        }
        Ok(self.engine.set_option(name, value).await?)
    }

    /// Sets a number, or the nearest one that the engine takes.
    pub(super) async fn set_within(&mut self, name: &str, number: i64) -> Result<(), Failure> {
        match self.engine.option(name).map(|option| &option.kind) {
            Some(crate::engine::options::Kind::Spin { min, max }) => {
                let within = number.min(*max).max(*min);
                self.set(name, &within.to_string()).await
            }
            _ => Ok(()),
        }
    }

    /// How the engine counts ranks.
    pub(super) fn base(&self) -> RankBase {
        Dialect::of(DialectChoice::Auto, self.engine.options(), Variant::Xiangqi).base
    }

    /// True when the engine lists a name among the values of `UCI_Variant`; one without that option plays xiangqi.
    pub(super) fn plays(&self, name: &str) -> bool {
        match self.engine.option("UCI_Variant") {
            Some(option) => option.accepts(name),
            None => name == Variant::Xiangqi.name(),
        }
    }

    /// Makes the engine play the game of that name. `fresh` begins another game of it.
    pub(super) async fn choose(&mut self, game: &'static str, fresh: bool) -> Result<(), Failure> {
        let changed = self.game != Some(game);
        if changed {
            if !self.plays(game) {
                return Err(Failure::Unable(game));
            }
            if self.engine.option("UCI_Variant").is_some() {
                self.engine.set_option("UCI_Variant", game).await?;
            }
            self.game = Some(game);
        }
        if changed || fresh {
            self.engine.new_game().await?;
        }
        Ok(())
    }

    /// The options that a GUI is offered.
    pub(super) fn option_named(&self, name: &str) -> Option<&crate::engine::EngineOption> {
        self.engine.option(name).filter(|option| !features::is_spoken_for(&option.name))
    }
}
