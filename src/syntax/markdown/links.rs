//! The definitions of links and footnotes, and what uses them.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag};

use super::sections::Document;

/// Links as GitHub has them: a footnote's definition and its use are told by `[^name]`.
const OPTIONS: Options = Options::ENABLE_FOOTNOTES.union(Options::ENABLE_TABLES);

/// Returns the name of each definition, as links compare names, and the byte that it begins at. A footnote's begins with `^`.
pub fn definitions(source: &[u8]) -> BTreeMap<String, usize> {
    let document = Document::of_file(source);
    let parser = Parser::new_ext(&document.text, OPTIONS);
    let links = parser.reference_definitions().iter();
    let mut found: BTreeMap<String, usize> =
        links.map(|(name, link)| (compared(name), document.offset + link.span.start)).collect();
    if memchr::memmem::find(source, b"[^").is_some() {
        for (event, range) in Parser::new_ext(&document.text, OPTIONS).into_offset_iter() {
            if let Event::Start(Tag::FootnoteDefinition(name)) = event {
                found.entry(format!("^{}", compared(&name))).or_insert(document.offset + range.start);
            }
        }
    }
    found
}

/// Returns those of `names` that a link or a footnote in the file means, whether they are defined there or not.
pub fn used(source: &[u8], names: &BTreeSet<&str>) -> BTreeSet<String> {
    let document = Document::of_file(source);
    let mut used = BTreeSet::new();
    let mut defined = |link: BrokenLink<'_>| {
        let name = compared(&link.reference);
        let is_one = names.contains(name.as_str());
        used.extend(is_one.then_some(name));
        is_one.then_some((CowStr::Borrowed("#"), CowStr::Borrowed("")))
    };
    // Footnotes are read as links here: of one that has no definition the parser says nothing.
    let options = Options::ENABLE_TABLES;
    Parser::new_with_broken_link_callback(&document.text, options, Some(&mut defined)).for_each(drop);
    used
}

/// Returns a name in lower case with single blanks.
fn compared(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        definitions(text.as_bytes()).into_keys().collect()
    }

    #[test]
    fn a_definition_is_none_in_a_paragraph_or_in_code() {
        let text = "text\n[a]: b\n\n[c]: d\n[e]: f\n```\n\n[g]: h\n```\n[i]: j\n# Heading\n[k]: l\n";
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
            assert!(names(&format!("text\n\n{above}\n[a]: /a\n")).contains(&"a".to_owned()), "{above}");
        }
        assert_eq!(names("> [a]: /a\n\n1. [b]: /b\n\n[c]:\n  /c\n\n[^1]: A note.\n"), ["^1", "a", "b", "c"]);
    }

    #[test]
    fn definitions_and_uses_are_told_apart() {
        let text = "---\n[no]: x\n---\nSee [the Docs][d], [x], [Two\nWords][], `[code]` and [^1].\n\n[d]: http://d\n[x]: http://x\n  [two  words]: y\n[^1]: A note.\n[ ] task\n";
        let defined = definitions(text.as_bytes());
        assert_eq!(defined.keys().collect::<Vec<_>>(), ["^1", "d", "two words", "x"]);
        assert_eq!(&text[defined["x"]..][..3], "[x]");
        assert_eq!(&text[defined["^1"]..][..4], "[^1]");
        let text = text.split("\n\n").next().unwrap();
        let asked = ["^1", "^2", "code", "d", "two words", "x", "the docs", "no"].into();
        assert_eq!(used(text.as_bytes(), &asked).into_iter().collect::<Vec<_>>(), ["^1", "d", "two words", "x"]);
    }
}
