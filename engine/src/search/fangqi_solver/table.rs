//! The solver's memory: bounds on exact values, and which positions some thread is just searching.
use super::super::memory::Words;
use crate::games::fangqi::geometry::FULL;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Words of an entry; entries of a bucket.
const WORDS: usize = 2;
const BUCKET: usize = 4;
/// How many generations an entry's three bits tell apart.
const GENERATIONS: u64 = 8;
/// Values are stored in seven bits, this added.
const OFFSET: i32 = 64;
/// Below and above every value.
const LOWEST: i32 = -60;
const HIGHEST: i32 = 60;

/// What is known about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// The value is at least this.
    pub low: i32,
    /// The value is at most this.
    pub high: i32,
    /// A move that reached `low`, as a point; none: 63.
    pub best: u8,
}

/// No best move.
pub(super) const NO_POINT: u8 = 63;

impl Known {
    /// Nothing.
    pub(super) const NOTHING: Known = Known { low: LOWEST, high: HIGHEST, best: NO_POINT };

    /// Takes in the answer `value` of a search with a null window below `target`.
    pub(super) fn learn(&mut self, value: i32, target: i32) {
        if value >= target {
            self.low = self.low.max(value);
        } else {
            self.high = self.high.min(value);
        }
    }
}

/// A well-mixed word of a position: two multiplications whose upper halves come back down.
#[inline(always)]
pub(super) fn hash(own: u64, enemy: u64, left: u32) -> u64 {
    let product = u128::from(own ^ 0x9E37_79B9_7F4A_7C15 ^ u64::from(left) << 56)
        * u128::from(enemy.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0xA076_1D64_78BD_642F);
    let folded = product as u64 ^ (product >> 64) as u64;
    folded.wrapping_mul(0xE703_7ED1_A0B4_28DB) ^ folded >> 32
}

/// A table shared by threads without locks. An entry is the position itself (twice 49 points and the placements left) with its
/// bounds and the generation in which they were stored, in two words. The second is mixed with the first, so that halves of two
/// entries do not pass for one.
pub(super) struct ExactTable {
    words: Words,
    /// Which of the last eight positions is being solved. What others left is true, but it is less likely to be asked for.
    generation: u64,
    /// Number of buckets minus one; the number is a power of two.
    mask: u64,
    /// Large pages that have been handed out.
    pub(super) touched: usize,
}

/// Bytes of a large page of the usual processors.
const LARGE_PAGE: usize = 2 << 20;

/// The table of the last call. One is enough: who solves two positions at a time gets another for the second.
static SPARE: Mutex<Option<ExactTable>> = Mutex::new(None);

/// Buckets of a table of at most so many MiB, a power of two.
fn buckets(mebibytes: usize) -> u64 {
    let buckets = (mebibytes.max(1) << 20) / (8 * WORDS * BUCKET);
    1 << buckets.ilog2()
}

impl ExactTable {
    /// A table of at most `mebibytes` (at least one bucket); `None` when the memory cannot be had.
    pub(super) fn new(mebibytes: usize) -> Option<ExactTable> {
        let buckets = buckets(mebibytes);
        let words = Words::zeroed(buckets as usize * WORDS * BUCKET).ok()?;
        Some(ExactTable { words, generation: 0, mask: buckets - 1, touched: 0 })
    }

    /// The table that was kept, if it has `mebibytes`, or else a new one.
    pub(super) fn spare(mebibytes: usize) -> Option<ExactTable> {
        let kept = SPARE.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut table =
            kept.filter(|table| table.mask + 1 >= buckets(mebibytes)).or_else(|| ExactTable::new(mebibytes))?;
        table.age();
        Some(table)
    }

    /// Another position is to be solved.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Keeps the table for the next time.
    pub(super) fn keep(self) {
        *SPARE.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    /// Has the system hand out the memory, a large page at a time, unless `is_over`; the next call goes on. The first nodes would each wait for
    /// a page, and a few hundred of them pass before they look whether they are still wanted.
    pub(super) fn touch(&mut self, is_over: impl Fn() -> bool) {
        for word in self.words.as_slice().iter().step_by(LARGE_PAGE / size_of::<AtomicU64>()).skip(self.touched) {
            if is_over() {
                break;
            }
            word.store(0, Ordering::Relaxed);
            self.touched += 1;
        }
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        let start = (hash & self.mask) as usize * WORDS * BUCKET;
        &self.words.as_slice()[start..start + WORDS * BUCKET]
    }

    #[inline(always)]
    fn scramble(word: u64) -> u64 {
        word.wrapping_mul(0x9FB2_1C65_1E98_DF25).rotate_left(29)
    }

    /// What is known about a position.
    #[inline(always)]
    pub(super) fn probe(&self, hash: u64, own: u64, enemy: u64, left: u32) -> Option<Known> {
        let id = own | u64::from(left) << 49;
        for entry in self.bucket(hash).chunks_exact(WORDS) {
            let first = entry[0].load(Ordering::Relaxed);
            if first & ((1 << 55) - 1) == id {
                let second = entry[1].load(Ordering::Relaxed) ^ Self::scramble(first);
                if second & FULL == enemy {
                    return Some(Known {
                        low: (second >> 49 & 127) as i32 - OFFSET,
                        high: (second >> 56 & 127) as i32 - OFFSET,
                        best: (first >> 55 & 63) as u8,
                    });
                }
            }
        }
        None
    }

    /// Remembers what is known, in place of what was known of the position, or else of what an earlier generation left, or else of the
    /// least work in the bucket.
    #[inline(always)]
    pub(super) fn store(&self, hash: u64, own: u64, enemy: u64, left: u32, known: Known) {
        let id = own | u64::from(left) << 49;
        let first = id | u64::from(known.best) << 55 | self.generation << 61;
        let second = enemy | ((known.low + OFFSET) as u64) << 49 | ((known.high + OFFSET) as u64) << 56;
        let mut worst: Option<(u64, &[AtomicU64])> = None;
        for entry in self.bucket(hash).chunks_exact(WORDS) {
            let old = entry[0].load(Ordering::Relaxed);
            if old & ((1 << 55) - 1) == id && (entry[1].load(Ordering::Relaxed) ^ Self::scramble(old)) & FULL == enemy {
                worst = Some((0, entry));
                break;
            }
            let work = (old >> 49 & 63) + if old >> 61 == self.generation { 64 } else { 0 };
            if worst.is_none_or(|(least, _)| work < least) {
                worst = Some((work, entry));
            }
        }
        if let Some((_, entry)) = worst {
            entry[0].store(first, Ordering::Relaxed);
            entry[1].store(second ^ Self::scramble(first), Ordering::Relaxed);
        }
    }
}

/// Positions that some thread is just searching, so that others may look at something else first. Only a hint: slots are
/// overwritten freely.
pub(super) struct Busy(Box<[AtomicU64]>);

impl Busy {
    const SLOTS: usize = 1 << 12;

    pub(super) fn new() -> Busy {
        Busy((0..Busy::SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline(always)]
    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.0[(hash >> 40) as usize % Busy::SLOTS]
    }

    /// Some thread is searching the position.
    #[inline(always)]
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.slot(hash).load(Ordering::Relaxed) == hash
    }

    /// A search of the position begins.
    #[inline(always)]
    pub(super) fn enter(&self, hash: u64) {
        self.slot(hash).store(hash, Ordering::Relaxed);
    }

    /// The search of the position is over.
    #[inline(always)]
    pub(super) fn leave(&self, hash: u64) {
        let slot = self.slot(hash);
        if slot.load(Ordering::Relaxed) == hash {
            slot.store(0, Ordering::Relaxed);
        }
    }
}
