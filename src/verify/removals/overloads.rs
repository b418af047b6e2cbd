//! Overloads: several functions of one name are told apart by the types of their parameters. Which of them an overload with other
//! types was before is told by its body.

use std::collections::{HashMap, HashSet};

use super::lines::{are_mostly_in, lines_with_words};
use crate::resolve::Document;
use crate::text::{Span, diff};

/// So many pairs of overloads are compared, of so many bytes; past that the first is the first.
const MOST_PAIRS: usize = 1000;

const MOST_BYTES: usize = 256 << 10;

/// Types that share so much are the same ones, changed, where the bodies share so much.
const LEAST_ALIKE: f64 = 0.8;

const LEAST_ALIKE_OF_BODIES: f64 = 0.5;

/// One of several functions of a name.
#[derive(Clone, Debug)]
pub(super) struct Overload<'d> {
    /// Its position among the segments of its side.
    pub at: usize,
    /// Of its parameters.
    pub types: Vec<String>,
    /// Empty where it has none.
    pub body: Span,
    /// What that says.
    pub text: &'d [u8],
    /// An operation names it, or a part of it.
    pub is_target: bool,
    /// Where the end of its body stands in the new file, if no edit touches it.
    pub left: Option<usize>,
}

impl Overload<'_> {
    /// Says whether `now` is this, changed.
    ///
    /// Its types are others, so its body has to bear that out: one overload for another is lost for good, and a compiler misses it
    /// only where it is called. Where neither has a body that says anything, as in an interface, it is enough that parameters were
    /// added or taken away, that the types are nearly the same, or that an operation names it. Of one that is named and has a body,
    /// parameters that were added or taken away are enough too, for another body may come with them. They are not for what is inside
    /// of a range: `f(a, b)` in the place of `f(a)` is what overloads are. What the edit leaves of a body stays with what it is the
    /// body of.
    fn became(&self, now: &Overload<'_>) -> bool {
        let (was_lines, lines): (Vec<&[u8]>, Vec<&[u8]>) = (
            lines_with_words(self.text).collect(),
            lines_with_words(now.text).collect(),
        );
        let (fewer, more) = if self.types.len() < now.types.len() {
            (&self.types, &now.types)
        } else {
            (&now.types, &self.types)
        };
        let are_types_alike = || {
            let joined = |types: &[String]| types.join(",").into_bytes();
            fewer.len() == more.len()
                && diff::similarity(&joined(&self.types), &joined(&now.types)) >= LEAST_ALIKE
        };
        if was_lines.is_empty() && lines.is_empty() {
            return self.is_target || !fewer.is_empty() && are_in(fewer, more) || are_types_alike();
        }
        if are_types_alike() && diff::similarity(self.text, now.text) >= LEAST_ALIKE_OF_BODIES {
            return true;
        }
        let is_left = self
            .left
            .is_some_and(|left| now.body.contains(Span::at(left)));
        is_left || are_mostly_in(&was_lines, &lines) || self.is_target && are_in(fewer, more)
    }
}

/// An overload that a step gave other types.
#[derive(Clone, Debug)]
pub(super) struct ChangedOverload {
    /// What it has in common with the others: the qualified name, and what is written with it.
    pub name: (String, Option<String>),
    pub was: OverloadVersion,
    pub now: OverloadVersion,
}

/// What an overload is at one time.
#[derive(Clone, Debug)]
pub(super) struct OverloadVersion {
    types: Vec<String>,
    body: Vec<u8>,
}

impl OverloadVersion {
    pub(super) fn of(overload: &Overload<'_>) -> OverloadVersion {
        OverloadVersion {
            types: overload.types.clone(),
            body: overload.text.to_vec(),
        }
    }

    fn as_overload(&self) -> Overload<'_> {
        Overload {
            at: 0,
            types: self.types.clone(),
            body: Span::at(0),
            text: &self.body,
            is_target: true,
            left: None,
        }
    }
}

impl ChangedOverload {
    /// Says whether this is what `earlier` left.
    pub(super) fn follows(&self, earlier: &ChangedOverload) -> bool {
        self.name == earlier.name && self.was.types == earlier.now.types
    }

    /// Says whether the last version of `self` is what the first of `earlier` was, changed.
    ///
    /// Step by step a body and its types may pass over into those of another overload, each step alike to the one before.
    pub(super) fn is_since(&self, earlier: &ChangedOverload) -> bool {
        earlier.was.as_overload().became(&self.now.as_overload())
    }
}

/// Returns where the last byte of a word stands in `body`.
pub(super) fn last_word(document: &Document, body: Span) -> Option<usize> {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    body.of(&document.bytes)
        .iter()
        .rposition(is_of_word)
        .map(|at| body.start + at)
}

/// Says whether all of `types` are among `others`, in their order.
fn are_in(types: &[String], others: &[String]) -> bool {
    let mut others = others.iter();
    types
        .iter()
        .all(|wanted| others.any(|other| other == wanted))
}

/// Returns for each new overload the position of the old one that it is: one of the same types, or else one that it became. Types
/// that one of the old had are that one's, and no change of another, unless `may_repeat`: in Python a function in each arm of
/// an `if` has the types of the other.
pub(super) fn paired(
    old: &[Overload<'_>],
    new: &[Overload<'_>],
    may_repeat: bool,
) -> Vec<Option<usize>> {
    let had: HashSet<&[String]> = old
        .iter()
        .map(|overload| overload.types.as_slice())
        .collect();
    let is_copy = |now: &Overload<'_>| {
        had.contains(now.types.as_slice())
            && !(may_repeat && lines_with_words(now.text).next().is_some())
    };
    let mut same: HashMap<&[String], Vec<usize>> = HashMap::new();
    for (at, overload) in old.iter().enumerate().rev() {
        same.entry(&overload.types).or_default().push(at);
    }
    let mut pairs: Vec<Option<usize>> = new
        .iter()
        .map(|now| same.get_mut(now.types.as_slice()).and_then(Vec::pop))
        .collect();
    let mut left: Vec<usize> = same.into_values().flatten().collect();
    left.sort_unstable();
    let unpaired = || {
        pairs
            .iter()
            .zip(new)
            .filter(|(pair, _)| pair.is_none())
            .map(|(_, now)| now)
    };
    let bytes: usize = left
        .iter()
        .map(|&at| old[at].text.len())
        .chain(unpaired().map(|now| now.text.len()))
        .sum();
    let are_few = left.len() * unpaired().count() <= MOST_PAIRS && bytes <= MOST_BYTES;
    for (pair, now) in pairs
        .iter_mut()
        .zip(new)
        .filter(|(pair, now)| pair.is_none() && !is_copy(now))
    {
        let found = left
            .iter()
            .position(|&was| !are_few || old[was].became(now));
        *pair = found.map(|at| left.remove(at));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overload_is_told_by_its_types_or_else_its_body() {
        // `!` is ahead of the types of one that is named, `<` behind a body whose end no edit touches.
        let check = |old: &[(&str, &'static str)],
                     new: &[(&str, &'static str)],
                     expected: &[Option<usize>]| {
            let side = |side: &[(&str, &'static str)]| -> Vec<Overload<'static>> {
                let types = |types: &str| types.split_whitespace().map(str::to_owned).collect();
                let overload = |(at, &(of, body)): (usize, &(&str, &'static str))| {
                    let (of, is_target) = of.strip_prefix('!').map_or((of, false), |of| (of, true));
                    Overload {
                        at,
                        types: types(of),
                        body: Span::at(at),
                        text: body.as_bytes(),
                        is_target,
                        left: body.find('<').map(|_| at),
                    }
                };
                side.iter().enumerate().map(overload).collect()
            };
            assert_eq!(
                paired(&side(old), &side(new), false),
                expected,
                "{old:?} {new:?}"
            );
        };
        check(
            &[("int", "a"), ("String", "b")],
            &[("String", "b"), ("int", "c")],
            &[Some(1), Some(0)],
        );
        check(
            &[("int", "a"), ("String", "b")],
            &[("long", "a"), ("String", "b")],
            &[Some(0), Some(1)],
        );
        check(
            &[("int", "a"), ("String", "b")],
            &[("long", "c"), ("String", "b")],
            &[None, Some(1)],
        );
        check(
            &[("int", "a\nb\nc")],
            &[("long", "a\nb\nd"), ("String", "e")],
            &[Some(0), None],
        );
        check(
            &[("int", "a"), ("int int", "b")],
            &[("int int", "b"), ("int int int", "c")],
            &[Some(1), None],
        );
        check(
            &[("!int", "a"), ("int int", "b")],
            &[("int long", "c"), ("int int", "b")],
            &[Some(0), Some(1)],
        );
        check(
            &[("!int", "a"), ("int int", "b")],
            &[("long", "c"), ("int int", "b")],
            &[None, Some(1)],
        );
        check(
            &[("int", ""), ("String", "")],
            &[("int", ""), ("String int", "")],
            &[Some(0), Some(1)],
        );
        check(
            &[("int", ""), ("String", "")],
            &[("int", ""), ("long", "")],
            &[Some(0), None],
        );
        check(
            &[("(a:T)=>Observable<any>", "return of(a)"), ("int", "b")],
            &[
                ("(a:T)=>ObservableInput<any>", "return from(of(a))"),
                ("int", "b"),
            ],
            &[Some(0), Some(1)],
        );
        check(
            &[("List<String>", ""), ("int", "")],
            &[("List<Long>", ""), ("int", "")],
            &[None, Some(1)],
        );
        check(
            &[("int", ""), ("!String", "")],
            &[("int", ""), ("long", "")],
            &[Some(0), Some(1)],
        );
        check(
            &[("", ""), ("int", "")],
            &[("int", ""), ("int int", "")],
            &[Some(1), None],
        );
        check(
            &[("int", "a\nb<"), ("String", "b")],
            &[("long", "c\nb<"), ("String", "b")],
            &[Some(0), Some(1)],
        );
        check(&[("int", ""), ("int", "")], &[("int", "")], &[Some(0)]);
        check(
            &[("!int", "a\nb"), ("String", "c")],
            &[("String", "a\nb"), ("String", "c")],
            &[Some(1), None],
        );
        check(
            &[("int", ""), ("!String", "")],
            &[("int", ""), ("int", "")],
            &[Some(0), None],
        );
    }
}
