//! The mock engine in UCI and UCCI.
use super::Mock;
use sanqi::games::supply::team::{BoardId, TeamGame, TeamMove};
use sanqi::games::{Game, Outcome, RankBase, Variant};

/// One board or two.
enum Board {
    One(Box<Game>),
    Two(Box<TeamGame>),
}

struct Uci {
    mock: Mock,
    /// UCCI: no words between name and value, ranks from 0.
    ucci: bool,
    two_boards: bool,
    variant: Variant,
    board: Board,
    /// Plies of the game that is played by a script.
    ply: usize,
}

pub(super) fn run(mock: Mock, hello: &str) {
    let board = Board::One(Box::new(Game::new(Variant::Xiangqi)));
    let mut uci = Uci { mock, ucci: hello == "ucci", two_boards: false, variant: Variant::Xiangqi, board, ply: 0 };
    uci.command(hello);
    while let Ok(line) = uci.mock.input.recv() {
        if line == "quit" {
            break;
        }
        uci.command(line.trim());
    }
}

impl Uci {
    fn base(&self) -> RankBase {
        if self.ucci { RankBase::Zero } else { RankBase::One }
    }

    fn command(&mut self, line: &str) {
        if self.mock.fault.name == "mute" {
            return;
        }
        match line.split_whitespace().next() {
            Some("uci") => {
                self.mock.say("id name Mock\nid author nobody");
                self.mock.say("option name Hash type spin default 16 min 1 max 1024");
                self.mock.say(
                    "option name UCI_Variant type combo default xiangqi var xiangqi var supply var supply2 var yangqi var yangqinoswap var fangqi",
                );
                self.mock.say("uciok");
            }
            Some("ucci") => {
                self.mock.say("id name Mock\noption usemillisec type check default false");
                self.mock.say(
                    "option variant type combo var xiangqi var supply default xiangqi\noption newgame type button",
                );
                self.mock.say("ucciok");
            }
            Some("isready") if self.mock.is_due("unready") => {}
            Some("isready") => self.mock.say("readyok"),
            Some("ucinewgame") => self.mock.moves = 0,
            Some("setoption") if line == "setoption newgame" => self.mock.moves = 0,
            Some("setoption") => {
                let name =
                    line.strip_prefix("setoption name UCI_Variant value ").or(line.strip_prefix("setoption variant "));
                if let Some(name) = name {
                    self.two_boards = name == "supply2";
                    self.variant = name.parse().unwrap_or(Variant::Xiangqi);
                }
            }
            Some("position") => self.position(line),
            Some("go") => self.go(line),
            _ => {}
        }
    }

    fn position(&mut self, line: &str) {
        let line = line.strip_prefix("position ").unwrap_or(line);
        let (line, over) = line.split_once(" over ").unwrap_or((line, ""));
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let fen = start.strip_prefix("fen ");
        let base = self.base();
        self.ply = moves.split_whitespace().count();
        if !self.mock.script.is_empty() {
            return;
        }
        if self.two_boards {
            let mut game = match fen {
                Some(fen) => TeamGame::from_fen(fen).expect("the client sends good positions"),
                None => TeamGame::new(),
            };
            for text in moves.split_whitespace() {
                let mv = game.parse_move(text, base).expect("the client sends legal moves");
                game.push(mv).expect("the client sends legal moves");
            }
            if !over.is_empty() {
                let board = BoardId::from_number(&over[..1]).expect("the number of a board");
                game.end(board, Outcome::Draw).expect("the client ends a board once");
            }
            self.board = Board::Two(Box::new(game));
            return;
        }
        let mut game = match fen {
            Some(fen) => Game::from_fen(self.variant, fen).expect("the client sends good positions"),
            None => Game::new(self.variant),
        };
        for text in moves.split_whitespace() {
            game.push_text(text, base).expect("the client sends legal moves");
        }
        self.board = Board::One(Box::new(game));
    }

    /// A random legal move as text.
    fn choose(&mut self, line: &str) -> String {
        let base = self.base();
        if let Some(mv) = self.mock.script.get(self.ply) {
            return mv.clone();
        }
        match &self.board {
            Board::One(game) => {
                let ended = game.result().outcome != Outcome::Ongoing;
                assert!(!ended, "nobody may be asked for a move in a finished game");
                let moves = game.legal_moves();
                game.move_text(moves[self.mock.random.below(moves.len())], base)
            }
            Board::Two(game) => {
                let number = line.strip_prefix("go board ").expect("the client names the board");
                let board = BoardId::from_number(&number[..1]).expect("the number of a board");
                let moves = game.legal_moves(board);
                assert!(!moves.is_empty(), "nobody may be asked for a move on a board that has ended");
                game.move_text(TeamMove { board, mv: moves[self.mock.random.below(moves.len())] }, base)
            }
        }
    }

    fn go(&mut self, line: &str) {
        let best = self.choose(line);
        let score = match self.ucci {
            true => "0",
            false if self.mock.is_due("mate") => "mate 3",
            false => "cp 0",
        };
        self.mock.say(&format!("info depth 1 nodes 1 score {score} time 0 pv {best}"));
        if self.mock.is_due("talk") {
            self.mock.say("info string team need R");
        }
        self.mock.before_the_move("stop");
        let answer = self.mock.announced(best.clone());
        let answer = if self.ucci && answer == "resign" { format!("{best} resign") } else { answer };
        self.mock.say(format!("bestmove {answer}").trim_end());
        if self.mock.is_due("twice") {
            self.mock.say(&format!("bestmove {answer}"));
        }
        self.mock.moves += 1;
    }
}
