//! What is put inside of an element is not the element again, and stays inside: one without a closing tag ends where HTML ends it.

use super::super::edit::EditKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::Document;
use crate::syntax::html::{Dom, HtmlElement};
use crate::text::{Span, is_blank};

/// Returns `edits`, which put something inside of `element`, or refuses them when its content would come to stand behind it.
/// One with a closing tag is watched by the check of the structure.
pub(super) fn check_inside(
    document: &Document,
    element: &HtmlElement,
    edits: Vec<EditKind>,
) -> Result<Vec<EditKind>, Diagnostic> {
    if element.end_tag.is_some() || edits.is_empty() {
        return Ok(edits);
    }
    let page = apply_edits_to(&document.bytes, &edits);
    let behind = document.bytes.len().saturating_sub(element.end);
    let dom = Dom::of(&page);
    let now = dom
        .elements
        .iter()
        .find(|now| now.start_tag.start == element.start_tag.start);
    let outside = now.and_then(|now| page.get(now.end..page.len().saturating_sub(behind)));
    if outside.is_some_and(is_blank) {
        return Ok(edits);
    }
    let (name, line) = (
        &element.name,
        document.lines().line(element.start_tag.start),
    );
    let message = format!("the content would not stay inside of the <{name}> of line {line}");
    Err(Diagnostic::new(Code::StructureLost, message).note(format!(
        "that <{name}> has no closing tag, so it ends where HTML ends it: replace it with `part: whole`, both tags written"
    )))
}

/// Refuses content for the inside of `element` that is the element itself, by its name and `id`, with what is to be inside in it.
pub(super) fn check_is_another(
    document: &Document,
    element: &HtmlElement,
    content: &str,
) -> Result<(), Diagnostic> {
    let text = content.trim_ascii().as_bytes();
    let id = |element: &HtmlElement, source: &[u8]| {
        let id = element.attribute(source, "id")?.value?;
        Some(id.of(source).to_vec())
    };
    let Some(own) = id(element, &document.bytes) else {
        return Ok(());
    };
    let dom = Dom::of(text);
    let is_itself = dom.elements.first().is_some_and(|first| {
        first.whole() == Span::new(0, text.len())
            && first.name == element.name
            && id(first, text).is_some_and(|id| id == own)
    });
    if !is_itself {
        return Ok(());
    }
    let message = format!(
        "the content is the <{}> that it would be put inside of",
        element.name
    );
    Err(Diagnostic::new(Code::Unsupported, message)
        .note("give only what is to be inside, without the element around it"))
}

fn apply_edits_to(bytes: &[u8], edits: &[EditKind]) -> Vec<u8> {
    let mut page = bytes.to_vec();
    for edit in edits {
        let claim = edit.claim();
        let new = match edit {
            EditKind::Replace(splice) => splice.bytes.clone(),
            EditKind::Insert(insertion) => [
                insertion.before.as_slice(),
                &insertion.content,
                &insertion.after,
            ]
            .concat(),
            EditKind::DeleteLines(_) => Vec::new(),
        };
        if claim.start <= claim.end && claim.end <= page.len() {
            page.splice(claim.start..claim.end, new);
        }
    }
    page
}
