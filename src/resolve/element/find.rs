//! Finding: the elements that a selector of CSS matches.

use super::near;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::ElementSelector;
use crate::resolve::{Reading, refusal};
use crate::syntax::html::is_html;

/// Most elements that a refusal lists with their lines.
const MOST_LISTED: usize = 20;

/// Returns the number of the one element that `selector` matches.
pub fn find(reading: &Reading<'_>, selector: &ElementSelector) -> Result<usize, Diagnostic> {
    match find_all(reading, selector)?[..] {
        [only] => Ok(only),
        ref found => Err(several(reading, selector, found)),
    }
}

/// Returns the numbers of the elements that `selector` matches, in file order; none is a refusal.
pub fn find_all(
    reading: &Reading<'_>,
    selector: &ElementSelector,
) -> Result<Vec<usize>, Diagnostic> {
    let document = reading.document;
    let refuse = |diagnostic: Diagnostic| diagnostic.in_field("element");
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

/// Several elements match.
pub fn several(reading: &Reading<'_>, selector: &ElementSelector, found: &[usize]) -> Diagnostic {
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
    diagnostic.in_field("element")
}

#[cfg(test)]
mod tests {
    use super::super::{describe, part};
    use super::*;
    use crate::path::RepoPath;
    use crate::resolve::Document;
    use crate::snapshot::HashKind;

    const PAGE: &str = "<html>\n<body>\n  <div id=\"header\" class=\"wide top\">\n    <h1>Title</h1>\n  </div>\n  \
        <nav>\n    <a href=\"/x\">1</a>\n    <a href=\"/y\">2</a>\n  </nav>\n  <h2>Two</h2>\n</body>\n</html>\n";

    /// Tells what a selector finds in the page: its lines, the suggestions, or the candidates.
    fn check(selector: &str, expected: &str) {
        let path = RepoPath::parse("a.html").unwrap();
        let document = Document::new(path, PAGE.as_bytes().into(), HashKind::Sha1);
        let reading = Reading::of(&document);
        let told = match find(&reading, &ElementSelector::parse(selector).unwrap()) {
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
