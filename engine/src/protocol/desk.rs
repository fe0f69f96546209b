//! What lies between the reader and the session: commands in order, and the searches that are not yet answered.
use super::arena;
use super::command::{Command, PositionWords};
use super::dialect::Dialect;
use super::go::GoWords;
use crate::games::{RankBase, Variant};
use crate::search::team::Talk;
use crate::search::{Control, Table};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A `stop` this soon after an answer was meant for the search that has just ended.
const LATE_STOP: Duration = Duration::from_millis(500);

/// A search from the moment its `go` is read until it is answered.
#[derive(Debug)]
pub(super) struct Ticket {
    /// Stop and ponder state.
    pub(super) control: Control,
    /// Another search was unfinished when this one was asked for: its clock starts when its turn comes.
    pub(super) waits: bool,
    /// The search ends by itself, once it does not ponder (any more).
    finite: bool,
    /// Nothing limits the search after `ponderhit`.
    open_ponder: bool,
    /// The opponent offers a draw.
    draw_offered: AtomicBool,
}

impl Ticket {
    /// The search has to be told to end.
    fn is_endless(&self) -> bool {
        !self.finite || self.control.pondering()
    }

    /// The opponent offers a draw.
    pub(super) fn draw_offered(&self) -> bool {
        self.draw_offered.load(Ordering::Relaxed)
    }
}

/// A command on its way to the session.
#[derive(Debug)]
pub(super) struct Item {
    /// What is to be done.
    pub(super) command: Command,
    /// The protocol that was spoken when it came.
    pub(super) dialect: Dialect,
    /// Of a command that `stop` can end.
    pub(super) ticket: Option<Arc<Ticket>>,
}

/// What the running search lets others see.
#[derive(Debug, Clone)]
pub(super) struct Window {
    /// The game that is searched.
    pub(super) variant: Variant,
    /// Numbering of ranks.
    pub(super) base: RankBase,
    /// Its table.
    pub(super) table: Arc<Table>,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Item>,
    searches: VecDeque<Arc<Ticket>>,
    closed: bool,
    done: bool,
    answered: Option<Instant>,
    /// The session has come to the oldest search.
    begun: bool,
    window: Option<Window>,
    talk: Vec<Talk>,
}

/// What a `stop` met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    /// A search, or a search that has just ended.
    Search,
    /// Nothing at all.
    Idle,
}

/// How long at most the reader of the input waits for a search to begin.
const BEGINNING: Duration = Duration::from_millis(200);

/// The queue and the unfinished searches.
#[derive(Debug, Default)]
pub(super) struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a command in the queue.
    pub(super) fn submit(&self, command: Command, dialect: Dialect) {
        self.state().queue.push_back(Item { command, dialect, ticket: None });
        self.changed.notify_all();
    }

    /// Puts a search in the queue; from now on it can be stopped.
    pub(super) fn submit_search(&self, go: GoWords, dialect: Dialect) {
        let ticket = Ticket {
            control: Control::new(go.ponder && go.perft.is_none()),
            waits: self.is_searching(),
            finite: go.is_finite(),
            open_ponder: go.is_open_ponder(),
            draw_offered: AtomicBool::new(go.draw),
        };
        self.submit_ticket(Command::Go(Box::new(go)), dialect, ticket);
    }

    /// Puts other work in the queue that `stop` can end.
    pub(super) fn submit_work(&self, command: Command, dialect: Dialect) {
        let ticket = Ticket {
            control: Control::new(false),
            waits: false,
            finite: true,
            open_ponder: false,
            draw_offered: AtomicBool::new(false),
        };
        self.submit_ticket(command, dialect, ticket);
    }

    fn submit_ticket(&self, command: Command, dialect: Dialect, ticket: Ticket) {
        let ticket = Arc::new(ticket);
        let mut state = self.state();
        state.searches.push_back(Arc::clone(&ticket));
        state.queue.push_back(Item { command, dialect, ticket: Some(ticket) });
        self.changed.notify_all();
    }

    /// The next command; waits for one. `None` when there will be no more.
    pub(super) fn next(&self) -> Option<Item> {
        let mut state = self.state();
        loop {
            if let Some(item) = state.queue.pop_front() {
                return Some(item);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A search is about to be answered. Called before the answer is written, so that what the client sends on seeing it
    /// never meets the finished search.
    pub(super) fn finish(&self, ticket: &Arc<Ticket>) {
        let mut state = self.state();
        state.searches.retain(|t| !Arc::ptr_eq(t, ticket));
        state.answered = Some(Instant::now());
        (state.begun, state.window) = (false, None);
        self.changed.notify_all();
    }

    /// The session has come to a search; with a window [`Desk::look`] may look into its table until it is finished.
    pub(super) fn begin(&self, window: Option<Window>) {
        let mut state = self.state();
        (state.begun, state.window) = (true, window);
        self.changed.notify_all();
    }

    /// What the table of the running search knows of a position; `None` when no search is running that shows it. A search that
    /// is about to begin is waited for, though not for long: a question put behind it might have to wait for its end.
    pub(super) fn look(&self, words: &PositionWords) -> Option<String> {
        let about_to_begin = |state: &mut State| !state.begun && !state.done && !state.searches.is_empty();
        let waited = self.changed.wait_timeout_while(self.state(), BEGINNING, about_to_begin);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let window = state.window.clone();
        drop(state);
        let window = window?;
        Some(arena::probe(window.variant, words, window.base, &window.table))
    }

    /// The partner has said something: it is heeded by the next search, and being told to hurry by the one that runs.
    pub(super) fn hear(&self, talk: Talk) {
        let mut state = self.state();
        if talk == Talk::Go
            && let Some(ticket) = state.searches.front()
        {
            ticket.control.hurry();
        }
        state.talk.push(talk);
    }

    /// What the partner has said since the last search began.
    pub(super) fn take_talk(&self) -> Vec<Talk> {
        std::mem::take(&mut self.state().talk)
    }

    /// A search is running or waiting.
    pub(super) fn is_searching(&self) -> bool {
        !self.state().searches.is_empty()
    }

    /// Ends the oldest unfinished search that has not been told yet. Searches that would end by themselves are no reason to
    /// let a later, endless one run on: with one of them ends everything up to the first endless search. With `endless`, only
    /// that one is ended.
    pub(super) fn stop(&self, endless: bool) -> Stopped {
        let state = self.state();
        let open: Vec<&Arc<Ticket>> = state.searches.iter().filter(|t| !t.control.stopped()).collect();
        let count = open.iter().position(|t| t.is_endless()).map_or(1, |index| index + 1);
        open.into_iter().take(count).filter(|t| !endless || t.is_endless()).for_each(|t| t.control.stop());
        let late = state.answered.is_some_and(|at| at.elapsed() <= LATE_STOP);
        if state.searches.is_empty() && !late { Stopped::Idle } else { Stopped::Search }
    }

    /// The expected move was played: the oldest pondering search becomes an ordinary one. A draw offer is for that search, or for the
    /// one that runs.
    pub(super) fn ponder_hit(&self, draw: bool) {
        let state = self.state();
        let open = || state.searches.iter().filter(|t| !t.control.stopped());
        let Some(ticket) = open().find(|t| t.control.pondering()).or_else(|| open().next()) else { return };
        if draw {
            ticket.draw_offered.store(true, Ordering::Relaxed);
        }
        if ticket.control.pondering() {
            ticket.control.ponder_hit();
            if ticket.open_ponder {
                ticket.control.stop();
            }
        }
    }

    /// Nothing more will come: searches that would not end by themselves are stopped, with `at_once` all of them.
    pub(super) fn close(&self, at_once: bool) {
        let mut state = self.state();
        state.closed = true;
        state.searches.iter().filter(|t| at_once || t.is_endless()).for_each(|t| t.control.stop());
        self.changed.notify_all();
    }

    /// The session has executed everything.
    pub(super) fn set_done(&self) {
        self.state().done = true;
        self.changed.notify_all();
    }

    /// Waits until the session has executed everything, at most `patience`.
    pub(super) fn wait_done(&self, patience: Duration) {
        let until = Instant::now() + patience;
        let mut state = self.state();
        while !state.done {
            let Some(left) = until.checked_duration_since(Instant::now()) else { return };
            (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(desk: &Desk, text: &str) -> Arc<Ticket> {
        desk.submit_search(GoWords::parse(text), Dialect::Uci);
        Arc::clone(desk.state().searches.back().unwrap())
    }

    #[test]
    fn stop_binds_to_the_oldest_search_not_yet_stopped() {
        let desk = Desk::default();
        assert_eq!(desk.stop(false), Stopped::Idle);
        let (a, b, c) = (go(&desk, "infinite"), go(&desk, ""), go(&desk, "ponder wtime 5"));
        let stopped = || [&a, &b, &c].map(|t| t.control.stopped());
        desk.stop(false);
        assert_eq!(stopped(), [true, false, false]);
        desk.stop(false);
        assert_eq!(stopped(), [true, true, false]);
        desk.finish(&a);
        desk.finish(&b);
        assert_eq!(desk.stop(false), Stopped::Search);
        assert_eq!(stopped(), [true, true, true]);
        assert_eq!(desk.stop(false), Stopped::Search, "told already, but not idle");
        desk.finish(&c);
        assert_eq!(desk.stop(false), Stopped::Search, "too late, and meant for the last search");
    }

    #[test]
    fn stop_reaches_an_endless_search_behind_finite_ones() {
        let desk = Desk::default();
        let (a, b, c) = (go(&desk, "depth 3"), go(&desk, "infinite"), go(&desk, "infinite"));
        desk.stop(false);
        assert_eq!([&a, &b, &c].map(|t| t.control.stopped()), [true, true, false]);
        let desk = Desk::default();
        let (a, b) = (go(&desk, "depth 3"), go(&desk, "depth 4"));
        desk.stop(false);
        assert_eq!([&a, &b].map(|t| t.control.stopped()), [true, false]);
    }

    #[test]
    fn ponderhit_binds_to_the_oldest_pondering_search() {
        let desk = Desk::default();
        let (a, b, c) = (go(&desk, "depth 9"), go(&desk, "ponder wtime 5"), go(&desk, "ponder"));
        desk.ponder_hit(false);
        assert!(!b.control.pondering() && c.control.pondering());
        desk.ponder_hit(true);
        assert!(!c.control.pondering() && c.control.stopped(), "nothing to go by but the hit");
        assert!(c.draw_offered() && !a.draw_offered());
        desk.ponder_hit(true);
        assert!(a.draw_offered(), "an offer during an ordinary search");
    }

    #[test]
    fn end_of_input_lets_finite_searches_end() {
        let desk = Desk::default();
        let finite = ["depth 9", "wtime 5 btime 5", "perft 3", "mate 0", "mate 2 nodes 5"].map(|text| go(&desk, text));
        let endless = ["infinite", "ponder depth 3", "", "infinite depth 3", "mate 2", "mate 2 btime 9"]
            .map(|text| go(&desk, text));
        desk.close(false);
        assert!(finite.iter().all(|t| !t.control.stopped()));
        assert!(endless.iter().all(|t| t.control.stopped()));
        desk.close(true);
        assert!(finite.iter().all(|t| t.control.stopped()));
    }
}
