//! Which worktrees have a branch checked out, and which have something under way with it.
//!
//! Read from the files that git keeps for each worktree, so that a repository with fifty of them opens only those that
//! matter.

use std::fs;
use std::path::{Path, PathBuf};

use super::base::plain_file::read_plain_file;
use super::{Head, Repo, failure, is_ref_name};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::snapshot::Id;

/// Most bytes of a file of git's that leads somewhere.
const MOST_OF_A_POINTER: u64 = 64 * 1024;

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
        self.git_dir()
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    }

    /// Returns the folder of the worktree that git calls `name`, `None` being the main one, if there is one.
    pub fn worktree_named(&self, name: Option<&str>) -> Option<PathBuf> {
        let is_named = |git_dir: &Path| match name {
            None => same(git_dir, self.common_dir()),
            Some(name) => {
                !same(git_dir, self.common_dir())
                    && git_dir.file_name().is_some_and(|last| last == name)
            }
        };
        let (git_dir, folder) = self
            .git_dirs()
            .into_iter()
            .find(|(git_dir, _)| is_named(git_dir))?;
        let folder = self.leading_back(&git_dir, &folder?)?;
        // From a linked worktree the main one is known by its git folder.
        if folder == git_dir {
            folder.parent().map(Path::to_owned)
        } else {
            Some(folder)
        }
    }

    /// Opens the worktree of this repository that keeps its index at `index`; `None` when it lists none, or the folder that it
    /// lists is gone or another's.
    pub fn worktree_of_index(&self, index: &Path) -> Result<Option<Repo>, Diagnostic> {
        if index.file_name().is_none_or(|name| name != "index") {
            return Ok(None);
        }
        let Some(above) = index.parent() else {
            return Ok(None);
        };
        let listed = self
            .git_dirs()
            .into_iter()
            .find(|(git_dir, _)| same(git_dir, above));
        let Some((git_dir, Some(folder))) = listed else {
            return Ok(None);
        };
        let Some(folder) = self.leading_back(&git_dir, &folder) else {
            return Ok(None);
        };
        self.open_listed(&folder)
    }

    /// Says whether `.git` in this worktree's root is its git folder, or leads there.
    pub fn leads_here(&self) -> bool {
        self.workdir()
            .is_some_and(|root| leads_to(root, self.git_dir()))
    }

    /// Says whether this worktree is where anybody would look for it: around its own `.git` folder, or where the repository lists
    /// it. A `.git` file in any folder can name this repository.
    pub(super) fn is_in_its_place(&self) -> bool {
        let Some(root) = self.workdir().filter(|_| !self.is_bare()) else {
            return true;
        };
        if same(self.git_dir(), self.common_dir()) {
            let inside = root.join(".git");
            return inside.symlink_metadata().is_ok_and(|found| found.is_dir())
                && same(&inside, self.git_dir());
        }
        let is_this = |folder: &Path| same(folder, root) && leads_to(root, self.git_dir());
        self.git_dirs().iter().any(|(git_dir, folder)| {
            same(git_dir, self.git_dir()) && folder.as_deref().is_some_and(is_this)
        })
    }

    /// Returns the git folders of all worktrees.
    pub fn worktree_git_dirs(&self) -> Vec<PathBuf> {
        self.git_dirs()
            .into_iter()
            .map(|(git_dir, _)| git_dir)
            .collect()
    }

    /// Returns what HEAD names in each worktree, those included whose folders are away.
    pub fn heads(&self) -> Result<Vec<Id>, Diagnostic> {
        let mut heads = Vec::new();
        for (git_dir, _) in self.git_dirs() {
            heads.extend(self.head_in(&git_dir)?);
        }
        Ok(heads)
    }

    /// Returns what HEAD names in the worktree that has the git folder `git_dir`, be that worktree there or not.
    pub fn head_in(&self, git_dir: &Path) -> Result<Option<Id>, Diagnostic> {
        let place = git_dir.join("HEAD");
        let text = match read_plain_file(&place, MOST_OF_A_POINTER) {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(failure::system(&format!("read {}", place.display()))(error));
            }
        };
        match text.strip_prefix("ref:").map(str::trim) {
            Some(name) if is_ref_name(name) => self.tip(name),
            None if self.is_id(text.trim()) => Ok(Some(Id(text.trim().to_owned()))),
            Some(_) | None => Ok(None),
        }
    }

    /// Says whether this repository lists a worktree at `folder`, be it there or not.
    pub fn lists_worktree(&self, folder: &Path) -> bool {
        let mut listed = self.git_dirs().into_iter();
        listed.any(|(_, listed)| listed.is_some_and(|listed| listed == folder))
    }

    /// Opens the worktree of this repository whose root is `folder`; `None` when it lists none there. The caller's own is one,
    /// wherever `GIT_WORK_TREE` or `core.worktree` puts it.
    pub fn worktree_at(&self, folder: &Path) -> Result<Option<Repo>, Diagnostic> {
        if self.workdir().unwrap_or(self.git_dir()) == folder {
            return self.opening().open().map(Some);
        }
        // The main one may stand apart from its git folder, which does not name it.
        if leads_to(folder, self.common_dir()) {
            return self.open_listed(folder);
        }
        for (git_dir, listed) in self.git_dirs() {
            let Some(listed) = listed.and_then(|listed| self.leading_back(&git_dir, &listed))
            else {
                continue;
            };
            // From a linked worktree the main one is known by its git folder.
            let root = if listed == git_dir {
                listed.parent().unwrap_or(&listed)
            } else {
                &listed
            };
            if same(root, folder) {
                return self.open_listed(&listed);
            }
        }
        Ok(None)
    }

    /// Returns `folder`, which is listed as the worktree of `git_dir`, if it leads back there: what a git folder says of other
    /// folders is said by whoever made it.
    fn leading_back(&self, git_dir: &Path, folder: &Path) -> Option<PathBuf> {
        if same(git_dir, self.git_dir()) || folder == git_dir {
            return folder.exists().then(|| folder.to_owned());
        }
        leads_to(folder, git_dir).then(|| folder.to_owned())
    }

    /// Opens the worktree at `folder`, if it is one of this repository.
    fn open_listed(&self, folder: &Path) -> Result<Option<Repo>, Diagnostic> {
        let mut repo = Repo::open_worktree(folder)?;
        // What may start for whoever opened this one may start there, and nothing else.
        repo.opening.starts = self.opening.starts;
        Ok(same(repo.common_dir(), self.common_dir()).then_some(repo))
    }

    /// Opens every other worktree of this repository that has the branch `reference` checked out and whose folder is there.
    pub fn other_checkouts(&self, reference: &str) -> Result<Vec<Repo>, Diagnostic> {
        let mut found = Vec::new();
        if reference == "HEAD" {
            return Ok(found);
        }
        for (git_dir, folder) in self.git_dirs() {
            let Some(folder) = folder.filter(|_| !same(&git_dir, self.git_dir())) else {
                continue;
            };
            if head_of(&git_dir).as_deref() != Some(reference) {
                continue;
            }
            let Some(folder) = self.leading_back(&git_dir, &folder) else {
                continue;
            };
            if let Some(repo) = self.open_listed(&folder)?
                && repo.has_checked_out(reference)?
            {
                found.push(repo);
            }
        }
        Ok(found)
    }

    /// Refuses, in git's words, to move the branch `reference` where a linked worktree has it checked out whose folder is not
    /// there just now, on a drive that is not mounted or outside of a container: when it is back, its index and files would take
    /// the commit away again. What this worktree has checked out moves as with `git commit`.
    pub fn check_every_checkout_is_here(&self, reference: &str) -> Result<(), Diagnostic> {
        if reference == "HEAD" || self.has_checked_out(reference)? {
            return Ok(());
        }
        for (git_dir, folder) in self.git_dirs() {
            // Without a folder that it names git does not list it either.
            let Some(folder) = folder.filter(|_| !same(&git_dir, self.git_dir())) else {
                continue;
            };
            if head_of(&git_dir).as_deref() != Some(reference)
                || self.leading_back(&git_dir, &folder).is_some()
            {
                continue;
            }
            let branch = shown(reference.strip_prefix("refs/heads/").unwrap_or(reference));
            let root = if folder.file_name().is_some_and(|name| name == ".git") {
                folder.parent()
            } else {
                None
            };
            let place = shown(&root.unwrap_or(&folder).to_string_lossy());
            let message =
                format!("cannot force update the branch '{branch}' used by worktree at '{place}'");
            return Err(Diagnostic::new(Code::WorktreeDirty, message).note(format!(
                "that folder is not there just now, so its index and files cannot follow: bring it back (`git worktree repair` where it \
                 moved), or have git forget it with `git worktree remove --force --force` or `git worktree prune`{ELSEWHERE}"
            )));
        }
        Ok(())
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
                return Err(Diagnostic::new(Code::WorktreeDirty, message)
                    .note(format!("finish or abort it first{ELSEWHERE}")));
            }
        }
        Ok(())
    }

    /// Returns the git folder of every worktree, the main one's first, with the worktree's own folder if it has one.
    pub(super) fn git_dirs(&self) -> Vec<(PathBuf, Option<PathBuf>)> {
        let common = self.common_dir().to_owned();
        let main = if same(&common, self.git_dir()) {
            self.workdir().map(Path::to_owned)
        } else {
            Some(common.clone())
        };
        let main_is_bare = self.config.get_bool("core.bare") == Some(true);
        let mut all = vec![(common.clone(), main.filter(|_| !main_is_bare))];
        // A link here would lead to another repository's worktree.
        let folder = common.join("worktrees");
        let is_folder = folder.symlink_metadata().is_ok_and(|found| found.is_dir());
        let folders = is_folder
            .then(|| fs::read_dir(folder).ok())
            .flatten()
            .into_iter()
            .flatten()
            .flatten();
        let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let mut linked: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
        linked.sort();
        all.extend(linked.into_iter().map(|git_dir| {
            let pointer = read_short(&git_dir.join("gitdir"));
            // Since git 2.48 the path may be relative, to the folder that the file stands in.
            let folder =
                pointer.and_then(|path| git_dir.join(path.trim_end()).parent().map(Path::to_owned));
            (git_dir, folder)
        }));
        all
    }
}

/// Says whether `.git` in `folder` is the folder `git_dir`, or a file that names it.
pub(super) fn leads_to(folder: &Path, git_dir: &Path) -> bool {
    let pointer = folder.join(".git");
    if !pointer
        .symlink_metadata()
        .is_ok_and(|found| found.is_file())
    {
        return same(&pointer, git_dir);
    }
    let text = read_short(&pointer);
    let target = text
        .as_deref()
        .and_then(|text| text.strip_prefix("gitdir:"));
    target.is_some_and(|target| same(&folder.join(target.trim()), git_dir))
}

/// Returns what the file at `path` says, where that is short enough for a path or a ref's name.
fn read_short(path: &Path) -> Option<String> {
    String::from_utf8(read_plain_file(path, MOST_OF_A_POINTER).ok()?).ok()
}

/// Returns the branch that the HEAD in `git_dir` names.
fn head_of(git_dir: &Path) -> Option<String> {
    let text = read_short(&git_dir.join("HEAD"))?;
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
        const MOST: u64 = 16 << 20;
        read_plain_file(&git_dir.join(file), MOST).is_ok_and(|text| {
            let text = String::from_utf8_lossy(&text);
            text.lines().any(|line| line.trim() == name)
        })
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

/// Says whether two paths lead to the same place.
pub fn same(left: &Path, right: &Path) -> bool {
    left == right
        || left
            .canonicalize()
            .ok()
            .is_some_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}
