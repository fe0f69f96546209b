//! Making way for the thread that reads commands.
//!
//! With as many threads searching as there are processors, a command that comes has to wait until the system takes a processor away from
//! one of them, up to 4 ms on Linux (a tick at 250 Hz). So every searching thread looks now and then whether input waits, and rests for a
//! moment if it does.
use std::sync::atomic::{AtomicBool, Ordering};

/// Somebody reads the standard input, and it is of a kind that says whether something waits.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// The standard input is read for commands from now on.
pub fn watch_input() {
    WATCHED.store(input::tells(), Ordering::Relaxed);
}

/// It is no longer read.
pub fn unwatch_input() {
    WATCHED.store(false, Ordering::Relaxed);
}

/// Rests for a moment if input waits. Costs a system call; once in a millisecond is often enough.
pub(super) fn make_way() {
    if WATCHED.load(Ordering::Relaxed) && input::waits() {
        std::thread::sleep(input::REST);
    }
}

#[cfg(unix)]
mod input {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{FileType, fstat};
    use rustix::stdio::stdin;
    use std::time::Duration;

    /// The shortest sleep that Linux offers by default.
    pub(super) const REST: Duration = Duration::from_micros(50);

    /// A file always has something to read, even at its end.
    pub(super) fn tells() -> bool {
        fstat(stdin())
            .is_ok_and(|stat| matches!(FileType::from_raw_mode(stat.st_mode), FileType::Fifo | FileType::Socket))
            || rustix::termios::isatty(stdin())
    }

    pub(super) fn waits() -> bool {
        let stdin = stdin();
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)).is_ok_and(|count| count > 0) && fds.iter().all(|fd| fd.revents() == PollFlags::IN)
    }
}

#[cfg(not(unix))]
mod input {
    use std::time::Duration;

    pub(super) const REST: Duration = Duration::ZERO;

    pub(super) fn tells() -> bool {
        false
    }

    pub(super) fn waits() -> bool {
        false
    }
}
