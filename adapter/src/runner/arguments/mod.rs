//! The command line of fastchess: `-option key=value key=value …`.
//!
//! A parser of its own, because the usual ones cannot express it: options have one dash and long names, are followed by any number of
//! words, `-engine` opens a new engine each time it occurs, and `-each` applies to all of them wherever it stands.
mod complete;
mod engine;
mod output;
mod value;

use super::settings::{
    BookFormat, DrawRule, MaxMoves, Order, OutputFormat, ResignRule, Settings, Sprt, SprtModel, TournamentKind,
};
use crate::engine::Board;
use thiserror::Error;
use value::{flag, line, none, number, pairs, real, score, single};

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
    /// A configuration to resume from; its settings hold, but for the options that [`resumed`] takes over.
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
    /// Go on in another file.
    pub outname: Option<String>,
    /// Take the results along.
    pub stats: bool,
}

/// Reads a command line, the program's own name excluded.
///
/// # Errors
/// Names the option, key or value that is wrong.
pub fn parse(words: &[String]) -> Result<Request, ArgumentError> {
    read(words, Settings::default())
}

/// The settings of a match that is resumed: as `stored`, with what the command line changes.
///
/// # Errors
/// As [`parse`].
pub fn resumed(words: &[String], stored: Settings) -> Result<Settings, ArgumentError> {
    let settings = read(words, stored)?.settings;
    complete::check_numbers(&settings)?;
    Ok(settings)
}

fn read(words: &[String], settings: Settings) -> Result<Request, ArgumentError> {
    let request = Request { settings, ..Request::default() };
    let mut reading = Reading { request, each: Vec::new(), rounds_set: false, format_set: false };
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
pub const RESUMABLE: [&str; 19] = [
    "-config",
    "-rounds",
    "-concurrency",
    "-force-concurrency",
    "-ratinginterval",
    "-scoreinterval",
    "-autosaveinterval",
    "-recover",
    "-wait",
    "-strict",
    "-nowarn",
    "-testEnv",
    "-show-latency",
    "-log",
    "-startup-ms",
    "-ucinewgame-ms",
    "-ping-ms",
    "-stop-ms",
    "-use-affinity",
];

struct Reading {
    request: Request,
    each: Vec<(String, String)>,
    rounds_set: bool,
    /// The form of the openings is not left to the name of their file.
    format_set: bool,
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
        if let Some(flag) = flag_of(settings, option) {
            *flag = true;
            return none(option, values);
        }
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
            "-concurrency" => {
                let wanted: i64 = number(option, single(option, values)?)?;
                settings.concurrency =
                    if wanted > 0 { wanted } else { (complete::processors() as i64).saturating_add(wanted).max(1) }
                        as usize;
                if wanted <= 0 {
                    let games = settings.concurrency;
                    let note = format!("adjusted concurrency to {games} based on number of available hardware threads");
                    self.request.notes.push(note);
                }
            }
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
                        "elo0" => sprt.elo0 = real(&name, &value)?,
                        "elo1" => sprt.elo1 = real(&name, &value)?,
                        "alpha" => sprt.alpha = real(&name, &value)?,
                        "beta" => sprt.beta = real(&name, &value)?,
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
            "-openings" if values.is_empty() => return Err(value::wrong(option, "", "key=value")),
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
                        _ if value.is_empty() => return Err(value::wrong(&name, value, "a value")),
                        "file" => opening.file = value.to_owned(),
                        "format" => {
                            self.format_set = true;
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
                        "start" => {
                            opening.start = number(&name, value)?;
                            if opening.start == 0 {
                                return Err(value::wrong(&name, value, "a number from 1"));
                            }
                        }
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
                        "score" => draw.score = score(&name, &value)?,
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
                        "score" => resign.score = score(&name, &value)?,
                        "twosided" => resign.twosided = flag(&name, &value)?,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
                settings.resign = resign;
            }
            "-maxmoves" => {
                settings.maxmoves = MaxMoves { enabled: true, move_count: number(option, single(option, values)?)? }
            }
            "-pgnout" => output::pgn(&mut settings.pgn, option, values)?,
            "-epdout" => output::epd(&mut settings.epd, option, values)?,
            "-event" => settings.pgn.event_name = line(option, &values.join(" "))?,
            "-site" => settings.pgn.site = line(option, &values.join(" "))?,
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
                let (mut file, mut outname, mut discard, mut stats) = (None, None, false, true);
                for (key, value) in pairs(option, values)? {
                    match key.as_str() {
                        "file" => file = Some(value),
                        "discard" => discard = flag("-config discard", &value)?,
                        "outname" => outname = Some(value),
                        "stats" => stats = flag("-config stats", &value)?,
                        _ => return Err(unknown_key(&key, &value)),
                    }
                }
                if let Some(name) = &outname {
                    settings.config_name.clone_from(name);
                }
                // Discarded means that the command line holds and the file is not looked at.
                self.request.resume = file.filter(|_| !discard).map(|file| Resume { file, outname, stats });
            }
            "-wait" => settings.wait = number(option, single(option, values)?)?,
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
            "-log" => output::log(&mut settings.log, option, values)?,
            // Workers pass these always; without them a match is the same.
            "-use-affinity" | "-outcomeinterval" | "-resultformat" => {
                self.request.notes.push(format!("option {option} has no effect"));
            }
            "-tb" | "-tbpieces" | "-tbignore50" | "-tbadjudicate" => {
                let why = "there are no endgame tables for these games";
                return Err(ArgumentError::Unsupported { option: option.to_owned(), why });
            }
            "-quick" => self.quick(option, values)?,
            "-debug" => {
                let why = "use -log file=F engine=true to write all engine input and output into a file";
                return Err(ArgumentError::Unsupported { option: option.to_owned(), why });
            }
            "-help" | "--help" => self.request.help = true,
            "-version" | "--version" | "-v" | "--v" => self.request.version = true,
            _ => return Err(ArgumentError::Unknown(option.to_owned())),
        }
        Ok(())
    }

    /// `-quick cmd=A cmd=B book=FILE`: fastchess' short form of a match at 10+0.1 with adjudication.
    fn quick(&mut self, option: &str, values: &[String]) -> Result<(), ArgumentError> {
        let settings = &mut self.request.settings;
        for (key, value) in pairs(option, values)? {
            match key.as_str() {
                "cmd" => {
                    let mut engine = Default::default();
                    for (key, value) in [("cmd", value.as_str()), ("tc", "10+0.1")] {
                        engine::set(&mut engine, key, value)?;
                    }
                    settings.engines.push(engine);
                }
                "book" => settings.opening.file = value,
                _ => return Err(ArgumentError::Key { option: "quick".to_owned(), key, value }),
            }
        }
        if settings.engines.len() != 2 {
            return Err(ArgumentError::Inconsistent("Error: -quick needs exactly two cmd=".to_owned()));
        }
        if settings.opening.file.is_empty() {
            return Err(ArgumentError::Inconsistent("Error: -quick needs a book=".to_owned()));
        }
        settings.games = 2;
        settings.rounds = 25_000;
        self.rounds_set = true;
        settings.concurrency = complete::processors().saturating_sub(2).max(1);
        settings.recover = true;
        settings.opening.order = Order::Random;
        settings.draw = DrawRule { enabled: true, move_number: 30, move_count: 8, score: 8 };
        settings.output = OutputFormat::Cutechess;
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
        let file = settings.opening.file.trim_end_matches(".gz");
        if !self.format_set && file.ends_with(".pgn") {
            settings.opening.format = BookFormat::Pgn;
        }
        if !resuming {
            complete::complete(settings, self.rounds_set)?;
        }
        Ok(self.request)
    }
}

/// The switch that an option without a value turns on.
fn flag_of<'a>(settings: &'a mut Settings, option: &str) -> Option<&'a mut bool> {
    Some(match option {
        "-lockstep" => &mut settings.lockstep,
        "-noswap" => &mut settings.noswap,
        "-reverse" => &mut settings.reverse,
        "-force-concurrency" => &mut settings.force_concurrency,
        "-recover" => &mut settings.recover,
        "-strict" => &mut settings.strict,
        "-check-mate-pvs" => &mut settings.check_mate_pvs,
        "-testEnv" => &mut settings.test_env,
        "-show-latency" => &mut settings.show_latency,
        _ => return None,
    })
}

fn variant(name: &str) -> Result<Board, ArgumentError> {
    name.parse().map_err(|_| value::wrong("-variant", name, "xiangqi, supply, supply2, yangqi or fangqi"))
}

#[cfg(test)]
mod tests;
