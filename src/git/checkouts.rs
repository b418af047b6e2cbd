//! Which worktrees have a branch checked out, and which have something under way with it.
//!
//! Read from the files that git keeps for each worktree, so that a repository with fifty of them opens only those that
//! matter.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Head, Repo};
use crate::diagnostic::{Code, Diagnostic, shown};

/// The way out that only a publication has, at the end of a note.
pub const ELSEWHERE: &str = ", or publish on another branch with `--branch`";

impl Repo {
    /// Returns whether moving the ref `reference` moves what this worktree has checked out.
    pub fn has_checked_out(&self, reference: &str) -> Result<bool, Diagnostic> {
        if self.is_bare() {
            return Ok(false);
        }
        Ok(match self.head()? {
            Head::Branch { name, .. } => name == reference,
            Head::Detached(_) => reference == "HEAD",
        })
    }

    /// Returns git's name for this linked worktree; `None` for the main one, and where there is none.
    pub fn worktree_name(&self) -> Option<String> {
        if same(self.common_dir(), self.git_dir()) {
            return None;
        }
        self.git_dir().file_name().map(|name| name.to_string_lossy().into_owned())
    }

    /// Returns the folder of the worktree that git calls `name`, `None` being the main one, if there is one.
    pub fn worktree_named(&self, name: Option<&str>) -> Option<PathBuf> {
        let is_named = |git_dir: &Path| match name {
            None => same(git_dir, self.common_dir()),
            Some(name) => !same(git_dir, self.common_dir()) && git_dir.file_name().is_some_and(|last| last == name),
        };
        let (git_dir, folder) = self.git_dirs().into_iter().find(|(git_dir, _)| is_named(git_dir))?;
        // From a linked worktree the main one is known by its git folder.
        let folder =
            folder.map(|folder| if folder == git_dir { folder.parent().map(Path::to_owned) } else { Some(folder) });
        folder.flatten().filter(|folder| folder.exists())
    }

    /// Opens every other worktree of this repository that has the branch `reference` checked out. One whose folder is
    /// gone has nothing to keep up to date.
    pub fn other_checkouts(&self, reference: &str) -> Result<Vec<Repo>, Diagnostic> {
        let mut found = Vec::new();
        if reference == "HEAD" {
            return Ok(found);
        }
        for (git_dir, folder) in self.git_dirs() {
            let Some(folder) = folder.filter(|_| !same(&git_dir, self.git_dir())) else { continue };
            if head_of(&git_dir).as_deref() != Some(reference) || !folder.exists() {
                continue;
            }
            let repo = Repo::open_worktree(&folder)?;
            if repo.has_checked_out(reference)? {
                found.push(repo);
            }
        }
        Ok(found)
    }

    /// Refuses when a merge, rebase, cherry-pick, revert or bisect is under way that moving `reference` would disturb, in
    /// whichever worktree.
    pub fn check_nothing_under_way(&self, reference: &str) -> Result<(), Diagnostic> {
        for (git_dir, _) in self.git_dirs() {
            let here = match reference {
                "HEAD" => same(&git_dir, self.git_dir()),
                _ => head_of(&git_dir).as_deref() == Some(reference),
            };
            if let Some(what) = under_way(&git_dir, reference, here) {
                let branch = shown(reference.strip_prefix("refs/heads/").unwrap_or(reference));
                let message = format!("{what} is under way on {branch} ({})", git_dir.display());
                return Err(
                    Diagnostic::new(Code::WorktreeDirty, message).note(format!("finish or abort it first{ELSEWHERE}"))
                );
            }
        }
        Ok(())
    }

    /// Returns the git folder of every worktree, the main one's first, with the worktree's own folder if it has one.
    pub(super) fn git_dirs(&self) -> Vec<(PathBuf, Option<PathBuf>)> {
        let common = self.common_dir().to_owned();
        let main =
            if same(&common, self.git_dir()) { self.workdir().map(Path::to_owned) } else { Some(common.clone()) };
        let main_is_bare = self.config.get_bool("core.bare") == Some(true);
        let mut all = vec![(common.clone(), main.filter(|_| !main_is_bare))];
        let linked = fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut linked: Vec<PathBuf> = linked.collect();
        linked.sort();
        all.extend(linked.into_iter().map(|git_dir| {
            let pointer = fs::read_to_string(git_dir.join("gitdir")).ok();
            // Since git 2.48 the path may be relative, to the folder that the file stands in.
            let folder = pointer.and_then(|path| git_dir.join(path.trim_end()).parent().map(Path::to_owned));
            (git_dir, folder)
        }));
        all
    }
}

/// Returns the branch that the HEAD in `git_dir` names.
fn head_of(git_dir: &Path) -> Option<String> {
    let text = fs::read_to_string(git_dir.join("HEAD")).ok()?;
    text.strip_prefix("ref:").map(|name| name.trim().to_owned())
}

/// Says what is under way in `git_dir` that has to do with `reference`; `here` says that it is checked out there.
fn under_way(git_dir: &Path, reference: &str, here: bool) -> Option<&'static str> {
    const STATES: [(&str, &str); 7] = [
        ("MERGE_HEAD", "a merge"),
        ("CHERRY_PICK_HEAD", "a cherry-pick"),
        ("REVERT_HEAD", "a revert"),
        ("rebase-merge", "a rebase"),
        ("rebase-apply", "a rebase or `git am`"),
        ("BISECT_LOG", "a bisect"),
        // Of several commits, one was committed by hand and others wait.
        ("sequencer/todo", "a cherry-pick or a revert"),
    ];
    if here && let Some((_, what)) = STATES.iter().find(|(file, _)| git_dir.join(file).exists()) {
        return Some(what);
    }
    let names = |file: &str, name: &str| {
        fs::read_to_string(git_dir.join(file)).is_ok_and(|text| text.lines().any(|line| line.trim() == name))
    };
    let short = reference.strip_prefix("refs/heads/").unwrap_or(reference);
    if names("rebase-merge/head-name", reference)
        || names("rebase-apply/head-name", reference)
        || names("rebase-merge/update-refs", reference)
    {
        return Some("a rebase");
    }
    names("BISECT_START", short).then_some("a bisect")
}

fn same(left: &Path, right: &Path) -> bool {
    left == right || left.canonicalize().ok().is_some_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}
