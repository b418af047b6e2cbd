//! Compares the structure of a page before and after an edit.

use super::lost::{
    StructureProblem, added, ended_elsewhere, handed, left_open, lost_and_crossed, lost_frame,
    repeated, unquoted,
};
use super::page::{MovedSpans, PageTree};
use super::{browser, enclosures, halves, implied, terms};
use crate::diagnostic::Diagnostic;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::resolve::document::MAX_PARSED_BYTES;
use crate::snapshot::File;
use crate::syntax::html::{Dom, PageProblem, PageProblemKind, is_html};
use crate::syntax::jinja;
use crate::syntax::markdown::is_markdown;
use crate::text::is_binary;

/// Most refusals for one file: one lost tag puts all around it out of order.
const MOST_LISTED: usize = 3;

/// Returns a refusal for each tag that an edit of a page would lose, cross or leave open.
pub fn check(edit: &FileEdit, before: Option<&File>, after: &Document) -> Vec<Diagnostic> {
    let readable = |bytes: &[u8]| !is_binary(bytes) && bytes.len() <= MAX_PARSED_BYTES;
    let unchanged = before.is_some_and(|before| before.bytes == after.bytes);
    if after.language.is_some_and(is_markdown) && !unchanged && readable(&after.bytes) {
        let before = before.filter(|before| readable(&before.bytes));
        let check = |before: &File| {
            let halves = || halves::check(edit, &before.bytes, &after.bytes);
            enclosures::check(edit, &before.bytes, &after.bytes).or_else(halves)
        };
        return before.and_then(check).into_iter().collect();
    }
    if !after.language.is_some_and(is_html) || unchanged || !readable(&after.bytes) {
        return Vec::new();
    }
    let new = PageTree {
        bytes: &after.bytes,
        dom: after.dom(),
    };
    let Some(before) = before.filter(|before| readable(&before.bytes)) else {
        return new_page(edit, &new);
    };
    let dom = Dom::of(&before.bytes);
    let old = PageTree {
        bytes: &before.bytes,
        dom: &dom,
    };
    if old
        .dom
        .problems
        .iter()
        .any(|problem| problem.sort == PageProblemKind::TooIntricate)
    {
        return Vec::new();
    }
    let moves = MovedSpans::of(edit.splices.as_ref());
    let mut found = lost_and_crossed(&old, &new, &moves);
    // What a child template says of its page is in the one that it extends.
    let has_parent = |page: &PageTree<'_>| {
        jinja::is_template(&edit.path) && jinja::extends(page.bytes).is_some()
    };
    let frame = if has_parent(&new) {
        Vec::new()
    } else {
        lost_frame(&old, &new)
    };
    for lost in frame {
        if !found.iter().any(|known| known.old_tag() == lost.old_tag()) {
            found.push(lost);
        }
    }
    // What is lost puts tags out of order that nobody touched; what was written out of order is told in any case.
    let touched = |problem: &PageProblem| moves.wrote(problem.span);
    let tags_lost = !found.is_empty();
    found.extend(
        left_open(&old, &new, &moves)
            .into_iter()
            .map(StructureProblem::LeftOpen),
    );
    found.extend(
        added(&old, &new)
            .into_iter()
            .filter(|problem| !tags_lost || touched(problem))
            .map(StructureProblem::Added),
    );
    found.extend(ended_elsewhere(&old, &new, &moves).map(StructureProblem::Ended));
    if found.is_empty() {
        found.extend(unquoted(&old, &new).map(StructureProblem::Unquoted));
        found.extend(repeated(&old, &new, &moves).map(StructureProblem::Repeated));
        found.extend(handed(&old, &new, &moves).map(StructureProblem::Handed));
    }
    if found.is_empty() {
        found.extend(implied::left(&old, &new, &moves).map(StructureProblem::Outside));
        found.extend(terms::reassigned(&old, &new, &moves).map(StructureProblem::Reassigned));
    }
    if found.is_empty() {
        found.extend(browser::displaced(&old, &new, &moves).map(StructureProblem::Displaced));
    }
    found
        .into_iter()
        .take(MOST_LISTED)
        .map(|found| found.refusal(edit, &old, &new))
        .collect()
}

/// A page that is new: one that has a document type or an `html` is whole, so its tags are in order. A piece of one may
/// open what another closes.
fn new_page(edit: &FileEdit, new: &PageTree<'_>) -> Vec<Diagnostic> {
    let whole = new.dom.doctype.is_some()
        || new
            .dom
            .elements
            .iter()
            .any(|element| &*element.name == "html");
    // A template may begin a page in two ways.
    let misplaced = |problem: &&PageProblem| {
        problem.sort == PageProblemKind::Misplaced && !new.dom.tags.is_empty()
    };
    let problems = new
        .dom
        .problems
        .iter()
        .filter(|problem| whole && !misplaced(problem))
        .take(MOST_LISTED);
    problems
        .map(|problem| StructureProblem::Added(*problem).refusal(edit, new, new))
        .collect()
}
