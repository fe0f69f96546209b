//! The search of one seat of the two-board game, which plays for its team.
//!
//! The board of the seat is searched as one board of Supply Xiangqi is. What joins the boards is put into numbers before the
//! search: for every kind of piece that may cross over, a few small searches of the other board tell how much it would change
//! there. The main search then counts that worth for every such piece that is captured on this board, by either side.
use super::api::{Clock, Limits, Options, Report, Reporter, Summary};
use super::control::Control;
use super::score::{Score, Value};
use super::searcher::Searcher;
use super::table::Table;
use crate::board::Color;
use crate::games::supply::Supply;
use crate::games::supply::team::{BoardId, TeamGame};
use crate::games::xiangqi::piece::{PIECES, PieceType, RESERVE_TYPES, code};
use crate::games::{Move, Position, Record};

/// What crosses between the boards, as the search of one of them counts it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TeamTerms {
    /// By piece code: centipawns that the piece's colour gains on the other board when the piece is captured on this one.
    pub worth: [i32; PIECES],
}

impl TeamTerms {
    /// What pieces are worth whatever stands on the other board.
    fn anywhere() -> TeamTerms {
        let mut terms = TeamTerms::default();
        for color in Color::ALL {
            for &kind in &PieceType::ALL[..RESERVE_TYPES] {
                terms.worth[code(color, kind)] = kind.value() * ANYWHERE / 100;
            }
        }
        terms
    }

    /// A number that differs between terms, for the keys of the table: values of other terms are of no use.
    pub(super) fn salt(&self) -> u64 {
        self.worth.iter().fold(0x7465_616D, |hash: u64, &term| {
            (hash.rotate_left(5) ^ i64::from(term) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        })
    }

    /// What the capture by `mv` is worth on the other board; 0 for a move that captures nothing.
    pub(super) fn gain(&self, position: &Supply, mv: Move) -> Value {
        match position.captured(mv).checked_sub(1).and_then(|kind| PieceType::ALL.get(kind)) {
            Some(&kind) => self.worth[code(!position.side(), kind)],
            None => 0,
        }
    }

    /// What the terms add to the value of a position, seen from White.
    pub(super) fn value(&self, position: &Supply) -> Value {
        let mut value = 0;
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            for &kind in &PieceType::ALL[..RESERVE_TYPES] {
                // What has not been captured here does not help the owner's colour, the other team, over there.
                let count = position.pieces(color, kind).count_ones() + u32::from(position.reserve(color, kind));
                value += sign * self.worth[code(color, kind)] * count as i32;
            }
        }
        value
    }
}

/// A wish of one team-mate to the other, in the words of the protocol: `team need R`, `team avoid C`, `team go`, `team sit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Talk {
    /// Capture one of these for me.
    Need(PieceType),
    /// Do not lose one of these: it would hurt me.
    Avoid(PieceType),
    /// Play quickly.
    Go,
    /// Take your time.
    Sit,
}

impl std::fmt::Display for Talk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Talk::Need(kind) => write!(f, "team need {}", kind.letter()),
            Talk::Avoid(kind) => write!(f, "team avoid {}", kind.letter()),
            Talk::Go => f.write_str("team go"),
            Talk::Sit => f.write_str("team sit"),
        }
    }
}

impl Talk {
    /// Reads the words after `team`.
    pub fn parse(text: &str) -> Option<Talk> {
        let mut words = text.split_whitespace();
        let piece = |word: Option<&str>| {
            let kind = word.filter(|w| w.len() == 1)?.chars().next().and_then(PieceType::from_letter)?;
            (kind != PieceType::General).then_some(kind)
        };
        let talk = match words.next()?.to_ascii_lowercase().as_str() {
            "need" => Talk::Need(piece(words.next())?),
            "avoid" => Talk::Avoid(piece(words.next())?),
            "go" => Talk::Go,
            "sit" => Talk::Sit,
            _ => return None,
        };
        words.next().is_none().then_some(talk)
    }
}

/// What a seat knows beyond its own board's limits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Around {
    /// Clocks of the other board, by colour.
    pub other: [Option<Clock>; 2],
    /// What the partner has asked for and not taken back.
    pub asked: Vec<Talk>,
    /// Leave the other board out of account: for measuring what taking it into account is worth.
    pub alone: bool,
}

/// Largest worth of a piece to the other board, in centipawns.
const MAX_WORTH: i32 = 1400;
/// What a wish of the partner adds to the worth of a piece.
const WISH: i32 = 200;
/// A piece is asked for when it changes a board by so much more than it is worth anywhere.
const NEED: i32 = 300;
/// Percent of a piece's value that it is worth on the other board as well, whatever stands there. It does not change from move to
/// move: values of other worths are of no use to the search, and a table lost with every capture costs more than fine prices bring.
const ANYWHERE: i32 = 30;
/// Centipawns beyond its value by which a piece must change the other board to be worth more than that: it mates there, or saves.
const DECISIVE: i32 = 1000;
/// What a decisive piece is worth beyond.
const DECIDES: i32 = 600;
/// Fewest nodes that a probe is worth making for.
const FEWEST: u64 = 40;
/// One probe gets this share of the nodes of a move; there are some thirty.
const SHARE: u64 = 500;
/// Nodes that a thread is taken to search in a millisecond.
const PER_MILLISECOND: u64 = 600;

/// Searches one seat: the side to move on `board`.
#[derive(Debug, Default)]
pub struct TeamSearcher {
    main: Searcher<Supply>,
    probe: Searcher<Supply>,
    /// The probes' own table: so many searches would make all entries of the main one look old.
    probe_table: Option<Table>,
}

/// Takes no news.
struct Silent;

impl Reporter for Silent {
    fn report(&self, _: &Report<'_>) {}
    fn message(&self, _: &str) {}
}

/// Takes from every score what pieces that stand here are worth to the other board beyond the ordinary: until one is captured that is no
/// advantage of anybody's.
struct Level<'a> {
    to: &'a dyn Reporter,
    /// In centipawns for the side to move.
    lean: i32,
}

impl Level<'_> {
    fn level(&self, score: Score) -> Score {
        match score {
            Score::Cp(value) => Score::Cp(value - self.lean),
            mate => mate,
        }
    }
}

impl Reporter for Level<'_> {
    fn report(&self, report: &Report<'_>) {
        self.to.report(&Report { score: self.level(report.score), ..*report });
    }
    fn message(&self, text: &str) {
        self.to.message(text);
    }
    fn pulse(&self, thought: std::time::Duration) -> bool {
        self.to.pulse(thought)
    }
}

impl TeamSearcher {
    /// Forgets the last match.
    pub fn clear(&mut self) {
        self.main.clear();
        self.probe.clear();
        self.probe_table = None;
    }

    /// Searches for the side to move on `board`, as [`Searcher::search`] does; talk to the partner goes out as messages. On a board
    /// that has ended there is no move.
    #[allow(clippy::too_many_arguments)]
    pub fn search(
        &mut self,
        game: &TeamGame,
        board: BoardId,
        around: &Around,
        limits: &Limits,
        options: &Options,
        table: &Table,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Summary {
        if game.has_ended(board) {
            return finished(game, board, limits, control, reporter);
        }
        let mut limits = limits.clone();
        let mut options = options.clone();
        let position = game.position(board);
        let side = position.side();
        let each = probe_nodes(&limits);
        let (mut spent, mut lean) = (0, 0);
        if self.probe_table.is_none() {
            self.probe_table = Table::new(1).ok();
        }
        let probe_table = self.probe_table.as_ref().unwrap_or(table);
        if !around.alone {
            let mut probes = Probes { searcher: &mut self.probe, table: probe_table, control, nodes: each, spent: 0 };
            let terms = terms(&mut probes, game, board, &around.asked);
            if !game.has_ended(board.other()) {
                let white = terms.value(position) - TeamTerms::anywhere().value(position);
                lean = if side == Color::White { white } else { -white };
            }
            options.team = Some(terms);
            options.pace = pace(&limits, side, around);
            spent = probes.spent;
        }
        if let Some(nodes) = &mut limits.nodes {
            *nodes = nodes.saturating_sub(spent).max(1);
        }
        let record = game.record(board);
        let talk = if around.alone || each == 0 || game.has_ended(board.other()) || control.pondering() {
            Vec::new()
        } else {
            let mut probes = Probes { searcher: &mut self.probe, table: probe_table, control, nodes: each, spent: 0 };
            let talk = wishes(&mut probes, position);
            if let Some(nodes) = &mut limits.nodes {
                *nodes = nodes.saturating_sub(probes.spent).max(1);
            }
            talk
        };
        talk.iter().for_each(|wish| reporter.message(&wish.to_string()));
        let level = Level { to: reporter, lean };
        let mut summary = self.main.search(&record, &limits, &options, table, control, &level);
        summary.score = level.level(summary.score);
        if let Score::Mate(moves) = summary.score
            && !around.alone
            && moves > 0
            && !game.has_ended(board.other())
        {
            // The board is won: the partner need not hurry into anything.
            reporter.message(&Talk::Sit.to_string());
        }
        summary.nodes += spent;
        summary
    }
}

/// The answer on a board that has ended.
fn finished(game: &TeamGame, board: BoardId, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> Summary {
    use crate::games::Outcome;
    let side = game.position(board).side();
    let score = match game.result(board).outcome {
        Outcome::Win(color) if color == side => Score::Mate(1),
        Outcome::Win(_) => Score::Mate(0),
        Outcome::Draw | Outcome::Ongoing => Score::Cp(0),
    };
    reporter.report(&Report::finished(score, control.elapsed()));
    reporter.pulse(std::time::Duration::MAX);
    control.wait_until_released(limits.infinite && !limits.at_once);
    Summary { best: None, ponder: None, score, nodes: 0 }
}

/// Small searches of a board.
struct Probes<'a> {
    searcher: &'a mut Searcher<Supply>,
    table: &'a Table,
    control: &'a Control,
    nodes: u64,
    spent: u64,
}

impl Probes<'_> {
    /// The value of a position for `color`, in centipawns.
    fn value(&mut self, position: &Supply, color: Color) -> i32 {
        if self.control.stopped() {
            return 0;
        }
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let record = Record::new(position.clone());
        let control = Control::new(false);
        let summary = self.searcher.search(&record, &limits, &Options::default(), self.table, &control, &Silent);
        self.spent += summary.nodes;
        let value = match summary.score {
            Score::Cp(value) => value.clamp(-2500, 2500),
            Score::Mate(moves) if moves > 0 => 3000 - 20 * moves.min(20),
            Score::Mate(moves) => -3000 - 20 * moves.max(-20),
        };
        if position.side() == color { value } else { -value }
    }

    /// How much better `color` stands with one more of `kind` in reserve; `before` is its value without.
    fn gain(&mut self, position: &Supply, color: Color, kind: PieceType, before: i32) -> i32 {
        let mut richer = position.clone();
        if richer.receive(code(color, kind), &mut ()).is_err() {
            return 0;
        }
        self.value(&richer, color) - before
    }
}

/// Nodes of one probe, so that all of them together take a few percent of the move; 0 when that is too little to learn anything.
fn probe_nodes(limits: &Limits) -> u64 {
    if limits.at_once {
        return 0;
    }
    let mut nodes = 2000 * SHARE;
    if let Some(clock) = limits.clock {
        let budget = clock.time / u64::from(limits.moves_to_go.unwrap_or(24).max(1)) + clock.increment;
        nodes = nodes.min(budget * PER_MILLISECOND);
    }
    if let Some(movetime) = limits.movetime {
        nodes = nodes.min(movetime * PER_MILLISECOND);
    }
    if let Some(all) = limits.nodes {
        nodes = nodes.min(all);
    }
    if let Some(depth) = limits.depth {
        nodes = nodes.min(50 * SHARE * u64::from(depth));
    }
    let each = nodes / SHARE;
    if each < FEWEST { 0 } else { each }
}

/// The terms by which the search of `board` counts the other one.
fn terms(probes: &mut Probes<'_>, game: &TeamGame, board: BoardId, asked: &[Talk]) -> TeamTerms {
    if game.has_ended(board.other()) {
        return TeamTerms::default();
    }
    let mut terms = TeamTerms::anywhere();
    let (here, there) = (game.position(board), game.position(board.other()));
    let us = here.side();
    for color in Color::ALL {
        let before = if probes.nodes > 0 { probes.value(there, color) } else { 0 };
        for &kind in &PieceType::ALL[..RESERVE_TYPES] {
            let mut worth = terms.worth[code(color, kind)];
            let is_here = here.pieces(color, kind) != 0;
            if is_here && probes.nodes > 0 && probes.gain(there, color, kind, before) - kind.value() >= DECISIVE {
                worth += DECIDES;
            }
            let wish = if color == us { Talk::Avoid(kind) } else { Talk::Need(kind) };
            if asked.contains(&wish) {
                worth += WISH;
            }
            terms.worth[code(color, kind)] = worth.min(MAX_WORTH);
        }
    }
    terms
}

/// Percent of the usual time for this move.
fn pace(limits: &Limits, side: Color, around: &Around) -> u32 {
    let mut pace = 100.0;
    if let Some(own) = limits.clock {
        let others = [limits.opponent, around.other[side.index()]];
        let (count, sum) = others.iter().flatten().fold((0, 0.0), |(n, sum), clock| (n + 1, sum + clock.time as f64));
        if count > 0 {
            // Behind on time the team must hurry; ahead it may think.
            let ratio = (own.time as f64 + 1.0) / (sum / f64::from(count) + 1.0);
            pace *= ratio.sqrt().clamp(0.75, 1.25);
        }
    }
    match around.asked.iter().rev().find(|talk| matches!(talk, Talk::Go | Talk::Sit)) {
        Some(Talk::Go) => pace *= 0.5,
        Some(_) => pace *= 1.6,
        None => {}
    }
    pace as u32
}

/// What to ask the partner for, by what would change this board most.
fn wishes(probes: &mut Probes<'_>, position: &Supply) -> Vec<Talk> {
    let us = position.side();
    let mut talk = Vec::new();
    for color in [us, !us] {
        let before = probes.value(position, color);
        let best = PieceType::ALL[..RESERVE_TYPES]
            .iter()
            .map(|&kind| (probes.gain(position, color, kind, before) - kind.value(), kind))
            .max_by_key(|&(gain, _)| gain);
        if let Some((gain, kind)) = best
            && gain >= NEED
        {
            talk.push(if color == us { Talk::Need(kind) } else { Talk::Avoid(kind) });
            if color == us && before < -NEED {
                // Losing, and a piece would save the board: it must come soon.
                talk.push(Talk::Go);
            }
        }
    }
    talk
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::RankBase;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);
    impl Reporter for Heard {
        fn report(&self, _: &Report<'_>) {}
        fn message(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    struct Last(Mutex<Option<Score>>);
    impl Reporter for Last {
        fn report(&self, report: &Report<'_>) {
            *self.0.lock().unwrap() = Some(report.score);
        }
        fn message(&self, _: &str) {}
    }

    fn choose(fen: &str, board: BoardId, around: &Around) -> (String, Vec<String>) {
        let game = TeamGame::from_fen(fen).unwrap();
        let (table, heard) = (Table::new(4).unwrap(), Heard::default());
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        let control = Control::new(false);
        let summary = TeamSearcher::default().search(
            &game,
            board,
            around,
            &limits,
            &Options::default(),
            &table,
            &control,
            &heard,
        );
        let text = game.position(board).move_text(summary.best.unwrap(), RankBase::One);
        (text, heard.0.into_inner().unwrap())
    }

    #[test]
    fn talk_is_read_as_it_is_written() {
        for talk in [Talk::Need(PieceType::Chariot), Talk::Avoid(PieceType::Soldier), Talk::Go, Talk::Sit] {
            assert_eq!(Talk::parse(talk.to_string().strip_prefix("team ").unwrap()), Some(talk));
        }
        for text in ["", "need", "need K", "need RR", "avoid x", "go now", "come"] {
            assert_eq!(Talk::parse(text), None, "{text}");
        }
    }

    /// A wish of the partner tips the balance between two captures of like value.
    #[test]
    fn the_partner_is_heeded() {
        // No check is to be had first. Red's chariot on e5 may take an undefended horse on a5 or an undefended cannon on i5.
        let here = "3k5/4a4/3a5/9/9/n3R3c/9/9/9/5K3[] w - - 0 1";
        let there = "3ak4/4a4/9/9/9/9/9/9/4A4/3AK4[] w - - 0 1";
        let fen = format!("{here} | {there}");
        let asked = |talk| Around { asked: vec![talk], ..Around::default() };
        assert_eq!(choose(&fen, BoardId::One, &asked(Talk::Need(PieceType::Horse))).0, "e5a5");
        assert_eq!(choose(&fen, BoardId::One, &asked(Talk::Need(PieceType::Cannon))).0, "e5i5");
    }

    /// What is asked for is nobody's advantage as long as it is not captured.
    #[test]
    fn wishes_leave_a_level_board_level() {
        let game = TeamGame::new();
        let kinds = [PieceType::Soldier, PieceType::Cannon, PieceType::Horse];
        for asked in [Vec::new(), kinds.map(Talk::Need).to_vec(), kinds.map(Talk::Avoid).to_vec()] {
            let (table, control, around) =
                (Table::new(1).unwrap(), Control::new(false), Around { asked, ..Around::default() });
            let (limits, options) = (Limits { depth: Some(4), ..Limits::default() }, Options::default());
            let mut searcher = TeamSearcher::default();
            let told = Last(Mutex::new(None));
            let summary = searcher.search(&game, BoardId::One, &around, &limits, &options, &table, &control, &told);
            let Score::Cp(value) = summary.score else { panic!("{:?}", summary.score) };
            assert!(value.abs() < 150, "{value} {:?}", around.asked);
            assert_eq!(*told.0.lock().unwrap(), Some(summary.score));
        }
    }

    /// A board that has ended gives no move and says so.
    #[test]
    fn an_ended_board_has_no_move() {
        let mut game = TeamGame::new();
        game.end(BoardId::Two, crate::games::Outcome::Draw).unwrap();
        let (table, control) = (Table::new(1).unwrap(), Control::new(false));
        let summary = TeamSearcher::default().search(
            &game,
            BoardId::Two,
            &Around::default(),
            &Limits::default(),
            &Options::default(),
            &table,
            &control,
            &Silent,
        );
        assert_eq!((summary.best, summary.score), (None, Score::Cp(0)));
    }
}
