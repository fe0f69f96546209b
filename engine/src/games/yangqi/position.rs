//! The board of Yáng Qí and its keys.
use super::attacks::PAWN;
use super::piece::{CODES, EMPTY, PieceType, TYPES, code_letter};
use crate::board::bitboard::{Bitboard, FILES, RANKS, SQUARES, bit, file_of, square};
use crate::board::bits::Squares;
use crate::board::{Color, zobrist};
use crate::games::error::{FenError, MoveError};
use crate::games::moves::{Generate, Move, MoveSink};
use crate::games::position::{Observer, Position, Repetition};
use crate::games::result::{GameResult, Outcome, Reason};
use crate::games::text::{Notation, RankBase};
use crate::games::variant::Variant;

/// Half-moves without capture or pawn move that draw (YQ-8).
const MOVE_COUNT_LIMIT: u16 = 100;
/// No en passant square.
pub(super) const NO_SQUARE: u8 = u8::MAX;

/// Keys of pieces on squares, by code and square.
pub(super) static PIECE_KEYS: [[u64; SQUARES]; CODES] = piece_keys();
/// Keys of the en passant square by its file; the side to move tells its rank.
pub(super) static EN_PASSANT_KEYS: [u64; FILES] = zobrist::keys(0x59_51_45_50);
/// Key of Black to move.
pub(super) const SIDE_KEY: u64 = zobrist::keys::<1>(0x59_51_53_44)[0];

const fn piece_keys() -> [[u64; SQUARES]; CODES] {
    let keys = zobrist::keys::<{ SQUARES * CODES }>(0x59_51_50_43);
    let mut table = [[0; SQUARES]; CODES];
    let mut i = 0;
    while i < SQUARES * CODES {
        table[i / SQUARES][i % SQUARES] = keys[i];
        i += 1;
    }
    table
}

/// A position of Yáng Qí that satisfies YQ-12; `SWAPS` says whether kings may swap (YQ-7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YangqiBoard<const SWAPS: bool> {
    types: [Bitboard; TYPES],
    colors: [Bitboard; 2],
    key: u64,
    squares: [u8; SQUARES],
    kings: [u8; 2],
    pub(super) side: Color,
    /// The square passed over by a double step, when a capture there is legal (YQ-5); else [`NO_SQUARE`].
    pub(super) en_passant: u8,
    pub(super) halfmove: u16,
    pub(super) fullmove: u16,
}

impl<const SWAPS: bool> YangqiBoard<SWAPS> {
    /// An empty board; not a position until the FEN reader has filled it.
    pub(super) fn empty(side: Color) -> Self {
        YangqiBoard {
            types: [0; TYPES],
            colors: [0; 2],
            key: if side == Color::Black { SIDE_KEY } else { 0 },
            squares: [EMPTY; SQUARES],
            kings: [0; 2],
            side,
            en_passant: NO_SQUARE,
            halfmove: 0,
            fullmove: 1,
        }
    }

    /// All pieces.
    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of a type, of both colours.
    #[inline(always)]
    pub(crate) fn of_type(&self, piece_type: PieceType) -> Bitboard {
        self.types[piece_type as usize]
    }

    /// The pieces of a colour.
    #[inline(always)]
    pub(crate) fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of a type and colour.
    #[inline(always)]
    pub(crate) fn pieces(&self, piece_type: PieceType, color: Color) -> Bitboard {
        self.of_type(piece_type) & self.of_color(color)
    }

    /// Where a king stands.
    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> u8 {
        self.kings[color.index()]
    }

    /// The type of the piece on a square; `None` when it is empty or no square.
    #[inline(always)]
    pub(crate) fn type_on(&self, square: u8) -> Option<PieceType> {
        self.squares.get(square as usize).and_then(|&code| PieceType::of_code(code))
    }

    /// A type of which a pawn of `color` may now become a piece (YQ-10).
    #[inline(always)]
    pub(crate) fn is_available(&self, piece_type: PieceType, color: Color) -> bool {
        self.pieces(piece_type, color).count_ones() < piece_type.full_count()
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece_type: PieceType, color: Color, at: u8) {
        let code = piece_type.code(color);
        self.flip(code, piece_type, color, at);
        self.squares[at as usize] = code;
        if piece_type == PieceType::King {
            self.kings[color.index()] = at;
        }
    }

    /// Takes a piece off its square.
    #[inline(always)]
    pub(super) fn take(&mut self, piece_type: PieceType, color: Color, at: u8) {
        self.flip(piece_type.code(color), piece_type, color, at);
        self.squares[at as usize] = EMPTY;
    }

    #[inline(always)]
    fn flip(&mut self, code: u8, piece_type: PieceType, color: Color, at: u8) {
        self.types[piece_type as usize] ^= bit(at);
        self.colors[color.index()] ^= bit(at);
        self.key ^= PIECE_KEYS[code as usize][at as usize];
    }

    /// Forgets the en passant square.
    #[inline(always)]
    pub(super) fn clear_en_passant(&mut self) {
        if self.en_passant != NO_SQUARE {
            self.key ^= EN_PASSANT_KEYS[file_of(self.en_passant)];
            self.en_passant = NO_SQUARE;
        }
    }

    /// Remembers `passed` as en passant square if the side to move can capture there legally (YQ-5).
    #[inline(always)]
    pub(super) fn offer_en_passant(&mut self, passed: u8) {
        let takers = PAWN[(!self.side).index()][passed as usize] & self.pieces(PieceType::Pawn, self.side);
        if takers != 0 && Squares(takers).any(|from| self.en_passant_is_safe(from, passed)) {
            self.en_passant = passed;
            self.key ^= EN_PASSANT_KEYS[file_of(passed)];
        }
    }

    /// The turn goes over.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= SIDE_KEY;
    }

    fn checkers_set(&self) -> Bitboard {
        self.attackers(self.king(self.side), !self.side, Bitboard::MAX, self.occupied())
    }
}

impl<const SWAPS: bool> Position for YangqiBoard<SWAPS> {
    const VARIANT: Variant = if SWAPS { Variant::Yangqi } else { Variant::YangqiNoSwap };
    const PIECES: usize = CODES;
    const HISTORY: usize = SQUARES * SQUARES;
    const PIECE_TO: usize = CODES * SQUARES;
    const CAPTURED: usize = TYPES;
    const NULL_MOVE: bool = true;
    const REPETITION: Repetition = Repetition::Draw;

    fn start() -> Self {
        use PieceType::{Bishop, Cannon, King, Knight, Pawn, Rook, Vao};
        const FIRST_RANK: [PieceType; FILES] = [Rook, Knight, Bishop, Vao, King, Vao, Bishop, Knight, Rook];
        let mut board = Self::empty(Color::White);
        for color in Color::ALL {
            let rank = |from_own_side: usize| match color {
                Color::White => from_own_side,
                Color::Black => RANKS - 1 - from_own_side,
            };
            for (file, piece_type) in FIRST_RANK.into_iter().enumerate() {
                board.put(piece_type, color, square(file, rank(0)));
                board.put(Pawn, color, square(file, rank(2 + file % 2)));
            }
            board.put(Cannon, color, square(1, rank(1)));
            board.put(Cannon, color, square(7, rank(1)));
        }
        board
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        Self::read_fen(fen)
    }

    fn fen(&self) -> String {
        self.write_fen()
    }

    fn side(&self) -> Color {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    /// Steps and captures; not promotions, swaps and what concerns en passant.
    #[inline(always)]
    fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from() as usize, mv.to() as usize);
        let piece_on = |at: usize| self.squares.get(at).map(|&code| code as usize);
        let key_of = |piece: Option<usize>, at: usize| piece.and_then(|p| PIECE_KEYS.get(p)).map_or(0, |keys| keys[at]);
        let moving = piece_on(from).filter(|_| to < SQUARES);
        self.key ^ SIDE_KEY ^ key_of(moving, from) ^ key_of(moving, to) ^ key_of(piece_on(to), to)
    }

    fn verify(&self) -> Result<(), String> {
        let mut fresh = Self::empty(self.side);
        for at in 0..SQUARES as u8 {
            if let Some(piece_type) = self.type_on(at) {
                let color = if self.of_color(Color::White) & bit(at) != 0 { Color::White } else { Color::Black };
                fresh.put(piece_type, color, at);
            }
        }
        if self.en_passant != NO_SQUARE {
            fresh.offer_en_passant(self.en_passant);
        }
        let same = |name: &str, equal: bool| if equal { Ok(()) } else { Err(format!("{name} disagrees")) };
        same("set of a piece type", fresh.types == self.types)?;
        same("set of a colour", fresh.colors == self.colors)?;
        same("piece on a square", fresh.squares == self.squares)?;
        same("king's square", fresh.kings == self.kings)?;
        same("en passant square", fresh.en_passant == self.en_passant)?;
        same("key", fresh.key == self.key)?;
        self.check_setup().map_err(|error| error.to_string())
    }

    fn halfmove(&self) -> u32 {
        u32::from(self.halfmove)
    }

    fn in_check(&self) -> bool {
        self.attacked(self.king(self.side), !self.side, self.of_color(!self.side), self.occupied())
    }

    fn checkers(&self) -> Vec<u8> {
        Squares(self.checkers_set()).collect()
    }

    #[inline]
    fn generate<S: MoveSink>(&self, which: Generate, sink: &mut S) {
        self.generate_moves(which, sink);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_move(mv)
    }

    #[inline]
    fn make<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        self.make_move(mv, observer);
    }

    fn make_null(&mut self) {
        self.clear_en_passant();
        self.halfmove = self.halfmove.saturating_add(1);
        self.fullmove += u16::from(self.side == Color::Black);
        self.pass_turn();
    }

    fn null_move_is_sound(&self) -> bool {
        self.of_color(self.side) & !self.of_type(PieceType::Pawn) & !self.of_type(PieceType::King) != 0
    }

    fn no_moves(&self) -> GameResult {
        if self.in_check() {
            GameResult { outcome: Outcome::Win(!self.side), reason: Reason::Checkmate }
        } else {
            GameResult { outcome: Outcome::Draw, reason: Reason::Stalemate }
        }
    }

    fn rule_draw(&self) -> Option<Reason> {
        if self.occupied() == self.of_type(PieceType::King) {
            Some(Reason::BareKings)
        } else if self.halfmove >= MOVE_COUNT_LIMIT {
            Some(Reason::MoveCount)
        } else {
            None
        }
    }

    fn is_noisy(&self, mv: Move) -> bool {
        self.promotion(mv).is_some() || self.victim(mv).is_some()
    }

    fn captured(&self, mv: Move) -> usize {
        self.victim(mv).map_or(0, |piece_type| 1 + piece_type as usize)
    }

    fn see(&self, mv: Move, threshold: i32) -> bool {
        self.exchange_is_worth(mv, threshold)
    }

    fn gain(&self, mv: Move) -> i32 {
        self.gain_of(mv)
    }

    fn history_index(&self, mv: Move) -> usize {
        mv.from() as usize * SQUARES + self.target(mv) as usize
    }

    fn piece_to(&self, mv: Move) -> usize {
        let code = self.squares.get(mv.from() as usize).map_or(0, |&code| code as usize % CODES);
        code * SQUARES + self.target(mv) as usize
    }

    fn move_text(&self, mv: Move, base: RankBase) -> String {
        self.write_move(mv, base)
    }

    fn parse_move(&self, text: &str, base: RankBase) -> Result<Move, MoveError> {
        self.read_move(text, base)
    }

    fn san(&self, mv: Move, notation: Notation) -> String {
        self.write_san(mv, notation, super::SwapText::Full)
    }

    fn piece_letter(piece: usize) -> char {
        code_letter(piece)
    }

    fn dimensions() -> (usize, usize) {
        (FILES, RANKS)
    }

    fn piece_at(&self, square: u8) -> Option<usize> {
        self.squares.get(square as usize).filter(|&&code| code != EMPTY).map(|&code| code as usize)
    }

    fn reserves(&self) -> String {
        String::new()
    }
}
