//! Markdown as a language: its name, its habits, and its grammar.

use super::{comments, sections};
use crate::syntax::{
    Grammar, Habits, Language, NameCharacters, Outline, Redefinition, SegmentKind, SyntaxError,
};
use crate::text::indent::LineRole;
use crate::text::{Lines, Span};

/// Markdown as CommonMark defines it, with YAML or TOML front matter.
pub static MARKDOWN: Language = Language {
    name: "Markdown",
    extensions: &[
        "md", "markdown", "mdown", "mdwn", "mkd", "mkdn", "mkdown", "mdx", "rmd", "qmd",
    ],
    file_names: &[],
    interpreters: &[],
    called: &["markdown", "md", "gfm", "pandoc", "rmd", "rmarkdown"],
    habits: Habits {
        line_comments: &[],
        block_comments: &[("<!--", "-->")],
        blank_lines_top: 1,
        blank_lines_nested: 1,
        offside: false,
        conditional_lines: false,
        empty_body: None,
        body_opener: "",
        block_ends: &[],
        unit: "  ",
        exports: &[],
        second: Redefinition::Stands,
        names: NameCharacters::PLAIN,
    },
    grammar: &CommonMark,
};

/// Says whether this is Markdown.
pub fn is_markdown(language: &Language) -> bool {
    std::ptr::eq(language, &MARKDOWN)
}

struct CommonMark;

impl Grammar for CommonMark {
    fn kinds(&self) -> Vec<SegmentKind> {
        vec![SegmentKind::Section]
    }

    fn outline(&self, source: &[u8]) -> Outline {
        sections::outline(source)
    }

    fn fragment_outline(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Outline {
        sections::fragment_outline(fragment)
    }

    /// Every sequence of bytes is Markdown.
    fn errors(&self, _source: &[u8]) -> Vec<SyntaxError> {
        Vec::new()
    }

    /// White space at the start of a line decides what the line is, so no line may be shifted.
    fn line_roles(&self, fragment: &[u8], _parent: Option<SegmentKind>) -> Vec<LineRole> {
        vec![LineRole::Frozen; Lines::of(fragment).count()]
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        comments::comments(source)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::syntax::Symbol;
    use crate::syntax::markdown::{MarkdownBlockKind, blocks, own};
    use crate::text::BOM;

    /// Checks that sections lie inside `around`, in order, each with its pieces in place.
    fn check_sections(source: &[u8], sections: &[Symbol], around: Span) {
        let mut from = around.start;
        for section in sections {
            let Span { start, end } = section.definition;
            assert!(
                from <= start && end <= around.end,
                "{section:?} in {around:?}"
            );
            assert!(
                section.signature.start == start
                    && section.signature.end <= end
                    && !section.signature.is_empty()
            );
            assert!((1..=6).contains(&section.level));
            assert_eq!(section.body.is_some(), section.signature.end < end);
            let body = section.body.unwrap_or(Span::at(end));
            assert!(section.signature.end <= body.start && body.end == end);
            check_parts(source, section, body);
            assert!(
                section
                    .children
                    .iter()
                    .all(|child| child.level > section.level)
            );
            check_sections(source, &section.children, body);
            from = end;
        }
    }

    fn check_parts(source: &[u8], section: &Symbol, body: Span) {
        let own = own(source, section);
        assert!(own.is_none_or(|own| body.contains(own) && !own.is_empty()));
        for block in [
            MarkdownBlockKind::Code,
            MarkdownBlockKind::Table,
            MarkdownBlockKind::List,
        ] {
            let mut from = own.map_or(0, |own| own.start);
            for span in blocks(source, section, block) {
                assert!(
                    from <= span.start
                        && !span.is_empty()
                        && own.is_some_and(|own| own.contains(span)),
                    "{span:?}"
                );
                from = span.end;
            }
        }
    }

    fn check_all(source: &[u8]) {
        let grammar = MARKDOWN.grammar;
        let outline = grammar.outline(source);
        check_sections(source, &outline.symbols, Span::new(0, source.len()));
        assert!(
            source.len() > 10_000 || sections::outline_by_pieces(source, 1) == outline,
            "read otherwise in pieces"
        );
        check_sections(
            source,
            &grammar.fragment_outline(source, None).symbols,
            Span::new(0, source.len()),
        );
        let mut from = 0;
        for comment in grammar.comments(source) {
            assert!(
                from <= comment.start && comment.of(source).starts_with(b"<!--"),
                "{comment:?}"
            );
            from = comment.end;
        }
        assert_eq!(
            grammar.line_roles(source, None).len(),
            Lines::of(source).count()
        );
    }

    /// Pieces that block structure is made of, and bytes that are not text.
    fn piece() -> impl Strategy<Value = Vec<u8>> {
        let pieces: Vec<&[u8]> = vec![
            b"# ",
            b"## a",
            b"===",
            b"---",
            b"+++",
            b"...",
            b"\n",
            b"\r\n",
            b"\r",
            b"\n\n",
            b" ",
            b"    ",
            b"\t",
            b"> ",
            b"- ",
            b"1. ",
            b"```",
            b"~~~",
            b"<!--",
            b"-->",
            b"<pre>",
            b"</script>",
            b"<div>",
            b"[a]: b",
            b"| a |",
            b"|-|",
            b"a: b",
            b"x",
            b"\\",
            b"`",
            b"\xff",
            b"\xc3",
            "ü".as_bytes(),
            b"\0",
            b"\x0c",
            BOM,
        ];
        prop_oneof![8 => proptest::sample::select(pieces).prop_map(<[u8]>::to_vec), 1 => any::<u8>().prop_map(|byte| vec![byte])]
    }

    proptest! {
        #[test]
        fn spans_hold_together_whatever_the_bytes(pieces in proptest::collection::vec(piece(), 0..40)) {
            check_all(&pieces.concat());
        }
    }

    #[test]
    fn hostile_input_takes_time_in_proportion() {
        const SIZE: usize = 200_000;
        let repeated = |text: &str| text.repeat(SIZE / text.len());
        let after = |first: &str, text: &str| {
            first.repeat(SIZE / 2 / first.len()) + "a\n" + &text.repeat(SIZE / 2 / text.len())
        };
        let mut inputs: Vec<String> = [
            ">",
            "> - ",
            "- ",
            "1. ",
            "[",
            "![",
            "[a](",
            "[a]: b '\n",
            "`",
            "*a_ ",
            "<",
            "<!a ",
            "a <!-- ",
            "&",
            "\\",
            "a\n",
            "#\n",
            "\r",
        ]
        .map(repeated)
        .into();
        inputs.extend([
            after(">", "b\n"),
            after("- ", "b\n"),
            after("- ", "\n"),
            after("1. ", "2. c\n"),
            after("> - ", "> \n"),
        ]);
        inputs.push(repeated("a\n") + "===\n");
        inputs.push("# a\n".to_owned() + &repeated("| a "));
        for input in inputs {
            let start = Instant::now();
            check_all(input.as_bytes());
            // A fraction of a second each; what grows with the square takes minutes.
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{:?} takes {:?}",
                &input[..20],
                start.elapsed()
            );
        }
    }
}
