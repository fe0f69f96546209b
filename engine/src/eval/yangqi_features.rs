//! Counting the features of Yáng Qí that depend on how pieces work together.
use super::FeatureSink;
use super::yangqi::{MOST_DANGER, MOST_MOBILITY, at};
use crate::board::bitboard::{Bitboard, FILES, FULL, RANKS, SQUARES, bit, file_of, rank_of};
use crate::board::bits::Squares;
use crate::board::{Color, diagonal, orthogonal};
use crate::games::yangqi::PieceType::{self, Bishop, Cannon, Knight, Pawn, Rook, Vao};
use crate::games::yangqi::YangqiBoard;
use crate::games::yangqi::attacks::{KING, KNIGHT};

const RANK: Bitboard = (1 << FILES) - 1;
const FILE_A: Bitboard = FULL / RANK;
const FILE_I: Bitboard = FILE_A << (FILES - 1);
/// The squares of the colour of a1.
const DARK: Bitboard = dark();
/// Attack units by type of attacker, pawn to rook.
const UNITS: [usize; PieceType::ALL.len() - 1] = [1, 1, 2, 2, 2, 3];

const fn dark() -> Bitboard {
    let (mut squares, mut square) = (0, 0);
    while square < SQUARES {
        if (square % FILES + square / FILES).is_multiple_of(2) {
            squares |= 1 << square;
        }
        square += 1;
    }
    squares
}

/// Squares ahead of a pawn on its own and the neighbouring files, by colour and square.
static AHEAD: [[Bitboard; SQUARES]; 2] = [ahead(true), ahead(false)];

const fn ahead(upwards: bool) -> [Bitboard; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut other = 0;
        while other < SQUARES {
            let near = (square % FILES).abs_diff(other % FILES) <= 1;
            let beyond = if upwards { other / FILES > square / FILES } else { other / FILES < square / FILES };
            if near && beyond {
                table[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

/// The files of a set, whole.
#[inline(always)]
fn files_of(mut set: Bitboard) -> Bitboard {
    set |= set >> (5 * FILES);
    set |= set >> (3 * FILES) | set >> (4 * FILES);
    set |= set >> FILES | set >> (2 * FILES);
    // The row of occupied files, on every rank.
    (set & RANK) * FILE_A
}

/// A set and its neighbours to both sides.
#[inline(always)]
const fn sideways(set: Bitboard) -> Bitboard {
    (set & !FILE_A) >> 1 | (set & !FILE_I) << 1
}

#[inline(always)]
const fn forward(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => set << FILES & FULL,
        Color::Black => set >> FILES,
    }
}

/// King's steps between two squares.
fn distance(a: u8, b: u8) -> i32 {
    file_of(a).abs_diff(file_of(b)).max(rank_of(a).abs_diff(rank_of(b))) as i32
}

/// What one side's pieces attack.
#[derive(Default, Clone, Copy)]
struct Attacks {
    by_pawns: Bitboard,
    /// By anything lesser than a rook, kings left out.
    by_lesser: Bitboard,
    all: Bitboard,
}

/// A sink for one side: counts for Black are negative.
struct Side<'a, S> {
    sink: &'a mut S,
    sign: i32,
}

impl<S: FeatureSink> Side<'_, S> {
    #[inline(always)]
    fn add(&mut self, index: usize, count: u32) {
        self.sink.add(index, self.sign * count as i32);
    }
}

/// Every feature besides placement.
pub(super) fn count_features<S: FeatureSink, const SWAPS: bool>(board: &YangqiBoard<SWAPS>, sink: &mut S) {
    let pawn_attacks = Color::ALL.map(|color| forward(sideways(board.pieces(Pawn, color)), color));
    let mut attacks = [Attacks::default(); 2];
    for color in Color::ALL {
        let mut side = Side { sink, sign: if color == Color::White { 1 } else { -1 } };
        attacks[color.index()] = pieces(board, color, pawn_attacks, &mut side);
        pawns(board, color, pawn_attacks[color.index()], &mut side);
        shelter(board, color, &mut side);
        aims(board, color, &mut side);
        colors_and_screens(board, color, &mut side);
    }
    for color in Color::ALL {
        let mut side = Side { sink, sign: if color == Color::White { 1 } else { -1 } };
        threats(board, color, &attacks[color.index()], &attacks[(!color).index()], &mut side);
    }
}

/// Mobility, attacks on the king, rooks on files.
#[inline(always)]
fn pieces<S: FeatureSink, const SWAPS: bool>(
    board: &YangqiBoard<SWAPS>,
    color: Color,
    pawn_attacks: [Bitboard; 2],
    side: &mut Side<'_, S>,
) -> Attacks {
    let (occupied, own) = (board.occupied(), board.of_color(color));
    let (empty, enemies) = (!occupied & FULL, board.of_color(!color));
    let safe = !pawn_attacks[(!color).index()];
    let enemy_king = board.king(!color);
    let zone = KING[enemy_king as usize] | bit(enemy_king);
    let mut attacks = Attacks { by_pawns: pawn_attacks[color.index()], ..Attacks::default() };
    let mut units = 0;
    let mut attackers = 0;
    let own_files = files_of(board.pieces(Pawn, color));
    let enemy_files = files_of(board.pieces(Pawn, !color));
    let mut count = |piece_type: PieceType, attacked: Bitboard, goes: Bitboard, side: &mut Side<'_, S>| {
        let index = piece_type as usize;
        let mobility = ((goes & !own & safe).count_ones() as usize).min(MOST_MOBILITY);
        side.add(at::MOBILITY + index * (MOST_MOBILITY + 1) + mobility, 1);
        let on_zone = attacked & zone;
        if on_zone != 0 {
            side.add(at::ZONE + index, on_zone.count_ones());
            units += UNITS[index] + on_zone.count_ones() as usize;
            attackers += 1;
        }
    };
    for from in Squares(board.pieces(Knight, color)) {
        let reach = KNIGHT[from as usize];
        count(Knight, reach, reach, side);
        attacks.by_lesser |= reach;
    }
    for from in Squares(board.pieces(Bishop, color)) {
        let reach = diagonal::bishop_attacks(from, occupied);
        count(Bishop, reach, reach, side);
        attacks.by_lesser |= reach;
    }
    for from in Squares(board.pieces(Cannon, color)) {
        let lines = orthogonal::lines(from, occupied);
        count(Cannon, lines.second, lines.reach & empty | lines.second & enemies, side);
        attacks.by_lesser |= lines.second;
    }
    for from in Squares(board.pieces(Vao, color)) {
        let lines = diagonal::lines(from, occupied);
        count(Vao, lines.second, lines.reach & empty | lines.second & enemies, side);
        attacks.by_lesser |= lines.second;
    }
    attacks.all = attacks.by_lesser | attacks.by_pawns | KING[board.king(color) as usize];
    for from in Squares(board.pieces(Rook, color)) {
        let reach = orthogonal::rook_attacks(from, occupied);
        count(Rook, reach, reach, side);
        attacks.all |= reach;
        if own_files & bit(from) == 0 {
            side.add(at::ROOK_FILE + usize::from(enemy_files & bit(from) == 0), 1);
        }
    }
    let pawns_near = (attacks.by_pawns & zone).count_ones();
    side.add(at::ZONE, pawns_near);
    // One attacker alone is no attack.
    if attackers > 1 || attackers == 1 && pawns_near > 0 {
        side.add(at::DANGER + (units + pawns_near as usize).min(MOST_DANGER), 1);
    }
    attacks
}

#[inline(always)]
fn pawns<S: FeatureSink, const SWAPS: bool>(
    board: &YangqiBoard<SWAPS>,
    color: Color,
    guarded: Bitboard,
    side: &mut Side<'_, S>,
) {
    let (own, theirs) = (board.pieces(Pawn, color), board.pieces(Pawn, !color));
    let neighbours = sideways(files_of(own));
    side.add(at::PAWNS, (own & !neighbours).count_ones());
    side.add(at::PAWNS + 2, (own & sideways(own)).count_ones());
    side.add(at::PAWNS + 3, (own & guarded).count_ones());
    let can_promote = PieceType::PROMOTIONS.into_iter().any(|made| board.is_available(made, color));
    for from in Squares(own) {
        let ahead = AHEAD[color.index()][from as usize];
        let own_file = FILE_A << file_of(from);
        if ahead & own_file & own != 0 {
            side.add(at::PAWNS + 1, 1);
        } else if ahead & theirs == 0 {
            let rank = if color == Color::White { rank_of(from) } else { RANKS - 1 - rank_of(from) };
            side.add(if can_promote { at::PASSED } else { at::PASSED_BARRED } + rank, 1);
            let next = forward(bit(from), color);
            if next & board.occupied() == 0 {
                side.add(at::PASSED_FREE + rank, 1);
            }
            if rank >= 5 {
                let next = next.trailing_zeros() as u8;
                side.add(at::PASSED_KINGS, distance(board.king(color), next) as u32);
                side.add(at::PASSED_KINGS + 1, distance(board.king(!color), next) as u32);
            }
        }
    }
}

/// Pawns before the own king.
#[inline(always)]
fn shelter<S: FeatureSink, const SWAPS: bool>(board: &YangqiBoard<SWAPS>, color: Color, side: &mut Side<'_, S>) {
    let king = bit(board.king(color));
    let row = king | sideways(king);
    let near = forward(row, color);
    let own = board.pieces(Pawn, color);
    side.add(at::SHELTER, (near & own).count_ones());
    side.add(at::SHELTER + 1, (forward(near, color) & own).count_ones());
    let without_own = row & !files_of(own);
    side.add(at::SHELTER + 2, without_own.count_ones());
    side.add(at::SHELTER + 3, (without_own & !files_of(board.pieces(Pawn, !color))).count_ones());
}

/// Riders on lines with the enemy king.
#[inline(always)]
fn aims<S: FeatureSink, const SWAPS: bool>(board: &YangqiBoard<SWAPS>, color: Color, side: &mut Side<'_, S>) {
    let king = board.king(!color);
    let (straight, slanted) = (orthogonal::lines(king, board.occupied()), diagonal::lines(king, board.occupied()));
    let (cannons, vaos) = (board.pieces(Cannon, color), board.pieces(Vao, color));
    let sets = [
        straight.reach & cannons,
        straight.third & cannons,
        slanted.reach & vaos,
        slanted.third & vaos,
        straight.second & board.pieces(Rook, color),
        slanted.second & board.pieces(Bishop, color),
    ];
    for (index, set) in sets.into_iter().enumerate() {
        side.add(at::AIM + index, set.count_ones());
    }
}

/// Which of the own pieces are in danger.
#[inline(always)]
fn threats<S: FeatureSink, const SWAPS: bool>(
    board: &YangqiBoard<SWAPS>,
    color: Color,
    own: &Attacks,
    theirs: &Attacks,
    side: &mut Side<'_, S>,
) {
    let mine = board.of_color(color);
    for piece_type in [Vao, Knight, Cannon, Bishop, Rook] {
        side.add(at::BY_PAWN + piece_type as usize, (board.of_type(piece_type) & mine & theirs.by_pawns).count_ones());
    }
    let hanging = mine & theirs.all & !own.all;
    for piece_type in [Pawn, Vao, Knight, Cannon, Bishop, Rook] {
        side.add(at::HANGING + piece_type as usize, (board.of_type(piece_type) & hanging).count_ones());
    }
    side.add(at::ROOK_ATTACKED, (board.pieces(Rook, color) & theirs.by_lesser).count_ones());
}

#[inline(always)]
fn colors_and_screens<S: FeatureSink, const SWAPS: bool>(
    board: &YangqiBoard<SWAPS>,
    color: Color,
    side: &mut Side<'_, S>,
) {
    let on_both = |set: Bitboard| u32::from(set & DARK != 0 && set & !DARK != 0);
    let (bishops, vaos, cannons) = (board.pieces(Bishop, color), board.pieces(Vao, color), board.pieces(Cannon, color));
    side.add(at::COLORS, on_both(bishops));
    side.add(at::COLORS + 1, on_both(vaos));
    if SWAPS {
        let partners = KING[board.king(color) as usize] & board.of_color(color) & !board.of_type(Pawn);
        side.add(at::COLORS + 2, partners.count_ones());
    }
    let mut reached = 0;
    reached |= if bishops & DARK != 0 { DARK } else { 0 };
    reached |= if bishops & !DARK != 0 { !DARK } else { 0 };
    side.add(at::BISHOP_PAWNS, (board.pieces(Pawn, color) & reached).count_ones());
    side.add(at::BISHOP_PAWNS + 1, (board.pieces(Pawn, !color) & reached).count_ones());
    let crowd = board.occupied().count_ones() / 4;
    side.add(at::SCREENS, cannons.count_ones() * crowd);
    side.add(at::SCREENS + 1, vaos.count_ones() * crowd);
}
