//! Xinjiang Fangqi: stones are placed on 7×7 points; completing a 2×2 square captures around it (rules FQ-1 … FQ-9).
pub mod geometry;
mod ordering;
mod preview;
mod setup;
#[cfg(test)]
mod tests;

use super::moves::{Generate, MoveSink};
use super::position::{Observer, Position, Repetition};
use super::text::{illegal, read_square, syntax};
use super::{FenError, GameResult, Move, MoveError, Notation, Outcome, RankBase, Reason, Variant};
use crate::board::{Color, zobrist};
use geometry::{
    FILES, FULL, POINTS, SQUARES_OF, by_count, complete, neighbours, point_name, points_of, squares_beside,
    squares_touching,
};
pub use preview::{Preview, PreviewText};

/// FQ-1: stones each player has in hand at the start, and the most a set-up position may give (FQ-9).
pub const HAND: u8 = 20;
/// What a stone is worth to the search, in centipawns.
const STONE: i32 = 100;
/// Origin field of every move: a placement comes from the hand.
const PLACE: u8 = 64;
/// More captured stones than this count as this in [`Position::captured`].
const CAPTURED_CAP: usize = 8;

const STONE_KEYS: [u64; 2 * POINTS] = zobrist::keys(0xFA26_0001);
const HAND_KEYS: [u64; 2 * (HAND as usize + 1)] = zobrist::keys(0xFA26_0002);
const SIDE_KEY: [u64; 1] = zobrist::keys(0xFA26_0003);

/// A position of Xinjiang Fangqi. Piece codes: 0 a white stone, 1 a black stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fangqi {
    /// Stones on the board by colour.
    stones: [u64; 2],
    key: u64,
    fullmove: u32,
    /// Stones in hand by colour.
    hand: [u8; 2],
    side: Color,
}

#[inline(always)]
fn hand_key(color: usize, count: u8) -> u64 {
    HAND_KEYS[color * (HAND as usize + 1) + count as usize]
}

impl Fangqi {
    /// A position from its parts: disjoint stones within the board, hands of at most [`HAND`].
    fn new(stones: [u64; 2], hand: [u8; 2], side: Color, fullmove: u32) -> Fangqi {
        let mut position = Fangqi { stones, key: 0, fullmove, hand, side };
        position.key = position.key_from_scratch();
        position
    }

    /// Stones of a colour on the board.
    #[inline(always)]
    pub fn stones(&self, color: Color) -> u64 {
        self.stones[color.index()]
    }

    /// Stones of a colour in hand.
    #[inline(always)]
    pub fn hand(&self, color: Color) -> u8 {
        self.hand[color.index()]
    }

    /// Empty points.
    #[inline(always)]
    pub fn empty(&self) -> u64 {
        FULL & !(self.stones[0] | self.stones[1])
    }

    /// The move that places a stone of the side to move on `point` (0–48).
    #[inline(always)]
    pub const fn placement_on(point: u8) -> Move {
        Move::new(PLACE, point)
    }

    /// Points where the side to move may place: none when the game is over (FQ-6, FQ-7).
    #[inline(always)]
    fn targets(&self) -> u64 {
        let (us, them) = (self.side.index(), (!self.side).index());
        // FQ-7: nothing in hand. FQ-6: the opponent has nothing left at all.
        if self.hand[us] == 0 || self.stones[them] | u64::from(self.hand[them]) == 0 { 0 } else { self.empty() }
    }

    /// Points where a placement of the side to move captures.
    #[inline(always)]
    fn capturing_targets(&self) -> u64 {
        let (own, enemy) = (self.stones[self.side.index()], self.stones[(!self.side).index()]);
        let threats = by_count(own)[2] & !squares_touching(enemy) & squares_beside(enemy);
        points_of(threats) & self.targets()
    }

    /// FQ-3, FQ-4: what a stone of the side to move on an empty point does. Only squares which hold the new stone count, so one that
    /// stood before never captures again.
    #[inline(always)]
    fn effect(&self, point: u8) -> Preview {
        let (own, enemy) = (self.stones[self.side.index()], self.stones[(!self.side).index()]);
        let squares = complete(own | 1 << point) & SQUARES_OF[point as usize];
        if squares == 0 {
            return Preview { squares, capturing: 0, captures: 0 };
        }
        Preview { squares, capturing: squares & squares_beside(enemy), captures: neighbours(squares) & enemy }
    }

    /// Number of stones that a placement captures.
    #[inline(always)]
    fn capture_count(&self, mv: Move) -> i32 {
        self.effect(mv.to()).captures.count_ones() as i32
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.side == Color::Black { SIDE_KEY[0] } else { 0 };
        for color in 0..2 {
            key ^= hand_key(color, self.hand[color]);
            (0..POINTS)
                .filter(|p| self.stones[color] >> p & 1 == 1)
                .for_each(|p| key ^= STONE_KEYS[color * POINTS + p]);
        }
        key
    }
}

impl Position for Fangqi {
    const VARIANT: Variant = Variant::Fangqi;
    const PIECES: usize = 2;
    const HISTORY: usize = POINTS;
    const PIECE_TO: usize = 2 * POINTS;
    const CAPTURED: usize = CAPTURED_CAP + 1;
    /// Every placement counts down, and having to place can hurt.
    const NULL_MOVE: bool = false;
    /// The stones in hand only ever decrease.
    const REPETITION: Repetition = Repetition::Never;

    fn start() -> Fangqi {
        Fangqi::new([0; 2], [HAND; 2], Color::White, 1)
    }

    fn from_fen(fen: &str) -> Result<Fangqi, FenError> {
        setup::parse(fen)
    }

    fn fen(&self) -> String {
        setup::write(self)
    }

    #[inline(always)]
    fn side(&self) -> Color {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    /// Of placements that capture nothing.
    #[inline(always)]
    fn key_after(&self, mv: Move) -> u64 {
        let (us, point) = (self.side.index(), mv.to() as usize % POINTS);
        let before = self.hand[us];
        let hand = hand_key(us, before) ^ hand_key(us, before.saturating_sub(1));
        self.key ^ STONE_KEYS[us * POINTS + point] ^ hand ^ SIDE_KEY[0]
    }

    fn verify(&self) -> Result<(), String> {
        let [white, black] = self.stones;
        if white & black != 0 {
            return Err(format!("two stones on one point: {:#x}", white & black));
        }
        if (white | black) & !FULL != 0 {
            return Err("a stone beside the board".to_owned());
        }
        if self.hand.iter().any(|&count| count > HAND) {
            return Err(format!("stones in hand: {:?}", self.hand));
        }
        let key = self.key_from_scratch();
        if self.key != key {
            return Err(format!("key {:#018x}, expected {key:#018x}", self.key));
        }
        Ok(())
    }

    fn halfmove(&self) -> u32 {
        0
    }

    fn in_check(&self) -> bool {
        false
    }

    fn checkers(&self) -> Vec<u8> {
        Vec::new()
    }

    #[inline(always)]
    fn generate<S: MoveSink>(&self, which: Generate, sink: &mut S) {
        let targets = match which {
            Generate::All => self.targets(),
            Generate::Noisy => self.capturing_targets(),
            Generate::Quiet => self.targets() & !self.capturing_targets(),
        };
        sink.push_targets(Fangqi::placement_on(0), targets);
    }

    #[inline(always)]
    fn is_legal(&self, mv: Move) -> bool {
        let point = mv.to();
        mv == Fangqi::placement_on(point) && u32::from(point) < u64::BITS && self.targets() >> point & 1 == 1
    }

    #[inline(always)]
    fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let point = mv.to();
        if point as usize >= POINTS {
            return;
        }
        let (us, them) = (self.side.index(), (!self.side).index());
        let mut captures = self.effect(point).captures;
        let before = self.hand[us];
        let after = before.saturating_sub(1);
        self.hand[us] = after;
        self.stones[us] |= 1 << point;
        self.key ^= STONE_KEYS[us * POINTS + point as usize] ^ hand_key(us, before) ^ hand_key(us, after) ^ SIDE_KEY[0];
        observer.reserve(us, before, after);
        observer.add(us, point);
        // FQ-3: all at once; FQ-5: the points are simply empty again, and the stones return to no hand.
        self.stones[them] &= !captures;
        while captures != 0 {
            let captured = captures.trailing_zeros() as u8;
            captures &= captures - 1;
            self.key ^= STONE_KEYS[them * POINTS + captured as usize];
            observer.remove(them, captured);
        }
        self.fullmove += u32::from(self.side == Color::Black);
        self.side = !self.side;
    }

    fn make_null(&mut self) {
        self.key ^= SIDE_KEY[0];
        self.side = !self.side;
    }

    fn null_move_is_sound(&self) -> bool {
        false
    }

    fn no_moves(&self) -> GameResult {
        let bare = |color: usize| self.stones[color] | u64::from(self.hand[color]) == 0;
        let counts = self.stones.map(u64::count_ones);
        // FQ-6 before FQ-7: a player without any stone has lost even if the counts are equal.
        let (outcome, reason) = match (bare(0), bare(1)) {
            (true, true) => (Outcome::Draw, Reason::NoStones),
            (true, false) => (Outcome::Win(Color::Black), Reason::NoStones),
            (false, true) => (Outcome::Win(Color::White), Reason::NoStones),
            (false, false) if counts[0] > counts[1] => (Outcome::Win(Color::White), Reason::StoneCount),
            (false, false) if counts[0] < counts[1] => (Outcome::Win(Color::Black), Reason::StoneCount),
            (false, false) => (Outcome::Draw, Reason::StoneCount),
        };
        GameResult { outcome, reason }
    }

    fn rule_draw(&self) -> Option<Reason> {
        None
    }

    #[inline(always)]
    fn is_noisy(&self, mv: Move) -> bool {
        self.effect(mv.to()).captures != 0
    }

    #[inline(always)]
    fn captured(&self, mv: Move) -> usize {
        (self.capture_count(mv) as usize).min(CAPTURED_CAP)
    }

    #[inline(always)]
    fn see(&self, mv: Move, threshold: i32) -> bool {
        self.gain(mv) >= threshold
    }

    #[inline(always)]
    fn gain(&self, mv: Move) -> i32 {
        self.capture_count(mv) * STONE
    }

    #[inline(always)]
    fn history_index(&self, mv: Move) -> usize {
        mv.to() as usize
    }

    #[inline(always)]
    fn piece_to(&self, mv: Move) -> usize {
        self.side.index() * POINTS + mv.to() as usize
    }

    #[inline(always)]
    fn order_hint(&self, mv: Move) -> i32 {
        ordering::hint(self.stones[self.side.index()], self.stones[(!self.side).index()], mv.to())
    }

    fn move_text(&self, mv: Move, base: RankBase) -> String {
        format!("P@{}", point_name(mv.to(), base))
    }

    fn parse_move(&self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        let square = text.strip_prefix(['P', 'p']).and_then(|rest| rest.strip_prefix('@'));
        match square.and_then(|square| read_square(square, FILES, FILES, base)) {
            Some((file, rank, "")) => {
                let mv = Fangqi::placement_on((rank * FILES + file) as u8);
                if self.is_legal(mv) { Ok(mv) } else { Err(illegal(text)) }
            }
            _ => Err(syntax(text)),
        }
    }

    fn san(&self, mv: Move, _: Notation) -> String {
        point_name(mv.to(), RankBase::One)
    }

    fn piece_letter(piece: usize) -> char {
        if piece == 0 { 'P' } else { 'p' }
    }

    fn dimensions() -> (usize, usize) {
        (FILES, FILES)
    }

    fn piece_at(&self, square: u8) -> Option<usize> {
        let bit = 1u64.checked_shl(u32::from(square))?;
        self.stones.iter().position(|set| set & bit != 0)
    }

    fn reserves(&self) -> String {
        setup::holdings(self)
    }

    #[inline(always)]
    fn count_legal(&self) -> usize {
        self.targets().count_ones() as usize
    }

    #[inline(always)]
    fn has_legal(&self) -> bool {
        self.targets() != 0
    }
}
