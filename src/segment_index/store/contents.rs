//! `Store`: reading and writing what the file holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::{
    Connection, MAIN_DB, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior,
    params,
};
use rustix::fs::{FlockOperation, flock};

use super::buckets::put_bucket;
use super::directory::Directory;
use super::file::{MOMENT, PATIENCE, clear, connect, file, lock};
use super::trouble::{BUCKETS, Trouble};
use crate::segment_index::bytes::{sealed, unsealed};
use crate::segment_index::file_list::Roll;
use crate::text::Digest;

/// How many places are remembered.
pub(super) const MOST_ROLLS: usize = 12;

/// So few contents are kept without asking how many of them stand nowhere.
pub(super) const SPARE: usize = 4096;

/// The file, open.
pub(crate) struct IndexDatabase {
    pub(super) connection: Connection,
    in_use: File,
    folder: PathBuf,
    /// Whether contents were put in.
    has_grown: bool,
}

/// A content to be put in.
pub(crate) struct Fresh {
    pub(crate) key: Vec<u8>,
    pub(crate) told: Vec<u8>,
    pub(crate) words: BTreeSet<u64>,
}

/// What there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexSize {
    /// Contents whose segments are known.
    pub contents: usize,
    /// Names under which they can be asked for, each counted once for a content.
    pub names: usize,
    /// Bytes on the disk.
    pub bytes: u64,
}

impl IndexDatabase {
    /// Opens the file in `folder`, which is made if need be; a damaged one is replaced by an empty one.
    pub(crate) fn open(folder: &Path) -> Result<IndexDatabase, Trouble> {
        std::fs::create_dir_all(folder).map_err(|_| Trouble::Unusable)?;
        let in_use = lock(folder, PATIENCE)?;
        let begin = || connect(&file(folder), OpenFlags::SQLITE_OPEN_CREATE, PATIENCE);
        let connection = match begin() {
            Err(Trouble::Broken) => {
                clear(folder, &in_use)?;
                begin()?
            }
            connected => connected?,
        };
        Ok(IndexDatabase {
            connection,
            in_use,
            folder: folder.to_owned(),
            has_grown: false,
        })
    }

    /// Opens the file in `folder` if it is there and of use, and nobody has to be waited for.
    pub(crate) fn glance(folder: &Path) -> Option<IndexDatabase> {
        if !file(folder).exists() {
            return None;
        }
        let in_use = lock(folder, MOMENT).ok()?;
        let connection = connect(&file(folder), OpenFlags::empty(), MOMENT).ok()?;
        Some(IndexDatabase {
            connection,
            in_use,
            folder: folder.to_owned(),
            has_grown: false,
        })
    }

    /// Removes the file that turned out to be damaged.
    pub(crate) fn condemn(self) -> Result<(), Trouble> {
        let IndexDatabase {
            connection,
            in_use,
            folder,
            ..
        } = self;
        drop(connection);
        Ok(clear(&folder, &in_use)?)
    }

    /// Returns the number of the content with this key.
    pub(crate) fn number(&self, key: &[u8]) -> Result<Option<u32>, Trouble> {
        number_of(&self.connection, key)
    }

    /// Returns what the content with this number tells.
    pub(crate) fn told(&self, number: u32) -> Result<Vec<u8>, Trouble> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT key, told FROM contents WHERE number = ?1")?;
        // No rows is damage too, or somebody's tidying between two looks, which happens once in a very long while.
        let (key, told): (Vec<u8>, Vec<u8>) =
            statement.query_row([number], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(unsealed(told_place(number, &key), &told)
            .ok_or(Trouble::Broken)?
            .to_vec())
    }

    /// Returns the numbers of the contents that stand under one of `words`.
    pub(crate) fn standing(&self, words: &BTreeSet<u64>) -> Result<BTreeSet<u32>, Trouble> {
        let mut found = BTreeSet::new();
        // One state of the file, whoever writes meanwhile.
        let state = self.connection.unchecked_transaction()?;
        let directory = Directory::of(&state)?;
        for &word in words {
            let wanted = residue(word);
            let pairs = bucket(&state, bucket_of(word), &directory)?;
            found.extend(
                pairs_of(&pairs)
                    .filter(|(residue, _)| *residue == wanted)
                    .map(|(_, number)| number),
            );
        }
        Ok(found)
    }

    /// Puts `fresh` contents in, all or none, and returns the number of each, and how many were not there yet.
    pub(crate) fn add(&mut self, fresh: &[Fresh]) -> Result<(Vec<u32>, usize), Trouble> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut numbers = Vec::with_capacity(fresh.len());
        let mut directory = Directory::of(&transaction)?;
        let mut pairs: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        let mut added = 0;
        for content in fresh {
            // Two files of one content, or another process that was faster.
            if let Some(number) = number_of(&transaction, &content.key)? {
                numbers.push(number);
                continue;
            }
            let insert = "INSERT INTO contents (key, told) VALUES (?1, x'')";
            let row = transaction.prepare_cached(insert)?.insert([&content.key])?;
            let number = u32::try_from(row).map_err(|_| Trouble::Broken)?;
            directory.give(number)?;
            let told = sealed(told_place(number, &content.key), &content.told);
            let update = "UPDATE contents SET told = ?2 WHERE number = ?1";
            transaction
                .prepare_cached(update)?
                .execute(params![number, told])?;
            for &word in &content.words {
                let to = pairs.entry(bucket_of(word)).or_default();
                to.extend_from_slice(&residue(word).to_le_bytes());
                to.extend_from_slice(&number.to_le_bytes());
            }
            numbers.push(number);
            added += 1;
        }
        for (number, more) in pairs {
            let mut pairs = bucket(&transaction, number, &directory)?;
            pairs.extend_from_slice(&more);
            put_bucket(&transaction, number, &pairs, &mut directory)?;
        }
        directory.put(&transaction)?;
        transaction.commit()?;
        self.has_grown |= added > 0;
        Ok((numbers, added))
    }

    /// Returns the roll of `place`.
    pub(crate) fn roll(&self, place: &str) -> Result<Option<Roll>, Trouble> {
        let state = self.connection.unchecked_transaction()?;
        let directory = Directory::of(&state)?;
        let mut statement = state.prepare_cached("SELECT list FROM rolls WHERE place = ?1")?;
        let list: Option<Vec<u8>> = statement.query_row([place], |row| row.get(0)).optional()?;
        match list {
            Some(list) => unrolled(place, &list, &directory).map(Some),
            None if directory.lists(place) => Err(Trouble::Broken),
            None => Ok(None),
        }
    }

    /// Returns the place that was kept last among those whose name begins so.
    pub(crate) fn last_place(&self, prefix: &str) -> Result<Option<String>, Trouble> {
        let query =
            "SELECT place FROM rolls WHERE substr(place, 1, ?2) = ?1 ORDER BY used DESC LIMIT 1";
        let place = self
            .connection
            .query_row(query, params![prefix, prefix.len()], |row| row.get(0));
        Ok(place.optional()?)
    }

    /// Keeps the roll of `place`; the one that was not kept for longest goes when they are too many.
    pub(crate) fn keep(&mut self, place: &str, roll: &Roll) -> Result<(), Trouble> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let list = sealed(Digest::of(place.as_bytes()), &roll.written());
        let put = "INSERT OR REPLACE INTO rolls (place, used, files, list)
            VALUES (?1, 1 + (SELECT coalesce(max(used), 0) FROM rolls), ?2, ?3)";
        transaction.execute(put, params![place, roll.len(), list])?;
        let forget = "DELETE FROM rolls WHERE place NOT IN (SELECT place FROM rolls ORDER BY used DESC LIMIT ?1)";
        transaction.execute(forget, [MOST_ROLLS])?;
        let mut directory = Directory::of(&transaction)?;
        directory.list(&transaction)?;
        directory.put(&transaction)?;
        Ok(transaction.commit()?)
    }

    /// Ends the use of the file. What it has too much of goes first, unless somebody else uses it; returns how many contents
    /// that were, and what there is.
    pub(crate) fn end(mut self) -> Result<(usize, IndexSize), Trouble> {
        // The lock goes with the handle: to give up a part of it only would let others in between.
        let is_alone =
            self.has_grown && flock(&self.in_use, FlockOperation::NonBlockingLockExclusive).is_ok();
        let removed = if is_alone {
            self.tidy().unwrap_or(0)
        } else {
            0
        };
        Ok((removed, self.measure()?))
    }

    /// Removes the contents that stand on no roll, when they are more than half of all; says how many they were.
    fn tidy(&mut self) -> Result<usize, Trouble> {
        let count = |query: &str| {
            self.connection
                .query_row(query, [], |row| row.get::<_, usize>(0))
        };
        let contents = count("SELECT count(*) FROM contents")?;
        let longest = count("SELECT coalesce(max(files), 0) FROM rolls")?;
        if contents <= SPARE.max(2 * longest) {
            return Ok(0);
        }
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut directory = Directory::of(&transaction)?;
        let live = live(&transaction, &directory)?;
        let all: Vec<u32> = {
            let mut statement = transaction.prepare("SELECT number FROM contents")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect::<Result<_, _>>()?
        };
        let gone: BTreeSet<u32> = all
            .into_iter()
            .filter(|number| !live.contains(number))
            .collect();
        if gone.len() <= contents / 2 {
            return Ok(0);
        }
        for number in &gone {
            transaction
                .prepare_cached("DELETE FROM contents WHERE number = ?1")?
                .execute([number])?;
        }
        for number in 0..BUCKETS {
            let pairs = bucket(&transaction, number, &directory)?;
            let kept = pairs_of(&pairs).filter(|(_, content)| !gone.contains(content));
            let kept: Vec<u8> = kept
                .flat_map(|(residue, content)| {
                    [residue.to_le_bytes(), content.to_le_bytes()].concat()
                })
                .collect();
            put_bucket(&transaction, number, &kept, &mut directory)?;
        }
        directory.put(&transaction)?;
        transaction.commit()?;
        // Each step gives back one page.
        let mut vacuum = self.connection.prepare("PRAGMA incremental_vacuum")?;
        let mut pages = vacuum.query([])?;
        while pages.next()?.is_some() {}
        Ok(gone.len())
    }

    /// Returns what there is.
    pub(crate) fn measure(&self) -> Result<IndexSize, Trouble> {
        let count = |query: &str| {
            self.connection
                .query_row(query, [], |row| row.get::<_, usize>(0))
        };
        Ok(IndexSize {
            contents: count("SELECT count(*) FROM contents")?,
            names: count("SELECT coalesce(sum(length(pairs) - 8), 0) / 8 FROM buckets")?,
            bytes: fs::metadata(file(&self.folder)).map_or(0, |metadata| metadata.len()),
        })
    }

    /// Says whether nothing can be put in.
    pub(crate) fn is_read_only(&self) -> bool {
        self.connection.is_readonly(MAIN_DB).unwrap_or(true)
    }
}

/// Returns the contents that stand on a roll.
fn live(transaction: &Transaction<'_>, directory: &Directory) -> Result<BTreeSet<u32>, Trouble> {
    let mut statement = transaction.prepare("SELECT place, list FROM rolls")?;
    let rows = statement.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?))
    })?;
    let mut live = BTreeSet::new();
    for row in rows {
        let (place, list) = row?;
        live.extend(unrolled(&place, &list, directory)?.contents);
    }
    Ok(live)
}

fn unrolled(place: &str, list: &[u8], directory: &Directory) -> Result<Roll, Trouble> {
    let bytes =
        unsealed(Digest::of(place.as_bytes()), list).filter(|_| directory.has_roll(place, list));
    bytes.and_then(Roll::read).ok_or(Trouble::Broken)
}

fn bucket(connection: &Connection, number: u32, directory: &Directory) -> Result<Vec<u8>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT pairs FROM buckets WHERE number = ?1")?;
    let row: Vec<u8> = statement.query_row([number], |row| row.get(0))?;
    let pairs = unsealed(u64::from(number), &row).filter(|pairs| pairs.len() % 8 == 0);
    Ok(pairs
        .filter(|_| directory.has_bucket(number, &row))
        .ok_or(Trouble::Broken)?
        .to_vec())
}

fn pairs_of(pairs: &[u8]) -> impl Iterator<Item = (u32, u32)> {
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
    pairs
        .chunks_exact(8)
        .map(move |pair| (word(&pair[..4]), word(&pair[4..])))
}

fn bucket_of(word: u64) -> u32 {
    (word >> 52) as u32
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the last 32 bits are what is wanted"
)]
fn residue(word: u64) -> u32 {
    word as u32
}

/// A content is sealed with its key, so that it can be told from another's.
fn told_place(number: u32, key: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.number(u64::from(number));
    digest.text(key);
    digest.finish()
}

/// Returns the number under which a key stands. It is found by the table's index, and must be the table's own word as well.
fn number_of(connection: &Connection, key: &[u8]) -> Result<Option<u32>, Trouble> {
    let query = "SELECT number, key FROM contents WHERE number = (SELECT number FROM contents WHERE key = ?1)";
    let mut statement = connection.prepare_cached(query)?;
    let found: Option<(u32, Vec<u8>)> = statement
        .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match found {
        Some((_, own)) if own != key => Err(Trouble::Broken),
        found => Ok(found.map(|(number, _)| number)),
    }
}
