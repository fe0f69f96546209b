//! The mock engine in the XBoard protocol.
use super::Mock;
use sanqi::games::{Game, Outcome, RankBase, Variant};

struct Xboard {
    mock: Mock,
    game: Game,
    /// It is not in force mode.
    playing: bool,
}

pub(super) fn run(mock: Mock) {
    let mut xboard = Xboard { mock, game: Game::new(Variant::Xiangqi), playing: false };
    while let Ok(line) = xboard.mock.input.recv() {
        if line == "quit" {
            break;
        }
        xboard.command(line.trim());
    }
}

impl Xboard {
    fn base(&self) -> RankBase {
        if self.game.variant() == Variant::Fangqi { RankBase::One } else { RankBase::Zero }
    }

    fn command(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "protover" => {
                self.mock.say("feature done=0");
                let setboard = u8::from(self.mock.fault.name != "nosetup");
                self.mock.say(&format!("feature ping=1 setboard={setboard} usermove=1 memory=1 myname=\"Mock\""));
                self.mock.say("feature variants=\"xiangqi,supply,yangqi,fangqi\" done=1");
            }
            "ping" if self.mock.is_due("unready") => {}
            "ping" => self.mock.say(&format!("pong {rest}")),
            "new" => {
                self.mock.moves = 0;
                self.game = Game::new(Variant::Xiangqi);
                self.playing = true;
            }
            "variant" => self.game = Game::new(rest.parse().expect("a variant that was named")),
            "setboard" => {
                self.game = Game::from_fen(self.game.variant(), rest).expect("the client sends good positions");
            }
            "force" => self.playing = false,
            "holding" => self.holding(rest),
            "go" => {
                self.playing = true;
                self.think();
            }
            "usermove" if self.playing && self.mock.is_due("refuse") => {
                self.mock.say(&format!("Illegal move: {rest}"));
            }
            "usermove" => {
                let base = self.base();
                self.game.push_text(rest, base).expect("the client sends legal moves");
                if self.playing {
                    self.think();
                }
            }
            _ => {}
        }
    }

    /// A piece that has arrived, the last word of `[WHITE] [BLACK] WC`. The reserves before it may be older than a drop just made.
    fn holding(&mut self, text: &str) {
        let (_, piece) = text.rsplit_once("] ").expect("two reserves and a piece");
        let letter = piece[1..].to_owned();
        let letter = if piece.starts_with('W') { letter } else { letter.to_ascii_lowercase() };
        let fen = self.game.fen().replacen('[', &format!("[{letter}"), 1);
        self.game = Game::from_fen(self.game.variant(), &fen).expect("a reserve that the rules allow");
    }

    fn think(&mut self) {
        if self.game.result().outcome != Outcome::Ongoing {
            return;
        }
        let moves = self.game.legal_moves();
        let mv = moves[self.mock.random.below(moves.len())];
        let best = self.game.move_text(mv, self.base());
        self.mock.say(&format!("1 0 0 1 {best}"));
        if self.mock.is_due("talk") {
            self.mock.say("tellics ptell go");
        }
        self.mock.before_the_move("?");
        match self.mock.announced(best).as_str() {
            "resign" => self.mock.say("resign"),
            _ if self.mock.is_due("claim") => self.mock.say("1-0 {I say so}"),
            text => self.mock.say(format!("move {text}").trim_end()),
        }
        self.game.push(mv);
        self.mock.moves += 1;
    }
}
