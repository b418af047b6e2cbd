//! `Runner`: starts jobs side by side and sees each of them to its end.
//!
//! Each job has a few threads of its own: one for each stream, which may stay behind when a process that we cannot end keeps a
//! pipe open, and one that waits for the first process. What they notice wakes `run` at once; only signals and the time
//! are looked for now and then.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::capture::{self, Stream};
use super::job::{Job, RunEnd, RunResult};
use super::process_tree::ProcessTree;
use super::running_jobs::RunningJobs;
use super::signals;
use super::start::{self, StartedJob, runner_error};
use crate::diagnostic::Diagnostic;

/// How often a running job looks for signals and tells how long it has run.
pub(super) const TICK: Duration = Duration::from_millis(50);
/// How long to wait for the end of the streams once everybody who could write is ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Runs jobs. Shared by reference between threads.
pub(crate) struct Runner<'p> {
    running: RunningJobs<'p>,
}

impl<'p> Runner<'p> {
    /// Returns one that tells `progress` about every 100 ms, while something runs, what does: "running ruff 1.2 s,
    /// mypy 3.4 s". It may be told from any thread.
    pub(crate) fn new(progress: &'p (dyn Fn(&str) + Send + Sync)) -> Runner<'p> {
        Runner {
            running: RunningJobs::new(progress),
        }
    }

    /// Runs one job to its end. Fails only when it is us who cannot: no pipe, no thread, no such folder.
    pub(crate) fn run(&self, job: &Job) -> Result<RunResult, Diagnostic> {
        let hold = signals::hold()?;
        let mut ran = match signals::caught() {
            Some(_) => RunResult::nothing(RunEnd::Interrupted),
            None => self.begin(job)?,
        };
        drop(hold);
        // Somebody who asks us to go just as the program ends still wants nothing to come of it.
        if signals::caught().is_some() {
            ran.end = RunEnd::Interrupted;
        }
        Ok(ran)
    }

    /// Runs `jobs` side by side, at most as many at a time as there are cores, and returns what they came to in the same order.
    pub(crate) fn run_all(&self, jobs: &[Job]) -> Result<Vec<RunResult>, Diagnostic> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(index) else { return };
                let ran = self.run(job);
                done.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push((index, ran));
            }
        };
        thread::scope(|scope| {
            for _ in 1..cores.min(jobs.len()) {
                // One thread fewer makes it slower, not wrong.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, ran)| ran).collect()
    }

    /// Finds the program, starts it and sees it through.
    fn begin(&self, job: &Job) -> Result<RunResult, Diagnostic> {
        let stdin = if job.input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        };
        match start::start(job, stdin)? {
            StartedJob::Running { child, tree, since } => self.see_through(job, child, tree, since),
            StartedJob::Missing(why) => Ok(RunResult::nothing(RunEnd::Missing(why))),
        }
    }

    /// Waits for the end of a started program, or brings it about, and collects what it wrote.
    fn see_through(
        &self,
        job: &Job,
        mut child: Child,
        tree: ProcessTree,
        started: Instant,
    ) -> Result<RunResult, Diagnostic> {
        let (sender, events) = mpsc::channel();
        let listening =
            start_threads(job, &mut child, &sender).map_err(runner_error(job, "listen to"));
        let cause = listening
            .as_ref()
            .ok()
            .map(|_| self.attend(job, &events, started));
        let duration = started.elapsed();
        tree.end();
        let status = child.try_wait();
        drop(tree);
        let streams = listening?;
        let end = match cause {
            Some(Cause::TimedOut) => RunEnd::TimedOut,
            Some(Cause::Interrupted) => RunEnd::Interrupted,
            Some(Cause::Exited) | None => {
                end_of(status).map_err(runner_error(job, "learn the end of"))?
            }
        };
        streams.wait(&events);
        Ok(RunResult {
            end,
            stdout: streams.stdout.take(),
            stderr: streams.stderr.take(),
            duration,
        })
    }

    /// Waits until the program has ended or has to be.
    fn attend(&self, job: &Job, events: &Receiver<JobEvent>, started: Instant) -> Cause {
        let _entry = self.running.start(&job.name);
        loop {
            self.running.report();
            if signals::caught().is_some() {
                return Cause::Interrupted;
            }
            let left = job.timeout.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Cause::TimedOut;
            }
            if let Ok(JobEvent::Exited) = events.recv_timeout(left.min(TICK)) {
                return Cause::Exited;
            }
        }
    }
}

/// Why a run ended.
enum Cause {
    Exited,
    TimedOut,
    Interrupted,
}

/// What the threads of a job notice.
enum JobEvent {
    /// The first process is through; it waits to be reaped.
    Exited,
    /// A stream has ended, so far as we can read it.
    Closed,
}

/// A job's streams.
struct Streams {
    stdout: Stream,
    stderr: Stream,
}

impl Streams {
    /// Waits until both have ended, within reason.
    fn wait(&self, events: &Receiver<JobEvent>) {
        let began = Instant::now();
        while !(self.stdout.has_ended() && self.stderr.has_ended()) {
            let left = LAST_WORDS.saturating_sub(began.elapsed());
            if left.is_zero() || events.recv_timeout(left).is_err() {
                return;
            }
        }
    }
}

/// Starts the threads of a job.
fn start_threads(job: &Job, child: &mut Child, sender: &Sender<JobEvent>) -> io::Result<Streams> {
    let closed = || {
        let sender = sender.clone();
        move || drop(sender.send(JobEvent::Closed))
    };
    let no_pipe = || io::Error::other("it has no such stream");
    let stdout = Stream::read(
        child.stdout.take().ok_or_else(no_pipe)?,
        capture::OUTPUT,
        closed(),
    )?;
    let stderr = Stream::read(
        child.stderr.take().ok_or_else(no_pipe)?,
        capture::COMPLAINTS,
        closed(),
    )?;
    if let Some(pipe) = child.stdin.take() {
        capture::feed_input(pipe, job.input.clone())?;
    }
    let (sender, pid) = (sender.clone(), Pid::from_child(child));
    thread::Builder::new().spawn(move || {
        // Not reaped: its number is the group's, and nobody else may get it before the group has ended.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(pid), options).is_err_and(|error| error == Errno::INTR) {}
        drop(sender.send(JobEvent::Exited));
    })?;
    Ok(Streams { stdout, stderr })
}

pub(super) fn end_of(status: io::Result<Option<ExitStatus>>) -> io::Result<RunEnd> {
    let status = status?.ok_or_else(|| io::Error::other("it is said to have ended and has not"))?;
    let code = status
        .code()
        .map(RunEnd::Exited)
        .or(status.signal().map(RunEnd::Signalled));
    code.ok_or_else(|| io::Error::other(status.to_string()))
}
