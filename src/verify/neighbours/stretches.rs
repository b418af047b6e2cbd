//! Which stretches of two files have to be read to tell whether an edit left its neighbours alone.
//!
//! A definition that begins a line is where a statement begins; where both outlines have one at the same place, what is
//! ahead of it and what is behind it are apart in both files, and can be read apart. So a stretch goes from the last such
//! place ahead of an edit to the first behind it, in the innermost class around the edit. However many edits a batch has,
//! its stretches come to no more than the file, and each list of definitions is gone through once.

use crate::resolve::Document;
use crate::syntax::{SegmentKind, Symbol};
use crate::text::Span;
use crate::text::splice::{OffsetShift, Splices};

/// What is read of both files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// In the old file.
    pub old: Span,
    /// In the new one.
    pub new: Span,
    /// What it stands in; nothing at the top of the file.
    pub parent: Option<SegmentKind>,
}

impl Stretch {
    /// Returns the whole files.
    pub(super) fn whole(old: &Document, new: &Document) -> Stretch {
        Stretch {
            old: Span::new(0, old.bytes.len()),
            new: Span::new(0, new.bytes.len()),
            parent: None,
        }
    }
}

/// Returns sorted, disjoint stretches that hold all of `splices`.
pub(super) fn stretches(
    old: &Document,
    new: &Document,
    splices: &Splices,
    moves: &OffsetShift,
) -> Vec<Stretch> {
    let edits: Vec<SpliceSides> = splices
        .with_new_spans()
        .map(|(splice, new)| SpliceSides {
            old: splice.span,
            new,
        })
        .collect();
    let (old_symbols, new_symbols) = (&old.outline().symbols[..], &new.outline().symbols[..]);
    let mut parting = Parting {
        old,
        new,
        moves,
        found: Vec::new(),
    };
    parting.part(Stretch::whole(old, new), (old_symbols, new_symbols), &edits);
    parting.found
}

/// One splice, on both sides.
struct SpliceSides {
    old: Span,
    new: Span,
}

/// A place where a statement begins on both sides, and the definition there.
struct Border<'d> {
    old: usize,
    new: usize,
    symbol: Option<(&'d Symbol, &'d Symbol)>,
}

/// The definitions of one level, old and new.
type Level<'d> = (&'d [Symbol], &'d [Symbol]);

struct Parting<'d> {
    old: &'d Document,
    new: &'d Document,
    moves: &'d OffsetShift,
    found: Vec<Stretch>,
}

impl<'d> Parting<'d> {
    /// Adds what of `within`, whose definitions on both sides are `symbols`, has to be read for `edits`. Classes in one
    /// another are as many as the outline tells, which is bounded.
    fn part(&mut self, within: Stretch, symbols: Level<'d>, mut edits: &[SpliceSides]) {
        let mut borders = vec![Border {
            old: within.old.start,
            new: within.new.start,
            symbol: None,
        }];
        borders.extend(self.borders(symbols, within.parent));
        borders.push(Border {
            old: within.old.end,
            new: within.new.end,
            symbol: None,
        });
        for pair in borders.array_windows::<2>() {
            let [from, to] = pair;
            if from.old > to.old || from.new > to.new {
                continue;
            }
            let is_ahead = |edit: &SpliceSides| edit.old.end <= to.old && edit.new.end <= to.new;
            let (inside, rest) =
                edits.split_at(edits.iter().take_while(|edit| is_ahead(edit)).count());
            edits = rest;
            if inside.is_empty() {
                continue;
            }
            let (old, new) = (Span::new(from.old, to.old), Span::new(from.new, to.new));
            let stretch = Stretch {
                old,
                new,
                parent: within.parent,
            };
            match from
                .symbol
                .and_then(|symbol| self.inside(stretch, symbol, inside))
            {
                Some((members, symbols)) => self.part(members, symbols, inside),
                None if self.is_filled(stretch, inside) => {}
                None => self.found.push(stretch),
            }
        }
        if !edits.is_empty() {
            self.found.push(within);
        }
    }

    /// Says whether nothing but blanks stands beside the edits of a stretch: what begins behind it was found there by both
    /// outlines. That does not tell where a word on a line of its own may be a part of what follows.
    fn is_filled(&self, stretch: Stretch, edits: &[SpliceSides]) -> bool {
        let blank = |from: usize, to: usize| {
            self.old
                .bytes
                .get(from..to)
                .is_some_and(|between| between.iter().all(u8::is_ascii_whitespace))
        };
        let mut from = stretch.old.start;
        let goes_on = self
            .old
            .language
            .is_some_and(|language| language.grammar.ends_lines_freely());
        !goes_on
            && edits
                .iter()
                .all(|edit| blank(std::mem::replace(&mut from, edit.old.end), edit.old.start))
            && blank(from, stretch.old.end)
    }

    /// Returns where a definition begins a line in both files.
    fn borders(&self, (old, new): Level<'d>, parent: Option<SegmentKind>) -> Vec<Border<'d>> {
        let begun = |document: &Document, symbol: &'d Symbol| {
            let start = symbol.whole().start;
            let line = line_start(&document.bytes, start)?;
            // At the top, what is indented may stand in a block that nobody named.
            (parent.is_some() || line == start).then_some((line, symbol))
        };
        let mut twins = new
            .iter()
            .filter_map(|symbol| begun(self.new, symbol))
            .peekable();
        let mut borders = Vec::new();
        for (was, symbol) in old.iter().filter_map(|symbol| begun(self.old, symbol)) {
            // What is inserted there may begin with a definition, or stand ahead of the one that was there.
            for now in [self.moves.before(was), self.moves.after(was)] {
                while twins.next_if(|(line, _)| *line < now).is_some() {}
                if let Some((_, twin)) = twins.next_if(|(line, _)| *line == now) {
                    borders.push(Border {
                        old: was,
                        new: now,
                        symbol: Some((symbol, twin)),
                    });
                    break;
                }
            }
        }
        borders
    }

    /// Returns the members of a class that holds all the edits of a stretch which begins with it, and is the same but for
    /// those.
    fn inside(
        &self,
        stretch: Stretch,
        (symbol, twin): (&'d Symbol, &'d Symbol),
        edits: &[SpliceSides],
    ) -> Option<(Stretch, Level<'d>)> {
        let is_class = matches!(
            symbol.kind,
            SegmentKind::Class | SegmentKind::Interface | SegmentKind::Trait
        );
        if !is_class || symbol.kind != twin.kind || symbol.children.is_empty() {
            return None;
        }
        let (old, new) = (own_lines(self.old, symbol)?, own_lines(self.new, twin)?);
        let is_same_place = old.start.checked_sub(stretch.old.start)?
            == new.start.checked_sub(stretch.new.start)?
            && stretch.old.end.checked_sub(old.end)? == stretch.new.end.checked_sub(new.end)?;
        let holds_all = edits
            .iter()
            .all(|edit| old.contains(edit.old) && new.contains(edit.new));
        let members = Stretch {
            old,
            new,
            parent: Some(symbol.kind),
        };
        (is_same_place && holds_all).then_some((members, (&symbol.children, &twin.children)))
    }
}

/// Returns the body of a class from the beginning of its first line, if nothing else stands there.
fn own_lines(document: &Document, symbol: &Symbol) -> Option<Span> {
    let body = symbol.body?;
    let line = line_start(&document.bytes, body.start)?;
    Some(Span::new(line, body.end))
}

/// Returns where the line of `offset` begins, if nothing but blanks is ahead of it there.
fn line_start(bytes: &[u8], offset: usize) -> Option<usize> {
    let head = bytes.get(..offset)?;
    let start = offset
        - head
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
    (start == 0 || bytes.get(start - 1) == Some(&b'\n')).then_some(start)
}
