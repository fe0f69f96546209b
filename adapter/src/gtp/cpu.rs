//! Processor time, for `cputime`.
use std::collections::BTreeMap;
use std::time::Duration;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Adds up the processor time of this program and of every engine process it has had.
#[derive(Debug, Default)]
pub(super) struct CpuMeter {
    engines: BTreeMap<u32, Duration>,
}

impl CpuMeter {
    /// Notes what a running engine has used so far. Called after each search, it misses at most what an engine did in the search
    /// that it did not survive.
    pub(super) fn note(&mut self, engine: u32) {
        if let Some(used) = used_by(Pid::from_u32(engine)) {
            let noted = self.engines.entry(engine).or_default();
            *noted = used.max(*noted);
        }
    }

    /// The sum.
    pub(super) fn total(&self) -> Duration {
        let own = sysinfo::get_current_pid().ok().and_then(used_by).unwrap_or_default();
        own + self.engines.values().sum::<Duration>()
    }
}

fn used_by(pid: Pid) -> Option<Duration> {
    let mut system = System::new();
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[pid]),
        false,
        ProcessRefreshKind::nothing().with_cpu().without_tasks(),
    );
    Some(Duration::from_millis(system.process(pid)?.accumulated_cpu_time()))
}
