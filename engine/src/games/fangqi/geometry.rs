//! The 7×7 board in a `u64`: bit `rank * 7 + file`, a1 = 0, g7 = 48. A 2×2 square is named by its lower-left point, so a set of
//! squares is a set of points too, always within [`CORNERS`].
use crate::games::text::{RankBase, square_name};

/// Files, and ranks, of the board.
pub const FILES: usize = 7;
/// Number of points.
pub const POINTS: usize = 49;
/// Every point.
pub const FULL: u64 = (1 << POINTS) - 1;
/// Lower-left points of the 36 squares: files a–f, ranks 1–6.
pub const CORNERS: u64 = FULL >> FILES & !(FILE_A << 6);

const FILE_A: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
const NOT_FILE_A: u64 = FULL & !FILE_A;
const NOT_FILE_G: u64 = FULL & !(FILE_A << 6);
const NOT_FILES_FG: u64 = NOT_FILE_G & !(FILE_A << 5);

/// The squares a point belongs to: four inside, two at an edge, one in a corner.
pub const SQUARES_OF: [u64; POINTS] = {
    let mut table = [0; POINTS];
    let mut point = 0;
    while point < POINTS {
        let bit = 1u64 << point;
        let left = bit | (bit & NOT_FILE_A) >> 1;
        table[point] = (left | left >> FILES) & CORNERS;
        point += 1;
    }
    table
};

/// The name of a point, `d4`.
pub fn point_name(point: u8, base: RankBase) -> String {
    square_name(point as usize % FILES, point as usize / FILES, base)
}

/// The points of squares.
#[inline(always)]
pub const fn points_of(squares: u64) -> u64 {
    let row = squares | squares << 1;
    row | row << FILES
}

/// The squares that hold at least one of `points`.
#[inline(always)]
pub const fn squares_touching(points: u64) -> u64 {
    let row = points | points >> 1;
    // A shift wraps from file a to file g of the rank below, which is no corner.
    (row | row >> FILES) & CORNERS
}

/// The squares all of whose points are in `stones`.
#[inline(always)]
pub const fn complete(stones: u64) -> u64 {
    let row = stones & stones >> 1;
    row & row >> FILES & CORNERS
}

/// FQ-3: the points orthogonally adjacent to a point of one of `squares`, eight for a square away from the edge. Points of the
/// squares themselves are among them when squares overlap or touch.
#[inline(always)]
pub const fn neighbours(squares: u64) -> u64 {
    let column = squares | squares << FILES;
    let row = squares | squares << 1;
    (column & NOT_FILE_A) >> 1 | (column & NOT_FILES_FG) << 2 | row >> FILES | row << (2 * FILES) & FULL
}

/// The squares that have at least one of `points` among their [`neighbours`].
#[inline(always)]
pub const fn squares_beside(points: u64) -> u64 {
    let [a, b, c, d, e, f, g, h] = neighbour_planes(points);
    a | b | c | d | e | f | g | h
}

/// For each of the eight neighbour positions of a square the set of squares that have one of `points` there.
#[inline(always)]
pub const fn neighbour_planes(points: u64) -> [u64; 8] {
    let (left, right) = (CORNERS & NOT_FILE_A, CORNERS & NOT_FILES_FG);
    [
        points << 1 & left,
        points >> 6 & left,
        points >> 2 & right,
        points >> 9 & right,
        points << 7 & CORNERS,
        points << 6 & CORNERS,
        points >> 14 & CORNERS,
        points >> 15 & CORNERS,
    ]
}

/// The squares by the number of `stones` on them: element `n - 1` has those with exactly `n`.
#[inline(always)]
pub const fn by_count(stones: u64) -> [u64; 4] {
    let (a, b, c, d) = (stones, stones >> 1, stones >> FILES, stones >> (FILES + 1));
    let (low, low_carry, high, high_carry) = (a ^ b, a & b, c ^ d, c & d);
    let ones = low ^ high;
    let twos = low_carry ^ high_carry | low & high;
    [ones & !twos & CORNERS, twos & !ones & CORNERS, ones & twos & CORNERS, low_carry & high_carry & CORNERS]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bits::Squares;

    /// The definitions again, point by point.
    fn square_points(corner: u8) -> [u8; 4] {
        [corner, corner + 1, corner + 7, corner + 8]
    }

    fn square_neighbours(corner: u8) -> u64 {
        let inside = square_points(corner);
        let mut set = 0;
        for point in inside {
            let (file, rank) = (i32::from(point) % 7, i32::from(point) / 7);
            for (f, r) in [(file - 1, rank), (file + 1, rank), (file, rank - 1), (file, rank + 1)] {
                let other = r * 7 + f;
                if (0..7).contains(&f) && (0..7).contains(&r) && !inside.contains(&(other as u8)) {
                    set |= 1 << other;
                }
            }
        }
        set
    }

    #[test]
    fn corners_are_the_36_squares() {
        assert_eq!(CORNERS.count_ones(), 36);
        assert!(Squares(CORNERS).all(|c| c % 7 < 6 && c / 7 < 6));
    }

    #[test]
    fn tables_agree_with_the_definitions() {
        for corner in Squares(CORNERS) {
            let square = 1u64 << corner;
            assert_eq!(points_of(square), square_points(corner).iter().fold(0, |s, p| s | 1 << p));
            assert_eq!(neighbours(square), square_neighbours(corner), "corner {corner}");
            for point in 0..POINTS as u8 {
                let bit = 1u64 << point;
                let inside = square_points(corner).contains(&point);
                assert_eq!(SQUARES_OF[point as usize] & square != 0, inside);
                assert_eq!(squares_touching(bit) & square != 0, inside);
                assert_eq!(squares_beside(bit) & square != 0, square_neighbours(corner) & bit != 0);
            }
        }
    }

    #[test]
    fn counts_agree_with_counting() {
        let mut state = 1;
        for _ in 0..1000 {
            let (next, stones) = crate::board::zobrist::split_mix(state);
            state = next;
            let stones = stones & FULL;
            let sets = by_count(stones);
            for corner in Squares(CORNERS) {
                let count = (points_of(1 << corner) & stones).count_ones();
                for n in 1..=4 {
                    assert_eq!(sets[n as usize - 1] >> corner & 1 == 1, count == n);
                }
                assert_eq!(complete(stones) >> corner & 1 == 1, count == 4);
            }
        }
    }
}
