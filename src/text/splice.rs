//! `Splices`: what becomes of one file, as byte ranges and the bytes that take their place.
//!
//! Invariant: sorted and disjoint, because `Splices::new` said so; nobody sorts again "to be safe". Ranges may
//! touch; an insertion (empty range) may stand at the edge of a range, and insertions at one point keep the
//! order in which they were given.
//!
//! ```
//! use segedit::text::{Span, splice::{Splice, Splices}};
//! let splices = Splices::new(vec![Splice::new(Span::new(0, 1), "b"), Splice::new(Span::at(1), "!")]).unwrap();
//! assert_eq!(splices.apply(b"a\n"), b"b!\n");
//! ```

use super::Span;

/// Puts `bytes` in the place of `span`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The range of the old bytes that goes.
    pub span: Span,
    /// What comes in its place.
    pub bytes: Vec<u8>,
    /// Where the definition that the new bytes have to be in begins, as an offset of the old bytes.
    pub inside: Option<usize>,
}

impl Splice {
    /// Returns the splice that writes `bytes` over `span`.
    pub fn new(span: Span, bytes: impl Into<Vec<u8>>) -> Splice {
        Splice {
            span,
            bytes: bytes.into(),
            inside: None,
        }
    }

    /// Returns the splice, whose bytes the definition that begins at `start` has to hold afterwards.
    pub fn inside(self, start: Option<usize>) -> Splice {
        Splice {
            inside: start,
            ..self
        }
    }
}

/// Sorted, disjoint splices of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splices(Vec<Splice>);

/// Two splices, by their index in what was given, that claim the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Index of the one that starts first.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
}

impl Splices {
    /// Sorts `splices` and proves them disjoint, or names every pair of neighbours that overlap.
    pub fn new(splices: Vec<Splice>) -> Result<Splices, Vec<Clash>> {
        let mut order: Vec<(usize, Splice)> = splices.into_iter().enumerate().collect();
        order.sort_by_key(|(_, splice)| splice.span);
        let mut clashes = Vec::new();
        let mut furthest: Option<(usize, Span)> = None;
        for (index, splice) in &order {
            if let Some((first, before)) = furthest
                && before.overlaps(splice.span)
            {
                clashes.push(Clash {
                    first,
                    second: *index,
                });
            }
            if furthest.is_none_or(|(_, before)| splice.span.end > before.end) {
                furthest = Some((*index, splice.span));
            }
        }
        if clashes.is_empty() {
            Ok(Splices(
                order.into_iter().map(|(_, splice)| splice).collect(),
            ))
        } else {
            Err(clashes)
        }
    }

    /// Returns `old` with every splice applied. Spans past the end of `old` are our own bug.
    pub fn apply(&self, old: &[u8]) -> Vec<u8> {
        let grown: usize = self.0.iter().map(|splice| splice.bytes.len()).sum();
        let mut new = Vec::with_capacity(old.len() + grown);
        let mut from = 0;
        for Splice { span, bytes, .. } in &self.0 {
            new.extend_from_slice(&old[from..span.start]);
            new.extend_from_slice(bytes);
            from = span.end;
        }
        new.extend_from_slice(&old[from..]);
        new
    }

    /// Iterates over the splices in file order.
    pub fn iter(&self) -> impl Iterator<Item = &Splice> {
        self.0.iter()
    }

    /// Iterates over the splices that share a byte or an edge with `span` of the old file.
    pub fn near(&self, span: Span) -> impl Iterator<Item = &Splice> {
        let from = self.0.partition_point(|it| it.span.end < span.start);
        self.0[from..]
            .iter()
            .take_while(move |it| it.span.start <= span.end)
    }

    /// Iterates over the splices with the range that each one's bytes have in the new file.
    pub fn with_new_spans(&self) -> impl Iterator<Item = (&Splice, Span)> {
        self.0.iter().scan(0isize, |shift, splice| {
            let start = (splice.span.start as isize + *shift) as usize;
            *shift += splice.bytes.len() as isize - splice.span.len() as isize;
            Some((splice, Span::new(start, start + splice.bytes.len())))
        })
    }

    /// Returns those that end by `end`, unless one goes beyond it.
    pub fn up_to(&self, end: usize) -> Option<Splices> {
        let (within, after): (Vec<Splice>, Vec<Splice>) = self
            .0
            .iter()
            .cloned()
            .partition(|splice| splice.span.end <= end);
        let is_apart = after.iter().all(|splice| splice.span.start >= end);
        is_apart.then_some(Splices(within))
    }

    /// Returns where offsets of the old file stand in the new one.
    pub fn moves(&self) -> OffsetShift {
        let ends = self.with_new_spans().map(|(_, new)| new.end).collect();
        OffsetShift {
            spans: self.0.iter().map(|splice| splice.span).collect(),
            ends,
        }
    }

    /// Says whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// By how much splices move what comes after them.
#[derive(Clone, Debug)]
pub struct OffsetShift {
    /// In the old file.
    spans: Vec<Span>,
    /// Where each one's bytes end in the new file.
    ends: Vec<usize>,
}

impl OffsetShift {
    /// Returns where `offset`, which no splice takes away, is in the new file: before a splice that begins there.
    pub fn before(&self, offset: usize) -> usize {
        self.past(
            self.spans.partition_point(|span| span.start < offset),
            offset,
        )
    }

    /// Returns the same, but after what is inserted there.
    pub fn after(&self, offset: usize) -> usize {
        let is_past =
            |span: &Span| span.start < offset || (span.start == offset && span.is_empty());
        self.past(self.spans.partition_point(is_past), offset)
    }

    fn past(&self, count: usize, offset: usize) -> usize {
        let last = count
            .checked_sub(1)
            .and_then(|last| self.spans.get(last).zip(self.ends.get(last)));
        last.map_or(offset, |(span, end)| {
            (offset + end).saturating_sub(span.end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn splice(start: usize, end: usize, text: &str) -> Splice {
        Splice::new(Span::new(start, end), text)
    }

    #[test]
    fn touching_is_fine_and_overlap_names_both() {
        assert!(
            Splices::new(vec![
                splice(0, 2, "x"),
                splice(2, 4, "y"),
                splice(2, 2, "i")
            ])
            .is_ok()
        );
        let clash = Splices::new(vec![splice(3, 6, "b"), splice(0, 4, "a")]).unwrap_err();
        assert_eq!(
            clash,
            [Clash {
                first: 1,
                second: 0
            }]
        );
        assert!(Splices::new(vec![splice(0, 4, ""), splice(2, 2, "in")]).is_err());
        assert!(Splices::new(vec![splice(1, 2, ""), splice(1, 2, "")]).is_err());
    }

    #[test]
    fn offsets_move_by_what_comes_before_them() {
        let splices = Splices::new(vec![
            splice(2, 4, "longer"),
            splice(6, 6, "in"),
            splice(6, 7, ""),
        ])
        .unwrap();
        let moves = splices.moves();
        let offsets = [0, 1, 2, 4, 5, 6, 7, 9];
        assert_eq!(
            offsets.map(|offset| moves.after(offset)),
            [0, 1, 2, 8, 9, 12, 12, 14]
        );
        assert_eq!(
            offsets.map(|offset| moves.before(offset)),
            [0, 1, 2, 8, 9, 10, 12, 14]
        );
    }

    #[test]
    fn insertions_at_one_point_keep_their_order() {
        let splices = Splices::new(vec![
            splice(1, 2, "X"),
            splice(1, 1, "1"),
            splice(1, 1, "2"),
            splice(0, 1, "A"),
        ]);
        assert_eq!(splices.unwrap().apply(b"abc"), b"A12Xc");
    }

    proptest! {
        #[test]
        fn random_disjoint_splices_equal_a_naive_rebuild(
            old in "[a-z\n]{0,60}",
            pieces in prop::collection::vec((0usize..8, 0usize..6, "[A-Z]{0,4}"), 0..8),
            seed in any::<u64>(),
        ) {
            let mut at = 0;
            let mut splices = Vec::new();
            let mut naive = Vec::new();
            let mut from = 0;
            for (gap, len, text) in pieces {
                let start = (at + gap).min(old.len());
                let end = (start + len).min(old.len());
                splices.push(splice(start, end, &text));
                naive.extend_from_slice(&old.as_bytes()[from..start]);
                naive.extend_from_slice(text.as_bytes());
                from = end;
                at = end + 1;
                if at > old.len() { break; }
            }
            naive.extend_from_slice(&old.as_bytes()[from..]);
            let turn = if splices.is_empty() { 0 } else { seed as usize % splices.len() };
            splices.rotate_left(turn);
            let built = Splices::new(splices).unwrap();
            prop_assert_eq!(built.apply(old.as_bytes()), naive.clone());
            for (splice, span) in built.with_new_spans() {
                prop_assert_eq!(span.of(&naive), &splice.bytes[..]);
            }
        }
    }
}
