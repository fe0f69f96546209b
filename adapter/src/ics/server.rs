//! The server's state, and the one task that changes it: clients, engines and clocks send events, which are served one after another. So
//! all boards see all moves in the same order, and no client can hold another one up.
use super::command::{self, Lookup};
use super::connection::Outbox;
use super::hall::Challenge;
use super::kind::Kind;
use super::matches::Match;
use super::options::IcsOptions;
use super::partners::PartnerOffer;
use super::record::Stored;
use super::robot::{Report, Robot};
use super::seeks::Seek;
use super::store::Store;
use super::telnet::Line;
use crate::replay::values::Seat;
use sanqi::board::Color;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

/// A connection.
pub(super) type ClientId = u64;
/// A match in progress.
pub(super) type MatchId = u64;

/// What happens to the server.
#[derive(Debug)]
pub(super) enum Event {
    /// Somebody has connected. Dropping `out` ends the connection when everything in it has been sent.
    Connected { id: ClientId, address: IpAddr, out: Outbox },
    /// A client has sent a line.
    Line { id: ClientId, line: Line },
    /// A client is gone, and why.
    Closed { id: ClientId, why: &'static str },
    /// An engine has something to say.
    Robot { game: MatchId, seat: Seat, report: Report },
    /// The server shall end.
    Shutdown { done: oneshot::Sender<()> },
}

/// Bytes that wait for a client at most within one event, and so the longest answer there is.
const MOST_PENDING: usize = 256 * 1024;
/// How long results are held back for a slow disk.
const SAVE_TIME: Duration = Duration::from_millis(500);
const PROMPT: &str = "fics% ";

/// A client.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) address: IpAddr,
    out: Outbox,
    /// What it is told by the event that is being served.
    pending: String,
    /// Names that were refused.
    pub(super) tries: u32,
    pub(super) player: Option<Player>,
}

/// Somebody who has logged in.
#[derive(Debug, Clone)]
pub(super) struct Player {
    pub(super) name: String,
    /// Wants times in milliseconds.
    pub(super) milliseconds: bool,
    /// Wants the first position with a list of moves.
    pub(super) start_position: bool,
    /// Takes challenges.
    pub(super) open: bool,
    /// Is told of seeks.
    pub(super) sees_seeks: bool,
    /// Is told as well which seeks are over: its program shows them.
    pub(super) shows_seeks: bool,
    pub(super) partner: Option<String>,
    pub(super) playing: Option<MatchId>,
    /// Whose games it watches as they begin, and whether those of the partner instead.
    pub(super) follows: Option<(String, bool)>,
    /// Numbers of the games that it watches.
    pub(super) observing: BTreeSet<u32>,
    /// For `say` and `rematch`: who it was, and the game.
    pub(super) last: Option<Last>,
    pub(super) since: Instant,
}

/// The last game of a player.
#[derive(Debug, Clone)]
pub(super) struct Last {
    pub(super) opponent: String,
    pub(super) kind: Kind,
    pub(super) control: super::clock::Control,
    pub(super) color: Color,
}

/// A seat of an engine.
#[derive(Debug)]
pub(super) struct EngineSeat {
    pub(super) robot: Robot,
    /// The request that is to be answered.
    pub(super) ticket: u64,
    pub(super) is_thinking: bool,
    /// Failures without a move since.
    pub(super) failures: u32,
    /// The last score that it told of its board.
    pub(super) score: Option<i32>,
}

/// The server.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) options: IcsOptions,
    pub(super) clients: BTreeMap<ClientId, Client>,
    /// By name in lower case.
    pub(super) names: HashMap<String, ClientId>,
    pub(super) matches: BTreeMap<MatchId, Match>,
    pub(super) robots: HashMap<(MatchId, Seat), EngineSeat>,
    pub(super) stored: BTreeMap<String, Stored>,
    /// Who wants to go on with a stored match, in lower case.
    pub(super) votes: HashMap<String, BTreeSet<String>>,
    pub(super) seeks: BTreeMap<u32, Seek>,
    pub(super) challenges: Vec<Challenge>,
    pub(super) partner_offers: Vec<PartnerOffer>,
    pub(super) store: Store,
    events: mpsc::Sender<Event>,
    next_match: MatchId,
    pub(super) next_ticket: u64,
    pub(super) next_guest: u32,
    pub(super) began: Instant,
}

impl Server {
    /// A server with the matches that were unfinished when the last one ended.
    pub(super) fn new(options: IcsOptions, store: Store, stored: Vec<Stored>, events: mpsc::Sender<Event>) -> Server {
        Server {
            options,
            clients: BTreeMap::new(),
            names: HashMap::new(),
            matches: BTreeMap::new(),
            robots: HashMap::new(),
            stored: stored.into_iter().map(|stored| (stored.id.clone(), stored)).collect(),
            votes: HashMap::new(),
            seeks: BTreeMap::new(),
            challenges: Vec::new(),
            partner_offers: Vec::new(),
            store,
            events,
            next_match: 0,
            next_ticket: 0,
            next_guest: 0,
            began: Instant::now(),
        }
    }

    /// Serves events until it is told to end.
    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<Event>) {
        loop {
            let flag = self.matches.values().filter_map(|played| played.next_flag()).map(|(at, ..)| at).min();
            tokio::select! {
                // A move that is there when the flag falls is in time.
                biased;
                event = inbox.recv() => match event {
                    None => break,
                    Some(Event::Shutdown { done }) => {
                        self.shut_down();
                        self.store.close();
                        // Whoever waited for it is gone, and everything is written.
                        let _ = done.send(());
                        break;
                    }
                    Some(event) => self.serve(event),
                },
                () = async { if let Some(at) = flag { sleep_until(at).await } }, if flag.is_some() => self.drop_flags(),
            }
            // A result that somebody has seen is not lost when the server is killed.
            if let Some(settled) = self.store.settled() {
                let _ = timeout(SAVE_TIME, settled).await;
            }
            self.flush();
        }
    }

    fn serve(&mut self, event: Event) {
        match event {
            Event::Connected { id, address, out } => {
                let client = Client { address, out, pending: String::new(), tries: 0, player: None };
                self.clients.insert(id, client);
                // XBoard takes a server with this word in its greeting for one like FICS.
                self.tell(id, "Sanqi chess server. The commands are those of freechess.org.");
                self.tell(id, "Log in with a name of three to seventeen letters, or as guest.");
                self.tell(id, "login: ");
            }
            Event::Line { id, line } => self.line(id, line),
            Event::Closed { id, why } => self.leave(id, why),
            Event::Robot { game, seat, report } => self.robot_reports(game, seat, report),
            Event::Shutdown { .. } => {}
        }
    }

    /// Says a line to a client. Beyond a limit that no answer reaches it is dropped.
    pub(super) fn tell(&mut self, id: ClientId, line: &str) {
        if let Some(client) = self.clients.get_mut(&id)
            && client.pending.len() < MOST_PENDING
        {
            client.pending.push_str("\r\n");
            client.pending.push_str(&line.replace('\n', "\r\n"));
        }
    }

    /// Says a line to a player, if he is here.
    pub(super) fn tell_name(&mut self, name: &str, line: &str) {
        if let Some(id) = self.id_of(name) {
            self.tell(id, line);
        }
    }

    /// Says a line to several players.
    pub(super) fn tell_names(&mut self, names: &[String], line: &str) {
        names.iter().for_each(|name| self.tell_name(name, line));
    }

    /// Sends what has gathered. A client that does not read is cut off.
    fn flush(&mut self) {
        let mut deaf = Vec::new();
        for (&id, client) in &mut self.clients {
            if client.pending.is_empty() {
                continue;
            }
            let mut text = std::mem::take(&mut client.pending);
            if client.player.is_some() {
                text.push_str("\r\n");
                text.push_str(PROMPT);
            }
            if !client.out.send(text) {
                deaf.push(id);
            }
        }
        for id in deaf {
            self.leave(id, "does not read what it is sent");
        }
        if self.clients.values().any(|client| !client.pending.is_empty()) {
            self.flush();
        }
    }

    /// The connection of a player.
    pub(super) fn id_of(&self, name: &str) -> Option<ClientId> {
        self.names.get(&name.to_ascii_lowercase()).copied()
    }

    /// The player behind a connection.
    pub(super) fn player(&self, id: ClientId) -> Option<&Player> {
        self.clients.get(&id)?.player.as_ref()
    }

    /// The same, to be changed.
    pub(super) fn player_mut(&mut self, id: ClientId) -> Option<&mut Player> {
        self.clients.get_mut(&id)?.player.as_mut()
    }

    /// A player by name.
    pub(super) fn named(&self, name: &str) -> Option<&Player> {
        self.player(self.id_of(name)?)
    }

    /// The same, to be changed.
    pub(super) fn named_mut(&mut self, name: &str) -> Option<&mut Player> {
        let id = self.id_of(name)?;
        self.player_mut(id)
    }

    /// The name of the player behind a connection, as it was given.
    pub(super) fn name(&self, id: ClientId) -> String {
        self.player(id).map(|player| player.name.clone()).unwrap_or_default()
    }

    /// The name of a player that is here from the whole of it or its beginning, if that fits one player only.
    pub(super) fn find_name(&self, text: &str) -> Result<String, String> {
        if let Some(player) = self.named(text) {
            return Ok(player.name.clone());
        }
        let text_lower = text.to_ascii_lowercase();
        let players = self.clients.values().filter_map(|client| client.player.as_ref());
        let mut found = players.filter(|p| !text.is_empty() && p.name.to_ascii_lowercase().starts_with(&text_lower));
        match (found.next(), found.next()) {
            (Some(player), None) => Ok(player.name.clone()),
            (Some(_), Some(_)) => Err(format!("Ambiguous name {text}.")),
            (None, _) => Err(format!("{text} is not logged in.")),
        }
    }

    fn line(&mut self, id: ClientId, line: Line) {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => {
                self.tell(id, "That line is too long; it is ignored.");
                return;
            }
        };
        match self.clients.get(&id) {
            None => {}
            Some(client) if client.player.is_none() => self.log_in(id, &text),
            Some(_) => self.execute(id, &text),
        }
    }

    /// Ends a connection; gives the player that was behind it.
    pub(super) fn close(&mut self, id: ClientId) -> Option<Player> {
        let client = self.clients.remove(&id)?;
        if !client.pending.is_empty() {
            // Its last words; one that does not read misses them.
            client.out.send(client.pending + "\r\n");
        }
        let player = client.player?;
        self.names.remove(&player.name.to_ascii_lowercase());
        Some(player)
    }

    /// A client leaves, whatever the reason: its game is adjourned, its offers are withdrawn.
    pub(super) fn leave(&mut self, id: ClientId, why: &'static str) {
        let Some(name) = self.player(id).map(|player| player.name.clone()) else {
            self.close(id);
            return;
        };
        log::info!("{name} {why}");
        self.withdraw_all(id);
        self.part(id);
        let Some(player) = self.close(id) else { return };
        if let Some(game) = player.playing {
            self.adjourn(game, &format!("{name} lost connection; game adjourned"));
        }
        for votes in self.votes.values_mut() {
            votes.remove(&name.to_ascii_lowercase());
        }
    }

    /// A client wants to leave.
    pub(super) fn quit(&mut self, id: ClientId) {
        self.tell(id, "**** Thank you for playing. ****");
        self.leave(id, "has quit");
    }

    /// Everything in progress is adjourned.
    fn shut_down(&mut self) {
        let games: Vec<MatchId> = self.matches.keys().copied().collect();
        games.into_iter().for_each(|game| self.adjourn(game, "server shuts down; game adjourned"));
        let ids: Vec<ClientId> = self.clients.keys().copied().collect();
        for id in ids {
            self.tell(id, "**** The server shuts down. ****");
            self.close(id);
        }
    }

    /// A new number for a match.
    pub(super) fn new_match_id(&mut self) -> MatchId {
        self.next_match += 1;
        self.next_match
    }

    /// The lowest free numbers of games.
    pub(super) fn free_games(&self) -> [u32; 2] {
        let used: BTreeSet<u32> = self.matches.values().flat_map(|m| &m.boards).map(|board| board.game).collect();
        let mut free = (1..).filter(|number| !used.contains(number));
        [free.next().unwrap_or(1), free.next().unwrap_or(2)]
    }

    /// How engines of a match reach the server.
    pub(super) fn events(&self) -> mpsc::Sender<Event> {
        self.events.clone()
    }

    fn execute(&mut self, id: ClientId, text: &str) {
        // XBoard marks its own commands so, to get round aliases.
        let text = text.trim_start_matches('$').trim();
        let (word, rest) = text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()));
        if word.is_empty() {
            return self.tell(id, "");
        }
        if command::is_move(word) {
            return match rest.split_whitespace().next() {
                Some(more) => self.tell(id, &format!("{more}: a move stands alone; {word} is not played.")),
                None => {
                    self.move_command(id, word);
                }
            };
        }
        match command::find(word) {
            Lookup::Unknown => self.tell(id, &format!("{word}: Command not found.")),
            Lookup::Ambiguous(names) => self.tell(id, &format!("Ambiguous command \"{word}\". Matches: {names}.")),
            Lookup::Command(name) => self.dispatch(id, name, rest),
        }
    }

    fn dispatch(&mut self, id: ClientId, name: &'static str, rest: &str) {
        if let Some(why) = command::excess(name, rest) {
            return self.tell(id, &why);
        }
        match name {
            "abort" => self.ask_abort(id),
            "accept" => self.accept(id, rest),
            "adjourn" => self.ask_adjourn(id),
            "alias" => self.tell(id, "Done."),
            "date" => self.date(id),
            "decline" => self.decline(id, rest),
            "draw" => self.draw(id, rest),
            "fen" => self.fen(id, rest),
            "flag" => self.flag(id),
            "follow" => self.follow(id, rest, false),
            "games" => self.games(id),
            "help" => self.help(id, rest),
            "iset" => self.iset(id, rest),
            "kibitz" | "whisper" => self.kibitz(id, rest, name),
            "match" => self.match_command(id, rest),
            "moves" => self.moves(id, rest),
            "observe" => self.observe(id, rest),
            "partner" => self.partner(id, rest),
            "pending" => self.pending(id),
            "pfollow" => self.follow(id, rest, true),
            "play" => self.play_seek(id, rest),
            "pobserve" => self.observe_partner(id, rest),
            "ptell" => self.tell_partner(id, rest),
            "quit" => self.quit(id),
            "refresh" => self.refresh(id, rest),
            "rematch" => self.rematch(id),
            "resign" => self.resign(id),
            "resume" => self.resume(id, rest),
            "say" => self.say(id, rest),
            "seek" => self.seek(id, rest),
            "set" => self.set(id, rest),
            "shout" => self.shout(id, rest),
            "sought" => self.sought(id, rest),
            "stored" => self.list_stored(id),
            "style" => self.style(id, rest),
            "takeback" => self.ask_take_back(id, rest),
            "tell" => self.tell_command(id, rest),
            "unobserve" => self.unobserve(id, rest),
            "unseek" => self.unseek(id, rest),
            "variants" => self.variants(id),
            "who" => self.who(id),
            "withdraw" => self.withdraw(id),
            _ => self.tell(id, &format!("{name}: Command not found.")),
        }
    }
}
