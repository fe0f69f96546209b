//! The engine's part in matches: which seats it takes, when it is asked, what becomes of its answers.
use super::clock::Clock;
use super::kind::Kind;
use super::matches::{Holder, Match, milliseconds};
use super::robot::{Ask, Report, Robot, Setup, Think};
use super::server::{EngineSeat, MatchId, Server};
use crate::engine::Limits;
use crate::replay::values::{EndReason, Seat};
use sanqi::board::Color;
use sanqi::games::supply::team::BoardId;
use sanqi::games::{Move, RankBase};
use std::time::Duration;
use tokio::time::Instant;

/// How much later than its clock or its limit an engine may answer before it counts as hanging.
const MARGIN: Duration = Duration::from_secs(10);
/// The same when neither clock nor time limits it.
const LONGEST: Duration = Duration::from_secs(3600);

impl Server {
    /// Gives the engine the seats of a match that nobody holds.
    ///
    /// # Errors
    /// There would be too many.
    pub(super) fn take_engine_seats(&mut self, game: MatchId, played: &Match) -> Result<(), String> {
        let seats: Vec<Seat> = played.seats().filter(|&seat| *played.holder(seat) == Holder::Engine).collect();
        has_engines(seats.len(), self.robots.len(), self.options.engines)?;
        for seat in seats {
            let (launch, options) = (self.options.launch(), self.options.engine_options());
            let setup = Setup { launch, kind: played.kind, options };
            let robot = Robot::start(setup, self.events(), game, seat);
            let engine = EngineSeat { robot, ticket: 0, is_thinking: false, failures: 0, score: None };
            self.robots.insert((game, seat), engine);
        }
        Ok(())
    }

    /// Asks the engines that are to move.
    pub(super) fn ask_engines(&mut self, game: MatchId) {
        for board in BoardId::ALL {
            self.ask_engine_to_move(game, board);
        }
    }

    pub(super) fn ask_engine_to_move(&mut self, game: MatchId, board: BoardId) {
        if let Some(played) = self.matches.get(&game).filter(|played| played.board(board).is_some()) {
            let seat = Seat::of(board, played.play.side(board));
            self.ask_engine(game, seat);
        }
    }

    /// Asks the engine on a seat for its move, if it is there and to move. What it was thinking about before is taken back.
    pub(super) fn ask_engine(&mut self, game: MatchId, seat: Seat) {
        let Some(played) = self.matches.get(&game) else { return };
        let board = seat.board();
        let Some(state) = played.board(board).filter(|state| state.ending.is_none()) else { return };
        if played.play.side(board) != seat.color() || *played.holder(seat) != Holder::Engine {
            return;
        }
        let now = Instant::now();
        let mut limits = self.options.limits(played.control.is_untimed());
        let mut patience = limits.move_time.map_or(LONGEST, |ms| Duration::from_millis(ms) + MARGIN);
        if !played.control.is_untimed() {
            let left = |clock: &Clock| Color::ALL.map(|side| milliseconds(clock.left(side, now)).max(1));
            let increment = u64::from(played.control.increment) * 1000;
            limits.clocks = Some(left(&state.clock));
            limits.increments = [increment, increment];
            let [white, black] = left(&state.clock);
            let own = if seat.color() == Color::White { white } else { black };
            patience = patience.min(Duration::from_millis(own) + MARGIN);
        }
        let go = go_line(played, board, &limits, now);
        let positions = [played.position_from(RankBase::One), played.position_from(RankBase::Zero)];
        self.next_ticket += 1;
        let ticket = self.next_ticket;
        if let Some(engine) = self.robots.get_mut(&(game, seat)) {
            engine.ticket = ticket;
            engine.is_thinking = true;
            engine.robot.ask(Ask::Think(Box::new(Think { ticket, positions, go, patience })));
        }
    }

    /// Lets the engines of a board think no more.
    pub(super) fn stop_engines(&mut self, game: MatchId, board: BoardId) {
        for color in Color::ALL {
            if let Some(engine) = self.robots.get_mut(&(game, Seat::of(board, color)))
                && std::mem::take(&mut engine.is_thinking)
            {
                engine.robot.ask(Ask::Stop);
            }
        }
    }

    /// An engine has answered.
    pub(super) fn robot_reports(&mut self, game: MatchId, seat: Seat, report: Report) {
        let ticket = match &report {
            Report::Talk(words) => {
                let words = words.clone();
                return self.engine_talks(game, seat, &words);
            }
            Report::Move { ticket, .. } | Report::Failed { ticket, .. } => *ticket,
        };
        // An answer to a request that was taken back.
        let Some(engine) = self.robots.get_mut(&(game, seat)).filter(|e| e.is_thinking && e.ticket == ticket) else {
            return;
        };
        engine.is_thinking = false;
        let Some(played) = self.matches.get(&game) else { return };
        let (why, reason) = match report {
            Report::Talk(_) => return,
            Report::Move { text, base, score, .. } => match parse_engine_move(played, seat.board(), &text, base) {
                Ok(mv) => {
                    engine.failures = 0;
                    engine.score = score.or(engine.score);
                    return self.make_move(game, seat.board(), mv);
                }
                Err(why) => (why, EndReason::IllegalMove),
            },
            Report::Failed { why, .. } => (why, EndReason::Disconnection),
        };
        log::warn!("the engine of {}: {why}", played.title(seat.board()));
        engine.failures += 1;
        if engine.failures < 2 {
            // With a process of its own, once more.
            self.ask_engine(game, seat);
        } else {
            let how =
                if reason == EndReason::IllegalMove { "makes an illegal move" } else { "forfeits by disconnection" };
            self.end_board(game, seat.board(), seat.color(), how, reason);
        }
    }
}

/// Whether `wanted` seats more can be given to engines, when so many of all are `taken`.
///
/// # Errors
/// There would be too many.
pub(crate) fn has_engines(wanted: usize, taken: usize, all: usize) -> Result<(), String> {
    match all.saturating_sub(taken) {
        free if free >= wanted => Ok(()),
        0 => Err(format!("No engine is free: {taken} of {all} seats are taken.")),
        free => Err(format!("{wanted} engines are wanted, {free} of {all} are free.")),
    }
}

/// A move as an engine writes it; with two boards the number of its board stands in front.
fn parse_engine_move(played: &Match, board: BoardId, text: &str, base: RankBase) -> Result<Move, String> {
    if played.kind != Kind::Supply2 {
        return played.play.parse(board, text, base);
    }
    match played.play.parse_word(text)? {
        (of, mv) if of == board => Ok(mv),
        _ => Err(format!("`{text}` is for another board")),
    }
}

/// The `go` line; with two boards it names the board, and the clocks of the other one.
fn go_line(played: &Match, board: BoardId, limits: &Limits, now: Instant) -> String {
    let line = limits.go();
    if played.kind != Kind::Supply2 {
        return line;
    }
    let line = line.replacen("go", &format!("go board {board}"), 1);
    match played.board(board.other()).filter(|other| limits.clocks.is_some() && other.ending.is_none()) {
        None => line,
        Some(other) => {
            let [white, black] = Color::ALL.map(|side| milliseconds(other.clock.left(side, now)).max(1));
            format!("{line} wtime2 {white} btime2 {black}")
        }
    }
}
