//! `Checkout`: brought from tree to tree, by what changed where that is known, else anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use super::fill::WHOLE;
use super::folder::FolderHandle;
use super::form::{self, Settings};
use super::mend::FilesByPath;
use super::record::CheckoutRecord;
use super::shelf::try_lock;
use super::{fill, folder, mend, record, shelf};
use crate::diagnostic::Diagnostic;
use crate::git::changes::{TreeChange, TreeFile, Trees};
use crate::git::quarantine::{OWN_INDEX, Quarantine};
use crate::git::{Repo, failure};
use crate::path::RepoPath;
use crate::snapshot::Id;

/// How many are kept for the next time.
const MOST_KEPT: usize = 4;

/// A folder with a tree in it, ours alone until this is dropped.
#[derive(Debug)]
pub struct Checkout {
    home: PathBuf,
    files: PathBuf,
    cache: PathBuf,
    /// Of one that is kept.
    lock: Option<File>,
    /// One that is not; it goes with us.
    temporary: Option<TempDir>,
}

impl Repo {
    /// Takes a kept checkout that nobody uses, or makes one.
    pub fn checkout(&self) -> Result<Checkout, Diagnostic> {
        let kept = shelf::of(self);
        for number in 1..=MOST_KEPT {
            let Some(all) = &kept else { break };
            let home = all.join("checkouts").join(number.to_string());
            // What cannot be used stays where it is: the next one will do.
            if fs::create_dir_all(&home).is_ok()
                && let Ok(Some(lock)) = try_lock(&home.join("lock"))
                && let Ok(checkout) = Checkout::at(home, Some(lock), None)
            {
                return Ok(checkout);
            }
        }
        let temporary = self.scratch_apart()?;
        // The canonical name, because tools report the paths that they resolved.
        let home = temporary
            .path()
            .canonicalize()
            .map_err(failure::system("find a checkout"))?;
        Checkout::at(home, None, Some(temporary))
    }
}

impl Checkout {
    fn at(
        home: PathBuf,
        lock: Option<File>,
        temporary: Option<TempDir>,
    ) -> Result<Checkout, Diagnostic> {
        let (files, cache) = (home.join("files"), home.join("cache"));
        fs::create_dir_all(&cache).map_err(failure::system("make a checkout"))?;
        Ok(Checkout {
            home,
            files,
            cache,
            lock,
            temporary,
        })
    }

    /// Returns the folder that holds the files.
    pub fn folder(&self) -> &Path {
        &self.files
    }

    /// Returns a folder beside it that stays as long as the checkout, for what programs want to find again.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Lays out `tree` (`None`: nothing) and returns how many files were written or removed for it.
    pub fn bring_to(
        &mut self,
        repo: &Repo,
        quarantine: &Quarantine,
        tree: Option<&Id>,
    ) -> Result<usize, Diagnostic> {
        let task = Task {
            repo,
            quarantine,
            tree,
            settings: Settings::of(repo)?,
        };
        let kept = CheckoutRecord::read(&self.home)
            .filter(|record| record.settings == task.settings.fingerprint);
        let kept = kept.filter(|_| {
            self.files
                .symlink_metadata()
                .is_ok_and(|files| files.is_dir())
        });
        if let Some(record) = kept
            && let Some(count) = self.carry_on(record, &task)?
        {
            return Ok(count);
        }
        self.start_anew(&task)
    }

    /// Says that somebody may have written anything into the folder: the next `bring_to` looks for it.
    pub fn soil(&mut self) {
        if fs::write(self.home.join("soiled"), "").is_err() {
            CheckoutRecord::forget(&self.home);
        }
    }

    /// Changes what differs from what is laid out; `None` when that is not known well enough.
    fn carry_on(
        &self,
        record: CheckoutRecord,
        task: &Task<'_>,
    ) -> Result<Option<usize>, Diagnostic> {
        let old = record.tree.as_ref();
        // The tree may have gone since, with a refused batch and a `git gc`.
        let Ok(changes) = task.repo.tree_changes_beside(&record.trees, old, task.tree) else {
            return Ok(None);
        };
        if changes
            .iter()
            .any(|change| form::is_attributes(&change.path))
        {
            return Ok(None);
        }
        let soiled = self.home.join("soiled").exists();
        let mut laid = FilesByPath::new();
        if soiled {
            let Ok(whole) = task.repo.tree_changes_beside(&record.trees, None, old) else {
                return Ok(None);
            };
            laid = leaves(whole);
        } else if changes.is_empty() {
            return Ok(Some(0));
        }
        CheckoutRecord::forget(&self.home);
        let mut folder = FolderHandle::open(&self.files)?;
        let mended = if soiled {
            mend::mend(
                &mut folder,
                &record,
                &laid,
                task.repo.hash_kind(),
                record::now(&self.home)?,
            )?
        } else {
            mend::Mended::default()
        };
        let mut pieces = BTreeMap::new();
        let mut count = mended.removed;
        for path in mended.missing {
            pieces.extend(laid.remove_entry(&path));
        }
        for TreeChange { path, old, new } in changes
            .into_iter()
            .filter(|change| is_laid_out(&change.path))
        {
            pieces.remove(&path);
            // A file makes way for another one by itself, the folder of a submodule does not.
            if new.is_none() || old.is_some_and(|old| old.bits == fill::SUBMODULE) {
                folder.remove(&path)?;
            }
            match new {
                Some(file) => drop(pieces.insert(path, file)),
                None => count += 1,
            }
        }
        Ok(Some(
            count + self.finish(task, &mut folder, record, pieces)?,
        ))
    }

    /// Throws away what is there and lays out everything.
    fn start_anew(&self, task: &Task<'_>) -> Result<usize, Diagnostic> {
        CheckoutRecord::forget(&self.home);
        FolderHandle::open(&self.home)?.remove(b"files")?;
        fs::create_dir_all(&self.files).map_err(failure::system("make a checkout"))?;
        let pieces = leaves(task.repo.tree_changes(None, task.tree)?);
        let form = task.settings.form_of(task.repo, &pieces)?;
        let record = CheckoutRecord::new(task.settings.fingerprint.clone(), form);
        self.finish(task, &mut FolderHandle::open(&self.files)?, record, pieces)
    }

    /// Writes `pieces`, with which `folder` holds the wanted tree, and says so in the state.
    fn finish(
        &self,
        task: &Task<'_>,
        folder: &mut FolderHandle,
        mut record: CheckoutRecord,
        pieces: FilesByPath,
    ) -> Result<usize, Diagnostic> {
        let pieces: Vec<(Vec<u8>, TreeFile)> = pieces.into_iter().collect();
        fill::fill(
            task.repo,
            task.quarantine,
            folder,
            (task.tree, record.form),
            &pieces,
        )?;
        self.note_folders(&mut record.folders, &pieces);
        let trees = task.quarantine.trees()?;
        // A tree that the repository has lasts; one that only waits in the quarantine goes with it.
        record.trees = if task.tree.is_some_and(|tree| trees.contains_key(tree)) {
            trees
        } else {
            Trees::new()
        };
        record.tree = task.tree.cloned();
        record.moment = record::moment(&self.home)?;
        let _ = fs::remove_file(self.home.join("soiled"));
        record.write(&self.home)?;
        Ok(pieces.len())
    }

    /// Notes which folders hold `pieces`, and forgets those that are gone.
    fn note_folders(&self, folders: &mut BTreeMap<Vec<u8>, u64>, pieces: &[(Vec<u8>, TreeFile)]) {
        let inode = |path: &[u8]| {
            let found = self
                .files
                .join(folder::os_path(path))
                .symlink_metadata()
                .ok()?;
            found.is_dir().then(|| found.ino())
        };
        folders.retain(|path, known| inode(path) == Some(*known));
        let mut new: BTreeSet<&[u8]> = BTreeSet::new();
        for (path, file) in pieces {
            let above = path
                .iter()
                .enumerate()
                .filter(|&(_, &byte)| byte == b'/')
                .map(|(at, _)| &path[..at]);
            new.extend(above.chain((file.bits == fill::SUBMODULE).then_some(&path[..])));
        }
        folders.extend(
            new.into_iter()
                .filter_map(|path| Some((path.to_vec(), inode(path)?))),
        );
    }

    /// Returns the path of an index that holds `tree`, which is laid out, and knows its files.
    pub fn index(
        &self,
        repo: &Repo,
        quarantine: &Quarantine,
        tree: &Id,
    ) -> Result<PathBuf, Diagnostic> {
        let attempt = "make an index of a checkout";
        let index = self.home.join("index");
        let git = quarantine
            .program(repo)
            .with("GIT_INDEX_FILE", &index)
            .within(&self.files);
        let run = |arguments: &[&str]| git.run(&[&OWN_INDEX[..], &WHOLE, arguments].concat());
        // Merged into what is there, so that only what changed has to be read again.
        if !run(&["read-tree", "-m", &tree.0])?.success {
            let _ = fs::remove_file(&index);
            git.demand(
                attempt,
                &[&OWN_INDEX[..], &WHOLE, &["read-tree", &tree.0]].concat(),
                &[],
            )?;
        }
        run(&["update-index", "-q", "--refresh"])?;
        Ok(index)
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        if self.temporary.is_some() {
            // With the force that a plain removal lacks: programs leave folders that even their owner may not open.
            let _ = FolderHandle::open(&self.home).and_then(|mut home| home.remove(b"files"));
        }
        // Closing is not enough: a process that another thread is just starting holds the file open for a moment more.
        if let Some(lock) = &self.lock {
            let _ = flock(lock, FlockOperation::Unlock);
        }
    }
}

/// What is to be laid out.
struct Task<'a> {
    repo: &'a Repo,
    quarantine: &'a Quarantine,
    tree: Option<&'a Id>,
    settings: Settings,
}

/// Returns what a tree lays out, it being the difference to the empty one.
fn leaves(whole: Vec<TreeChange>) -> FilesByPath {
    let kept = whole.into_iter().filter(|change| is_laid_out(&change.path));
    kept.filter_map(|change| Some((change.path, change.new?)))
        .collect()
}

/// Says whether a file may be written at `path`: one that git would refuse to check out is not.
fn is_laid_out(path: &[u8]) -> bool {
    // A name that is no text cannot be one of those that are refused; what is left of it is checked all the same.
    let text: String = path
        .utf8_chunks()
        .map(|chunk| chunk.valid().to_owned() + &"?".repeat(chunk.invalid().len()))
        .collect();
    RepoPath::parse(&text).is_ok()
}

#[cfg(test)]
mod tests;
