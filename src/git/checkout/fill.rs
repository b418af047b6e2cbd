//! Files of a tree, written into a folder: raw where the stored form is the checked out one, by git elsewhere.

use rayon::prelude::*;

use super::folder::FolderHandle;
use super::form::Form;
use crate::diagnostic::Diagnostic;
use crate::git::changes::TreeFile;
use crate::git::quarantine::{OWN_INDEX, Quarantine};
use crate::git::{Repo, failure, ground};
use crate::snapshot::{FileMode, Id};

/// What git is told where every file is laid out, whatever the caller's own worktree leaves out.
pub(super) const WHOLE: [&str; 4] = [
    "-c",
    "core.sparseCheckout=false",
    "-c",
    "core.fileMode=true",
];

/// git's numbers for what is no file.
const LINK: u32 = 0o120_000;
pub(super) const SUBMODULE: u32 = 0o160_000;

/// How many files a thread takes at once.
const SHARE: usize = 64;

/// A path, and what shall stand there.
type FillFile = (Vec<u8>, TreeFile);

/// Writes `pieces` of a tree in a form. What stood at their paths makes way.
pub(super) fn fill(
    repo: &Repo,
    quarantine: &Quarantine,
    folder: &mut FolderHandle,
    (tree, form): (Option<&Id>, Form),
    pieces: &[FillFile],
) -> Result<(), Diagnostic> {
    repo.fetch_promised(
        pieces
            .iter()
            .filter(|(_, file)| file.bits != SUBMODULE)
            .map(|(_, file)| &file.id),
    )?;
    let mut regular = Vec::new();
    for piece in pieces {
        let (path, file) = piece;
        match file.bits {
            SUBMODULE => folder.make(path)?,
            LINK => link(repo, folder, path, &file.id)?,
            _ => regular.push(piece),
        }
    }
    match form {
        Form::Stored => write_stored(repo, folder, &regular),
        Form::Converted => {
            write_converted(repo, quarantine, folder, tree, &regular)?;
            regular
                .iter()
                .try_for_each(|(path, file)| folder.date(path, moment_of(&file.id)))
        }
    }
}

/// Returns the moment that stands for the content `blob`, in seconds: some time between 2000 and 2008.
fn moment_of(blob: &Id) -> i64 {
    const START: i64 = 946_684_800;
    let digits = blob.0.get(..7).unwrap_or_default();
    START + i64::from_str_radix(digits, 16).unwrap_or_default()
}

/// Makes a link, or where it would lead out of the folder a file that says where to.
fn link(repo: &Repo, folder: &mut FolderHandle, path: &[u8], blob: &Id) -> Result<(), Diagnostic> {
    let target = repo.blob_bytes(blob, &String::from_utf8_lossy(path))?;
    if stays_inside(path, &target) {
        folder.link(path, &target)
    } else {
        folder.write(path, &target, false)
    }
}

/// Says whether a link at `path` leads to something below the root, whatever other links it passes, which all do.
/// Going up is safe only at the start, from the folder that the link is in: later it may start from where another link led.
fn stays_inside(path: &[u8], target: &[u8]) -> bool {
    let depth = path.iter().filter(|&&byte| byte == b'/').count();
    let mut parts = target
        .split(|&byte| byte == b'/')
        .filter(|part| *part != b".")
        .peekable();
    let mut up = 0;
    while parts.next_if(|part| *part == b"..").is_some() {
        up += 1;
    }
    let down = parts.all(|part| part != b"..");
    !target.is_empty()
        && !target.starts_with(b"/")
        && target.len() < 4096
        && !target.contains(&0)
        && up <= depth
        && down
}

fn write_stored(
    repo: &Repo,
    folder: &mut FolderHandle,
    pieces: &[&FillFile],
) -> Result<(), Diagnostic> {
    if repo.is_partial() {
        let mut each = pieces.iter();
        return each.try_for_each(|(path, file)| {
            let bytes = repo.blob_bytes(&file.id, &String::from_utf8_lossy(path))?;
            folder.write(path, &bytes, is_executable(file))?;
            folder.date(path, moment_of(&file.id))
        });
    }
    let odb = repo
        .git2
        .odb()
        .map_err(failure::git2("open the object database"))?;
    let (format, hash) = (repo.git2.object_format(), repo.hash_kind());
    let write = |folder: &mut FolderHandle, (path, file): &FillFile| {
        let oid = git2::Oid::from_str_ext(&file.id.0, format)
            .map_err(failure::git2("read an object's name"))?;
        let shown = String::from_utf8_lossy(path);
        let blob = odb
            .read(oid)
            .map_err(|error| ground::unreadable(&file.id, &shown, error))?;
        ground::check_intact(hash, &file.id, &shown, blob.data())?;
        folder.write(path, blob.data(), is_executable(file))?;
        folder.date(path, moment_of(&file.id))
    };
    if pieces.len() <= SHARE {
        return pieces.iter().try_for_each(|piece| write(folder, piece));
    }
    let folder = &*folder;
    pieces.par_chunks(SHARE).try_for_each(|share| {
        let mut folder = folder.again()?;
        share.iter().try_for_each(|piece| write(&mut folder, piece))
    })
}

/// Has git write regular files, with the attributes of `tree`.
pub(super) fn write_converted(
    repo: &Repo,
    quarantine: &Quarantine,
    folder: &FolderHandle,
    tree: Option<&Id>,
    pieces: &[&FillFile],
) -> Result<(), Diagnostic> {
    if pieces.is_empty() {
        return Ok(());
    }
    let attempt = "lay out files with their filters and line endings";
    let scratch = repo.scratch()?;
    let (mut entries, mut paths) = (Vec::new(), Vec::new());
    for (path, file) in pieces {
        let mode = if is_executable(file) {
            FileMode::Executable
        } else {
            FileMode::Regular
        };
        entries.extend(format!("{:o} {}\t", mode.bits(), file.id).bytes());
        entries.extend(path.iter().chain(b"\0"));
        paths.extend(path.iter().chain(b"\0"));
    }
    let empty = repo.empty_tree();
    let git = quarantine
        .program(repo)
        .with("GIT_INDEX_FILE", scratch.path().join("index"))
        .within(folder.path());
    // Known to git since 2.41; before that it looks into the folder and the index, which hold the same attributes as far
    // as these files are concerned.
    let git = git.with("GIT_ATTR_SOURCE", &tree.unwrap_or(&empty).0);
    let own = [&OWN_INDEX[..], &WHOLE].concat();
    git.demand(
        attempt,
        &[&own[..], &["update-index", "-z", "--index-info"]].concat(),
        &entries,
    )?;
    git.demand(
        attempt,
        &[&own[..], &["checkout-index", "--force", "-z", "--stdin"]].concat(),
        &paths,
    )?;
    Ok(())
}

fn is_executable(file: &TreeFile) -> bool {
    FileMode::from_bits(file.bits) == Some(FileMode::Executable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_links_stay_inside() {
        for (path, target) in [
            ("a", "b"),
            ("a", "./b/c"),
            ("d/a", "../b"),
            ("d/e/a", "../../b"),
            ("a", "."),
            ("d/a", ".."),
            ("a", "..b"),
        ] {
            assert!(
                stays_inside(path.as_bytes(), target.as_bytes()),
                "{path} -> {target}"
            );
        }
        for (path, target) in [
            ("a", ".."),
            ("a", "../b"),
            ("d/a", "../../b"),
            ("a", "/etc/passwd"),
            ("a", "b/../../c"),
            ("a", "b/../c"),
            ("a", ""),
        ] {
            assert!(
                !stays_inside(path.as_bytes(), target.as_bytes()),
                "{path} -> {target}"
            );
        }
    }
}
