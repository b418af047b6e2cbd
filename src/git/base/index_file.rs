//! `IndexFile`: the index as the file that git writes, versions 2 to 4, of SHA-1 and SHA-256: where its entries and extensions are.
//!
//! Invariant: every offset that is kept was checked against the file's length; entries are sorted by name and stage, which a
//! search relies on.
//!
//! Source: git's `Documentation/gitformat-index.txt` and `read-cache.c`.

use std::cell::RefCell;
use std::sync::Arc;

use super::stat::Stat;
use crate::snapshot::{HashKind, Id};
use crate::text::Span;

/// How many bytes of an entry come before its hash: ten numbers of four bytes.
pub(in crate::git) const NUMBERS: usize = 40;
pub(in crate::git) const HEADER: usize = 12;
/// In an entry's flags: two more bytes of flags follow.
pub(in crate::git) const EXTENDED: u16 = 1 << 14;
const NAME_LENGTH: u16 = 0xFFF;
const STAGE_SHIFT: u16 = 12;

/// Most bytes that the names of version 4 may come to.
const MOST_NAMES: usize = 1 << 28;

/// Why an index is not read here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::git) enum UnreadIndex {
    /// It is one part of an index, the rest of which is in a shared file.
    Split,
    /// It has folders for entries.
    Sparse,
    /// It is no index, or none that is known; with what is wrong.
    Broken(String),
}

/// An index file with the places of its entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::git) struct IndexFile {
    pub(in crate::git) bytes: Vec<u8>,
    pub(in crate::git) version: u32,
    /// Bytes of a hash.
    pub(in crate::git) hash_length: usize,
    /// Where each entry begins. There may be hundreds of thousands: no more is kept of them.
    starts: Vec<u32>,
    /// Each entry has a name, which is after that of the one before.
    is_in_order: bool,
    /// Of version 4 the names, one after the other, and where each ends; elsewhere they are in the file.
    names: Vec<u8>,
    name_ends: Vec<u32>,
    /// Where the entries end.
    pub(in crate::git) entries_end: usize,
    pub(in crate::git) extensions: Vec<(Signature, Span)>,
}

/// An index that was read: what the system said of its file then, and which way it has to be written.
#[derive(Default)]
pub(in crate::git) struct ReadIndex(
    pub(in crate::git) RefCell<Option<(Stat, Arc<IndexFile>, IndexFormat)>>,
);

/// Who can write an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::git) enum IndexFormat {
    /// This program.
    Plain,
    /// Only git: split into a shared file and what differs from that.
    Split,
    /// Only git: folders that are not checked out are one entry each.
    Sparse,
}

/// What an extension is called.
pub(in crate::git) type Signature = [u8; 4];

/// An entry, read where it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::git) struct EntryView<'f> {
    file: &'f IndexFile,
    number: usize,
    /// Where it begins in the file.
    start: usize,
}

impl<'f> EntryView<'f> {
    /// Returns where it begins in the file.
    pub(in crate::git) fn start(&self) -> usize {
        self.start
    }

    pub(in crate::git) fn name(&self) -> &'f [u8] {
        let file = self.file;
        if file.version == 4 {
            let name = file.packed_name(self.number);
            return file.names.get(name.start..name.end).unwrap_or_default();
        }
        let flags = self.flags();
        let start = self.start + self.head_length();
        let rest = file.bytes.get(start..).unwrap_or_default();
        let length = match flags & NAME_LENGTH {
            NAME_LENGTH => memchr::memchr(0, rest).unwrap_or(rest.len()),
            length => usize::from(length),
        };
        rest.get(..length).unwrap_or_default()
    }

    /// Returns 0, or which side of a conflict it is.
    pub(in crate::git) fn stage(&self) -> u16 {
        (self.flags() >> STAGE_SHIFT) & 3
    }

    /// Returns all of it up to its name.
    pub(in crate::git) fn head(&self) -> &'f [u8] {
        let end = self.start + self.head_length();
        self.file.bytes.get(self.start..end).unwrap_or_default()
    }

    fn head_length(&self) -> usize {
        let flags = if self.flags() & EXTENDED == 0 { 2 } else { 4 };
        NUMBERS + self.file.hash_length + flags
    }

    fn flags(&self) -> u16 {
        let at = self.start + NUMBERS + self.file.hash_length;
        short(&self.file.bytes, at).unwrap_or_default()
    }

    /// Returns seconds and nanoseconds.
    pub(in crate::git) fn ctime(&self) -> (u32, u32) {
        (self.number(0), self.number(1))
    }

    /// Returns seconds and nanoseconds.
    pub(in crate::git) fn mtime(&self) -> (u32, u32) {
        (self.number(2), self.number(3))
    }

    pub(in crate::git) fn inode(&self) -> u32 {
        self.number(5)
    }

    pub(in crate::git) fn mode(&self) -> u32 {
        self.number(6)
    }

    pub(in crate::git) fn size(&self) -> u32 {
        self.number(9)
    }

    pub(in crate::git) fn hash(&self) -> &'f [u8] {
        let start = self.start + NUMBERS;
        self.file
            .bytes
            .get(start..start + self.file.hash_length)
            .unwrap_or_default()
    }

    pub(in crate::git) fn id(&self) -> Id {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut id = String::with_capacity(2 * self.hash().len());
        for byte in self.hash() {
            id.push(char::from(DIGITS[usize::from(byte >> 4)]));
            id.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        Id(id)
    }

    /// Returns the flags that only versions from 3 on have.
    pub(in crate::git) fn extended(&self) -> u16 {
        if self.flags() & EXTENDED == 0 {
            return 0;
        }
        let at = self.start + NUMBERS + self.file.hash_length + 2;
        short(&self.file.bytes, at).unwrap_or_default()
    }

    fn number(&self, number: usize) -> u32 {
        long(&self.file.bytes, self.start + 4 * number).unwrap_or_default()
    }
}

impl IndexFile {
    /// Returns an index without entries.
    pub(in crate::git) fn empty(hash: HashKind) -> IndexFile {
        IndexFile {
            bytes: b"DIRC\0\0\0\x02\0\0\0\0".to_vec(),
            version: 2,
            hash_length: hash_length(hash),
            entries_end: HEADER,
            is_in_order: true,
            ..IndexFile::default()
        }
    }

    /// Reads an index.
    pub(in crate::git) fn read(bytes: Vec<u8>, hash: HashKind) -> Result<IndexFile, UnreadIndex> {
        let hash_length = hash_length(hash);
        let broken = |why: &str| UnreadIndex::Broken(why.to_owned());
        if !bytes.starts_with(b"DIRC") {
            return Err(broken("it does not begin with `DIRC`"));
        }
        let (Some(version), Some(count)) = (long(&bytes, 4), long(&bytes, 8)) else {
            return Err(broken("it ends in its header"));
        };
        if !(2..=4).contains(&version) {
            return Err(UnreadIndex::Broken(format!("its version is {version}")));
        }
        let end = bytes
            .len()
            .checked_sub(hash_length)
            .filter(|end| *end >= HEADER)
            .ok_or_else(|| broken("it ends in its header"))?;
        let mut file = IndexFile {
            bytes,
            version,
            hash_length,
            is_in_order: true,
            ..IndexFile::default()
        };
        // An entry has 62 bytes at least: a count that is a lie reserves nothing.
        file.starts.reserve((count as usize).min(end / 62 + 1));
        let mut at = HEADER;
        for _ in 0..count {
            at = file
                .read_entry(at, end)
                .ok_or_else(|| broken("an entry is cut off"))?;
        }
        file.entries_end = at;
        while at < end {
            let signature = file.bytes.get(at..at + 4);
            let signature = signature.and_then(|it| Signature::try_from(it).ok());
            let length = long(&file.bytes, at + 4);
            let (Some(signature), Some(length)) = (signature, length) else {
                return Err(broken("an extension is cut off"));
            };
            let data = Span::new(at + 8, (at + 8).saturating_add(length as usize));
            if data.end > end {
                return Err(broken("an extension is cut off"));
            }
            match &signature {
                b"link" => return Err(UnreadIndex::Split),
                b"sdir" => return Err(UnreadIndex::Sparse),
                [first, ..] if !first.is_ascii_uppercase() => {
                    let name = String::from_utf8_lossy(&signature).into_owned();
                    return Err(UnreadIndex::Broken(format!(
                        "it has an extension `{}` that is not known",
                        name.escape_debug()
                    )));
                }
                _ => file.extensions.push((signature, data)),
            }
            at = data.end;
        }
        if !file.is_in_order {
            return Err(broken("its entries are out of order"));
        }
        Ok(file)
    }

    /// Reads the entry at `at`, and returns where it ends.
    fn read_entry(&mut self, at: usize, end: usize) -> Option<usize> {
        let after_hash = at + NUMBERS + self.hash_length;
        let flags = short(&self.bytes, after_hash)?;
        let mut name = after_hash + 2;
        if flags & EXTENDED != 0 {
            if self.version < 3 {
                return None;
            }
            name += 2;
        }
        let next = if self.version == 4 {
            self.read_packed_name(name, end)?
        } else {
            let rest = self.bytes.get(name..end)?;
            let length = match flags & NAME_LENGTH {
                NAME_LENGTH => memchr::memchr(0, rest)?,
                length => usize::from(length),
            };
            if rest.get(length) != Some(&0) {
                return None;
            }
            // Padded with one to eight zeros to a multiple of eight.
            at + ((name - at + length + 8) & !7)
        };
        if next > end {
            return None;
        }
        self.starts.push(u32::try_from(at).ok()?);
        let number = self.starts.len() - 1;
        let entry = self.view(number);
        let is_after =
            |last: EntryView<'_>| (last.name(), last.stage()) < (entry.name(), entry.stage());
        // One part of an index has entries without a name in the place of those of the other.
        let is_in_order = !entry.name().is_empty()
            && number
                .checked_sub(1)
                .is_none_or(|last| is_after(self.view(last)));
        self.is_in_order &= is_in_order;
        Some(next)
    }

    /// Reads a name of version 4: how many bytes of the name above go, and what comes in their place. Returns where the entry ends.
    fn read_packed_name(&mut self, at: usize, end: usize) -> Option<usize> {
        let (gone, used) = read_number(self.bytes.get(at..end)?)?;
        let rest = self.bytes.get(at + used..end)?;
        let length = memchr::memchr(0, rest)?;
        let above = match self.starts.len().checked_sub(1) {
            Some(last) => self.packed_name(last),
            None => Span::at(0),
        };
        let kept = above.len().checked_sub(gone)?;
        // Names that grow by every entry would come to many times the file.
        if self.names.len() + kept + length > MOST_NAMES {
            return None;
        }
        self.names
            .extend_from_within(above.start..above.start + kept);
        self.names.extend_from_slice(&rest[..length]);
        self.name_ends.push(u32::try_from(self.names.len()).ok()?);
        Some(at + used + length + 1)
    }

    /// Returns where among the names that of the entry with this number is.
    fn packed_name(&self, number: usize) -> Span {
        let end = |number: usize| self.name_ends.get(number).map_or(0, |end| *end as usize);
        Span::new(number.checked_sub(1).map_or(0, end), end(number))
    }

    /// Returns how many entries there are.
    pub(in crate::git) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns where the entry with this number begins; past the last one, where they end.
    pub(in crate::git) fn start(&self, number: usize) -> usize {
        self.starts
            .get(number)
            .map_or(self.entries_end, |start| *start as usize)
    }

    fn view(&self, number: usize) -> EntryView<'_> {
        EntryView {
            file: self,
            number,
            start: self.start(number),
        }
    }

    /// Returns the entries from the one with this number on.
    pub(in crate::git) fn views(&self, from: usize) -> impl Iterator<Item = EntryView<'_>> {
        (from..self.len()).map(|number| self.view(number))
    }

    /// Returns the number of the first entry that is not before `name`.
    pub(in crate::git) fn first_from(&self, name: &[u8]) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if self.view(middle).name() < name {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    /// Returns the entry of `name` that is `stage`.
    pub(in crate::git) fn find(&self, name: &[u8], stage: u16) -> Option<EntryView<'_>> {
        let from = self.first_from(name);
        let mut same = self.views(from).take_while(|entry| entry.name() == name);
        same.find(|entry| entry.stage() == stage)
    }

    /// Returns the data of the extension `signature`.
    pub(in crate::git) fn extension(&self, signature: &Signature) -> Option<&[u8]> {
        let mut found = self.extensions.iter();
        let (_, data) = found.find(|(known, _)| known == signature)?;
        Some(data.of(&self.bytes))
    }

    /// Returns the hash at its end.
    pub(in crate::git) fn checksum(&self) -> &[u8] {
        let start = self.bytes.len().saturating_sub(self.hash_length);
        &self.bytes[start..]
    }
}

fn hash_length(hash: HashKind) -> usize {
    match hash {
        HashKind::Sha1 => 20,
        HashKind::Sha256 => 32,
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at + 2)?;
    Some(u16::from_be_bytes(bytes.try_into().ok()?))
}

pub(in crate::git) fn long(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

/// Reads a number of git's own coding, seven bits a byte, and returns how many bytes it takes. Source: `decode_varint`.
fn read_number(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut number = 0usize;
    for (at, byte) in bytes.iter().take(6).enumerate() {
        if at > 0 {
            number = number.checked_add(1)?.checked_mul(128)?;
        }
        number += usize::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Some((number, at + 1));
        }
    }
    None
}

/// Writes a number as `read_number` reads it. Source: `encode_varint`.
pub(in crate::git) fn write_number(mut number: usize, to: &mut Vec<u8>) {
    let mut bytes = vec![(number & 0x7F) as u8];
    while number >= 128 {
        number = (number >> 7) - 1;
        bytes.push(0x80 | (number & 0x7F) as u8);
    }
    to.extend(bytes.into_iter().rev());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_coded_as_git_codes_them() {
        for (number, expected) in [
            (0, &[0][..]),
            (127, &[0x7F]),
            (128, &[0x80, 0]),
            (255, &[0x80, 0x7F]),
            (256, &[0x81, 0]),
            (16_511, &[0xFF, 0x7F]),
            (16_512, &[0x80, 0x80, 0]),
        ] {
            let mut written = Vec::new();
            write_number(number, &mut written);
            assert_eq!(written, expected, "{number}");
            assert_eq!(read_number(&written), Some((number, expected.len())));
        }
    }

    #[test]
    fn what_is_cut_off_is_not_read() {
        let read = |bytes: &[u8]| IndexFile::read(bytes.to_vec(), HashKind::Sha1);
        let empty = [b"DIRC\0\0\0\x02\0\0\0\0".as_slice(), &[0; 20]].concat();
        assert!(read(&empty).is_ok());
        for length in 0..empty.len() {
            assert!(read(&empty[..length]).is_err(), "{length}");
        }
        let mut lie = empty.clone();
        lie[8] = 0xFF;
        assert!(read(&lie).is_err());
    }
}
