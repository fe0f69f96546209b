//! Whether a command waits on the standard input to be read, for searches that then make way.
use crate::search::way::make_way_when;
use std::sync::atomic::{AtomicBool, Ordering};

/// Somebody reads the standard input, and it is of a kind that says whether something waits.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// The standard input is read for commands from now on.
pub(super) fn watch() {
    WATCHED.store(input::tells(), Ordering::Relaxed);
    make_way_when(|| WATCHED.load(Ordering::Relaxed) && input::waits());
}

/// It is no longer read.
pub(super) fn unwatch() {
    WATCHED.store(false, Ordering::Relaxed);
}

#[cfg(unix)]
mod input {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{FileType, fstat};
    use rustix::stdio::stdin;

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
    pub(super) fn tells() -> bool {
        false
    }

    pub(super) fn waits() -> bool {
        false
    }
}
