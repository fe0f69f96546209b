//! A game on the board together with the search that plays it. A session holds one of these, whatever the variant.
use super::announce::{Announcer, Style, end_line, own_report};
use super::command::PositionWords;
use super::dialect::Dialect;
use super::go::{GoWords, Number};
use super::inspect;
use super::options::Settings;
use super::output::{Output, clip};
use super::team_arena::{self, TeamArena};
use crate::games::fangqi::Fangqi;
use crate::games::supply::Supply;
use crate::games::xiangqi::Xiangqi;
use crate::games::yangqi::{Yangqi, YangqiNoSwap};
use crate::games::{GameResult, Move, MoveError, Notation, Outcome, Position, RankBase, Reason, Record, Variant};
use crate::search::searchable::Searchable;
use crate::search::team::Talk;
use crate::search::{Bound, Control, Limits, Report, Reporter, Score, Searcher, Summary, Table};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A `go` and everything it needs.
pub(super) struct Request<'a> {
    /// Its words.
    pub(super) go: &'a GoWords,
    /// Protocol, ranks and what is to be printed.
    pub(super) style: Style,
    /// The options.
    pub(super) settings: &'a Settings,
    /// The hash table.
    pub(super) table: &'a Table,
    /// Stop and ponder state.
    pub(super) control: &'a Control,
    /// What the partner in a team has said since the last search.
    pub(super) talk: &'a [Talk],
    /// Where reports go.
    pub(super) out: &'a Output,
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The move; `None` when there is none to be given.
    pub(super) best: Option<String>,
    /// The reply that is expected.
    pub(super) ponder: Option<String>,
    /// Score for the side to move.
    pub(super) score: Score,
}

impl Answer {
    /// No move.
    pub(super) fn none(score: Score) -> Answer {
        Answer { best: None, ponder: None, score }
    }
}

/// What a session asks of a game. Text in, text out: moves are written in the way of the [`Style`] or rank base given.
pub(super) trait Arena: Send {
    /// Name as in `UCI_Variant`.
    fn name(&self) -> &'static str;
    /// The variant to probe the table for, where that has a meaning.
    fn variant(&self) -> Option<Variant>;
    /// Sets up a position. On an error nothing changes; the text names what is wrong.
    fn set_up(&mut self, words: &PositionWords, base: RankBase) -> Result<(), String>;
    /// Moves that are not to be answered in this position (UCCI); illegal ones are passed over.
    fn ban(&mut self, words: &[String], base: RankBase);
    /// Forgets what the search learned in the last game.
    fn forget(&mut self);
    /// Moves played since the position that was set up.
    fn plies(&self) -> usize;
    /// Searches. Returns when the answer may be given.
    fn search(&mut self, request: &Request<'_>) -> Answer;
    /// Any legal move, for the case that nothing else works.
    fn any_move(&self, base: RankBase) -> Option<String>;
    /// `go perft`, of a game with several boards perhaps of one of them only.
    fn perft(
        &self,
        depth: u32,
        board: Option<&str>,
        control: &Control,
        style: Style,
        out: &Output,
    ) -> Result<u64, &'static str>;
    /// `d`.
    fn display(&self, base: RankBase) -> Vec<String>;
    /// `eval`.
    fn evaluation(&self) -> Vec<String>;
    /// `legal`.
    fn legal(&self, base: RankBase) -> Vec<String>;
    /// `result`.
    fn result(&self) -> String;
    /// `preview`: FQ-8, or why not.
    fn preview(&self, word: &str, base: RankBase) -> Result<String, String>;
    /// `san`.
    fn san(&self, word: &str, base: RankBase, notation: Notation) -> Result<String, String>;
}

/// The arena of the game of a name, at its start position; `None` for an unknown name.
pub(super) fn open_by_name(name: &str) -> Option<Box<dyn Arena>> {
    if name == team_arena::NAME {
        return Some(Box::new(TeamArena::new()));
    }
    name.parse().ok().map(open)
}

/// The arena of a variant, at its start position.
pub(super) fn open(variant: Variant) -> Box<dyn Arena> {
    fn none<P>(_: &P, _: Move, _: RankBase) -> Option<String> {
        None
    }
    match variant {
        Variant::Xiangqi => Box::new(OneBoard::<Xiangqi>::new(none)),
        Variant::Supply => Box::new(OneBoard::<Supply>::new(none)),
        Variant::Yangqi => Box::new(OneBoard::<Yangqi>::new(none)),
        Variant::YangqiNoSwap => Box::new(OneBoard::<YangqiNoSwap>::new(none)),
        Variant::Fangqi => {
            Box::new(OneBoard::<Fangqi>::new(|position, mv, base| Some(position.preview(mv)?.text(base).to_string())))
        }
    }
}

/// The text of a panic.
pub(super) fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    clip(text.unwrap_or("panic"))
}

/// A record of one of the one-board games.
struct OneBoard<P: Searchable> {
    record: Record<P>,
    banned: Vec<Move>,
    searcher: Searcher<P>,
    /// FQ-8, in the game that has it.
    preview: fn(&P, Move, RankBase) -> Option<String>,
}

impl<P: Searchable> OneBoard<P> {
    fn new(preview: fn(&P, Move, RankBase) -> Option<String>) -> OneBoard<P> {
        OneBoard { record: Record::new(P::start()), banned: Vec::new(), searcher: Searcher::new(), preview }
    }

    /// The search itself; should it break down, a legal move is played all the same.
    fn guarded(&mut self, request: &Request<'_>, limits: &Limits, reporter: &dyn Reporter, fallback: Move) -> Summary {
        let options = request.settings.search_options();
        let (searcher, record) = (&mut self.searcher, &self.record);
        let search =
            AssertUnwindSafe(|| searcher.search(record, limits, &options, request.table, request.control, reporter));
        match catch_unwind(search) {
            Ok(summary) => summary,
            Err(payload) => {
                let text = format!("error internal error in the search: {}", panic_text(&*payload));
                request.out.remark(request.style.dialect, &text);
                self.searcher = Searcher::new();
                request.control.wait_until_released(limits.infinite);
                let score = Score::Cp(inspect::static_value(self.record.position()));
                Summary { best: Some(fallback), ponder: None, score, nodes: 0 }
            }
        }
    }
}

impl<P: Searchable> Arena for OneBoard<P> {
    fn name(&self) -> &'static str {
        P::VARIANT.name()
    }

    fn variant(&self) -> Option<Variant> {
        Some(P::VARIANT)
    }

    fn set_up(&mut self, words: &PositionWords, base: RankBase) -> Result<(), String> {
        if let Some([board, _]) = words.over.first() {
            return Err(format!("`over {}` belongs to {}", clip(board), team_arena::NAME));
        }
        let start = match &words.fen {
            None => P::start(),
            Some(fen) => P::from_fen(fen).map_err(|error| error.to_string())?,
        };
        let mut record = Record::new(start);
        for word in &words.moves {
            record.push_text(word, base).map_err(|error| tell(&error))?;
        }
        self.record = record;
        self.banned.clear();
        Ok(())
    }

    fn ban(&mut self, words: &[String], base: RankBase) {
        let position = self.record.position();
        self.banned.extend(words.iter().filter_map(|word| position.parse_move(word, base).ok()));
    }

    fn forget(&mut self) {
        self.searcher.clear();
    }

    fn plies(&self) -> usize {
        self.record.moves().len()
    }

    fn search(&mut self, request: &Request<'_>) -> Answer {
        let Request { style, control, out, .. } = *request;
        let legal = self.record.position().legal_moves();
        let mut limits = request.go.limits(self.record.position().side(), style.dialect, request.settings.milliseconds);
        let Some(&first) = legal.first().filter(|_| !is_over(&self.record.result())) else {
            let score = end_score(&self.record.result(), &self.record);
            out.line(&end_line(style, score));
            control.wait_until_released(limits.infinite);
            return Answer::none(score);
        };
        if style.dialect == Dialect::Ucci && request.go.depth == Some(Number::Value(0)) {
            // UCCI's `depth 0` asks for the static value and no move.
            let score = Score::Cp(inspect::static_value(self.record.position()));
            out.line(&end_line(style, score));
            return Answer::none(score);
        }
        let words = &request.go.search_moves;
        let candidates = choose_among(self.record.position(), &legal, words, &self.banned, style, out);
        let fallback = candidates.first().copied().unwrap_or(first);
        if candidates.len() < legal.len() {
            limits.moves = candidates.clone();
        }
        // The search borrows the whole arena, its reporter only the record.
        let record = self.record.clone();
        let announcer = Announcer::new(&record, style, out);
        let summary = self.guarded(request, &limits, &announcer, fallback);
        answer(&announcer, &record, style, &summary, (&candidates, fallback), control)
    }

    fn any_move(&self, base: RankBase) -> Option<String> {
        let position = self.record.position();
        position.legal_moves().first().map(|&mv| position.move_text(mv, base))
    }

    fn perft(
        &self,
        depth: u32,
        _: Option<&str>,
        control: &Control,
        style: Style,
        out: &Output,
    ) -> Result<u64, &'static str> {
        Ok(inspect::perft(self.record.position(), depth, control, style, out))
    }

    fn display(&self, base: RankBase) -> Vec<String> {
        inspect::display(&self.record, base)
    }

    fn evaluation(&self) -> Vec<String> {
        inspect::evaluation(self.record.position())
    }

    fn legal(&self, base: RankBase) -> Vec<String> {
        let position = self.record.position();
        position.legal_moves().iter().map(|&mv| position.move_text(mv, base)).collect()
    }

    fn result(&self) -> String {
        let GameResult { outcome, reason } = self.record.result();
        format!("{outcome} {reason}")
    }

    fn preview(&self, word: &str, base: RankBase) -> Result<String, String> {
        let position = self.record.position();
        let mv = position.parse_move(word, base).map_err(|error| tell(&error))?;
        match (self.preview)(position, mv, base) {
            Some(text) => Ok(format!("{} {text}", position.move_text(mv, base))),
            None => Err(format!("preview belongs to fangqi, this is {}", self.name())),
        }
    }

    fn san(&self, word: &str, base: RankBase, notation: Notation) -> Result<String, String> {
        let position = self.record.position();
        let mv = position.parse_move(word, base).map_err(|error| tell(&error))?;
        Ok(position.san(mv, notation))
    }
}

/// The answer to a search that came to `summary`: its move if that is among the candidates, else the fallback. Where the last report was
/// about another move, or there was none, one is made.
pub(super) fn answer<P: Position>(
    announcer: &Announcer<'_, P>,
    record: &Record<P>,
    style: Style,
    summary: &Summary,
    (candidates, fallback): (&[Move], Move),
    control: &Control,
) -> Answer {
    let best = summary.best.filter(|mv| candidates.contains(mv)).unwrap_or(fallback);
    let position = record.position();
    let next = position.after(best);
    let ponder = summary.ponder.filter(|&mv| summary.best == Some(best) && next.is_legal(mv));
    let said = announcer.said();
    if said.is_none_or(|said| said.first != Some(best)) {
        let line: Vec<Move> = std::iter::once(best).chain(ponder).collect();
        announcer.report(&own_report(said, summary.score, summary.nodes, control.thought(), &line));
    }
    Answer {
        best: Some(style.move_text(position, best)),
        ponder: ponder.map(|mv| style.move_text(&next, mv)),
        score: summary.score,
    }
}

/// The moves among which a search may choose: those of `words` (all without words), less the banned ones.
pub(super) fn choose_among<P: Position>(
    position: &P,
    legal: &[Move],
    words: &[String],
    banned: &[Move],
    style: Style,
    out: &Output,
) -> Vec<Move> {
    let mut wanted = Vec::new();
    for word in words {
        match position.parse_move(word, style.base) {
            Ok(mv) if !wanted.contains(&mv) => wanted.push(mv),
            Ok(_) => {}
            Err(error) => out.remark(style.dialect, &format!("error searchmoves: {}", tell(&error))),
        }
    }
    if wanted.is_empty() {
        if !words.is_empty() {
            out.remark(style.dialect, "error searchmoves: no legal move in it, all moves are searched");
        }
        wanted = legal.to_vec();
    }
    let allowed: Vec<Move> = wanted.iter().copied().filter(|mv| !banned.contains(mv)).collect();
    if allowed.is_empty() {
        // Every move is banned. Naming none would be taken for giving up, so one of them is played.
        out.remark(style.dialect, "every move is banned, one of them is played");
        return wanted;
    }
    allowed
}

/// A refused move word, short enough for one line.
fn tell(error: &MoveError) -> String {
    match error {
        MoveError::Syntax(word) => MoveError::Syntax(clip(word)).to_string(),
        MoveError::Illegal(word) => MoveError::Illegal(clip(word)).to_string(),
    }
}

/// The game ended by counting stones. Draws by count or repetition and perpetual check do not stop anybody from asking for a move.
fn is_over(result: &GameResult) -> bool {
    matches!(result.reason, Reason::NoStones | Reason::StoneCount)
}

/// The score of a game that is over, for its side to move.
fn end_score<P: Position>(result: &GameResult, record: &Record<P>) -> Score {
    match result.outcome {
        Outcome::Win(side) if side == record.position().side() => Score::Mate(1),
        Outcome::Win(_) => Score::Mate(0),
        Outcome::Draw | Outcome::Ongoing => Score::Cp(0),
    }
}

/// UCCI's `probe`: what the table knows of a position, as the rest of a `pophash` line; empty when nothing, or when the words are no
/// position.
pub(super) fn probe(variant: Variant, words: &PositionWords, base: RankBase, table: &Table) -> String {
    fn of<P: Position>(words: &PositionWords, base: RankBase, table: &Table) -> Option<String> {
        let mut position = words.fen.as_ref().map_or_else(|| Ok(P::start()), |fen| P::from_fen(fen)).ok()?;
        for word in &words.moves {
            let mv = position.parse_move(word, base).ok()?;
            position.make(mv, &mut ());
        }
        let entry = table.probe(position.key(), 0)?;
        let mut text = String::new();
        if position.is_legal(entry.mv) {
            text += &format!(" bestmove {}", position.move_text(entry.mv, base));
        }
        let score = Dialect::Ucci.score(Score::from(entry.value)).replace("score ", "");
        if matches!(entry.bound, Bound::Lower | Bound::Exact) {
            text += &format!(" lowerbound {score} depth {}", entry.depth);
        }
        if matches!(entry.bound, Bound::Upper | Bound::Exact) {
            text += &format!(" upperbound {score} depth {}", entry.depth);
        }
        Some(text)
    }
    match variant {
        Variant::Xiangqi => of::<Xiangqi>(words, base, table),
        Variant::Supply => of::<Supply>(words, base, table),
        Variant::Yangqi => of::<Yangqi>(words, base, table),
        Variant::YangqiNoSwap => of::<YangqiNoSwap>(words, base, table),
        Variant::Fangqi => of::<Fangqi>(words, base, table),
    }
    .unwrap_or_default()
}

/// A reporter that says nothing.
pub(super) struct Silent;

impl Reporter for Silent {
    fn report(&self, _: &Report<'_>) {}
    fn message(&self, _: &str) {}
}
