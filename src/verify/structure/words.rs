//! What a refusal of the structure says: what stood there, what would become of it, what to do instead.

use super::lost::StructureProblem;
use super::page::{FRAME, PageTree};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::syntax::html::PageProblemKind;
use crate::text::Span;

impl StructureProblem {
    /// Returns the tag of the old page that it is about.
    pub(super) fn old_tag(&self) -> Option<Span> {
        match self {
            StructureProblem::Lost { end_tag: tag, .. }
            | StructureProblem::Crossed { end_tag: tag, .. } => Some(*tag),
            StructureProblem::Swallowed(tag) | StructureProblem::Doctype(tag) => Some(*tag),
            StructureProblem::LeftOpen(_)
            | StructureProblem::Added(_)
            | StructureProblem::Displaced(_)
            | StructureProblem::Ended(_)
            | StructureProblem::Unquoted(_)
            | StructureProblem::Repeated(_)
            | StructureProblem::Handed(_)
            | StructureProblem::Outside(_)
            | StructureProblem::Reassigned(_) => None,
        }
    }

    pub(super) fn refusal(
        &self,
        edit: &FileEdit,
        old: &PageTree<'_>,
        new: &PageTree<'_>,
    ) -> Diagnostic {
        let path = &edit.path;
        let (page, span, message, note) = match self {
            StructureProblem::Lost { end_tag, start_tag } => {
                let (tag, opener) = (old.tag(*end_tag), old.line(*start_tag));
                let message = format!(
                    "{path}:{}: the edit would lose `{tag}`, which closes line {opener}",
                    old.line(*end_tag)
                );
                let note = match FRAME.iter().any(|name| tag == format!("</{name}>")) {
                    true => {
                        "a page keeps its `<html>`, `<head>` and `<body>`: `part: inner` empties one"
                    }
                    false => "to take an element out, name it with `element`: its tags go together",
                };
                (old, *end_tag, message, note)
            }
            StructureProblem::Crossed { end_tag, start_tag } => {
                let (tag, opener) = (old.tag(*end_tag), old.line(*start_tag));
                let message = format!(
                    "{path}:{}: `{tag}` would no longer close what it closes, the tag of line {opener}",
                    old.line(*end_tag)
                );
                (
                    old,
                    *end_tag,
                    message,
                    "name the element around what is to change with `element`, or write both tags",
                )
            }
            StructureProblem::Swallowed(tag) => {
                let message = format!(
                    "{path}:{}: the edit would swallow `{}`",
                    old.line(*tag),
                    old.tag(*tag)
                );
                (
                    old,
                    *tag,
                    message,
                    "the content seems to leave a quote, a tag or a comment open",
                )
            }
            StructureProblem::Doctype(span) => {
                let message = format!(
                    "{path}:{}: the edit would lose the document type",
                    old.line(*span)
                );
                (
                    old,
                    *span,
                    message,
                    "a page without it is laid out as in the nineties: write it in the content too",
                )
            }
            StructureProblem::LeftOpen(span) => {
                let tag = new.tag(*span);
                let message = format!("{path}:{}: `{tag}` lacks its closing tag", new.line(*span));
                (
                    new,
                    *span,
                    message,
                    "a closing tag may be left out only where the page leaves it out, and nothing follows that it would take in",
                )
            }
            StructureProblem::Ended(comment) => {
                let message = format!(
                    "{path}:{}: the comment that begins here would end elsewhere",
                    old.line(*comment)
                );
                (
                    old,
                    *comment,
                    message,
                    "a comment holds no other: its first `-->` ends it",
                )
            }
            StructureProblem::Unquoted(name) => {
                let message = format!(
                    "{path}:{}: a quotation mark inside of a value would end it, and `{}` would be an attribute",
                    new.line(*name),
                    shown(&String::from_utf8_lossy(name.of(new.bytes)))
                );
                (
                    new,
                    *name,
                    message,
                    "write `&quot;`, or put the value between the other quotation marks",
                )
            }
            StructureProblem::Repeated(name) => {
                let message = format!(
                    "{path}:{}: the tag would have `{}` twice, and a browser takes the first alone",
                    new.line(*name),
                    shown(&String::from_utf8_lossy(name.of(new.bytes)))
                );
                (
                    new,
                    *name,
                    message,
                    "change the one that is there: `part: attribute:NAME` replaces its value",
                )
            }
            StructureProblem::Handed(attribute) => {
                let message = format!(
                    "{path}:{}: the edit would give `{}` to another tag, or to none",
                    old.line(*attribute),
                    shown(&String::from_utf8_lossy(attribute.of(old.bytes)))
                );
                (
                    old,
                    *attribute,
                    message,
                    "an element comes after the whole tag of another: name that with `element`",
                )
            }
            StructureProblem::Outside(place) => {
                let (line, first) = (old.line(*place), place.of(old.bytes));
                let what = if first == b"<" { "a tag" } else { "the text" };
                let message = format!(
                    "{path}:{line}: {what} would be outside of the element that it is in, which has no closing tag"
                );
                (
                    old,
                    *place,
                    message,
                    "a block such as `<ul>` or `<div>` ends a `<p>`: put it after the last line of that, or begin another `<p>` after it",
                )
            }
            StructureProblem::Reassigned(tag) => {
                let message = format!(
                    "{path}:{}: the edit would give this description to another term",
                    old.line(*tag)
                );
                (
                    old,
                    *tag,
                    message,
                    "a `<dt>` goes together with its `<dd>`, and another comes after the last `<dd>` of the one above",
                )
            }
            StructureProblem::Displaced(span) if span.is_empty() => {
                let message = format!(
                    "{path}:{}: a browser would take the end of the page for part of a script or a text",
                    new.line(*span)
                );
                (
                    new,
                    *span,
                    message,
                    "`<!-- <script>` in a script hides the tag that closes it",
                )
            }
            StructureProblem::Displaced(span) => {
                let (line, text) = (
                    new.line(*span),
                    String::from_utf8_lossy(span.of(new.bytes)).into_owned(),
                );
                let what = if text.starts_with('<') {
                    new.tag(*span)
                } else {
                    "the text".to_owned()
                };
                let message = format!(
                    "{path}:{line}: a browser would put {what} elsewhere than its tags say"
                );
                let note = "an `<a>`, `<button>`, `<nobr>` or `<form>` does not stand in another of its name, nor much in a `<table>` \
                            outside of its cells";
                (new, *span, message, note)
            }
            StructureProblem::Added(problem) => {
                let (line, tag) = (new.line(problem.span), new.tag(problem.span));
                let message = match problem.sort {
                    PageProblemKind::Unclosed => format!("{path}:{line}: `{tag}` is never closed"),
                    PageProblemKind::Stray => format!("{path}:{line}: `{tag}` closes nothing"),
                    PageProblemKind::Misplaced => {
                        format!("{path}:{line}: `{tag}` stands where a page does not have it")
                    }
                    PageProblemKind::Unterminated(what) => {
                        format!("{path}:{line}: the {what} that begins here never ends")
                    }
                    PageProblemKind::TooIntricate => {
                        format!("{path} would be too intricate to read")
                    }
                };
                let note = match (problem.sort, tag.as_str()) {
                    (PageProblemKind::Stray, "</p>") => {
                        "a `<p>` ends where a block such as `<div>`, `<ul>` or `<pre>` begins inside of it"
                    }
                    (PageProblemKind::Misplaced, _) => {
                        "`<html>`, `<head>` and `<body>` stand once in a page, in this order"
                    }
                    _ => "write each element with both its tags",
                };
                (new, problem.span, message, note)
            }
        };
        let diagnostic = Diagnostic::new(Code::StructureLost, message)
            .note(note)
            .showing(page.excerpt(edit, span));
        let old_side = std::ptr::eq(page, old) && !std::ptr::eq(old, new);
        let operation = if old_side {
            claimant(edit, span)
        } else {
            edit.operation_at(span.start)
        };
        match operation.or_else(|| edit.operation_at(span.start)) {
            Some(operation) => diagnostic.of_operation(operation),
            None => diagnostic,
        }
    }
}

/// Returns the operation that claims `span`, else the last that claims something ahead of it.
fn claimant(edit: &FileEdit, span: Span) -> Option<usize> {
    let overlapping = edit.claims.iter().find(|(claim, _)| claim.overlaps(span));
    let ahead = || {
        edit.claims
            .iter()
            .filter(|(claim, _)| claim.start <= span.start)
            .max_by_key(|(claim, _)| claim.start)
    };
    overlapping.or_else(ahead).map(|&(_, operation)| operation)
}
