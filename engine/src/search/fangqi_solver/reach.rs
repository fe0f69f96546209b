//! What either side can still capture.
use crate::games::fangqi::geometry::{FULL, by_count, neighbours, points_of, squares_touching};

/// Limits on everything that can happen until the end of the game, whatever both sides play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// Squares that the mover can still complete so that they capture.
    pub own: u64,
    /// Squares that the opponent can still complete so that they capture.
    pub enemy: u64,
    /// Points beside [`Reach::own`].
    pub beside_own: u64,
    /// Points beside [`Reach::enemy`].
    pub beside_enemy: u64,
}

/// Squares that lack between one and `placements` stones, from the squares by number of stones.
#[inline(always)]
fn within(counts: [u64; 4], placements: u32) -> u64 {
    let [one, two, three, four] = counts;
    match placements {
        0 => 0,
        1 => three,
        2 => three | two,
        3 => three | two | one,
        _ => !four,
    }
}

/// The squares that can still capture when the mover has `own_left` and the opponent `enemy_left` placements left.
///
/// A square can only be completed if its owner has the stones for it and no enemy stone in it stays for ever. An enemy stone goes
/// only if it is beside a square that can capture; a complete square can only become incomplete, and then be completed again, if
/// one of its own stones is beside such a square of the enemy. Starting from "all stones stay", the sets grow until they agree
/// with each other.
#[inline(always)]
pub(super) fn reach(own: u64, enemy: u64, own_left: u32, enemy_left: u32) -> Reach {
    let (own_counts, enemy_counts) = (by_count(own), by_count(enemy));
    let (own_within, enemy_within) = (within(own_counts, own_left), within(enemy_counts, enemy_left));
    let (own_full, enemy_full) = (own_counts[3], enemy_counts[3]);
    let mut found = Reach { own: 0, enemy: 0, beside_own: 0, beside_enemy: 0 };
    loop {
        let (own_lost, enemy_lost) = (own & found.beside_enemy, enemy & found.beside_own);
        let mut own_squares = own_within;
        let mut enemy_squares = enemy_within;
        if own_lost != 0 && own_left > 0 {
            own_squares |= own_full & squares_touching(own_lost);
        }
        if enemy_lost != 0 && enemy_left > 0 {
            enemy_squares |= enemy_full & squares_touching(enemy_lost);
        }
        own_squares &= !squares_touching(enemy & !enemy_lost) & crate::games::fangqi::geometry::CORNERS;
        enemy_squares &= !squares_touching(own & !own_lost) & crate::games::fangqi::geometry::CORNERS;
        if own_squares == found.own && enemy_squares == found.enemy {
            return found;
        }
        found = Reach {
            own: own_squares,
            enemy: enemy_squares,
            beside_own: neighbours(own_squares),
            beside_enemy: neighbours(enemy_squares),
        };
        if (enemy & found.beside_own) | (own & found.beside_enemy) == 0 {
            return found;
        }
    }
}

impl Reach {
    /// Points that belong to a square that can capture.
    #[inline(always)]
    pub(super) fn points(&self) -> u64 {
        points_of(self.own | self.enemy)
    }

    /// Points on which a stone of either colour changes nothing any more.
    #[inline(always)]
    pub(super) fn dead(&self) -> u64 {
        FULL & !(self.points() | self.beside_own | self.beside_enemy)
    }
}
