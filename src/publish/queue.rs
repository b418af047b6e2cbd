//! `Queue`: publishers of one repository take turns.
//!
//! A ref's compare-and-swap alone would do, but many writers on one branch then spin: 8 to 37 failed attempts for each
//! success were measured with fifty of them.

use std::fs::{File, OpenOptions};

use rustix::fs::{FlockOperation, flock};

use crate::diagnostic::{Code, Diagnostic};
use crate::git::Repo;
use crate::history;

/// Our turn. It ends when this is dropped, or when the process dies.
#[derive(Debug)]
pub struct Queue {
    _lock: File,
}

impl Queue {
    /// Waits for our turn in `repo`, then finishes or rolls back what a publisher that was killed left behind.
    pub fn enter(repo: &Repo) -> Result<Queue, Diagnostic> {
        let queue = Queue::wait(repo)?;
        super::recover::finish(repo, &queue)?;
        history::settle(repo)?;
        Ok(queue)
    }

    /// Waits for our turn.
    pub(super) fn wait(repo: &Repo) -> Result<Queue, Diagnostic> {
        let path = repo.home()?.join("lock");
        let failed =
            |error: std::io::Error| Diagnostic::new(Code::Io, format!("could not lock {}: {error}", path.display()));
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        loop {
            match flock(&lock, FlockOperation::LockExclusive) {
                Ok(()) => break,
                Err(rustix::io::Errno::INTR) => {}
                // A file system without flock: the compare-and-swap still keeps us apart, only less politely.
                Err(rustix::io::Errno::NOLCK | rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP) => break,
                Err(error) => return Err(failed(error.into())),
            }
        }
        Ok(Queue { _lock: lock })
    }
}
