//! Young entries: those whose file is as young as the index that noted it. git does not trust what was noted of them, since a change of the
//! same second and size leaves the same; but it would trust them in an index that is younger.
//!
//! So whoever writes an index looks at their files, and takes the size off an entry whose file may have changed. As git does it, but that it
//! reads each of them, and here the parts of a second decide where both times have them.
//!
//! Source: git's `Documentation/technical/racy-git.txt` and `ce_smudge_racily_clean_entry` in `read-cache.c`.

use std::time::SystemTime;

use crate::git::base::index_file::EntryView;
use crate::git::{Repo, Worktree};
use crate::path::RepoPath;
use crate::snapshot::{HashKind, Id};

/// Larger files are not read: their entries lose their size.
const LARGEST: u64 = 1 << 20;

/// What tells young entries of an index.
pub(super) struct YoungEntries {
    /// When the index was written, in seconds and nanoseconds.
    written: Option<(i64, i64)>,
    /// The second that it is now.
    now: i64,
    /// An index may be a stranger's: no path of it leads out of this.
    worktree: Option<Worktree>,
    hash: HashKind,
}

impl YoungEntries {
    pub(super) fn of(repo: &Repo, written: Option<(i64, i64)>) -> YoungEntries {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        YoungEntries {
            written,
            now: now.map_or(0, |since| since.as_secs().cast_signed()),
            worktree: repo.worktree().ok(),
            hash: repo.hash_kind(),
        }
    }

    /// Says whether an entry is young, and its file is not surely as it was noted.
    pub(super) fn may_differ(&self, entry: &EntryView<'_>) -> bool {
        let is_young = |written: (i64, i64)| i64::from(entry.mtime().0) >= written.0;
        self.written
            .is_some_and(|written| is_young(written) && !self.is_unchanged(entry, written))
    }

    fn is_unchanged(&self, entry: &EntryView<'_>, written: (i64, i64)) -> bool {
        let (mtime, ctime) = (wide(entry.mtime()), wide(entry.ctime()));
        // What changes from now on has to bear another second than what was noted.
        let is_past = mtime.0 < self.now && ctime.0 < self.now;
        let is_fine = mtime.1 != 0 && ctime.1 != 0;
        let Some(worktree) = self.worktree.as_ref().filter(|_| is_past && is_fine) else {
            return false;
        };
        let name = std::str::from_utf8(entry.name()).ok();
        let Some(path) = name.and_then(|name| RepoPath::parse(name).ok()) else {
            return false;
        };
        let Some(stat) = worktree.stat(&path) else {
            return false;
        };
        let is_same = (stat.mtime, stat.ctime) == (mtime, ctime)
            && u64::from(entry.size()) == stat.size
            && u64::from(entry.inode()) == stat.ino & u64::from(u32::MAX);
        // Of one tick of the clock: the file has to be read.
        let is_settled = mtime < written && ctime < written;
        let has_content = || {
            let found = worktree.read(&path).ok().flatten();
            found.is_some_and(|it| Id::of_blob(self.hash, &it.bytes) == entry.id())
        };
        is_same && (is_settled || stat.size <= LARGEST && has_content())
    }
}

fn wide((seconds, nanoseconds): (u32, u32)) -> (i64, i64) {
    (seconds.into(), nanoseconds.into())
}
