//! `Object`: what git stores, made in memory; and the numbers that git has for modes.

use crate::snapshot::{Blob, FileMode, HashKind, Id};

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A file's content.
    Blob,
    /// A folder.
    Tree,
    /// A commit.
    Commit,
}

/// An object that may not be stored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its name.
    pub id: Id,
    /// Its content, without git's header.
    pub bytes: Blob,
}

/// Returns the blob of `bytes`.
pub(in crate::git) fn blob_of(bytes: Blob, hash: HashKind) -> Object {
    Object {
        kind: ObjectKind::Blob,
        id: bytes.id(hash),
        bytes,
    }
}

impl FileMode {
    /// Returns git's number for it.
    pub(crate) fn bits(self) -> u32 {
        match self {
            FileMode::Regular => 0o100_644,
            FileMode::Executable => 0o100_755,
        }
    }

    /// Returns the mode of a regular file whose number in git is `bits`, and `None` for anything else.
    pub(in crate::git) fn from_bits(bits: u32) -> Option<FileMode> {
        match bits {
            // git wrote 100664 in its first months; such trees are still about.
            0o100_644 | 0o100_664 => Some(FileMode::Regular),
            0o100_755 => Some(FileMode::Executable),
            _ => None,
        }
    }
}
