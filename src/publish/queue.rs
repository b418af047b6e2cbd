//! `Queue`: publishers of one repository take turns.
//!
//! A ref's compare-and-swap alone would do, but many writers on one branch then spin: 8 to 37 failed attempts for each
//! success were measured with fifty of them.

use std::fs::File;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::diagnostic::{Code, Diagnostic};
use crate::git::Repo;

/// Our turn in a repository. It ends when this is dropped, or when the process dies.
pub(crate) struct Queue<'r> {
    repo: &'r Repo,
    _lock: File,
}

impl<'r> Queue<'r> {
    /// Returns the repository whose turn it is: who publishes in it asks here, so that nobody does out of turn.
    pub(crate) fn repo(&self) -> &'r Repo {
        self.repo
    }

    /// Returns our turn if nobody has it, and if refs may move.
    pub(super) fn try_wait(repo: &'r Repo) -> Result<Option<Queue<'r>>, Diagnostic> {
        if repo.is_quarantined() {
            return Ok(None);
        }
        Queue::take(repo, FlockOperation::NonBlockingLockExclusive)
    }

    /// Waits for our turn.
    pub(super) fn wait(repo: &'r Repo) -> Result<Queue<'r>, Diagnostic> {
        repo.check_not_quarantined()?;
        loop {
            if let Some(queue) = Queue::take(repo, FlockOperation::LockExclusive)? {
                return Ok(queue);
            }
        }
    }

    /// Takes the turn, or `None` if somebody has it or a signal came.
    fn take(repo: &'r Repo, how: FlockOperation) -> Result<Option<Queue<'r>>, Diagnostic> {
        let place = repo.home()?.place("lock")?;
        let failed = |error: std::io::Error| {
            Diagnostic::new(
                Code::Io,
                format!("could not lock {}: {error}", place.path().display()),
            )
        };
        let lock = place.open_lock().map_err(failed)?;
        match flock(&lock, how) {
            Ok(()) => {}
            Err(Errno::INTR | Errno::WOULDBLOCK) => return Ok(None),
            // A file system without flock: the compare-and-swap still keeps us apart, only less politely.
            Err(Errno::NOLCK | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(failed(error.into())),
        }
        Ok(Some(Queue { repo, _lock: lock }))
    }
}
