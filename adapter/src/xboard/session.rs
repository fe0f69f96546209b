//! The state behind a conversation with a GUI, and what each command does to it.
use super::clock::Clock;
use super::features;
use super::markers::Lifted;
use super::options::{DialectChoice, OFFERED, XboardOptions};
use super::player::{Failure, Player};
use super::search::Search;
use super::stones::Shots;
use super::team::{self, Partner, Told};
use crate::cecp::{self, MoveStyle};
use sanqi::board::Color;
use sanqi::games::{Game, Move, Variant};
use std::collections::VecDeque;
use std::io::Write;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// What the front does when it is its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing.
    Force,
    /// It plays this colour.
    Plays(Color),
    /// It looks for the best move of whoever is on turn, without end.
    Analysis,
}

/// A conversation.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) player: Player,
    pub(super) game: Game,
    /// The moves of the game as the engine writes them.
    pub(super) words: Vec<String>,
    /// What the GUI has in its list of moves, latest last: moves of the game, and passes and shots, which are none.
    pub(super) plies: Vec<bool>,
    pub(super) mode: Mode,
    pub(super) search: Option<Search>,
    pub(super) clock: Clock,
    pub(super) post: bool,
    pub(super) ponder: bool,
    /// The opponent is another program.
    pub(super) against_program: bool,
    /// A server is in charge of the game: it tells the results and sets the boards.
    pub(super) on_server: bool,
    pub(super) partner: Option<Partner>,
    /// What the user holds in his hand.
    lifted: Option<Lifted>,
    /// Moves that an analysis leaves out.
    pub(super) excluded: Vec<Move>,
    /// What the engine would have the opponent play.
    pub(super) hint: Option<Move>,
    /// The engine's latest score of a position of this game, in centipawns.
    pub(super) score: Option<i32>,
    /// Captured stones that are still to be taken off the GUI's board.
    pub(super) shots: Option<Shots>,
    /// The GUI's board shows stones that have been captured.
    pub(super) stale: bool,
    /// The GUI has been given the position and believes that the game has ended.
    pub(super) resynchronised: bool,
    /// The GUI calls the first player Black.
    pub(super) exchanged: bool,
    /// The user has been told about captured stones.
    pub(super) told: bool,
    /// When the turn began about which the engine thinks.
    pub(super) turn_began: Instant,
    /// Failures of the engine in this turn.
    pub(super) failures: u32,
    pub(super) over: bool,
    /// Numbers of pings that are answered once the engine has moved.
    pub(super) pings: VecDeque<String>,
    /// The seed of the command line, and the games played since.
    pub(super) seed: Option<i64>,
    pub(super) games: i64,
    /// It has accepted `highlight`.
    is_xboard: bool,
    chessv: bool,
    first: Variant,
    options: XboardOptions,
    out: Output,
    broken: bool,
}

/// Where the GUI listens.
struct Output(Box<dyn Write + Send>);

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Output")
    }
}

impl Session {
    /// Starts the engine.
    pub(super) async fn start(options: XboardOptions) -> Result<Session, Failure> {
        let player = Player::start(options.launch(), &options.option).await?;
        let first = options.variant.unwrap_or(Variant::Yangqi);
        let seed = options.option.iter().rfind(|(name, _)| name.eq_ignore_ascii_case("Seed")).cloned();
        Ok(Session {
            player,
            game: Game::new(first),
            words: Vec::new(),
            plies: Vec::new(),
            mode: Mode::Plays(Color::Black),
            search: None,
            clock: Clock::default(),
            post: false,
            ponder: false,
            against_program: false,
            on_server: false,
            partner: None,
            lifted: None,
            excluded: Vec::new(),
            hint: None,
            score: None,
            shots: None,
            stale: false,
            resynchronised: false,
            exchanged: false,
            told: false,
            turn_began: Instant::now(),
            failures: 0,
            over: false,
            pings: VecDeque::new(),
            seed: seed.and_then(|(_, value)| value.parse().ok()),
            games: 0,
            is_xboard: false,
            chessv: options.dialect == DialectChoice::Chessv,
            first,
            options,
            out: Output(Box::new(std::io::stdout())),
            broken: false,
        })
    }

    /// Says everything to `out`.
    pub(super) fn with_output(self, out: Box<dyn Write + Send>) -> Session {
        Session { out: Output(out), ..self }
    }

    /// Listens to the GUI and to the engine.
    pub(super) async fn serve(&mut self, mut lines: mpsc::Receiver<String>) -> Result<(), String> {
        let mut open = true;
        loop {
            let deadline = self.search.as_ref().and_then(|search| search.deadline);
            let searching = self.search.is_some();
            let done = tokio::select! {
                line = lines.recv(), if open => match line {
                    Some(line) => self.execute(line.trim()).await,
                    None => {
                        open = false;
                        Ok(false)
                    }
                },
                said = self.player.engine.next(deadline), if searching => self.hear(said).await.map(|()| false),
            };
            match done {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(failure) => self.recover(&failure).await?,
            }
            // At the end of the input a move that is being thought about is still made.
            if self.broken || (!open && !self.thinks()) {
                return Ok(());
            }
        }
    }

    /// Ends the engine.
    pub(super) async fn close(self) {
        self.player.engine.quit().await;
    }

    /// Says a line to the GUI.
    pub(super) fn say(&mut self, line: &str) {
        let Output(out) = &mut self.out;
        self.broken |= writeln!(out, "{line}").and_then(|()| out.flush()).is_err();
    }

    /// How the GUI writes moves.
    pub(super) fn style(&self) -> MoveStyle {
        let style = MoveStyle::of(self.game.variant());
        MoveStyle { vao: if self.chessv { 'a' } else { 'v' }, marks_soldiers: self.has_board(), ..style }
    }

    /// It is XBoard with a board of its own, which has to be told that a Soldier on the last rank stays one and which stones are gone:
    /// nobody else accepts marks on squares, and a server or a match on two boards keeps the board itself.
    pub(super) fn has_board(&self) -> bool {
        self.is_xboard && !self.is_refereed()
    }

    /// It is ChessV.
    pub(super) fn is_chessv(&self) -> bool {
        self.chessv
    }

    /// Carries out a line; true at `quit`.
    async fn execute(&mut self, line: &str) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let understood = match word {
            "" | "xboard" | "random" | "name" | "rating" | "egtpath" | "pause" | "resume" | "setscore" => true,
            "quit" => return Ok(true),
            "protover" => {
                let name = self.player.engine.name().unwrap_or("UCI engine").to_owned();
                self.say("feature done=0");
                for line in features::lines(&name, self.first, self.player.engine.options()) {
                    self.say(&line);
                }
                true
            }
            "accepted" => {
                self.is_xboard |= rest == "highlight";
                true
            }
            "rejected" => {
                self.chessv |= rest == "colors" && self.options.dialect == DialectChoice::Auto;
                true
            }
            "new" => self.new_game(self.first).await.map(|()| true)?,
            "variant" => self.variant(rest).await?,
            "force" => self.force().await.map(|()| true)?,
            "go" => self.go().await.map(|()| true)?,
            "playother" => self.play_other().await.map(|()| true)?,
            "white" | "black" => {
                self.plays(if word == "white" { Color::Black } else { Color::White }).await.map(|()| true)?
            }
            "level" => self.clock.level(rest),
            "st" => self.clock.per_move(rest),
            "sd" => self.clock.depth(rest),
            "nps" => self.clock.rate(rest),
            "time" => self.clock.time(rest),
            "otim" => self.clock.otim(rest),
            "post" | "nopost" => {
                self.post = word == "post";
                true
            }
            "hard" | "easy" => self.set_pondering(word == "hard").await.map(|()| true)?,
            "usermove" => self.user_move(rest, line).await.map(|()| true)?,
            "?" => self.move_now().await.map(|()| true)?,
            "ping" => {
                self.ping(rest);
                true
            }
            "result" => self.result().await.map(|()| true)?,
            "setboard" => self.set_board(rest).await.map(|()| true)?,
            "undo" => self.undo(1).await?,
            "remove" => self.undo(2).await?,
            "hint" => self.give_hint().await.map(|()| true)?,
            // An empty list ends the answer.
            "bk" => {
                self.say("");
                true
            }
            "draw" => {
                self.answer_draw();
                true
            }
            "computer" => {
                self.against_program = true;
                true
            }
            "ics" => {
                self.on_server = rest != "-";
                true
            }
            "analyze" => self.analyze().await.map(|()| true)?,
            "exit" => self.force().await.map(|()| true)?,
            "." => {
                self.report_status();
                true
            }
            "exclude" | "include" => self.exclude(rest, word == "exclude").await?,
            "memory" => self.set_number("Hash", rest).await?,
            "cores" => self.set_number("Threads", rest).await?,
            "option" => self.set_option(rest).await?,
            "lift" => {
                self.lift(rest);
                true
            }
            "hover" | "put" => {
                self.mark(rest, word == "put");
                true
            }
            "partner" => {
                self.meet_partner(rest).await.map(|()| true)?;
                true
            }
            "ptell" => self.hear_partner(rest).await.map(|()| true)?,
            "holding" => self.holding(rest).await?,
            // A move without `usermove`, as of a GUI that passes over the feature.
            _ if rest.is_empty() && self.style().read(&self.game, word).is_ok() => {
                self.user_move(word, line).await.map(|()| true)?
            }
            _ => {
                self.error("unknown command", line);
                true
            }
        };
        if !understood {
            self.error("bad argument", line);
        }
        Ok(false)
    }

    /// `Error (WHY): COMMAND`.
    pub(super) fn error(&mut self, why: &str, line: &str) {
        let line: String = line.chars().filter(|c| !c.is_control()).take(200).collect();
        self.say(&format!("Error ({why}): {line}"));
    }

    async fn variant(&mut self, name: &str) -> Result<bool, Failure> {
        // XBoard puts a size before the name of a variant that it knows otherwise: `9x10+7_bughouse`.
        let sized =
            name.split_once('_').filter(|(size, _)| size.chars().all(|c| c.is_ascii_digit() || "x+".contains(c)));
        let name = sized.map_or(name, |(_, name)| name);
        let known = OFFERED.into_iter().find(|variant| variant.name() == name);
        let Some(variant) = known.or((name == "bughouse").then_some(Variant::Supply)) else { return Ok(false) };
        self.new_game(variant).await?;
        // ChessV has boards of its own.
        if !self.chessv
            && let Some(setup) = cecp::setup(variant)
        {
            self.say(&setup);
            for line in cecp::pieces(variant) {
                self.say(line);
            }
        }
        Ok(true)
    }

    fn ping(&mut self, number: &str) {
        if self.thinks() {
            self.pings.push_back(number.to_owned());
        } else {
            self.say(&format!("pong {number}"));
        }
    }

    /// Answers the pings that have waited for a move.
    pub(super) fn answer_pings(&mut self) {
        while let Some(number) = self.pings.pop_front() {
            self.say(&format!("pong {number}"));
        }
    }

    async fn set_pondering(&mut self, on: bool) -> Result<(), Failure> {
        self.ponder = on;
        if !on {
            self.stop_pondering().await?;
        }
        self.player.set("Ponder", if on { "true" } else { "false" }).await
    }

    async fn set_number(&mut self, name: &str, number: &str) -> Result<bool, Failure> {
        // More than the engine takes is a wish that is met as far as it goes, nothing at all is none.
        let Some(number) = number.parse::<i64>().ok().filter(|&number| number > 0) else { return Ok(false) };
        self.player.set_within(name, number).await?;
        Ok(true)
    }

    async fn set_option(&mut self, text: &str) -> Result<bool, Failure> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text, None),
        };
        let Some(option) = self.player.option_named(name) else { return Ok(false) };
        let Some(value) = features::value_for(option, value) else { return Ok(false) };
        if name.eq_ignore_ascii_case("Seed") {
            (self.seed, self.games) = (value.parse().ok(), 0);
        }
        self.player.set(name, &value).await?;
        Ok(true)
    }

    fn lift(&mut self, square: &str) {
        self.lifted = Lifted::at(&self.game, square);
        if let Some(targets) = self.lifted.as_ref().and_then(|lifted| lifted.targets(&self.game)) {
            self.say(&format!("highlight {targets}"));
        }
        // XBoard lets the user choose by moving to and fro, among what it has been told by then.
        let vao = self.style().vao;
        if let Some(choice) = self.lifted.as_ref().and_then(|lifted| lifted.choice(&self.game, None, vao)) {
            self.say(&format!("choice {choice}"));
        }
    }

    fn mark(&mut self, square: &str, put: bool) {
        let Some(lifted) = &self.lifted else { return };
        let vao = self.style().vao;
        let answer = match put {
            true => lifted.choice(&self.game, Some(square), vao).map(|choice| format!("choice {choice}")),
            false => lifted.victims(&self.game, square).map(|victims| format!("highlight {victims}")),
        };
        if let Some(answer) = answer {
            self.say(&answer);
        }
    }

    async fn meet_partner(&mut self, name: &str) -> Result<(), Failure> {
        let partner = (!name.is_empty()).then(Partner::default);
        if partner.is_some() {
            self.say(&format!("tellics ptell {}", team::GREETING));
        }
        if partner.is_some() != self.partner.is_some() {
            // The engine plays another game now: two boards, or one.
            let thought = self.thinks();
            self.abandon().await?;
            self.partner = partner;
            if thought {
                self.think().await?;
            } else if self.mode == Mode::Analysis {
                self.analyze().await?;
            }
        }
        Ok(())
    }

    async fn hear_partner(&mut self, text: &str) -> Result<(), Failure> {
        let Some(partner) = &mut self.partner else { return Ok(()) };
        match Told::parse(text) {
            Told::Team(line) => self.player.engine.send(&line).await?,
            Told::Move => self.move_now().await?,
            Told::Time(time) => partner.time = Some(time),
            Told::Otim(time) => partner.otim = Some(time),
            Told::Program => partner.is_program = true,
            Told::Help => self.say(&format!("tellics ptell {}", team::HELP)),
            Told::Other => {}
        }
        Ok(())
    }
}
