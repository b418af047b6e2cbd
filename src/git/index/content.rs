//! `IndexContent`: an index to come, as stretches of the one that it was made of and what is new between them.
//!
//! What goes from one index to the next is nearly all of it: it is neither copied nor held twice, but written from where it was read, and
//! hashed on the way.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use sha1::Sha1;
use sha2::digest::FixedOutput as _;
use sha2::{Digest, Sha256};

use crate::git::base::index_file::{HEADER, IndexFile};
use crate::parallel;
use crate::text::Span;

/// So many bytes are hashed and written at once: they are still in the processor's cache when they are written.
const AT_ONCE: usize = 256 << 10;

/// Where the number of entries is.
const COUNT: usize = 8;

/// The bytes of an index to come.
#[derive(Debug)]
pub struct IndexContent {
    old: Arc<IndexFile>,
    /// Bytes that are new, one after the other.
    new: Vec<u8>,
    stretches: Vec<IndexStretch>,
    length: usize,
    ending: IndexEnding,
}

/// How an index ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexEnding {
    /// With the hash of all before it.
    Hashed,
    /// With zeros: `index.skipHash`.
    Skipped,
    /// As git ended it.
    Written,
}

/// A part of an index.
#[derive(Clone, Copy, Debug)]
enum IndexStretch {
    Old(Span),
    New(Span),
}

/// Why an index was not written.
#[derive(Debug)]
pub enum UnwrittenIndex {
    /// The hash of the one that it was made of is not that of its content: written anew it would have one that fits.
    Damaged,
    /// The system said why.
    System(io::Error),
}

impl IndexContent {
    /// Returns one without bytes, to be made of `old`.
    pub(super) fn of(old: Arc<IndexFile>, is_hashed: bool) -> IndexContent {
        IndexContent {
            old,
            new: Vec::new(),
            stretches: Vec::new(),
            length: 0,
            ending: if is_hashed {
                IndexEnding::Hashed
            } else {
                IndexEnding::Skipped
            },
        }
    }

    /// Returns one that git wrote.
    pub(super) fn written(bytes: Vec<u8>) -> IndexContent {
        let mut content = IndexContent::of(Arc::default(), false);
        content.ending = IndexEnding::Written;
        content.add(&bytes);
        content
    }

    /// Returns how many bytes there are, without the hash.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Adds bytes that are new.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let start = self.new.len();
        self.new.extend_from_slice(bytes);
        self.length += bytes.len();
        match self.stretches.last_mut() {
            Some(IndexStretch::New(span)) => span.end = self.new.len(),
            _ => self
                .stretches
                .push(IndexStretch::New(Span::new(start, self.new.len()))),
        }
    }

    /// Adds a stretch of the old index.
    pub(super) fn copy(&mut self, span: Span) {
        self.length += span.len();
        self.stretches.push(IndexStretch::Old(span));
    }

    /// Writes the number of entries into the header, with which it begins.
    pub(super) fn state_count(&mut self, count: [u8; 4]) {
        if let Some(place) = self.new.get_mut(COUNT..COUNT + count.len()) {
            place.copy_from_slice(&count);
        }
    }

    /// Writes all of it, with its hash, and compares the hash of the old one meanwhile.
    pub fn write_to(&self, file: &mut (impl Write + Send)) -> Result<(), UnwrittenIndex> {
        let (is_sound, written) = parallel::both(
            self.length,
            || is_sound(&self.old),
            || self.write_hashed(file),
        );
        if !is_sound {
            return Err(UnwrittenIndex::Damaged);
        }
        written.map_err(UnwrittenIndex::System)
    }

    fn write_hashed(&self, file: &mut impl Write) -> io::Result<()> {
        // Some stretches are a few bytes long.
        let mut file = BufWriter::with_capacity(AT_ONCE, file);
        let mut hasher = Hasher::of(self.old.hash_length);
        for stretch in &self.stretches {
            let bytes = match stretch {
                IndexStretch::Old(span) => span.of(&self.old.bytes),
                IndexStretch::New(span) => span.of(&self.new),
            };
            for some in bytes.chunks(AT_ONCE) {
                if self.ending == IndexEnding::Hashed {
                    hasher.add(some);
                }
                file.write_all(some)?;
            }
        }
        match self.ending {
            IndexEnding::Hashed => file.write_all(&hasher.end())?,
            IndexEnding::Skipped => file.write_all(&vec![0; self.old.hash_length])?,
            IndexEnding::Written => {}
        }
        file.flush()
    }
}

/// Says whether an index ends with the hash of its content, or without one. Where none was read there is nothing to compare.
fn is_sound(file: &IndexFile) -> bool {
    let known = file.checksum();
    let content = &file.bytes[..file.bytes.len() - known.len()];
    content.len() < HEADER
        || known.iter().all(|&byte| byte == 0)
        || hash(content, file.hash_length) == known
}

/// Returns the hash of an index with hashes of this length. It guards against a bad disk, not against a forger.
pub(super) fn hash(bytes: &[u8], hash_length: usize) -> Vec<u8> {
    let mut hasher = Hasher::of(hash_length);
    hasher.add(bytes);
    hasher.end()
}

/// What hashes an index.
enum Hasher {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Hasher {
    fn of(hash_length: usize) -> Hasher {
        if hash_length == 32 {
            Hasher::Sha256(Sha256::new())
        } else {
            Hasher::Sha1(Sha1::new())
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha1(hasher) => hasher.update(bytes),
            Hasher::Sha256(hasher) => hasher.update(bytes),
        }
    }

    fn end(self) -> Vec<u8> {
        match self {
            Hasher::Sha1(hasher) => hasher.finalize_fixed().to_vec(),
            Hasher::Sha256(hasher) => hasher.finalize_fixed().to_vec(),
        }
    }
}
