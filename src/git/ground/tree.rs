//! A commit's tree as a `Ground`: looked up by path, never read as a whole but for listings.

use std::cell::RefCell;
use std::collections::HashMap;

use git2::Tree;

use super::{Ground, PathKind};
use crate::diagnostic::Diagnostic;
use crate::git::Repo;
use crate::git::head::id;
use crate::path::RepoPath;
use crate::snapshot::{Blob, FileMode, Id};

/// A tree, its folders read as they are needed and then kept.
pub(super) struct TreeGround<'r> {
    repo: &'r Repo,
    root: Option<Id>,
    folders: RefCell<HashMap<String, Option<Tree<'r>>>>,
}

impl<'r> TreeGround<'r> {
    /// Returns the tree `root`, or the empty one.
    pub(super) fn new(repo: &'r Repo, root: Option<&Id>) -> TreeGround<'r> {
        TreeGround {
            repo,
            root: root.cloned(),
            folders: RefCell::default(),
        }
    }

    /// Returns the mode and id of the entry at `path`.
    fn entry(&self, path: &str) -> Result<Option<(u32, git2::Oid)>, Diagnostic> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(tree) = self.folder(folder)? else {
            return Ok(None);
        };
        Ok(tree.get_name(name).map(|entry| (bits(&entry), entry.id())))
    }

    fn folder(&self, path: &str) -> Result<Option<Tree<'r>>, Diagnostic> {
        if let Some(known) = self.folders.borrow().get(path) {
            return Ok(known.clone());
        }
        // Walked down from the nearest folder that is known and kept on the way, not recursively: a path can be two thousand
        // folders deep, and whoever asks for each of them should not begin at the root each time.
        let above = path.rmatch_indices('/').find_map(|(end, _)| {
            let known = self.folders.borrow();
            Some((end + 1, known.get(path.get(..end)?)?.clone()))
        });
        let (mut start, mut here) = match (above, &self.root) {
            (Some(above), _) => above,
            (None, Some(root)) => (0, Some(self.repo.find_tree(root)?)),
            (None, None) => (0, None),
        };
        while let Some(rest) = path.get(start..).filter(|rest| !rest.is_empty()) {
            let name = rest.split('/').next().unwrap_or_default();
            let below = here
                .as_ref()
                .and_then(|tree| tree.get_name(name))
                .filter(|entry| bits(entry) == FOLDER);
            here = match below.map(|entry| entry.id()) {
                Some(oid) => Some(self.repo.find_tree(&id(oid))?),
                None => None,
            };
            let end = start + name.len();
            self.folders
                .borrow_mut()
                .insert(path.get(..end).unwrap_or(path).to_owned(), here.clone());
            start = end + 1;
        }
        self.folders
            .borrow_mut()
            .insert(path.to_owned(), here.clone());
        Ok(here)
    }
}

impl Ground for TreeGround<'_> {
    fn kind(&self, path: &str) -> Result<Option<PathKind>, Diagnostic> {
        Ok(self.entry(path)?.and_then(|(bits, _)| kind_of(bits)))
    }

    fn bytes(&self, path: &RepoPath) -> Result<Blob, Diagnostic> {
        let oid = self.entry(path.as_str())?.map(|(_, oid)| oid);
        oid.map_or_else(
            || Ok(Blob::default()),
            |oid| self.repo.blob_bytes(&id(oid), path.as_str()),
        )
    }

    fn blob(&self, path: &str) -> Result<Option<Id>, Diagnostic> {
        let file = |(bits, oid)| FileMode::from_bits(bits).map(|_| id(oid));
        Ok(self.entry(path)?.and_then(file))
    }

    fn names(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        let Some(tree) = self.folder(folder)? else {
            return Ok(Vec::new());
        };
        Ok(tree
            .iter()
            .filter_map(|entry| entry.name().ok().map(str::to_owned))
            .collect())
    }

    fn files(&self, visit: &mut dyn FnMut(&str, FileMode) -> bool) -> Result<(), Diagnostic> {
        let Some(root) = self.folder("")? else {
            return Ok(());
        };
        let mut open = vec![(root, 0, String::new())];
        while let Some((tree, at, prefix)) = open.pop() {
            let Some(entry) = tree.get(at) else { continue };
            let (bits, oid, name) = (
                bits(&entry),
                entry.id(),
                entry.name().ok().map(|name| format!("{prefix}{name}")),
            );
            drop(entry);
            open.push((tree, at + 1, prefix));
            // A name that is not UTF-8 cannot be written in an operation file either.
            let Some(name) = name else { continue };
            if bits == FOLDER {
                open.push((self.repo.find_tree(&id(oid))?, 0, name + "/"));
            } else if let Some(mode) = FileMode::from_bits(bits)
                && !visit(&name, mode)
            {
                break;
            }
        }
        Ok(())
    }
}

const FOLDER: u32 = 0o040_000;

fn bits(entry: &git2::TreeEntry<'_>) -> u32 {
    u32::try_from(entry.filemode_raw()).unwrap_or_default()
}

/// Returns what git's number for a mode stands for.
pub(super) fn kind_of(bits: u32) -> Option<PathKind> {
    match bits {
        FOLDER => Some(PathKind::Folder),
        0o120_000 => Some(PathKind::Symlink),
        0o160_000 => Some(PathKind::Submodule),
        bits => FileMode::from_bits(bits).map(PathKind::File),
    }
}
