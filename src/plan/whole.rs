//! Verbs on whole files: `create`, `remove`, `chmod`, `rename_file`; and which entries may be edited at all.

use std::collections::{BTreeMap, HashMap};

use super::wanted::paths_of;
use super::{Candidate, FileEdit, Step, WrittenContent};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Expect, Files, Operation, Verb};
use crate::path::{RepoPath, folded};
use crate::snapshot::{Base, File, FileMode, Obstacle, Snapshot, SnapshotEntry};
use crate::text::is_binary;

/// What whole-file verbs make of paths, before edits inside files are merged in.
pub(super) struct WholeFiles {
    /// Files that come or go.
    pub moves: Vec<FileEdit>,
    /// Every refusal.
    pub errors: Vec<Diagnostic>,
}

/// Says whether a verb edits inside a file.
pub(super) fn edits_inside(verb: &Verb) -> bool {
    match verb {
        Verb::Replace { .. }
        | Verb::Insert { .. }
        | Verb::Delete { .. }
        | Verb::Substitute { .. }
        | Verb::Import { .. }
        | Verb::Unimport { .. } => true,
        Verb::Create { .. }
        | Verb::Remove { .. }
        | Verb::Chmod { .. }
        | Verb::Rename { .. }
        | Verb::RenameFile { .. }
        | Verb::Move { .. } => false,
    }
}

/// Says whether a whole-file verb changes anything: all do but a rename onto itself and a mode that is there already.
pub(super) fn changes_something(operation: &Operation, snapshot: &Snapshot) -> bool {
    match (&operation.verb, &operation.files) {
        (Verb::Create { .. } | Verb::Remove { .. }, _) => true,
        (Verb::RenameFile { to, .. }, Files::One(from)) => to != from,
        (Verb::Chmod { executable }, Files::One(path)) => snapshot
            .file(path)
            .is_some_and(|file| file.mode != mode_of(*executable)),
        _ => false,
    }
}

/// Returns the file that an operation edits, or why it may not.
pub(super) fn editable<'s>(
    snapshot: &'s Snapshot,
    path: &RepoPath,
    operation: &Operation,
) -> Result<&'s File, Diagnostic> {
    let file = existing(snapshot, path, operation, "file")?;
    let takes_binary = matches!(operation.verb, Verb::Replace { selector: None, .. });
    let lists = matches!(operation.files, Files::Matching(_));
    if is_binary(&file.bytes) && !takes_binary && !lists {
        return Err(Diagnostic::new(Code::BinaryFile, format!("{path} is binary: it holds a NUL byte"))
            .note("`create`, `remove`, `chmod`, `rename_file` and a `replace` without a selector take binary files")
            .at(operation.place("file")));
    }
    Ok(file)
}

/// No file matches the pathspecs.
pub(super) fn no_match(operation: &Operation) -> Diagnostic {
    let specs = match &operation.files {
        Files::Matching(specs) => specs.join(" "),
        Files::One(path) => path.to_string(),
    };
    Diagnostic::new(
        Code::FileNotFound,
        format!("no file matches {}", crate::diagnostic::shown(&specs)),
    )
    .at(operation.place("files"))
}

/// Returns the regular file at `path`, or what stands there instead.
fn existing<'s>(
    snapshot: &'s Snapshot,
    path: &RepoPath,
    operation: &Operation,
    field: &str,
) -> Result<&'s File, Diagnostic> {
    let shown = crate::diagnostic::shown(path.as_str());
    let refuse = |code, why: &str| {
        Err(Diagnostic::new(code, format!("{shown} {why}")).at(operation.place(field)))
    };
    match snapshot.entry(path) {
        SnapshotEntry::File(file) => Ok(file),
        SnapshotEntry::Folder => refuse(Code::FileNotFound, "is a folder, not a file"),
        SnapshotEntry::Symlink => refuse(
            Code::PathRefused,
            "is a symbolic link; edit what it points to by its own path",
        ),
        SnapshotEntry::Submodule => refuse(
            Code::PathRefused,
            "is a submodule; run the edit in its own repository",
        ),
        SnapshotEntry::Behind { what, at } => refuse(Code::PathRefused, &find_obstacle(*what, at)),
        SnapshotEntry::Absent { nearest, .. } => {
            let refusal = Diagnostic::new(
                Code::FileNotFound,
                format!("{shown} does not exist in the snapshot"),
            );
            let note = "a file that git does not track yet is edited with `--destination worktree`";
            let refusal = if matches!(snapshot.base, Base::Worktree { .. }) || !nearest.is_empty() {
                refusal
            } else {
                refusal.note(note)
            };
            Err(refusal
                .suggest(nearest.iter().map(ToString::to_string))
                .at(operation.place(field)))
        }
    }
}

fn find_obstacle(what: Obstacle, at: &RepoPath) -> String {
    let at = crate::diagnostic::shown(at.as_str());
    match what {
        Obstacle::Symlink => format!("passes through the symbolic link {at}"),
        Obstacle::Submodule => {
            format!("is inside the submodule {at}; run the edit in its own repository")
        }
        Obstacle::File => format!("passes through {at}, which is a file"),
    }
}

/// Refuses unless a new file can stand at `path`.
pub(super) fn check_vacant(
    snapshot: &Snapshot,
    path: &RepoPath,
    operation: &Operation,
    field: &str,
) -> Result<(), Diagnostic> {
    let shown = crate::diagnostic::shown(path.as_str());
    let refuse = |code, why: &str| {
        Err(Diagnostic::new(code, format!("{shown} {why}")).at(operation.place(field)))
    };
    match snapshot.entry(path) {
        SnapshotEntry::Absent { twin: None, .. } => Ok(()),
        SnapshotEntry::Absent {
            twin: Some(twin), ..
        } => {
            let is_folder = twin.as_str().matches('/').count() < path.as_str().matches('/').count();
            let what = if is_folder {
                "in the folder"
            } else {
                "the same file as"
            };
            refuse(
                Code::FileExists,
                &format!("would be {what} {twin} where names are folded"),
            )
        }
        SnapshotEntry::File(_) => refuse(Code::FileExists, "exists already"),
        SnapshotEntry::Folder => refuse(Code::FileExists, "exists already, as a folder"),
        SnapshotEntry::Symlink => refuse(Code::FileExists, "exists already, as a symbolic link"),
        SnapshotEntry::Submodule => refuse(Code::PathRefused, "is a submodule"),
        SnapshotEntry::Behind { what, at } => refuse(Code::PathRefused, &find_obstacle(*what, at)),
    }
}

/// Refuses new files of one batch that would be the same file, or in the same folder under two names, where names are folded.
pub(super) fn refuse_twins(candidate: &Candidate, operations: &[Operation]) -> Vec<Diagnostic> {
    let came: Vec<&RepoPath> = candidate
        .changes()
        .iter()
        .filter(|change| change.before.is_none())
        .map(|change| &change.path)
        .collect();
    if came.len() < 2 {
        return Vec::new();
    }
    let makes = |edit: &&FileEdit| edit.before.is_none() && edit.after.is_some();
    let edits = candidate
        .steps()
        .iter()
        .flat_map(|step| &step.files)
        .filter(makes);
    let makers: HashMap<&RepoPath, &FileEdit> = edits.map(|edit| (&edit.path, edit)).collect();
    let mut known: HashMap<String, &str> = HashMap::new();
    let mut errors = Vec::new();
    for path in came {
        let maker = makers.get(path);
        let path = path.as_str();
        let ends = path
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([path.len()]);
        let twin = ends.filter_map(|end| {
            let known = *known.entry(folded(&path[..end])).or_insert(&path[..end]);
            (known != &path[..end]).then_some(known)
        });
        let Some(twin) = twin.min_by_key(|twin| twin.len()) else {
            continue;
        };
        let message = format!(
            "{} would be the same as {} where names are folded",
            shown(path),
            shown(twin)
        );
        let error = Diagnostic::new(Code::FileExists, message);
        let index = maker.and_then(|edit| edit.operation_at(0));
        errors.push(
            match index.and_then(|index| Some((index, operations.get(index)?))) {
                Some((index, operation)) => error.at(operation.place("file")).of_operation(index),
                None => error,
            },
        );
    }
    errors
}

/// Decides what the whole-file verbs at `indices` make of `snapshot`; two claims on one path are an overlap.
pub(super) fn whole_file_changes(
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
) -> WholeFiles {
    let mut whole = WholeFiles {
        moves: Vec::new(),
        errors: Vec::new(),
    };
    let mut claims: BTreeMap<RepoPath, usize> = BTreeMap::new();
    for &index in indices {
        let Some(operation) = operations.get(index) else {
            continue;
        };
        let Files::One(path) = &operation.files else {
            continue;
        };
        match file_edits(operation, index, path, snapshot) {
            Ok(edits) => {
                for edit in edits {
                    if let Some(first) = claims.insert(edit.path.clone(), index) {
                        let message = format!(
                            "operations {first} and {index} both decide what becomes of {}",
                            edit.path
                        );
                        let clash = Diagnostic::new(Code::Overlap, message).of_operation(index);
                        whole.errors.push(clash.at(operation.place("file")));
                    }
                    whole.moves.push(edit);
                }
            }
            Err(error) => whole.errors.push(error.of_operation(index)),
        }
    }
    whole.errors.extend(modes_asked(operations, indices).1);
    for &index in indices {
        let stays = |operation: &&Operation| {
            edits_inside(&operation.verb) || matches!(operation.verb, Verb::Chmod { .. })
        };
        let Some(operation) = operations.get(index).filter(stays) else {
            continue;
        };
        for path in paths_of(operation, snapshot) {
            let gone = whole
                .moves
                .iter()
                .any(|edit| edit.path == path && edit.after.is_none())
                && !whole
                    .moves
                    .iter()
                    .any(|edit| edit.moved_from.as_ref() == Some(&path));
            if let Some(&first) = claims.get(&path).filter(|_| gone) {
                let message =
                    format!("operation {index} changes {path}, which operation {first} removes");
                let clash = Diagnostic::new(Code::Overlap, message).of_operation(index);
                whole.errors.push(clash.at(operation.place("file")));
            }
        }
    }
    whole
}

fn file_edits(
    operation: &Operation,
    index: usize,
    path: &RepoPath,
    snapshot: &Snapshot,
) -> Result<Vec<FileEdit>, Diagnostic> {
    match &operation.verb {
        // What they change inside of files is found by itself.
        Verb::Rename { .. } | Verb::Move { .. } => Ok(Vec::new()),
        Verb::Create {
            content,
            executable,
        } => {
            check_vacant(snapshot, path, operation, "file")?;
            let file = File {
                mode: mode_of(*executable),
                bytes: content.as_bytes().into(),
            };
            let written = WrittenContent {
                operation: index,
                content: content.clone(),
                replaced: Vec::new(),
            };
            Ok(vec![FileEdit {
                written: vec![written],
                ..whole_file(path, None, Some(&file))
            }])
        }
        Verb::Remove { expect } => {
            let file = existing(snapshot, path, operation, "file")?;
            check_expect(expect.as_ref(), file, snapshot, path, operation)?;
            Ok(vec![whole_file(path, Some(file), None)])
        }
        Verb::RenameFile { to, .. } => {
            let file = existing(snapshot, path, operation, "file")?;
            if to == path {
                return Ok(Vec::new());
            }
            match snapshot.entry(to) {
                // A name that differs only in case or normal form may be the very file that moves.
                SnapshotEntry::Absent {
                    twin: Some(twin), ..
                } if twin == path => {}
                _ => check_vacant(snapshot, to, operation, "to")?,
            }
            let arrival = FileEdit {
                moved_from: Some(path.clone()),
                ..whole_file(to, None, Some(file))
            };
            Ok(vec![whole_file(path, Some(file), None), arrival])
        }
        Verb::Chmod { .. } => existing(snapshot, path, operation, "file").map(|_| Vec::new()),
        Verb::Replace { .. }
        | Verb::Insert { .. }
        | Verb::Delete { .. }
        | Verb::Substitute { .. }
        | Verb::Import { .. }
        | Verb::Unimport { .. } => Ok(Vec::new()),
    }
}

fn mode_of(executable: bool) -> FileMode {
    if executable {
        FileMode::Executable
    } else {
        FileMode::Regular
    }
}

/// Returns what `chmod` makes of the files as `step`, of the same operations, leaves them: moved, edited or as they are.
pub(super) fn mode_changes(
    operations: &[Operation],
    snapshot: &Snapshot,
    indices: &[usize],
    step: &Step,
) -> Option<Step> {
    let mut files = Vec::new();
    for (path, (_, executable)) in modes_asked(operations, indices).0 {
        let edits = || step.files.iter();
        let edit = edits().find(|edit| edit.moved_from.as_ref() == Some(path));
        let edit = edit.or_else(|| edits().find(|edit| edit.path == *path));
        let (path, file) = match edit {
            Some(edit) => (&edit.path, edit.after.as_ref()),
            None => (path, snapshot.file(path)),
        };
        let Some(file) = file.filter(|file| file.mode != mode_of(executable)) else {
            continue;
        };
        let after = File {
            mode: mode_of(executable),
            bytes: file.bytes.clone(),
        };
        files.push(whole_file(path, Some(file), Some(&after)));
    }
    (!files.is_empty()).then_some(Step { files })
}

/// Of each path, the first operation that sets its mode, and whether it lets it be executed.
type ModesAsked<'o> = BTreeMap<&'o RepoPath, (usize, bool)>;

/// Returns what `chmod` asks for, and where two of them ask for different things.
fn modes_asked<'o>(
    operations: &'o [Operation],
    indices: &[usize],
) -> (ModesAsked<'o>, Vec<Diagnostic>) {
    let mut asked = ModesAsked::new();
    let mut clashes = Vec::new();
    for (index, operation) in indices
        .iter()
        .filter_map(|&index| Some((index, operations.get(index)?)))
    {
        let (Verb::Chmod { executable }, Files::One(path)) = (&operation.verb, &operation.files)
        else {
            continue;
        };
        let &mut (first, said) = asked.entry(path).or_insert((index, *executable));
        if said != *executable {
            let message =
                format!("operations {first} and {index} both decide what becomes of {path}");
            let clash = Diagnostic::new(Code::Overlap, message).of_operation(index);
            clashes.push(clash.at(operation.place("executable")));
        }
    }
    (asked, clashes)
}

fn whole_file(path: &RepoPath, before: Option<&File>, after: Option<&File>) -> FileEdit {
    FileEdit::whole(path.clone(), before.cloned(), after.cloned())
}

fn check_expect(
    expect: Option<&Expect>,
    file: &File,
    snapshot: &Snapshot,
    path: &RepoPath,
    operation: &Operation,
) -> Result<(), Diagnostic> {
    let Some(Expect(expected)) = expect else {
        return Ok(());
    };
    let now = file.bytes.id(snapshot.hash).0;
    if now.starts_with(expected.as_str()) {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::StaleSegment,
        format!("{path} changed since it was read"),
    )
    .note(format!("expected {expected}, found {now}"))
    .at(operation.place("expect")))
}

/// Merges edits inside files with files that come and go: a file that is edited and moved arrives edited.
///
/// `edits` are sorted by their paths, and so is what is returned.
pub(super) fn merge_edits(edits: Vec<FileEdit>, moves: Vec<FileEdit>) -> Vec<FileEdit> {
    if moves.is_empty() {
        return edits;
    }
    let mut files: BTreeMap<RepoPath, FileEdit> = BTreeMap::new();
    let mut edited: BTreeMap<RepoPath, FileEdit> = edits
        .into_iter()
        .map(|edit| (edit.path.clone(), edit))
        .collect();
    for mut edit in moves {
        if let Some(from) = &edit.moved_from
            && let Some(inside) = edited.remove(from)
        {
            edit.after = inside.after;
            edit.splices = inside.splices;
            edit.claims = inside.claims;
            edit.named = inside.named;
            edit.defines = inside.defines;
            edit.written = inside.written;
            edit.outline = inside.outline;
        }
        files.insert(edit.path.clone(), edit);
    }
    for (path, edit) in edited {
        files.entry(path).or_insert(edit);
    }
    files.into_values().collect()
}
