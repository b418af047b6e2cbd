//! Compares what is beside the edits in both files.

use super::changed::{ChangedStatement, MOST_NAMED};
use super::guard::Guard;
use super::refusal::refusal;
use super::{
    anchors, brought, codes, comments, documents, firsts, forgotten, holes, listed, moved, obeyed,
    outdented, preamble, reopened, scalars,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::Language;
use crate::syntax::css::CSS;
use crate::syntax::go::GO;
use crate::syntax::html::is_html;
use crate::syntax::json::{JSON, JSONC};
use crate::syntax::markdown::{halves, is_markdown};
use crate::syntax::toml::TOML;
use crate::syntax::yaml::{self, YAML};
use crate::text::splice::Splices;
use crate::text::{Span, is_blank};
use crate::verify::inventory;

/// What came of comparing what is beside the edits.
#[derive(Clone, Debug, Default)]
pub struct ComparedStatements {
    /// A refusal for each statement that would not be what it was.
    pub refused: Vec<Diagnostic>,
    /// A warning where nothing could be compared.
    pub unread: Option<Diagnostic>,
}

/// Returns a refusal for each statement beside the edits that would not be what it was.
pub fn check(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    compare(edit, old, new).refused
}

/// Returns the same, but for what comments take: one operation may begin a comment that another one ends.
pub fn check_code(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    compared(edit, old, new, CompareScope::Code).refused
}

/// Compares what is beside the edits in both files. A template of YAML is read without its tags.
pub fn compare(edit: &FileEdit, old: &Document, new: &Document) -> ComparedStatements {
    compared(edit, old, new, CompareScope::All)
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompareScope {
    All,
    /// All but what comments take, the holes of lists, and first lines.
    Code,
}

fn compared(
    edit: &FileEdit,
    old: &Document,
    new: &Document,
    scope: CompareScope,
) -> ComparedStatements {
    let Some(splices) = edit.splices.as_ref().filter(|splices| !splices.is_empty()) else {
        return ComparedStatements::default();
    };
    if old.bytes == new.bytes || old.too_large() || new.too_large() {
        return ComparedStatements::default();
    }
    let mut found = compared_by_language(edit, splices, (old, new), scope);
    if found.refused.is_empty() && scope == CompareScope::All {
        found.refused.extend(firsts::displaced(edit, old, new));
    }
    found
}

fn compared_by_language(
    edit: &FileEdit,
    splices: &Splices,
    (old, new): (&Document, &Document),
    scope: CompareScope,
) -> ComparedStatements {
    let Some(language) = old
        .language
        .filter(|language| new.language.is_some_and(|it| std::ptr::eq(it, *language)))
    else {
        return ComparedStatements::default();
    };
    if let Some(hole) =
        holes::left(edit, splices, language, (old, new)).filter(|_| scope == CompareScope::All)
    {
        return ComparedStatements {
            refused: vec![hole],
            unread: None,
        };
    }
    let filled = filled(language, old, new);
    let (read, read_new) = filled.as_ref().map_or((old, new), |(old, new)| (old, new));
    let (mut changed, is_read) = changes(edit, splices, language, (read, read_new), scope);
    if changed.is_empty() && std::ptr::eq(language, &YAML) {
        let guard = Guard::of(edit, splices, &old.bytes, language);
        let bytes = (&old.bytes[..], &new.bytes[..]);
        changed.extend(
            brought::passed_on(&guard, bytes)
                .or_else(|| moved::moved_tag(&guard, splices, (read, read_new), bytes)),
        );
    }
    let mut refused: Vec<Diagnostic> = changed
        .into_iter()
        .take(MOST_NAMED)
        .map(|change| refusal(edit, change, old, new))
        .collect();
    if let Some((old, new)) = filled.as_ref().filter(|_| refused.is_empty()) {
        // A template has no names; what is read of it has.
        refused = inventory::check(edit, old, new).problems;
    }
    let is_unread = refused.is_empty()
        && !is_blank(&old.bytes)
        && (!is_read || matches!(read.keys(), Some(Err(_))));
    // Who mends a file looks at all of it.
    ComparedStatements {
        refused,
        unread: (is_unread && !new.errors().is_empty()).then(|| unread(edit)),
    }
}

/// Returns both sides of a template of YAML with words in the place of its tags, where the old one is not read with them.
fn filled(
    language: &'static Language,
    old: &Document,
    new: &Document,
) -> Option<(Document, Document)> {
    if !std::ptr::eq(language, &YAML) || !matches!(old.keys(), Some(Err(_))) {
        return None;
    }
    let document = |document: &Document, bytes: Vec<u8>| {
        Document::new(document.path.clone(), bytes.into(), document.hash)
            .in_language(Some(language))
    };
    let before = document(old, yaml::masked(&old.bytes)?);
    let after = document(
        new,
        yaml::masked(&new.bytes).unwrap_or_else(|| new.bytes.to_vec()),
    );
    Some((before, after))
}

/// Returns what is beside `splices` and would be something else, and whether its statements could be read.
fn changes(
    edit: &FileEdit,
    splices: &Splices,
    language: &Language,
    (old, new): (&Document, &Document),
    scope: CompareScope,
) -> (Vec<ChangedStatement>, bool) {
    let guard = Guard::of(edit, splices, &old.bytes, language);
    let sides = (&old.bytes[..], &new.bytes[..]);
    let comments = |is_new: bool| comments_of(language, if is_new { new } else { old });
    let habits = &language.habits;
    let by_comments = || {
        comments::swallowed((&guard, edit), splices, habits, sides, comments)
            .or_else(|| comments::run_together(&guard, splices, habits, &old.bytes, comments))
            .or_else(|| comments::left(&guard, habits, sides, comments))
    };
    if let Some(changed) = (scope == CompareScope::All).then(by_comments).flatten() {
        return (vec![changed], true);
    }
    let has_statements = language.grammar.statements(b"", None).is_some();
    let restated = guard.restated(language, splices, old, new);
    let is_read = restated.is_some() || !has_statements;
    let mut changed = restated.unwrap_or_default();
    if changed.is_empty() && has_statements {
        changed.extend(forgotten::forgotten(&guard, sides));
    }
    if changed.is_empty() && !has_statements {
        changed.extend(obeyed::handed_on(&guard, sides));
    }
    if changed.is_empty() && std::ptr::eq(language, &GO) {
        changed.extend(preamble::parted(&guard, sides, comments));
    }
    if changed.is_empty() && is_markdown(language) {
        changed = guard.disturbed(splices, old, new);
        if changed.is_empty() {
            changed = guard.parted_items(sides);
        }
        if changed.is_empty() {
            changed.extend(codes::remarked(&guard, sides));
        }
        if changed.is_empty() {
            changed.extend(moved::moved_section(&guard, splices, old, new));
        }
    }
    if changed.is_empty() && is_markdown(language) {
        changed.extend(moved::fenced_out(&guard, splices, old, new));
    }
    if changed.is_empty()
        && is_markdown(language)
        && let (Some(front), Some(new_front)) = (old.front_matter(), new.front_matter())
        && let Some(splices) = splices.up_to(front.bytes.len())
        && splices
            .with_new_spans()
            .all(|(_, written)| written.end <= new_front.bytes.len())
    {
        changed = changes_of_keys(&guard, &splices, &front, &new_front);
        if changed.is_empty() {
            // Of a file the inventory has its keys.
            changed.extend(moved::gone(&guard, &splices, &front, &new_front));
        }
    }
    if changed.is_empty() && is_html(language) {
        let [before, after] = [old, new].map(reopened::Element::all);
        let (elements, new_elements) = ((&before[..], sides.0), (&after[..], sides.1));
        changed.extend(
            reopened::handed_on(&guard, elements, new_elements)
                .or_else(|| reopened::exchanged(&guard, elements, new_elements)),
        );
    }
    if changed.is_empty() && std::ptr::eq(language, &CSS) {
        changed.extend(listed::joined(&guard, sides));
    }
    if changed.is_empty() {
        changed = changes_of_keys(&guard, splices, old, new);
    }
    if changed.is_empty() {
        changed.extend(outdented::outdented(&guard, old, new));
    }
    if changed.is_empty() {
        changed = guard.parted_segments(old, new);
        // Where a file does not parse, its segments are a guess.
        changed.truncate(
            if changed.is_empty() || language.grammar.parses(&old.bytes) {
                MOST_NAMED
            } else {
                0
            },
        );
    }
    (changed, is_read)
}

/// Returns what is beside `splices` in a file of keys, or in front matter, and would be another's.
fn changes_of_keys(
    guard: &Guard,
    splices: &Splices,
    old: &Document,
    new: &Document,
) -> Vec<ChangedStatement> {
    let is_one_of = |languages: &[&'static Language]| {
        let own = old.language;
        languages
            .iter()
            .any(|it| own.is_some_and(|own| std::ptr::eq(own, *it)))
    };
    let mut changed = Vec::new();
    if is_one_of(&[&YAML]) {
        changed = scalars::continued(splices, old, new);
        changed.extend(
            documents::reassigned(guard, splices, old, new)
                .or_else(|| documents::begun_above(guard, splices, old, &new.bytes)),
        );
        if changed.is_empty() {
            changed.extend(moved::moved(guard, splices, old, new));
            changed.extend(moved::sunk(guard, old, new));
        }
        if changed.is_empty() {
            changed.extend(anchors::rebound(splices, old, new));
        }
    } else if is_one_of(&[&TOML, &JSON, &JSONC]) {
        changed.extend(moved::moved(guard, splices, old, new));
    }
    changed
}

/// Says that what is beside an edit was not compared.
fn unread(edit: &FileEdit) -> Diagnostic {
    let path = &edit.path;
    let message = format!("{path} does not parse: what is beside the edit was not compared");
    let diagnostic = Diagnostic::new(Code::SyntaxError, message).note(
        "look at the diff: whether a line below the edit belongs to it now was not looked at",
    );
    match edit.claims.first() {
        Some(&(_, operation)) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}

/// Returns the comments of a file; of a page those that its tags leave, and none of its scripts, which are read as files.
fn comments_of(language: &Language, document: &Document) -> Vec<Span> {
    if is_html(language) {
        document.dom().comments.clone()
    } else if is_markdown(language) {
        halves::comments(&document.bytes)
    } else {
        language.grammar.comments(&document.bytes)
    }
}
