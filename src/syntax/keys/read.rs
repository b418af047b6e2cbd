//! Reads a configuration file into its tree, by the reader of its format. No reader imports it.

use super::{KeyFormat, Tree, decoded};
use crate::syntax::{SyntaxError, json, toml, yaml};

impl KeyFormat {
    /// Returns the entries of a file, or why it cannot be read.
    pub fn tree(self, source: &[u8]) -> Result<Tree, SyntaxError> {
        let (text, shift) = decoded(source)?;
        let read = match self {
            KeyFormat::Json | KeyFormat::Jsonc => json::tree(text),
            KeyFormat::Toml => toml::tree(text),
            KeyFormat::Yaml => yaml::tree(text),
        };
        match read {
            Ok(tree) => Ok(tree.shifted(shift)),
            Err(error) => Err(SyntaxError {
                offset: error.offset + shift,
                ..error
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::syntax::LANGUAGES;
    use crate::syntax::keys::KeySegment;
    use crate::text::Span;

    const FORMATS: [KeyFormat; 4] = [
        KeyFormat::Json,
        KeyFormat::Jsonc,
        KeyFormat::Toml,
        KeyFormat::Yaml,
    ];

    /// Every entry lies inside of the text, its value and key inside of it, and its address is its alone or a twin's.
    fn check_tree(tree: &Tree, source: &[u8]) {
        let whole = Span::new(0, source.len());
        for (at, entry) in tree.entries.iter().enumerate() {
            assert!(
                whole.contains(entry.span) && whole.contains(entry.value),
                "{entry:?}"
            );
            assert!(
                entry
                    .comments
                    .iter()
                    .all(|comment| whole.contains(*comment)),
                "{entry:?}"
            );
            assert!(entry.parent.is_none_or(|parent| parent < at));
            assert!(
                entry
                    .children
                    .iter()
                    .all(|&child| child > at && tree.entries[child].parent == Some(at))
            );
            assert!(
                !entry.regions.is_empty() || entry.span.contains(entry.value),
                "{entry:?}"
            );
        }
    }

    fn check_all(source: &[u8]) {
        for format in FORMATS {
            if let Ok(tree) = format.tree(source) {
                check_tree(&tree, source);
            }
        }
        for language in LANGUAGES
            .iter()
            .filter(|language| language.grammar.format().is_some())
        {
            let grammar = language.grammar;
            grammar.outline(source);
            grammar.errors(source);
            grammar.comments(source);
            assert_eq!(
                grammar.line_roles(source, None).len(),
                crate::text::Lines::of(source).count()
            );
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(pieces in prop::collection::vec(prop_oneof![
            "[a-c]{1,2}", " {1,4}", Just("\n".to_owned()), Just("\r\n".to_owned()), Just(": ".to_owned()), Just("- ".to_owned()),
            Just("{".to_owned()), Just("}".to_owned()), Just("[".to_owned()), Just("]".to_owned()), Just(",".to_owned()),
            Just("\"".to_owned()), Just("\'".to_owned()), Just("= 1".to_owned()), Just("[[a]]\n".to_owned()), Just("[a.b]\n".to_owned()),
            Just("# x".to_owned()), Just("// x".to_owned()), Just("/* x */".to_owned()), Just("|\n".to_owned()), Just(">+2\n".to_owned()),
            Just("&x ".to_owned()), Just("*x".to_owned()), Just("!t ".to_owned()), Just("? ".to_owned()), Just("---\n".to_owned()),
            Just("...\n".to_owned()), Just("<<: *x\n".to_owned()), Just("{{ x }}".to_owned()), Just("{% if %}".to_owned()),
            Just("\u{feff}".to_owned()), Just("é".to_owned()), Just("\t".to_owned()), Just("a.b = {c.d = 1, c.e = 2}\n".to_owned()), "\\PC{0,3}",
        ], 0..40)) {
            check_all(pieces.concat().as_bytes());
        }

        #[test]
        fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            check_all(&bytes);
        }
    }

    #[test]
    fn an_anchor_inside_of_a_key_is_of_no_entry() {
        let text = b"a: .b\n? c :: &b\n  - - d\n";
        let tree = KeyFormat::Yaml.tree(text).expect("it is YAML");
        let first = tree
            .entries
            .iter()
            .find(|entry| entry.step == KeySegment::Key("a".into()))
            .expect("it has a key `a`");
        assert_eq!(first.span, Span::new(0, 5), "{first:?}");
        assert!(first.anchor.is_none(), "{first:?}");
    }

    #[test]
    fn large_and_deep_files_are_read_in_time() {
        let quick = |source: String| {
            let begun = Instant::now();
            check_all(source.as_bytes());
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{:?} for {}…",
                begun.elapsed(),
                &source[..20]
            );
        };
        quick("[".repeat(100_000));
        quick("{\"a\":".repeat(50_000));
        quick("- ".repeat(50_000));
        quick("a = [".to_owned() + &"[".repeat(100_000));
        quick(format!("/* c */ [{}1]", "{\"a\": 1}, ".repeat(30_000)));
        quick(
            (0..20_000)
                .map(|number| format!("k{number}: &a{number} v # c\n"))
                .collect(),
        );
        quick(
            (0..20_000)
                .map(|number| format!("a{number}.b = 1 # c\n"))
                .collect(),
        );
        quick(
            (0..20_000)
                .map(|number| format!("[[a]]\n# c\nb = {number}\n\n"))
                .collect(),
        );
        quick(
            (0..20_000)
                .map(|number| format!("[a{number}.b]\n"))
                .collect(),
        );
    }
}
