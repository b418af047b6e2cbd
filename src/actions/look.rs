//! Reads segments and changes nothing: `outline`, `show`, `find`.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use super::open::settle_first;
use super::outcome::Outcome;
use super::{projects, templates};
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::git::{ReadSource, Repo};
use crate::manifest::{Address, Part, Scoped, Selector, SymbolSelector, fields};
use crate::path::RepoPath;
use crate::plan::{self, NameService as _, WantedFiles, first_docstring};
use crate::references::{self, Analysis, References, is_python_file};
use crate::resolve::called::word_of;
use crate::resolve::scaffold::{self, Header};
use crate::resolve::{self, Document, Purpose, Reading, Segment, block};
use crate::segment_index::{self, ReadProgress};
use crate::servers::Servers;
use crate::snapshot::{Blob, File, FileMode, HashKind, Id, Obstacle, SnapshotEntry};
use crate::syntax::{Excess, may_have_language, named_language};
use crate::text::is_binary;

/// A file, in a revision or where the caller stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevPath {
    /// The revision; `None` is the worktree's file, an empty one the index.
    pub rev: Option<String>,
    /// The file.
    pub path: RepoPath,
}

/// A file or folder that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedPath {
    /// A file, or a folder.
    Path(RevPath),
    /// All that there is, in a revision or where the caller is.
    Root(Option<String>),
}

impl AskedPath {
    /// Returns the revision that is asked about; `None` where it is none, and an empty one for the index.
    pub fn rev(&self) -> Option<&str> {
        match self {
            AskedPath::Path(path) => path.rev.as_deref(),
            AskedPath::Root(rev) => rev.as_deref(),
        }
    }
}

/// What files were asked for come to.
#[derive(Clone, Debug, Default)]
pub struct Outlines {
    /// The segments of each, in their order.
    pub files: Vec<(RepoPath, Vec<Segment>)>,
    /// Files of folders whose segments are not told, and why not.
    pub passed_over: Vec<(RepoPath, Excess)>,
}

/// Returns the segments of each file, or every reason why one cannot be told. For a folder those of the files in it, all below it,
/// that are text in a language that is read; those in one that this build leaves out are passed over.
pub fn outline(repo: Repo, asked: &[AskedPath]) -> Result<Outlines, Vec<Diagnostic>> {
    let reads_files = asked.iter().any(|asked| is_unsettled(&repo, asked.rev()));
    let repo = if reads_files {
        settle_first(repo).map_err(|error| vec![error])?
    } else {
        repo
    };
    let opened = with_folders_opened(&repo, asked).map_err(|error| vec![error])?;
    let paths = &opened.files[..];
    let mut outlines = Outlines {
        files: Vec::new(),
        passed_over: opened.passed_over,
    };
    let mut errors = Vec::new();
    for (at, asked) in paths.iter().enumerate() {
        match read(&repo, asked).and_then(found_names) {
            Ok(document) => {
                let known = segment_index::segments(&repo, &asked.path, &document.bytes);
                let segments = known.map_or_else(
                    || match at + 1 == paths.len() {
                        true => segments_at_parting(document),
                        false => segments(&Reading::of(&document)),
                    },
                    Ok,
                );
                match segments {
                    Ok(segments) => outlines.files.push((asked.path.clone(), segments)),
                    Err(error) => errors.push(error),
                }
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(outlines)
    } else {
        Err(errors)
    }
}

/// Returns why blocks of the files that are asked for are not told, each reason once. Files that cannot be read have none.
pub fn syntax_warnings(repo: &Repo, asked: &[AskedPath]) -> Result<Vec<String>, Diagnostic> {
    let documents = with_folders_opened(repo, asked)?
        .files
        .into_iter()
        .filter_map(|file| read(repo, &file).and_then(found_names).ok());
    Ok(documents
        .flat_map(|document| block::blocks(&document).asides)
        .map(|aside| aside.text)
        .collect())
}

/// What is asked for, with the files of each folder in its place.
#[derive(Default)]
struct OpenedPaths {
    files: Vec<RevPath>,
    passed_over: Vec<(RepoPath, Excess)>,
}

/// Returns what is asked for with the files of a folder in its place: those of languages that are read, and that are text.
fn with_folders_opened(repo: &Repo, asked: &[AskedPath]) -> Result<OpenedPaths, Diagnostic> {
    let mut opened = OpenedPaths::default();
    for asked in asked {
        let source = source_of(repo, asked.rev())?;
        let named = match asked {
            AskedPath::Path(named) => Some(named),
            AskedPath::Root(_) => None,
        };
        if let Some(named) = named
            && repo.holding(&source)?.file(&named.path)?.is_some()
        {
            opened.files.push(named.clone());
            continue;
        }
        let is_below = |path: &RepoPath| {
            let inside = |named: &RevPath| {
                path.as_str()
                    .strip_prefix(named.path.as_str())?
                    .strip_prefix('/')
            };
            named.is_none_or(|named| inside(named).is_some())
        };
        let may_be_read = |(path, mode): &(RepoPath, FileMode)| may_have_language(path, *mode);
        let files = repo
            .all_files(&source, &[])?
            .into_iter()
            .filter(may_be_read)
            .map(|(path, _)| path)
            .filter(is_below);
        let rev = asked.rev().map(str::to_owned);
        let found: Vec<RevPath> = files
            .map(|path| RevPath {
                rev: rev.clone(),
                path,
            })
            .collect();
        let mut is_folder_of_code = false;
        for file in found {
            is_folder_of_code |= named_language(&file.path).is_some();
            match read(repo, &file).and_then(found_names) {
                Ok(document) if document.left_out.is_some() => {
                    is_folder_of_code = true;
                    opened.passed_over.push((file.path, Excess::LeftOut));
                }
                Ok(document) if !document.too_large() => {
                    is_folder_of_code = true;
                    opened.files.push(file);
                }
                Ok(_) | Err(_) => {}
            }
        }
        // What is no folder either is for whoever reads it to say.
        if let Some(named) = named.filter(|_| !is_folder_of_code) {
            opened.files.push(named.clone());
        }
    }
    Ok(opened)
}

/// Says whether what is `asked` for can be half of something that was interrupted, as a commit cannot.
fn is_unsettled(repo: &Repo, rev: Option<&str>) -> bool {
    match rev {
        None => !repo.is_bare(),
        Some(revision) => revision.is_empty(),
    }
}

/// Returns the segments of the last file that is asked for. To tell them is all that is left to do, and the end of the process
/// frees what was made on the way sooner than it is freed name after name; of the files ahead of it, all that would add up.
fn segments_at_parting(document: Document) -> Result<Vec<Segment>, Diagnostic> {
    document.read_at_parting();
    let reading = Reading::of(&document);
    let segments = segments(&reading);
    std::mem::forget(reading);
    std::mem::forget(document);
    segments
}

/// Returns the segments of a file, or why they cannot be told.
fn segments(reading: &Reading<'_>) -> Result<Vec<Segment>, Diagnostic> {
    match reading.excess() {
        Some(excess) => Err(resolve::refusal::excessive(reading.document, excess)),
        None => Ok(resolve::segments(reading)),
    }
}

/// Returns the segment at an address, `[<rev>:]<path>::<segment>`, or a part of it, and its bytes.
pub fn show(
    repo: Repo,
    file: &RevPath,
    segment: &str,
    part: Option<Part>,
) -> Result<(Segment, Vec<u8>), Vec<Diagnostic>> {
    let found = || {
        let repo = if is_unsettled(&repo, file.rev.as_deref()) {
            settle_first(repo)?
        } else {
            repo
        };
        let address = Address::parse(&format!("{}::{segment}", file.path))?;
        let selector = address
            .selector
            .ok_or_else(|| Diagnostic::new(Code::Malformed, "the address names no segment"))?;
        let document = found_names(read(&repo, file)?)?;
        let known = read_plainly(&selector).filter(|_| part.is_none());
        let known = known
            .and_then(|name| segment_index::definition(&repo, &file.path, &document.bytes, &name));
        if let Some(segment) = known {
            let content = document
                .bytes
                .get(segment.start_byte..segment.end_byte)
                .unwrap_or_default()
                .to_vec();
            return Ok((segment, content));
        }
        let front = document
            .front_matter()
            .filter(|_| matches!(selector, Selector::Key(_)));
        let reading = Reading::of(front.as_ref().unwrap_or(&document));
        let (target, _) = resolve::locate(&reading, &Scoped::from(selector), part, Purpose::Edit)?;
        Ok((target.segment, target.span.of(&document.bytes).to_vec()))
    };
    found().map_err(|error| vec![error])
}

/// Returns a file's bytes and blob id. It may be in any language, but is text.
pub fn file(repo: Repo, file: &RevPath) -> Result<(Blob, Id), Vec<Diagnostic>> {
    let found = || {
        let repo = if is_unsettled(&repo, file.rev.as_deref()) {
            settle_first(repo)?
        } else {
            repo
        };
        let bytes = read(&repo, file)?.bytes;
        if is_binary(&bytes) {
            return Err(Diagnostic::new(
                Code::BinaryFile,
                format!("{} is binary: it holds a NUL byte", file.path),
            ));
        }
        let id = bytes.id(repo.hash_kind());
        Ok((bytes, id))
    };
    found().map_err(|error| vec![error])
}

/// Returns the segment called `segment` of the file at `path` as a batch leaves it, and its bytes. `None` where the batch
/// leaves none, or none that can be told from its own bytes alone.
pub fn file_after(outcome: &Outcome, path: &RepoPath, segment: &str) -> Option<(Segment, Vec<u8>)> {
    let file = outcome
        .files
        .iter()
        .find(|file| file.change.path == *path)?;
    let bytes = file.change.after.as_ref()?.bytes.clone();
    let hash = if file.new_blob.as_ref()?.0.len() > SHA1_DIGITS {
        HashKind::Sha256
    } else {
        HashKind::Sha1
    };
    let selector = Address::parse(&format!("{path}::{segment}"))
        .ok()?
        .selector?;
    let document = Document::new(path.clone(), bytes, hash);
    let reading = Reading::of(&document);
    let (target, _) =
        resolve::locate(&reading, &Scoped::from(selector), None, Purpose::Edit).ok()?;
    Some((target.segment, target.span.of(&document.bytes).to_vec()))
}

/// Digits of an id in most repositories; the others have more.
const SHA1_DIGITS: usize = 40;

/// Returns the docstring of a module, and where it is.
pub fn docstring(repo: Repo, file: &RevPath) -> Result<(Segment, Vec<u8>), Vec<Diagnostic>> {
    let found = || {
        let repo = if is_unsettled(&repo, file.rev.as_deref()) {
            settle_first(repo)?
        } else {
            repo
        };
        let document = found_names(read(&repo, file)?)?;
        let language = document.language.filter(|language| language.habits.offside);
        let span = language
            .and_then(|language| first_docstring(language, &document.bytes))
            .ok_or_else(|| {
                Diagnostic::new(
                    Code::SegmentNotFound,
                    format!("{} has no docstring", file.path),
                )
            })?;
        let segment = Reading::of(&document).describe(span, None, "docstring");
        Ok((segment, span.of(&document.bytes).to_vec()))
    };
    found().map_err(|error| vec![error])
}

/// Returns the qualified name that a selector is, when it names a definition by nothing else.
fn read_plainly(selector: &Selector) -> Option<String> {
    let symbol = match selector {
        Selector::Symbol(symbol) if !symbol.any_depth => symbol,
        Selector::Symbol(_)
        | Selector::Section(_)
        | Selector::Element(_)
        | Selector::Block(_)
        | Selector::Key(_)
        | Selector::Text(_)
        | Selector::Pattern(_)
        | Selector::Lines(_) => return None,
    };
    let names = symbol
        .components
        .iter()
        .map(|component| component.index.is_none().then_some(component.name.as_str()));
    Some(names.collect::<Option<Vec<_>>>()?.join("."))
}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct FoundNames {
    /// The segments, by file, each file's in its order.
    pub segments: Vec<Segment>,
    /// Files that the name stands in and whose segments are not told, and why not.
    pub passed_over: Vec<(RepoPath, Excess)>,
}

/// Returns every place where the name of `segment` is written, which is defined in `file`, with its verdict: of a section of Markdown every
/// link to it, of a key of a configuration file every pointer, of an id or class of a page what means it. `progress` is told when a language
/// server is asked.
pub fn references(
    repo: Repo,
    file: &RevPath,
    segment: &str,
    progress: &(dyn Fn(&str) + Send + Sync),
) -> Result<References, Diagnostic> {
    let repo = if is_unsettled(&repo, file.rev.as_deref()) {
        settle_first(repo)?
    } else {
        repo
    };
    if let Some(selector) = fields::unlike_symbol(&file.path, segment)? {
        let document = read(&repo, file)?;
        let source = source_of(&repo, file.rev.as_deref())?;
        let mut words = plan::link_words(&file.path);
        if let Selector::Element(element) = &selector {
            words.extend(element.id_or_class());
        }
        let wanted = WantedFiles {
            words,
            with_scripts: false,
        };
        let project = projects::project_of(&repo, &source, &wanted)?;
        return match &selector {
            Selector::Key(key) => plan::references_of_key(&document, &project, key),
            Selector::Element(element) => {
                plan::references_of_page_name(&document, &project, element)
            }
            _ => plan::references_of_section(&document, &project, &selector),
        };
    }
    let symbol = SymbolSelector::parse(segment).map_err(|why| {
        let message = format!("symbol `{}` {why}", shown(segment));
        Diagnostic::new(Code::Malformed, message)
    })?;
    // What is not there is told apart from what cannot be read.
    let document = read(&repo, file)?;
    let source = source_of(&repo, file.rev.as_deref())?;
    let is_script = plan::is_script(&file.path, &document.bytes);
    let wanted = WantedFiles {
        words: vec![plan::word_of(&symbol)],
        with_scripts: is_script,
    };
    let project = projects::project_of(&repo, &source, &wanted)?;
    let servers = Servers::of(&repo, &source, &[], progress);
    if !is_python_file(&file.path, &document.bytes)
        && let Some(server) = servers.server_of(&file.path)?
    {
        return plan::references_by_server(&document, &project, &symbol, (&servers, &server));
    }
    if is_script {
        return plan::references_of_script(&document, &project, &symbol);
    }
    references::references(&Analysis::of(&project), &file.path, &symbol)
}

/// Returns the definitions and blocks of `name` in the files that a pathspec matches; without one, in every file. The name may
/// be qualified or not; all files of the worktree that git tracks are searched, in a bare repository those of HEAD.
pub fn find(
    repo: Repo,
    name: &str,
    pathspecs: &[String],
    progress: ReadProgress<'_>,
) -> Result<FoundNames, Vec<Diagnostic>> {
    let searched = || {
        let repo = if repo.is_bare() {
            repo
        } else {
            settle_first(repo)?
        };
        let source = here(&repo)?;
        let (mut found, scaffolded) =
            match segment_index::find(&repo, &source, pathspecs, name, progress)? {
                Some(hits) => {
                    let passed_over = files_having(&repo, &source, hits.passed_over, name)?;
                    let found = FoundNames {
                        segments: hits.segments,
                        passed_over,
                    };
                    (found, scaffolded_among(&repo, &source, &hits.scaffolded)?)
                }
                None => read_all(&repo, &source, pathspecs, name)?,
            };
        in_scaffolded(&repo, &source, scaffolded, name, &mut found)?;
        found.segments.sort_by(|one, other| {
            (one.path(), one.start_byte).cmp(&(other.path(), other.start_byte))
        });
        found.passed_over.sort();
        Ok(found)
    };
    searched().map_err(|error| vec![error])
}

/// Returns names that are spelled much like `name`, nearest first, or as the program writes what others write as `A::f`, `A#f`
/// or `f()`.
pub fn names_like(
    repo: &Repo,
    name: &str,
    pathspecs: &[String],
    progress: ReadProgress<'_>,
) -> Result<Vec<String>, Diagnostic> {
    const MOST_OFFERED: usize = 3;
    let source = here(repo)?;
    let names = match segment_index::names(repo, &source, pathspecs, progress)? {
        Some(names) => names,
        None => read_names(repo, &source, pathspecs)?,
    };
    let own = name
        .trim_end_matches("()")
        .rsplit(['.', ':', '#'])
        .next()
        .unwrap_or(name);
    let found = nearest(own, names.iter().map(String::as_str), MOST_OFFERED);
    Ok(found.into_iter().map(str::to_owned).collect())
}

/// Returns the names of all segments, found by reading every file.
fn read_names(
    repo: &Repo,
    source: &ReadSource,
    pathspecs: &[String],
) -> Result<BTreeSet<String>, Diagnostic> {
    let names: Mutex<BTreeSet<String>> = Mutex::default();
    let hash = repo.hash_kind();
    repo.each_file(source, pathspecs, |path, bytes| {
        if !segment_index::may_name(path, bytes)
            || is_binary(bytes)
            || matches!(scaffold::header(bytes), Some(Ok(_)))
        {
            return;
        }
        let document = Document::new(path.clone(), bytes.into(), hash);
        let reading = Reading::of(&document);
        let all = if reading.excess().is_none() {
            resolve::called::all(&reading)
        } else {
            Vec::new()
        };
        if let Ok(mut names) = names.lock() {
            names.extend(all.into_iter().map(|called| called.segment.name));
        }
    })?;
    Ok(names.into_inner().unwrap_or_default())
}

/// Does what the index does by reading every file.
fn read_all(
    repo: &Repo,
    source: &ReadSource,
    pathspecs: &[String],
    name: &str,
) -> Result<(FoundNames, Vec<Scaffolded>), Diagnostic> {
    let hash = repo.hash_kind();
    let finder = memchr::memmem::Finder::new(word_of(name).as_bytes());
    let found: Mutex<FoundNames> = Mutex::default();
    let scaffolded: Mutex<Vec<Scaffolded>> = Mutex::default();
    repo.each_file(source, pathspecs, |path, bytes| {
        // What the template calls a block, the file need not say.
        if let Some(Ok(header)) = scaffold::header(bytes)
            && let Ok(mut scaffolded) = scaffolded.lock()
        {
            return scaffolded.push(Scaffolded {
                path: path.clone(),
                header,
                bytes: bytes.into(),
            });
        }
        if !segment_index::may_name(path, bytes) || finder.find(bytes).is_none() || is_binary(bytes)
        {
            return;
        }
        let document = Document::new(path.clone(), bytes.into(), hash);
        let hits = names_called(&document, name);
        if let Ok(mut found) = found.lock() {
            found.add(path, hits);
        }
    })?;
    Ok((taken_names(found), taken_names(scaffolded)))
}

/// Returns what goes by the name in a file.
fn names_called(document: &Document, name: &str) -> Result<Vec<Segment>, Excess> {
    let reading = Reading::of(document);
    reading
        .excess()
        .map_or_else(|| Ok(resolve::segments_called(&reading, name)), Err)
}

impl FoundNames {
    fn add(&mut self, path: &RepoPath, hits: Result<Vec<Segment>, Excess>) {
        match hits {
            Ok(segments) => self.segments.extend(segments),
            Err(excess) => self.passed_over.push((path.clone(), excess)),
        }
    }
}

/// Returns those of the files in which the name stands: of any other nothing is missed.
fn files_having(
    repo: &Repo,
    source: &ReadSource,
    files: Vec<(RepoPath, Excess)>,
    name: &str,
) -> Result<Vec<(RepoPath, Excess)>, Diagnostic> {
    let paths: Vec<RepoPath> = files.iter().map(|(path, _)| path.clone()).collect();
    let finder = memchr::memmem::Finder::new(word_of(name).as_bytes());
    let having: Mutex<Vec<(RepoPath, Excess)>> = Mutex::default();
    repo.each_lazy_file(source, &paths, |at, file| {
        if finder.find(&file.bytes()?).is_some()
            && let Ok(mut having) = having.lock()
        {
            having.extend(files.get(at).cloned());
        }
        Ok(())
    })?;
    Ok(taken_names(having))
}

/// Reads the files that the index says are made from templates.
fn scaffolded_among(
    repo: &Repo,
    source: &ReadSource,
    paths: &[RepoPath],
) -> Result<Vec<Scaffolded>, Diagnostic> {
    let scaffolded: Mutex<Vec<Scaffolded>> = Mutex::default();
    repo.each_lazy_file(source, paths, |at, file| {
        let bytes = file.bytes()?;
        if let Some((path, Ok(header))) = paths.get(at).zip(scaffold::header(&bytes))
            && let Ok(mut scaffolded) = scaffolded.lock()
        {
            scaffolded.push(Scaffolded {
                path: path.clone(),
                header,
                bytes,
            });
        }
        Ok(())
    })?;
    let mut scaffolded = taken_names(scaffolded);
    scaffolded.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(scaffolded)
}

fn taken_names<T>(gathered: Mutex<T>) -> T {
    gathered
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A file that names the template that it was made from.
struct Scaffolded {
    path: RepoPath,
    header: Header,
    bytes: Blob,
}

/// Adds what goes by the name in `files`, whose templates are read once for all of them.
fn in_scaffolded(
    repo: &Repo,
    source: &ReadSource,
    files: Vec<Scaffolded>,
    name: &str,
    found: &mut FoundNames,
) -> Result<(), Diagnostic> {
    if files.is_empty() {
        return Ok(());
    }
    let finder = memchr::memmem::Finder::new(word_of(name).as_bytes());
    let headers: Vec<_> = files
        .iter()
        .map(|file| (file.path.clone(), file.header.clone()))
        .collect();
    let templates = Arc::new(templates::templates_of(repo, source, &headers)?);
    let is_in_templates = templates
        .files
        .values()
        .any(|bytes| finder.find(bytes).is_some());
    let may_have = |file: &Scaffolded| {
        (is_in_templates || finder.find(&file.bytes).is_some()) && !is_binary(&file.bytes)
    };
    let hash = repo.hash_kind();
    for file in files.into_iter().filter(may_have) {
        let document = Document::new(file.path, file.bytes, hash).among(&templates);
        found.add(&document.path, names_called(&document, name));
    }
    Ok(())
}

/// Returns what stands where the caller stands: the worktree, in a bare repository HEAD.
pub(super) fn here(repo: &Repo) -> Result<ReadSource, Diagnostic> {
    if repo.is_bare() {
        at_revision(repo, "HEAD")
    } else {
        Ok(ReadSource::Worktree)
    }
}

fn at_revision(repo: &Repo, revision: &str) -> Result<ReadSource, Diagnostic> {
    repo.source_at(revision)
}

fn source_of(repo: &Repo, rev: Option<&str>) -> Result<ReadSource, Diagnostic> {
    match rev {
        None => here(repo),
        Some("") => Ok(ReadSource::Index),
        Some(revision) => at_revision(repo, revision),
    }
}

fn read(repo: &Repo, asked: &RevPath) -> Result<Document, Diagnostic> {
    let source = source_of(repo, asked.rev.as_deref())?;
    if let Some(document) = read_alone(repo, &source, &asked.path) {
        return Ok(document);
    }
    let paths = std::slice::from_ref(&asked.path);
    let snapshot = templates::templates_beside(
        repo,
        &source,
        repo.snapshot(&source, paths, &[])?,
        &[],
        paths,
    )?;
    let refuse = |code, why: &str| {
        Err(Diagnostic::new(
            code,
            format!("{} {why}", shown(asked.path.as_str())),
        ))
    };
    match snapshot.entry(&asked.path) {
        SnapshotEntry::File(File { bytes, .. }) => {
            Ok(
                Document::new(asked.path.clone(), bytes.clone(), snapshot.hash)
                    .among(&snapshot.templates),
            )
        }
        SnapshotEntry::Folder => refuse(Code::FileNotFound, "is a folder"),
        SnapshotEntry::Symlink => refuse(Code::PathRefused, "is a symbolic link"),
        SnapshotEntry::Submodule => refuse(Code::PathRefused, "is a submodule"),
        SnapshotEntry::Behind {
            what: Obstacle::File,
            ..
        } => refuse(Code::FileNotFound, "does not exist"),
        SnapshotEntry::Behind {
            what: Obstacle::Symlink,
            ..
        } => refuse(Code::PathRefused, "passes through a symbolic link"),
        SnapshotEntry::Behind {
            what: Obstacle::Submodule,
            ..
        } => refuse(Code::PathRefused, "is inside a submodule"),
        SnapshotEntry::Absent { nearest, .. } => Err(Diagnostic::new(
            Code::FileNotFound,
            format!("{} does not exist", shown(asked.path.as_str())),
        )
        .suggest(nearest.iter().map(ToString::to_string))),
    }
}

/// Returns a file that no other has a say in: its bytes are all that it takes, not even what HEAD is has to be found out.
/// `None` where there is more to be read, or to be said.
fn read_alone(repo: &Repo, source: &ReadSource, path: &RepoPath) -> Option<Document> {
    let File { bytes, .. } = repo.holding(source).ok()?.file(path).ok()??;
    scaffold::header(&bytes)
        .is_none()
        .then(|| Document::new(path.clone(), bytes, repo.hash_kind()))
}

/// Returns the document when its segments can be told.
fn found_names(document: Document) -> Result<Document, Diagnostic> {
    if is_binary(&document.bytes) {
        return Err(Diagnostic::new(
            Code::BinaryFile,
            format!("{} is binary: it holds a NUL byte", document.path),
        ));
    }
    if document.language.is_none() {
        let reading = Reading::of(&document);
        if reading.blocks().list.is_empty() && reading.excess().is_none() {
            return Err(resolve::refusal::unsupported_language(&document));
        }
    }
    if document.too_large() {
        return Err(resolve::refusal::too_large(&document));
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    const FILES: [(&str, &str); 3] = [
        ("src/a.nowhere", "fn f() {}\n"),
        ("src/b.nowhere", "// region f\nfn g() {}\n// endregion\n"),
        ("src/c.py", "def f():\n    pass\n"),
    ];

    fn path(path: &str) -> RevPath {
        RevPath {
            rev: None,
            path: RepoPath::parse(path).unwrap(),
        }
    }

    fn left_out(files: &[&str]) -> Vec<(RepoPath, Excess)> {
        let path = |file: &&str| (RepoPath::parse(file).unwrap(), Excess::LeftOut);
        files.iter().map(path).collect()
    }

    #[test]
    fn scripts_are_told_by_their_first_lines() {
        let script = "#!/usr/bin/env python3\ndef f():\n    pass\n";
        let files = [
            ("bin/run", script),
            ("bin/run.erb", script),
            ("bin/LICENSE", "def f():\n    pass\n"),
            ("bin/lost", "#!/usr/bin/perl\nsub f { 1 }\n"),
        ];
        let sandbox = Sandbox::with(&[], &files);
        let asked = [AskedPath::Path(path("bin"))];
        let outlines = outline(sandbox.repo(), &asked).unwrap();
        let addresses = |segments: &[Segment]| -> Vec<String> {
            let addresses = segments.iter().map(|segment| segment.address.clone());
            addresses.collect()
        };
        assert_eq!(outlines.files.len(), 1);
        assert_eq!(addresses(&outlines.files[0].1), ["bin/run::f"]);
        assert_eq!(outlines.passed_over, []);
        let (segment, bytes) = show(sandbox.repo(), &path("bin/run"), "f", None).unwrap();
        assert_eq!(segment.kind, "function");
        assert_eq!(bytes, b"def f():\n    pass");
        for _ in 0..2 {
            let found = find(sandbox.repo(), "f", &[], &|_, _| {}).unwrap();
            assert_eq!(addresses(&found.segments), ["bin/run::f"]);
        }
        let missing = show(sandbox.repo(), &path("bin/run"), "g", None).unwrap_err();
        assert_eq!(missing[0].code, Code::SegmentNotFound);
        let unread = show(sandbox.repo(), &path("bin/lost"), "f", None).unwrap_err();
        assert_eq!(unread[0].code, Code::UnsupportedLanguage);
    }

    #[test]
    fn files_in_a_language_that_is_left_out_are_passed_over_aloud() {
        let sandbox = Sandbox::with(&[], &FILES);
        let asked = [AskedPath::Path(path("src"))];
        let outlines = outline(sandbox.repo(), &asked).unwrap();
        assert_eq!(outlines.files.len(), 1);
        assert_eq!(outlines.files[0].0.as_str(), "src/c.py");
        assert_eq!(
            outlines.passed_over,
            left_out(&["src/a.nowhere", "src/b.nowhere"])
        );
        for file in ["src/a.nowhere", "src/b.nowhere"] {
            let refused = outline(sandbox.repo(), &[AskedPath::Path(path(file))]).unwrap_err();
            assert_eq!(refused[0].code, Code::UnsupportedLanguage, "{file}");
        }
        let refused = show(sandbox.repo(), &path("src/a.nowhere"), "f", None).unwrap_err();
        assert_eq!(refused[0].code, Code::UnsupportedLanguage);
        // The second time they are known to the index.
        for _ in 0..2 {
            let found = find(sandbox.repo(), "g", &[], &|_, _| {}).unwrap();
            assert!(found.segments.is_empty());
            assert_eq!(found.passed_over, left_out(&["src/b.nowhere"]));
            let found = find(sandbox.repo(), "f", &[], &|_, _| {}).unwrap();
            assert_eq!(found.segments.len(), 1);
            assert_eq!(
                found.passed_over,
                left_out(&["src/a.nowhere", "src/b.nowhere"])
            );
        }
    }
}
