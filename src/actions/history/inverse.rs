//! What takes a batch back when others have built on it: a commit on top, by three-way merge of each touched file.
//!
//! ```text
//!             base: the file as the batch left it
//!            /                                   \
//!   ours: the file now            theirs: the file as it was before the batch
//! ```
//!
//! Where the file was changed since in other places only, both come together; where the batch's own place was changed, it is
//! refused with the segments named.

use super::short_id;
use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::path::RepoPath;
use crate::publish::restore::{RefDirection, Relocation};
use crate::resolve::{Document, Reading};
use crate::snapshot::{Change, File, HashKind, Id};
use crate::text::{Lines, Span, is_binary, merge};

/// A commit to be made.
#[derive(Clone, Debug)]
pub(super) struct Inverse {
    /// The branch, in full.
    pub reference: String,
    /// The commit that it stands on.
    pub tip: Id,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Its message.
    pub message: String,
    /// The batch.
    pub batch: String,
}

impl Inverse {
    /// Returns the way to the commit, once it is made.
    pub(super) fn relocation(self, commit: &Id) -> Relocation {
        Relocation {
            reference: self.reference,
            from: Some(self.tip),
            to: Some(commit.clone()),
            way: RefDirection::On,
            changes: self.changes,
            reason: format!("segedit: undo {}", self.batch),
        }
    }
}

/// A place that was changed since.
pub(super) struct Conflict {
    /// What is to be said of it: the segment that stands there, or what became of the file.
    words: String,
    /// The line that is to be shown.
    shows: Option<Excerpt>,
}

/// Returns what one file becomes when `change` is taken back from `ours`.
pub(super) fn inverse_of_file(
    change: &Change,
    ours: Option<&File>,
    kind: HashKind,
) -> Result<Option<File>, Vec<Conflict>> {
    let (base, theirs) = (change.after.as_ref(), change.before.as_ref());
    if ours == base || ours == theirs {
        return Ok(theirs.cloned());
    }
    let (Some(base), Some(ours), Some(theirs)) = (base, ours, theirs) else {
        return Err(vec![whole_file_conflict(&change.path, ours)]);
    };
    if [base, ours, theirs]
        .iter()
        .any(|file| is_binary(&file.bytes))
        && base.bytes != ours.bytes
    {
        return Err(vec![whole_file_conflict(&change.path, Some(ours))]);
    }
    // Of two modes one side can have changed one.
    let mode = if ours.mode == base.mode {
        theirs.mode
    } else {
        ours.mode
    };
    match merge::three_way(&base.bytes, &ours.bytes, &theirs.bytes) {
        Ok(bytes) => Ok(Some(File {
            mode,
            bytes: bytes.into(),
        })),
        Err(clashes) => Err(clashes
            .into_iter()
            .map(|clash| conflict_at(&change.path, ours, clash, kind))
            .collect()),
    }
}

fn whole_file_conflict(path: &RepoPath, ours: Option<&File>) -> Conflict {
    let path = shown(path.as_str());
    let words = if ours.is_some() {
        format!("{path}, all of it")
    } else {
        format!("{path}, which is gone")
    };
    Conflict { words, shows: None }
}

pub(super) fn conflict_at(path: &RepoPath, ours: &File, clash: Span, kind: HashKind) -> Conflict {
    let lines = Lines::of(&ours.bytes);
    let line = lines.line(clash.start);
    let document = Document::new(path.clone(), ours.bytes.clone(), kind);
    let reading = Reading::of(&document);
    let end = clash.end.max(clash.start + 1).min(ours.bytes.len()) - 1;
    let named = reading
        .enclosing(Span::new(clash.start.min(end), end))
        .map(|named| named.address());
    let text =
        String::from_utf8_lossy(lines.content(&ours.bytes, line).of(&ours.bytes)).into_owned();
    let shown_path = shown(path.as_str());
    let words = match named {
        Some(segment) => format!("{shown_path}::{}", shown(&segment)),
        None => format!("{shown_path}:{line}"),
    };
    Conflict {
        words,
        shows: Some(Excerpt {
            path: path.clone(),
            line,
            column: 1,
            text,
        }),
    }
}

pub(super) fn refuse_conflicts(conflicts: Vec<Conflict>, batch: &str) -> Option<Diagnostic> {
    let mut places: Vec<&str> = conflicts
        .iter()
        .map(|conflict| conflict.words.as_str())
        .collect();
    places.dedup();
    if places.is_empty() {
        return None;
    }
    let refusal = cannot_invert(batch, &format!("changed since: {}", places.join("; ")));
    Some(Diagnostic {
        excerpt: conflicts.into_iter().find_map(|conflict| conflict.shows),
        ..refusal
    })
}

/// Says that the batch cannot be taken back, and how to go on by hand.
pub(super) fn cannot_invert(batch: &str, why: &str) -> Diagnostic {
    let id = short_id(batch);
    Diagnostic::new(
        Code::MergeConflict,
        format!("cannot take back batch {id}: {why}"),
    )
    .note("nothing was changed")
    .note(format!(
        "`git segedit show-batch {id}` shows what it changed, to be undone by hand"
    ))
}
