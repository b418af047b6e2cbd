//! `Sides`: the bytes that an edit touches, in the old file and in the new one, and where a statement is from them.

use crate::plan::FileEdit;
use crate::text::splice::Splices;
use crate::text::{Span, is_blank};

/// Says whether `span` is a part of one line, and something comes before it there.
pub(super) fn is_inline(span: Span, bytes: &[u8]) -> bool {
    let line = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |at| at + 1);
    !span.is_empty() && !span.of(bytes).contains(&b'\n') && !is_blank(&bytes[line..span.start])
}

/// Says whether the last line break of `bytes` ends what is in them.
fn ends_line(bytes: &[u8]) -> bool {
    memchr::memrchr(b'\n', bytes).is_some_and(|at| is_blank(&bytes[at + 1..]))
}

/// What an edit is to one side of it.
pub(super) struct TouchedSides {
    pub(super) old: Touched,
    pub(super) new: Touched,
}

/// What splices take or give, in order.
pub(super) struct Touched(pub(super) Vec<Stroke>);

/// What one splice takes or gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) span: Span,
    /// It names its place.
    pub(super) is_named: bool,
    /// It takes a part of a line, after code that begins there: what it gives belongs to that.
    pub(super) is_inline: bool,
    /// What it takes ends with a line break: what begins after that is on a line that the range does not name.
    ends_line: bool,
    /// Where the definition begins, on its side, whose decorators it is asked to change.
    decorates: Option<usize>,
}

impl TouchedSides {
    /// Returns what the splices of an edit are to a file that had `bytes`.
    pub(super) fn of(edit: &FileEdit, splices: &Splices, bytes: &[u8]) -> TouchedSides {
        let is_named = |span: Span| {
            let from = edit.named.partition_point(|named| named.end < span.start);
            edit.named[from..]
                .iter()
                .take_while(|named| named.start <= span.end)
                .next()
                .is_some()
        };
        let moves = splices.moves();
        let strokes = splices.with_new_spans().map(|(splice, new)| {
            let decorated = splice.inside.filter(|start| splice.span.end <= *start);
            let is_named = is_named(splice.span);
            let ends_line = ends_line(splice.span.of(bytes));
            let is_inline = is_inline(splice.span, bytes);
            let stroke = |span, decorates| Stroke {
                span,
                is_named,
                is_inline,
                ends_line,
                decorates,
            };
            let now = decorated.map(|start| moves.after(start));
            (stroke(splice.span, decorated), stroke(new, now))
        });
        let (old, new) = strokes.unzip();
        TouchedSides {
            old: Touched(old),
            new: Touched(new),
        }
    }

    /// Says whether any splice gives something in the place of something: one that only adds or only takes cuts nothing in two.
    pub(super) fn exchanges(&self) -> bool {
        self.strokes()
            .any(|(was, now)| !was.span.is_empty() && !now.span.is_empty())
    }

    /// Returns what each splice takes, with what it gives.
    pub(super) fn strokes(&self) -> impl Iterator<Item = (Stroke, Stroke)> {
        self.old.0.iter().copied().zip(self.new.0.iter().copied())
    }
}

impl Touched {
    /// Returns the splices that share a byte or an edge with `span`.
    pub(super) fn at(&self, span: Span) -> impl Iterator<Item = Stroke> {
        let from = self
            .0
            .partition_point(|stroke| stroke.span.end < span.start);
        self.0[from..]
            .iter()
            .copied()
            .take_while(move |stroke| stroke.span.start <= span.end)
    }

    /// Returns what is between `from`, where one of the splices ends, and `to`, or the next splice before that.
    pub(super) fn gap_after(&self, from: usize, to: usize) -> Span {
        let next = self.0.partition_point(|stroke| stroke.span.start < from);
        let mut later = self.0[next..]
            .iter()
            .map(|stroke| stroke.span)
            .filter(|span| span.end > from);
        let end = later.next().map_or(to, |span| span.start.min(to));
        Span::new(from, end.max(from))
    }

    /// Returns which splice takes or gives what stands at `offset`, or else is the first at the edge of that.
    pub(super) fn number_at(&self, offset: usize) -> Option<usize> {
        let first = self.0.partition_point(|stroke| stroke.span.end < offset);
        let reaches = |at: &usize| {
            self.0
                .get(*at)
                .is_some_and(|stroke| stroke.span.start <= offset)
        };
        let holds = |at: &usize| self.0[*at].span.end > offset;
        let mut reaching = (first..).take_while(reaches);
        reaching.find(holds).or(Some(first).filter(reaches))
    }

    pub(super) fn is_touched(&self, offset: usize) -> bool {
        self.at(Span::at(offset)).next().is_some()
    }

    /// Returns how `span` stands to the edits.
    pub(super) fn place(&self, span: Span) -> TouchState {
        let mut standing = TouchState::Beside;
        for Stroke {
            span: splice,
            is_named,
            ends_line,
            ..
        } in self.at(span)
        {
            if !splice.is_empty() && splice.contains(span) {
                return TouchState::Inside;
            }
            let is_next_line = ends_line && splice.end <= span.start;
            if splice.overlaps(span) {
                standing = TouchState::Around;
            } else if !is_named && !is_next_line && standing == TouchState::Beside {
                standing = TouchState::Touching;
            }
        }
        standing
    }

    /// Says whether an operation is asked to change the decorators of what begins at `start`, the first of them at `from`.
    pub(super) fn decorates(&self, from: usize, start: usize) -> bool {
        self.at(Span::new(from, start)).any(|stroke| {
            stroke
                .decorates
                .is_some_and(|at| (from..=start).contains(&at))
        })
    }

    /// Returns the bytes that an operation quotes or writes, and that hold what is at `offset`.
    pub(super) fn quoting(&self, offset: usize) -> Option<Span> {
        let mut quoted = self
            .at(Span::at(offset))
            .filter(|stroke| !stroke.is_named)
            .map(|stroke| stroke.span);
        quoted.find(|span| span.start <= offset && offset < span.end)
    }
}

/// How a statement stands to the edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TouchState {
    /// No splice reaches into it.
    Beside,
    /// None does, but bytes that somebody named are right at its edge, and may be meant for a part of it.
    Touching,
    /// It holds a splice, or a part of one.
    Around,
    /// It is what a splice takes or gives.
    Inside,
}
