//! Links and the anchors that they lead to: `[text](page.md#anchor)`, and the words by which a heading is an anchor.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use regex::Regex;

use super::sections::MarkdownText;
use crate::text::Span;
use crate::text::ascii::from_percent;

/// A link or picture that is written in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenLink {
    /// Where it leads, without the anchor; empty within its own page.
    pub path: String,
    /// The anchor, without `#`.
    pub anchor: Option<String>,
    /// Where both stand.
    pub span: Span,
}

/// Returns every link that says where it leads, and every definition of one, in the order of the page. Those that lead out of the repository
/// (`https:`, `/…`) are left out, and those that are written with escapes.
pub fn links(source: &[u8]) -> Vec<WrittenLink> {
    let document = MarkdownText::of_file(source);
    let mut found = Vec::new();
    let parser = Parser::new_ext(&document.text, Options::ENABLE_TABLES);
    for (_, definition) in parser.reference_definitions().iter() {
        let span = Span::from(definition.span.clone()).shifted(document.offset);
        let label = memchr::memmem::find(span.of(source), b"]:");
        let behind = label.map(|label| Span::new(span.start + label + 2, span.end));
        found.extend(behind.and_then(|behind| written(source, behind, &definition.dest)));
    }
    // Links that are open, each with where the last thing in it ends.
    let mut open: Vec<(LinkType, String, usize)> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        let span = Span::from(range).shifted(document.offset);
        match event {
            Event::Start(
                Tag::Link {
                    link_type,
                    dest_url,
                    ..
                }
                | Tag::Image {
                    link_type,
                    dest_url,
                    ..
                },
            ) => open.push((link_type, dest_url.to_string(), span.start)),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let Some((link_type, to, inner)) = open.pop() else {
                    continue;
                };
                let label = memchr::memmem::find(Span::new(inner, span.end).of(source), b"](");
                if let (LinkType::Inline, Some(label)) = (link_type, label) {
                    let behind = Span::new(inner + label + 2, span.end);
                    found.extend(written(source, behind, &to));
                }
                if let Some((_, _, inner)) = open.last_mut() {
                    *inner = span.end;
                }
            }
            _ => {
                if let Some((_, _, inner)) = open.last_mut() {
                    *inner = span.end.max(*inner);
                }
            }
        }
    }
    found.sort_by_key(|link| link.span);
    found.dedup();
    found
}

/// Returns the link to `to`, which is written first in `behind`, after blanks.
fn written(source: &[u8], behind: Span, to: &str) -> Option<WrittenLink> {
    // A scheme: `https:`, `mailto:`, `data:` (RFC 3986, section 3.1).
    let scheme = to.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_of_scheme = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    let is_outside = to.starts_with("//")
        || scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme.chars().all(is_of_scheme);
    if to.is_empty() || is_outside {
        return None;
    }
    let text = behind.of(source);
    let rest = text.trim_ascii_start();
    let rest = rest.strip_prefix(b"<").unwrap_or(rest);
    if !rest.starts_with(to.as_bytes()) {
        return None;
    }
    let at = behind.start + text.len() - rest.len();
    let span = Span::new(at, at + to.len());
    let (path, anchor) = match to.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (to, None),
    };
    Some(WrittenLink {
        path: path.to_owned(),
        anchor,
        span,
    })
}

/// A heading, and the anchor by which links lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredHeading {
    /// All of it.
    pub span: Span,
    /// Its anchor, without `#`.
    pub anchor: String,
}

/// Returns every heading of a page, in quotes and lists as well, in order. One whose anchor an earlier heading has gets a number, as sites that
/// show repositories have it (after the package `github-slugger`).
pub fn headings(source: &[u8]) -> Vec<AnchoredHeading> {
    let document = MarkdownText::of_file(source);
    let parser = Parser::new_ext(&document.text, Options::ENABLE_TABLES).into_offset_iter();
    let mut spans = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let (mut is_inside, mut images) = (false, 0usize);
    for (event, range) in parser {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                is_inside = true;
                spans.push(Span::from(range).shifted(document.offset));
                texts.push(String::new());
            }
            Event::End(TagEnd::Heading(_)) => is_inside = false,
            // What stands for a picture is no text of the page.
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            Event::Text(text) | Event::Code(text) if is_inside && images == 0 => {
                if let Some(last) = texts.last_mut() {
                    last.push_str(&text);
                }
            }
            _ => {}
        }
    }
    let anchors = numbered(texts.iter().map(String::as_str));
    let headings = spans.into_iter().zip(anchors);
    headings
        .map(|(span, anchor)| AnchoredHeading { span, anchor })
        .collect()
}

/// What is no part of an anchor.
static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc} -]")
        .expect("the pattern is one that is built in")
});

/// Returns the anchor of a heading that says `text`: small letters, `-` for blanks, no punctuation.
fn anchor_of(text: &str) -> String {
    let plain = text.trim().to_lowercase();
    LEFT_OUT.replace_all(&plain, "").replace(' ', "-")
}

fn numbered<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    for text in texts {
        let plain = anchor_of(text);
        let mut anchor = plain.clone();
        while taken.contains_key(&anchor) {
            let count = taken.entry(plain.clone()).or_insert(0);
            *count += 1;
            anchor = format!("{plain}-{count}");
        }
        taken.insert(anchor.clone(), 0);
        found.push(anchor);
    }
    found
}

/// Returns the anchors that a page has beside its headings.
pub fn ids(page: &[u8]) -> HashSet<&[u8]> {
    let mut found = HashSet::new();
    for (opener, closer) in [("id=\"", b'"'), ("name=\"", b'"'), ("{#", b'}')] {
        for at in memchr::memmem::find_iter(page, opener) {
            let rest = page.get(at + opener.len()..).unwrap_or_default();
            let line = rest
                .get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
                .unwrap_or_default();
            let end = memchr::memchr(closer, line);
            found.extend(end.and_then(|end| line.get(..end)));
        }
    }
    found
}

/// Returns an anchor with the letters that percent signs stand for.
pub fn decoded(anchor: &str) -> String {
    from_percent(anchor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_say_where_they_lead() {
        let text = "[a](b.md#c) `[d](e.md)` ![f](g/h.png \"i\") [j](#k) [l][m] <https://n>\n\n[m]: o.md#p\n[q](https://r/s.md)\n";
        let found: Vec<(String, Option<String>)> = links(text.as_bytes())
            .into_iter()
            .map(|link| (link.path, link.anchor))
            .collect();
        let expected = [
            ("b.md", Some("c")),
            ("g/h.png", None),
            ("", Some("k")),
            ("o.md", Some("p")),
        ];
        let expected: Vec<(String, Option<String>)> = expected
            .into_iter()
            .map(|(path, anchor)| (path.to_owned(), anchor.map(str::to_owned)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn anchors_are_counted() {
        let found = numbered(["A", "a", "A-1", "A", "b c"].into_iter());
        assert_eq!(found, ["a", "a-1", "a-1-1", "a-2", "b-c"]);
        assert_eq!(decoded("caf%C3%A9"), "café");
    }

    #[test]
    fn a_heading_is_an_anchor_in_small_letters() {
        assert_eq!(anchor_of("How to: use it (2)"), "how-to-use-it-2");
        assert_eq!(anchor_of("a_b & c"), "a_b--c");
        assert_eq!(anchor_of("2² ⚙\u{fe0f} हिन्दी"), "2-\u{fe0f}-हिन्दी");
    }

    #[test]
    fn a_heading_is_what_it_says() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            let found = headings(text.as_bytes());
            let found: Vec<&str> = found.iter().map(|it| it.anchor.as_str()).collect();
            assert_eq!(found, expected, "{text}");
        }
        check("## Usage [↑](#contents)\n", &["usage-"]);
        check("## [Usage](docs/usage.md)\n", &["usage"]);
        check("## [Usage][u]\n\n[u]: v\n", &["usage"]);
        check("## _Usage_ of `a_b`\n", &["usage-of-a_b"]);
        check("## <a name=\"x\"></a>Usage\n", &["usage"]);
        check("## ![logo](l.png) Usage\n", &["usage"]);
        check("## Q &amp; A ##\n", &["q--a"]);
        check(
            "> ## Note\n\n- # Note\n\nNote\n====\n",
            &["note", "note-1", "note-2"],
        );
        check("```\n# No\n```\n", &[]);
    }

    #[test]
    fn a_link_is_where_it_leads_and_not_what_it_says() {
        let text = "[#u](#u \"see #u\") [![#p](#p)](<#q> '#q')\n\n[#r]: #r '#r'\n";
        let found = links(text.as_bytes());
        let found: Vec<(usize, &str)> = found
            .iter()
            .map(|link| (link.span.start, link.span.of(text.as_bytes())))
            .map(|(at, bytes)| (at, std::str::from_utf8(bytes).unwrap()))
            .collect();
        assert_eq!(found, [(5, "#u"), (25, "#p"), (31, "#q"), (48, "#r")]);
    }
}
