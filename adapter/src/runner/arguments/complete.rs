//! What a command line means as a whole: what follows from the rest, and what does not go together.
use super::{ArgumentError, engine, variant};
use crate::engine::Board;
use crate::runner::book::read_file;
use crate::runner::settings::{BookFormat, EngineSettings, OutputFormat, Settings, TournamentKind};
use std::collections::HashMap;

/// Fills in what follows from the rest, and refuses what does not go together.
///
/// # Errors
/// Says what is missing or contradictory.
pub(super) fn complete(settings: &mut Settings, rounds_set: bool) -> Result<(), ArgumentError> {
    let inconsistent = |text: String| Err(ArgumentError::Inconsistent(text));
    for (index, engine) in settings.engines.iter_mut().enumerate() {
        engine::complete(engine, index)?;
        if let Some(partner) = &mut engine.partner {
            engine::complete(partner, index)?;
        }
    }
    if settings.engines.len() < 2 {
        return inconsistent("Error: Need at least two engines to start!".to_owned());
    }
    tell_apart(&mut settings.engines);
    if settings.games > 2 {
        if settings.rounds > 2 {
            return inconsistent("Error: -games may be at most 2; use -rounds for more".to_owned());
        }
        std::mem::swap(&mut settings.games, &mut settings.rounds);
    }
    // As in fastchess: cutechess knows no statistics by pairs.
    settings.report_penta &= settings.output == OutputFormat::Fastchess && settings.games == 2;
    if settings.sprt.enabled {
        let sprt = settings.sprt;
        if settings.engines.len() != 2 {
            return inconsistent("Error: SPRT is only possible with two engines".to_owned());
        }
        if sprt.elo0 >= sprt.elo1 {
            return inconsistent("Error; SPRT: elo0 must be less than elo1!".to_owned());
        }
        let open = |x: f64| x > 0.0 && x < 1.0;
        if !open(sprt.alpha) || !open(sprt.beta) || sprt.alpha + sprt.beta >= 1.0 {
            return inconsistent("Error; SPRT: alpha and beta must lie between 0 and 1, their sum below 1!".to_owned());
        }
        if !rounds_set {
            settings.rounds = 500_000;
        }
    }
    if settings.variant.is_none() {
        let named = settings.engines.iter().find_map(|e| e.option("UCI_Variant"));
        settings.variant = named.map(variant).transpose()?;
    }
    if settings.variant.is_none() {
        settings.variant = game_of_book(&settings.opening.file);
    }
    if settings.variant.is_none() {
        return inconsistent("Error: no game; give -variant or option.UCI_Variant".to_owned());
    }
    for engine in settings.engines.iter().flat_map(|e| std::iter::once(e).chain(e.partner.as_deref())) {
        if let Some(named) = engine.option("UCI_Variant").filter(|name| name.parse().ok() != settings.variant) {
            let game = settings.variant.map_or("", Board::name);
            return inconsistent(format!(
                "Error: option.UCI_Variant={named} of engine {} is not the game of the match, {game}",
                engine.name
            ));
        }
    }
    let (engines, seeds) = (settings.engines.len(), settings.gauntlet_seeds);
    if settings.tournament == TournamentKind::Gauntlet && !(1..engines).contains(&seeds) {
        return inconsistent(format!(
            "Error: -seeds {seeds} leaves no game; of {engines} engines give 1 to {}",
            engines - 1
        ));
    }
    let two_boards = settings.variant == Some(Board::Two);
    if !two_boards
        && (settings.lockstep
            || !settings.replay_dir.is_empty()
            || settings.engines.iter().any(|e| e.partner.is_some()))
    {
        return inconsistent("Error: -partner, -lockstep and -replayout are for -variant supply2".to_owned());
    }
    if settings.opening.file.is_empty() && settings.opening.format == BookFormat::Pgn {
        return inconsistent("Error: -openings format=pgn needs a file".to_owned());
    }
    check_numbers(settings)
}

/// What must also hold when a match is resumed with other numbers.
pub(super) fn check_numbers(settings: &Settings) -> Result<(), ArgumentError> {
    if settings.games == 0 || settings.rounds == 0 {
        return Err(ArgumentError::Inconsistent("Error: -games and -rounds must be at least 1".to_owned()));
    }
    let cores = processors();
    if settings.concurrency > cores && !settings.force_concurrency {
        return Err(ArgumentError::Inconsistent(format!(
            "Error: Concurrency exceeds number of CPUs ({cores}). Use -force-concurrency to override."
        )));
    }
    Ok(())
}

pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Gives engines of one name a number behind it, as fastchess does: `A`, `A_2`.
fn tell_apart(engines: &mut [EngineSettings]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for engine in engines {
        let count = seen.entry(engine.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            engine.name = format!("{}_{count}", engine.name);
        }
    }
}

/// The game that a book of openings is of: its first `Variant` tag, or a word of its name that is a game's name.
fn game_of_book(file: &str) -> Option<Board> {
    let path = std::path::Path::new(file.strip_suffix(".gz").unwrap_or(file));
    let tagged = || {
        let text = read_file(file).ok()?;
        text.lines().find_map(|line| line.trim().strip_prefix("[Variant \"")?.split('"').next()?.parse().ok())
    };
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let named = || name.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| word.parse().ok());
    if path.extension().is_some_and(|extension| extension == "pgn") { tagged().or_else(named) } else { named() }
}
