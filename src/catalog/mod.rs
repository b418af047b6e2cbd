//! The catalog: the segments of every content that was once asked for, by the content's id, so that nobody parses it twice.
//!
//! `find` over a hundred thousand files takes minutes to parse and milliseconds to look up. What is looked up is still proven: each
//! file that is searched was read and hashed once, and is read again unless the system swears that it is as it was.
//!
//! ```text
//! source ─roll→ files ─look→ doubtful ones ─read, hash→ contents ─parse the new→ store
//!                  └──────────── which of them hold the word (store) ──────────────→ segments
//! ```
//!
//! Invariant: the answer is the one that reading and parsing everything would give. The catalog is nobody's only copy of
//! anything: where it is damaged it begins anew, and where it cannot be had `None` sends the caller the long way.
//!
//! | file | holds |
//! |---|---|
//! | `store` | the SQLite file that all of it is kept in |
//! | `roll` | the files of a tree or a worktree, each with its content and its stamp |
//! | `record` | the segments of one content |
//! | `work` | bringing a roll and the store up to date |
//! | `search` | looking a name up |
//! | `bytes` | numbers, words and seals |
//!
//! What is kept of a content goes when it stands on none of the last dozen trees and worktrees and such contents are more than half
//! of all. Deliberately not here: what a name means (resolve), and files made from templates, of which only a mark is
//! kept because another file has a say in them.

mod bytes;
mod record;
mod roll;
mod search;
mod store;
mod work;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Repo, Source};
use crate::path::RepoPath;
use crate::resolve::{Called, Segment, Sort};
use crate::snapshot::{Blob, HashKind, Id};
use crate::syntax::{Excess, LANGUAGES, Language, jinja, language_of, markdown, python};
use record::{Known, Told};
pub use store::Measure;
use store::{Store, Stuck, Trouble};
use work::{Caught, Work};

/// Told how many files were read, and how many are to be.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// What is found under a name.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    /// The segments, by file, each file's in its order.
    pub segments: Vec<Segment>,
    /// Files that name a template: whoever asks reads them with it.
    pub scaffolded: Vec<RepoPath>,
    /// Files whose segments are not told, and why.
    pub passed_over: Vec<(RepoPath, Excess)>,
}

/// What became of bringing the catalog up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Files of the place.
    pub files: usize,
    /// Files that were read.
    pub read: usize,
    /// Contents that were new.
    pub added: usize,
    /// Contents that stood nowhere any more and were removed.
    pub removed: usize,
    /// What there is now.
    pub measure: Measure,
}

/// What there is, and how much of it is out of date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Files of the place.
    pub files: usize,
    /// Files that would have to be read.
    pub unread: usize,
    /// What there is.
    pub measure: Measure,
}

/// What a look at the catalog came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// There is none.
    Nothing,
    /// What is there cannot be read: it is damaged, another version of the program wrote it, this user may not, or somebody writes it.
    Unusable,
    /// It is there.
    There(Standing),
}

/// Why there is no answer.
enum Halt {
    /// The request, or the repository.
    Refused(Box<Diagnostic>),
    /// The store.
    Trouble(Trouble),
}

impl From<Diagnostic> for Halt {
    fn from(diagnostic: Diagnostic) -> Halt {
        Halt::Refused(Box::new(diagnostic))
    }
}

impl From<Trouble> for Halt {
    fn from(trouble: Trouble) -> Halt {
        Halt::Trouble(trouble)
    }
}

/// Returns what goes by `name` in the files of `source` that `pathspecs` match (none: all of them), once the catalog knows
/// them all; `None` when it cannot be had.
pub fn find(
    repo: &Repo,
    source: &Source,
    pathspecs: &[String],
    name: &str,
    progress: Progress<'_>,
) -> Result<Option<Hits>, Diagnostic> {
    let found = with_store(repo, |store| {
        let mut work = Work::of(repo, source, store)?;
        let (chosen, _) = work.catch_up(store, pathspecs, progress)?;
        search::hits(repo, source, store, &work, &chosen, name)
    })?;
    Ok(found.map(|(hits, store)| {
        // What could not be tidied up is next time.
        let _ = store.end();
        hits
    }))
}

/// Returns the names of all segments of the files of `source`; `None` when they cannot be had without reading every file.
pub fn names(
    repo: &Repo,
    source: &Source,
    pathspecs: &[String],
    progress: Progress<'_>,
) -> Result<Option<BTreeSet<String>>, Diagnostic> {
    let found = with_store(repo, |store| {
        let mut work = Work::of(repo, source, store)?;
        let (chosen, _) = work.catch_up(store, pathspecs, progress)?;
        search::names(repo, store, &work, &chosen)
    })?;
    Ok(found.map(|(names, _)| names))
}

/// Brings the catalog up to date with the files of `source`; `None` when it cannot be had.
pub fn refresh(
    repo: &Repo,
    source: &Source,
    progress: Progress<'_>,
) -> Result<Option<Refreshed>, Diagnostic> {
    let done = with_store(repo, |store| {
        let mut work = Work::of(repo, source, store)?.kept_in_any_case();
        let (_, Caught { read, added }) = work.catch_up(store, &[], progress)?;
        Ok((work.roll().len(), read, added))
    })?;
    Ok(done.and_then(|((files, read, added), store)| {
        let (removed, measure) = store.end().ok()?;
        Some(Refreshed {
            files,
            read,
            added,
            removed,
            measure,
        })
    }))
}

/// Returns what there is and how much of it is out of date, and changes nothing.
pub fn standing(repo: &Repo, source: &Source) -> Result<Looked, Diagnostic> {
    let Some(folder) = folder(repo).filter(|folder| store::file(folder).symlink_metadata().is_ok())
    else {
        return Ok(Looked::Nothing);
    };
    let Some(store) = Store::glance(&folder) else {
        return Ok(Looked::Unusable);
    };
    let look = || -> Result<Standing, Halt> {
        let work = Work::of(repo, source, &store)?;
        let (files, unread) = (work.roll().len(), work.look(&[])?.doubtful.len());
        Ok(Standing {
            files,
            unread,
            measure: store.measure()?,
        })
    };
    match look() {
        Ok(standing) => Ok(Looked::There(standing)),
        Err(Halt::Refused(refusal)) => Err(*refusal),
        Err(Halt::Trouble(_)) => Ok(Looked::Unusable),
    }
}

/// Removes the catalog; says whether there was one.
pub fn drop_all(repo: &Repo) -> Result<bool, Diagnostic> {
    let file = path(repo)?;
    let failed = |why: String| {
        Diagnostic::new(
            Code::Io,
            format!("could not remove {}: {why}", file.display()),
        )
    };
    store::remove(file.parent().unwrap_or(&file)).map_err(|stuck| match stuck {
        Stuck::InUse => {
            failed("another process uses it".to_owned()).note("try again once that has ended")
        }
        Stuck::Failed(error) => failed(error.to_string()),
    })
}

/// Returns where the catalog is kept; a refusal for callers who have no cache folder.
pub fn path(repo: &Repo) -> Result<PathBuf, Diagnostic> {
    let nowhere = || {
        Diagnostic::new(
            Code::Io,
            "there is no cache folder of yours to keep an index in",
        )
    };
    let folder =
        folder(repo).ok_or_else(|| nowhere().note("it is `$XDG_CACHE_HOME`, or `~/.cache`"))?;
    Ok(store::file(&folder))
}

/// Returns the segments of `bytes`, which stand at `path`, if they were told before.
pub fn segments(repo: &Repo, path: &RepoPath, bytes: &Blob) -> Option<Vec<Segment>> {
    let known = known(repo, path, bytes)?;
    Some(
        known
            .into_iter()
            .map(|known| known.called.segment)
            .collect(),
    )
}

/// Returns the definition whose qualified name is `qualified`, dots between its components and nowhere else, if the segments of
/// `bytes` were told before and there is exactly one.
pub fn definition(repo: &Repo, path: &RepoPath, bytes: &Blob, qualified: &str) -> Option<Segment> {
    let mut known = known(repo, path, bytes)?
        .into_iter()
        .map(|known| known.called);
    let is_it = |called: &Called| called.sort == Sort::Code && called.qualified == qualified;
    let found = known.find(is_it)?;
    (found.is_plain && !known.any(|other| is_it(&other))).then_some(found.segment)
}

fn known(repo: &Repo, path: &RepoPath, bytes: &Blob) -> Option<Vec<Known>> {
    if bytes.len() < worth_asking(path) {
        return None;
    }
    let store = Store::glance(&folder(repo)?)?;
    let number = store
        .number(&key(&bytes.id(repo.hash_kind()), path)?)
        .ok()??;
    match Told::read(&store.told(number).ok()?, path, width(repo.hash_kind()))? {
        Told::Segments(known) => Some(known),
        Told::Scaffolded | Told::Excessive(_) => None,
    }
}

/// Returns below how many bytes a file at `path` is parsed sooner than asked for: to open the store and to hash the file costs about
/// a millisecond, in which the parsers of Python, Markdown and configuration get through some sixty thousand bytes, and tree-sitter
/// through less than a tenth of that.
fn worth_asking(path: &RepoPath) -> usize {
    let is_quick = |language: &&Language| {
        let own = [&python::PYTHON, &markdown::MARKDOWN]
            .into_iter()
            .any(|quick| std::ptr::eq(quick, *language));
        own || language.grammar.format().is_some()
    };
    if language_of(path).as_ref().is_some_and(is_quick) {
        64 << 10
    } else {
        8 << 10
    }
}

/// Returns the folder that the catalog is kept in. It is the caller's own: from what is kept here follows which
/// bytes an edit replaces, and what stood in the git folder, whoever made that could have written.
fn folder(repo: &Repo) -> Option<PathBuf> {
    repo.cache_place()
}

/// Does `work` with the store. Where that turns out to be damaged it is done once more with an empty one.
fn with_store<T>(
    repo: &Repo,
    work: impl Fn(&mut Store) -> Result<T, Halt>,
) -> Result<Option<(T, Store)>, Diagnostic> {
    for _ in 0..2 {
        let Some(Ok(mut store)) = repo.cache().map(|folder| Store::open(&folder)) else {
            return Ok(None);
        };
        match work(&mut store) {
            Ok(done) => return Ok(Some((done, store))),
            Err(Halt::Refused(refusal)) => return Err(*refusal),
            Err(Halt::Trouble(Trouble::Unusable)) => return Ok(None),
            Err(Halt::Trouble(Trouble::Broken)) => {
                if store.condemn().is_err() {
                    return Ok(None);
                }
            }
        }
    }
    Ok(None)
}

/// Returns the key of a content at `path`: its id, and what of the path decides how it is read. `None` for an id that is none.
fn key(id: &Id, path: &RepoPath) -> Option<Vec<u8>> {
    if id.0.bytes().all(|digit| digit == b'0') {
        return None;
    }
    let mut key: Vec<u8> =
        id.0.as_bytes()
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| digits(*pair))
            .collect::<Option<_>>()?;
    let language = language_of(path).and_then(|language| {
        LANGUAGES
            .iter()
            .position(|known| std::ptr::eq(*known, language))
    });
    key.push(language.map_or(Some(0), |at| u8::try_from(at + 1).ok())?);
    let name = path.file_name().to_ascii_lowercase();
    // How the address of a block is written hangs on the ending too.
    let is_markdown = name.ends_with(".md") || name.ends_with(".markdown");
    key.push(u8::from(jinja::is_template(path)) | u8::from(is_markdown) << 1);
    Some(key)
}

fn digits(pair: [u8; 2]) -> Option<u8> {
    let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
    u8::try_from(high? << 4 | low?).ok()
}

/// Returns how many hexadecimal digits an id has.
fn width(hash: HashKind) -> usize {
    match hash {
        HashKind::Sha1 => 40,
        HashKind::Sha256 => 64,
    }
}

/// Says whether anything in the file can have a name.
pub fn may_name(path: &RepoPath, bytes: &[u8]) -> bool {
    let holds = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
    language_of(path).is_some() || holds(b"{%") || holds(b"region")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_content_and_what_of_the_path_decides_how_it_is_read() {
        let of = |id: &str, path: &str| key(&Id(id.to_owned()), &RepoPath::parse(path).unwrap());
        let (one, other) = ("ab".repeat(20), "ac".repeat(20));
        let same = [
            ("a.py", "d/b.py"),
            ("a.md", "b.markdown"),
            ("x", "y.txt"),
            ("a.html", "b.htm"),
            ("a.j2", "b.tmpl"),
        ];
        for (left, right) in same {
            assert_eq!(of(&one, left), of(&one, right), "{left} {right}");
        }
        let apart = [
            ("a.py", "a.rs"),
            ("a.py", "a"),
            ("a.json", "tsconfig.json"),
            ("a.html", "a.xhtml"),
            ("a.txt", "a.j2"),
        ];
        for (left, right) in apart {
            assert_ne!(of(&one, left), of(&one, right), "{left} {right}");
        }
        assert_ne!(of(&one, "a.py"), of(&other, "a.py"));
        assert_eq!(
            of(&"00".repeat(20), "a.py"),
            None,
            "bytes built to collide have no id"
        );
        assert_eq!(of("xy", "a.py"), None);
    }
}
