//! `Family`: everything that a job started, wherever it went, and its end.
//!
//! A child may leave its group (`setsid`), its parent (a daemon forks twice) and the pipes. What it cannot leave is the
//! line of descent: while jobs run, this process is the one that the kernel gives orphans to (a subreaper). An
//! orphan belongs to the job in whose group it is or whose mark its environment carries; one that carries no mark is ended
//! with the last of the running jobs, whose orphan it must be, unless it is older than all of them or in our own group,
//! where the git program and what else this process runs for itself live.
//!
//! Invariant: only numbers that cannot have gone to somebody else are signalled or reaped. A job's first process stays
//! unreaped, and so keeps the number of its group, until its family has ended.
//!
//! Known limits: what asks another daemon to run something (systemd-run, at, docker) is out of reach, and so is what
//! another user owns (sudo). A daemon with a group of its own that git starts for itself while jobs run, a gpg-agent, is
//! taken for theirs. If we are killed by SIGKILL, the jobs run on. Without /proc only the group is ended.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, child_subreaper, getpgrp, getpid, kill_process_group,
    set_child_subreaper, waitid, waitpid,
};

use super::kin::{Census, Kin};

/// The variable that marks what a job started.
pub(super) const MARK: &str = "SEGEDIT_JOB";

/// How long those have who were asked to end.
const GRACE: Duration = Duration::from_millis(200);
/// How long to wait for those who were ended: one that the kernel cannot end now may not keep us.
const PATIENCE: Duration = Duration::from_millis(500);

/// The families that live, and what is to be put back after the last.
struct Village {
    families: usize,
    founded: usize,
    leaders: Vec<Pid>,
    /// When the first of the leaders started.
    since: Option<u64>,
    /// Whether we were given orphans before.
    was_reaper: Option<Pid>,
}

static VILLAGE: Mutex<Village> =
    Mutex::new(Village { families: 0, founded: 0, leaders: Vec::new(), since: None, was_reaper: None });

/// A job's processes. When the last of all families is dropped, every orphan is ended.
pub(super) struct Family {
    mark: String,
    leader: Option<Pid>,
}

impl Family {
    /// Founds one that nobody belongs to yet; from now on orphans come to us.
    pub(super) fn found() -> Family {
        let mut village = village();
        if village.families == 0 {
            village.since = None;
            village.was_reaper = child_subreaper().ok().flatten();
            // Where the kernel cannot do this, orphans are lost to us, and the group is what can be ended.
            let _ = set_child_subreaper(Some(getpid()));
        }
        village.families += 1;
        village.founded += 1;
        Family { mark: format!("{}-{}", getpid().as_raw_nonzero(), village.founded), leader: None }
    }

    /// Returns the value of `MARK` for what belongs to it.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Takes in the job's first process: a child of ours that leads a group of its own and is not reaped before `end`.
    pub(super) fn led_by(&mut self, leader: Pid) {
        let start = Kin::read(leader).map(|kin| kin.start);
        let mut village = village();
        village.leaders.push(leader);
        village.since = village.since.into_iter().chain(start).min();
        self.leader = Some(leader);
    }

    /// Ends all that belongs to it: asks, waits a moment, kills. The first process is left to be reaped.
    pub(super) fn end(&self) {
        let Some(leader) = self.leader else { return };
        let mark = format!("{MARK}={}", self.mark).into_bytes();
        let belongs = |kin: &Kin| {
            let own = kin.pid == leader || kin.group == leader.as_raw_nonzero().get();
            own || !kin.dead && !village().leaders.contains(&kin.pid) && kin.carries(&mark)
        };
        if clear(Some(leader), &belongs).is_none() {
            end_group(leader);
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let mut village = village();
        village.leaders.retain(|&leader| Some(leader) != self.leader);
        village.families -= 1;
        if village.families == 0 {
            // Nobody can found a family before this returns, so no leader is mistaken for an orphan.
            if let Some(since) = village.since {
                let own = getpgrp().as_raw_nonzero().get();
                clear(None, &|kin| kin.group != own && kin.start >= since);
            }
            let _ = set_child_subreaper(village.was_reaper);
        }
    }
}

fn village() -> MutexGuard<'static, Village> {
    VILLAGE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends those of our children that `belongs` says and all that descends from them. Reaps them too, but for `leader`.
/// Returns `None` where nobody can tell who they are.
fn clear(leader: Option<Pid>, belongs: &dyn Fn(&Kin) -> bool) -> Option<()> {
    let mut known: Vec<Kin> = Vec::new();
    for (signal, patience) in [(Signal::TERM, GRACE), (Signal::KILL, PATIENCE)] {
        let began = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            let living = survivors(leader, &known, belongs)?;
            if living.is_empty() {
                return Some(());
            }
            if began.elapsed() >= patience {
                break;
            }
            if let Some(leader) = leader.filter(|_| signal == Signal::KILL) {
                // All at once: a group that forks faster than it is counted does not get away.
                let _ = kill_process_group(leader, signal);
            }
            for kin in living {
                let told = known.iter().any(|other| is_same(other, &kin));
                if !told || signal == Signal::KILL {
                    kin.signal(signal);
                }
                if !told {
                    known.push(kin);
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
    Some(())
}

/// Returns who lives of those that belong or are `known` to, parents first, and reaps who does not but for `leader`.
fn survivors(leader: Option<Pid>, known: &[Kin], belongs: &dyn Fn(&Kin) -> bool) -> Option<Vec<Kin>> {
    let census = Census::take()?;
    let mut living = Vec::new();
    for child in census.children(getpid()) {
        // One that was known as a grandchild is an orphan now, and its environment may say nothing.
        if !known.iter().any(|other| is_same(other, &child)) && !belongs(&child) {
            continue;
        }
        if !child.dead {
            living.extend(census.house_of(child).into_iter().filter(|kin| !kin.dead));
        } else if Some(child.pid) != leader {
            let _ = waitpid(Some(child.pid), WaitOptions::NOHANG);
        }
    }
    Some(living)
}

fn is_same(one: &Kin, other: &Kin) -> bool {
    one.pid == other.pid && one.start == other.start
}

/// Ends the group of `leader`, knowing nothing of who is in it. A leader that is through gets no grace for the others.
pub(super) fn end_group(leader: Pid) {
    let runs = || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        matches!(waitid(WaitId::Pid(leader), options), Ok(None))
    };
    let began = Instant::now();
    if runs() {
        let _ = kill_process_group(leader, Signal::TERM);
    }
    while runs() && began.elapsed() < GRACE {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = kill_process_group(leader, Signal::KILL);
    while runs() && began.elapsed() < GRACE + PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
}
