//! The state behind a conversation, and what each command does to it.
use super::analysis::{self, HeatMap};
use super::clock::Clock;
use super::command::{Command, Reply, fail};
use super::cpu::CpuMeter;
use super::game::Game;
use super::gfx::{LiveGraphics, summary};
use super::options::GtpOptions;
use super::parameters::{Parameters, Purpose};
use super::player::{Allowance, Failure, Interrupt, Player, Request};
use super::table::{self, Action};
use super::vertex::{
    BLACK, Vertex, WHITE, color_name, parse_color, parse_vertex, point_name, point_names, vertex_name,
};
use super::{rules, sgf};
use crate::engine::{Info, Limits};
use crate::whole_file::write_atomically;
use sanqi::board::Color;
use sanqi::games::Position;
use sanqi::games::fangqi::Fangqi;
use sanqi::games::fangqi::geometry::FILES;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Largest SGF file that is read, in bytes.
const MAX_SGF: u64 = 1 << 20;

const BAD_MOVE: &str = "invalid color or coordinate";
const BAD_COLOR: &str = "invalid color";
const ILLEGAL: &str = "illegal move";

/// A conversation with a controller.
#[derive(Debug)]
pub(super) struct Session {
    game: Game,
    clock: Clock,
    parameters: Parameters,
    margin: Duration,
    player: Player,
    graphics: LiveGraphics,
    meter: CpuMeter,
    interrupts: watch::Receiver<u64>,
    /// Games in which the engine has played before this one. Rulers clear the board at every move, and those do not count.
    games: u32,
    /// The engine has played in this game.
    has_played: bool,
    over: bool,
}

impl Session {
    /// A session on an empty board, without an engine yet.
    pub(super) fn new(options: GtpOptions, interrupts: watch::Receiver<u64>, graphics: LiveGraphics) -> Session {
        Session {
            game: Game::new(),
            clock: Clock::default(),
            parameters: Parameters::new(&options),
            margin: Duration::from_millis(options.margin),
            player: Player::new(options.launch()),
            graphics,
            meter: CpuMeter::default(),
            interrupts,
            games: 0,
            has_played: false,
            over: false,
        }
    }

    /// `quit` has been given.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Ends the engine.
    pub(super) async fn close(&mut self) {
        self.player.close().await;
    }

    /// Carries out a command; `index` counts the commands from 1.
    pub(super) async fn execute(&mut self, command: &Command<'_>, index: u64) -> Reply {
        let Some(action) = table::find(command.name) else { return fail("unknown command") };
        let first = command.argument(0);
        match action {
            Action::ProtocolVersion => Ok("2".to_owned()),
            Action::Name => Ok("Sanqi".to_owned()),
            Action::Version => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            Action::Known => Ok(table::find(first).is_some().to_string()),
            Action::List => Ok(table::COMMANDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("\n")),
            Action::Quit => {
                self.over = true;
                Ok(String::new())
            }
            Action::BoardSize => self.board_size(first),
            Action::ClearBoard => {
                self.clear();
                Ok(String::new())
            }
            // Required by the protocol; Fangqi has no komi.
            Action::Komi if first.parse::<f64>().is_ok() => Ok(String::new()),
            Action::Komi => fail("komi not a float"),
            Action::Play => self.play(command),
            Action::Genmove => self.generate(first, index).await,
            Action::RegGenmove => self.propose(first, index).await,
            Action::Undo => self.undo(1),
            Action::UndoSeveral => match first {
                "" => self.undo(1),
                _ => self.undo(first.parse().map_err(|_| "not a number of moves".to_owned())?),
            },
            Action::ShowBoard => Ok(rules::show(&self.game)),
            Action::TimeSettings => self.time_settings(command),
            Action::TimeLeft => self.time_left(command),
            Action::FinalScore => self.game.score().ok_or_else(|| "cannot score".to_owned()),
            Action::FinalStatusList => self.status_list(first),
            Action::LoadSgf => self.load(command.rest),
            Action::PrintSgf => self.print(command.rest),
            Action::CpuTime => Ok(self.cpu_time()),
            Action::AnalyzeCommands => Ok(analysis::COMMANDS.join("\n")),
            // Being listed says all.
            Action::Interrupt => Ok(String::new()),
            Action::ParamSeed => self.parameters.chance(first, command.argument(1)),
            Action::ParamStrength => self.parameters.strength(first, command.argument(1)),
            Action::ParamTime => self.parameters.time(first, command.argument(1)),
            Action::PlaySequence => self.play_sequence(command),
            Action::RulesBoard => Ok(self.game.rows().join("\n")),
            Action::RulesBoardGfx => Ok(rules::board_gfx(&self.game)),
            Action::RulesBoardSize => Ok(FILES.to_string()),
            Action::RulesCapturedCount => Ok(rules::captured_count(&self.game)),
            Action::RulesFinalResult => Ok(self.game.result_text()),
            Action::RulesGameId | Action::Title => Ok("Fangqi".to_owned()),
            Action::RulesLegalMoves => Ok(rules::legal_moves(&self.game)),
            Action::RulesSideToMove => Ok(color_name(self.game.position().side()).to_owned()),
            Action::SetUp => self.set_up(command),
            Action::SetUpPlayer => self.set_up_player(first),
            Action::Captures => Ok(analysis::captures(&self.turn(first)?)),
            Action::Evaluation => self.evaluate(first, index).await,
            Action::Hands => Ok(rules::hands(&self.game)),
            Action::Preview => self.preview(command),
            Action::Variation => self.variation(first, index).await,
        }
    }

    fn clear(&mut self) {
        self.game = Game::new();
        self.begin_game();
    }

    /// What a new game means beside the board.
    fn begin_game(&mut self) {
        self.clock.restart();
        if std::mem::take(&mut self.has_played) {
            self.games = self.games.wrapping_add(1);
            self.player.begin_game();
        }
    }

    fn board_size(&mut self, size: &str) -> Reply {
        match size.parse::<i64>() {
            Err(_) => fail("boardsize not an integer"),
            Ok(size) if usize::try_from(size) == Ok(FILES) => {
                self.clear();
                Ok(String::new())
            }
            Ok(_) => fail("unacceptable size"),
        }
    }

    fn play(&mut self, command: &Command<'_>) -> Reply {
        let (color, vertex) = turn_of(command.argument(0), command.argument(1))?;
        self.game.play(color, vertex).map_err(|_| ILLEGAL.to_owned())?;
        Ok(String::new())
    }

    /// All or nothing.
    fn play_sequence(&mut self, command: &Command<'_>) -> Reply {
        let mut game = self.game.clone();
        for (color, vertex) in turns(command)? {
            game.play(color, vertex).map_err(|_| ILLEGAL.to_owned())?;
        }
        self.game = game;
        Ok(String::new())
    }

    fn undo(&mut self, count: usize) -> Reply {
        if self.game.undo(count) { Ok(String::new()) } else { fail("cannot undo") }
    }

    fn set_up(&mut self, command: &Command<'_>) -> Reply {
        if !self.game.is_fresh() {
            return fail("board not empty");
        }
        let (mut black, mut white) = (0u64, 0u64);
        for (color, vertex) in turns(command)? {
            let Vertex::Point(point) = vertex else { return fail(BAD_MOVE) };
            if (black | white) >> point & 1 == 1 {
                return fail("two stones on one point");
            }
            *(if color == BLACK { &mut black } else { &mut white }) |= 1 << point;
        }
        self.game = Game::set_up(black, white, self.game.start().side()).map_err(|error| error.to_string())?;
        Ok(String::new())
    }

    fn set_up_player(&mut self, color: &str) -> Reply {
        let color = parse_color(color).ok_or(BAD_COLOR)?;
        if !self.game.plies().is_empty() {
            return fail("the game has begun");
        }
        let start = self.game.start();
        let game = Game::set_up(start.stones(BLACK), start.stones(WHITE), color);
        self.game = game.map_err(|error| error.to_string())?;
        Ok(String::new())
    }

    fn time_settings(&mut self, command: &Command<'_>) -> Reply {
        let number = |n| command.argument(n).parse().ok();
        let (Some(main), Some(byo_yomi), Some(stones)) = (number(0), number(1), number(2)) else {
            return fail("not three integers");
        };
        self.clock.set(main, byo_yomi, stones);
        Ok(String::new())
    }

    fn time_left(&mut self, command: &Command<'_>) -> Reply {
        let color = parse_color(command.argument(0)).ok_or(BAD_COLOR)?;
        let number = |n| command.argument(n).parse().ok();
        let (Some(seconds), Some(stones)) = (number(1), number(2)) else {
            return fail("time and stones not two integers");
        };
        self.clock.correct(color, seconds, stones);
        Ok(String::new())
    }

    /// Captured stones have left the board, so those that are on it are alive.
    fn status_list(&self, status: &str) -> Reply {
        let position = self.game.position();
        match status.to_ascii_lowercase().as_str() {
            "alive" => Ok(point_names(position.stones(BLACK) | position.stones(WHITE)).replace(' ', "\n")),
            "dead" | "seki" => Ok(String::new()),
            "" => fail("missing status"),
            _ => fail("invalid status"),
        }
    }

    fn load(&mut self, rest: &str) -> Reply {
        let Some((path, rest)) = file_name(rest) else { return fail("missing filename") };
        let moves = match rest {
            "" => usize::MAX,
            // The position before that move.
            number => number.parse::<usize>().map_err(|_| "not a move number".to_owned())?.saturating_sub(1),
        };
        let cannot = |why: &dyn std::fmt::Display| format!("cannot load file: {why}");
        let facts = std::fs::metadata(path).map_err(|error| cannot(&error))?;
        if !facts.is_file() || facts.len() > MAX_SGF {
            return Err(cannot(&"not a file of up to 1 MiB"));
        }
        let bytes = std::fs::read(path).map_err(|error| cannot(&error))?;
        self.game = sgf::read(&String::from_utf8_lossy(&bytes), moves).map_err(|error| cannot(&error))?;
        self.begin_game();
        Ok(String::new())
    }

    fn print(&self, rest: &str) -> Reply {
        let text = sgf::write(&self.game);
        let Some((path, _)) = file_name(rest) else { return Ok(text) };
        let written = write_atomically(Path::new(path), text.as_bytes());
        written.map_err(|error| format!("cannot write file: {error}"))?;
        Ok(String::new())
    }

    fn cpu_time(&mut self) -> String {
        if let Some(engine) = self.player.process_id() {
            self.meter.note(engine);
        }
        format!("{:.3}", self.meter.total().as_secs_f64())
    }

    /// The position for an optional colour, by default the one whose turn it is.
    fn turn(&self, color: &str) -> Result<Fangqi, String> {
        match (color, parse_color(color)) {
            ("", _) => Ok(*self.game.position()),
            (_, Some(color)) => Ok(self.game.turn_of(color)),
            (_, None) => fail(BAD_COLOR),
        }
    }

    fn preview(&self, command: &Command<'_>) -> Reply {
        let (color, vertex) = turn_of(command.argument(0), command.argument(1))?;
        let Vertex::Point(point) = vertex else { return fail(BAD_MOVE) };
        analysis::preview(&self.game.turn_of(color), point).ok_or_else(|| ILLEGAL.to_owned())
    }

    /// `genmove`.
    async fn generate(&mut self, color: &str, index: u64) -> Reply {
        let color = parse_color(color).ok_or(BAD_COLOR)?;
        if self.game.is_over() {
            // Go programs end a game by passing.
            return self.make(color, Vertex::Pass);
        }
        let position = self.position_to_move(color)?;
        let begin = Instant::now();
        let (limits, time) = self.limits(color);
        let purpose = Purpose::Game(self.games);
        self.has_played = true;
        let graphics = &self.graphics;
        let mut shown = 0;
        let watch = |info: &Info| {
            let depth = info.depth.unwrap_or(0);
            let line = Player::line(&position, &info.pv);
            if info.is_main() && depth > shown && !line.is_empty() {
                shown = depth;
                graphics.show(color, &line, info);
            }
        };
        let request = Request {
            position: &position,
            limits,
            allowance: Allowance { time, margin: self.margin },
            options: self.parameters.engine_options(purpose),
        };
        let found = self.player.search(request, Interrupt::new(self.interrupts.clone(), index), watch).await;
        self.graphics.clear();
        self.clock.spend(color, begin.elapsed());
        self.note_engine();
        match found {
            Ok(point) => self.make(color, Vertex::Point(point)),
            Err(failure) => Err(failure.to_string()),
        }
    }

    fn make(&mut self, color: Color, vertex: Vertex) -> Reply {
        self.game.play(color, vertex).map_err(|_| ILLEGAL.to_owned())?;
        Ok(vertex_name(vertex))
    }

    fn position_to_move(&self, color: Color) -> Result<Fangqi, String> {
        let position = self.game.turn_of(color);
        if position.has_legal() { Ok(position) } else { fail("no stone in hand") }
    }

    /// The limits of a move of `color`, and the time that they give.
    fn limits(&self, color: Color) -> (Limits, Option<Duration>) {
        let Some(turn) = self.clock.turn(color) else { return without_clock(self.parameters.limits()) };
        let milliseconds = |left: Duration| u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1);
        let limits = Limits {
            clocks: Some(turn.left.map(milliseconds)),
            moves_to_go: turn.moves,
            ..self.parameters.limits_beside_a_clock()
        };
        let [black, white] = turn.left;
        // The margin is for engines that are late; a clock has none, so it is taken from what is left.
        let left = (if color == BLACK { black } else { white }).saturating_sub(self.margin);
        let time = limits.move_time.map_or(left, |time| left.min(Duration::from_millis(time)));
        (limits, Some(time))
    }

    /// A search that plays nothing, without a clock.
    async fn look(
        &mut self,
        position: &Fangqi,
        purpose: Purpose,
        index: u64,
        watch: impl FnMut(&Info),
    ) -> Result<u8, Failure> {
        let (limits, time) = without_clock(self.parameters.limits());
        let request = Request {
            position,
            limits,
            allowance: Allowance { time, margin: self.margin },
            options: self.parameters.engine_options(purpose),
        };
        let found = self.player.search(request, Interrupt::new(self.interrupts.clone(), index), watch).await;
        self.note_engine();
        found
    }

    fn note_engine(&mut self) {
        if let Some(engine) = self.player.process_id() {
            self.meter.note(engine);
        }
    }

    /// `reg_genmove`.
    async fn propose(&mut self, color: &str, index: u64) -> Reply {
        let color = parse_color(color).ok_or(BAD_COLOR)?;
        if self.game.is_over() {
            return Ok(vertex_name(Vertex::Pass));
        }
        let position = self.position_to_move(color)?;
        let found = self.look(&position, Purpose::Regression, index, |_| {}).await;
        found.map(point_name).map_err(|failure| failure.to_string())
    }

    /// A heat map of all legal points.
    async fn evaluate(&mut self, color: &str, index: u64) -> Reply {
        let position = self.turn(color)?;
        let lines = position.count_legal();
        if lines == 0 {
            return Ok(format!("TEXT {}", self.game.result_text()));
        }
        let mut map = HeatMap::default();
        let found = self.look(&position, Purpose::Analysis(lines), index, |info| map.add(&position, info)).await;
        found.map_err(|failure| failure.to_string())?;
        Ok(map.gfx())
    }

    /// The principal variation.
    async fn variation(&mut self, color: &str, index: u64) -> Reply {
        let position = self.turn(color)?;
        if !position.has_legal() {
            return Ok(self.game.result_text());
        }
        let mut last = (Vec::new(), String::new());
        let watch = |info: &Info| {
            let line = Player::line(&position, &info.pv);
            if info.is_main() && !line.is_empty() {
                last = (line, summary(info));
            }
        };
        let best =
            self.look(&position, Purpose::Analysis(1), index, watch).await.map_err(|failure| failure.to_string())?;
        let (line, told) = last;
        let line = if line.is_empty() { vec![Vertex::Point(best)] } else { line };
        Ok(format!("{} ({told})", line.into_iter().map(vertex_name).collect::<Vec<_>>().join(" ")))
    }
}

fn without_clock(limits: Limits) -> (Limits, Option<Duration>) {
    let time = limits.move_time.map(Duration::from_millis);
    (limits, time)
}

fn turn_of(color: &str, vertex: &str) -> Result<(Color, Vertex), String> {
    match (parse_color(color), parse_vertex(vertex)) {
        (Some(color), Some(vertex)) => Ok((color, vertex)),
        _ => fail(BAD_MOVE),
    }
}

/// All arguments as pairs of colour and point.
fn turns(command: &Command<'_>) -> Result<Vec<(Color, Vertex)>, String> {
    let mut words = command.arguments();
    let mut turns = Vec::new();
    while let Some(color) = words.next() {
        turns.push(turn_of(color, words.next().unwrap_or_default())?);
    }
    Ok(turns)
}

/// A file name and what follows it; GoGui puts a name with blanks in it between quotation marks.
fn file_name(rest: &str) -> Option<(&str, &str)> {
    let (name, after) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => rest.split_once(' ').unwrap_or((rest, "")),
    };
    (!name.is_empty()).then_some((name, after.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names() {
        assert_eq!(file_name("a.sgf 3"), Some(("a.sgf", "3")));
        assert_eq!(file_name("\"my game.sgf\" 3"), Some(("my game.sgf", "3")));
        assert_eq!(file_name("\"open"), Some(("open", "")));
        assert_eq!((file_name(""), file_name("\"\"")), (None, None));
    }
}
