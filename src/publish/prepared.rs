//! `Prepared`: a publication of which nothing is missing but its point of no return.
//!
//! ```text
//! prepare     objects, locks, the journal, the survey, staged files: nothing that others see
//! announce    the caller has the history write down what it shall say
//! commit      files, the ref, the index
//! ```
//!
//! Invariant: one that is dropped, or whose `commit` fails, leaves everything as it was. `commit` takes it by value, so that it is
//! not called twice, and what it borrows holds the queue until then.

use super::batch::Receipt;
use super::commit::PreparedMove;
use super::files::PreparedFiles;
use super::refusal::Refusal;
use super::stash::PreparedStash;

/// A publication that is all prepared.
#[must_use = "what is prepared is put back unless it is committed"]
pub(crate) struct Prepared<'q> {
    receipt: Receipt,
    act: PreparedAct<'q>,
}

/// What is left to do of it.
pub(super) enum PreparedAct<'q> {
    /// Nothing: it changes nothing.
    Nothing,
    /// A branch moves, and the worktrees that have it checked out follow.
    Branch(PreparedMove<'q>),
    /// Index, files or both are exchanged.
    Files(PreparedFiles<'q>),
    /// The list of stash entries changes.
    Stash(PreparedStash<'q>),
}

impl Prepared<'_> {
    /// Returns what is published if nothing fails from here on.
    pub(crate) fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// Says whether it changes nothing.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.act, PreparedAct::Nothing)
    }

    /// Goes past the point of no return. What fails after that is a warning of the receipt.
    pub(crate) fn commit(mut self) -> Result<Receipt, Refusal> {
        let failures = match self.act {
            PreparedAct::Nothing => Vec::new(),
            PreparedAct::Branch(ready) => ready.commit()?,
            PreparedAct::Files(ready) => ready.commit().map(|()| Vec::new())?,
            PreparedAct::Stash(ready) => ready.commit().map(|()| Vec::new())?,
        };
        self.receipt.warnings.splice(0..0, failures);
        Ok(self.receipt)
    }
}

impl<'q> Prepared<'q> {
    /// Returns one of which `act` is left, and `receipt` is what comes of it.
    pub(super) fn new(receipt: Receipt, act: PreparedAct<'q>) -> Prepared<'q> {
        Prepared { receipt, act }
    }

    /// Returns one that changes nothing.
    pub(super) fn nothing(receipt: Receipt) -> Prepared<'q> {
        Prepared::new(receipt, PreparedAct::Nothing)
    }
}
