//! One game from its opening to its verdict.
use super::clock::Clock;
use super::date;
use super::record::{GameRecord, PlayedMove, Warning, WarningKind};
use super::referee::{Adjudicator, BestInfo, Termination, Verdict, color_name};
use super::schedule::Slot;
use super::seat::{Seat, SeatError};
use super::settings::Settings;
use crate::engine::{BestMove, Board, Bound, EngineError, GameStart, Info, Limits, Player, Said, Turn, Value};
use regex_lite::Regex;
use sanqi::board::Color;
use sanqi::games::{Game, Move, Outcome, RankBase, Reason, Variant};
use sanqi::with_game;
use std::cmp::Ordering;
use std::time::Duration;
use tokio::time::Instant;

/// A search without a clock may last so many times the silence that is allowed, however much it talks.
const LONGEST_SEARCH: u32 = 60;

/// What came of asking for a move.
enum Thought {
    /// A move, in time or not.
    Move(Box<Announced>),
    /// No move, and what that means.
    Ruled(Verdict),
    /// The process is gone.
    Dead,
    /// The process does not answer.
    Silent,
}

/// A move as an engine announces it.
struct Announced {
    best: BestMove,
    elapsed: Duration,
    info: Option<Box<Info>>,
    lines: Vec<String>,
    /// It had to be called for with `stop`.
    stopped: bool,
    /// Nothing was said before it.
    bare: bool,
}

/// The moves of a game as each protocol writes them, kept so that no move is written twice.
struct Line {
    start: String,
    from_one: String,
    from_zero: String,
    list: Vec<String>,
}

impl Line {
    fn new(game: &Game) -> Line {
        let fen = game.start_fen();
        let mut board = Game::new(game.variant());
        let start = if fen == board.fen() { "startpos".to_owned() } else { format!("fen {fen}") };
        let mut line = Line { start, from_one: String::new(), from_zero: String::new(), list: Vec::new() };
        if let Ok(start) = Game::from_fen(game.variant(), &fen) {
            board = start;
        }
        for &mv in game.moves() {
            line.push(&board, mv);
            board.push(mv);
        }
        line
    }

    /// Adds a move that is legal in `game` and not yet played.
    fn push(&mut self, game: &Game, mv: Move) {
        let texts = [RankBase::One, RankBase::Zero].map(|base| game.move_text(mv, base));
        for (line, text) in [&mut self.from_one, &mut self.from_zero].into_iter().zip(&texts) {
            line.push_str(if line.is_empty() { " moves " } else { " " });
            line.push_str(text);
        }
        let [one, zero] = texts;
        self.list.push(if Board::One(game.variant()).xboard_base() == RankBase::One { one } else { zero });
    }

    /// The FEN it begins at, unless that is the start position.
    fn fen(&self) -> Option<&str> {
        self.start.strip_prefix("fen ")
    }

    fn turn<'a>(&'a self, side: Color, limits: &'a Limits) -> Turn<'a> {
        Turn { start: &self.start, moves: [&self.from_one, &self.from_zero], list: &self.list, side, limits }
    }
}

/// Plays a game that begins as `game` stands.
///
/// # Errors
/// An engine cannot be started.
pub async fn play(
    settings: &Settings,
    slot: Slot,
    mut game: Game,
    white: &mut Seat,
    black: &mut Seat,
) -> Result<GameRecord, SeatError> {
    let (began, since) = (date::now_ms(), Instant::now());
    let mut warnings = Vec::new();
    let mut clocks = [Clock::new(white.settings.limit), Clock::new(black.settings.limit)];
    let mut judge = Adjudicator::new(settings.draw, settings.resign, settings.maxmoves);
    let mut line = Line::new(&game);
    let [white_limits, black_limits] = {
        let [white, black] = &clocks;
        [white.limits(Color::White, black), black.limits(Color::Black, white)]
    };
    for (seat, side, limits) in [(&mut *white, Color::White, white_limits), (&mut *black, Color::Black, black_limits)] {
        let board = Board::One(game.variant());
        seat.prepare(GameStart { board, fen: line.fen(), side, limits: &limits }).await?;
        warnings.extend(seat.take_complaints().into_iter().map(Warning::option));
    }
    let book_plies = game.moves().len();
    let first_number = first_move_number(&game);
    let begun_by_black = (game.side() == Color::Black) != (book_plies % 2 == 1);
    let (mut moves, mut illegal, mut post_mortem) = (Vec::new(), None, Vec::new());
    let silence = Duration::from_millis(settings.ping_ms);
    // They have been tried when they were read.
    let kept: Vec<Regex> = settings.pgn.additional_lines_rgx.iter().filter_map(|text| Regex::new(text).ok()).collect();
    let verdict = loop {
        if let Some(verdict) = Verdict::of_result(game.variant(), game.result()) {
            break verdict;
        }
        let side = game.side();
        let [white_clock, black_clock] = &mut clocks;
        let opponent = if side == Color::White { &*black } else { &*white }.settings.name.clone();
        let (seat, clock, other) = match side {
            Color::White => (&mut *white, white_clock, &*black_clock),
            Color::Black => (&mut *black, black_clock, &*white_clock),
        };
        let name = seat.settings.name.clone();
        let Some(player) = seat.player() else { break Verdict::disconnect(side) };
        let (base, writes_variations) = (player.base(), player.writes_variations());
        let limits = clock.limits(side, other);
        let thought = ask(player, &line.turn(side, &limits), clock.patience(), silence, &kept).await;
        for stray in player.take_strays() {
            warnings.push(warning(WarningKind::Move, format!("Unexpected move {stray} from {name}"), &line, None));
        }
        let Announced { best, elapsed, info, lines, stopped, bare } = match thought {
            Thought::Move(announced) => *announced,
            Thought::Ruled(verdict) => break verdict,
            Thought::Dead | Thought::Silent => {
                post_mortem = seat.post_mortem();
                // A process that has once failed to answer is not asked again.
                seat.kill();
                let dead = matches!(thought, Thought::Dead);
                break if dead { Verdict::disconnect(side) } else { Verdict::stall(side) };
            }
        };
        let mv = read_move(&game, &best.text, base, writes_variations);
        let mv = match Verdict::of_move(side, mv, clock.spend(elapsed), stopped) {
            Ok(mv) => mv,
            Err(verdict) => {
                if verdict.termination == Termination::IllegalMove {
                    let text = format!("Illegal move {} played by {name}", best.text);
                    warnings.push(warning(WarningKind::Move, text, &line, info.as_deref()));
                    illegal = Some(best.text);
                }
                break verdict;
            }
        };
        // The XBoard protocol asks for no thinking output, and leaves the notation of variations open.
        match &info {
            _ if !writes_variations => {}
            None if bare => {}
            None => warnings.push(warning(
                WarningKind::Score,
                format!("No info line available to extract score from engine {name}"),
                &line,
                None,
            )),
            Some(info) => {
                if let Some(text) = fault_of_pv(&game, mv, info, base, &name) {
                    warnings.push(warning(WarningKind::Pv, text, &line, Some(info)));
                } else if settings.check_mate_pvs
                    && let Some(text) = fault_of_mate(&game, info, base, &name)
                {
                    warnings.push(warning(WarningKind::Mate, text, &line, Some(info)));
                }
            }
        }
        line.push(&game, mv);
        game.push(mv);
        let score = info.as_ref().and_then(|info| info.score);
        if let Some(text) = contradiction(&moves, score, side, [&opponent, &name]) {
            warnings.push(warning(WarningKind::Score, text, &line, info.as_deref()));
        }
        moves.push(PlayedMove { side, info, elapsed, left: clock.left(), lines });
        // The rules come before the scores.
        if game.result().outcome == Outcome::Ongoing {
            let number = first_number + ((game.moves().len() + usize::from(begun_by_black)) / 2) as u32;
            let length = (moves.len() / 2) as u32;
            if let Some(verdict) = judge.judge(side, score, is_irreversible(&game), number, length) {
                break verdict;
            }
        }
    };
    let result = format!("{} {{{}}}", verdict.outcome, verdict.text);
    for seat in [&mut *white, &mut *black] {
        // Whoever cannot be told any more will be found dead when the next game begins.
        if let Some(player) = seat.player()
            && player.game_over(&result).await.is_err()
        {
            seat.kill();
        }
    }
    let identities = [white.identity(), black.identity()];
    let times = date::span(began, since.elapsed());
    Ok(GameRecord { slot, game, book_plies, moves, verdict, illegal, times, identities, warnings, post_mortem })
}

/// The move that an engine announces. In UCI and UCCI it must be written as the game writes it, in lower case as fastchess demands; the
/// XBoard protocol leaves some freedom.
fn read_move(game: &Game, text: &str, base: RankBase, exactly: bool) -> Option<Move> {
    let mv = game.parse_move(text, base).ok()?;
    (!exactly || game.move_text(mv, base) == text).then_some(mv)
}

/// The number of the first full move, the last field of the FEN.
fn first_move_number(game: &Game) -> u32 {
    game.start_fen().split_whitespace().nth(5).and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The last move reset the counter that draws games. Fangqi has none, and every placement changes it for good.
fn is_irreversible(game: &Game) -> bool {
    fn halfmove<P: sanqi::games::Position>(position: &P) -> u32 {
        position.halfmove()
    }
    game.variant() != Variant::Fangqi && with_game!(game, record => halfmove(record.position())) == 0
}

/// Sends position and limits and waits for the move, at most `patience`. Without a clock only silence counts: every line of output
/// grants another `silence`.
async fn ask(
    player: &mut Player,
    turn: &Turn<'_>,
    patience: Option<Duration>,
    silence: Duration,
    kept: &[Regex],
) -> Thought {
    let failed = |error: EngineError| if error.is_death() { Thought::Dead } else { Thought::Silent };
    if let Err(error) = player.go(turn).await {
        return failed(error);
    }
    let began = Instant::now();
    let mut infos = BestInfo::default();
    let mut last = began + patience.unwrap_or(silence * LONGEST_SEARCH);
    let mut stopped = false;
    // The last line that matches each pattern.
    let mut lines: Vec<Option<String>> = vec![None; kept.len()];
    let mut bare = true;
    let mut keep = |line: String| {
        for (place, _) in lines.iter_mut().zip(kept).filter(|(_, regex)| regex.is_match(&line)) {
            *place = Some(line.clone());
        }
    };
    let best = loop {
        let deadline = if patience.is_some() { last } else { last.min(Instant::now() + silence) };
        match player.next(Some(deadline)).await {
            Err(error) => return failed(error),
            Ok(Some(Said::Move(best))) => break best,
            Ok(Some(Said::Info(info, line))) => {
                bare = false;
                keep(line);
                infos.take(info);
            }
            Ok(Some(Said::Resign)) => return Thought::Ruled(Verdict::resignation(turn.side)),
            Ok(Some(Said::Claim(text))) => return Thought::Ruled(Verdict::false_claim(turn.side, &text)),
            Ok(Some(Said::Refusal(text))) => return Thought::Ruled(Verdict::refusal(turn.side, &text)),
            Ok(Some(Said::Other(line))) => {
                bare = false;
                keep(line);
            }
            Ok(Some(Said::Talk(_) | Said::Ready)) => {}
            Ok(None) if patience.is_none() || stopped => return Thought::Silent,
            // A late move is still a move, and shows that the engine lives.
            Ok(None) => {
                if let Err(error) = player.stop().await {
                    return failed(error);
                }
                (last, stopped) = (Instant::now() + player.stop_limit(), true);
            }
        }
    };
    let lines = lines.into_iter().flatten().collect();
    let elapsed = player.read_at().saturating_duration_since(began);
    Thought::Move(Box::new(Announced { best, elapsed, info: infos.into_info(), lines, stopped, bare }))
}

/// What is wrong with a variation, in fastchess' words: it must begin with the move played, be legal, and stop where the game ends.
fn fault_of_pv(game: &Game, best: Move, info: &Info, base: RankBase, name: &str) -> Option<String> {
    let mut line = game.clone();
    for (index, text) in info.pv.iter().enumerate() {
        match line.result().reason {
            Reason::Ongoing => {}
            Reason::Repetition | Reason::PerpetualCheck => {
                return Some(format!("PV continues after threefold repetition - move {text} from {name}"));
            }
            Reason::MoveCount => return Some(format!("PV continues after fifty-move rule - move {text} from {name}")),
            reason => return Some(format!("PV continues after {reason} - move {text} from {name}")),
        }
        let Ok(mv) = line.parse_move(text, base) else {
            return Some(format!("Illegal PV move - move {text} from {name}"));
        };
        if index == 0 && mv != best {
            let best = game.move_text(best, base);
            return Some(format!("Bestmove does not match beginning of last PV - move {best} from {name}"));
        }
        line.push(mv);
    }
    None
}

/// What is wrong with a variation that promises a mate, in fastchess' words: it must be as long as the score says, and end in the win.
fn fault_of_mate(game: &Game, info: &Info, base: RankBase, name: &str) -> Option<String> {
    let Some(Value::Mate(moves)) = info.score.filter(|_| info.bound == Bound::Exact) else { return None };
    let wanted = moves.unsigned_abs() as usize * 2 - usize::from(moves > 0);
    let mut line = game.clone();
    for text in &info.pv {
        line.push_text(text, base).ok()?;
    }
    match info.pv.len().cmp(&wanted) {
        Ordering::Less => Some(format!("Incomplete mating PV - from {name}")),
        Ordering::Greater => Some(format!("Too long mating PV - from {name}")),
        Ordering::Equal if matches!(line.result().outcome, Outcome::Win(_)) => None,
        Ordering::Equal => Some(format!("Mating PV does not end with checkmate - from {name}")),
    }
}

/// Both engines see themselves mate, or be mated, `name` after a move of `opponent`: the names are given in this order.
fn contradiction(
    moves: &[PlayedMove],
    score: Option<Value>,
    side: Color,
    [opponent, name]: [&String; 2],
) -> Option<String> {
    let theirs = moves.last()?.info.as_ref()?.score;
    let (Some(Value::Mate(theirs)), Some(Value::Mate(ours))) = (theirs, score) else { return None };
    let (their_color, color) = (color_name(!side), color_name(side));
    (theirs.signum() == ours.signum()).then(|| {
        format!("Sign mismatch in mate scores {theirs} and {ours} from {opponent} ({their_color}) and {name} ({color})")
    })
}

fn warning(kind: WarningKind, text: String, line: &Line, info: Option<&Info>) -> Warning {
    let moves = line.from_one.strip_prefix(" moves ").unwrap_or_default();
    let mut details = Vec::new();
    if let Some(info) = info {
        let score = info.score.map_or_else(|| "none".to_owned(), |s| s.to_string());
        details.push(format!("Info; depth {} score {score} pv {}", info.depth.unwrap_or_default(), info.pv.join(" ")));
    }
    details.push(format!("Position; {}", line.start));
    details.push(format!("Moves; {moves}"));
    Warning { kind, text, details }
}
