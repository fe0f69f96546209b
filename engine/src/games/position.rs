//! What the search, the protocol and the referee need of a game.
use super::error::{FenError, MoveError};
use super::moves::{Count, Generate, Move, MoveList, MoveSink};
use super::result::{GameResult, Outcome, Reason};
use super::text::{Notation, RankBase};
use super::variant::Variant;
use crate::board::Color;

/// Told what a move does to the board while it is made, so that an evaluation can keep sums without the board knowing it.
/// `piece` is the game's own piece code below `Position::PIECES`, colour included; `square` its square index.
pub trait Observer {
    /// A piece appears on a square.
    fn add(&mut self, piece: usize, square: u8);
    /// A piece leaves a square.
    fn remove(&mut self, piece: usize, square: u8);
    /// A reserve (or the stones in hand) of `piece` grows or shrinks to `count`, from `before`.
    fn reserve(&mut self, piece: usize, before: u8, count: u8) {
        let _ = (piece, before, count);
    }
}

/// Sees nothing and costs nothing: perft, the protocol, referees.
impl Observer for () {
    #[inline(always)]
    fn add(&mut self, _: usize, _: u8) {}
    #[inline(always)]
    fn remove(&mut self, _: usize, _: u8) {}
}

/// What a recurring position means in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// Positions cannot recur (fangqi).
    Never,
    /// Recurrence ends nothing (SX-7); a search may still score it as a draw.
    Ignored,
    /// The third occurrence draws (YQ-8).
    Draw,
    /// The third occurrence draws, unless one side alone gave check with every move since the first (XQ-2).
    PerpetualCheckLoses,
}

/// A position that satisfies its game's set-up rules, and the rules to play on from it.
///
/// Copied to make a move in the search (all positions are a few hundred bytes), made in place elsewhere.
pub trait Position: Clone + Send + Sync + std::fmt::Debug + 'static {
    /// The game.
    const VARIANT: Variant;
    /// Piece codes (colour and type together) are below this.
    const PIECES: usize;
    /// [`Position::history_index`] is below this.
    const HISTORY: usize;
    /// [`Position::piece_to`] is below this.
    const PIECE_TO: usize;
    /// [`Position::captured`] is below this.
    const CAPTURED: usize;
    /// Whether passing is a sensible lower bound for a move: not where every move counts down.
    const NULL_MOVE: bool;
    /// The repetition rule.
    const REPETITION: Repetition;

    /// The start position.
    fn start() -> Self;

    /// Reads a FEN, in every form that `protocol-docs/uci.md` promises.
    ///
    /// # Errors
    /// Names the field or the set-up rule that is broken.
    fn from_fen(fen: &str) -> Result<Self, FenError>;

    /// Writes the FEN.
    fn fen(&self) -> String;

    /// Side to move.
    fn side(&self) -> Color;

    /// Zobrist key of everything that makes two positions the same for the repetition rule (not the counters).
    fn key(&self) -> u64;

    /// The key after `mv`, or another word where knowing it would cost as much as making the move: good enough to fetch from memory
    /// what is known of the next position.
    #[inline(always)]
    fn key_after(&self, mv: Move) -> u64 {
        let _ = mv;
        self.key()
    }

    /// [`Position::key`] from scratch, and every other incrementally kept value compared with its recomputation.
    ///
    /// # Errors
    /// Names the first value that disagrees.
    fn verify(&self) -> Result<(), String>;

    /// Turns since the last capture, drop or pawn move, as the game counts them; the FEN's half-move counter.
    fn halfmove(&self) -> u32;

    /// The side to move is in check. Always false in fangqi.
    fn in_check(&self) -> bool;

    /// Squares of the pieces that give check, as text for `d`.
    fn checkers(&self) -> Vec<u8>;

    /// Pushes legal moves.
    fn generate<S: MoveSink>(&self, which: Generate, sink: &mut S);

    /// Any word is allowed; true only for the legal moves of this position.
    fn is_legal(&self, mv: Move) -> bool;

    /// Makes a legal move in place. An illegal one gives an unspecified position, never a panic in release builds.
    fn make<O: Observer>(&mut self, mv: Move, observer: &mut O);

    /// Passes the turn: search only, and only where [`Position::NULL_MOVE`] holds and the side to move is not in check.
    fn make_null(&mut self);

    /// The side to move has enough left that a pass is no zugzwang trick.
    fn null_move_is_sound(&self) -> bool;

    /// Who has won when there is no legal move.
    fn no_moves(&self) -> GameResult;

    /// A draw by counter or by bare kings, which holds if the side to move has a legal move.
    fn rule_draw(&self) -> Option<Reason>;

    /// A move that [`Generate::Noisy`] gives.
    fn is_noisy(&self, mv: Move) -> bool;

    /// What is captured: 0 for nothing, else 1 + piece type (in fangqi the number of stones, capped).
    fn captured(&self, mv: Move) -> usize;

    /// Static exchange evaluation: true when the exchange begun by `mv` is worth at least `threshold` centipawns.
    fn see(&self, mv: Move, threshold: i32) -> bool;

    /// Rough value of what a noisy move gains at once, in centipawns.
    fn gain(&self, mv: Move) -> i32;

    /// Index of the move for the butterfly history: origin (or dropped piece) and target, without colour.
    fn history_index(&self, mv: Move) -> usize;

    /// Index of moving piece (with colour) and target, for continuation histories.
    fn piece_to(&self, mv: Move) -> usize;

    /// A bonus or malus in history units (about ±8192) for a quiet move by what the game knows without searching.
    fn order_hint(&self, mv: Move) -> i32 {
        let _ = mv;
        0
    }

    /// Move text as UCI writes it.
    fn move_text(&self, mv: Move, base: RankBase) -> String;

    /// Reads move text; only legal moves pass.
    ///
    /// # Errors
    /// Not a move, or not a legal one.
    fn parse_move(&self, text: &str, base: RankBase) -> Result<Move, MoveError>;

    /// The move in the game's own notation.
    fn san(&self, mv: Move, notation: Notation) -> String;

    /// Letter of a piece code as in FENs, upper case for White.
    fn piece_letter(piece: usize) -> char;

    /// Files and ranks of the board.
    fn dimensions() -> (usize, usize);

    /// The piece code on a square (`rank * files + file`), if any.
    fn piece_at(&self, square: u8) -> Option<usize>;

    /// Reserves or stones in hand as in FEN holdings, upper case first; empty when there are none.
    fn reserves(&self) -> String;

    /// Legal moves.
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Generate::All, &mut list);
        list
    }

    /// Number of legal moves.
    fn count_legal(&self) -> usize {
        let mut count = Count::default();
        self.generate(Generate::All, &mut count);
        count.0
    }

    /// True when there is a legal move.
    fn has_legal(&self) -> bool {
        self.count_legal() > 0
    }

    /// The position after a legal move.
    fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make(mv, &mut ());
        next
    }

    /// Result by this position alone, without repetition.
    fn result(&self) -> GameResult {
        match self.rule_draw() {
            _ if !self.has_legal() => self.no_moves(),
            Some(reason) => GameResult { outcome: Outcome::Draw, reason },
            None => GameResult::ONGOING,
        }
    }
}

/// Number of leaves of the tree of legal moves `depth` plies deep; 1 for depth 0.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => position.legal_moves().iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}
