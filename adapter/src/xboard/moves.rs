//! What moves and set-up positions do to the game: those of the user, those of the engine, taking back, and captured stones.
use super::chessv;
use super::player::Failure;
use super::results::claim;
use super::session::{Mode, Session};
use super::stones::{self, Shots};
use super::team::Holding;
use crate::cecp::{MoveWord, read_fen};
use sanqi::board::Color;
use sanqi::games::fangqi::geometry::FILES;
use sanqi::games::{Game, Move, Outcome, Variant};

/// Said once to a human at a board that cannot show captures, in lines as XBoard breaks them after two backslashes.
const ADVICE: &str = r"telluser \\XBoard cannot take captured stones off its board during a game.\nAfter a capture the position is set up anew,\nand the list of moves and the clocks begin again.\nThe server front shows captures as they are: sanqi-adapter ics";

impl Session {
    /// Begins a game of `variant`: the engine is Black, or goes on analysing, and nothing is known about its opponent.
    pub(super) async fn new_game(&mut self, variant: Variant) -> Result<(), Failure> {
        self.abandon().await?;
        if !self.plies.is_empty() {
            self.games += 1;
            self.vary().await?;
        }
        self.begin_at(Game::new(variant));
        if self.mode != Mode::Analysis {
            self.player.set("UCI_AnalyseMode", "false").await?;
            self.mode = Mode::Plays(Color::Black);
        }
        self.against_program = false;
        self.clock.new_game();
        self.player.choose(if self.is_team_game() { "supply2" } else { variant.name() }, true).await?;
        self.look_again().await
    }

    /// Ends what is going on for another mode, and an analysis with it.
    async fn enter(&mut self, mode: Mode) -> Result<(), Failure> {
        self.abandon().await?;
        if self.mode == Mode::Analysis {
            self.player.set("UCI_AnalyseMode", "false").await?;
        }
        self.mode = mode;
        Ok(())
    }

    /// A seed that was asked for is that of the first game: otherwise all games against the same opponent were the same.
    async fn vary(&mut self) -> Result<(), Failure> {
        match self.seed {
            Some(seed) => self.player.set_within("Seed", seed + self.games).await,
            None => Ok(()),
        }
    }

    /// Forgets the game for another that begins at a position.
    fn begin_at(&mut self, game: Game) {
        self.game = game;
        self.words.clear();
        self.plies.clear();
        self.excluded.clear();
        (self.hint, self.score, self.shots) = (None, None, None);
        (self.stale, self.resynchronised, self.exchanged, self.over) = (false, false, false, false);
        self.failures = 0;
    }

    /// There is nothing more to be played, by the rules or because the GUI said so. Where somebody else judges, only a lack of moves
    /// counts, and not for good: a piece may be on its way.
    pub(super) fn is_finished(&self) -> bool {
        self.over
            || match self.is_refereed() {
                true => self.game.legal_moves().is_empty(),
                false => self.game.result().outcome != Outcome::Ongoing,
            }
    }

    /// A server, or whoever plays a match on two boards, judges the game.
    pub(super) fn is_refereed(&self) -> bool {
        self.on_server || self.partner.is_some()
    }

    /// `force`. XBoard says it after having been given a position too, when the game goes on.
    pub(super) async fn force(&mut self) -> Result<(), Failure> {
        if self.resynchronised { Ok(()) } else { self.enter(Mode::Force).await }
    }

    /// `go`: plays the side to move.
    pub(super) async fn go(&mut self) -> Result<(), Failure> {
        self.resynchronised = false;
        self.enter(Mode::Plays(self.game.side())).await?;
        if !self.claim() {
            self.think().await?;
        }
        Ok(())
    }

    /// `playother`: plays the side that is not to move.
    pub(super) async fn play_other(&mut self) -> Result<(), Failure> {
        self.plays(!self.game.side()).await?;
        self.think_ahead().await
    }

    /// Plays a colour from its next turn on.
    pub(super) async fn plays(&mut self, color: Color) -> Result<(), Failure> {
        self.enter(Mode::Plays(color)).await
    }

    /// `result`.
    pub(super) async fn result(&mut self) -> Result<(), Failure> {
        if !self.resynchronised {
            self.abandon().await?;
            self.over = true;
        }
        Ok(())
    }

    /// `setboard`. In a match that is also how a pass is told.
    pub(super) async fn set_board(&mut self, fen: &str) -> Result<(), Failure> {
        if self.shots.as_ref().is_some_and(Shots::pass_due) && matches!(self.mode, Mode::Plays(_)) {
            return self.opponent_passed().await;
        }
        match read_fen(self.game.variant(), fen) {
            Err(error) => self.say(&format!("tellusererror Illegal position: {error}")),
            Ok(game) => {
                self.abandon().await?;
                self.begin_at(game);
                self.look_again().await?;
            }
        }
        Ok(())
    }

    /// Takes moves back.
    pub(super) async fn undo(&mut self, count: usize) -> Result<bool, Failure> {
        if self.plies.len() < count {
            return Ok(false);
        }
        self.abandon().await?;
        for _ in 0..count {
            if self.plies.pop() == Some(true) {
                self.game.undo();
                self.words.pop();
            }
        }
        (self.hint, self.shots, self.over) = (None, None, false);
        self.look_again().await?;
        Ok(true)
    }

    /// An analysis follows the board.
    async fn look_again(&mut self) -> Result<(), Failure> {
        self.excluded.clear();
        if self.mode == Mode::Analysis { self.analyze().await } else { Ok(()) }
    }

    /// A move of the user or of the other program.
    pub(super) async fn user_move(&mut self, text: &str, line: &str) -> Result<(), Failure> {
        if self.thinks() {
            self.error("it is not your turn", line);
            return Ok(());
        }
        self.resynchronised = false;
        match MoveWord::of(text, FILES, FILES, self.style().base) {
            MoveWord::Null if self.game.variant() == Variant::Fangqi => return self.opponent_passed().await,
            MoveWord::Shot { from, target } if self.game.variant() == Variant::Fangqi => {
                return self.opponent_shot(from, target).await;
            }
            _ => {}
        }
        self.shots = None;
        let mv = match self.style().read(&self.game, text) {
            Ok(mv) => mv,
            Err(error) => {
                if self.is_chessv()
                    && let Some(game) = chessv::swap_in_check(&self.game, text)
                {
                    self.stop_pondering().await?;
                    return self.accept_position(game).await;
                }
                let text: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
                let why = match error {
                    sanqi::games::MoveError::Syntax(_) => " (not a move)",
                    sanqi::games::MoveError::Illegal(_) => "",
                };
                self.say(&format!("Illegal move{why}: {text}"));
                return Ok(());
            }
        };
        let hit = match self.mode {
            Mode::Plays(side) if side != self.game.side() => {
                // What the engine is told must not be older than its search.
                let hit = self.search.as_ref().is_some_and(|s| s.purpose == super::search::Purpose::Ponder(mv));
                if !hit {
                    self.abandon().await?;
                }
                hit
            }
            _ => {
                self.abandon().await?;
                false
            }
        };
        self.push(mv);
        if hit && self.ponder_hit(mv).await? {
            return Ok(());
        }
        self.abandon().await?;
        self.after_user_move().await
    }

    /// What follows when the other side has moved.
    async fn after_user_move(&mut self) -> Result<(), Failure> {
        match self.mode {
            Mode::Force => Ok(()),
            Mode::Analysis => self.look_again().await,
            Mode::Plays(side) => {
                if self.claim() || side != self.game.side() {
                    return Ok(());
                }
                self.think().await
            }
        }
    }

    /// A legal move enters the game.
    fn push(&mut self, mv: Move) {
        let base = self.player.base();
        let mover = self.game.side();
        let victims = stones::captured(&self.game, mv);
        if !victims.is_empty() && self.has_board() {
            let shooter = (usize::from(mv.to()) % FILES, usize::from(mv.to()) / FILES);
            if self.against_program {
                self.shots = Shots::after(mover, shooter, victims);
            } else {
                self.stale = true;
            }
        }
        self.words.push(self.game.move_text(mv, base));
        self.plies.push(true);
        self.game.push(mv);
        self.hint = None;
        self.excluded.clear();
    }

    /// The engine's move. `reply` is what it would have the opponent answer.
    pub(super) async fn play(&mut self, mv: Move, reply: Option<&str>) -> Result<(), Failure> {
        let text = self.style().write(&self.game, mv);
        // Where the GUI still shows stones that the user has captured, it may refuse a new one. The position tells it the move.
        let shown = !self.stale;
        self.push(mv);
        if shown || self.is_finished() {
            self.say(&format!("move {text}"));
        }
        self.answer_pings();
        self.hint = reply.and_then(|word| self.game.parse_move(word, self.player.base()).ok());
        self.tell_clocks();
        if !self.claim() {
            self.resynchronise();
            self.think_ahead().await?;
        }
        Ok(())
    }

    /// True when there is nothing more to be played. The result is said, once, unless somebody else judges.
    fn claim(&mut self) -> bool {
        if !self.is_finished() {
            return false;
        }
        if !self.over
            && !self.is_refereed()
            && let Some(claim) = claim(&self.game, self.exchanged)
        {
            self.over = true;
            self.say(&claim);
        }
        true
    }

    /// Gives a GUI with a human before it the position, when its board shows stones that have gone.
    fn resynchronise(&mut self) {
        let Mode::Plays(side) = self.mode else { return };
        if !std::mem::take(&mut self.stale) {
            return;
        }
        self.exchanged = side == Color::White;
        let fen = stones::for_human(&self.game.fen(), self.exchanged);
        self.say(&format!("setboard {fen}"));
        self.plies.clear();
        self.resynchronised = true;
        if !std::mem::replace(&mut self.told, true) {
            self.say(ADVICE);
        }
    }

    /// Passes or shoots, when that is due; true when it was.
    pub(super) async fn act_on_stones(&mut self) -> Result<bool, Failure> {
        let Mode::Plays(side) = self.mode else { return Ok(false) };
        let Some(shots) = &mut self.shots else { return Ok(false) };
        if shots.side() != side {
            return Ok(false);
        }
        let action = shots.act();
        if shots.done() {
            self.shots = None;
        }
        self.plies.push(false);
        self.say(&format!("move {action}"));
        self.answer_pings();
        Ok(true)
    }

    async fn opponent_passed(&mut self) -> Result<(), Failure> {
        self.plies.push(false);
        if let Some(shots) = &mut self.shots
            && shots.pass_due()
        {
            shots.act();
            self.act_on_stones().await?;
        }
        Ok(())
    }

    async fn opponent_shot(&mut self, from: (usize, usize), target: (usize, usize)) -> Result<(), Failure> {
        self.plies.push(false);
        if let Some(shots) = &mut self.shots
            && shots.next_shot() == Some((from, target))
        {
            shots.act();
            if shots.done() {
                self.shots = None;
            }
            return match self.mode {
                Mode::Plays(side) if self.shots.is_some() || side == self.game.side() => self.think().await,
                _ => Ok(()),
            };
        }
        Ok(())
    }

    /// `holding`: a piece has arrived from the other board, or this is all that is in hand. An engine that is thinking begins again with
    /// the time that is left.
    pub(super) async fn holding(&mut self, text: &str) -> Result<bool, Failure> {
        let Some(holding) = Holding::parse(text) else { return Ok(false) };
        if self.game.variant() != Variant::Supply {
            return Ok(true);
        }
        let fen = self.game.fen();
        let set_up = |fen: Option<String>| fen.and_then(|fen| Game::from_fen(Variant::Supply, &fen).ok());
        let Some(game) = set_up(holding.arrival(&fen)).or_else(|| set_up(holding.replaced(&fen))) else {
            return Ok(false);
        };
        if game.fen() == fen {
            return Ok(true);
        }
        let thought = self.thinks();
        // A piece may arrive for a side that had no move left.
        let waited = self.mode == Mode::Plays(self.game.side()) && !self.over && self.game.legal_moves().is_empty();
        // Its answer to a ping still comes after the move.
        if thought {
            self.interrupt().await?
        } else {
            self.abandon().await?
        }
        let moves = std::mem::take(&mut self.plies);
        let over = self.over;
        self.begin_at(game);
        (self.plies, self.over) = (moves, over);
        if thought || waited {
            self.think_on().await?;
        } else if self.mode == Mode::Analysis {
            self.analyze().await?;
        }
        Ok(true)
    }

    /// Tells a partner that is a program how the clocks of this board stand.
    fn tell_clocks(&mut self) {
        if self.partner.is_some_and(|partner| partner.is_program)
            && let Some([own, other]) = self.clock.shown()
        {
            let used = u64::try_from(self.turn_began.elapsed().as_millis() / 10).unwrap_or(u64::MAX);
            self.say(&format!("tellics ptell time {}", own.saturating_sub(used)));
            self.say(&format!("tellics ptell otim {other}"));
        }
    }

    /// The game goes on from a position that no move of its own has led to.
    async fn accept_position(&mut self, game: Game) -> Result<(), Failure> {
        let plies = self.plies.len() + 1;
        self.begin_at(game);
        self.plies = vec![false; plies];
        self.after_user_move().await
    }
}
