//! Continued lines: what a line hands on to the next one, with a `\` at its end or, in a shell, with `&&`, `||` or `|`, stays as it was
//! beside an edit. Who deletes the last line of a command would else give the next command to it; who ends it early would make a
//! command of its next argument, and so would who puts a comment before the `\`, which is then a part of it.
//!
//! Looked at is what no grammar reads for sure: files of languages that are not known, or only by a guess, texts in `|` of YAML (for those in `>` see `folded`), and
//! code blocks of Markdown.
//!
//! Example: of `apt-get install \⏎    curl \⏎    git⏎COPY . /app` the line `    git` alone would take `COPY . /app` along.

use super::edited_file::showing;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::Language;
use crate::syntax::dockerfile::DOCKERFILE;
use crate::syntax::ini::{GIT_CONFIG, UNITS};
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
    let Some(changed) = changed(splices, &before, &after) else {
        let lost = lost(splices, &before, &after)?;
        return Some(lost_argument(edit, old, new, &lost));
    };
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

/// Says whether a language is one whose files are looked at here: what reads them guesses, or has nothing but their lines.
pub(super) fn is_by_lines(language: &Language) -> bool {
    let are_lines = [&GIT_CONFIG, &UNITS, &DOCKERFILE];
    language.grammar.is_approximate() || are_lines.iter().any(|it| std::ptr::eq(language, *it))
}

/// Returns the refusal of an edit after which a line is no part of its command any more.
fn lost_argument(edit: &FileEdit, old: &Document, new: &Document, lost: &LostLine) -> Diagnostic {
    let lines = new.lines();
    let line = lines.line(lost.line);
    let text = String::from_utf8_lossy(lines.content(&new.bytes, line).of(&new.bytes)).into_owned();
    let text = shown(text.trim()).to_string();
    let path = &edit.path;
    let (message, note) = match lost.by {
        By::Gap => (
            format!(
                "the edit would end a command before `{text}`, at line {line} of {path}: a comment or a blank line comes after a `\\`"
            ),
            "after a `\\` the next line is a part of the command, and a comment ends it: put the comment above the whole command",
        ),
        By::Slashes => (
            format!(
                "the edit would make a part of a comment of `{text}`, at line {line} of {path}: a `\\` carries `//` on to it"
            ),
            "in lines that end with `\\` write `/* … */`",
        ),
        By::Remark => (
            format!(
                "the edit would take `{text}`, at line {line} of {path}, from its command: the `\\` before it is in a comment"
            ),
            "a comment takes all of its line, the `\\` too: put the comment above the whole command",
        ),
    };
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message).note(note);
    showing(edit, diagnostic, (&old.bytes, lost.was), lost.line)
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

/// A line that a command has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LostLine {
    /// Where its text begins in the new file.
    line: usize,
    /// Where the edit is in the old one.
    was: usize,
    by: By,
}

/// What takes a line away from the command that a `\` continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// Comments or blank lines between.
    Gap,
    /// A comment of C in one of the lines above, which the `\` continues.
    Slashes,
    /// A comment in the line above, which has the `\` in it.
    Remark,
}

/// How lines of a file are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineSyntax {
    /// A `#` begins a comment, which ends with its line; `&&`, `||` and `|` hand on.
    Shell,
    /// The same, and lines in the middle of a command that are blank or comments are left out.
    Image,
    /// A `#` begins a comment, but nothing else than `\` hands on.
    Make,
    /// A `//` begins a comment, which goes on with `\`.
    C,
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
            "sh" | "bash" | "zsh" | "ksh" | "bats" | "bashrc" | "zshrc" | "bash_profile"
            | "profile" | "envrc" => Some(LineSyntax::Shell),
            "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "m" | "mm" => {
                Some(LineSyntax::C)
            }
            "mk" | "mak" => Some(LineSyntax::Make),
            _ if lower.contains("makefile") || lower == "justfile" => Some(LineSyntax::Make),
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
            // What a grammar makes of a shell script or of C is not sure either; and of a unit of systemd or a Dockerfile its lines are all that is read.
            language if language.is_none_or(is_by_lines) => {
                match LineSyntax::of(&document.path, bytes)? {
                    LineSyntax::Image => scripts_of_image(bytes),
                    sort => vec![(Span::new(0, bytes.len()), sort)],
                }
            }
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
            Some(_) | None => return None,
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

    /// Returns how many blanks the line that begins at `start` begins with.
    fn indentation(&self, start: usize) -> usize {
        let line = Span::new(start, self.line_end(start)).of(self.bytes);
        line.len() - line.trim_ascii_start().len()
    }

    /// Returns the text from `offset` to the end of its line, without blanks.
    fn text_at(&self, offset: usize) -> &[u8] {
        Span::new(offset, self.line_end(offset))
            .of(self.bytes)
            .trim_ascii()
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

/// Returns the first line in or below an edit that is lost to its command, more of which there are than before.
fn lost(splices: &Splices, before: &ReadText, after: &ReadText) -> Option<LostLine> {
    let found = losses(after);
    if found.is_empty() || found.len() <= losses(before).len() {
        return None;
    }
    splices.with_new_spans().find_map(|(splice, given)| {
        let quoted = splice.span;
        let loss = found.iter().find(|loss| {
            let is_near = loss.from <= given.end && given.start <= loss.end;
            is_near && was_argument(loss, quoted, given, before, after)
        })?;
        Some(LostLine {
            line: loss.line,
            was: quoted.start,
            by: loss.by,
        })
    })
}

/// Says whether a line is meant as a part of the command above it: it was one, or looks like one.
fn was_argument(
    loss: &Loss,
    quoted: Span,
    given: Span,
    before: &ReadText,
    after: &ReadText,
) -> bool {
    if loss.line >= given.end {
        let old = quoted.end + (loss.line - given.end);
        return before.goes_on(old).is_some_and(|(_, escaped)| escaped);
    }
    let text = after.text_at(loss.line);
    let mut start = before.line_start(quoted.start);
    while start < quoted.end {
        let line = start + before.indentation(start);
        if before.text_at(line) == text && before.goes_on(line).is_some_and(|(_, escaped)| escaped)
        {
            return true;
        }
        start = before.line_end(start) + 1;
    }
    loss.by == By::Slashes || loss.is_deeper || text.starts_with(b"-")
}

/// A line that may be lost to the command above it.
#[derive(Clone, Copy, Debug)]
struct Loss {
    /// Where the line above begins that ends with the `\`.
    from: usize,
    /// Where the text of the line begins, and where it ends.
    line: usize,
    end: usize,
    /// It is indented further than the first line of the command.
    is_deeper: bool,
    by: By,
}

/// Returns all lines that come after a `\`, and are not a part of its command.
fn losses(text: &ReadText) -> Vec<Loss> {
    text.parts
        .iter()
        .flat_map(|&(part, sort)| losses_of(text, part, sort))
        .collect()
}

fn losses_of(text: &ReadText, part: Span, sort: LineSyntax) -> Vec<Loss> {
    let mut found = Vec::new();
    // The line that ends with the last `\`, and the indentation of the first line of its command.
    let mut open: Option<(usize, usize)> = None;
    let mut has_gap = false;
    let mut has_slashes = false;
    // The same of the last line that has its `\` in a comment.
    let mut ended: Option<(usize, usize)> = None;
    let mut shell = Quoting::default();
    let mut start = part.start;
    while start < part.end {
        let end = text.line_end(start).min(part.end);
        let line = Span::new(start, end).of(text.bytes);
        let indentation = text.indentation(start);
        let reads_shell = sort == LineSyntax::Shell;
        let is_quoted = reads_shell && shell.is_open();
        let is_comment = match sort {
            LineSyntax::Shell | LineSyntax::Make => is_remark(line) && !is_quoted,
            LineSyntax::C => line.trim_ascii_start().starts_with(b"//"),
            LineSyntax::Image | LineSyntax::Other => false,
        };
        // Where lines are joined first, a string is in one command.
        if !reads_shell && open.is_none() && ended.is_none() {
            shell.quote = None;
        }
        let has_comments = matches!(
            sort,
            LineSyntax::Shell | LineSyntax::Make | LineSyntax::Image
        );
        let is_joined = sort == LineSyntax::Image && is_left_out(line);
        let is_text = has_comments && !is_joined;
        let begins_in_string = is_text && shell.is_open();
        let remark = is_text.then(|| shell.read(line)).flatten();
        let has_remark = remark.is_some() && !is_remark(line) && !begins_in_string;
        let is_ended = has_remark && is_escaped(line);
        let is_open = hands_on(line, sort)
            && is_escaped(line)
            && !is_ended
            && !(reads_shell && shell.is_open());
        let is_gap = is_blank(line) || is_comment && !is_open;
        let loss = |from, by, first| Loss {
            from,
            line: start + indentation,
            end,
            is_deeper: indentation > first,
            by,
        };
        if let Some((from, first)) = ended.take_if(|_| !is_joined)
            && !is_blank(line)
            && !is_comment
        {
            found.push(loss(from, By::Remark, first));
        }
        if is_ended {
            ended = Some((start, open.map_or(indentation, |(_, first)| first)));
        }
        match open {
            Some(_) if is_gap && sort != LineSyntax::Image => has_gap = true,
            Some((from, first)) if has_gap => {
                found.push(loss(from, By::Gap, first));
                (open, has_gap, has_slashes) = (None, false, false);
            }
            Some((from, first)) if has_slashes && !is_comment => {
                found.push(loss(from, By::Slashes, first));
            }
            _ => {}
        }
        if !has_gap {
            if is_open {
                open = Some((start, open.map_or(indentation, |(_, first)| first)));
                has_slashes |= sort == LineSyntax::C && has_line_comment(line);
            } else {
                (open, has_slashes) = (None, false);
            }
        }
        start = end + 1;
    }
    found
}

/// Says whether a line of C has a `//` outside of its strings and comments.
fn has_line_comment(line: &[u8]) -> bool {
    let mut at = 0;
    let mut quote = None;
    while at < line.len() {
        let rest = &line[at..];
        match quote {
            Some(_) if rest[0] == b'\\' => at += 1,
            Some(sign) if rest[0] == sign => quote = None,
            Some(_) => {}
            None if rest.starts_with(b"//") => return true,
            None if rest.starts_with(b"/*") => match memchr::memmem::find(&rest[2..], b"*/") {
                Some(length) => at += length + 3,
                None => return false,
            },
            None if matches!(rest[0], b'"' | b'\'') => quote = Some(rest[0]),
            None => {}
        }
        at += 1;
    }
    false
}

/// Whether a line of a shell is in a string or a here-document, where a `#` begins no comment.
#[derive(Debug, Default)]
pub(super) struct Quoting {
    quote: Option<u8>,
    /// The words that end the here-documents that are open, in their order.
    documents: Vec<Vec<u8>>,
}

impl Quoting {
    fn is_open(&self) -> bool {
        self.quote.is_some() || !self.documents.is_empty()
    }

    /// Reads one line; returns where in it a comment begins.
    pub(super) fn read(&mut self, line: &[u8]) -> Option<usize> {
        if let Some(word) = self.documents.first() {
            if line.trim_ascii() == word.as_slice() {
                self.documents.remove(0);
            }
            return None;
        }
        let mut at = 0;
        while at < line.len() {
            let byte = line[at];
            let begins_word =
                at == 0 || matches!(line[at - 1], b' ' | b'\t' | b';' | b'(' | b'&' | b'|');
            match self.quote {
                Some(b'\'') if byte == b'\'' => self.quote = None,
                Some(b'\'') => {}
                _ if byte == b'\\' => at += 1,
                Some(sign) if byte == sign => self.quote = None,
                Some(_) => {}
                None if byte == b'"' || byte == b'\'' => self.quote = Some(byte),
                None if byte == b'#' && begins_word => return Some(at),
                None if line[at..].starts_with(b"<<<") => at += 2,
                None if line[at..].starts_with(b"<<") => {
                    self.documents.extend(document_word(&line[at + 2..]));
                    at += 1;
                }
                None => {}
            }
            at += 1;
        }
        None
    }
}

/// Returns the word after `<<` that ends a here-document.
fn document_word(rest: &[u8]) -> Option<Vec<u8>> {
    let rest = rest.strip_prefix(b"-").unwrap_or(rest).trim_ascii_start();
    let rest = rest.strip_prefix(b"\\").unwrap_or(rest);
    let rest = match rest.first() {
        Some(b'"' | b'\'') => &rest[1..],
        _ => rest,
    };
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let is_word = length > 0 && !rest[0].is_ascii_digit();
    is_word.then(|| rest[..length].to_vec())
}

/// Says whether a line goes on in the next one.
fn hands_on(line: &[u8], sort: LineSyntax) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // A comment of make goes on.
    let reads_shell = matches!(sort, LineSyntax::Shell | LineSyntax::Image);
    if reads_shell && is_remark(line) {
        return false;
    }
    let text = line.trim_ascii();
    if is_escaped(line) {
        return true;
    }
    if !reads_shell {
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

/// Returns the parts of a Dockerfile: the scripts of `RUN <<EOF` are a shell's.
fn scripts_of_image(bytes: &[u8]) -> Vec<(Span, LineSyntax)> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let mut word: Option<Vec<u8>> = None;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        if word.as_deref() == Some(text) {
            found.push((Span::new(from, at), LineSyntax::Shell));
            (word, from) = (None, at);
        }
        at += line.len();
        let runs = text.len() > 3 && text[..3].eq_ignore_ascii_case(b"run");
        if word.is_none()
            && runs
            && let Some(sign) = memchr::memmem::find(text, b"<<")
            && let Some(end) = document_word(&text[sign + 2..])
        {
            found.push((Span::new(from, at), LineSyntax::Image));
            (word, from) = (Some(end), at);
        }
    }
    found.push((Span::new(from, bytes.len()), LineSyntax::Image));
    found
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
                    "make" | "makefile" => Some(LineSyntax::Make),
                    "c" | "cpp" | "c++" => Some(LineSyntax::C),
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

    /// Reads `before«old¦new»after`: the two files, and the edit that makes one of the other.
    fn edited(path: &str, text: &str) -> (Document, Document, Splices) {
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
        (document(old), document(new), splices)
    }

    /// Returns the line that would change, and whether it would be taken in.
    fn told(path: &str, text: &str) -> Option<(String, bool)> {
        let (old, new, splices) = edited(path, text);
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

    #[test]
    fn nothing_comes_between_the_lines_of_a_command() {
        let check = |path: &str, text: &str, expected: Option<(&str, By)>| {
            for text in [text.to_owned(), text.replace('\n', "\r\n")] {
                let (old, new, splices) = edited(path, &text);
                let (before, after) = (
                    ReadText::of(&old).expect("read"),
                    ReadText::of(&new).expect("read"),
                );
                let found = lost(&splices, &before, &after).map(|lost| {
                    let line = String::from_utf8_lossy(after.text_at(lost.line)).into_owned();
                    (line, lost.by)
                });
                let expected = expected.map(|(line, by)| (line.to_owned(), by));
                assert_eq!(found, expected, "{path}: {text}");
            }
        };
        let gap = |line| Some((line, By::Gap));
        let slashes = |line| Some((line, By::Slashes));
        let remark = |line| Some((line, By::Remark));
        // The first, a middle and the last line, given back below a comment or a blank line.
        check(
            "run.sh",
            "a \\\n«  --b \\\n¦  # why\n  --b \\\n»  --c\n",
            gap("--b \\"),
        );
        check(
            "run.sh",
            "a \\\n  --b \\\n«  --c\n¦  # why\n  --c\n»d\n",
            gap("--c"),
        );
        check(
            "run.sh",
            "a \\\n  --b \\\n«  --c\n¦\n  --c\n»d\n",
            gap("--c"),
        );
        check(
            "run.sh",
            "«a \\\n  --b \\\n¦a \\\n  # why\n  --b \\\n»  --c\n",
            gap("--b \\"),
        );
        check("run.sh", "«a \\\n  b\n¦a \\\n  # why\n  b\n»d\n", gap("b"));
        check("run.sh", "a \\\n«b\n¦# why\nb\n»d\n", gap("b"));
        check(
            "run.sh",
            "a \\\n  «--b¦# why\n\n  # more\n  --b» \\\n  --c\n",
            gap("--b \\"),
        );
        check(
            "run.sh",
            "a \\\n  --b \\«¦\n  # why\n  --c \\»\n  --d\n",
            gap("--c \\"),
        );
        check(".envrc", "a \\\n«  --b\n¦  # why\n  --b\n»", gap("--b"));
        check(
            "ci.yml",
            "run: |\n  a \\\n«    b \\\n¦    # why\n    b \\\n»    c\n",
            gap("b \\"),
        );
        check(
            "Makefile",
            "a:\n\tgcc \\\n«\t\ta.c \\\n¦\t\t# why\n\t\ta.c \\\n»\t\tb.c\n",
            gap("a.c \\"),
        );
        check("a.mk", "A = \\\n«\ta.c\n¦\n\ta.c\n»", gap("a.c"));
        check("a.md", "```sh\na \\\n«  b\n¦  # why\n  b\n»```\n", gap("b"));
        check(
            "a.h",
            "#define A \\\n«  b; \\\n¦\n  b; \\\n»  c\n",
            gap("b; \\"),
        );
        // Where comments between are allowed, or none are.
        check(
            "Dockerfile",
            "RUN a \\\n«  b \\\n¦  # why\n  b \\\n»  c\n",
            None,
        );
        check(
            "run.sh",
            "cat <<'EOF'\na \\\n«  b\n¦  # why\n  b\n»EOF\n",
            None,
        );
        check(
            "run.sh",
            "cat <<-EOF\n\ta \\\n«  b\n¦  # why\n  b\n»\tEOF\n",
            None,
        );
        check("run.sh", "sed '1i\\\n«b\n¦# why\nb\n»' c\n", None);
        check("run.sh", "a \"b \\\n«  c\n¦  # d\n  c\n»\"\n", None);
        check("run.sh", "# don't\na \\\n«  b\n¦  # why\n  b\n»", gap("b"));
        check("a.service", "A=b \\\n«  c\n¦# why\n  c\n»", None);
        check("run.sh", "a \\\\\n«b\n¦# why\nb\n»", None);
        // A command may end with its `\`, and the next be another.
        check("run.sh", "a \\\n«  --b\n¦  # no b\n»\nd\n", None);
        check("run.sh", "a \\\n«  --b\n¦  --b\n# why\nc\n»\nd\n", None);
        check("run.sh", "a \\\n«  --b\n¦\n# why\nc\n»\nd\n", None);
        check("run.sh", "a \\\n«  --b\n¦  --b # why\n»d\n", None);
        check("run.sh", "«a\n¦# why\na\n»  b\n", None);
        // What was so before may remain so.
        check("run.sh", "a \\\n  # why\n«  --b\n¦  --c\n»d\n", None);
        check(
            "a.h",
            "#define A \\\n«  b; \\\n¦  b; // why \\\n»  c\nd\n",
            slashes("c"),
        );
        check(
            "a.h",
            "#define A \\\n«  b; \\\n  c\n¦  b; // why \\\n  c\n»d\n",
            slashes("c"),
        );
        check(
            "a.h",
            "#define A \\\n«  b; \\\n¦  // why \\\n  b; \\\n»  c\nd\n",
            slashes("b; \\"),
        );
        check(
            "a.h",
            "#define A \\\n«  b; \\\n¦  b; /* // why */ \\\n»  c\nd\n",
            None,
        );
        check(
            "a.h",
            "#define A \\\n«  b; \\\n¦  b(\"http://c\"); \\\n»  c\nd\n",
            None,
        );
        check(
            "a.h",
            "#define A \\\n  b; \\\n«  c\n¦  c // why\n»d\n",
            None,
        );
        check("a.h", "// a \\\n«// b\n¦// c\n»d\n", None);
        // A comment that the `\\` is in.
        check(
            "run.sh",
            "a \\\n«  --b \\\n¦  --b # why \\\n»  --c\n",
            remark("--c"),
        );
        check(
            "run.sh",
            "«a \\\n  --b \\\n  c\n¦a \\\n  --b # why \\\n  c\n»d\n",
            remark("c"),
        );
        check("run.sh", "a \\\n  --b« ¦ # why »\\\n  --c\n", remark("--c"));
        check(
            "Dockerfile",
            "RUN a \\\n«  && b \\\n¦  && b # why \\\n»\n  # c\n  && d\n",
            remark("&& d"),
        );
        check(
            "Makefile",
            "A = a.c \\\n«\tb.c \\\n¦\tb.c # why \\\n»\tc.c\n",
            remark("c.c"),
        );
        check(
            "Makefile",
            "# don't\nA = don't\nB = a.c \\\n«\tb.c \\\n¦\tb.c # why \\\n»\tc.c\n",
            remark("c.c"),
        );
        check(
            "ci.yml",
            "run: |\n  a \\\n«    b \\\n¦    b # why \\\n»    c\n",
            remark("c"),
        );
        check(
            "a.md",
            "```sh\na \\\n«  b \\\n¦  b # why \\\n»  c\n```\n",
            remark("c"),
        );
        check(
            "a.bats",
            "@test \"a\" {\n  b \\\n«    --c \\\n¦    --c # why \\\n»    --d\n}\n",
            remark("--d"),
        );
        check(
            "Dockerfile",
            "FROM a\nRUN <<EOF\nb \\\n«  c \\\n¦  c # why \\\n»  d\nEOF\nRUN e\n",
            remark("d"),
        );
        check(
            "Dockerfile",
            "RUN <<-'EOF' sh\nb \\\n«  c\n¦  # why\n  c\n»EOF\n",
            gap("c"),
        );
        // No comment, a string, a comment of its own, one after the last line, and what was one before.
        check(
            "run.sh",
            "a \\\n«  b \\\n¦  b#c $# \\# ${#d} \\\n»  c\n",
            None,
        );
        check(
            "run.sh",
            "a \\\n«  b \\\n¦  'b # c' \"d # e\" \\\n»  c\n",
            None,
        );
        check("run.sh", "a 'b\n«c \\\n¦c # d \\\n»e'\n", None);
        check("run.sh", "cat <<EOF\n«b \\\n¦b # c \\\n»d\nEOF\n", None);
        check("Dockerfile", "RUN a \\\n«¦  # why \\\n»  b\n", None);
        check(
            "Dockerfile",
            "RUN a 'b \\\n«  c \\\n¦  c # d \\\n»  e'\n",
            None,
        );
        check("run.sh", "a \\\n«  b # c \\\n¦  b # d \\\n»  --e\n", None);
        check("run.sh", "a \\\n«  b # c \\\n¦  b \\\n»  --e\n", None);
        check("run.sh", "«a\n¦a # b \\\n»\nc\n", None);
        check("run.sh", "«a\n¦a # b \\\n»c\n", None);
        check("a.service", "A=b \\\n«  c \\\n¦  c # d \\\n»  e\n", None);
    }
}
