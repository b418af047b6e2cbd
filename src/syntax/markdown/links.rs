//! The definitions of links and footnotes, and what uses them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag};

use super::sections::MarkdownText;
use crate::text::Span;

/// Links as GitHub has them: a footnote's definition and its use are recognized by `[^name]`.
const OPTIONS: Options = Options::ENABLE_FOOTNOTES.union(Options::ENABLE_TABLES);

/// Returns the name of each definition, as links compare names, and the range of it: of several the first, which counts. A footnote's name
/// begins with `^`.
pub fn definitions(source: &[u8]) -> BTreeMap<String, Span> {
    let document = MarkdownText::of_file(source);
    let parser = Parser::new_ext(&document.text, OPTIONS);
    let links = parser.reference_definitions().iter();
    let place = |range: Range<usize>| Span::from(range).shifted(document.offset);
    let mut found: BTreeMap<String, Span> = links
        .map(|(name, link)| (compared(name), place(link.span.clone())))
        .collect();
    if memchr::memmem::find(source, b"[^").is_some() {
        for (event, range) in Parser::new_ext(&document.text, OPTIONS).into_offset_iter() {
            if let Event::Start(Tag::FootnoteDefinition(name)) = event {
                found
                    .entry(format!("^{}", compared(&name)))
                    .or_insert_with(|| place(range));
            }
        }
    }
    found
}

/// Returns where those of `names` that are defined, as `defined` says, are defined once more: such a definition counts for nothing.
pub fn second_definitions(
    source: &[u8],
    defined: &BTreeMap<String, Span>,
    names: &BTreeSet<&str>,
) -> BTreeMap<String, Span> {
    let mut bytes = source.to_vec();
    for span in names.iter().filter_map(|name| defined.get(*name)) {
        // With another name the first is still a definition, and the next one of this name is the first.
        let rest = bytes.get_mut(span.start..span.end).unwrap_or_default();
        let end = memchr::memmem::find(rest, b"]:").unwrap_or(0);
        let label = rest.get_mut(..end).unwrap_or_default();
        label
            .iter_mut()
            .filter(|byte| !b"[^ \t\r\n>".contains(*byte))
            .for_each(|byte| *byte = 1);
    }
    definitions(&bytes)
        .into_iter()
        .filter(|(name, _)| names.contains(name.as_str()))
        .collect()
}

/// Returns those of `names` that a link or a footnote in the file means, whether they are defined there or not.
pub fn used(source: &[u8], names: &BTreeSet<&str>) -> BTreeSet<String> {
    let document = MarkdownText::of_file(source);
    let mut used = BTreeSet::new();
    let mut defined = |link: BrokenLink<'_>| {
        let name = compared(&link.reference);
        let is_one = names.contains(name.as_str());
        used.extend(is_one.then_some(name));
        is_one.then_some((CowStr::Borrowed("#"), CowStr::Borrowed("")))
    };
    // Footnotes are read as links here: of one that has no definition the parser says nothing.
    let options = Options::ENABLE_TABLES;
    Parser::new_with_broken_link_callback(&document.text, options, Some(&mut defined))
        .for_each(drop);
    used
}

/// Returns a name in lower case with single blanks.
fn compared(name: &str) -> String {
    name.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        definitions(text.as_bytes()).into_keys().collect()
    }

    #[test]
    fn a_definition_is_none_in_a_paragraph_or_in_code() {
        let text =
            "text\n[a]: b\n\n[c]: d\n[e]: f\n```\n\n[g]: h\n```\n[i]: j\n# Heading\n[k]: l\n";
        assert_eq!(names(text), ["c", "e", "i", "k"]);
    }

    #[test]
    fn a_definition_stands_below_anything_else() {
        let above = [
            "<!-- c -->",
            "---",
            "* * *",
            "    code",
            "Sub\n---",
            "<pre>x</pre>",
            "<?x ?>",
            "[b]: /b\n  \"title\"",
            "### Sub",
        ];
        for above in above {
            assert!(
                names(&format!("text\n\n{above}\n[a]: /a\n")).contains(&"a".to_owned()),
                "{above}"
            );
        }
        assert_eq!(
            names("> [a]: /a\n\n1. [b]: /b\n\n[c]:\n  /c\n\n[^1]: A note.\n"),
            ["^1", "a", "b", "c"]
        );
    }

    #[test]
    fn a_second_definition_is_told() {
        let second = |text: &str| {
            let defined = definitions(text.as_bytes());
            let names = defined.keys().map(String::as_str).collect();
            let found = second_definitions(text.as_bytes(), &defined, &names);
            found
                .into_iter()
                .map(|(name, span)| (name, span.start))
                .collect::<Vec<_>>()
        };
        let found = |name: &str, at: usize| (name.to_owned(), at);
        assert_eq!(second("[a]: /a\n[b]: /b\n"), []);
        assert_eq!(
            second("[a]: /a\n[b]: /b\n[A]: /c\n[a]: /d\n"),
            [found("a", 16)]
        );
        assert_eq!(
            second("[two\nwords]: /a\n\n> [two words]: /b\n"),
            [found("two words", 19)]
        );
        assert_eq!(second("[^1]: A.\n\n[^1]: B.\n"), [found("^1", 10)]);
        assert_eq!(
            second("[a]: /a\n\ntext\n[a]: /b\n\n```\n\n[a]: /c\n```\n"),
            []
        );
        assert_eq!(second("[ä\\]]: /a\n\n[ä\\]]: /b\n"), [found("ä\\]", 12)]);
    }

    #[test]
    fn definitions_and_uses_are_told_apart() {
        let text = "---\n[no]: x\n---\nSee [the Docs][d], [x], [Two\nWords][], `[code]` and [^1].\n\n[d]: http://d\n[x]: http://x\n  [two  words]: y\n[^1]: A note.\n[ ] task\n";
        let defined = definitions(text.as_bytes());
        assert_eq!(
            defined.keys().collect::<Vec<_>>(),
            ["^1", "d", "two words", "x"]
        );
        assert_eq!(&text[defined["x"].start..][..3], "[x]");
        assert_eq!(&text[defined["^1"].start..][..4], "[^1]");
        let text = text.split("\n\n").next().unwrap();
        let asked = ["^1", "^2", "code", "d", "two words", "x", "the docs", "no"].into();
        assert_eq!(
            used(text.as_bytes(), &asked)
                .into_iter()
                .collect::<Vec<_>>(),
            ["^1", "d", "two words", "x"]
        );
    }
}
