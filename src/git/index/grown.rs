//! What a commit made of the folders, asked of its trees: for the index, so that git need not read them again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use crate::git::Repo;
use crate::snapshot::Id;

/// The trees before and after a commit.
pub struct GrownTrees<'r> {
    repo: &'r Repo,
    before: Id,
    after: Id,
    /// By its path: the tree that a folder was, and the one that it is.
    known: RefCell<HashMap<Vec<u8>, TreePair>>,
}

/// Two trees, or nothing where one of them is not known.
type TreePair = Option<(Vec<u8>, Vec<u8>)>;

impl<'r> GrownTrees<'r> {
    /// Returns what leads from one commit to another.
    pub fn between(repo: &'r Repo, before: &Id, after: &Id) -> Option<GrownTrees<'r>> {
        Some(GrownTrees {
            repo,
            before: repo.tree_of(before).ok()?,
            after: repo.tree_of(after).ok()?,
            known: RefCell::default(),
        })
    }

    /// Returns the tree that `folder` was, and the one that it is; `None` where it is missing, or cannot be read.
    pub(super) fn of(&self, folder: &[u8]) -> TreePair {
        if let Some(known) = self.known.borrow().get(folder) {
            return known.clone();
        }
        let found = self
            .tree(&self.before, folder)
            .zip(self.tree(&self.after, folder));
        self.known
            .borrow_mut()
            .insert(folder.to_vec(), found.clone());
        found
    }

    fn tree(&self, root: &Id, folder: &[u8]) -> Option<Vec<u8>> {
        let id = self.repo.oid(root).ok()?;
        if folder.is_empty() {
            return Some(id.as_bytes().to_vec());
        }
        let path = Path::new(std::str::from_utf8(folder).ok()?);
        let entry = self.repo.git2.find_tree(id).ok()?.get_path(path).ok()?;
        let is_folder = entry.kind() == Some(git2::ObjectType::Tree);
        is_folder.then(|| entry.id().as_bytes().to_vec())
    }
}
