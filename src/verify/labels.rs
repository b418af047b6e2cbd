//! Labels: a definition of a link or a footnote in Markdown that an edit brings in beside one of its name. The first of them counts, so one
//! before the old one leads links in the rest of the page elsewhere, and one after it is dead.
//!
//! Known limit: of what has two already, a third is not told.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::markdown::{is_markdown, links};
use crate::text::splice::Splices;
use crate::text::{Lines, Span};

/// What there is to say of the labels of a page.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// For each definition that would take the place of one that links use.
    pub refusals: Vec<Diagnostic>,
    /// For each that is one of two.
    pub warnings: Vec<Diagnostic>,
}

/// Looks for definitions that `edit` brings in beside others.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Labels {
    let mut labels = Labels::default();
    let is_read =
        |document: &Document| document.language.is_some_and(is_markdown) && !document.too_large();
    let Some(splices) = edit
        .splices
        .as_ref()
        .filter(|_| is_read(old) && is_read(new))
    else {
        return labels;
    };
    let written = lines_of(splices, new);
    let may_define = |span: &&Span| memchr::memmem::find(span.of(&new.bytes), b"]:").is_some();
    let names: BTreeSet<String> = written
        .iter()
        .filter(may_define)
        .flat_map(|span| links::definitions(span.of(&new.bytes)).into_keys())
        .collect();
    if names.is_empty() {
        return labels;
    }

    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let first = links::definitions(&new.bytes);
    let second = links::second_definitions(&new.bytes, &first, &names);
    if second.is_empty() {
        return labels;
    }
    let before = links::definitions(&old.bytes);
    let had_two = links::second_definitions(&old.bytes, &before, &names);
    let is_written = |definition: &Span| written.iter().any(|lines| lines.overlaps(*definition));
    for (name, second) in second
        .iter()
        .filter(|(name, _)| !had_two.contains_key(*name))
    {
        let Some(first) = first.get(name) else {
            continue;
        };
        let says_the_same = what(*first, &new.bytes) == what(*second, &new.bytes);
        if says_the_same || !(is_written(first) || is_written(second)) {
            continue;
        }
        let takes_place = is_written(first) && !is_written(second);
        if takes_place
            && !links::used(
                &beside(splices, *second, new),
                &BTreeSet::from([name.as_str()]),
            )
            .is_empty()
        {
            labels
                .refusals
                .push(refusal(edit, new.lines(), name, (*first, *second)));
        } else {
            labels
                .warnings
                .push(warning(edit, new.lines(), name, (*first, *second)));
        }
    }
    labels
}

/// Returns the lines that the splices write in, each once.
fn lines_of(splices: &Splices, new: &Document) -> Vec<Span> {
    let lines = new.lines();
    let mut found: Vec<Span> = Vec::new();
    for (_, written) in splices.with_new_spans() {
        let start = lines.start(lines.line(written.start));
        let end = lines
            .content(&new.bytes, lines.line(written.end))
            .end
            .max(written.end);
        match found.last_mut().filter(|last| start <= last.end) {
            Some(last) => last.end = last.end.max(end),
            None => found.push(Span::new(start, end)),
        }
    }
    found
}

/// Returns what a definition says of its name.
fn what(definition: Span, bytes: &[u8]) -> &[u8] {
    let text = definition.of(bytes);
    let colon = memchr::memmem::find(text, b"]:").map_or(0, |at| at + 2);
    text[colon..].trim_ascii()
}

/// Returns the new page with blanks in the place of what the splices wrote, and of the old definition: a name that is defined is none that
/// is looked for.
fn beside(splices: &Splices, definition: Span, new: &Document) -> Vec<u8> {
    let mut bytes = new.bytes.to_vec();
    let written = splices.with_new_spans().map(|(_, written)| written);
    for span in written.chain([definition]) {
        let content = bytes.get_mut(span.start..span.end).unwrap_or_default();
        content
            .iter_mut()
            .filter(|byte| !matches!(byte, b'\n' | b'\r'))
            .for_each(|byte| *byte = b' ');
    }
    bytes
}

fn refusal(
    edit: &FileEdit,
    lines: &Lines,
    name: &str,
    (first, second): (Span, Span),
) -> Diagnostic {
    let (path, name) = (&edit.path, shown(name));
    let (line, old_line) = (lines.line(first.start), lines.line(second.start));
    let message = format!(
        "{path}:{line}: the definition `[{name}]` would take the place of the one at line {old_line}, and links in the rest of the file would lead elsewhere"
    );
    of_its_operation(
        edit,
        first,
        Diagnostic::new(Code::InventoryChanged, message),
    )
    .note("give the new one another name, or `replace` the one that is there")
}

fn warning(
    edit: &FileEdit,
    lines: &Lines,
    name: &str,
    (first, second): (Span, Span),
) -> Diagnostic {
    let (path, name) = (&edit.path, shown(name));
    let (line, later) = (lines.line(first.start), lines.line(second.start));
    let message = format!(
        "{path} has two of the definition `[{name}]`, at line {line} and line {later}: only the first counts"
    );
    of_its_operation(edit, second, Diagnostic::new(Code::DefinedTwice, message))
        .note("`replace` the one that is there, or give the new one another name")
}

fn of_its_operation(edit: &FileEdit, place: Span, diagnostic: Diagnostic) -> Diagnostic {
    match edit.operation_at(place.start) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}
