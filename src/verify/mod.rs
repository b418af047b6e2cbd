//! `check` turns a plan into `Verified`, or says what is wrong with it.
//!
//! In order: drift (nothing but the splices changed), syntax (no new error), inventory (no segment lost or renamed
//! beside the edits), placeholders (no comment that stands for code left out). Drift is fatal in every mode; the
//! others become warnings in interactive mode.

pub mod drift;
pub mod inventory;
pub mod lint;
pub mod parse;
pub mod placeholder;
pub mod trust;

use crate::diagnostic::Diagnostic;
use crate::manifest::{Manifest, Mode};
use crate::path::RepoPath;
use crate::plan::{FileEdit, Plan, Step};
use crate::snapshot::{Change, File};

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

/// Checks `plan`. Returns what may be published with the warnings of interactive mode, or every failure.
pub fn check(plan: &Plan, manifest: &Manifest) -> Result<(Verified, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut fatal = Vec::new();
    let mut failures = Vec::new();
    let mut notices = Vec::new();
    for step in &plan.steps {
        for edit in &step.files {
            let Some(after) = &edit.after else { continue };
            let before = before(step, edit);
            fatal.extend(drift::check(edit, before, after));
            parse::check(edit, before, after, &mut failures, &mut notices);
            failures.extend(inventory::check(edit, before, after));
            failures.extend(placeholder::check(edit));
        }
    }
    for failure in failures.iter_mut().chain(&mut notices) {
        if let Some(index) = failure.operation
            && failure.place.is_none()
        {
            failure.place = manifest.operations.get(index).and_then(|operation| operation.place("content")).cloned();
        }
    }
    let warnings = match manifest.mode {
        Mode::Interactive => {
            notices.extend(failures);
            notices
        }
        Mode::Strict | Mode::VerifyOnly => {
            fatal.extend(failures);
            notices
        }
    };
    if fatal.is_empty() { Ok((Verified { changes: plan.changes() }, warnings)) } else { Err(fatal) }
}

/// Returns the file that an edit began with: of a moved file, the one at its old path.
pub(crate) fn before<'a>(step: &'a Step, edit: &'a FileEdit) -> Option<&'a File> {
    let old_path: &RepoPath = edit.moved_from.as_ref().unwrap_or(&edit.path);
    let old = step.files.iter().find(|other| other.path == *old_path);
    old.unwrap_or(edit).before.as_ref()
}
