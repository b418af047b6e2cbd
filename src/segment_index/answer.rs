//! What the index answers: names found, what was brought up to date, its state.

use super::store::{IndexSize, Trouble};
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::resolve::Segment;
use crate::syntax::Excess;

/// Told how many files were read, and how many are to be.
pub(crate) type ReadProgress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// What is found under a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchHits {
    /// The segments, by file, each file's in its order.
    pub segments: Vec<Segment>,
    /// Files that name a template: whoever asks reads them with it.
    pub scaffolded: Vec<RepoPath>,
    /// Files whose segments are not told, and why.
    pub passed_over: Vec<(RepoPath, Excess)>,
}

/// What became of bringing the index up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Files of the place.
    pub files: usize,
    /// Files that were read.
    pub read: usize,
    /// Contents that were new.
    pub added: usize,
    /// Contents that stood nowhere any more and were removed.
    pub removed: usize,
    /// What there is now.
    pub measure: IndexSize,
}

/// What there is, and how much of it is out of date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexStatus {
    /// Files of the place.
    pub files: usize,
    /// Files that would have to be read.
    pub unread: usize,
    /// What there is.
    pub measure: IndexSize,
}

/// What a look at the index came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexLook {
    /// There is none.
    Nothing,
    /// What is there cannot be read: it is damaged, another version of the program wrote it, this user may not, or somebody writes it.
    Unusable,
    /// It is there.
    There(IndexStatus),
}

/// Why there is no answer.
pub(super) enum Halt {
    /// The request, or the repository.
    Refused(Box<Diagnostic>),
    /// The store.
    Trouble(Trouble),
}

impl From<Diagnostic> for Halt {
    fn from(diagnostic: Diagnostic) -> Halt {
        Halt::Refused(Box::new(diagnostic))
    }
}

impl From<Trouble> for Halt {
    fn from(trouble: Trouble) -> Halt {
        Halt::Trouble(trouble)
    }
}
