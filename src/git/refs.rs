//! Moving a branch: lock it, compare it under the lock, move it. The only way to move one; refs that this program keeps for
//! itself, and the stash, are written by `private_refs`.
//!
//! Invariant: a ref moves only from the value that the caller expects, compared while the ref's lock file is ours.
//! Between `lock_ref` and `LockedRef::advance` nobody else, git included, can move it, so whoever wants to do more
//! than move the ref does it there. Who moves or removes one: `publish::commit`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use git2::{ErrorClass, ErrorCode};

use super::head::is_ref_name;
use super::lock::is_locked;
use super::{HeldFile, Identity, NameInFolder, Repo, failure, step};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::snapshot::Id;

/// The longest log that is looked at, in bytes.
const MOST_LOG: u64 = 256 << 20;

/// What a ref has to be for it to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// There is no such ref.
    Absent,
    /// It names this commit.
    At(Id),
}

impl Expected {
    /// Returns the commit, or `None` for a ref that must not exist.
    pub fn id(&self) -> Option<&Id> {
        match self {
            Expected::Absent => None,
            Expected::At(id) => Some(id),
        }
    }
}

/// A ref that is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its full name.
    pub name: String,
    /// What it should have been.
    pub expected: Option<Id>,
    /// What it is.
    pub found: Option<Id>,
}

/// Why a ref cannot be moved.
#[derive(Clone, Debug)]
pub enum RefFailure {
    /// It is not what was expected.
    Moved(Moved),
    /// It is locked, or cannot be read or written.
    Failed(Diagnostic),
}

impl From<Diagnostic> for RefFailure {
    fn from(failure: Diagnostic) -> RefFailure {
        RefFailure::Failed(failure)
    }
}

/// How long a ref's lock is waited for; whoever holds one holds it for the length of a write.
const PATIENCE: Duration = Duration::from_secs(2);

/// A ref that nobody else can move, at the value that was expected.
pub struct LockedRef<'r> {
    repo: &'r Repo,
    name: String,
    /// Where it stands.
    from: Option<Id>,
    transaction: git2::Transaction<'r>,
}

impl Repo {
    /// Gives the ref `name`, which was just written, and its log the permissions of a shared repository.
    pub(super) fn share_ref(&self, name: &str) {
        let shared = self.config.shared();
        let logs = Path::new("logs");
        if name.starts_with("refs/") {
            shared.grant_below(self.common_dir(), Path::new(name));
            shared.grant_below(self.common_dir(), &logs.join(name));
        }
        shared.grant_below(self.git_dir(), &logs.join("HEAD"));
    }

    /// Locks the ref `name`, which must not be symbolic, and checks that it is what `expected` says.
    pub fn lock_ref(&self, name: &str, expected: &Expected) -> Result<LockedRef<'_>, RefFailure> {
        step("ref-lock")?;
        let transaction = self.lock_patiently(name)?;
        step("ref-locked")?;
        let found = self.tip(name)?;
        let locked = LockedRef {
            repo: self,
            name: name.to_owned(),
            from: found.clone(),
            transaction,
        };
        let symbolic = self.final_name(name)? != name;
        if symbolic || found.as_ref() != expected.id() {
            let expected = expected.id().cloned();
            return Err(RefFailure::Moved(Moved {
                name: name.to_owned(),
                expected,
                found,
            }));
        }
        Ok(locked)
    }

    pub(super) fn lock_patiently(&self, name: &str) -> Result<git2::Transaction<'_>, Diagnostic> {
        self.refuse_linked_ref(name)?;
        // `git pack-refs` removes folders that it emptied, also between our making of one and the lock in it.
        const MOST_VANISHED: usize = 10;
        let start = Instant::now();
        let mut pause = Duration::from_millis(2);
        let mut vanished = 0;
        loop {
            let mut transaction = self
                .git2
                .transaction()
                .map_err(failure::git2("lock a ref"))?;
            match transaction.lock_ref(name) {
                Ok(()) => return Ok(transaction),
                Err(error) if error.code() != ErrorCode::Locked => {
                    vanished += 1;
                    if error.class() != ErrorClass::Os || vanished > MOST_VANISHED {
                        return Err(failure::git2(&format!("lock {}", shown(name)))(error));
                    }
                }
                Err(_) if start.elapsed() > PATIENCE => {
                    return Err(is_locked(&shown(name), &self.ref_lock_path(name), PATIENCE));
                }
                Err(_) => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Refuses to write the ref `name` where a link is in its place, which would lead to a file of somebody else. What is on the way to a
    /// branch may be one, as git has it; what is on the way to a ref of our own, and to its log, was made by us, and is a folder of this
    /// repository.
    pub(super) fn refuse_linked_ref(&self, name: &str) -> Result<(), Diagnostic> {
        let mut places = vec![PathBuf::from(name)];
        if name.starts_with(Repo::OWN_REFS) {
            for end in [Path::new(name), &Path::new("logs").join(name)] {
                let ancestors = end.ancestors().map(Path::to_owned);
                // Where all refs are elsewhere, as `git-new-workdir` has it, they are shared, ours among them.
                let is_whole = |place: &PathBuf| {
                    let wholes = ["", "refs", "logs", "logs/refs"];
                    wholes.map(Path::new).contains(&place.as_path())
                };
                places.extend(ancestors.filter(|place| !is_whole(place)));
            }
        }
        let Some(linked) = places.iter().find(|place| self.is_link(name, place)) else {
            return Ok(());
        };
        let message = format!(
            "{} in the git folder is a link, and {} would be written through it",
            shown(&linked.to_string_lossy()),
            shown(name)
        );
        Err(Diagnostic::new(Code::UnsupportedRepository, message)
            .note("this program follows none to a ref; remove the link if you did not make it"))
    }

    /// Returns the folder that the ref `name` is in: each worktree has its own HEAD, and everything below refs/ that we move is shared.
    fn folder_of_ref(&self, name: &str) -> &Path {
        if name.starts_with("refs/") {
            self.common_dir()
        } else {
            self.git_dir()
        }
    }

    /// What the names of refs begin with that only this program writes.
    const OWN_REFS: &str = "refs/segedit/";

    /// Takes the last line out of the log of the ref `name` when that speaks of a move of ours that did not come to be: the
    /// log is written just before the ref.
    pub fn amend_log(&self, name: &str) -> Result<(), Diagnostic> {
        // A log that a link leads to has an untrue line more: it is written anew by nobody, as with git.
        if !matches!(self.log_place(name), Ok(Some(_)))
            || !self.git2.reference_has_log(name).unwrap_or(false)
        {
            return Ok(());
        }
        let attempt = format!("amend the log of {}", shown(name));
        let mut log = self.git2.reflog(name).map_err(failure::git2(&attempt))?;
        let stands = self.tip(name)?.map(|tip| self.oid(&tip)).transpose()?;
        let untrue = log.get(0).is_some_and(|line| {
            let ours = line
                .message()
                .is_ok_and(|message| message.is_some_and(|text| text.starts_with("segedit")));
            let old = Some(line.id_old()).filter(|old| !old.is_zero());
            ours && Some(line.id_new()) != stands && old == stands
        });
        if untrue {
            log.remove(0, false).map_err(failure::git2(&attempt))?;
            let outcome = match log.write() {
                Err(_) if self.break_log_lock(name) => log.write(),
                outcome => outcome,
            };
            outcome.map_err(failure::git2(&attempt))?;
            if stands.is_none() && log.is_empty() && name.starts_with("refs/") {
                // The log of a branch that never was would be in the way of one that is called like a folder of it.
                self.git2
                    .reflog_delete(name)
                    .map_err(failure::git2(&attempt))?;
                self.remove_log_folders(name);
            } else {
                self.share_ref(name);
            }
        }
        Ok(())
    }

    /// Removes the lock on the log of the ref `name` if somebody like us was killed who was amending it: it stays, and holds the
    /// beginning of the log. Nothing else names it.
    fn break_log_lock(&self, name: &str) -> bool {
        let folder = self.folder_of_ref(name);
        let place = |name: &str| NameInFolder::below(folder, &Path::new("logs").join(name));
        let (Ok(Some(log)), Ok(Some(lock))) = (place(name), place(&format!("{name}.lock"))) else {
            return false;
        };
        let Ok(HeldFile::Bytes(log)) = log.read(MOST_LOG) else {
            return false;
        };
        let is_begun = |lock: &NameInFolder| match lock.read(MOST_LOG) {
            Ok(HeldFile::Bytes(begun)) => log.starts_with(&begun),
            Ok(HeldFile::Nothing | HeldFile::Unfit(_)) | Err(_) => false,
        };
        lock.stays(is_begun) && lock.remove().is_ok()
    }

    /// Puts the log of the ref `name` back, which was laid aside when the ref was about to go. Whoever calls has the ref's lock,
    /// or finds it as its late holder left it.
    pub fn put_log_back(&self, name: &str) {
        let aside = self.home().and_then(|home| home.place(Repo::LOG_ASIDE));
        let log = NameInFolder::below(self.common_dir(), &Path::new("logs").join(name));
        if let (Ok(aside), Ok(Some(log))) = (aside, log)
            && is_ref_name(name)
            && log.inode().is_none()
        {
            let _ = aside.rename(&log);
        }
    }

    /// Lays the log of the ref `name` aside, if there is one.
    fn lay_log_aside(&self, name: &str) -> Result<(), Diagnostic> {
        let Some(log) = self.log_place(name)? else {
            return Ok(());
        };
        match log.rename(&self.home()?.place(Repo::LOG_ASIDE)?) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failure::system(
                &format!("remove the log of {}", shown(name)),
            )(error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Drops the log that was laid aside, and the folders that are empty without it, but for those that every repository has.
    fn drop_log(&self, name: &str) {
        if let Ok(aside) = self.home().and_then(|home| home.place(Repo::LOG_ASIDE)) {
            let _ = aside.remove();
        }
        self.remove_log_folders(name);
    }

    /// Removes the folders that are empty without the log of the ref `name`, but for those that every repository has.
    fn remove_log_folders(&self, name: &str) {
        const OF_EVERYBODY: usize = 2;
        if self.log_place(name).is_err() {
            return;
        }
        let mut folder = self.log_of(name);
        for _ in OF_EVERYBODY..name.matches('/').count() {
            if !folder.pop() || fs::remove_dir(&folder).is_err() {
                break;
            }
        }
    }

    fn log_of(&self, name: &str) -> PathBuf {
        self.folder_of_ref(name).join("logs").join(name)
    }

    /// What a log is called that waits for its ref to go. One is enough: only whoever has the turn moves refs.
    pub(super) const LOG_ASIDE: &str = "log.aside";

    /// Returns the place of the log of the ref `name`, reached through no link; `None` where there is none. A log that is a link, or that
    /// one on the way leads to, is not this repository's: refused.
    pub(super) fn log_place(&self, name: &str) -> Result<Option<NameInFolder>, Diagnostic> {
        let log = NameInFolder::below(self.folder_of_ref(name), &Path::new("logs").join(name));
        let log = log.map_err(failure::system(&format!(
            "look for the log of {}",
            shown(name)
        )))?;
        let is_linked = match &log {
            Some(_) => self.is_link(name, &Path::new("logs").join(name)),
            None => self.is_linked_way(name),
        };
        if is_linked {
            let message = format!("the log of {} is reached through a link", shown(name));
            return Err(Diagnostic::new(Code::UnsupportedRepository, message)
                .note("this program follows none to a log"));
        }
        Ok(log)
    }

    /// Says whether a folder on the way to the log of the ref `name` is a link.
    fn is_linked_way(&self, name: &str) -> bool {
        let logs = Path::new("logs").join(name);
        let way = logs.ancestors().skip(1);
        way.filter(|place| !place.as_os_str().is_empty())
            .any(|place| self.is_link(name, place))
    }

    /// Says whether `place`, in the folder of the ref `name`, is a link.
    fn is_link(&self, name: &str, place: &Path) -> bool {
        let found = self.folder_of_ref(name).join(place).symlink_metadata();
        found.is_ok_and(|found| found.is_symlink())
    }

    /// Returns the place of the lock file of the ref `name`, reached through no link; `None` where no such file can be.
    pub fn ref_lock(&self, name: &str) -> Option<NameInFolder> {
        if !is_ref_name(name) {
            return None;
        }
        let folder = self.folder_of_ref(name);
        NameInFolder::below(folder, Path::new(&format!("{name}.lock")))
            .ok()
            .flatten()
    }

    /// Returns where the lock file of the ref `name` stands.
    pub fn ref_lock_path(&self, name: &str) -> PathBuf {
        self.folder_of_ref(name).join(format!("{name}.lock"))
    }
}

impl LockedRef<'_> {
    /// Removes the ref with its log, as git does: the next ref of that name begins its own, and one below it finds no file
    /// where it needs a folder. This is the moment at which others miss it.
    pub fn remove(mut self) -> Result<(), Diagnostic> {
        step("ref")?;
        let attempt = format!("remove {}", shown(&self.name));
        // All of it under the lock, so that it is nobody else's log. Aside first: a death leaves it there, to be put back if the
        // ref still stands.
        self.repo.lay_log_aside(&self.name)?;
        let removed = self.repo.unpack(&self.name).and_then(|()| {
            let gone = self
                .transaction
                .remove(&self.name)
                .and_then(|()| self.transaction.commit());
            gone.map_err(failure::git2(&attempt))
        });
        let stands = self.repo.tip(&self.name)? == self.from;
        if stands {
            self.repo.put_log_back(&self.name);
        } else {
            self.repo.drop_log(&self.name);
        }
        removed?;
        step("ref-moved")?;
        if stands {
            return Err(Diagnostic::new(
                Code::Io,
                format!("could not {attempt}: it is still there"),
            ));
        }
        let folder = self.repo.ref_lock_path(&self.name);
        self.repo.flush_folders(folder.parent().unwrap_or(&folder))
    }

    /// Moves the ref to `new` and gives it a line in its log. This is the moment at which others see it.
    pub fn advance(
        mut self,
        new: &Id,
        committer: &Identity,
        reason: &str,
    ) -> Result<(), Diagnostic> {
        let oid = self.repo.oid(new)?;
        let odb = self
            .repo
            .git2
            .odb()
            .map_err(failure::git2("open the object database"))?;
        if !odb.exists(oid) {
            return Err(Diagnostic::new(
                Code::Io,
                format!("object {new} is gone; was `git gc --prune=now` running?"),
            ));
        }
        step("ref")?;
        let attempt = format!("move {}", shown(&self.name));
        let signature = committer.signature()?;
        let reason: String = reason
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        self.transaction
            .set_target(&self.name, oid, Some(&signature), &reason)
            .and_then(|()| self.transaction.commit())
            .map_err(failure::git2(&attempt))?;
        self.repo.share_ref(&self.name);
        step("ref-moved")?;
        let folder = self.repo.ref_lock_path(&self.name);
        self.repo
            .flush_folders(folder.parent().unwrap_or(&folder))?;
        // A write that failed and said nothing would be a lost batch reported as published. Anything but the old value is
        // somebody's who moved the ref on since then.
        if self.repo.tip(&self.name)? != self.from {
            return Ok(());
        }
        Err(Diagnostic::new(
            Code::Io,
            format!("could not {attempt}: it did not move"),
        ))
    }
}
