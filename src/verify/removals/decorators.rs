//! Decorators and attributes of definitions that stay. They are no definitions, and what they do (`#[test]`, `@app.route`) no other
//! check would miss.

use std::collections::HashMap;

use super::attached::decorations_of;
use super::exchange::{Came, Gone};
use super::words::as_word;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Part, Selector};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::{Definition, Document};
use crate::syntax::{Decoration, DecorationKind};
use crate::text::Span;
use crate::text::splice::{OffsetShift, Splices};

/// A decorator that goes from a definition that stays.
#[derive(Clone, Debug)]
pub struct Decorator {
    path: RepoPath,
    /// Its first line.
    text: String,
    /// The address of its definition within the file.
    of: String,
    /// 1-based.
    line: usize,
    operation: usize,
    /// The range began before the definition, and ended before its header.
    is_overrun: bool,
    /// What takes it gives it again, to something else.
    is_handed_on: bool,
}

/// Returns the decorators that the edit takes from definitions that `new` still has, of which none of the name is left there,
/// and no other has come.
pub(super) fn gone(
    edit: &FileEdit,
    splices: &Splices,
    (old, old_named): (&Document, &[Definition<'_>]),
    (new, new_named): (&Document, &[Definition<'_>]),
    renamed: &[(usize, usize)],
) -> Vec<Decorator> {
    let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let taken = |decoration: &&Decoration| {
        let from = touched.partition_point(|splice| splice.end <= decoration.span.start);
        decoration.sort == DecorationKind::Decorator
            && touched
                .get(from)
                .is_some_and(|splice| splice.overlaps(decoration.span))
    };
    let robbed: Vec<(&Definition<'_>, Vec<&Decoration>)> = old_named
        .iter()
        .map(|named| {
            (
                named,
                named
                    .symbol
                    .decorations
                    .iter()
                    .filter(taken)
                    .collect::<Vec<_>>(),
            )
        })
        .filter(|(_, taken)| !taken.is_empty())
        .collect();
    if robbed.is_empty() {
        return Vec::new();
    }

    let heirs = Heirs::of(splices, old_named, new_named, renamed);
    let mut gone = Vec::new();
    for (was, taken) in robbed {
        let Some(heir) = heirs.heir(was, &touched) else {
            continue;
        };
        // As many as before: one was exchanged for another.
        if decorations_of(heir).count() >= decorations_of(was).count() {
            continue;
        }
        let mut has: HashMap<&[u8], usize> = HashMap::new();
        for name in decorations_of(heir).map(|decoration| name(decoration.span.of(&new.bytes))) {
            *has.entry(name).or_default() += 1;
        }
        // Those that stay have theirs first.
        for kept in decorations_of(was)
            .filter(|decoration| !taken.iter().any(|taken| taken.span == decoration.span))
        {
            if let Some(left) = has.get_mut(name(kept.span.of(&old.bytes))) {
                *left = left.saturating_sub(1);
            }
        }
        let first = decorations_of(was)
            .next()
            .map_or(was.symbol.definition.start, |first| first.span.start);
        for decoration in taken {
            let text = decoration.span.of(&old.bytes);
            match has.get_mut(name(text)) {
                Some(left) if *left > 0 => *left -= 1,
                _ => {
                    let Some((claim, operation)) = claim_on(edit, decoration.span) else {
                        continue;
                    };
                    let begins_before = !old
                        .bytes
                        .get(claim.start..first)
                        .unwrap_or_default()
                        .trim_ascii()
                        .is_empty();
                    let writes_before =
                        || writes_ahead(splices, decoration.span, heir.symbol.whole().start, new);
                    gone.push(Decorator {
                        path: edit.path.clone(),
                        text: first_line(text),
                        of: was.address(),
                        line: old.lines().line(decoration.span.start),
                        operation,
                        is_overrun: claim.end <= was.symbol.definition.start
                            && (begins_before || writes_before()),
                        is_handed_on: is_given(
                            splices,
                            decoration.span,
                            (old, old_named),
                            (new, new_named),
                        ) || has_new_before(
                            splices,
                            decoration.span,
                            old_named,
                            (new_named, heir),
                        ),
                    });
                }
            }
        }
    }
    gone
}

/// What definitions became.
pub(super) struct Heirs<'n, 'a> {
    by_name: HashMap<(&'n str, usize), &'n Definition<'a>>,
    by_place: HashMap<usize, &'n Definition<'a>>,
    /// By the name that they had, those that have another.
    renamed: HashMap<(&'n str, usize), &'n Definition<'a>>,
    moves: OffsetShift,
}

impl<'n, 'a> Heirs<'n, 'a> {
    /// Takes the positions before and after of those that have another name.
    pub(super) fn of(
        splices: &Splices,
        old_named: &'n [Definition<'_>],
        new_named: &'n [Definition<'a>],
        renamed: &[(usize, usize)],
    ) -> Heirs<'n, 'a> {
        // Of two that begin at one place, the outer.
        let by_place = new_named
            .iter()
            .rev()
            .map(|named| (named.symbol.definition.start, named))
            .collect();
        let by_name = new_named
            .iter()
            .map(|named| ((named.qualified.as_str(), named.index), named))
            .collect();
        let pair = |&(was, now): &(usize, usize)| {
            let was = old_named.get(was)?;
            Some(((was.qualified.as_str(), was.index), new_named.get(now)?))
        };
        let renamed = renamed.iter().filter_map(pair).collect();
        Heirs {
            by_name,
            by_place,
            renamed,
            moves: splices.moves(),
        }
    }

    /// Returns what a definition became: what is in its place, where no splice takes its first word, else what has its name, or the
    /// one that it has now.
    pub(super) fn heir(
        &self,
        was: &Definition<'_>,
        touched: &[Span],
    ) -> Option<&'n Definition<'a>> {
        let start = was.symbol.definition.start;
        let from = touched.partition_point(|splice| splice.end <= start);
        let is_kept = touched.get(from).is_none_or(|splice| start < splice.start);
        let in_place = self
            .by_place
            .get(&self.moves.after(start))
            .filter(|heir| heir.symbol.name == was.symbol.name);
        let named = || {
            self.by_name
                .get(&(was.qualified.as_str(), was.index))
                .filter(|heir| heir.twins == was.twins)
        };
        let renamed = || self.renamed.get(&(was.qualified.as_str(), was.index));
        in_place
            .filter(|_| is_kept)
            .or_else(named)
            .or_else(renamed)
            .copied()
    }
}

/// Says whether a splice that takes a decorator at `span` writes something ahead of the definition that begins at `start` now,
/// decorators and comments included.
fn writes_ahead(splices: &Splices, span: Span, start: usize, new: &Document) -> bool {
    let written = splices
        .with_new_spans()
        .filter(|(splice, _)| splice.span.overlaps(span));
    let mut ahead = written.map(|(_, now)| Span::new(now.start, now.end.min(start).max(now.start)));
    ahead.any(|ahead| !ahead.of(&new.bytes).trim_ascii().is_empty())
}

/// Says whether a splice that takes the decorator at `span` gives as many of the same name as it takes: who puts a definition of the
/// same sort above this one writes other arguments.
fn is_given(
    splices: &Splices,
    span: Span,
    (old, old_named): (&Document, &[Definition<'_>]),
    (new, new_named): (&Document, &[Definition<'_>]),
) -> bool {
    let called = name(span.of(&old.bytes));
    let count = |named: &[Definition<'_>], range: Span, bytes: &[u8]| {
        let is_same =
            |it: &&Decoration| range.overlaps(it.span) && name(it.span.of(bytes)) == called;
        named
            .iter()
            .flat_map(decorations_of)
            .filter(is_same)
            .count()
    };
    let mut taking = splices
        .with_new_spans()
        .filter(|(splice, _)| splice.span.overlaps(span));
    taking.any(|(splice, written)| {
        count(new_named, written, &new.bytes) >= count(old_named, splice.span, &old.bytes)
    })
}

/// Says whether a splice that takes the decorator at `span` brings another definition before `heir`: it has the place of what it
/// takes, whatever it is decorated with.
fn has_new_before(
    splices: &Splices,
    span: Span,
    old_named: &[Definition<'_>],
    (new_named, heir): (&[Definition<'_>], &Definition<'_>),
) -> bool {
    let start = heir.symbol.definition.start;
    let beginning = |named: &[Definition<'_>], range: Span, end: usize| {
        let begins = |it: &&Definition<'_>| {
            let definition = it.symbol.definition;
            range.start <= definition.start && definition.start < end.min(range.end)
        };
        named.iter().filter(begins).count()
    };
    let mut taking = splices
        .with_new_spans()
        .filter(|(splice, _)| splice.span.overlaps(span));
    taking.any(|(splice, written)| {
        written.contains(Span::at(start))
            && beginning(new_named, written, start) > 0
            && beginning(new_named, written, written.end)
                > beginning(old_named, splice.span, splice.span.end)
    })
}

/// Returns the decorators that a definition which the batch puts elsewhere, or gives another name, has there no more.
pub(super) fn gone_on_the_way<'g>(
    gone: &'g Gone,
    came: &Came,
) -> impl Iterator<Item = Decorator> + use<'g> {
    let (was, now) = (&gone.attached.decorators, &came.attached.decorators);
    let is_outside = came.around.is_empty() && !gone.around.is_empty();
    let is_elsewhere = gone.path != came.path || gone.around != came.around;
    let mut lost = left_out((was, gone.file()), (now, came.file()));
    // What speaks of a class says nothing outside of it.
    lost.retain(|span| {
        let name = name(span.of(gone.file()));
        !(is_outside && OF_MEMBERS.contains(&name) || is_elsewhere && OF_HEIRS.contains(&name))
    });
    let taken = gone
        .taken
        .iter()
        .filter(move |(span, _)| lost.contains(span));
    taken.map(|&(span, operation)| Decorator {
        path: gone.path.clone(),
        text: first_line(span.of(gone.file())),
        of: gone.address().to_owned(),
        line: line_at(gone.file(), span.start),
        operation,
        is_overrun: false,
        is_handed_on: false,
    })
}

/// Returns those of the decorators before that are not among those after, if these are fewer: else one was exchanged for another.
pub(super) fn left_out(
    (before, old): (&[Span], &[u8]),
    (after, new): (&[Span], &[u8]),
) -> Vec<Span> {
    if after.len() >= before.len() {
        return Vec::new();
    }
    let mut has: Vec<&[u8]> = after.iter().map(|span| name(span.of(new))).collect();
    let mut is_lost = |span: &&Span| match has.iter().position(|has| *has == name(span.of(old))) {
        Some(at) => {
            has.swap_remove(at);
            false
        }
        None => true,
    };
    before
        .iter()
        .filter(|span| is_lost(span))
        .copied()
        .collect()
}

/// Decorators that a function has because it is in a class.
const OF_MEMBERS: [&[u8]; 5] = [
    b"@staticmethod",
    b"@classmethod",
    b"@property",
    b"@abstractmethod",
    b"@abc.abstractmethod",
];

/// Decorators that a method has because its class is another's heir.
const OF_HEIRS: [&[u8]; 4] = [
    b"@Override",
    b"@override",
    b"@typing.override",
    b"@typing_extensions.override",
];

/// Returns the first line of a decorator.
fn first_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text.split(|&byte| byte == b'\n').next().unwrap_or_default())
        .trim_end()
        .to_owned()
}

/// Returns the 1-based line of an offset in a file.
pub(super) fn line_at(file: &[u8], offset: usize) -> usize {
    memchr::memchr_iter(b'\n', file.get(..offset).unwrap_or_default()).count() + 1
}

/// Returns what a decorator is called: what comes before its arguments.
fn name(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"]").unwrap_or(text);
    let key_of_tag = memchr::memmem::find(text, b":\"");
    let end = key_of_tag.or_else(|| {
        text.iter()
            .position(|byte| matches!(byte, b'(' | b'=' | b'\n' | b' '))
    });
    text.get(..end.unwrap_or(text.len()))
        .unwrap_or_default()
        .trim_ascii()
}

/// Returns what an operation claims that holds a part of `span`.
fn claim_on(edit: &FileEdit, span: Span) -> Option<(Span, usize)> {
    edit.claims
        .iter()
        .copied()
        .find(|(claim, _)| claim.overlaps(span))
}

impl Decorator {
    /// Returns the attribute at `span`, if an operation claims it, as one of the member that `of` says.
    pub(super) fn of_member(
        edit: &FileEdit,
        old: &Document,
        span: Span,
        of: String,
    ) -> Option<Decorator> {
        let (_, operation) = claim_on(edit, span)?;
        let line = old.lines().line(span.start);
        let text = first_line(span.of(&old.bytes));
        Some(Decorator {
            path: edit.path.clone(),
            text,
            of,
            line,
            operation,
            is_overrun: false,
            is_handed_on: false,
        })
    }

    /// Says whether `other` is the same one.
    pub(super) fn is_same(&self, other: &Decorator) -> bool {
        self.path == other.path && self.line == other.line && self.text == other.text
    }

    /// Returns what there is to say: a refusal of what a range took in passing, and a warning of what content lacks, or of what may go
    /// with whatever goes. Nothing of what an operation quotes and gives nothing else, or allows by name.
    pub fn complaint(&self, operations: &[Operation]) -> Option<(Complaint, Diagnostic)> {
        let operation = operations.get(self.operation)?;
        // Who names the decorator means it.
        let is_quoted = operation
            .scoped()
            .is_some_and(|scoped| matches!(scoped.selector, Selector::Text(_)))
            || matches!(operation.part(), Some(Part::Item(..)));
        let (is_allowed, is_named) = match &operation.allow_remove {
            AllowRemove::Nothing => (false, false),
            AllowRemove::Everything => (true, false),
            AllowRemove::Named(names) => (
                false,
                names.contains(&self.of) || names.contains(&self.text),
            ),
        };
        if is_quoted && !self.is_handed_on && !self.is_overrun || is_named {
            return None;
        }
        let (path, text, of, line) = (&self.path, shown(&self.text), shown(&self.of), self.line);
        // What a quotation hands on, the check of neighbours refuses in words of its own.
        let is_judged_elsewhere = is_quoted && self.is_handed_on;
        Some(if self.is_overrun && !is_allowed && !is_judged_elsewhere {
            let message = format!(
                "{path} would lose `{text}` of `{of}` (line {line}), which is beside what was asked for"
            );
            let diagnostic = Diagnostic::new(Code::WouldRemove, message).note(format!(
                "keep it in the content, or allow it: `allow_remove: [{}]` (`--allow-remove`)",
                as_word(&self.text)
            ));
            (Complaint::Refusal, diagnostic.of_operation(self.operation))
        } else {
            let message = format!("`{text}` of `{of}`, at line {line} of {path}, goes");
            (
                Complaint::Warning,
                Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation),
            )
        })
    }
}

/// How much there is against a decorator that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// A range took it in passing.
    Refusal,
    /// It was replaced, or left out.
    Warning,
}
