//! The transposition table, shared by all threads without locks and without undefined behaviour.
//!
//! An entry is two 64-bit atomics: the data, and the key xor the data (Hyatt and Mann, "A lock-less transposition table
//! implementation for parallel search chess engines", 2002). A torn entry, half one thread's and half another's, fails the key
//! comparison and counts as absent. Eight words, four entries, make one cache line.
use super::memory::Words;
use super::score::{Bound, MATE_BOUND, Value};
use crate::games::Move;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

const WORDS_PER_BUCKET: usize = 8;
const ENTRIES_PER_BUCKET: usize = 4;
const CACHE_LINE: usize = 64;
/// Ages are counted modulo this.
const AGES: u8 = 32;
/// Buckets that are noted as written: so many at least,
const NOTED: usize = 1 << 14;
/// and this part of a large table.
const NOTED_PART: usize = 64;

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or [`Move::NONE`].
    pub mv: Move,
    /// The value, mate distances counted from this position.
    pub value: Value,
    /// The static evaluation, [`super::score::NONE`] in check.
    pub eval: Value,
    /// Depth of the search behind the value, in plies.
    pub depth: i32,
    /// What the value is.
    pub bound: Bound,
    /// The position was on a principal variation.
    pub pv: bool,
}

impl Entry {
    fn pack(self, age: u8) -> u64 {
        let tail = u64::from(age) << 3 | u64::from(self.pv) << 2 | self.bound as u64;
        u64::from(self.mv.0)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | u64::from(self.depth as u8) << 48
            | tail << 56
    }

    fn unpack(data: u64) -> Entry {
        let tail = (data >> 56) as u8;
        Entry {
            mv: Move(data as u16),
            value: Value::from((data >> 16) as i16),
            eval: Value::from((data >> 32) as i16),
            depth: i32::from((data >> 48) as u8),
            bound: match tail & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: tail & 4 != 0,
        }
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// The buckets that have been written since the table was cleared, as long as they are few: after a short search nothing else needs
/// wiping.
#[derive(Debug)]
struct Written {
    buckets: Box<[AtomicU32]>,
    /// More than there is room for: unknown.
    count: AtomicUsize,
}

impl Written {
    fn new(buckets: usize) -> Written {
        let noted = NOTED.max(buckets / NOTED_PART);
        Written { buckets: (0..noted).map(|_| AtomicU32::new(0)).collect(), count: AtomicUsize::new(0) }
    }

    /// An empty place in a bucket has been filled.
    #[inline(always)]
    fn note(&self, bucket: usize) {
        if self.count.load(Ordering::Relaxed) > self.buckets.len() {
            return;
        }
        let place = self.count.fetch_add(1, Ordering::Relaxed);
        if let (Some(noted), Ok(bucket)) = (self.buckets.get(place), u32::try_from(bucket)) {
            noted.store(bucket, Ordering::Relaxed);
        } else {
            self.count.store(self.buckets.len() + 1, Ordering::Relaxed);
        }
    }

    /// The buckets, `None` when they were too many; forgets them.
    fn take(&mut self) -> Option<impl Iterator<Item = usize>> {
        let count = std::mem::take(self.count.get_mut());
        Some(self.buckets.get_mut(..count)?.iter_mut().map(|bucket| *bucket.get_mut() as usize))
    }
}

/// Shared by all threads of a search.
#[derive(Debug)]
pub struct Table {
    words: Words,
    buckets: usize,
    age: AtomicU8,
    written: Written,
}

impl Table {
    /// A table of `mebibytes` (at least one). It has all its memory from the beginning: a page that is handed out during a search holds up a
    /// `stop`.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(mebibytes: usize) -> Result<Table, String> {
        let mebibytes = mebibytes.max(1);
        let buckets = (mebibytes << 20) / CACHE_LINE;
        let words = Words::zeroed(buckets * WORDS_PER_BUCKET)
            .map_err(|error| format!("{mebibytes} MiB for the hash table cannot be had: {error}"))?;
        words.populate();
        Ok(Table { words, buckets, age: AtomicU8::new(0), written: Written::new(buckets) })
    }

    /// Forgets everything: what has been written, where that is little.
    pub fn clear(&mut self) {
        *self.age.get_mut() = 0;
        match self.written.take() {
            Some(written) => {
                written.for_each(|bucket| self.words.wipe(bucket * WORDS_PER_BUCKET..(bucket + 1) * WORDS_PER_BUCKET));
            }
            None => self.words.wipe_all(),
        }
    }

    /// Entries from before this call are the first to be replaced.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// Index of the first word of the bucket of a key.
    #[inline(always)]
    fn begin(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets as u128) >> 64) as usize * WORDS_PER_BUCKET
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let begin = self.begin(key);
        &self.words.as_slice()[begin..begin + WORDS_PER_BUCKET]
    }

    /// Says that this key will be asked for soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        self.words.prefetch(self.begin(key));
    }

    /// What is known of the position with this key; mate distances are made relative to the root by `ply`.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        for pair in self.bucket(key).chunks_exact(2) {
            let data = pair[1].load(Ordering::Relaxed);
            if pair[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                let mut entry = Entry::unpack(data);
                entry.value = from_table(entry.value, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Remembers a position. An entry of the same position loses only to something at least nearly as deep; otherwise the
    /// shallowest and oldest of the bucket goes.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut least = i32::MAX;
        let bucket = self.bucket(key);
        for (index, pair) in bucket.chunks_exact(2).enumerate() {
            let data = pair[1].load(Ordering::Relaxed);
            if pair[0].load(Ordering::Relaxed) ^ data == key {
                let old = Entry::unpack(data);
                if !entry.mv.is_some() {
                    entry.mv = old.mv;
                }
                let keeps = entry.bound != Bound::Exact && age_of(data) == age && entry.depth + 4 < old.depth;
                if keeps {
                    return;
                }
                victim = index;
                break;
            }
            let staleness = i32::from((AGES + age - age_of(data)) % AGES);
            let worth = if data == 0 { i32::MIN } else { i32::from((data >> 48) as u8) - 8 * staleness };
            if worth < least {
                least = worth;
                victim = index;
            }
        }
        if least == i32::MIN {
            self.written.note(self.begin(key) / WORDS_PER_BUCKET);
        }
        entry.value = to_table(entry.value, ply);
        let data = entry.pack(age);
        debug_assert!(victim < ENTRIES_PER_BUCKET);
        bucket[2 * victim].store(key ^ data, Ordering::Relaxed);
        bucket[2 * victim + 1].store(data, Ordering::Relaxed);
    }

    /// Permille of the first thousand entries that the current search has written.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let used = self.words.as_slice().chunks_exact(2).take(1000).filter(|pair| {
            let data = pair[1].load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        });
        used.count() as u32
    }
}

/// Distances to the end are kept relative to the position they belong to.
fn to_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value + ply as Value
    } else if value <= -MATE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

fn from_table(value: Value, ply: usize) -> Value {
    if value >= super::score::NONE {
        value
    } else if value >= MATE_BOUND {
        value - ply as Value
    } else if value <= -MATE_BOUND {
        value + ply as Value
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::MATE;

    fn entry(value: Value, depth: i32) -> Entry {
        Entry { mv: Move(77), value, eval: -123, depth, bound: Bound::Exact, pv: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(42, 0), None);
        table.store(42, 0, entry(-250, 7));
        assert_eq!(table.probe(42, 0), Some(entry(-250, 7)));
        assert_eq!(table.probe(43, 0), None);
    }

    #[test]
    fn mate_distances_count_from_the_position() {
        let table = Table::new(1).unwrap();
        table.store(1, 5, entry(MATE - 9, 3));
        assert_eq!(table.probe(1, 2).unwrap().value, MATE - 6);
        table.store(2, 5, entry(-MATE + 9, 3));
        assert_eq!(table.probe(2, 2).unwrap().value, -MATE + 6);
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let table = Table::new(1).unwrap();
        for key in 1..=5 {
            table.store(key, 0, entry(0, key as i32 + 1));
        }
        assert_eq!(table.probe(1, 0), None);
        assert!((2..=5).all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn a_deep_entry_of_the_same_search_survives_a_shallow_bound() {
        let table = Table::new(1).unwrap();
        table.store(9, 0, entry(10, 12));
        table.store(9, 0, Entry { bound: Bound::Upper, ..entry(20, 2) });
        assert_eq!(table.probe(9, 0).unwrap().depth, 12);
        table.new_search();
        table.store(9, 0, Entry { bound: Bound::Upper, ..entry(20, 2) });
        assert_eq!(table.probe(9, 0).unwrap().depth, 2);
    }

    #[test]
    fn clearing_forgets_few_entries_and_many() {
        let mut table = Table::new(1).unwrap();
        // As many as can be noted, one more, and more than the table has room for.
        for count in [1, NOTED as u64, NOTED as u64 + 1, 200_000] {
            let keys = || (1..=count).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            keys().for_each(|key| table.store(key, 0, entry(10, 12)));
            assert!(keys().any(|key| table.probe(key, 0).is_some()));
            table.clear();
            assert!(table.words.as_slice().iter().all(|word| word.load(Ordering::Relaxed) == 0), "{count}");
        }
    }

    #[test]
    fn clearing_forgets() {
        let mut table = Table::new(2).unwrap();
        table.store(9, 0, entry(10, 12));
        table.clear();
        assert_eq!(table.probe(9, 0), None);
        assert_eq!(table.hashfull(), 0);
    }
}
