//! The HTML comments of a Markdown file: `<!-- … -->` outside code.

use pulldown_cmark::{Event, Tag};

use super::sections::MarkdownText;
use crate::text::Span;

/// Returns the spans of comments in file order, from `<!--` to `-->`. One that is never closed ends with its block.
pub(super) fn comments(source: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    for (event, span) in MarkdownText::of_file(source).events() {
        match event {
            Event::Start(Tag::HtmlBlock) if !is_raw_text(span.of(source)) => {
                in_block(source, span, &mut found)
            }
            Event::InlineHtml(html) if html.starts_with("<!--") => found.push(span),
            _ => {}
        }
    }
    found
}

/// Says whether a block of HTML begins an element in which `<!--` is plain text.
fn is_raw_text(block: &[u8]) -> bool {
    let block = block.trim_ascii_start();
    [&b"<script"[..], b"<style", b"<textarea"]
        .iter()
        .any(|tag| {
            block
                .get(..tag.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(tag))
        })
}

/// Adds the comments inside one block of HTML.
fn in_block(source: &[u8], block: Span, found: &mut Vec<Span>) {
    let mut from = block.start;
    while let Some(start) = position(source, Span::new(from, block.end), b"<!--") {
        // `<!-->` and `<!--->` are comments too, so the two dashes of the opener may serve the closer.
        let end = position(source, Span::new(start + 2, block.end), b"-->");
        let end = end.map_or_else(
            || start + source[start..block.end].trim_ascii_end().len(),
            |at| at + 3,
        );
        found.push(Span::new(start, end));
        from = end;
    }
}

/// Returns where `needle` first is in `span`.
fn position(source: &[u8], span: Span, needle: &[u8]) -> Option<usize> {
    let found = span
        .of(source)
        .windows(needle.len())
        .position(|window| window == needle);
    found.map(|at| span.start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let found: Vec<&str> = comments(source.as_bytes())
            .iter()
            .map(|span| &source[span.start..span.end])
            .collect();
        assert_eq!(found, expected, "{source:?}");
    }

    #[test]
    fn comments_stand_outside_code() {
        check("<!-- a -->\n", &["<!-- a -->"]);
        check(
            "<!-- a\n\n# b\n-->\nc <!-- d --> e\n",
            &["<!-- a\n\n# b\n-->", "<!-- d -->"],
        );
        check("a <!-- b\nc --> d\n", &["<!-- b\nc -->"]);
        check("<!-- a --> <!-- b -->\n", &["<!-- a -->", "<!-- b -->"]);
        check("<div>\n  <!-- a -->\n</div>\n", &["<!-- a -->"]);
        check(
            "- <!-- a -->\n\n  > b <!-- c -->\n",
            &["<!-- a -->", "<!-- c -->"],
        );
        check("<!-- unclosed\n# a\n", &["<!-- unclosed\n# a"]);
        check("<!--> a -->\n", &["<!-->"]);
        check(
            "```\n<!-- a -->\n```\n\n    <!-- b -->\n\n`<!-- c -->`\n",
            &[],
        );
        check("<script>\n// <!-- a -->\n</script>\n", &[]);
        check("\\<!-- a -->\n", &[]);
        check("---\na: b\n---\n<!-- c -->\r\n", &["<!-- c -->"]);
    }
}
