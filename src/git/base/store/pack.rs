//! Objects as one pack, each whole, with its index: git's formats of version 2.
//!
//! From git's own gitformat-pack(5). The index is written from what is known anyway, the ids and the places; git and
//! libgit2 would make it by inflating and hashing everything once more.

use std::fs::{self, File, Permissions};
use std::io::{BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use flate2::Crc;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::deflate::Deflater;
use super::folder::{ObjectStore, failed};
use crate::diagnostic::Diagnostic;
use crate::git::base::object::{Object, ObjectKind};
use crate::snapshot::{HashKind, Hashing};
use crate::text::ascii::from_hexadecimal;

/// How many objects are deflated before they are written, so that a batch is not in memory twice.
const AT_ONCE: usize = 1024;

/// An offset from here on stands in the index's second table.
const FAR: u64 = 1 << 31;

/// Where an object stands in the pack.
struct PackEntry {
    id: Vec<u8>,
    /// Of its bytes in the pack.
    crc: u32,
    offset: u64,
}

/// Writes `objects` as one pack.
pub(super) fn write(store: &ObjectStore, objects: &[&Object]) -> Result<(), Diagnostic> {
    let mut objects = objects.to_vec();
    objects.sort_by(|one, other| one.id.0.cmp(&other.id.0));
    objects.dedup_by(|one, other| one.id == other.id);
    let folder = store.folder.join("pack");
    match fs::create_dir(&folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(failed("make", &folder)(error));
        }
        Ok(()) => store.shared.grant_folder(&folder),
        Err(_) => {}
    }
    let written = failed("write a pack into", &folder);
    let begun = |prefix| {
        let permissions = Permissions::from_mode(0o444);
        let file = tempfile::Builder::new()
            .prefix(prefix)
            .permissions(permissions)
            .tempfile_in(&folder);
        file.map_err(failed("begin a pack in", &folder))
    };
    let (mut pack, mut index) = (begun("tmp_pack_")?, begun("tmp_idx_")?);
    [&pack, &index]
        .into_iter()
        .for_each(|file| store.shared.grant(file.as_file()));
    let filled = fill(store, &objects, pack.as_file_mut()).and_then(|(entries, checksum)| {
        fill_index(store.hash, &entries, &checksum, index.as_file_mut())?;
        Ok(checksum)
    });
    let checksum = filled.map_err(written)?;
    let name: String = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
    if store.flush.packs {
        for file in [&pack, &index] {
            file.as_file()
                .sync_all()
                .map_err(failed("flush a pack in", &folder))?;
        }
    }
    crate::git::step("pack")?;
    place(pack, &folder.join(format!("pack-{name}.pack")))?;
    // The index last: what has none is no pack.
    crate::git::step("pack-index")?;
    place(index, &folder.join(format!("pack-{name}.idx")))?;
    if store.flush.packs {
        File::open(&folder)
            .and_then(|folder| folder.sync_all())
            .map_err(failed("flush", &folder))?;
    }
    Ok(())
}

fn place(file: NamedTempFile, path: &Path) -> Result<(), Diagnostic> {
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        // The same objects as ever; the name is the hash of the content.
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(failed("place", path)(error.error)),
    }
}

/// Writes the pack, and returns what stands where and its checksum.
fn fill(
    store: &ObjectStore,
    objects: &[&Object],
    file: &mut File,
) -> std::io::Result<(Vec<PackEntry>, Vec<u8>)> {
    let count = u32::try_from(objects.len())
        .map_err(|_| std::io::Error::other("more objects than a pack holds"))?;
    let mut out = HashedFile::new(store.hash, file);
    out.write_all(b"PACK")?;
    out.write_all(&2_u32.to_be_bytes())?;
    out.write_all(&count.to_be_bytes())?;
    let mut entries = Vec::with_capacity(objects.len());
    let mut offset = 12;
    let level = store.packed_level;
    for some in objects.chunks(AT_ONCE) {
        let deflater = || Deflater::new(level);
        let packed: std::io::Result<Vec<_>> = some
            .par_iter()
            .map_init(deflater, |deflater, object| packed(deflater, object))
            .collect();
        for (object, (bytes, crc)) in some.iter().zip(packed?) {
            entries.push(PackEntry {
                id: from_hexadecimal(object.id.0.as_bytes()).unwrap_or_default(),
                crc,
                offset,
            });
            offset += bytes.len() as u64;
            out.write_all(&bytes)?;
        }
    }
    Ok((entries, out.finish()?))
}

/// Returns an object as it stands in a pack, and the checksum of that.
fn packed(deflater: &mut Deflater, object: &Object) -> std::io::Result<(Vec<u8>, u32)> {
    let kind: u8 = match object.kind {
        ObjectKind::Commit => 1,
        ObjectKind::Tree => 2,
        ObjectKind::Blob => 3,
    };
    let mut bytes = header(kind, object.bytes.len());
    bytes.extend(deflater.deflated(&[&object.bytes])?);
    let mut crc = Crc::new();
    crc.update(&bytes);
    Ok((bytes, crc.sum()))
}

/// Returns kind and length: four bits of the length in the first byte, seven in each that follows, the lowest first.
fn header(kind: u8, length: usize) -> Vec<u8> {
    const MORE: u8 = 0x80;
    let low = |value: usize, mask: usize| u8::try_from(value & mask).unwrap_or_default();
    let mut bytes = vec![kind << 4 | low(length, 0x0f)];
    let mut rest = length >> 4;
    while rest > 0 {
        if let Some(last) = bytes.last_mut() {
            *last |= MORE;
        }
        bytes.push(low(rest, 0x7f));
        rest >>= 7;
    }
    bytes
}

/// Writes the index of a pack with `entries`, sorted by id, whose checksum is `checksum`.
fn fill_index(
    hash: HashKind,
    entries: &[PackEntry],
    checksum: &[u8],
    file: &mut File,
) -> std::io::Result<()> {
    let mut out = HashedFile::new(hash, file);
    out.write_all(b"\xfftOc")?;
    out.write_all(&2_u32.to_be_bytes())?;
    for first in 0..=u8::MAX {
        let below =
            entries.partition_point(|entry| entry.id.first().is_some_and(|&byte| byte <= first));
        out.write_all(&u32::try_from(below).unwrap_or(u32::MAX).to_be_bytes())?;
    }
    for entry in entries {
        out.write_all(&entry.id)?;
    }
    for entry in entries {
        out.write_all(&entry.crc.to_be_bytes())?;
    }
    let mut far = Vec::new();
    for entry in entries {
        let near = u32::try_from(entry.offset)
            .ok()
            .filter(|_| entry.offset < FAR);
        let number = near.unwrap_or_else(|| {
            far.push(entry.offset);
            0x8000_0000 | u32::try_from(far.len() - 1).unwrap_or_default()
        });
        out.write_all(&number.to_be_bytes())?;
    }
    for offset in far {
        out.write_all(&offset.to_be_bytes())?;
    }
    out.write_all(checksum)?;
    out.finish().map(|_| ())
}

/// A file that ends in the hash of what was written into it.
struct HashedFile<'f> {
    out: BufWriter<&'f mut File>,
    hashing: Hashing,
}

impl<'f> HashedFile<'f> {
    fn new(hash: HashKind, file: &'f mut File) -> HashedFile<'f> {
        HashedFile {
            out: BufWriter::with_capacity(1 << 18, file),
            hashing: Hashing::new(hash),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.hashing.update(bytes);
        self.out.write_all(bytes)
    }

    /// Writes the hash, and returns it.
    fn finish(mut self) -> std::io::Result<Vec<u8>> {
        let hash = self
            .hashing
            .finish()
            .ok_or_else(|| std::io::Error::other("the bytes are an attack on SHA-1"))?;
        self.out.write_all(&hash)?;
        self.out.flush()?;
        Ok(hash)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use super::*;

    #[test]
    fn what_stands_past_two_gigabytes_is_found() {
        let offsets = [12, FAR - 1, FAR, FAR * 3];
        let entry = |(first, offset)| PackEntry {
            id: vec![first; 20],
            crc: 7,
            offset,
        };
        let entries: Vec<PackEntry> = (0..4_u8).zip(offsets).map(entry).collect();
        let mut file = tempfile::tempfile().unwrap();
        fill_index(HashKind::Sha1, &entries, &[9; 20], &mut file).unwrap();
        file.rewind().unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        // From gitformat-pack(5): magic and version, 256 counts, ids, checksums, places, far places, two hashes.
        let places = 8 + 256 * 4 + 4 * 20 + 4 * 4;
        let near: Vec<&[u8]> = bytes[places..places + 16].chunks(4).collect();
        assert_eq!(
            near,
            [
                &[0, 0, 0, 12],
                &[0x7f, 0xff, 0xff, 0xff],
                &[0x80, 0, 0, 0],
                &[0x80, 0, 0, 1]
            ]
        );
        assert_eq!(
            &bytes[places + 16..places + 24],
            [0, 0, 0, 0, 0x80, 0, 0, 0]
        );
        assert_eq!(
            &bytes[places + 24..places + 32],
            [0, 0, 0, 1, 0x80, 0, 0, 0]
        );
        assert_eq!(bytes.len(), places + 32 + 20 + 20);
    }
}
