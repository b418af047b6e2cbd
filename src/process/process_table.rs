//! `Process`: one process as /proc shows it; `ProcessTable`: whose child it is.
//!
//! Where the kernel lists a process's children (`/proc/PID/task/TID/children`), asking costs what there are of them;
//! elsewhere all processes are looked at. Deliberately not here: which of them are ours to end (`process_tree`).

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal};

/// A process. Its number and its start name it for good: a number alone may be another's tomorrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub pid: Pid,
    /// When it started, in the kernel's ticks.
    pub start: u64,
    pub parent: i32,
    pub group: i32,
    /// Whether it has exited and only waits to be reaped.
    pub dead: bool,
}

/// Which process is whose child.
pub(super) enum ProcessTable {
    /// Asked of the kernel, process by process.
    KernelLists,
    /// All processes, as of one reading.
    Snapshot(Vec<Process>),
}

impl ProcessTable {
    /// Returns one; `None` where /proc is not there or belongs to another namespace.
    pub(super) fn open() -> Option<ProcessTable> {
        let own = fs::read_link("/proc/self").ok()?;
        if own.to_str()?.parse() != Ok(rustix::process::getpid().as_raw_nonzero().get()) {
            return None;
        }
        Some(if Path::new("/proc/thread-self/children").exists() {
            ProcessTable::KernelLists
        } else {
            ProcessTable::snapshot()
        })
    }

    /// Looks at all processes.
    pub(super) fn snapshot() -> ProcessTable {
        ProcessTable::Snapshot(
            pids_in(Path::new("/proc"))
                .into_iter()
                .filter_map(Process::read)
                .collect(),
        )
    }

    /// Returns the children of `parent`, and whether one was named that was gone when it was looked at.
    pub(super) fn children(&self, parent: Pid) -> (Vec<Process>, bool) {
        match self {
            ProcessTable::KernelLists => {
                let named = children_agreed_on(parent);
                let found: Vec<Process> = named.iter().copied().filter_map(Process::read).collect();
                let gone = found.len() < named.len();
                (found, gone)
            }
            ProcessTable::Snapshot(all) => {
                let parent = parent.as_raw_nonzero().get();
                (
                    all.iter()
                        .filter(|process| process.parent == parent)
                        .cloned()
                        .collect(),
                    false,
                )
            }
        }
    }

    /// Returns `root` and all that descends from it, parents before their children.
    pub(super) fn descendants(&self, root: Process) -> Vec<Process> {
        let mut found = vec![root];
        let mut at = 0;
        while at < found.len() {
            let (children, _) = self.children(found[at].pid);
            // A number that was given to another process between two readings could close a circle.
            found.extend(
                children
                    .into_iter()
                    .filter(|child| !found.iter().any(|known| known.pid == child.pid))
                    .collect::<Vec<_>>(),
            );
            at += 1;
        }
        found
    }
}

impl Process {
    /// Reads what /proc says of `pid`; `None` when there is no such process.
    pub(super) fn read(pid: Pid) -> Option<Process> {
        let fields = stat_fields(pid)?;
        Some(Process {
            pid,
            start: fields.get(19)?.parse().ok()?,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            // One whose first thread is gone looks dead, and runs on in the others.
            dead: matches!(fields.first()?.as_str(), "Z" | "X")
                && fields.get(17)?.parse::<i32>().ok()? <= 1,
        })
    }

    /// Says whether it has died since it was read.
    pub(super) fn has_exited(&self) -> bool {
        Process::read(self.pid).is_none_or(|now| now.dead || now.start != self.start)
    }

    /// Says whether it is one of `others`.
    pub(super) fn is_one_of(&self, others: &[Process]) -> bool {
        others
            .iter()
            .any(|other| other.pid == self.pid && other.start == self.start)
    }

    /// Says whether it was started with `variable`, a whole `NAME=value`, in its environment.
    pub(super) fn has_variable(&self, variable: &[u8]) -> bool {
        const MOST_LOOKS: usize = 100;
        for _ in 0..MOST_LOOKS {
            let end = self.end_of_environment();
            let environment = fs::read(format!("/proc/{}/environ", self.pid.as_raw_nonzero()))
                .unwrap_or_default();
            if environment
                .split(|&byte| byte == 0)
                .any(|entry| entry == variable)
            {
                return true;
            }
            // What turns into another program meanwhile has half an environment or none, and then one in another place.
            if self.has_exited() || end.is_some() && end == self.end_of_environment() {
                return false;
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        false
    }

    /// Returns where its environment ends in its memory; `None` while it is turning into another program.
    fn end_of_environment(&self) -> Option<String> {
        stat_fields(self.pid)?
            .into_iter()
            .nth(48)
            .filter(|address| address != "0")
    }

    /// Sends it a signal, and never one to a later process with its number.
    pub(super) fn signal(&self, signal: Signal) {
        use rustix::process::{PidfdFlags, kill_process, pidfd_open, pidfd_send_signal};
        let handle = pidfd_open(self.pid, PidfdFlags::empty());
        if Process::read(self.pid).is_none_or(|now| now.start != self.start) {
            return;
        }
        let _ = match handle {
            Ok(handle) => pidfd_send_signal(handle, signal),
            Err(_) => kill_process(self.pid, signal),
        };
    }
}

/// Returns what `/proc/PID/stat` holds after the program's name.
fn stat_fields(pid: Pid) -> Option<Vec<String>> {
    let line = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The name is in parentheses and may hold any byte.
    let after = &line[line.iter().rposition(|&byte| byte == b')')? + 1..];
    Some(
        std::str::from_utf8(after)
            .ok()?
            .split_ascii_whitespace()
            .map(str::to_owned)
            .collect(),
    )
}

/// Returns the children of `parent` as two readings in a row agree on: while a child exits, its neighbour in the list can
/// be left out.
fn children_agreed_on(parent: Pid) -> Vec<Pid> {
    const MOST_READINGS: usize = 5;
    let mut last = listed_children(parent);
    for _ in 1..MOST_READINGS {
        let next = listed_children(parent);
        if next == last {
            break;
        }
        last = next;
    }
    last
}

fn listed_children(parent: Pid) -> Vec<Pid> {
    let folder = format!("/proc/{}/task", parent.as_raw_nonzero());
    let mut children = Vec::new();
    for thread in pids_in(Path::new(&folder)) {
        let list = fs::read_to_string(format!("{folder}/{}/children", thread.as_raw_nonzero()))
            .unwrap_or_default();
        children.extend(list.split_ascii_whitespace().filter_map(parse_pid));
    }
    children
}

fn pids_in(folder: &Path) -> Vec<Pid> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| parse_pid(entry.file_name().to_str()?))
        .collect()
}

fn parse_pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}
