//! `check`: a candidate before the checks of this program. What passes is `Checked`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::edited_file::{before, document};
use super::findings::CheckFindings;
use super::removals::{self, Weighed};
use super::repeats::RepeatComplaint;
use super::{embedded, names, parse, rewritten};
use crate::diagnostic::Diagnostic;
use crate::manifest::{CheckMode, Operation};
use crate::path::RepoPath;
use crate::plan::{Candidate, FileEdit, Plan, Removed, Step};
use crate::resolve::Document;
use crate::snapshot::HashKind;
use crate::{config, parallel};

/// A candidate that this program has nothing against. Invariant: only `check` makes one.
#[derive(Clone, Debug)]
pub struct Checked {
    pub(super) candidate: Candidate,
}

impl Checked {
    /// Returns the candidate.
    pub fn candidate(&self) -> &Candidate {
        &self.candidate
    }
}

/// A candidate that this program has something against.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The candidate.
    pub candidate: Candidate,
    /// Everything that refuses it.
    pub errors: Vec<Diagnostic>,
}

/// What `check` came to.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The candidate, or every failure.
    pub outcome: Result<Checked, Rejected>,
    /// Worth knowing; in interactive mode the failures, too.
    pub warnings: Vec<Diagnostic>,
    /// The segments that the batch removes, with the index of the operation that does.
    pub removed: Vec<(usize, Removed)>,
}

/// Checks the candidate of `plan`, which was made of `operations`. Returns what `meanwhile` makes of it, too.
pub fn check<T: Send>(
    plan: Plan,
    operations: &[Operation],
    mode: CheckMode,
    meanwhile: impl FnOnce(&Candidate) -> T + Send,
) -> (CheckResult, T) {
    let Plan {
        candidate,
        open_names,
        beside,
        operations: _,
    } = plan;
    let beside = beside.map(Arc::new);
    let steps = rewritten::joined(candidate.steps());
    let files = steps.iter().flat_map(|step| &step.files);
    let bytes = files
        .filter_map(|edit| Some(edit.after.as_ref()?.bytes.len()))
        .sum();
    let look = || {
        (
            CheckFindings::of(&steps),
            names::check(&steps, &open_names, operations, beside.as_ref()),
        )
    };
    let ((mut found, of_names), made) = parallel::both(bytes, look, || meanwhile(&candidate));
    // Who refuses for the other failures says nothing of removals, which may well come of them.
    if mode == CheckMode::Interactive {
        found.losses.append(&mut found.losses_beside_failures);
    }
    let Weighed {
        removed,
        refusals,
        warnings,
    } = removals::weigh(&found.losses, operations, || created(&steps));
    found.failures.extend(refusals);
    for repeat in std::mem::take(&mut found.repeats) {
        match repeat.complaint(operations) {
            Some(RepeatComplaint::Refusal(refusal)) => found.failures.push(refusal),
            Some(RepeatComplaint::Warning(warning)) => found.notices.push(warning),
            None => {}
        }
    }
    for join in std::mem::take(&mut found.joins) {
        let list = if join.refuses() {
            &mut found.failures
        } else {
            &mut found.notices
        };
        list.extend(join.complaint(operations));
    }
    found.notices.extend(warnings);
    // What does not pass otherwise is written anew, and may well have other names then.
    let passes = found.failures.is_empty() || mode == CheckMode::Interactive;
    if passes && found.fatal.is_empty() {
        found.failures.extend(of_names.failures);
        found.notices.extend(of_names.notices);
    }
    drop(steps);
    let (errors, warnings) = found.weighed(mode);
    let outcome = if errors.is_empty() {
        Ok(Checked { candidate })
    } else {
        Err(Rejected { candidate, errors })
    };
    (
        CheckResult {
            outcome,
            warnings,
            removed,
        },
        made,
    )
}

/// Returns the files that the steps create and leave, each with the step that does.
fn created(steps: &[Step]) -> Vec<(usize, Document)> {
    let numbered = || {
        steps
            .iter()
            .enumerate()
            .flat_map(|(at, step)| step.files.iter().map(move |edit| (at, step, edit)))
    };
    let removed: BTreeMap<&RepoPath, usize> = numbered()
        .filter(|(_, step, edit)| rewritten::removal(step, edit).is_some())
        .map(|(at, _, edit)| (&edit.path, at))
        .collect();
    let is_new = |edit: &FileEdit| edit.before.is_none() && edit.moved_from.is_none();
    let is_left =
        |at: usize, edit: &FileEdit| removed.get(&edit.path).is_none_or(|gone| *gone < at);
    let document = |(at, _, edit): (usize, &Step, &FileEdit)| {
        let after = edit
            .after
            .as_ref()
            .filter(|_| is_new(edit) && is_left(at, edit))?;
        Some((
            at,
            Document::new(edit.path.clone(), after.bytes.clone(), HashKind::Sha1),
        ))
    };
    let mut created: Vec<(usize, Document)> = numbered().filter_map(document).collect();
    let scripts = created.iter().flat_map(|(at, page)| {
        embedded::scripts(page)
            .into_iter()
            .map(|script| (*at, script))
    });
    let scripts: Vec<_> = scripts.collect();
    created.extend(scripts);
    created
}

/// Returns what is wrong with the syntax of a candidate that nobody planned, and what could not be looked at.
pub fn syntax(candidate: &Candidate) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for step in candidate.steps() {
        for edit in &step.files {
            let Some(after) = &edit.after else { continue };
            let new = document(&edit.path, after);
            parse::check(edit, before(step, edit), &new, &mut errors, &mut warnings);
            if edit.path.as_str() == config::PATH {
                errors.extend(config::read(&after.bytes).err().unwrap_or_default());
            }
        }
    }
    (errors, warnings)
}
