//! Which comments belong to the definitions of a file: none that speaks of the file, and none that opens or closes a region.

use super::{Decoration, DecorationKind, Habits, Outline, Symbol, head, regions};
use crate::text::{BOM, Span};

impl Outline {
    /// Returns it without the comments that open or close a region, and without those that speak of the file, whose comments are
    /// as `habits` say: they belong to no definition beside them, nor does what is above them.
    pub fn with_own_comments(mut self, source: &[u8], habits: &Habits) -> Outline {
        let first = self
            .symbols
            .iter_mut()
            .min_by_key(|symbol| symbol.whole().start);
        if let Some(first) = first.filter(|first| {
            first
                .decorations
                .first()
                .is_some_and(|it| it.begins_file(source))
        }) {
            let head = head::of(source, Some(habits)).stated;
            first
                .decorations
                .retain(|it| it.sort != DecorationKind::Comment || it.span.start >= head);
        }
        let mut pending: Vec<&mut Symbol> = self.symbols.iter_mut().collect();
        while let Some(symbol) = pending.pop() {
            let above = |decoration: &Decoration| {
                decoration.sort == DecorationKind::Comment
                    && regions::is_border(decoration.span.of(source))
            };
            let border = symbol.decorations.iter().rposition(above);
            symbol.decorations.drain(..border.map_or(0, |at| at + 1));
            // What comes below a variable may be its docstring, whose lines are no comments.
            if symbol.trailing != symbol.docstring {
                symbol.trailing = symbol
                    .trailing
                    .and_then(|trailing| ahead_of_border(source, trailing));
            }
            pending.extend(symbol.children.iter_mut());
        }
        self
    }
}

impl Decoration {
    /// Says whether it is a comment that nothing but comments and empty lines come before.
    fn begins_file(&self, source: &[u8]) -> bool {
        let before = source.get(..self.span.start).unwrap_or_default();
        let is_of_comment =
            |line: &[u8]| line.is_empty() || b"#/* <-;".contains(&line[0]) || line.starts_with(BOM);
        self.sort == DecorationKind::Comment
            && before
                .split(|&byte| byte == b'\n')
                .all(|line| is_of_comment(line.trim_ascii_end()))
    }
}

/// Returns what of some comments is before one that opens or closes a region.
fn ahead_of_border(source: &[u8], comments: Span) -> Option<Span> {
    let mut end = comments.start;
    let mut at = comments.start;
    for line in comments.of(source).split_inclusive(|&byte| byte == b'\n') {
        if regions::is_border(line) {
            return Some(Span::new(comments.start, end)).filter(|kept| !kept.is_empty());
        }
        end = at + line.trim_ascii_end().len();
        at += line.len();
    }
    Some(comments)
}
