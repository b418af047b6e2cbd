//! The folder of drafts and their refs: one writer at a time for each name, old ones swept.
//!
//! Invariant: no file in here is reached through a link, and none is read past the size of an operation file.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::{DraftHeader, DraftName, DraftOrigin, DraftText};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{HeldFile, Home, NameInFolder, Object, Repo, step};
use crate::manifest::yaml::MAX_BYTES;
use crate::snapshot::Id;

/// How long a draft is kept after it was written last.
pub(crate) const KEPT_FOR: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long another call that writes the same draft is waited for.
const PATIENCE: Duration = Duration::from_secs(if cfg!(any(test, fuzzing)) { 1 } else { 20 });

const FOLDER: &str = "drafts";
const FILE: &str = ".yaml";
const LOCK: &str = ".lock";

/// The right to write a draft: no other process has it as long as this is held.
#[derive(Debug)]
pub(crate) struct DraftLock {
    name: DraftName,
    folder: Home,
    lock: NameInFolder,
    /// Dropped, it is unlocked, and the end of the process does so too.
    _held: File,
}

/// What is found in the place of a draft.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shelved {
    /// Nothing, or a draft that was to be swept.
    Nothing,
    /// A draft, and for how long it has not been written.
    Draft(DraftText, Duration),
    /// Something that this program does not write there, for this reason.
    Unfit(&'static str),
}

/// Returns what is found in the place of the draft `name` at the time `now`. Nothing is locked or made.
pub(crate) fn look(repo: &Repo, name: &DraftName, now: SystemTime) -> Result<Shelved, Diagnostic> {
    let folder = repo
        .home_if_any()?
        .and_then(|home| home.folder_if_any(FOLDER));
    folder.map_or(Ok(Shelved::Nothing), |folder| {
        read(repo, &folder, name, now)
    })
}

fn read(
    repo: &Repo,
    folder: &Home,
    name: &DraftName,
    now: SystemTime,
) -> Result<Shelved, Diagnostic> {
    let place = folder.place(&format!("{name}{FILE}"))?;
    let failed = |error| io(&place, "read", &error);
    Ok(match place.read(MAX_BYTES as u64).map_err(failed)? {
        HeldFile::Nothing => Shelved::Nothing,
        HeldFile::Unfit(why) => Shelved::Unfit(why),
        HeldFile::Bytes(bytes) => match age(&place, now) {
            Some(age) if age > KEPT_FOR => Shelved::Nothing,
            age => Shelved::Draft(DraftText::read(repo, name, bytes), age.unwrap_or_default()),
        },
    })
}

/// Returns for how long the file there has not been written; a clock that was set back makes it new.
fn age(place: &NameInFolder, now: SystemTime) -> Option<Duration> {
    Some(now.duration_since(place.modified()?).unwrap_or_default())
}

impl DraftLock {
    /// Waits until no other process writes the draft `name`, and gives up after a while.
    pub(crate) fn wait(repo: &Repo, name: &DraftName) -> Result<DraftLock, Diagnostic> {
        repo.check_not_quarantined()?;
        let start = Instant::now();
        let mut pause = Duration::from_millis(2);
        loop {
            if let Some(locked) = DraftLock::attempt(repo, name)? {
                return Ok(locked);
            }
            if start.elapsed() > PATIENCE {
                let seconds = PATIENCE.as_secs();
                let message =
                    format!("another call works on draft `{name}`; waited {seconds} seconds");
                return Err(Diagnostic::new(Code::IndexLocked, message).note("repeat the request"));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Takes the draft `name`, or `None` if another process has it.
    fn attempt(repo: &Repo, name: &DraftName) -> Result<Option<DraftLock>, Diagnostic> {
        let folder = repo.home()?.folder(FOLDER)?;
        let lock = folder.place(&format!("{name}{LOCK}"))?;
        let held = lock
            .open_lock()
            .map_err(|error| io(&lock, "open", &error))?;
        match flock(&held, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::INTR | Errno::WOULDBLOCK) => return Ok(None),
            // A file system without flock: what is written is still compared with what was read.
            Err(Errno::NOLCK | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            Err(error) => return Err(io(&lock, "lock", &error.into())),
        }
        // The last holder may have removed the file that is locked now.
        let inode = held
            .metadata()
            .map_err(|error| io(&lock, "look at", &error))?
            .ino();
        if lock.inode() != Some(inode) {
            return Ok(None);
        }
        Ok(Some(DraftLock {
            name: name.clone(),
            folder,
            lock,
            _held: held,
        }))
    }

    /// Returns what is found in the draft's place at the time `now`.
    pub(crate) fn read(&self, repo: &Repo, now: SystemTime) -> Result<Shelved, Diagnostic> {
        read(repo, &self.folder, &self.name, now)
    }

    /// Lets the draft be `new`, which gives the tree `tree` made of `objects`. It was `old`, and is not touched if it is anything
    /// else by now.
    pub(crate) fn write(
        &self,
        repo: &Repo,
        old: Option<&DraftText>,
        new: &DraftText,
        tree: Option<(&Id, &[Object])>,
    ) -> Result<(), Diagnostic> {
        if let Some((tree, objects)) = tree {
            repo.write_objects(objects)?;
            step("draft-tree")?;
            repo.put_ref(&self.name.reference(), tree)?;
            step("draft-ref")?;
        }
        let place = self.place()?;
        let found = place
            .read(MAX_BYTES as u64)
            .map_err(|error| io(&place, "read", &error))?;
        let is_as_read = match (&found, old) {
            (HeldFile::Bytes(bytes), Some(old)) => *bytes == old.bytes,
            (HeldFile::Nothing, None) => true,
            (HeldFile::Bytes(_), None) | (HeldFile::Nothing, Some(_)) | (HeldFile::Unfit(_), _) => {
                false
            }
        };
        if !is_as_read {
            let message = format!("draft `{}` changed in the meantime", self.name);
            return Err(Diagnostic::new(Code::DraftExists, message).note("repeat the request"));
        }
        self.folder
            .replace(&format!("{}{FILE}", self.name), &new.bytes, true)?;
        step("draft-file")
    }

    /// Lets the ref name the tree that the draft's header names: a writer may have died between the two.
    pub(crate) fn mend(&self, repo: &Repo, text: &DraftText) -> Result<(), Diagnostic> {
        let Some(tree) = text
            .header
            .as_ref()
            .and_then(|header| header.tree.clone())
            .map(Id)
        else {
            return Ok(());
        };
        let reference = self.name.reference();
        if repo.tip(&reference)?.as_ref() != Some(&tree) && repo.has_object(&tree)? {
            repo.put_ref(&reference, &tree)?;
        }
        Ok(())
    }

    /// Returns the name of another draft that some file systems take for this one.
    pub(crate) fn twin(&self) -> Option<DraftName> {
        let names = self.folder.names();
        let mut drafts = names
            .iter()
            .filter_map(|file| DraftName::parse(file.strip_suffix(FILE)?).ok());
        drafts.find(|other| {
            *other != self.name && other.as_str().eq_ignore_ascii_case(self.name.as_str())
        })
    }

    /// Forgets the draft, whatever is in its place, and the lock with it. What fails after the file is gone is left to be
    /// swept.
    pub(crate) fn remove(self, repo: &Repo) -> Result<(), Diagnostic> {
        self.clear(repo)?;
        let _ = self.lock.remove();
        Ok(())
    }

    /// Makes room for a draft where another one is over, if there was one.
    pub(crate) fn clear(&self, repo: &Repo) -> Result<(), Diagnostic> {
        step("draft-remove")?;
        let place = self.place()?;
        match place.remove() {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(io(&place, "remove", &error));
            }
            Ok(()) | Err(_) => {}
        }
        // What a writer left that was killed.
        let _ = self
            .folder
            .place(&format!("{}{FILE}.new", self.name))
            .map(|new| new.remove());
        step("draft-removed")?;
        repo.take_ref_away(&self.name.reference())
    }

    fn place(&self) -> Result<NameInFolder, Diagnostic> {
        self.folder.place(&format!("{}{FILE}", self.name))
    }
}

/// Returns the header of `text`, where that is the file of a draft which this program wrote for this user, just as it is.
pub(crate) fn header_of_ours(repo: &Repo, text: &str) -> Option<DraftHeader> {
    let name = DraftText::name_in(text.as_bytes()).and_then(|name| DraftName::parse(&name).ok())?;
    let draft = DraftText::read(repo, &name, text.as_bytes().to_vec());
    draft.header.filter(|_| draft.origin == DraftOrigin::Here)
}

/// Forgets the draft whose file is `text` to the byte, because that was published. One that another process holds is left: it counts as
/// published anyway.
pub(crate) fn forget(repo: &Repo, text: &str) {
    let named = DraftText::name_in(text.as_bytes()).and_then(|name| DraftName::parse(&name).ok());
    let Some(name) = named else { return };
    let now = SystemTime::now();
    let is_it =
        |shelved| matches!(shelved, Ok(Shelved::Draft(found, _)) if found.bytes == text.as_bytes());
    if is_it(look(repo, &name, now))
        && let Ok(Some(locked)) = DraftLock::attempt(repo, &name)
        && is_it(locked.read(repo, now))
    {
        let _ = locked.remove(repo);
    }
}

/// Forgets drafts that were written too long ago at the time `now`, and what is left of drafts that are gone. One that another
/// process holds stays, and what fails is left for the next time.
pub(crate) fn sweep(repo: &Repo, now: SystemTime) {
    let Ok(Some(home)) = repo.home_if_any() else {
        return;
    };
    let Some(folder) = home.folder_if_any(FOLDER) else {
        return;
    };
    let names = folder.names();
    let named = |file: &str, ending: &str| DraftName::parse(file.strip_suffix(ending)?).ok();
    let is_old = |file: &str| {
        let place = folder.place(file).ok();
        place
            .and_then(|place| age(&place, now))
            .is_some_and(|age| age > KEPT_FOR)
    };
    let old = names
        .iter()
        .filter(|file| is_old(file))
        .filter_map(|file| named(file, FILE));
    let is_alone = |name: &DraftName| names.binary_search(&format!("{name}{FILE}")).is_err();
    let left = names
        .iter()
        .filter_map(|file| named(file, LOCK))
        .filter(is_alone);
    for name in old.chain(left) {
        let Ok(Some(locked)) = DraftLock::attempt(repo, &name) else {
            continue;
        };
        if locked.read(repo, now) == Ok(Shelved::Nothing) {
            let _ = locked.remove(repo);
        }
    }
}

fn io(place: &NameInFolder, attempt: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(
        Code::Io,
        format!("could not {attempt} {}: {error}", place.path().display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drafts::DraftHeader;
    use crate::git::testing::Sandbox;

    fn name() -> DraftName {
        DraftName::parse("orders").unwrap()
    }

    fn text(repo: &Repo, edits: usize) -> DraftText {
        let header = DraftHeader {
            draft: "orders".to_owned(),
            begun: 7,
            edits,
            worktree: None,
            tree: None,
            held: std::collections::BTreeMap::new(),
            operations: String::new(),
        };
        DraftText::write(repo, &header, "version: 1\n")
    }

    #[test]
    fn one_writes_at_a_time_and_another_waits_for_so_long() {
        let sandbox = Sandbox::new(&[]);
        let (repo, now) = (sandbox.repo(), SystemTime::now());
        let first = DraftLock::wait(&repo, &name()).unwrap();
        let refused = DraftLock::wait(&sandbox.repo(), &name()).unwrap_err();
        assert_eq!(refused.code, Code::IndexLocked);
        first.write(&repo, None, &text(&repo, 1), None).unwrap();
        // It is not swept as long as it is held, however old.
        sweep(&sandbox.repo(), now + KEPT_FOR * 2);
        assert!(matches!(
            first.read(&repo, now).unwrap(),
            Shelved::Draft(..)
        ));
        let waiting = std::thread::scope(|scope| {
            let waiting = scope
                .spawn(|| DraftLock::wait(&sandbox.repo(), &name()).map(|second| second.twin()));
            // The lock that the other waits for goes with the draft: it takes the next one.
            std::thread::sleep(Duration::from_millis(50));
            first.remove(&repo).unwrap();
            waiting.join().unwrap()
        });
        assert_eq!(waiting, Ok(None));
        sweep(&repo, now);
        assert_eq!(
            repo.home().unwrap().folder(FOLDER).unwrap().names(),
            Vec::<String>::new()
        );
    }

    /// Where a file system has no locks, what is written is compared with what was read.
    #[test]
    fn what_changed_since_it_was_read_is_not_overwritten() {
        let sandbox = Sandbox::new(&[]);
        let repo = sandbox.repo();
        let lock = DraftLock::wait(&repo, &name()).unwrap();
        let (one, two) = (text(&repo, 1), text(&repo, 2));
        lock.write(&repo, None, &one, None).unwrap();
        assert_eq!(
            lock.write(&repo, None, &two, None).unwrap_err().code,
            Code::DraftExists
        );
        assert_eq!(
            lock.write(&repo, Some(&two), &one, None).unwrap_err().code,
            Code::DraftExists
        );
        lock.write(&repo, Some(&one), &two, None).unwrap();
        let now = SystemTime::now();
        assert!(
            matches!(look(&repo, &name(), now).unwrap(), Shelved::Draft(found, _) if found == two)
        );
        assert_eq!(
            look(&repo, &name(), now + KEPT_FOR + Duration::from_secs(2)).unwrap(),
            Shelved::Nothing
        );
    }
}
