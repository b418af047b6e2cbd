//! Blocks that are joined by a slip: a quotation goes from one block into the first line of the next, and the content gives that line, and
//! the end before it, not back. What was below the line would be in the first block.
//!
//! Example: of `.a { … }⏎.b {` only `.a {` is given back, without its end: the declarations of `.b` would be those of `.a`. A loop whose
//! first line is quoted below an `if` and forgotten would be the rest of that.
//!
//! Where the first line that is left has the words of both, as in `with a, b:`, the two are meant to be one. Nor is it a slip where the content ends with a line that opens a block of its own, such as `} else {`.
//!
//! Known limits: whose first line is given back is told by its words. Keys are looked at in `moved`.

use std::cell::OnceCell;

use super::beside::clause_line;
use super::changed::ChangedStatement;
use super::guard::Guard;
use super::tails::{Construct, MOST_COMPARED, TailKind, beginning_in, crossing, words, words_kept};
use super::touched::Stroke;

/// The constructs of one side, in the order in which they begin.
struct Nested<'c> {
    all: &'c [Construct],
    bytes: &'c [u8],
    /// Of each, the one that it is in.
    parents: OnceCell<Vec<Option<usize>>>,
}

impl<'c> Nested<'c> {
    fn of((all, bytes): (&'c [Construct], &'c [u8])) -> Nested<'c> {
        Nested {
            all,
            bytes,
            parents: OnceCell::new(),
        }
    }

    /// Returns those beginning in `stroke` that are in what `one` is in, and itself.
    fn beside(&self, one: Construct, stroke: Stroke) -> Vec<Construct> {
        let own = self.parent(one);
        beginning_in(self.all, stroke.span)
            .iter()
            .take(MOST_COMPARED)
            .filter(|it| self.parent(**it) == own)
            .copied()
            .collect()
    }

    fn parent(&self, one: Construct) -> Option<usize> {
        let from = self
            .all
            .partition_point(|it| it.span.start < one.span.start);
        let begun = self.all[from..]
            .iter()
            .take_while(|it| it.span.start == one.span.start);
        let at = from + begun.take_while(|it| it.span != one.span).count();
        self.parents
            .get_or_init(|| parents(self.all))
            .get(at)
            .copied()
            .flatten()
    }
}

/// Returns, for each construct, the index of the innermost one that holds it.
fn parents(all: &[Construct]) -> Vec<Option<usize>> {
    let mut around: Vec<usize> = Vec::new();
    let mut found = Vec::with_capacity(all.len());
    for (index, one) in all.iter().enumerate() {
        while around
            .last()
            .is_some_and(|&last| all[last].span.end < one.span.end)
        {
            around.pop();
        }
        found.push(around.last().copied());
        around.push(index);
    }
    found
}

/// Returns the construct, of `before`, whose first line a splice takes and does not give again, where another that was quoted with it
/// has what remains of it.
pub(super) fn joined(
    guard: &Guard,
    before: (&[Construct], &[u8]),
    after: (&[Construct], &[u8]),
) -> Option<ChangedStatement> {
    let (before, after) = (Nested::of(before), Nested::of(after));
    let mut quoting = guard.sides.strokes().filter(|(was, _)| !was.is_named);
    quoting.find_map(|stroke| {
        let cut = crossing(before.all, stroke.0.span, before.bytes);
        cut.into_iter().find_map(|one| {
            heir(guard, one, stroke, (&before, &after))
                .map(|heir| ChangedStatement::PassedOn(one.span, heir.span.start))
        })
    })
}

/// Returns the construct of the content that has what remains of `one`, where it is one that was quoted above that.
fn heir(
    guard: &Guard,
    one: Construct,
    (was, now): (Stroke, Stroke),
    (before, after): (&Nested<'_>, &Nested<'_>),
) -> Option<Construct> {
    let (old, new) = (before.bytes, after.bytes);
    let own = one.header(old);
    let end = guard.moves.after(one.span.end);
    let is_like = |header: &[u8], it: &Construct| {
        if guard.lists_headers {
            // A rule of CSS and one for a medium are alike: both have a block.
            return header.contains(&b'{');
        }
        // Of elements, the name is their sort.
        it.sort == one.sort
            && (one.sort != TailKind::Item || words(header).first() == words(own).first())
    };

    let quoted = before.beside(one, was);
    let mut ending = beginning_in(after.all, now.span)
        .iter()
        .filter(|it| it.span.end == end);
    let is_possible = |heir: &&Construct| {
        is_like(heir.header(new), heir) || quoted.iter().any(|it| it.sort == heir.sort)
    };
    let heir = *ending.find(is_possible)?;
    let given = after.beside(heir, now);
    let like = quoted.iter().filter(|it| is_like(it.header(old), it));
    let given_like = given.iter().filter(|it| is_like(it.header(new), it));
    // What is below `} else {` or `elif b:` is in that.
    let is_clause = |it: &Construct| {
        it.span.end == end
            && it.span.start > heir.span.start
            && clause_line(it.span.start, new).is_some()
    };
    let has_clause = beginning_in(after.all, now.span).iter().any(is_clause);
    if given_like.count() >= like.clone().count() || has_clause || opens_at_end(heir, now, new) {
        return None;
    }

    let brings_body =
        one.lines_to(was.span.end, old).is_empty() && !heir.lines_to(now.span.end, new).is_empty();
    let is_above = |other: &&Construct| other.span.end <= one.span.start;
    if !is_like(heir.header(new), &heir) {
        let of_sort = |it: &&Construct| it.sort == heir.sort;
        let mut others = quoted.iter().filter(of_sort).filter(is_above);
        let is_meant = |other: &Construct| has_own_words(own, other.header(old), heir.header(new));
        let is_others = given.iter().filter(of_sort).count() <= others.clone().count()
            && brings_body
            && others.any(|other| !is_meant(other));
        return is_others.then_some(heir);
    }
    let is_others = |other: &Construct| {
        let headers = (heir.header(new), own, other.header(old));
        // Who gives back what is quoted of the one above joins the two.
        let is_joined = headers.0 == headers.1
            && headers.1 == headers.2
            && other
                .lines_to(was.span.end, old)
                .starts_with(&heir.lines_to(now.span.end, new));
        is_anothers(headers, brings_body && !is_joined)
    };
    like.filter(is_above).any(is_others).then_some(heir)
}

/// Says whether the last line of the content is below the first one of `heir`, and opens a block: that has what follows.
pub(super) fn opens_at_end(heir: Construct, now: Stroke, new: &[u8]) -> bool {
    let below = heir.lines_to(now.span.end, new);
    below.last().is_some_and(|line| opens_block(line))
}

/// Says whether the code of a line, without a comment at its end, ends with what opens a block.
pub(super) fn opens_block(line: &[u8]) -> bool {
    let comment = [&b" //"[..], b" #", b" {/*"]
        .iter()
        .filter_map(|mark| memchr::memmem::find(line, mark))
        .min();
    let code = line[..comment.unwrap_or(line.len())].trim_ascii_end();
    code.last().is_some_and(|last| b"{([:".contains(last))
}

/// Says whether `text` has all the words of the line `own` that the line `other` has not, if there are any.
pub(super) fn has_own_words(own: &[u8], other: &[u8], text: &[u8]) -> bool {
    let (others, written) = (words(other), words(text));
    let mut own = words(own);
    own.retain(|word| !others.contains(word));
    !own.is_empty() && own.iter().all(|word| written.contains(word))
}

/// Says whether the first line `heir` is rather `other` than `own`, changed. Where it may be either, or is both, it is the other one's if it
/// `brings_body`, lines below it of which `own` had none quoted. A line that has all words of `own` is that, unless both were the same.
pub(in crate::verify) fn is_anothers(
    (heir, own, other): (&[u8], &[u8], &[u8]),
    brings_body: bool,
) -> bool {
    if own == other {
        return brings_body;
    }
    if heir == own || heir == other {
        return heir != own;
    }
    if words_kept(own, heir) == 1.0 {
        return false;
    }
    let (share, share_of_other) = (words_shared(heir, own), words_shared(heir, other));
    share_of_other > share || share_of_other == share && brings_body
}

/// Returns how many of the words of both are in both, from 0 to 1.
fn words_shared(one: &[u8], other: &[u8]) -> f64 {
    let (own, others) = (words(one), words(other));
    let shared = own.iter().filter(|word| others.contains(word)).count();
    match own.len() + others.len() {
        0 => 1.0,
        all => 2.0 * shared as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_first_line_it_is() {
        let check = |(own, other): (&str, &str), heir: &str, brings_body: bool, expected: bool| {
            let lines = (heir.as_bytes(), own.as_bytes(), other.as_bytes());
            assert_eq!(
                is_anothers(lines, brings_body),
                expected,
                "{own}, {other}: {heir}"
            );
        };
        // Of a name that begins with the other, whichever is the first.
        check(
            ("- hosts: web-db", "- hosts: web"),
            "- hosts: web",
            true,
            true,
        );
        check(
            ("- hosts: web", "- hosts: web-db"),
            "- hosts: web-db",
            true,
            true,
        );
        check(
            ("- uses: a/b/c@v3", "- uses: a/b@v3"),
            "- uses: a/b@v4",
            false,
            true,
        );
        check(
            ("- uses: a/b@v3", "- uses: a/b/c@v3"),
            "- uses: a/b@v4",
            false,
            false,
        );
        // Another name, with what is below the first, or without.
        check(("db:", "web:"), "www:", true, true);
        check(("db:", "web:"), "data:", false, false);
        check(("if (b) {", "if (a) {"), "if (a || b) {", true, false);
        check(("if (b) {", "if (a.c) {"), "if (a.c || b) {", true, false);
        // Of three that are alike the lines below tell.
        check(("if (b) {", "if (b) {"), "if (b) {", true, true);
        check(("if (b) {", "if (b) {"), "if (b) {", false, false);
        check(("if (b) {", "if (b) {"), "if (b && a) {", true, true);
        check(("if (b) {", "if (b) {"), "if (b && a) {", false, false);
    }
}
