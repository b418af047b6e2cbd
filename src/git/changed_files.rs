//! What is staged, and what a commit changed: both sides of every regular file that differs, bytes and all.
//!
//! Which paths differ between trees `changes` finds out; what the index makes of HEAD only git knows cheaply, because it keeps
//! the ids of the index's folders.

use std::collections::{HashMap, HashSet};

use super::base::plain_file::read_plain_file;
use super::{ComparedTrees, Repo, TreeChange, TreeFile};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{Blob, Change, File, FileMode, HashKind, Id};

/// Most paths at which a commit may differ from its parent, and most bytes that their files may come to: whoever may push could
/// else have a hook take all memory, or all time, with a tree that names one tree many times.
const MOST_PATHS: usize = 250_000;
/// See `MOST_PATHS`.
const MOST_BYTES: u64 = 4 << 30;

/// The files that differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedFiles {
    /// Those that could be read, sorted by path.
    pub changes: Vec<Change>,
    /// Those that a merge takes from another of its parents as they are there, sorted by path.
    pub taken_over: Vec<Change>,
    /// Those that are longer than was asked for, before or after, and were not read.
    pub oversized: Vec<RepoPath>,
    /// Those that have a name that no `RepoPath` can hold, lossily.
    pub unnamed: Vec<String>,
}

/// A path that differs: mode and blob before and after, `None` where no regular file stands.
struct Differing {
    path: Vec<u8>,
    before: Option<(FileMode, Id)>,
    after: Option<(FileMode, Id)>,
}

impl Repo {
    /// Returns what the index changes of HEAD's files of up to `largest` bytes. Entries that were only announced
    /// (`git add -N`) are not there yet; a conflict in the index is refused. While a merge is under way, it is compared with all
    /// that is merged.
    pub fn staged_changes(&self, largest: u64) -> Result<ChangedFiles, Diagnostic> {
        self.need_worktree("the index")?;
        let head = self.head()?;
        let tree = head
            .commit()
            .map(|commit| self.tree_of(commit))
            .transpose()?;
        let differing = self.staged_paths(tree.as_ref())?;
        let mut others = Vec::new();
        for commit in self.merge_heads() {
            others.push(self.staged_paths(Some(&self.tree_of(&commit)?))?);
        }
        self.read_changed(differing, &others, largest)
    }

    /// Returns what the tree `after` changes of the files of `before`, or of none, of up to `largest` bytes. `merged` are the
    /// trees of the other parents, where it is a merge.
    pub fn changes_between(
        &self,
        before: Option<&Id>,
        merged: &[Id],
        after: &Id,
        largest: u64,
    ) -> Result<ChangedFiles, Diagnostic> {
        let differing = self.paths_between(before, after)?;
        let others: Result<Vec<_>, Diagnostic> = merged
            .iter()
            .map(|tree| self.paths_between(Some(tree), after))
            .collect();
        self.read_changed(differing, &others?, largest)
    }

    /// Returns the commits that a merge under way in this worktree brings in.
    fn merge_heads(&self) -> Vec<Id> {
        // One line each, of a merge of as many as anybody has made.
        const MOST: u64 = 1 << 20;
        let text = read_plain_file(&self.git_dir().join("MERGE_HEAD"), MOST).unwrap_or_default();
        String::from_utf8_lossy(&text)
            .lines()
            .map(|line| Id(line.trim().to_owned()))
            .collect()
    }

    /// Returns the paths at which the trees differ, of which there are not more than a commit may change.
    fn paths_between(&self, before: Option<&Id>, after: &Id) -> Result<Vec<Differing>, Diagnostic> {
        let side = |file: Option<TreeFile>| {
            file.and_then(|file| Some((FileMode::from_bits(file.bits)?, file.id)))
        };
        let differing = |change: TreeChange| Differing {
            path: change.path,
            before: side(change.old),
            after: side(change.new),
        };
        match self.tree_changes_up_to(MOST_PATHS, before, Some(after))? {
            ComparedTrees::All(changes) => Ok(changes.into_iter().map(differing).collect()),
            ComparedTrees::TooMany => {
                let message = "it changes more than 250,000 paths, folders counted, or such of more than 64 MiB together";
                Err(Diagnostic::new(Code::TooLarge, message))
            }
        }
    }

    fn staged_paths(&self, head: Option<&Id>) -> Result<Vec<Differing>, Diagnostic> {
        let attempt = "compare the index with HEAD";
        let head = head.cloned().unwrap_or_else(|| self.empty_tree());
        let raw = [
            "diff-index",
            "--cached",
            "-z",
            "--raw",
            "--no-abbrev",
            "--no-renames",
        ];
        let compare = [&raw[..], &["--ita-invisible-in-index", &head.0]].concat();
        let answer = self.program().demand(attempt, &compare, &[])?;
        let read = read_raw(&answer).map_err(|entry| {
            Diagnostic::new(
                Code::Io,
                format!("could not {attempt}: git said `{}`", shown(&entry)),
            )
        });
        let (differing, unmerged) = read?;
        if unmerged.is_empty() {
            Ok(differing)
        } else {
            Err(conflicts(&unmerged))
        }
    }

    pub(super) fn empty_tree(&self) -> Id {
        let name = match self.hash_kind() {
            HashKind::Sha1 => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            HashKind::Sha256 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        };
        Id(name.to_owned())
    }

    /// Reads what is `differing`. `others` are what differs from each of the other parents of a merge: what is not in one of them
    /// was taken over from there.
    fn read_changed(
        &self,
        differing: Vec<Differing>,
        others: &[Vec<Differing>],
        largest: u64,
    ) -> Result<ChangedFiles, Diagnostic> {
        let mut changed = ChangedFiles::default();
        let others: Vec<HashSet<&[u8]>> = others
            .iter()
            .map(|differing| {
                differing
                    .iter()
                    .map(|entry| entry.path.as_slice())
                    .collect()
            })
            .collect();
        // One blob can stand at many paths. It is read once, and counts each time: each is looked into.
        let mut known: HashMap<Id, Blob> = HashMap::new();
        let mut left = MOST_BYTES;
        // A link or a submodule that became another one has no lines to judge.
        for entry in differing
            .into_iter()
            .filter(|entry| entry.before.is_some() || entry.after.is_some())
        {
            let is_taken_over = others
                .iter()
                .any(|differing| !differing.contains(entry.path.as_slice()));
            let name = String::from_utf8_lossy(&entry.path).into_owned();
            let path = std::str::from_utf8(&entry.path)
                .ok()
                .and_then(|path| RepoPath::parse(path).ok());
            let Some(path) = path else {
                if !is_taken_over {
                    changed.unnamed.push(name);
                }
                continue;
            };
            let sides = [&entry.before, &entry.after];
            // The size of one that has to be fetched is not known yet.
            let sizes = sides
                .into_iter()
                .flatten()
                .map(|(_, blob)| self.size_of(blob).unwrap_or_default());
            let sizes: Vec<u64> = sizes.collect();
            if sizes.iter().any(|size| *size > largest) {
                if !is_taken_over {
                    changed.oversized.push(path);
                }
                continue;
            }
            let Some(rest) = left.checked_sub(sizes.iter().sum()) else {
                let message = "the files that it changes come to more than 4 GiB, before and after";
                return Err(Diagnostic::new(Code::TooLarge, message));
            };
            left = rest;
            let mut read = |side: Option<(FileMode, Id)>| -> Result<Option<File>, Diagnostic> {
                let Some((mode, blob)) = side else {
                    return Ok(None);
                };
                if let Some(bytes) = known.get(&blob) {
                    return Ok(Some(File {
                        mode,
                        bytes: bytes.clone(),
                    }));
                }
                let bytes = self.blob_bytes(&blob, path.as_str())?;
                known.insert(blob, bytes.clone());
                Ok(Some(File { mode, bytes }))
            };
            let (before, after) = (read(entry.before)?, read(entry.after)?);
            let changes = if is_taken_over {
                &mut changed.taken_over
            } else {
                &mut changed.changes
            };
            changes.push(Change {
                path,
                before,
                after,
            });
        }
        for changes in [&mut changed.changes, &mut changed.taken_over] {
            changes.sort_by(|one, other| one.path.cmp(&other.path));
        }
        Ok(changed)
    }

    /// Returns the size of `blob`, if it is here.
    fn size_of(&self, blob: &Id) -> Option<u64> {
        let (size, _) = self
            .git2
            .odb()
            .ok()?
            .read_header(self.oid(blob).ok()?)
            .ok()?;
        Some(size as u64)
    }
}

/// Reads git's raw format: what differs, and the paths that are in conflict; or the entry that is not of that format.
fn read_raw(answer: &[u8]) -> Result<(Vec<Differing>, Vec<String>), String> {
    let mut words = answer.split(|&byte| byte == 0);
    let (mut differing, mut unmerged) = (Vec::new(), Vec::new());
    while let (Some(entry), Some(path)) = (words.next(), words.next()) {
        // `:<mode> <mode> <id> <id> <letter>`
        let entry = String::from_utf8_lossy(entry);
        let fields: Vec<&str> = entry.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, old, new, letter] = fields[..] else {
            return Err(entry.into_owned());
        };
        if letter == "U" {
            unmerged.push(String::from_utf8_lossy(path).into_owned());
            continue;
        }
        let side = |mode: &str, id: &str| {
            let mode = u32::from_str_radix(mode, 8)
                .ok()
                .and_then(FileMode::from_bits)?;
            Some((mode, Id(id.to_owned())))
        };
        differing.push(Differing {
            path: path.to_vec(),
            before: side(old_mode, old),
            after: side(new_mode, new),
        });
    }
    // One entry for each side of a conflict.
    unmerged.dedup();
    Ok((differing, unmerged))
}

fn conflicts(unmerged: &[String]) -> Diagnostic {
    const MOST_NAMED: usize = 5;
    let named: Vec<String> = unmerged
        .iter()
        .take(MOST_NAMED)
        .map(|path| shown(path))
        .collect();
    let others = match unmerged.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "the index has unresolved conflicts: {}{others}",
        named.join(", ")
    );
    Diagnostic::new(Code::WorktreeDirty, message).note("resolve them and `git add` the files first")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    fn say(changed: &ChangedFiles) -> Vec<String> {
        let side = |file: &Option<File>| {
            file.as_ref().map_or_else(
                || "-".to_owned(),
                |file| {
                    format!(
                        "{:?} {}",
                        file.mode,
                        String::from_utf8_lossy(&file.bytes).trim()
                    )
                },
            )
        };
        let one = |change: &Change| {
            format!(
                "{}: {} > {}",
                change.path,
                side(&change.before),
                side(&change.after)
            )
        };
        changed.changes.iter().map(one).collect()
    }

    const LARGE: u64 = 100;

    #[test]
    fn what_is_staged_is_what_a_commit_of_it_changes() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let sandbox = Sandbox::with(
                &[format],
                &[
                    ("a", "1"),
                    ("b", "2"),
                    ("gone", "3"),
                    ("d/kept", "4"),
                    ("link", "5"),
                ],
            );
            sandbox.write("a", "1 staged");
            sandbox.write("new file", "fresh");
            sandbox.write("large", &"x".repeat(101));
            std::fs::remove_file(sandbox.root().join("link")).unwrap();
            std::os::unix::fs::symlink("a", sandbox.root().join("link")).unwrap();
            sandbox.git(&["rm", "-q", "gone"]);
            sandbox.git(&["add", "."]);
            sandbox.git(&["update-index", "--chmod=+x", "b"]);
            sandbox.write("a", "1 not staged");
            sandbox.write("announced", "later");
            sandbox.git(&["add", "-N", "announced"]);
            let repo = sandbox.repo();
            let staged = repo.staged_changes(LARGE).unwrap();
            let expected = [
                "a: Regular 1 > Regular 1 staged",
                "b: Regular 2 > Executable 2",
                "gone: Regular 3 > -",
                "link: Regular 5 > -",
                "new file: - > Regular fresh",
            ];
            assert_eq!(say(&staged), expected);
            assert_eq!(staged.oversized, [crate::git::testing::path("large")]);
            let tree = Id(sandbox.git(&["write-tree"]));
            let head = repo.resolve_commit("HEAD").unwrap().1;
            assert_eq!(
                repo.changes_between(Some(&head), &[], &tree, LARGE)
                    .unwrap(),
                staged
            );
            let whole = repo.changes_between(None, &[], &head, LARGE).unwrap();
            let from_nothing = [
                "a: - > Regular 1",
                "b: - > Regular 2",
                "d/kept: - > Regular 4",
                "gone: - > Regular 3",
                "link: - > Regular 5",
            ];
            assert_eq!(say(&whole), from_nothing);
        }
    }

    #[test]
    fn without_a_commit_everything_is_staged_and_a_conflict_is_refused() {
        let sandbox = Sandbox::new(&[]);
        sandbox.write("a", "1");
        sandbox.git(&["add", "."]);
        assert_eq!(
            say(&sandbox.repo().staged_changes(LARGE).unwrap()),
            ["a: - > Regular 1"]
        );
        let sandbox = Sandbox::with(&[], &[("a", "1")]);
        sandbox.git(&["checkout", "-qb", "side"]);
        sandbox.write("a", "2");
        sandbox.git(&["commit", "-qam", "side"]);
        sandbox.git(&["checkout", "-q", "main"]);
        sandbox.write("a", "3");
        sandbox.git(&["commit", "-qam", "main"]);
        let _ = sandbox
            .command(sandbox.root())
            .args(["merge", "-q", "side"])
            .output()
            .unwrap();
        let refusal = sandbox.repo().staged_changes(LARGE).unwrap_err();
        assert_eq!(
            (refusal.code, refusal.message.as_str()),
            (Code::WorktreeDirty, "the index has unresolved conflicts: a")
        );
    }

    #[test]
    fn names_that_nobody_can_write_are_told() {
        use std::os::unix::ffi::OsStrExt as _;
        let sandbox = Sandbox::with(&[], &[("a", "1")]);
        std::fs::write(
            sandbox
                .root()
                .join(std::ffi::OsStr::from_bytes(b"b\xff.py")),
            "x",
        )
        .unwrap();
        sandbox.git(&["add", "."]);
        let staged = sandbox.repo().staged_changes(LARGE).unwrap();
        assert_eq!(
            (staged.changes.len(), staged.unnamed),
            (0, vec!["b\u{fffd}.py".to_owned()])
        );
    }
}
