//! Objects that a ref of the program's own keeps for their own sake: folders of blobs and trees that no commit names.
//!
//! Invariant: a ref that `add_ref` makes is a new one; one that is there already is never overwritten. `put_ref` moves a ref that
//! has one writer at a time, which its caller sees to.

use std::path::Path;

use git2::{ErrorClass, ErrorCode};

use super::head::id;
use super::write::Wrapped;
use super::{
    Expected, HeldFile, NameInFolder, Object, ObjectKind, ReadSource, RefFailure, Repo, failure,
    ground, step,
};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{Change, Id};

const STASH: &str = "refs/stash";

/// More than a lock on a ref ever holds, in bytes.
const MOST_OF_A_LOCK: u64 = 4096;

/// Returns `None` for an object that is gone, broken, or of another kind. That it cannot be read now is a failure.
fn readable<T>(found: Result<T, git2::Error>) -> Result<Option<T>, git2::Error> {
    match found {
        Ok(object) => Ok(Some(object)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error)
            if matches!(
                error.class(),
                ErrorClass::Object | ErrorClass::Tree | ErrorClass::Zlib
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

impl Repo {
    /// Returns a tree of `entries`: files that are not executable, and folders. Nothing is written.
    pub fn folder_object(&self, entries: &[(&str, ObjectKind, &Id)]) -> Result<Object, Diagnostic> {
        let wrapped = |&(name, kind, id): &(&str, ObjectKind, &Id)| Wrapped {
            name: name.to_owned(),
            kind,
            id: id.clone(),
        };
        self.wrap(&entries.iter().map(wrapped).collect::<Vec<_>>())
    }

    /// Returns the object called `name` in the root of `tree`; `None` also where that is no tree that can be read.
    pub fn in_folder(&self, tree: &Id, name: &str) -> Result<Option<Id>, Diagnostic> {
        let tree =
            readable(self.git2.find_tree(self.oid(tree)?)).map_err(failure::git2("read a tree"))?;
        Ok(tree.and_then(|tree| tree.get_name(name).map(|entry| id(entry.id()))))
    }

    /// Returns the content of the file called `name` in the root of `tree`, likewise.
    pub fn file_in_folder(&self, tree: &Id, name: &str) -> Result<Option<Vec<u8>>, Diagnostic> {
        let Some(blob) = self.in_folder(tree, name)? else {
            return Ok(None);
        };
        self.kept_blob(&blob, name)
    }

    /// Returns the content of the blob `blob`, which messages call `name`; `None` also where that is no blob that can be read.
    pub fn kept_blob(&self, blob: &Id, name: &str) -> Result<Option<Vec<u8>>, Diagnostic> {
        let found =
            readable(self.git2.find_blob(self.oid(blob)?)).map_err(failure::git2("read a blob"))?;
        let Some(found) = found else { return Ok(None) };
        ground::check_intact(self.hash_kind(), blob, name, found.content())?;
        Ok(Some(found.content().to_vec()))
    }

    /// Returns the commit `commit` as the object that it is, to be made again byte for byte.
    pub fn raw_commit(&self, commit: &Id) -> Result<Object, Diagnostic> {
        let odb = self
            .git2
            .odb()
            .map_err(failure::git2("open the object database"))?;
        let found = odb
            .read(self.oid(commit)?)
            .map_err(failure::git2("read a commit"))?;
        Ok(Object {
            kind: ObjectKind::Commit,
            id: commit.clone(),
            bytes: found.data().into(),
        })
    }

    /// Returns the parents of `commit`.
    pub fn parents_of(&self, commit: &Id) -> Result<Vec<Id>, Diagnostic> {
        let commit = self.find_commit(commit)?;
        Ok(commit.parent_ids().map(id).collect())
    }

    /// Returns what `commit` changed in the tree of `parent`; `None` stands for anything but a regular file.
    pub fn changes_of(&self, commit: &Id, parent: &Id) -> Result<Vec<Change>, Diagnostic> {
        let source = |commit: &Id| {
            Ok(ReadSource::Commit {
                commit: commit.clone(),
                tree: self.tree_of(commit)?,
            })
        };
        let (old, new) = (source(parent)?, source(commit)?);
        let differing =
            self.tree_changes(Some(&self.tree_of(parent)?), Some(&self.tree_of(commit)?))?;
        let (old, new) = (self.holding(&old)?, self.holding(&new)?);
        let mut changes = Vec::new();
        for path in differing
            .iter()
            .filter_map(|change| RepoPath::parse(std::str::from_utf8(&change.path).ok()?).ok())
        {
            let (before, after) = (old.file(&path)?, new.file(&path)?);
            changes.push(Change {
                path,
                before,
                after,
            });
        }
        Ok(changes)
    }

    /// Returns whether the object is here.
    pub fn has_object(&self, object: &Id) -> Result<bool, Diagnostic> {
        let odb = self
            .git2
            .odb()
            .map_err(failure::git2("open the object database"))?;
        Ok(odb.exists(self.oid(object)?))
    }

    /// Returns whether `commit` is here with all that it stands on, or that this clone ever had of that. What git collected
    /// may have gone in parts.
    pub fn has_history(&self, commit: &Id) -> Result<bool, Diagnostic> {
        if !self.has_object(commit)? {
            return Ok(false);
        }
        // As `git fetch` finds out; what a branch or a tag names is whole, and need not be walked.
        let walk = [
            "rev-list",
            "--objects",
            "--quiet",
            "--exclude-promisor-objects",
            commit.0.as_str(),
        ];
        let known = ["--not", "HEAD", "--branches", "--tags", "--remotes"];
        // An unborn HEAD names nothing.
        let known = if self.tip("HEAD")?.is_some() {
            &known[..]
        } else {
            &[&known[..1], &known[2..]].concat()
        };
        Ok(self.program().run(&[&walk[..], known].concat())?.success)
    }

    /// Makes the ref `name`, which nobody else can have thought of, and lets it name `object`; says whether it was
    /// new.
    ///
    /// Only the ref's own file is looked at, not `packed-refs`: with 20,000 refs in there, reading it would cost more than
    /// publishing. `name` holds random digits, so one that is packed already is not met.
    pub fn add_ref(&self, name: &str, object: &Id) -> Result<bool, Diagnostic> {
        let attempt = format!("make {}", shown(name));
        if !self.has_object(object)? {
            return Err(Diagnostic::new(
                Code::Io,
                format!("could not {attempt}: object {object} is gone"),
            ));
        }
        step("entry")?;
        let mut transaction = self.lock_patiently(name)?;
        step("entry-locked")?;
        if self.common_dir().join(name).exists() {
            return Ok(false);
        }
        let target = self.oid(object)?;
        transaction
            .set_target(name, target, None, "segedit: history")
            .and_then(|()| transaction.commit())
            .map_err(failure::git2(&attempt))?;
        self.share_ref(name);
        Ok(true)
    }

    /// Lets the ref `name`, of which the caller is the only writer now, name `object`, whatever it named. A lock that a killed
    /// writer left on it is broken.
    pub fn put_ref(&self, name: &str, object: &Id) -> Result<(), Diagnostic> {
        let target = self.oid(object)?;
        self.break_writers_lock(name);
        let mut transaction = self.lock_patiently(name)?;
        transaction
            .set_target(name, target, None, "segedit: draft")
            .and_then(|()| transaction.commit())
            .map_err(failure::git2(&format!("move {}", shown(name))))?;
        self.share_ref(name);
        Ok(())
    }

    /// Removes the ref `name`, of which the caller is the only writer now, if there is one; what a symbolic ref leads to stays.
    pub fn take_ref_away(&self, name: &str) -> Result<(), Diagnostic> {
        self.break_writers_lock(name);
        let Some(tip) = self.tip(name)? else {
            return Ok(());
        };
        if self.final_name(name)? != name {
            self.put_ref(name, &tip)?;
        }
        match self.lock_ref(name, &Expected::At(tip)) {
            Ok(locked) => locked.remove(),
            Err(RefFailure::Moved(_)) => {
                let message = format!(
                    "another program moved {}, which is this program's own",
                    shown(name)
                );
                Err(Diagnostic::new(Code::Io, message).note("repeat the request"))
            }
            Err(RefFailure::Failed(failure)) => Err(failure),
        }
    }

    /// Removes the lock that a killed writer left on the ref `name`, which had one writer at a time: it holds an object's name, or
    /// the beginning of one.
    fn break_writers_lock(&self, name: &str) {
        let Some(place) = self.ref_lock(name).filter(|place| place.inode().is_some()) else {
            return;
        };
        let is_begun = |place: &NameInFolder| match place.read(MOST_OF_A_LOCK) {
            Ok(HeldFile::Bytes(held)) => held.trim_ascii_end().iter().all(u8::is_ascii_hexdigit),
            Ok(HeldFile::Nothing | HeldFile::Unfit(_)) | Err(_) => false,
        };
        if place.stays(is_begun) {
            let _ = place.remove();
        }
    }

    /// Removes the lock that a killed publisher left on the ref `name`, which nobody but publishers writes, when it was about to
    /// write `content` into it. A lock that holds anything but the beginning of that is somebody else's. An empty one may be
    /// git's, which locks a ref to pack it, but not for longer than a write takes.
    pub fn break_ref_lock(&self, name: &str, content: &str) {
        let Some(place) = self.ref_lock(name) else {
            return;
        };
        let begun = |place: &NameInFolder| match place.read(MOST_OF_A_LOCK) {
            Ok(HeldFile::Bytes(held)) => content.as_bytes().starts_with(&held),
            Ok(HeldFile::Nothing | HeldFile::Unfit(_)) | Err(_) => false,
        };
        if place.stays(begun) {
            let _ = place.remove();
        }
    }

    /// Removes the locks that a publisher left who was killed while it dropped a stash entry. Ours are empty as long as the
    /// log is written; git writes into its own at once.
    pub fn break_stash_locks(&self) {
        let Some(place) = self.ref_lock(STASH) else {
            return;
        };
        if place.stays(|place| place.file_size() == Some(0)) {
            let log = Path::new("logs").join(format!("{STASH}.lock"));
            let _ =
                NameInFolder::below(self.common_dir(), &log).map(|log| log.map(|log| log.remove()));
            let _ = place.remove();
        }
    }

    /// Returns the refs below `folder` (`refs/x/`) with what they name, sorted by name.
    pub fn refs_below(&self, folder: &str) -> Result<Vec<(String, Id)>, Diagnostic> {
        let attempt = format!("list {folder}");
        let found = self
            .git2
            .references_glob(&format!("{folder}*"))
            .map_err(failure::git2(&attempt))?;
        let mut refs = Vec::new();
        for reference in found {
            // One that somebody removed at this moment is no failure.
            let reference = match reference {
                Err(error) if error.code() == ErrorCode::NotFound => continue,
                reference => reference.map_err(failure::git2(&attempt))?,
            };
            if let (Ok(name), Some(target)) = (reference.name(), reference.target()) {
                refs.push((name.to_owned(), id(target)));
            }
        }
        refs.sort();
        Ok(refs)
    }

    /// Removes refs that still name what is given, all in one go: git rewrites `packed-refs` once for all of them.
    pub fn remove_refs(&self, refs: &[(String, Id)]) -> Result<(), Diagnostic> {
        if refs.is_empty() {
            return Ok(());
        }
        for (name, _) in refs {
            self.refuse_linked_ref(name)?;
        }
        // git would take them out of the file that the link leads to.
        let packed = self.common_dir().join("packed-refs").symlink_metadata();
        if packed.is_ok_and(|found| found.is_symlink()) {
            let message = "packed-refs in the git folder is a link, and refs would be removed from where it leads";
            return Err(Diagnostic::new(Code::UnsupportedRepository, message)
                .note("remove the link if you did not make it"));
        }
        let orders: String = refs
            .iter()
            .map(|(name, id)| format!("delete {name} {id}\n"))
            .collect();
        self.program()
            .demand("remove refs", &["update-ref", "--stdin"], orders.as_bytes())
            .map(|_| ())
    }

    /// Finishes what somebody began who died while they took `commit` out of the stash.
    pub fn finish_drop(&self, commit: &Id) -> Result<(), Diagnostic> {
        if self.tip(STASH)?.is_some() {
            return self.drop_stash(commit).map(|_| ());
        }
        self.log_place(STASH)?;
        // Left behind, it would be the log of the next stash.
        let has_log = self.git2.reference_has_log(STASH).unwrap_or(false);
        if has_log {
            self.git2
                .reflog_delete(STASH)
                .map_err(failure::git2("drop the log of the stash"))
        } else {
            Ok(())
        }
    }

    /// Returns the commits of the stash, the newest first.
    pub fn stashed(&self) -> Result<Vec<Id>, Diagnostic> {
        if self.tip(STASH)?.is_none() {
            return Ok(Vec::new());
        }
        let log = self
            .git2
            .reflog(STASH)
            .map_err(failure::git2("read the stash"))?;
        Ok(log.iter().map(|entry| id(entry.id_new())).collect())
    }

    /// Takes `commit` out of the stash, wherever it stands there; says whether it was there. As `git stash drop` does it, but for
    /// the lock: what is dropped is looked for while nobody else can push or drop. The log is written ahead of the ref; a ref that
    /// still names what the log no longer lists is what somebody left who died in between, and is put right.
    pub fn drop_stash(&self, commit: &Id) -> Result<bool, Diagnostic> {
        let failed = || failure::git2("drop a stash entry");
        step("stash-lock")?;
        let mut transaction = self.lock_patiently(STASH)?;
        step("stash-locked")?;
        self.log_place(STASH)?;
        let listed = self.stashed()?;
        let names_it = self.tip(STASH)?.as_ref() == Some(commit);
        let at = listed.iter().position(|entry| entry == commit);
        let mut log = self.git2.reflog(STASH).map_err(failed())?;
        match at {
            Some(at) => log.remove(at, true).map_err(failed())?,
            None if names_it => {}
            None => return Ok(false),
        }
        let top = log.get(0).map(|entry| entry.id_new());
        transaction.set_reflog(STASH, log).map_err(failed())?;
        match top {
            None => {
                self.unpack(STASH)?;
                transaction.remove(STASH).map_err(failed())?;
            }
            Some(top) if names_it => transaction
                .set_target(STASH, top, None, "")
                .map_err(failed())?,
            Some(_) => {}
        }
        transaction.commit().map_err(failed())?;
        self.share_ref(STASH);
        Ok(true)
    }
}
