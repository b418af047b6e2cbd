//! The least that any program does to change files on a branch: hash and write the blobs, the trees above them and the
//! commit, and move the ref if it still stands where it was read. It is handed the finished contents: no YAML, no parsing,
//! no checks. `benches/run` measures the tool against it.
//!
//! `floor <repository> <branch> loose|pack|checkout <stream> <message>`
//!
//! The stream holds, for each file, a line with its size and its path, its bytes, and a line ending. `loose` writes each
//! object to a file of its own; `pack` keeps all of them in memory, writes one pack without deltas by hand, and has libgit2
//! index it; one deflate stream is used over and over, since to make one takes longer than to deflate a small file.
//! (libgit2's own pack builder looks for deltas, which takes longer than all the rest; its `mempack` writes the
//! whole reachable tree.) A tree is its old bytes with other ids in them: every file exists already.
//!
//! `checkout` does what `loose` does in a clone, and writes the files and the index, which it reads once, changes in place (the ids alone),
//! hashes once and writes once.

use std::collections::BTreeMap;
use std::io::Write as _;

use flate2::{Compress, Compression, FlushCompress};
use git2::{Error, ObjectType, Odb, Oid, Repository, Signature};

/// The bytes of a SHA-1 id.
const ID: usize = 20;

/// What changes in one folder.
#[derive(Default)]
struct Folder {
    files: BTreeMap<Vec<u8>, Oid>,
    folders: BTreeMap<Vec<u8>, Folder>,
}

/// Where objects go.
enum Store<'repo> {
    Loose(Odb<'repo>),
    Pack {
        odb: Odb<'repo>,
        deflate: Compress,
        entries: Vec<u8>,
        count: u32,
    },
}

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repository, branch, kind, stream, message] = arguments.as_slice() else {
        return Err(Error::from_str(
            "usage: floor <repository> <branch> loose|pack|checkout <stream> <message>",
        ));
    };
    let repository = Repository::open(repository)?;
    let stream = std::fs::read(stream).map_err(said)?;
    let name = format!("refs/heads/{branch}");
    let tip = repository.refname_to_id(&name)?;
    let parent = repository.find_commit(tip)?;
    let odb = repository.odb()?;
    let mut store = match kind.as_str() {
        "pack" => {
            let deflate = Compress::new(Compression::fast(), true);
            Store::Pack {
                odb,
                deflate,
                entries: Vec::new(),
                count: 0,
            }
        }
        _ => Store::Loose(odb),
    };
    let changes = written(&stream, &mut store)?;
    let tree = with(parent.tree_id(), &changes, &repository.odb()?, &mut store)?;
    let ids = format!("tree {tree}\nparent {tip}\n");
    let seconds = Signature::now("Floor", "floor@example.org")?
        .when()
        .seconds();
    let person = format!("Floor <floor@example.org> {seconds} +0000");
    let commit = format!("{ids}author {person}\ncommitter {person}\n\n{message}");
    let commit = store.put(ObjectType::Commit, commit.as_bytes())?;
    store.finish()?;
    if kind == "checkout" {
        check_out(&repository, &stream, &changes)?;
    }
    repository.reference_matching(&name, commit, true, tip, message)?;
    Ok(())
}

/// Writes the files of the stream, and the index with their ids in it.
fn check_out(repository: &Repository, stream: &[u8], changes: &Folder) -> Result<(), Error> {
    let root = repository
        .workdir()
        .ok_or_else(|| Error::from_str("a clone"))?;
    let index = repository.path().join("index");
    let mut bytes = std::fs::read(&index).map_err(said)?;
    for file in files(stream) {
        let (path, content) = file?;
        let place = root.join(path);
        let new = place.with_extension("new");
        std::fs::write(&new, content).map_err(said)?;
        std::fs::rename(&new, &place).map_err(said)?;
        let id = changes
            .id(path)
            .ok_or_else(|| Error::from_str("a file of the stream"))?;
        let named = [path.as_bytes(), b"\0"].concat();
        let at = memchr::memmem::find(&bytes, &named)
            .ok_or_else(|| Error::from_str("a file of the index"))?;
        // An entry is its stat data, the id, two bytes of flags, and the path.
        bytes[at - 2 - ID..at - 2].copy_from_slice(id.as_bytes());
    }
    let end = bytes.len() - ID;
    let mut hash = gix_hash::hasher(gix_hash::Kind::Sha1);
    hash.update(&bytes[..end]);
    let sum = hash.try_finalize().map_err(said)?;
    bytes[end..].copy_from_slice(sum.as_slice());
    let lock = index.with_extension("lock");
    std::fs::write(&lock, &bytes).map_err(said)?;
    std::fs::rename(&lock, &index).map_err(said)
}

/// Returns each file of the stream: its path and its bytes.
fn files(mut stream: &[u8]) -> impl Iterator<Item = Result<(&str, &[u8]), Error>> {
    std::iter::from_fn(move || {
        let end = stream.iter().position(|&byte| byte == b'\n')?;
        let (head, rest) = (std::str::from_utf8(&stream[..end]), &stream[end + 1..]);
        let file = head.map_err(said).and_then(|head| {
            let (size, path) = head
                .split_once(' ')
                .ok_or_else(|| Error::from_str("a size and a path"))?;
            let size: usize = size.parse().map_err(said)?;
            stream = &rest[size + 1..];
            Ok((path, &rest[..size]))
        });
        Some(file)
    })
}

/// Writes the blobs of the stream and returns where they belong.
fn written(stream: &[u8], store: &mut Store<'_>) -> Result<Folder, Error> {
    let mut root = Folder::default();
    for file in files(stream) {
        let (path, content) = file?;
        let blob = store.put(ObjectType::Blob, content)?;
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut folder = &mut root;
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            folder = folder
                .folders
                .entry(part.as_bytes().to_owned())
                .or_default();
        }
        folder.files.insert(name.as_bytes().to_owned(), blob);
    }
    Ok(root)
}

impl Folder {
    /// Returns the id of the file at `path` below it.
    fn id(&self, path: &str) -> Option<Oid> {
        match path.split_once('/') {
            Some((folder, below)) => self.folders.get(folder.as_bytes())?.id(below),
            None => self.files.get(path.as_bytes()).copied(),
        }
    }
}

/// Returns the tree with the changes in it.
fn with(tree: Oid, changes: &Folder, odb: &Odb<'_>, store: &mut Store<'_>) -> Result<Oid, Error> {
    let mut bytes = odb.read(tree)?.data().to_owned();
    let mut at = 0;
    while at < bytes.len() {
        let space = at
            + bytes[at..]
                .iter()
                .position(|&byte| byte == b' ')
                .ok_or_else(|| Error::from_str("a mode"))?;
        let end = space
            + bytes[space..]
                .iter()
                .position(|&byte| byte == 0)
                .ok_or_else(|| Error::from_str("a name"))?;
        let (name, id) = (&bytes[space + 1..end], end + 1..end + 1 + ID);
        let new = match (changes.files.get(name), changes.folders.get(name)) {
            (Some(&blob), _) => Some(blob),
            (None, Some(below)) => Some(with(
                Oid::from_bytes(&bytes[id.clone()])?,
                below,
                odb,
                store,
            )?),
            (None, None) => None,
        };
        if let Some(new) = new {
            bytes[id.clone()].copy_from_slice(new.as_bytes());
        }
        at = id.end;
    }
    store.put(ObjectType::Tree, &bytes)
}

impl Store<'_> {
    fn put(&mut self, kind: ObjectType, bytes: &[u8]) -> Result<Oid, Error> {
        match self {
            Store::Loose(odb) => odb.write(kind, bytes),
            Store::Pack {
                deflate,
                entries,
                count,
                ..
            } => {
                *count += 1;
                entry_head(kind, bytes.len(), entries);
                // Room for bytes that do not get smaller: then one call is all.
                entries.reserve(bytes.len() + bytes.len() / 1000 + 64);
                deflate.reset();
                deflate
                    .compress_vec(bytes, entries, FlushCompress::Finish)
                    .map_err(said)?;
                Oid::hash_object(kind, bytes)
            }
        }
    }

    fn finish(self) -> Result<(), Error> {
        let Store::Pack {
            odb,
            entries,
            count,
            ..
        } = self
        else {
            return Ok(());
        };
        let mut head = b"PACK\0\0\0\x02".to_vec();
        head.extend(count.to_be_bytes());
        let mut hash = gix_hash::hasher(gix_hash::Kind::Sha1);
        hash.update(&head);
        hash.update(&entries);
        let sum = hash.try_finalize().map_err(said)?;
        let mut pack = odb.packwriter()?;
        for part in [&head[..], &entries, sum.as_slice()] {
            pack.write_all(part).map_err(said)?;
        }
        pack.commit().map(drop)
    }
}

/// Writes an entry's kind and size: four bits of the size, then seven a byte.
fn entry_head(kind: ObjectType, size: usize, entries: &mut Vec<u8>) {
    let number: u8 = match kind {
        ObjectType::Commit => 1,
        ObjectType::Tree => 2,
        _ => 3,
    };
    let mut byte = number << 4 | (size & 15) as u8;
    let mut rest = size >> 4;
    while rest > 0 {
        entries.push(byte | 128);
        byte = (rest & 127) as u8;
        rest >>= 7;
    }
    entries.push(byte);
}

fn said(error: impl std::fmt::Display) -> Error {
    Error::from_str(&error.to_string())
}
