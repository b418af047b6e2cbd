//! The bytes of an index with some entries changed: what is between them is copied as it stands.
//!
//! Of the extensions, which trees the folders are and resolved conflicts stay; so does what git knows of files that are not tracked, where the
//! edits neither add nor remove a path. What a file-system monitor said goes: git asks it again. Where the entries of parts of the
//! file begin is worked out anew.

use std::sync::Arc;

use super::cache_tree::{CacheTree, Grown};
use super::content::{IndexContent, hash};
use super::edit::IndexEdit;
use super::young::YoungEntries;
use crate::git::base::index_file::{EXTENDED, IndexFile, Signature, long, write_number};
use crate::snapshot::{FileMode, Id};
use crate::text::Span;

const SKIP_WORKTREE: u16 = 1 << 14;
const NAME_LENGTH: u16 = 0xFFF;
/// Where in an entry the size of the file is.
const SIZE: usize = 36;
/// The size of a file that git has to read before it knows whether that changed.
const NO_SIZE: [u8; 4] = [0; 4];

/// What the edits are made with.
pub(super) struct SpliceRules<'a> {
    pub(super) young: YoungEntries,
    /// No hash of the file at its end: `index.skipHash`.
    pub(super) skips_hash: bool,
    /// What a commit made of the folders, if the edits are that commit's.
    pub(super) grown: Option<&'a Grown<'a>>,
}

/// Returns what `edits`, each of another path, make of `old`; or the path that cannot be there beside another.
pub(super) fn spliced(
    old: &Arc<IndexFile>,
    edits: &[IndexEdit],
    rules: &SpliceRules<'_>,
) -> Result<IndexContent, String> {
    let mut sorted: Vec<&IndexEdit> = edits.iter().collect();
    sorted.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
    check_places(old, &sorted)?;
    let mut writing = Writing::of(old, rules);
    let mut from = 0;
    let mut same_paths = true;
    for edit in &sorted {
        let name = edit.path.as_str().as_bytes();
        let at = old.first_from(name).max(from);
        writing.copy(from, at);
        let sides = old.views(at).take_while(|entry| entry.name() == name);
        let count = sides.count();
        from = at + count;
        let is_there = edit.entry.is_some();
        same_paths &= is_there == (count == 1);
        if let Some((mode, blob)) = &edit.entry {
            let kept = old
                .find(name, 0)
                .map_or(0, |entry| entry.extended() & SKIP_WORKTREE);
            let hash = raw(blob, old.hash_length).ok_or_else(|| blob.0.clone())?;
            writing.add(edit, (*mode, &hash), kept);
        }
    }
    writing.copy(from, old.len());
    Ok(writing.finish(&sorted, same_paths))
}

/// Refuses a file where there is a folder, and the other way round.
fn check_places(old: &IndexFile, sorted: &[&IndexEdit]) -> Result<(), String> {
    let given = |name: &[u8]| {
        let at = sorted.binary_search_by(|edit| edit.path.as_str().as_bytes().cmp(name));
        at.ok().and_then(|at| sorted.get(at))
    };
    let stays = |name: &[u8]| match given(name) {
        Some(edit) => edit.entry.is_some(),
        None => old
            .views(old.first_from(name))
            .next()
            .is_some_and(|entry| entry.name() == name),
    };
    for edit in sorted.iter().filter(|edit| edit.entry.is_some()) {
        let name = edit.path.as_str().as_bytes();
        let mut folders = memchr::memchr_iter(b'/', name).map(|end| &name[..end]);
        if folders.any(stays) {
            return Err(edit.path.as_str().to_owned());
        }
        let below = [name, b"/"].concat();
        let is_below = |path: &[u8]| path.starts_with(&below);
        let in_index = old
            .views(old.first_from(&below))
            .map(|entry| entry.name())
            .take_while(|path| is_below(path))
            .any(|path| given(path).is_none_or(|edit| edit.entry.is_some()));
        if in_index {
            return Err(edit.path.as_str().to_owned());
        }
    }
    Ok(())
}

/// Returns the bytes of an id.
fn raw(id: &Id, length: usize) -> Option<Vec<u8>> {
    let digits = id.0.as_bytes().chunks(2);
    let bytes = digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    bytes
        .collect::<Option<Vec<u8>>>()
        .filter(|bytes| bytes.len() == length)
}

/// Returns a number as the file has it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "an index has 32 bits for each"
)]
fn long_of(number: usize) -> [u8; 4] {
    (number as u32).to_be_bytes()
}

/// An index that is being written.
struct Writing<'o> {
    old: &'o IndexFile,
    rules: &'o SpliceRules<'o>,
    content: IndexContent,
    count: usize,
    /// Of version 4: the name of the last entry.
    last_name: Vec<u8>,
    /// How many entries each part of the file has, where it is in parts; and where each begins, with how many it has.
    part_length: Option<usize>,
    parts: Vec<(usize, usize)>,
}

impl<'o> Writing<'o> {
    fn of(old: &'o Arc<IndexFile>, rules: &'o SpliceRules<'o>) -> Writing<'o> {
        let mut content = IndexContent::of(Arc::clone(old), !rules.skips_hash);
        content.add(b"DIRC");
        content.add(&old.version.to_be_bytes());
        content.add(&[0; 4]);
        // A version, then of each part where it begins and how many entries it has.
        let part_length = old
            .extension(b"IEOT")
            .and_then(|data| long(data, 8))
            .map(|length| length as usize)
            .filter(|length| *length > 0);
        Writing {
            old,
            rules,
            content,
            count: 0,
            last_name: Vec::new(),
            part_length,
            parts: Vec::new(),
        }
    }

    /// Copies the entries from one number to another.
    fn copy(&mut self, mut from: usize, to: usize) {
        while from < to {
            let left = to - from;
            let until = match self.part_length {
                Some(length) => left.min(length - self.count % length),
                None => left,
            };
            self.begin_part();
            if self.old.version == 4 {
                self.copy_packed(from, from + until);
            } else {
                self.copy_plain(from, from + until);
            }
            from += until;
        }
    }

    fn copy_plain(&mut self, from: usize, to: usize) {
        let (old, young) = (self.old, &self.rules.young);
        let mut start = old.start(from);
        let entries = old.views(from).take(to - from);
        for entry in entries.filter(|entry| young.may_differ(entry)) {
            let size = entry.start() + SIZE;
            self.content.copy(Span::new(start, size));
            self.content.add(&NO_SIZE);
            start = size + NO_SIZE.len();
        }
        self.content.copy(Span::new(start, old.start(to)));
        self.count += to - from;
    }

    fn copy_packed(&mut self, from: usize, to: usize) {
        for entry in self.old.views(from).take(to - from) {
            let mut head = entry.head().to_vec();
            if self.rules.young.may_differ(&entry) {
                head[SIZE..SIZE + NO_SIZE.len()].copy_from_slice(&NO_SIZE);
            }
            self.content.add(&head);
            self.write_packed_name(entry.name());
            self.count += 1;
        }
    }

    /// Adds the entry of an edit; what that does not decide is `kept`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index keeps the low 32 bits"
    )]
    fn add(&mut self, edit: &IndexEdit, (mode, hash): (FileMode, &[u8]), kept: u16) {
        self.begin_part();
        let start = self.content.len();
        let stat = edit.stat.unwrap_or_default();
        let numbers = [
            stat.ctime.0 as u32,
            stat.ctime.1 as u32,
            stat.mtime.0 as u32,
            stat.mtime.1 as u32,
            stat.dev as u32,
            stat.ino as u32,
            mode.bits(),
            stat.uid,
            stat.gid,
            stat.size as u32,
        ];
        numbers
            .iter()
            .for_each(|number| self.content.add(&number.to_be_bytes()));
        self.content.add(hash);
        let name = edit.path.as_str().as_bytes();
        let length = u16::try_from(name.len()).map_or(NAME_LENGTH, |it| it.min(NAME_LENGTH));
        let extended = if kept == 0 { 0 } else { EXTENDED };
        self.content.add(&(length | extended).to_be_bytes());
        if kept != 0 {
            self.content.add(&kept.to_be_bytes());
        }
        if self.old.version == 4 {
            self.write_packed_name(name);
        } else {
            self.content.add(name);
            let length = self.content.len() - start;
            self.content.add(&[0; 8][..8 - length % 8]);
        }
        self.count += 1;
    }

    fn write_packed_name(&mut self, name: &[u8]) {
        // A part can be read without the one above it.
        let begins_part = self
            .part_length
            .is_some_and(|length| self.count.is_multiple_of(length));
        let common = if begins_part {
            0
        } else {
            let mut both = self.last_name.iter().zip(name);
            let same = both.position(|(a, b)| a != b);
            same.unwrap_or(self.last_name.len().min(name.len()))
        };
        let mut gone = Vec::new();
        write_number(self.last_name.len() - common, &mut gone);
        self.content.add(&gone);
        self.content.add(&name[common..]);
        self.content.add(&[0]);
        self.last_name.clear();
        self.last_name.extend_from_slice(name);
    }

    fn begin_part(&mut self) {
        let Some(length) = self.part_length else {
            return;
        };
        if self.count.is_multiple_of(length)
            && self.parts.last().is_none_or(|(_, at)| *at != self.count)
        {
            self.parts.push((self.content.len(), self.count));
        }
    }

    /// Adds the extensions.
    fn finish(mut self, edits: &[&IndexEdit], same_paths: bool) -> IndexContent {
        self.content.state_count(long_of(self.count));
        let entries_end = self.content.len();
        let mut heads: Vec<u8> = Vec::new();
        if self.part_length.is_some() {
            let data = self.parts_table();
            heads.extend(self.extension(b"IEOT", &data));
        }
        if let Some(mut tree) = self.tree() {
            for edit in edits {
                let path = edit.path.as_str().as_bytes();
                match self.rules.grown.filter(|_| same_paths) {
                    Some(grown) => tree.grow(path, grown),
                    None => tree.forget(path),
                }
            }
            heads.extend(self.extension(b"TREE", &tree.write()));
        }
        let names_ignored = |edit: &&IndexEdit| {
            let name = edit.path.as_str().rsplit('/').next();
            name == Some(".gitignore")
        };
        let keeps_untracked = same_paths && !edits.iter().any(names_ignored);
        for (signature, data) in &self.old.extensions {
            let stays = match signature {
                b"REUC" => true,
                b"UNTR" => keeps_untracked,
                _ => false,
            };
            if stays {
                heads.extend(self.extension(signature, data.of(&self.old.bytes)));
            }
        }
        if self.old.extension(b"EOIE").is_some() {
            let mut data = long_of(entries_end).to_vec();
            data.extend(hash(&heads, self.old.hash_length));
            self.extension(b"EOIE", &data);
        }
        self.content
    }

    fn tree(&self) -> Option<CacheTree> {
        CacheTree::read(self.old.extension(b"TREE")?, self.old.hash_length)
    }

    fn parts_table(&self) -> Vec<u8> {
        const VERSION: u32 = 1;
        let mut data = VERSION.to_be_bytes().to_vec();
        let next = self.parts.iter().skip(1).map(|(_, count)| *count);
        for ((start, count), next) in self.parts.iter().zip(next.chain([self.count])) {
            data.extend(long_of(*start));
            data.extend(long_of(next - count));
        }
        data
    }

    /// Adds an extension and returns its signature and its length, as they stand there.
    fn extension(&mut self, signature: &Signature, data: &[u8]) -> Vec<u8> {
        let head = [&signature[..], &long_of(data.len())].concat();
        self.content.add(&head);
        self.content.add(data);
        head
    }
}
