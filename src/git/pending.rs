//! `Pending`: a commit that is about to be made, or was just made, as its hooks see it.
//!
//! They find a git folder like a linked worktree's, with a HEAD and an index of its own, and the commit's files laid out
//! beside it. Whatever they do there is theirs: the caller's worktree, index and HEAD are elsewhere. Before the commit is
//! published its objects wait in quarantine, where git refuses to move a ref: it would name what may never be stored.
//!
//! Known limit: hooks that git runs by configuration (`hook.<name>.command`) and not by file are not known here.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::base::plain_file::read_plain_file;
use super::base::scratch::Scratch;
use super::program::{HookRun, Program};
use super::quarantine::copy_index;
use super::{Checkout, Identity, Quarantine, Repo, environment, failure};
use crate::diagnostic::{Code, Diagnostic};
use crate::snapshot::Id;

/// What a hook is to see.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Where HEAD stands.
    pub head: HeadAt<'a>,
    /// The commit's tree.
    pub tree: &'a Id,
    /// Who wrote it.
    pub author: &'a Identity,
    /// Whether the commit is there.
    pub stage: HookStage,
}

/// Where HEAD stands.
#[derive(Clone, Copy, Debug)]
pub enum HeadAt<'a> {
    /// On the branch of this full name.
    Branch(&'a str),
    /// On a commit.
    Commit(&'a Id),
}

/// Whether a commit is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookStage {
    /// It may yet be refused.
    Before,
    /// It is published.
    After,
}

/// A commit as its hooks see it, until this is dropped.
pub struct PendingCommit<'r> {
    repo: &'r Repo,
    git_dir: Scratch,
    program: Program<'r>,
    tree: Id,
}

impl<'r> PendingCommit<'r> {
    /// Sets the scene in `checkout`.
    pub fn set(
        repo: &'r Repo,
        checkout: &mut Checkout,
        quarantine: &Quarantine,
        scene: Scene<'_>,
    ) -> Result<PendingCommit<'r>, Diagnostic> {
        let attempt = "prepare a commit for its hooks";
        checkout.bring_to(repo, quarantine, Some(scene.tree))?;
        let index = checkout.index(repo, quarantine, scene.tree)?;
        checkout.soil();
        let git_dir = repo.scratch()?;
        let head = match scene.head {
            HeadAt::Branch(name) => format!("ref: {name}\n"),
            HeadAt::Commit(commit) => format!("{commit}\n"),
        };
        let common = [repo.common_dir().as_os_str().as_bytes(), b"\n"].concat();
        let write = |name: &str, bytes: &[u8]| fs::write(git_dir.path().join(name), bytes);
        write("HEAD", head.as_bytes())
            .and_then(|()| write("commondir", &common))
            .and_then(|()| copy_index(&index, &git_dir.path().join("index")))
            .map_err(failure::system(attempt))?;
        let program = match scene.stage {
            HookStage::Before => quarantine
                .program(repo)
                .with("GIT_QUARANTINE_PATH", quarantine.folder()),
            HookStage::After => repo.program(),
        };
        let exec_path = repo
            .program()
            .demand("find git's programs", &["--exec-path"], &[])?;
        let program = program
            .within(checkout.folder())
            .with("GIT_DIR", git_dir.path())
            .with("GIT_INDEX_FILE", git_dir.path().join("index"))
            .with("GIT_EDITOR", ":")
            .with("GIT_PREFIX", "")
            .with("GIT_AUTHOR_NAME", &scene.author.name)
            .with("GIT_AUTHOR_EMAIL", &scene.author.email)
            .with("GIT_AUTHOR_DATE", scene.author.date())
            .with(
                "PATH",
                environment::path_from(OsStr::from_bytes(exec_path.trim_ascii_end())),
            );
        Ok(PendingCommit {
            repo,
            git_dir,
            program,
            tree: scene.tree.clone(),
        })
    }

    /// Returns where the message stands while hooks are asked about it.
    pub fn message_file(&self) -> PathBuf {
        self.git_dir.path().join("COMMIT_EDITMSG")
    }

    /// Puts `message` there.
    pub fn write_message(&self, message: &str) -> Result<(), Diagnostic> {
        fs::write(self.message_file(), message)
            .map_err(failure::system("write a commit message for its hooks"))
    }

    /// Returns what stands there now.
    pub fn read_message(&self) -> Result<Vec<u8>, Diagnostic> {
        const MOST: u64 = 256 << 20;
        read_plain_file(&self.message_file(), MOST)
            .map_err(failure::system("read the commit message that a hook left"))
    }

    /// Runs the hook `name` as git would.
    pub fn run(&self, name: &str, arguments: &[&OsStr]) -> Result<HookRun, Diagnostic> {
        self.program
            .run_hook(&self.repo.hooks_folder()?.join(name), arguments)
    }

    /// Returns the paths at which the index no longer holds the commit's tree.
    pub fn staged_besides(&self) -> Result<Vec<String>, Diagnostic> {
        let attempt = "look for what a hook staged";
        let git = |arguments: &[&str]| self.program.demand(attempt, arguments, &[]);
        let changed = git(&[
            "diff-index",
            "--cached",
            "-z",
            "--name-only",
            "--no-renames",
            &self.tree.0,
        ])?;
        let paths = changed
            .split(|&byte| byte == 0)
            .filter(|path| !path.is_empty());
        Ok(paths
            .map(|path| String::from_utf8_lossy(path).into_owned())
            .collect())
    }
}

impl HookRun {
    /// Says that the hook `name` refused, with the end of what it wrote.
    pub fn refusal(&self, message: impl FnOnce(&str) -> String) -> Diagnostic {
        const MOST: usize = 20;
        let how = match (self.exit, self.signal) {
            (Some(exit), _) => format!("exit {exit}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "no exit".to_owned(),
        };
        let text = String::from_utf8_lossy(&self.output);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let kept = lines.len().saturating_sub(MOST);
        let refusal = Diagnostic::new(Code::ValidatorFailed, message(&how));
        let refusal = if kept == 0 {
            refusal
        } else {
            refusal.note(format!("{kept} lines before these are left out"))
        };
        lines
            .into_iter()
            .skip(kept)
            .fold(refusal, |refusal, line| refusal.note(line.trim_end()))
    }
}
