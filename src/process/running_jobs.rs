//! `RunningJobs`: what runs now and for how long, reported to a progress callback.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often it is reported, as long as something runs.
const EVERY: Duration = Duration::from_millis(100);

pub(super) type Progress<'p> = &'p (dyn Fn(&str) + Send + Sync);

/// What runs now.
pub(super) struct RunningJobs<'p> {
    progress: Progress<'p>,
    state: Mutex<RunningState>,
}

#[derive(Default)]
struct RunningState {
    /// In the order in which they started.
    running: Vec<JobEntry>,
    started: usize,
    last: Option<Instant>,
}

struct JobEntry {
    number: usize,
    name: String,
    since: Instant,
}

/// A job that runs; it is taken off the list when this is dropped.
pub(super) struct RunningJob<'b, 'p> {
    jobs: &'b RunningJobs<'p>,
    number: usize,
}

impl<'p> RunningJobs<'p> {
    /// Returns an empty one.
    pub(super) fn new(progress: Progress<'p>) -> RunningJobs<'p> {
        RunningJobs {
            progress,
            state: Mutex::default(),
        }
    }

    /// Lists a job as running from now on.
    pub(super) fn start(&self, name: &str) -> RunningJob<'_, 'p> {
        let mut state = self.state();
        state.started += 1;
        let number = state.started;
        state.running.push(JobEntry {
            number,
            name: name.to_owned(),
            since: Instant::now(),
        });
        RunningJob { jobs: self, number }
    }

    /// Reports what runs, unless that was done a moment ago.
    pub(super) fn report(&self) {
        let mut state = self.state();
        let now = Instant::now();
        if state
            .last
            .is_some_and(|last| now.duration_since(last) < EVERY)
        {
            return;
        }
        state.last = Some(now);
        let line = progress_line(&state.running, now);
        // The callback may take its time; the other jobs do not wait for it.
        drop(state);
        (self.progress)(&line);
    }

    fn state(&self) -> MutexGuard<'_, RunningState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningJob<'_, '_> {
    fn drop(&mut self) {
        self.jobs
            .state()
            .running
            .retain(|line| line.number != self.number);
    }
}

/// "running ruff 1.2 s, mypy 3.4 s".
fn progress_line(running: &[JobEntry], now: Instant) -> String {
    let seconds = |line: &JobEntry| now.duration_since(line.since).as_secs_f64();
    let each: Vec<String> = running
        .iter()
        .map(|line| format!("{} {:.1} s", line.name, seconds(line)))
        .collect();
    format!("running {}", each.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_listed_in_the_order_of_their_start() {
        let said = Mutex::new(Vec::new());
        let progress = |words: &str| said.lock().unwrap().push(words.to_owned());
        let jobs = RunningJobs::new(&progress);
        let first = jobs.start("ruff");
        let _second = jobs.start("mypy");
        jobs.report();
        jobs.report();
        drop(first);
        let _third = jobs.start("ruff");
        std::thread::sleep(EVERY);
        jobs.report();
        assert_eq!(
            *said.lock().unwrap(),
            [
                "running ruff 0.0 s, mypy 0.0 s",
                "running mypy 0.1 s, ruff 0.1 s"
            ]
        );
    }
}
