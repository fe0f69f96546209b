//! `--compliance ENGINE [ARGS]`: what match tools need of a UCI engine, tried step by step in every game of ours that it plays.
use super::tournament::say;
use crate::engine::options::Kind;
use crate::engine::{
    BestMove, Bound, Dialect, DialectChoice, EngineError, Info, Launch, Limits, Output, Timeouts, UciEngine,
};
use sanqi::games::{Game, Outcome, RankBase, Variant};
use std::time::Duration;
use tokio::time::Instant;

/// Longest that a search of a few milliseconds may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a step failed.
type Fault = String;

/// Steps, counted and printed as they are tried.
#[derive(Default)]
struct Steps {
    tried: u32,
    failed: u32,
}

impl Steps {
    fn step(&mut self, what: &str, outcome: Result<(), Fault>) {
        self.tried += 1;
        match outcome {
            Ok(()) => say(&format!("Step {}: {what}... passed", self.tried)),
            Err(why) => {
                self.failed += 1;
                say(&format!("Step {}: {what}... FAILED: {why}", self.tried));
            }
        }
    }
}

/// What a search has said.
struct Answer {
    best: BestMove,
    infos: Vec<Info>,
    elapsed: Duration,
    /// What it did in the wrong order.
    disorder: Option<&'static str>,
}

/// Tries an engine; gives the exit status.
pub async fn run(command: &str, args: &[String]) -> u8 {
    let mut steps = Steps::default();
    let launch = Launch { command: command.to_owned(), args: args.to_vec(), ..Launch::default() };
    let outcome =
        match UciEngine::start(&launch, Timeouts { quit: Duration::from_secs(1), ..Timeouts::default() }).await {
            Ok(engine) => try_all(engine, &mut steps).await,
            Err(error) => Err(error),
        };
    if let Err(error) = outcome {
        steps.step("the engine answers", Err(error.to_string()));
    }
    let verdict = if steps.failed == 0 {
        "Engine passed all compliance checks.".to_owned()
    } else {
        format!("Engine failed {} of {} steps.", steps.failed, steps.tried)
    };
    say(&verdict);
    u8::from(steps.failed > 0)
}

fn required(holds: bool, why: impl Into<String>) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(why.into()) }
}

async fn try_all(mut engine: UciEngine, steps: &mut Steps) -> Result<(), EngineError> {
    steps.step("uci is answered by uciok", Ok(()));
    engine.is_ready().await?;
    steps.step("isready is answered by readyok", Ok(()));
    steps.step("id name", required(engine.name().is_some_and(|name| !name.is_empty()), "none"));
    steps.step("id author", required(engine.author().is_some_and(|author| !author.is_empty()), "none"));
    steps.step("options keep their own bounds", bounds(&engine));
    let variants: Vec<Variant> = Variant::ALL
        .into_iter()
        .filter(|&variant| variant != Variant::YangqiNoSwap)
        .filter(|&variant| match engine.option("UCI_Variant").map(|option| &option.kind) {
            Some(Kind::Combo(names)) => names.iter().any(|name| name.eq_ignore_ascii_case(variant.name())),
            _ => variant == Variant::Xiangqi,
        })
        .collect();
    steps.step("plays a game of this runner", required(!variants.is_empty(), "no known name among UCI_Variant"));
    for variant in variants {
        try_variant(&mut engine, variant, steps).await?;
    }
    engine.send("frobnicate\nsetoption name Frobnicate value 1\ndebug on").await?;
    engine.is_ready().await?;
    steps.step("unknown commands and options are passed over", Ok(()));
    steps.step("quit within a second", required(engine.quit().await, "it had to be killed"));
    Ok(())
}

fn bounds(engine: &UciEngine) -> Result<(), Fault> {
    for option in engine.options() {
        let value = option.default.as_deref().unwrap_or_default();
        if !matches!(option.kind, Kind::Text | Kind::Button) && !option.accepts(value) {
            return Err(format!("default `{value}` of {}", option.name));
        }
    }
    Ok(())
}

async fn try_variant(engine: &mut UciEngine, variant: Variant, steps: &mut Steps) -> Result<(), EngineError> {
    let dialect = Dialect::of(DialectChoice::Auto, engine.options(), variant);
    if let Some(name) = &dialect.variant {
        engine.set_option("UCI_Variant", name).await?;
    }
    engine.new_game().await?;
    steps.step(&format!("{variant}: ucinewgame"), Ok(()));
    let clock = |ms: u64| Limits { clocks: Some([ms, ms]), ..Limits::default() };
    let searches = [
        ("go wtime 100", clock(100)),
        ("go wtime 1", clock(1)),
        ("go movetime 50", Limits { move_time: Some(50), ..Limits::default() }),
        ("go nodes 1", Limits { nodes: Some(1), ..Limits::default() }),
        ("go depth 2", Limits { depth: Some(2), ..Limits::default() }),
    ];
    let mut game = Game::new(variant);
    let mut moves = String::new();
    for (name, limits) in searches {
        let answer = search(engine, &format!("startpos{moves}"), &limits, false).await?;
        steps.step(&format!("{variant}: {name}"), judge(&game, dialect.base, &answer, &limits));
        // The game goes on, so that every search has another position.
        if let Ok(mv) = game.parse_move(&answer.best.text, dialect.base) {
            moves.push_str(if moves.is_empty() { " moves " } else { " " });
            moves.push_str(&answer.best.text);
            game.push(mv);
        }
    }
    let fen = format!("fen {}", game.fen());
    let answer = search(engine, &fen, &Limits { infinite: true, ..Limits::default() }, true).await?;
    let prompt =
        required(answer.elapsed < Duration::from_secs(1), format!("{} ms after stop", answer.elapsed.as_millis()));
    let orderly = answer.disorder.map_or(Ok(()), |why| Err(why.to_owned()));
    let legal = judge(&game, dialect.base, &answer, &Limits::default());
    steps.step(&format!("{variant}: fen, isready in a search, stop"), orderly.and(prompt).and(legal));
    Ok(())
}

/// Searches a position. With `stop`: asks whether it is ready on the way, and tells it to stop; the time then counts from there.
async fn search(engine: &mut UciEngine, position: &str, limits: &Limits, stop: bool) -> Result<Answer, EngineError> {
    engine.position(position).await?;
    engine.go(limits).await?;
    let mut began = Instant::now();
    let mut infos = Vec::new();
    if stop {
        let asked = began + Duration::from_millis(100);
        while let Some(said) = engine.next(Some(asked)).await? {
            match said {
                Output::Info(info, _) if infos.len() < 10_000 => infos.push(*info),
                Output::BestMove(best) => {
                    let disorder = Some("bestmove before stop");
                    return Ok(Answer { best, infos, elapsed: Duration::ZERO, disorder });
                }
                _ => {}
            }
        }
        engine.send("isready\nstop").await?;
        began = Instant::now();
    }
    let mut ready = !stop;
    let mut early = None;
    let deadline = began + PATIENCE;
    loop {
        match engine.next(Some(deadline)).await? {
            Some(Output::Info(info, _)) if infos.len() < 10_000 => infos.push(*info),
            Some(Output::Other(line)) if line.trim() == "readyok" => match early.take() {
                Some((best, elapsed)) => {
                    return Ok(Answer { best, infos, elapsed, disorder: Some("readyok only after bestmove") });
                }
                None => ready = true,
            },
            Some(Output::BestMove(best)) if ready => {
                return Ok(Answer { best, infos, elapsed: began.elapsed(), disorder: None });
            }
            Some(Output::BestMove(best)) => early = Some((best, began.elapsed())),
            Some(_) => {}
            None => {
                let request = if ready { "go" } else { "isready" };
                return Err(EngineError::Timeout { request, after: PATIENCE });
            }
        }
    }
}

/// What is wrong with the answer to a search.
fn judge(game: &Game, base: RankBase, answer: &Answer, limits: &Limits) -> Result<(), Fault> {
    let best = game.parse_move(&answer.best.text, base).map_err(|error| format!("bestmove: {error}"))?;
    required(
        game.move_text(best, base) == answer.best.text,
        format!("bestmove {} is written otherwise", answer.best.text),
    )?;
    let scored = |info: &&Info| info.score.is_some() && info.depth.is_some() && info.is_main();
    let last = answer.infos.iter().rfind(|info| scored(info) && info.bound == Bound::Exact);
    let last = last.ok_or("no info line with depth and an exact score")?;
    required(last.time.is_some() && last.nodes.is_some(), "no whole numbers for time and nodes")?;
    required(last.pv.first() == Some(&answer.best.text), "the last variation does not begin with bestmove")?;
    let mut line = game.clone();
    for text in &last.pv {
        required(
            line.result().outcome == Outcome::Ongoing,
            format!("the variation goes on after the end, with {text}"),
        )?;
        line.push_text(text, base).map_err(|error| format!("variation: {error}"))?;
    }
    match limits.clocks {
        Some([ms, _]) => required(answer.elapsed < Duration::from_millis(ms + 500), "too late"),
        None => Ok(()),
    }
}
