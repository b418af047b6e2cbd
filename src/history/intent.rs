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

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{BATCHES, FileRecord, RecordedFile, UNDONE};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Expected, HeldFile, NameInFolder, RefFailure, Repo, Seal, is_ref_name, step};
use crate::snapshot::{FileMode, Id};

/// How to tell whether a batch happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Proof {
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
    /// It is so already: there is nothing to wait for.
    Given,
}

/// The version of this form. What the first version wrote reads alike and bears no seal.
const VERSION: u32 = 2;

/// What a seal on an intent is a seal on.
const SORT: &str = "intent";

/// The longest that is read, in bytes: that of a batch of some million files.
const LONGEST: u64 = 512 << 20;

const FOLDER: &str = "intents";

#[derive(Deserialize)]
struct VersionedIntent {
    version: u32,
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
pub(crate) struct Announced {
    file: NameInFolder,
    intent: Intent,
}

/// What became of an intent that somebody left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The batch had happened; the history says so now.
    Kept,
    /// The batch had not happened.
    Dropped,
    /// It cannot be carried out now, for this reason; whoever comes next tries again.
    Waiting(String),
    /// A newer version of this program wrote it, and has to settle it.
    Newer,
    /// It is not this program's work for this repository, for this reason; nothing of it was done.
    Refused(&'static str),
}

impl Settled {
    /// Returns what to warn of whoever asked for something else.
    pub fn warning(&self) -> Option<Diagnostic> {
        let Settled::Refused(why) = self else {
            return None;
        };
        let message = format!(
            "what was announced to the history here is not this program's work, and was dropped: {why}"
        );
        Some(Diagnostic::new(Code::Io, message))
    }
}

/// Writes down that, once `proof` holds, the refs `make` shall be and the refs `remove` be gone.
pub(crate) fn promise(
    repo: &Repo,
    proof: Proof,
    make: &[(String, Id)],
    remove: &[(String, Id)],
) -> Result<Announced, Diagnostic> {
    let plain = |refs: &[(String, Id)]| {
        refs.iter()
            .map(|(name, id)| (name.clone(), id.0.clone()))
            .collect::<Vec<_>>()
    };
    let intent = Intent {
        version: VERSION,
        proof,
        make: plain(make),
        remove: plain(remove),
    };
    let folder = repo.home()?.folder(FOLDER)?;
    let failed = |error: std::io::Error| {
        Diagnostic::new(
            Code::Io,
            format!("could not write to {}: {error}", folder.path().display()),
        )
    };
    let name = make
        .iter()
        .chain(remove)
        .next()
        .map_or("", |(name, _)| name.rsplit('/').next().unwrap_or(name));
    let announced = Announced {
        file: folder.place(name)?,
        intent,
    };
    let text = serde_json::to_vec(&announced.intent).map_err(|error| failed(error.into()))?;
    let text = repo.sealed(SORT, text);
    let write = || {
        step("intent")?;
        announced.file.write(&text, false).map_err(failed)?;
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
    pub(crate) fn keep(self, repo: &Repo) -> Result<(), Diagnostic> {
        step("keep")?;
        self.intent.carry_out(repo)?;
        step("kept")?;
        // A lock that could not be removed is for whoever comes next, who looks where an intent is.
        if !self.intent.leaves_locks(repo) {
            self.remove();
        }
        Ok(())
    }

    /// Takes it back: publishing failed. Unless it failed too late, as when a child was killed after it had done its work;
    /// what cannot be told now, or not be done, is left for `settle`.
    pub(crate) fn withdraw(self, repo: &Repo) {
        // What was exchanged is put back by now, and a file that is as the batch would have made it is so by another's hand.
        if let Proof::Written { .. } = self.intent.proof {
            return self.remove();
        }
        match self.intent.proof.holds(repo, Trace::All) {
            // Of two failures the first is the one to be told.
            Ok(true) if self.intent.carry_out(repo).is_err() => {}
            Ok(_) => self.remove(),
            Err(_) => {}
        }
    }

    fn remove(self) {
        let _ = self.file.remove();
    }
}

/// How many of its files have to be as a batch made them to show that it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trace {
    /// One: what did not get through was rolled back.
    Any,
    /// All: something was rolled back, or put back, just now.
    All,
    /// None: it is known to have happened, whatever became of it since.
    Done,
}

impl Trace {
    /// Says whether files show it of which each is as it was made (`true`) or not; those that would look alike say nothing.
    fn shows(self, each: impl Iterator<Item = bool>) -> bool {
        let mut each = each.peekable();
        let is_any = each.peek().is_some();
        match self {
            Trace::Any | Trace::Done => each.any(|is_made| is_made),
            Trace::All => is_any && each.all(|is_made| is_made),
        }
    }
}

/// Carries out or drops what publishers that were killed had announced. In our turn, after their journal.
pub(crate) fn settle(repo: &Repo, trace: Trace) -> Result<Vec<Settled>, Diagnostic> {
    let mut settled = Vec::new();
    let left = left(repo);
    // Of several nobody says which it is.
    let trace = match trace {
        Trace::Done if left.len() > 1 => Trace::Any,
        trace => trace,
    };
    for file in left {
        // That it cannot be read does not mean that it is incomplete: it stays for the next time.
        let Ok(held) = file.read(LONGEST) else {
            continue;
        };
        let outcome = match held {
            HeldFile::Nothing => continue,
            HeldFile::Unfit(why) => Settled::Refused(why),
            HeldFile::Bytes(bytes) => settle_one(repo, &file, &bytes, trace),
        };
        match outcome {
            Settled::Kept | Settled::Dropped | Settled::Refused(_) => drop(file.remove()),
            Settled::Waiting(_) | Settled::Newer => {}
        }
        settled.push(outcome);
    }
    Ok(settled)
}

fn settle_one(repo: &Repo, file: &NameInFolder, bytes: &[u8], trace: Trace) -> Settled {
    let (text, seal) = repo.unsealed(SORT, bytes);
    if let Ok(VersionedIntent { version }) = serde_json::from_slice(text)
        && version > VERSION
    {
        return Settled::Newer;
    }
    // Another user's, who shares the repository with us, has another key and says as little as none.
    let is_mine = file.owner() == Some(rustix::process::geteuid().as_raw());
    if seal == Seal::Foreign && is_mine {
        return Settled::Refused("its seal is not made with your key for this clone");
    }
    match serde_json::from_slice::<Intent>(text) {
        Ok(intent) if !intent.is_fit(repo) => {
            Settled::Refused("it names what no batch of this repository could")
        }
        Ok(intent) => intent.settle(repo, trace),
        Err(_) => Settled::Dropped,
    }
}

/// Returns whether a batch is announced that is neither kept nor withdrawn.
pub(crate) fn is_unsettled(repo: &Repo) -> bool {
    !left(repo).is_empty()
}

/// Says whether all that is announced was announced by this program for this user: what a reader may settle.
pub(crate) fn are_ours(repo: &Repo) -> bool {
    let is_ours = |file: NameInFolder| match file.read(LONGEST) {
        Ok(HeldFile::Bytes(bytes)) => repo.unsealed(SORT, &bytes).1 == Seal::Ours,
        Ok(HeldFile::Nothing) => true,
        Ok(HeldFile::Unfit(_)) | Err(_) => false,
    };
    left(repo).into_iter().all(is_ours)
}

/// Returns the intents that were left, in the order of their names.
pub(super) fn left(repo: &Repo) -> Vec<NameInFolder> {
    let folder = repo
        .home_if_any()
        .ok()
        .flatten()
        .and_then(|home| home.folder_if_any(FOLDER));
    let Some(folder) = folder else {
        return Vec::new();
    };
    let places = folder
        .names()
        .into_iter()
        .filter_map(|name| folder.place(&name).ok());
    // To read a pipe is to wait for somebody who writes to it, and a link leads elsewhere.
    places.filter(|place| place.file_size().is_some()).collect()
}

impl Intent {
    /// Says whether a batch of this repository could have announced it: an archive may bring a git folder, intents and all.
    fn is_fit(&self, repo: &Repo) -> bool {
        let refs = self.make.iter().chain(&self.remove);
        let are_fit = refs
            .into_iter()
            .all(|(name, object)| is_ours(name) && repo.is_id(object));
        are_fit
            && match &self.proof {
                Proof::Reached { name, commit } | Proof::Left { name, commit } => {
                    is_ref_name(name) && repo.is_id(commit)
                }
                Proof::Stashed { commit } | Proof::Unstashed { commit } => repo.is_id(commit),
                Proof::Indexed { .. } | Proof::Written { .. } | Proof::Given => true,
            }
    }

    /// Carries it out if its batch happened.
    fn settle(&self, repo: &Repo, trace: Trace) -> Settled {
        if let Proof::Unstashed { .. } = &self.proof {
            repo.break_stash_locks();
        }
        match self.proof.holds(repo, trace) {
            Ok(true) => match self.take_up(repo) {
                Ok(()) => Settled::Kept,
                // A lock, a full disk: the next one may have better luck.
                Err(failure) if self.is_whole(repo) => Settled::Waiting(failure.message),
                Err(_) => Settled::Dropped,
            },
            // It may have come as far as a lock, which would keep `git gc` from its work.
            Ok(false) => {
                self.break_locks(repo);
                match self.leaves_locks(repo) {
                    true => Settled::Waiting("a lock on one of its refs stays".to_owned()),
                    false => Settled::Dropped,
                }
            }
            Err(failure) if self.can_tell(repo) => Settled::Waiting(failure.message),
            // What would tell is gone, and nobody can do anything about that any more.
            Err(_) => Settled::Dropped,
        }
    }

    /// Returns whether a ref of it is locked still.
    fn leaves_locks(&self, repo: &Repo) -> bool {
        let is_locked = |name: &str| {
            repo.ref_lock(name)
                .is_some_and(|lock| lock.inode().is_some())
        };
        self.make
            .iter()
            .chain(&self.remove)
            .any(|(name, _)| is_locked(name))
    }

    /// Returns whether all that shall be kept is still there.
    fn is_whole(&self, repo: &Repo) -> bool {
        self.make
            .iter()
            .all(|(_, object)| repo.has_object(&Id(object.clone())).unwrap_or(true))
    }

    /// Returns whether what tells is still there, so that the next one may have better luck in reading it.
    fn can_tell(&self, repo: &Repo) -> bool {
        match &self.proof {
            Proof::Reached { commit, .. } | Proof::Left { commit, .. } => {
                repo.has_object(&Id(commit.clone())).unwrap_or(true)
            }
            Proof::Indexed { worktree, .. } | Proof::Written { worktree, .. } => {
                // Of a worktree that this repository does not list, nobody can tell; one that is listed may be away.
                repo.lists_worktree(worktree)
                    || repo
                        .worktree_at(worktree)
                        .map_or(true, |found| found.is_some())
            }
            Proof::Stashed { .. } | Proof::Unstashed { .. } | Proof::Given => true,
        }
    }

    /// Carries out what somebody else began, and perhaps died of.
    fn take_up(&self, repo: &Repo) -> Result<(), Diagnostic> {
        self.break_locks(repo);
        if let Proof::Unstashed { commit } = &self.proof {
            repo.finish_drop(&Id(commit.clone()))?;
        }
        self.carry_out(repo)
    }

    /// Breaks the locks that it took and that nobody else does.
    fn break_locks(&self, repo: &Repo) {
        for (name, object) in self.make.iter().filter(|(name, _)| is_ours(name)) {
            repo.break_ref_lock(name, &format!("{object}\n"));
        }
        for (name, _) in self.remove.iter().filter(|(name, _)| is_ours(name)) {
            repo.break_ref_lock(name, "");
        }
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
    (name.starts_with(BATCHES) || name.starts_with(UNDONE)) && is_ref_name(name)
}

impl Proof {
    fn holds(&self, repo: &Repo, trace: Trace) -> Result<bool, Diagnostic> {
        match self {
            Proof::Given => Ok(true),
            Proof::Reached { .. } | Proof::Left { .. } if trace == Trace::Done => Ok(true),
            Proof::Reached { name, commit } => names(repo, name, commit),
            Proof::Left { name, commit } => Ok(!names(repo, name, commit)?),
            Proof::Indexed { worktree, files } => {
                let entries = open(repo, worktree)?.read_index()?;
                let holds = |file: &FileRecord| {
                    let found = entries.get(file.path.as_str()).ok()?;
                    let found = found.map(|entry| RecordedFile {
                        blob: entry.id.0,
                        mode: format!("{:o}", entry.bits),
                    });
                    Some(found == file.new)
                };
                let changed = files.iter().filter(|file| file.old != file.new);
                Ok(trace.shows(changed.map(|file| holds(file) == Some(true))))
            }
            Proof::Written { worktree, files } => {
                let repo = &open(repo, worktree)?;
                let mut unread = None;
                let mut told = Vec::new();
                for file in files {
                    match written(repo, file) {
                        Ok(is_made) => told.extend(is_made),
                        Err(failure) if failure.code == Code::Io => unread = Some(failure),
                        // A link in the way, say: not what the batch left.
                        Err(_) => told.push(false),
                    }
                }
                let shows = trace.shows(told.iter().copied());
                let is_settled = match trace {
                    Trace::Any | Trace::Done => shows,
                    Trace::All => told.contains(&false),
                };
                match unread {
                    Some(failure) if !is_settled => Err(failure),
                    Some(_) | None => Ok(shows),
                }
            }
            Proof::Stashed { commit } => {
                Ok(repo.stashed()?.iter().any(|listed| listed.0 == *commit))
            }
            Proof::Unstashed { commit } => {
                Ok(repo.stashed()?.iter().all(|listed| listed.0 != *commit))
            }
        }
    }
}

/// Says whether a ref names a commit or one that descends from it. Each worktree has a HEAD of its own, and whoever asks may be in another
/// one than that which a batch moved: it is any.
fn names(repo: &Repo, name: &str, commit: &str) -> Result<bool, Diagnostic> {
    let tips = match name {
        "HEAD" => repo.heads()?,
        name => repo.tip(name)?.into_iter().collect(),
    };
    let commit = Id(commit.to_owned());
    for tip in tips {
        if repo.descends(&tip, &commit)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Opens the worktree at `folder`, if it is one of this repository.
fn open(repo: &Repo, folder: &Path) -> Result<Repo, Diagnostic> {
    let elsewhere = || {
        Diagnostic::new(
            Code::Io,
            format!("{} is no worktree of this repository", folder.display()),
        )
    };
    repo.worktree_at(folder)?.ok_or_else(elsewhere)
}

/// Says whether a file is as its batch made it; `None` where it would look the same without that.
fn written(repo: &Repo, file: &FileRecord) -> Result<Option<bool>, Diagnostic> {
    let worktree = repo.worktree()?;
    let mode = |recorded: &Option<RecordedFile>| {
        let mode = recorded.as_ref().map(|recorded| recorded.mode.clone());
        mode.filter(|_| worktree.trusts_mode())
    };
    let blob =
        |recorded: &Option<RecordedFile>| recorded.as_ref().map(|recorded| recorded.blob.clone());
    if blob(&file.old) == blob(&file.new) && mode(&file.old) == mode(&file.new) {
        return Ok(None);
    }
    let found = worktree.read(&file.path)?;
    let Some((found, new)) = found.as_ref().zip(file.new.as_ref()) else {
        return Ok(Some(found.is_none() && file.new.is_none()));
    };
    let is_executable = found.mode == FileMode::Executable;
    let is_of_mode = mode(&file.new).is_none_or(|mode| (mode == "100755") == is_executable);
    if !is_of_mode {
        return Ok(Some(false));
    }
    if let Some(filter) = repo.withheld_filter(&file.path)? {
        let message = format!(
            "what is stored decides the filter `{}`, which is not started for a reader",
            shown(&filter)
        );
        return Err(Diagnostic::new(Code::Io, message));
    }
    let stored = repo.stored_form(&file.path, found.bytes.clone())?;
    Ok(Some(Id::of_blob(repo.hash_kind(), &stored).0 == new.blob))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git::testing::Sandbox;

    const NAME: &str = "refs/segedit/batches/00000000000001-b1";

    /// Leaves an intent whose proof is that `commit` was reached, and settles it.
    fn settled(sandbox: &Sandbox, commit: &str) -> Vec<Settled> {
        let repo = sandbox.repo();
        let tree = Id(sandbox.git(&["rev-parse", "HEAD^{tree}"]));
        let proof = Proof::Reached {
            name: "refs/heads/main".to_owned(),
            commit: commit.to_owned(),
        };
        std::mem::drop(promise(&repo, proof, &[(NAME.to_owned(), tree)], &[]).unwrap());
        settle(&repo, Trace::Any).unwrap()
    }

    #[test]
    fn an_intent_is_carried_out_if_it_happened_and_goes_in_any_case() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        assert_eq!(settled(&sandbox, &"1".repeat(40)), [Settled::Dropped]);
        assert_eq!(sandbox.git(&["for-each-ref", "refs/segedit"]), "");
        assert_eq!(settled(&sandbox, &head), [Settled::Kept]);
        assert_eq!(
            sandbox.git(&["rev-parse", NAME]),
            sandbox.git(&["rev-parse", "HEAD^{tree}"])
        );
        assert_eq!(settle(&sandbox.repo(), Trace::Any).unwrap(), []);
        // A second time changes nothing: the first may have died between the ref and the file.
        assert_eq!(settled(&sandbox, &head), [Settled::Kept]);
    }

    #[test]
    fn a_file_that_would_look_alike_shows_nothing() {
        use std::os::unix::fs::PermissionsExt as _;

        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n"), ("b.txt", "two\n")]);
        let repo = sandbox.repo();
        let kind = repo.hash_kind();
        let recorded = |text: &str, mode: &str| RecordedFile {
            blob: Id::of_blob(kind, text.as_bytes()).0,
            mode: mode.to_owned(),
        };
        let file = |path: &str, old: RecordedFile, new: RecordedFile| FileRecord {
            path: crate::git::testing::path(path),
            status: "modified".to_owned(),
            old: Some(old),
            new: Some(new),
            added: 0,
            removed: 0,
        };
        let executable = file(
            "a.txt",
            recorded("one\n", "100644"),
            recorded("one\n", "100755"),
        );
        let edited = file(
            "b.txt",
            recorded("two\n", "100644"),
            recorded("three\n", "100644"),
        );
        let holds = |files: &[&FileRecord], trace: Trace| {
            let proof = Proof::Written {
                worktree: sandbox.root().to_owned(),
                files: files.iter().map(|&file| file.clone()).collect(),
            };
            proof.holds(&repo, trace).unwrap()
        };
        // Nothing happened: the bytes of the first are those that it would have.
        assert!(!holds(&[&executable, &edited], Trace::Any));
        let place = sandbox.root().join("a.txt");
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(holds(&[&executable, &edited], Trace::Any));
        // Rolled back, and one file is by chance as it would be.
        assert!(!holds(&[&executable, &edited], Trace::All));
        sandbox.write("b.txt", "three\n");
        assert!(holds(&[&executable, &edited], Trace::All));
        // Where modes mean nothing, one that changes nothing else shows nothing.
        sandbox.git(&["config", "core.fileMode", "false"]);
        let repo = sandbox.repo();
        let proof = Proof::Written {
            worktree: sandbox.root().to_owned(),
            files: vec![executable],
        };
        assert!(!proof.holds(&repo, Trace::Any).unwrap());
    }

    #[test]
    fn what_is_withdrawn_did_not_happen_where_files_are_by_chance_as_they_would_be() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n"), ("b.txt", "two\n")]);
        let repo = sandbox.repo();
        let head = sandbox.git(&["rev-parse", "HEAD"]);
        let recorded = |text: &str| RecordedFile {
            blob: Id::of_blob(repo.hash_kind(), text.as_bytes()).0,
            mode: "100644".to_owned(),
        };
        let file = |path: &str, old: &str| FileRecord {
            path: crate::git::testing::path(path),
            status: "modified".to_owned(),
            old: Some(recorded(old)),
            new: Some(recorded("new\n")),
            added: 0,
            removed: 0,
        };
        let is_made = |written: &[&str]| {
            let proof = Proof::Written {
                worktree: sandbox.root().to_owned(),
                files: vec![file("a.txt", "one\n"), file("b.txt", "two\n")],
            };
            let refs = [(NAME.to_owned(), Id(head.clone()))];
            let announced = promise(&repo, proof, &refs, &[]).unwrap();
            written.iter().for_each(|path| sandbox.write(path, "new\n"));
            announced.withdraw(&repo);
            assert!(left(&repo).is_empty());
            repo.tip(NAME).unwrap().is_some()
        };
        assert!(!is_made(&["b.txt"]));
        assert!(!is_made(&["a.txt", "b.txt"]));
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
        let proof = Proof::Reached {
            name: "refs/heads/main".to_owned(),
            commit: head,
        };
        std::mem::drop(
            promise(&repo, proof, &[(NAME.to_owned(), Id("1".repeat(40)))], &[]).unwrap(),
        );
        assert_eq!(settle(&repo, Trace::Any).unwrap(), [Settled::Dropped]);
        assert!(left(&repo).is_empty());
        // One that came as far as the lock, and did not happen.
        fs::create_dir_all(lock.parent().unwrap()).unwrap();
        fs::write(&lock, format!("{}\n", "1".repeat(40))).unwrap();
        let proof = Proof::Reached {
            name: "refs/heads/main".to_owned(),
            commit: sandbox.git(&["commit-tree", "-m", "another", "HEAD^{tree}"]),
        };
        std::mem::drop(
            promise(&repo, proof, &[(NAME.to_owned(), Id("1".repeat(40)))], &[]).unwrap(),
        );
        settle(&repo, Trace::Any).unwrap();
        assert!(!lock.exists());
    }
}
