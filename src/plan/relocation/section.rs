//! A section of Markdown goes to another place: with headings of the level that it has there, and links that still lead to it.

use std::collections::BTreeSet;

use super::anchors::{Anchors, MovedPages, relinked};
use super::file_edits::composed;
use super::moved::Moving;
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Position;
use crate::plan::edit::EditKind;
use crate::plan::outcome::{OperationOutcome, OperationStatus};
use crate::plan::remove::remove_target;
use crate::plan::step::{FileEdit, Step};
use crate::references::RenameRefused;
use crate::resolve::{Definition, Document, Reading, Target};
use crate::snapshot::{Blob, Snapshot};
use crate::syntax::SegmentKind;
use crate::syntax::markdown::{self, halves, levels, links};
use crate::text::splice::{Splice, Splices};
use crate::text::{LineEnding, Span, encoding};

/// Returns the step that moves a section.
pub(super) fn steps(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    outcome: &mut OperationOutcome,
) -> Result<Vec<Step>, RenameRefused> {
    let document = moving.document(snapshot, moving.path)?;
    let reading = Reading::of(&document);
    let target = moving.found(&reading)?;
    outcome.segment = moving.told(&reading);
    let to = moving.to_path();
    let is_one_file = to == moving.path;
    let there = moving.document(snapshot, to)?;
    for document in [&document, &there] {
        if !document.language.is_some_and(markdown::is_markdown) {
            let message = format!("sections are of Markdown, which {} is not", document.path);
            return Err(moving.refuse(Code::UnsupportedLanguage, message).into());
        }
    }
    let reading_there = Reading::of(&there);
    let beside = moving.beside(&reading_there)?;
    let span = halves::with_anchors(&document.bytes, target.span);
    if let Some(beside) = beside.as_ref().filter(|_| is_one_file) {
        if beside.span == target.span {
            outcome.status = OperationStatus::Noop;
            return Ok(Vec::new());
        }
        if span.contains(beside.span) {
            let message = "a section cannot go inside of itself".to_owned();
            return Err(moving.refuse(Code::Unsupported, message).into());
        }
    }
    if !is_one_file {
        check_definitions(moving, &document, &there, span)?;
    }
    let level = level_there(&reading_there, &target, beside.as_ref(), moving.to.position);
    let with_links = |inside: Vec<Splice>| -> Result<(String, Vec<EditKind>), Diagnostic> {
        let text = text_of(moving, &document, span, inside)?;
        let text = levels::at_level(text.as_bytes(), level).ok_or_else(|| {
            let message =
                format!("a heading of the section would be deeper than six levels in {to}");
            moving.refuse(Code::Unsupported, message)
        })?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let put = moving.put(&reading_there, beside.as_ref(), &text)?;
        Ok((text, put))
    };
    let removed = remove_target(&reading, &target, None, &moving.operation.verb)?.edits;
    let (text, put) = with_links(Vec::new())?;
    let anchors = anchors_then(
        moving,
        snapshot,
        (&document, span),
        &there,
        (&removed, &put, &text),
    )?;
    let relinked = relinked(moving, snapshot, &anchors, span);
    let (text, put) = with_links(relinked.inside)?;
    let mut places = relinked.files;
    let mut edits = removed;
    edits.extend(places.remove(moving.path).unwrap_or_default());
    let mut files: Vec<FileEdit> = Vec::new();
    if is_one_file {
        edits.extend(put);
        files.push(composed(moving, snapshot, &document, edits, Some(&text))?);
    } else {
        files.push(composed(moving, snapshot, &document, edits, None)?);
        let mut edits = put;
        edits.extend(places.remove(to).unwrap_or_default());
        files.push(composed(moving, snapshot, &there, edits, Some(&text))?);
    }
    for (path, edits) in places {
        let document = moving.document(snapshot, &path)?;
        files.push(composed(moving, snapshot, &document, edits, None)?);
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    outcome.status = OperationStatus::Applied;
    outcome.count = 1 + relinked
        .references
        .places
        .iter()
        .filter(|it| it.is_changed)
        .count();
    if !relinked.references.places.is_empty() {
        outcome.references = Some(Box::new(relinked.references));
    }
    Ok(vec![Step { files }])
}

/// Returns what anchors lead to when the section is removed and put as said, its links as they are now.
fn anchors_then(
    moving: &Moving<'_>,
    snapshot: &Snapshot,
    (document, span): (&Document, Span),
    there: &Document,
    (removed, put, text): (&[EditKind], &[EditKind], &str),
) -> Result<Anchors, Diagnostic> {
    let bytes = |document: &Document, edits: Vec<EditKind>| -> Result<Blob, Diagnostic> {
        let edit = composed(moving, snapshot, document, edits, Some(text))?;
        let after = edit.after.map(|file| file.bytes);
        Ok(after.unwrap_or_else(|| document.bytes.clone()))
    };
    let at = put.iter().find_map(|edit| match edit {
        EditKind::Insert(insertion) => Some(insertion.at),
        EditKind::Replace(_) | EditKind::DeleteLines(_) => None,
    });
    let mut edits = removed.to_vec();
    let is_one_file = document.path == there.path;
    let new_then = match is_one_file {
        true => {
            edits.extend(put.iter().cloned());
            None
        }
        false => Some(bytes(there, put.to_vec())?),
    };
    let old_then = bytes(document, edits)?;
    let pages = MovedPages {
        old: &document.bytes,
        span,
        new: (!is_one_file).then_some(&there.bytes[..]),
        at: at.unwrap_or(there.bytes.len()),
        old_then: &old_then,
        new_then: new_then.as_deref(),
    };
    Anchors::of(&pages).ok_or_else(|| {
        let message = format!(
            "lines of the section would be headings in one place and none in {}",
            there.path
        );
        moving.refuse(Code::Unsupported, message)
    })
}

/// Returns the level that the section has where it goes: that of what it stands beside, or below what it is inside of.
fn level_there(
    there: &Reading<'_>,
    target: &Target<'_, '_>,
    beside: Option<&Target<'_, '_>>,
    position: Option<Position>,
) -> u8 {
    let own = target.named().map_or(1, |named| named.symbol.level);
    let Some(beside) = beside.and_then(Target::named) else {
        return own;
    };
    match position {
        Some(Position::First | Position::Last) => {
            let is_child = |it: &&Definition<'_>| {
                let parent = there.parent(it);
                parent.is_some_and(|parent| std::ptr::eq(parent.symbol, beside.symbol))
                    && it.symbol.kind == SegmentKind::Section
            };
            let child = there.named().iter().find(is_child);
            child.map_or(beside.symbol.level + 1, |child| child.symbol.level)
        }
        Some(Position::Before | Position::After) | None => beside.symbol.level,
    }
}

/// Returns the section with its links as they lead from where it goes, and the line endings that a manifest has.
fn text_of(
    moving: &Moving<'_>,
    document: &Document,
    span: Span,
    inside: Vec<Splice>,
) -> Result<String, Diagnostic> {
    let splices = Splices::new(inside).map_err(|_| {
        let message = "links of the section are inside of each other".to_owned();
        moving.refuse(Code::Unsupported, message)
    })?;
    let bytes = splices.apply(span.of(&document.bytes));
    let is_other = !bytes.is_ascii() && encoding::other_than_utf8(&document.bytes).is_some();
    let text = String::from_utf8(LineEnding::Lf.write(&bytes).into_owned());
    text.ok().filter(|_| !is_other).ok_or_else(|| {
        let message = format!("{} is not in UTF-8", document.path);
        Diagnostic::new(Code::Unsupported, message)
    })
}

/// Refuses a section that uses links or footnotes which are defined in another one, or that defines what its new page defines otherwise.
fn check_definitions(
    moving: &Moving<'_>,
    document: &Document,
    there: &Document,
    span: Span,
) -> Result<(), Diagnostic> {
    let defined = links::definitions(&document.bytes);
    let defined_there = links::definitions(&there.bytes);
    let is_inside = |place: &Span| span.contains(*place);
    let outside: BTreeSet<&str> = defined
        .iter()
        .filter(|(_, place)| !is_inside(place))
        .map(|(name, _)| name.as_str())
        .collect();
    let used = links::used(span.of(&document.bytes), &outside);
    let missing = used
        .iter()
        .find(|name| !defined_there.contains_key(name.as_str()));
    if let Some(name) = missing {
        let message = format!(
            "the section uses `[{name}]`, which is defined in another part of {}",
            document.path
        );
        return Err(moving
            .refuse(Code::Unsupported, message)
            .note("put the definition into the section, or into the other page, first"));
    }
    let twice = defined
        .iter()
        .find(|(name, place)| is_inside(place) && defined_there.contains_key(name.as_str()));
    if let Some((name, _)) = twice {
        let message = format!("`[{name}]` is defined in {} already", there.path);
        return Err(moving.refuse(Code::NameClash, message));
    }
    Ok(())
}
