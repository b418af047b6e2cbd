//! Whether content of one line, beside a text that is a part of its line, begins a line of its own: it would comment out what comes after it, stand
//! before the indentation of it, or be one item with it.
//!
//! Example: `# go there` before `    cd build`, in `    cd build && make`.
//!
//! Deliberately not here: content that brings the blank which joins both, or that is nothing but signs, such as `//` or `- `.

use crate::manifest::Position;
use crate::resolve::Document;
use crate::syntax::keys::KeyFormat;
use crate::text::{Span, is_blank, leading_blank};

/// Signs of comments in files whose language is not read: what else may begin so has no blank after it.
const MARKS: &[&str] = &["# ", "//", "-- ", "; "];

/// Says whether `content`, which goes before or after `span`, is a line of its own beside the line of that.
pub(super) fn is_wanted(
    document: &Document,
    span: Span,
    position: Position,
    content: &str,
) -> bool {
    let content = content.as_bytes();
    if span.is_empty() || content.contains(&b'\n') || !has_words(content) {
        return false;
    }
    let (lines, bytes) = (document.lines(), &document.bytes);
    let last = lines.content(bytes, lines.line(span.end - 1));
    let line = last.of(bytes);
    let start = document.line_start(lines.line(span.start)).min(span.start);
    let ahead = &bytes[start..span.start];
    let end = last.end.max(span.end);
    match position {
        Position::Before => {
            let text = span.of(bytes);
            let is_ahead_of_indentation =
                ahead.is_empty() && !leading_blank(text).is_empty() && !is_blank(text);
            is_blank(ahead)
                && !content.last().is_some_and(u8::is_ascii_whitespace)
                && (is_ahead_of_indentation
                    || is_comment(document, content)
                    || is_like_item(content, text))
        }
        Position::After => {
            let blank = leading_blank(content);
            let is_line = blank.len() > 1 && blank == leading_blank(line);
            is_blank(&bytes[span.end..end])
                && (is_line && !is_comment(document, content)
                    || blank.is_empty() && is_like_item(content, line))
        }
        Position::First | Position::Last => false,
    }
}

/// Says whether a sign of comments that is put right after `before` is a part of the word there: `nginx# pinned` is the name of an image.
pub(super) fn is_joined_sign(document: &Document, before: Option<u8>, content: &str) -> bool {
    let wants_blank = document
        .language
        .is_none_or(|language| language.grammar.format() == Some(KeyFormat::Yaml));
    content.starts_with("# ")
        && wants_blank
        && before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_\"')]}".contains(&byte))
}

/// Says whether it comments out whatever comes after it on its line.
fn is_comment(document: &Document, content: &[u8]) -> bool {
    let marks = document
        .language
        .map_or(MARKS, |language| language.habits.line_comments);
    let content = content.trim_ascii_start();
    marks
        .iter()
        .any(|mark| content.starts_with(mark.as_bytes()))
}

/// Says whether both begin with the same sign of an item, a row or a heading.
fn is_like_item(content: &[u8], text: &[u8]) -> bool {
    comment_sign(content).is_some_and(|own| comment_sign(text) == Some(own))
}

/// Returns the sign that a line begins with: `- `, `> `, `## `, or `|`; all numbers are one.
fn comment_sign(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &line[digits..];
    if digits > 0 {
        let is_number = matches!(rest, [b'.' | b')', b' ', ..]);
        return is_number.then(|| &rest[..1]);
    }
    let signs = line
        .iter()
        .take_while(|byte| b"-*+>#|".contains(byte))
        .count();
    let is_parted = rest.get(signs) == Some(&b' ');
    (signs > 0 && (is_parted || rest.starts_with(b"|"))).then(|| &rest[..signs])
}

fn has_words(text: &[u8]) -> bool {
    text.iter()
        .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::snapshot::HashKind;

    fn wanted(path: &str, line: &str, position: Position, content: &str) -> bool {
        // «text»
        let start = line.find('«').expect("a mark");
        let text = line.replace('«', "");
        let end = text.find('»').expect("a mark");
        let bytes = text.replace('»', "").into_bytes();
        let path = RepoPath::parse(path).expect("a path");
        let document = Document::new(path, bytes.into(), HashKind::Sha1);
        is_wanted(&document, Span::new(start, end), position, content)
    }

    #[test]
    fn content_that_begins_a_line_of_its_own() {
        for (path, line, content) in [
            (
                "a.cs",
                "{\n«        public void M()» { }\n",
                "        // Does it.",
            ),
            ("a.sh", "if x; then\n«    cd build» && make\n", "# go there"),
            (
                "a.sh",
                "if x; then\n«    cd build» && make\n",
                "    mkdir build",
            ),
            ("a.sh", "«cd build» && make\n", "# go there"),
            ("a.php", "    «$x = 1;» // c\n", "// note"),
            ("a.py", "    «x = 1» + y\n", "# note"),
            ("a.md", "«- **C**»: c\n", "- **B**: b"),
            ("a.md", "«| 1 |» 2 |\n", "| 0 | 0 |"),
            ("a.md", "«2. b» c\n", "1. a"),
        ] {
            assert!(
                wanted(path, line, Position::Before, content),
                "{line}{content}"
            );
        }
        for (path, line, content) in [
            ("a.md", "- two «and more»\n", "- three"),
            ("a.mk", "  cd b && «make»\n", "  ls -l"),
        ] {
            assert!(
                wanted(path, line, Position::After, content),
                "{line}{content}"
            );
        }
    }

    #[test]
    fn content_that_goes_on_in_the_line() {
        for (path, line, content) in [
            ("a.sh", "«    cd build» && make\n", "# "),
            ("a.sh", "«    cd build» && make\n", "#"),
            ("a.sh", "«cd build» && make\n", "sudo "),
            ("a.sh", "x && «cd build» && make\n", "# y"),
            ("a.scss", "«.b» { }\n", "#a,"),
            ("a.cs", "    «void» M() { }\n", "[Attr]"),
            ("a.md", "«**C**» c\n", "**B**"),
            ("a.md", "«- c» d\n", "[x]"),
            ("a.c", "«#if» A\n", "//"),
        ] {
            assert!(
                !wanted(path, line, Position::Before, content),
                "{line}{content}"
            );
        }
        for (path, line, content) in [
            ("a.yml", "  image: «nginx»  # pinned\n", ":1"),
            ("a.md", "- two «and more»\n", ", or - three"),
            ("a.md", "- two «and» more\n", "- three"),
            ("a.sh", "  make «all»\n", "  # all"),
            ("a.sh", "  make «all»\n", " -j"),
        ] {
            assert!(
                !wanted(path, line, Position::After, content),
                "{line}{content}"
            );
        }
    }
}
