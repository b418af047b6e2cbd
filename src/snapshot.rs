//! `Snapshot`: the bytes that a batch is resolved against, as data.
//!
//! A snapshot holds an entry for every path that the batch names, and nothing else: the reader (git) fills it for
//! exactly those paths, so that a batch costs what it touches and not what the repository holds. A test writes one
//! as text. Deliberately not here: how it is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

mod blob;

use crate::path::RepoPath;
pub use blob::Blob;

/// An object's name in hexadecimal: 40 digits in a SHA-1 repository, 64 in a SHA-256 one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub String);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a snapshot was taken of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A commit and its tree.
    Commit {
        /// The commit.
        commit: Id,
        /// Its tree.
        tree: Id,
    },
    /// A branch without a commit yet.
    Unborn,
    /// The index, over the commit that HEAD names if there is one.
    Index {
        /// HEAD's commit.
        head: Option<Id>,
    },
    /// The worktree's files, over the commit that HEAD names if there is one.
    Worktree {
        /// HEAD's commit.
        head: Option<Id>,
    },
}

impl Base {
    /// Returns the commit that the snapshot stands on.
    pub fn commit(&self) -> Option<&Id> {
        match self {
            Base::Commit { commit, .. } => Some(commit),
            Base::Unborn => None,
            Base::Index { head } | Base::Worktree { head } => head.as_ref(),
        }
    }
}

/// How git would write the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 100644
    Regular,
    /// 100755
    Executable,
}

/// A regular file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Executable or not.
    pub mode: Mode,
    /// The content as git stores it (for the worktree: as it would be stored).
    pub bytes: Blob,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File(File),
    /// A folder.
    Folder,
    /// A symbolic link.
    Symlink,
    /// A submodule, or a nested repository.
    Submodule,
    /// The path passes through something that is not a folder: a link, a submodule, a file.
    Behind {
        /// What stands in the way.
        what: Obstacle,
        /// Where.
        at: RepoPath,
    },
    /// Nothing, with the paths a caller may have meant.
    Absent {
        /// Paths that exist and are spelled nearly so, nearest first.
        nearest: Vec<RepoPath>,
        /// A path that a case-folding or normalising file system takes for the same.
        twin: Option<RepoPath>,
    },
}

/// What a path cannot pass through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A symbolic link.
    Symlink,
    /// A submodule, or a nested repository.
    Submodule,
    /// A regular file.
    File,
}

/// The paths of one batch as they stand in one base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// What it was taken of.
    pub base: Base,
    /// Which hash names the repository's objects, and so its segments.
    pub hash: HashKind,
    /// An entry for every path that the batch names or that a pathspec of it matched.
    pub entries: BTreeMap<RepoPath, Entry>,
    /// For each list of pathspecs in the batch, the regular files it matched, sorted.
    pub matches: BTreeMap<Vec<String>, Vec<RepoPath>>,
    /// Templates that files of the batch were made from, where an operation asks for a block of such a file.
    pub templates: Arc<Templates>,
}

/// The folders of templates that the base configures, as far as somebody had to look into them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Templates {
    /// The folders, each with its final slash, in the configuration's order.
    pub folders: Vec<String>,
    /// Every file in them.
    pub paths: BTreeSet<RepoPath>,
    /// The content of those that were read.
    pub files: BTreeMap<RepoPath, Blob>,
}

impl Snapshot {
    /// Returns what stands at `path`; a path that nobody asked for is absent.
    pub fn entry(&self, path: &RepoPath) -> &Entry {
        const NOTHING: &Entry = &Entry::Absent {
            nearest: Vec::new(),
            twin: None,
        };
        self.entries.get(path).unwrap_or(NOTHING)
    }

    /// Returns the regular file at `path`.
    pub fn file(&self, path: &RepoPath) -> Option<&File> {
        match self.entry(path) {
            Entry::File(file) => Some(file),
            Entry::Folder
            | Entry::Symlink
            | Entry::Submodule
            | Entry::Behind { .. }
            | Entry::Absent { .. } => None,
        }
    }
}

impl Snapshot {
    /// Returns the snapshot as `changes` leave it: what a second batch of the same call is resolved against.
    pub fn with(mut self, changes: &[Change]) -> Snapshot {
        for change in changes {
            let entry = match &change.after {
                Some(file) => Entry::File(file.clone()),
                None => Entry::Absent {
                    nearest: Vec::new(),
                    twin: None,
                },
            };
            if change.after.is_none() {
                self.matches
                    .values_mut()
                    .for_each(|matched| matched.retain(|path| *path != change.path));
            }
            self.entries.insert(change.path.clone(), entry);
        }
        if changes
            .iter()
            .any(|change| self.templates.holds(&change.path))
        {
            self.templates = Arc::new(self.templates.with(changes));
        }
        self
    }
}

impl Templates {
    /// Says whether `path` is in one of the folders.
    pub fn holds(&self, path: &RepoPath) -> bool {
        self.folders
            .iter()
            .any(|folder| path.as_str().starts_with(folder))
    }

    fn with(&self, changes: &[Change]) -> Templates {
        let mut templates = self.clone();
        for change in changes.iter().filter(|change| self.holds(&change.path)) {
            match &change.after {
                Some(file) => {
                    templates.paths.insert(change.path.clone());
                    templates
                        .files
                        .insert(change.path.clone(), file.bytes.clone());
                }
                None => {
                    templates.paths.remove(&change.path);
                    templates.files.remove(&change.path);
                }
            }
        }
        templates
    }
}

/// What a batch makes of one path; a rename is a removal and a creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path.
    pub path: RepoPath,
    /// The file before, as the snapshot had it.
    pub before: Option<File>,
    /// The file after.
    pub after: Option<File>,
}

/// Merges changes of one path, each on what the one before it left; sorted, those that end as they began left out.
pub fn merged<'c>(changes: impl Iterator<Item = &'c Change>) -> Vec<Change> {
    let mut all: BTreeMap<&RepoPath, Change> = BTreeMap::new();
    for change in changes {
        all.entry(&change.path)
            .and_modify(|first| first.after.clone_from(&change.after))
            .or_insert_with(|| change.clone());
    }
    all.into_values()
        .filter(|change| change.before != change.after)
        .collect()
}

/// Which hash names the repository's objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HashKind {
    /// 40 hexadecimal digits.
    #[default]
    Sha1,
    /// 64 hexadecimal digits.
    Sha256,
}

impl Id {
    /// Returns the id that git would give a blob of `bytes`.
    pub fn of_blob(kind: HashKind, bytes: &[u8]) -> Id {
        let mut hashing = Hashing::new(kind);
        hashing.update(header_of_blob(bytes.len(), &mut [0; 32]));
        hashing.update(bytes);
        hashing.id()
    }
}

/// Returns what git hashes ahead of a blob of that many bytes, written into `room`.
fn header_of_blob(mut length: usize, room: &mut [u8; 32]) -> &[u8] {
    let mut at = room.len() - 1;
    loop {
        at -= 1;
        room[at] = b'0' + u8::try_from(length % 10).unwrap_or(0);
        length /= 10;
        if length == 0 {
            break;
        }
    }
    at -= BLOB.len();
    room[at..at + BLOB.len()].copy_from_slice(BLOB);
    &room[at..]
}

const BLOB: &[u8] = b"blob ";

/// Returns bytes as lower-case digits.
fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// A hash in the making.
pub struct Hashing {
    kind: gix_hash::Kind,
    hasher: gix_hash::Hasher,
}

impl Hashing {
    /// Begins one.
    pub fn new(kind: HashKind) -> Hashing {
        let kind = match kind {
            HashKind::Sha1 => gix_hash::Kind::Sha1,
            HashKind::Sha256 => gix_hash::Kind::Sha256,
        };
        Hashing {
            kind,
            hasher: gix_hash::hasher(kind),
        }
    }

    /// Goes on with `bytes`.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
    }

    /// Returns the hash as an id. Bytes built to collide under SHA-1 have none; theirs must still not pass for another's.
    pub fn id(self) -> Id {
        let digits = self.kind.len_in_hex();
        Id(self
            .hasher
            .try_finalize()
            .map_or_else(|_| "0".repeat(digits), |id| hexadecimal(id.as_bytes())))
    }

    /// Returns the hash, 20 or 32 bytes, but none for bytes built to collide under SHA-1.
    pub fn finish(self) -> Option<Vec<u8>> {
        self.hasher
            .try_finalize()
            .ok()
            .map(|id| id.as_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_blob_says_its_length() {
        let check = |length: usize| {
            assert_eq!(
                header_of_blob(length, &mut [0; 32]),
                format!("blob {length}\0").as_bytes()
            );
        };
        [0, 7, 10, 99, 1_234_567_890, usize::MAX]
            .into_iter()
            .for_each(check);
    }

    #[test]
    fn blob_ids_are_gits() {
        // From `printf 'hello\n' | git hash-object --stdin` with and without SHA-256.
        assert_eq!(
            Id::of_blob(HashKind::Sha1, b"hello\n").0,
            "ce013625030ba8dba906f756967f9e9ca394464a"
        );
        assert_eq!(
            Id::of_blob(HashKind::Sha256, b"hello\n").0,
            "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"
        );
    }
}
