//! Directives: comments that tools obey. One that goes unasked is a warning, because no other check would notice; so is one that is handed
//! on to what the edit puts above its own line.

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
    /// It is there still, above something that the edit brings.
    is_handed_on: bool,
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
                    is_handed_on: false,
                }),
            }
        }
        for (at, text) in handed_on(splice.span.of(&old.bytes), &splice.bytes) {
            gone.push(Directive {
                path: edit.path.clone(),
                text: String::from_utf8_lossy(text).into_owned(),
                line: old.lines().line(splice.span.start) + at,
                operation,
                is_handed_on: true,
            });
        }
    }
    gone
}

/// Returns the comments of `taken` for the line below them that `given` has above another line, and no more above that one, which is
/// there still; each with the number of lines before it.
fn handed_on<'b>(taken: &'b [u8], given: &[u8]) -> Vec<(usize, &'b [u8])> {
    let (was, now) = (for_lines(taken), for_lines(given));
    let owned = |mark: &[u8], line: &[u8]| {
        let is_own = |it: &&(usize, &[u8], &[u8])| it.1 == mark && it.2 == line;
        now.iter().filter(is_own).count()
    };
    let is_there = |line: &[u8]| {
        given
            .split(|&byte| byte == b'\n')
            .any(|it| it.trim_ascii() == line)
    };
    was.into_iter()
        .filter(|(_, mark, line)| {
            let has_another = now.iter().any(|it| it.1 == *mark && it.2 != *line);
            has_another && is_there(line) && owned(mark, line) == 0
        })
        .map(|(at, mark, _)| (at, mark))
        .collect()
}

/// Returns the comments that a tool obeys for the next line of code, each with its number and with that line.
fn for_lines(text: &[u8]) -> Vec<(usize, &[u8], &[u8])> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, &[u8])> = Vec::new();
    for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if directives::is_for_next(line) {
            open.push((at, line));
        } else if !line.is_empty() && !line.starts_with(b"//") && !line.starts_with(b"# ") {
            found.extend(open.drain(..).map(|(at, mark)| (at, mark, line)));
        }
    }
    found
}

impl Directive {
    /// Returns what to tell of it, unless the operation names or quotes what goes with it.
    pub(super) fn warning(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation)?;
        // What is deleted by its name goes with all that belongs to it.
        if matches!(operation.verb, Verb::Delete { .. } | Verb::Move { .. }) {
            return None;
        }
        let is_quoted = operation.scoped().is_some_and(
            |scoped| matches!(&scoped.selector, Selector::Text(text) if text.contains(self.text.as_str())),
        );
        if is_quoted && !self.is_handed_on {
            return None;
        }
        let (text, line, path) = (shown(&self.text), self.line, &self.path);
        let message = if self.is_handed_on {
            format!(
                "`{text}` at line {line} of {path} is for what the edit brings now, and for nothing that was there"
            )
        } else {
            format!("`{text}` at line {line} of {path} goes")
        };
        Some(Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation))
    }
}
