//! `Otherwise`: an expectation that does not hold, and what was found instead.

use crate::manifest::{Files, Manifest};

/// An operation that has another meaning now.
pub(super) struct Otherwise {
    /// Its index.
    pub(super) operation: usize,
    /// Its field that says so.
    pub(super) field: &'static str,
    /// What it does to it.
    pub(super) does: String,
    /// The file or the segment that is not what it was.
    pub(super) what: String,
}

impl Otherwise {
    /// Returns the one of an operation of a draft, of which no more is known than that.
    pub(super) fn of_drafted(operation: usize, manifest: &Manifest) -> Otherwise {
        let asked = manifest.operations.get(operation);
        let what = match asked.map(|operation| &operation.files) {
            Some(Files::One(path)) => path.to_string(),
            Some(Files::Matching(specs)) => specs.join(" "),
            None => String::new(),
        };
        Otherwise {
            operation,
            field: "",
            does: "edits a part of".to_owned(),
            what,
        }
    }
}
