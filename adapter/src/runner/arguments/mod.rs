//! The command line of fastchess: `-option key=value key=value …`.
//!
//! A parser of its own, because the usual ones cannot express it: options have one dash and long names, are followed by any number of
//! words, `-engine` opens a new engine each time it occurs, and `-each` applies to all of them wherever it stands.
mod engine;
mod value;

use super::settings::{
    BookFormat, DrawRule, MaxMoves, Order, OutputFormat, ResignRule, Settings, Sprt, SprtModel, TournamentKind,
};
use crate::engine::Board;
use thiserror::Error;
use value::{flag, number, pairs, single};

/// Why a command line is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// No such option.
    #[error("Unrecognized option: {0} parsing failed.")]
    Unknown(String),
    /// An option of fastchess that this runner does not have.
    #[error("Option {option} is not supported: {why}.")]
    Unsupported {
        /// The option, or option and key.
        option: String,
        /// Why not.
        why: &'static str,
    },
    /// No such key.
    #[error("Unrecognized {option} option: {key} with value {value} parsing failed.")]
    Key {
        /// The option.
        option: String,
        /// The key.
        key: String,
        /// Its value.
        value: String,
    },
    /// A value that cannot be read.
    #[error("Invalid value for {option}: \"{value}\", expected {expected}.")]
    Value {
        /// The option, or option and key.
        option: String,
        /// The value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// Something is missing or does not go together.
    #[error("{0}")]
    Inconsistent(String),
}

/// What a command line asks for besides the settings themselves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// The settings.
    pub settings: Settings,
    /// A configuration to resume from; its settings hold, and the command line's only say where it is.
    pub resume: Option<Resume>,
    /// A seed was given.
    pub seeded: bool,
    /// Options that were given, in order.
    pub given: Vec<String>,
    /// Things worth a word before the match begins.
    pub notes: Vec<String>,
    /// An engine to be tried, and its arguments, instead of a match.
    pub compliance: Vec<String>,
    /// `-help`.
    pub help: bool,
    /// `-version`.
    pub version: bool,
}

/// `-config file=…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// The file.
    pub file: String,
    /// Play from the beginning all the same, and do not write the file.
    pub discard: bool,
    /// Take the results along.
    pub stats: bool,
}

/// Reads a command line, the program's own name excluded.
///
/// # Errors
/// Names the option, key or value that is wrong.
pub fn parse(words: &[String]) -> Result<Request, ArgumentError> {
    let mut reading = Reading { request: Request::default(), each: Vec::new(), rounds_set: false };
    let mut rest = words;
    while let Some((option, tail)) = rest.split_first() {
        if !is_option(option) {
            return Err(ArgumentError::Unknown(option.clone()));
        }
        let count = tail.iter().take_while(|w| !is_option(w)).count();
        let (values, next) = tail.split_at_checked(count).unwrap_or((tail, &[]));
        reading.option(option, values)?;
        reading.request.given.push(option.clone());
        rest = next;
    }
    reading.finish()
}

/// A dash and a letter begin an option; `-5` is a value.
fn is_option(word: &str) -> bool {
    let name = word.strip_prefix('-').map(|w| w.strip_prefix('-').unwrap_or(w));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Options that may accompany `-config file=…`, because they do not change what the finished games mean.
pub const RESUMABLE: [&str; 6] =
    ["-config", "-concurrency", "-force-concurrency", "-rounds", "-ratinginterval", "-recover"];

struct Reading {
    request: Request,
    each: Vec<(String, String)>,
    rounds_set: bool,
}

impl Reading {
    #[allow(clippy::too_many_lines)]
    fn option(&mut self, option: &str, values: &[String]) -> Result<(), ArgumentError> {
        let settings = &mut self.request.settings;
        let unknown_key = |key: &str, value: &str| ArgumentError::Key {
            option: option.trim_start_matches('-').to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
        };
        match option {
            "-engine" => {
                let mut engine = Default::default();
                for (key, value) in pairs(option, values)? {
                    engine::set(&mut engine, &key, &value)?;
                }
                settings.engines.push(engine);
            }
            "-partner" => {
                let Some(engine) = settings.engines.last_mut() else {
                    return Err(ArgumentError::Inconsistent("Error: -partner belongs behind an -engine".to_owned()));
                };
                let mut partner = Default::default();
                for (key, value) in pairs(option, values)? {
                    engine::set(&mut partner, &key, &value)?;
                }
                engine.partner = Some(Box::new(partner));
            }
            "-lockstep" => settings.lockstep = true,
            "-replayout" => {
                for (key, value) in pairs(option, values)? {
                    match key.as_str() {
                        "dir" => settings.replay_dir = value,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
            }
            "-each" => self.each.extend(pairs(option, values)?),
            "-variant" | "-game" => {
                let name = single(option, values)?;
                settings.variant = match name {
                    // What tools say that know only chess: the game comes from elsewhere.
                    "standard" | "fischerandom" | "auto" => None,
                    _ => Some(variant(name)?),
                };
            }
            "-games" => settings.games = number(option, single(option, values)?)?,
            "-rounds" => {
                settings.rounds = number(option, single(option, values)?)?;
                self.rounds_set = true;
            }
            "-repeat" => {
                // fastchess takes a number here as cutechess does, and means the same by it.
                settings.games = if values.is_empty() { 2 } else { number(option, single(option, values)?)? };
            }
            "-noswap" => settings.noswap = true,
            "-reverse" => settings.reverse = true,
            "-concurrency" => {
                let wanted: i64 = number(option, single(option, values)?)?;
                let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as i64;
                settings.concurrency = if wanted > 0 { wanted } else { (cores + wanted).max(1) } as usize;
            }
            "-force-concurrency" => settings.force_concurrency = true,
            "-tournament" => {
                settings.tournament = match single(option, values)? {
                    "roundrobin" => TournamentKind::RoundRobin,
                    "gauntlet" => TournamentKind::Gauntlet,
                    other => return Err(value::wrong(option, other, "roundrobin or gauntlet")),
                }
            }
            "-seeds" => settings.gauntlet_seeds = number(option, single(option, values)?)?,
            "-sprt" => {
                let mut sprt = Sprt { enabled: true, ..Sprt::default() };
                for (key, value) in pairs(option, values)? {
                    let name = format!("{option} {key}");
                    match key.as_str() {
                        "elo0" => sprt.elo0 = number(&name, &value)?,
                        "elo1" => sprt.elo1 = number(&name, &value)?,
                        "alpha" => sprt.alpha = number(&name, &value)?,
                        "beta" => sprt.beta = number(&name, &value)?,
                        "model" => {
                            sprt.model = match value.as_str() {
                                "normalized" => SprtModel::Normalized,
                                "logistic" => SprtModel::Logistic,
                                "bayesian" => {
                                    let why = "BayesElo bounds depend on the draw rate; use normalized or logistic";
                                    return Err(ArgumentError::Unsupported {
                                        option: "-sprt model=bayesian".into(),
                                        why,
                                    });
                                }
                                _ => return Err(value::wrong(&name, &value, "normalized or logistic")),
                            }
                        }
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
                settings.sprt = sprt;
            }
            "-openings" => {
                for word in values {
                    let (key, value) = match word.split_once('=') {
                        Some((key, value)) => (key, value),
                        None if word == "random" => ("format", "random"),
                        None => return Err(unknown_key(word, "")),
                    };
                    let name = format!("{option} {key}");
                    let opening = &mut settings.opening;
                    match key {
                        "file" => opening.file = value.to_owned(),
                        "format" => {
                            opening.format = match value {
                                "epd" | "fen" => BookFormat::Epd,
                                "pgn" => BookFormat::Pgn,
                                "random" => BookFormat::Random,
                                _ => return Err(value::wrong(&name, value, "epd, pgn or random")),
                            }
                        }
                        "order" => {
                            opening.order = match value {
                                "sequential" => Order::Sequential,
                                "random" => Order::Random,
                                _ => return Err(value::wrong(&name, value, "sequential or random")),
                            }
                        }
                        "plies" => opening.plies = number(&name, value)?,
                        "start" => opening.start = number::<u64>(&name, value)?.max(1),
                        "policy" if value == "round" => {}
                        _ => return Err(unknown_key(key, value)),
                    }
                }
            }
            "-srand" | "-seed" => {
                settings.seed = number(option, single(option, values)?)?;
                self.request.seeded = true;
            }
            "-draw" => {
                let mut draw = DrawRule { enabled: true, move_number: 0, move_count: 1, score: 0 };
                for (key, value) in pairs(option, values)? {
                    let name = format!("{option} {key}");
                    match key.as_str() {
                        "movenumber" => draw.move_number = number(&name, &value)?,
                        "movecount" => draw.move_count = number(&name, &value)?,
                        "score" => draw.score = number(&name, &value)?,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
                settings.draw = draw;
            }
            "-resign" => {
                let mut resign = ResignRule { enabled: true, move_count: 1, score: 0, twosided: false };
                for (key, value) in pairs(option, values)? {
                    let name = format!("{option} {key}");
                    match key.as_str() {
                        "movecount" => resign.move_count = number(&name, &value)?,
                        "score" => resign.score = number(&name, &value)?,
                        "twosided" => resign.twosided = flag(&name, &value)?,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
                settings.resign = resign;
            }
            "-maxmoves" => {
                settings.maxmoves = MaxMoves { enabled: true, move_count: number(option, single(option, values)?)? }
            }
            "-pgnout" => self.pgn(option, values)?,
            "-epdout" => {
                for word in values {
                    match word.split_once('=') {
                        Some(("file", value)) => settings.epd.file = value.to_owned(),
                        Some(("append", value)) => settings.epd.append_file = flag("-epdout append", value)?,
                        Some((key, value)) => return Err(unknown_key(key, value)),
                        None => settings.epd.file = word.clone(),
                    }
                }
            }
            "-event" => settings.pgn.event_name = values.join(" "),
            "-site" => settings.pgn.site = values.join(" "),
            "-output" => {
                for (key, value) in pairs(option, values)? {
                    settings.output = match (key.as_str(), value.as_str()) {
                        ("format", "fastchess") => OutputFormat::Fastchess,
                        ("format", "cutechess") => OutputFormat::Cutechess,
                        ("format", _) => return Err(value::wrong("-output format", &value, "fastchess or cutechess")),
                        _ => return Err(unknown_key(&key, &value)),
                    };
                }
            }
            "-report" => {
                for (key, value) in pairs(option, values)? {
                    match key.as_str() {
                        "penta" => settings.report_penta = flag("-report penta", &value)?,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
            }
            "-ratinginterval" => settings.ratinginterval = number(option, single(option, values)?)?,
            "-scoreinterval" => settings.scoreinterval = number(option, single(option, values)?)?,
            "-autosaveinterval" => settings.autosaveinterval = number(option, single(option, values)?)?,
            "-config" => {
                let (mut file, mut discard, mut stats) = (None, false, true);
                for (key, value) in pairs(option, values)? {
                    match key.as_str() {
                        "file" => file = Some(value),
                        "discard" => discard = flag("-config discard", &value)?,
                        "outname" => settings.config_name = value,
                        "stats" => stats = flag("-config stats", &value)?,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
                self.request.resume = file.map(|file| Resume { file, discard, stats });
            }
            "-recover" => settings.recover = true,
            "-wait" => settings.wait = number(option, single(option, values)?)?,
            "-strict" => settings.strict = true,
            "-check-mate-pvs" => settings.check_mate_pvs = true,
            "-nowarn" => {
                for name in values {
                    let kind =
                        name.parse().map_err(|()| value::wrong(option, name, "option, move, score, pv or mate"))?;
                    settings.nowarn.push(kind);
                }
            }
            "-compliance" | "--compliance" => match values {
                [] => return Err(value::wrong(option, "", "an engine")),
                words => self.request.compliance = words.to_vec(),
            },
            "-testEnv" => settings.test_env = true,
            "-show-latency" => settings.show_latency = true,
            "-startup-ms" => settings.startup_ms = number(option, single(option, values)?)?,
            "-ucinewgame-ms" => settings.ucinewgame_ms = number(option, single(option, values)?)?,
            "-ping-ms" => settings.ping_ms = number(option, single(option, values)?)?,
            "-stop-ms" => settings.stop_ms = number(option, single(option, values)?)?,
            "-crc32" => {
                for (key, value) in pairs(option, values)? {
                    match key.as_str() {
                        "pgn" => settings.pgn.crc = flag("-crc32 pgn", &value)?,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
            }
            "-log" => {
                for (key, value) in pairs(option, values)? {
                    match key.as_str() {
                        "file" => settings.log.file = value,
                        "append" => settings.log.append_file = flag("-log append", &value)?,
                        "engine" => settings.log.engine_coms = flag("-log engine", &value)?,
                        // Nothing else is logged, so there is nothing to choose from.
                        "level" | "realtime" => {}
                        "compress" if value == "false" => {}
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
            }
            // Workers pass these always; without them a match is the same.
            "-use-affinity" | "-outcomeinterval" | "-resultformat" => {
                self.request.notes.push(format!("option {option} has no effect"));
            }
            "-tb" | "-tbpieces" | "-tbignore50" | "-tbadjudicate" => {
                let why = "there are no endgame tables for these games";
                return Err(ArgumentError::Unsupported { option: option.to_owned(), why });
            }
            "-quick" => self.quick(option, values)?,
            "-help" | "--help" => self.request.help = true,
            "-version" | "--version" => self.request.version = true,
            _ => return Err(ArgumentError::Unknown(option.to_owned())),
        }
        Ok(())
    }

    fn pgn(&mut self, option: &str, values: &[String]) -> Result<(), ArgumentError> {
        let pgn = &mut self.request.settings.pgn;
        for word in values {
            let (key, value) = word.split_once('=').unwrap_or(("file", word));
            let name = format!("{option} {key}");
            match key {
                "file" => pgn.file = value.to_owned(),
                "append" => pgn.append_file = flag(&name, value)?,
                "notation" => {
                    let wrong = |_| value::wrong(&name, value, "san, iccs, cannonc, uci or lan");
                    pgn.notation = value.parse().map_err(wrong)?;
                }
                "nodes" => pgn.track_nodes = flag(&name, value)?,
                "seldepth" => pgn.track_seldepth = flag(&name, value)?,
                "nps" => pgn.track_nps = flag(&name, value)?,
                "hashfull" => pgn.track_hashfull = flag(&name, value)?,
                "tbhits" => pgn.track_tbhits = flag(&name, value)?,
                "timeleft" => pgn.track_timeleft = flag(&name, value)?,
                "latency" => pgn.track_latency = flag(&name, value)?,
                "pv" => pgn.track_pv = flag(&name, value)?,
                "min" => pgn.min = flag(&name, value)?,
                // OpenBench always asks for the lines `info string pgncomment …`.
                "match_line" => {
                    regex_lite::Regex::new(value).map_err(|_| value::wrong(&name, value, "a regular expression"))?;
                    pgn.additional_lines_rgx.push(value.to_owned());
                }
                _ => {
                    return Err(ArgumentError::Key {
                        option: "pgnout".to_owned(),
                        key: key.to_owned(),
                        value: value.to_owned(),
                    });
                }
            }
        }
        Ok(())
    }

    /// `-quick cmd=A cmd=B book=FILE`: fastchess' short form of a match at 10+0.1 with adjudication.
    fn quick(&mut self, option: &str, values: &[String]) -> Result<(), ArgumentError> {
        let mut commands = Vec::new();
        for (key, value) in pairs(option, values)? {
            match key.as_str() {
                "cmd" => commands.push(value),
                "book" => self.request.settings.opening.file = value,
                _ => return Err(ArgumentError::Key { option: "quick".to_owned(), key, value }),
            }
        }
        for command in commands {
            let mut engine = Default::default();
            for (key, value) in [("cmd", command.as_str()), ("tc", "10+0.1")] {
                engine::set(&mut engine, key, value)?;
            }
            self.request.settings.engines.push(engine);
        }
        let settings = &mut self.request.settings;
        settings.games = 2;
        settings.rounds = 25_000;
        self.rounds_set = true;
        settings.recover = true;
        settings.opening.order = Order::Random;
        settings.draw = DrawRule { enabled: true, move_number: 30, move_count: 8, score: 8 };
        Ok(())
    }

    fn finish(mut self) -> Result<Request, ArgumentError> {
        if self.request.resume.is_some()
            && let Some(other) = self.request.given.iter().find(|o| !RESUMABLE.contains(&o.as_str()))
        {
            return Err(ArgumentError::Inconsistent(format!(
                "Error: {other} cannot be changed when a match is resumed (possible: {})",
                RESUMABLE.join(" ")
            )));
        }
        let resuming = self.request.resume.is_some()
            || self.request.help
            || self.request.version
            || !self.request.compliance.is_empty();
        let settings = &mut self.request.settings;
        for engine in &mut settings.engines {
            for (key, value) in &self.each {
                engine::set(engine, key, value)?;
                if let Some(partner) = &mut engine.partner {
                    engine::set(partner, key, value)?;
                }
            }
        }
        if !resuming {
            complete(settings, self.rounds_set)?;
        }
        Ok(self.request)
    }
}

/// Fills in what follows from the rest, and refuses what does not go together.
///
/// # Errors
/// Says what is missing or contradictory.
fn complete(settings: &mut Settings, rounds_set: bool) -> Result<(), ArgumentError> {
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
    let mut names: Vec<&str> = settings.engines.iter().map(|e| e.name.as_str()).collect();
    names.sort_unstable();
    if let Some([name, _]) = names.windows(2).find_map(|w| <[&str; 2]>::try_from(w).ok().filter(|[a, b]| a == b)) {
        return inconsistent(format!("Error: Engine with the same name are not allowed!: {name}"));
    }
    if settings.games > 2 {
        if settings.rounds > 2 {
            return inconsistent("Error: -games may be at most 2; use -rounds for more".to_owned());
        }
        std::mem::swap(&mut settings.games, &mut settings.rounds);
    }
    if settings.games == 0 || settings.rounds == 0 {
        return inconsistent("Error: -games and -rounds must be at least 1".to_owned());
    }
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
    let two_boards = settings.variant == Some(Board::Two);
    if !two_boards
        && (settings.lockstep
            || !settings.replay_dir.is_empty()
            || settings.engines.iter().any(|e| e.partner.is_some()))
    {
        return inconsistent("Error: -partner, -lockstep and -replayout are for -variant supply2".to_owned());
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if settings.concurrency > cores && !settings.force_concurrency {
        return inconsistent(format!(
            "Error: Concurrency exceeds number of CPUs ({cores}). Use -force-concurrency to override."
        ));
    }
    if settings.opening.file.is_empty() && settings.opening.format == BookFormat::Pgn {
        return inconsistent("Error: -openings format=pgn needs a file".to_owned());
    }
    Ok(())
}

/// The game that a book of openings is of: its first `Variant` tag, or a word of its name that is a game's name.
fn game_of_book(file: &str) -> Option<Board> {
    let path = std::path::Path::new(file);
    let tagged = || {
        let text = std::fs::read_to_string(path).ok()?;
        text.lines().find_map(|line| line.trim().strip_prefix("[Variant \"")?.split('"').next()?.parse().ok())
    };
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let named = || name.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| word.parse().ok());
    if path.extension().is_some_and(|extension| extension == "pgn") { tagged().or_else(named) } else { named() }
}

fn variant(name: &str) -> Result<Board, ArgumentError> {
    name.parse().map_err(|_| value::wrong("-variant", name, "xiangqi, supply, supply2, yangqi or fangqi"))
}

#[cfg(test)]
mod tests;
