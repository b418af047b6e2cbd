//! The user's own programs in the worktree: which folders of it tools may take programs from.
//!
//! A folder counts when git tracks nothing in it, nothing in the environment that it belongs to (`.venv` of `.venv/bin`) and no link
//! on the way to it, in the base or in the index; links are followed first. Then neither a tool nor what a tool's first line asks for comes from the repository. Folders of the caller's
//! `PATH` that stand in the worktree are held to the same.
//!
//! Known limits: a program in such a folder may run tracked files by what it reads; only links of its own name, or of an
//! interpreter's, are followed. Of packages that are installed by a link to the worktree, those that stand in a lent folder
//! or in one of its `@scope` folders are seen (`leading_in`); what one package loads of another by such a link is not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::FileType;
use std::path::{Path, PathBuf};

use super::command_words::is_interpreter;
use super::watch::{Watch, environment_folder, is_below};
use crate::config::Tool;
use crate::diagnostic::Diagnostic;
use crate::git::{Holding, ReadSource, Repo};
use crate::path::RepoPath;
use crate::process::environment::path_folders;

/// Where programs may come from.
#[derive(Default)]
pub(super) struct ToolFolders {
    /// Those of the tool that count.
    pub programs: Vec<PathBuf>,
    /// Those that do not, whoever names them.
    pub avoided: Vec<PathBuf>,
}

/// Returns the folders of the worktree that `tool` takes its programs from, and those that it must not.
pub(super) fn program_folders(
    repo: &Repo,
    tool: &Tool,
    watch: &Watch,
) -> Result<ToolFolders, Diagnostic> {
    let mut found = ToolFolders::default();
    let Some(top) = repo.workdir() else {
        return Ok(found);
    };
    let there = tool
        .programs
        .iter()
        .filter(|folder| top.join(folder).is_dir());
    let listed = path_folders(tool.env.get("PATH").map(String::as_str))
        .into_iter()
        .filter_map(|folder| Some((path_inside(top, &folder)?, folder)));
    let (there, listed): (Vec<&String>, Vec<(String, PathBuf)>) =
        (there.collect(), listed.collect());
    if there.is_empty() && listed.is_empty() {
        return Ok(found);
    }
    let mut ownership = OwnershipCheck {
        top,
        index: repo.holding(&ReadSource::Index)?,
        program: tool.command.first().map(String::as_str),
    };
    for folder in there {
        let is_own = !watch.is_brought(environment_folder(folder))
            && ownership.is_own(environment_folder(folder))?
            && ownership.has_no_link_to_tracked(folder)?;
        let list = if is_own {
            &mut found.programs
        } else {
            &mut found.avoided
        };
        list.push(top.join(folder));
    }
    for (relative, folder) in listed {
        let above = relative
            .rsplit_once('/')
            .map(|(above, _)| above)
            .unwrap_or_default();
        let is_environment = !above.is_empty()
            && (above.ends_with("node_modules") || top.join(above).join("pyvenv.cfg").exists());
        let whole = if is_environment { above } else { &relative };
        if !(ownership.is_own(whole)? && ownership.has_no_link_to_tracked(&relative)?) {
            found.avoided.push(folder);
        }
    }
    Ok(found)
}

/// Says whether `folder` of the worktree is the user's own.
pub(super) fn is_own(repo: &Repo, watch: &Watch, folder: &str) -> Result<bool, Diagnostic> {
    let Some(top) = repo.workdir() else {
        return Ok(false);
    };
    if watch.is_brought(folder) {
        return Ok(false);
    }
    OwnershipCheck {
        top,
        index: repo.holding(&ReadSource::Index)?,
        program: None,
    }
    .is_own(folder)
}

/// Returns the entries of `folder`, which is lent to tools, that are links to something tracked, and where that is: packages that
/// are installed from the worktree itself. One in a folder `@scope` is named with that.
pub(super) fn leading_in(
    repo: &Repo,
    folder: &str,
) -> Result<BTreeMap<String, String>, Diagnostic> {
    Ok(linked_programs(repo, folder)?
        .into_iter()
        .filter(|link| link.is_tracked)
        .map(|link| (link.name, link.real))
        .collect())
}

/// An entry of a lent folder that is a link into the worktree.
struct LentLink {
    name: String,
    /// Where it leads.
    real: String,
    /// Whether something is tracked there.
    is_tracked: bool,
}

fn linked_programs(repo: &Repo, folder: &str) -> Result<Vec<LentLink>, Diagnostic> {
    let mut found = Vec::new();
    let Some(top) = repo.workdir() else {
        return Ok(found);
    };
    let (there, lent) = (top.join(folder), path_inside(top, &top.join(folder)));
    let mut take = |name: String, entry: &Path| {
        let is_lent = |real: &String| {
            lent.as_ref()
                .is_some_and(|lent| real == lent || is_below(real, lent))
        };
        let real = path_inside(top, entry).filter(|real| !is_lent(real));
        found.extend(real.map(|real| LentLink {
            name,
            real,
            is_tracked: false,
        }));
    };
    for (name, kind) in folder_entries(&there) {
        if kind.is_symlink() {
            take(name.clone(), &there.join(&name));
        } else if kind.is_dir() && name.starts_with('@') {
            let links = folder_entries(&there.join(&name))
                .into_iter()
                .filter(|(_, kind)| kind.is_symlink());
            links.for_each(|(inner, _)| {
                take(format!("{name}/{inner}"), &there.join(&name).join(&inner))
            });
        }
    }
    if found.is_empty() {
        return Ok(found);
    }
    let index = repo.holding(&ReadSource::Index)?;
    for link in &mut found {
        link.is_tracked = match RepoPath::parse(&link.real) {
            Ok(path) => index.tracks(&path)?,
            // The root; in git's own folder nothing is tracked.
            Err(_) => link.real.is_empty(),
        };
    }
    Ok(found)
}

/// Returns the names in `folder` that are text, and what stands there.
fn folder_entries(folder: &Path) -> Vec<(String, FileType)> {
    let entries = folder
        .read_dir()
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    entries
        .filter_map(|entry| {
            Some((
                entry.file_name().into_string().ok()?,
                entry.file_type().ok()?,
            ))
        })
        .collect()
}

/// Returns the folders of the repository in which nothing may be made, because `tool` takes from there what it runs: by their
/// names, and by where they are.
pub(super) fn program_places(
    repo: &Repo,
    tool: &Tool,
    watch: &Watch,
) -> Result<BTreeSet<String>, Diagnostic> {
    let named = tool
        .programs
        .iter()
        .map(|folder| environment_folder(folder))
        .chain(tool.borrows.iter().map(String::as_str));
    let mut places: BTreeSet<String> = BTreeSet::new();
    // Tracked programs run only after trust was asked for them.
    for folder in named.filter(|folder| !watch.is_brought(folder)) {
        places.insert(folder.to_owned());
        places.extend(
            repo.workdir()
                .and_then(|top| path_inside(top, &top.join(folder)))
                .filter(|real| !real.is_empty()),
        );
    }
    for folder in tool
        .borrows
        .iter()
        .filter(|folder| !watch.is_brought(folder))
    {
        // What is tracked is not lent.
        places.extend(
            linked_programs(repo, folder)?
                .into_iter()
                .filter(|link| !link.is_tracked)
                .map(|link| link.real),
        );
    }
    Ok(places)
}

/// Returns where below `top` a folder really is; `None` when it is not there or elsewhere.
fn path_inside(top: &Path, folder: &Path) -> Option<String> {
    let (top, folder) = (top.canonicalize().ok()?, folder.canonicalize().ok()?);
    folder.strip_prefix(top).ok()?.to_str().map(str::to_owned)
}

struct OwnershipCheck<'a> {
    top: &'a Path,
    index: Holding<'a>,
    program: Option<&'a str>,
}

impl OwnershipCheck<'_> {
    /// Says whether nothing in `folder`, by its name and by where it is, and no link on the way is tracked.
    fn is_own(&mut self, folder: &str) -> Result<bool, Diagnostic> {
        let real = path_inside(self.top, &self.top.join(folder));
        for place in BTreeSet::from([Some(folder.to_owned()), real])
            .into_iter()
            .flatten()
        {
            // Where nothing can be tracked, such as in git's own folder, nothing is.
            let Ok(path) = RepoPath::parse(&place) else {
                return Ok(false);
            };
            if self.index.tracks(&path)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Says whether no program in `folder` that the tool starts by name is a link to a tracked file.
    fn has_no_link_to_tracked(&self, folder: &str) -> Result<bool, Diagnostic> {
        let Ok(entries) = self.top.join(folder).read_dir() else {
            return Ok(true);
        };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if !is_link || !(Some(name.as_ref()) == self.program || is_interpreter(&name)) {
                continue;
            }
            let real =
                path_inside(self.top, &entry.path()).and_then(|real| RepoPath::parse(&real).ok());
            if let Some(real) = real
                && self.index.tracks(&real)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_the_worktree_is_named_from_its_top() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        std::os::unix::fs::symlink("a", folder.path().join("c")).unwrap();
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(
                path_inside(folder.path(), &folder.path().join(name)).as_deref(),
                expected,
                "{name}"
            );
        };
        check("a/b", Some("a/b"));
        check("c/b", Some("a/b"));
        check(".", Some(""));
        check("..", None);
        check("nothing", None);
        assert!(is_below("a/b", "a") && !is_below("ab", "a") && !is_below("a", "a"));
    }
}
