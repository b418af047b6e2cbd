//! Scripts and styles in a page, read by their own grammar.
//!
//! Template tags in them are filled twice, because nobody knows what they will stand for: as a name (`let a = {{ b }};`)
//! and as nothing (`{{ styles }}` between two rules). What parses one way has no error. A `{% … %}` is nothing always.

use super::dom::{Dom, Element};
use super::mask;
use crate::syntax::css::CSS;
use crate::syntax::javascript::JAVASCRIPT;
use crate::syntax::{Language, SyntaxError};
use crate::text::Span;

/// What stands in the place of `{{ … }}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// A name.
    Values,
    /// Blanks.
    Nothing,
}

/// Returns the language of what the element holds, when it is one that is read.
pub fn language(source: &[u8], element: &Element) -> Option<&'static Language> {
    let sort = element.attribute(source, "type").and_then(|sort| sort.value);
    let sort = String::from_utf8_lossy(sort.map_or(&b""[..], |sort| sort.of(source))).trim().to_ascii_lowercase();
    match (&*element.name, sort.as_str()) {
        ("style", "" | "text/css") => Some(&CSS),
        ("script", "" | "module" | "text/javascript" | "application/javascript" | "text/ecmascript") => {
            Some(&JAVASCRIPT)
        }
        _ => None,
    }
}

/// Returns the text of `inner` with its template tags filled.
pub fn text(source: &[u8], dom: &Dom, inner: Span, filling: Filling) -> Vec<u8> {
    let within = |tag: &&mask::Tag| inner.contains(tag.span);
    let from = dom.tags.partition_point(|tag| tag.span.start < inner.start);
    let tags = dom.tags.get(from..).unwrap_or_default().iter().take_while(within);
    let shifted: Vec<mask::Tag> = tags
        .map(|tag| mask::Tag { span: Span::new(tag.span.start - inner.start, tag.span.end - inner.start), ..*tag })
        .collect();
    mask::filled(inner.of(source), &shifted, |tag| match filling {
        Filling::Values if tag.is_value => b'v',
        Filling::Values | Filling::Nothing => b' ',
    })
}

/// Returns the errors of every script and style, in file order.
pub fn errors(source: &[u8], dom: &Dom) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    for element in &dom.elements {
        let (Some(language), Some(inner)) = (language(source, element), element.inner()) else { continue };
        let read = |filling| language.grammar.errors(&text(source, dom, inner, filling));
        let mut found = read(Filling::Values);
        let has_tags = dom.tags.iter().any(|tag| inner.contains(tag.span));
        if !found.is_empty() && has_tags {
            let other = read(Filling::Nothing);
            if other.len() < found.len() {
                found = other;
            }
        }
        let shifted = |error: SyntaxError| SyntaxError {
            offset: error.offset + inner.start,
            message: format!("{} in <{}> ({})", error.message, element.name, language.name),
        };
        errors.extend(found.into_iter().map(shifted));
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let errors = errors(source.as_bytes(), &Dom::of(source.as_bytes()));
        let told: Vec<String> = errors.iter().map(|error| format!("{} {}", error.offset, error.message)).collect();
        assert_eq!(told, expected, "{source:?}");
    }

    #[test]
    fn scripts_and_styles_are_read_by_their_own_grammar() {
        check("<script>let a = 1;</script><style>a { b: c }</style>", &[]);
        check("<script>let a = (1;</script>", &["18 missing `)` in <script> (JavaScript)"]);
        check("<p><style>a { b: c </style>", &["12 `{` is never closed in <style> (CSS)"]);
        check("<script type='application/json'>{ nonsense</script>", &[]);
        check("<script>let a = {{ b|c }};\n{% if x %}d();{% endif %}</script>", &[]);
        check("<style>{{ styles }} a { color: {{ c }}; {# d #} }</style>", &[]);
        check("<script src=a></script><script type=module>import a from 'b';</script>", &[]);
        check("<script><!--\na();\n//--></script>", &[]);
    }
}
