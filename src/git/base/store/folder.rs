//! `ObjectStore`: where objects go, and how they are to be written.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use flate2::Compression;

use super::deflate::Deflater;
use crate::diagnostic::Diagnostic;
use crate::git::base::config::Config;
use crate::git::base::failure;
use crate::git::base::flush::Flush;
use crate::git::base::object::ObjectKind;
use crate::git::base::shared::SharedPermissions;
use crate::snapshot::HashKind;

/// From how many objects on they become one pack: git's own limit for what it fetches or imports.
const PACKED_FROM: usize = 100;

/// Where objects go, and how.
pub(in crate::git) struct ObjectStore {
    /// Git's `objects`.
    pub(super) folder: PathBuf,
    pub(super) hash: HashKind,
    pub(super) flush: Flush,
    pub(super) shared: SharedPermissions,
    pub(super) packed_from: usize,
    /// For objects that become files.
    pub(super) deflater: RefCell<Deflater>,
    pub(super) packed_level: Compression,
}

impl ObjectStore {
    /// Returns the store whose objects stand in `folder`, written as `config` says.
    pub(in crate::git) fn new(folder: PathBuf, hash: HashKind, config: &Config) -> ObjectStore {
        let level = |names: [&str; 2]| {
            let asked = names
                .iter()
                .find_map(|name| config.get(name)?.trim().parse::<u32>().ok());
            asked
                .filter(|level| *level <= 9)
                .map_or_else(Compression::fast, Compression::new)
        };
        let limit = config
            .get("transfer.unpacklimit")
            .and_then(|limit| limit.trim().parse().ok());
        ObjectStore {
            folder,
            hash,
            flush: config.flush(),
            shared: config.shared(),
            packed_from: limit.filter(|&limit| limit > 0).unwrap_or(PACKED_FROM),
            deflater: RefCell::new(Deflater::new(level([
                "core.loosecompression",
                "core.compression",
            ]))),
            packed_level: level(["pack.compression", "core.compression"]),
        }
    }

    /// Returns a store of the same kind for what is needed for a moment, which is never flushed, and nobody else's.
    pub(in crate::git) fn passing(folder: PathBuf, hash: HashKind, config: &Config) -> ObjectStore {
        ObjectStore {
            flush: Flush::NOTHING,
            shared: SharedPermissions::Umask,
            ..ObjectStore::new(folder, hash, config)
        }
    }

    /// Says whether so many objects become one pack.
    pub(in crate::git) fn packs(&self, count: usize) -> bool {
        count >= self.packed_from
    }
}

impl ObjectKind {
    /// Returns the word for it in an object's header.
    pub(super) fn word(self) -> &'static str {
        match self {
            ObjectKind::Blob => "blob",
            ObjectKind::Tree => "tree",
            ObjectKind::Commit => "commit",
        }
    }
}

/// Returns what the object named `id` is called below the folder of objects: two digits, and the others.
pub(super) fn split(id: &str) -> (&str, &str) {
    id.split_at_checked(2).unwrap_or((id, ""))
}

/// Says what was attempted with the file or folder at `place`.
pub(super) fn failed(verb: &str, place: &Path) -> impl FnOnce(std::io::Error) -> Diagnostic {
    move |error| failure::system_there(&format!("{verb} {}", place.display()))(error)
}
