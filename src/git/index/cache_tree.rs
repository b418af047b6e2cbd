//! The extension `TREE`: which tree each folder of the index is, as far as that is known. An edit makes unknown what is on the way to its
//! paths; what a commit made of those folders can be said at once, so that git need not read them again.
//!
//! Source: git's `Documentation/gitformat-index.txt` and `cache-tree.c`.

/// Folders in one another that are read: what is deeper is not known.
const DEEPEST: usize = 1_000;

/// A folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CacheTree {
    name: Vec<u8>,
    /// How many entries are in it and below, and its tree; `None` where that is not known.
    known: Option<(u64, Vec<u8>)>,
    /// In the order in which they are written.
    folders: Vec<CacheTree>,
}

/// What became of a folder with a commit: the tree that it was, and the one that it is.
pub(super) type Grown<'a> = dyn Fn(&[u8]) -> Option<(Vec<u8>, Vec<u8>)> + 'a;

impl CacheTree {
    /// Reads the extension; `None` where it is not as git writes it.
    pub(super) fn read(data: &[u8], hash_length: usize) -> Option<CacheTree> {
        let mut rest = data;
        let tree = read_folder(&mut rest, hash_length, 0)?;
        rest.is_empty().then_some(tree)
    }

    /// Returns the bytes of the extension.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes);
        bytes
    }

    fn write_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.name);
        bytes.push(0);
        let count = match &self.known {
            Some((count, _)) => count.to_string(),
            None => "-1".to_owned(),
        };
        bytes.extend_from_slice(format!("{count} {}\n", self.folders.len()).as_bytes());
        if let Some((_, tree)) = &self.known {
            bytes.extend_from_slice(tree);
        }
        self.folders.iter().for_each(|it| it.write_to(bytes));
    }

    /// Makes unknown what is on the way to `path`; a folder of that name, in whose place there is a file now, goes.
    pub(super) fn forget(&mut self, path: &[u8]) {
        self.known = None;
        match memchr::memchr(b'/', path) {
            Some(end) => {
                let (name, rest) = (&path[..end], &path[end + 1..]);
                if let Some(folder) = self.folders.iter_mut().find(|it| it.name == name) {
                    folder.forget(rest);
                }
            }
            None => self.folders.retain(|it| it.name != path),
        }
    }

    /// Says of each folder on the way to `path`, an entry that is still there, what a commit made of it. A folder that was not the tree that
    /// the commit began with has other changes, too: it is unknown afterwards, and all around it.
    pub(super) fn grow(&mut self, path: &[u8], grown: &Grown) {
        self.grow_from(path, 0, grown);
    }

    fn grow_from(&mut self, path: &[u8], from: usize, grown: &Grown) -> bool {
        let inside = match memchr::memchr(b'/', &path[from..]) {
            Some(length) => {
                let (name, rest) = (&path[from..from + length], from + length + 1);
                let mut folders = self.folders.iter_mut();
                let folder = folders.find(|it| it.name == name);
                folder.is_some_and(|it| it.grow_from(path, rest, grown))
            }
            None => true,
        };
        let known = self.known.take().filter(|_| inside);
        let own = &path[..from.saturating_sub(1)];
        self.known = known.and_then(|(count, tree)| {
            let (was, is) = grown(own)?;
            // By another path of the same edit it may be said already.
            (tree == was || tree == is).then_some((count, is))
        });
        self.known.is_some()
    }
}

fn read_folder(rest: &mut &[u8], hash_length: usize, depth: usize) -> Option<CacheTree> {
    if depth > DEEPEST {
        return None;
    }
    let name = taken_to(rest, 0)?.to_vec();
    let count: i64 = number(taken_to(rest, b' ')?)?;
    let folders: usize = number(taken_to(rest, b'\n')?)?;
    let known = match u64::try_from(count) {
        Ok(count) => {
            let (tree, after) = rest.split_at_checked(hash_length)?;
            *rest = after;
            Some((count, tree.to_vec()))
        }
        Err(_) => None,
    };
    // A folder has four bytes at least: a count that is a lie reserves nothing.
    let mut found = Vec::with_capacity(folders.min(rest.len() / 4));
    for _ in 0..folders {
        found.push(read_folder(rest, hash_length, depth + 1)?);
    }
    Some(CacheTree {
        name,
        known,
        folders: found,
    })
}

fn taken_to<'d>(rest: &mut &'d [u8], sign: u8) -> Option<&'d [u8]> {
    let end = memchr::memchr(sign, rest)?;
    let (taken, after) = (rest.get(..end)?, rest.get(end + 1..)?);
    *rest = after;
    Some(taken)
}

fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut data = b"\x003 2\n".to_vec();
        data.extend([1; 20]);
        data.extend(b"a\x002 1\n");
        data.extend([2; 20]);
        data.extend(b"b\x001 0\n");
        data.extend([3; 20]);
        data.extend(b"c\x00-1 0\n");
        data
    }

    #[test]
    fn it_is_written_as_it_was_read() {
        let tree = CacheTree::read(&sample(), 20).unwrap();
        assert_eq!(tree.write(), sample());
        for length in 0..sample().len() {
            assert_eq!(CacheTree::read(&sample()[..length], 20), None, "{length}");
        }
    }

    #[test]
    fn what_is_on_the_way_to_a_path_is_forgotten() {
        let mut tree = CacheTree::read(&sample(), 20).unwrap();
        tree.forget(b"a/x.py");
        let mut expected = b"\x00-1 2\na\x00-1 1\nb\x001 0\n".to_vec();
        expected.extend([3; 20]);
        expected.extend(b"c\x00-1 0\n");
        assert_eq!(tree.write(), expected);
        tree.forget(b"a/b");
        assert_eq!(tree.write(), b"\x00-1 2\na\x00-1 0\nc\x00-1 0\n");
    }

    #[test]
    fn what_a_commit_made_of_a_folder_is_known() {
        let mut tree = CacheTree::read(&sample(), 20).unwrap();
        let grown = |folder: &[u8]| match folder {
            b"" => Some((vec![1; 20], vec![7; 20])),
            b"a" => Some((vec![2; 20], vec![8; 20])),
            b"a/b" => Some((vec![3; 20], vec![9; 20])),
            _ => None,
        };
        tree.grow(b"a/b/x.py", &grown);
        tree.grow(b"a/y.py", &grown);
        let mut expected = b"\x003 2\n".to_vec();
        expected.extend([7; 20]);
        expected.extend(b"a\x002 1\n");
        expected.extend([8; 20]);
        expected.extend(b"b\x001 0\n");
        expected.extend([9; 20]);
        expected.extend(b"c\x00-1 0\n");
        assert_eq!(tree.write(), expected);
        // Something else is staged in `a`.
        let other = |folder: &[u8]| grown(folder).map(|(_, is)| (vec![0; 20], is));
        let mut tree = CacheTree::read(&sample(), 20).unwrap();
        tree.grow(b"a/b/x.py", &other);
        assert_eq!(tree.write(), b"\x00-1 2\na\x00-1 1\nb\x00-1 0\nc\x00-1 0\n");
    }
}
