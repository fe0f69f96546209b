//! Logging in: by a name that nobody else has, or as a guest.
use super::matches::ENGINE;
use super::server::{Client, ClientId, Player, Server};
use std::collections::BTreeSet;
use tokio::time::Instant;

/// Names that are refused before a client that cannot log in is cut off.
const LOGIN_TRIES: u32 = 5;

/// Why nobody can have a name, if so.
pub(super) fn name_fault(name: &str) -> Option<&'static str> {
    if !(3..=17).contains(&name.len()) || !name.bytes().all(|b| b.is_ascii_alphabetic()) {
        return Some("a name has three to seventeen letters from A to Z");
    }
    let is_taken = [ENGINE, "White", "Black"].iter().any(|word| name.eq_ignore_ascii_case(word));
    is_taken.then_some("that is nobody's name")
}

/// What somebody says who is asked for his name.
enum Answer<'a> {
    /// A name; [`name_fault`] tells whether anybody can have it.
    Name(&'a str),
    /// That he wants none of his own.
    Guest,
    /// That he does not come in.
    Leave,
}

fn answer(text: &str) -> Answer<'_> {
    match text.to_ascii_lowercase().as_str() {
        "g" | "guest" => Answer::Guest,
        "quit" | "exit" | "bye" => Answer::Leave,
        _ => Answer::Name(text),
    }
}

/// A name that somebody can log in with, and then has.
///
/// # Errors
/// Why it is none.
pub(crate) fn own_name(text: &str) -> Result<String, &'static str> {
    match answer(text) {
        Answer::Name(name) => name_fault(name).map_or(Ok(name.to_owned()), Err),
        Answer::Guest => Err("a guest gets another name from the server"),
        Answer::Leave => Err("whoever says that leaves"),
    }
}

impl Server {
    /// Takes a name.
    pub(super) fn log_in(&mut self, id: ClientId, text: &str) {
        let name = match answer(text) {
            Answer::Guest => self.guest_name(),
            Answer::Leave => return self.leave(id, "has quit"),
            Answer::Name(name) => name.to_owned(),
        };
        if let Err(why) = self.check_name(id, &name) {
            self.tell(id, &why);
            self.tell(id, "login: ");
            let tries = self.clients.get_mut(&id).map_or(0, |client| {
                client.tries += 1;
                client.tries
            });
            if tries >= LOGIN_TRIES {
                self.leave(id, "cannot log in");
            }
            return;
        }
        // The same person from a new connection: the old one may be dead without the server knowing it. The game goes on.
        let former = self.id_of(&name).and_then(|old| {
            self.tell(old, "**** You have logged in from elsewhere. ****");
            self.close(old)
        });
        let fresh = Player {
            name: name.clone(),
            milliseconds: false,
            start_position: false,
            open: true,
            sees_seeks: true,
            shows_seeks: false,
            partner: None,
            playing: None,
            follows: None,
            observing: BTreeSet::new(),
            last: None,
            since: Instant::now(),
        };
        let player = former.map_or(fresh, |former| Player {
            milliseconds: false,
            start_position: false,
            shows_seeks: false,
            ..former
        });
        let playing = player.playing;
        if let Some(client) = self.clients.get_mut(&id) {
            client.player = Some(player);
        }
        self.names.insert(name.to_ascii_lowercase(), id);
        self.tell(id, &format!("Logging you in as \"{name}\"."));
        self.tell(id, &format!("**** Starting FICS session as {name} ****"));
        self.tell(id, "Say `help` for the commands, `match engine 5 0 fangqi` for a game.");
        match playing {
            Some(game) => self.show_boards(id, game, "Continuing"),
            None => self.announce_stored(id),
        }
    }

    fn check_name(&self, id: ClientId, name: &str) -> Result<(), String> {
        if let Some(why) = name_fault(name) {
            return Err(format!("{name}: {why}."));
        }
        let address = |id| self.clients.get(&id).map(|client: &Client| client.address);
        match self.id_of(name) {
            Some(other) if address(other) != address(id) => Err(format!("{name} is logged in from elsewhere.")),
            _ => Ok(()),
        }
    }

    /// A name that nobody has, here or in a stored match.
    fn guest_name(&mut self) -> String {
        loop {
            let mut number = self.next_guest;
            self.next_guest = self.next_guest.wrapping_add(1);
            let mut name = "Guest".to_owned();
            for _ in 0..4 {
                name.push(char::from(b'A' + (number % 26) as u8));
                number /= 26;
            }
            let stored = || self.stored.values().flat_map(|stored| &stored.holders).any(|holder| holder.is(&name));
            if self.id_of(&name).is_none() && !stored() {
                return name;
            }
        }
    }
}
