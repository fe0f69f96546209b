//! The four seats around two boards, and what happens there.
use super::super::record::{Identity, Warning, WarningKind};
use super::super::referee::{Adjudicator, Termination, Verdict};
use super::super::seat::{Seat, SeatError};
use super::super::settings::Settings;
use super::line::TeamLine;
use super::seat::{Activity, Search, TeamSeat, first_word};
use super::{Verdicts, boards, end_reason, ms, partner, talk};
use crate::engine::{BestMove, Board, BoardLimits, EngineError, GameStart, Limits, Said, Turn};
use crate::replay::ReplayBuilder;
use crate::replay::values::Seat as SeatId;
use sanqi::board::Color;
use sanqi::games::supply::team::{BoardId, TeamGame};
use sanqi::games::xiangqi::piece::{PieceType, code, letter_of};
use sanqi::games::{Position, RankBase, Variant};
use std::time::Duration;
use tokio::time::Instant;

/// Four engines, two boards.
pub(super) struct Table<'a> {
    settings: &'a Settings,
    seats: [TeamSeat<'a>; 4],
    line: TeamLine,
    judges: [Adjudicator; 2],
    verdicts: Verdicts,
    /// The board whose turn it is when the boards take turns.
    turn: BoardId,
    began: Instant,
    silence: Duration,
    warnings: Vec<Warning>,
    post_mortem: Vec<String>,
    /// Seconds that each move took longer here than by the engine's own account.
    latency: Vec<(SeatId, f64)>,
}

/// What a match leaves behind besides its moves.
pub(super) struct Ended {
    pub(super) verdicts: Verdicts,
    pub(super) warnings: Vec<Warning>,
    pub(super) post_mortem: Vec<String>,
    pub(super) latency: Vec<(SeatId, f64)>,
}

impl<'a> Table<'a> {
    /// Seats are in the order of [`SeatId::ALL`].
    pub(super) fn new(settings: &'a Settings, game: &TeamGame, seats: [&'a mut Seat; 4]) -> Table<'a> {
        let [red1, black1, red2, black2] = seats;
        let judge = || Adjudicator::new(settings.draw, settings.resign, settings.maxmoves);
        Table {
            settings,
            seats: [TeamSeat::new(red1), TeamSeat::new(black1), TeamSeat::new(red2), TeamSeat::new(black2)],
            line: TeamLine::new(game),
            judges: [judge(), judge()],
            verdicts: [None, None],
            turn: BoardId::One,
            began: Instant::now(),
            silence: Duration::from_millis(settings.ping_ms),
            warnings: Vec::new(),
            post_mortem: Vec::new(),
            latency: Vec::new(),
        }
    }

    /// Names of the players.
    pub(super) fn names(&self) -> [String; 4] {
        self.seats.each_ref().map(|seat| seat.seat.settings.name.clone())
    }

    /// What the engines say of themselves who play on board 1.
    pub(super) fn identities(&self) -> [Identity; 2] {
        let [red1, black1, ..] = &self.seats;
        [red1.seat.identity(), black1.seat.identity()]
    }

    /// What all four clocks show at the start, and the increment, if they agree.
    pub(super) fn common_clock(&self) -> Option<(Duration, Duration)> {
        let [first, others @ ..] = &self.seats;
        let tc = first.seat.settings.limit.tc;
        let same = others.iter().all(|seat| seat.seat.settings.limit.tc == tc);
        let (time, increment) = (Duration::from_millis(tc.time), Duration::from_millis(tc.increment));
        (same && tc.time > 0).then_some((time, increment))
    }

    fn seat(&self, id: SeatId) -> &TeamSeat<'a> {
        let [red1, black1, red2, black2] = &self.seats;
        match id {
            SeatId::Red1 => red1,
            SeatId::Black1 => black1,
            SeatId::Red2 => red2,
            SeatId::Black2 => black2,
        }
    }

    fn seat_mut(&mut self, id: SeatId) -> &mut TeamSeat<'a> {
        seat_mut(&mut self.seats, id)
    }

    /// Makes all engines ready.
    pub(super) async fn prepare(&mut self, game: &TeamGame) -> Result<(), SeatError> {
        for id in SeatId::ALL {
            let limits = self.limits(id);
            let (board, side, partner_name) =
                (id.board(), id.color(), self.seat(partner(id)).seat.settings.name.clone());
            let fen = self.line.fen(board).map(str::to_owned);
            let seat = self.seat_mut(id);
            seat.seat.prepare(GameStart { board: Board::Two, fen: fen.as_deref(), side, limits: &limits }).await?;
            let complaints = seat.seat.take_complaints();
            if seat.seat.player().is_some_and(|player| player.is_xboard()) {
                seat.send(&format!("partner {partner_name}")).await;
            }
            self.warnings.extend(complaints.into_iter().map(Warning::option));
        }
        self.turn = boards().into_iter().find(|&board| !game.has_ended(board)).unwrap_or(BoardId::One);
        self.began = Instant::now();
        Ok(())
    }

    /// Plays until both boards have ended.
    pub(super) async fn play(mut self, replay: &mut ReplayBuilder) -> Ended {
        loop {
            for board in boards() {
                let id = SeatId::of(board, replay.game().position(board).side());
                let waits = self.settings.lockstep && self.turn_of(replay) != board;
                if !replay.game().has_ended(board) && !self.seat(id).is_busy() && !waits {
                    self.begin(replay, id).await;
                }
            }
            if replay.game().first_running().is_none() {
                break;
            }
            let (index, said) = first_word(&mut self.seats).await;
            if let Some(id) = SeatId::ALL.get(index) {
                self.hear(replay, *id, said).await;
            }
        }
        Ended { verdicts: self.verdicts, warnings: self.warnings, post_mortem: self.post_mortem, latency: self.latency }
    }

    /// The board whose turn it is when they take turns: the other one when that has ended.
    fn turn_of(&self, replay: &ReplayBuilder) -> BoardId {
        if replay.game().has_ended(self.turn) { self.turn.other() } else { self.turn }
    }

    /// The limits of a seat's search as the clocks stand.
    fn limits(&self, id: SeatId) -> Limits {
        let clock = |id: SeatId| {
            let seat = self.seat(id);
            seat.clock.running(seat.since.map_or(Duration::ZERO, |since| since.elapsed()))
        };
        let other = id.board().other();
        let [red, black] = [Color::White, Color::Black].map(|color| clock(SeatId::of(other, color)));
        let other_clocks = red.left().zip(black.left()).map(|(red, black)| [ms(red), ms(black)]);
        let board =
            BoardLimits { board: id.board(), other_clocks, other_increments: [red.increment(), black.increment()] };
        let opponent = clock(SeatId::of(id.board(), !id.color()));
        Limits { board: Some(board), ..clock(id).limits(id.color(), &opponent) }
    }

    /// Sends a seat the position; it will be asked for its move when it is ready.
    async fn begin(&mut self, replay: &mut ReplayBuilder, id: SeatId) {
        let (limits, moves, until) = (self.limits(id), self.line.moves(), Instant::now() + self.silence);
        let Table { seats, line, .. } = self;
        let seat = seat_mut(seats, id);
        let list = line.list(id.board());
        let [one, zero] = &moves;
        let turn = Turn { start: &line.start, moves: [one, zero], list, side: id.color(), limits: &limits };
        let prepared = match seat.seat.player() {
            Some(player) if !seat.dead => player.prepare(&turn).await,
            _ => return self.fail(replay, id, true).await,
        };
        seat.activity = Activity::Preparing { stale: false };
        seat.deadline = Some(until);
        match prepared {
            Ok(true) => {}
            Ok(false) => self.think(replay, id).await,
            Err(error) => self.fail(replay, id, error.is_death()).await,
        }
    }

    /// Lets a seat that is ready think. Its clock has run on when it is asked again.
    async fn think(&mut self, replay: &mut ReplayBuilder, id: SeatId) {
        let (limits, silence) = (self.limits(id), self.silence);
        let Table { seats, line, .. } = self;
        let seat = seat_mut(seats, id);
        let turn = Turn {
            start: &line.start,
            moves: ["", ""],
            list: line.list(id.board()),
            side: id.color(),
            limits: &limits,
        };
        let started = match seat.seat.player() {
            Some(player) => player.think(&turn).await,
            None => return self.fail(replay, id, true).await,
        };
        let now = Instant::now();
        let since = *seat.since.get_or_insert(now);
        seat.deadline = Some(seat.clock.patience().map_or(now + silence, |patience| since + patience));
        seat.activity = Activity::Thinking(Search::default());
        let arrivals = std::mem::take(&mut seat.arrivals);
        if let Err(error) = started {
            return self.fail(replay, id, error.is_death()).await;
        }
        if !arrivals.is_empty() {
            seat.send(&arrivals.join("\n")).await;
        }
    }

    /// Takes what a seat says, or that its deadline has passed.
    async fn hear(&mut self, replay: &mut ReplayBuilder, id: SeatId, said: Result<Option<Said>, EngineError>) {
        let silence = self.silence;
        let seat = self.seat_mut(id);
        let said = match said {
            Ok(Some(said)) => said,
            Ok(None) => return self.overdue(replay, id).await,
            Err(error) => {
                seat.dead = true;
                if seat.is_busy() {
                    self.fail(replay, id, error.is_death()).await;
                }
                return;
            }
        };
        if seat.clock.patience().is_none() && seat.is_busy() {
            seat.deadline = Some(Instant::now() + silence);
        }
        match (said, &mut seat.activity) {
            (Said::Talk(text), _) => self.pass_on(id, &text).await,
            (Said::Info(info, _), Activity::Thinking(search)) => search.infos.take(info),
            (Said::Ready, Activity::Preparing { stale: true }) => self.begin(replay, id).await,
            (Said::Ready, Activity::Preparing { stale: false }) => self.think(replay, id).await,
            (Said::Move(_), Activity::Thinking(Search { again: true, .. })) => self.begin(replay, id).await,
            (Said::Move(best), Activity::Thinking(search)) => {
                let search = std::mem::take(search);
                self.moved(replay, id, best, search).await;
            }
            (Said::Move(best), _) => {
                let text = format!("Unexpected move {} from {}", best.text, seat.seat.settings.name);
                self.warn(text);
            }
            (_, Activity::Idle) => {}
            (Said::Resign, _) => self.end(replay, id.board(), Verdict::resignation(id.color())).await,
            (Said::Claim(text), _) => self.end(replay, id.board(), Verdict::false_claim(id.color(), &text)).await,
            (Said::Refusal(text), _) => self.end(replay, id.board(), Verdict::refusal(id.color(), &text)).await,
            (Said::Info(..) | Said::Ready | Said::Other(_), _) => {}
        }
    }

    /// A seat has not done in time what it is waited for.
    async fn overdue(&mut self, replay: &mut ReplayBuilder, id: SeatId) {
        let seat = self.seat_mut(id);
        let timed = seat.clock.patience().is_some();
        match &mut seat.activity {
            Activity::Idle => {}
            Activity::Thinking(search) if timed && !search.stopped => {
                search.stopped = true;
                self.stop(id).await;
            }
            Activity::Preparing { .. } | Activity::Thinking(_) => self.fail(replay, id, false).await,
        }
    }

    /// Tells a seat to move at once.
    async fn stop(&mut self, id: SeatId) {
        let seat = self.seat_mut(id);
        let Some(player) = seat.seat.player() else { return };
        seat.dead |= player.stop().await.is_err();
        let limit = player.stop_limit();
        seat.deadline = Some(Instant::now() + limit);
    }

    /// A seat has announced its move.
    async fn moved(&mut self, replay: &mut ReplayBuilder, id: SeatId, best: BestMove, search: Search) {
        let Search { infos, stopped, .. } = search;
        let (board, side) = (id.board(), id.color());
        let seat = self.seat_mut(id);
        let read_at = seat.seat.player().map_or_else(Instant::now, |player| player.read_at());
        let elapsed = seat.since.take().map_or(Duration::ZERO, |since| read_at.saturating_duration_since(since));
        seat.activity = Activity::Idle;
        let (base, numbered) = seat.seat.player().map_or((RankBase::One, true), |p| (p.base(), !p.is_xboard()));
        let in_time = seat.clock.spend(elapsed);
        let left = seat.clock.left();
        let text = if numbered { best.text.clone() } else { format!("{board}{}", best.text) };
        let game = replay.game();
        let as_written = |played| !numbered || game.move_text(played, base) == text;
        let played = game.parse_move(&text, base).ok().filter(|&played| played.board == board && as_written(played));
        let played = match Verdict::of_move(side, played, in_time, stopped) {
            Ok(played) => played,
            Err(mut verdict) => {
                if verdict.termination == Termination::IllegalMove {
                    let name = self.seat(id).seat.settings.name.clone();
                    self.warn(format!("Illegal move {} played by {name}", best.text));
                    verdict.text = format!("{}: {}", verdict.text, best.text);
                }
                return self.end(replay, board, verdict).await;
            }
        };
        let captured = replay.game().position(board).captured(played.mv).checked_sub(1);
        let captured = captured.and_then(|index| PieceType::ALL.get(index)).copied();
        self.line.push(replay.game(), played);
        // It has just been read as a legal move.
        let pushed = replay.push(played, left, Some(self.began.elapsed()));
        debug_assert!(pushed.is_ok(), "{pushed:?}");
        self.turn = board.other();
        if let Some(kind) = captured {
            self.deliver(replay.game(), board.other(), !side, kind).await;
        }
        let info = infos.into_info();
        if let Some(time) = info.as_ref().and_then(|info| info.time) {
            self.latency.push((id, elapsed.as_secs_f64() - time as f64 / 1000.0));
        }
        let result = replay.game().result(board);
        if let Some(verdict) = Verdict::of_result(Variant::Supply, result) {
            return self.ended(board, verdict).await;
        }
        let score = info.and_then(|info| info.score);
        let irreversible = replay.game().position(board).halfmove() == 0;
        let length = (self.line.list(board).len() / 2) as u32;
        let [one, two] = &mut self.judges;
        let judge = if board == BoardId::One { one } else { two };
        if let Some(verdict) = judge.judge(side, score, irreversible, length + 1, length) {
            self.end(replay, board, verdict).await;
        }
    }

    /// A piece has arrived in a reserve (WHW-SXQ-002). XBoard engines are told, also of the opponent's; a UCI engine that thinks is asked
    /// again with the new position.
    async fn deliver(&mut self, game: &TeamGame, board: BoardId, color: Color, kind: PieceType) {
        let reserves = game.position(board).reserves();
        let of = |wanted: fn(&char) -> bool| reserves.chars().filter(wanted).collect::<String>().to_ascii_uppercase();
        let letter = letter_of(code(Color::White, kind));
        let owner = if color == Color::White { 'W' } else { 'B' };
        let holding =
            format!("holding [{}] [{}] {owner}{letter}", of(char::is_ascii_uppercase), of(char::is_ascii_lowercase));
        for id in [Color::White, Color::Black].map(|side| SeatId::of(board, side)) {
            let limits = self.limits(id);
            let seat = self.seat_mut(id);
            let xboard = seat.seat.player().is_some_and(|player| player.is_xboard());
            if game.has_ended(board) {
                continue;
            }
            match &mut seat.activity {
                // The search begins anew, with what is left of the time.
                Activity::Thinking(_) if xboard => {
                    let times = crate::engine::xboard::times(id.color(), &limits);
                    seat.send(&format!("{times}{holding}")).await;
                }
                // The opponent's move came before this piece, and is sent when it is ready.
                Activity::Preparing { .. } if xboard => seat.arrivals.push(holding.clone()),
                _ if xboard => seat.send(&holding).await,
                Activity::Preparing { stale } => *stale = true,
                Activity::Thinking(search) if id.color() == color && !search.stopped => {
                    (search.stopped, search.again) = (true, true);
                    self.stop(id).await;
                }
                _ => {}
            }
        }
    }

    /// Passes talk on to the partner, in the partner's protocol.
    async fn pass_on(&mut self, id: SeatId, text: &str) {
        let from_xboard = self.seat_mut(id).seat.player().is_some_and(|player| player.is_xboard());
        let to = self.seat_mut(partner(id));
        let to_xboard = to.seat.player().is_some_and(|player| player.is_xboard());
        if let Some(line) = talk::translated(text, from_xboard, to_xboard) {
            to.send(&line).await;
        }
    }

    /// The process of a seat is gone or does not answer: its board is lost, the other one goes on.
    async fn fail(&mut self, replay: &mut ReplayBuilder, id: SeatId, dead: bool) {
        let seat = self.seat_mut(id);
        let lines = seat.seat.post_mortem();
        // A process that has once failed to answer is not asked again.
        seat.seat.kill();
        (seat.dead, seat.activity) = (true, Activity::Idle);
        self.post_mortem.extend(lines);
        let verdict = if dead { Verdict::disconnect(id.color()) } else { Verdict::stall(id.color()) };
        self.end(replay, id.board(), verdict).await;
    }

    /// Ends a board from outside (SX-6).
    async fn end(&mut self, replay: &mut ReplayBuilder, board: BoardId, verdict: Verdict) {
        let ended = replay.end(board, verdict.outcome, end_reason(&verdict), Some(self.began.elapsed()));
        debug_assert!(ended.is_ok(), "{ended:?}");
        replay.comment(format!("board {board}: {}", verdict.text));
        self.line.end(board, verdict.outcome);
        self.ended(board, verdict).await;
    }

    /// A board has ended: its engines have nothing more to do.
    async fn ended(&mut self, board: BoardId, verdict: Verdict) {
        let result = format!("{} {{{}}}", verdict.outcome, verdict.text);
        for id in [Color::White, Color::Black].map(|side| SeatId::of(board, side)) {
            let seat = self.seat_mut(id);
            (seat.activity, seat.since) = (Activity::Idle, None);
            seat.arrivals.clear();
            if let Some(player) = seat.seat.player()
                && player.game_over(&result).await.is_err()
            {
                seat.dead = true;
            }
        }
        let [one, two] = &mut self.verdicts;
        *(if board == BoardId::One { one } else { two }) = Some(verdict);
    }

    fn warn(&mut self, text: String) {
        let [moves, _] = self.line.moves();
        let moves = moves.strip_prefix(" moves ").unwrap_or(&moves);
        let details = vec![format!("Position; {}", self.line.start), format!("Moves; {moves}")];
        self.warnings.push(Warning { kind: WarningKind::Move, text, details });
    }
}

/// The seat of that name.
fn seat_mut<'s, 'a>(seats: &'s mut [TeamSeat<'a>; 4], id: SeatId) -> &'s mut TeamSeat<'a> {
    let [red1, black1, red2, black2] = seats;
    match id {
        SeatId::Red1 => red1,
        SeatId::Black1 => black1,
        SeatId::Red2 => red2,
        SeatId::Black2 => black2,
    }
}
