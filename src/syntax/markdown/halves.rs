//! Halves: tags, comments and lines of colons that open something, or close it, anywhere else in a page.
//!
//! Known limits: tags are recognized by their names alone, and comments by words such as `start` and `end`.

use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag};
use regex::bytes::Regex;

use super::sections::MarkdownText;
use crate::syntax::directives;
use crate::text::{Lines, Span, is_blank};

/// A fenced block, a span of code, a comment, a tag, or a line that opens or closes an admonition.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xm)
        ^\ {0,3}(?:```[^\n]*\n(?s:.*?)(?:^\ {0,3}```|\z) | ~~~[^\n]*\n(?s:.*?)(?:^\ {0,3}~~~|\z))
        | ``[^`\n]+`` | `[^`\n]+`
        | <!--(?P<comment>(?s:.*?))-->
        | <(?P<close>/?)(?P<tag>[A-Za-z][A-Za-z0-9._-]*)(?P<attributes>(?:\s[^<>]*)?)>
        | ^(?P<colons>:{3,})[\ \t]*(?P<admonition>[^\s:]*)",
    )
    .expect("the pattern is a constant that a test compiles")
});

/// Elements that are never closed, or need not be.
const LEFT_OPEN: [&str; 31] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup",
    "option", "optgroup", "rp", "rt", "caption", "html", "body",
];

/// One half of a pair.
#[derive(Clone, Debug)]
pub struct Half {
    name: String,
    /// Whether it ends what the other begins.
    pub closes: bool,
    /// As it is written.
    pub text: String,
    /// Its offset.
    pub at: usize,
}

impl Half {
    /// Returns it `by` bytes further on.
    pub fn shifted(self, by: usize) -> Half {
        Half {
            at: self.at + by,
            ..self
        }
    }

    /// Says whether it is one of an element that holds others.
    pub fn holds(&self) -> bool {
        HOLDERS.contains(&self.name.to_ascii_lowercase().as_str())
    }

    /// Says whether the two would be a pair.
    pub fn is_other_of(&self, half: &Half) -> bool {
        self.name == half.name && self.closes != half.closes
    }
}

impl PartialEq for Half {
    fn eq(&self, other: &Half) -> bool {
        (&self.name, self.closes) == (&other.name, other.closes)
    }
}

/// Returns the halves of `text` whose others are not in it: those that close, then those that open.
pub fn unpaired(text: &[u8]) -> Vec<Half> {
    // What is in a pair may be a word in angle brackets, and no tag.
    alone(halves(text), |open, at| open.truncate(at))
}

/// Returns the halves that are no pair, where `paired` takes what a half closes out of those that are open.
fn alone(halves: impl Iterator<Item = Half>, paired: impl Fn(&mut Vec<Half>, usize)) -> Vec<Half> {
    let (mut closing, mut open): (Vec<Half>, Vec<Half>) = (Vec::new(), Vec::new());
    for half in halves {
        match open
            .iter()
            .rposition(|opened| half.closes && opened.name == half.name)
        {
            Some(at) => paired(&mut open, at),
            None if half.closes => closing.push(half),
            None => open.push(half),
        }
    }
    closing.append(&mut open);
    closing
}

fn halves(text: &[u8]) -> impl Iterator<Item = Half> + '_ {
    TOKEN.captures_iter(text).filter_map(|found| {
        let group = |name: &str| {
            found
                .name(name)
                .map(|group| String::from_utf8_lossy(group.as_bytes()).into_owned())
        };
        let whole = found.get(0)?;
        let (name, closes) = if let Some(comment) = group("comment") {
            ("<!--".to_owned(), closes(&comment)?)
        } else if let Some(tag) = group("tag") {
            let is_left_open = LEFT_OPEN.contains(&tag.to_ascii_lowercase().as_str());
            if is_left_open
                || group("attributes").is_some_and(|attributes| attributes.ends_with('/'))
            {
                return None;
            }
            (
                tag,
                found.name("close").is_some_and(|slash| !slash.is_empty()),
            )
        } else {
            (
                group("colons")?,
                group("admonition").is_some_and(|name| name.is_empty()),
            )
        };
        let text = String::from_utf8_lossy(whole.as_bytes()).into_owned();
        Some(Half {
            name,
            closes,
            text,
            at: whole.start(),
        })
    })
}

/// Elements whose missing end, or end too many, changes what all that follows is in.
const HOLDERS: [&str; 14] = [
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "div",
    "figure",
    "main",
    "nav",
    "ol",
    "section",
    "summary",
    "table",
    "ul",
];

/// Returns the tags and lines of colons whose other halves are not in the page: those that close, then those that open. What is code
/// there, or shown as text, is none.
pub fn unpaired_in_page(source: &[u8]) -> Vec<Half> {
    let document = MarkdownText::of_file(source);
    let mut shown = vec![b' '; source.len()];
    let (mut tags, mut code): (Vec<Span>, Vec<Span>) = (Vec::new(), Vec::new());
    for (event, range) in Parser::new_ext(&document.text, Options::ENABLE_TABLES).into_offset_iter()
    {
        let span = Span::from(range).shifted(document.offset);
        match event {
            Event::Html(_) | Event::InlineHtml(_) => tags.push(span),
            Event::Start(Tag::CodeBlock(_)) => code.push(span),
            _ => {}
        }
    }
    for span in tags {
        if let (Some(place), Some(tag)) = (
            shown.get_mut(span.start..span.end),
            source.get(span.start..span.end),
        ) {
            place.copy_from_slice(tag);
        }
    }
    let mut found = alone(halves(&shown), |open, at| drop(open.remove(at)));
    found.retain(|half| half.name != "<!--");
    found.extend(colons(source, document.offset, &code));
    found
}

/// Returns the lines of colons from `start` on, outside of code, whose other halves are not there.
fn colons(source: &[u8], start: usize, code: &[Span]) -> Vec<Half> {
    let lines = Lines::of(source);
    let own = (1..=lines.count()).filter_map(|line| {
        let span = lines.content(source, line);
        let text = span.of(source);
        let indentation = text
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let is_code = code.iter().any(|code| code.contains(span));
        let half = halves(&text[indentation..]).next()?;
        (half.name.starts_with(':') && half.at == 0 && span.start >= start && !is_code)
            .then(|| half.shifted(span.start + indentation))
    });
    alone(own, |open, at| drop(open.remove(at)))
}

/// Returns the comments of a page, those in the middle of a line, too.
pub fn comments(text: &[u8]) -> Vec<Span> {
    let found = TOKEN
        .captures_iter(text)
        .filter(|found| found.name("comment").is_some());
    found
        .filter_map(|found| found.get(0))
        .map(|whole| whole.range().into())
        .collect()
}

/// Says whether a comment closes something; nothing of one that neither opens nor closes. A sentence does not.
fn closes(comment: &str) -> Option<bool> {
    const SENTENCE: usize = 6;
    let words: Vec<&str> = comment
        .split(|character: char| !character.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .collect();
    words.iter().find_map(|word| {
        let is_name = words.len() < SENTENCE || word.chars().all(char::is_uppercase);
        match word.to_ascii_lowercase().as_str() {
            "begin" | "start" | "disable" if is_name => Some(false),
            "end" | "stop" | "enable" | "tocstop" if is_name => Some(true),
            _ => None,
        }
    })
}

/// Returns the anchors that `text` ends with, and the comments that some tool obeys for what comes next, each on a line of its own.
pub fn anchors_at_end(text: &[u8]) -> impl Iterator<Item = Half> + '_ {
    let mut end = text.len();
    std::iter::from_fn(move || {
        let rest = text.get(..end)?.trim_ascii_end();
        let start = memchr::memrchr(b'\n', rest).map_or(0, |at| at + 1);
        let line = String::from_utf8_lossy(&rest[start..]).trim().to_owned();
        let is_anchor = ["<a id=", "<a name="]
            .iter()
            .any(|open| line.starts_with(open))
            && line.ends_with("</a>");
        let is_for_next = line.starts_with("<!--")
            && line.ends_with("-->")
            && directives::is_for_next(line.as_bytes());
        end = start;
        (is_anchor || is_for_next).then(|| Half {
            name: "a".to_owned(),
            closes: false,
            text: line,
            at: start,
        })
    })
}

/// Returns a section with the anchors and the like right above its heading, and without those right above the next one.
pub fn with_anchors(text: &[u8], section: Span) -> Span {
    let topmost = |text: &[u8]| anchors_at_end(text).last().map(|anchor| anchor.at);
    let start = topmost(text.get(..section.start).unwrap_or_default()).unwrap_or(section.start);
    let own = section.of(text);
    let is_last = is_blank(text.get(section.end..).unwrap_or_default());
    let end = topmost(own)
        .filter(|_| !is_last)
        .map_or(own.len(), |at| own[..at].trim_ascii_end().len());
    Span::new(start, section.start + end)
}

/// Returns where the last lines of `text` begin that hold nothing but tags, comments or colons, blank lines apart.
pub fn tail(text: &[u8]) -> usize {
    let mut end = text.len();
    loop {
        let rest = text[..end].strip_suffix(b"\n").unwrap_or(&text[..end]);
        let start = memchr::memrchr(b'\n', rest).map_or(0, |at| at + 1);
        let line = rest[start..].trim_ascii();
        if end == 0 || !(is_blank(line) || line.starts_with(b"<") || line.starts_with(b":::")) {
            return end;
        }
        end = start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_is_left_of_pairs() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = unpaired(text.as_bytes())
                .into_iter()
                .map(|half| half.text)
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("<div align=\"center\">\n\n# A\n\n![x](y)\n\n</div>\n", &[]);
        check("text\n\n</div>\n", &["</div>"]);
        check(
            "a\n</details>\n\n<details>\n<summary>Mac</summary>\n",
            &["</details>", "<details>"],
        );
        check("<br> <img src=x> <p align=center> <Tab/>\n", &[]);
        check("`<div>` and\n```html\n<div>\n```\n", &[]);
        check("</Tab></Tabs>\n", &["</Tab>", "</Tabs>"]);
        check("<!-- END GEN -->\n", &["<!-- END GEN -->"]);
        check(
            "<!-- markdownlint-disable MD013 -->\n<!-- markdownlint-enable MD013 -->\n",
            &[],
        );
        check(
            "<!-- Ends the turn. -->\n<!-- Start at the end if you are new here. -->\n",
            &[],
        );
        check(":::note\ntext\n:::\n", &[]);
        check("text\n:::\n", &[":::"]);
        check("a < b > c <https://example.org> <me@example.org>\n", &[]);
    }

    #[test]
    fn tags_of_a_page_are_none_in_code() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = unpaired_in_page(text.as_bytes())
                .into_iter()
                .filter(Half::holds)
                .map(|half| half.text)
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("<details>\n<summary>a</summary>\n\ntext\n", &["<details>"]);
        check("text\n\n</div>\n", &["</div>"]);
        check(
            "---\na: b\n---\n\n- a\n\n  <div align=\"center\">\n\n  b\n\n  </div>\n",
            &[],
        );
        check(
            "    <div>\n\n`<div>` and\n\n```\n<ul>\n```\n\n\\<div> &lt;div> <kbd> <p> <file>\n",
            &[],
        );
        check("<!-- <div> -->\n", &[]);
    }

    #[test]
    fn anchors_at_the_end_belong_to_what_comes_next() {
        let found: Vec<String> =
            anchors_at_end(b"# A\n\ntext\n\n<a id=\"b\"></a>\n<a name='c'></a>\n\n")
                .map(|it| it.text)
                .collect();
        assert_eq!(found, ["<a name='c'></a>", "<a id=\"b\"></a>"]);
        assert_eq!(anchors_at_end(b"<a id=x></a> text\n").count(), 0);
    }
}
