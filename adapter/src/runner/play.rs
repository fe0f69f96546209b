//! One game from its opening to its verdict.
use super::clock::{Clock, Overrun};
use super::date;
use super::record::{GameRecord, PlayedMove, Warning};
use super::referee::{Adjudicator, BestInfo, Verdict};
use super::schedule::Slot;
use super::seat::{Seat, SeatError};
use super::settings::Settings;
use crate::engine::{BestMove, EngineError, Info, Limits, Output, UciEngine};
use sanqi::board::Color;
use sanqi::games::{Game, Move, Outcome, RankBase, Reason, Variant};
use sanqi::with_game;
use std::time::Duration;
use tokio::time::Instant;

/// A search without a clock may last so many times the silence that is allowed, however much it talks.
const LONGEST_SEARCH: u32 = 60;

/// What came of asking for a move.
enum Thought {
    /// A move, in time or not.
    Move { best: BestMove, elapsed: Duration, info: Option<Box<Info>> },
    /// The process is gone.
    Dead,
    /// The process does not answer.
    Silent,
}

/// The `position` line of a game, kept for both numberings of the ranks, so that no move is written twice.
struct PositionLine {
    from_one: String,
    from_zero: String,
}

impl PositionLine {
    fn new(game: &Game) -> PositionLine {
        let fen = game.start_fen();
        let mut board = Game::new(game.variant());
        let text = if fen == board.fen() { "startpos".to_owned() } else { format!("fen {fen}") };
        let mut line = PositionLine { from_one: text.clone(), from_zero: text };
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
        for (line, base) in [(&mut self.from_one, RankBase::One), (&mut self.from_zero, RankBase::Zero)] {
            line.push_str(if game.moves().is_empty() { " moves " } else { " " });
            line.push_str(&game.move_text(mv, base));
        }
    }

    fn text(&self, base: RankBase) -> &str {
        match base {
            RankBase::One => &self.from_one,
            RankBase::Zero => &self.from_zero,
        }
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
    let began = date::now_ms();
    let mut warnings = Vec::new();
    for seat in [&mut *white, &mut *black] {
        seat.prepare(game.variant()).await?;
        warnings.extend(seat.take_complaints().into_iter().map(|text| Warning { text, details: Vec::new() }));
    }
    let mut clocks = [Clock::new(white.settings.limit), Clock::new(black.settings.limit)];
    let mut judge = Adjudicator::new(settings.draw, settings.resign, settings.maxmoves);
    let mut line = PositionLine::new(&game);
    let book_plies = game.moves().len();
    let first_number = first_move_number(&game);
    let (mut moves, mut illegal, mut post_mortem) = (Vec::new(), None, Vec::new());
    let silence = Duration::from_millis(settings.ping_ms);
    let verdict = loop {
        if let Some(verdict) = Verdict::of_result(game.variant(), game.result()) {
            break verdict;
        }
        let side = game.side();
        let [white_clock, black_clock] = &mut clocks;
        let (seat, clock, other) = match side {
            Color::White => (&mut *white, white_clock, &*black_clock),
            Color::Black => (&mut *black, black_clock, &*white_clock),
        };
        let name = seat.settings.name.clone();
        let Some((engine, dialect)) = seat.engine() else { break Verdict::disconnect(side) };
        let base = dialect.base;
        let thought = ask(engine, line.text(base), &clock.limits(side, other), clock.patience(), silence).await;
        for stray in engine.take_strays() {
            warnings.push(warning(format!("Unexpected move {stray} from {name}"), &game, &line, None));
        }
        let (best, elapsed, info) = match thought {
            Thought::Move { best, elapsed, info } => (best, elapsed, info),
            Thought::Dead | Thought::Silent => {
                post_mortem = seat.post_mortem();
                // A process that has once failed to answer is not asked again.
                seat.kill();
                let dead = matches!(thought, Thought::Dead);
                break if dead { Verdict::disconnect(side) } else { Verdict::stall(side) };
            }
        };
        // Time before legality: a move that comes too late is no longer looked at.
        if let Err(Overrun(overrun)) = clock.spend(elapsed) {
            break Verdict::time(side, overrun);
        }
        let Ok(mv) = game.parse_move(&best.text, base) else {
            warnings.push(warning(
                format!("Illegal move {} played by {name}", best.text),
                &game,
                &line,
                info.as_deref(),
            ));
            illegal = Some(best.text);
            break Verdict::illegal_move(side);
        };
        match &info {
            None => warnings.push(warning(
                format!("No info line available to extract score from {name}"),
                &game,
                &line,
                None,
            )),
            Some(info) => {
                if let Some(text) = fault_of_pv(&game, mv, info, base, &name) {
                    warnings.push(warning(text, &game, &line, Some(info)));
                }
            }
        }
        line.push(&game, mv);
        game.push(mv);
        let score = info.as_ref().and_then(|info| info.score);
        moves.push(PlayedMove { side, info, elapsed, left: clock.left() });
        // The rules come before the scores.
        if game.result().outcome == Outcome::Ongoing {
            let number = first_number + (game.moves().len() / 2) as u32;
            let length = (moves.len() / 2) as u32;
            if let Some(verdict) = judge.judge(side, score, is_irreversible(&game), number, length) {
                break verdict;
            }
        }
    };
    let identities = [white.identity(), black.identity()];
    let times = [began, date::now_ms()];
    Ok(GameRecord { slot, game, book_plies, moves, verdict, illegal, times, identities, warnings, post_mortem })
}

/// The number of the first move, the last field of the FEN.
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
    engine: &mut UciEngine,
    position: &str,
    limits: &Limits,
    patience: Option<Duration>,
    silence: Duration,
) -> Thought {
    let failed = |error: EngineError| if error.is_death() { Thought::Dead } else { Thought::Silent };
    if let Err(error) = engine.position(position).await {
        return failed(error);
    }
    if let Err(error) = engine.go(limits).await {
        return failed(error);
    }
    let began = Instant::now();
    let mut infos = BestInfo::default();
    let last = began + patience.unwrap_or(silence * LONGEST_SEARCH);
    let best = loop {
        let deadline = if patience.is_some() { last } else { last.min(Instant::now() + silence) };
        match engine.next(Some(deadline)).await {
            Err(error) => return failed(error),
            Ok(Some(Output::BestMove(best))) => break best,
            Ok(Some(Output::Info(info, _))) => infos.take(info),
            Ok(Some(Output::Other(_))) => {}
            Ok(None) if patience.is_none() => return Thought::Silent,
            // A late move is still a move, and shows that the engine lives.
            Ok(None) => match engine.stop().await {
                Ok(best) => break best,
                Err(error) => return failed(error),
            },
        }
    };
    Thought::Move { best, elapsed: began.elapsed(), info: infos.into_info() }
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
            return Some(format!("Bestmove does not match beginning of last PV - move {text} from {name}"));
        }
        line.push(mv);
    }
    None
}

fn warning(text: String, game: &Game, line: &PositionLine, info: Option<&Info>) -> Warning {
    let moves = line.from_one.split_once(" moves ").map_or("", |(_, moves)| moves);
    let mut details = Vec::new();
    if let Some(info) = info {
        let score = info.score.map_or_else(|| "none".to_owned(), |s| s.to_string());
        details.push(format!("Info; depth {} score {score} pv {}", info.depth.unwrap_or_default(), info.pv.join(" ")));
    }
    details.push(format!("Position; fen {}", game.start_fen()));
    details.push(format!("Moves; {moves}"));
    Warning { text, details }
}
