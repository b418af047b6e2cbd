//! git's environment variables, read in this one place: they decide, as for every git command, which repository, index
//! and object store are meant, and who commits. What other people's programs may see of the rest begins here too.

use std::ffi::{OsStr, OsString};
#[cfg(not(test))]
use std::path::Path;
use std::path::PathBuf;

/// Returns the variable `name`; set but empty is the same as not set.
pub(in crate::git) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the variable `name` as text, even when it is empty, which for a name or an address means something.
pub(in crate::git) fn text(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Returns the absolute folders that the variable `name` lists.
pub(in crate::git) fn folders(name: &str) -> Vec<PathBuf> {
    let listed = variable(name).map(|list| std::env::split_paths(&list).collect::<Vec<_>>());
    listed
        .unwrap_or_default()
        .into_iter()
        .filter(|folder| folder.is_absolute())
        .collect()
}

/// Says whether what is made at `folder` is the caller's own and in nobody's way: what stands there is theirs, and root makes
/// nothing below another's home, as `sudo` would have it.
#[cfg(not(test))]
pub(in crate::git) fn is_own(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let me = rustix::process::geteuid().as_raw();
    let mut found = folder
        .ancestors()
        .filter_map(|above| Some((above, std::fs::metadata(above).ok()?.uid())));
    // What root owns, such as `/tmp`, is nobody's home.
    found
        .next()
        .is_some_and(|(nearest, owner)| owner == me || owner == 0 && nearest != folder)
}

/// Returns the caller's `PATH` with one more folder in front of it.
pub(in crate::git) fn path_from(first: &OsStr) -> OsString {
    let mut path = first.to_owned();
    if let Some(rest) = variable("PATH") {
        path.push(":");
        path.push(rest);
    }
    path
}
