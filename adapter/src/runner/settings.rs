//! All that a match is told, as the command line and the JSON configuration give it. The JSON keys are fastchess' own.
use super::record::WarningKind;
use crate::engine::{Board, DialectChoice, Launch, Protocol, Timeouts};
use crate::pgn::MoveNotation;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// The clock of one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TimeControl {
    /// Milliseconds at the start and after each control; 0 without a clock.
    pub time: u64,
    /// Milliseconds added per move.
    pub increment: u64,
    /// Moves between controls; 0 for one control over the whole game.
    pub moves: u32,
    /// Milliseconds for every move, instead of a clock; 0 without.
    pub fixed_time: u64,
    /// Milliseconds that an engine may overstep.
    pub timemargin: u64,
}

/// What limits each search of one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchLimit {
    /// Its clock.
    pub tc: TimeControl,
    /// Nodes; 0 without limit.
    pub nodes: u64,
    /// Plies; 0 without limit.
    pub plies: u32,
}

/// One engine.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineSettings {
    /// Its name in all output.
    pub name: String,
    /// Working directory; empty for the runner's own.
    pub dir: String,
    /// The program.
    pub cmd: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// A file that its error output is appended to; empty for none.
    pub stderr: String,
    /// Lines sent once after the handshake.
    pub init: Vec<String>,
    /// A new process for every game.
    pub restart: bool,
    /// The protocol it speaks.
    pub proto: Protocol,
    /// How it writes moves.
    pub dialect: DialectChoice,
    /// Options in the order given.
    pub options: Vec<(String, String)>,
    /// Limits.
    pub limit: SearchLimit,
    /// With two boards: who takes the team's seat on board 2; `None` for another process of the same engine.
    pub partner: Option<Box<EngineSettings>>,
}

impl EngineSettings {
    /// How the process is started. A command that is a path is relative to `dir`, as in fastchess.
    pub fn launch(&self) -> Launch {
        let dir = (!self.dir.is_empty()).then(|| PathBuf::from(&self.dir));
        let command = match &dir {
            Some(dir) if self.cmd.contains('/') || dir.join(&self.cmd).is_file() => {
                // Absolute, because the system would look it up relative to the new working directory.
                let path = dir.join(&self.cmd);
                std::path::absolute(&path).unwrap_or(path).display().to_string()
            }
            _ => self.cmd.clone(),
        };
        let stderr = (!self.stderr.is_empty()).then(|| PathBuf::from(&self.stderr));
        Launch { command, args: self.args.clone(), dir, stderr, log: None }
    }

    /// The value an option is set to, if it is.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }
}

/// When a game is called a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DrawRule {
    /// In force.
    pub enabled: bool,
    /// Full moves that must have been completed.
    pub move_number: u32,
    /// Moves of each side in a row.
    pub move_count: u32,
    /// Centipawns, either way.
    pub score: i32,
}

/// When a game is called won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ResignRule {
    /// In force.
    pub enabled: bool,
    /// Moves of the losing side in a row.
    pub move_count: u32,
    /// Centipawns below zero.
    pub score: i32,
    /// The winner's scores must agree.
    pub twosided: bool,
}

/// When a long game is called a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MaxMoves {
    /// In force.
    pub enabled: bool,
    /// Full moves.
    pub move_count: u32,
}

/// Form of an openings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    /// A FEN a line, or EPD with `hmvc` and `fmvn`.
    #[default]
    Epd,
    /// Games.
    Pgn,
    /// No file: random legal moves from the start position.
    Random,
}

/// Order in which openings are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Where games begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Openings {
    /// The file; empty for the start position, or for random moves.
    pub file: String,
    /// Its form.
    pub format: BookFormat,
    /// The order of its openings.
    pub order: Order,
    /// Plies to play of a PGN opening, or of a random one; 0 for all of a PGN game and for the default of a random one.
    pub plies: u32,
    /// First opening, from 1.
    pub start: u64,
}

impl Default for Openings {
    fn default() -> Openings {
        Openings { file: String::new(), format: BookFormat::Epd, order: Order::Sequential, plies: 0, start: 1 }
    }
}

/// The PGN file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PgnSettings {
    /// Its path; empty for none.
    pub file: String,
    /// `Event`.
    pub event_name: String,
    /// `Site`.
    pub site: String,
    /// Notation of moves.
    pub notation: MoveNotation,
    /// Keep what is in the file.
    pub append_file: bool,
    /// Write nodes into comments.
    pub track_nodes: bool,
    /// Write selective depth.
    pub track_seldepth: bool,
    /// Write nodes per second.
    pub track_nps: bool,
    /// Write table use.
    pub track_hashfull: bool,
    /// Write endgame table hits.
    pub track_tbhits: bool,
    /// Write time left.
    pub track_timeleft: bool,
    /// Write latency: time measured here minus time as the engine measured it.
    pub track_latency: bool,
    /// Write the variation.
    pub track_pv: bool,
    /// Lines of engine output that go into comments, as regular expressions.
    pub additional_lines_rgx: Vec<String>,
    /// No tags beyond the seven and the position, no comments.
    pub min: bool,
    /// Print a CRC-32 of the file at the end.
    pub crc: bool,
}

impl Default for PgnSettings {
    fn default() -> PgnSettings {
        PgnSettings {
            file: String::new(),
            event_name: "Sanqi match".to_owned(),
            site: "?".to_owned(),
            notation: MoveNotation::San,
            append_file: true,
            track_nodes: false,
            track_seldepth: false,
            track_nps: false,
            track_hashfull: false,
            track_tbhits: false,
            track_timeleft: false,
            track_latency: false,
            track_pv: false,
            additional_lines_rgx: Vec::new(),
            min: false,
            crc: false,
        }
    }
}

/// The file of final positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EpdSettings {
    /// Its path; empty for none.
    pub file: String,
    /// Keep what is in the file.
    pub append_file: bool,
}

impl Default for EpdSettings {
    fn default() -> EpdSettings {
        EpdSettings { file: String::new(), append_file: true }
    }
}

/// How grave something is that goes into the log file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Every game.
    Trace,
    /// What is printed.
    Info,
    /// Warnings, crashes, time forfeits.
    #[default]
    Warn,
    /// What ends a match.
    Err,
    /// An engine that does not start.
    Fatal,
}

impl LogLevel {
    /// What stands before a line.
    pub fn label(self) -> &'static str {
        match self {
            LogLevel::Trace => "TRACE",
            LogLevel::Info => "INFO",
            LogLevel::Warn => "WARN",
            LogLevel::Err => "ERR",
            LogLevel::Fatal => "FATAL",
        }
    }
}

/// The log file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LogSettings {
    /// Its path; empty for none.
    pub file: String,
    /// The least grave of what is recorded.
    pub level: LogLevel,
    /// Keep what is in the file.
    pub append_file: bool,
    /// Compress it by gzip, in a file of its own with the time in its name.
    pub compress: bool,
    /// Write each line at once.
    pub realtime: bool,
    /// Record what is said to and by engines, whatever the level.
    pub engine_coms: bool,
}

impl Default for LogSettings {
    fn default() -> LogSettings {
        LogSettings {
            file: String::new(),
            level: LogLevel::Warn,
            append_file: true,
            compress: false,
            realtime: true,
            engine_coms: false,
        }
    }
}

/// What an SPRT's bounds are measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalized Elo.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
}

/// A sequential probability ratio test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sprt {
    /// In force.
    pub enabled: bool,
    /// Chance to accept H1 though H0 holds.
    pub alpha: f64,
    /// Chance to accept H0 though H1 holds.
    pub beta: f64,
    /// H0: so much Elo, or less.
    pub elo0: f64,
    /// H1: so much Elo, or more.
    pub elo1: f64,
    /// The unit of both.
    pub model: SprtModel,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { enabled: false, alpha: 0.05, beta: 0.05, elo0: 0.0, elo1: 0.0, model: SprtModel::Normalized }
    }
}

/// Who plays whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TournamentKind {
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first few against all others.
    Gauntlet,
}

/// Whose output lines are imitated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// fastchess.
    #[default]
    Fastchess,
    /// cutechess-cli.
    Cutechess,
}

/// Everything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The game; `None` until it is known from an engine's `UCI_Variant`.
    #[serde(with = "variant_name")]
    pub variant: Option<Board>,
    /// The engines.
    pub engines: Vec<EngineSettings>,
    /// Who plays whom.
    #[serde(rename = "type")]
    pub tournament: TournamentKind,
    /// Engines at the head of a gauntlet.
    pub gauntlet_seeds: usize,
    /// Games per opening and pairing, 1 or 2.
    pub games: u32,
    /// Openings per pairing.
    pub rounds: u32,
    /// Do not change colours within a pair.
    pub noswap: bool,
    /// Begin with the second engine as the first player.
    pub reverse: bool,
    /// Games at a time.
    pub concurrency: usize,
    /// Allow more games at a time than there are processors.
    pub force_concurrency: bool,
    /// Milliseconds between games.
    pub wait: u64,
    /// Go on after a crash.
    pub recover: bool,
    /// Openings.
    pub opening: Openings,
    /// Seed of everything random.
    pub seed: u64,
    /// Draw adjudication.
    pub draw: DrawRule,
    /// Resign adjudication.
    pub resign: ResignRule,
    /// Longest game.
    pub maxmoves: MaxMoves,
    /// The test that ends the match.
    pub sprt: Sprt,
    /// With two boards: they take turns, instead of being played at the same time.
    pub lockstep: bool,
    /// Folder for the replays of matches on two boards; empty for none.
    pub replay_dir: String,
    /// PGN file.
    pub pgn: PgnSettings,
    /// File of final positions.
    pub epd: EpdSettings,
    /// Log file.
    pub log: LogSettings,
    /// Whose lines are printed.
    pub output: OutputFormat,
    /// Statistics by pairs.
    pub report_penta: bool,
    /// Games (pairs, when statistics go by pairs) between reports; 0 for only the last.
    pub ratinginterval: u32,
    /// Games between score lines of the cutechess form; 0 for none.
    pub scoreinterval: u32,
    /// Games between saves of the configuration; 0 for only at the end. The journal of games is written after every game regardless.
    pub autosaveinterval: u32,
    /// Path of the JSON configuration that is written.
    pub config_name: String,
    /// Look at the length and the end of variations with a mate score.
    pub check_mate_pvs: bool,
    /// Kinds of warnings that are not given.
    pub nowarn: Vec<WarningKind>,
    /// Warnings end with exit status 1.
    pub strict: bool,
    /// Warnings in one line each.
    pub test_env: bool,
    /// Print the mean latency of the engines at the end.
    pub show_latency: bool,
    /// Milliseconds for `uciok`.
    pub startup_ms: u64,
    /// Milliseconds for `readyok` after `ucinewgame`.
    pub ucinewgame_ms: u64,
    /// Milliseconds for every other `readyok`, and of silence in a search that has no clock.
    pub ping_ms: u64,
    /// Milliseconds for `bestmove` after `stop`.
    pub stop_ms: u64,
    /// Which run of a match the journal's lines belong to.
    pub run: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            variant: None,
            engines: Vec::new(),
            tournament: TournamentKind::RoundRobin,
            gauntlet_seeds: 1,
            games: 2,
            rounds: 2,
            noswap: false,
            reverse: false,
            concurrency: 1,
            force_concurrency: false,
            wait: 0,
            recover: false,
            opening: Openings::default(),
            seed: 0,
            draw: DrawRule::default(),
            resign: ResignRule::default(),
            maxmoves: MaxMoves::default(),
            sprt: Sprt::default(),
            lockstep: false,
            replay_dir: String::new(),
            pgn: PgnSettings::default(),
            epd: EpdSettings::default(),
            log: LogSettings::default(),
            output: OutputFormat::Fastchess,
            report_penta: true,
            ratinginterval: 10,
            scoreinterval: 1,
            autosaveinterval: 20,
            config_name: "config.json".to_owned(),
            check_mate_pvs: false,
            nowarn: Vec::new(),
            strict: false,
            test_env: false,
            show_latency: false,
            startup_ms: 10_000,
            ucinewgame_ms: 60_000,
            ping_ms: 60_000,
            stop_ms: 10_000,
            run: String::new(),
        }
    }
}

impl Settings {
    /// The engines' time limits.
    pub fn timeouts(&self) -> Timeouts {
        Timeouts {
            startup: Duration::from_millis(self.startup_ms),
            new_game: Duration::from_millis(self.ucinewgame_ms),
            ping: Duration::from_millis(self.ping_ms),
            stop: Duration::from_millis(self.stop_ms),
            ..Timeouts::default()
        }
    }

    /// Statistics go by pairs of games: they do when every opening is played twice and it was not declined.
    pub fn by_pairs(&self) -> bool {
        self.report_penta && self.games == 2
    }
}

/// A variant by its name, the empty string for none yet.
mod variant_name {
    use crate::engine::Board;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(variant: &Option<Board>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(variant.map_or("", Board::name))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Board>, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name.is_empty() { Ok(None) } else { name.parse().map(Some).map_err(D::Error::custom) }
    }
}
