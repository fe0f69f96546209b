//! An engine of any protocol, as the referee of a game sees it.
use super::client::{Output, Timeouts, UciEngine};
use super::dialect::{Dialect, DialectChoice};
use super::error::EngineError;
use super::info::{BestMove, Info};
use super::limits::Limits;
use super::process::Launch;
use super::protocol::Protocol;
use super::xboard::{XboardEngine, XboardOutput};
use crate::cecp::{rank_base, write_fen};
use sanqi::board::Color;
use sanqi::games::{RankBase, Variant};
use std::borrow::Cow;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;

/// What is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Board {
    /// A game on one board.
    One(Variant),
    /// A match on two boards.
    Two,
}

/// Not the name of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown variant `{0}` (known: xiangqi, supply, supply2, yangqi, fangqi)")]
pub struct UnknownBoard(String);

impl FromStr for Board {
    type Err = UnknownBoard;
    fn from_str(name: &str) -> Result<Board, UnknownBoard> {
        if name.eq_ignore_ascii_case(Board::Two.name()) {
            return Ok(Board::Two);
        }
        name.parse().map(Board::One).map_err(|_| UnknownBoard(name.to_owned()))
    }
}

impl Board {
    /// The name that `UCI_Variant` takes.
    pub fn name(self) -> &'static str {
        match self {
            Board::One(variant) => variant.name(),
            Board::Two => "supply2",
        }
    }

    /// What the XBoard protocol calls it. An engine there sees one board of two.
    fn xboard_name(self) -> &'static str {
        match self {
            Board::One(variant) => variant.name(),
            Board::Two => "supply",
        }
    }

    /// The number of the lowest rank in moves of the XBoard protocol: 0 on boards of ten ranks.
    pub fn xboard_base(self) -> RankBase {
        match self {
            Board::One(variant) => rank_base(variant),
            Board::Two => rank_base(Variant::Supply),
        }
    }
}

/// How a game begins.
#[derive(Debug, Clone, Copy)]
pub struct GameStart<'a> {
    /// The game.
    pub board: Board,
    /// The position of the engine's board when it is not the start position.
    pub fen: Option<&'a str>,
    /// The engine's colour.
    pub side: Color,
    /// The limits of its first move.
    pub limits: &'a Limits,
}

/// What an engine needs to know for its move.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// Where the game began, as UCI says it: `startpos`, or `fen …`.
    pub start: &'a str,
    /// ` moves …` behind it, with ranks from 1 and from 0, or nothing.
    pub moves: [&'a str; 2],
    /// The moves of the engine's board, as the XBoard protocol writes them.
    pub list: &'a [String],
    /// The side to move.
    pub side: Color,
    /// Limits of the search.
    pub limits: &'a Limits,
}

/// What an engine says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Its move.
    Move(BestMove),
    /// What it thinks, and in UCI and UCCI the whole line.
    Info(Box<Info>, String),
    /// It gives up.
    Resign,
    /// It says that the game has a result, in place of a move.
    Claim(String),
    /// It does not accept a move.
    Refusal(String),
    /// To its partner on the other board.
    Talk(String),
    /// The answer to [`Player::prepare`].
    Ready,
    /// Any other line.
    Other(String),
}

/// An engine of any protocol. Dropping it kills the process; [`Player::quit`] ends it in order.
#[derive(Debug)]
pub enum Player {
    /// In UCI or UCCI.
    Uci(UciEngine, Dialect),
    /// In the XBoard protocol, with the base of its ranks.
    Xboard(XboardPlayer),
}

/// An engine that speaks the XBoard protocol, and how it writes what that leaves open.
#[derive(Debug)]
pub struct XboardPlayer {
    engine: XboardEngine,
    base: RankBase,
    variant: String,
    /// It writes `A` for the arrow of Yáng Qí.
    arrow_is_a: bool,
}

impl Player {
    /// Starts an engine for a game.
    ///
    /// # Errors
    /// It does not start, or does not play that game.
    pub async fn start(
        protocol: Protocol,
        dialect: DialectChoice,
        board: Board,
        launch: &Launch,
        timeouts: Timeouts,
    ) -> Result<Player, EngineError> {
        Ok(match protocol {
            Protocol::Uci => {
                let engine = UciEngine::start(launch, timeouts).await?;
                let dialect = Dialect::named(dialect, engine.options(), board.name());
                Player::Uci(engine, dialect)
            }
            Protocol::Ucci => {
                let engine = UciEngine::start_ucci(launch, timeouts).await?;
                let dialect = Dialect::ucci(engine.options(), board.name());
                Player::Uci(engine, dialect)
            }
            Protocol::Xboard => {
                let engine = XboardEngine::start(launch, timeouts).await?;
                let variants = &engine.features().variants;
                let wanted = board.xboard_name();
                let variant = match variants.iter().find(|name| name.eq_ignore_ascii_case(wanted)) {
                    Some(name) => name.clone(),
                    // A file of variants may only be read later.
                    None if variants.is_empty() || engine.has_option("VariantPath") => wanted.to_owned(),
                    None => return Err(EngineError::Variant(wanted.to_owned())),
                };
                let arrow_is_a = dialect == DialectChoice::ChessV;
                Player::Xboard(XboardPlayer { engine, base: board.xboard_base(), variant, arrow_is_a })
            }
        })
    }

    /// What it calls itself.
    pub fn name(&self) -> Option<&str> {
        match self {
            Player::Uci(engine, _) => engine.name(),
            Player::Xboard(player) => player.engine.features().myname.as_deref(),
        }
    }

    /// Its author.
    pub fn author(&self) -> Option<&str> {
        match self {
            Player::Uci(engine, _) => engine.author(),
            Player::Xboard(_) => None,
        }
    }

    /// Number of its lowest rank in moves.
    pub fn base(&self) -> RankBase {
        match self {
            Player::Uci(_, dialect) => dialect.base,
            Player::Xboard(player) => player.base,
        }
    }

    /// It says what it thinks, and its variations are moves as its `bestmove` is, so that they can be looked at.
    pub fn writes_variations(&self) -> bool {
        matches!(self, Player::Uci(..))
    }

    /// It lists its variants, and the one of the match is not among them.
    pub fn is_unlisted(&self) -> bool {
        matches!(self, Player::Uci(_, dialect) if dialect.unlisted)
    }

    /// What is wrong with setting an option, in fastchess' words.
    pub fn complaint(&self, engine: &str, name: &str, value: &str) -> Option<String> {
        let option = match self {
            Player::Uci(engine, _) => engine.option(name),
            Player::Xboard(player) if player.engine.option(name).is_none() && player.engine.has_option(name) => {
                return None;
            }
            Player::Xboard(player) => player.engine.option(name),
        };
        match option {
            None => Some(format!("{engine} doesn't have option {name}")),
            Some(option) if !option.accepts(value) => Some(format!("Invalid value for option {name}; {value}")),
            Some(_) => None,
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// The process does not read.
    pub async fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        match self {
            Player::Uci(engine, _) => engine.set_option(name, value).await,
            Player::Xboard(player) => player.engine.set_option(name, value).await,
        }
    }

    /// The process may be used for another game.
    pub fn is_reusable(&self) -> bool {
        match self {
            Player::Uci(..) => true,
            Player::Xboard(player) => player.engine.features().reuse,
        }
    }

    /// Begins a game, after the options have been set. `named` sets the variant also of an engine that does not say it has that option.
    ///
    /// # Errors
    /// No answer in time, the death of the process, or a position that it cannot be given.
    pub async fn new_game(&mut self, start: GameStart<'_>, named: bool) -> Result<(), EngineError> {
        match self {
            Player::Uci(engine, dialect) => {
                let name = dialect.variant.clone().or_else(|| named.then(|| start.board.name().to_owned()));
                if let Some(name) = name {
                    engine.set_option("UCI_Variant", &name).await?;
                }
                engine.new_game().await
            }
            Player::Xboard(player) => {
                if start.fen.is_some() && !player.engine.features().setboard {
                    return Err(EngineError::NoSetUp);
                }
                let fen = start.fen.map(|fen| player.fen_out(start.board, fen));
                player.engine.new_game(&player.variant, fen.as_deref(), start.side, start.limits).await
            }
        }
    }

    /// Lets it think about its move. What it has to do before it begins costs it no time.
    ///
    /// # Errors
    /// No answer in time, or the death of the process.
    pub async fn go(&mut self, turn: &Turn<'_>) -> Result<(), EngineError> {
        match self {
            Player::Uci(engine, dialect) => {
                engine.ready_after(&position(dialect, turn)).await?;
                engine.go_as(turn.side, turn.limits).await
            }
            Player::Xboard(player) => player.engine.go(&player.moves_out(turn.list), turn.side, turn.limits).await,
        }
    }

    /// The first half of [`Player::go`], without waiting. True when [`Said::Ready`] will follow, false when it is ready already.
    ///
    /// # Errors
    /// The process does not read.
    pub async fn prepare(&mut self, turn: &Turn<'_>) -> Result<bool, EngineError> {
        match self {
            Player::Uci(engine, dialect) => {
                engine.send(&format!("{}\nisready", position(dialect, turn))).await?;
                Ok(true)
            }
            Player::Xboard(player) => player.engine.catch_up(&player.moves_out(turn.list)).await,
        }
    }

    /// The second half of [`Player::go`].
    ///
    /// # Errors
    /// The process does not read.
    pub async fn think(&mut self, turn: &Turn<'_>) -> Result<(), EngineError> {
        match self {
            Player::Uci(engine, _) => engine.go_as(turn.side, turn.limits).await,
            Player::Xboard(player) => player.engine.think(&player.moves_out(turn.list), turn.side, turn.limits).await,
        }
    }

    /// The next thing it says, or `None` when `deadline` passes first. Safe to cancel.
    ///
    /// # Errors
    /// The death of the process.
    pub async fn next(&mut self, deadline: Option<Instant>) -> Result<Option<Said>, EngineError> {
        Ok(match self {
            Player::Uci(engine, _) => engine.next(deadline).await?.map(|said| match said {
                Output::BestMove(best) if best.resigns => Said::Resign,
                Output::BestMove(best) => Said::Move(best),
                Output::Info(info, line) => match info.string.as_deref().and_then(|text| text.strip_prefix("team ")) {
                    Some(talk) => Said::Talk(talk.to_owned()),
                    None => Said::Info(info, line),
                },
                Output::Other(line) if line.trim() == "readyok" => Said::Ready,
                Output::Other(line) => Said::Other(line),
            }),
            Player::Xboard(player) => player.engine.next(deadline).await?.map(|said| match said {
                XboardOutput::Move(best) => Said::Move(best),
                XboardOutput::Info(info) => Said::Info(info, String::new()),
                XboardOutput::Resign => Said::Resign,
                XboardOutput::Claim(text) => Said::Claim(text),
                XboardOutput::Refusal(text) => Said::Refusal(text),
                XboardOutput::Talk(text) => Said::Talk(text),
                XboardOutput::Pong(text) if player.engine.is_last_pong(&text) => Said::Ready,
                XboardOutput::Complaint(line) | XboardOutput::Pong(line) | XboardOutput::Other(line) => {
                    Said::Other(line)
                }
            }),
        })
    }

    /// When the last thing it said was taken from its pipe.
    pub fn read_at(&self) -> Instant {
        match self {
            Player::Uci(engine, _) => engine.read_at(),
            Player::Xboard(player) => player.engine.read_at(),
        }
    }

    /// What an option of that name is without being set.
    pub fn option_default(&self, name: &str) -> Option<&str> {
        let option = match self {
            Player::Uci(engine, _) => engine.option(name),
            Player::Xboard(player) => player.engine.option(name),
        };
        option?.default.as_deref()
    }

    /// Tells it to move at once.
    ///
    /// # Errors
    /// The process does not read.
    pub async fn stop(&mut self) -> Result<(), EngineError> {
        match self {
            Player::Uci(engine, _) => engine.send("stop").await,
            Player::Xboard(player) => player.engine.send("?").await,
        }
    }

    /// How long the answer to [`Player::stop`] may take.
    pub fn stop_limit(&self) -> Duration {
        match self {
            Player::Uci(engine, _) => engine.stop_limit(),
            Player::Xboard(player) => player.engine.stop_limit(),
        }
    }

    /// Tells it how the game ended, where the protocol has a word for that.
    ///
    /// # Errors
    /// The process does not read.
    pub async fn game_over(&mut self, result: &str) -> Result<(), EngineError> {
        match self {
            Player::Uci(..) => Ok(()),
            Player::Xboard(player) => player.engine.result(result).await,
        }
    }

    /// Moves that were announced without being asked for, since the last call.
    pub fn take_strays(&mut self) -> Vec<String> {
        match self {
            Player::Uci(engine, _) => engine.take_strays(),
            Player::Xboard(player) => player.engine.take_strays(),
        }
    }

    /// It speaks the XBoard protocol, where an engine sees one board and is told about the other.
    pub fn is_xboard(&self) -> bool {
        matches!(self, Player::Xboard(_))
    }

    /// Sends any line.
    ///
    /// # Errors
    /// The process does not read.
    pub async fn send(&mut self, line: &str) -> Result<(), EngineError> {
        match self {
            Player::Uci(engine, _) => engine.send(line).await,
            Player::Xboard(player) => player.engine.send(line).await,
        }
    }

    /// Ends the process in order; true when it ended by itself.
    pub async fn quit(self) -> bool {
        match self {
            Player::Uci(engine, _) => engine.quit().await,
            Player::Xboard(player) => player.engine.quit().await,
        }
    }

    /// The last lines exchanged, and behind `! ` those of its error output.
    pub fn post_mortem(&self) -> Vec<String> {
        let (mut lines, errors) = match self {
            Player::Uci(engine, _) => (engine.dialogue(), engine.error_output()),
            Player::Xboard(player) => (player.engine.dialogue(), player.engine.error_output()),
        };
        lines.extend(errors.into_iter().map(|line| format!("! {line}")));
        lines
    }
}

/// The line that brings a UCI engine to the position of a turn.
fn position(dialect: &Dialect, turn: &Turn<'_>) -> String {
    let [one, zero] = turn.moves;
    let moves = if dialect.base == RankBase::One { one } else { zero };
    let word = if dialect.bare_positions { "" } else { "position " };
    format!("{word}{}{moves}", turn.start)
}

impl XboardPlayer {
    /// Moves as this engine reads them.
    fn moves_out<'a>(&self, moves: &'a [String]) -> Cow<'a, [String]> {
        if self.arrow_is_a { moves.iter().map(|mv| with_arrow_a(mv)).collect() } else { Cow::Borrowed(moves) }
    }

    /// A FEN as this engine reads it.
    fn fen_out(&self, board: Board, fen: &str) -> String {
        match (board, fen.split_once(' ')) {
            (Board::One(Variant::Yangqi | Variant::YangqiNoSwap), Some((pieces, rest))) if self.arrow_is_a => {
                format!("{} {rest}", pieces.replace('V', "A").replace('v', "a"))
            }
            (Board::One(variant), _) => write_fen(variant, fen),
            (Board::Two, _) => fen.to_owned(),
        }
    }
}

/// A move with ChessV's letter for a promotion to arrow.
fn with_arrow_a(mv: &str) -> String {
    mv.strip_suffix('v').map_or_else(|| mv.to_owned(), |rest| format!("{rest}a"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_promotion_ends_in_a_letter() {
        assert_eq!([with_arrow_a("h8h9v"), with_arrow_a("a0a1")], ["h8h9a", "a0a1"]);
    }
}
