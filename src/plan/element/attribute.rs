//! The attributes of an element: a value changed, an attribute taken out or added, quotes right.
//!
//! A value is taken as it is to be written in the file, so `&amp;` stays `&amp;`; only the quotes that would end it are
//! escaped, and none in a template tag, for those are the template's.

use super::super::edit::{EditKind, Insertion};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{AttributeName, Part};
use crate::plan::content::{line_endings, without_final_newline};
use crate::resolve::element::no_such_part;
use crate::resolve::parts::PartProblem;
use crate::resolve::{Document, Reading};
use crate::syntax::html::{Attribute, HtmlElement, is_space, template_tags};
use crate::text::{LineEnding, Span, is_blank};

/// Puts a value in the place of an attribute's, within the quotes that it has; one without gets them when it needs them.
pub fn replace_attribute(
    reading: &Reading<'_>,
    element: &HtmlElement,
    name: AttributeName,
    content: &str,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let attribute = find_attribute(reading, element, name)?;
    let content = without_final_newline(content);
    let ending = LineEnding::at(&document.bytes, attribute.name.start);
    let (span, new) = match (attribute.value, attribute.quote) {
        (Some(value), Some(quote)) => (value, escape_value(content, quote)),
        (Some(value), None) if needs_no_quotes(content) => (value, content.to_owned()),
        (Some(value), None) => (value, quote_value(content)),
        (None, _) => (
            Span::new(attribute.name.end, full_end(document, attribute)),
            format!("={}", quote_value(content)),
        ),
    };
    Ok(vec![EditKind::replace(
        span,
        ending.write(new.as_bytes()).into_owned(),
    )])
}

/// Takes an attribute out of its tag, with the blanks ahead of it unless they then part its neighbours.
pub fn remove_attribute(
    reading: &Reading<'_>,
    element: &HtmlElement,
    name: AttributeName,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let attribute = find_attribute(reading, element, name)?;
    let ahead = document
        .bytes
        .get(..attribute.name.start)
        .unwrap_or_default();
    let end = full_end(document, attribute);
    let runs_on = runs_on(element, attribute, document.bytes.get(end).copied());
    let blanks = if runs_on {
        0
    } else {
        ahead
            .iter()
            .rev()
            .take_while(|byte| is_space(**byte))
            .count()
    };
    Ok(vec![EditKind::replace(
        Span::new(attribute.name.start - blanks, end),
        Vec::new(),
    )])
}

/// Says whether what stands ahead of an attribute would run on into `next`, the byte behind it: `id=a class="b"` without
/// its blank is the id `aclass="b"`, and `id=a/` the id `a/`. Any value without quotes counts, for the attributes between
/// may go in the same batch.
fn runs_on(element: &HtmlElement, attribute: &Attribute, next: Option<u8>) -> bool {
    let bare = |other: &Attribute| {
        other.value.is_some() && other.quote.is_none() && other.name.start < attribute.name.start
    };
    match next {
        None | Some(b'>') => false,
        Some(b'/') => element.attributes.iter().any(bare),
        Some(next) => !is_space(next),
    }
}

/// Adds an attribute with `content` as its value; one that is there already with this value stays.
pub fn add_attribute(
    reading: &Reading<'_>,
    element: &HtmlElement,
    name: AttributeName,
    content: &str,
) -> Result<Vec<EditKind>, Diagnostic> {
    let document = reading.document;
    let content = without_final_newline(content);
    if let Some(known) = element.attribute(&document.bytes, name.as_str()) {
        let value = known
            .value
            .map_or(&b""[..], |value| value.of(&document.bytes));
        if value == content.as_bytes()
            || value == escape_value(content, known.quote.unwrap_or(b'"')).as_bytes()
        {
            return Ok(Vec::new());
        }
        let message = format!("the <{}> has an attribute `{name}` already", element.name);
        return Err(Diagnostic::new(Code::Unsupported, message)
            .note("`op: replace` with the same `part` changes it"));
    }
    // A template tag may stand around the last attribute (`{% if %}class="x"{% endif %}`); this one stands behind it.
    let tags = document
        .dom()
        .tags
        .iter()
        .map(|tag| tag.span)
        .filter(|span| element.start_tag.contains(*span));
    let last = element.attributes.last();
    let end = tags
        .map(|span| span.end)
        .chain(last.map(|last| full_end(document, last)))
        .fold(element.tag_name.end, usize::max);
    let written = if content.is_empty() {
        name.to_string()
    } else {
        format!("{name}={}", quote_value(content))
    };
    let gap = last
        .and_then(|last| line_gap(document, last, end))
        .unwrap_or_else(|| b" ".to_vec());
    let new = [
        gap.as_slice(),
        LineEnding::at(&document.bytes, end)
            .write(written.as_bytes())
            .as_ref(),
    ]
    .concat();
    Ok(vec![EditKind::Insert(Insertion {
        at: end,
        content: new,
        parent: Some(element.whole()),
        attribute: Some(Box::new(name)),
        ..Insertion::default()
    })])
}

/// Returns the attribute of this name, or says which there are.
fn find_attribute<'e>(
    reading: &Reading<'_>,
    element: &'e HtmlElement,
    name: AttributeName,
) -> Result<&'e Attribute, Diagnostic> {
    let document = reading.document;
    let at = document
        .dom()
        .elements
        .iter()
        .position(|other| std::ptr::eq(other, element))
        .unwrap_or(0);
    element
        .attribute(&document.bytes, name.as_str())
        .ok_or_else(|| no_such_part(reading, at, PartProblem::Lacking(Part::Attribute(name))))
}

/// Returns where an attribute ends; a `=` without a value belongs to it.
fn full_end(document: &Document, attribute: &Attribute) -> usize {
    let end = attribute.span().end;
    if attribute.value.is_some() {
        return end;
    }
    let rest = document.bytes.get(end..).unwrap_or_default();
    let blanks = rest.iter().take_while(|byte| is_space(**byte)).count();
    if rest.get(blanks) == Some(&b'=') {
        end + blanks + 1
    } else {
        end
    }
}

/// Returns the line break and the blanks ahead of the last attribute when it begins a line and ends the tag's text.
fn line_gap(document: &Document, last: &Attribute, end: usize) -> Option<Vec<u8>> {
    let lines = document.lines();
    let start = document.line_start(lines.line(last.name.start));
    let blanks = document
        .bytes
        .get(start..last.name.start)
        .filter(|ahead| is_blank(ahead))?;
    (end == full_end(document, last))
        .then(|| [line_endings(document, start, 1).as_slice(), blanks].concat())
}

/// Says whether HTML reads the value back without quotes.
fn needs_no_quotes(value: &str) -> bool {
    let odd = |character: char| character.is_whitespace() || "\"'=<>`".contains(character);
    !value.is_empty() && !value.ends_with('/') && !value.contains(odd)
}

/// Returns a value in quotes: double ones, unless it holds such and no single ones.
fn quote_value(value: &str) -> String {
    let outside: Vec<u8> = outside_tags(value)
        .flat_map(|(_, text)| text.bytes())
        .collect();
    let quote = if outside.contains(&b'"') && !outside.contains(&b'\'') {
        b'\''
    } else {
        b'"'
    };
    let mark = char::from(quote);
    format!("{mark}{}{mark}", escape_value(value, quote))
}

/// Returns a value as it stands between quotes of this sort. Those in template tags are the template's.
fn escape_value(value: &str, quote: u8) -> String {
    let reference = if quote == b'"' { "&quot;" } else { "&#39;" };
    let mut written = String::with_capacity(value.len());
    let mut from = 0;
    for (start, text) in outside_tags(value) {
        written.push_str(&value[from..start]);
        written.push_str(&text.replace(char::from(quote), reference));
        from = start + text.len();
    }
    written.push_str(&value[from..]);
    written
}

/// Returns the pieces of `value` outside of template tags, each with its offset.
fn outside_tags(value: &str) -> impl Iterator<Item = (usize, &str)> {
    let tags = template_tags(value.as_bytes());
    let ends = std::iter::once(0).chain(tags.clone().into_iter().map(|tag| tag.end));
    let starts = tags
        .into_iter()
        .map(|tag| tag.start)
        .chain(std::iter::once(value.len()));
    ends.zip(starts)
        .filter_map(|(from, to)| Some((from, value.get(from..to)?)))
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_escaped_only_where_they_would_end_the_value() {
        let check = |value: &str, expected: &str| assert_eq!(quote_value(value), expected);
        check("a", "\"a\"");
        check("a \"b\"", "'a \"b\"'");
        check("it's", "\"it's\"");
        check("'a' \"b\"", "\"'a' &quot;b&quot;\"");
        check("{{ url(\"x\") }}", "\"{{ url(\"x\") }}\"");
        check("{{ a(\"x\") }} \"b\"", "'{{ a(\"x\") }} \"b\"'");
        assert_eq!(escape_value("it's {{ 'b' }}", b'\''), "it&#39;s {{ 'b' }}");
        assert!(
            needs_no_quotes("/x?a")
                && !needs_no_quotes("a b")
                && !needs_no_quotes("")
                && !needs_no_quotes("a=b")
                && !needs_no_quotes("a/")
        );
    }
}
