//! `Blob`: the bytes of a file, shared, and the name that git has for them, made once.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::{HashKind, Id};

/// The bytes of a file. A copy shares them.
#[derive(Clone, Default)]
pub struct Blob {
    shared: Arc<SharedBytes>,
}

#[derive(Default)]
struct SharedBytes {
    bytes: Box<[u8]>,
    /// Their id, in repositories of one kind: nobody works in two at once.
    id: OnceLock<(HashKind, Id)>,
}

impl Blob {
    /// Returns `bytes` as they were read under their id.
    pub fn known(bytes: Vec<u8>, hash: HashKind, id: Id) -> Blob {
        let shared = SharedBytes {
            bytes: bytes.into(),
            id: OnceLock::from((hash, id)),
        };
        Blob {
            shared: Arc::new(shared),
        }
    }

    /// Returns the id that git gives them.
    pub fn id(&self, hash: HashKind) -> Id {
        let (kind, id) = self
            .shared
            .id
            .get_or_init(|| (hash, Id::of_blob(hash, self)));
        if *kind == hash {
            id.clone()
        } else {
            Id::of_blob(hash, self)
        }
    }
}

impl Deref for Blob {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.shared.bytes
    }
}

impl AsRef<[u8]> for Blob {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Blob {
        Blob {
            shared: Arc::new(SharedBytes {
                bytes: bytes.into(),
                id: OnceLock::new(),
            }),
        }
    }
}

impl From<&[u8]> for Blob {
    fn from(bytes: &[u8]) -> Blob {
        Blob::from(bytes.to_vec())
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Blob) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) || **self == **other
    }
}

impl Eq for Blob {}

impl Hash for Blob {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_that_of_the_bytes_in_either_kind_of_repository() {
        let blob = Blob::from(&b"hello\n"[..]);
        for kind in [HashKind::Sha1, HashKind::Sha256, HashKind::Sha1] {
            assert_eq!(blob.id(kind), Id::of_blob(kind, b"hello\n"));
        }
        assert_eq!(
            blob,
            Blob::known(b"hello\n".to_vec(), HashKind::Sha1, blob.id(HashKind::Sha1))
        );
    }
}
