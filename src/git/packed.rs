//! Taking refs out of `packed-refs`, the one file that holds many, with a lock of which anybody can tell afterwards that it
//! was ours.
//!
//! Invariant: our lock is a second name of a file in the program's own folder. Whoever finds both after a death removes
//! both; a lock without its first name is somebody else's. libgit2 would take the same lock and leave no such trace, so no ref
//! that is packed is removed before it was taken out of the file here.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::base::plain_file::read_plain_file;
use super::lock::{is_locked, put_in_place};
use super::{NameInFolder, Repo, failure, step};
use crate::diagnostic::Diagnostic;

/// The most bytes of it that are read: some ten million refs.
const MOST: u64 = 1 << 30;

/// What our lock is called first, in the program's own folder.
const FIRST_NAME: &str = "packed-refs.new";

/// How long the lock is waited for; `git pack-refs` holds it for as long as it writes.
const PATIENCE: Duration = Duration::from_secs(2);

/// Our lock; gone when this is dropped, unless it took the file's place.
struct PackedLock {
    /// Its first name.
    ours: PathBuf,
    lock: PathBuf,
    held: bool,
}

impl Repo {
    /// Takes the ref `name` out of `packed-refs` if it is in there. The caller has the ref's own lock and the turn of the queue: a
    /// ref without a file of its own is gone with that.
    pub(super) fn unpack(&self, name: &str) -> Result<(), Diagnostic> {
        let packed = self.common_dir().join("packed-refs");
        let read = || match read_plain_file(&packed, MOST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read.map_err(failure::system("read packed-refs")),
        };
        if without(&read()?, name).is_none() {
            return Ok(());
        }
        step("packed-lock")?;
        let mut lock = self.lock_packed(&packed)?;
        // Again: somebody may have packed refs in between.
        let Some(left) = without(&read()?, name) else {
            return Ok(());
        };
        lock.put(&left, &packed, self.flushes_refs())?;
        // Done: what a test makes fail from here on is nobody's failure any more.
        let _ = step("packed-moved");
        Ok(())
    }

    /// Removes the lock on `packed-refs` that somebody of ours died with. In our turn.
    pub(super) fn break_packed_lock(&self) {
        let home = self.home_if_any().ok().flatten();
        let Some(ours) = home.and_then(|home| home.place(FIRST_NAME).ok()) else {
            return;
        };
        let Some(inode_of_ours) = ours.inode() else {
            return;
        };
        let lock = NameInFolder::below(self.common_dir(), Path::new("packed-refs.lock"));
        if let Ok(Some(lock)) = lock
            && lock.inode() == Some(inode_of_ours)
        {
            let _ = lock.remove();
        }
        let _ = ours.remove();
    }

    fn first_name(&self) -> PathBuf {
        self.common_dir().join("segedit").join(FIRST_NAME)
    }

    fn lock_packed(&self, packed: &Path) -> Result<PackedLock, Diagnostic> {
        let attempt = || failure::system("lock packed-refs");
        self.break_packed_lock();
        self.home()?;
        let mut lock = PackedLock {
            ours: self.first_name(),
            lock: packed.with_extension("lock"),
            held: false,
        };
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&lock.ours)
            .map_err(attempt())?;
        match fs::metadata(packed) {
            Ok(old) => {
                drop(made.set_permissions(fs::Permissions::from_mode(old.permissions().mode())))
            }
            Err(_) => self.config.shared().grant(&made),
        }
        let start = Instant::now();
        let mut pause = Duration::from_millis(2);
        loop {
            match put_in_place(&lock.ours, &lock.lock) {
                Ok(()) => {
                    lock.held = true;
                    return Ok(lock);
                }
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(attempt()(error));
                }
                Err(_) if start.elapsed() > PATIENCE => {
                    return Err(is_locked("packed-refs", &lock.lock, PATIENCE));
                }
                Err(_) => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
}

impl PackedLock {
    /// Writes `bytes` and puts them in the place of `packed`, which gives the lock back.
    fn put(&mut self, bytes: &[u8], packed: &Path, flush: bool) -> Result<(), Diagnostic> {
        let write = || {
            let mut file = OpenOptions::new().write(true).open(&self.lock)?;
            file.write_all(bytes)?;
            if flush { file.sync_all() } else { Ok(()) }
        };
        write().map_err(failure::system("write packed-refs"))?;
        step("packed-written")?;
        fs::rename(&self.lock, packed).map_err(failure::system("replace packed-refs"))?;
        self.held = false;
        Ok(())
    }
}

impl Drop for PackedLock {
    fn drop(&mut self) {
        if self.held {
            let _ = fs::remove_file(&self.lock);
        }
        let _ = fs::remove_file(&self.ours);
    }
}

/// Returns the content of `packed-refs` without the ref `name`, and without what the tag that it was points at; `None` if it is
/// not in there.
fn without(packed: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut left = Vec::with_capacity(packed.len());
    let mut found = false;
    let mut dropping = false;
    for line in packed.split_inclusive(|&byte| byte == b'\n') {
        let is_peeled = line.starts_with(b"^");
        let named = line
            .strip_suffix(b"\n")
            .unwrap_or(line)
            .splitn(2, |&byte| byte == b' ')
            .nth(1);
        dropping = if is_peeled {
            dropping
        } else {
            !line.starts_with(b"#") && named == Some(name.as_bytes())
        };
        found |= dropping;
        if !dropping {
            left.extend_from_slice(line);
        }
    }
    found.then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::git::Expected;
    use crate::git::testing::Sandbox;
    use crate::snapshot::Id;

    #[test]
    fn a_ref_goes_with_what_its_tag_points_at() {
        let packed = "# pack-refs with: peeled fully-peeled sorted \n1 refs/heads/a\n2 refs/tags/t\n^3\n4 refs/tags/t2\n^5\n";
        let check = |name: &str, expected: Option<&str>| {
            let left =
                without(packed.as_bytes(), name).map(|left| String::from_utf8(left).unwrap());
            assert_eq!(left.as_deref(), expected, "{name}");
        };
        check(
            "refs/heads/a",
            Some(&packed.replace("1 refs/heads/a\n", "")),
        );
        check(
            "refs/tags/t",
            Some(&packed.replace("2 refs/tags/t\n^3\n", "")),
        );
        check(
            "refs/tags/t2",
            Some(&packed.replace("4 refs/tags/t2\n^5\n", "")),
        );
        check("refs/heads", None);
        check("with: peeled fully-peeled sorted ", None);
        assert_eq!(without(b"1 refs/heads/a", "refs/heads/a"), Some(Vec::new()));
        assert_eq!(without(b"", "a"), None);
    }

    /// A branch `side` that is packed, and one beside it.
    fn packed() -> (Sandbox, Id) {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        sandbox.git(&["branch", "side"]);
        sandbox.git(&["tag", "-a", "-m", "tag", "v1"]);
        sandbox.git(&["pack-refs", "--all"]);
        let tip = Id(sandbox.git(&["rev-parse", "HEAD"]));
        (sandbox, tip)
    }

    #[test]
    fn a_packed_ref_is_removed_and_the_others_stay() {
        let (sandbox, tip) = packed();
        let repo = sandbox.repo();
        let kept = sandbox.git(&["for-each-ref", "--exclude=refs/heads/side"]);
        repo.lock_ref("refs/heads/side", &Expected::At(tip))
            .unwrap()
            .remove()
            .unwrap();
        assert_eq!(sandbox.git(&["for-each-ref"]), kept);
        assert!(!repo.first_name().exists());
        sandbox.assert_sound();
    }

    #[test]
    fn a_lock_of_ours_is_broken_and_a_foreign_one_is_waited_for_and_named() {
        let (sandbox, tip) = packed();
        let repo = sandbox.repo();
        let lock = sandbox.root().join(".git/packed-refs.lock");
        repo.home().unwrap();
        let refused = |what: &str| {
            let locked = repo
                .lock_ref("refs/heads/side", &Expected::At(tip.clone()))
                .unwrap();
            assert_eq!(
                locked.remove().unwrap_err().code,
                Code::IndexLocked,
                "{what}"
            );
            assert!(lock.exists(), "{what}");
            assert_eq!(sandbox.git(&["rev-parse", "side"]), tip.0, "{what}");
        };
        fs::write(&lock, "").unwrap();
        refused("a lock without a first name");
        fs::write(repo.first_name(), "").unwrap();
        refused("a lock beside a first name");
        fs::remove_file(&lock).unwrap();
        fs::write(repo.first_name(), "half of").unwrap();
        fs::hard_link(repo.first_name(), &lock).unwrap();
        repo.lock_ref("refs/heads/side", &Expected::At(tip.clone()))
            .unwrap()
            .remove()
            .unwrap();
        assert!(!lock.exists() && !repo.first_name().exists());
        assert_eq!(sandbox.git(&["branch", "--list", "side"]), "");
    }
}
