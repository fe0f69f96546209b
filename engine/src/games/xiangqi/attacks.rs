//! Where pieces that step go, where attackers of a square may stand, and where pieces may be dropped.
use super::piece::RESERVE_TYPES;
use crate::board::bitboard::{Bitboard, FILES, FULL, RANKS, SQUARES, bit, file_of, rank_of, square};

/// Squares on each side's own half, by colour.
pub(crate) const HALF: [Bitboard; 2] = [(1 << 45) - 1, FULL & !((1 << 45) - 1)];
/// Both palaces.
pub(crate) const PALACES: Bitboard = {
    let (mut set, mut rank) = (0, 0);
    while rank < RANKS {
        if rank <= 2 || rank >= 7 {
            set |= 0b111 << (rank * FILES + 3);
        }
        rank += 1;
    }
    set
};

/// The square a step away, if it is on the board.
const fn step(from: usize, file: i32, rank: i32) -> Option<u8> {
    let (f, r) = (file_of(from as u8) as i32 + file, rank_of(from as u8) as i32 + rank);
    if f < 0 || f >= FILES as i32 || r < 0 || r >= RANKS as i32 { None } else { Some(square(f as usize, r as usize)) }
}

const fn step_set(from: usize, file: i32, rank: i32) -> Bitboard {
    match step(from, file, rank) {
        Some(to) => bit(to),
        None => 0,
    }
}

const STRAIGHT: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Steps of a General, within the palace.
pub(crate) static GENERAL: [Bitboard; SQUARES] = palace_steps(STRAIGHT);
/// Steps of an Advisor, within the palace.
pub(crate) static ADVISOR: [Bitboard; SQUARES] = palace_steps(DIAGONAL);

const fn palace_steps(directions: [(i32, i32); 4]) -> [Bitboard; SQUARES] {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        if PALACES & bit(from as u8) != 0 {
            let mut i = 0;
            while i < 4 {
                table[from] |= step_set(from, directions[i].0, directions[i].1) & PALACES;
                i += 1;
            }
        }
        from += 1;
    }
    table
}

/// Steps of a Soldier by colour: forward, past the river sideways as well.
pub(crate) static SOLDIER: [[Bitboard; SQUARES]; 2] = soldier_steps(false);
/// Where a Soldier of a colour stands when it attacks a square.
pub(crate) static SOLDIER_FROM: [[Bitboard; SQUARES]; 2] = soldier_steps(true);

const fn soldier_steps(reverse: bool) -> [[Bitboard; SQUARES]; 2] {
    let mut table = [[0; SQUARES]; 2];
    let mut color = 0;
    while color < 2 {
        let mut from = 0;
        while from < SQUARES {
            let mut targets = step_set(from, 0, if color == 0 { 1 } else { -1 });
            if HALF[color] & bit(from as u8) == 0 {
                targets |= step_set(from, -1, 0) | step_set(from, 1, 0);
            }
            if reverse {
                let mut to = 0;
                while to < SQUARES {
                    if targets & bit(to as u8) != 0 {
                        table[color][to] |= bit(from as u8);
                    }
                    to += 1;
                }
            } else {
                table[color][from] = targets;
            }
            from += 1;
        }
        color += 1;
    }
    table
}

/// Targets of a Horse by which of its four legs (south, west, east, north in the bits 0–3) are occupied.
static HORSE: [[Bitboard; 16]; SQUARES] = horse_table();
/// Targets of an Elephant by which of its four eyes (in the order of [`DIAGONAL`]) are occupied; it never crosses the river.
static ELEPHANT: [[Bitboard; 16]; SQUARES] = elephant_table();
/// Squares from which a Horse attacks a square if its leg is free.
pub(crate) static HORSE_FROM: [Bitboard; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        table[from] = horse_table()[from][0];
        from += 1;
    }
    table
};

const fn horse_table() -> [[Bitboard; 16]; SQUARES] {
    let mut table = [[0; 16]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut leg = 0;
        while leg < 4 {
            let (file, rank) = STRAIGHT[leg];
            // Two steps along the leg, one to either side.
            let targets =
                step_set(from, 2 * file + rank, 2 * rank + file) | step_set(from, 2 * file - rank, 2 * rank - file);
            let mut blocked = 0;
            while blocked < 16 {
                if blocked >> leg & 1 == 0 {
                    table[from][blocked] |= targets;
                }
                blocked += 1;
            }
            leg += 1;
        }
        from += 1;
    }
    table
}

const fn elephant_table() -> [[Bitboard; 16]; SQUARES] {
    let mut table = [[0; 16]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let half = if HALF[0] & bit(from as u8) != 0 { HALF[0] } else { HALF[1] };
        let mut eye = 0;
        while eye < 4 {
            let target = step_set(from, 2 * DIAGONAL[eye].0, 2 * DIAGONAL[eye].1) & half;
            let mut blocked = 0;
            while blocked < 16 {
                if blocked >> eye & 1 == 0 {
                    table[from][blocked] |= target;
                }
                blocked += 1;
            }
            eye += 1;
        }
        from += 1;
    }
    table
}

/// Squares a Horse goes to (SX-1: with the leg free).
#[inline(always)]
pub(crate) fn horse(from: u8, occupied: Bitboard) -> Bitboard {
    // South, west, east, north of the square lie at the bits 0, 8, 10 and 18. Beyond the edge of the board the bits mean nothing,
    // but there the table has no targets either.
    let around = ((occupied << 9) >> from) as usize;
    HORSE[from as usize][around & 1 | around >> 7 & 2 | around >> 8 & 4 | around >> 15 & 8]
}

/// Squares an Elephant goes to (SX-1: with the eye free, on its own half).
#[inline(always)]
pub(crate) fn elephant(from: u8, occupied: Bitboard) -> Bitboard {
    let around = ((occupied << 10) >> from) as usize;
    ELEPHANT[from as usize][around & 1 | around >> 1 & 2 | around >> 16 & 4 | around >> 17 & 8]
}

/// The leg of a Horse on `from` that attacks `to`; both must be a horse's move apart.
#[inline(always)]
pub(crate) fn leg(from: u8, to: u8) -> u8 {
    let offset = match i16::from(to) - i16::from(from) {
        17.. => 9,
        11 | -7 => 1,
        7 | -11 => -1,
        _ => -9,
    };
    (i16::from(from) + offset) as u8
}

/// Where a piece may be dropped, by colour and type (WHW-SXQ-003, WHW-SXQ-004).
pub(crate) static DROPS: [[Bitboard; RESERVE_TYPES]; 2] = {
    let mut table = [[0; RESERVE_TYPES]; 2];
    let mut color = 0;
    while color < 2 {
        let half = HALF[color];
        let points =
            [half, half, points(color, &ELEPHANT_POINTS), points(color, &ADVISOR_POINTS), half, soldier_points(color)];
        table[color] = points;
        color += 1;
    }
    table
};

/// The Advisor's points, file and rank from its own side.
const ADVISOR_POINTS: [(usize, usize); 5] = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)];
/// The Elephant's points.
const ELEPHANT_POINTS: [(usize, usize); 7] = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)];

const fn points(color: usize, list: &[(usize, usize)]) -> Bitboard {
    let (mut set, mut i) = (0, 0);
    while i < list.len() {
        let (file, rank) = list[i];
        set |= bit(square(file, if color == 0 { rank } else { RANKS - 1 - rank }));
        i += 1;
    }
    set
}

/// The Soldier's points before the river: the files a c e g i of its first two ranks.
const fn soldier_points(color: usize) -> Bitboard {
    points(color, &[(0, 3), (2, 3), (4, 3), (6, 3), (8, 3), (0, 4), (2, 4), (4, 4), (6, 4), (8, 4)])
}

/// Points on which a General may stand, by colour.
pub(crate) const fn general_points(color: usize) -> Bitboard {
    PALACES & HALF[color]
}

/// Points on which a Soldier may stand: its points before the river and anywhere past it (SX-9).
pub(crate) const fn soldier_home(color: usize) -> Bitboard {
    soldier_points(color) | HALF[1 - color]
}
