//! `Plan`: what a batch makes of its files, or why there is none.

use std::collections::BTreeMap;

use super::candidate::Candidate;
use super::import::OpenName;
use super::outcome::OperationOutcome;
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::references::Sources;

/// What a batch makes of its files.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One for each operation, in order.
    pub operations: Vec<OperationOutcome>,
    /// The files as it leaves them.
    pub candidate: Candidate,
    /// Names that nothing defines and that several imports would bring, by file: `imports: fix` does not guess.
    pub open_names: BTreeMap<RepoPath, Vec<OpenName>>,
    /// The files of Python that it leaves, and the modules that they import; `None` where nobody looked for those.
    pub(crate) beside: Option<Sources>,
}

/// Why there is no plan.
#[derive(Clone, Debug)]
pub struct Refused {
    /// One for each operation: failed, or passed over.
    pub operations: Vec<OperationOutcome>,
    /// Every refusal, in the order of the operations.
    pub errors: Vec<Diagnostic>,
}
