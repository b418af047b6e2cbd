//! The sections of a Markdown file, as a tree.
//!
//! ```text
//! ---            front matter: nobody's           # Guide        ┐ definition of `Guide`; its
//! title: x                                        <blank>        │ signature is the first line
//! ---                                             Text.          │ body: from here to the end
//! <blank>                                         ## Install     │ ┐ child
//! Preamble: nobody's                              Run it.        ┘ ┘
//! <blank>                                         <blank>          nobody's
//! # Guide …                                       # Next …
//! ```
//!
//! Invariant: a definition begins at the first byte of its heading's first line and ends at the last byte of its last
//! line that is not blank; children lie inside, in order, disjoint. Only headings at the top of the document make
//! sections: those in quotes, lists, HTML and code do not.
//!
//! A file is read piece by piece, each as it would be alone: a heading after a blank line ends whatever is open above it but
//! a fenced block and a block of HTML, and where one of those may go on, the next piece begins with it. The parser's tree of a
//! piece fits the processor's cache, and one piece's memory serves the next.
//!
//! Extensions are off, so core CommonMark alone decides what a heading is. The one place where this shows against
//! GitHub: a `---` directly under a table's last row makes a setext heading out of the table's text.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, OffsetIter, Options, Parser, Tag};

use super::legible::legible;
use super::lines::{
    bom_len, first_visible_line, is_blank, is_ending, last_visible_line_end, line_start,
};
use crate::syntax::{Outline, SegmentKind, Symbol};
use crate::text::Span;

/// Returns the sections of a file.
pub(super) fn outline(source: &[u8]) -> Outline {
    MarkdownText::of_file(source).outline(source)
}

/// Returns the sections of a piece of text, which has no front matter: a `---` above it is a rule.
pub(super) fn fragment_outline(fragment: &[u8]) -> Outline {
    MarkdownText::of_fragment(fragment).outline(fragment)
}

/// A file's Markdown in a form that the parser takes.
pub(super) struct MarkdownText<'a> {
    /// As long as what it stands for, byte for byte.
    pub(super) text: Cow<'a, str>,
    /// Where it begins in the file: after the byte-order mark and the front matter.
    pub(super) offset: usize,
}

impl<'a> MarkdownText<'a> {
    /// Returns what is after the front matter.
    pub(super) fn of_file(source: &'a [u8]) -> MarkdownText<'a> {
        MarkdownText::from(source, front_matter_end(source))
    }

    fn of_fragment(fragment: &'a [u8]) -> MarkdownText<'a> {
        MarkdownText::from(fragment, bom_len(fragment))
    }

    fn from(source: &'a [u8], offset: usize) -> MarkdownText<'a> {
        MarkdownText {
            text: legible(&source[offset..]),
            offset,
        }
    }

    /// Returns the parser's events with their places in the file.
    pub(super) fn events(&self) -> impl Iterator<Item = (Event<'_>, Span)> {
        self.events_of(0..self.text.len())
    }

    fn events_of(&self, piece: Range<usize>) -> impl Iterator<Item = (Event<'_>, Span)> {
        let offset = self.offset + piece.start;
        let parser: OffsetIter<'_> =
            Parser::new_ext(&self.text[piece], Options::empty()).into_offset_iter();
        parser.map(move |(event, range)| (event, Span::from(range).shifted(offset)))
    }

    fn outline(&self, source: &[u8]) -> Outline {
        Outline {
            symbols: nest(source, self.headings(source, PIECE)),
            sound: true,
            excess: None,
        }
    }

    /// Returns the headings at the top of the document, in order, which is read in pieces of `size` bytes and what is left of
    /// a section.
    fn headings(&self, source: &[u8], size: usize) -> Vec<Heading> {
        let mut headings = Vec::new();
        let (mut start, mut wanted) = (0, size);
        while start < self.text.len() {
            let end = self.piece_end(start.saturating_add(wanted));
            let open = self
                .headings_of(start..end, source, &mut headings)
                .filter(|_| end < self.text.len());
            // What fills the piece is read again with more of what follows it.
            wanted = if open == Some(start) {
                wanted.saturating_mul(2)
            } else {
                size
            };
            start = open.unwrap_or(end);
        }
        headings
    }

    /// Returns where the first heading at or after `from` begins that ends what is open above it, if nothing hides it.
    fn piece_end(&self, from: usize) -> usize {
        let text = self.text.as_bytes();
        let places = memchr::memmem::find_iter(text.get(from..).unwrap_or_default(), b"\n#");
        let begins_piece = |at: &usize| {
            let is_apart = matches!(text[..*at - 1], [.., b'\n'] | [.., b'\n', b'\r']);
            let markers = text[*at..].iter().take_while(|&&byte| byte == b'#').count();
            let is_marked = text
                .get(at + markers)
                .is_some_and(|&byte| is_blank(byte) || is_ending(byte));
            is_apart && markers <= 6 && is_marked
        };
        places
            .map(|at| from + at + 1)
            .find(begins_piece)
            .unwrap_or(text.len())
    }

    /// Adds the headings of one piece, and returns the start of the line on which its last block begins if that may go on.
    fn headings_of(
        &self,
        piece: Range<usize>,
        source: &[u8],
        headings: &mut Vec<Heading>,
    ) -> Option<usize> {
        let mut depth = 0_usize;
        let mut open = None;
        for (event, span) in self.events_of(piece) {
            if let Event::End(_) = event {
                depth = depth.saturating_sub(1);
                continue;
            }
            if depth == 0 {
                let goes_on = Event::Start(Tag::HtmlBlock);
                let is_fenced = matches!(
                    event,
                    Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))
                );
                open = (is_fenced || event == goes_on).then_some(span.start);
                if let Event::Start(Tag::Heading { level, .. }) = event {
                    headings.push(Heading::at(source, span, level as u8));
                }
            }
            depth += usize::from(matches!(event, Event::Start(_)));
        }
        open.map(|start| line_start(source, start).max(self.offset) - self.offset)
    }
}

/// How many bytes are read at once: so few that what the parser makes of them stays in the processor's cache, and that the C
/// library does not hand the memory back to the system after each piece.
const PIECE: usize = 16 << 10;

/// Returns the sections of a file that is read in pieces of another size.
#[cfg(test)]
pub(super) fn outline_by_pieces(source: &[u8], size: usize) -> Outline {
    let document = MarkdownText::of_file(source);
    Outline {
        symbols: nest(source, document.headings(source, size)),
        sound: true,
        excess: None,
    }
}

/// A heading as it is in the file.
#[derive(Debug)]
struct Heading {
    level: u8,
    /// Its lines, from the first column, the last one's ending excluded.
    lines: Span,
    name: String,
}

impl Heading {
    /// Returns the heading that the parser found at `span`, widened to whole lines.
    fn at(source: &[u8], span: Span, level: u8) -> Heading {
        let start = line_start(source, span.start);
        let lines = Span::new(
            start,
            last_visible_line_end(source, Span::new(start, source.len().min(span.end))),
        );
        Heading {
            level,
            lines,
            name: String::from_utf8_lossy(&title(lines.of(source))).into_owned(),
        }
    }
}

/// Returns a heading's text as it is in the source, without its markers.
fn title(heading: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = atx_text(heading) {
        return Cow::Borrowed(text);
    }
    let mut lines: Vec<&[u8]> = heading.split(|&byte| is_ending(byte)).map(trim).collect();
    lines.pop(); // the underline
    lines.retain(|line| !line.is_empty()); // what stands between CR and LF
    match lines[..] {
        [only] => Cow::Borrowed(only),
        _ => Cow::Owned(lines.join(&b' ')),
    }
}

/// Returns the text of an ATX heading, or `None` for a setext one. Given that this is a heading, its start says which:
/// a setext heading may begin with `#hashtag` or with a deeply indented `# x`, but never with what ATX takes.
fn atx_text(heading: &[u8]) -> Option<&[u8]> {
    let indent = heading.iter().take_while(|&&byte| byte == b' ').count();
    let marked = &heading[indent..];
    let markers = marked.iter().take_while(|&&byte| byte == b'#').count();
    let text = marked.get(markers..)?;
    let opens =
        indent < 4 && (1..=6).contains(&markers) && text.first().is_none_or(|&byte| is_blank(byte));
    opens.then(|| without_closing(trim(text)))
}

/// Returns an ATX heading's text without the `#`s that close it: those that stand alone or after a blank.
fn without_closing(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .rposition(|&byte| byte != b'#')
        .map_or(0, |at| at + 1);
    match text[..end].last() {
        Some(&byte) if !is_blank(byte) => text,
        _ => trim(&text[..end]),
    }
}

/// Turns headings into sections, each with the deeper ones that follow it as its children.
fn nest(source: &[u8], headings: Vec<Heading>) -> Vec<Symbol> {
    let mut top = Vec::new();
    let mut open: Vec<Symbol> = Vec::new();
    for heading in headings {
        close_until(
            heading.level,
            heading.lines.start,
            source,
            &mut open,
            &mut top,
        );
        open.push(section(heading));
    }
    close_until(0, source.len(), source, &mut open, &mut top);
    top
}

/// Ends every open section that a heading of `level` at `next` ends; at most six are ever open.
fn close_until(
    level: u8,
    next: usize,
    source: &[u8],
    open: &mut Vec<Symbol>,
    top: &mut Vec<Symbol>,
) {
    while let Some(mut done) = open.pop_if(|section| section.level >= level) {
        let heading_end = done.signature.end;
        let end = last_visible_line_end(source, Span::new(heading_end, next));
        done.definition.end = end;
        done.body = (end > heading_end)
            .then(|| Span::new(first_visible_line(source, Span::new(heading_end, end)), end));
        open.last_mut()
            .map_or(&mut *top, |parent| &mut parent.children)
            .push(done);
    }
}

/// Returns the section that `heading` begins, still without its body.
fn section(heading: Heading) -> Symbol {
    Symbol {
        name: heading.name,
        owner: None,
        address: None,
        names_inside: true,
        parted: false,
        component: false,
        kind: SegmentKind::Section,
        level: heading.level,
        definition: heading.lines,
        decorations: Vec::new(),
        trailing: None,
        signature: heading.lines,
        body: None,
        docstring: None,
        children: Vec::new(),
    }
}

/// Returns where the front matter ends, its last line included; where the text begins if there is none.
fn front_matter_end(source: &[u8]) -> usize {
    front_matter(source).map_or(bom_len(source), |front| front.end)
}

/// Front matter: YAML between lines `---`, or TOML between lines `+++`, at the beginning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontMatter {
    /// Where its first line begins: after the byte-order mark.
    pub start: usize,
    /// Where the line begins that ends it.
    pub close: usize,
    /// Where that line ends.
    pub end: usize,
    /// Not YAML.
    pub is_toml: bool,
}

/// Returns the front matter of a file. YAML between `---` and `---` or `...` must begin with a key, for `---` is a rule in Markdown,
/// and what is between two rules may well be headings. TOML between `+++` needs no such proof.
pub fn front_matter(source: &[u8]) -> Option<FrontMatter> {
    let start = bom_len(source);
    let mut lines = source[start..].split_inclusive(|&byte| byte == b'\n');
    let opener = lines.next().unwrap_or_default();
    let mut end = start + opener.len();
    let is_toml = opener.starts_with(b"+");
    let closers: &[&[u8]] = match opener.trim_ascii_end() {
        b"---" => &[b"---", b"..."],
        b"+++" => &[b"+++"],
        _ => return None,
    };
    let mut proven = is_toml;
    for line in lines {
        let close = end;
        end += line.len();
        let text = line.trim_ascii_end();
        if closers.contains(&text) {
            return proven.then_some(FrontMatter {
                start,
                close,
                end,
                is_toml,
            });
        }
        if !proven && !text.is_empty() && !text.starts_with(b"#") {
            if !begins_mapping(text) {
                return None;
            }
            proven = true;
        }
    }
    None
}

/// Says whether a line of YAML may be the first of a mapping: `key: value` or `key:`.
fn begins_mapping(line: &[u8]) -> bool {
    let separated =
        line.ends_with(b":") || line.windows(2).any(|pair| matches!(pair, b": " | b":\t"));
    separated && !is_blank(line[0]) && !line.starts_with(b"- ")
}

/// Returns `text` without the blanks and line endings around it.
fn trim(text: &[u8]) -> &[u8] {
    let visible = |&byte: &u8| !is_blank(byte) && !is_ending(byte);
    let Some(start) = text.iter().position(visible) else {
        return &[];
    };
    let end = text.iter().rposition(visible).map_or(start, |at| at + 1);
    &text[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lines;

    /// Renders each section as `level name first-last line`, children indented.
    fn render(source: &[u8], sections: &[Symbol], depth: usize, out: &mut Vec<String>) {
        let lines = Lines::of(source);
        for section in sections {
            let Span { start, end } = section.definition;
            let (first, last) = (lines.line(start), lines.line(end));
            out.push(format!(
                "{}{} {} {first}-{last}",
                "  ".repeat(depth),
                section.level,
                section.name
            ));
            render(source, &section.children, depth + 1, out);
        }
    }

    fn check(source: impl AsRef<[u8]>, expected: &[&str]) {
        let source = source.as_ref();
        let mut found = Vec::new();
        render(source, &outline(source).symbols, 0, &mut found);
        assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(source));
        assert_eq!(
            outline_by_pieces(source, 1),
            outline(source),
            "{:?}",
            String::from_utf8_lossy(source)
        );
    }

    #[test]
    fn pieces_end_where_nothing_is_open() {
        let check = |source: &str, expected: &[&str]| {
            let document = MarkdownText::of_file(source.as_bytes());
            let (mut found, mut start) = (Vec::new(), 0);
            while start < source.len() {
                let end = document.piece_end(start + 1);
                found.push(&source[start..end]);
                start = end;
            }
            assert_eq!(found, expected);
        };
        check("# a\n\n# b\n\n#", &["# a\n\n", "# b\n\n#"]);
        check("# a\n\n# b\n\n## c\n", &["# a\n\n", "# b\n\n", "## c\n"]);
        check("a\r\n\r\n#\r\n", &["a\r\n\r\n", "#\r\n"]);
        check(
            "a\n# b\n\n #c\n\n#d\n\n####### e\n",
            &["a\n# b\n\n #c\n\n#d\n\n####### e\n"],
        );
    }

    #[test]
    fn what_is_open_at_the_end_of_a_piece_goes_on() {
        check(
            "```\na\n\n# hidden\n\n# hidden\n```\n\n# b\n\n# c\n",
            &["1 b 9-9", "1 c 11-11"],
        );
        check("x\n\n  ~~~\n\n# hidden\n  ~~~\n\n# b\n", &["1 b 8-8"]);
        check("<!--\n\n# hidden\n\n-->\n\n# b\n", &["1 b 7-7"]);
        check("<pre>\n\n# hidden\n\n</pre>\n\n# b\n", &["1 b 7-7"]);
        check("- ```\n\n# b\n\n  ```\n\n# hidden\n", &["1 b 3-7"]);
        check("---\nx: y\n---\n\n```\n\n# hidden\n", &[]);
    }

    #[test]
    fn atx_headings_are_commonmarks() {
        check(
            "# a\n## b\n### c\n#### d\n##### e\n###### f\n",
            &[
                "1 a 1-6",
                "  2 b 2-6",
                "    3 c 3-6",
                "      4 d 4-6",
                "        5 e 5-6",
                "          6 f 6-6",
            ],
        );
        check("####### seven\n", &[]);
        check("#hashtag\n#5 bolt\n", &[]);
        check("\\# escaped\n", &[]);
        check("#\ttab\n", &["1 tab 1-1"]);
        check("#\u{a0}no-break space\n", &[]);
        check(
            "#                  foo                     \n",
            &["1 foo 1-1"],
        );
        check(" # a\n  # b\n   # c\n", &["1 a 1-1", "1 b 2-2", "1 c 3-3"]);
        check("    # code\n", &[]);
        check("\t# code\n", &[]);
        check("foo\n    # text\n", &[]);
        check("foo\n# bar\nbaz\n", &["1 bar 2-3"]);
        check("#\n## \n### ###\n", &["1  1-3", "  2  2-3", "    3  3-3"]);
        check("* * *\n# a\n---\n", &["1 a 2-3"]);
        check("# foo {#id}\n", &["1 foo {#id} 1-1"]);
        check(
            "# `a` *b* [c](d) &amp; \\#\n",
            &["1 `a` *b* [c](d) &amp; \\# 1-1"],
        );
    }

    #[test]
    fn closing_markers_are_no_part_of_the_name() {
        check("## foo ##\n", &["2 foo 1-1"]);
        check("# foo ##################################\n", &["1 foo 1-1"]);
        check("### foo ###     \n", &["3 foo 1-1"]);
        check("### foo ### b\n", &["3 foo ### b 1-1"]);
        check("# foo#\n", &["1 foo# 1-1"]);
        check("### foo \\###\n", &["3 foo \\### 1-1"]);
        check("# foo \\#\n", &["1 foo \\# 1-1"]);
        check("# foo\t#\t\n", &["1 foo 1-1"]);
        check("# # foo\n", &["1 # foo 1-1"]);
        check("# #\n", &["1  1-1"]);
    }

    #[test]
    fn setext_headings_are_commonmarks() {
        check(
            "Foo *bar*\n=========\n\nFoo *bar*\n---------\n",
            &["1 Foo *bar* 1-5", "  2 Foo *bar* 4-5"],
        );
        check("Foo\n  bar\t\nbaz\n====\n", &["1 Foo bar baz 1-4"]);
        check(
            "   Foo\n---\n\n  Foo\n  ===  \n",
            &["2 Foo 1-2", "1 Foo 4-5"],
        );
        check("    Foo\n---\n", &[]);
        check("Foo\n    ---\n", &[]);
        check("Foo\n= =\n\nFoo\n--- -\n", &[]);
        check("Foo\\\n----\n", &["2 Foo\\ 1-2"]);
        check("`Foo\n----\n`\n", &["2 `Foo 1-3"]);
        check("> Foo\n---\n", &[]);
        check("> foo\nbar\n===\n", &[]);
        check("- Foo\n---\n", &[]);
        check("Foo\nBar\n---\n", &["2 Foo Bar 1-3"]);
        check("\n====\n", &[]);
        check("---\n---\n", &[]);
        check("    foo\n---\n", &[]);
        check("\\> foo\n------\n", &["2 \\> foo 1-2"]);
        check("Foo\n\nbar\n---\nbaz\n", &["2 bar 3-5"]);
        check("#hashtag\n===\n", &["1 #hashtag 1-2"]);
        check("####### seven\n-\n", &["2 ####### seven 1-2"]);
        check("Foo ##\n===\n", &["1 Foo ## 1-2"]);
        check("| a |\n| - |\n| b |\n---\n", &["2 | a | | - | | b | 1-4"]);
    }

    #[test]
    fn headings_inside_other_blocks_are_hidden() {
        check("> # quoted\n# a\n", &["1 a 2-2"]);
        check("> quoted\n# a\n", &["1 a 2-2"]);
        check("- # item\n  # more\n\n  Setext\n  ===\n# a\n", &["1 a 6-6"]);
        check("- item\n# a\n", &["1 a 2-2"]);
        check("1. item\n\n   # inside\n\n # outside\n", &["1 outside 5-5"]);
        check("```sh\n# fenced\n```\n# a\n", &["1 a 4-4"]);
        check("~~~\n# fenced\n```\n# still\n~~~~\n# a\n", &["1 a 6-6"]);
        check("# a\n```\n# unclosed\n\n", &["1 a 1-3"]);
        check("``` a`b\n# a\n```\n# b\n", &["1 a 2-4"]);
        check("\t# tab\n\n    # spaces\n# a\n", &["1 a 4-4"]);
        check("<!--\n# hidden\n\n# hidden\n-->\n# a\n", &["1 a 6-6"]);
        check("text <!--\n# seen\n-->\n", &["1 seen 2-3"]);
        check("<!-- unclosed\n# hidden\n", &[]);
        check("<div>\n# hidden\n</div>\n\n# a\n", &["1 a 5-5"]);
        check("<div>\n\n# seen\n\n</div>\n", &["1 seen 3-5"]);
        check("<pre>\n\n# hidden\n</script>\n# seen\n", &["1 seen 5-5"]);
        check(
            "<SCRIPT src=x>\n\n# hidden\n</style>\n# seen\n",
            &["1 seen 5-5"],
        );
        check("<?php\n# hidden\n?>\n# a\n", &["1 a 4-4"]);
        check("<![CDATA[\n# hidden\n]]>\n# a\n", &["1 a 4-4"]);
    }

    #[test]
    fn link_definitions_are_no_part_of_a_heading() {
        check("[foo]: /url\n# a\n", &["1 a 2-2"]);
        check("[foo]: /url\nBar\n===\n", &["1 Bar 2-3"]);
        check("[foo]: /url\n===\n[foo]\n", &[]);
        check("[foo]: /url 'title\n# a\n'\n", &["1 a 2-3"]);
        check("[foo]: /url\n      # deep\n===\n", &["1 # deep 2-3"]);
        check("[foo]: /url\n\t# tab\n===\n", &["1 # tab 2-3"]);
    }

    #[test]
    fn sections_nest_by_level() {
        check(
            "# a\n### b\n## c\n# d\n",
            &["1 a 1-3", "  3 b 2-2", "  2 c 3-3", "1 d 4-4"],
        );
        check("### a\n## b\n# c\n", &["3 a 1-1", "2 b 2-2", "1 c 3-3"]);
        check(
            "# a\n###### b\n## c\n### d\n## e\n",
            &[
                "1 a 1-5",
                "  6 b 2-2",
                "  2 c 3-4",
                "    3 d 4-4",
                "  2 e 5-5",
            ],
        );
        check("", &[]);
        check("no heading\n", &[]);
    }

    #[test]
    fn front_matter_is_nobodys() {
        check("---\ntitle: x\n---\n# a\n", &["1 a 4-4"]);
        check("---\ntitle: x\n---\nFoo\n===\n", &["1 Foo 4-5"]);
        check("---\ntitle: x\n...\n# a\n", &["1 a 4-4"]);
        check(
            "---\r\n# comment\r\n\r\ntitle:\r\n  - y\r\n---\r\n# a\r\n",
            &["1 a 7-7"],
        );
        check("\u{feff}---\ntitle: x\n---\n# a\n", &["1 a 4-4"]);
        check("+++\n# comment\ntitle = 'x'\n+++\n# a\n", &["1 a 5-5"]);
        // Not closed, not at the top, or no mapping: Markdown after all.
        check("---\ntitle: x\n# a\n", &["1 a 3-3"]);
        check("\n---\ntitle: x\n---\n", &["2 title: x 3-4"]);
        check("---\n\n# a\n\ntext\n\n---\n", &["1 a 3-7"]);
        check("---\n- a: b\n---\n", &[]);
        check("---\ntext\n---\n", &["2 text 2-3"]);
        check("+++\n# a\n", &["1 a 2-2"]);
    }

    #[test]
    fn a_piece_has_no_front_matter() {
        let found = fragment_outline(b"---\ntitle: x\n---\n# a\n").symbols;
        let names: Vec<&str> = found.iter().map(|section| section.name.as_str()).collect();
        assert_eq!(names, ["title: x", "a"]);
    }

    #[test]
    fn odd_bytes_leave_offsets_true() {
        check("\u{feff}# a\n# b\n", &["1 a 1-1", "1 b 2-2"]);
        check(
            b"\xff\xfe\n# caf\xe9 \xf0\x9f\n\xc3\n",
            &["1 caf\u{fffd} \u{fffd} 2-3"],
        );
        check("# a\r\n\r\nb\r\nc\r\n===\r\n", &["1 a 1-1", "1 b c 3-5"]);
        check("a\r# b\rc\r\r# d", &["1 b 1-1", "1 d 1-1"]);
        check("#\u{c}a\n", &[]);
        check("a\n\u{b}\n===\n", &["1 a \u{b} 1-3"]);
        check("# n\0l\n", &["1 n\0l 1-1"]);
        check("# ünïcödé 漢字\n", &["1 ünïcödé 漢字 1-1"]);
    }

    /// Checks the bytes of the first section: all of it, its heading and its body.
    fn check_bytes(source: &str, definition: &str, signature: &str, body: Option<&str>) {
        let sections = outline(source.as_bytes()).symbols;
        let text = |span: Span| &source[span.start..span.end];
        assert_eq!(
            text(sections[0].definition),
            definition,
            "definition in {source:?}"
        );
        assert_eq!(
            text(sections[0].signature),
            signature,
            "signature in {source:?}"
        );
        assert_eq!(sections[0].body.map(text), body, "body in {source:?}");
    }

    #[test]
    fn spans_cover_what_they_should_and_no_more() {
        check_bytes(
            "x\n\n  # a ##  \n\n \n  b  \n\n\t\n# c",
            "  # a ##  \n\n \n  b  ",
            "  # a ##  ",
            Some("  b  "),
        );
        check_bytes("# a", "# a", "# a", None);
        check_bytes("# a\n \n\n", "# a", "# a", None);
        check_bytes("# a\n## b\n\n", "# a\n## b", "# a", Some("## b"));
        check_bytes(" a\nb\n ==\nc", " a\nb\n ==\nc", " a\nb\n ==", Some("c"));
        check_bytes(
            "a\r\n=\r\n\r\n    b\r\n",
            "a\r\n=\r\n\r\n    b",
            "a\r\n=",
            Some("    b"),
        );
        check_bytes("\u{feff}# a\r\rb\r\r# c", "# a\r\rb", "# a", Some("b"));
        check_bytes("---\na: b\n---\n\n# a\nb\n", "# a\nb", "# a", Some("b"));
        check_bytes(
            "# a\n```\n\n# c\n\n```\n\nb",
            "# a\n```\n\n# c\n\n```\n\nb",
            "# a",
            Some("```\n\n# c\n\n```\n\nb"),
        );
    }
}
