//! What the search asks of a game beyond its rules and its evaluation.
use super::api::Reporter;
use super::control::Control;
use super::correction::{STRUCTURES, hash_sets};
use super::score::{Score, Value};
use super::strength::Ladder;
use super::team::TeamTerms;
use crate::board::Color;
use crate::eval::Evaluate;
use crate::games::Move;
use crate::games::supply::Supply;
use crate::games::xiangqi::{Rules, Xiangqi, XiangqiPosition};
use crate::games::yangqi::YangqiBoard;
use std::time::Duration;

/// A proved result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solved {
    /// For the side to move.
    pub score: Score,
    /// Best play to the end of the game.
    pub line: Vec<Move>,
    /// Nodes it took.
    pub nodes: u64,
}

/// What a solver may use.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Threads.
    pub threads: usize,
    /// When it has to give up; `None`: when `control` says so.
    pub time: Option<Duration>,
    /// The search it works for.
    pub control: &'a Control,
    /// Where progress is told.
    pub reporter: &'a dyn Reporter,
}

/// A game that can be searched.
pub trait Searchable: Evaluate {
    /// How strong each step of weaker play is.
    const LADDER: &'static Ladder;

    /// Moves that the side to move can make at most until the game ends, where that is known.
    fn moves_left(&self) -> Option<u32> {
        None
    }

    /// Hashes of parts of the position, the upper bits well mixed, by which errors of the evaluation are remembered; `None`: they
    /// are not. Equal parts have equal hashes, whoever is to move.
    #[inline(always)]
    fn structures(&self) -> Option<[u64; STRUCTURES]> {
        None
    }

    /// What another board adds to the value, seen from White.
    fn team_value(&self, terms: &TeamTerms) -> Value {
        let _ = terms;
        0
    }

    /// What a capture brings on another board.
    fn team_gain(&self, mv: Move, terms: &TeamTerms) -> Value {
        let _ = (mv, terms);
        0
    }

    /// The exact result, where the game has a solver and this position is within its reach; `None` when not, or when it had to
    /// give up.
    fn solve(&self, means: &Means<'_>) -> Option<Solved> {
        let _ = means;
        None
    }
}

/// Soldiers, the attackers of each side, guards with their Generals; reserves go with the attackers.
#[inline(always)]
fn xiangqi_structures<R: Rules>(position: &XiangqiPosition<R>) -> Option<[u64; STRUCTURES]> {
    use crate::games::xiangqi::piece::PieceType::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    let both = |kind| position.pieces(Color::White, kind) | position.pieces(Color::Black, kind);
    let attackers = |color| {
        let of = |kind| position.pieces(color, kind);
        let reserves = position.reserves_of(color).iter().fold(0, |sum, &count| sum << 8 | u128::from(count));
        hash_sets([of(Chariot), of(Horse), of(Cannon), reserves])
    };
    let soldiers = hash_sets([position.pieces(Color::White, Soldier), both(Soldier)]);
    let guards = hash_sets([both(Advisor), both(Elephant), both(General)]);
    Some([soldiers, attackers(Color::White), attackers(Color::Black), guards])
}

/// Pawns, the pieces of each side, kings.
#[inline(always)]
fn yangqi_structures<const SWAPS: bool>(position: &YangqiBoard<SWAPS>) -> Option<[u64; STRUCTURES]> {
    use crate::games::yangqi::PieceType::{Bishop, Cannon, King, Knight, Pawn, Rook, Vao};
    let pieces = |color| {
        let of = |kind| position.pieces(kind, color);
        hash_sets([of(Rook), of(Knight), of(Bishop), of(Cannon), of(Vao)])
    };
    let (white, black) = (position.pieces(Pawn, Color::White), position.pieces(Pawn, Color::Black));
    let kings = [position.pieces(King, Color::White), position.pieces(King, Color::Black)];
    Some([hash_sets([white, black]), pieces(Color::White), pieces(Color::Black), hash_sets(kings)])
}

impl Searchable for Xiangqi {
    const LADDER: &'static Ladder =
        &[150, 681, 994, 1211, 1379, 1528, 1638, 1714, 1778, 1827, 1944, 2032, 2196, 2403, 2678];

    fn structures(&self) -> Option<[u64; STRUCTURES]> {
        xiangqi_structures(self)
    }
}
impl Searchable for Supply {
    const LADDER: &'static Ladder =
        &[-40, 460, 762, 949, 1097, 1232, 1377, 1464, 1533, 1645, 1709, 1794, 1950, 2143, 2412, 2690];

    fn structures(&self) -> Option<[u64; STRUCTURES]> {
        xiangqi_structures(self)
    }

    fn team_value(&self, terms: &TeamTerms) -> Value {
        terms.value(self)
    }

    fn team_gain(&self, mv: Move, terms: &TeamTerms) -> Value {
        terms.gain(self, mv)
    }
}
impl<const SWAPS: bool> Searchable for YangqiBoard<SWAPS> {
    const LADDER: &'static Ladder =
        &[400, 591, 845, 1012, 1159, 1317, 1483, 1567, 1671, 1756, 1860, 1976, 2174, 2417, 2734];

    fn structures(&self) -> Option<[u64; STRUCTURES]> {
        yangqi_structures(self)
    }
}
