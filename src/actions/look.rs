//! Reads segments and changes nothing: `outline`, `show`, `find`.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::templates;
use super::visit;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Repo, Source};
use crate::manifest::{Address, Files, Operation, Scoped, Verb};
use crate::path::RepoPath;
use crate::resolve::scaffold::{self, Header};
use crate::resolve::{self, Document, Reading, Segment};
use crate::snapshot::{Blob, Entry, File, Obstacle};
use crate::syntax::language_of;
use crate::text::is_binary;

/// A file, in a revision or where the caller stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevPath {
    /// The revision; `None` is the worktree's file, an empty one the index.
    pub rev: Option<String>,
    /// The file.
    pub path: RepoPath,
}

/// Returns the segments of each file, or every reason why one cannot be told.
pub fn outline(repo_dir: &Path, paths: &[RevPath]) -> Result<Vec<(RepoPath, Vec<Segment>)>, Vec<Diagnostic>> {
    let repo = visit(repo_dir).map_err(|error| vec![error])?;
    let mut outlines = Vec::new();
    let mut errors = Vec::new();
    for asked in paths {
        match read(&repo, asked).and_then(told) {
            Ok(document) => outlines.push((asked.path.clone(), resolve::segments(&Reading::of(&document)))),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(outlines) } else { Err(errors) }
}

/// Returns the segment at an address, `[<rev>:]<path>::<segment>`, and its bytes.
pub fn show(repo_dir: &Path, file: &RevPath, segment: &str) -> Result<(Segment, Vec<u8>), Vec<Diagnostic>> {
    let found = || {
        let repo = visit(repo_dir)?;
        let address = Address::parse(&format!("{}::{segment}", file.path))?;
        let selector =
            address.selector.ok_or_else(|| Diagnostic::new(Code::Malformed, "the address names no segment"))?;
        let document = told(read(&repo, file)?)?;
        let reading = Reading::of(&document);
        let asked = Operation {
            id: None,
            files: Files::One(file.path.clone()),
            verb: Verb::Remove { expect: None },
            places: Default::default(),
        };
        let (target, _) = resolve::locate(&reading, &Scoped::from(selector), None, &asked)?;
        Ok((target.segment, target.span.of(&document.bytes).to_vec()))
    };
    found().map_err(|error| vec![error])
}

/// Returns the definitions and blocks of `name` in the files that a pathspec matches; without one, in every file. The name may
/// be qualified or not; all files of the worktree that git tracks are searched, in a bare repository those of HEAD.
pub fn find(repo_dir: &Path, name: &str, pathspecs: &[String]) -> Result<Vec<Segment>, Vec<Diagnostic>> {
    let searched = || {
        let repo = visit(repo_dir)?;
        let source = here(&repo)?;
        let hash = repo.hash_kind();
        let last = name.trim_start_matches("*.").trim_start_matches("block:");
        let last = last.rsplit('.').next().unwrap_or(name).trim_start_matches('#').trim();
        let finder = memchr::memmem::Finder::new(last.as_bytes());
        let found: Mutex<Vec<Segment>> = Mutex::new(Vec::new());
        let scaffolded: Mutex<Vec<Scaffolded>> = Mutex::new(Vec::new());
        repo.each_file(&source, pathspecs, |path, bytes| {
            // What the template calls a block, the file need not say.
            if let Some(Ok(header)) = scaffold::header(bytes)
                && let Ok(mut scaffolded) = scaffolded.lock()
            {
                return scaffolded.push(Scaffolded { path: path.clone(), header, bytes: bytes.into() });
            }
            if !may_name(path, bytes) || finder.find(bytes).is_none() || is_binary(bytes) {
                return;
            }
            let document = Document::new(path.clone(), bytes.into(), hash);
            let hits = resolve::segments_called(&Reading::of(&document), name);
            if let Ok(mut found) = found.lock() {
                found.extend(hits);
            }
        })?;
        let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let scaffolded = scaffolded.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.extend(in_scaffolded(&repo, &source, scaffolded, &finder, name)?);
        found.sort_by(|one, other| (path_of(one), one.start_byte).cmp(&(path_of(other), other.start_byte)));
        Ok(found)
    };
    searched().map_err(|error| vec![error])
}

/// A file that names the template that it was made from.
struct Scaffolded {
    path: RepoPath,
    header: Header,
    bytes: Blob,
}

/// Says whether anything in the file can have a name.
fn may_name(path: &RepoPath, bytes: &[u8]) -> bool {
    let holds = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
    language_of(path).is_some() || holds(b"{%") || holds(b"region")
}

/// Returns what goes by the name in `files`, whose templates are read once for all of them.
fn in_scaffolded(
    repo: &Repo,
    source: &Source,
    files: Vec<Scaffolded>,
    finder: &memchr::memmem::Finder<'_>,
    name: &str,
) -> Result<Vec<Segment>, Diagnostic> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let headers: Vec<_> = files.iter().map(|file| (file.path.clone(), file.header.clone())).collect();
    let templates = Arc::new(templates::of(repo, source, &headers)?);
    let is_in_templates = templates.files.values().any(|bytes| finder.find(bytes).is_some());
    let may_have =
        |file: &Scaffolded| (is_in_templates || finder.find(&file.bytes).is_some()) && !is_binary(&file.bytes);
    let hash = repo.hash_kind();
    let hits = files.into_iter().filter(may_have).flat_map(|file| {
        let document = Document::new(file.path, file.bytes, hash).among(&templates);
        resolve::segments_called(&Reading::of(&document), name)
    });
    Ok(hits.collect())
}

fn path_of(segment: &Segment) -> &str {
    segment.address.split("::").next().unwrap_or_default()
}

/// Returns what stands where the caller stands: the worktree, in a bare repository HEAD.
fn here(repo: &Repo) -> Result<Source, Diagnostic> {
    if repo.is_bare() { at_revision(repo, "HEAD") } else { Ok(Source::Worktree) }
}

fn at_revision(repo: &Repo, revision: &str) -> Result<Source, Diagnostic> {
    let (commit, tree) = repo.resolve_commit(revision)?;
    Ok(Source::Commit { commit, tree })
}

fn read(repo: &Repo, asked: &RevPath) -> Result<Document, Diagnostic> {
    let source = match asked.rev.as_deref() {
        None => here(repo)?,
        Some("") => Source::Index,
        Some(revision) => at_revision(repo, revision)?,
    };
    let paths = std::slice::from_ref(&asked.path);
    let snapshot = templates::beside(repo, &source, repo.snapshot(&source, paths, &[])?, &[], paths)?;
    let refuse = |code, why: &str| Err(Diagnostic::new(code, format!("{} {why}", shown(asked.path.as_str()))));
    match snapshot.entry(&asked.path) {
        Entry::File(File { bytes, .. }) => {
            Ok(Document::new(asked.path.clone(), bytes.clone(), snapshot.hash).among(&snapshot.templates))
        }
        Entry::Folder => refuse(Code::FileNotFound, "is a folder"),
        Entry::Symlink => refuse(Code::PathRefused, "is a symbolic link"),
        Entry::Submodule => refuse(Code::PathRefused, "is a submodule"),
        Entry::Behind { what: Obstacle::File, .. } => refuse(Code::FileNotFound, "does not exist"),
        Entry::Behind { what: Obstacle::Symlink, .. } => refuse(Code::PathRefused, "passes through a symbolic link"),
        Entry::Behind { what: Obstacle::Submodule, .. } => refuse(Code::PathRefused, "is inside a submodule"),
        Entry::Absent { nearest, .. } => {
            Err(Diagnostic::new(Code::FileNotFound, format!("{} does not exist", shown(asked.path.as_str())))
                .suggest(nearest.iter().map(ToString::to_string)))
        }
    }
}

/// Returns the document when its segments can be told.
fn told(document: Document) -> Result<Document, Diagnostic> {
    if is_binary(&document.bytes) {
        return Err(Diagnostic::new(Code::BinaryFile, format!("{} is binary: it holds a NUL byte", document.path)));
    }
    if document.language.is_none() && Reading::of(&document).blocks().list.is_empty() {
        return Err(resolve::refusal::unsupported_language(&document));
    }
    if document.too_large() {
        return Err(resolve::refusal::too_large(&document));
    }
    Ok(document)
}
