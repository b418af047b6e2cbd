//! A commit, the index or the worktree → `Snapshot`: an entry for exactly the paths that are asked for.
//!
//! The way down to a path is decided here, once for all three grounds: what is no folder cannot be passed through.

use std::collections::BTreeMap;

use super::Repo;
use super::ground::{Ground, Kind};
use super::listing::Names;
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::snapshot::{Base, Entry, File, Id, Obstacle, Snapshot};

/// What is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The tree of a commit.
    Commit {
        /// The commit.
        commit: Id,
        /// The tree to read: the commit's own, or what earlier batches of the same call make of it.
        tree: Id,
    },
    /// A branch without a commit: nothing, or what earlier batches of the same call made of it.
    Unborn {
        /// The tree to read.
        tree: Option<Id>,
    },
    /// The index.
    Index,
    /// The worktree's files.
    Worktree,
}

impl Repo {
    /// Reads what stands at `paths`, and at the files that each list of `pathspecs` matches.
    pub fn snapshot(
        &self,
        source: &Source,
        paths: &[RepoPath],
        pathspecs: &[Vec<String>],
    ) -> Result<Snapshot, Diagnostic> {
        let ground = self.ground(source)?;
        let names = Names::new(ground.as_ref());
        let mut entries = BTreeMap::new();
        let mut matches = BTreeMap::new();
        for specs in pathspecs {
            let matched = self.matching(ground.as_ref(), specs)?;
            for path in &matched {
                read_into(&mut entries, ground.as_ref(), &names, path)?;
            }
            matches.insert(specs.clone(), matched);
        }
        for path in paths {
            read_into(&mut entries, ground.as_ref(), &names, path)?;
        }
        Ok(Snapshot { base: self.base_of(source)?, hash: self.hash_kind(), entries, matches })
    }

    /// Returns what a snapshot of `source` stands on.
    pub fn base_of(&self, source: &Source) -> Result<Base, Diagnostic> {
        let head = || Ok(self.head()?.commit().cloned());
        Ok(match source {
            Source::Commit { commit, tree } => Base::Commit { commit: commit.clone(), tree: tree.clone() },
            Source::Unborn { .. } => Base::Unborn,
            Source::Index => Base::Index { head: head()? },
            Source::Worktree => Base::Worktree { head: head()? },
        })
    }
}

fn read_into(
    entries: &mut BTreeMap<RepoPath, Entry>,
    ground: &dyn Ground,
    names: &Names<'_>,
    path: &RepoPath,
) -> Result<(), Diagnostic> {
    if !entries.contains_key(path) {
        entries.insert(path.clone(), look(ground, names, path)?);
    }
    Ok(())
}

/// Returns what stands at `path`.
fn look(ground: &dyn Ground, names: &Names<'_>, path: &RepoPath) -> Result<Entry, Diagnostic> {
    for folder in path.ancestors() {
        let what = match ground.kind(folder.as_str())? {
            Some(Kind::Folder) => continue,
            None => return names.absent(path),
            Some(Kind::Symlink) => Obstacle::Symlink,
            Some(Kind::Submodule) => Obstacle::Submodule,
            Some(Kind::File(_)) => Obstacle::File,
        };
        return Ok(Entry::Behind { what, at: folder });
    }
    Ok(match ground.kind(path.as_str())? {
        Some(Kind::File(mode)) => Entry::File(File { mode, bytes: ground.bytes(path)? }),
        Some(Kind::Folder) => Entry::Folder,
        Some(Kind::Symlink) => Entry::Symlink,
        Some(Kind::Submodule) => Entry::Submodule,
        None => return names.absent(path),
    })
}
