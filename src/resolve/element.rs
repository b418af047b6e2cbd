//! Finds an HTML element by a CSS selector that must match it and no other, and the bytes of its parts.

use std::collections::BTreeSet;

use super::document::Document;
use super::parts::PartProblem;
use super::segment::{self, Segment};
use super::{Reading, refusal};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::manifest::{ElementSelector, Operation, Part};
use crate::syntax::html::{CssSelector, Dom, Element, is_html};
use crate::text::{Span, is_blank};

/// Most suggestions of a refusal.
const MOST: usize = 5;

/// Most elements that a refusal lists with their lines.
const MOST_LISTED: usize = 20;

/// Returns the number of the one element that `selector` matches.
pub fn find(reading: &Reading<'_>, selector: &ElementSelector, operation: &Operation) -> Result<usize, Diagnostic> {
    let document = reading.document;
    let refuse = |diagnostic: Diagnostic| diagnostic.at(operation.place("element"));
    let Some(language) = document.language else {
        return Err(refuse(refusal::unsupported_language(document)));
    };
    if !is_html(language) {
        let message = format!("{} is {}: it has no elements", document.path, language.name);
        let word = if language.name == "Markdown" { "section" } else { "symbol" };
        return Err(refuse(
            Diagnostic::new(Code::Unsupported, message).note(format!("its segments are found by `{word}`")),
        ));
    }
    if document.too_large() {
        return Err(refuse(refusal::too_large(document)));
    }
    let dom = document.dom();
    let Ok(found) = selector.0.matches_within(dom, &document.bytes, reading.allowance.selecting()) else {
        let message = format!("looking for `{}` in {} takes too long", shown(selector.0.as_str()), document.path);
        return Err(refuse(
            Diagnostic::new(Code::TooLarge, message).note("a simpler selector, such as `#id`, needs less"),
        ));
    };
    match found[..] {
        [] => Err(refuse(missing(reading, selector))),
        [only] => Ok(only),
        _ => Err(refuse(several(reading, selector, &found))),
    }
}

/// Describes `span` as the element with this number, or a part of it.
pub fn describe(reading: &Reading<'_>, at: usize, span: Span) -> Segment {
    let document = reading.document;
    let Some(element) = document.dom().elements.get(at) else { return reading.describe(span, None, "element") };
    let whole = element.whole();
    let named = reading.named().iter().find(|named| named.symbol.definition == whole);
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
pub fn part(document: &Document, element: &Element, part: Option<Part>) -> Result<Span, PartProblem> {
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
/// behind it left out.
pub fn extent(document: &Document, whole: Span) -> Span {
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
            let names: Vec<String> = element.map(|element| attribute_names(document, element)).unwrap_or_default();
            let near = nearest(name.as_str(), names.iter().map(String::as_str), MOST);
            let near: Vec<String> = near.into_iter().map(|near| format!("attribute:{near}")).collect();
            let has = if names.is_empty() { "no attributes".to_owned() } else { names.join(", ") };
            Diagnostic::new(Code::SegmentNotFound, format!("{address} has no attribute `{name}`"))
                .note(format!("it has: {has}"))
                .note("`op: insert` with the same `part` adds it")
                .suggest(near)
        }
        PartProblem::Lacking(part) | PartProblem::TooFew { part, .. } => {
            let message = format!("{address} has no {}: it cannot have content", refusal::part_word(part));
            Diagnostic::new(Code::SegmentNotFound, message)
        }
        PartProblem::NotOfThisKind(part) => {
            let message = format!("an element has no part `{}`", refusal::part_word(part));
            Diagnostic::new(Code::Unsupported, message).note("its parts: whole, inner, attribute:NAME")
        }
    }
}

fn attribute_names(document: &Document, element: &Element) -> Vec<String> {
    let name = |span: Span| String::from_utf8_lossy(span.of(&document.bytes)).to_ascii_lowercase();
    element.attributes.iter().map(|attribute| name(attribute.name)).collect()
}

/// Several elements match.
fn several(reading: &Reading<'_>, selector: &ElementSelector, found: &[usize]) -> Diagnostic {
    let document = reading.document;
    let asked = shown(selector.0.as_str());
    let message = format!("{} elements of {} match `{asked}`", found.len(), document.path);
    let mut diagnostic = Diagnostic::new(Code::SegmentAmbiguous, message);
    for &at in found {
        let address = format!("{}::{}", document.path, reading.addresses().address(at));
        if diagnostic.notes.len() < MOST_LISTED
            && let Some(element) = document.dom().elements.get(at)
        {
            let lines = document.lines();
            let (first, last) = (lines.line(element.start_tag.start), lines.line(element.end.saturating_sub(1)));
            diagnostic.notes.push(format!("{address} is at lines {first}-{last}"));
        }
        diagnostic.candidates.push(address);
    }
    diagnostic
}

/// No element matches.
fn missing(reading: &Reading<'_>, selector: &ElementSelector) -> Diagnostic {
    let document = reading.document;
    let text = selector.0.as_str();
    let message = format!("no element of {} matches `{}`", document.path, shown(text));
    let mut suggestions = corrected(reading, text);
    if suggestions.is_empty() {
        suggestions = elsewhere(reading, text);
    }
    let diagnostic = Diagnostic::new(Code::SegmentNotFound, message);
    let diagnostic = if suggestions.is_empty() {
        diagnostic
            .note(format!("`git segedit outline {}` lists its elements with an id and its headings", document.path))
    } else {
        diagnostic
    };
    diagnostic.suggest(suggestions.into_iter().map(|suggestion| format!("{}::{suggestion}", document.path)))
}

/// Returns the selector with a name that the page does not have turned into the nearest that it has, where that matches.
fn corrected(reading: &Reading<'_>, text: &str) -> Vec<String> {
    let document = reading.document;
    let (dom, bytes) = (document.dom(), &document.bytes);
    let known = Known::of(dom, bytes);
    let mut suggestions = Vec::new();
    for word in words(text) {
        let names = known.like(&word, dom, bytes);
        let name = &text[word.span.start..word.span.end];
        if names.contains(name) {
            continue;
        }
        for near in nearest(name, names.iter().map(String::as_str), MOST) {
            let other = format!("{}{near}{}", &text[..word.span.start], &text[word.span.end..]);
            let matches = CssSelector::parse(&other).is_ok_and(|other| matches_any(reading, &other));
            if matches && suggestions.len() < MOST {
                suggestions.push(other);
            }
        }
    }
    suggestions
}

/// Returns the addresses of what the last part of the selector finds at another place.
fn elsewhere(reading: &Reading<'_>, text: &str) -> Vec<String> {
    let document = reading.document;
    let last = last_compound(text);
    let Some(selector) = (last.len() < text.len()).then(|| CssSelector::parse(last).ok()).flatten() else {
        return Vec::new();
    };
    let found = selector.matches_within(document.dom(), &document.bytes, reading.allowance.selecting());
    let found = found.unwrap_or_default();
    found.into_iter().take(MOST).map(|at| reading.addresses().address(at)).collect()
}

fn matches_any(reading: &Reading<'_>, selector: &CssSelector) -> bool {
    let document = reading.document;
    let found = selector.matches_within(document.dom(), &document.bytes, reading.allowance.selecting());
    found.is_ok_and(|found| !found.is_empty())
}

/// The names that a page has.
struct Known {
    ids: BTreeSet<String>,
    classes: BTreeSet<String>,
    tags: BTreeSet<String>,
}

impl Known {
    fn of(dom: &Dom, bytes: &[u8]) -> Known {
        let mut known = Known { ids: BTreeSet::new(), classes: BTreeSet::new(), tags: BTreeSet::new() };
        for element in &dom.elements {
            known.tags.insert(element.name.to_string());
            known.ids.extend(value(bytes, element, "id"));
            let classes = value(bytes, element, "class").unwrap_or_default();
            known.classes.extend(classes.split_whitespace().map(str::to_owned));
        }
        known
    }

    /// Returns the names of the same sort as `word`.
    fn like(&self, word: &Word<'_>, dom: &Dom, bytes: &[u8]) -> BTreeSet<String> {
        match word.sort {
            Sort::Id => self.ids.clone(),
            Sort::Class => self.classes.clone(),
            Sort::Tag => self.tags.clone(),
            Sort::Value(name) => dom.elements.iter().filter_map(|element| value(bytes, element, name)).collect(),
        }
    }
}

fn value(bytes: &[u8], element: &Element, name: &str) -> Option<String> {
    let value = element.attribute(bytes, name)?.value?;
    Some(String::from_utf8_lossy(value.of(bytes)).into_owned())
}

/// A name in a selector.
struct Word<'t> {
    span: Span,
    sort: Sort<'t>,
}

/// What a name in a selector is of.
enum Sort<'t> {
    Id,
    Class,
    Tag,
    /// The value of this attribute.
    Value(&'t str),
}

/// Returns the names in a selector that parses, as far as they are written plainly.
fn words(text: &str) -> Vec<Word<'_>> {
    let is_name =
        |character: char| character.is_alphanumeric() || matches!(character, '-' | '_') || !character.is_ascii();
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let after = at + character.len_utf8();
        let run = |from: usize| from + text[from..].find(|character| !is_name(character)).unwrap_or(text.len() - from);
        match character {
            '#' | '.' => {
                let sort = if character == '#' { Sort::Id } else { Sort::Class };
                words.push(Word { span: Span::new(after, run(after)), sort });
                at = run(after);
            }
            ':' => at = run(after),
            '[' => {
                let end = at + text[at..].find(']').unwrap_or(text.len() - at);
                words.extend(quoted_value(text, after, end));
                at = end;
            }
            _ if is_name(character) => {
                let end = run(at);
                if character.is_alphabetic() {
                    words.push(Word { span: Span::new(at, end), sort: Sort::Tag });
                }
                at = end;
            }
            _ => at = after,
        }
    }
    words
}

/// Returns the value of `name="value"` between `start` and `end`.
fn quoted_value(text: &str, start: usize, end: usize) -> Option<Word<'_>> {
    let inside = text.get(start..end)?;
    let (name, value) = inside.split_once('=')?;
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let value = value.strip_prefix(quote)?.split(quote).next()?;
    let from = start + name.len() + 2;
    let name = name.trim_end_matches(['~', '|', '^', '$', '*']).trim();
    Some(Word { span: Span::new(from, from + value.len()), sort: Sort::Value(name) })
}

/// Returns what stands behind the last combinator.
fn last_compound(text: &str) -> &str {
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    for (at, character) in text.char_indices() {
        match character {
            _ if quote == Some(character) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(character),
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ' ' | '>' | '+' | '~' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Files, Verb};
    use crate::path::RepoPath;
    use crate::snapshot::HashKind;

    const PAGE: &str = "<html>\n<body>\n  <div id=\"header\" class=\"wide top\">\n    <h1>Title</h1>\n  </div>\n  \
        <nav>\n    <a href=\"/x\">1</a>\n    <a href=\"/y\">2</a>\n  </nav>\n  <h2>Two</h2>\n</body>\n</html>\n";

    /// Tells what a selector finds in the page: its lines, the suggestions, or the candidates.
    fn check(selector: &str, expected: &str) {
        let path = RepoPath::parse("a.html").unwrap();
        let document = Document::new(path.clone(), PAGE.as_bytes().into(), HashKind::Sha1);
        let reading = Reading::of(&document);
        let operation = Operation {
            id: None,
            files: Files::One(path),
            verb: Verb::Remove { expect: None },
            places: Default::default(),
        };
        let told = match find(&reading, &ElementSelector::parse(selector).unwrap(), &operation) {
            Ok(at) => {
                let span = part(&document, &document.dom().elements[at], None).unwrap();
                let segment = describe(&reading, at, span);
                format!("{} {}-{}", segment.address, segment.start_line, segment.end_line)
            }
            Err(error) if error.code == Code::SegmentAmbiguous => format!("any of {}", error.candidates.join(", ")),
            Err(error) => format!("{} {}", error.code.as_str(), error.suggestions.join(", ")),
        };
        assert_eq!(told, expected, "{selector}");
    }

    #[test]
    fn one_element_is_found_or_none() {
        check("#header", "a.html::#header 3-5");
        check("#header h1", "a.html::h1 4-4");
        check("nav > a[href=\"/y\"]", "a.html::a[href=\"/y\"] 8-8");
        check("nav a", "any of a.html::a[href=\"/x\"], a.html::a[href=\"/y\"]");
        check("#heder h1", "segment-not-found a.html::#header h1");
        check(".wde", "segment-not-found a.html::.wide");
        check("nva > a", "segment-not-found a.html::nav > a");
        check("a[href='/z']", "segment-not-found a.html::a[href='/x'], a.html::a[href='/y']");
        check("#header > h2", "segment-not-found a.html::h2");
        check("#header nav", "segment-not-found a.html::nav");
        check("video", "segment-not-found ");
    }
}
