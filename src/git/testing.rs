//! Sealed repositories for the tests of git/ and publish/: made by the git program, blind to the machine's own
//! configuration, with fixed names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

use tempfile::TempDir;

use super::Repo;
use crate::path::RepoPath;
use crate::snapshot::{Change, File, FileMode};

const PREFIX: &str = "segedit-test-";

/// A folder with one repository in it.
pub struct Sandbox {
    folder: TempDir,
    root: PathBuf,
}

impl Sandbox {
    /// Makes an empty repository on the branch `main`, `git init` given `options`.
    pub fn new(options: &[&str]) -> Sandbox {
        seal();
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir().unwrap();
        let root = folder.path().join("repo");
        std::fs::create_dir(&root).unwrap();
        let sandbox = Sandbox { folder, root };
        sandbox.git(&[&["init", "-q", "-b", "main"], options].concat());
        sandbox.git(&["config", "user.name", "A U Thor"]);
        sandbox.git(&["config", "user.email", "author@example.org"]);
        sandbox
    }

    /// Makes a repository whose first commit holds `files`.
    pub fn with(options: &[&str], files: &[(&str, &str)]) -> Sandbox {
        let sandbox = Sandbox::new(options);
        for (path, content) in files {
            sandbox.write(path, content);
        }
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "-q", "-m", "first"]);
        sandbox
    }

    /// Makes a bare clone of it, beside it.
    pub fn bare_clone(&self) -> PathBuf {
        let bare = self.folder.path().join("bare.git");
        self.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
        self.git_in(&bare, &["config", "user.name", "A U Thor"]);
        self.git_in(&bare, &["config", "user.email", "author@example.org"]);
        bare
    }

    /// Returns the worktree's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a path beside the repository.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Opens it.
    pub fn repo(&self) -> Repo {
        Repo::open(&self.root).unwrap_or_else(|refusal| panic!("{refusal:?}"))
    }

    /// Writes a file of the worktree.
    pub fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Reads a file of the worktree.
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs git there and returns what it wrote, without white space at the end.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.root, arguments)
    }

    /// Runs git in `dir`.
    pub fn git_in(&self, dir: &Path, arguments: &[&str]) -> String {
        let output = self.command(dir).args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    /// Runs git there and returns what it wrote, byte for byte.
    pub fn git_bytes(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.command(&self.root).args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }

    /// Runs git there with `input` and returns what it wrote, without white space at the end.
    pub fn git_with_input(&self, arguments: &[&str], input: &[u8]) -> String {
        use std::io::{Seek as _, Write as _};
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(input).unwrap();
        file.rewind().unwrap();
        let output = self
            .command(&self.root)
            .args(arguments)
            .stdin(file)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    /// Makes the tree of an index with these modes and ids; of two paths that are in each other's way the shorter stays.
    pub fn tree(&self, entries: &BTreeMap<Vec<u8>, (&str, String)>) -> String {
        let mut lines = Vec::new();
        for (path, (mode, id)) in entries {
            let blocked = |other: &Vec<u8>| path.starts_with(&[other.as_slice(), b"/"].concat());
            if !entries.keys().any(blocked) {
                lines.extend(format!("{mode} {id}\t").bytes());
                lines.extend(path);
                lines.push(0);
            }
        }
        self.git(&["read-tree", "--empty"]);
        self.git_with_input(&["update-index", "-z", "--index-info"], &lines);
        self.git(&["write-tree", "--missing-ok"])
    }

    /// Returns the git program, sealed.
    pub fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new("git");
        command.current_dir(dir);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GIT_")) {
            command.env_remove(name);
        }
        command
            .env("HOME", self.folder.path())
            .env("XDG_CONFIG_HOME", self.folder.path().join("xdg"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_EDITOR", "false")
            .env("LC_ALL", "C");
        command
    }

    /// Returns everything that must not change when a batch is refused: refs, index, files, stash, logs.
    pub fn digest(&self) -> String {
        let files = self.git(&["ls-files", "-s", "-v", "--full-name"]);
        let refs = self.git(&["for-each-ref"]);
        let status = self.git(&["--no-optional-locks", "status", "--porcelain", "-uall"]);
        let index = std::fs::read(self.root.join(".git/index")).unwrap_or_default();
        let mut worktree = Vec::new();
        collect(&self.root, &mut worktree);
        worktree.sort();
        format!("{files}\n{refs}\n{status}\n{index:?}\n{worktree:?}")
    }

    /// Checks that git finds nothing wrong and nobody left a lock.
    pub fn assert_sound(&self) {
        self.git(&["fsck", "--strict", "--no-dangling"]);
        for lock in [
            "index.lock",
            "HEAD.lock",
            "refs/heads/main.lock",
            "segedit/journal",
        ] {
            assert!(
                !self.root.join(".git").join(lock).exists(),
                "{lock} is left over"
            );
        }
        let list = |folder: &str| {
            let entries = std::fs::read_dir(self.root.join(folder))
                .into_iter()
                .flatten();
            entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect::<Vec<_>>()
        };
        let litter =
            |name: &String| name.starts_with(".segedit-") || name.starts_with("index.segedit-");
        assert!(
            !list(".git/segedit").iter().chain(&list(".git")).any(litter),
            "{:?}",
            list(".git/segedit")
        );
    }
}

/// Returns the path `name` beside the repositories of the sandbox that `path` is in.
pub fn beside(path: &Path, name: &str) -> Option<PathBuf> {
    let is_sandbox = |folder: &&Path| {
        folder
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
    };
    path.ancestors()
        .find(is_sandbox)
        .map(|folder| folder.join(name))
}

/// The folder that a test works in when it runs as a process of its own.
pub fn child_folder() -> Option<PathBuf> {
    seal();
    std::env::var_os("SEGEDIT_TEST_CHILD").map(PathBuf::from)
}

/// Returns the command that runs the test `name` (in full, without the crate's) as a process of its own in `folder`, free
/// of every variable of git's. The test asks `child_folder` which of the two it is.
pub fn child(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    for (variable, _) in std::env::vars().filter(|(variable, _)| variable.starts_with("GIT_")) {
        command.env_remove(variable);
    }
    command
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .current_dir(folder);
    command
        .env("SEGEDIT_TEST_CHILD", folder)
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

/// Runs a child and fails with what it said if it failed.
pub fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder)
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.file_name() != ".git")
    {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => collect(&entry.path(), files),
            kind if kind.is_file() => {
                files.push((entry.path(), std::fs::read(entry.path()).unwrap()))
            }
            _ => files.push((entry.path(), b"(not a file)".to_vec())),
        }
    }
}

/// Keeps libgit2 from the machine's own configuration, for every test of this process.
fn seal() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        use git2::ConfigLevel::{Global, ProgramData, System, XDG};
        for level in [Global, ProgramData, System, XDG] {
            // Safety: once, before any repository is opened by a test that wants to be sealed.
            #[expect(unsafe_code, reason = "libgit2 offers no other way to say so")]
            let set = unsafe { git2::opts::set_search_path(level, "/nonexistent") };
            set.unwrap();
        }
    });
}

/// Returns numbers below a limit that look random and are the same every time.
pub fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    }
}

/// Returns a checked path.
pub fn path(text: &str) -> RepoPath {
    RepoPath::parse(text).unwrap()
}

/// Returns a regular file.
pub fn file(content: &str) -> File {
    File {
        mode: FileMode::Regular,
        bytes: content.as_bytes().into(),
    }
}

/// Returns a change from `before` to `after`, each `None` for no file.
pub fn change(at: &str, before: Option<&str>, after: Option<&str>) -> Change {
    Change {
        path: path(at),
        before: before.map(file),
        after: after.map(file),
    }
}
