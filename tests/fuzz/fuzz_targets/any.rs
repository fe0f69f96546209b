//! Every target is a program of this one file; its name says which.
#![no_main]
use sanqi_tests::targets::{Target, find};
use std::sync::OnceLock;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    static TARGET: OnceLock<Target> = OnceLock::new();
    (TARGET.get_or_init(|| find(env!("CARGO_BIN_NAME"))).run)(data);
});
