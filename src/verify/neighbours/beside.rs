//! The statements beside the edits, each with what is around it, and how those of two files differ.

use std::collections::{HashMap, HashSet};

use super::changed::ChangedStatement;
use super::guard::Guard;
use super::touched::{TouchState, Touched};
use crate::syntax::Statement;
use crate::text::digest::Digest;
use crate::text::{Span, is_blank};

/// A block or statement around others, as far as the edits leave it recognizable: offsets are those of the new file.
#[derive(Clone, Copy, Debug)]
pub(super) struct AroundEdit {
    depth: usize,
    kind: u16,
    /// Where it begins, unless a splice gave or took what stands there.
    start: Option<usize>,
    /// Which splice did.
    stroke: Option<usize>,
    /// That splice takes or gives a statement in it as well, as who writes all of it does.
    has_more_of_it: bool,
    /// Where the first of several labels in a row is that no splice gave or took: all of them have the statements below the last.
    labels: Option<usize>,
    is_header_touched: bool,
    /// Where its first line begins, on its own side, if an edit takes or gives that, and it is a clause of what is around it: `elif b:`,
    /// `} else if (b) {`.
    clause: Option<usize>,
    /// What its first line says, as a number.
    line: u64,
    /// The one around it.
    outer: Option<usize>,
    /// The innermost one, itself included, whose beginning is known.
    begun: Option<usize>,
    /// How many, itself included, have another beginning than before.
    rewritten: usize,
    /// How many of those end where something ended before, each somewhere else: of `else if` both end as one.
    open: usize,
    end: usize,
}

impl AroundEdit {
    /// Says whether `after` is what is left of it, without what a splice took at its end.
    fn is_cut_to(&self, after: &Neighbour) -> bool {
        self.start == Some(after.span.start)
            && self.kind == after.statement.kind
            && after.span.end <= self.end
    }
}

/// A statement that no edit reaches into, with its place in the new file.
struct Neighbour {
    statement: Statement,
    span: Span,
    decorated: Decorated,
    /// The innermost one around it.
    around: Option<usize>,
    /// Whether its line begins a clause of the statement above.
    is_clause: bool,
}

impl Neighbour {
    /// Says of one that is open whether `after` is what it is with something put ahead of the first statement in it: the commands below a condition of CMake,
    /// which nothing opens.
    fn became(&self, after: &AroundEdit) -> bool {
        after.kind == self.statement.kind && after.start.is_none() && after.end == self.span.end
    }
}

/// Where the decorators of a statement begin.
#[derive(Clone, Copy)]
struct Decorated {
    /// In the new file; without any, where the statement does; where the first is quoted, the end of that.
    at: usize,
    /// Whether there are any.
    any: bool,
    /// Whether an operation quotes or writes the first of them.
    is_quoted: bool,
}

impl Decorated {
    /// Says whether a statement that had these decorators has its own in `now`, and none of another.
    fn stays(self, now: Decorated) -> bool {
        match (self.is_quoted, now.is_quoted) {
            (false, false) => self.at == now.at,
            (true, false) => now.at >= self.at,
            (false, true) => !self.any || now.at <= self.at,
            (true, true) => true,
        }
    }
}

/// Returns where the decorators of a statement begin, and whether they are quoted or written on its side.
fn decorators_of(
    side: &Touched,
    statement: &Statement,
    moved: impl Fn(usize) -> usize,
) -> Decorated {
    let start = statement.decorated.min(statement.span.start);
    let quoted = side.quoting(start);
    Decorated {
        // What is taken or given is between the same bytes in both files.
        at: moved(quoted.map_or(start, |quoted| quoted.end)),
        any: start < statement.span.start,
        is_quoted: quoted.is_some() || side.decorates(start, statement.span.start),
    }
}

/// Returns the first statement that holds an edit, which leaves its beginning alone, and would have the decorators of another, or not
/// its own: another edit took what came between.
pub(super) fn redecorated(
    guard: &Guard,
    before: &[Statement],
    after: &[Statement],
) -> Option<ChangedStatement> {
    let holds_edit = |side: &Touched, it: &Statement| {
        let begins_in = |start: usize| {
            side.at(Span::at(start))
                .any(|stroke| stroke.span.start <= start && start < stroke.span.end)
        };
        side.place(it.span) == TouchState::Around && !begins_in(it.span.start)
    };
    let now: HashMap<(usize, u16), &Statement> = after
        .iter()
        .filter(|it| holds_edit(&guard.sides.new, it))
        .map(|it| ((it.span.start, it.kind), it))
        .collect();
    if now.is_empty() {
        return None;
    }
    before
        .iter()
        .filter(|it| holds_edit(&guard.sides.old, it))
        .find_map(|it| {
            let start = guard.moves.after(it.span.start);
            let same = now.get(&(start, it.kind))?;
            let was = decorators_of(&guard.sides.old, it, |at| guard.moves.after(at));
            let is = decorators_of(&guard.sides.new, same, |at| at);
            (!was.stays(is)).then_some(ChangedStatement::Redecorated(it.span, start))
        })
}

/// What one side has beside the edits.
#[derive(Default)]
pub(super) struct StatementsBeside {
    neighbours: Vec<Neighbour>,
    arounds: Vec<AroundEdit>,
    /// The kinds of the statements that splices take or give as a whole, each with the number of the splice.
    inside: HashSet<(usize, u16)>,
    /// The place, old and new, of statements that bytes somebody named are at the edge of.
    pub(super) touching: Vec<(Span, Span)>,
}

/// Returns the outermost statements that no edit reaches into, and what is around them.
///
/// Where indentation is syntax, a block ends with its last statement, and so does a `case`, so that to add one below it is to change
/// it; and where the first part of a header may go, the block begins with the next. So what the other side has in `edited` is looked
/// into here, too; in the new file in each language, because what an edit takes the end of is beside it there.
pub(super) fn beside(
    side: &Touched,
    statements: &[Statement],
    bytes: &[u8],
    moved: &dyn Fn(Span) -> Span,
    edited: &[(usize, u16)],
    is_new: bool,
    &Guard {
        offside,
        lists_headers,
        falls_through,
        ..
    }: &Guard,
) -> StatementsBeside {
    let labels = if falls_through {
        first_labels(side, statements, moved)
    } else {
        HashMap::new()
    };
    let mut found = StatementsBeside::default();
    let mut innermost: Option<usize> = None;
    // What is deeper is a part of something that was dealt with.
    let mut done: Option<usize> = None;
    for (at, statement) in statements.iter().enumerate() {
        if done.is_some_and(|depth| statement.depth > depth) {
            continue;
        }
        done = Some(statement.depth);
        while let Some(outer) = innermost
            .and_then(|at| found.arounds.get(at))
            .filter(|it| it.depth >= statement.depth)
        {
            innermost = outer.outer;
        }
        let first_inside = statements
            .get(at + 1)
            .filter(|next| next.depth > statement.depth);
        let now = moved(statement.span);
        // One that an edit took the end of ends above that.
        let may_change =
            statement.is_open || (offside || lists_headers || is_new) && first_inside.is_some();
        let is_edited = || may_change && edited.binary_search(&(now.start, statement.kind)).is_ok();
        match side.place(statement.span) {
            TouchState::Inside => {
                let stroke = side.number_at(statement.span.start);
                found
                    .inside
                    .extend(stroke.map(|stroke| (stroke, statement.kind)));
                if let Some(around) = innermost.and_then(|at| found.arounds.get_mut(at)) {
                    around.has_more_of_it |= stroke.is_some() && around.stroke == stroke;
                }
                continue;
            }
            TouchState::Beside if !is_edited() => {
                let decorated = decorators_of(side, statement, |at| moved(Span::at(at)).start);
                found.neighbours.push(Neighbour {
                    statement: *statement,
                    span: now,
                    decorated,
                    around: innermost,
                    is_clause: clause_line(statement.span.start, bytes).is_some(),
                });
                continue;
            }
            TouchState::Touching => found.touching.push((statement.span, now)),
            TouchState::Beside | TouchState::Around => {}
        }
        done = None;
        let header = Span::new(
            statement.span.start,
            first_inside.map_or(statement.span.end, |it| it.span.start),
        );
        // The indentation of the first statement in it is a part of that line.
        let header = Span::new(
            header.start,
            header.start + header.of(bytes).trim_ascii_end().len(),
        );
        let outer = innermost.and_then(|at| found.arounds.get(at));
        let start = (!side.is_touched(statement.span.start)).then_some(now.start);
        // Blanks alone end nothing that something else begins, unless they are syntax.
        let says = |offset: usize| {
            let mut strokes = side.at(Span::at(offset));
            strokes.any(|stroke| !is_blank(stroke.span.of(bytes)))
        };
        let is_ended = if !offside && says(statement.span.start) {
            says(statement.span.end)
        } else {
            side.is_touched(statement.span.end)
        };
        let is_open = start.is_none() && !is_ended;
        let is_another_end = || {
            offside
                || statement.is_open
                || outer.is_none_or(|outer| outer.end != now.end || outer.start.is_some())
        };
        let around = AroundEdit {
            depth: statement.depth,
            kind: statement.kind,
            start,
            stroke: side
                .number_at(statement.span.start)
                .filter(|_| start.is_none()),
            has_more_of_it: false,
            labels: labels.get(&at).copied(),
            is_header_touched: side.at(header).next().is_some(),
            clause: clause_line(statement.span.start, bytes)
                .filter(|line| start.is_none() && outer.is_none_or(|it| it.clause != Some(*line))),
            line: line_digest(statement.span.start, bytes),
            outer: innermost,
            begun: if start.is_some() {
                Some(found.arounds.len())
            } else {
                outer.and_then(|outer| outer.begun)
            },
            rewritten: outer.map_or(0, |outer| outer.rewritten) + usize::from(start.is_none()),
            open: outer.map_or(0, |outer| outer.open) + usize::from(is_open && is_another_end()),
            end: now.end,
        };
        innermost = Some(found.arounds.len());
        found.arounds.push(around);
    }
    found
}

/// Returns `innermost` as it would be if the clauses that it is in, or is one of, were in nothing but what is around their statements; `None`
/// where no edit takes or gives such a clause.
fn freed(all: &[AroundEdit], innermost: &AroundEdit) -> Option<AroundEdit> {
    let outer = |it: &AroundEdit| it.outer.and_then(|at| all.get(at));
    let mut found = None;
    let mut at = innermost;
    while let Some(around) = outer(at).filter(|_| at.start.is_none()) {
        if at.clause.is_some() && around.end == at.end {
            let beyond = outer(around);
            let mut freed = found.unwrap_or(*innermost);
            freed.rewritten -= usize::from(around.start.is_none());
            freed.open -= around.open - beyond.map_or(0, |it| it.open);
            if around.start.is_some() {
                freed.begun = beyond.and_then(|it| it.begun);
            }
            found = Some(freed);
        }
        at = around;
    }
    found
}

/// Returns the statement that `innermost` is a clause of, as far as edits take or give it, or itself.
fn statement_of<'a>(all: &'a [AroundEdit], innermost: &'a AroundEdit) -> &'a AroundEdit {
    let mut at = innermost;
    while at.start.is_none()
        && let Some(outer) = at.outer.and_then(|outer| all.get(outer))
        && outer.end == at.end
        && (at.clause.is_some() || outer.clause.is_some())
    {
        at = outer;
    }
    at
}

/// Says whether what `innermost` holds is a clause of another statement than `was`, which an edit takes and gives back: a dangling `else`.
fn is_of_another(all: &[AroundEdit], innermost: &AroundEdit, was: &AroundEdit) -> bool {
    let now = statement_of(all, innermost);
    let mut outwards =
        std::iter::successors(now.outer, |at| all.get(*at)?.outer).filter_map(|at| all.get(at));
    was.start.is_none()
        && now.start.is_none()
        && now.line != was.line
        && outwards.any(|it| it.start.is_none() && it.line == was.line)
}

/// So many bytes of a line are looked at: a file may be one line with all its statements.
const FIRST_WORDS: usize = 256;

/// Returns what the line of `offset` says from there on, as a number.
fn line_digest(offset: usize, bytes: &[u8]) -> u64 {
    let near = &bytes[offset..bytes.len().min(offset + FIRST_WORDS)];
    let line = near.split(|&byte| byte == b'\n').next();
    Digest::of(line.unwrap_or_default().trim_ascii())
}

/// Returns where the line of `offset` begins, or of the `else` before it, if it begins a clause of a statement.
pub(super) fn clause_line(offset: usize, bytes: &[u8]) -> Option<usize> {
    let above = bytes[..offset].trim_ascii_end();
    let is_word = above.strip_suffix(b"else").is_some_and(|rest| {
        !rest
            .last()
            .is_some_and(|last| last.is_ascii_alphanumeric() || *last == b'_')
    });
    let offset = if is_word { above.len() } else { offset };
    let from = offset.saturating_sub(FIRST_WORDS);
    let start = match memchr::memrchr(b'\n', &bytes[from..offset]) {
        Some(at) => from + at + 1,
        None if from == 0 => 0,
        None => return None,
    };
    begins_clause(&bytes[start..]).then_some(start)
}

/// Says whether `text` begins with a clause of the statement above it, after the end of the block that is there.
pub(super) fn begins_clause(text: &[u8]) -> bool {
    const CLAUSES: [&[u8]; 5] = [b"elif", b"else", b"except", b"catch", b"finally"];
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"}").unwrap_or(text).trim_ascii_start();
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let word = text.iter().take_while(is_of_word).count();
    CLAUSES.contains(&&text[..word])
}

/// Says whether the last line of `text` begins a clause.
pub(super) fn ends_in_clause(text: &[u8]) -> bool {
    let last = text.trim_ascii_end().rsplit(|&byte| byte == b'\n').next();
    last.is_some_and(begins_clause)
}

/// Returns, for each case by its position, where the first label is that stands for its statements and that no splice gave or took.
fn first_labels(
    side: &Touched,
    statements: &[Statement],
    moved: &dyn Fn(Span) -> Span,
) -> HashMap<usize, usize> {
    let mut found: HashMap<usize, usize> = HashMap::new();
    // The case above, while there is nothing in it but its label.
    let mut empty: Option<(usize, Statement)> = None;
    let mut last: Option<(usize, Statement)> = None;
    for (at, statement) in statements.iter().enumerate() {
        if !statement.is_open {
            empty = empty.filter(|(_, case)| statement.span.start == case.span.start);
            // A whole case that was put into another, or taken from there, shares nothing with what is left of that.
            let is_exchanged = empty.is_none() && side.place(statement.span) == TouchState::Inside;
            if let Some((at, case)) = last.filter(|_| is_exchanged)
                && side.is_touched(case.span.start)
            {
                found.remove(&at);
            }
            continue;
        }
        let above = empty.filter(|(_, case)| case.depth == statement.depth);
        let own = || (!side.is_touched(statement.span.start)).then(|| moved(statement.span).start);
        let first = above
            .and_then(|(above, _)| found.get(&above).copied())
            .or_else(own);
        found.extend(first.map(|first| (at, first)));
        last = Some((at, *statement));
        empty = last;
    }
    found
}

/// Returns the directives and docstrings among the statements at the edge of what an operation names, (old, new) place, that are
/// none any more.
pub(super) fn displaced(
    before: &[Statement],
    after: &[Statement],
    touching: &[(Span, Span)],
) -> Vec<ChangedStatement> {
    let leading = |statements: &[Statement]| {
        let leads = statements.iter().filter(|statement| statement.leads);
        leads
            .map(|statement| statement.span)
            .collect::<HashSet<Span>>()
    };
    let (led, leads) = (leading(before), leading(after));
    let spans: HashSet<Span> = after.iter().map(|statement| statement.span).collect();
    let displaced = touching
        .iter()
        .filter(|(was, now)| led.contains(was) && spans.contains(now) && !leads.contains(now));
    displaced
        .map(|&(was, now)| ChangedStatement::Displaced(was, now.start))
        .collect()
}

/// Compares neighbours in the order in which they stand.
pub(super) fn differences(old: &StatementsBeside, new: &StatementsBeside) -> Vec<ChangedStatement> {
    let lost = |neighbour: &Neighbour| {
        ChangedStatement::Lost(neighbour.statement.span, neighbour.span.start)
    };
    let mut chains = Chains {
        old: &old.arounds,
        new: &new.arounds,
        inside: &old.inside,
        alike: HashMap::new(),
    };
    let mut changed = Vec::new();
    let mut grown: Vec<Span> = Vec::new();
    let (mut befores, mut afters) = (
        old.neighbours.iter().peekable(),
        new.neighbours.iter().peekable(),
    );
    loop {
        match (befores.peek(), afters.peek()) {
            (Some(before), _)
                if before.statement.is_open
                    && new.arounds.iter().any(|around| before.became(around)) =>
            {
                grown.push(before.span);
                befores.next();
            }
            (Some(before), Some(after)) if before.span == after.span => {
                if !chains.is_same(before, after) {
                    changed.push(lost(before));
                } else if !before.decorated.stays(after.decorated) {
                    changed.push(ChangedStatement::Redecorated(
                        before.statement.span,
                        before.span.start,
                    ));
                } else if before.statement.leads != after.statement.leads {
                    changed.push(ChangedStatement::Displaced(
                        before.statement.span,
                        before.span.start,
                    ));
                }
                befores.next();
                afters.next();
            }
            (Some(before), after) if after.is_none_or(|after| before.span <= after.span) => {
                changed.push(lost(before));
                befores.next();
            }
            (_, Some(after)) if grown.iter().any(|span| span.contains(after.span)) => {
                afters.next();
            }
            (_, Some(after)) => {
                if !old.arounds.iter().any(|around| around.is_cut_to(after)) {
                    changed.push(ChangedStatement::Appeared(after.span));
                }
                afters.next();
            }
            (_, None) => break,
        }
    }
    // Of both, what was there before tells more.
    let was_there = |change: &ChangedStatement| !matches!(change, ChangedStatement::Appeared(_));
    if changed.iter().any(was_there) {
        changed.retain(was_there);
    }
    changed
}

/// What stands around the neighbours on both sides.
struct Chains<'a> {
    old: &'a [AroundEdit],
    new: &'a [AroundEdit],
    /// What splices take as a whole.
    inside: &'a HashSet<(usize, u16)>,
    /// What was found of two of them and all that is around those, so that deep nesting is climbed once.
    alike: HashMap<(usize, usize), bool>,
}

impl Chains<'_> {
    /// Says whether a statement is of the same kind and in the same blocks as before. What was written around a statement,
    /// or taken from around it, at both its ends, was meant to be.
    fn is_same(&mut self, before: &Neighbour, after: &Neighbour) -> bool {
        let old = before.around.and_then(|at| self.old.get(at));
        let new = after.around.and_then(|at| self.new.get(at));
        // The members of what is another thing now, because its header was edited, are called otherwise.
        let is_renamed = [old, new]
            .into_iter()
            .flatten()
            .any(|around| around.is_header_touched);
        if before.statement.kind != after.statement.kind && !is_renamed {
            return false;
        }
        if before.is_clause
            && after.is_clause
            && let (Some(old), Some(new)) = (old, new)
            && is_of_another(self.new, new, statement_of(self.old, old))
        {
            return false;
        }
        if let (Some(old), Some(new)) = (old, new)
            && self.is_handed_over(old, new)
        {
            return false;
        }
        if self.are_both_around(old, new) {
            return true;
        }
        // Another label may be the last of those that stand for it.
        let (Some(old), Some(new)) = (old, new) else {
            return false;
        };
        let outer = |all: &'_ [AroundEdit], around: &AroundEdit| {
            around.outer.and_then(|at| all.get(at).copied())
        };
        let (outer_old, outer_new) = (outer(self.old, old), outer(self.new, new));
        if old.labels.is_some() && old.labels == new.labels {
            return self.are_both_around(outer_old.as_ref(), outer_new.as_ref());
        }
        // The last clause of a statement stays that, whatever clauses there are above it.
        if before.is_clause && after.is_clause {
            let (old, new) = (statement_of(self.old, old), statement_of(self.new, new));
            return self.are_both_around(Some(old), Some(new));
        }
        // A block may become a clause of the statement above it, and a clause a block.
        match (freed(self.old, old), freed(self.new, new)) {
            (None, Some(new)) => self.are_both_around(Some(old), Some(&new)),
            (Some(old), None) => self.are_both_around(Some(&old), Some(new)),
            _ => false,
        }
    }

    /// Says whether what stood in `old`, of which one splice took the beginning, is in `new`, of which another splice changed the beginning,
    /// or what is right before it: that was there, and did not hold it; or all of `new` was written there.
    fn is_handed_over(&self, old: &AroundEdit, new: &AroundEdit) -> bool {
        let (Some(taken), Some(given)) = (old.stroke, new.stroke) else {
            return false;
        };
        let outer = |around: &&AroundEdit| self.old.get(around.outer?);
        let was_around =
            || std::iter::successors(Some(old), outer).any(|around| around.stroke == Some(given));
        let was_there = || {
            self.inside.contains(&(given, new.kind))
                || self
                    .old
                    .iter()
                    .any(|around| around.stroke == Some(given) && around.kind == new.kind)
        };
        taken != given && !was_around() && (new.has_more_of_it || was_there())
    }

    /// Says whether two blocks may be around the same statement: what edits left of their beginnings, and of those around them, is the
    /// same, and none begins or ends in only one of the files.
    fn are_both_around(&mut self, old: Option<&AroundEdit>, new: Option<&AroundEdit>) -> bool {
        let open = |around: Option<&AroundEdit>| around.map_or(0, |around| around.open);
        let rewritten = |around: Option<&AroundEdit>| around.map_or(0, |around| around.rewritten);
        open(new) <= rewritten(old)
            && open(old) <= rewritten(new)
            && self.are_alike(
                old.and_then(|around| around.begun),
                new.and_then(|around| around.begun),
            )
    }

    /// Says whether two blocks, and those around them, are the same as far as the edits left their beginnings.
    fn are_alike(&mut self, mut old: Option<usize>, mut new: Option<usize>) -> bool {
        let mut climbed = Vec::new();
        let alike = loop {
            let (Some(was), Some(now)) = (old, new) else {
                break old.is_none() && new.is_none();
            };
            if let Some(&known) = self.alike.get(&(was, now)) {
                break known;
            }
            let (Some(one), Some(other)) = (self.old.get(was), self.new.get(now)) else {
                break false;
            };
            climbed.push((was, now));
            let is_kind_kept =
                one.kind == other.kind || one.is_header_touched || other.is_header_touched;
            if one.start != other.start || !is_kind_kept {
                break false;
            }
            let begun = |all: &[AroundEdit], around: &AroundEdit| {
                all.get(around.outer?).and_then(|outer| outer.begun)
            };
            (old, new) = (begun(self.old, one), begun(self.new, other));
        };
        self.alike
            .extend(climbed.into_iter().map(|pair| (pair, alike)));
        alike
    }
}
