//! What resolution has to say about each operation, for the report.

use crate::diagnostic::Diagnostic;
use crate::manifest::{Files, Operation};
use crate::path::RepoPath;
use crate::references::References;
use crate::resolve::{Match, Segment};

/// What became of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationStatus {
    /// It changes something.
    Applied,
    /// What it asks for is so already.
    Noop,
    /// Interactive mode passed over it.
    Skipped,
    /// It is refused.
    Failed,
}

/// One operation's part of the outcome.
#[derive(Clone, Debug)]
pub struct OperationOutcome {
    /// From 0.
    pub index: usize,
    /// The caller's own name for it.
    pub id: Option<String>,
    /// The verb as written.
    pub op: String,
    /// The file as written; the pathspecs joined by a space.
    pub file: String,
    /// What became of it.
    pub status: OperationStatus,
    /// What it found.
    pub segment: Option<Segment>,
    /// How a text was found.
    pub matched: Option<Match>,
    /// How many places it changed.
    pub count: usize,
    /// Why it is refused; the first of several. Apart, since it is large and most have none.
    pub error: Option<Box<Diagnostic>>,
    /// The segments that were inside of what it edits and that the candidate has no more.
    pub removed: Vec<Removed>,
    /// Every place of the name that is renamed.
    pub references: Option<Box<References>>,
    /// Imports that came and went with what it edits.
    pub imports: Vec<MendedImport>,
    /// What was passed over in interactive mode, and hints.
    pub warnings: Vec<Diagnostic>,
    /// What whoever asks how it was found may want to hear; no part of the report.
    pub asides: Vec<String>,
}

/// An import that an edit needs, or needs no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MendedImport {
    /// The file.
    pub path: RepoPath,
    /// The import, in one line.
    pub statement: String,
    /// Whether it came; else it went.
    pub is_added: bool,
}

/// A segment that an operation takes away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// `path::segment`, as it was.
    pub address: String,
    /// `function`, `section`, …
    pub kind: &'static str,
    /// 1-based, in what the operation was resolved against.
    pub start_line: usize,
    /// 1-based, included.
    pub end_line: usize,
}

impl OperationOutcome {
    /// Returns the outcome of an operation that nothing is known of yet: passed over.
    pub fn untouched(index: usize, operation: &Operation) -> OperationOutcome {
        OperationOutcome {
            index,
            id: operation.id.clone(),
            op: operation.verb.name().to_owned(),
            file: match &operation.files {
                Files::One(path) => path.to_string(),
                Files::Matching(specs) => specs.join(" "),
            },
            status: OperationStatus::Skipped,
            segment: None,
            matched: None,
            count: 0,
            error: None,
            removed: Vec::new(),
            references: None,
            imports: Vec::new(),
            warnings: Vec::new(),
            asides: Vec::new(),
        }
    }
}
