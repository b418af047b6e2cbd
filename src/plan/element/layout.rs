//! Where the content of an element stands against its tags: beside them, or on lines of its own.

use crate::resolve::Document;
use crate::syntax::html::{HtmlElement, is_space};
use crate::text::{Span, is_blank};

/// How what stands between the tags is laid out.
pub(crate) enum ElementLayout {
    /// The element cannot have content.
    None,
    /// On lines of its own, below the start tag.
    Lines {
        /// From the first line that is not blank to the last.
        text: Span,
        /// All lines between those of the tags.
        all: Span,
    },
    /// Beside a tag, or where every blank counts.
    Inline(Span),
    /// Nothing but blanks.
    Blank(Span),
}

/// Returns how what stands between the tags of `element` is laid out.
pub(crate) fn layout_of(document: &Document, element: &HtmlElement) -> ElementLayout {
    let Some(inner) = element.inner() else {
        return ElementLayout::None;
    };
    let bytes = inner.of(&document.bytes);
    if document.dom().is_preformatted(inner.start) {
        return ElementLayout::Inline(inner);
    }
    if bytes.iter().all(|byte| is_space(*byte)) {
        return ElementLayout::Blank(inner);
    }
    let first_end = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .filter(|&end| is_blank(&bytes[..end]));
    let last_start = match element.end_tag {
        Some(_) => bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .filter(|&at| is_blank(&bytes[at + 1..])),
        None => Some(bytes.len()),
    };
    let (Some(first), Some(last)) = (first_end, last_start) else {
        return ElementLayout::Inline(inner);
    };
    if last <= first {
        return ElementLayout::Inline(inner);
    }
    let lines = document.lines();
    let start = inner.start + first + 1;
    let end = if element.end_tag.is_some() {
        lines
            .content(&document.bytes, lines.line(inner.start + last))
            .end
    } else {
        inner.end
    };
    let blank =
        |number: &usize| is_blank(lines.content(&document.bytes, *number).of(&document.bytes));
    let (first, last) = (
        lines.line(start),
        lines.line(end.saturating_sub(1).max(start)),
    );
    let top = (first..=last)
        .find(|number| !blank(number))
        .unwrap_or(first);
    let bottom = (top..=last)
        .rev()
        .find(|number| !blank(number))
        .unwrap_or(top);
    let text = Span::new(
        lines.start(top),
        lines
            .content(&document.bytes, bottom)
            .end
            .min(end)
            .max(lines.start(top)),
    );
    ElementLayout::Lines {
        text,
        all: Span::new(start, end),
    }
}
