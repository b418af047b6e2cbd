//! Continued lines: what a line hands on to the next one, with a `\` at its end or, in a shell, with `&&`, `||` or `|`, stays as it was
//! beside an edit. Who deletes the last line of a command would else give the next command to it; who ends it early would make a
//! command of its next argument.
//!
//! Looked at is what no grammar reads: files of languages that are not known, texts in `|` of YAML, and code blocks of Markdown.
//!
//! Example: of `apt-get install \⏎    curl \⏎    git⏎COPY . /app` the line `    git` alone would take `COPY . /app` along.

use super::edited_file::showing;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::keys::ValueForm;
use crate::syntax::markdown::is_markdown;
use crate::syntax::yaml::YAML;
use crate::text::splice::Splices;
use crate::text::{Span, is_binary, is_blank};

/// Returns a refusal when a line right below an edit would be a part of the one above it, and was none, or the other way round.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    if is_binary(&old.bytes) || old.bytes == new.bytes || old.too_large() || new.too_large() {
        return None;
    }
    let (before, after) = (ReadText::of(old)?, ReadText::of(new)?);
    let changed = changed(splices, &before, &after)?;
    let lines = old.lines();
    let line = lines.line(changed.at);
    let text = String::from_utf8_lossy(lines.content(&old.bytes, line).of(&old.bytes)).into_owned();
    let text = shown(text.trim()).to_string();
    let path = &edit.path;
    let message = if changed.is_taken {
        format!(
            "the edit would make a part of the line above it of its neighbour `{text}`, at line {line} of {path}"
        )
    } else {
        format!(
            "the edit would part its neighbour `{text}`, at line {line} of {path}, from the line that it goes on with"
        )
    };
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(
        "the last line of a command has no `\\` at its end, and all before it have one: quote the line above, too",
    );
    Some(showing(
        edit,
        diagnostic,
        (&old.bytes, changed.at),
        changed.now,
    ))
}

/// A line beside an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineBeside {
    /// Where its text begins in the old file.
    at: usize,
    now: usize,
    /// It would go on with the line above, else it would not any more.
    is_taken: bool,
}

/// How lines of a file are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineSyntax {
    /// A `#` begins a comment, which ends with its line; `&&`, `||` and `|` hand on.
    Shell,
    /// The same, and lines in the middle of a command that are blank or comments are left out.
    Image,
    /// What begins with `#` may be code, and a comment goes on.
    Other,
}

impl LineSyntax {
    /// Returns how a file is read by its name, or its first line.
    fn of(path: &RepoPath, bytes: &[u8]) -> Option<LineSyntax> {
        let name = path.as_str().rsplit('/').next().unwrap_or_default();
        let lower = name.to_ascii_lowercase();
        let end = lower.rsplit_once('.').map_or("", |(_, end)| end);
        if lower.contains("dockerfile") || lower.contains("containerfile") {
            return Some(LineSyntax::Image);
        }
        let first = bytes
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let runs_shell = first.starts_with(b"#!") && first.trim_ascii_end().ends_with(b"sh");
        match end {
            // There a `\` is none of these: a part of a path, a letter, a line's end.
            "bat" | "cmd" | "ps1" | "psm1" | "tex" | "ini" | "txt" | "csv" | "tsv" | "sql" => None,
            "sh" | "bash" | "zsh" | "ksh" => Some(LineSyntax::Shell),
            _ if runs_shell => Some(LineSyntax::Shell),
            _ => Some(LineSyntax::Other),
        }
    }
}

/// What of a file is read.
struct ReadText<'b> {
    bytes: &'b [u8],
    parts: Vec<(Span, LineSyntax)>,
}

impl<'b> ReadText<'b> {
    fn of(document: &'b Document) -> Option<ReadText<'b>> {
        let bytes = &document.bytes[..];
        let parts = match document.language {
            None => vec![(
                Span::new(0, bytes.len()),
                LineSyntax::of(&document.path, bytes)?,
            )],
            Some(language) if std::ptr::eq(language, &YAML) => {
                let tree = document.keys()?.as_ref().ok()?;
                let texts = tree.entries.iter().filter(|entry| {
                    entry.form == ValueForm::Text && entry.value.of(bytes).starts_with(b"|")
                });
                texts
                    .map(|entry| (entry.value, LineSyntax::Shell))
                    .collect()
            }
            Some(language) if is_markdown(language) => fences(bytes),
            Some(_) => return None,
        };
        Some(ReadText { bytes, parts })
    }

    /// Returns the part that `offset` is in.
    fn part(&self, offset: usize) -> Option<(Span, LineSyntax)> {
        let is_there = |(span, _): &&(Span, LineSyntax)| span.start <= offset && offset < span.end;
        self.parts.iter().find(is_there).copied()
    }

    /// Returns whether the line with its text at `offset` goes on with the one above, and whether by a `\`; `None` outside of all parts.
    fn goes_on(&self, offset: usize) -> Option<(bool, bool)> {
        let (part, sort) = self.part(offset)?;
        let mut start = self.line_start(offset);
        while start > part.start {
            let end = start - 1;
            start = self.line_start(end);
            let line = Span::new(start.max(part.start), end).of(self.bytes);
            if sort == LineSyntax::Image && is_left_out(line) {
                continue;
            }
            let goes_on = hands_on(line, sort);
            return Some((goes_on, goes_on && is_escaped(line)));
        }
        Some((false, false))
    }

    fn line_start(&self, offset: usize) -> usize {
        memchr::memrchr(b'\n', &self.bytes[..offset]).map_or(0, |at| at + 1)
    }

    fn line_end(&self, offset: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[offset..]).map_or(self.bytes.len(), |at| offset + at)
    }

    /// Returns where the text of the first line begins that begins at or after `offset` and may be a part of a command.
    fn first_below(&self, offset: usize) -> Option<usize> {
        let mut start = self.line_start(offset);
        loop {
            let end = self.line_end(start);
            let line = Span::new(start, end).of(self.bytes);
            let text = start + line.len() - line.trim_ascii_start().len();
            if text >= offset && !is_blank(line) {
                let sort = self.part(text)?.1;
                return match sort {
                    // A comment ends the command as no line does, and is none afterwards.
                    LineSyntax::Shell if is_remark(line) => None,
                    LineSyntax::Image if is_left_out(line) => self.first_below(end + 1),
                    _ => Some(text),
                };
            }
            // Below a blank line nothing goes on.
            let is_left_out = text >= offset && self.part(start)?.1 == LineSyntax::Image;
            if start >= offset && is_blank(line) && !is_left_out || end == self.bytes.len() {
                return None;
            }
            start = end + 1;
        }
    }
}

/// Returns the first line beside the edits that goes on with the line above on one side only.
fn changed(splices: &Splices, before: &ReadText, after: &ReadText) -> Option<LineBeside> {
    let moves = splices.moves();
    splices.iter().find_map(|splice| {
        let at = before.first_below(splice.span.end.min(before.bytes.len()))?;
        let is_taken = |span: Span| span.start <= at && at < span.end;
        if splices.iter().any(|splice| is_taken(splice.span)) {
            return None;
        }
        let now = moves.after(at);
        let begins_line = is_blank(Span::new(after.line_start(now), now).of(after.bytes));
        let ((was, was_escaped), (is, _)) = (before.goes_on(at)?, after.goes_on(now)?);
        // Who takes an `&&` away may mean so: what is left is no argument.
        (begins_line && (is && !was || was_escaped && !is)).then_some(LineBeside {
            at,
            now,
            is_taken: is,
        })
    })
}

/// Says whether a line goes on in the next one.
fn hands_on(line: &[u8], sort: LineSyntax) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if sort != LineSyntax::Other && is_remark(line) {
        return false;
    }
    let text = line.trim_ascii();
    if is_escaped(line) {
        return true;
    }
    if sort == LineSyntax::Other {
        return false;
    }
    if text.ends_with(b"&&") || text.ends_with(b"||") {
        return true;
    }
    let Some(ahead) = text
        .strip_suffix(b"|")
        .filter(|_| sort == LineSyntax::Shell)
    else {
        return false;
    };
    // No row of a table, and no key of YAML.
    !ahead.is_empty() && !ahead.starts_with(b"|") && !ahead.trim_ascii_end().ends_with(b":")
}

/// Says whether the end of a line is taken back by a `\`.
fn is_escaped(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let slashes = line.iter().rev().take_while(|&&byte| byte == b'\\').count();
    slashes % 2 == 1
}

fn is_remark(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#")
}

fn is_left_out(line: &[u8]) -> bool {
    is_blank(line) || is_remark(line)
}

/// Returns the code blocks of a page, without the lines that they begin and end with.
fn fences(page: &[u8]) -> Vec<(Span, LineSyntax)> {
    let mut found = Vec::new();
    let mut open: Option<(&[u8], usize, Option<LineSyntax>)> = None;
    let mut start = 0;
    for line in page.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        let sign = text.first().copied().filter(|sign| b"`~".contains(sign));
        let count = text.iter().take_while(|&&byte| Some(byte) == sign).count();
        let end = start + line.len();
        match open {
            None if count >= 3 => {
                let info = String::from_utf8_lossy(&text[count..]).to_ascii_lowercase();
                let sort = match info.split_whitespace().next().unwrap_or_default() {
                    "sh" | "bash" | "shell" | "zsh" | "console" | "shell-session" => {
                        Some(LineSyntax::Shell)
                    }
                    "dockerfile" | "docker" => Some(LineSyntax::Image),
                    "make" | "makefile" | "c" | "cpp" | "c++" => Some(LineSyntax::Other),
                    _ => None,
                };
                open = Some((&text[..count], end, sort));
            }
            Some((mark, from, sort)) if text.starts_with(mark) && count == text.len() => {
                found.extend(sort.map(|sort| (Span::new(from, start), sort)));
                open = None;
            }
            _ => {}
        }
        start = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::HashKind;
    use crate::text::splice::Splice;

    /// Reads `before«old|new»behind` and returns the line that would change.
    fn told(path: &str, text: &str) -> Option<(String, bool)> {
        let (head, rest) = text.split_once('«').expect("a mark");
        let (taken, rest) = rest.split_once('¦').expect("a mark");
        let (given, tail) = rest.split_once('»').expect("a mark");
        let old = format!("{head}{taken}{tail}");
        let new = format!("{head}{given}{tail}");
        let span = Span::new(head.len(), head.len() + taken.len());
        let splices = Splices::new(vec![Splice::new(span, given)]).expect("one splice");
        let document = |text: String| {
            let path = RepoPath::parse(path).expect("a path");
            Document::new(path, text.into_bytes().into(), HashKind::Sha1)
        };
        let (old, new) = (document(old), document(new));
        let found = changed(&splices, &ReadText::of(&old)?, &ReadText::of(&new)?)?;
        let line = String::from_utf8_lossy(&old.bytes[found.at..]).into_owned();
        Some((line.lines().next()?.to_owned(), found.is_taken))
    }

    #[test]
    fn a_line_goes_on_with_the_one_above_as_before() {
        let check = |path: &str, text: &str, expected: Option<(&str, bool)>| {
            let expected = expected.map(|(line, taken)| (line.to_owned(), taken));
            assert_eq!(told(path, text), expected, "{path}: {text}");
        };
        let taken = |line| Some((line, true));
        let parted = |line| Some((line, false));
        check(
            "Dockerfile",
            "RUN a \\\n  b \\\n«  c\n¦»COPY . /\n",
            taken("COPY . /"),
        );
        check(
            "Dockerfile",
            "RUN a \\\n  b \\\n«  c\n¦»\n# d\nCOPY . /\n",
            taken("COPY . /"),
        );
        check(
            "Dockerfile",
            "RUN a \\\n  b \\\n«  c¦  c \\»\nCOPY . /\n",
            taken("COPY . /"),
        );
        check("Dockerfile", "RUN a \\\n«¦  # why\n»  b\n", None);
        check("Dockerfile", "RUN a \\\n«  c \\\n¦»  b\nCOPY . /\n", None);
        check("Dockerfile", "RUN a \\\n«  b\n¦  c\n»COPY . /\n", None);
        check("Dockerfile", "RUN a «\\\n  b\n¦\n»COPY . /\n", None);
        check("run.sh", "a \\\n  --b \\\n«  --c\n¦»d\n", taken("d"));
        check("run.sh", "a \\\n  --b \\\n«  --c\n¦»\nd\n", None);
        check("run.sh", "a \\\n  --b \\\n«  --c\n¦»# d\n", None);
        check("run.sh", "a \\\n  «--b \\¦--b»\n  --c\n", parted("--c"));
        check("run.sh", "a \\\n«¦  # why\n»  --c\n", parted("--c"));
        check("run.sh", "«a \\\n¦»  --c\n", parted("--c"));
        check("run.sh", "a ||\n«  exit 1\n¦»rm -rf x\n", taken("rm -rf x"));
        check("run.sh", "a «\\¦|»\n  b\n", None);
        check("run.sh", "a ||\n«¦  # why\n»  b\n", None);
        check("run.sh", "a« &&¦»\nb\n", None);
        check("a.c", "if («a &&\n¦»  b) {\n", None);
        check("a.c", "if (a &&\n«  b &&\n¦»  c) {\n", None);
        check("run.sh", "a«¦ \\\\»\nb\n", None);
        check("run.sh", "# a«¦ \\»\nb\n", None);
        check("Makefile", "A = a \\\n«\tb\n¦»C = d\n", taken("C = d"));
        check("a.c", "#define A \\\n«  b\n¦»int c;\n", taken("int c;"));
        check("a.c", "#define A\n«¦#define B 1\n»int c;\n", None);
        check("a.bat", "cd C:\\\n«a\n¦»b\n", None);
        check("a.rst", "| a |\n«| b |\n¦»c\n", None);
        check(
            "ci.yml",
            "run: |\n  a \\\n    b \\\n«    c\n¦»  d\n",
            taken("d"),
        );
        check(
            "ci.yml",
            "run: |\n  a \\\n    b \\\n«    c\n¦»name: d\n",
            None,
        );
        check("ci.yml", "a:\n«  b: |\n    c\n¦»  d: e\n", None);
        check("ci.yml", "run: >\n  a \\\n«    c\n¦»  d\n", None);
        check("a.md", "```sh\na \\\n«  b\n¦»c\n```\n", taken("c"));
        check("a.md", "```sh\na \\\n«  b\n¦»```\n", None);
        check("a.md", "a \\\n«  b\n¦»c\n", None);
    }
}
