//! Finds an HTML element by a CSS selector that must match it and no other, and the bytes of its parts.

mod near;

use super::document::Document;
use super::parts::PartProblem;
use super::segment::{self, Segment};
use super::{Reading, refusal};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::manifest::{ElementSelector, Operation, Part};
use crate::syntax::html::{Element, is_html};
use crate::text::{Span, is_blank};

/// Most suggestions of a refusal.
const MOST: usize = 5;

/// Most elements that a refusal lists with their lines.
const MOST_LISTED: usize = 20;

/// Returns the number of the one element that `selector` matches.
pub fn find(
    reading: &Reading<'_>,
    selector: &ElementSelector,
    operation: &Operation,
) -> Result<usize, Diagnostic> {
    match find_all(reading, selector, operation)?[..] {
        [only] => Ok(only),
        ref found => Err(several(reading, selector, found, operation)),
    }
}

/// Returns the numbers of the elements that `selector` matches, in file order; none is a refusal.
pub fn find_all(
    reading: &Reading<'_>,
    selector: &ElementSelector,
    operation: &Operation,
) -> Result<Vec<usize>, Diagnostic> {
    let document = reading.document;
    let refuse = |diagnostic: Diagnostic| diagnostic.at(operation.place("element"));
    let Some(language) = document.language else {
        return Err(refuse(refusal::unsupported_language(document)));
    };
    if !is_html(language) {
        let message = format!("{} is {}: it has no elements", document.path, language.name);
        let word = if language.name == "Markdown" {
            "section"
        } else {
            "symbol"
        };
        return Err(refuse(
            Diagnostic::new(Code::Unsupported, message)
                .note(format!("its segments are found by `{word}`")),
        ));
    }
    if document.too_large() {
        return Err(refuse(refusal::too_large(document)));
    }
    let dom = document.dom();
    let Ok(found) = selector
        .0
        .matches_within(dom, &document.bytes, reading.allowance.selecting())
    else {
        let message = format!(
            "looking for `{}` in {} takes too long",
            shown(selector.0.as_str()),
            document.path
        );
        return Err(refuse(
            Diagnostic::new(Code::TooLarge, message)
                .note("a simpler selector, such as `#id`, needs less"),
        ));
    };
    if found.is_empty() {
        Err(refuse(near::missing(reading, selector)))
    } else {
        Ok(found)
    }
}

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
    element: &Element,
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
        | Part::List(_)) => Err(PartProblem::NotOfThisKind(part)),
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
            let message = format!(
                "{address} has no {}: it cannot have content",
                refusal::part_word(part)
            );
            Diagnostic::new(Code::SegmentNotFound, message)
        }
        PartProblem::NotOfThisKind(part) => {
            let message = format!("an element has no part `{}`", refusal::part_word(part));
            Diagnostic::new(Code::Unsupported, message)
                .note("its parts: whole, inner, attribute:NAME")
        }
    }
}

fn attribute_names(document: &Document, element: &Element) -> Vec<String> {
    let name = |span: Span| String::from_utf8_lossy(span.of(&document.bytes)).to_ascii_lowercase();
    element
        .attributes
        .iter()
        .map(|attribute| name(attribute.name))
        .collect()
}

/// Several elements match.
pub fn several(
    reading: &Reading<'_>,
    selector: &ElementSelector,
    found: &[usize],
    operation: &Operation,
) -> Diagnostic {
    let document = reading.document;
    let asked = shown(selector.0.as_str());
    let message = format!(
        "{} elements of {} match `{asked}`",
        found.len(),
        document.path
    );
    let mut diagnostic = Diagnostic::new(Code::SegmentAmbiguous, message);
    for &at in found {
        let address = format!("{}::{}", document.path, reading.addresses().address(at));
        if diagnostic.notes.len() < MOST_LISTED
            && let Some(element) = document.dom().elements.get(at)
        {
            let lines = document.lines();
            let (first, last) = (
                lines.line(element.start_tag.start),
                lines.line(element.end.saturating_sub(1)),
            );
            diagnostic
                .notes
                .push(format!("{address} is at lines {first}-{last}"));
        }
        diagnostic.candidates.push(address);
    }
    diagnostic.at(operation.place("element"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Verb;
    use crate::path::RepoPath;
    use crate::snapshot::HashKind;

    const PAGE: &str = "<html>\n<body>\n  <div id=\"header\" class=\"wide top\">\n    <h1>Title</h1>\n  </div>\n  \
        <nav>\n    <a href=\"/x\">1</a>\n    <a href=\"/y\">2</a>\n  </nav>\n  <h2>Two</h2>\n</body>\n</html>\n";

    /// Tells what a selector finds in the page: its lines, the suggestions, or the candidates.
    fn check(selector: &str, expected: &str) {
        let path = RepoPath::parse("a.html").unwrap();
        let document = Document::new(path.clone(), PAGE.as_bytes().into(), HashKind::Sha1);
        let reading = Reading::of(&document);
        let operation = Operation::on(path, Verb::Remove { expect: None });
        let told = match find(
            &reading,
            &ElementSelector::parse(selector).unwrap(),
            &operation,
        ) {
            Ok(at) => {
                let span = part(&document, &document.dom().elements[at], None).unwrap();
                let segment = describe(&reading, at, span);
                format!(
                    "{} {}-{}",
                    segment.address, segment.start_line, segment.end_line
                )
            }
            Err(error) if error.code == Code::SegmentAmbiguous => {
                format!("any of {}", error.candidates.join(", "))
            }
            Err(error) => format!("{} {}", error.code.as_str(), error.suggestions.join(", ")),
        };
        assert_eq!(told, expected, "{selector}");
    }

    #[test]
    fn one_element_is_found_or_none() {
        check("#header", "a.html::#header 3-5");
        check("#header h1", "a.html::h1 4-4");
        check("nav > a[href=\"/y\"]", "a.html::a[href=\"/y\"] 8-8");
        check(
            "nav a",
            "any of a.html::a[href=\"/x\"], a.html::a[href=\"/y\"]",
        );
        check("#heder h1", "segment-not-found a.html::#header h1");
        check(".wde", "segment-not-found a.html::.wide");
        check("nva > a", "segment-not-found a.html::nav > a");
        check(
            "a[href='/z']",
            "segment-not-found a.html::a[href='/x'], a.html::a[href='/y']",
        );
        check("#header > h2", "segment-not-found a.html::h2");
        check("#header nav", "segment-not-found a.html::nav");
        check("video", "segment-not-found ");
    }
}
