//! `Displaced`: what a file of a worktree held before a batch and after it, to the byte, where what git stores does not say so.
//!
//! git stores less than a file holds: a filter takes secrets or outputs out of it, line endings are made plain, and of the
//! permissions one bit is kept. Undoing has to bring back the file, and not only what git would say about it. So the entry of
//! a batch keeps those files whole, both as they were and as they became; a file that checking out gives is not among them.

use super::record::{DisplacedRecord, HeldRecord};
use crate::diagnostic::Diagnostic;
use crate::git::{Object, ObjectKind, Repo};
use crate::path::RepoPath;
use crate::snapshot::{Blob, HashKind, Id};

/// The folder of an entry in which the contents are, each called by its name.
const FOLDER: &str = "displaced";

/// A file of one worktree, before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Displaced {
    /// Which linked worktree; `None` for the main one.
    pub worktree: Option<String>,
    /// The path.
    pub path: RepoPath,
    /// What stood there; `None` for nothing.
    pub old: Option<DisplacedFile>,
    /// What stands there then.
    pub new: Option<DisplacedFile>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplacedFile {
    /// Its bytes, in the form that they have in the worktree.
    pub bytes: Blob,
    /// Who may read, write and execute it; `None` for what a new file gets.
    pub permissions: Option<u32>,
}

impl Displaced {
    /// Returns the same the other way round.
    pub fn reversed(self) -> Displaced {
        Displaced {
            old: self.new,
            new: self.old,
            ..self
        }
    }

    /// Returns what is written about it.
    pub(super) fn record(&self, kind: HashKind) -> DisplacedRecord {
        let held = |side: &Option<DisplacedFile>| {
            side.as_ref().map(|held| HeldRecord {
                blob: held.bytes.id(kind),
                permissions: held.permissions,
            })
        };
        let (old, new) = (held(&self.old), held(&self.new));
        DisplacedRecord {
            worktree: self.worktree.clone(),
            path: self.path.clone(),
            old,
            new,
        }
    }
}

/// The folder of an entry, to be stored.
pub(super) struct DisplacedFolder {
    /// What it is called there, and is.
    pub entry: (&'static str, ObjectKind, Id),
    /// It and its files.
    pub objects: Vec<Object>,
}

/// Returns the folder that holds the contents of `displaced`; nothing for nothing.
pub(super) fn folder(
    repo: &Repo,
    displaced: &[Displaced],
) -> Result<Option<DisplacedFolder>, Diagnostic> {
    let sides = displaced
        .iter()
        .flat_map(|file| [&file.old, &file.new])
        .flatten();
    let mut objects = repo.blobs(sides.map(|held| held.bytes.clone()).collect());
    objects.sort_by(|one, other| one.id.cmp(&other.id));
    objects.dedup_by(|one, other| one.id == other.id);
    if objects.is_empty() {
        return Ok(None);
    }
    let entries: Vec<_> = objects
        .iter()
        .map(|blob| (blob.id.0.as_str(), ObjectKind::Blob, &blob.id))
        .collect();
    let folder = repo.folder_object(&entries)?;
    let id = folder.id.clone();
    objects.push(folder);
    Ok(Some(DisplacedFolder {
        entry: (FOLDER, ObjectKind::Tree, id),
        objects,
    }))
}

/// Reads what `records` speak of; what is not there is not known.
pub(super) fn read(repo: &Repo, records: &[DisplacedRecord]) -> Result<Vec<Displaced>, Diagnostic> {
    // By their names, not by way of the folder: that is there to keep them, and to find a name in it is to read all of it.
    let held = |record: &HeldRecord| -> Result<Option<DisplacedFile>, Diagnostic> {
        let bytes = repo.kept_blob(&record.blob, &record.blob.0)?;
        Ok(bytes.map(|bytes| DisplacedFile {
            bytes: bytes.into(),
            permissions: record.permissions,
        }))
    };
    let mut found = Vec::new();
    for record in records {
        let sides = (
            record.old.as_ref().map(held).transpose()?,
            record.new.as_ref().map(held).transpose()?,
        );
        let (old, new) = match sides {
            (Some(None), _) | (_, Some(None)) => continue,
            (old, new) => (old.flatten(), new.flatten()),
        };
        let (worktree, path) = (record.worktree.clone(), record.path.clone());
        found.push(Displaced {
            worktree,
            path,
            old,
            new,
        });
    }
    Ok(found)
}
