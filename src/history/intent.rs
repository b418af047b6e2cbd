//! The intent: what the history shall say once a batch has happened, written down before it happens.
//!
//! ```text
//! intent        a small file beside the journal: refs to make and to remove, and the proof that the batch happened
//! publish       the point of no return
//! keep          the refs; the intent goes
//! ```
//!
//! A crash before the point of no return leaves an intent whose proof fails: it is dropped. One after it leaves an intent
//! that `settle` carries out. An intent that cannot be read was never finished, so nothing had happened yet.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{BATCHES, FileRecord, UNDONE, Version};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Expected, RefFailure, Repo, step};
use crate::snapshot::Id;

/// How to tell whether a batch happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The ref names the commit, or one that descends from it.
    Reached {
        /// The ref.
        name: String,
        /// The commit.
        commit: String,
    },
    /// The ref does not name the commit, nor one that descends from it.
    Left {
        /// The ref.
        name: String,
        /// The commit.
        commit: String,
    },
    /// The index holds what one of the files became: an index changes in one step.
    Indexed {
        /// The worktree's folder.
        worktree: PathBuf,
        /// What each file becomes.
        files: Vec<FileRecord>,
    },
    /// One of the worktree's files holds what it became: a batch that did not get through was rolled back before.
    Written {
        /// The worktree's folder.
        worktree: PathBuf,
        /// What each file becomes.
        files: Vec<FileRecord>,
    },
    /// The commit is in the stash.
    Stashed {
        /// The commit.
        commit: String,
    },
    /// The commit is not in the stash.
    Unstashed {
        /// The commit.
        commit: String,
    },
}

/// What shall be.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Intent {
    version: u32,
    proof: Proof,
    /// Refs to make: (name, object).
    make: Vec<(String, String)>,
    /// Refs to remove: (name, object).
    remove: Vec<(String, String)>,
}

/// An intent on disk. Dropped without a word it stays there, for the next publisher to settle.
#[derive(Debug)]
#[must_use = "an intent is kept or withdrawn"]
pub struct Announced {
    file: PathBuf,
    intent: Intent,
}

/// What became of an intent that somebody left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The batch had happened; the history says so now.
    Kept,
    /// The batch had not happened.
    Dropped,
}

/// Writes down that, once `proof` holds, the refs `make` shall be and the refs `remove` be gone.
pub fn promise(
    repo: &Repo,
    proof: Proof,
    make: &[(String, Id)],
    remove: &[(String, Id)],
) -> Result<Announced, Diagnostic> {
    let plain = |refs: &[(String, Id)]| refs.iter().map(|(name, id)| (name.clone(), id.0.clone())).collect::<Vec<_>>();
    let intent = Intent { version: 1, proof, make: plain(make), remove: plain(remove) };
    let folder = repo.home()?.join("intents");
    let failed =
        |error: std::io::Error| Diagnostic::new(Code::Io, format!("could not write to {}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let name = make.iter().chain(remove).next().map_or("", |(name, _)| name.rsplit('/').next().unwrap_or(name));
    let announced = Announced { file: folder.join(name), intent };
    let text = serde_json::to_vec(&announced.intent).map_err(|error| failed(error.into()))?;
    let write = || {
        step("intent")?;
        fs::File::create(&announced.file).and_then(|mut file| file.write_all(&text)).map_err(failed)?;
        step("intent-written")
    };
    match write() {
        Ok(()) => Ok(announced),
        Err(failure) => {
            announced.remove();
            Err(failure)
        }
    }
}

impl Announced {
    /// Carries it out: the batch has happened. What fails is left for `settle` to try again.
    pub fn keep(self, repo: &Repo) -> Result<(), Diagnostic> {
        step("keep")?;
        self.intent.carry_out(repo)?;
        step("kept")?;
        self.remove();
        Ok(())
    }

    /// Takes it back: publishing failed. Unless it failed too late, as when a child was killed after it had done its work;
    /// what cannot be told now, or not be done, is left for `settle`.
    pub fn withdraw(self, repo: &Repo) {
        match self.intent.proof.holds(repo) {
            // Of two failures the first is the one to be told.
            Ok(true) if self.intent.carry_out(repo).is_err() => {}
            Ok(_) => self.remove(),
            Err(_) => {}
        }
    }

    fn remove(self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// Carries out or drops what publishers that were killed had announced. In our turn, after their journal.
pub fn settle(repo: &Repo) -> Result<Vec<Settled>, Diagnostic> {
    let mut settled = Vec::new();
    for file in left(repo) {
        // A file that cannot be read today is not a file that nobody finished.
        let Ok(text) = fs::read(&file) else { continue };
        let intent = serde_json::from_slice::<Intent>(&text).ok().filter(|intent| intent.version == 1);
        if let Some(Intent { proof: Proof::Unstashed { .. }, .. }) = &intent {
            repo.break_stash_locks();
        }
        let happened = match intent.map(|intent| (intent.proof.holds(repo), intent)) {
            Some((Ok(true), intent)) => match intent.take_up(repo) {
                // A lock, a full disk: the next one may have better luck.
                Err(_) if intent.is_whole(repo) => continue,
                outcome => outcome.is_ok(),
            },
            Some((Err(_), intent)) if intent.can_tell(repo) => continue,
            // It did not happen; or what would tell is gone, and nobody can do anything about that any more.
            Some(_) | None => false,
        };
        let _ = fs::remove_file(&file);
        settled.push(if happened { Settled::Kept } else { Settled::Dropped });
    }
    Ok(settled)
}

/// Returns the intents that were left, in the order of their names.
pub(super) fn left(repo: &Repo) -> Vec<PathBuf> {
    let folder = repo.common_dir().join("segedit").join("intents");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

impl Intent {
    /// Returns whether all that shall be kept is still there.
    fn is_whole(&self, repo: &Repo) -> bool {
        self.make.iter().all(|(_, object)| repo.has_object(&Id(object.clone())).unwrap_or(true))
    }

    /// Returns whether what tells is still there, so that the next one may have better luck in reading it.
    fn can_tell(&self, repo: &Repo) -> bool {
        match &self.proof {
            Proof::Reached { commit, .. } | Proof::Left { commit, .. } => {
                repo.has_object(&Id(commit.clone())).unwrap_or(true)
            }
            Proof::Indexed { worktree, .. } | Proof::Written { worktree, .. } => worktree.try_exists().unwrap_or(true),
            Proof::Stashed { .. } | Proof::Unstashed { .. } => true,
        }
    }

    /// Carries out what somebody else began, and perhaps died of.
    fn take_up(&self, repo: &Repo) -> Result<(), Diagnostic> {
        for (name, _) in self.make.iter().chain(&self.remove).filter(|(name, _)| is_ours(name)) {
            repo.break_ref_lock(name);
        }
        self.carry_out(repo)
    }

    fn carry_out(&self, repo: &Repo) -> Result<(), Diagnostic> {
        for (name, object) in self.make.iter().filter(|(name, _)| is_ours(name)) {
            repo.add_ref(name, &Id(object.clone()))?;
        }
        for (name, object) in self.remove.iter().filter(|(name, _)| is_ours(name)) {
            match repo.lock_ref(name, &Expected::At(Id(object.clone()))) {
                Ok(locked) => locked.remove()?,
                // Gone already, or another's by now.
                Err(RefFailure::Moved(_)) => {}
                Err(RefFailure::Failed(failure)) => return Err(failure),
            }
        }
        Ok(())
    }
}

/// An intent is a file that anybody could have written.
fn is_ours(name: &str) -> bool {
    name.starts_with(BATCHES) || name.starts_with(UNDONE)
}

impl Proof {
    fn holds(&self, repo: &Repo) -> Result<bool, Diagnostic> {
        match self {
            Proof::Reached { name, commit } => names(repo, name, commit),
            Proof::Left { name, commit } => Ok(!names(repo, name, commit)?),
            Proof::Indexed { worktree, files } => {
                let entries = open(worktree)?.read_index()?;
                let holds = |file: &FileRecord| {
                    let found = entries.get(file.path.as_str()).ok()?;
                    let found = found.map(|entry| Version { blob: entry.id.0, mode: format!("{:o}", entry.bits) });
                    Some(found == file.new)
                };
                Ok(files.iter().any(|file| holds(file) == Some(true)))
            }
            Proof::Written { worktree, files } => {
                let repo = open(worktree)?;
                let mut unread = None;
                for file in files {
                    match written(&repo, file) {
                        Ok(true) => return Ok(true),
                        Err(failure) if failure.code == Code::Io => unread = Some(failure),
                        // A link in the way, say: not what the batch left.
                        Ok(false) | Err(_) => {}
                    }
                }
                unread.map_or(Ok(false), Err)
            }
            Proof::Stashed { commit } => Ok(repo.stashed()?.iter().any(|listed| listed.0 == *commit)),
            Proof::Unstashed { commit } => Ok(repo.stashed()?.iter().all(|listed| listed.0 != *commit)),
        }
    }
}

fn names(repo: &Repo, name: &str, commit: &str) -> Result<bool, Diagnostic> {
    let Some(tip) = repo.tip(name)? else { return Ok(false) };
    repo.descends(&tip, &Id(commit.to_owned()))
}

fn open(worktree: &Path) -> Result<Repo, Diagnostic> {
    Repo::open_worktree(worktree)
}

fn written(repo: &Repo, file: &FileRecord) -> Result<bool, Diagnostic> {
    let found = repo.worktree()?.read(&file.path)?;
    let Some((found, new)) = found.as_ref().zip(file.new.as_ref()) else {
        return Ok(found.is_none() && file.new.is_none());
    };
    let stored = repo.stored_form(&file.path, found.bytes.clone())?;
    Ok(Id::of_blob(repo.hash_kind(), &stored).0 == new.blob)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    const NAME: &str = "refs/segedit/batches/00000000000001-b1";

    /// Leaves an intent whose proof is that `commit` was reached, and settles it.
    fn settled(sandbox: &Sandbox, commit: &str) -> Vec<Settled> {
        let repo = sandbox.repo();
        let tree = Id(sandbox.git(&["rev-parse", "HEAD^{tree}"]));
        let proof = Proof::Reached { name: "refs/heads/main".to_owned(), commit: commit.to_owned() };
        std::mem::drop(promise(&repo, proof, &[(NAME.to_owned(), tree)], &[]).unwrap());
        settle(&repo).unwrap()
    }

    #[test]
    fn an_intent_is_carried_out_if_it_happened_and_goes_in_any_case() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        assert_eq!(settled(&sandbox, &"1".repeat(40)), [Settled::Dropped]);
        assert_eq!(sandbox.git(&["for-each-ref", "refs/segedit"]), "");
        assert_eq!(settled(&sandbox, &head), [Settled::Kept]);
        assert_eq!(sandbox.git(&["rev-parse", NAME]), sandbox.git(&["rev-parse", "HEAD^{tree}"]));
        assert_eq!(settle(&sandbox.repo()).unwrap(), []);
        // A second time changes nothing: the first may have died between the ref and the file.
        assert_eq!(settled(&sandbox, &head), [Settled::Kept]);
    }

    #[test]
    fn a_lock_that_our_like_left_is_broken_and_what_git_collected_is_given_up() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        let lock = sandbox.root().join(format!(".git/{NAME}.lock"));
        fs::create_dir_all(lock.parent().unwrap()).unwrap();
        fs::write(&lock, "").unwrap();
        assert_eq!(settled(&sandbox, &head), [Settled::Kept]);
        assert!(!lock.exists());
        sandbox.git(&["update-ref", "-d", NAME]);
        let repo = sandbox.repo();
        let proof = Proof::Reached { name: "refs/heads/main".to_owned(), commit: head };
        std::mem::drop(promise(&repo, proof, &[(NAME.to_owned(), Id("1".repeat(40)))], &[]).unwrap());
        assert_eq!(settle(&repo).unwrap(), [Settled::Dropped]);
        assert_eq!(left(&repo), Vec::<PathBuf>::new());
    }
}
