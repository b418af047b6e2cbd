//! A template that extends another: its `{% extends %}` stays the first tag, and what an edit writes, or leaves, outside of its blocks
//! is no content, for that would never be shown.
//!
//! What a child said before its `{% extends %}`, or in no block, before the edit, it may say on, and in other words. What defines
//! something, such as `{% set %}` and `{% macro %}`, is no content.

use super::edited_file::showing;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::syntax::html::{Dom, HtmlElement, is_html};
use crate::syntax::jinja::{self, Child};
use crate::text::splice::Splices;
use crate::text::{Lines, Span};

/// Most blocks that a message names.
const MOST_NAMED: usize = 8;

/// Returns a refusal where `new` extends another template and says something before that or in no block, as `old` did not.
pub(super) fn check(edit: &FileEdit, old: &[u8], new: &[u8]) -> Option<Diagnostic> {
    let child = jinja::child(new)?;
    let was = jinja::child(old);
    let written: Vec<Span> = match &edit.splices {
        Some(splices) => splices
            .with_new_spans()
            .map(|(_, written)| written)
            .collect(),
        None => vec![Span::new(0, new.len())],
    };
    if let Some(again) = child
        .again
        .filter(|_| was.as_ref().is_none_or(|was| was.again.is_none()))
    {
        let message = format!("{} extends another template already", edit.path);
        return Some(
            refusal(edit, (again, new), message).note("replace the `{% extends %}` that is there"),
        );
    }
    if let Some(early) = early(&child, was.as_ref(), &written, new) {
        let message = format!(
            "{}, would come before `{{% extends %}}`",
            place(edit, early, new)
        );
        let note = "engines want `{% extends %}` as the first tag, and show what is before it before the page: put it into a block";
        return Some(refusal(edit, (early, new), message).note(note));
    }
    let unseen = unseen(edit.splices.as_ref(), &child, was.as_ref(), (old, new))?;
    let message = format!(
        "{}, would be in no block of a template that extends another: it would never be shown",
        place(edit, unseen, new)
    );
    Some(refusal(edit, (unseen, new), message).note(way_out(new)))
}

/// Holds a file without tags that comes to extend another to the same, unless it is a page that shows the tag in its text.
pub(super) fn became(edit: &FileEdit, old: &[u8], new: &[u8]) -> Option<Diagnostic> {
    let child = jinja::child(new)?;
    let is_page = edit.language().is_some_and(is_html);
    if is_page && is_shown(new, child.extends) {
        return None;
    }
    check(edit, old, new)
}

/// Says whether a page shows what is at `span` to its readers as it is written.
pub(super) fn is_shown(page: &[u8], span: Span) -> bool {
    const SHOWN: [&str; 6] = ["code", "pre", "samp", "kbd", "textarea", "script"];
    let shows =
        |element: &HtmlElement| SHOWN.contains(&&*element.name) && element.whole().contains(span);
    Dom::of(page).elements.iter().any(shows)
}

/// Returns the first thing that comes before the `{% extends %}`, where nothing did before, or where that is new. Text that comes with
/// it is meant to be shown before the page.
fn early(child: &Child, was: Option<&Child>, written: &[Span], new: &[u8]) -> Option<Span> {
    if was.is_some_and(|was| !was.early.is_empty()) {
        return None;
    }
    let with_it = written
        .iter()
        .find(|written| written.contains(child.extends));
    let is_meant = |span: &&Span| {
        let is_tag = matches!(span.of(new), [b'{', b'{' | b'%', ..]);
        !is_tag && was.is_none() && with_it.is_some_and(|written| written.contains(**span))
    };
    child.early.iter().find(|span| !is_meant(span)).copied()
}

/// Returns the first thing that would be in no block, and was not before, nor took the place of something that was.
fn unseen(
    splices: Option<&Splices>,
    child: &Child,
    was: Option<&Child>,
    (old, new): (&[u8], &[u8]),
) -> Option<Span> {
    let before = was.map_or(&[][..], |was| &was.unseen);
    let Some(splices) = splices else {
        let known = |span: &&Span| before.iter().any(|was| was.of(old) == span.of(new));
        return child.unseen.iter().find(|span| !known(span)).copied();
    };
    let moves = splices.moves();
    let moved: Vec<Span> = before
        .iter()
        .map(|span| {
            let start = moves.before(span.start);
            Span::new(start, moves.after(span.end).max(start))
        })
        .collect();
    child.unseen.iter().copied().find_map(|span| {
        let mut writing = splices
            .with_new_spans()
            .filter(|(_, written)| written.overlaps(span))
            .peekable();
        if writing.peek().is_none() {
            return (!moved.iter().any(|was| was.overlaps(span))).then_some(span);
        }
        writing.find_map(|(splice, written)| {
            let part = Span::new(span.start.max(written.start), span.end.min(written.end));
            let is_known = before.iter().any(|was| was.overlaps(splice.span));
            (!is_known && !part.of(new).trim_ascii().is_empty()).then_some(part)
        })
    })
}

/// Names the blocks that content may go to.
fn way_out(new: &[u8]) -> String {
    let blocks = jinja::blocks(new).unwrap_or_default();
    let names: Vec<String> = blocks
        .iter()
        .take(MOST_NAMED)
        .map(|block| format!("`{}`", shown(&block.name)))
        .collect();
    if names.is_empty() {
        return "put it into a block of the template that it extends: `{% block name %} … {% endblock %}`".to_owned();
    }
    let more = if blocks.len() > names.len() {
        ", …"
    } else {
        ""
    };
    format!(
        "`insert` with `block` puts it into one: {}{more}",
        names.join(", ")
    )
}

/// Quotes the first line of what is at `span`, and says where it is.
fn place(edit: &FileEdit, span: Span, new: &[u8]) -> String {
    let text = String::from_utf8_lossy(span.of(new));
    let quoted = shown(text.trim().lines().next().unwrap_or_default());
    format!(
        "`{quoted}`, at line {} of {}",
        Lines::of(new).line(span.start),
        edit.path
    )
}

fn refusal(edit: &FileEdit, (span, new): (Span, &[u8]), message: String) -> Diagnostic {
    showing(
        edit,
        Diagnostic::new(Code::StructureLost, message),
        (new, span.start),
        span.start,
    )
}
