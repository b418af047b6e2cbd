//! Objects: blobs, trees and commits, made in memory first; `store` writes them, and they are unreachable until a ref moves.
//!
//! Invariant: a tree that `tree_with` makes differs from its base in the paths of the changes and nowhere else:
//! every other entry keeps its name, mode and id, byte for byte.
//!
//! Trees and commits are put together here and not by libgit2, because a batch is judged before anything is written:
//! a dry run leaves no object behind, and a large batch can be stored as one pack.

use std::collections::BTreeMap;

use git2::ObjectType;

use super::base::object::blob_of;
use super::head::id;
use super::{Identity, Object, ObjectKind, Repo, failure};
use crate::diagnostic::{Code, Diagnostic};
use crate::parallel;
use crate::path::RepoPath;
use crate::snapshot::{Blob, Change, File, FileMode, Id};
use crate::text::ascii::from_hexadecimal;

/// What a commit says.
#[derive(Clone, Debug)]
pub struct NewCommit<'a> {
    /// The tree.
    pub tree: &'a Id,
    /// The parents.
    pub parents: &'a [Id],
    /// Who wrote the change.
    pub author: &'a Identity,
    /// Who made the commit.
    pub committer: &'a Identity,
    /// The message in full.
    pub message: &'a str,
}

/// Why a tree cannot take a change.
#[derive(Clone, Debug)]
pub enum TreeFailure {
    /// The tree holds something else at the path than the change expects.
    Stale {
        /// Where.
        path: RepoPath,
        /// The blob that the change expects; `None` for nothing.
        expected: Option<Id>,
        /// What stands there; `None` for nothing.
        found: Option<Id>,
    },
    /// A file and a folder want the same name, or the tree cannot be read.
    Refused(Diagnostic),
}

impl From<Diagnostic> for TreeFailure {
    fn from(refusal: Diagnostic) -> TreeFailure {
        TreeFailure::Refused(refusal)
    }
}

impl Repo {
    /// Returns a blob of `bytes`.
    pub fn blob(&self, bytes: impl Into<Blob>) -> Object {
        blob_of(bytes.into(), self.hash_kind())
    }

    /// Returns a blob of each, hashed at once where they are large.
    pub fn blobs(&self, contents: Vec<Blob>) -> Vec<Object> {
        let hash = self.hash_kind();
        let bytes = contents.iter().map(|bytes| bytes.len()).sum();
        parallel::weighed(bytes, contents, |bytes| blob_of(bytes, hash))
    }

    /// Returns the tree that `changes` make of `base` (`None`: of the empty tree), and the trees and blobs that it
    /// needs beyond those of `base`. Folders left empty are dropped. Nothing is written.
    pub fn tree_with(
        &self,
        base: Option<&Id>,
        changes: &[Change],
    ) -> Result<(Id, Vec<Object>), TreeFailure> {
        let mut wanted = Wanted::default();
        for change in changes {
            wanted.add(change);
        }
        let mut objects = Vec::new();
        let tree = match self.grow(base, &wanted, &mut objects)? {
            Some(tree) => tree,
            None => self.keep(ObjectKind::Tree, Vec::new(), &mut objects)?,
        };
        Ok((tree, objects))
    }

    /// Returns a commit. Nothing is written.
    pub fn commit_object(&self, commit: &NewCommit<'_>) -> Result<Object, Diagnostic> {
        let mut bytes = format!("tree {}\n", commit.tree);
        for parent in commit.parents {
            bytes.push_str(&format!("parent {parent}\n"));
        }
        bytes.push_str(&format!(
            "author {}\ncommitter {}\n\n",
            commit.author.line(),
            commit.committer.line()
        ));
        bytes.push_str(commit.message);
        self.object(ObjectKind::Commit, bytes.into_bytes())
    }

    /// Returns what `wanted` makes of the tree `base`, or `None` when nothing is left of it.
    ///
    /// Folders are kept on a list and not on the stack: a path may have as many as git can hold, and those on its way would fill it.
    fn grow(
        &self,
        base: Option<&Id>,
        wanted: &Wanted<'_>,
        objects: &mut Vec<Object>,
    ) -> Result<Option<Id>, TreeFailure> {
        let mut open = Vec::new();
        let mut here = OpenFolder::root(self.entries(base)?, wanted);
        loop {
            let Some((&name, want)) = here.wanted.next() else {
                let tree = match here.entries.is_empty() {
                    true => None,
                    false => Some(self.keep(ObjectKind::Tree, encode(&here.entries), objects)?),
                };
                let Some(above) = open.pop() else {
                    return Ok(tree);
                };
                let OpenFolder {
                    name, path, file, ..
                } = std::mem::replace(&mut here, above);
                let new = match (tree.map(|id| TreeEntry { mode: TREE, id }), file) {
                    (Some(_), Some(_)) => {
                        let message = format!(
                            "{} cannot be a file and a folder at once",
                            crate::diagnostic::shown(&path)
                        );
                        return Err(TreeFailure::Refused(Diagnostic::new(
                            Code::PathRefused,
                            message,
                        )));
                    }
                    (folder, file) => folder.or(file),
                };
                if let Some(new) = new {
                    here.entries.insert(name.as_bytes().to_vec(), new);
                }
                continue;
            };
            let (folder, file) = match here.entries.remove(name.as_bytes()) {
                Some(entry) if entry.mode == TREE => (Some(entry.id), None),
                other => (None, other),
            };
            // A file that the changes say nothing about stays, unless it is in the way of what they want below it.
            let file = match want.change {
                Some(change) => self.replace_file(file, change, objects)?,
                None => file,
            };
            let path = if here.path.is_empty() {
                name.to_owned()
            } else {
                format!("{}/{name}", here.path)
            };
            let entries = self.entries(folder.as_ref())?;
            let below = OpenFolder {
                name,
                path,
                entries,
                file,
                wanted: want.children.iter(),
            };
            open.push(std::mem::replace(&mut here, below));
        }
    }

    fn replace_file(
        &self,
        found: Option<TreeEntry>,
        change: &Change,
        objects: &mut Vec<Object>,
    ) -> Result<Option<TreeEntry>, TreeFailure> {
        let expected = change
            .before
            .as_ref()
            .map(|file| (file.mode, self.blob_id(file)));
        let actual = found
            .as_ref()
            .map(|entry| (FileMode::from_bits(entry.mode), &entry.id));
        let same = match (&expected, actual) {
            (None, None) => true,
            (Some((mode, id)), Some((found_mode, found))) => {
                found_mode == Some(*mode) && id == found
            }
            (None, Some(_)) | (Some(_), None) => false,
        };
        if !same {
            let (expected, found) = (expected.map(|(_, id)| id), found.map(|entry| entry.id));
            return Err(TreeFailure::Stale {
                path: change.path.clone(),
                expected,
                found,
            });
        }
        let Some(after) = &change.after else {
            return Ok(None);
        };
        let blob = self.blob(after.bytes.clone());
        // A mode that git no longer writes stays as it was if nobody asked for another.
        let kept = found
            .map(|entry| entry.mode)
            .filter(|&bits| FileMode::from_bits(bits) == Some(after.mode));
        let entry = TreeEntry {
            mode: kept.unwrap_or_else(|| after.mode.bits()),
            id: blob.id.clone(),
        };
        objects.push(blob);
        Ok(Some(entry))
    }

    fn blob_id(&self, file: &File) -> Id {
        file.bytes.id(self.hash_kind())
    }

    fn entries(&self, tree: Option<&Id>) -> Result<BTreeMap<Vec<u8>, TreeEntry>, Diagnostic> {
        let Some(tree) = tree else {
            return Ok(BTreeMap::new());
        };
        let tree = self.find_tree(tree)?;
        let entry = |entry: git2::TreeEntry<'_>| {
            let mode = u32::try_from(entry.filemode_raw()).unwrap_or_default();
            (
                entry.name_bytes().to_vec(),
                TreeEntry {
                    mode,
                    id: id(entry.id()),
                },
            )
        };
        Ok(tree.iter().map(entry).collect())
    }

    fn object(&self, kind: ObjectKind, bytes: Vec<u8>) -> Result<Object, Diagnostic> {
        let oid = git2::Oid::hash_object_ext(kind.git2(), &bytes, self.git2.object_format())
            .map_err(failure::git2("name an object"))?;
        Ok(Object {
            kind,
            id: id(oid),
            bytes: bytes.into(),
        })
    }

    /// Returns a tree of `entries`.
    pub(super) fn wrap(&self, entries: &[Wrapped]) -> Result<Object, Diagnostic> {
        let entry = |wrapped: &Wrapped| {
            let mode = if wrapped.kind == ObjectKind::Tree {
                TREE
            } else {
                FileMode::Regular.bits()
            };
            (
                wrapped.name.clone().into_bytes(),
                TreeEntry {
                    mode,
                    id: wrapped.id.clone(),
                },
            )
        };
        self.object(
            ObjectKind::Tree,
            encode(&entries.iter().map(entry).collect()),
        )
    }

    fn keep(
        &self,
        kind: ObjectKind,
        bytes: Vec<u8>,
        objects: &mut Vec<Object>,
    ) -> Result<Id, Diagnostic> {
        let object = self.object(kind, bytes)?;
        let id = object.id.clone();
        objects.push(object);
        Ok(id)
    }
}

impl ObjectKind {
    fn git2(self) -> ObjectType {
        match self {
            ObjectKind::Blob => ObjectType::Blob,
            ObjectKind::Tree => ObjectType::Tree,
            ObjectKind::Commit => ObjectType::Commit,
        }
    }
}

const TREE: u32 = 0o040_000;

/// An object with the name that a tree gives it.
pub(super) struct Wrapped {
    pub(super) name: String,
    pub(super) kind: ObjectKind,
    pub(super) id: Id,
}

#[derive(Clone, Debug)]
struct TreeEntry {
    mode: u32,
    id: Id,
}

/// A folder that grows, or a file: what stands at a name and below it.
struct OpenFolder<'w, 'c> {
    name: &'w str,
    path: String,
    /// What is in it; of those that are still wanted, as it was.
    entries: BTreeMap<Vec<u8>, TreeEntry>,
    /// The file that is to be there.
    file: Option<TreeEntry>,
    /// What is wanted in it and was not looked at yet.
    wanted: std::collections::btree_map::Iter<'w, &'c str, Wanted<'c>>,
}

impl<'w, 'c> OpenFolder<'w, 'c> {
    fn root(entries: BTreeMap<Vec<u8>, TreeEntry>, wanted: &'w Wanted<'c>) -> OpenFolder<'w, 'c> {
        OpenFolder {
            name: "",
            path: String::new(),
            entries,
            file: None,
            wanted: wanted.children.iter(),
        }
    }
}

/// The changes, by folder: what is wanted at a name itself, and what below it.
#[derive(Default)]
struct Wanted<'c> {
    change: Option<&'c Change>,
    children: BTreeMap<&'c str, Wanted<'c>>,
}

impl<'c> Wanted<'c> {
    fn add(&mut self, change: &'c Change) {
        let mut here = self;
        for name in change.path.as_str().split('/') {
            here = here.children.entry(name).or_default();
        }
        here.change = Some(change);
    }
}

/// Returns a tree object's bytes, entries in git's order: by name, a folder's as if it ended in a slash.
fn encode(entries: &BTreeMap<Vec<u8>, TreeEntry>) -> Vec<u8> {
    let mut sorted: Vec<(Vec<u8>, &Vec<u8>, &TreeEntry)> = entries
        .iter()
        .map(|(name, entry)| (sort_key(name, entry.mode), name, entry))
        .collect();
    sorted.sort_by(|left, right| left.0.cmp(&right.0));
    let mut bytes = Vec::new();
    for (_, name, entry) in sorted {
        bytes.extend(format!("{:o} ", entry.mode).bytes());
        bytes.extend(name);
        bytes.push(0);
        bytes.extend(from_hexadecimal(entry.id.0.as_bytes()).unwrap_or_default());
    }
    bytes
}

fn sort_key(name: &[u8], mode: u32) -> Vec<u8> {
    let mut key = name.to_vec();
    if mode == TREE {
        key.push(b'/');
    }
    key
}
