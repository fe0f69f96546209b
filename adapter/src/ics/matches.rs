//! A match in progress: boards, seats, clocks, offers. It knows nothing of connections, and times come in from outside.
use super::clock::{Clock, Control};
use super::kind::Kind;
use super::play::{Arrival, Play};
use super::view::{About, MoveText};
use crate::replay::values::{EndReason, Moment, Seat};
use crate::runner::referee::Verdict;
use sanqi::board::Color;
use sanqi::games::supply::team::BoardId;
use sanqi::games::{Game, Move, Outcome, RankBase};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::Instant;

/// The name that the engine plays under.
pub(super) const ENGINE: &str = "engine";

/// Who holds a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Holder {
    /// The engine.
    Engine,
    /// A person, or a program that has logged in like one.
    Person(String),
}

impl Holder {
    /// The name.
    pub(super) fn name(&self) -> &str {
        match self {
            Holder::Engine => ENGINE,
            Holder::Person(name) => name,
        }
    }

    /// Whether it is the person of that name.
    pub(super) fn is(&self, name: &str) -> bool {
        matches!(self, Holder::Person(own) if own.eq_ignore_ascii_case(name))
    }
}

/// How a board ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) outcome: Outcome,
    /// As it is announced: `bob forfeits on time`.
    pub(super) text: String,
    /// What ended it from outside; `None` when the rules did.
    pub(super) reason: Option<EndReason>,
    /// Since the start of the match.
    pub(super) at: Duration,
    /// Turns of all boards before it.
    pub(super) after: usize,
}

/// A turn that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Turn {
    /// The move as engines are told it.
    pub(super) word: String,
    /// Milliseconds of thought.
    pub(super) thought: u64,
    /// Milliseconds left on the mover's clock afterwards, increment included.
    pub(super) left: u64,
    /// Milliseconds since the start of the match.
    pub(super) at: u64,
}

/// One board of a match.
#[derive(Debug, Clone)]
pub(super) struct Board {
    /// The number of the game on the server.
    pub(super) game: u32,
    pub(super) clock: Clock,
    pub(super) moves: Vec<MoveText>,
    pub(super) ending: Option<Ending>,
    /// Its end has been announced. Until then its players are shown it as one that they play on, or XBoard would take the last board for
    /// another game that it is to watch.
    pub(super) is_closed: bool,
}

/// What a player may ask the others for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// A draw of one board.
    Draw,
    /// To take back so many half-moves.
    TakeBack(usize),
    /// To break the match off for good.
    Abort,
    /// To break it off and go on later.
    Adjourn,
}

impl Request {
    /// What it is called.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Request::Draw => "Draw",
            Request::TakeBack(_) => "Takeback",
            Request::Abort => "Abort",
            Request::Adjourn => "Adjourn",
        }
    }
}

/// A request that waits for agreement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) request: Request,
    /// That of the player who asked.
    pub(super) board: BoardId,
    /// The persons who have to agree.
    pub(super) asked: Vec<String>,
    /// Who has agreed, the one who asked first.
    pub(super) by: Vec<String>,
}

impl Offer {
    /// Whether it concerns the match and not one board.
    pub(super) const fn is_of_match(&self) -> bool {
        matches!(self.request, Request::Abort | Request::Adjourn)
    }

    /// Whether two offers ask for the same.
    pub(super) fn is_same(&self, other: &Offer) -> bool {
        self.request == other.request && (self.board == other.board || self.is_of_match())
    }

    /// Whether somebody has made it or agreed to it.
    pub(super) fn is_by(&self, name: &str) -> bool {
        self.by.iter().any(|by| by.eq_ignore_ascii_case(name))
    }
}

/// A match.
#[derive(Debug, Clone)]
pub(super) struct Match {
    /// The name of its files.
    pub(super) id: String,
    pub(super) kind: Kind,
    pub(super) control: Control,
    /// By [`Seat`]; one board uses the first two.
    pub(super) holders: [Holder; 4],
    pub(super) boards: Vec<Board>,
    pub(super) play: Play,
    pub(super) turns: Vec<Turn>,
    pub(super) started: Moment,
    /// Time of play before the last interruption, and its end.
    played: Duration,
    since: Option<Instant>,
    pub(super) offers: Vec<Offer>,
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Match {
    /// A match that has not begun. `games` are the numbers of its boards.
    pub(super) fn new(id: String, kind: Kind, control: Control, holders: [Holder; 4], games: [u32; 2]) -> Match {
        let board =
            |game| Board { game, clock: Clock::new(control), moves: Vec::new(), ending: None, is_closed: false };
        Match {
            id,
            kind,
            control,
            holders,
            boards: games.into_iter().take(kind.boards()).map(board).collect(),
            play: Play::new(kind),
            turns: Vec::new(),
            started: Moment::now(),
            played: Duration::ZERO,
            since: None,
            offers: Vec::new(),
        }
    }

    /// Goes on with the time of play of a stored match.
    pub(super) fn set_played(&mut self, played: Duration) {
        self.played = played;
    }

    /// The boards' ids.
    pub(super) fn board_ids(&self) -> impl Iterator<Item = BoardId> + use<> {
        BoardId::ALL.into_iter().take(self.kind.boards())
    }

    /// A board.
    pub(super) fn board(&self, board: BoardId) -> Option<&Board> {
        self.boards.get(board.index())
    }

    /// The board with that number of a game.
    pub(super) fn board_of_game(&self, game: u32) -> Option<BoardId> {
        self.board_ids().find(|&id| self.board(id).is_some_and(|board| board.game == game))
    }

    /// The seats that are used.
    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::ALL.into_iter().take(2 * self.kind.boards())
    }

    /// Who holds a seat.
    pub(super) fn holder(&self, seat: Seat) -> &Holder {
        let [red1, black1, red2, black2] = &self.holders;
        match seat {
            Seat::Red1 => red1,
            Seat::Black1 => black1,
            Seat::Red2 => red2,
            Seat::Black2 => black2,
        }
    }

    /// The seat of a person.
    pub(super) fn seat_of(&self, name: &str) -> Option<Seat> {
        self.seats().find(|&seat| self.holder(seat).is(name))
    }

    /// The persons in it.
    pub(super) fn persons(&self) -> Vec<String> {
        let name = |seat| match self.holder(seat) {
            Holder::Person(name) => Some(name.clone()),
            Holder::Engine => None,
        };
        self.seats().filter_map(name).collect()
    }

    /// White and Black of a board.
    pub(super) fn players(&self, board: BoardId) -> [&str; 2] {
        Color::ALL.map(|color| self.holder(Seat::of(board, color)).name())
    }

    /// `Game 1 (alice vs. bob)`.
    pub(super) fn title(&self, board: BoardId) -> String {
        let [white, black] = self.players(board);
        format!("Game {} ({white} vs. {black})", self.board(board).map_or(0, |board| board.game))
    }

    /// Since the start of the match, interruptions left out.
    pub(super) fn time(&self, now: Instant) -> Duration {
        self.played + self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Starts or goes on with the clocks.
    pub(super) fn start(&mut self, now: Instant) {
        self.since = Some(now);
        for id in self.board_ids() {
            self.start_clock(id, now);
        }
    }

    fn start_clock(&mut self, id: BoardId, now: Instant) {
        let side = self.play.side(id);
        // On one board nobody's time runs before both have made a move. On two, time on one board is time on the other.
        let free = if self.kind == Kind::Supply2 { 0 } else { 2 };
        if let Some(board) = self.boards.get_mut(id.index()).filter(|board| board.ending.is_none()) {
            board.clock.start(side, board.moves.len() >= free, now);
        }
    }

    /// Stops all clocks.
    pub(super) fn pause(&mut self, now: Instant) {
        self.played = self.time(now);
        self.since = None;
        for board in &mut self.boards {
            board.clock.stop(now);
        }
        self.offers.clear();
    }

    /// True when all boards have ended.
    pub(super) fn is_over(&self) -> bool {
        self.boards.iter().all(|board| board.ending.is_some())
    }

    /// True when a board has ended.
    pub(super) fn has_ended(&self, board: BoardId) -> bool {
        self.board(board).is_none_or(|board| board.ending.is_some())
    }

    /// Reads a move of the side to move, as XBoard or a person writes it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(&self, board: BoardId, text: &str) -> Result<Move, String> {
        // `e2-e4`, `a8a9=R`; and on a board where nothing but stones is placed, the point alone.
        let mut plain = text.replace(['-', '='], "");
        if self.kind == Kind::Fangqi && !plain.contains('@') {
            plain = format!("P@{plain}");
        }
        self.play.parse(board, &plain, self.kind.base())
    }

    /// Plays a legal move of the side to move; gives the piece that crosses to the other board.
    pub(super) fn push(&mut self, id: BoardId, mv: Move, now: Instant) -> Option<Arrival> {
        let side = self.play.side(id);
        let word = self.play.word(id, mv);
        let text = self.play.text(id, mv, self.kind.base());
        let before = self.play.view(id);
        let arrival = self.play.push(id, mv);
        let at = milliseconds(self.time(now));
        let offset = self.kind.base().offset();
        if let Some(board) = self.boards.get_mut(id.index()) {
            let elapsed = board.clock.punch(side, now);
            board.moves.push(MoveText::new(&before, &text, offset, elapsed));
            let left = milliseconds(board.clock.left(side, now));
            self.turns.push(Turn { word, thought: milliseconds(elapsed), left, at });
        }
        // A move answers what the opponent has offered on this board; an own offer of a draw stands.
        let mover = self.holder(Seat::of(id, side)).name().to_owned();
        self.offers.retain(|offer| match offer.request {
            Request::Abort | Request::Adjourn => true,
            Request::Draw => offer.board != id || offer.by.first() == Some(&mover),
            Request::TakeBack(_) => offer.board != id,
        });
        let result = self.play.result(id);
        match Verdict::of_result(self.kind.board(), result) {
            None => self.start_clock(id, now),
            Some(verdict) => self.note(id, verdict.outcome, verdict.text, None, now),
        }
        arrival
    }

    /// Plays a turn of a stored match.
    ///
    /// # Errors
    /// It is not legal.
    pub(super) fn replay(&mut self, turn: Turn, now: Instant) -> Result<(), String> {
        let (id, mv) = self.play.parse_word(&turn.word)?;
        if self.has_ended(id) {
            return Err(format!("`{}` follows the end of its board", turn.word));
        }
        let side = self.play.side(id);
        self.push(id, mv, now);
        if let Some(board) = self.boards.get_mut(id.index()) {
            board.clock.stop(now);
            board.clock.set(side, Duration::from_millis(turn.left));
            if let Some(last) = board.moves.last_mut() {
                last.elapsed = Duration::from_millis(turn.thought);
            }
        }
        if let Some(last) = self.turns.last_mut() {
            *last = turn;
        }
        Ok(())
    }

    fn note(&mut self, id: BoardId, outcome: Outcome, text: String, reason: Option<EndReason>, now: Instant) {
        let (at, after) = (self.time(now), self.turns.len());
        if let Some(board) = self.boards.get_mut(id.index()) {
            board.clock.stop(now);
            board.ending = Some(Ending { outcome, text, reason, at, after });
        }
        self.offers.retain(|offer| offer.board != id || offer.is_of_match());
    }

    /// Ends a board from outside (SX-6); the other board, if there is one, plays on.
    pub(super) fn end(&mut self, id: BoardId, outcome: Outcome, text: String, reason: EndReason, now: Instant) {
        if !self.has_ended(id) {
            self.play.end(id, outcome);
            self.note(id, outcome, text, Some(reason), now);
        }
    }

    /// Puts an ending of a stored match back.
    pub(super) fn restore(&mut self, id: BoardId, ending: Ending) {
        self.play.end(id, ending.outcome);
        if let Some(board) = self.boards.get_mut(id.index()) {
            board.ending = Some(ending);
            board.is_closed = true;
        }
    }

    /// The match without the last half-moves of a board, whose time is given back too. What they captured leaves the reserves of the
    /// other board.
    ///
    /// # Errors
    /// The other board would not have gone as it did.
    pub(super) fn without_last(&self, id: BoardId, count: usize, now: Instant) -> Result<Match, String> {
        let kept = self.board(id).map_or(0, |board| board.moves.len()).saturating_sub(count);
        // From the start in one go: what captures have brought to the other board has to be followed anyway.
        let mut next = Match { play: Play::new(self.kind), turns: Vec::new(), ..self.clone() };
        for board in &mut next.boards {
            board.moves.clear();
            board.ending = None;
        }
        let mut left = [self.control.initial(); 2];
        for index in 0..=self.turns.len() {
            for other in self.board_ids() {
                let ending = self.board(other).and_then(|board| board.ending.clone());
                if let Some(ending) = ending.filter(|ending| ending.reason.is_some() && ending.after == index) {
                    next.restore(other, Ending { after: next.turns.len(), ..ending });
                }
            }
            let Some(turn) = self.turns.get(index) else { break };
            let is_own = self.kind.boards() == 1 || turn.word.starts_with(&id.to_string());
            let played = next.board(id).map_or(0, |board| board.moves.len());
            if is_own && played == kept {
                continue;
            }
            if is_own && let Some(time) = left.get_mut(played % 2) {
                *time = Duration::from_millis(turn.left);
            }
            if next.replay(turn.clone(), now).is_err() {
                let at = next.board(id.other()).map_or(0, |board| board.moves.len());
                let mv = self.board(id.other()).and_then(|board| board.moves.get(at)).map_or("", |mv| &mv.short);
                return Err(format!(
                    "That cannot be taken back: what was captured has been used on the other board ({mv})."
                ));
            }
        }
        for other in self.board_ids().filter(|&other| other != id) {
            if next.has_ended(other) != self.has_ended(other) {
                return Err("That cannot be taken back: the other board depends on what was captured.".to_owned());
            }
        }
        for (new, old) in next.boards.iter_mut().zip(&self.boards) {
            new.clock = old.clock.clone();
            if let (Some(ending), Some(old)) = (&mut new.ending, &old.ending) {
                ending.at = old.at;
            }
        }
        if let Some(board) = next.boards.get_mut(id.index()) {
            board.clock = Clock::resumed(self.control, left);
        }
        next.offers = self.offers.clone();
        next.offers.retain(|offer| offer.board != id || offer.is_of_match());
        next.start_clock(id, now);
        Ok(next)
    }

    /// Whether reserves of the other board change with what [`Match::without_last`] takes back.
    pub(super) fn lends_to_other(&self, id: BoardId, next: &Match) -> bool {
        self.kind.boards() == 2 && self.play.fen(id.other()) != next.play.fen(id.other())
    }

    /// The `<12>` line of a board. `relation` is that of the reader: his seat, or none when he observes.
    pub(super) fn board_line(&self, id: BoardId, reader: Option<Seat>, milliseconds: bool, now: Instant) -> String {
        let Some(board) = self.board(id) else { return String::new() };
        let side = self.play.side(id);
        let own = reader.filter(|seat| seat.board() == id && !board.is_closed).map(Seat::color);
        let about = About {
            game: board.game,
            players: self.players(id),
            relation: own.map_or(0, |color| if color == side { 1 } else { -1 }),
            minutes: self.control.minutes,
            increment: self.control.increment,
            left: Color::ALL.map(|color| board.clock.left(color, now)),
            last: board.moves.last(),
            flipped: own == Some(Color::Black),
            ticking: board.clock.is_running(),
            milliseconds,
        };
        self.play.view(id).board_line(&about)
    }

    /// The `<b1>` line of a board; nothing in games without pieces in hand.
    pub(super) fn holdings_line(&self, id: BoardId, arrival: Option<Arrival>) -> Option<String> {
        let arrived = arrival.filter(|arrival| arrival.board == id).map(|arrival| (arrival.side, arrival.letter));
        let game = self.board(id)?.game;
        self.kind.has_holdings().then(|| self.play.view(id).holdings_line(game, arrived))
    }

    /// What an engine is told with `position`.
    pub(super) fn position(&self) -> String {
        let mut text = "startpos".to_owned();
        if !self.turns.is_empty() {
            text.push_str(" moves");
        }
        for turn in &self.turns {
            text.push(' ');
            text.push_str(&turn.word);
        }
        for id in self.board_ids() {
            if let Some(ending) = self.board(id).and_then(|board| board.ending.as_ref())
                && ending.reason.is_some()
                && self.kind == Kind::Supply2
            {
                text.push_str(&format!(" over {id} {}", ending.outcome));
            }
        }
        text
    }

    /// The next flag that falls: when, on which board, whose.
    pub(super) fn next_flag(&self) -> Option<(Instant, BoardId, Color)> {
        let flag = |id| self.board(id)?.clock.flag_at().map(|(at, side)| (at, id, side));
        self.board_ids().filter_map(flag).min_by_key(|&(at, ..)| at)
    }

    /// The same moves for an engine that counts ranks from 0.
    pub(super) fn position_from(&self, base: RankBase) -> String {
        match (&self.play, base) {
            (Play::One(game), RankBase::Zero) => {
                let mut text = "startpos".to_owned();
                let mut board = Game::new(game.variant());
                for (index, &mv) in game.moves().iter().enumerate() {
                    text.push_str(if index == 0 { " moves " } else { " " });
                    text.push_str(&board.move_text(mv, base));
                    board.push(mv);
                }
                text
            }
            _ => self.position(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(kind: Kind, begin: Instant) -> Match {
        let person = |name: &str| Holder::Person(name.to_owned());
        let holders = [person("ann"), person("bob"), Holder::Engine, Holder::Engine];
        let mut played = Match::new("x".to_owned(), kind, Control { minutes: 1, increment: 0 }, holders, [4, 6]);
        played.start(begin);
        played
    }

    fn play(played: &mut Match, board: BoardId, moves: &[(&str, Instant)]) {
        for &(text, now) in moves {
            let mv = played.parse(board, text).unwrap();
            played.push(board, mv, now);
        }
    }

    #[test]
    fn moves_that_are_taken_back_cost_no_time() {
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        let mut played = start(Kind::Fangqi, begin);
        assert_eq!(played.next_flag(), None);
        play(&mut played, BoardId::One, &[("d4", begin), ("d5", begin), ("c4", after(20)), ("c5", after(50))]);
        assert_eq!(played.next_flag(), Some((after(90), BoardId::One, Color::White)));
        played = played.without_last(BoardId::One, 1, after(60)).unwrap();
        // Black has his thirty seconds again, White those that he thought after the move that is gone.
        assert_eq!(played.position(), "startpos moves P@d4 P@d5 P@c4");
        assert_eq!(played.next_flag(), Some((after(120), BoardId::One, Color::Black)));
        played = played.without_last(BoardId::One, 3, after(60)).unwrap();
        assert_eq!((played.position().as_str(), played.next_flag()), ("startpos", None));
    }

    /// On two boards the captured pieces go back from the reserves of the other board, unless they have been used there.
    #[test]
    fn what_was_captured_goes_back() {
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        let mut played = start(Kind::Supply2, begin);
        play(&mut played, BoardId::One, &[("h2h9", after(2)), ("i9h9", after(5))]);
        play(&mut played, BoardId::Two, &[("h2e2", after(6))]);
        assert!(played.play.fen(BoardId::Two).contains("[Cn]"), "{}", played.play.fen(BoardId::Two));
        let next = played.without_last(BoardId::One, 1, after(7)).unwrap();
        assert!(played.lends_to_other(BoardId::One, &next) && next.play.fen(BoardId::Two).contains("[n]"));
        assert_eq!(next.position(), "startpos moves 1h3h10 2h3e3");
        // Black has its three seconds again; the other board's clock ran all the time.
        assert_eq!(next.next_flag(), Some((after(66), BoardId::Two, Color::Black)));
        let before = next.without_last(BoardId::Two, 1, after(7)).unwrap();
        assert!(!next.lends_to_other(BoardId::Two, &before));
        // Black drops the horse that Red has captured on board 1.
        play(&mut played, BoardId::Two, &[("N@a5", after(8))]);
        let why = played.without_last(BoardId::One, 2, after(9)).unwrap_err();
        assert_eq!(why, "That cannot be taken back: what was captured has been used on the other board (N@a5).");
        assert!(played.without_last(BoardId::One, 1, after(9)).is_ok());
        // A board that has ended keeps its end, which comes after fewer turns.
        played.end(BoardId::Two, Outcome::Draw, "x".to_owned(), EndReason::Agreement, after(10));
        let next = played.without_last(BoardId::One, 1, after(11)).unwrap();
        let ending = next.board(BoardId::Two).unwrap().ending.clone().unwrap();
        assert_eq!(
            (ending.after, ending.at, next.position().as_str()),
            (3, Duration::from_secs(10), "startpos moves 1h3h10 2h3e3 2N@a6 over 2 1/2-1/2")
        );
    }

    /// SX-6: what ends a board from outside leaves the other one running.
    #[test]
    fn boards_end_one_by_one() {
        let begin = Instant::now();
        let mut played = start(Kind::Supply2, begin);
        let flag = begin + Duration::from_secs(60);
        assert_eq!(played.next_flag(), Some((flag, BoardId::One, Color::White)));
        let text = "ann forfeits on time".to_owned();
        played.end(BoardId::One, Outcome::Win(Color::Black), text, EndReason::Flag, flag);
        assert_eq!(played.next_flag(), Some((flag, BoardId::Two, Color::White)));
        assert!(played.has_ended(BoardId::One) && !played.is_over());
        assert_eq!(played.position(), "startpos over 1 0-1");
        assert_eq!((played.board_of_game(6), played.seat_of("BOB")), (Some(BoardId::Two), Some(Seat::Black1)));
    }
}
