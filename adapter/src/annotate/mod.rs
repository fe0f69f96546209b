//! `sanqi-adapter annotate`: what an engine thinks of a game, written into it.
mod game;
mod judge;
mod write;

use crate::analysis::{Analyst, SearchOptions};
use crate::engine::Launch;
use crate::pgn::notation::MoveNotation;
use crate::pgn::{PgnGame, read_games};
use crate::replay::{one_line, read_text};
use crate::whole_file::write_atomically;
use clap::Args;
use game::{Point, plies, point, tasks};
use indicatif::{ProgressBar, ProgressStyle};
use sanqi::board::Color;
use sanqi::games::{Game, RankBase, Variant};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub use judge::Judgement;

/// Milliseconds per position when nothing limits the search.
const DEFAULT_TIME: u64 = 1000;

/// Evaluations, better lines and mistakes for the games of a PGN file. Without a limit each position gets a second.
#[derive(Debug, Args)]
pub struct AnnotateOptions {
    /// A PGN file; `-` is the standard input.
    file: PathBuf,
    /// Only the N-th game of the file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// The game of those without a Variant tag.
    #[arg(long)]
    variant: Option<Variant>,
    /// How moves are written: san, iccs, cannonc or uci.
    #[arg(long, default_value = "san")]
    notation: MoveNotation,
    /// Limits and options of the search.
    #[command(flatten)]
    search: SearchOptions,
    /// The UCI engine [default: `sanqi` beside this program, else from PATH].
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// An argument for the engine's command line; may be given several times.
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    engine_arg: Vec<String>,
    /// Where to write the games; without it to the standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// An evaluation graph of the game; of several games --game says which.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// An annotated game.
struct Annotated {
    pgn: String,
    graph: String,
    summary: String,
}

impl AnnotateOptions {
    /// Annotates. What is wrong goes to the standard error, and nothing is written then; so do a line for each player, and a progress bar
    /// if that is a terminal.
    pub async fn run(&self) -> ExitCode {
        match self.annotate().await {
            Ok(summary) => {
                say(&summary);
                ExitCode::SUCCESS
            }
            Err(error) => {
                say(&error);
                ExitCode::FAILURE
            }
        }
    }

    async fn annotate(&self) -> Result<String, String> {
        let games = self.games()?;
        if self.svg.is_some() && games.len() > 1 {
            return Err(format!("--svg draws one game, the file has {}; choose with --game", games.len()));
        }
        let mut search = self.search.clone();
        if search.is_endless() {
            search.movetime = Some(DEFAULT_TIME);
        }
        let mut analyst = Analyst::new(Launch::of_engine(self.engine.as_deref(), &self.engine_arg), search);
        let bar = progress(games.iter().map(|game| game.game.moves().len() as u64 + 1).sum());
        let mut annotated = Vec::new();
        for game in &games {
            annotated.push(self.game(game, &mut analyst, &bar).await?);
        }
        bar.finish_and_clear();
        analyst.quit().await;
        let text: Vec<&str> = annotated.iter().map(|game| game.pgn.as_str()).collect();
        let text = text.join("\n");
        if let (Some(path), Some(game)) = (&self.svg, annotated.first()) {
            save(path, game.graph.as_bytes())?;
        }
        match &self.output {
            Some(path) => save(path, text.as_bytes())?,
            None => {
                let mut out = std::io::stdout().lock();
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                written.map_err(|error| format!("standard output: {error}"))?;
            }
        }
        Ok(annotated.into_iter().map(|game| game.summary).collect())
    }

    /// The games of the file, or all that is wrong with them.
    fn games(&self) -> Result<Vec<PgnGame>, String> {
        let name = self.file.display();
        let text = read_text(&self.file).map_err(|error| format!("{name}: {error}"))?;
        let all = read_games(&text, self.variant);
        let (total, wanted) = (all.len(), self.game.map(|n| n as usize));
        let chosen = all.into_iter().enumerate().filter(|(index, _)| wanted.is_none_or(|n| n == index + 1));
        let (mut games, mut faults) = (Vec::new(), Vec::new());
        for (_, (line, game)) in chosen {
            match game {
                Ok(game) => games.push(game),
                Err(error) => faults.push(format!("{name}:{line}: {error}")),
            }
        }
        match (faults.is_empty(), games.is_empty()) {
            (false, _) => Err(faults.join("\n")),
            (true, true) => Err(format!("{name}: no such game, the file has {total}")),
            (true, false) => Ok(games),
        }
    }

    async fn game(&self, game: &PgnGame, analyst: &mut Analyst, bar: &ProgressBar) -> Result<Annotated, String> {
        let mut board = Game::from_fen(game.game.variant(), &game.game.start_fen()).map_err(|e| e.to_string())?;
        let (mut points, mut words, mut better) = (Vec::<Point>::new(), Vec::new(), Vec::new());
        let mut moves = game.game.moves().iter();
        let mut engine = "?".to_owned();
        for (ply, task) in tasks(&game.game).iter().enumerate() {
            let row = analyst.analyse(task).await.map_err(|error| error.to_string())?;
            if let Some(identity) = &row.engine {
                engine.clone_from(&identity.name);
            }
            let outcome = board.result().outcome;
            let found = point(row, board.side(), outcome).map_err(|error| format!("position {ply}: {error}"))?;
            better.push(found.line.as_ref().map(|line| self.spelled(&board, &line.pv)).unwrap_or_default());
            points.push(found);
            if let Some(&mv) = moves.next() {
                words.push(self.notation.write(&board, mv));
                board.push(mv);
            }
            bar.inc(1);
        }
        let plies = plies(game, words, &points);
        let player = |side| game.tag(if side == Color::White { "White" } else { "Black" }).unwrap_or("?");
        let summary = Color::ALL.map(|side| format!("{}: {}\n", player(side), write::summary(&plies, side))).concat();
        let pgn = write::pgn(game, &engine, &plies, &points, &better);
        Ok(Annotated { pgn, graph: write::graph(game, &plies, &points), summary })
    }

    /// A line in the notation of the file.
    fn spelled(&self, board: &Game, line: &[String]) -> Vec<String> {
        let mut board = board.clone();
        let mut words = Vec::new();
        for text in line {
            let Ok(mv) = board.parse_move(text, RankBase::One) else { break };
            words.push(self.notation.write(&board, mv));
            board.push(mv);
        }
        words
    }
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write_atomically(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// A bar on the standard error, if that is a terminal.
fn progress(positions: u64) -> ProgressBar {
    let bar = ProgressBar::new(positions);
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} positions {elapsed} (left {eta})") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Lines for the standard error, which may be gone.
fn say(text: &str) {
    for line in text.lines() {
        let _ = writeln!(std::io::stderr(), "{}", one_line(line));
    }
}
