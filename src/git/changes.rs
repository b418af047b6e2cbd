//! The difference of two trees: every file, link and submodule that differs, found without reading what is the same.
//!
//! A folder that has the same id in both is never opened, so the difference costs what changed. Renames are not looked
//! for: a renamed file is one that went and one that came.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::str::FromStr;

use gix_diff::tree::recorder::Change;
use gix_diff::tree::{Recorder, Visit, visit};
use gix_object::bstr::BStr;
use gix_object::{Data, Find, Kind, TreeRefIter};

use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic};
use crate::snapshot::{FileMode, HashKind, Id};

/// A path at which two trees differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeChange {
    /// The path in bytes: a tree may hold names that are no text.
    pub path: Vec<u8>,
    /// What stood there.
    pub old: Option<TreeFile>,
    /// What stands there.
    pub new: Option<TreeFile>,
}

/// A leaf of a tree: a file, a symbolic link or a submodule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// git's number for the mode.
    pub bits: u32,
    /// The blob, or the submodule's commit.
    pub id: Id,
}

impl TreeFile {
    /// Says whether it is a file, neither a link nor a submodule.
    pub fn is_regular(&self) -> bool {
        FileMode::from_bits(self.bits).is_some()
    }
}

/// Trees that the object store may not have (any more), by id.
pub(super) type Trees = BTreeMap<Id, Vec<u8>>;

impl Repo {
    /// Returns every path at which the trees `from` and `to` differ, sorted; `None` is the empty tree.
    pub fn tree_changes(
        &self,
        from: Option<&Id>,
        to: Option<&Id>,
    ) -> Result<Vec<TreeChange>, Diagnostic> {
        self.tree_changes_beside(&Trees::new(), from, to)
    }

    /// Does the same where there are up to `most` of them, folders counted, with paths of up to `MOST_LETTERS` bytes together.
    ///
    /// A tree may name one tree many times, and that one another: some hundred bytes come to more paths than any memory holds.
    pub fn tree_changes_up_to(
        &self,
        most: usize,
        from: Option<&Id>,
        to: Option<&Id>,
    ) -> Result<ComparedTrees, Diagnostic> {
        self.compared(&Trees::new(), most, from, to)
    }

    /// Does the same where some trees are in `aside` and perhaps nowhere else.
    pub(super) fn tree_changes_beside(
        &self,
        aside: &Trees,
        from: Option<&Id>,
        to: Option<&Id>,
    ) -> Result<Vec<TreeChange>, Diagnostic> {
        match self.compared(aside, usize::MAX, from, to)? {
            ComparedTrees::All(changes) => Ok(changes),
            ComparedTrees::TooMany => Err(Diagnostic::new(
                Code::TooLarge,
                "two trees differ at too many paths",
            )),
        }
    }

    fn compared(
        &self,
        aside: &Trees,
        most: usize,
        from: Option<&Id>,
        to: Option<&Id>,
    ) -> Result<ComparedTrees, Diagnostic> {
        if from == to {
            return Ok(ComparedTrees::All(Vec::new()));
        }
        let store = TreeStore {
            repo: self,
            aside,
            failed: RefCell::default(),
        };
        let (old, new) = (store.root(from)?, store.root(to)?);
        let hash = match self.hash_kind() {
            HashKind::Sha1 => gix_hash::Kind::Sha1,
            HashKind::Sha256 => gix_hash::Kind::Sha256,
        };
        let trees = [&old, &new].map(|bytes| TreeRefIter::from_bytes(bytes, hash));
        let letters = if most == usize::MAX {
            usize::MAX
        } else {
            MOST_LETTERS
        };
        let mut recorder = Bounded {
            recorder: Recorder::default(),
            most,
            letters,
        };
        let outcome = gix_diff::tree(
            trees[0],
            trees[1],
            gix_diff::tree::State::default(),
            &store,
            &mut recorder,
        );
        if let Some(refusal) = store.failed.into_inner() {
            return Err(refusal);
        }
        match outcome {
            Ok(()) => Ok(ComparedTrees::All(leaves(recorder.recorder.records))),
            Err(gix_diff::tree::Error::Cancelled) => Ok(ComparedTrees::TooMany),
            Err(error) => Err(Diagnostic::new(
                Code::Io,
                format!("could not compare two trees: {error}"),
            )),
        }
    }
}

/// Most bytes that the paths come to where their number is bounded.
const MOST_LETTERS: usize = 64 << 20;

/// What a comparison of two trees came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedTrees {
    /// Every path at which they differ, sorted.
    All(Vec<TreeChange>),
    /// There are more than were asked for.
    TooMany,
}

/// Records so many changes and no more: folders come before what is in them, so that no more of those wait either.
struct Bounded {
    recorder: Recorder,
    /// How many are left.
    most: usize,
    /// How many bytes of paths are left.
    letters: usize,
}

impl Visit for Bounded {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.recorder.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.recorder.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.recorder.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.recorder.pop_path_component();
    }

    fn visit(&mut self, change: visit::Change) -> visit::Action {
        let left = self
            .most
            .checked_sub(1)
            .zip(self.letters.checked_sub(self.recorder.path().len()));
        let Some((most, letters)) = left else {
            return visit::Action::Break(());
        };
        (self.most, self.letters) = (most, letters);
        self.recorder.visit(change)
    }
}

/// Returns the changes of anything but folders, sorted by path.
fn leaves(records: Vec<Change>) -> Vec<TreeChange> {
    let mut found: BTreeMap<Vec<u8>, (Option<TreeFile>, Option<TreeFile>)> = BTreeMap::new();
    let leaf = |mode: gix_object::tree::EntryMode, oid: gix_hash::ObjectId| {
        (!mode.is_tree()).then(|| TreeFile {
            bits: u32::from(mode.value()),
            id: Id(oid.to_string()),
        })
    };
    for record in records {
        let (path, old, new) = match record {
            Change::Addition {
                entry_mode,
                oid,
                path,
                ..
            } => (path, None, leaf(entry_mode, oid)),
            Change::Deletion {
                entry_mode,
                oid,
                path,
                ..
            } => (path, leaf(entry_mode, oid), None),
            Change::Modification {
                previous_entry_mode,
                previous_oid,
                entry_mode,
                oid,
                path,
            } => (
                path,
                leaf(previous_entry_mode, previous_oid),
                leaf(entry_mode, oid),
            ),
        };
        // A file that becomes a folder of the same name comes as two records.
        let sides = found.entry(path.into()).or_default();
        sides.0 = old.or(sides.0.take());
        sides.1 = new.or(sides.1.take());
    }
    let changes = found
        .into_iter()
        .map(|(path, (old, new))| TreeChange { path, old, new });
    changes.filter(|change| change.old != change.new).collect()
}

/// The object store as gix asks for it. What could not be read is kept, because the answer has no room for why.
struct TreeStore<'r> {
    repo: &'r Repo,
    aside: &'r Trees,
    failed: RefCell<Option<Diagnostic>>,
}

impl TreeStore<'_> {
    fn root(&self, tree: Option<&Id>) -> Result<Vec<u8>, Diagnostic> {
        tree.map_or_else(|| Ok(Vec::new()), |tree| self.tree(tree))
    }

    /// Returns the bytes of a tree. A partial clone may have to fetch it.
    fn tree(&self, tree: &Id) -> Result<Vec<u8>, Diagnostic> {
        if let Some(bytes) = self.aside.get(tree) {
            return Ok(bytes.clone());
        }
        let attempt = format!("read the tree {tree}");
        let odb = self
            .repo
            .git2
            .odb()
            .map_err(failure::git2("open the object database"))?;
        match odb.read(self.repo.oid(tree)?) {
            Ok(found) if found.kind() == git2::ObjectType::Tree => Ok(found.data().to_vec()),
            Ok(_) => Err(Diagnostic::new(
                Code::Io,
                format!("could not {attempt}: it is something else"),
            )),
            Err(error) if error.code() == git2::ErrorCode::NotFound && self.repo.is_partial() => {
                let git = self.repo.program().fetching(&format!("the tree {tree}"))?;
                git.demand(&attempt, &["cat-file", "tree", &tree.0], &[])
            }
            Err(error) => Err(failure::git2(&attempt)(error)),
        }
    }
}

impl Find for TreeStore<'_> {
    fn try_find<'a>(
        &self,
        id: &gix_hash::oid,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<Data<'a>>, <gix_hash::ObjectId as FromStr>::Err> {
        match self.tree(&Id(id.to_string())) {
            Ok(bytes) => {
                *buffer = bytes;
                Ok(Some(Data {
                    kind: Kind::Tree,
                    object_hash: id.kind(),
                    data: buffer,
                }))
            }
            Err(refusal) => {
                *self.failed.borrow_mut() = Some(refusal);
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::git::testing::{Sandbox, numbers};

    /// Asks git for the same: `:<old mode> <new mode> <old id> <new id> <status>NUL<path>NUL`.
    fn as_git(sandbox: &Sandbox, from: &str, to: &str) -> Vec<TreeChange> {
        let raw = sandbox.git_bytes(&[
            "diff-tree",
            "-r",
            "-z",
            "--raw",
            "--no-renames",
            "--full-index",
            from,
            to,
        ]);
        let words: Vec<&[u8]> = raw.split(|&byte| byte == 0).collect();
        let side = |bits: &str, id: &str| {
            let bits = u32::from_str_radix(bits, 8).unwrap();
            (bits != 0).then(|| TreeFile {
                bits,
                id: Id(id.to_owned()),
            })
        };
        let mut changes: Vec<TreeChange> = words
            .chunks_exact(2)
            .map(|pair| {
                let head: Vec<&str> = std::str::from_utf8(&pair[0][1..])
                    .unwrap()
                    .split(' ')
                    .collect();
                TreeChange {
                    path: pair[1].to_vec(),
                    old: side(head[0], head[2]),
                    new: side(head[1], head[3]),
                }
            })
            .collect();
        changes.sort_by(|left, right| left.path.cmp(&right.path));
        changes
    }

    #[test]
    fn random_trees_differ_as_git_says() {
        for format in ["sha1", "sha256"] {
            let sandbox = Sandbox::new(&[&format!("--object-format={format}")]);
            let blobs: Vec<String> = (0..4)
                .map(|n: usize| {
                    sandbox
                        .git_with_input(&["hash-object", "-w", "--stdin"], n.to_string().as_bytes())
                })
                .collect();
            let names: [&[u8]; 12] = [
                b"a",
                b"a/b",
                b"a/b/c",
                b"a/c",
                b"a.b",
                b"a-b/x",
                b"z/y/x/w",
                b"z/y/v",
                b"\xff\xfe",
                b"d/\xe9",
                b"m",
                b"zz",
            ];
            let modes = ["100644", "100755", "120000", "160000"];
            let mut random = numbers(7);
            let mut trees = Vec::new();
            for _ in 0..12 {
                let mut entries = BTreeMap::new();
                for name in names {
                    if random(3) > 0 {
                        entries.insert(name.to_vec(), (modes[random(4)], blobs[random(4)].clone()));
                    }
                }
                trees.push(sandbox.tree(&entries));
            }
            let empty = sandbox.tree(&BTreeMap::new());
            let repo = sandbox.repo();
            for from in &trees {
                for to in &trees {
                    let found = repo
                        .tree_changes(Some(&Id(from.clone())), Some(&Id(to.clone())))
                        .unwrap();
                    assert_eq!(found, as_git(&sandbox, from, to), "{from} {to}");
                }
                let whole = repo.tree_changes(None, Some(&Id(from.clone()))).unwrap();
                assert_eq!(whole, as_git(&sandbox, &empty, from));
                assert!(!whole.is_empty());
                assert_eq!(
                    repo.tree_changes(Some(&Id(from.clone())), None)
                        .unwrap()
                        .len(),
                    whole.len()
                );
            }
        }
    }

    #[test]
    fn a_tree_that_is_missing_is_a_failure_and_not_an_empty_folder() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n"), ("dir/b.txt", "bee\n")]);
        let [root, folder] =
            ["HEAD^{tree}", "HEAD:dir"].map(|name| sandbox.git(&["rev-parse", name]));
        let (start, rest) = folder.split_at(2);
        std::fs::remove_file(sandbox.root().join(".git/objects").join(start).join(rest)).unwrap();
        let refusal = sandbox
            .repo()
            .tree_changes(None, Some(&Id(root)))
            .unwrap_err();
        assert!(refusal.message.contains(&folder), "{refusal:?}");
    }
}
