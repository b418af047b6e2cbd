//! Files that others wrote: those of the pinned packages, or of the folder that `SEGEDIT_CORPUS` names. No test lives here.

use std::path::{Path, PathBuf};

use super::tools;

/// Returns the folder that somebody wants swept in the place of the packages.
pub(crate) fn corpus() -> Option<PathBuf> {
    std::env::var_os("SEGEDIT_CORPUS")
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
}

/// Returns the folder with the packages' files.
pub(crate) fn folder() -> PathBuf {
    tools::folder().join("sources")
}

/// Returns the files whose name ends in one of `endings`, sorted; none without a word.
pub(crate) fn files(endings: &[&str]) -> Vec<PathBuf> {
    let root = corpus().unwrap_or_else(folder);
    let found = files_below(&root, endings);
    if found.is_empty() {
        println!(
            "skipped: nothing in {} ends in {}",
            root.display(),
            endings.join(" or ")
        );
    }
    found
}

/// Returns such files below `root`; a name with a line break, which no list has room for, is left out.
pub(crate) fn files_below(root: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.to_string_lossy().into_owned();
            let is_wanted =
                endings.iter().any(|ending| name.ends_with(ending)) && !name.contains('\n');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() && is_wanted => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Returns at most about `count` of `files`, from all over the list; all of them where a folder was named.
pub(crate) fn sample(files: Vec<PathBuf>, count: usize) -> Vec<PathBuf> {
    let step = if corpus().is_some() {
        1
    } else {
        files.len().div_ceil(count.max(1)).max(1)
    };
    files.into_iter().step_by(step).collect()
}
