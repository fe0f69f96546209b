//! Local patterns of a fangqi board: what stands in each window of 3×3, 2×4 and 4×2 points is looked up in a table, and the sum of
//! what is found says what the counted features miss (as Othello programs do: M. Buro, "Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello", 1997).
//!
//! A window's content is a number of base three, a digit a point: 0 empty, 1 the viewer's stone, 2 the other's. Windows that the
//! symmetries of the board carry into each other share a table and are read in the same orientation.
use super::Layer;
use crate::board::Color;
use crate::games::fangqi::geometry::{FILES, POINTS};
use crate::games::position::Observer;

/// Windows of 3×3 points.
const BLOCKS: usize = 25;
/// Windows of 2×4 points, lying or standing.
const BARS: usize = 24;
/// All windows.
pub const WINDOWS: usize = BLOCKS + 2 * BARS;
/// A multiple of what a vector instruction adds at once.
const LANES: usize = 80;
/// Contents of a block.
pub const BLOCK_STATES: usize = 19_683;
/// Classes of blocks under the symmetries of the board, by the place nearest to a corner.
pub const BLOCK_CLASSES: usize = 6;
const BAR_STATES: usize = 6_561;
const BAR_CLASSES: usize = 6;
/// Entries of the table of one phase.
pub const ENTRIES: usize = BLOCK_CLASSES * BLOCK_STATES + BAR_CLASSES * BAR_STATES;
/// Phases of the game, by the stones in both hands.
pub const PHASES: usize = 5;
/// Entries of the file count half centipawns.
pub const GRAIN: i32 = 2;

/// Worth by phase and entry, in 1/[`GRAIN`] centipawns for the viewer.
static TABLE: &[u8; PHASES * ENTRIES] = include_bytes!("fangqi.pat");

struct Geometry {
    /// By point and window, the place value of the point's digit; 0 outside the window.
    places: [[u16; LANES]; POINTS],
    /// Where the table of a window begins.
    offsets: [u32; WINDOWS],
}

static GEOMETRY: Geometry = geometry();

/// Turns a coordinate so that `at` lies in the first half of `0..=last`: that coordinate, and whether it was turned.
const fn folded(at: usize, last: usize) -> (usize, bool) {
    if 2 * at > last { (last - at, true) } else { (at, false) }
}

const fn geometry() -> Geometry {
    let mut geometry = Geometry { places: [[0; LANES]; POINTS], offsets: [0; WINDOWS] };
    let mut window = 0;
    while window < BLOCKS {
        let (rank, file) = (window / 5, window % 5);
        let ((low, flip_ranks), (high, flip_files)) = (folded(rank, 4), folded(file, 4));
        let transpose = low > high;
        let (low, high) = if transpose { (high, low) } else { (low, high) };
        // Row `low` of a triangle whose rows have 3, 2, 1 entries.
        let class = low * (7 - low) / 2 + high - low;
        geometry.offsets[window] = (class * BLOCK_STATES) as u32;
        let mut cell = 0;
        while cell < 9 {
            let (i, j) = (cell / 3, cell % 3);
            let (a, b) = (if flip_ranks { 2 - i } else { i }, if flip_files { 2 - j } else { j });
            let digit = if transpose { 3 * b + a } else { 3 * a + b };
            geometry.places[(rank + i) * FILES + file + j][window] = 3u16.pow(digit as u32);
            cell += 1;
        }
        window += 1;
    }
    while window < WINDOWS {
        let standing = window >= BLOCKS + BARS;
        let index = (window - BLOCKS) % BARS;
        // Of a standing bar: file and rank exchanged.
        let (short, long) = (index / 4, index % 4);
        let ((low, flip_short), (high, flip_long)) = (folded(short, 5), folded(long, 3));
        geometry.offsets[window] = (BLOCK_CLASSES * BLOCK_STATES + (2 * low + high) * BAR_STATES) as u32;
        let mut cell = 0;
        while cell < 8 {
            let (i, j) = (cell / 4, cell % 4);
            let (a, b) = (if flip_short { 1 - i } else { i }, if flip_long { 3 - j } else { j });
            let (x, y) = (short + i, long + j);
            let point = if standing { y * FILES + x } else { x * FILES + y };
            geometry.places[point][window] = 3u16.pow((4 * a + b) as u32);
            cell += 1;
        }
        window += 1;
    }
    geometry
}

/// The contents of all windows, as White and as Black see them.
#[derive(Debug, Clone, PartialEq)]
pub struct Patterns {
    views: [[u16; LANES]; 2],
}

impl Default for Patterns {
    fn default() -> Self {
        Patterns { views: [[0; LANES]; 2] }
    }
}

impl Patterns {
    #[inline(always)]
    fn change(&mut self, color: usize, point: u8, is_added: bool) {
        let places = &GEOMETRY.places[point as usize];
        for (view, contents) in self.views.iter_mut().enumerate() {
            let digit = if view == color { 1 } else { 2 };
            let digit = if is_added { digit } else { 0u16.wrapping_sub(digit) };
            for (content, place) in contents.iter_mut().zip(places) {
                *content = content.wrapping_add(place.wrapping_mul(digit));
            }
        }
    }

    /// The entries of a phase's table that `view` finds in its windows.
    #[inline(always)]
    pub fn entries(&self, view: Color) -> impl Iterator<Item = usize> {
        let contents = &self.views[view.index()];
        GEOMETRY.offsets.iter().zip(contents).map(|(&offset, &content)| offset as usize + content as usize)
    }
}

impl Observer for Patterns {
    #[inline(always)]
    fn add(&mut self, piece: usize, square: u8) {
        self.change(piece, square, true);
    }
    #[inline(always)]
    fn remove(&mut self, piece: usize, square: u8) {
        self.change(piece, square, false);
    }
}

impl Layer for Patterns {
    const NAME: &'static str = "patterns";

    #[inline(always)]
    fn value(&self, side: Color, bucket: usize) -> i32 {
        let begin = bucket.min(PHASES - 1) * ENTRIES;
        let table = &TABLE[begin..begin + ENTRIES];
        let sum: i32 = self.entries(side).map(|entry| i32::from(table[entry] as i8)).sum();
        sum / GRAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contents that one stone of White's on `point` gives, sorted, with the table of each.
    fn seen(stones: &[(usize, u8)]) -> Vec<usize> {
        let mut patterns = Patterns::default();
        stones.iter().for_each(|&(color, point)| patterns.add(color, point));
        let mut entries: Vec<usize> = patterns.entries(Color::White).collect();
        entries.sort_unstable();
        entries
    }

    #[test]
    fn a_window_reads_its_points_as_digits() {
        // Point 0 is in the corner: first cell of the block and of both bars there.
        let mut patterns = Patterns::default();
        patterns.add(1, 0);
        let own: Vec<usize> = patterns.entries(Color::Black).collect();
        let other: Vec<usize> = patterns.entries(Color::White).collect();
        assert_eq!((own[0], other[0]), (1, 2));
        let bars = BLOCK_CLASSES * BLOCK_STATES;
        assert_eq!((own[BLOCKS], other[BLOCKS + BARS]), (bars + 1, bars + 2));
        patterns.remove(1, 0);
        assert_eq!(patterns, Patterns::default());
    }

    #[test]
    fn mirrored_boards_have_the_same_entries_off_the_axes() {
        // Bars lie on no axis; blocks on an axis are read in one orientation only, which the table's symmetry makes good.
        let stones = [(0, 3u8), (1, 10), (0, 24), (1, 41), (0, 47), (1, 5)];
        let mirrored: Vec<(usize, u8)> = stones.iter().map(|&(c, p)| (c, p / 7 * 7 + 6 - p % 7)).collect();
        let transposed: Vec<(usize, u8)> = stones.iter().map(|&(c, p)| (c, p % 7 * 7 + p / 7)).collect();
        let bars = |entries: Vec<usize>| {
            entries.into_iter().filter(|&e| e >= BLOCK_CLASSES * BLOCK_STATES).collect::<Vec<_>>()
        };
        assert_eq!(bars(seen(&stones)), bars(seen(&mirrored)));
        assert_eq!(bars(seen(&stones)), bars(seen(&transposed)));
    }
}
