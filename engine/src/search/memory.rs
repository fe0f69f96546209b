//! Memory of the transposition table: mapped in large pages where the system offers them, and asked for ahead of use.
//!
//! Random reads all over a large table miss the processor's address cache at nearly every probe when pages are of 4 KiB. Large
//! pages must be asked for, which the allocator of the standard library cannot do. Measured at 64 MiB: about a tenth more nodes per second.
#![allow(unsafe_code)]
use memmap2::{MmapMut, MmapRaw};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Words of 64 MiB: less than that is not worth a thread. Such a part begins a page of any size.
const PART: usize = 1 << 23;

/// Does something to all words from 0 to `count`, in parts, on all processors.
fn in_parts(count: usize, work: impl Fn(Range<usize>) + Sync) {
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let begin = next.fetch_add(PART, Ordering::Relaxed);
            if begin >= count {
                break;
            }
            work(begin..count.min(begin + PART));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count.div_ceil(PART));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without another thread it takes longer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
}

fn wipe(words: &[AtomicU64]) {
    for word in words {
        word.store(0, Ordering::Relaxed);
    }
}

/// Zeroed words, shared by all threads. They begin a page, hence a cache line.
#[derive(Debug)]
pub(super) struct Words {
    // No `MmapMut`: its pointer is taken from a reference to bytes that nobody may change meanwhile.
    map: MmapRaw,
}

impl Words {
    /// `count` words. The system hands the memory out as it is touched, so this takes no time.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub(super) fn zeroed(count: usize) -> io::Result<Words> {
        let map = MmapRaw::from(MmapMut::map_anon(count * size_of::<AtomicU64>())?);
        // Only a wish: without large pages the table is slower, not wrong.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Words { map })
    }

    /// Has the memory handed out now, so that no search waits for it. Where that cannot be asked for it is handed out as it is touched.
    pub(super) fn populate(&self) {
        #[cfg(target_os = "linux")]
        in_parts(self.as_slice().len(), |words| {
            let (begin, count) = (words.start * size_of::<AtomicU64>(), words.len() * size_of::<AtomicU64>());
            let _ = self.map.advise_range(memmap2::Advice::PopulateWrite, begin, count);
        });
    }

    /// Sets words to zero.
    pub(super) fn wipe(&mut self, words: Range<usize>) {
        wipe(self.as_slice().get(words).unwrap_or_default());
    }

    /// Sets all words to zero.
    pub(super) fn wipe_all(&mut self) {
        let all = self.as_slice();
        in_parts(all.len(), |words| wipe(all.get(words).unwrap_or_default()));
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is private to `self`, lives as long as the borrow, begins a page and holds a whole number of words;
        // any bits make an `AtomicU64`. The pointer is the mapping's own, good for reading and writing, and nothing but these
        // atomics reads or writes the memory.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast(), self.map.len() / size_of::<AtomicU64>()) }
    }

    /// Asks for the cache line of the word at `index`, which will be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(word) = self.as_slice().get(index) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: every x86-64 processor has the instruction, a prefetch reads nothing that the program could see, and the address is
            // that of a word.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_and_each_once() {
        for count in [0, 1, PART - 1, PART, PART + 1, 3 * PART + 5] {
            let parts = std::sync::Mutex::new(Vec::new());
            in_parts(count, |words| parts.lock().unwrap().push((words.start, words.end)));
            let mut parts = parts.into_inner().unwrap();
            parts.sort_unstable();
            assert_eq!(parts.iter().map(|(begin, end)| end - begin).sum::<usize>(), count);
            assert!(parts.iter().all(|(begin, end)| begin % PART == 0 && begin < end));
            assert!(parts.is_sorted_by(|one, two| one.1 == two.0));
        }
    }

    #[test]
    fn a_wiped_table_is_empty() {
        let mut words = Words::zeroed(PART + 100).unwrap();
        words.populate();
        for index in [0, 99, PART - 1, PART, PART + 99] {
            words.as_slice()[index].store(7, Ordering::Relaxed);
        }
        words.wipe(0..100);
        assert_eq!(words.as_slice().iter().filter(|word| word.load(Ordering::Relaxed) != 0).count(), 3);
        words.wipe_all();
        assert!(words.as_slice().iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }
}
