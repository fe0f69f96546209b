//! What is shown: boards, lists of moves, games, stored matches.
use super::hall::{is_number, same};
use super::kind::Kind;
use super::login::name_fault;
use super::matches::{ENGINE, Match};
use super::play::Arrival;
use super::server::{ClientId, MatchId, Server};
use super::view::elapsed_text;
use sanqi::board::Color;
use sanqi::games::supply::team::BoardId;
use std::time::Duration;
use tokio::time::Instant;

/// Most games that a client may watch at the same time.
const MOST_WATCHED: usize = 16;

impl Server {
    /// Clients that see a board: those who play on it and those who watch it.
    pub(super) fn audience(&self, game: MatchId, board: BoardId) -> Vec<ClientId> {
        let Some(played) = self.matches.get(&game) else { return Vec::new() };
        let number = played.board(board).map_or(0, |board| board.game);
        let sees = |player: &super::server::Player| {
            let plays =
                player.playing == Some(game) && played.seat_of(&player.name).is_some_and(|s| s.board() == board);
            plays || player.observing.contains(&number)
        };
        self.clients.iter().filter(|(_, c)| c.player.as_ref().is_some_and(sees)).map(|(&id, _)| id).collect()
    }

    /// Clients of the persons in a match.
    pub(super) fn persons_here(&self, game: MatchId) -> Vec<ClientId> {
        let plays = |client: &super::server::Client| client.player.as_ref().is_some_and(|p| p.playing == Some(game));
        self.clients.iter().filter(|(_, client)| plays(client)).map(|(&id, _)| id).collect()
    }

    /// Shows a board to all who see it.
    pub(super) fn show_to_all(&mut self, game: MatchId, board: BoardId, arrival: Option<Arrival>) {
        for id in self.audience(game, board) {
            self.show_board(id, game, board, arrival);
        }
    }

    /// Shows a board to one client.
    pub(super) fn show_board(&mut self, id: ClientId, game: MatchId, board: BoardId, arrival: Option<Arrival>) {
        let (Some(player), Some(played)) = (self.player(id), self.matches.get(&game)) else { return };
        let reader = played.seat_of(&player.name).filter(|_| player.playing == Some(game));
        let line = played.board_line(board, reader, player.milliseconds, Instant::now());
        let holdings = played.holdings_line(board, arrival);
        self.tell(id, &line);
        if let Some(holdings) = holdings {
            self.tell(id, &holdings);
        }
    }

    /// Announces a match that begins or goes on to one of its players, and shows his board.
    pub(super) fn show_boards(&mut self, id: ClientId, game: MatchId, how: &str) {
        let (Some(player), Some(played)) = (self.player(id), self.matches.get(&game)) else { return };
        let Some(seat) = played.seat_of(&player.name) else { return };
        let [white, black] = played.players(seat.board());
        let (kind, control) = (played.kind.announced(), played.control);
        let creating =
            format!("Creating: {white} (++++) {black} (++++) unrated {kind} {} {}", control.minutes, control.increment);
        let title = format!("{{{} {how} unrated {kind} match.}}", played.title(seat.board()));
        let other = seat.board().other();
        let beside =
            played.board(other).map(|_| format!("The other board: {}. `pobserve` shows it.", played.title(other)));
        if how == "Creating" {
            self.tell(id, &creating);
        }
        self.tell(id, &title);
        if let Some(beside) = beside {
            self.tell(id, &beside);
        }
        self.show_board(id, game, seat.board(), None);
    }

    /// The game that is meant: by number or player, or without either the one that is played, or else watched.
    fn meant(&self, id: ClientId, text: &str) -> Result<(MatchId, BoardId), String> {
        let by_number =
            |number: u32| self.matches.iter().find_map(|(&game, played)| Some((game, played.board_of_game(number)?)));
        if text.is_empty() {
            if let Some((game, seat)) = self.seat_of(id) {
                return Ok((game, seat.board()));
            }
            let watched = self.player(id).and_then(|player| player.observing.first().copied());
            return watched
                .and_then(by_number)
                .ok_or_else(|| "You are neither playing nor watching a game.".to_owned());
        }
        if is_number(text) {
            return text.parse().ok().and_then(by_number).ok_or_else(|| format!("There is no game {text}."));
        }
        if same(text, ENGINE) {
            return Err(format!("{text} may play on many boards; say the number of one, `games` lists them."));
        }
        let name = self.find_name(text)?;
        let playing = self.named(&name).and_then(|player| player.playing);
        let found = playing.and_then(|game| Some((game, self.matches.get(&game)?.seat_of(&name)?.board())));
        found.ok_or_else(|| format!("{name} is not playing a game."))
    }

    /// `observe`.
    pub(super) fn observe(&mut self, id: ClientId, rest: &str) {
        if rest.is_empty() {
            return self.tell(id, "Which game? `games` lists them.");
        }
        match self.meant(id, rest) {
            Ok((game, board)) => self.watch(id, game, board),
            Err(why) => self.tell(id, &why),
        }
    }

    fn watch(&mut self, id: ClientId, game: MatchId, board: BoardId) {
        if self.seat_of(id).is_some_and(|(own, seat)| own == game && seat.board() == board) {
            return self.tell(id, "You are playing that game.");
        }
        let Some(played) = self.matches.get(&game) else { return };
        let Some(number) = played.board(board).map(|board| board.game) else { return };
        let [white, black] = played.players(board);
        let kind = played.kind.announced();
        // By the first line XBoard knows the variant before it gets a board. It would guess wrongly, misread reserves and enlarge its
        // window with each guess.
        let line = format!(
            "{{{} Continuing unrated {kind} match.}}\nYou are now observing game {number}.\n\
             Game {number}: {white} (++++) {black} (++++) unrated {kind} {} {}",
            played.title(board),
            played.control.minutes,
            played.control.increment
        );
        let Some(player) = self.player_mut(id) else { return };
        if player.observing.len() >= MOST_WATCHED {
            return self.tell(id, "You are watching enough games.");
        }
        player.observing.insert(number);
        self.tell(id, &line);
        self.show_board(id, game, board, None);
    }

    /// `follow` and `pfollow`.
    pub(super) fn follow(&mut self, id: ClientId, rest: &str, partner: bool) {
        // Whoever is followed need not be here yet.
        let name = Some(rest).filter(|rest| !rest.is_empty());
        if let Some(why) = name.and_then(name_fault) {
            return self.tell(id, &format!("{rest}: {why}."));
        }
        let line = match name {
            None => "You follow nobody.".to_owned(),
            Some(name) if partner => format!("You will watch the board of {name}'s partner."),
            Some(name) => format!("You will watch the games of {name}."),
        };
        let follows = name.map(|name| (name.to_owned(), partner));
        if let Some(player) = self.player_mut(id) {
            player.follows = follows;
        }
        self.tell(id, &line);
        let games: Vec<MatchId> = self.matches.keys().copied().collect();
        games.into_iter().for_each(|game| self.show_to_follower(id, game));
    }

    /// Lets followers watch a match that begins or goes on.
    pub(super) fn show_to_followers(&mut self, game: MatchId) {
        let followers: Vec<ClientId> = self.clients.keys().copied().collect();
        followers.into_iter().for_each(|id| self.show_to_follower(id, game));
    }

    fn show_to_follower(&mut self, id: ClientId, game: MatchId) {
        let Some((name, partner)) = self.player(id).and_then(|player| player.follows.clone()) else { return };
        let Some(seat) = self.matches.get(&game).and_then(|played| played.seat_of(&name)) else { return };
        let board = if partner { seat.board().other() } else { seat.board() };
        self.watch(id, game, board);
    }

    /// `pobserve`: the board beside the own one, or beside that of somebody, as XBoard asks for it when it begins to observe him.
    pub(super) fn observe_partner(&mut self, id: ClientId, rest: &str) {
        let found = match rest {
            "" => self.seat_of(id).map(|(game, seat)| (game, seat.board())),
            word => match self.meant(id, word) {
                Ok(found) => Some(found),
                Err(why) => return self.tell(id, &why),
            },
        };
        let has_two = |game| self.matches.get(&game).is_some_and(|played| played.kind == Kind::Supply2);
        match found.filter(|&(game, _)| has_two(game)) {
            Some((game, board)) => self.watch(id, game, board.other()),
            None if rest.is_empty() => self.tell(id, "You have no partner who plays."),
            None => self.tell(id, &format!("{rest}: there is one board only.")),
        }
    }

    /// `unobserve`.
    pub(super) fn unobserve(&mut self, id: ClientId, rest: &str) {
        let wanted = match rest {
            "" => None,
            word => match self.meant(id, word) {
                Ok((game, board)) => self.matches.get(&game).and_then(|played| Some(played.board(board)?.game)),
                Err(why) => return self.tell(id, &why),
            },
        };
        let Some(player) = self.player_mut(id) else { return };
        let gone: Vec<u32> =
            player.observing.iter().copied().filter(|&number| wanted.is_none_or(|wanted| wanted == number)).collect();
        player.observing.retain(|number| !gone.contains(number));
        for number in &gone {
            self.tell(id, &format!("Removing game {number} from observation list."));
        }
        if gone.is_empty() {
            self.tell(id, "You are not watching that.");
        }
    }

    /// `refresh`.
    pub(super) fn refresh(&mut self, id: ClientId, rest: &str) {
        match self.meant(id, rest) {
            Ok((game, board)) => self.show_board(id, game, board, None),
            Err(why) => self.tell(id, &why),
        }
    }

    /// `fen`.
    pub(super) fn fen(&mut self, id: ClientId, rest: &str) {
        let text = match self.meant(id, rest) {
            Ok((game, _)) => self.matches.get(&game).map(|played| format!("FEN: {}", played.play.whole_fen())),
            Err(why) => Some(why),
        };
        self.tell(id, &text.unwrap_or_default());
    }

    /// `moves`.
    pub(super) fn moves(&mut self, id: ClientId, rest: &str) {
        let (game, board) = match self.meant(id, rest) {
            Ok(found) => found,
            Err(why) => return self.tell(id, &why),
        };
        let (Some(played), Some(player)) = (self.matches.get(&game), self.player(id)) else { return };
        let text = move_list(played, board, player.start_position, player.milliseconds);
        self.tell(id, &text);
    }

    /// `games`.
    pub(super) fn games(&mut self, id: ClientId) {
        let now = Instant::now();
        let mut lines: Vec<(u32, String)> = Vec::new();
        for played in self.matches.values() {
            for board in played.board_ids() {
                let Some(state) = played.board(board) else { continue };
                let [white, black] = played.players(board);
                let [white_left, black_left] = Color::ALL.map(|side| clock_text(state.clock.left(side, now)));
                let status = match &state.ending {
                    Some(ending) => ending.outcome.to_string(),
                    None => {
                        format!("{}: {}", super::view::side_letter(played.play.side(board)), state.moves.len() / 2 + 1)
                    }
                };
                let line = format!(
                    "{:>3} {white:<17} {black:<17} [{:<7} {:>3} {:>3}] {white_left:>7} - {black_left:>7} {status}",
                    state.game, played.kind, played.control.minutes, played.control.increment
                );
                lines.push((state.game, line));
            }
        }
        lines.sort();
        let mut text: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
        text.push(format!("{} games displayed.", text.len()));
        self.tell(id, &text.join("\n"));
    }

    /// Identifiers of the stored matches of a player, oldest first.
    pub(super) fn stored_of(&self, name: &str) -> Vec<String> {
        let is_in = |holders: &[super::matches::Holder]| holders.iter().any(|holder| holder.is(name));
        self.stored.values().filter(|stored| is_in(&stored.holders)).map(|stored| stored.id.clone()).collect()
    }

    fn stored_line(&self, number: usize, key: &str) -> String {
        let Some(stored) = self.stored.get(key) else { return String::new() };
        let who = |holder: &super::matches::Holder| match holder.name() {
            name if *holder == super::matches::Holder::Engine || self.named(name).is_some() => name.to_owned(),
            name => format!("{name} (away)"),
        };
        let pairs: Vec<String> = stored
            .holders
            .chunks(2)
            .take(stored.kind.boards())
            .map(|pair| pair.iter().map(who).collect::<Vec<_>>().join(" vs. "))
            .collect();
        format!(
            "{number:>3} {} {} {}, {}",
            stored.kind,
            stored.control.minutes,
            stored.control.increment,
            pairs.join(" and ")
        )
    }

    /// Tells somebody who has just come of his stored matches, and the others in them that he has come.
    pub(super) fn announce_stored(&mut self, id: ClientId) {
        let name = self.name(id);
        let keys = self.stored_of(&name);
        if keys.is_empty() {
            return;
        }
        let count = keys.len();
        self.tell(id, &format!("You have {count} adjourned match{}.", if count == 1 { "" } else { "es" }));
        self.list_stored(id);
        let mut others: Vec<String> = Vec::new();
        for key in &keys {
            let holders = self.stored.get(key).map(|stored| stored.holders.clone()).into_iter().flatten();
            others.extend(holders.filter(|holder| !holder.is(&name)).map(|holder| holder.name().to_owned()));
        }
        others.sort();
        others.dedup();
        self.tell_names(
            &others,
            &format!("{name}, with whom you have an adjourned match, has arrived; `resume` goes on with it."),
        );
    }

    /// `stored`.
    pub(super) fn list_stored(&mut self, id: ClientId) {
        let name = self.name(id);
        let keys = self.stored_of(&name);
        let mut lines: Vec<String> = (1..).zip(&keys).map(|(number, key)| self.stored_line(number, key)).collect();
        lines.push(match keys.len() {
            0 => "You have no adjourned matches.".to_owned(),
            1 => "`resume` goes on with it.".to_owned(),
            _ => "`resume NUMBER` goes on with one of them.".to_owned(),
        });
        self.tell(id, &lines.join("\n"));
    }

    /// `resume`: a vote to go on, which happens when all persons of the match have voted.
    pub(super) fn resume(&mut self, id: ClientId, rest: &str) {
        let name = self.name(id);
        if self.player(id).is_some_and(|player| player.playing.is_some()) {
            return self.tell(id, "You are playing a game.");
        }
        let keys = self.stored_of(&name);
        let word = match (rest, keys.len()) {
            (_, 0) => return self.tell(id, "You have no adjourned matches."),
            ("", 1) => "1",
            ("", _) => return self.list_stored(id),
            (word, _) if is_number(word) => word,
            (word, _) => return self.tell(id, &format!("{word} is no number of an adjourned match.")),
        };
        let at = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let Some(stored) = at.and_then(|at| keys.get(at)).and_then(|key| self.stored.get(key)) else {
            return self.tell(id, &format!("You have no adjourned match {word}."));
        };
        let key = stored.id.clone();
        let persons: Vec<String> = stored
            .holders
            .iter()
            .filter(|holder| **holder != super::matches::Holder::Engine)
            .map(|holder| holder.name().to_owned())
            .collect();
        for person in &persons {
            match self.named(person) {
                None => return self.tell(id, &format!("{person} is not here.")),
                Some(player) if player.playing.is_some() => {
                    return self.tell(id, &format!("{person} is playing a game."));
                }
                Some(_) => {}
            }
        }
        let votes = self.votes.entry(key.clone()).or_default();
        votes.insert(name.to_ascii_lowercase());
        let missing: Vec<String> =
            persons.iter().filter(|person| !votes.contains(&person.to_ascii_lowercase())).cloned().collect();
        if !missing.is_empty() {
            self.tell(id, &format!("Waiting for {}.", missing.join(", ")));
            return self.tell_names(
                &missing,
                &format!("{name} would like to resume your adjourned match; type \"resume\" to agree."),
            );
        }
        self.votes.remove(&key);
        let Some(stored) = self.stored.remove(&key) else { return };
        let match_id = self.new_match_id();
        let started =
            stored.restore(self.free_games()).and_then(|played| self.start_match(match_id, played, "Continuing"));
        if let Err(why) = started {
            self.tell(id, &why);
            self.stored.insert(key, stored);
        }
    }
}

/// `4:58`
fn clock_text(left: Duration) -> String {
    format!("{}:{:02}", left.as_secs() / 60, left.as_secs() % 60)
}

/// The moves of a board, as XBoard reads them.
fn move_list(played: &Match, id: BoardId, with_start: bool, milliseconds: bool) -> String {
    let Some(board) = played.board(id) else { return String::new() };
    let [white, black] = played.players(id);
    let (date, time) = played.started.pgn_tags();
    let mut text = format!(
        "Movelist for game {}:\n\n{white} (UNR) vs. {black} (UNR) --- {date} {time} UTC\n\
         Unrated {} match, initial time: {} minutes, increment: {} seconds.\n\n",
        board.game,
        played.kind.announced(),
        played.control.minutes,
        played.control.increment
    );
    if with_start {
        let start = Match::new(String::new(), played.kind, played.control, played.holders.clone(), [board.game; 2]);
        text.push_str(&start.board_line(id, None, milliseconds, Instant::now()));
        text.push_str("\n\n");
    }
    text.push_str(&format!("Move  {white:<23} {black:<23}\n----  {0}   {0}\n", "-".repeat(21)));
    for (number, pair) in (1..).zip(board.moves.chunks(2)) {
        let words: Vec<String> =
            pair.iter().map(|mv| format!("{:<8}{:<15}", mv.short, elapsed_text(mv.elapsed, milliseconds))).collect();
        text.push_str(&format!("{:>3}.  {}", number, words.join(" ").trim_end()));
        text.push('\n');
    }
    text.push_str(&match &board.ending {
        None => "      {Still in progress} *".to_owned(),
        Some(ending) => format!("      {{{}}} {}", ending.text, ending.outcome),
    });
    text
}
