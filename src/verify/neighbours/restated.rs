//! Which statements beside an edit would be others: each check in its turn, the surest first.

use std::collections::{HashMap, HashSet};

use super::beside::{beside, differences, displaced, redecorated};
use super::changed::{ChangedStatement, MOST_NAMED};
use super::guard::Guard;
use super::strays::strays;
use super::stretches::{Stretch, stretches};
use super::tails::{self, Construct};
use super::touched::{TouchState, Touched};
use super::{
    doubtful, elements, extended, falls, items, joined, left, lists, lone, prefix, split, values,
};
use crate::resolve::Document;
use crate::syntax::markdown::leaves::{self, Disturbed, Naming};
use crate::syntax::{Implied, Language, SegmentKind, Statement};
use crate::text::splice::Splices;
use crate::text::{Span, is_blank};

impl Guard {
    /// Returns which statements beside `splices` would be others in `new`, or stand for something else; nothing where they could not be
    /// read.
    pub(super) fn restated(
        &self,
        language: &Language,
        splices: &Splices,
        old: &Document,
        new: &Document,
    ) -> Option<Vec<ChangedStatement>> {
        let read = |document: &Document, span: Span, stretch: &Stretch| {
            let found = language
                .grammar
                .statements(span.of(&document.bytes), stretch.parent)?;
            let moved = |statement: Statement| statement.moved(|offset| offset + span.start);
            Some(found.into_iter().map(moved).collect::<Vec<_>>())
        };
        let both = |stretch: &Stretch| {
            Some((
                read(old, stretch.old, stretch)?,
                read(new, stretch.new, stretch)?,
            ))
        };
        let parted = stretches(old, new, splices, &self.moves);
        let parted: Option<Vec<_>> = parted
            .iter()
            .map(|stretch| Some((*stretch, both(stretch)?)))
            .collect();
        // What does not parse by itself is read with all that is around it. Where that does not parse either, nobody knows
        // what its statements are.
        let whole = Stretch::whole(old, new);
        let whole = || both(&whole).map(|read| vec![(whole, read)]);
        let read = parted.or_else(whole)?;
        let sides = (&old.bytes[..], &new.bytes[..]);
        let refused = read.iter().flat_map(|(stretch, (before, after))| {
            self.within(stretch.old).refused(before, after, sides)
        });
        let mut changed: Vec<ChangedStatement> = refused.take(MOST_NAMED).collect();
        if changed.is_empty() {
            let refused = read.iter().find_map(|(stretch, statements)| {
                let guard = self.within(stretch.old);
                let bytes = (&old.bytes[..], &new.bytes[..]);
                guard
                    .regrouped(language, stretch, bytes)
                    .or_else(|| guard.merged_lists(language, stretch, statements, bytes))
            });
            changed.extend(refused);
        }
        if changed.is_empty() {
            changed = self.revalued(&language.grammar.implied(&old.bytes), || {
                language.grammar.implied(&new.bytes)
            });
        }
        let words = language.grammar.label_words();
        if changed.is_empty() && falls::may_change(self, words, &old.bytes, &new.bytes) {
            let before = language.grammar.falls(&old.bytes);
            if !before.is_empty() {
                changed = falls::rerouted(self, &before, &language.grammar.falls(&new.bytes));
            }
        }
        if changed.is_empty() {
            let after = language.grammar.doubtful(&new.bytes);
            let was_so = || !language.grammar.doubtful(&old.bytes).is_empty();
            changed.extend(doubtful::put_beside(self, &after).filter(|_| !was_so()));
        }
        Some(changed)
    }

    /// Returns the first element or parameter in a stretch that would be one with another, or two, or without what comes before it.
    fn regrouped(
        &self,
        language: &Language,
        stretch: &Stretch,
        (old, new): (&[u8], &[u8]),
    ) -> Option<ChangedStatement> {
        let side = |is_new| match is_new {
            true => (stretch.new, new),
            false => (stretch.old, old),
        };
        let elements = |is_new| elements_of(language, stretch.parent, side(is_new));
        let comments = |is_new| {
            let (span, bytes) = side(is_new);
            let found = language
                .grammar
                .comments_inside(span.of(bytes), stretch.parent);
            moved(found, span)
        };
        let divided = || elements::divided(self, (old, new), &elements, &comments);
        let joined = elements::joined(self, (old, new), &elements, &comments)
            .or_else(|| self.offside.then(divided).flatten());
        let (may_split, may_hand_on) = (
            split::may_split(self, (old, new)),
            prefix::may_hand_on(self, old),
        );
        if joined.is_some() || !(may_split || may_hand_on) {
            return joined;
        }
        let (before, after) = (elements(false), elements(true));
        let split = may_split
            .then(|| split::split(self, (&before, old), (&after, new)))
            .flatten();
        split.or_else(|| {
            let as_statement = |&span: &Span| Statement {
                kind: 0,
                span,
                decorated: span.start,
                depth: 0,
                leads: false,
                is_open: false,
            };
            let both =
                [&before, &after].map(|spans| spans.iter().map(as_statement).collect::<Vec<_>>());
            prefix::handed_on(self, (&both[0], old), (&both[1], new))
                .into_iter()
                .next()
        })
    }

    /// Returns the first element in a stretch that would be one of another list.
    fn merged_lists(
        &self,
        language: &Language,
        stretch: &Stretch,
        (before, after): &(Vec<Statement>, Vec<Statement>),
        (old, new): (&[u8], &[u8]),
    ) -> Option<ChangedStatement> {
        if !lists::may_merge(self, (old, new)) {
            return None;
        }
        let parts = |statements: &[Statement], span, bytes| {
            let elements = elements_of(language, stretch.parent, (span, bytes));
            lists::with_holders(elements, statements.iter().map(|it| it.span))
        };
        let (before, after) = (
            parts(before, stretch.old, old),
            parts(after, stretch.new, new),
        );
        lists::merged(self, (&before, old), &after)
    }

    /// Returns which blocks of a page would be others, or would go on in one beside what is named.
    pub(super) fn disturbed(
        &self,
        splices: &Splices,
        old: &Document,
        new: &Document,
    ) -> Vec<ChangedStatement> {
        let naming = |span: Span| {
            let is_named = self
                .sides
                .old
                .at(span)
                .any(|stroke| stroke.is_named && stroke.span == span);
            if is_named {
                Naming::Named
            } else {
                Naming::Quoted
            }
        };
        let found = leaves::disturbed(&old.bytes, &new.bytes, splices, naming);
        let changed = |found| match found {
            Disturbed::Lost(span, now) => ChangedStatement::Lost(span, now),
            Disturbed::Untabled(span, now) => ChangedStatement::Untabled(span, now),
            Disturbed::Strayed(span) => ChangedStatement::Strayed(span),
        };
        found.into_iter().map(changed).collect()
    }

    /// Returns which items of lists, and notes, of a page would lose what remains of them.
    pub(super) fn parted_items(&self, (old, new): (&[u8], &[u8])) -> Vec<ChangedStatement> {
        let (before, after) = (leaves::items(old), leaves::items(new));
        let mut found: Vec<ChangedStatement> = items::parted(self, (&before, old), (&after, new))
            .into_iter()
            .collect();
        let (was, now) = (Construct::of_items(&before), Construct::of_items(&after));
        if found.is_empty() && self.sides.exchanges() {
            found = tails::passed_on(self, (&was, old), (&now, new));
            if found.is_empty() {
                found = tails::dropped(self, (&was, old), (&now, new));
            }
        }
        if found.is_empty() {
            found.extend(tails::orphaned(self, (&was, old), &now));
        }
        found
    }

    /// Returns which segments would lose what remains of them to others: keys, sections, members of a class.
    pub(super) fn parted_segments(&self, old: &Document, new: &Document) -> Vec<ChangedStatement> {
        if !self.sides.exchanges() {
            return Vec::new();
        }
        let fronts = old.front_matter().zip(new.front_matter());
        let both = |(before, after): (&Document, &Document)| {
            let (before, after) = (
                Construct::of_segments(before),
                Construct::of_segments(after),
            );
            tails::passed_on(self, (&before, &old.bytes), (&after, &new.bytes))
        };
        let mut found = both((old, new));
        found.extend(
            fronts
                .iter()
                .flat_map(|(before, after)| both((before, after))),
        );
        found
    }

    /// Returns which statements beside the edits are not the same, and else which that came with them stand elsewhere than the
    /// rest; the bytes are those of both files.
    pub(super) fn refused(
        &self,
        before: &[Statement],
        after: &[Statement],
        (old, new): (&[u8], &[u8]),
    ) -> Vec<ChangedStatement> {
        let mut changed = if self.lists_headers {
            self.changed(
                (before, old),
                (&self.with_old_headers(before, after, new), new),
            )
        } else {
            self.changed((before, old), (after, new))
        };
        if changed.is_empty() {
            changed.extend(redecorated(self, before, after));
        }
        if changed.is_empty() {
            changed.extend(strays(&self.sides.new, after, new).map(ChangedStatement::Strayed));
        }
        if changed.is_empty() {
            changed.extend(
                left::left(self, (before, old), (after, new)).map(ChangedStatement::Strayed),
            );
        }
        if changed.is_empty() && self.takes_lone {
            changed.extend(lone::unguarded(self, (before, old), (after, new)));
        }
        if changed.is_empty() && self.takes_lone {
            changed
                .extend(lone::followed(&self.sides.new, after, new).map(ChangedStatement::Strayed));
        }
        if changed.is_empty() {
            let merged = self
                .merged(before, after)
                .or_else(|| self.unended((before, old), (after, new)));
            changed.extend(merged.or_else(|| self.taken_up((before, old), (after, new))));
        }
        if changed.is_empty() && split::may_split(self, (old, new)) {
            let spans =
                |statements: &[Statement]| statements.iter().map(|it| it.span).collect::<Vec<_>>();
            changed.extend(split::split(
                self,
                (&spans(before), old),
                (&spans(after), new),
            ));
        }
        if changed.is_empty() && self.sides.exchanges() {
            let (was, now) = (
                Construct::of_statements(before, old),
                Construct::of_statements(after, new),
            );
            changed.extend(tails::passed_on(self, (&was, old), (&now, new)));
            if changed.is_empty() {
                changed.extend(joined::joined(self, (&was, old), (&now, new)));
            }
            if changed.is_empty() {
                changed.extend(extended::extended(self, (&was, old), (&now, new)));
            }
        }
        if changed.is_empty() {
            changed.extend(prefix::parted(self, (before, old), (after, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::handed_on(self, (before, old), (after, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::trailed(self, (before, old), (after, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::given_again(self, (before, old), (after, new)));
        }
        if changed.is_empty() {
            changed.extend(prefix::decorated_anew(self, (before, old), (after, new)));
        }
        if changed.is_empty() && self.ends_lines {
            changed.extend(
                values::left_alone(self, (before, old), (after, new))
                    .map(ChangedStatement::Valueless),
            );
        }
        if changed.is_empty() && self.documents_next {
            changed.extend(prefix::documented(self, before, (after, new)));
        }
        changed
    }

    /// Returns `after` with each rule that begins after blanks which an edit leaves, as `h2` does where `h1,` goes, from the edit on: it is the
    /// one that began there.
    fn with_old_headers(
        &self,
        before: &[Statement],
        after: &[Statement],
        new: &[u8],
    ) -> Vec<Statement> {
        let begun: HashSet<usize> = before
            .iter()
            .map(|it| self.moves.after(it.span.start))
            .collect();
        let begins = |it: &Statement| {
            let ahead = new
                .get(..it.span.start)
                .unwrap_or_default()
                .trim_ascii_end()
                .len();
            let near = self.sides.new.at(Span::new(ahead, it.span.start));
            let edge = near
                .map(|stroke| stroke.span.end)
                .filter(|end| (ahead..=it.span.start).contains(end))
                .max();
            edge.filter(|_| !begun.contains(&it.span.start))
                .unwrap_or(it.span.start)
        };
        let moved = |it: &Statement| {
            let start = begins(it);
            Statement {
                span: Span::new(start, it.span.end),
                decorated: start,
                ..*it
            }
        };
        after.iter().map(moved).collect()
    }

    /// Returns the first statement that an edit reaches into, and whose beginning it leaves alone, that would be none of its own: without
    /// its `;` the one above goes on in it.
    fn merged(&self, before: &[Statement], after: &[Statement]) -> Option<ChangedStatement> {
        let is_touched = |it: &&Statement| {
            matches!(
                self.sides.old.place(it.span),
                TouchState::Around | TouchState::Touching
            )
        };
        let mut begun = before
            .iter()
            .filter(is_touched)
            .filter(|it| !self.sides.old.is_touched(it.span.start))
            .peekable();
        begun.peek()?;
        let starts: HashSet<usize> = after.iter().map(|it| it.span.start).collect();
        let moved = |it: &Statement| self.moves.after(it.span.start);
        begun
            .find(|it| !starts.contains(&moved(it)))
            .map(|it| ChangedStatement::Lost(it.span, moved(it)))
    }

    /// Returns the first statement right below content without the `;` of what it takes the place of that would be none of its own, whatever
    /// another operation makes of it.
    fn unended(
        &self,
        (before, old): (&[Statement], &[u8]),
        (after, new): (&[Statement], &[u8]),
    ) -> Option<ChangedStatement> {
        let loses_end = |was: Span, now: Span| {
            was.of(old).trim_ascii_end().ends_with(b";")
                && now
                    .of(new)
                    .trim_ascii_end()
                    .last()
                    .is_some_and(|last| !b";{}".contains(last))
        };
        let mut unended = self
            .sides
            .strokes()
            .filter(|(was, now)| self.ends_lines && loses_end(was.span, now.span))
            .peekable();
        unended.peek()?;
        let starts: HashSet<usize> = after.iter().map(|it| it.span.start).collect();
        unended.find_map(|(was, now)| {
            let below = prefix::first_word(was.span.end, old)?;
            let from = before.partition_point(|it| it.span.start < below);
            let next = before.get(from).filter(|it| it.span.start == below)?;
            let place = prefix::first_word(now.span.end, new)?;
            (!starts.contains(&place)).then_some(ChangedStatement::Lost(next.span, now.span.start))
        })
    }

    /// Returns the first statement that ends without a `;`, and that would go on in content of lines of its own, which begins as a call, an
    /// index, a block, a text or a template does.
    fn taken_up(
        &self,
        (before, old): (&[Statement], &[u8]),
        (after, new): (&[Statement], &[u8]),
    ) -> Option<ChangedStatement> {
        let begins = |was: Span, now: Span| {
            let first = prefix::first_word(now.start, new).filter(|first| *first < now.end)?;
            let is_line = memchr::memrchr(b'\n', &new[..first])
                .is_some_and(|line| is_blank(&new[line + 1..first]));
            let above = old[..was.start].trim_ascii_end().len();
            let is_sign = b"([{`\"'".contains(&new[first]);
            (is_line && is_sign).then_some((first, above))
        };
        let strokes = self
            .sides
            .strokes()
            .filter(|(was, _)| !self.offside && !was.is_named);
        let begun: Vec<(usize, usize)> = strokes
            .filter_map(|(was, now)| begins(was.span, now.span))
            .collect();
        if begun.is_empty() {
            return None;
        }
        let starts: HashSet<usize> = after.iter().map(|it| it.span.start).collect();
        let mut reach: HashMap<usize, usize> = HashMap::new();
        for it in after {
            let end = reach.entry(it.span.start).or_default();
            *end = it.span.end.max(*end);
        }
        let mut ending: HashMap<usize, Vec<Span>> = HashMap::new();
        for it in before {
            ending.entry(it.span.end).or_default().push(it.span);
        }
        begun
            .into_iter()
            .filter(|(first, above)| !starts.contains(first) && !old[..*above].ends_with(b";"))
            .find_map(|(first, above)| {
                let goes_on = |span: &&Span| {
                    let start = self.moves.after(span.start);
                    reach.get(&start).is_some_and(|end| first < *end)
                };
                let ended = ending.get(&above)?.iter().find(goes_on)?;
                Some(ChangedStatement::Lost(*ended, first))
            })
    }

    /// Returns which statements beside the edits stand for something else in `after`, where they are the same.
    fn revalued(
        &self,
        before: &[Implied],
        after: impl FnOnce() -> Vec<Implied>,
    ) -> Vec<ChangedStatement> {
        if before.is_empty() {
            return Vec::new();
        }
        let after: HashMap<Span, Vec<u8>> = after()
            .into_iter()
            .map(|it| (it.span, it.stands_for))
            .collect();
        // Who gives it another name gives it no other value.
        let place = |it: &Implied| {
            let mut strokes = self.sides.strokes();
            let renamed = strokes.find(|(was, _)| was.span == it.span);
            match self.sides.old.place(it.span) {
                TouchState::Beside | TouchState::Touching | TouchState::Around => {
                    let start = self.moves.after(it.span.start);
                    Some(Span::new(start, self.moves.before(it.span.end).max(start)))
                }
                TouchState::Inside => renamed.map(|(_, now)| now.span),
            }
        };
        let revalued = before.iter().filter_map(|it| {
            let now = place(it)?;
            let start = now.start;
            (after.get(&now)? != &it.stands_for)
                .then_some(ChangedStatement::Revalued(it.span, start))
        });
        revalued.collect()
    }

    /// Returns which statements beside the edits are not the same in `after` as in `before`.
    fn changed(
        &self,
        (before, old): (&[Statement], &[u8]),
        (after, new): (&[Statement], &[u8]),
    ) -> Vec<ChangedStatement> {
        let moved = |span: Span| {
            let start = self.moves.after(span.start);
            Span::new(start, self.moves.before(span.end).max(start))
        };
        let stays = |span: Span| span;
        let edited = |side: &Touched, statements: &[Statement], moved: &dyn Fn(Span) -> Span| {
            let is_around =
                |statement: &&Statement| side.place(statement.span) == TouchState::Around;
            let around = statements.iter().filter(is_around);
            let mut edited: Vec<(usize, u16)> =
                around.map(|it| (moved(it.span).start, it.kind)).collect();
            edited.sort_unstable();
            edited
        };
        let has_open = self.offside
            || self.lists_headers
            || before
                .iter()
                .chain(after)
                .any(|statement| statement.is_open);
        let new_edited = if has_open {
            edited(&self.sides.new, after, &stays)
        } else {
            Vec::new()
        };
        let old_edited = edited(&self.sides.old, before, &moved);
        let old = beside(
            &self.sides.old,
            before,
            old,
            &moved,
            &new_edited,
            false,
            self,
        );
        let new = beside(&self.sides.new, after, new, &stays, &old_edited, true, self);
        let mut changed = differences(&old, &new);
        if !old.touching.is_empty() {
            // It may have become longer, and still begins or ends where it did.
            let starts: HashSet<usize> =
                after.iter().map(|statement| statement.span.start).collect();
            let ends: HashSet<usize> = after.iter().map(|statement| statement.span.end).collect();
            let gone = old
                .touching
                .iter()
                .filter(|(_, now)| !starts.contains(&now.start) && !ends.contains(&now.end));
            changed.extend(gone.map(|&(was, now)| ChangedStatement::Lost(was, now.start)));
            changed.extend(displaced(before, after, &old.touching));
            changed.sort_by_key(ChangedStatement::place);
        }
        changed
    }
}

/// Returns the elements in a stretch of a file.
fn elements_of(
    language: &Language,
    parent: Option<SegmentKind>,
    (stretch, bytes): (Span, &[u8]),
) -> Vec<Span> {
    moved(
        language.grammar.elements(stretch.of(bytes), parent),
        stretch,
    )
}

/// Returns what was found in a stretch where it is in the file.
fn moved(found: Vec<Span>, stretch: Span) -> Vec<Span> {
    let found = found.into_iter();
    found.map(|it| it.shifted(stretch.start)).collect()
}
