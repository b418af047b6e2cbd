//! Attributes beside an edit: each stays with what it is for.
//!
//! One that ends an edit is given back. Example: of `name: String,⏎#[serde(skip)]`, above a field, only `name: String,` is given back: the
//! field would be written out. One above an edit goes to nothing else. Example: `val password: String,` goes from below
//! `@SerializedName("pw")`: the next parameter would have it.
//!
//! Definitions with an address are looked after in `removals`. Who takes an attribute alone wants it to go, and so does who gives another.

use super::edited_file::{common_language, showing};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::resolve::named::flatten;
use crate::syntax::{Attribution, ItemKind, Symbol};
use crate::text::{Lines, Span};

/// Returns a refusal when an edit takes an attribute, at the end of something else, from what is below it, or gives one that stays to something
/// else.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    taken_away(edit, old, new).or_else(|| passed_on(edit, old, new))
}

fn taken_away(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
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

/// Returns a refusal when what is below an attribute goes, or something comes between, so that the attribute is for another thing that was
/// there.
fn passed_on(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    let language = common_language(old, new)?;
    // To find the attributes of a file takes reading it.
    let may_be_below = |splice: Span| {
        let above = Span::new(splice.start.saturating_sub(MOST_ABOVE), splice.start);
        let above = above.of(&old.bytes).trim_ascii_end();
        let line = memchr::memrchr(b'\n', above).map_or(0, |at| at + 1);
        let line = &above[line..];
        let signs = [&b"@"[..], b"["];
        let mut signs = signs.iter();
        signs.any(|sign| memchr::memmem::find(line, sign).is_some())
            || line.ends_with(b"]")
            || line.ends_with(b"\"")
    };
    if !splices.iter().any(|it| may_be_below(it.span)) {
        return None;
    }
    let of_segments = decorations(&old.outline().symbols);
    let before = language.grammar.attributions(&old.bytes);
    let after = language.grammar.attributions(&new.bytes);
    let moves = splices.moves();
    let mut beside = before.iter().filter(|it| {
        let is_touched = splices
            .iter()
            .any(|splice| splice.span.overlaps(it.attribute));
        !is_touched && !of_segments.iter().any(|span| span.overlaps(it.attribute))
    });
    let (passed, now) = beside.find_map(|attribution| {
        let place = moves.after(attribution.attribute.start);
        let then = after.iter().find(|it| it.attribute.start == place)?;
        let (splice, written) = splices.with_new_spans().find(|(splice, _)| {
            attribution.attribute.end <= splice.span.start && splice.span.start <= attribution.of
        })?;
        let taken = splice.span.of(&old.bytes);
        let is_taken = attribution.of < splice.span.end;
        let is_written = written.start <= then.of && then.of < written.end;
        let is_passed_on = match is_taken {
            true => !is_written,
            false => is_written && then.of < moves.after(attribution.of),
        };
        // A modifier that comes or goes leaves the rest of what it is of. What has a description has none.
        let is_description = attribution.attribute.of(&old.bytes).starts_with(b"\"");
        let is_whole =
            is_description || ends_an_element(if is_taken { taken } else { &splice.bytes });
        (is_passed_on && is_whole).then_some((attribution, then.of))
    })?;
    let (path, lines) = (&edit.path, Lines::of(&old.bytes));
    let line = lines.line(passed.attribute.start);
    let attribute = shown(&String::from_utf8_lossy(passed.attribute.of(&old.bytes)));
    let rest = |bytes: &[u8], at: usize| {
        let lines = Lines::of(bytes);
        let end = lines.content(bytes, lines.line(at)).end.max(at);
        let text = String::from_utf8_lossy(Span::new(at, end).of(bytes)).into_owned();
        shown(text.trim_end())
    };
    let message = format!(
        "the edit would give `{attribute}`, at line {line} of {path}, to `{}`; it is for `{}`",
        rest(&new.bytes, now),
        rest(&old.bytes, passed.of)
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
        .note("take it along with what it is for, or put what comes above it");
    Some(showing(edit, diagnostic, (&old.bytes, passed.of), now))
}

/// So many bytes above an edit an attribute is looked for.
const MOST_ABOVE: usize = 500;

/// Says whether a text ends as an element of a list or a statement does.
fn ends_an_element(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    text.ends_with(b",") || text.ends_with(b";") || text.ends_with(b"}")
}

/// Returns a warning for each parameter that stays and has an attribute less afterwards.
pub(super) fn of_parameters(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    let lost = lost_of_parameters(edit, old, new).unwrap_or_default();
    let warnings = lost.into_iter().map(|(name, attribute)| {
        let line = Lines::of(&old.bytes).line(attribute.start);
        let message = format!(
            "{} would lose `{}` of `{name}` (line {line}): the content has none for it",
            edit.path,
            shown(&String::from_utf8_lossy(attribute.of(&old.bytes)))
        );
        let operation = edit
            .claims
            .iter()
            .find(|(claim, _)| claim.overlaps(attribute))
            .map(|(_, operation)| *operation);
        let warning = Diagnostic::new(Code::WouldRemove, message);
        match operation {
            Some(operation) => warning.of_operation(operation),
            None => warning,
        }
    });
    warnings.collect()
}

fn lost_of_parameters(
    edit: &FileEdit,
    old: &Document,
    new: &Document,
) -> Option<Vec<(String, Span)>> {
    let splices = edit.splices.as_ref()?;
    let language = common_language(old, new)?;
    let may_hold_one = |taken: &[u8]| {
        let signs = [&b"@"[..], b"["];
        let mut signs = signs.iter();
        signs.any(|sign| memchr::memmem::find(taken, sign).is_some())
    };
    if !splices
        .iter()
        .any(|it| may_hold_one(it.span.of(&old.bytes)))
    {
        return None;
    }
    let taken: Vec<Attribution> = language
        .grammar
        .attributions(&old.bytes)
        .into_iter()
        .filter(|it| {
            splices
                .iter()
                .any(|splice| splice.span.contains(it.attribute))
        })
        .collect();
    let after = language.grammar.attributions(&new.bytes);
    let mut lost = Vec::new();
    for named in flatten(old.outline()) {
        let header = named.symbol.signature;
        if !taken.iter().any(|it| header.contains(it.attribute)) {
            continue;
        }
        let now = flatten(new.outline())
            .into_iter()
            .find(|now| now.qualified == named.qualified);
        let Some(now) = now else { continue };
        let parameters = |document: &Document, symbol: &Symbol| {
            language
                .grammar
                .items(&document.bytes, symbol, ItemKind::Parameter)
                .map_or_else(Vec::new, |list| list.items)
        };
        let new_items = parameters(new, now.symbol);
        for item in parameters(old, named.symbol) {
            let Some(same) = new_items.iter().find(|it| it.names == item.names) else {
                continue;
            };
            let had: Vec<&Attribution> = within(&taken, item.span).collect();
            let has: Vec<&[u8]> = within(&after, same.span)
                .map(|it| word_of(it.attribute.of(&new.bytes)))
                .collect();
            // Who gives another in its place means it.
            if has.len() >= had.len() {
                continue;
            }
            let is_lost = |it: &&&Attribution| !has.contains(&word_of(it.attribute.of(&old.bytes)));
            let gone = had.iter().filter(is_lost);
            lost.extend(gone.map(|it| (item.names.join(", "), it.attribute)));
        }
    }
    Some(lost)
}

fn within(all: &[Attribution], span: Span) -> impl Iterator<Item = &Attribution> {
    all.iter().filter(move |it| span.contains(it.attribute))
}

/// Returns what an attribute is called: what is before its brackets.
fn word_of(attribute: &[u8]) -> &[u8] {
    let end = memchr::memchr2(b'(', b'=', attribute).unwrap_or(attribute.len());
    attribute[..end].trim_ascii()
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
