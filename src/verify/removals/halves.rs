//! Halves: what a Markdown file opens in one section and closes in another. A tag whose other half is outside of the edited range
//! belongs to both, and so does an anchor right above the next heading: whoever names a section does not mean them.
//!
//! Known limits: tags are told by their names alone, and comments by words such as `start` and `end`.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Selector};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::markdown::MARKDOWN;

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
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "p", "li",
    "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "option", "optgroup", "rp", "rt", "caption",
    "html", "body",
];

/// Halves that an edit takes away.
#[derive(Clone, Debug)]
pub struct Halves {
    path: RepoPath,
    /// As they are written.
    words: Vec<String>,
    /// 1-based.
    line: usize,
    operation: usize,
}

/// One half of a pair.
#[derive(Clone, Debug)]
struct Half {
    name: String,
    closes: bool,
    text: String,
    at: usize,
}

impl PartialEq for Half {
    fn eq(&self, other: &Half) -> bool {
        (&self.name, self.closes) == (&other.name, other.closes)
    }
}

/// Returns what the splices take from `old` whose other half they leave.
pub fn gone(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Halves> {
    let is_markdown = old.language.is_some_and(|language| language.name == MARKDOWN.name);
    let Some(splices) = edit.splices.as_ref().filter(|_| is_markdown) else { return Vec::new() };
    let mut gone = Vec::new();
    for splice in splices.iter() {
        let was = splice.span.of(&old.bytes);
        let may_hold_some = memchr::memchr(b'<', was).is_some() || memchr::memmem::find(was, b":::").is_some();
        let Some(operation) = edit.claimant(splice.span).filter(|_| may_hold_some) else { continue };
        let (had, has) = (unpaired(was), unpaired(&splice.bytes));
        // Who mends a file that was broken takes a half away.
        let mends = || !unpaired(&old.bytes).is_empty() && unpaired(&new.bytes).len() < unpaired(&old.bytes).len();
        let mut lost = if had == has || mends() { Vec::new() } else { had };
        lost.extend(anchors_at_end(was).filter(|anchor| {
            let next = old.bytes.get(splice.span.end..).unwrap_or_default().trim_ascii_start();
            next.starts_with(b"#") && memchr::memmem::find(&new.bytes, anchor.text.as_bytes()).is_none()
        }));
        let Some(first) = lost.first() else { continue };
        gone.push(Halves {
            path: edit.path.clone(),
            line: old.lines().line(splice.span.start + first.at),
            words: lost.into_iter().map(|half| half.text).collect(),
            operation,
        });
    }
    gone
}

/// Returns the halves of `text` whose others are not in it: those that close, then those that open.
fn unpaired(text: &[u8]) -> Vec<Half> {
    let (mut closing, mut open): (Vec<Half>, Vec<Half>) = (Vec::new(), Vec::new());
    for half in halves(text) {
        match open.iter().rposition(|opened| half.closes && opened.name == half.name) {
            Some(at) => open.truncate(at),
            None if half.closes => closing.push(half),
            None => open.push(half),
        }
    }
    closing.append(&mut open);
    closing
}

fn halves(text: &[u8]) -> impl Iterator<Item = Half> + '_ {
    TOKEN.captures_iter(text).filter_map(|found| {
        let group = |name: &str| found.name(name).map(|group| String::from_utf8_lossy(group.as_bytes()).into_owned());
        let whole = found.get(0)?;
        let (name, closes) = if let Some(comment) = group("comment") {
            ("<!--".to_owned(), closes(&comment)?)
        } else if let Some(tag) = group("tag") {
            let is_left_open = LEFT_OPEN.contains(&tag.to_ascii_lowercase().as_str());
            if is_left_open || group("attributes").is_some_and(|attributes| attributes.ends_with('/')) {
                return None;
            }
            (tag, found.name("close").is_some_and(|slash| !slash.is_empty()))
        } else {
            (group("colons")?, group("admonition").is_some_and(|name| name.is_empty()))
        };
        let text = String::from_utf8_lossy(whole.as_bytes()).into_owned();
        Some(Half { name, closes, text, at: whole.start() })
    })
}

/// Says whether a comment closes something; nothing of one that neither opens nor closes. A sentence does not.
fn closes(comment: &str) -> Option<bool> {
    const SENTENCE: usize = 6;
    let words: Vec<&str> =
        comment.split(|character: char| !character.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.iter().find_map(|word| {
        let is_name = words.len() < SENTENCE || word.chars().all(char::is_uppercase);
        match word.to_ascii_lowercase().as_str() {
            "begin" | "start" | "disable" if is_name => Some(false),
            "end" | "stop" | "enable" | "tocstop" if is_name => Some(true),
            _ => None,
        }
    })
}

/// Returns the anchors that `text` ends with, each on a line of its own.
fn anchors_at_end(text: &[u8]) -> impl Iterator<Item = Half> + '_ {
    let mut end = text.len();
    std::iter::from_fn(move || {
        let rest = text.get(..end)?.trim_ascii_end();
        let start = memchr::memrchr(b'\n', rest).map_or(0, |at| at + 1);
        let line = String::from_utf8_lossy(&rest[start..]).trim().to_owned();
        let is_anchor = ["<a id=", "<a name="].iter().any(|open| line.starts_with(open)) && line.ends_with("</a>");
        end = start;
        is_anchor.then(|| Half { name: "a".to_owned(), closes: false, text: line, at: start })
    })
}

impl Halves {
    /// Returns the refusal, unless the operation quotes the first of them or allows that they go.
    pub fn refusal(&self, operations: &[Operation]) -> Option<Diagnostic> {
        const MOST: usize = 5;
        let operation = operations.get(self.operation)?;
        let first = self.words.first()?;
        let is_quoted = operation
            .scoped()
            .is_some_and(|scoped| matches!(&scoped.selector, Selector::Text(text) if text.contains(first.as_str())));
        let is_allowed = match &operation.allow_remove {
            AllowRemove::Nothing => false,
            AllowRemove::Everything => true,
            AllowRemove::Named(names) => self.words.iter().all(|word| names.contains(word)),
        };
        if is_quoted || is_allowed {
            return None;
        }
        let words: Vec<String> = self.words.iter().take(MOST).map(|word| format!("`{}`", shown(word))).collect();
        let message = format!(
            "{} would lose {}, from line {} on, which belongs to what is outside of the edit too",
            self.path,
            words.join(", "),
            self.line
        );
        let note = "keep it in the content, or allow it: `allow_remove: true` (`--allow-remove`)";
        Some(Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation).note(note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_is_left_of_pairs() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> = unpaired(text.as_bytes()).into_iter().map(|half| half.text).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("<div align=\"center\">\n\n# A\n\n![x](y)\n\n</div>\n", &[]);
        check("text\n\n</div>\n", &["</div>"]);
        check("a\n</details>\n\n<details>\n<summary>Mac</summary>\n", &["</details>", "<details>"]);
        check("<br> <img src=x> <p align=center> <Tab/>\n", &[]);
        check("`<div>` and\n```html\n<div>\n```\n", &[]);
        check("</Tab></Tabs>\n", &["</Tab>", "</Tabs>"]);
        check("<!-- END GEN -->\n", &["<!-- END GEN -->"]);
        check("<!-- markdownlint-disable MD013 -->\n<!-- markdownlint-enable MD013 -->\n", &[]);
        check("<!-- Ends the turn. -->\n<!-- Start at the end if you are new here. -->\n", &[]);
        check(":::note\ntext\n:::\n", &[]);
        check("text\n:::\n", &[":::"]);
        check("a < b > c <https://example.org> <me@example.org>\n", &[]);
    }

    #[test]
    fn anchors_at_the_end_belong_to_what_comes_next() {
        let found: Vec<String> =
            anchors_at_end(b"# A\n\ntext\n\n<a id=\"b\"></a>\n<a name='c'></a>\n\n").map(|it| it.text).collect();
        assert_eq!(found, ["<a name='c'></a>", "<a id=\"b\"></a>"]);
        assert_eq!(anchors_at_end(b"<a id=x></a> text\n").count(), 0);
    }
}
