//! What happens in a match: moves, ends of boards and of the match, breaking off.
use super::matches::Match;
use super::play::Arrival;
use super::record::{self, Stored};
use super::server::{ClientId, MatchId, Server};
use crate::replay::values::{EndReason, Seat};
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, team_of};
use sanqi::games::{Move, Outcome};
use tokio::time::Instant;

impl Server {
    /// The match that a player is in, and his seat.
    pub(super) fn seat_of(&self, id: ClientId) -> Option<(MatchId, Seat)> {
        let player = self.player(id)?;
        let game = player.playing?;
        Some((game, self.matches.get(&game)?.seat_of(&player.name)?))
    }

    /// The same when his board has not ended; otherwise he is told.
    pub(super) fn running_seat(&mut self, id: ClientId) -> Option<(MatchId, Seat)> {
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

    /// A move that a player has typed; gives whether it has been played.
    pub(super) fn move_command(&mut self, id: ClientId, text: &str) -> bool {
        let Some((game, seat)) = self.running_seat(id) else { return false };
        let Some(played) = self.matches.get(&game) else { return false };
        if played.play.side(seat.board()) != seat.color() {
            self.tell(id, "It is not your move.");
            return false;
        }
        match played.parse(seat.board(), text) {
            Ok(mv) => {
                self.make_move(game, seat.board(), mv);
                true
            }
            Err(why) => {
                // XBoard has shown the move already; the board again puts it right.
                self.tell(id, &format!("Illegal move ({text}): {why}."));
                self.show_board(id, game, seat.board(), None);
                false
            }
        }
    }

    pub(super) fn make_move(&mut self, game: MatchId, board: BoardId, mv: Move) {
        let Some(played) = self.matches.get_mut(&game) else { return };
        let arrival = played.push(board, mv, Instant::now());
        self.show_to_all(game, board, None);
        if let Some(arrival) = arrival {
            self.show_reserves(game, arrival.board, Some(arrival));
        }
        self.after_change(game, board);
        if let Some(arrival) = arrival {
            // What an engine thinks about has changed: it may drop the piece.
            self.ask_engine(game, Seat::of(arrival.board, arrival.side));
        }
        self.ask_engine_to_move(game, board);
        self.keep(game);
    }

    /// Shows a board whose reserves the other one has changed (SX-2: perhaps those of a board that has ended).
    pub(super) fn show_reserves(&mut self, game: MatchId, board: BoardId, arrival: Option<Arrival>) {
        let Some(played) = self.matches.get(&game) else { return };
        if !played.has_ended(board) {
            // The board again before its reserves: XBoard takes reserves only once for each board.
            return self.show_to_all(game, board, arrival);
        }
        let Some(line) = played.holdings_line(board, arrival) else { return };
        for id in self.audience(game, board) {
            self.tell(id, &line);
        }
    }

    /// After a board may have ended: announces that, and the end of the match.
    pub(super) fn after_change(&mut self, game: MatchId, board: BoardId) {
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
    pub(super) fn release(&mut self, game: MatchId, played: &Match) {
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

    pub(super) fn announce_break(&mut self, game: MatchId, played: &Match, why: &str) {
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
        self.stop_engines(game, board);
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
}
