//! Which comments belong to a definition: the lines directly above it, those between its decorators, and the deeper
//! ones after its body. A shebang and an encoding cookie belong to the file.

use crate::syntax::{Decoration, DecorationKind};
use crate::text::Span;

use super::source::{indentation, line_end, line_start, next_line};

/// The comments of one file, in file order.
pub(super) struct Comments<'a> {
    bytes: &'a [u8],
    spans: Vec<Span>,
}

impl<'a> Comments<'a> {
    /// Takes the spans of the comments of `bytes`, in file order, none with its line ending.
    pub(super) fn new(bytes: &'a [u8], spans: Vec<Span>) -> Comments<'a> {
        Comments { bytes, spans }
    }

    /// Returns what belongs to the definition that starts at `start` (its first decorator, else its header): the
    /// comment lines directly above, then `decorators` with the comment lines among them, up to `header`.
    pub(super) fn decorations(&self, decorators: &[Span], header: usize) -> Vec<Decoration> {
        let start = decorators.first().map_or(header, |first| first.start);
        let comment = |span: &Span| Decoration {
            sort: DecorationKind::Comment,
            span: *span,
        };
        let mut found: Vec<Decoration> = self.above(start).iter().map(comment).collect();
        for (at, decorator) in decorators.iter().enumerate() {
            let next = decorators.get(at + 1).map_or(header, |next| next.start);
            let between = self.within(Span {
                start: decorator.end,
                end: next.max(decorator.end),
            });
            let same_line = line_end(self.bytes, decorator.end);
            // A comment at the end of a decorator's line goes where the decorator goes.
            let tail = between.first().filter(|first| first.start <= same_line);
            let span = tail.map_or(*decorator, |tail| decorator.cover(*tail));
            found.push(Decoration {
                sort: DecorationKind::Decorator,
                span,
            });
            found.extend(
                between
                    .iter()
                    .filter(|span| span.start > same_line)
                    .map(comment),
            );
        }
        found
    }

    /// Returns the comment lines that are directly above the line on which something starts at `start`, in its column.
    fn above(&self, start: usize) -> &[Span] {
        let mut line = line_start(self.bytes, start);
        let (column, first) = indentation(self.bytes, line);
        let below = self.spans.partition_point(|span| span.start < line);
        if first != start {
            return &[];
        }
        let mut from = below;
        while let Some(previous) = self.spans[..from].last() {
            let adjacent = next_line(self.bytes, previous.end) == Some(line);
            let previous_line = line_start(self.bytes, previous.start);
            let alone = indentation(self.bytes, previous_line) == (column, previous.start);
            if !adjacent || !alone || self.belongs_to_file(*previous, previous_line) {
                break;
            }
            from -= 1;
            line = previous_line;
        }
        &self.spans[from..below]
    }

    /// Says whether the comment on the line that begins at `line` is a shebang or an encoding cookie.
    fn belongs_to_file(&self, comment: Span, line: usize) -> bool {
        let text = comment.of(self.bytes);
        let first = line_start(self.bytes, 0);
        let second = next_line(self.bytes, line_end(self.bytes, 0));
        line <= first && text.starts_with(b"#!")
            || (line <= first || Some(line) == second) && names_encoding(text)
    }

    /// Returns the comment lines after a definition's end at `end` that are indented deeper than the line of its
    /// `header`; blank lines may be among them, anything else ends them.
    pub(super) fn trailing(&self, header: usize, end: usize) -> Option<Span> {
        trailing(self.bytes, header, end, |first, _| self.at(first))
    }

    /// Returns where a body begins whose first statement is at `first`, after a header whose lines end at `after`: with the
    /// comments before that statement, but for those that are further out, which begin no line of the body.
    pub(super) fn start_of_body(&self, after: usize, first: usize) -> usize {
        let column = |at: usize| indentation(self.bytes, line_start(self.bytes, at)).0;
        let above = self.within(Span {
            start: after,
            end: first.max(after),
        });
        above
            .iter()
            .find(|comment| column(comment.start) >= column(first))
            .map_or(first, |comment| comment.start)
    }

    fn within(&self, span: Span) -> &[Span] {
        let from = self
            .spans
            .partition_point(|comment| comment.start < span.start);
        let to = self
            .spans
            .partition_point(|comment| comment.start < span.end);
        &self.spans[from..to.max(from)]
    }

    fn at(&self, start: usize) -> Option<Span> {
        let found = self
            .spans
            .binary_search_by_key(&start, |span| span.start)
            .ok()?;
        self.spans.get(found).copied()
    }
}

/// Says whether a comment is what Python takes for an encoding cookie: `coding`, `:` or `=`, a name.
fn names_encoding(comment: &[u8]) -> bool {
    let word = b"coding";
    let after = |at: usize| &comment[at + word.len()..];
    let mut places = comment
        .windows(word.len())
        .enumerate()
        .filter(|(_, window)| window == word);
    places.any(|(at, _)| match after(at) {
        [b':' | b'=', rest @ ..] => {
            let name = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
            name.is_some_and(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
            })
        }
        _ => false,
    })
}

/// Does what `Comments::trailing` does with comments that `comment` finds by where they begin and their line ends.
pub(super) fn trailing(
    bytes: &[u8],
    header: usize,
    end: usize,
    comment: impl Fn(usize, usize) -> Option<Span>,
) -> Option<Span> {
    let (depth, _) = indentation(bytes, line_start(bytes, header));
    let mut found: Option<Span> = None;
    let mut line_ends = line_end(bytes, end);
    while let Some(line) = next_line(bytes, line_ends) {
        line_ends = line_end(bytes, line);
        let (column, first) = indentation(bytes, line);
        if first >= line_ends {
            continue;
        }
        let Some(comment) = comment(first, line_ends).filter(|_| column > depth) else {
            break;
        };
        found = Some(found.map_or(comment, |found| found.cover(comment)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_cookie_is_told_as_by_python() {
        let check = |comment: &str, expected: bool| {
            assert_eq!(names_encoding(comment.as_bytes()), expected, "{comment}")
        };
        check("# -*- coding: utf-8 -*-", true);
        check("# vim: set fileencoding=latin-1 :", true);
        check("# coding is fun", false);
        check("# coding: ", false);
        check("# decoding: coding=x", true);
    }
}
