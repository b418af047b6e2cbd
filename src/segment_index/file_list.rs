//! `Roll`: the files of one place, a tree or a worktree, each with the number of its content and the stamp it had then.
//!
//! It is one flat run of bytes, read in one go: a hundred thousand rows of a table would take longer than everything else.
//!
//! Invariant: folders are sorted, the root and every folder above another among them; names within a folder are sorted, each
//! ends with a NUL; contents and stamps are as many as names.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::CStr;
use std::ops::Range;

use super::bytes::{Reader, Writer};
use crate::git::Stamp;
use crate::path::RepoPath;

/// The number of a content that nobody knows yet.
pub(super) const UNKNOWN: u32 = 0;

/// The files of one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Roll {
    /// What tells the list of files from any other of this place: the state of git's index.
    pub(super) listing: u64,
    /// What decides beside the files what of them is stored: settings, and files of attributes.
    pub(super) conversion: u64,
    folders: Vec<ListedFolder>,
    names: Vec<u8>,
    /// Where each name begins, and where the last one ends.
    starts: Vec<u32>,
    /// The number of each file's content.
    pub(super) contents: Vec<u32>,
    /// The stamp that each file had when it was read.
    pub(super) stamps: Vec<Stamp>,
}

/// A folder and its files.
#[derive(Clone, Debug)]
pub(super) struct ListedFolder {
    pub(super) path: String,
    pub(super) files: Range<usize>,
}

impl Roll {
    /// Returns the roll of `paths`, in any order, of whose content nothing is known but what `before` knows.
    pub(super) fn of(paths: &[String], before: &Roll) -> Roll {
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            folders.entry(folder).or_default().push(name);
        }
        let above: BTreeSet<&str> = folders
            .keys()
            .flat_map(|folder| ancestors(folder))
            .collect();
        for folder in above {
            folders.entry(folder).or_default();
        }
        let known: HashMap<&str, &ListedFolder> = before
            .folders
            .iter()
            .map(|old| (old.path.as_str(), old))
            .collect();
        let mut roll = Roll {
            starts: vec![0],
            ..Roll::default()
        };
        for (folder, mut names) in folders {
            names.sort_unstable();
            names.dedup();
            let first = roll.contents.len();
            let mut old = known
                .get(folder)
                .map_or(0..0, |old| old.files.clone())
                .peekable();
            for name in names {
                while old.next_if(|&at| before.name(at) < name).is_some() {}
                let same = old.next_if(|&at| before.name(at) == name);
                roll.contents.push(
                    same.and_then(|at| before.contents.get(at))
                        .copied()
                        .unwrap_or(UNKNOWN),
                );
                roll.stamps.push(
                    same.and_then(|at| before.stamps.get(at))
                        .copied()
                        .unwrap_or_default(),
                );
                roll.names.extend_from_slice(name.as_bytes());
                roll.names.push(0);
                // Past four gigabytes of names nothing is found, which whoever asks takes for a broken roll.
                roll.starts
                    .push(u32::try_from(roll.names.len()).unwrap_or(u32::MAX));
            }
            roll.folders.push(ListedFolder {
                path: folder.to_owned(),
                files: first..roll.contents.len(),
            });
        }
        roll
    }

    /// Returns how many files there are.
    pub(super) fn len(&self) -> usize {
        self.contents.len()
    }

    /// Returns the folders, sorted.
    pub(super) fn folders(&self) -> &[ListedFolder] {
        &self.folders
    }

    /// Returns the name of the file at this position, as the system takes it.
    pub(super) fn c_name(&self, at: usize) -> &CStr {
        CStr::from_bytes_with_nul(self.raw_name(at)).unwrap_or_default()
    }

    fn name(&self, at: usize) -> &str {
        std::str::from_utf8(self.raw_name(at))
            .unwrap_or_default()
            .trim_end_matches('\0')
    }

    fn raw_name(&self, at: usize) -> &[u8] {
        let bounds = self.starts.get(at).zip(self.starts.get(at + 1));
        bounds
            .and_then(|(from, to)| self.names.get(*from as usize..*to as usize))
            .unwrap_or_default()
    }

    /// Returns the paths of all files, in the roll's order.
    pub(super) fn paths(&self) -> Vec<String> {
        let paths = self
            .folders
            .iter()
            .flat_map(|folder| folder.files.clone().map(|at| self.joined(folder, at)));
        paths.collect()
    }

    /// Returns the path of the file at this position.
    pub(super) fn path(&self, at: usize) -> Option<RepoPath> {
        let folder = self.folders.get(
            self.folders
                .partition_point(|folder| folder.files.end <= at),
        )?;
        RepoPath::parse(&self.joined(folder, at)).ok()
    }

    fn joined(&self, folder: &ListedFolder, at: usize) -> String {
        let name = self.name(at);
        if folder.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", folder.path)
        }
    }

    /// Returns it as bytes.
    pub(super) fn written(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.long(self.listing);
        to.long(self.conversion);
        to.number(self.folders.len());
        for folder in &self.folders {
            to.bytes(folder.path.as_bytes());
            to.number(folder.files.len());
        }
        to.bytes(&self.names);
        self.contents.iter().for_each(|&content| to.word(content));
        self.stamps.iter().for_each(|stamp| to.long(stamp.bits()));
        to.finish()
    }

    /// Returns what `written` wrote.
    pub(super) fn read(bytes: &[u8]) -> Option<Roll> {
        let mut from = Reader::of(bytes);
        let (listing, conversion) = (from.long()?, from.long()?);
        let mut folders: Vec<ListedFolder> = Vec::new();
        for _ in 0..from.number()? {
            let path = from.text()?;
            let first = folders.last().map_or(0, |last| last.files.end);
            folders.push(ListedFolder {
                path,
                files: first..first.checked_add(from.number()?)?,
            });
        }
        let count = folders.last().map_or(0, |last| last.files.end);
        let names = from.bytes()?.to_vec();
        std::str::from_utf8(&names).ok()?;
        let ends = memchr::memchr_iter(0, &names).map(|end| u32::try_from(end + 1).ok());
        let starts: Vec<u32> = std::iter::once(Some(0))
            .chain(ends)
            .collect::<Option<_>>()?;
        if starts.len() != count + 1 || starts.last().is_none_or(|&end| end as usize != names.len())
        {
            return None;
        }
        let words = from.take(count.checked_mul(4)?)?.as_chunks::<4>().0;
        let longs = from.take(count.checked_mul(8)?)?.as_chunks::<8>().0;
        let contents = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let stamps = longs
            .iter()
            .map(|long| Stamp::from_bits(u64::from_le_bytes(*long)))
            .collect();
        from.is_empty().then_some(Roll {
            listing,
            conversion,
            folders,
            names,
            starts,
            contents,
            stamps,
        })
    }
}

/// Returns the folders above `folder`, the root among them; the root is above itself.
fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    let inner = folder
        .match_indices('/')
        .filter_map(|(at, _)| folder.get(..at));
    std::iter::once("").chain(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roll(paths: &[&str], before: &Roll) -> Roll {
        let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
        Roll::of(&paths, before)
    }

    #[test]
    fn a_roll_knows_its_files_and_folders() {
        let roll = roll(
            &["b/c/d/x", "a", "b.x", "b/y", "b/c/z", "b/y"],
            &Roll::default(),
        );
        assert_eq!(roll.paths(), ["a", "b.x", "b/y", "b/c/z", "b/c/d/x"]);
        let folders: Vec<&str> = roll
            .folders()
            .iter()
            .map(|folder| folder.path.as_str())
            .collect();
        assert_eq!(folders, ["", "b", "b/c", "b/c/d"]);
        for (at, path) in roll.paths().iter().enumerate() {
            assert_eq!(roll.path(at).unwrap().as_str(), path);
            assert_eq!(
                roll.c_name(at).to_str().unwrap(),
                path.rsplit('/').next().unwrap()
            );
        }
        assert_eq!(roll.path(5), None);
    }

    #[test]
    fn what_is_known_stays_with_its_path() {
        let mut old = roll(&["a", "b/c", "b/e", "x/y"], &Roll::default());
        old.contents = vec![1, 2, 3, 4];
        old.stamps = vec![
            Stamp::from_bits(11),
            Stamp::from_bits(12),
            Stamp::from_bits(13),
            Stamp::default(),
        ];
        let new = roll(&["b/a", "b/e", "b/d", "a", "x/y", "z/c"], &old);
        assert_eq!(new.paths(), ["a", "b/a", "b/d", "b/e", "x/y", "z/c"]);
        assert_eq!(new.contents, [1, 0, 0, 3, 4, 0]);
        assert_eq!(
            new.stamps
                .iter()
                .map(|stamp| stamp.bits())
                .collect::<Vec<_>>(),
            [11, 0, 0, 13, 0, 0]
        );
    }

    #[test]
    fn a_roll_comes_back_as_it_was_and_pieces_of_it_do_not() {
        let mut old = roll(&["a", "b/c", "b/ü", "x/y/z"], &Roll::default());
        (old.listing, old.conversion) = (7, 9);
        old.contents = vec![1, 2, 0, u32::MAX];
        let bytes = old.written();
        let new = Roll::read(&bytes).unwrap();
        assert_eq!(new.written(), bytes);
        assert_eq!((new.paths(), &new.contents), (old.paths(), &old.contents));
        for at in 0..bytes.len() {
            assert!(Roll::read(&bytes[..at]).is_none(), "{at}");
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x81;
            let _ = Roll::read(&flipped).map(|roll| (roll.paths(), roll.path(3)));
        }
        let empty = roll(&[], &Roll::default());
        assert_eq!(Roll::read(&empty.written()).unwrap().len(), 0);
    }
}
