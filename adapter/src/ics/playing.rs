//! What players do in a match: moves, draws, taking back, resigning, breaking off.
use super::kind::Kind;
use super::matches::{ENGINE, Holder, Match, Offer, Request};
use super::play::Arrival;
use super::record::{self, Stored};
use super::server::{ClientId, MatchId, Server};
use crate::replay::values::{EndReason, Seat};
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, team_of};
use sanqi::games::{Move, Outcome};
use tokio::time::Instant;

/// An engine accepts a draw when its score is not above this, in centipawns.
const DRAW_SCORE: i32 = 0;

impl Server {
    /// The match that a player is in, and his seat.
    pub(super) fn seat_of(&self, id: ClientId) -> Option<(MatchId, Seat)> {
        let player = self.player(id)?;
        let game = player.playing?;
        Some((game, self.matches.get(&game)?.seat_of(&player.name)?))
    }

    /// The same when his board has not ended; otherwise he is told.
    fn running_seat(&mut self, id: ClientId) -> Option<(MatchId, Seat)> {
        let found = self.seat_of(id);
        let Some((game, seat)) = found else {
            self.tell(id, "You are not playing a game.");
            return None;
        };
        if self.matches.get(&game).is_none_or(|played| played.has_ended(seat.board())) {
            self.tell(id, "Your board has ended.");
            return None;
        }
        found
    }

    /// A move that a player has typed.
    pub(super) fn move_command(&mut self, id: ClientId, text: &str) {
        let Some((game, seat)) = self.running_seat(id) else { return };
        let Some(played) = self.matches.get(&game) else { return };
        if played.play.side(seat.board()) != seat.color() {
            return self.tell(id, "It is not your move.");
        }
        match played.parse(seat.board(), text) {
            Ok(mv) => self.make_move(game, seat.board(), mv),
            Err(why) => {
                // XBoard has shown the move already; the board again puts it right.
                self.tell(id, &format!("Illegal move ({text}): {why}."));
                self.show_board(id, game, seat.board(), None);
            }
        }
    }

    pub(super) fn make_move(&mut self, game: MatchId, board: BoardId, mv: Move) {
        let Some(played) = self.matches.get_mut(&game) else { return };
        let arrival = played.push(board, mv, Instant::now());
        self.show_to_all(game, board, None);
        if let Some(arrival) = arrival {
            self.show_arrival(game, arrival);
        }
        self.after_change(game, board);
        if let Some(arrival) = arrival {
            // What an engine thinks about has changed: it may drop the piece.
            self.ask_engine(game, Seat::of(arrival.board, arrival.side));
        }
        self.ask_engine_to_move(game, board);
        self.keep(game);
    }

    /// Shows a reserve that has grown (SX-2: perhaps that of a board that has ended).
    fn show_arrival(&mut self, game: MatchId, arrival: Arrival) {
        let Some(played) = self.matches.get(&game) else { return };
        if !played.has_ended(arrival.board) {
            // The board again before its reserves: XBoard takes reserves only once for each board.
            return self.show_to_all(game, arrival.board, Some(arrival));
        }
        let Some(line) = played.holdings_line(arrival.board, Some(arrival)) else { return };
        for id in self.audience(game, arrival.board) {
            self.tell(id, &line);
        }
    }

    /// After a board may have ended: announces that, and the end of the match.
    fn after_change(&mut self, game: MatchId, board: BoardId) {
        let Some(played) = self.matches.get_mut(&game) else { return };
        let Some(state) = played.boards.get_mut(board.index()) else { return };
        let Some(ending) = state.ending.clone() else { return };
        state.is_closed = true;
        let line = format!("{{{} {}}} {}", played.title(board), ending.text, ending.outcome);
        let is_over = played.is_over();
        let mut hearers = self.audience(game, board);
        hearers.extend(self.persons_here(game));
        hearers.sort_unstable();
        hearers.dedup();
        for id in hearers {
            self.tell(id, &line);
        }
        if is_over {
            self.finish(game);
        }
    }

    /// A match is over: it is saved, and its players are free.
    fn finish(&mut self, game: MatchId) {
        let Some(played) = self.matches.remove(&game) else { return };
        if let Some((score, outcome)) = played.play.score() {
            let team = |team: usize| {
                let seats = played.seats().filter(|seat| team_of(seat.board(), seat.color()) == team);
                seats.map(|seat| played.holder(seat).name().to_owned()).collect::<Vec<_>>().join(" and ")
            };
            let [one, two] = score;
            let line = format!("Match over: team 1 ({}) {one}, team 2 ({}) {two}: {outcome}", team(1), team(2));
            self.tell_names(&played.persons(), &line);
        }
        if let Some(text) = record::pgn(&played) {
            self.store.pgn(text);
        }
        match record::replay(&played) {
            Ok(None) => {}
            Ok(Some(replay)) => self.store.replay(&played.id, replay),
            Err(why) => log::error!("match {} is not saved: {why}", played.id),
        }
        self.store.forget(&played.id);
        self.release(game, &played);
    }

    /// Frees players, watchers and engines of a match that is no more.
    fn release(&mut self, game: MatchId, played: &Match) {
        self.robots.retain(|&(of, _), _| of != game);
        for client in self.clients.values_mut() {
            if let Some(player) = &mut client.player {
                if player.playing == Some(game) {
                    player.playing = None;
                }
                for board in &played.boards {
                    player.observing.remove(&board.game);
                }
            }
        }
    }

    /// The match is broken off for later, by `why`.
    pub(super) fn adjourn(&mut self, game: MatchId, why: &str) {
        let now = Instant::now();
        let Some(mut played) = self.matches.remove(&game) else { return };
        let is_begun = !played.turns.is_empty();
        let why = if is_begun { why.to_owned() } else { why.replace("adjourned", "aborted before the first move") };
        self.announce_break(game, &played, &why);
        played.pause(now);
        if is_begun {
            let stored = Stored::of(&played, now);
            self.store.keep(stored.clone());
            self.stored.insert(stored.id.clone(), stored);
        } else {
            self.store.forget(&played.id);
        }
        self.release(game, &played);
    }

    fn announce_break(&mut self, game: MatchId, played: &Match, why: &str) {
        for board in played.board_ids() {
            if played.has_ended(board) {
                continue;
            }
            let line = format!("{{{} {why}}} *", played.title(board));
            let number = played.board(board).map_or(0, |board| board.game);
            let hears = |p: &super::server::Player| p.playing == Some(game) || p.observing.contains(&number);
            let hearers: Vec<ClientId> = self
                .clients
                .iter()
                .filter(|(_, client)| client.player.as_ref().is_some_and(hears))
                .map(|(&id, _)| id)
                .collect();
            for id in hearers {
                self.tell(id, &line);
            }
        }
    }

    /// Stores a match as it stands.
    pub(super) fn keep(&mut self, game: MatchId) {
        if let Some(played) = self.matches.get(&game)
            && !played.turns.is_empty()
        {
            self.store.keep(Stored::of(played, Instant::now()));
        }
    }

    /// Ends boards whose time has run out.
    pub(super) fn drop_flags(&mut self) {
        let now = Instant::now();
        let games: Vec<MatchId> = self.matches.keys().copied().collect();
        for game in games {
            while let Some((board, side)) = self
                .matches
                .get(&game)
                .and_then(|played| played.next_flag())
                .filter(|&(at, ..)| at <= now)
                .map(|(_, board, side)| (board, side))
            {
                self.end_board(game, board, side, "forfeits on time", EndReason::Flag);
            }
        }
    }

    /// A board is lost for `loser`.
    pub(super) fn end_board(&mut self, game: MatchId, board: BoardId, loser: Color, how: &str, reason: EndReason) {
        let Some(played) = self.matches.get_mut(&game) else { return };
        let text = format!("{} {how}", played.holder(Seat::of(board, loser)).name());
        played.end(board, Outcome::Win(!loser), text, reason, Instant::now());
        for color in Color::ALL {
            self.stop_engine(game, Seat::of(board, color));
        }
        self.after_change(game, board);
        self.keep(game);
    }

    /// `resign`.
    pub(super) fn resign(&mut self, id: ClientId) {
        if let Some((game, seat)) = self.running_seat(id) {
            self.end_board(game, seat.board(), seat.color(), "resigns", EndReason::Resignation);
        }
    }

    /// `flag`.
    pub(super) fn flag(&mut self, id: ClientId) {
        self.drop_flags();
        if self.seat_of(id).is_some() {
            self.tell(id, "Your opponent is not out of time!");
        }
    }

    /// `draw`, perhaps with a move that it is offered with.
    pub(super) fn draw(&mut self, id: ClientId, rest: &str) {
        let Some((game, seat)) = self.running_seat(id) else { return };
        if !rest.is_empty() {
            self.move_command(id, rest);
        }
        if self.matches.get(&game).is_none_or(|played| played.has_ended(seat.board())) {
            return;
        }
        self.ask(id, game, seat, Request::Draw);
    }

    /// `takeback`.
    pub(super) fn ask_take_back(&mut self, id: ClientId, rest: &str) {
        let Some((game, seat)) = self.running_seat(id) else { return };
        let Some(played) = self.matches.get(&game) else { return };
        if played.kind == Kind::Supply2 {
            return self
                .tell(id, "On two boards nothing can be taken back: what was captured may be on the other board.");
        }
        let most = played.turns.len();
        match if rest.is_empty() { Ok(1) } else { rest.parse::<usize>() } {
            Ok(count) if (1..=most).contains(&count) => self.ask(id, game, seat, Request::TakeBack(count)),
            _ => self.tell(id, &format!("There are {most} half-moves to take back.")),
        }
    }

    /// `abort`.
    pub(super) fn ask_abort(&mut self, id: ClientId) {
        match self.seat_of(id) {
            Some((game, seat)) => self.ask(id, game, seat, Request::Abort),
            None => self.tell(id, "You are not playing a game."),
        }
    }

    /// `adjourn`.
    pub(super) fn ask_adjourn(&mut self, id: ClientId) {
        match self.seat_of(id) {
            Some((game, seat)) => self.ask(id, game, seat, Request::Adjourn),
            None => self.tell(id, "You are not playing a game."),
        }
    }

    /// Who has to agree to a request besides the one who makes it: the opponent to what concerns a board, everybody to what concerns
    /// the match.
    fn others(played: &Match, seat: Seat, request: Request) -> Vec<Seat> {
        let of_board = matches!(request, Request::Draw | Request::TakeBack(_));
        played.seats().filter(|&other| other != seat && (!of_board || other.board() == seat.board())).collect()
    }

    fn ask(&mut self, id: ClientId, game: MatchId, seat: Seat, request: Request) {
        let name = self.name(id);
        let Some(played) = self.matches.get(&game) else { return };
        let others = Self::others(played, seat, request);
        let persons: Vec<String> = others
            .iter()
            .filter_map(|&other| match played.holder(other) {
                Holder::Person(name) => Some(name.clone()),
                Holder::Engine => None,
            })
            .collect();
        if request == Request::Draw && persons.is_empty() && !self.engine_takes_draw(game, &others) {
            return self.tell(id, &format!("{ENGINE} declines the draw request."));
        }
        let Some(played) = self.matches.get_mut(&game) else { return };
        let is_same = |offer: &Offer| offer.request == request && offer.board == seat.board();
        let at_match = matches!(request, Request::Abort | Request::Adjourn);
        let found = played.offers.iter_mut().find(|o| o.request == request && at_match || is_same(o));
        let offer = match found {
            Some(offer) => offer,
            None => {
                // A new request of the same kind takes the place of the old one.
                let kind = std::mem::discriminant(&request);
                played
                    .offers
                    .retain(|o| std::mem::discriminant(&o.request) != kind || o.board != seat.board() && !at_match);
                played.offers.push(Offer { request, board: seat.board(), by: Vec::new() });
                let Some(offer) = played.offers.last_mut() else { return };
                offer
            }
        };
        if !offer.by.iter().any(|by| by.eq_ignore_ascii_case(&name)) {
            offer.by.push(name.clone());
        }
        let agreed = |person: &String| offer.by.iter().any(|by| by.eq_ignore_ascii_case(person));
        let missing: Vec<String> = persons.into_iter().filter(|person| !agreed(person)).collect();
        if missing.is_empty() {
            return self.grant(game, seat.board(), request);
        }
        let line = match request {
            Request::Draw => format!("{name} offers you a draw."),
            Request::TakeBack(count) => format!("{name} would like to take back {count} half move(s)."),
            Request::Abort => format!("{name} would like to abort the game; type \"abort\" to accept."),
            Request::Adjourn => format!("{name} would like to adjourn the game; type \"adjourn\" to accept."),
        };
        self.tell_names(&missing, &line);
        let what = match request {
            Request::Draw => "Draw",
            Request::TakeBack(_) => "Takeback",
            Request::Abort => "Abort",
            Request::Adjourn => "Adjourn",
        };
        self.tell(id, &format!("{what} request sent to {}.", missing.join(", ")));
    }

    fn engine_takes_draw(&self, game: MatchId, others: &[Seat]) -> bool {
        others.iter().all(|&seat| {
            self.robots.get(&(game, seat)).is_some_and(|engine| engine.score.is_some_and(|score| score <= DRAW_SCORE))
        })
    }

    fn grant(&mut self, game: MatchId, board: BoardId, request: Request) {
        let now = Instant::now();
        match request {
            Request::Draw => {
                let Some(played) = self.matches.get_mut(&game) else { return };
                let text = "Game drawn by mutual agreement".to_owned();
                played.end(board, Outcome::Draw, text, EndReason::Agreement, now);
                for color in Color::ALL {
                    self.stop_engine(game, Seat::of(board, color));
                }
                self.after_change(game, board);
                self.keep(game);
            }
            Request::TakeBack(count) => {
                for color in Color::ALL {
                    self.stop_engine(game, Seat::of(board, color));
                }
                let Some(played) = self.matches.get_mut(&game) else { return };
                played.take_back(count, now);
                self.show_to_all(game, board, None);
                self.ask_engine_to_move(game, board);
                self.keep(game);
            }
            Request::Abort => {
                let Some(played) = self.matches.remove(&game) else { return };
                self.announce_break(game, &played, "Game aborted by mutual agreement");
                self.store.forget(&played.id);
                self.release(game, &played);
            }
            Request::Adjourn => self.adjourn(game, "Game adjourned by mutual agreement"),
        }
    }

    /// A request of another player that waits for this one; of `from`, if that is not empty.
    pub(super) fn open_request(&self, id: ClientId, from: &str) -> Option<Request> {
        let (game, seat) = self.seat_of(id)?;
        let name = self.name(id);
        let played = self.matches.get(&game)?;
        let is_by = |offer: &&Offer, who: &str| offer.by.iter().any(|by| by.eq_ignore_ascii_case(who));
        let concerns =
            |offer: &&Offer| offer.board == seat.board() || matches!(offer.request, Request::Abort | Request::Adjourn);
        let mut open = played.offers.iter().filter(|o| concerns(o) && !is_by(o, &name));
        open.find(|offer| from.is_empty() || is_by(offer, from)).map(|offer| offer.request)
    }

    /// Declines what [`Server::open_request`] finds.
    pub(super) fn decline_request(&mut self, id: ClientId, from: &str) {
        let Some(request) = self.open_request(id, from) else { return };
        let Some((game, _)) = self.seat_of(id) else { return };
        let name = self.name(id);
        let Some(played) = self.matches.get_mut(&game) else { return };
        let mut askers = Vec::new();
        played.offers.retain(|offer| {
            offer.request != request || {
                askers.extend(offer.by.clone());
                false
            }
        });
        let what = match request {
            Request::Draw => "draw",
            Request::TakeBack(_) => "takeback",
            Request::Abort => "abort",
            Request::Adjourn => "adjourn",
        };
        self.tell_names(&askers, &format!("{name} declines the {what} request."));
        self.tell(id, &format!("You decline the {what} request."));
    }

    /// Takes back a player's requests in his match.
    pub(super) fn withdraw_requests(&mut self, id: ClientId) {
        let name = self.name(id);
        if let Some((game, _)) = self.seat_of(id)
            && let Some(played) = self.matches.get_mut(&game)
        {
            played.offers.retain(|offer| offer.by.first().is_none_or(|by| !by.eq_ignore_ascii_case(&name)));
        }
    }
}
