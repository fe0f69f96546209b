//! How matches come about: challenges, partners, and who gets which seat.
use super::clock::Control;
use super::kind::Kind;
use super::matches::{ENGINE, Holder, Match};
use super::partners::PartnerOffer;
use super::server::{ClientId, Last, MatchId, Server};
use crate::replay::values::{Moment, Seat};
use sanqi::board::Color;
use sanqi::games::supply::team::BoardId;
use tokio::time::Instant;

/// What is played when a challenge says nothing else.
const DEFAULT: Control = Control { minutes: 10, increment: 5 };
/// The game of a challenge that names none.
const DEFAULT_KIND: Kind = Kind::Fangqi;
/// Most seeks and challenges of one player.
pub(super) const MOST_OFFERS: usize = 5;
/// Most adjourned matches of one player; each takes room on the disk.
const MOST_STORED: usize = 20;

/// The terms of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) kind: Kind,
    pub(super) control: Control,
    /// The colour of whoever offers them.
    pub(super) color: Option<Color>,
}

impl Terms {
    /// Reads `5 0 fangqi white`, in any order but that of the two numbers. Nothing can be said twice: one of the two would be passed over.
    ///
    /// # Errors
    /// The word that is none of these, or one too many.
    pub(super) fn parse(text: &str) -> Result<Terms, String> {
        let (mut numbers, mut kind, mut color, mut rating) = (Vec::new(), None, None, None);
        for word in text.split_whitespace() {
            let is_second = if is_number(word) {
                if numbers.len() == 2 {
                    return Err(format!("{word}: a third number, behind minutes and seconds."));
                }
                numbers.push(Control::amount(word).map_err(|why| format!("{word}: {why}."))?);
                false
            } else if let Ok(named) = word.parse::<Kind>() {
                kind.replace(named).is_some()
            } else {
                match word.to_ascii_lowercase().as_str() {
                    "white" | "w" | "red" => color.replace(Color::White).is_some(),
                    "black" | "b" => color.replace(Color::Black).is_some(),
                    // What clients of other servers say; every game is unrated here.
                    "unrated" | "u" | "rated" | "r" => rating.replace(()).is_some(),
                    _ => {
                        return Err(format!(
                            "{word} is neither a number nor a game nor a colour; `variants` lists the games."
                        ));
                    }
                }
            };
            if is_second {
                return Err(format!("{word}: that has been said already; one game, one colour."));
            }
        }
        let control = match numbers.as_slice() {
            [] => DEFAULT,
            [minutes, rest @ ..] => Control { minutes: *minutes, increment: rest.first().copied().unwrap_or(0) },
        };
        Ok(Terms { kind: kind.unwrap_or(DEFAULT_KIND), control, color })
    }

    /// `unrated fangqi/crazyhouse 5 0`.
    fn text(&self) -> String {
        format!("unrated {} {} {}", self.kind.announced(), self.control.minutes, self.control.increment)
    }
}

/// Whether a word is meant as a number, be it one that nobody can use.
pub(super) fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn color_word(color: Option<Color>) -> &'static str {
    match color {
        None => "",
        Some(Color::White) => " [white]",
        Some(Color::Black) => " [black]",
    }
}

/// A challenge that waits for its answer.
#[derive(Debug, Clone)]
pub(super) struct Challenge {
    from: String,
    to: String,
    terms: Terms,
}

/// Whether two names are those of one player.
pub(super) fn same(one: &str, two: &str) -> bool {
    one.eq_ignore_ascii_case(two)
}

/// There is nothing to accept or to decline, be it of somebody.
fn no_offers(from: &str, verb: &str) -> String {
    match from {
        "" => format!("You have no offers to {verb}."),
        from => format!("You have no offers of {from} to {verb}."),
    }
}

impl Server {
    /// `match NAME …`.
    pub(super) fn match_command(&mut self, id: ClientId, rest: &str) {
        let (to, terms) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if to.is_empty() {
            return self.tell(id, "Whom? Say `match NAME`, or `match engine`.");
        }
        match Terms::parse(terms) {
            Ok(terms) => self.challenge(id, to, terms),
            Err(why) => self.tell(id, &why),
        }
    }

    fn challenge(&mut self, id: ClientId, to: &str, terms: Terms) {
        let from = self.name(id);
        if self.player(id).is_some_and(|player| player.playing.is_some()) {
            return self.tell(id, "You are playing a game.");
        }
        if same(to, ENGINE) {
            return self.begin(&from, None, terms);
        }
        let to = match self.find_name(to) {
            Ok(name) if same(&name, &from) => return self.tell(id, "You cannot play against yourself."),
            Ok(name) => name,
            Err(why) => return self.tell(id, &why),
        };
        // Two players who challenge each other on the same terms have agreed.
        let is_answer = |c: &Challenge| {
            same(&c.from, &to)
                && same(&c.to, &from)
                && c.terms.kind == terms.kind
                && c.terms.control == terms.control
                && (c.terms.color.is_none() || terms.color.is_none() || c.terms.color != terms.color)
        };
        if let Some(at) = self.challenges.iter().position(is_answer) {
            let challenge = self.challenges.remove(at);
            let mine = terms.color.map(|color| !color);
            let terms = Terms { color: challenge.terms.color.or(mine), ..challenge.terms };
            return self.begin(&to, Some(&from), terms);
        }
        let Some(other) = self.named(&to) else { return };
        if !other.open {
            return self.tell(id, &format!("{to} takes no challenges."));
        }
        if other.playing.is_some() {
            return self.tell(id, &format!("{to} is playing a game."));
        }
        if other.partner.as_deref().is_some_and(|partner| same(partner, &from)) {
            return self.tell(id, &format!("{to} is your partner."));
        }
        if self.challenges.iter().filter(|challenge| same(&challenge.from, &from)).count() >= MOST_OFFERS {
            return self.tell(id, "You have challenged enough people; `withdraw` takes that back.");
        }
        self.challenges.retain(|challenge| !(same(&challenge.from, &from) && same(&challenge.to, &to)));
        let (color, text) = (color_word(terms.color), terms.text());
        self.tell(id, &format!("Issuing: {from} (++++){color} {to} (++++) {text}."));
        self.tell_name(&to, &format!("Challenge: {from} (++++){color} {to} (++++) {text}."));
        self.tell_name(&to, &format!("You can \"accept {from}\" or \"decline {from}\"."));
        self.challenges.push(Challenge { from, to, terms });
    }

    /// `rematch`.
    pub(super) fn rematch(&mut self, id: ClientId) {
        match self.player(id).and_then(|player| player.last.clone()) {
            None => self.tell(id, "You have no last opponent."),
            Some(Last { opponent, kind, control, color }) => {
                self.challenge(id, &opponent, Terms { kind, control, color: Some(!color) });
            }
        }
    }

    /// A match begins: `one` has the colour of the terms, the other side is a person or the engine. With two boards the partners of
    /// both take the seats beside them, and the engine those that nobody holds.
    pub(super) fn begin(&mut self, one: &str, two: Option<&str>, terms: Terms) {
        let color = terms.color.unwrap_or(Color::White);
        let partner_of = |name: Option<&str>| name.and_then(|name| self.named(name)?.partner.clone());
        let (one_partner, two_partner) = (partner_of(Some(one)), partner_of(two));
        let holder = |name: Option<&str>| name.map_or(Holder::Engine, |name| Holder::Person(name.to_owned()));
        let mut holders = [Holder::Engine, Holder::Engine, Holder::Engine, Holder::Engine];
        let mut take = |seat: Seat, name: Option<&str>| {
            if let Some(place) = Seat::ALL.iter().position(|&s| s == seat).and_then(|at| holders.get_mut(at)) {
                *place = holder(name);
            }
        };
        take(Seat::of(BoardId::One, color), Some(one));
        take(Seat::of(BoardId::One, !color), two);
        if terms.kind == Kind::Supply2 {
            // WHW-SXQ-001: a team has different colours on the two boards.
            take(Seat::of(BoardId::Two, !color), one_partner.as_deref());
            take(Seat::of(BoardId::Two, color), two_partner.as_deref());
        }
        let match_id = self.new_match_id();
        let games = self.free_games();
        let stamp = Moment::now().text().replace([':', '-', '.'], "");
        let name = format!("{stamp}-{match_id}");
        let played = Match::new(name, terms.kind, terms.control, holders, games);
        let persons = played.persons();
        let refused = persons.iter().find_map(|name| match self.named(name) {
            Some(player) if player.playing.is_none() => {
                let many = self.stored_of(name).len() >= MOST_STORED;
                many.then(|| format!("{name} has {MOST_STORED} adjourned matches; `resume` them before a new one."))
            }
            _ => Some(format!("{name} is not free.")),
        });
        let refused = refused.or_else(|| self.start_match(match_id, played, "Creating").err());
        if let Some(why) = refused {
            self.tell_names(&persons, &why);
        }
    }

    /// Brings a new or resumed match into play. All persons in it are here and free.
    ///
    /// # Errors
    /// There are not enough engines.
    pub(super) fn start_match(&mut self, id: MatchId, mut played: Match, how: &str) -> Result<(), String> {
        self.take_engine_seats(id, &played)?;
        played.start(Instant::now());
        let persons = played.persons();
        for name in &persons {
            let Some(client) = self.id_of(name) else { continue };
            self.withdraw_all(client);
            if let (Some(seat), Some(player)) = (played.seat_of(name), self.player_mut(client)) {
                player.playing = Some(id);
                let [white, black] = played.players(seat.board());
                let opponent = if seat.color() == Color::White { black } else { white }.to_owned();
                player.last = Some(Last { opponent, kind: played.kind, control: played.control, color: seat.color() });
            }
        }
        self.matches.insert(id, played);
        for name in &persons {
            if let Some(client) = self.id_of(name) {
                self.show_boards(client, id, how);
            }
        }
        self.show_to_followers(id);
        self.keep(id);
        self.ask_engines(id);
        Ok(())
    }

    /// `accept`, of the only offer or of the offers of somebody.
    pub(super) fn accept(&mut self, id: ClientId, from: &str) {
        let name = self.name(id);
        let fits = |other: &str| from.is_empty() || same(other, from);
        if let Some((game, offer)) = self.open_offer(id, from) {
            return self.agree(id, game, &offer);
        }
        let challenges: Vec<usize> = (0..)
            .zip(&self.challenges)
            .filter(|(_, c)| same(&c.to, &name) && fits(&c.from))
            .map(|(at, _)| at)
            .collect();
        let partners: Vec<usize> = (0..)
            .zip(&self.partner_offers)
            .filter(|(_, o)| same(&o.to, &name) && fits(&o.from))
            .map(|(at, _)| at)
            .collect();
        match (challenges.as_slice(), partners.as_slice()) {
            ([], []) => self.tell(id, &no_offers(from, "accept")),
            (&[at], []) => {
                let Challenge { from, terms, .. } = self.challenges.remove(at);
                self.tell(id, &format!("You accept the challenge of {from}."));
                self.tell_name(&from, &format!("{name} accepts your challenge."));
                self.begin(&from, Some(&name), terms);
            }
            ([], &[at]) => {
                let PartnerOffer { from, .. } = self.partner_offers.remove(at);
                self.join(id, &name, &from);
            }
            _ => self.tell(id, "There are several offers to you; say `accept NAME`, or see `pending`."),
        }
    }

    /// `decline`, the same way.
    pub(super) fn decline(&mut self, id: ClientId, from: &str) {
        let name = self.name(id);
        if let Some((game, offer)) = self.open_offer(id, from) {
            return self.decline_offer(id, game, &offer);
        }
        let fits = |other: &str| from.is_empty() || same(other, from);
        let mut askers = Vec::new();
        self.challenges.retain(|c| {
            !(same(&c.to, &name) && fits(&c.from)) || {
                askers.push((c.from.clone(), "match"));
                false
            }
        });
        self.partner_offers.retain(|o| {
            !(same(&o.to, &name) && fits(&o.from)) || {
                askers.push((o.from.clone(), "partnership"));
                false
            }
        });
        if askers.is_empty() {
            return self.tell(id, &no_offers(from, "decline"));
        }
        for (asker, what) in askers {
            self.tell(id, &format!("You decline the {what} offer of {asker}."));
            self.tell_name(&asker, &format!("{name} declines the {what} offer."));
        }
    }

    /// `withdraw`.
    pub(super) fn withdraw(&mut self, id: ClientId) {
        self.withdraw_requests(id);
        self.withdraw_all(id);
        self.tell(id, "Your offers are withdrawn.");
    }

    /// Takes back what a player has offered outside of games, and what others have offered him.
    pub(super) fn withdraw_all(&mut self, id: ClientId) {
        let name = self.name(id);
        self.challenges.retain(|challenge| !same(&challenge.from, &name) && !same(&challenge.to, &name));
        self.partner_offers.retain(|offer| !same(&offer.from, &name) && !same(&offer.to, &name));
        self.drop_seeks(|_, from| same(from, &name));
    }

    /// `pending`.
    pub(super) fn pending(&mut self, id: ClientId) {
        let name = self.name(id);
        let mut lines = Vec::new();
        for Challenge { from, to, terms } in &self.challenges {
            if same(from, &name) || same(to, &name) {
                lines.push(format!("{from} challenges {to}: {}{}.", terms.text(), color_word(terms.color)));
            }
        }
        for PartnerOffer { from, to } in &self.partner_offers {
            if same(from, &name) || same(to, &name) {
                lines.push(format!("{from} offers {to} to be partners."));
            }
        }
        if lines.is_empty() {
            lines.push("There are no offers from you or to you.".to_owned());
        }
        self.tell(id, &lines.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms() {
        let terms =
            |kind, minutes, increment, color| Ok(Terms { kind, control: Control { minutes, increment }, color });
        assert_eq!(Terms::parse(""), terms(Kind::Fangqi, 10, 5, None));
        assert_eq!(Terms::parse("5 2 yangqi white"), terms(Kind::Yangqi, 5, 2, Some(Color::White)));
        assert_eq!(Terms::parse("supply2/xiangqi black 3"), terms(Kind::Supply2, 3, 0, Some(Color::Black)));
        assert_eq!(Terms::parse("unrated 0 0 Xiangqi"), terms(Kind::Xiangqi, 0, 0, None));
        assert_eq!(Terms::parse("r 5 w"), terms(Kind::Fangqi, 5, 0, Some(Color::White)));
        for (text, why) in [
            ("601 0", "601: expected a whole number from 0 to 600."),
            ("-1", "-1: expected a whole number from 0 to 600."),
            ("99999999999", "99999999999: expected a whole number from 0 to 600."),
            ("5 0 7", "7: a third number, behind minutes and seconds."),
            ("chess", "chess is neither a number nor a game nor a colour; `variants` lists the games."),
            ("fangqi 5 yangqi", "yangqi: that has been said already; one game, one colour."),
            ("white yangqi B", "B: that has been said already; one game, one colour."),
            ("rated yangqi unrated", "unrated: that has been said already; one game, one colour."),
        ] {
            assert_eq!(Terms::parse(text).unwrap_err(), why);
        }
    }
}
