//! Finding names with the index, and looking after it.

use std::collections::BTreeSet;

use super::answer::{Halt, IndexLook, IndexStatus, ReadProgress, Refreshed, SearchHits};
use super::location::{folder, path};
use super::name_key::{key, width};
use super::record::{ContentSegments, IndexedSegment};
use super::search;
use super::store::{self, IndexDatabase, Stuck, Trouble};
use super::update::{Caught, Work};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{ReadSource, Repo};
use crate::path::RepoPath;
use crate::resolve::{Called, CalledKind, Segment};
use crate::snapshot::Blob;
use crate::syntax::{Language, language_of, markdown, python};

/// Returns what goes by `name` in the files of `source` that `pathspecs` match (none: all of them), once the index knows
/// them all; `None` when it cannot be had.
pub(crate) fn find(
    repo: &Repo,
    source: &ReadSource,
    pathspecs: &[String],
    name: &str,
    progress: ReadProgress<'_>,
) -> Result<Option<SearchHits>, Diagnostic> {
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
pub(crate) fn names(
    repo: &Repo,
    source: &ReadSource,
    pathspecs: &[String],
    progress: ReadProgress<'_>,
) -> Result<Option<BTreeSet<String>>, Diagnostic> {
    let found = with_store(repo, |store| {
        let mut work = Work::of(repo, source, store)?;
        let (chosen, _) = work.catch_up(store, pathspecs, progress)?;
        search::names(repo, store, &work, &chosen)
    })?;
    Ok(found.map(|(names, _)| names))
}

/// Brings the index up to date with the files of `source`; `None` when it cannot be had.
pub(crate) fn refresh(
    repo: &Repo,
    source: &ReadSource,
    progress: ReadProgress<'_>,
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
pub(crate) fn standing(repo: &Repo, source: &ReadSource) -> Result<IndexLook, Diagnostic> {
    let Some(folder) = folder(repo).filter(|folder| store::file(folder).symlink_metadata().is_ok())
    else {
        return Ok(IndexLook::Nothing);
    };
    let Some(store) = IndexDatabase::glance(&folder) else {
        return Ok(IndexLook::Unusable);
    };
    let look = || -> Result<IndexStatus, Halt> {
        let work = Work::of(repo, source, &store)?;
        let (files, unread) = (work.roll().len(), work.look(&[])?.doubtful.len());
        Ok(IndexStatus {
            files,
            unread,
            measure: store.measure()?,
        })
    };
    match look() {
        Ok(standing) => Ok(IndexLook::There(standing)),
        Err(Halt::Refused(refusal)) => Err(*refusal),
        Err(Halt::Trouble(_)) => Ok(IndexLook::Unusable),
    }
}

/// Removes the index; says whether there was one.
pub(crate) fn drop_all(repo: &Repo) -> Result<bool, Diagnostic> {
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

/// Returns the segments of `bytes`, which stand at `path`, if they were told before.
pub(crate) fn segments(repo: &Repo, path: &RepoPath, bytes: &Blob) -> Option<Vec<Segment>> {
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
pub(crate) fn definition(
    repo: &Repo,
    path: &RepoPath,
    bytes: &Blob,
    qualified: &str,
) -> Option<Segment> {
    let mut known = known(repo, path, bytes)?
        .into_iter()
        .map(|known| known.called);
    let is_it = |called: &Called| called.sort == CalledKind::Code && called.qualified == qualified;
    let found = known.find(is_it)?;
    (found.is_plain && !known.any(|other| is_it(&other))).then_some(found.segment)
}

pub(super) fn known(repo: &Repo, path: &RepoPath, bytes: &Blob) -> Option<Vec<IndexedSegment>> {
    if bytes.len() < worth_asking(path) {
        return None;
    }
    let store = IndexDatabase::glance(&folder(repo)?)?;
    let number = store
        .number(&key(&bytes.id(repo.hash_kind()), path)?)
        .ok()??;
    match ContentSegments::read(&store.told(number).ok()?, path, width(repo.hash_kind()))? {
        ContentSegments::Segments(known) => Some(known),
        ContentSegments::Scaffolded | ContentSegments::Excessive(_) => None,
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

/// Does `work` with the store. Where that turns out to be damaged it is done once more with an empty one.
fn with_store<T>(
    repo: &Repo,
    work: impl Fn(&mut IndexDatabase) -> Result<T, Halt>,
) -> Result<Option<(T, IndexDatabase)>, Diagnostic> {
    for _ in 0..2 {
        let Some(Ok(mut store)) = repo.cache().map(|folder| IndexDatabase::open(&folder)) else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Id;

    #[test]
    fn a_key_is_the_content_and_what_of_the_path_decides_how_it_is_read() {
        let of = |id: &str, path: &str| key(&Id(id.to_owned()), &RepoPath::parse(path).unwrap());
        let (one, other) = ("ab".repeat(20), "ac".repeat(20));
        let same = [
            ("a.py", "d/b.py"),
            ("a.md", "b.markdown"),
            ("x", "y.txt"),
            ("a.html", "b.htm"),
            ("a.html", "b.xhtml"),
            ("a.j2", "b.tmpl"),
        ];
        for (left, right) in same {
            assert_eq!(of(&one, left), of(&one, right), "{left} {right}");
        }
        let apart = [
            ("a.py", "a.rs"),
            ("a.py", "a"),
            ("a.json", "tsconfig.json"),
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
