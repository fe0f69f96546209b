//! The strings by which the outside holds a running search. Made by whoever reads `go`, shared with the search.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Stop and ponder state of one search.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    hurried: AtomicBool,
    made: Mutex<Instant>,
    began: Mutex<Instant>,
    changed: Condvar,
}

impl Control {
    /// A search whose clock starts now, or at [`Control::ponder_hit`] when it ponders.
    pub fn new(ponder: bool) -> Control {
        Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            hurried: AtomicBool::new(false),
            made: Mutex::new(Instant::now()),
            began: Mutex::new(Instant::now()),
            changed: Condvar::new(),
        }
    }

    /// Asks the search to end. It answers within milliseconds.
    pub fn stop(&self) {
        let _guard = self.began.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The expected move was played: the clock starts now.
    pub fn ponder_hit(&self) {
        let mut began = self.began.lock().unwrap_or_else(PoisonError::into_inner);
        if self.pondering.swap(false, Ordering::Relaxed) {
            *began = Instant::now();
        }
        self.changed.notify_all();
    }

    /// True once the search has to end.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// True while the search works on the opponent's time.
    #[inline(always)]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Asks for an answer soon: no long thought any more, but no break either.
    pub fn hurry(&self) {
        self.hurried.store(true, Ordering::Relaxed);
    }

    /// True once somebody is waiting for the answer.
    pub fn hurried(&self) -> bool {
        self.hurried.load(Ordering::Relaxed)
    }

    /// Time on the clock of this search: since it was made, or since the ponder hit.
    pub fn elapsed(&self) -> Duration {
        self.began.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Time since the search was asked for, pondering included.
    pub fn thought(&self) -> Duration {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// The search could not begin when it was asked for, because another one was running: all its clocks start now.
    pub fn restart(&self) {
        let now = Instant::now();
        *self.made.lock().unwrap_or_else(PoisonError::into_inner) = now;
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Waits until the answer may be given: at once, or after `stop` when the search is `infinite`, or after `stop` or a ponder
    /// hit when it ponders.
    pub fn wait_until_released(&self, infinite: bool) {
        let mut guard = self.began.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stopped() && (infinite || self.pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
