//! What is known about a quiet placement without searching, for move ordering.
use super::geometry::{SQUARES_OF, by_count, neighbours, squares_beside, squares_touching};

// All in history units, found by eye; the search's own histories refine them.
/// A square comes to three stones with its last point empty; and for each enemy stone it would then take.
const THREATEN: i32 = 900;
const THREATEN_EACH: i32 = 700;
/// A square comes to two stones.
const BUILD: i32 = 250;
/// An enemy square of three is spoilt; and for each own stone it would have taken.
const DENY: i32 = 1200;
const DENY_EACH: i32 = 1100;
/// An enemy square of two is spoilt; and for each own stone beside it.
const HINDER: i32 = 350;
const HINDER_EACH: i32 = 200;
/// An enemy stone's square is shared.
const CROWD: i32 = 120;
/// The new stone stands where an enemy square of three would take it.
const EXPOSED: i32 = 900;

/// Bonus for a stone of `own` on the empty `point`: for squares it brings to three stones beside enemies, for enemy squares that
/// it spoils, less for standing where an enemy threat would capture it.
#[inline(always)]
pub(super) fn hint(own: u64, enemy: u64, point: u8) -> i32 {
    let bit = 1u64 << (point & 63);
    let around = SQUARES_OF.get(point as usize).copied().unwrap_or(0);
    let count = |set: u64| set.count_ones() as i32;
    let (ours, theirs) = (by_count(own), by_count(enemy));
    let (open, theirs_open) = (!squares_touching(enemy), !squares_touching(own));
    let beside = |squares: u64, stones: u64| count(neighbours(squares) & stones);

    let threats = ours[1] & open & around;
    let denied = theirs[2] & theirs_open & around;
    let hindered = theirs[1] & theirs_open & around;
    let mut score =
        THREATEN * count(threats) + BUILD * count(ours[0] & open & around) + CROWD * count(theirs[0] & around);
    score += THREATEN_EACH * beside(threats, enemy);
    score += DENY * count(denied) + DENY_EACH * beside(denied, own);
    score += HINDER * count(hindered) + HINDER_EACH * beside(hindered, own);
    // Squares of three that the enemy completes elsewhere and that would take the new stone.
    let elsewhere = theirs[2] & theirs_open & !around;
    score -= EXPOSED * count(elsewhere & squares_beside(bit));
    score.clamp(-8192, 8192)
}
