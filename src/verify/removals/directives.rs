//! Directives: comments that tools obey. One that goes unasked is a warning, because no other check would notice.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::directives;

/// A directive that goes.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    path: RepoPath,
    text: String,
    /// 1-based.
    line: usize,
    operation: usize,
}

/// Returns the directives that the edit takes from `old` and does not write again.
pub(super) fn gone(edit: &FileEdit, old: &Document) -> Vec<Directive> {
    let Some(splices) = &edit.splices else {
        return Vec::new();
    };
    if !splices
        .iter()
        .any(|splice| directives::may_hold_one(splice.span.of(&old.bytes)))
    {
        return Vec::new();
    }
    let mut written: HashMap<Vec<u8>, usize> = HashMap::new();
    for found in splices
        .iter()
        .flat_map(|splice| directives::find_iter(&splice.bytes))
    {
        *written.entry(found.as_bytes().to_vec()).or_default() += 1;
    }

    let mut gone = Vec::new();
    for splice in splices.iter() {
        let Some(operation) = edit.claimant(splice.span) else {
            continue;
        };
        for found in directives::find_iter(splice.span.of(&old.bytes)) {
            match written.get_mut(found.as_bytes()) {
                Some(left) if *left > 0 => *left -= 1,
                _ => gone.push(Directive {
                    path: edit.path.clone(),
                    text: String::from_utf8_lossy(found.as_bytes())
                        .trim_end()
                        .to_owned(),
                    line: old.lines().line(splice.span.start + found.start()),
                    operation,
                }),
            }
        }
    }
    gone
}

impl Directive {
    /// Returns what to tell of it, unless the operation names or quotes what goes with it.
    pub(super) fn warning(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation)?;
        // What is deleted by its name goes with all that belongs to it.
        if matches!(operation.verb, Verb::Delete { .. }) {
            return None;
        }
        let is_quoted = operation.scoped().is_some_and(
            |scoped| matches!(&scoped.selector, Selector::Text(text) if text.contains(self.text.as_str())),
        );
        if is_quoted {
            return None;
        }
        let message = format!(
            "`{}` at line {} of {} goes",
            shown(&self.text),
            self.line,
            self.path
        );
        Some(Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation))
    }
}
