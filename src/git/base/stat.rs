//! `Stat`: what an index keeps of a file's metadata.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

/// What an index keeps of a file's metadata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    pub(in crate::git) mtime: (i64, i64),
    pub(in crate::git) ctime: (i64, i64),
    pub(in crate::git) dev: u64,
    pub(in crate::git) ino: u64,
    pub(in crate::git) uid: u32,
    pub(in crate::git) gid: u32,
    pub(in crate::git) size: u64,
}

impl Stat {
    /// Returns what `metadata` says.
    pub fn of(metadata: &fs::Metadata) -> Stat {
        Stat {
            mtime: (metadata.mtime(), metadata.mtime_nsec()),
            ctime: (metadata.ctime(), metadata.ctime_nsec()),
            dev: metadata.dev(),
            ino: metadata.ino(),
            uid: metadata.uid(),
            gid: metadata.gid(),
            size: metadata.size(),
        }
    }

    /// Returns what a system call said.
    #[expect(
        clippy::unnecessary_cast,
        reason = "the fields' types differ from system to system"
    )]
    pub(in crate::git) fn of_system(stat: &rustix::fs::Stat) -> Stat {
        Stat {
            mtime: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            ctime: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            dev: stat.st_dev as u64,
            ino: stat.st_ino as u64,
            uid: stat.st_uid,
            gid: stat.st_gid,
            size: stat.st_size as u64,
        }
    }
}
