//! `Basis`: the files that somebody is about to edit, as they were when they were shown, and what edits make of them in memory.
//! Nothing is published, no linter runs and nothing is locked: what passes here goes through `apply` like any other batch.

use super::describe;
use super::outcome::{Outcome, Status};
use super::{projects, templates};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{ReadSource, Repo};
use crate::manifest::{Address, CheckMode, Manifest, Scoped};
use crate::path::RepoPath;
use crate::plan::{self, Candidate};
use crate::publish::{self, Hooks, Intended, PublishTarget};
use crate::resolve::{self, Document, Purpose, Reading, Segment};
use crate::snapshot::{self, Blob, Change, File, FileMode, Id, Snapshot, SnapshotEntry};
use crate::syntax::{may_have_language, told_language};
use crate::text::is_binary;
use crate::verify;

/// What may be edited and what may be read, and all of it as it was.
pub struct Basis {
    repo: Repo,
    target: PublishTarget,
    snapshot: Snapshot,
    /// Files that may be edited, those that there are not yet included; sorted.
    writable: Vec<RepoPath>,
    /// Beginnings of the paths of files that may be edited and made: folders, each with its final slash; the root's is empty.
    folders: Vec<String>,
    /// Files that may only be read.
    readable: Vec<RepoPath>,
}

impl Basis {
    /// Reads the files and folders at `write`, which may be edited, and those at `read`, for a batch that goes where `frame` says.
    /// `None` is the root. A path at which there is nothing may be made.
    pub fn of(
        repo: Repo,
        frame: &Manifest,
        write: &[Option<RepoPath>],
        read: &[Option<RepoPath>],
    ) -> Result<Basis, Vec<Diagnostic>> {
        let begun = || {
            let target = publish::aim(
                &repo,
                frame.destination,
                frame.branch.as_deref(),
                frame.base.as_deref(),
                Hooks::Skip,
            )?;
            let (mut writable, folders) = opened(&repo, &target.source, write)?;
            let (mut readable, _) = opened(&repo, &target.source, read)?;
            writable.sort();
            writable.dedup();
            readable.retain(|path| writable.binary_search(path).is_err());
            let all: Vec<RepoPath> = writable.iter().chain(&readable).cloned().collect();
            let snapshot = repo.snapshot(&target.source, &all, &[])?;
            Ok((target, snapshot, writable, folders, readable))
        };
        let (target, snapshot, writable, folders, readable) =
            begun().map_err(|error: Diagnostic| vec![error])?;
        let basis = Basis {
            repo,
            target,
            snapshot,
            writable,
            folders,
            readable,
        };
        let mut errors: Vec<Diagnostic> = basis
            .paths()
            .filter_map(|path| basis.obstacle(path))
            .collect();
        errors.extend(
            basis
                .readable
                .iter()
                .filter(|path| !basis.exists(path))
                .map(missing),
        );
        if errors.is_empty() {
            // A file that is named is meant to be edited. If it cannot be, better say so before anything is paid for.
            errors = basis.in_the_way(write).map_err(|error| vec![error])?;
        }
        if errors.is_empty() {
            Ok(basis)
        } else {
            Err(errors)
        }
    }

    /// Returns every file, those that may be edited first.
    pub fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.writable.iter().chain(&self.readable)
    }

    /// Returns the files that may be edited.
    pub fn writable(&self) -> &[RepoPath] {
        &self.writable
    }

    /// Says whether there is a file at `path`.
    pub fn exists(&self, path: &RepoPath) -> bool {
        self.snapshot.file(path).is_some()
    }

    /// Says whether `path` may be edited, or made.
    pub fn may_write(&self, path: &RepoPath) -> bool {
        let is_below = |folder: &String| path.as_str().starts_with(folder);
        self.writable.binary_search(path).is_ok() || self.folders.iter().any(is_below)
    }

    /// Says whether `path` may be read.
    pub fn may_read(&self, path: &RepoPath) -> bool {
        self.may_write(path) || self.readable.contains(path)
    }

    /// Returns what `path` holds once `changes` are made.
    pub fn bytes(&self, path: &RepoPath, changes: &[Change]) -> Option<Blob> {
        match changes.iter().find(|change| change.path == *path) {
            Some(change) => Some(change.after.as_ref()?.bytes.clone()),
            None => Some(self.snapshot.file(path)?.bytes.clone()),
        }
    }

    /// Returns the blob id of `bytes`.
    pub fn id(&self, bytes: &Blob) -> Id {
        bytes.id(self.snapshot.hash)
    }

    /// Returns the segments of `path` once `changes` are made; none where it cannot be read by name.
    pub fn segments(&self, path: &RepoPath, changes: &[Change]) -> Vec<Segment> {
        let Some(document) = self.document(path, changes) else {
            return Vec::new();
        };
        let reading = Reading::of(&document);
        if reading.excess().is_some() {
            Vec::new()
        } else {
            resolve::segments(&reading)
        }
    }

    /// Returns the segments of `path` that go by `name`, once `changes` are made.
    pub fn segments_called(&self, path: &RepoPath, name: &str, changes: &[Change]) -> Vec<Segment> {
        let Some(document) = self.document(path, changes) else {
            return Vec::new();
        };
        let reading = Reading::of(&document);
        if reading.excess().is_some() {
            Vec::new()
        } else {
            resolve::segments_called(&reading, name)
        }
    }

    /// Returns the segment called `segment` of `path` once `changes` are made, and its bytes.
    pub fn segment(
        &self,
        path: &RepoPath,
        segment: &str,
        changes: &[Change],
    ) -> Result<(Segment, Vec<u8>), Vec<Diagnostic>> {
        let found = || {
            let document = self.document(path, changes).ok_or_else(|| missing(path))?;
            let address = Address::parse(&format!("{path}::{segment}"))?;
            let selector = address
                .selector
                .ok_or_else(|| Diagnostic::new(Code::Malformed, "the address names no segment"))?;
            let reading = Reading::of(&document);
            let (target, _) =
                resolve::locate(&reading, &Scoped::from(selector), None, Purpose::Edit)?;
            Ok((target.segment, target.span.of(&document.bytes).to_vec()))
        };
        found().map_err(|error: Diagnostic| vec![error])
    }

    /// Says what `manifest` makes of the files, by every check that needs no program of the repository's.
    pub fn attempt(&self, manifest: &Manifest) -> Outcome {
        let attempted = || {
            let (paths, _) = plan::wanted_paths(manifest);
            let mut snapshot = self.snapshot.clone();
            if paths
                .iter()
                .any(|path| !snapshot.entries.contains_key(path))
            {
                let new = self.repo.snapshot(&self.target.source, &paths, &[])?;
                for (path, entry) in new.entries {
                    snapshot.entries.entry(path).or_insert(entry);
                }
            }
            let by_block = plan::asked_for_blocks(manifest, &snapshot);
            let source = &self.target.source;
            let snapshot =
                templates::templates_beside(&self.repo, source, snapshot, &[], &by_block)?;
            let wanted = plan::wanted_files(manifest);
            projects::project_beside(&self.repo, source, snapshot, &[], wanted.as_ref())
        };
        let snapshot = match attempted() {
            Ok(snapshot) => snapshot,
            Err(error) => return Outcome::describe_refused(manifest, vec![error]),
        };
        let mut outcome = Outcome::begun(manifest);
        let plan = match plan::build(manifest, &snapshot, &plan::NoServers) {
            Ok(mut plan) => {
                outcome.operations = std::mem::take(&mut plan.operations);
                plan
            }
            Err(refused) => {
                outcome.operations = refused.operations;
                outcome.fail(refused.errors);
                return outcome;
            }
        };
        let files = |made: &Candidate| describe::describe_files(made, snapshot.hash, true);
        let (look, files) = verify::check(plan, &manifest.operations, CheckMode::Strict, files);
        outcome.tell(files, manifest);
        for (index, removed) in look.removed {
            if let Some(operation) = outcome.operations.get_mut(index) {
                operation.removed.push(removed);
            }
        }
        outcome.warnings = look.warnings;
        match look.outcome {
            Ok(_) if outcome.files.is_empty() => outcome.status = Status::Unchanged,
            Ok(_) => outcome.status = Status::Verified,
            Err(rejected) => outcome.fail(rejected.errors),
        }
        outcome
    }

    fn document(&self, path: &RepoPath, changes: &[Change]) -> Option<Document> {
        let document = Document::new(path.clone(), self.bytes(path, changes)?, self.snapshot.hash);
        (!document.too_large()).then_some(document)
    }

    /// Says why `path` is nothing that can be edited by name or made.
    fn obstacle(&self, path: &RepoPath) -> Option<Diagnostic> {
        let refuse = |code, why: &str| {
            Some(Diagnostic::new(
                code,
                format!("{} {why}", shown(path.as_str())),
            ))
        };
        match self.snapshot.entry(path) {
            SnapshotEntry::File(file) if is_binary(&file.bytes) => {
                refuse(Code::BinaryFile, "is binary: it holds a NUL byte")
            }
            SnapshotEntry::File(_) | SnapshotEntry::Absent { .. } => None,
            SnapshotEntry::Folder => refuse(
                Code::FileNotFound,
                "is a folder without files that could be edited",
            ),
            SnapshotEntry::Symlink => refuse(Code::PathRefused, "is a symbolic link"),
            SnapshotEntry::Submodule => refuse(Code::PathRefused, "is a submodule"),
            SnapshotEntry::Behind { .. } => refuse(
                Code::PathRefused,
                "passes through something that is no folder",
            ),
        }
    }

    /// Returns what in the repository would refuse an edit of the files among `named`.
    fn in_the_way(&self, named: &[Option<RepoPath>]) -> Result<Vec<Diagnostic>, Diagnostic> {
        let in_folders = |path: &&RepoPath| !self.folders.contains(&format!("{path}/"));
        let edited = |path: &RepoPath| {
            let before = self.snapshot.file(path).cloned();
            let old = before.as_ref().map_or(&[][..], |file| &file.bytes);
            let mode = before
                .as_ref()
                .map_or(snapshot::FileMode::Regular, |file| file.mode);
            let after = File {
                bytes: [old, b"\n"].concat().into(),
                mode,
            };
            Change {
                path: path.clone(),
                before,
                after: Some(after),
            }
        };
        let mut changes: Vec<Change> = named
            .iter()
            .flatten()
            .filter(in_folders)
            .map(edited)
            .collect();
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        changes.dedup_by(|one, other| one.path == other.path);
        match publish::rehearse(&Intended::plain(&changes), &self.target, &self.repo) {
            Ok(_) => Ok(Vec::new()),
            Err(refusal) => Ok(refusal.diagnostics()),
        }
    }
}

/// Returns `paths` with the files of each folder in its place, and how the paths in those folders begin.
fn opened(
    repo: &Repo,
    source: &ReadSource,
    paths: &[Option<RepoPath>],
) -> Result<(Vec<RepoPath>, Vec<String>), Diagnostic> {
    let holding = repo.holding(source)?;
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for path in paths {
        if let Some(path) = path
            && (holding.file(path)?.is_some() || !holding.is_folder(path)?)
        {
            files.push(path.clone());
            continue;
        }
        let folder = path
            .as_ref()
            .map_or(String::new(), |path| format!("{path}/"));
        let is_below = |(path, mode): &(RepoPath, FileMode)| {
            path.as_str().starts_with(&folder) && may_have_language(path, *mode)
        };
        let below = repo
            .all_files(source, &[])?
            .into_iter()
            .filter(is_below)
            .map(|(path, _)| path);
        let is_told = |path: &RepoPath| {
            let file = holding.file(path).ok().flatten();
            file.is_some_and(|file| {
                !is_binary(&file.bytes) && told_language(path, &file.bytes).is_some()
            })
        };
        files.extend(below.filter(is_told));
        folders.push(folder);
    }
    Ok((files, folders))
}

fn missing(path: &RepoPath) -> Diagnostic {
    Diagnostic::new(
        Code::FileNotFound,
        format!("{} does not exist", shown(path.as_str())),
    )
}
