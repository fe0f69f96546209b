//! Every target is a program of this one file; its name says which. After every million lines that it was given it tells so.
#![no_main]
use sanqi_tests::targets::{Target, find};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const TOLD: u64 = 1_000_000;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    static TARGET: OnceLock<Target> = OnceLock::new();
    static LINES: AtomicU64 = AtomicU64::new(0);
    let count = 1 + data.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let before = LINES.fetch_add(count, Relaxed);
    if (before + count) / TOLD > before / TOLD {
        eprintln!("{} lines", before + count);
    }
    (TARGET.get_or_init(|| find(env!("CARGO_BIN_NAME"))).run)(data);
});
