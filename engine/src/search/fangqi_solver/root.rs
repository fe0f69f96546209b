//! The solver as the search calls it at its root.
use super::{Progress, Resources, placements_left, solve_within};
use crate::games::fangqi::Fangqi;
use crate::search::api::Report;
use crate::search::score::{Bound, Score};
use crate::search::searchable::{Means, Searchable, Solved};
use crate::search::strength::Ladder;
use std::time::{Duration, Instant};

/// With more placements left than this nothing is tried, however much time there is.
const REACH: u32 = 18;
/// The same where no time limit ends the attempt: who analyses without a limit wants to see lines within seconds.
const UNLIMITED_REACH: u32 = 16;
/// What a position with [`BASE_LEFT`] placements left takes one thread at worst, and the factor for each placement more. Measured
/// with `fangqi_solve` on positions reached by play, with a margin.
const BASE_TIME: Duration = Duration::from_millis(120);
const BASE_LEFT: u32 = 12;
const GROWTH: f64 = 2.5;
/// Size of the table, in MiB. Four times as much was no faster from 12 placements to 16, and the process keeps the table.
const TABLE: usize = 16;

impl Searchable for Fangqi {
    const LADDER: &'static Ladder = &[
        800, 1058, 1290, 1409, 1544, 1661, 1756, 1814, 1869, 1969, 2095, 2213, 2317, 2407, 2454, 2477, 2518, 2545,
        2573, 2600,
    ];

    fn moves_left(&self) -> Option<u32> {
        Some(placements_left(self).div_ceil(2))
    }

    fn solve(&self, means: &Means<'_>) -> Option<Solved> {
        let left = placements_left(self);
        let reach = if means.time.is_some() { REACH } else { UNLIMITED_REACH };
        if left > reach {
            return None;
        }
        let expected = BASE_TIME.as_secs_f64() * GROWTH.powi(left as i32 - BASE_LEFT as i32);
        if means.time.is_some_and(|time| time.as_secs_f64() * (means.threads as f64).sqrt() < expected) {
            return None;
        }
        let deadline = means.time.and_then(|time| Instant::now().checked_add(time));
        let resources = Resources { threads: means.threads, hash_mib: TABLE, deadline, control: means.control };
        let solved = solve_within(self, &resources, &mut |progress| means.reporter.message(&describe(progress)))?;
        let plies = solved.pv.len().max(left as usize) as i32;
        let score = match solved.sign {
            1 => Score::Mate((plies + 1) / 2),
            -1 => Score::Mate(-(plies + 1) / 2),
            _ => Score::Cp(0),
        };
        means.reporter.report(&Report {
            depth: left,
            seldepth: left,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: solved.nodes,
            time: means.control.thought(),
            hashfull: 0,
            pv: &solved.pv,
        });
        Some(Solved { score, line: solved.pv, nodes: solved.nodes })
    }
}

/// What is proved, in stones for the side to move.
fn describe(progress: &Progress) -> String {
    let bound = |name: &str, value: Option<i32>| value.map(|v| format!(" {name} {v:+}")).unwrap_or_default();
    format!("proved stones{}{}", bound("at least", progress.at_least), bound("at most", progress.at_most))
}
