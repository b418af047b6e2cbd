//! `Store`: a folder of objects, and how they are written into it: a file each, or many as one pack.
//!
//! Invariant: what `write` returned from is there under its own name, whole, and flushed where that is asked for. A file
//! gets its name only when it is complete; what a death leaves behind is called as git calls such files, and `git gc`
//! removes it.
//!
//! libgit2 is not asked to do this: before each object it lists the folder of packs twice, which for one edited method
//! is 200 of 700 calls to the system, and its builder of packs looks for deltas, which takes three times as long as
//! everything else that a batch of thousands of files does. `git gc` finds deltas when nobody waits.

mod loose;
mod pack;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use flate2::{Compress, Compression, FlushCompress, Status};
use zlib_rs::adler32::{adler32, adler32_combine};

use super::durable::Flush;
use super::shared::SharedPermissions;
use super::{Config, Object, ObjectKind, Repo, environment};
use crate::diagnostic::Diagnostic;
use crate::parallel;
use crate::snapshot::HashKind;

/// From how many objects on they become one pack: git's own limit for what it fetches or imports.
const PACKED_FROM: usize = 100;

/// Where objects go, and how.
pub(super) struct ObjectStore {
    /// Git's `objects`.
    folder: PathBuf,
    hash: HashKind,
    flush: Flush,
    shared: SharedPermissions,
    packed_from: usize,
    /// For objects that become files.
    deflater: RefCell<Deflater>,
    packed_level: Compression,
}

impl ObjectStore {
    /// Returns the store whose objects stand in `folder`, written as `config` says.
    pub(super) fn new(folder: PathBuf, hash: HashKind, config: &Config) -> ObjectStore {
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
    pub(super) fn passing(folder: PathBuf, hash: HashKind, config: &Config) -> ObjectStore {
        ObjectStore {
            flush: Flush::NOTHING,
            shared: SharedPermissions::Umask,
            ..ObjectStore::new(folder, hash, config)
        }
    }

    /// Says whether so many objects become one pack.
    pub(super) fn packs(&self, count: usize) -> bool {
        count >= self.packed_from
    }

    /// Puts `objects` into the store. Order does not matter: nothing names them yet.
    pub(super) fn write(&self, objects: &[&Object]) -> Result<(), Diagnostic> {
        if self.packs(objects.len()) {
            pack::write(self, objects)?;
        } else {
            loose::write(self, objects)?;
        }
        super::step("objects-written")
    }
}

impl Repo {
    /// Stores `objects`, those that the repository has already excepted. Order does not matter: nothing names them
    /// yet.
    pub fn write_objects(&self, objects: &[Object]) -> Result<(), Diagnostic> {
        let store = self.store.get_or_init(|| {
            ObjectStore::new(self.objects_folder(), self.hash_kind(), &self.config)
        });
        let missing = self.missing(store, objects)?;
        if missing.is_empty() {
            return Ok(());
        }
        store.write(&missing)?;
        self.flush_folders(&self.common_dir().join("objects"))
    }

    /// Returns those of `objects` that are to be written.
    fn missing<'o>(
        &self,
        store: &ObjectStore,
        objects: &'o [Object],
    ) -> Result<Vec<&'o Object>, Diagnostic> {
        // In a pack a second copy costs less than the question; and what waits in quarantine is not stored, though
        // libgit2 finds it.
        if store.packs(objects.len()) || self.quarantined.get().is_some() {
            return Ok(objects.iter().collect());
        }
        let odb = self
            .git2
            .odb()
            .map_err(super::failure::git2("open the object database"))?;
        let mut missing = Vec::new();
        for object in objects {
            // Without looking for new packs: a second copy is no harm.
            if !odb.exists_ext(self.oid(&object.id)?, git2::OdbLookupFlags::NO_REFRESH) {
                missing.push(object);
            }
        }
        Ok(missing)
    }

    /// Returns the folder of objects that is written to.
    fn objects_folder(&self) -> PathBuf {
        let given = if self.opening().heeds_environment() {
            environment::variable("GIT_OBJECT_DIRECTORY")
        } else {
            None
        };
        given.map_or_else(|| self.common_dir().join("objects"), PathBuf::from)
    }
}

impl ObjectKind {
    /// Returns the word for it in an object's header.
    fn word(self) -> &'static str {
        match self {
            ObjectKind::Blob => "blob",
            ObjectKind::Tree => "tree",
            ObjectKind::Commit => "commit",
        }
    }
}

/// Deflates one object after the other: what zlib sets up for it costs more than a small object.
struct Deflater {
    level: Compression,
    state: Option<Compress>,
}

impl Deflater {
    fn new(level: Compression) -> Deflater {
        Deflater { level, state: None }
    }

    /// Returns the `pieces`, one after the other, as one zlib stream.
    fn deflated(&mut self, pieces: &[&[u8]]) -> std::io::Result<Vec<u8>> {
        let state = match &mut self.state {
            Some(state) => {
                state.reset();
                state
            }
            none => none.insert(Compress::new(self.level, true)),
        };
        let mut out = Vec::with_capacity(bound(pieces.iter().map(|piece| piece.len()).sum()));
        for (number, piece) in pieces.iter().enumerate() {
            let is_last = number + 1 == pieces.len();
            feed(
                state,
                piece,
                if is_last {
                    FlushCompress::Finish
                } else {
                    FlushCompress::None
                },
                &mut out,
            )?;
        }
        Ok(out)
    }
}

/// Returns `head` and `body`, one after the other, as one zlib stream, its pieces deflated on all processors. Each but the last
/// ends on a whole byte, so that they can stand behind one another (RFC 1950 and 1951; pigz does the same).
fn deflated_apart(level: Compression, head: &[u8], body: &[u8]) -> std::io::Result<Vec<u8>> {
    /// So much takes longer to deflate than a thread to begin.
    const LEAST: usize = 128 << 10;
    /// Deflate, a window of 32 KiB, and no word on how hard it was tried.
    const HEADER: [u8; 2] = [0x78, 0x01];
    let pieces: Vec<&[u8]> = body
        .chunks(body.len().div_ceil(parallel::width()).max(LEAST))
        .collect();
    let last = pieces.len().saturating_sub(1);
    let deflated = |(number, piece): (usize, &[u8])| {
        let mut state = Compress::new(level, false);
        let mut out = Vec::with_capacity(bound(head.len() + piece.len()));
        if number == 0 {
            feed(&mut state, head, FlushCompress::None, &mut out)?;
        }
        feed(
            &mut state,
            piece,
            if number == last {
                FlushCompress::Finish
            } else {
                FlushCompress::Sync
            },
            &mut out,
        )?;
        Ok((out, adler32(1, piece), piece.len() as u64))
    };
    let deflated: std::io::Result<Vec<_>> =
        parallel::each(pieces.into_iter().enumerate().collect(), deflated)
            .into_iter()
            .collect();
    let mut stream = HEADER.to_vec();
    let mut checksum = adler32(1, head);
    for (bytes, of_piece, length) in deflated? {
        stream.extend(bytes);
        checksum = adler32_combine(checksum, of_piece, length);
    }
    stream.extend(checksum.to_be_bytes());
    Ok(stream)
}

/// Returns how long what is deflated becomes at most, as zlib's `compressBound` reckons, so that `feed` goes round once.
fn bound(length: usize) -> usize {
    length + length / 1000 + 64
}

/// Deflates `piece` to the end of `out`.
fn feed(
    state: &mut Compress,
    piece: &[u8],
    flush: FlushCompress,
    out: &mut Vec<u8>,
) -> std::io::Result<()> {
    let start = state.total_in();
    loop {
        let taken = usize::try_from(state.total_in() - start).unwrap_or(piece.len());
        let rest = piece.get(taken..).unwrap_or_default();
        if rest.is_empty() && flush == FlushCompress::None {
            return Ok(());
        }
        match state.compress_vec(rest, out, flush)? {
            Status::StreamEnd => return Ok(()),
            // All of a flush is out when there is room left behind it.
            Status::Ok | Status::BufError
                if flush == FlushCompress::Sync && out.len() < out.capacity() =>
            {
                return Ok(());
            }
            Status::Ok | Status::BufError => out.reserve(rest.len() / 2 + 64),
        }
    }
}

/// Returns what the object named `id` is called below the folder of objects: two digits, and the others.
fn split(id: &str) -> (&str, &str) {
    id.split_at_checked(2).unwrap_or((id, ""))
}

/// Says what was attempted with the file or folder at `place`.
fn failed(verb: &str, place: &Path) -> impl FnOnce(std::io::Error) -> Diagnostic {
    move |error| super::failure::system_there(&format!("{verb} {}", place.display()))(error)
}

#[cfg(test)]
mod tests;
