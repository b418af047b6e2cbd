//! `Directory`: which buckets and which rolls are of one state of the file, told by their seals.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::Trouble;
use super::trouble::BUCKETS;
use crate::segment_index::bytes::{Reader, Writer, sealed, unsealed};
use crate::text::Digest;

/// Where the directory's own seal says that it belongs.
const PLACE: u64 = 0xd1;

/// The seals of all buckets and rolls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directory {
    /// The highest number that a content was ever given: none is given twice.
    last: u32,
    buckets: Vec<u64>,
    /// By the digest of their places.
    rolls: BTreeMap<u64, u64>,
}

impl Directory {
    /// Returns that of an empty file.
    pub(super) fn empty() -> Directory {
        Directory {
            last: 0,
            buckets: vec![0; BUCKETS as usize],
            rolls: BTreeMap::new(),
        }
    }

    /// Reads it.
    pub(super) fn of(connection: &Connection) -> Result<Directory, Trouble> {
        let mut statement =
            connection.prepare_cached("SELECT list FROM directory WHERE number = 0")?;
        let list: Vec<u8> = statement.query_row([], |row| row.get(0))?;
        unsealed(PLACE, &list)
            .and_then(Directory::read)
            .ok_or(Trouble::Broken)
    }

    /// Writes it.
    pub(super) fn put(&self, connection: &Connection) -> Result<(), Trouble> {
        let put = "INSERT OR REPLACE INTO directory (number, list) VALUES (0, ?1)";
        connection
            .prepare_cached(put)?
            .execute(params![sealed(PLACE, &self.written())])?;
        Ok(())
    }

    /// Notes that a content was given this number.
    pub(super) fn give(&mut self, number: u32) -> Result<(), Trouble> {
        if number <= self.last {
            return Err(Trouble::Broken);
        }
        self.last = number;
        Ok(())
    }

    /// Notes what is in a bucket now.
    pub(super) fn fill(&mut self, number: u32, row: &[u8]) {
        if let Some(kept) = self.buckets.get_mut(number as usize) {
            *kept = seal_of(row);
        }
    }

    /// Says whether a bucket holds what it held last.
    pub(super) fn has_bucket(&self, number: u32, row: &[u8]) -> bool {
        self.buckets.get(number as usize) == Some(&seal_of(row))
    }

    /// Notes all rolls that there are.
    pub(super) fn list(&mut self, connection: &Connection) -> Result<(), Trouble> {
        let mut statement =
            connection.prepare_cached("SELECT place, substr(list, 1, 8) FROM rolls")?;
        let rows = statement.query_map([], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?))
        })?;
        let seals =
            rows.map(|row| row.map(|(place, seal)| (Digest::of(place.as_bytes()), seal_of(&seal))));
        self.rolls = seals.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Says whether there is a roll of `place`.
    pub(super) fn lists(&self, place: &str) -> bool {
        self.rolls.contains_key(&Digest::of(place.as_bytes()))
    }

    /// Says whether the roll of `place` is the one that was kept last.
    pub(super) fn has_roll(&self, place: &str, list: &[u8]) -> bool {
        self.rolls.get(&Digest::of(place.as_bytes())) == Some(&seal_of(list))
    }

    fn written(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.word(self.last);
        self.buckets.iter().for_each(|&seal| to.long(seal));
        for (&place, &seal) in &self.rolls {
            to.long(place);
            to.long(seal);
        }
        to.finish()
    }

    fn read(bytes: &[u8]) -> Option<Directory> {
        let mut from = Reader::of(bytes);
        let last = u32::from_le_bytes(from.take(4)?.try_into().ok()?);
        let buckets = (0..BUCKETS).map(|_| from.long()).collect::<Option<_>>()?;
        let mut rolls = BTreeMap::new();
        while !from.is_empty() {
            rolls.insert(from.long()?, from.long()?);
        }
        Some(Directory {
            last,
            buckets,
            rolls,
        })
    }
}

/// Returns the seal that a row begins with.
fn seal_of(row: &[u8]) -> u64 {
    row.first_chunk()
        .map_or(0, |seal| u64::from_le_bytes(*seal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_comes_back_as_it_was_and_pieces_of_it_do_not() {
        let mut directory = Directory::empty();
        directory.give(7).unwrap();
        directory.fill(3, &sealed(3, b"pairs"));
        directory.rolls = BTreeMap::from([(1, 2), (3, 4)]);
        let bytes = directory.written();
        assert_eq!(Directory::read(&bytes), Some(directory.clone()));
        assert_eq!(Directory::read(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Directory::read(&bytes[..100]), None);
        assert_eq!(directory.give(7), Err(Trouble::Broken));
        assert!(
            directory.has_bucket(3, &sealed(3, b"pairs"))
                && !directory.has_bucket(3, &sealed(3, b"others"))
        );
    }
}
