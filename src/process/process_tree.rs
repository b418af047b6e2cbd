//! `ProcessTree`: everything that a job started, wherever it went, and its end.
//!
//! A child may leave its group (`setsid`), its parent (a daemon forks twice) and the pipes. What it cannot leave is the
//! line of descent: while jobs run, this process is the one that the kernel gives orphans to (a subreaper). An
//! orphan belongs to the job in whose group it is or whose mark its environment carries; one that carries no mark is ended
//! with the last of the running jobs, whose orphan it must be, unless it is older than all of them or in our own group,
//! where the git program and what else this process runs for itself live.
//!
//! Invariant: only numbers that cannot have gone to somebody else are signalled or reaped. A job's first process stays
//! unreaped, and so keeps the number of its group, until its tree has ended.
//!
//! Known limits: what asks another daemon to run something (systemd-run, at, docker) is out of reach, and so is what
//! another user owns (sudo). A daemon with a group of its own that git starts for itself while jobs run, a gpg-agent, is
//! taken for theirs. If we are killed by SIGKILL, the jobs run on. Without /proc only the group is ended.

use std::io;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, child_subreaper, getpgrp, getpid,
    kill_process_group, set_child_subreaper, waitid, waitpid,
};

use super::process_table::{Process, ProcessTable};

/// The variable that marks what a job started.
pub(super) const MARK: &str = "SEGEDIT_JOB";

/// How long processes have that were asked to end.
const GRACE: Duration = Duration::from_millis(200);
/// How long to wait for processes that were killed: one that the kernel cannot end now may not keep us.
const PATIENCE: Duration = Duration::from_millis(500);

/// The trees of the running jobs, and what is to be put back after the last of them.
struct JobRegistry {
    trees: usize,
    begun: usize,
    roots: Vec<Pid>,
    /// When the first of the roots started.
    since: Option<u64>,
    /// Who was given orphans before.
    was_reaper: Option<Pid>,
}

static REGISTRY: Mutex<JobRegistry> = Mutex::new(JobRegistry {
    trees: 0,
    begun: 0,
    roots: Vec::new(),
    since: None,
    was_reaper: None,
});

/// A job's processes. When the last of all trees is dropped, every orphan is ended.
pub(super) struct ProcessTree {
    mark: String,
    root: Option<Pid>,
}

impl ProcessTree {
    /// Returns an empty one; from now on this process is given orphans.
    pub(super) fn begin() -> ProcessTree {
        let mut registry = registry();
        if registry.trees == 0 {
            registry.since = None;
            registry.was_reaper = child_subreaper().ok().flatten();
            // Where the kernel cannot do this, orphans are lost to us, and the group is what can be ended.
            let _ = set_child_subreaper(Some(getpid()));
        }
        registry.trees += 1;
        registry.begun += 1;
        ProcessTree {
            mark: format!("{}-{}", getpid().as_raw_nonzero(), registry.begun),
            root: None,
        }
    }

    /// Returns the value of `MARK` for what belongs to it.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Lets `spawn` start the job's first process: a child of ours that leads a group of its own, to be reaped after `end`.
    pub(super) fn spawn_root(
        &mut self,
        spawn: impl FnOnce() -> io::Result<Child>,
    ) -> io::Result<Child> {
        // Until it is known as a root, no thread may look for orphans: it would be taken for one.
        let mut registry = registry();
        let child = spawn()?;
        let root = Pid::from_child(&child);
        registry.roots.push(root);
        registry.since = registry
            .since
            .into_iter()
            .chain(Process::read(root).map(|process| process.start))
            .min();
        self.root = Some(root);
        Ok(child)
    }

    /// Ends all that belongs to it: asks, waits a moment, kills. The first process is left to be reaped.
    pub(super) fn end(&self) {
        let Some(root) = self.root else { return };
        let mark = format!("{MARK}={}", self.mark).into_bytes();
        let own =
            |process: &Process| process.pid == root || process.group == root.as_raw_nonzero().get();
        let belongs = |process: &Process| {
            own(process) || registry().is_no_root(process) && process.has_variable(&mark)
        };
        let may_reap = |process: &Process| registry().is_orphan(process);
        if end_all(Some(root), &belongs, &may_reap).is_none() {
            end_group(root);
        }
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        let mut registry = registry();
        registry.roots.retain(|&root| Some(root) != self.root);
        registry.trees -= 1;
        if registry.trees == 0 {
            // No tree can begin before this returns.
            let is_orphan = |process: &Process| registry.is_orphan(process);
            end_all(None, &is_orphan, &is_orphan);
            let _ = set_child_subreaper(registry.was_reaper);
        }
    }
}

impl JobRegistry {
    /// Says whether `child`, a child of ours, is no root of a tree: an orphan, or what this process runs for itself.
    fn is_no_root(&self, child: &Process) -> bool {
        !self.roots.contains(&child.pid)
    }

    /// Says whether it can only be one that lost its parent in one of these trees.
    fn is_orphan(&self, child: &Process) -> bool {
        let ours = child.group == getpgrp().as_raw_nonzero().get();
        !ours && self.is_no_root(child) && self.since.is_some_and(|since| child.start >= since)
    }
}

fn registry() -> MutexGuard<'static, JobRegistry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends those of our children that `belongs` says and all that descends from them, with the group of `root`, and reaps the
/// dead that `may_reap` says. Returns `None` where the processes cannot be listed.
fn end_all(
    root: Option<Pid>,
    belongs: &dyn Fn(&Process) -> bool,
    may_reap: &dyn Fn(&Process) -> bool,
) -> Option<()> {
    let mut search = ProcessSearch {
        belongs,
        may_reap,
        known: Vec::new(),
        gone: Vec::new(),
    };
    for (signal, patience) in [(Signal::TERM, GRACE), (Signal::KILL, PATIENCE)] {
        let began = Instant::now();
        let mut pause = Duration::ZERO;
        let mut was_empty = false;
        loop {
            let living = search.survivors()?;
            // One that goes on forking may have been between two processes while the list was read.
            if living.is_empty() && (was_empty || search.known.is_empty()) {
                return Some(());
            }
            was_empty = living.is_empty();
            if began.elapsed() >= patience {
                break;
            }
            if let Some(root) = root.filter(|_| signal == Signal::KILL) {
                // All at once: a group that forks faster than it is counted does not get away.
                let _ = kill_process_group(root, signal);
            }
            for process in living {
                let known = process.is_one_of(&search.known);
                if !known || signal == Signal::KILL {
                    process.signal(signal);
                }
                if !known {
                    // It goes on in new processes: no pause until there are no new ones.
                    pause = Duration::ZERO;
                    search.known.push(process);
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).clamp(Duration::from_millis(1), Duration::from_millis(20));
        }
    }
    Some(())
}

/// The search for processes that are to be ended.
struct ProcessSearch<'b> {
    belongs: &'b dyn Fn(&Process) -> bool,
    may_reap: &'b dyn Fn(&Process) -> bool,
    /// Those found alive so far. One that was a grandchild may be an orphan now whose environment says nothing.
    known: Vec<Process>,
    /// Those found dead so far.
    gone: Vec<Process>,
}

impl ProcessSearch<'_> {
    /// Returns those that belong and are alive, parents first.
    fn survivors(&mut self) -> Option<Vec<Process>> {
        const MOST_LOOKS: usize = 100;
        for _ in 0..MOST_LOOKS {
            let table = ProcessTable::open()?;
            let (children, gone) = table.children(getpid());
            let (dead, alive): (Vec<Process>, Vec<Process>) =
                children.into_iter().partition(|process| process.dead);
            let (wanted, others): (Vec<Process>, Vec<Process>) = alive
                .into_iter()
                .partition(|process| process.is_one_of(&self.known) || (self.belongs)(process));
            let living: Vec<Process> = wanted
                .into_iter()
                .flat_map(|process| table.descendants(process))
                .filter(|process| !process.dead)
                .collect();
            // Of one that exited while its environment was read it is not known where it belongs.
            let news = self.reap(dead) || gone || others.iter().any(Process::has_exited);
            // One that exited since the last look may have left a child that was not ours yet when we asked for our children.
            if !living.is_empty() || !news {
                return Some(living);
            }
        }
        Some(Vec::new())
    }

    /// Reaps those of the `dead` that it may, and says whether one was not known to be dead.
    fn reap(&mut self, dead: Vec<Process>) -> bool {
        let new: Vec<Process> = dead
            .into_iter()
            .filter(|process| !process.is_one_of(&self.gone))
            .collect();
        for process in new.iter().filter(|process| (self.may_reap)(process)) {
            let _ = waitpid(Some(process.pid), WaitOptions::NOHANG);
        }
        let news = !new.is_empty();
        self.gone.extend(new);
        news
    }
}

/// Ends the group of `root`, without a list of what is in it. A root that has exited gets no grace for the others.
pub(super) fn end_group(root: Pid) {
    let runs = || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        matches!(waitid(WaitId::Pid(root), options), Ok(None))
    };
    let began = Instant::now();
    if runs() {
        let _ = kill_process_group(root, Signal::TERM);
    }
    while runs() && began.elapsed() < GRACE {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = kill_process_group(root, Signal::KILL);
    while runs() && began.elapsed() < GRACE + PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
}
