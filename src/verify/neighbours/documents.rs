//! Documents of a YAML file: keys beside an edit stay in one document with the keys that they stood in one with.
//!
//! Example: with `---⏎kind: C` put between the keys of an object, those below it would be C's.
//!
//! Nor is a document begun above the `---` that the first one begins with, below a licence.
//!
//! Known limits: who takes or gives nothing but the line `---` means to join, or to part, what is around it.

use std::collections::HashMap;

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::resolve::Document;
use crate::syntax::keys::Tree;
use crate::text::Span;
use crate::text::splice::Splices;

/// Returns a key beside the edit that would stand in another document than those beside it.
pub(super) fn reassigned(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Option<ChangedStatement> {
    let marks = |bytes: &[u8]| {
        memchr::memmem::find(bytes, b"---").is_some()
            || memchr::memmem::find(bytes, b"...").is_some()
    };
    let mut changed = splices
        .iter()
        .filter(|splice| marks(splice.span.of(&old.bytes)) || marks(&splice.bytes))
        .peekable();
    changed.peek()?;
    if changed.all(|splice| is_border(splice.span.of(&old.bytes)) && is_border(&splice.bytes)) {
        return None;
    }
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else {
        return None;
    };
    let now: HashMap<usize, usize> = members(after)
        .map(|(span, document)| (span.start, document))
        .collect();
    if let Some(cut_off) = cut_off(splices, before, after, marks) {
        return Some(cut_off);
    }
    let is_touched = |span: Span| splices.iter().any(|splice| splice.span.overlaps(span));
    let (mut became, mut was): (HashMap<usize, usize>, HashMap<usize, usize>) =
        (HashMap::new(), HashMap::new());
    members(before)
        .filter(|(span, _)| !is_touched(*span))
        .find_map(|(span, document)| {
            let start = guard.moves.after(span.start);
            let found = *now.get(&start)?;
            let is_other = *became.entry(document).or_insert(found) != found
                || *was.entry(found).or_insert(document) != document;
            is_other.then_some(ChangedStatement::Reassigned(span, start))
        })
}

/// Returns the first key below an edit that begins with the first keys of a document, where those it gives in their place are in
/// another: a `---` too many is after them.
fn cut_off(
    splices: &Splices,
    before: &Tree,
    after: &Tree,
    marks: impl Fn(&[u8]) -> bool,
) -> Option<ChangedStatement> {
    let all: Vec<(Span, usize)> = members(before).collect();
    let now: Vec<(Span, usize)> = members(after).collect();
    let marking = splices.with_new_spans();
    let mut marking = marking.filter(|(splice, _)| marks(&splice.bytes));
    marking.find_map(|(splice, written)| {
        let mut taken = all
            .iter()
            .filter(|(span, _)| splice.span.start <= span.start && span.start < splice.span.end);
        let (last, document) = *taken.next_back()?;
        let (next, of_next) = *all.iter().find(|(span, _)| span.start > last.start)?;
        if of_next != document || next.start < splice.span.end {
            return None;
        }
        let start = written.end + (next.start - splice.span.end);
        let (_, of_next) = *now.iter().find(|(span, _)| span.start == start)?;
        let mut given = now
            .iter()
            .filter(|(span, _)| written.start <= span.start && span.start < written.end)
            .peekable();
        given.peek()?;
        given
            .all(|(_, document)| *document != of_next)
            .then_some(ChangedStatement::Reassigned(next, start))
    })
}

/// Returns what is first in a file that begins with comments and `---`, when an edit that has no such line puts something above that: it
/// would be a document of its own.
pub(super) fn begun_above(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &[u8],
) -> Option<ChangedStatement> {
    let start = first_mark(&old.bytes)?;
    let is_marked = |text: &[u8]| text.split(|&byte| byte == b'\n').any(is_mark);
    let mut parts = splices
        .iter()
        .flat_map(|splice| [splice.span.of(&old.bytes), &splice.bytes]);
    let now = guard.moves.after(start);
    if parts.any(is_marked) || new.get(..now)?.split(|&byte| byte == b'\n').all(is_silent) {
        return None;
    }
    let first = match old.keys() {
        Some(Ok(tree)) => members(tree).next().map(|(span, _)| span),
        _ => None,
    };
    let neighbour = first.unwrap_or(Span::new(start, start + MARK.len()));
    Some(ChangedStatement::Reassigned(
        neighbour,
        guard.moves.after(neighbour.start),
    ))
}

/// What begins a document.
const MARK: &[u8] = b"---";

/// Returns where the line is that the first document begins with, if nothing but comments and directives is above it.
fn first_mark(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if is_mark(line) {
            return Some(at);
        }
        if !is_silent(line) {
            return None;
        }
        at += line.len();
    }
    None
}

/// Says whether a line begins a document.
fn is_mark(line: &[u8]) -> bool {
    line.strip_prefix(MARK)
        .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Says whether a line is blank, a comment or a directive.
fn is_silent(line: &[u8]) -> bool {
    let text = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    text.starts_with(b"%") || matches!(text.trim_ascii_start().first(), None | Some(b'#'))
}

/// Says whether a text is nothing, or lines that part documents.
fn is_border(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n')
        .all(|line| matches!(line.trim_ascii(), b"" | b"---" | b"..."))
}

/// Returns the outermost entries of a file, each with the number of its document.
fn members(tree: &Tree) -> impl Iterator<Item = (Span, usize)> + '_ {
    tree.roots
        .iter()
        .enumerate()
        .flat_map(move |(document, root)| {
            let children = tree
                .entries
                .get(*root)
                .map_or(&[][..], |root| &root.children);
            children
                .iter()
                .filter_map(move |child| Some((tree.entries.get(*child)?.span, document)))
        })
}
