//! Attributes at the end of an edit: what is below keeps those that it has.
//!
//! Example: of `name: String,⏎#[serde(skip)]`, above a field, only `name: String,` is given back: the field would be written out.
//!
//! Definitions with an address are looked after in `removals`. Who takes an attribute alone wants it to go, and so does who gives another.

use super::edited_file::{common_language, showing};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::{Attribution, Symbol};
use crate::text::{Lines, Span};

/// Returns a refusal when an edit takes an attribute, at the end of something else, from what is below it.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    let language = common_language(old, new)?;
    // Few edits may end so, and to find the attributes of a file takes reading it.
    let may_end_in_one = |taken: &[u8]| {
        let taken = taken.trim_ascii_end();
        let signs = [&b"@"[..], b"#["];
        let mut signs = signs.iter();
        taken.ends_with(b"]") || signs.any(|sign| memchr::memmem::find(taken, sign).is_some())
    };
    let may_take = splices
        .iter()
        .any(|it| may_end_in_one(it.span.of(&old.bytes)));
    if !may_take {
        return None;
    }
    let of_segments = decorations(&old.outline().symbols);
    let mut before = language.grammar.attributions(&old.bytes);
    before.retain(|it| !of_segments.iter().any(|span| span.overlaps(it.attribute)));
    let after = language.grammar.attributions(&new.bytes);
    let moves = splices.moves();
    let (lost, now) = splices.with_new_spans().find_map(|(splice, written)| {
        let lost = forgotten(splice.span, &old.bytes, &before)?;
        let now = moves.after(lost.of);
        let is_given = |it: &Attribution| written.contains(it.attribute) && it.of == now;
        (!after.iter().any(is_given)).then_some((lost, now))
    })?;
    let (path, lines) = (&edit.path, Lines::of(&old.bytes));
    let line = lines.line(lost.of);
    let rest = Span::new(lost.of, lines.content(&old.bytes, line).end.max(lost.of));
    let quoted = shown(String::from_utf8_lossy(rest.of(&old.bytes)).trim_end());
    let attribute = shown(&String::from_utf8_lossy(lost.attribute.of(&old.bytes)));
    let message =
        format!("the edit would take `{attribute}` from `{quoted}`, at line {line} of {path}");
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
        .note("let the content end with it again; to take it away, quote it alone");
    Some(showing(edit, diagnostic, (&old.bytes, lost.of), now))
}

/// Returns what is above all definitions that have an address.
fn decorations(symbols: &[Symbol]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut waiting: Vec<&Symbol> = symbols.iter().collect();
    while let Some(symbol) = waiting.pop() {
        found.extend(symbol.decorations.iter().map(|it| it.span));
        waiting.extend(&symbol.children);
    }
    found
}

/// Returns the attribute in `taken` of what begins right below it; `None` where there is none, or nothing else is taken above it.
fn forgotten<'a>(
    taken: Span,
    old: &[u8],
    attributions: &'a [Attribution],
) -> Option<&'a Attribution> {
    let own = attributions
        .iter()
        .filter(|it| taken.contains(it.attribute) && taken.end <= it.of);
    let mut own = own.peekable();
    let first = own.peek().copied()?;
    let ahead = Span::new(taken.start, first.attribute.start);
    (!ahead.of(old).trim_ascii().is_empty()).then(|| own.last().unwrap_or(first))
}
