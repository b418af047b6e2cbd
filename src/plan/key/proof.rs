//! The edited file, read again: what was asked for stands at its address, and all else says what it said.

use super::meaning::KeyedValue;
use super::planned::{KeyChange, Planned};
use super::site::EntryPlace;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::edit::{Deletion, Edit, EditKind, Insertion};
use crate::plan::overlap;
use crate::resolve::Document;
use crate::syntax::keys::{KeyFormat, KeySegment, Tree};
use crate::syntax::toml;

/// Returns the edits of one operation, or others that make of the file what they are to make of it; refuses where there are none.
pub(super) fn prove_planned(
    site: &EntryPlace<'_>,
    planned: Planned,
) -> Result<Planned, Diagnostic> {
    let Planned { edits, change } = planned;
    if let Some(why) = apply_edits(site.document, &edits)
        .ok()
        .and_then(|after| newer_toml_feature(site, &after))
    {
        let message = format!("the content is of TOML 1.1, and the file is not: {why}");
        return Err(Diagnostic::new(Code::SyntaxError, message)
            .note("write it as TOML 1.0 has it; `text`, `pattern` and `lines` take it as it is"));
    }
    if holds(site, &edits, &change) {
        return Ok(Planned { edits, change });
    }
    if site.format == KeyFormat::Yaml {
        // Blank lines may be those of a block of text above, which also says a line ending less where the file ends in it
        // without one.
        let bare: Vec<EditKind> = edits.iter().cloned().map(without_gap).collect();
        let ended = |edits: &[EditKind]| {
            let end = Insertion {
                at: site.bytes().len(),
                content: site.ending(),
                ..Insertion::default()
            };
            edits
                .iter()
                .cloned()
                .chain([EditKind::Insert(end)])
                .collect::<Vec<_>>()
        };
        for other in [ended(&edits), ended(&bare), bare] {
            if holds(site, &other, &change) {
                return Ok(Planned {
                    edits: other,
                    change,
                });
            }
        }
    }
    check_change(site, &edits, &change)?;
    Ok(Planned { edits, change })
}

/// Says why `after` is of TOML 1.1, which not every reader knows, where the file is not.
pub(super) fn newer_toml_feature(site: &EntryPlace<'_>, after: &[u8]) -> Option<&'static str> {
    let newer = |bytes: &[u8]| std::str::from_utf8(bytes).ok().and_then(toml::newer);
    if site.format != KeyFormat::Toml {
        return None;
    }
    newer(after).filter(|_| newer(site.bytes()).is_none())
}

fn without_gap(what: EditKind) -> EditKind {
    match what {
        EditKind::DeleteLines(deletion) => EditKind::DeleteLines(Deletion {
            mends_gap: false,
            ..deletion
        }),
        EditKind::Replace(_) | EditKind::Insert(_) => what,
    }
}

/// Refuses edits that would make anything else of the file than `change` asks for. A file that does not parse afterwards is
/// for the syntax check to refuse, which names the place.
fn check_change(
    site: &EntryPlace<'_>,
    edits: &[EditKind],
    change: &KeyChange,
) -> Result<(), Diagnostic> {
    let after = apply_edits(site.document, edits)?;
    let Ok(new) = site.format.tree(&after) else {
        return Ok(());
    };
    let wanted = wanted_tree(site.tree, site.bytes(), [change]);
    let now = KeyedValue::of_file(&new, &after);
    wanted.difference(&now, site.format).map_or(Ok(()), |way| {
        Err(refuse_other_change(site.document, &way, change))
    })
}

/// Returns what a file is to say once all changes are made: values first, what goes away last.
pub(super) fn wanted_tree<'c>(
    tree: &Tree,
    bytes: &[u8],
    changes: impl IntoIterator<Item = &'c KeyChange>,
) -> KeyedValue {
    let mut changes: Vec<&KeyChange> = changes.into_iter().collect();
    changes.sort_by_key(|change| change.turn());
    let mut file = KeyedValue::of_file(tree, bytes);
    changes
        .iter()
        .for_each(|change| change.make(&mut file, tree));
    file
}

/// Returns the file that the edits make.
fn apply_edits(document: &Document, edits: &[EditKind]) -> Result<Vec<u8>, Diagnostic> {
    let own: Vec<Edit> = edits
        .iter()
        .map(|what| Edit {
            operation: 0,
            what: what.clone(),
        })
        .collect();
    let splices = overlap::compose(document, &own, &[]).map_err(|mut clashes| {
        clashes
            .pop()
            .unwrap_or_else(|| Diagnostic::new(Code::Unsupported, "the edit gets in its own way"))
    })?;
    Ok(splices.apply(&document.bytes))
}

/// Says whether the edits make of the file what the change asks for.
pub(super) fn holds(site: &EntryPlace<'_>, edits: &[EditKind], change: &KeyChange) -> bool {
    let parses =
        apply_edits(site.document, edits).is_ok_and(|after| site.format.tree(&after).is_ok());
    parses && check_change(site, edits, change).is_ok()
}

/// Refuses what would make something else of the file at `way`.
pub(super) fn refuse_other_change(
    document: &Document,
    way: &[KeySegment],
    change: &KeyChange,
) -> Diagnostic {
    let mut address = String::new();
    // The first step is the document's number.
    way.iter()
        .skip(1)
        .for_each(|step| step.write_to(&mut address));
    let place = if address.is_empty() {
        "the top".to_owned()
    } else {
        format!("`{}`", shown(&address))
    };
    let message = format!(
        "the edit would make something else of {place} in {}",
        document.path
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message);
    match change {
        KeyChange::Deleted { .. } => {
            diagnostic.note("`text`, `pattern` and `lines` delete what stands there to the letter")
        }
        KeyChange::Replaced { .. } | KeyChange::Added { .. } => diagnostic
            .note("the content seems to leave a quote or a bracket open, or its lines cannot stand there as they are"),
    }
}

/// Says whether two texts of the format say the same.
pub(super) fn say_the_same(format: KeyFormat, one: (&Tree, &[u8]), other: (&Tree, &[u8])) -> bool {
    KeyedValue::of_file(one.0, one.1).means(&KeyedValue::of_file(other.0, other.1), format)
}
