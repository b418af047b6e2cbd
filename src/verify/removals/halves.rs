//! Halves: what a Markdown file opens in one section and closes in another. A tag whose other half is outside of the edited range
//! belongs to both, and so does an anchor right above the next heading: whoever names a section does not mean them.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Selector};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::markdown::MARKDOWN;
use crate::syntax::markdown::halves::{anchors_at_end, unpaired};

/// Halves that an edit takes away.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    path: RepoPath,
    /// As they are written.
    words: Vec<String>,
    /// 1-based.
    line: usize,
    operation: usize,
}

/// Returns what the splices take from `old` whose other half they leave.
pub(super) fn gone(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Halves> {
    let is_markdown = old
        .language
        .is_some_and(|language| language.name == MARKDOWN.name);
    let Some(splices) = edit.splices.as_ref().filter(|_| is_markdown) else {
        return Vec::new();
    };
    let mut gone = Vec::new();
    for splice in splices.iter() {
        let was = splice.span.of(&old.bytes);
        let may_hold_some =
            memchr::memchr(b'<', was).is_some() || memchr::memmem::find(was, b":::").is_some();
        let Some(operation) = edit.claimant(splice.span).filter(|_| may_hold_some) else {
            continue;
        };
        let (had, has) = (unpaired(was), unpaired(&splice.bytes));
        // Who mends a file that was broken takes a half away.
        let mends = || {
            !unpaired(&old.bytes).is_empty()
                && unpaired(&new.bytes).len() < unpaired(&old.bytes).len()
        };
        let mut lost = if had == has || mends() {
            Vec::new()
        } else {
            had
        };
        lost.extend(anchors_at_end(was).filter(|anchor| {
            let next = old
                .bytes
                .get(splice.span.end..)
                .unwrap_or_default()
                .trim_ascii_start();
            next.starts_with(b"#")
                && memchr::memmem::find(&new.bytes, anchor.text.as_bytes()).is_none()
        }));
        let Some(first) = lost.first() else { continue };
        gone.push(Halves {
            path: edit.path.clone(),
            line: old.lines().line(splice.span.start + first.at),
            words: lost.into_iter().map(|half| half.text).collect(),
            operation,
        });
    }
    gone
}

impl Halves {
    /// Returns the refusal, unless the operation quotes the first of them or allows that they go.
    pub(super) fn refusal(&self, operations: &[Operation]) -> Option<Diagnostic> {
        const MOST: usize = 5;
        let operation = operations.get(self.operation)?;
        let first = self.words.first()?;
        let is_quoted = operation
            .scoped()
            .is_some_and(|scoped| matches!(&scoped.selector, Selector::Text(text) if text.contains(first.as_str())));
        let is_allowed = match &operation.allow_remove {
            AllowRemove::Nothing => false,
            AllowRemove::Everything => true,
            AllowRemove::Named(names) => self.words.iter().all(|word| names.contains(word)),
        };
        if is_quoted || is_allowed {
            return None;
        }
        let words: Vec<String> = self
            .words
            .iter()
            .take(MOST)
            .map(|word| format!("`{}`", shown(word)))
            .collect();
        let message = format!(
            "{} would lose {}, from line {} on, which belongs to what is outside of the edit too",
            self.path,
            words.join(", "),
            self.line
        );
        let note = "keep it in the content, or allow it: `allow_remove: true` (`--allow-remove`)";
        Some(
            Diagnostic::new(Code::WouldRemove, message)
                .of_operation(self.operation)
                .note(note),
        )
    }
}
