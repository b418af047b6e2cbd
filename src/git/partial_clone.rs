//! What a partial clone does not have: fetched from the remote that promised it, by git, and in one go where it is known
//! beforehand.

use git2::ErrorCode;

use super::allowed_programs::is_plain_remote;
use super::ground::Ground;
use super::{Repo, failure};
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::snapshot::Id;

impl Repo {
    /// Returns the remote that promised what a partial clone does not have.
    fn promisor(&self) -> Option<String> {
        let named = |name: &str| {
            Some(
                name.strip_prefix("remote.")?
                    .strip_suffix(".promisor")?
                    .to_owned(),
            )
        };
        self.config
            .get("extensions.partialclone")
            .or_else(|| self.config.names().find_map(named))
    }

    /// Returns whether objects may be missing that a remote has promised.
    pub(super) fn is_partial(&self) -> bool {
        let promises = |name: &str| {
            name.starts_with("remote.")
                && (name.ends_with(".promisor") || name.ends_with(".partialclonefilter"))
        };
        self.config.get("extensions.partialclone").is_some() || self.config.names().any(promises)
    }

    /// Fetches in one go those of `objects` that a partial clone does not have; elsewhere it does nothing. What cannot be
    /// had so is asked for again, one by one, by whoever reads it, and is a failure then.
    pub(super) fn fetch_promised<'i>(
        &self,
        objects: impl IntoIterator<Item = &'i Id>,
    ) -> Result<(), Diagnostic> {
        if !self.is_partial() {
            return Ok(());
        }
        let odb = self
            .git2
            .odb()
            .map_err(failure::git2("open the object database"))?;
        let mut missing = String::new();
        for object in objects {
            if !odb.exists(self.oid(object)?) {
                missing.push_str(&format!("{object}\n"));
            }
        }
        // A name that could be taken for an option is none of a remote's.
        let remote = self
            .promisor()
            .filter(|remote| !missing.is_empty() && is_plain_remote(remote));
        let Some(remote) = remote else { return Ok(()) };
        // As git does it itself.
        let quiet = [
            "-c",
            "fetch.negotiationAlgorithm=noop",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
        ];
        let rest = [
            "--recurse-submodules=no",
            "--filter=blob:none",
            "--stdin",
            "--end-of-options",
            remote.as_str(),
        ];
        // A refusal is given by whoever reads one of them.
        if let Ok(git) = self.program().fetching("what it lacks") {
            git.feed(&[&quiet[..], &rest].concat(), missing.as_bytes())?;
        }
        Ok(())
    }

    /// Fetches in one go what reading `paths` of `ground` will ask for.
    pub(super) fn fetch_ahead<'p>(
        &self,
        ground: &dyn Ground,
        paths: impl Iterator<Item = &'p RepoPath>,
    ) -> Result<(), Diagnostic> {
        if !self.is_partial() {
            return Ok(());
        }
        // A path that cannot be read is refused by whoever reads it.
        let blobs: Vec<Id> = paths
            .filter_map(|path| ground.blob(path.as_str()).ok().flatten())
            .collect();
        self.fetch_promised(&blobs)
    }

    /// Returns the commit `id`.
    pub(super) fn find_commit(&self, id: &Id) -> Result<git2::Commit<'_>, Diagnostic> {
        let oid = self.oid(id)?;
        self.while_repacked(|| self.git2.find_commit(oid))
            .map_err(failure::git2("read a commit"))
    }

    /// Returns what `read` finds, and asks it again while somebody repacks. `git gc` puts objects into a new pack before it removes
    /// them where they were, but two of its runs can go by between the look at the folder of packs and the look into one.
    pub(super) fn while_repacked<T>(
        &self,
        read: impl Fn() -> Result<T, git2::Error>,
    ) -> Result<T, git2::Error> {
        const PAUSES: [u64; 4] = [0, 5, 20, 80];
        let mut found = read();
        for pause in PAUSES {
            let is_missing = found
                .as_ref()
                .is_err_and(|error| error.code() == ErrorCode::NotFound);
            if !is_missing || self.is_partial() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(pause));
            self.git2.odb()?.refresh()?;
            found = read();
        }
        found
    }

    /// Returns the tree `id`. A clone without trees may have to fetch it.
    pub(super) fn find_tree(&self, id: &Id) -> Result<git2::Tree<'_>, Diagnostic> {
        let attempt = "read a tree";
        let oid = self.oid(id)?;
        match self.while_repacked(|| self.git2.find_tree(oid)) {
            Err(error) if error.code() == ErrorCode::NotFound && self.is_partial() => {
                let git = self.program().fetching(&format!("the tree {id}"))?;
                git.demand(
                    &format!("fetch the tree {id}"),
                    &["cat-file", "-e", &id.0],
                    &[],
                )?;
                self.git2.find_tree(oid).map_err(failure::git2(attempt))
            }
            found => found.map_err(failure::git2(attempt)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use crate::git::testing::Sandbox;

    #[test]
    fn what_moves_from_pack_to_pack_is_looked_for_again() {
        let sandbox = Sandbox::new(&[]);
        let repo = sandbox.repo();
        let check = |found_at: usize, expected: Result<usize, git2::ErrorCode>| {
            let asked = Cell::new(0);
            let read = || {
                asked.set(asked.get() + 1);
                let missing =
                    git2::Error::new(git2::ErrorCode::NotFound, git2::ErrorClass::Odb, "gone");
                if asked.get() == found_at {
                    Ok(found_at)
                } else {
                    Err(missing)
                }
            };
            assert_eq!(
                repo.while_repacked(read).map_err(|error| error.code()),
                expected,
                "{found_at}"
            );
        };
        check(1, Ok(1));
        check(3, Ok(3));
        check(99, Err(git2::ErrorCode::NotFound));
    }
}
