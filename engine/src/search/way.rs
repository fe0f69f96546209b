//! Making way for the thread that reads commands.
//!
//! With as many threads searching as there are processors, a command that comes has to wait until the system takes a processor away from
//! one of them, up to 4 ms on Linux (a tick at 250 Hz). So every searching thread asks now and then whether one waits, and rests for a moment
//! if it does.
use std::sync::OnceLock;
use std::time::Duration;

/// The shortest sleep that Linux offers by default.
const REST: Duration = Duration::from_micros(50);

/// Whether a command waits. Nobody is asked as long as nobody can tell.
static WAITS: OnceLock<fn() -> bool> = OnceLock::new();

/// Has all searches of this process make way when `waits` says so; the first caller's holds.
pub fn make_way_when(waits: fn() -> bool) {
    let _ = WAITS.set(waits);
}

/// Rests for a moment if a command waits. To ask costs a system call; asked a few times in a
/// millisecond that is not to be measured, and once in a millisecond lets a command wait for two.
pub(super) fn make_way() {
    if WAITS.get().is_some_and(|waits| waits()) {
        std::thread::sleep(REST);
    }
}
