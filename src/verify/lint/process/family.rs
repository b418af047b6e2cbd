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

use std::io;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, child_subreaper, getpgrp, getpid,
    kill_process_group, set_child_subreaper, waitid, waitpid,
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

static VILLAGE: Mutex<Village> = Mutex::new(Village {
    families: 0,
    founded: 0,
    leaders: Vec::new(),
    since: None,
    was_reaper: None,
});

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
        Family {
            mark: format!("{}-{}", getpid().as_raw_nonzero(), village.founded),
            leader: None,
        }
    }

    /// Returns the value of `MARK` for what belongs to it.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Lets `spawn` start the job's first process: a child of ours that leads a group of its own, to be reaped after `end`.
    pub(super) fn lead(&mut self, spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Child> {
        // Until it is known for a leader, nobody may look for orphans: it would be taken for one.
        let mut village = village();
        let child = spawn()?;
        let leader = Pid::from_child(&child);
        village.leaders.push(leader);
        village.since = village
            .since
            .into_iter()
            .chain(Kin::read(leader).map(|kin| kin.start))
            .min();
        self.leader = Some(leader);
        Ok(child)
    }

    /// Ends all that belongs to it: asks, waits a moment, kills. The first process is left to be reaped.
    pub(super) fn end(&self) {
        let Some(leader) = self.leader else { return };
        let mark = format!("{MARK}={}", self.mark).into_bytes();
        let own = |kin: &Kin| kin.pid == leader || kin.group == leader.as_raw_nonzero().get();
        let belongs = |kin: &Kin| own(kin) || village().is_stranger(kin) && kin.carries(&mark);
        let may_reap = |kin: &Kin| village().is_orphan(kin);
        if clear(Some(leader), &belongs, &may_reap).is_none() {
            end_group(leader);
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let mut village = village();
        village
            .leaders
            .retain(|&leader| Some(leader) != self.leader);
        village.families -= 1;
        if village.families == 0 {
            // Nobody can found a family before this returns.
            let is_orphan = |kin: &Kin| village.is_orphan(kin);
            clear(None, &is_orphan, &is_orphan);
            let _ = set_child_subreaper(village.was_reaper);
        }
    }
}

impl Village {
    /// Says whether `child`, a child of ours, leads no family: an orphan, or what this process runs for itself.
    fn is_stranger(&self, child: &Kin) -> bool {
        !self.leaders.contains(&child.pid)
    }

    /// Says whether it can only be one that lost its parent in one of these families.
    fn is_orphan(&self, child: &Kin) -> bool {
        let ours = child.group == getpgrp().as_raw_nonzero().get();
        !ours && self.is_stranger(child) && self.since.is_some_and(|since| child.start >= since)
    }
}

fn village() -> MutexGuard<'static, Village> {
    VILLAGE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends those of our children that `belongs` says and all that descends from them, with the group of `leader`, and reaps the
/// dead that `may_reap` says. Returns `None` where nobody can tell who they are.
fn clear(
    leader: Option<Pid>,
    belongs: &dyn Fn(&Kin) -> bool,
    may_reap: &dyn Fn(&Kin) -> bool,
) -> Option<()> {
    let mut search = Search {
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
            // Who flees may have been between two processes while the list was read.
            if living.is_empty() && (was_empty || search.known.is_empty()) {
                return Some(());
            }
            was_empty = living.is_empty();
            if began.elapsed() >= patience {
                break;
            }
            if let Some(leader) = leader.filter(|_| signal == Signal::KILL) {
                // All at once: a group that forks faster than it is counted does not get away.
                let _ = kill_process_group(leader, signal);
            }
            for kin in living {
                let told = kin.is_among(&search.known);
                if !told || signal == Signal::KILL {
                    kin.signal(signal);
                }
                if !told {
                    // Somebody flees into new processes: no pause until there are no new faces.
                    pause = Duration::ZERO;
                    search.known.push(kin);
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).clamp(Duration::from_millis(1), Duration::from_millis(20));
        }
    }
    Some(())
}

/// The search for who is to be ended.
struct Search<'b> {
    belongs: &'b dyn Fn(&Kin) -> bool,
    may_reap: &'b dyn Fn(&Kin) -> bool,
    /// Who was found alive so far. One that was a grandchild may be an orphan now whose environment says nothing.
    known: Vec<Kin>,
    /// Who was found dead so far.
    gone: Vec<Kin>,
}

impl Search<'_> {
    /// Returns who lives of those that belong, parents first.
    fn survivors(&mut self) -> Option<Vec<Kin>> {
        const MOST_LOOKS: usize = 100;
        for _ in 0..MOST_LOOKS {
            let census = Census::take()?;
            let (children, gone) = census.children(getpid());
            let (dead, alive): (Vec<Kin>, Vec<Kin>) =
                children.into_iter().partition(|kin| kin.dead);
            let (wanted, others): (Vec<Kin>, Vec<Kin>) = alive
                .into_iter()
                .partition(|kin| kin.is_among(&self.known) || (self.belongs)(kin));
            let living: Vec<Kin> = wanted
                .into_iter()
                .flat_map(|kin| census.house_of(kin))
                .filter(|kin| !kin.dead)
                .collect();
            // One that died while its environment was read did not get to say where it belongs.
            let news = self.bury(dead) || gone || others.iter().any(Kin::has_gone);
            // Who died since the last look may have left a child that was not ours yet when we asked for our children.
            if !living.is_empty() || !news {
                return Some(living);
            }
        }
        Some(Vec::new())
    }

    /// Reaps of the `dead` whom it may, and says whether there is one that was not known to be.
    fn bury(&mut self, dead: Vec<Kin>) -> bool {
        let new: Vec<Kin> = dead
            .into_iter()
            .filter(|kin| !kin.is_among(&self.gone))
            .collect();
        for kin in new.iter().filter(|kin| (self.may_reap)(kin)) {
            let _ = waitpid(Some(kin.pid), WaitOptions::NOHANG);
        }
        let news = !new.is_empty();
        self.gone.extend(new);
        news
    }
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
