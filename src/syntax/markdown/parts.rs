//! The parts of one section: its own text, and the code blocks, tables and lists in it.
//!
//! Invariant: a part covers whole lines, from the first column of its first line to the end of its last, that line's
//! ending excluded. Only blocks that are directly in the section's own text count: not those inside of a list item or
//! a quote, and none of a subsection. Tables are GitHub's, for CommonMark has none.
//!
//! The blocks come from the parser that finds the headings, so that both read the text alike. `tree-sitter-md` 0.5.4 was
//! tried here: it lets `2.` at the start of a line interrupt a paragraph, and cuts some tables in two at a row of empty
//! cells. Known limit: a link definition that a list item continues lazily is not counted to the list.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::legible::legible;
use super::lines::{first_visible_line, is_blank, last_visible_line_end, line_start};
use crate::syntax::Symbol;
use crate::text::Span;

/// A sort of block that can be named by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownBlockKind {
    /// A fenced code block, its fences included.
    Code,
    /// A pipe table as GitHub draws it.
    Table,
    /// A list with all its items.
    List,
}

/// Returns the section's own text: after the heading, before the first subsection, without blank lines around it.
pub fn own(source: &[u8], section: &Symbol) -> Option<Span> {
    let body = section.body?;
    let end = section
        .children
        .first()
        .map_or(body.end, |child| child.definition.start);
    let start = first_visible_line(source, Span::new(body.start.min(end), end));
    (start < end).then(|| Span::new(start, last_visible_line_end(source, Span::new(start, end))))
}

/// Returns the blocks of one sort in the section's own text, in order.
pub fn blocks(source: &[u8], section: &Symbol, block: MarkdownBlockKind) -> Vec<Span> {
    let Some(own) = own(source, section) else {
        return Vec::new();
    };
    let text = own.of(source);
    let legible = legible(text);
    let mut depth = 0_usize;
    let mut spans: Vec<Span> = Vec::new();
    let mut last = 0; // where the last leaf inside of the list ends
    for (event, range) in Parser::new_ext(&legible, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 && is_one(&tag, block) {
                    spans.push(range.clone().into());
                }
                let container = matches!(tag, Tag::List(_) | Tag::Item | Tag::BlockQuote(_));
                last = if container {
                    sign_end(text, range.start)
                } else {
                    range.end
                };
                depth += 1;
            }
            Event::End(TagEnd::List(_)) if depth == 1 && block == MarkdownBlockKind::List => {
                depth = 0;
                if let Some(list) = spans.last_mut() {
                    list.end = list_end(text, *list, last);
                }
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => last = range.end,
        }
    }
    spans
        .into_iter()
        .map(|span| whole_lines(source, span.shifted(own.start)))
        .collect()
}

/// Says whether `tag` begins a block of that sort.
fn is_one(tag: &Tag<'_>, block: MarkdownBlockKind) -> bool {
    match block {
        MarkdownBlockKind::Code => matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(_))),
        MarkdownBlockKind::Table => matches!(tag, Tag::Table(_)),
        MarkdownBlockKind::List => matches!(tag, Tag::List(_)),
    }
}

/// Returns where the first byte of the sign of a list, an item or a quote ends. The parser lets them begin before that sign or
/// before the blanks in front of it.
fn sign_end(text: &[u8], start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte)).count();
    (start + blanks + 1).min(text.len())
}

/// Returns where a list really ends. The parser lets it run on over link definitions that follow it; those belong to
/// the list only as far as they are indented, which is deeper than the list itself.
fn list_end(text: &[u8], list: Span, last: usize) -> usize {
    let first = &text[line_start(text, list.start)..];
    let indent = first.iter().take_while(|&&byte| is_blank(byte)).count();
    let mut end = last_visible_line_end(text, Span::new(list.start, last.max(list.start)));
    loop {
        let next = first_visible_line(text, Span::new(end, list.end.max(end)));
        let blank = text[next..]
            .iter()
            .take_while(|&&byte| is_blank(byte))
            .count();
        if next >= list.end || blank <= indent {
            return end;
        }
        end = last_visible_line_end(text, Span::new(next, next + blank + 1));
    }
}

fn whole_lines(source: &[u8], span: Span) -> Span {
    let start = line_start(source, span.start);
    Span::new(
        start,
        last_visible_line_end(source, Span::new(start, span.end)),
    )
}

#[cfg(test)]
mod tests {
    use super::super::sections::outline;
    use super::*;

    /// Checks the blocks of the first section.
    fn check(source: &str, block: MarkdownBlockKind, expected: &[&str]) {
        let section = &outline(source.as_bytes()).symbols[0];
        let found: Vec<&str> = blocks(source.as_bytes(), section, block)
            .iter()
            .map(|span| text(source, *span))
            .collect();
        assert_eq!(found, expected, "{source:?}");
    }

    fn check_own(source: &str, expected: Option<&str>) {
        let section = &outline(source.as_bytes()).symbols[0];
        assert_eq!(
            own(source.as_bytes(), section).map(|span| text(source, span)),
            expected,
            "{source:?}"
        );
    }

    fn text(source: &str, span: Span) -> &str {
        &source[span.start..span.end]
    }

    #[test]
    fn own_text_ends_ahead_of_the_first_subsection() {
        check_own("# a\n\n  b  \n\n c\n \n## d\ne\n", Some("  b  \n\n c"));
        check_own("# a\nb\n", Some("b"));
        check_own("# a\n## b\nc\n", None);
        check_own("# a\n\n\n## b\nc\n", None);
        check_own("# a\n\n", None);
        check_own("# a\r\n\r\nb\r\nc\r\n\r\n### d", Some("b\r\nc"));
        check_own("a\n=\n\tb\n# c\n", Some("\tb"));
    }

    #[test]
    fn code_comes_with_its_fences() {
        check(
            "# a\n```sh\nb\n```\ntext\n  ~~~\n  c\n\n  ~~~  \n",
            MarkdownBlockKind::Code,
            &["```sh\nb\n```", "  ~~~\n  c\n\n  ~~~  "],
        );
        check(
            "# a\n```\nunclosed\n\n",
            MarkdownBlockKind::Code,
            &["```\nunclosed"],
        );
        check(
            "# a\n````\n```\n````\n",
            MarkdownBlockKind::Code,
            &["````\n```\n````"],
        );
        check(
            "# a\r\n```\r\nb\r\n```\r\n",
            MarkdownBlockKind::Code,
            &["```\r\nb\r\n```"],
        );
        check(
            "# a\n    indented\n\n`inline`\n",
            MarkdownBlockKind::Code,
            &[],
        );
        check(
            "# a\n- ```\n  b\n  ```\n> ```\n> c\n> ```\n",
            MarkdownBlockKind::Code,
            &[],
        );
        check("# a\n## b\n```\nc\n```\n", MarkdownBlockKind::Code, &[]);
        check(
            "# a\n```\n```\n```\n```\n",
            MarkdownBlockKind::Code,
            &["```\n```", "```\n```"],
        );
    }

    #[test]
    fn tables_run_to_their_last_row() {
        check(
            "# a\ntext\n\n| a | b |\n| - | :-: |\n| c | d |\n\nmore\n",
            MarkdownBlockKind::Table,
            &["| a | b |\n| - | :-: |\n| c | d |"],
        );
        check(
            "# a\na | b\n--|--\n1 | 2\n3\n> no\n",
            MarkdownBlockKind::Table,
            &["a | b\n--|--\n1 | 2\n3"],
        );
        check(
            "# a\n| a |\n|---|\n|   |\n| b |\n",
            MarkdownBlockKind::Table,
            &["| a |\n|---|\n|   |\n| b |"],
        );
        check("# a\n| a | b |\n| - |\n", MarkdownBlockKind::Table, &[]);
        check("# a\n- | a |\n  | - |\n", MarkdownBlockKind::Table, &[]);
        check(
            "# a\n```\n| a |\n| - |\n```\n",
            MarkdownBlockKind::Table,
            &[],
        );
        check(
            "# a\n|x|\n|-|\n\n  |y|\n  |-|",
            MarkdownBlockKind::Table,
            &["|x|\n|-|", "  |y|\n  |-|"],
        );
    }

    #[test]
    fn lists_hold_all_their_items() {
        check(
            "# a\n- b\n- c\n\n  d\n\n1. e\n2. f\n",
            MarkdownBlockKind::List,
            &["- b\n- c\n\n  d", "1. e\n2. f"],
        );
        check(
            "# a\n- b\n* c\n+ d\n",
            MarkdownBlockKind::List,
            &["- b", "* c", "+ d"],
        );
        check(
            "# a\n- b\n  - c\n    - d\nlazy\n\ntext\n",
            MarkdownBlockKind::List,
            &["- b\n  - c\n    - d\nlazy"],
        );
        check("# a\n> - b\n", MarkdownBlockKind::List, &[]);
        check("# a\ntext\n2. no\n", MarkdownBlockKind::List, &[]);
        check("# a\ntext\n1. yes\n", MarkdownBlockKind::List, &["1. yes"]);
        check("# a\n- b\n\n[x]: /y\n", MarkdownBlockKind::List, &["- b"]);
        check(
            "# a\n- b\n\n  [x]: /y\n\n[z]: /y\n",
            MarkdownBlockKind::List,
            &["- b\n\n  [x]: /y"],
        );
        check(
            "# a\n - b\n - c\n\n [x]: /y\n [z]: /y\n",
            MarkdownBlockKind::List,
            &[" - b\n - c"],
        );
        check(
            "# a\n- b\n\n      code\n\ntext\n",
            MarkdownBlockKind::List,
            &["- b\n\n      code"],
        );
        check(
            "# a\n- b\n  ```\n  c\n\n  d\n  ```\n",
            MarkdownBlockKind::List,
            &["- b\n  ```\n  c\n\n  d\n  ```"],
        );
        check(
            "# a\n-\n- b\n-\n\ntext\n",
            MarkdownBlockKind::List,
            &["-\n- b\n-"],
        );
        check("# a\n - \n", MarkdownBlockKind::List, &[" - "]);
        check("# a\n  -\n  -\n", MarkdownBlockKind::List, &["  -\n  -"]);
        check(
            "# a\n- b\n<!-- -->\n- c\n",
            MarkdownBlockKind::List,
            &["- b", "- c"],
        );
        check(
            "# a\n  * b\n\n\n  * c\r\n",
            MarkdownBlockKind::List,
            &["  * b\n\n\n  * c"],
        );
    }
}
