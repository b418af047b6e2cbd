//! Joins: content for a quoted text runs into what comes right before or after it. The text ended its line, and the content does not;
//! or a blank or comma parted two words, and nothing does now.
//!
//! Example: `flask==3.0` in the place of `flask==2.0⏎` makes one line of it and `django==4.2` below.
//!
//! Deliberately not here: the middle of a word, for which `text` is not found in the first place, and content that ends in a blank or
//! that a blank follows: who puts the end of one line to the next does it so.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, Selector, Verb};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::text::Span;

/// Where content runs into what is beside it.
#[derive(Clone, Debug)]
pub(super) struct Join {
    operation: usize,
    what: JoinKind,
    complaint: Diagnostic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JoinKind {
    /// Two words.
    Words,
    /// The next line.
    Lines,
}

/// Returns each place where what an operation wrote in the place of something would be one with what is beside it, and was not.
pub(super) fn joins(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Join> {
    let (before, after) = (&old.bytes[..], &new.bytes[..]);
    let splices = edit
        .splices
        .iter()
        .flat_map(|splices| splices.with_new_spans());
    let found = splices
        .filter(|(splice, _)| !splice.span.is_empty())
        .filter_map(|(splice, written)| {
            let what = joined(splice.span, written, (before, after))?;
            let operation = edit.claimant(splice.span)?;
            let complaint = complaint(edit, what, splice.span, old).of_operation(operation);
            Some(Join {
                operation,
                what,
                complaint,
            })
        });
    found.collect()
}

impl Join {
    /// Says whether it refuses the edit. Words in quotes are taken to the letter, with the end of a line or without.
    pub(super) fn refuses(&self) -> bool {
        self.what == JoinKind::Words
    }

    /// Returns what there is to say, where the operation quotes what it replaces or deletes, and does not mean the inside of words.
    pub(super) fn complaint(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation)?;
        let scoped = operation.scoped()?;
        let is_quoted = matches!(scoped.selector, Selector::Text(_))
            && match operation.verb {
                Verb::Replace { .. } | Verb::Delete { .. } => true,
                // What is put in the place of a part of a word is.
                Verb::Substitute { .. } => self.what == JoinKind::Lines,
                _ => false,
            };
        let is_meant = self.what == JoinKind::Words && scoped.inside_words == Some(true);
        (is_quoted && !is_meant).then(|| self.complaint.clone())
    }
}

/// Says what would be one with what is beside it.
fn joined(taken: Span, written: Span, (old, new): (&[u8], &[u8])) -> Option<JoinKind> {
    let (was, now) = (taken.of(old), written.of(new));
    let at = |bytes: &'_ [u8], offset: Option<usize>| {
        offset.and_then(|offset| bytes.get(offset).copied())
    };
    let (left, right) = (
        at(old, taken.start.checked_sub(1)),
        at(old, Some(taken.end)),
    );
    let is_word = |byte: Option<u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80)
    };
    let meets = |one: Option<u8>, other: Option<u8>| is_word(one) && is_word(other);
    let is_line = taken.start == 0 || left == Some(b'\n');
    let runs_on = was.ends_with(b"\n")
        && is_line
        && now.last().is_some_and(|byte| !byte.is_ascii_whitespace());
    if runs_on
        && is_line_beside(was, &old[taken.end..])
        && !now.ends_with(b"(")
        && !now.ends_with(b",")
    {
        return Some(JoinKind::Lines);
    }
    let words = if now.is_empty() {
        meets(left, right) && !is_word(was.first().copied()) && !is_word(was.last().copied())
    } else {
        meets(left, now.first().copied()) && !is_word(was.first().copied())
            || meets(now.last().copied(), right) && !is_word(was.last().copied())
    };
    words.then_some(JoinKind::Words)
}

/// Says whether the first line of `rest` is in column 0, or as deep as the last line of `text`, and does not begin with what ends something.
fn is_line_beside(text: &[u8], rest: &[u8]) -> bool {
    let indentation = |line: &'_ [u8]| {
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        blanks.count()
    };
    let line = text.strip_suffix(b"\n").unwrap_or(text);
    let last = memchr::memrchr(b'\n', line).map_or(line, |at| &line[at + 1..]);
    let depth = indentation(rest);
    let is_beside = depth == 0 || rest[..depth] == last[..indentation(last)];
    let first = rest.get(depth);
    is_beside && first.is_some_and(|byte| !byte.is_ascii_whitespace() && !b")]}>,;.".contains(byte))
}

fn complaint(edit: &FileEdit, what: JoinKind, taken: Span, old: &Document) -> Diagnostic {
    let lines = old.lines();
    let line = lines.line(taken.end.min(old.bytes.len().saturating_sub(1)));
    let text = String::from_utf8_lossy(lines.content(&old.bytes, line).of(&old.bytes)).into_owned();
    let text = shown(text.trim()).to_string();
    let path = &edit.path;
    match what {
        JoinKind::Lines => Diagnostic::new(
            Code::InventoryChanged,
            format!("the content is one line with its neighbour `{text}`, at line {line} of {path}"),
        )
        .note("the text ends with a line break: end the content with one, or quote the next line too"),
        JoinKind::Words => Diagnostic::new(
            Code::InventoryChanged,
            format!("what remains would be one word with its neighbour, in `{text}` at line {line} of {path}"),
        )
        .note("keep what parts them in the content, or leave it out of the text; if one word is meant: `inside_words: true`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_that_runs_into_what_is_beside_it() {
        let check = |text: &str, expected: Option<JoinKind>| {
            // «taken|given»
            let (head, rest) = text.split_once('«').expect("a mark");
            let (taken, rest) = rest.split_once('|').expect("a mark");
            let (given, tail) = rest.split_once('»').expect("a mark");
            let (old, new) = (
                format!("{head}{taken}{tail}"),
                format!("{head}{given}{tail}"),
            );
            let span = |text: &str| Span::new(head.len(), head.len() + text.len());
            let found = joined(span(taken), span(given), (old.as_bytes(), new.as_bytes()));
            assert_eq!(found, expected, "{text}");
        };
        check("«a==1\n|a==2»b==1\n", Some(JoinKind::Lines));
        check("«a==1\n|a==2\n»b==1\n", None);
        check("«a==1\n|a==2 »b==1\n", None);
        check("«a==1\n|»b==1\n", None);
        check("«f(\n|f(»a)\n", None);
        check("«f(\n|f(b»    a)\n", None);
        check("  «# a\n|# b»  c\n", None);
        check("«  # a\n|  # b»  c\n", Some(JoinKind::Lines));
        check("«  a:\n|  b:»    c\n", None);
        check("«  a:\n|  b:»\n  c\n", None);
        check("«f(a\n|f(b»)\n", None);
        check("«a\n|b»", None);
        check("x = [«1, |4»2]\n", Some(JoinKind::Words));
        check("x = [1«, |»2]\n", Some(JoinKind::Words));
        check("x = [1«, |,»2]\n", None);
        check("ok = «not |is_»ready\n", Some(JoinKind::Words));
        check("ok = «not |»ready\n", None);
        check("a«.|_»b\n", Some(JoinKind::Words));
        check("«ab|cd»ef\n", None);
        check("a «b|»c\n", None);
    }
}
