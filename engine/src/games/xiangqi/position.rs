//! The position and how moves change it.
use super::attacks::{HORSE_FROM, SOLDIER_FROM, leg};
use super::piece::{EMPTY, PIECES, PieceType, RESERVE_TYPES, TYPES, code, color_of, kind_of, letter_of};
use super::{Rules, attacks};
use crate::board::Color;
use crate::board::bitboard::{Bitboard, FILES, RANKS, SQUARES, bit};
use crate::board::bits::Squares;
use crate::board::orthogonal::lines;
use crate::board::zobrist::keys;
use crate::games::moves::{Generate, Move, MoveSink};
use crate::games::position::{Observer, Position, Repetition};
use crate::games::{FenError, GameResult, MoveError, Notation, Outcome, RankBase, Reason, Variant};
use std::marker::PhantomData;

/// Origin fields from here on are drops: this plus the index of the piece type.
pub(super) const DROP: u8 = SQUARES as u8;
/// Number of origin fields in use.
const ORIGINS: usize = SQUARES + RESERVE_TYPES;

static PIECE_KEYS: [u64; PIECES * SQUARES] = keys(0x7869_616E);
static RESERVE_KEYS: [u64; 2 * RESERVE_TYPES] = keys(0x7375_7070);
const SIDE_KEY: u64 = keys::<1>(0x7369_6465)[0];

/// A position of xiangqi or of one board of Supply Xiangqi, by its [`Rules`].
#[derive(Debug, Clone)]
pub struct XiangqiPosition<R> {
    pub(super) by_type: [Bitboard; TYPES],
    pub(super) by_color: [Bitboard; 2],
    /// Pieces that attack the General of the side to move.
    pub(super) checkers: Bitboard,
    key: u64,
    /// Piece code or `EMPTY` by square.
    pub(super) board: [u8; SQUARES],
    reserves: [[u8; RESERVE_TYPES]; 2],
    pub(super) general: [u8; 2],
    pub(super) side: Color,
    pub(super) halfmove: u16,
    pub(super) fullmove: u16,
    rules: PhantomData<R>,
}

impl<R: Rules> XiangqiPosition<R> {
    /// A board with nothing on it: not a valid position, but where the FEN reader begins.
    pub(super) fn empty(side: Color, halfmove: u16, fullmove: u16) -> XiangqiPosition<R> {
        XiangqiPosition {
            by_type: [0; TYPES],
            by_color: [0; 2],
            checkers: 0,
            key: if side == Color::Black { SIDE_KEY } else { 0 },
            board: [EMPTY; SQUARES],
            reserves: [[0; RESERVE_TYPES]; 2],
            general: [0; 2],
            side,
            halfmove,
            fullmove,
            rules: PhantomData,
        }
    }

    /// Pieces of one colour and type.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_type[kind.index()] & self.by_color[color.index()]
    }

    /// All pieces of one colour.
    #[inline(always)]
    pub fn pieces_of(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// Where a General stands.
    #[inline(always)]
    pub fn general(&self, color: Color) -> u8 {
        self.general[color.index()]
    }

    /// How many of a type are in reserve. Always 0 for the General.
    #[inline(always)]
    pub fn reserve(&self, color: Color, kind: PieceType) -> u8 {
        self.reserves[color.index()].get(kind.index()).copied().unwrap_or(0)
    }

    /// All reserves of a colour, by type.
    #[inline(always)]
    pub(crate) fn reserves_of(&self, color: Color) -> &[u8; RESERVE_TYPES] {
        &self.reserves[color.index()]
    }

    /// Changes a reserve, with its key. Nothing happens for the General.
    pub(in crate::games) fn set_reserve<O: Observer>(
        &mut self,
        color: Color,
        kind: PieceType,
        count: u8,
        observer: &mut O,
    ) {
        let Some(slot) = self.reserves[color.index()].get_mut(kind.index()) else { return };
        let before = std::mem::replace(slot, count);
        self.key ^= reserve_key(color, kind, before) ^ reserve_key(color, kind, count);
        observer.reserve(code(color, kind), before, count);
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn add<O: Observer>(&mut self, piece: usize, square: u8, observer: &mut O) {
        self.by_type[kind_of(piece).index()] |= bit(square);
        self.by_color[color_of(piece).index()] |= bit(square);
        self.board[square as usize] = piece as u8;
        self.key ^= PIECE_KEYS[piece * SQUARES + square as usize];
        if kind_of(piece) == PieceType::General {
            self.general[color_of(piece).index()] = square;
        }
        observer.add(piece, square);
    }

    /// Takes a piece off its square.
    #[inline(always)]
    fn remove<O: Observer>(&mut self, piece: usize, square: u8, observer: &mut O) {
        self.by_type[kind_of(piece).index()] &= !bit(square);
        self.by_color[color_of(piece).index()] &= !bit(square);
        self.board[square as usize] = EMPTY;
        self.key ^= PIECE_KEYS[piece * SQUARES + square as usize];
        observer.remove(piece, square);
    }

    /// Pieces of `enemies` that attack `square`, on which a General of `color` stands or would stand, with `occupied` squares as
    /// given. A facing General counts as attacker.
    #[inline(always)]
    pub(super) fn attackers(&self, square: u8, color: Color, occupied: Bitboard, enemies: Bitboard) -> Bitboard {
        let of = |kind: PieceType| self.by_type[kind.index()] & enemies;
        let lines = lines(square, occupied);
        let mut found = lines.reach & (of(PieceType::Chariot) | of(PieceType::General))
            | lines.second & of(PieceType::Cannon)
            | SOLDIER_FROM[(!color).index()][square as usize] & of(PieceType::Soldier);
        for horse in Squares(HORSE_FROM[square as usize] & of(PieceType::Horse)) {
            if occupied & bit(leg(horse, square)) == 0 {
                found |= bit(horse);
            }
        }
        found
    }

    /// Pieces that attack the General of `color`.
    pub(super) fn checks_on(&self, color: Color) -> Bitboard {
        self.attackers(self.general(color), color, self.occupied(), self.pieces_of(!color))
    }

    /// Brings up to date what depends on whose turn it is.
    #[inline(always)]
    pub(super) fn refresh_checkers(&mut self) {
        self.checkers = self.checks_on(self.side);
    }

    /// The turn passes to the other side.
    #[inline(always)]
    fn turn(&mut self) {
        self.fullmove = self.fullmove.saturating_add(self.side.index() as u16);
        self.side = !self.side;
        self.key ^= SIDE_KEY;
        self.refresh_checkers();
    }

    /// The piece that a move word moves or drops, with its colour; `None` when there is none.
    #[inline(always)]
    pub(super) fn moving(&self, mv: Move) -> Option<usize> {
        match mv.from() {
            from if from < DROP => Some(self.board[from as usize] as usize).filter(|&p| p < PIECES),
            drop => PieceType::ALL[..RESERVE_TYPES].get((drop - DROP) as usize).map(|&kind| code(self.side, kind)),
        }
    }

    /// The type that a move captures.
    #[inline(always)]
    pub(super) fn victim(&self, mv: Move) -> Option<PieceType> {
        let piece = *self.board.get(mv.to() as usize)?;
        (piece != EMPTY).then(|| kind_of(piece as usize))
    }
}

/// Key of `count` pieces in reserve; none for an empty reserve.
fn reserve_key(color: Color, kind: PieceType, count: u8) -> u64 {
    RESERVE_KEYS[color.index() * RESERVE_TYPES + kind.index()].wrapping_mul(u64::from(count))
}

impl<R: Rules> Position for XiangqiPosition<R> {
    const VARIANT: Variant = R::VARIANT;
    const PIECES: usize = PIECES;
    const HISTORY: usize = ORIGINS * SQUARES;
    const PIECE_TO: usize = PIECES * SQUARES;
    const CAPTURED: usize = 1 + TYPES;
    const NULL_MOVE: bool = true;
    const REPETITION: Repetition = R::REPETITION;

    fn start() -> Self {
        // The start position is a constant that a test reads; were it broken, an empty board is still no panic.
        Self::read(R::START).unwrap_or_else(|_| Self::empty(Color::White, 0, 1))
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        Self::read(fen)
    }

    fn fen(&self) -> String {
        self.write()
    }

    #[inline(always)]
    fn side(&self) -> Color {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to() as usize);
        let Some(piece) = self.moving(mv).filter(|_| to < SQUARES) else { return self.key };
        let arrived = self.key ^ SIDE_KEY ^ PIECE_KEYS[piece * SQUARES + to];
        if from >= DROP {
            let (kind, held) = (kind_of(piece), self.reserve(self.side, kind_of(piece)));
            return arrived ^ reserve_key(self.side, kind, held) ^ reserve_key(self.side, kind, held.saturating_sub(1));
        }
        let captured = self.board[to] as usize;
        let taken = if captured < PIECES { PIECE_KEYS[captured * SQUARES + to] } else { 0 };
        arrived ^ PIECE_KEYS[piece * SQUARES + from as usize] ^ taken
    }

    fn verify(&self) -> Result<(), String> {
        let mut fresh = Self::empty(self.side, self.halfmove, self.fullmove);
        for (square, &piece) in (0u8..).zip(&self.board) {
            if piece != EMPTY {
                fresh.add(piece as usize, square, &mut ());
            }
        }
        for color in Color::ALL {
            for kind in PieceType::ALL {
                fresh.set_reserve(color, kind, self.reserve(color, kind), &mut ());
            }
        }
        fresh.refresh_checkers();
        match () {
            () if fresh.key != self.key => Err(format!("key {:016x}, expected {:016x}", self.key, fresh.key)),
            () if fresh.by_type != self.by_type => Err("pieces by type".to_owned()),
            () if fresh.by_color != self.by_color => Err("pieces by colour".to_owned()),
            () if fresh.general != self.general => Err("squares of the Generals".to_owned()),
            () if fresh.checkers != self.checkers => Err("checkers".to_owned()),
            () => Ok(()),
        }
    }

    #[inline(always)]
    fn halfmove(&self) -> u32 {
        u32::from(self.halfmove)
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.checkers != 0
    }

    fn checkers(&self) -> Vec<u8> {
        Squares(self.checkers).collect()
    }

    #[inline]
    fn generate<S: MoveSink>(&self, which: Generate, sink: &mut S) {
        self.generate_moves(which, sink);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.legal(mv)
    }

    #[inline]
    fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let Some(piece) = self.moving(mv) else { return debug_assert!(false, "no piece moves") };
        let to = mv.to();
        self.halfmove = self.halfmove.saturating_add(1);
        if mv.from() < DROP {
            let captured = self.board[to as usize];
            if captured != EMPTY {
                self.remove(captured as usize, to, observer);
                self.halfmove = 0;
            }
            self.remove(piece, mv.from(), observer);
        } else {
            let kind = kind_of(piece);
            self.set_reserve(self.side, kind, self.reserve(self.side, kind).saturating_sub(1), observer);
            self.halfmove = 0;
        }
        self.add(piece, to, observer);
        self.turn();
    }

    fn make_null(&mut self) {
        self.halfmove = self.halfmove.saturating_add(1);
        self.turn();
    }

    fn null_move_is_sound(&self) -> bool {
        let strong = [PieceType::Chariot, PieceType::Horse, PieceType::Cannon];
        strong.iter().any(|&kind| self.pieces(self.side, kind) != 0)
            || self.reserves_of(self.side).iter().any(|&n| n > 0)
    }

    /// XQ-1, WHW-SXQ-006 with SX-4: who cannot act loses, in check or not.
    fn no_moves(&self) -> GameResult {
        let reason = if self.in_check() { Reason::Checkmate } else { Reason::Stalemate };
        GameResult { outcome: Outcome::Win(!self.side), reason }
    }

    /// XQ-3, WHW-SXQ-007.
    fn rule_draw(&self) -> Option<Reason> {
        (self.halfmove() >= R::MOVE_LIMIT).then_some(Reason::MoveCount)
    }

    #[inline(always)]
    fn is_noisy(&self, mv: Move) -> bool {
        self.victim(mv).is_some()
    }

    #[inline(always)]
    fn captured(&self, mv: Move) -> usize {
        self.victim(mv).map_or(0, |kind| 1 + kind.index())
    }

    fn see(&self, mv: Move, threshold: i32) -> bool {
        self.exchange(mv, threshold)
    }

    #[inline(always)]
    fn gain(&self, mv: Move) -> i32 {
        self.victim(mv).map_or(0, PieceType::value)
    }

    #[inline(always)]
    fn history_index(&self, mv: Move) -> usize {
        (mv.from() as usize * SQUARES + mv.to() as usize).min(Self::HISTORY - 1)
    }

    #[inline(always)]
    fn piece_to(&self, mv: Move) -> usize {
        (self.moving(mv).unwrap_or(0) * SQUARES + mv.to() as usize).min(Self::PIECE_TO - 1)
    }

    fn move_text(&self, mv: Move, base: RankBase) -> String {
        self.write_move(mv, base)
    }

    fn parse_move(&self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        self.read_move(text, base)
    }

    fn san(&self, mv: Move, notation: Notation) -> String {
        match notation {
            Notation::Iccs => self.iccs(mv),
            Notation::Native | Notation::CannonC => self.wxf(mv),
        }
    }

    fn piece_letter(piece: usize) -> char {
        letter_of(piece)
    }

    fn dimensions() -> (usize, usize) {
        (FILES, RANKS)
    }

    fn piece_at(&self, square: u8) -> Option<usize> {
        self.board.get(square as usize).map(|&p| p as usize).filter(|&p| p < PIECES)
    }

    fn reserves(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for kind in &PieceType::ALL[..RESERVE_TYPES] {
                (0..self.reserve(color, *kind)).for_each(|_| text.push(letter_of(code(color, *kind))));
            }
        }
        text
    }
}

/// Squares a piece on `from` goes to, its own side's pieces included, the General's safety not yet considered.
#[inline(always)]
pub(super) fn targets(kind: PieceType, color: Color, from: u8, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Chariot => lines(from, occupied).reach,
        PieceType::Horse => attacks::horse(from, occupied),
        PieceType::Elephant => attacks::elephant(from, occupied),
        PieceType::Advisor => attacks::ADVISOR[from as usize],
        PieceType::Cannon => {
            let lines = lines(from, occupied);
            lines.reach & !occupied | lines.second
        }
        PieceType::Soldier => attacks::SOLDIER[color.index()][from as usize],
        PieceType::General => attacks::GENERAL[from as usize],
    }
}
