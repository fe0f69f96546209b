//! What players ask of each other in a match: draws, taking back, breaking off.
use super::command;
use super::hall::is_number;
use super::matches::{ENGINE, Holder, Offer, Request};
use super::server::{ClientId, MatchId, Server};
use crate::replay::values::{EndReason, Seat};
use sanqi::games::Outcome;
use tokio::time::Instant;

/// An engine accepts a draw when its score is not above this, in centipawns.
const DRAW_SCORE: i32 = 0;

impl Server {
    /// `draw`, perhaps with a move that it is offered with: XBoard sends both on one line, and the move once more by itself.
    pub(super) fn draw(&mut self, id: ClientId, rest: &str) {
        let Some((game, seat)) = self.running_seat(id) else { return };
        if !rest.is_empty() && !command::is_move(rest) {
            return self.tell(id, &format!("{rest} is no move; a draw is not offered."));
        }
        if !rest.is_empty() && !self.move_command(id, rest) {
            return;
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
        let most = played.board(seat.board()).map_or(0, |board| board.moves.len());
        if !rest.is_empty() && !is_number(rest) {
            return self.tell(id, &format!("{rest} is no number of half-moves."));
        }
        let count = if rest.is_empty() { Ok(1) } else { rest.parse::<usize>() };
        let Some(count) = count.ok().filter(|count| (1..=most).contains(count)) else {
            return self.tell(id, &format!("There are {most} half-moves to take back."));
        };
        match played.without_last(seat.board(), count, Instant::now()) {
            Ok(_) => self.ask(id, game, seat, Request::TakeBack(count)),
            Err(why) => self.tell(id, &why),
        }
    }

    /// `abort`.
    pub(super) fn ask_abort(&mut self, id: ClientId) {
        self.ask_break(id, Request::Abort);
    }

    /// `adjourn`.
    pub(super) fn ask_adjourn(&mut self, id: ClientId) {
        self.ask_break(id, Request::Adjourn);
    }

    fn ask_break(&mut self, id: ClientId, request: Request) {
        match self.seat_of(id) {
            Some((game, seat)) => self.ask(id, game, seat, request),
            None => self.tell(id, "You are not playing a game."),
        }
    }

    /// Who has to agree to a request besides the one who makes it: the opponent to what concerns a board, everybody to what concerns the
    /// match, or takes a piece away from the other board.
    fn others(&self, game: MatchId, seat: Seat, request: Request) -> Vec<Seat> {
        let Some(played) = self.matches.get(&game) else { return Vec::new() };
        let is_of_board = match request {
            Request::Draw => true,
            Request::TakeBack(count) => played
                .without_last(seat.board(), count, Instant::now())
                .is_ok_and(|next| !played.lends_to_other(seat.board(), &next)),
            Request::Abort | Request::Adjourn => false,
        };
        played.seats().filter(|&other| other != seat && (!is_of_board || other.board() == seat.board())).collect()
    }

    fn ask(&mut self, id: ClientId, game: MatchId, seat: Seat, request: Request) {
        let others = self.others(game, seat, request);
        let Some(played) = self.matches.get(&game) else { return };
        let person = |&other: &Seat| match played.holder(other) {
            Holder::Person(name) => Some(name.clone()),
            Holder::Engine => None,
        };
        let asked: Vec<String> = others.iter().filter_map(person).collect();
        if request == Request::Draw && asked.is_empty() && !self.engine_takes_draw(game, &others) {
            return self.tell(id, &format!("{ENGINE} declines the draw request."));
        }
        let board = seat.board();
        let offer = Offer { request, board, asked, by: Vec::new() };
        let Some(played) = self.matches.get_mut(&game) else { return };
        if !played.offers.iter().any(|other| other.is_same(&offer)) {
            // A new request of the same kind takes the place of the old one.
            let kind = std::mem::discriminant(&request);
            let of_match = offer.is_of_match();
            played.offers.retain(|o| std::mem::discriminant(&o.request) != kind || o.board != board && !of_match);
            played.offers.push(offer.clone());
        }
        self.agree(id, game, &offer);
    }

    /// A player agrees to an offer, his own or that of another.
    pub(super) fn agree(&mut self, id: ClientId, game: MatchId, offer: &Offer) {
        let name = self.name(id);
        let Some(played) = self.matches.get_mut(&game) else { return };
        let Some(offer) = played.offers.iter_mut().find(|other| other.is_same(offer)) else { return };
        if !offer.is_by(&name) {
            offer.by.push(name.clone());
        }
        let offer = offer.clone();
        let missing: Vec<String> = offer.asked.iter().filter(|person| !offer.is_by(person)).cloned().collect();
        if missing.is_empty() {
            return self.grant(game, &offer);
        }
        if offer.by.len() == 1 {
            for person in &missing {
                let Some(played) = self.matches.get(&game) else { return };
                let is_beside = played.seat_of(person).is_some_and(|seat| seat.board() == offer.board);
                let line = match offer.request {
                    Request::Draw => format!("{name} offers you a draw."),
                    Request::TakeBack(count) if is_beside => {
                        format!("{name} would like to take back {count} half move(s).")
                    }
                    Request::TakeBack(count) => format!(
                        "{name} would like to take back {count} half move(s) on the other board, and what was captured out of the \
                         reserves on yours; type \"accept\" to agree."
                    ),
                    Request::Abort => format!("{name} would like to abort the game; type \"abort\" to accept."),
                    Request::Adjourn => format!("{name} would like to adjourn the game; type \"adjourn\" to accept."),
                };
                self.tell_name(person, &line);
            }
        }
        let (what, missing) = (offer.request.word(), missing.join(", "));
        self.tell(
            id,
            &match offer.by.len() {
                1 => format!("{what} request sent to {missing}."),
                _ => format!("{what} request: waiting for {missing}."),
            },
        );
    }

    fn engine_takes_draw(&self, game: MatchId, others: &[Seat]) -> bool {
        others.iter().all(|&seat| {
            self.robots.get(&(game, seat)).is_some_and(|engine| engine.score.is_some_and(|score| score <= DRAW_SCORE))
        })
    }

    /// Does what all have agreed to.
    fn grant(&mut self, game: MatchId, offer: &Offer) {
        let board = offer.board;
        match offer.request {
            Request::Draw => {
                let Some(played) = self.matches.get_mut(&game) else { return };
                let text = "Game drawn by mutual agreement".to_owned();
                played.end(board, Outcome::Draw, text, EndReason::Agreement, Instant::now());
                self.stop_engines(game, board);
                self.after_change(game, board);
                self.keep(game);
            }
            Request::TakeBack(count) => self.take_back(game, offer, count),
            Request::Abort => {
                let Some(played) = self.matches.remove(&game) else { return };
                self.announce_break(game, &played, "Game aborted by mutual agreement");
                self.store.forget(&played.id);
                self.release(game, &played);
            }
            Request::Adjourn => self.adjourn(game, "Game adjourned by mutual agreement"),
        }
    }

    fn take_back(&mut self, game: MatchId, offer: &Offer, count: usize) {
        let board = offer.board;
        let Some(played) = self.matches.get_mut(&game) else { return };
        let next = match played.without_last(board, count, Instant::now()) {
            Ok(next) => next,
            Err(why) => {
                // The other board has gone on since it was asked for.
                played.offers.retain(|other| !other.is_same(offer));
                return self.tell_names(&offer.by, &why);
            }
        };
        let lends = played.lends_to_other(board, &next);
        *played = next;
        self.stop_engines(game, board);
        self.show_to_all(game, board, None);
        self.ask_engine_to_move(game, board);
        if lends {
            self.show_reserves(game, board.other(), None);
            // What an engine there thinks about has changed.
            self.ask_engine_to_move(game, board.other());
        }
        self.keep(game);
    }

    /// An offer of another player that waits for this one; of `from`, if that is not empty.
    pub(super) fn open_offer(&self, id: ClientId, from: &str) -> Option<(MatchId, Offer)> {
        let (game, _) = self.seat_of(id)?;
        let name = self.name(id);
        let is_open = |offer: &&Offer| {
            let asks_me = offer.asked.iter().any(|asked| asked.eq_ignore_ascii_case(&name));
            asks_me && !offer.is_by(&name) && (from.is_empty() || offer.is_by(from))
        };
        let offer = self.matches.get(&game)?.offers.iter().find(is_open)?;
        Some((game, offer.clone()))
    }

    /// Declines what [`Server::open_offer`] finds.
    pub(super) fn decline_offer(&mut self, id: ClientId, game: MatchId, offer: &Offer) {
        let name = self.name(id);
        let Some(played) = self.matches.get_mut(&game) else { return };
        played.offers.retain(|other| !other.is_same(offer));
        let what = offer.request.word().to_ascii_lowercase();
        self.tell_names(&offer.by, &format!("{name} declines the {what} request."));
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
