//! Seeks: who looks for an opponent. What is said of them is what XBoard's seek graph reads.
use super::hall::{MOST_OFFERS, Terms, color_word, is_number, same};
use super::matches::ENGINE;
use super::server::{ClientId, Server};

/// Somebody looks for an opponent.
#[derive(Debug, Clone)]
pub(super) struct Seek {
    from: String,
    terms: Terms,
}

impl Server {
    /// `seek`.
    pub(super) fn seek(&mut self, id: ClientId, rest: &str) {
        let from = self.name(id);
        let terms = match Terms::parse(rest) {
            Ok(terms) => terms,
            Err(why) => return self.tell(id, &why),
        };
        if self.player(id).is_some_and(|player| player.playing.is_some()) {
            return self.tell(id, "You are playing a game.");
        }
        if self.seeks.values().filter(|seek| same(&seek.from, &from)).count() >= MOST_OFFERS {
            return self.tell(id, "You have enough seeks; `unseek` takes them back.");
        }
        let number = (1..).find(|number| !self.seeks.contains_key(number)).unwrap_or(u32::MAX);
        self.tell(id, &format!("Your seek has been posted with index {number}."));
        let line = seek_line(number, &from, &terms);
        let others: Vec<ClientId> = self
            .clients
            .iter()
            .filter(|(_, c)| {
                c.player.as_ref().is_some_and(|p| p.sees_seeks && p.playing.is_none() && !same(&p.name, &from))
            })
            .map(|(&other, _)| other)
            .collect();
        for other in others {
            self.tell(other, &line);
        }
        self.seeks.insert(number, Seek { from, terms });
    }

    /// `unseek`.
    pub(super) fn unseek(&mut self, id: ClientId, rest: &str) {
        let name = self.name(id);
        let wanted = match rest {
            "" => None,
            number => match number.parse::<u32>() {
                Ok(number) => Some(number),
                Err(_) => return self.tell(id, &format!("{number} is no index of a seek.")),
            },
        };
        let gone = self.drop_seeks(|number, from| same(from, &name) && wanted.is_none_or(|wanted| wanted == number));
        self.tell(id, &format!("{gone} seek{} removed.", if gone == 1 { "" } else { "s" }));
    }

    /// `sought`, with the word `all` on other servers; here it is always all of them.
    pub(super) fn sought(&mut self, id: ClientId, rest: &str) {
        if !rest.is_empty() && !same(rest, "all") {
            return self.tell(id, &format!("{rest}: `sought` takes no word but `all`."));
        }
        let mut lines: Vec<String> = self.seeks.iter().map(|(&number, seek)| sought_line(number, seek)).collect();
        lines.push(format!("{} ads displayed.", lines.len()));
        self.tell(id, &lines.join("\n"));
    }

    /// `play`.
    pub(super) fn play_seek(&mut self, id: ClientId, rest: &str) {
        let name = self.name(id);
        if rest.is_empty() {
            return self.tell(id, "Which seek? `sought` lists them.");
        }
        if same(rest, ENGINE) {
            return self.tell(id, "The engine seeks nobody; `match engine` plays against it.");
        }
        let found = match rest.parse::<u32>() {
            Ok(number) => self.seeks.get_key_value(&number),
            Err(_) => self.seeks.iter().find(|(_, seek)| same(&seek.from, rest)),
        };
        let Some((&number, seek)) = found else {
            let of = if is_number(rest) { "" } else { "of " };
            return self.tell(id, &format!("There is no seek {of}{rest}."));
        };
        if same(&seek.from, &name) {
            return self.tell(id, "You cannot play against yourself.");
        }
        if self.player(id).is_some_and(|player| player.playing.is_some()) {
            return self.tell(id, "You are playing a game.");
        }
        let partner = self.player(id).and_then(|player| player.partner.clone());
        if partner.is_some_and(|partner| same(&partner, &seek.from)) {
            return self.tell(id, "That is your partner.");
        }
        let Seek { from, terms } = seek.clone();
        self.drop_seeks(|dropped, _| dropped == number);
        self.begin(&from, Some(&name), terms);
    }

    /// Takes seeks away, and tells the programs that show them; gives their number.
    pub(super) fn drop_seeks(&mut self, is_dropped: impl Fn(u32, &str) -> bool) -> usize {
        let mut gone = Vec::new();
        self.seeks.retain(|&number, seek| {
            let is_dropped = is_dropped(number, &seek.from);
            gone.extend(is_dropped.then(|| number.to_string()));
            !is_dropped
        });
        if !gone.is_empty() {
            let shows = |c: &super::server::Client| c.player.as_ref().is_some_and(|p| p.shows_seeks);
            let watchers: Vec<ClientId> = self.clients.iter().filter(|(_, c)| shows(c)).map(|(&id, _)| id).collect();
            for watcher in watchers {
                self.tell(watcher, &format!("Ads removed: {}", gone.join(" ")));
            }
        }
        gone.len()
    }
}

/// The announcement of a seek.
fn seek_line(number: u32, from: &str, terms: &Terms) -> String {
    let Terms { kind, control, color } = terms;
    format!(
        "{from} (++++) seeking {} {} unrated {kind}{} (\"play {number}\" to respond)",
        control.minutes,
        control.increment,
        color_word(*color)
    )
}

/// A line of the list of seeks.
fn sought_line(number: u32, Seek { from, terms: Terms { kind, control, color } }: &Seek) -> String {
    let (minutes, increment) = (control.minutes, control.increment);
    format!("{number:>3} ++++ {from:<17} {minutes:>3} {increment:>3} unrated {kind}{}", color_word(*color))
}
