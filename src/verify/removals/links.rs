//! Link definitions of Markdown: `[name]: address` and `[^1]: note` stand anywhere, often at the end of the last section, for
//! links everywhere in the file.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::markdown::{MARKDOWN, links};

/// A link definition that goes while the file still uses its name.
#[derive(Clone, Debug)]
pub(super) struct LinkDefinition {
    path: RepoPath,
    name: String,
    /// 1-based.
    line: usize,
    operation: usize,
}

/// Returns the definitions of `old` that `new` uses and has no more: taken away, or something else now.
pub(super) fn gone(edit: &FileEdit, old: &Document, new: &Document) -> Vec<LinkDefinition> {
    let is_markdown = old
        .language
        .is_some_and(|language| language.name == MARKDOWN.name);
    let Some(splices) = edit.splices.as_ref().filter(|_| is_markdown) else {
        return Vec::new();
    };
    if memchr::memmem::find(&old.bytes, b"]:").is_none() {
        return Vec::new();
    }
    let defined = links::definitions(&new.bytes);
    let mut lost = links::definitions(&old.bytes);
    lost.retain(|name, _| !defined.contains_key(name));
    let names: BTreeSet<&str> = lost.keys().map(String::as_str).collect();
    let used = if names.is_empty() {
        BTreeSet::new()
    } else {
        links::used(&new.bytes, &names)
    };
    let mut gone: Vec<LinkDefinition> = Vec::new();
    for name in used {
        let Some(at) = lost.get(&name).map(|definition| definition.start) else {
            continue;
        };
        let nearest = splices.iter().min_by_key(|splice| {
            at.saturating_sub(splice.span.end) + splice.span.start.saturating_sub(at)
        });
        let Some(operation) = nearest.and_then(|splice| edit.claimant(splice.span)) else {
            continue;
        };
        gone.push(LinkDefinition {
            path: edit.path.clone(),
            line: old.lines().line(at),
            name,
            operation,
        });
    }
    gone.sort_by_key(|link| link.line);
    gone
}

impl LinkDefinition {
    /// Returns the refusal, unless the operation quotes the definition or allows that it goes.
    pub(super) fn refusal(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation)?;
        let bracketed = format!("[{}]", self.name);
        let text = operation
            .scoped()
            .and_then(|scoped| match &scoped.selector {
                Selector::Text(text) => Some(text.to_ascii_lowercase()),
                _ => None,
            });
        // Content that has it, or is put beside it, does not ask that it goes; nor does content that gives it another name.
        let count = |text: &str| text.matches("]:").count();
        let stays = match &operation.verb {
            Verb::Insert { .. } => true,
            Verb::Replace { content, .. } => {
                let is_renamed = text
                    .as_deref()
                    .is_some_and(|text| (1..=count(content)).contains(&count(text)));
                is_renamed
                    || content
                        .to_ascii_lowercase()
                        .contains(&format!("{bracketed}:"))
            }
            _ => false,
        };
        let is_quoted = text.is_some_and(|text| !stays && text.contains(&bracketed));
        let is_allowed = match &operation.allow_remove {
            AllowRemove::Nothing => false,
            AllowRemove::Everything => true,
            AllowRemove::Named(names) => names
                .iter()
                .any(|name| name.to_ascii_lowercase().trim_matches(['[', ']']) == self.name),
        };
        if is_quoted || is_allowed {
            return None;
        }
        let message = format!(
            "{} would lose the link definition `{}` of line {}, which the rest of the file uses",
            self.path,
            shown(&bracketed),
            self.line
        );
        Some(Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation).note(format!(
            "keep the line in the content, or allow it: `allow_remove: ['{}']` (`--allow-remove`)",
            self.name.replace('\'', "''")
        )))
    }
}
