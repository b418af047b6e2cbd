//! Parts: the range of an element that an operation means, and what reports say of it.

use super::near::MOST;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::manifest::Part;
use crate::resolve::Reading;
use crate::resolve::document::Document;
use crate::resolve::items::ItemProblem;
use crate::resolve::parts::PartProblem;
use crate::resolve::segment::{self, Segment};
use crate::syntax::html::HtmlElement;
use crate::text::{Span, is_blank};

/// Describes `span` as the element with this number, or a part of it.
pub fn describe(reading: &Reading<'_>, at: usize, span: Span) -> Segment {
    let document = reading.document;
    let Some(element) = document.dom().elements.get(at) else {
        return reading.describe(span, None, "element");
    };
    let whole = element.whole();
    let named = reading
        .named()
        .iter()
        .find(|named| named.symbol.definition == whole);
    let around = reading.named().iter().rfind(|named| {
        let definition = named.symbol.definition;
        definition != whole && definition.contains(whole)
    });
    let name = segment::Name {
        address: Some(reading.addresses().address(at)),
        name: named.map_or(&element.name, |named| named.symbol.name.as_str()),
        signature: Some(named.map_or(element.start_tag, |named| named.symbol.signature)),
        parent: around.map(|around| around.qualified.clone()),
    };
    segment::describe(document, span, "element", name)
}

/// Returns the bytes of `part` of an element; without one all of it, whole lines where it has them to itself.
pub fn part(
    document: &Document,
    element: &HtmlElement,
    part: Option<Part>,
) -> Result<Span, PartProblem> {
    match part.unwrap_or(Part::Whole) {
        Part::Whole => Ok(extent(document, element.whole())),
        part @ Part::Inner => element.inner().ok_or(PartProblem::Lacking(part)),
        part @ Part::Attribute(name) => {
            let found = element.attribute(&document.bytes, name.as_str());
            let found = found.ok_or(PartProblem::Lacking(part))?;
            Ok(found.value.unwrap_or(Span::at(found.name.end)))
        }
        part @ (Part::Definition
        | Part::Body
        | Part::Signature
        | Part::Docstring
        | Part::Own
        | Part::Heading
        | Part::Code(_)
        | Part::Table(_)
        | Part::List(_)
        | Part::Item(..)) => Err(PartProblem::NotOfThisKind(part)),
    }
}

/// Returns the range that stands for an element at `whole`: from the first column where it has its lines to itself, blanks
/// behind it left out; inside of a `<pre>` the element and no more, for the blanks ahead of it are text.
pub fn extent(document: &Document, whole: Span) -> Span {
    if document.dom().is_preformatted(whole.start) {
        return whole;
    }
    own_lines(document, whole).map_or(whole, |lines| Span::new(lines.start, whole.end))
}

/// Returns the whole lines of `span` when nothing but blanks stands beside it on them.
pub fn own_lines(document: &Document, span: Span) -> Option<Span> {
    let lines = document.lines();
    let start = document.line_start(lines.line(span.start));
    let last = lines.line(span.end.saturating_sub(1).max(span.start));
    let end = lines.content(&document.bytes, last).end.max(span.end);
    let beside = |from, to| document.bytes.get(from..to).is_some_and(is_blank);
    (beside(start, span.start) && beside(span.end, end)).then(|| Span::new(start, end))
}

/// Words why an element lacks a part.
pub fn no_such_part(reading: &Reading<'_>, at: usize, problem: PartProblem) -> Diagnostic {
    let document = reading.document;
    let address = format!("{}::{}", document.path, reading.addresses().address(at));
    let element = document.dom().elements.get(at);
    match problem {
        PartProblem::Lacking(Part::Attribute(name)) => {
            let names: Vec<String> = element
                .map(|element| attribute_names(document, element))
                .unwrap_or_default();
            let near = nearest(name.as_str(), names.iter().map(String::as_str), MOST);
            let near: Vec<String> = near
                .into_iter()
                .map(|near| format!("attribute:{near}"))
                .collect();
            let has = if names.is_empty() {
                "no attributes".to_owned()
            } else {
                names.join(", ")
            };
            Diagnostic::new(
                Code::SegmentNotFound,
                format!("{address} has no attribute `{name}`"),
            )
            .note(format!("it has: {has}"))
            .note("`op: insert` with the same `part` adds it")
            .suggest(near)
        }
        PartProblem::Lacking(part) | PartProblem::TooFew { part, .. } => {
            let message = format!("{address} has no {part}: it cannot have content");
            Diagnostic::new(Code::SegmentNotFound, message)
        }
        PartProblem::NotOfThisKind(part)
        | PartProblem::Item(
            ItemProblem::Unnamed { part, .. }
            | ItemProblem::Missing { part, .. }
            | ItemProblem::Several { part, .. }
            | ItemProblem::Together { part, .. },
        ) => {
            let message = format!("an element has no part `{part}`");
            Diagnostic::new(Code::Unsupported, message)
                .note("its parts: whole, inner, attribute:NAME")
        }
    }
}

fn attribute_names(document: &Document, element: &HtmlElement) -> Vec<String> {
    let name = |span: Span| String::from_utf8_lossy(span.of(&document.bytes)).to_ascii_lowercase();
    element
        .attributes
        .iter()
        .map(|attribute| name(attribute.name))
        .collect()
}
