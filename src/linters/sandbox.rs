//! `Sandbox`: the folder that tools are shown, and what stands in it.
//!
//! It stands apart from every worktree, so that a tool that looks for its settings in the folders above finds nothing there
//! that the batch was not judged by. What configures a tool is the base's copy.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::layered_files::{LayeredFiles, ToolSettings};
use super::own_programs;
use super::watch::Watch;
use crate::config::Tool;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Checkout, Quarantine, ReadSource, Repo, TreeFailure};
use crate::path::RepoPath;
use crate::process::Job;
use crate::snapshot::{self, Blob, Change, File, FileMode, Id};

/// A folder for tools to run in.
pub(super) struct Sandbox {
    folder: PathBuf,
    cache: PathBuf,
    /// What it was laid out with: two sandboxes of one description are the same to every tool.
    description: String,
    hold: SandboxFolder,
}

/// What keeps the folder there.
enum SandboxFolder {
    Scratch { _folder: TempDir },
    Kept(Checkout),
}

impl Sandbox {
    /// Lays out `files` alone, with what configures `tools`.
    pub(super) fn of_files(
        repo: &Repo,
        base: &LayeredFiles<'_>,
        quarantine: &Quarantine,
        tools: &[&Tool],
        files: &[(RepoPath, File)],
    ) -> Result<Sandbox, Diagnostic> {
        let paths: Vec<&RepoPath> = files.iter().map(|(path, _)| path).collect();
        let ToolSettings {
            files: mut all,
            mut links,
        } = base.configuring(tools, &paths)?;
        all.retain(|(path, _)| !paths.contains(&path));
        all.extend(files.iter().cloned());
        links.retain(|(path, _)| !paths.contains(&path));
        let (folders, names) = base.neighbours(tools, &paths)?;
        let known = all
            .iter()
            .map(|(path, _)| path)
            .chain(links.iter().map(|(path, _)| path));
        let known: BTreeSet<RepoPath> = known.cloned().collect();
        let empty = || File {
            mode: FileMode::Regular,
            bytes: Blob::default(),
        };
        all.extend(
            names
                .into_iter()
                .filter(|path| !known.contains(path))
                .map(|path| (path, empty())),
        );
        let mut sandbox =
            Sandbox::scratch(repo, base, quarantine, ToolSettings { files: all, links })?;
        for folder in folders {
            sandbox.make(&folder)?;
            sandbox.description.push_str(&format!("{folder}/\n"));
        }
        Ok(sandbox)
    }

    fn make(&self, folder: &str) -> Result<(), Diagnostic> {
        let folder = self.folder.join(folder);
        fs::create_dir_all(&folder)
            .map_err(|error| sandbox_error(&format!("make {}", folder.display()), &error))
    }

    fn scratch(
        repo: &Repo,
        base: &LayeredFiles<'_>,
        quarantine: &Quarantine,
        settings: ToolSettings,
    ) -> Result<Sandbox, Diagnostic> {
        let scratch = repo.scratch_apart()?;
        // The canonical name, because tools report the paths that they resolved.
        let root = scratch
            .path()
            .canonicalize()
            .map_err(|error| sandbox_error("find the scratch folder", &error))?;
        let (folder, cache) = (root.join("files"), root.join("cache"));
        for made in [&folder, &cache] {
            fs::create_dir(made).map_err(|error| sandbox_error("make a scratch folder", &error))?;
        }
        let ToolSettings {
            files: mut all,
            links,
        } = settings;
        all.sort_by(|one, other| one.0.cmp(&other.0));
        repo.lay_out(quarantine, &folder, &all, &links, base.attributes())?;
        let line = |(path, file): &(RepoPath, File)| {
            format!(
                "{:?} {} {path}\n",
                file.mode,
                file.bytes.id(repo.hash_kind())
            )
        };
        let link = |(path, target): &(RepoPath, Vec<u8>)| format!("link {target:?} {path}\n");
        let description = all.iter().map(line).chain(links.iter().map(link)).collect();
        Ok(Sandbox {
            folder,
            cache,
            description,
            hold: SandboxFolder::Scratch { _folder: scratch },
        })
    }

    /// Lays out what configures `tools` where they look for it when they are given one of `paths`, and no other file.
    pub(super) fn of_settings(
        repo: &Repo,
        base: &LayeredFiles<'_>,
        quarantine: &Quarantine,
        tools: &[&Tool],
        paths: &[RepoPath],
    ) -> Result<Sandbox, Diagnostic> {
        let paths: Vec<&RepoPath> = paths.iter().collect();
        let sandbox = Sandbox::scratch(repo, base, quarantine, base.configuring(tools, &paths)?)?;
        for folder in paths.iter().flat_map(|path| path.ancestors()) {
            sandbox.make(folder.as_str())?;
        }
        Ok(sandbox)
    }

    /// Lays out the whole of `source` with `changes`, its objects in quarantine, in a checkout that is kept from batch to batch.
    pub(super) fn of_changed_tree(
        repo: &Repo,
        source: &ReadSource,
        quarantine: &Quarantine,
        changes: &[Change],
    ) -> Result<Sandbox, Diagnostic> {
        let whole = repo.whole_tree(source, quarantine)?;
        let tree = tree_with(repo, quarantine, whole, changes)?;
        let tree = tree.as_ref();
        let mut checkout = repo.checkout()?;
        checkout.bring_to(repo, quarantine, tree)?;
        let (folder, cache) = (checkout.folder().to_owned(), checkout.cache().to_owned());
        let description = format!("tree {}\n", tree.map_or("none", |id| id.0.as_str()));
        Ok(Sandbox {
            folder,
            cache,
            description,
            hold: SandboxFolder::Kept(checkout),
        })
    }

    /// Returns the folder in which the files stand.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns what it was laid out with.
    pub(super) fn description(&self) -> &str {
        &self.description
    }

    /// Says that a program is about to run here that may write anything.
    pub(super) fn mark_dirty(&mut self) {
        match &mut self.hold {
            SandboxFolder::Scratch { .. } => {}
            SandboxFolder::Kept(checkout) => checkout.soil(),
        }
    }

    /// Returns a run of `tool` here, on `files`; `command` is its command, all but `{files}` and `{cache}` filled in.
    pub(super) fn sandbox_job(
        &self,
        repo: &Repo,
        (tool, watch): (&Tool, &Watch),
        command: &[String],
        files: &[&RepoPath],
    ) -> Result<Job, Diagnostic> {
        self.borrow(repo, tool, watch)?;
        let words = command.iter().flat_map(|word| match word.as_str() {
            "{files}" => files
                .iter()
                .map(|path| plain_argument(path.as_str()))
                .collect(),
            _ => vec![word.replace("{cache}", &self.cache.to_string_lossy())],
        });
        job(
            repo,
            (tool, watch),
            &self.folder,
            &words.collect::<Vec<_>>(),
        )
    }

    /// Lets the tool see what the worktree holds beside its tracked files: installed packages. What the repository brings along
    /// is not lent: it stands there as it was trusted.
    fn borrow(&self, repo: &Repo, tool: &Tool, watch: &Watch) -> Result<(), Diagnostic> {
        let Some(top) = repo.workdir() else {
            return Ok(());
        };
        for name in &tool.borrows {
            let (here, there) = (self.folder.join(name), top.join(name));
            if there.is_dir()
                && here.symlink_metadata().is_err()
                && own_programs::is_own(repo, watch, name)?
            {
                let lent = Lent {
                    leading: own_programs::leading_in(repo, name)?,
                    folder: &self.folder,
                };
                lent.lend(&there, &here, "")
                    .map_err(|error| sandbox_error(&format!("link {}", here.display()), &error))?;
            }
        }
        Ok(())
    }
}

/// What of a lent folder is not lent: by its name, links to what stands in the worktree itself, and where that is. In their
/// place the tool sees what it was laid out of that: code of the repository is the copy that was trusted, or is judged.
struct Lent<'a> {
    leading: BTreeMap<String, String>,
    /// Where it was laid out.
    folder: &'a Path,
}

impl Lent<'_> {
    /// Makes `here` what stands `there`, whose entries are named behind `before`.
    fn lend(&self, there: &Path, here: &Path, before: &str) -> std::io::Result<()> {
        if !self.leading.keys().any(|name| name.starts_with(before)) {
            return symlink(there, here);
        }
        fs::create_dir(here)?;
        for entry in fs::read_dir(there)? {
            let entry = entry?;
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            let here = here.join(entry.file_name());
            match self.leading.get(&name) {
                Some(real) => symlink(self.folder.join(real), here)?,
                None if entry.file_type()?.is_dir() => {
                    self.lend(&entry.path(), &here, &format!("{name}/"))?
                }
                None => symlink(entry.path(), here)?,
            }
        }
        Ok(())
    }
}

/// Returns the tree that `changes` make of `tree`, its objects in quarantine.
fn tree_with(
    repo: &Repo,
    quarantine: &Quarantine,
    tree: Option<Id>,
    changes: &[Change],
) -> Result<Option<Id>, Diagnostic> {
    if changes.is_empty() {
        return Ok(tree);
    }
    let merged = snapshot::merged(changes.iter());
    let stale = |failure| match failure {
        TreeFailure::Refused(refusal) => refusal,
        TreeFailure::Stale { path, .. } => {
            let message = format!(
                "{} changed while the batch was judged",
                shown(path.as_str())
            );
            Diagnostic::new(Code::RefMoved, message).note("repeat the request")
        }
    };
    let (grown, objects) = repo.tree_with(tree.as_ref(), &merged).map_err(stale)?;
    quarantine.write(&objects)?;
    Ok(Some(grown))
}

/// Returns a run of `tool` in `folder` with the words of `command`.
pub(super) fn job(
    repo: &Repo,
    (tool, watch): (&Tool, &Watch),
    folder: &Path,
    command: &[String],
) -> Result<Job, Diagnostic> {
    let own_programs::ToolFolders { programs, avoided } =
        own_programs::program_folders(repo, tool, watch)?;
    Ok(Job {
        name: tool.name.clone(),
        command: command.iter().map(OsString::from).collect(),
        programs,
        avoided,
        folder: folder.to_owned(),
        env: tool
            .env
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        input: Vec::new(),
        timeout: tool.timeout,
    })
}

/// Returns `path` so that no tool takes it for an option, a list of arguments or a pattern taken back.
fn plain_argument(path: &str) -> String {
    let harmless = path.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
    if harmless {
        path.to_owned()
    } else {
        format!("./{path}")
    }
}

fn sandbox_error(attempt: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(Code::Io, format!("could not {attempt}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::plain_argument;

    #[test]
    fn no_path_is_an_option() {
        for (path, expected) in [
            ("a.py", "a.py"),
            ("_x.py", "_x.py"),
            (".a", ".a"),
            ("-rf", "./-rf"),
            ("--config=x", "./--config=x"),
            ("@file", "./@file"),
            ("!a", "./!a"),
            ("#a", "./#a"),
            (":a", "./:a"),
            ("ä.py", "ä.py"),
        ] {
            assert_eq!(plain_argument(path), expected);
        }
    }
}
