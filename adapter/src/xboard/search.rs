//! Searches: for a move, on the opponent's time, without end, for a hint. And what is made of what the engine says meanwhile.
use super::player::Failure;
use super::session::{Mode, Session};
use super::team;
use crate::cecp::Thinking;
use crate::engine::{BestMove, Bound, EngineError, Info, Limits, Output};
use sanqi::board::Color;
use sanqi::games::{Move, Outcome, Variant};
use std::time::Duration;
use tokio::time::Instant;

/// How late a move may come before the engine is told to stop, and again before it counts as hanging.
const MARGIN: Duration = Duration::from_secs(2);
/// How long a hint is thought about, in milliseconds.
const HINT_MS: u64 = 300;
/// Moves of a variation that are shown.
const SHOWN: usize = 20;
/// Failures in one turn after which the front gives up.
const PATIENCE: u32 = 3;
/// From so many plies on, and at such a score or a worse one, a draw is accepted.
const DRAW_PLIES: usize = 40;
const DRAW_SCORE: i32 = 0;

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The next move.
    Move,
    /// The move after this one of the opponent, which has not been made.
    Ponder(Move),
    /// To show it.
    Analysis,
    /// To tell the user what he might play.
    Hint,
}

/// A search that is running.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) purpose: Purpose,
    began: Instant,
    /// When the engine must have answered.
    pub(super) deadline: Option<Instant>,
    stopped: bool,
    /// The latest line of the main variation.
    latest: Option<Info>,
}

impl Search {
    fn new(purpose: Purpose, time: Option<Duration>) -> Search {
        let began = Instant::now();
        let deadline = time.and_then(|time| began.checked_add(time + MARGIN));
        Search { purpose, began, deadline, stopped: false, latest: None }
    }
}

impl Session {
    /// The engine is thinking about its next move.
    pub(super) fn thinks(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move)
    }

    /// Ends a search without using what it has found. There will be no move, so pings have nothing more to wait for.
    pub(super) async fn abandon(&mut self) -> Result<(), Failure> {
        self.interrupt().await?;
        self.answer_pings();
        Ok(())
    }

    /// As [`Session::abandon`], when the turn goes on.
    pub(super) async fn interrupt(&mut self) -> Result<(), Failure> {
        if self.search.take().is_some() {
            self.player.engine.stop().await?;
        }
        Ok(())
    }

    /// Ends a search on the opponent's time.
    pub(super) async fn stop_pondering(&mut self) -> Result<(), Failure> {
        match self.search.as_ref().map(|search| search.purpose) {
            Some(Purpose::Ponder(_) | Purpose::Hint) => self.abandon().await,
            _ => Ok(()),
        }
    }

    /// `?`.
    pub(super) async fn move_now(&mut self) -> Result<(), Failure> {
        if let Some(search) = &mut self.search
            && search.purpose == Purpose::Move
            && !search.stopped
        {
            search.stopped = true;
            search.deadline = Some(Instant::now() + MARGIN);
            self.player.engine.send("stop").await?;
        }
        Ok(())
    }

    /// Has the engine find its move, or does what stands in the place of one.
    pub(super) async fn think(&mut self) -> Result<(), Failure> {
        self.turn_began = Instant::now();
        self.think_on().await
    }

    /// As [`Session::think`], in a turn that has begun before.
    pub(super) async fn think_on(&mut self) -> Result<(), Failure> {
        if self.act_on_stones().await? || self.is_finished() {
            return Ok(());
        }
        let side = self.game.side();
        let turn = self.clock.turn(side, (self.plies.len() / 2) as u64, self.turn_began.elapsed());
        self.begin(Purpose::Move, turn.limits, turn.time, None).await
    }

    /// Starts a search of the current position, or of that after `expected`.
    async fn begin(
        &mut self,
        purpose: Purpose,
        limits: Limits,
        time: Option<Duration>,
        expected: Option<Move>,
    ) -> Result<(), Failure> {
        self.interrupt().await?;
        let base = self.player.base();
        let two_boards =
            self.partner.is_some() && self.game.variant() == Variant::Supply && self.player.plays("supply2");
        let expected = expected.map(|mv| self.game.move_text(mv, base));
        let board = if two_boards { "1" } else { "" };
        let words: Vec<String> = self.words.iter().chain(&expected).map(|word| format!("{board}{word}")).collect();
        let start = self.game.start_fen();
        let mut position = match two_boards {
            true => format!("fen {start} | {}", team::other_board(&start)),
            false => format!("fen {start}"),
        };
        if !words.is_empty() {
            position = format!("{position} moves {}", words.join(" "));
        }
        let name = if two_boards { "supply2" } else { self.game.variant().name() };
        self.player.choose(name, false).await?;
        self.player.engine.position(&position).await?;
        let go = limits.go();
        let go = if two_boards { go.replacen("go", &format!("go board 1{}", self.other_clocks()), 1) } else { go };
        self.player.engine.send(&go).await?;
        self.search = Some(Search::new(purpose, time));
        Ok(())
    }

    /// The engine is to play on two boards.
    pub(super) fn is_team_game(&self) -> bool {
        self.partner.is_some() && self.game.variant() == Variant::Supply && self.player.plays("supply2")
    }

    /// The partner's clocks, who has the other colour on the other board.
    fn other_clocks(&self) -> String {
        let Some((time, otim)) = self.partner.and_then(|partner| partner.time.zip(partner.otim)) else {
            return String::new();
        };
        let (white, black) = if self.game.side() == Color::White { (otim, time) } else { (time, otim) };
        format!(" wtime2 {} btime2 {}", white.saturating_mul(10), black.saturating_mul(10))
    }

    /// Thinks on the opponent's time, if it may and has something to think about.
    pub(super) async fn think_ahead(&mut self) -> Result<(), Failure> {
        let (Some(expected), Mode::Plays(side)) = (self.hint, self.mode) else { return Ok(()) };
        if !self.ponder
            || self.partner.is_some()
            || self.is_finished()
            || self.game.side() == side
            || self.shots.is_some()
        {
            return Ok(());
        }
        let spent = self.turn_began.elapsed();
        let mut turn = self.clock.turn(side, (self.plies.len() / 2) as u64 + 1, spent);
        turn.limits.ponder = true;
        self.begin(Purpose::Ponder(expected), turn.limits, None, Some(expected)).await
    }

    /// The opponent has played; true when it is what the engine is thinking about, which then goes on as a search for the move.
    pub(super) async fn ponder_hit(&mut self, played: Move) -> Result<bool, Failure> {
        let Some(search) = &mut self.search else { return Ok(false) };
        if search.purpose != Purpose::Ponder(played) || self.is_finished() {
            return Ok(false);
        }
        self.turn_began = Instant::now();
        let turn = self.clock.turn(self.game.side(), (self.plies.len() / 2) as u64, Duration::ZERO);
        if let Some(search) = &mut self.search {
            search.purpose = Purpose::Move;
            search.deadline = turn.time.and_then(|time| Instant::now().checked_add(time + MARGIN));
        }
        self.player.engine.ponder_hit().await?;
        Ok(true)
    }

    /// Begins to analyse, or begins anew.
    pub(super) async fn analyze(&mut self) -> Result<(), Failure> {
        self.abandon().await?;
        self.mode = Mode::Analysis;
        self.player.set("UCI_AnalyseMode", "true").await?;
        let base = self.player.base();
        let moves: Vec<Move> = self.game.legal_moves();
        let left: Vec<&Move> = moves.iter().filter(|mv| !self.excluded.contains(mv)).collect();
        if left.is_empty() {
            return Ok(());
        }
        let search_moves = match self.excluded.is_empty() {
            true => Vec::new(),
            false => left.into_iter().map(|&mv| self.game.move_text(mv, base)).collect(),
        };
        let limits = Limits { search_moves, infinite: true, ..Limits::default() };
        self.begin(Purpose::Analysis, limits, None, None).await
    }

    /// `exclude` and `include`, a move or `all`.
    pub(super) async fn exclude(&mut self, word: &str, exclude: bool) -> Result<bool, Failure> {
        match word {
            "all" if exclude => self.excluded = self.game.legal_moves(),
            "all" => self.excluded.clear(),
            _ => {
                let Ok(mv) = self.style().read(&self.game, word) else { return Ok(false) };
                self.excluded.retain(|&known| known != mv);
                if exclude {
                    self.excluded.push(mv);
                }
            }
        }
        if self.mode == Mode::Analysis {
            self.analyze().await?;
        }
        Ok(true)
    }

    /// `hint`: what the user might play.
    pub(super) async fn give_hint(&mut self) -> Result<(), Failure> {
        let mv = match &self.search {
            Some(Search { purpose: Purpose::Ponder(mv), .. }) => Some(*mv),
            Some(Search { purpose: Purpose::Analysis, latest: Some(info), .. }) => {
                let base = self.player.base();
                info.pv.first().and_then(|word| self.game.parse_move(word, base).ok())
            }
            Some(_) => None,
            None if self.is_finished() => None,
            None => {
                let limits = Limits { move_time: Some(HINT_MS), ..Limits::default() };
                return self.begin(Purpose::Hint, limits, Some(Duration::from_millis(HINT_MS)), None).await;
            }
        };
        if let Some(mv) = mv {
            let text = self.style().write(&self.game, mv);
            self.say(&format!("Hint: {text}"));
        }
        Ok(())
    }

    /// `.`: how far the analysis has come.
    pub(super) fn report_status(&mut self) {
        let Some(search) = &self.search else { return };
        let info = search.latest.clone().unwrap_or_default();
        let (time, moves) = (search.began.elapsed().as_millis() / 10, self.game.legal_moves().len());
        let line = format!("stat01: {time} {} {} 0 {moves}", info.nodes.unwrap_or(0), info.depth.unwrap_or(0));
        self.say(&line);
    }

    /// Accepts a draw when the engine thinks that it is not better.
    pub(super) fn answer_draw(&mut self) {
        if self.game.moves().len() >= DRAW_PLIES && self.score.is_some_and(|score| score <= DRAW_SCORE) {
            self.say("offer draw");
        }
    }

    /// What the engine has said during a search, or that it has said nothing in time.
    pub(super) async fn hear(&mut self, said: Result<Option<Output>, EngineError>) -> Result<(), Failure> {
        match said? {
            Some(Output::Info(info, _)) => self.note(&info),
            Some(Output::BestMove(best)) => self.settle(&best).await?,
            Some(Output::Other(_)) => {}
            None => {
                let Some(search) = &mut self.search else { return Ok(()) };
                if search.stopped {
                    return Err(Failure::Hangs(search.began.elapsed()));
                }
                search.stopped = true;
                search.deadline = Some(Instant::now() + MARGIN);
                self.player.engine.send("stop").await?;
            }
        }
        Ok(())
    }

    /// Passes on a thinking line, or a word to the partner.
    fn note(&mut self, info: &Info) {
        if let Some(talk) = info.string.as_deref().and_then(|text| text.strip_prefix("team ")) {
            if self.partner.is_some() {
                self.say(&format!("tellics ptell {talk}"));
            }
            return;
        }
        let Some(search) = &mut self.search else { return };
        if info.score.is_none() || info.pv.is_empty() || info.bound != Bound::Exact {
            return;
        }
        if info.is_main() {
            search.latest = Some(info.clone());
        }
        let (purpose, analysis) = (search.purpose, search.purpose == Purpose::Analysis);
        if !self.post || purpose == Purpose::Hint || !(info.is_main() || analysis) {
            return;
        }
        let mut info = info.clone();
        if let (Some(rate), Some(nodes)) = (self.clock.nodes_per_second(), info.nodes) {
            info.time = Some((u128::from(nodes) * 1000 / u128::from(rate)).try_into().unwrap_or(u64::MAX));
        }
        if let Some(line) = Thinking::of(&info, self.variation(&info.pv, purpose)) {
            self.say(&line.write());
        }
    }

    /// A variation as the GUI reads it, as far as it is legal.
    fn variation(&self, words: &[String], purpose: Purpose) -> String {
        let (style, base) = (self.style(), self.player.base());
        let mut game = self.game.clone();
        let mut line = Vec::new();
        if let Purpose::Ponder(mv) = purpose {
            line.push(format!("({})", style.write(&game, mv)));
            game.push(mv);
        }
        let two_boards = self.partner.is_some();
        for word in words.iter().take(SHOWN) {
            let word = if two_boards { word.strip_prefix('1').unwrap_or(word) } else { word };
            let Ok(mv) = game.parse_move(word, base) else { break };
            line.push(style.write(&game, mv));
            game.push(mv);
        }
        line.join(" ")
    }

    /// A search has ended with a move.
    async fn settle(&mut self, best: &BestMove) -> Result<(), Failure> {
        let Some(search) = self.search.take() else { return Ok(()) };
        let base = self.player.base();
        let plain = |word: &str| match self.partner {
            Some(_) => word.strip_prefix('1').unwrap_or(word).to_owned(),
            None => word.to_owned(),
        };
        let found = self.game.parse_move(&plain(&best.text), base);
        match (search.purpose, found) {
            (Purpose::Move, Ok(mv)) => {
                let reply = best.ponder.as_deref().map(plain);
                self.score = search.latest.and_then(|info| info.score).map(|score| score.centipawns());
                self.failures = 0;
                self.play(mv, reply.as_deref()).await
            }
            (Purpose::Move, Err(_)) => Err(Failure::Illegal(best.text.clone())),
            (Purpose::Hint, Ok(mv)) => {
                let text = self.style().write(&self.game, mv);
                self.say(&format!("Hint: {text}"));
                Ok(())
            }
            // An engine may be done early; there is nothing to be said about it.
            (Purpose::Ponder(_) | Purpose::Analysis | Purpose::Hint, _) => Ok(()),
        }
    }

    /// Puts another engine in the place of one that has failed, and has it do what the other was doing.
    pub(super) async fn recover(&mut self, failure: &Failure) -> Result<(), String> {
        self.say(&format!("# {failure}"));
        log::info!("{failure}; the last lines:\n{}", self.player.engine.dialogue().join("\n"));
        self.search = None;
        self.failures += 1;
        if let Err(again) = self.player.restart().await {
            self.say(&format!("tellusererror {again}"));
            return Err(again.to_string());
        }
        let done = match self.mode {
            _ if self.failures >= PATIENCE => {
                self.give_up(failure);
                Ok(())
            }
            Mode::Plays(side) if side == self.game.side() => self.think_on().await,
            Mode::Analysis => self.analyze().await,
            Mode::Plays(_) | Mode::Force => Ok(()),
        };
        match done {
            Ok(()) => {
                if !self.thinks() {
                    self.answer_pings();
                }
                Ok(())
            }
            // Three failures are the end of it, so this does not go on.
            Err(failure) => Box::pin(self.recover(&failure)).await,
        }
    }

    fn give_up(&mut self, failure: &Failure) {
        let plays = matches!(self.mode, Mode::Plays(_));
        self.mode = Mode::Force;
        self.failures = 0;
        self.say(&format!("tellusererror {failure}"));
        if plays && !self.over && self.game.result().outcome == Outcome::Ongoing {
            self.over = true;
            self.say("resign");
        }
    }
}
