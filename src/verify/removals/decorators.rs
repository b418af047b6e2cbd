//! Decorators and attributes of definitions that stay. They are no definitions, and what they do (`#[test]`, `@app.route`) no other
//! check would miss.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Selector};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::{Document, Named};
use crate::syntax::{Decoration, DecorationSort};
use crate::text::Span;
use crate::text::splice::Splices;

/// A decorator that goes from a definition that stays.
#[derive(Clone, Debug)]
pub struct Decorator {
    path: RepoPath,
    /// Its first line.
    text: String,
    /// The address of its definition within the file.
    of: String,
    /// 1-based.
    line: usize,
    operation: usize,
    /// The range began before the definition, and ended before its header.
    is_overrun: bool,
}

/// Returns the decorators that the edit takes from definitions that `new` still has, of which none of the name is left there,
/// and no other has come.
pub fn gone(
    edit: &FileEdit,
    splices: &Splices,
    (old, old_named): (&Document, &[Named<'_>]),
    (new, new_named): (&Document, &[Named<'_>]),
) -> Vec<Decorator> {
    let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let taken = |decoration: &&Decoration| {
        let from = touched.partition_point(|splice| splice.end <= decoration.span.start);
        decoration.sort == DecorationSort::Decorator
            && touched.get(from).is_some_and(|splice| splice.overlaps(decoration.span))
    };
    let robbed: Vec<(&Named<'_>, Vec<&Decoration>)> = old_named
        .iter()
        .map(|named| (named, named.symbol.decorations.iter().filter(taken).collect::<Vec<_>>()))
        .filter(|(_, taken)| !taken.is_empty())
        .collect();
    if robbed.is_empty() {
        return Vec::new();
    }

    let mut heirs: HashMap<(&str, usize), &Named<'_>> = HashMap::new();
    for named in new_named {
        heirs.insert((&named.qualified, named.index), named);
    }
    let mut gone = Vec::new();
    for (was, taken) in robbed {
        let heir = heirs.get(&(was.qualified.as_str(), was.index)).filter(|heir| heir.twins == was.twins);
        let Some(heir) = heir else { continue };
        // As many as before: one was exchanged for another.
        if decorators(heir).count() >= decorators(was).count() {
            continue;
        }
        let mut has: HashMap<&[u8], usize> = HashMap::new();
        for name in decorators(heir).map(|decoration| name(decoration.span.of(&new.bytes))) {
            *has.entry(name).or_default() += 1;
        }
        // Those that stay have theirs first.
        for kept in decorators(was).filter(|decoration| !taken.iter().any(|taken| taken.span == decoration.span)) {
            if let Some(left) = has.get_mut(name(kept.span.of(&old.bytes))) {
                *left = left.saturating_sub(1);
            }
        }
        let first = decorators(was).next().map_or(was.symbol.definition.start, |first| first.span.start);
        for decoration in taken {
            let text = decoration.span.of(&old.bytes);
            match has.get_mut(name(text)) {
                Some(left) if *left > 0 => *left -= 1,
                _ => {
                    let Some((claim, operation)) = claim_on(edit, decoration.span) else { continue };
                    let begins_before = !old.bytes.get(claim.start..first).unwrap_or_default().trim_ascii().is_empty();
                    gone.push(Decorator {
                        path: edit.path.clone(),
                        text: String::from_utf8_lossy(text.split(|&byte| byte == b'\n').next().unwrap_or_default())
                            .trim_end()
                            .to_owned(),
                        of: was.address(),
                        line: old.lines().line(decoration.span.start),
                        operation,
                        is_overrun: begins_before && claim.end <= was.symbol.definition.start,
                    });
                }
            }
        }
    }
    gone
}

fn decorators<'n>(named: &'n Named<'_>) -> impl Iterator<Item = &'n Decoration> {
    named.symbol.decorations.iter().filter(|decoration| decoration.sort == DecorationSort::Decorator)
}

/// Returns what a decorator is called: what comes before its arguments.
fn name(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"]").unwrap_or(text);
    let end = text.iter().position(|byte| matches!(byte, b'(' | b'=' | b'\n' | b' '));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default().trim_ascii()
}

/// Returns what an operation claims that holds a part of `span`.
fn claim_on(edit: &FileEdit, span: Span) -> Option<(Span, usize)> {
    edit.claims.iter().copied().find(|(claim, _)| claim.overlaps(span))
}

impl Decorator {
    /// Returns what there is to say: a refusal of what a range took in passing, and a warning of what content lacks. Nothing of
    /// what an operation quotes or allows.
    pub fn complaint(&self, operations: &[Operation]) -> Option<(Complaint, Diagnostic)> {
        let operation = operations.get(self.operation)?;
        let is_quoted = operation.scoped().is_some_and(|scoped| matches!(scoped.selector, Selector::Text(_)));
        let is_allowed = match &operation.allow_remove {
            AllowRemove::Nothing => false,
            AllowRemove::Everything => true,
            AllowRemove::Named(names) => names.contains(&self.of) || names.contains(&self.text),
        };
        if is_quoted || is_allowed {
            return None;
        }
        let (path, text, of, line) = (&self.path, shown(&self.text), shown(&self.of), self.line);
        Some(if self.is_overrun {
            let message =
                format!("{path} would lose `{text}` of `{of}` (line {line}), which is beside what was asked for");
            let diagnostic = Diagnostic::new(Code::WouldRemove, message).note(format!(
                "keep it in the content, or allow it: `allow_remove: ['{}']` (`--allow-remove`)",
                self.of
            ));
            (Complaint::Refusal, diagnostic.of_operation(self.operation))
        } else {
            let message = format!("`{text}` of `{of}`, at line {line} of {path}, goes");
            (Complaint::Warning, Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation))
        })
    }
}

/// How much there is against a decorator that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// A range took it in passing.
    Refusal,
    /// It was replaced, or left out.
    Warning,
}
