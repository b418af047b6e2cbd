//! What a page opens and has to close: fenced code, and the blocks of HTML that run over blank lines (`<!-- -->`, `<pre>`).
//!
//! Whatever is after one that is left open is part of it, to the end of the file or of the list item around. Known limit: a
//! line of the fence's own sign that is indented too deep to close it is taken for its end when nothing follows.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::legible::legible;
use super::lines::{last_visible_line_end, line_start};
use crate::text::{Span, leading_blank};

/// A block that something has to close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosure {
    /// From what opens it to the end of that line.
    pub open: Span,
    /// What closes it; `None` where nothing does.
    pub close: Option<Span>,
    /// Offset after its last byte that is not blank.
    pub end: usize,
}

/// The sign of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence {
    sign: u8,
    length: usize,
}

/// What begins a block of HTML that runs over blank lines, and what ends it; in any case of letters.
const BLOCKS: [(&str, &str); 8] = [
    ("<!--", "-->"),
    ("<?", "?>"),
    ("<![cdata[", "]]>"),
    ("<script", "</script>"),
    ("<pre", "</pre>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
    ("<!", ">"),
];

impl Fence {
    /// Returns the fence that `line` opens, when it is where no list and no quote is around it.
    pub fn opened_by(line: &[u8]) -> Option<Fence> {
        let (fence, rest) = Fence::leading(line)?;
        (fence.sign != b'`' || !rest.contains(&b'`')).then_some(fence)
    }

    /// Says whether `line` closes the fence.
    pub fn is_closed_by(self, line: &[u8]) -> bool {
        Fence::leading(line).is_some_and(|(fence, rest)| {
            fence.sign == self.sign && fence.length >= self.length && rest.trim_ascii().is_empty()
        })
    }

    fn leading(line: &[u8]) -> Option<(Fence, &[u8])> {
        let blank = leading_blank(line).len();
        let text = line.get(blank..)?;
        let sign = *text.first().filter(|sign| matches!(sign, b'`' | b'~'))?;
        let length = text.iter().take_while(|byte| **byte == sign).count();
        (blank <= 3 && length >= 3).then(|| {
            (
                Fence { sign, length },
                text.get(length..).unwrap_or_default(),
            )
        })
    }
}

/// Says whether a piece of a page may open or close such a block.
pub fn may_enclose(piece: &[u8]) -> bool {
    [&b"```"[..], b"~~~", b"<", b"-->", b"?>", b"]]>"]
        .iter()
        .any(|sign| memchr::memmem::find(piece, sign).is_some())
}

/// Returns the blocks that something has to close, in file order.
pub fn enclosures(source: &[u8]) -> Vec<Enclosure> {
    let legible = legible(source);
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(&legible, Options::ENABLE_TABLES).into_offset_iter() {
        let span = Span::from(range);
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                found.extend(fenced(source, span))
            }
            Event::Start(Tag::HtmlBlock) => found.extend(of_html(source, span)),
            _ => {}
        }
    }
    found
}

fn fenced(source: &[u8], span: Span) -> Option<Enclosure> {
    let open = first_line(source, span);
    let (fence, _) = Fence::leading(open.of(source).trim_ascii_start())?;
    let end = last_visible_line_end(source, span);
    let last = line_start(source, end).max(span.start);
    // Whatever is before it on the line is of the quote and the list around.
    let line = source.get(last..end).unwrap_or_default();
    let indentation = line
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'>'))
        .count();
    let close = Span::new(last + indentation, end.max(last + indentation));
    let closes = last > open.start && fence.is_closed_by(close.of(source));
    Some(Enclosure {
        open,
        close: closes.then_some(close),
        end,
    })
}

fn of_html(source: &[u8], span: Span) -> Option<Enclosure> {
    let text = span.of(source);
    let lead = leading_blank(text).len();
    let (opener, closer) = BLOCKS.into_iter().find(|(opener, _)| {
        let head = text.get(lead..lead + opener.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(opener.as_bytes()))
    })?;
    let name_start = lead + opener.len();
    // `<preface>` is another block, which ends at a blank line.
    let goes_on = text.get(name_start).is_some_and(u8::is_ascii_alphanumeric)
        && opener.ends_with(char::is_alphabetic);
    if goes_on {
        return None;
    }
    let rest = text.get(name_start..).unwrap_or_default();
    let at = rest
        .windows(closer.len())
        .position(|piece| piece.eq_ignore_ascii_case(closer.as_bytes()));
    let close = at.map(|at| {
        Span::new(
            span.start + name_start + at,
            span.start + name_start + at + closer.len(),
        )
    });
    let open = first_line(source, Span::new(span.start + lead, span.end));
    Some(Enclosure {
        open,
        close,
        end: last_visible_line_end(source, span),
    })
}

fn first_line(source: &[u8], span: Span) -> Span {
    let text = span.of(source);
    let length = text
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'))
        .unwrap_or(text.len());
    Span::new(span.start, span.start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(&str, Option<&str>)]) {
        let bytes = source.as_bytes();
        let text = |span: Span| std::str::from_utf8(span.of(bytes)).unwrap();
        let found: Vec<_> = enclosures(bytes)
            .iter()
            .map(|one| (text(one.open), one.close.map(text)))
            .collect();
        assert_eq!(found, expected, "{source:?}");
    }

    #[test]
    fn what_is_opened_is_told_with_what_closes_it() {
        check("a\n```sh\nb\n```\nc\n", &[("```sh", Some("```"))]);
        check("````\n```\n````\n", &[("````", Some("````"))]);
        check(
            "~~~\n```\n~~~~\n```\nx",
            &[("~~~", Some("~~~~")), ("```", None)],
        );
        check("```\r\nb\r\n```\r\n", &[("```", Some("```"))]);
        check("```\n", &[("```", None)]);
        check("```\nb\n\n", &[("```", None)]);
        check("``` a`b\nc\n", &[]);
        check(
            "- ```\n  b\n  ```\n> ~~~\n> c\n> ~~~\n\n> ```\nd\n",
            &[("```", Some("```")), ("~~~", Some("~~~")), ("```", None)],
        );
        check("<!-- a\n\nb -->\nc\n", &[("<!-- a", Some("-->"))]);
        check("<!-- a\n\n# b\n", &[("<!-- a", None)]);
        check("  <PRE>\n\n</pre>\n", &[("<PRE>", Some("</pre>"))]);
        check("<script>\n\n", &[("<script>", None)]);
        check("<div>\n\n<preface>\n\nb\n", &[]);
        check("a <!-- b\n", &[]);
        check("<!DOCTYPE html>\n", &[("<!DOCTYPE html>", Some(">"))]);
    }
}
