//! Links and the anchors that they lead to: `[text](page.md#anchor)`, and the words by which a heading is an anchor.

use std::collections::HashMap;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

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
/// (`https:`, `/…`) are left out.
pub fn links(source: &[u8]) -> Vec<WrittenLink> {
    let document = MarkdownText::of_file(source);
    let mut found = Vec::new();
    let parser = Parser::new_ext(&document.text, Options::ENABLE_TABLES);
    for (_, definition) in parser.reference_definitions().iter() {
        let span = Span::from(definition.span.clone()).shifted(document.offset);
        found.extend(written(source, span, &definition.dest));
    }
    for (event, range) in parser.into_offset_iter() {
        let (Event::Start(Tag::Link {
            link_type,
            dest_url,
            ..
        })
        | Event::Start(Tag::Image {
            link_type,
            dest_url,
            ..
        })) = event
        else {
            continue;
        };
        if link_type == LinkType::Inline {
            let span = Span::from(range).shifted(document.offset);
            found.extend(written(source, span, &dest_url));
        }
    }
    found.sort_by_key(|link| link.span);
    found.dedup();
    found
}

/// Returns the link to `to` that is written somewhere in `around`: the last place, since what a link says may have the same words.
fn written(source: &[u8], around: Span, to: &str) -> Option<WrittenLink> {
    let is_outside = to.contains("://") || to.starts_with('/') || to.starts_with("mailto:");
    if to.is_empty() || is_outside {
        return None;
    }
    let at = memchr::memmem::rfind(around.of(source), to.as_bytes())?;
    let span = Span::new(around.start + at, around.start + at + to.len());
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

/// Returns the anchor of a heading, as sites that show repositories make it: small letters, `-` for blanks, no punctuation.
pub fn anchor_of(title: &str) -> String {
    let plain = title.trim().to_lowercase();
    let kept = plain.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ if letter.is_alphanumeric() => Some(letter),
        _ => None,
    });
    kept.collect()
}

/// Returns the anchor of each of a page's headings, in order: one that an earlier heading has gets a number, as sites that show repositories
/// have it (after the package `github-slugger`).
pub fn anchors<'t>(titles: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    for title in titles {
        let plain = anchor_of(title);
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
        let found = anchors(["A", "a", "A-1", "A", "b c"].into_iter());
        assert_eq!(found, ["a", "a-1", "a-1-1", "a-2", "b-c"]);
        assert_eq!(decoded("caf%C3%A9"), "café");
    }

    #[test]
    fn a_heading_is_an_anchor_in_small_letters() {
        assert_eq!(anchor_of("How to: use it (2)"), "how-to-use-it-2");
        assert_eq!(anchor_of("`a_b` & c"), "a_b--c");
    }
}
