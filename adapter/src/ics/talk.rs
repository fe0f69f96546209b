//! What is said: between players, between partners and their engines, and what the server tells of itself.
use super::command;
use super::kind::Kind;
use super::matches::{ENGINE, Holder};
use super::robot::Ask;
use super::server::{ClientId, MatchId, Server};
use crate::replay::values::{Moment, Seat};
use sanqi::board::Color;
use tokio::time::Instant;

/// Longest text of a message, in characters.
const LONGEST: usize = 400;

/// A player's words as others may get them: their programs must not take them for lines of the server.
fn plain(text: &str) -> String {
    let cut = text.chars().take(LONGEST).map(|c| match c {
        '{' => '(',
        '}' => ')',
        '<' => '(',
        '>' => ')',
        '%' => '/',
        c => c,
    });
    cut.collect()
}

impl Server {
    /// `tell`.
    pub(super) fn tell_command(&mut self, id: ClientId, rest: &str) {
        let (to, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if text.trim().is_empty() {
            return self.tell(id, "Say `tell NAME TEXT`.");
        }
        if to.eq_ignore_ascii_case(ENGINE) {
            return self.tell(id, "The engine listens to its partner only, with `ptell`.");
        }
        match self.find_name(to) {
            Ok(to) => self.pass_on(id, &to, "tells you", text),
            Err(why) => self.tell(id, &why),
        }
    }

    /// `say`.
    pub(super) fn say(&mut self, id: ClientId, rest: &str) {
        let Some(last) = self.player(id).and_then(|player| player.last.clone()) else {
            return self.tell(id, "You have no opponent to say something to.");
        };
        if last.opponent.eq_ignore_ascii_case(ENGINE) {
            return self.tell(id, "The engine does not talk to opponents.");
        }
        if rest.is_empty() {
            return self.tell(id, "Say `say TEXT`.");
        }
        self.pass_on(id, &last.opponent, "says", rest);
    }

    fn pass_on(&mut self, id: ClientId, to: &str, verb: &str, text: &str) {
        let name = self.name(id);
        if self.id_of(to).is_none() {
            return self.tell(id, &format!("{to} is not logged in."));
        }
        self.tell_name(to, &format!("{name} {verb}: {}", plain(text.trim())));
        self.tell(id, &format!("(told {to})"));
    }

    /// `shout`.
    pub(super) fn shout(&mut self, id: ClientId, rest: &str) {
        if rest.is_empty() {
            return self.tell(id, "Say `shout TEXT`.");
        }
        let line = format!("{} shouts: {}", self.name(id), plain(rest));
        let all: Vec<ClientId> = self.clients.iter().filter(|(_, c)| c.player.is_some()).map(|(&id, _)| id).collect();
        for hearer in &all {
            self.tell(*hearer, &line);
        }
        self.tell(id, &format!("({} heard it)", all.len()));
    }

    /// `kibitz` to all at a board, `whisper` to those who watch it.
    pub(super) fn kibitz(&mut self, id: ClientId, rest: &str, verb: &str) {
        let watched = self.player(id).and_then(|player| player.observing.first().copied());
        let found = self
            .seat_of(id)
            .map(|(game, seat)| (game, seat.board()))
            .or_else(|| self.matches.iter().find_map(|(&game, played)| Some((game, played.board_of_game(watched?)?))));
        let Some((game, board)) = found else {
            return self.tell(id, "You are neither playing nor watching a game.");
        };
        if rest.is_empty() {
            return self.tell(id, &format!("Say `{verb} TEXT`."));
        }
        let number = self.matches.get(&game).and_then(|played| played.board(board)).map_or(0, |board| board.game);
        let heard = if verb == "kibitz" { "kibitzes" } else { "whispers" };
        let line = format!("{}(++++)[{number}] {heard}: {}", self.name(id), plain(rest));
        let mut count = 0;
        for hearer in self.audience(game, board) {
            let plays = self.seat_of(hearer).is_some_and(|(own, _)| own == game);
            if hearer != id && !(plays && verb == "whisper") {
                self.tell(hearer, &line);
                count += 1;
            }
        }
        self.tell(id, &format!("({heard} to {count})"));
    }

    /// `ptell`.
    pub(super) fn tell_partner(&mut self, id: ClientId, rest: &str) {
        if rest.is_empty() {
            return self.tell(id, "Say `ptell TEXT`.");
        }
        let name = self.name(id);
        let seat = self.seat_of(id).filter(|(game, _)| self.matches.get(game).is_some_and(|p| p.kind == Kind::Supply2));
        let holder = match seat {
            Some((game, seat)) => self
                .matches
                .get(&game)
                .map(|played| (Some((game, partner_seat(seat))), played.holder(partner_seat(seat)).clone())),
            None => {
                let partner = self.player(id).and_then(|player| player.partner.clone());
                partner.map(|partner| (None, Holder::Person(partner)))
            }
        };
        match holder {
            None => self.tell(id, "You do not have a partner at present."),
            Some((_, Holder::Person(partner))) => {
                if self.id_of(&partner).is_none() {
                    return self.tell(id, &format!("{partner} is not logged in."));
                }
                self.tell_name(&partner, &format!("{name} (your partner) tells you: {}", plain(rest)));
                self.tell(id, &format!("(told {partner}, who is your partner)"));
            }
            Some((Some(key), Holder::Engine)) => match team_words(rest) {
                Some(words) => {
                    if let Some(engine) = self.robots.get(&key) {
                        engine.robot.ask(Ask::Tell(format!("team {words}")));
                    }
                    self.tell(id, &format!("(told {ENGINE}, who is your partner)"));
                }
                None => self.tell(id, "The engine understands need R, avoid C (letters R N B A C P), go, sit."),
            },
            Some((None, Holder::Engine)) => {}
        }
    }

    /// An engine has something to say to its partner.
    pub(super) fn engine_talks(&mut self, game: MatchId, seat: Seat, words: &str) {
        let Some(words) = team_words(words) else { return };
        let partner = partner_seat(seat);
        let Some(played) = self.matches.get(&game).filter(|played| played.kind == Kind::Supply2) else { return };
        match played.holder(partner).clone() {
            Holder::Person(name) => self.tell_name(&name, &format!("{ENGINE} (your partner) tells you: {words}")),
            Holder::Engine => {
                if let Some(engine) = self.robots.get(&(game, partner)) {
                    engine.robot.ask(Ask::Tell(format!("team {words}")));
                }
            }
        }
    }

    /// `who`.
    pub(super) fn who(&mut self, id: ClientId) {
        let mut lines: Vec<String> = Vec::new();
        for player in self.clients.values().filter_map(|client| client.player.as_ref()) {
            let mut line = player.name.clone();
            if let Some(partner) = &player.partner {
                line.push_str(&format!(", partner of {partner}"));
            }
            if player.playing.is_some() {
                line.push_str(", playing");
            }
            let minutes = player.since.elapsed().as_secs() / 60;
            lines.push(format!("{line}, here for {minutes} min"));
        }
        lines.sort();
        let free = self.options.engines.saturating_sub(self.robots.len());
        lines.push(format!("{ENGINE}, free for {free} more seats"));
        lines.push(format!("{} players displayed.", lines.len()));
        self.tell(id, &lines.join("\n"));
    }

    /// `date`.
    pub(super) fn date(&mut self, id: ClientId) {
        let (date, time) = Moment::now().pgn_tags();
        let up = Instant::now().saturating_duration_since(self.began).as_secs() / 60;
        self.tell(id, &format!("{date} {time} UTC; the server has been up for {up} minutes."));
    }

    /// `help`.
    pub(super) fn help(&mut self, id: ClientId, rest: &str) {
        self.tell(id, &command::help(rest));
    }

    /// `variants`.
    pub(super) fn variants(&mut self, id: ClientId) {
        let text = "fangqi   Xinjiang Fangqi, 7x7: stones are placed, d4 or P@d4, ranks 1-7\n\
                    yangqi   Yang Qi, 9x10: e2e4, promotion h8h9=R, king swap e0d0 (king's point, partner's point), ranks 0-9\n\
                    supply   Supply Xiangqi, one board: h2e2, drop R@e3, ranks 0-9\n\
                    supply2  Supply Xiangqi for four: two boards, captures go to your partner\n\
                    xiangqi  xiangqi, ranks 0-9";
        self.tell(id, text);
    }

    /// `style`, which clients set to the only one that there is.
    pub(super) fn style(&mut self, id: ClientId, rest: &str) {
        let line = match rest {
            "12" => "Done.".to_owned(),
            "" => "Boards always have style 12.".to_owned(),
            other => format!("{other}: boards always have style 12."),
        };
        self.tell(id, &line);
    }

    /// `iset`: what a client program wants.
    pub(super) fn iset(&mut self, id: ClientId, rest: &str) {
        let (name, value) = match setting(rest, &["ms", "startpos", "seekremove"]) {
            Ok(found) => found,
            Err(why) => return self.tell(id, &why),
        };
        if let Some(player) = self.player_mut(id) {
            match name {
                "ms" => player.milliseconds = value,
                "startpos" => player.start_position = value,
                "seekremove" => player.shows_seeks = value,
                // The others change nothing here.
                _ => {}
            }
        }
        let state = if value { "set" } else { "unset" };
        self.tell(id, &format!("{} {state}.", plain(name)));
    }

    /// `set`: what a player wants. Variables of other servers are taken without effect, because programs set them by themselves.
    pub(super) fn set(&mut self, id: ClientId, rest: &str) {
        let (name, value) = match setting(rest, &["open", "seek"]) {
            Ok(found) => found,
            Err(why) => return self.tell(id, &why),
        };
        let line = match (name, self.player_mut(id)) {
            ("open", Some(player)) => {
                player.open = value;
                format!("You {} challenges.", if value { "take" } else { "take no" })
            }
            ("seek", Some(player)) => {
                player.sees_seeks = value;
                format!("You are {}told of seeks.", if value { "" } else { "not " })
            }
            _ => format!("{} taken without effect.", plain(name)),
        };
        self.tell(id, &line);
    }
}

/// A variable and what it is set to, of `set` and `iset`. What follows one of other servers may be anything, and counts for nothing.
///
/// # Errors
/// There is no variable, or a word that one of the `own` ones cannot be set to.
fn setting<'a>(text: &'a str, own: &[&str]) -> Result<(&'a str, bool), String> {
    let mut words = text.split_whitespace();
    let (name, value) = (words.next().unwrap_or_default(), words.next().unwrap_or("1"));
    if name.is_empty() {
        return Err(format!("Which? Say {}, and 0 or 1.", own.join(" or ")));
    }
    if !own.contains(&name) {
        return Ok((name, value != "0"));
    }
    let is_on = match value.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" => true,
        "0" | "off" | "false" => false,
        _ => return Err(format!("{value}: {name} is 0 or 1.")),
    };
    match words.next() {
        None => Ok((name, is_on)),
        Some(word) => Err(format!("{word}: {name} takes one word.")),
    }
}

/// The seat of the team-mate (WHW-SXQ-001).
fn partner_seat(seat: Seat) -> Seat {
    let color = if seat.color() == Color::White { Color::Black } else { Color::White };
    Seat::of(seat.board().other(), color)
}

/// What engines of a team say to each other: `need R`, `avoid C`, `go`, `sit`.
fn team_words(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let (verb, object, rest) = (words.next()?.to_ascii_lowercase(), words.next(), words.next());
    match (verb.as_str(), object, rest) {
        ("go" | "sit", None, None) => Some(verb),
        ("need" | "avoid", Some(letter), None) => {
            let letter = letter.to_ascii_uppercase();
            ["R", "N", "B", "A", "C", "P"].contains(&letter.as_str()).then(|| format!("{verb} {letter}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_partners() {
        for (text, words) in [
            ("need r", Some("need R")),
            ("AVOID C", Some("avoid C")),
            ("go", Some("go")),
            ("sit", Some("sit")),
            ("go away", None),
            ("need K", None),
            ("need", None),
            ("", None),
        ] {
            assert_eq!(team_words(text).as_deref(), words, "{text}");
        }
        assert_eq!(Seat::ALL.map(partner_seat), [Seat::Black2, Seat::Red2, Seat::Black1, Seat::Red1]);
        assert!(Seat::ALL.into_iter().all(|seat| seat.team() == partner_seat(seat).team()));
    }

    #[test]
    fn variables() {
        for (text, found) in [
            ("open 0", Ok(("open", false))),
            ("open Off", Ok(("open", false))),
            ("open true", Ok(("open", true))),
            ("open", Ok(("open", true))),
            ("interface xboard 4.9.1", Ok(("interface", true))),
            ("width 0 x", Ok(("width", false))),
            ("", Err("Which? Say open, and 0 or 1.".to_owned())),
            ("open maybe", Err("maybe: open is 0 or 1.".to_owned())),
            ("open 0 x", Err("x: open takes one word.".to_owned())),
        ] {
            assert_eq!(setting(text, &["open"]), found, "{text}");
        }
    }

    #[test]
    fn nobody_speaks_like_the_server() {
        assert_eq!(plain("<12> {Game 1} fics% "), "(12) (Game 1) fics/ ");
        assert_eq!(plain(&"x".repeat(5000)).len(), LONGEST);
    }
}
