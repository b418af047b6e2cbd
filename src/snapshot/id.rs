//! `Id`: the name that git gives an object, and the hash that makes it.

use std::fmt;

use crate::text::ascii::to_hexadecimal;

/// An object's name in hexadecimal: 40 digits in a SHA-1 repository, 64 in a SHA-256 one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub String);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which hash names the repository's objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HashKind {
    /// 40 hexadecimal digits.
    #[default]
    Sha1,
    /// 64 hexadecimal digits.
    Sha256,
}

impl Id {
    /// Returns the id that git would give a blob of `bytes`.
    pub fn of_blob(kind: HashKind, bytes: &[u8]) -> Id {
        let mut hashing = Hashing::new(kind);
        hashing.update(header_of_blob(bytes.len(), &mut [0; 32]));
        hashing.update(bytes);
        hashing.id()
    }
}

/// Returns what git hashes ahead of a blob of that many bytes, written into `room`.
pub(super) fn header_of_blob(mut length: usize, room: &mut [u8; 32]) -> &[u8] {
    let mut at = room.len() - 1;
    loop {
        at -= 1;
        room[at] = b'0' + u8::try_from(length % 10).unwrap_or(0);
        length /= 10;
        if length == 0 {
            break;
        }
    }
    at -= BLOB.len();
    room[at..at + BLOB.len()].copy_from_slice(BLOB);
    &room[at..]
}

pub(super) const BLOB: &[u8] = b"blob ";

/// A hash in the making.
pub struct Hashing {
    kind: gix_hash::Kind,
    hasher: gix_hash::Hasher,
}

impl Hashing {
    /// Begins one.
    pub fn new(kind: HashKind) -> Hashing {
        let kind = match kind {
            HashKind::Sha1 => gix_hash::Kind::Sha1,
            HashKind::Sha256 => gix_hash::Kind::Sha256,
        };
        Hashing {
            kind,
            hasher: gix_hash::hasher(kind),
        }
    }

    /// Goes on with `bytes`.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
    }

    /// Returns the hash as an id. Bytes built to collide under SHA-1 have none; theirs must still not pass for another's.
    pub fn id(self) -> Id {
        let digits = self.kind.len_in_hex();
        Id(self
            .hasher
            .try_finalize()
            .map_or_else(|_| "0".repeat(digits), |id| to_hexadecimal(id.as_bytes())))
    }

    /// Returns the hash, 20 or 32 bytes, but none for bytes built to collide under SHA-1.
    pub fn finish(self) -> Option<Vec<u8>> {
        self.hasher
            .try_finalize()
            .ok()
            .map(|id| id.as_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_blob_says_its_length() {
        let check = |length: usize| {
            assert_eq!(
                header_of_blob(length, &mut [0; 32]),
                format!("blob {length}\0").as_bytes()
            );
        };
        [0, 7, 10, 99, 1_234_567_890, usize::MAX]
            .into_iter()
            .for_each(check);
    }

    #[test]
    fn blob_ids_are_gits() {
        // From `printf 'hello\n' | git hash-object --stdin` with and without SHA-256.
        assert_eq!(
            Id::of_blob(HashKind::Sha1, b"hello\n").0,
            "ce013625030ba8dba906f756967f9e9ca394464a"
        );
        assert_eq!(
            Id::of_blob(HashKind::Sha256, b"hello\n").0,
            "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"
        );
    }
}
