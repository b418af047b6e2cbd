//! `check` turns a plan into `Verified`, or says what is wrong with it.

use crate::snapshot::Change;

/// A batch that passed every check. Invariant: only `check` makes one.
#[derive(Clone, Debug)]
pub struct Verified {
    changes: Vec<Change>,
}

impl Verified {
    /// Returns what becomes of each path, sorted by path; never two changes of one path.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Makes one out of nothing, for the tests of the floors above.
    #[cfg(test)]
    pub fn for_tests(changes: Vec<Change>) -> Verified {
        Verified { changes }
    }
}
