//! A session: the state that commands change, and the thread that executes them in order.
use super::announce::{Style, end_line};
use super::arena::{self, Answer, Arena, Request, panic_text};
use super::bench;
use super::command::{Command, PositionWords};
use super::desk::{Desk, Item, Ticket, Window};
use super::dialect::Dialect;
use super::go::{GoWords, Number};
use super::options::{self, DEFAULT_HASH, OPTIONS, OptionId, Settings, Value};
use super::output::{Output, clip};
use super::reader;
use super::standard;
use super::waiting;
use crate::games::{RankBase, Variant};
use crate::search::score::MAX_PLY;
use crate::search::{Score, Table};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Stack of the thread that executes and searches: lines are deep and move lists live on the stack.
const STACK: usize = 64 << 20;
/// How long `quit` waits for a search to come to its end.
const QUIT_PATIENCE: Duration = Duration::from_millis(900);
/// A draw offered by the opponent is taken when our score is at most this, in centipawns.
const ACCEPTS_DRAW: i32 = 20;
/// With `offers`, a draw is offered when the score is this close to level …
const OFFERS_DRAW: i32 = 10;
/// … after so many plies.
const OFFERS_AFTER: usize = 60;
/// With `concede`, a game is given up at this score …
const HOPELESS: i32 = -1500;
/// … on so many answers in a row.
const HOPELESS_ANSWERS: u32 = 3;

/// Speaks the protocol on standard input and output until `quit` or the end of input. With `fixed`, greetings do not change
/// the dialect.
///
/// # Errors
/// No thread could be made.
pub fn run(fixed: Option<Dialect>) -> io::Result<()> {
    waiting::watch();
    converse(fixed, io::stdin().lock(), Box::new(io::stdout()))
}

/// [`run`] on any input and output. An output that refuses a line ends the process.
///
/// # Errors
/// As [`run`].
pub fn converse(fixed: Option<Dialect>, input: impl BufRead, output: Box<dyn Write + Send>) -> io::Result<()> {
    let desk = Arc::new(Desk::default());
    let out = Arc::new(Output::new(output));
    let session = Session::new(Arc::clone(&desk), Arc::clone(&out));
    let worker = thread::Builder::new().name("session".to_owned()).stack_size(STACK).spawn(move || session.work())?;
    let end = reader::serve(input, fixed, &desk, &out);
    waiting::unwatch();
    desk.close(!end.finish_work);
    if end.finish_work {
        // A session that broke down has said so already.
        let _ = worker.join();
    } else {
        desk.wait_done(QUIT_PATIENCE);
    }
    if end.quit && end.dialect == Dialect::Ucci {
        out.line("bye");
    }
    Ok(())
}

struct Session {
    desk: Arc<Desk>,
    out: Arc<Output>,
    settings: Settings,
    arena: Option<Box<dyn Arena>>,
    /// The last `position` was refused: there is nothing to play.
    refused: bool,
    /// `None` until memory is first needed.
    table: Option<(usize, Arc<Table>)>,
    /// Answers in a row whose score was hopeless.
    hopeless: u32,
}

impl Session {
    fn new(desk: Arc<Desk>, out: Arc<Output>) -> Session {
        Session { desk, out, settings: Settings::default(), arena: None, refused: false, table: None, hopeless: 0 }
    }

    /// Executes what is on the desk until there is no more. Nothing that goes wrong on the way ends it.
    fn work(mut self) {
        while let Some(item) = self.desk.next() {
            let Err(payload) = catch_unwind(AssertUnwindSafe(|| self.execute(&item))) else { continue };
            let text = format!("error internal error: {}", panic_text(&*payload));
            self.out.remark(item.dialect, &text);
            if let Some(ticket) = &item.ticket {
                let base = self.settings.ranks(item.dialect);
                let rescue = catch_unwind(AssertUnwindSafe(|| self.arena().any_move(base))).ok().flatten();
                self.desk.finish(ticket);
                if matches!(&item.command, Command::Go(go) if go.perft.is_none()) {
                    self.bestmove(item.dialect, rescue.filter(|_| !self.refused).as_deref(), "");
                }
            }
        }
        self.desk.set_done();
    }

    /// The game; made when it is first needed, so that greeting takes no time.
    fn arena(&mut self) -> &mut dyn Arena {
        self.arena.get_or_insert_with(|| arena::open(Variant::Xiangqi)).as_mut()
    }

    fn execute(&mut self, item: &Item) {
        let dialect = item.dialect;
        let base = self.settings.ranks(dialect);
        match &item.command {
            Command::Hello(_) => self.greet(dialect),
            Command::IsReady => {
                self.table(dialect);
                self.out.line("readyok");
            }
            Command::Debug(on) => self.settings.debug = *on,
            Command::SetOption { name, value } => self.set_option(name, value.as_deref(), dialect),
            Command::NewGame => self.new_game(dialect),
            Command::Position(words) => self.position(words, dialect),
            Command::BarePosition(words) => {
                // UCI-Cyclone knows one game.
                if self.arena().name() != Variant::Xiangqi.name() {
                    self.open(Variant::Xiangqi.name());
                }
                self.position(words, dialect);
            }
            Command::BanMoves(words) => self.arena().ban(words, base),
            Command::Go(go) => {
                if let Some(ticket) = &item.ticket {
                    self.go(go, dialect, ticket);
                }
            }
            Command::Probe(words) => self.probe(words, dialect),
            Command::Bench(arguments) => {
                if let Some(ticket) = &item.ticket {
                    self.bench(arguments, dialect, ticket);
                }
            }
            Command::Display
            | Command::Eval
            | Command::Legal
            | Command::Result
            | Command::Preview(_)
            | Command::San(_) => {
                self.inspect(&item.command, dialect);
            }
            Command::Unknown(word) if dialect != Dialect::Ucci => {
                self.out.remark(dialect, &format!("unknown command {}", clip(word)));
            }
            Command::TooLong => self.out.remark(dialect, "error line too long, passed over"),
            // `stop`, `ponderhit`, `team` and `quit` are served by the reader.
            Command::Unknown(_)
            | Command::Nothing
            | Command::Team(_)
            | Command::Stop
            | Command::PonderHit { .. }
            | Command::Quit => {}
        }
    }

    fn greet(&self, dialect: Dialect) {
        standard::identity().iter().for_each(|line| self.out.line(line));
        if dialect == Dialect::Ucci {
            OPTIONS.iter().filter_map(|spec| spec.ucci_line()).for_each(|line| self.out.line(&line));
            self.out.line("ucciok");
        } else {
            OPTIONS.iter().filter_map(standard::option_line).for_each(|line| self.out.line(&line));
            self.out.line("uciok");
        }
    }

    fn set_option(&mut self, name: &str, text: Option<&str>, dialect: Dialect) {
        // UCCI has no error reply, and its clients set options without looking at the list.
        let complain = |out: &Output, text: &str| {
            if dialect != Dialect::Ucci {
                out.remark(dialect, text);
            }
        };
        if name.is_empty() {
            return complain(&self.out, "error setoption: no option, expected name NAME [value VALUE]");
        }
        let Some(spec) = options::find(name) else {
            return complain(&self.out, &format!("unknown option {}", clip(name)));
        };
        let (value, note) = match spec.read(text, dialect) {
            Ok(read) => read,
            Err(error) => return complain(&self.out, &format!("error {error}")),
        };
        if let Some(note) = note {
            complain(&self.out, &note);
        }
        match (spec.id, &value) {
            (OptionId::Hash, Value::Number(mebibytes)) => self.set_hash(*mebibytes as usize, dialect),
            (OptionId::ClearHash, _) => self.clear_table(),
            (OptionId::NewGame, _) => self.new_game(dialect),
            (OptionId::DebugLog, Value::Text(path)) => {
                if let Err(error) = self.out.log_to(path) {
                    self.out.remark(dialect, &format!("error option Debug Log File: `{}`: {error}", clip(path)));
                }
            }
            (OptionId::Variant, Value::Word(word)) => {
                if self.open(word) {
                    self.settings.variant_chosen |= dialect != Dialect::Ucci;
                }
            }
            _ => self.settings.set(spec.id, &value),
        }
    }

    /// Changes the game. What the table knows of another game means nothing.
    /// False for an unknown name.
    fn open(&mut self, name: &str) -> bool {
        if self.arena().name() == name {
            let start = PositionWords { fen: None, moves: Vec::new(), over: Vec::new() };
            let reset = self.arena().set_up(&start, RankBase::One);
            debug_assert!(reset.is_ok(), "every game has a start position");
        } else {
            let Some(arena) = arena::open_by_name(name) else { return false };
            self.arena = Some(arena);
            self.clear_table();
        }
        self.refused = false;
        self.hopeless = 0;
        true
    }

    fn set_hash(&mut self, mebibytes: usize, dialect: Dialect) {
        let mebibytes = if mebibytes == 0 { DEFAULT_HASH } else { mebibytes };
        let held = self.table.as_ref().map_or(0, |(size, _)| *size);
        let available = memory_mebibytes().map(|free| free.saturating_add(held));
        match available {
            Some(available) if mebibytes > available => self.out.remark(
                dialect,
                &format!(
                    "error option Hash: {mebibytes} MiB asked for, {available} MiB of memory are free, {} MiB kept",
                    self.settings.hash
                ),
            ),
            _ => self.settings.hash = mebibytes,
        }
    }

    /// The table in the size that is set; memory is taken here, not when the option is set.
    fn table(&mut self, dialect: Dialect) -> Option<Arc<Table>> {
        let wanted = self.settings.hash;
        if let Some((size, table)) = &self.table
            && *size == wanted
        {
            return Some(Arc::clone(table));
        }
        let before = self.table.take().map(|(size, _)| size);
        for size in [Some(wanted), before, Some(1)].into_iter().flatten() {
            match Table::new(size) {
                Ok(table) => {
                    let table = Arc::new(table);
                    self.settings.hash = size;
                    self.table = Some((size, Arc::clone(&table)));
                    return Some(table);
                }
                Err(error) => self.out.remark(dialect, &format!("error option Hash: {error}")),
            }
        }
        None
    }

    fn clear_table(&mut self) {
        if let Some((_, table)) = &mut self.table {
            match Arc::get_mut(table) {
                Some(table) => table.clear(),
                // Somebody is looking into it this moment: a new one is as empty.
                None => self.table = None,
            }
        }
    }

    fn new_game(&mut self, dialect: Dialect) {
        self.clear_table();
        self.table(dialect);
        self.arena().forget();
        self.hopeless = 0;
    }

    fn position(&mut self, words: &Result<PositionWords, String>, dialect: Dialect) {
        let base = self.settings.ranks(dialect);
        let outcome = match words {
            Ok(words) => self.arena().set_up(words, base),
            Err(error) => Err(error.clone()),
        };
        self.refused = outcome.is_err();
        if let Err(error) = outcome {
            self.out.remark(dialect, &format!("error position refused: {}", clip_long(&error)));
        }
    }

    fn go(&mut self, go: &GoWords, dialect: Dialect, ticket: &Arc<Ticket>) {
        let control = &ticket.control;
        if ticket.waits {
            control.restart();
        }
        let style = Style { dialect, base: self.settings.ranks(dialect), wdl: self.settings.show_wdl, board: None };
        // Whatever becomes of it, it can be looked into as long as it is not answered.
        let table = self.table(dialect);
        let variant = self.arena().variant();
        self.desk.begin(table.clone().zip(variant).map(|(table, variant)| Window { variant, base: style.base, table }));
        if let Some(depth) = go.perft {
            let counted = self.perft(depth, go.board.as_deref(), ticket, style);
            self.desk.finish(ticket);
            match counted {
                Ok(total) => self.out.line(&format!("Nodes searched: {total}")),
                Err(error) => self.out.remark(dialect, &format!("error {error}")),
            }
            return;
        }
        if self.refused {
            self.out.line(&end_line(style, Score::Cp(0)));
            let limits = go.limits(crate::board::Color::White, dialect, self.settings.milliseconds);
            control.wait_until_released(limits.infinite);
            self.desk.finish(ticket);
            self.bestmove(dialect, None, "");
            return;
        }
        let Some(table) = table else {
            let rescue = self.arena().any_move(style.base);
            self.desk.finish(ticket);
            self.bestmove(dialect, rescue.as_deref(), "");
            return;
        };
        let settings = self.settings.clone();
        let talk = self.desk.take_talk();
        let out = Arc::clone(&self.out);
        let request = Request { go, style, settings: &settings, table: &table, control, talk: &talk, out: &out };
        let answer = self.arena().search(&request);
        if settings.debug {
            out.remark(dialect, &format!("debug answered after {} ms", control.thought().as_millis()));
        }
        let tail = self.tail(&answer, dialect, go.draw || ticket.draw_offered());
        self.desk.finish(ticket);
        self.bestmove(dialect, answer.best.as_deref(), &tail);
    }

    /// What follows the move: the reply that is expected, and in UCCI what is to be said about the game as a whole.
    fn tail(&mut self, answer: &Answer, dialect: Dialect, draw_offered: bool) -> String {
        let mut tail = String::new();
        if let Some(ponder) = &answer.ponder {
            tail += &format!(" ponder {ponder}");
        }
        if dialect != Dialect::Ucci || answer.best.is_none() {
            return tail;
        }
        let plies = self.arena().plies();
        let (drawish, level, hopeless) = match answer.score {
            Score::Cp(cp) => (cp <= ACCEPTS_DRAW, cp.abs() <= OFFERS_DRAW, cp <= HOPELESS),
            Score::Mate(moves) => (moves <= 0, false, moves <= 0),
        };
        self.hopeless = if hopeless { self.hopeless + 1 } else { 0 };
        if self.settings.concede && self.hopeless >= HOPELESS_ANSWERS {
            tail += " resign";
        } else if (draw_offered && drawish) || (self.settings.offers && level && plies >= OFFERS_AFTER) {
            tail += " draw";
        }
        tail
    }

    fn bestmove(&self, dialect: Dialect, best: Option<&str>, tail: &str) {
        match best {
            Some(best) => self.out.line(&format!("bestmove {best}{tail}")),
            None => self.out.line(dialect.no_move()),
        }
    }

    /// The sum is told by the caller, once the count is off the desk.
    fn perft(
        &mut self,
        depth: Number,
        board: Option<&str>,
        ticket: &Ticket,
        style: Style,
    ) -> Result<u64, &'static str> {
        let Number::Value(depth) = depth else { return Err("go perft: expected a depth of 0 or more plies") };
        if self.refused {
            self.out.remark(style.dialect, NO_POSITION);
            return Ok(0);
        }
        let out = Arc::clone(&self.out);
        self.arena().perft(depth.min(MAX_PLY as u64) as u32, board, &ticket.control, style, &out)
    }

    fn probe(&mut self, words: &Result<PositionWords, String>, dialect: Dialect) {
        let base = self.settings.ranks(dialect);
        let known = match (words, self.arena().variant(), &self.table) {
            (Ok(words), Some(variant), Some((_, table))) => arena::probe(variant, words, base, table),
            _ => String::new(),
        };
        self.out.line(&format!("pophash{known}"));
    }

    fn inspect(&mut self, command: &Command, dialect: Dialect) {
        let base = self.settings.ranks(dialect);
        let notation = self.settings.notation;
        let out = Arc::clone(&self.out);
        if self.refused {
            return out.remark(dialect, NO_POSITION);
        }
        let arena = self.arena();
        let text = match command {
            Command::Display => return arena.display(base).iter().for_each(|line| out.line(line)),
            Command::Eval => return arena.evaluation().iter().for_each(|line| out.line(line)),
            Command::Legal => format!("legal {}", arena.legal(base).join(" ")),
            Command::Result => format!("result {}", arena.result()),
            Command::Preview(word) => match arena.preview(word, base) {
                Ok(text) => format!("preview {text}"),
                Err(error) => format!("error preview: {error}"),
            },
            Command::San(word) => match arena.san(word, base, notation) {
                Ok(text) => format!("san {text}"),
                Err(error) => format!("error san: {error}"),
            },
            _ => return,
        };
        out.remark(dialect, text.trim_end());
    }

    fn bench(&mut self, arguments: &str, dialect: Dialect, ticket: &Arc<Ticket>) {
        self.desk.begin(None);
        let done = bench::Bench::parse(arguments).and_then(|bench| bench.run(&ticket.control));
        self.desk.finish(ticket);
        match done {
            Ok(total) => {
                total.print_times();
                self.out.line(&total.summary());
            }
            Err(error) => self.out.remark(dialect, &format!("error bench: {error}")),
        }
    }
}

/// What is said instead of an answer about a position that was refused.
const NO_POSITION: &str = "error no position: the last one was refused";

/// A whole message with perhaps a long foreign text in it.
fn clip_long(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut out: String = text.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

/// Memory that can still be had, in MiB; `None` when the system does not say.
fn memory_mebibytes() -> Option<usize> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let free = system.available_memory();
    let limited = system.cgroup_limits().map_or(free, |limits| free.min(limits.free_memory));
    (limited > 0).then_some((limited >> 20) as usize)
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
