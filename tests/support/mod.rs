//! Sealed repositories: nothing in a test depends on the machine, the clock, the user or other tests.
//!
//! A `Sandbox` is a folder of its own with a home, a git configuration and a repository. Git and the tool run with an
//! environment made from nothing. A failure says what ran, what came out and what the repository holds.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write as _};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

pub(crate) mod ask;
pub(crate) mod conversation;
pub(crate) mod crash;
pub(crate) mod held;
pub(crate) mod history;
pub(crate) mod hostile;
#[expect(
    unreachable_pub,
    reason = "it is a library of its own, which the fuzz targets use"
)]
#[path = "../../fuzz/src/lib.rs"]
pub(crate) mod laws;
pub(crate) mod python;
pub(crate) mod ruled;
pub(crate) mod scenarios;
pub(crate) mod segment_index;
pub(crate) mod shell;
pub(crate) mod sources;
pub(crate) mod state;
pub(crate) mod stranger;
pub(crate) mod tools;
pub(crate) mod writers;

/// What git takes from the user: read by git and libgit2 alike, because it is `~/.gitconfig`. A sandbox need not outlive
/// a power cut, so git does not wait for the disk.
const GIT_CONFIG: &str = "[user]\n\tname = Ada Tester\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n\
    [core]\n\tautocrlf = false\n\tquotePath = false\n\tfsync = none\n[commit]\n\tgpgSign = false\n[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n";

/// A repository with a home around it, gone when dropped.
pub(crate) struct Sandbox {
    root: TempDir,
}

/// Returns the machine's `PATH` with `folders` in front of it, and behind them the one of Python itself: what manages
/// several versions may put a script before it that takes five times as long to start.
pub(crate) fn path_with(folders: &[&Path]) -> OsString {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        let asked = Command::new("python3")
            .args(["-I", "-c", "import sys; print(sys.executable, end='')"])
            .output();
        let program = PathBuf::from(String::from_utf8(asked.ok()?.stdout).ok()?);
        program
            .parent()
            .filter(|folder| folder.join("python3").is_file())
            .map(Path::to_owned)
    });
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let all = folders
        .iter()
        .copied()
        .chain(python.as_deref())
        .map(Path::to_owned);
    std::env::join_paths(all.chain(std::env::split_paths(&inherited)))
        .expect("folders of a PATH have no separator")
}

/// Returns where on `path` a program is, or its name: one that is looked for by a `PATH` of its own is started by a fork, which
/// copies the tables of all our memory.
fn found_on(path: &OsStr, program: &OsStr) -> PathBuf {
    if program.as_encoded_bytes().contains(&b'/') {
        return program.into();
    }
    let found = std::env::split_paths(path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file());
    found.unwrap_or(program.into())
}

/// Returns where sandboxes are made: in memory, where there is enough of it, since some file systems take a multiple of the time
/// for files that come and go. Beside real tools, and where `TMPDIR` says so, it is the disk, as in everybody's life.
fn scratch() -> PathBuf {
    const ENOUGH: u64 = 4 << 30;
    let memory = Path::new("/dev/shm");
    let is_free =
        || rustix::fs::statvfs(memory).is_ok_and(|found| found.f_bavail * found.f_frsize > ENOUGH);
    let is_wanted = env!("CARGO_CRATE_NAME") != "tools" && std::env::var_os("TMPDIR").is_none();
    if is_wanted && is_free() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    }
}

/// What stands at one path.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// `100644`, `100755`, `120000` or `160000`, as git writes it; `special` for a pipe and its like.
    pub mode: String,
    /// The file's bytes; of a link, where it points.
    pub bytes: Vec<u8>,
}

/// Path → what stands there.
pub(crate) type Tree = BTreeMap<String, Entry>;

/// One finished process.
pub(crate) struct Run {
    /// The command as one would type it.
    pub command: String,
    /// The exit status; -1 when a signal ended it.
    pub exit: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Run {
    /// Returns standard output as text.
    pub(crate) fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Returns standard error as text.
    pub(crate) fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Returns the JSON report on standard output; anything else there fails the test.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON on stdout: {error}\n{self}"))
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ {}", self.command)?;
        writeln!(f, "--- status {}", self.exit)?;
        writeln!(f, "--- stdout\n{}", self.out().trim_end())?;
        writeln!(f, "--- stderr\n{}", self.err().trim_end())
    }
}

impl Sandbox {
    /// Makes a home without a repository.
    fn bare_home() -> Sandbox {
        let root = TempDir::with_prefix_in("segedit-it-", scratch()).expect("a temporary folder");
        fs::create_dir(root.path().join("home")).expect("the home folder");
        fs::write(root.path().join("home/.gitconfig"), GIT_CONFIG).expect("the git configuration");
        Sandbox { root }
    }

    /// Makes a repository on `main` without a commit.
    pub(crate) fn unborn() -> Sandbox {
        Sandbox::unborn_as(&[])
    }

    /// Makes a repository without a commit, `git init` given `options`.
    fn unborn_as(options: &[&str]) -> Sandbox {
        let sandbox = Sandbox::bare_home();
        fs::create_dir(sandbox.repo()).expect("the repository's folder");
        sandbox.git(&[&["init", "--quiet", "--template="], options].concat());
        sandbox
    }

    /// Makes a repository whose first commit on `main` holds `files`; with none it is an empty commit.
    pub(crate) fn with(files: &[(&str, &str)]) -> Sandbox {
        let sandbox = Sandbox::unborn();
        for (path, content) in files {
            sandbox.write(path, content);
        }
        sandbox.commit_all("first");
        sandbox
    }

    /// Makes a repository whose first commit on `main` holds `tree`.
    pub(crate) fn with_tree(tree: &Tree) -> Sandbox {
        Sandbox::with_tree_as(&[], tree)
    }

    /// The same, `git init` given `options`.
    pub(crate) fn with_tree_as(options: &[&str], tree: &Tree) -> Sandbox {
        let sandbox = Sandbox::unborn_as(options);
        write_tree(&sandbox.repo(), tree);
        sandbox.commit_all("first");
        sandbox
    }

    /// Commits everything in the worktree, and be it nothing.
    pub(crate) fn commit_all(&self, message: &str) {
        self.git(&["add", "--all", "--force", "."]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// Returns an independent copy of the whole, with an index that fits the copied files.
    pub(crate) fn copy(&self) -> Sandbox {
        let copy = Sandbox::bare_home();
        copy_folder(&self.repo(), &copy.repo());
        copy.git(&["update-index", "-q", "--refresh"]);
        copy
    }

    /// Returns an independent bare copy.
    pub(crate) fn copy_bare(&self) -> Sandbox {
        let copy = Sandbox::bare_home();
        copy_folder(&self.git_folder(), &copy.repo());
        fs::remove_file(copy.repo().join("index")).expect("a bare repository has no index");
        copy.git(&["config", "core.bare", "true"]);
        copy
    }

    /// Makes the worktree one that is linked to another, `main`, which stands detached beside it.
    pub(crate) fn move_to_linked_worktree(&self) {
        let main = self.aside().join("main");
        fs::rename(self.repo(), &main).expect("the main worktree's place is free");
        fs::create_dir(self.repo()).expect("the linked worktree's folder");
        let main = main.to_str().expect("test folders have plain names");
        let folder = self.repo();
        let folder = folder.to_str().expect("test folders have plain names");
        self.git(&["-C", main, "checkout", "--quiet", "--detach"]);
        self.git(&["-C", main, "worktree", "add", "--quiet", folder, "main"]);
    }

    /// Returns the repository's folder: the worktree, or the bare repository itself.
    pub(crate) fn repo(&self) -> PathBuf {
        self.root.path().join("repo")
    }

    /// Returns a folder beside the repository, for operation files and the like.
    pub(crate) fn aside(&self) -> PathBuf {
        self.root.path().to_owned()
    }

    /// Returns git's own folder, of a linked worktree the one that it shares with the others.
    pub(crate) fn git_folder(&self) -> PathBuf {
        let inside = self.repo().join(".git");
        if inside.is_file() {
            return self.aside().join("main/.git");
        }
        if inside.exists() { inside } else { self.repo() }
    }

    /// Writes a file of the worktree, with its folders.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .expect("the file's folder");
        fs::write(&path, content)
            .unwrap_or_else(|error| panic!("writing {}: {error}", path.display()));
    }

    /// Runs git, which has to succeed, and returns its output without the last line ending.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let run = self.try_git(args);
        assert!(run.exit == 0, "git failed\n{run}\n{self}");
        run.out().trim_end_matches('\n').to_owned()
    }

    /// Runs git.
    pub(crate) fn try_git(&self, args: &[&str]) -> Run {
        self.run(self.command("git").args(args), b"")
    }

    /// Runs git with `input` on its standard input; it has to succeed.
    #[track_caller]
    pub(crate) fn git_with_input(&self, args: &[&str], input: &[u8]) -> Vec<u8> {
        let run = self.run(self.command("git").args(args), input);
        assert!(run.exit == 0, "git failed\n{run}\n{self}");
        run.stdout
    }

    /// Runs the tool in the repository.
    pub(crate) fn segedit(&self, args: &[&str]) -> Run {
        self.segedit_with_input(args, b"")
    }

    /// Runs the tool with `input` on its standard input.
    pub(crate) fn segedit_with_input(&self, args: &[&str], input: &[u8]) -> Run {
        self.run(self.segedit_command().args(args), input)
    }

    /// Returns the tool's command in this sandbox, for tests that add to its environment or end it early.
    pub(crate) fn segedit_command(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_git-segedit"))
    }

    /// Runs the tool as for somebody who cannot lock the index of segments: a folder is in the lock's place.
    pub(crate) fn segedit_without_index(&self, args: &[&str]) -> Run {
        let lock = self.cache().join("index.users");
        let aside = self.cache().join("index.users.aside");
        let existed = lock.exists();
        if existed {
            fs::rename(&lock, &aside).expect("nobody uses the lock");
        }
        fs::create_dir_all(&lock).expect("the lock's place is free");
        let run = self.segedit(args);
        fs::remove_dir(&lock).expect("nobody put anything there");
        if existed {
            fs::rename(&aside, &lock).expect("the lock's place is free again");
        }
        run
    }

    /// Returns the command of another program in this sandbox.
    pub(crate) fn program(&self, name: &str) -> Command {
        self.command(name)
    }

    /// Returns the folder of the user's cache that belongs to the repository: it is named after the git folder.
    pub(crate) fn cache(&self) -> PathBuf {
        let owner = self.git_folder().canonicalize().expect("a git folder");
        let mut named = self.command("git");
        named
            .current_dir(self.root.path())
            .args(["hash-object", "--stdin"]);
        let named = self.run(&mut named, owner.as_os_str().as_encoded_bytes());
        self.root
            .path()
            .join("home/.cache/git-segedit")
            .join(named.out().trim())
    }

    /// Runs a line of shell in the repository, with the tool on the `PATH`.
    pub(crate) fn shell(&self, line: &str) -> Run {
        let tool = Path::new(env!("CARGO_BIN_EXE_git-segedit"))
            .parent()
            .expect("a program stands in a folder");
        self.run(
            self.command("sh")
                .args(["-c", line])
                .env("PATH", path_with(&[tool])),
            b"",
        )
    }

    /// Returns a command with nothing of the machine's environment but `PATH`.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let home = self.root.path().join("home");
        let path = path_with(&[]);
        let mut command = Command::new(found_on(&path, program.as_ref()));
        command.env_clear().current_dir(self.repo());
        command.env("PATH", path);
        command
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"));
        command
            .env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GIT_CEILING_DIRECTORIES", self.root.path());
        command
            .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
            .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z");
        command
            .env("GIT_EDITOR", "false")
            .env("EDITOR", "false")
            .env("VISUAL", "false");
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_PAGER", "cat");
        command
            .env("LC_ALL", "C")
            .env("TZ", "UTC")
            .env("TMPDIR", self.root.path());
        command
    }

    /// Runs a command of this sandbox to its end.
    pub(crate) fn run(&self, command: &mut Command, input: &[u8]) -> Run {
        let shown = std::iter::once(command.get_program())
            .chain(command.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("starting `{shown}`: {error}"));
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        let input = input.to_owned();
        // A thread, so that a child that writes before it reads cannot block both; one that never reads is no error.
        let feed = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child
            .wait_with_output()
            .unwrap_or_else(|error| panic!("waiting for `{shown}`: {error}"));
        feed.join().expect("feeding a pipe does not panic");
        Run {
            command: shown,
            exit: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: output.stderr,
        }
    }

    /// Returns the tree of a revision.
    #[track_caller]
    pub(crate) fn tree(&self, revision: &str) -> Tree {
        let listing = self.git(&[
            "ls-tree",
            "-r",
            "-z",
            "--full-tree",
            "--format=%(objectmode) %(objectname)%x09%(path)",
            revision,
        ]);
        self.load(&listing)
    }

    /// Returns what the index holds; conflicts and intent-to-add entries have no place here.
    #[track_caller]
    pub(crate) fn index_tree(&self) -> Tree {
        let listing = self.git(&[
            "ls-files",
            "--cached",
            "-z",
            "--format=%(objectmode) %(objectname)%x09%(path)",
        ]);
        self.load(&listing)
    }

    /// Returns the files of the worktree.
    pub(crate) fn worktree_tree(&self) -> Tree {
        read_tree(&self.repo())
    }

    /// Returns the blob id of each path of a revision.
    #[track_caller]
    pub(crate) fn blob_ids(&self, revision: &str) -> BTreeMap<String, String> {
        let listing = self.git(&[
            "ls-tree",
            "-r",
            "-z",
            "--full-tree",
            "--format=%(objectname)%x09%(path)",
            revision,
        ]);
        listing
            .split_terminator('\0')
            .filter_map(|line| line.split_once('\t'))
            .map(|(id, path)| (path.to_owned(), id.to_owned()))
            .collect()
    }

    /// Reads the blobs of a NUL-separated `mode id<TAB>path` listing with one git process.
    #[track_caller]
    fn load(&self, listing: &str) -> Tree {
        let rows: Vec<(&str, &str, &str)> = listing
            .split_terminator('\0')
            .map(|line| {
                let (head, path) = line.split_once('\t').expect("the format has a tab");
                let (mode, id) = head.split_once(' ').expect("the format has a space");
                (mode, id, path)
            })
            .collect();
        let request: String = rows
            .iter()
            .filter(|row| row.0 != "160000")
            .map(|row| format!("{}\n", row.1))
            .collect();
        let answer = if request.is_empty() {
            Vec::new()
        } else {
            self.git_with_input(&["cat-file", "--batch"], request.as_bytes())
        };
        let mut rest = &answer[..];
        let mut tree = Tree::new();
        for (mode, id, path) in rows {
            let bytes = if mode == "160000" {
                id.as_bytes().to_owned()
            } else {
                next_object(&mut rest)
            };
            tree.insert(
                path.to_owned(),
                Entry {
                    mode: mode.to_owned(),
                    bytes,
                },
            );
        }
        tree
    }

    /// Returns all that must not change when nothing is published: the worktree, and git's own folder (HEAD, refs, reflogs,
    /// stashes, indexes, locks, what is under way, other worktrees' part of all that) but for the objects.
    pub(crate) fn digest(&self) -> BTreeMap<String, Vec<u8>> {
        let git = self.git_folder();
        let mut digest = BTreeMap::new();
        walk(&git, &git, &mut |name, path| {
            if !name.starts_with("objects/") && !name.starts_with("segedit/") {
                digest.insert(
                    format!(".git/{name}"),
                    fs::read(path).expect("a file that was just listed"),
                );
            }
        });
        if git != self.repo() {
            for (path, entry) in self.worktree_tree() {
                digest.insert(format!("{} {path}", entry.mode), entry.bytes);
            }
        }
        digest
    }
}

impl fmt::Display for Sandbox {
    /// Shows what the repository holds: refs, status, and every file with its lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for args in [
            &["log", "--oneline", "--graph", "--all", "-n", "10"][..],
            &["status", "--short", "--branch"],
        ] {
            let run = self.try_git(args);
            writeln!(f, "--- git {}\n{}", args.join(" "), run.out().trim_end())?;
        }
        if self.git_folder() != self.repo() {
            writeln!(f, "--- worktree\n{}", shown_tree(&self.worktree_tree()))?;
        }
        Ok(())
    }
}

/// Takes the next object off a `git cat-file --batch` stream.
fn next_object(rest: &mut &[u8]) -> Vec<u8> {
    let head_end = rest
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("every object has a header line");
    let head = std::str::from_utf8(&rest[..head_end]).expect("headers are ASCII");
    let size: usize = head
        .rsplit(' ')
        .next()
        .and_then(|size| size.parse().ok())
        .unwrap_or_else(|| panic!("{head}"));
    let bytes = rest[head_end + 1..head_end + 1 + size].to_owned();
    *rest = &rest[head_end + 2 + size..];
    bytes
}

/// Returns the files under `root`, git's own folder left out.
pub(crate) fn read_tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    if root.exists() {
        walk(root, root, &mut |name, path| {
            if name != ".git" && !name.starts_with(".git/") {
                tree.insert(name.to_owned(), read_entry(path));
            }
        });
    }
    tree
}

fn read_entry(path: &Path) -> Entry {
    let metadata = fs::symlink_metadata(path).expect("a path that was just listed");
    if metadata.is_symlink() {
        let target = fs::read_link(path).expect("a link that was just listed");
        return Entry {
            mode: "120000".to_owned(),
            bytes: target.into_os_string().into_encoded_bytes(),
        };
    }
    if !metadata.is_file() {
        // To read a pipe is to wait for somebody who writes to it.
        return Entry {
            mode: "special".to_owned(),
            bytes: Vec::new(),
        };
    }
    let mode = if metadata.permissions().mode() & 0o100 == 0 {
        "100644"
    } else {
        "100755"
    };
    let bytes =
        fs::read(path).unwrap_or_else(|error| panic!("reading {}: {error}", path.display()));
    Entry {
        mode: mode.to_owned(),
        bytes,
    }
}

/// Calls `visit` with the name below `root` and the path of every file and link under `folder`.
pub(crate) fn walk(root: &Path, folder: &Path, visit: &mut dyn FnMut(&str, &Path)) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("listing {}: {error}", folder.display()))
        .map(|entry| entry.expect("a listed entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            walk(root, &path, visit);
        } else {
            let name = path
                .strip_prefix(root)
                .expect("below the root")
                .to_str()
                .expect("test files have plain names");
            visit(name, &path);
        }
    }
}

/// Writes `tree` below `root`.
pub(crate) fn write_tree(root: &Path, tree: &Tree) {
    for (name, entry) in tree {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a file stands in a folder"))
            .expect("the file's folder");
        if entry.mode == "120000" {
            symlink(String::from_utf8_lossy(&entry.bytes).as_ref(), &path)
                .expect("a symbolic link");
            continue;
        }
        fs::write(&path, &entry.bytes).expect("a file of the tree");
        let bits = if entry.mode == "100755" { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(bits)).expect("the file's mode");
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the copy's folder");
    for entry in
        fs::read_dir(from).unwrap_or_else(|error| panic!("listing {}: {error}", from.display()))
    {
        let path = entry.expect("a listed entry").path();
        let target = to.join(path.file_name().expect("a listed entry has a name"));
        if path.is_symlink() {
            symlink(fs::read_link(&path).expect("a link"), &target).expect("the copied link");
        } else if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("the copied file");
        }
    }
}

/// Returns a tree as text that shows what eyes miss: tabs, carriage returns, trailing spaces, bytes that are not UTF-8.
pub(crate) fn shown_tree(tree: &Tree) -> String {
    let mut text = String::new();
    for (path, entry) in tree {
        writeln!(text, "[{} {path}]", entry.mode).expect("writing to a string");
        text.push_str(&shown_bytes(&entry.bytes));
    }
    text
}

/// Returns what differs between two trees, both sides shown; `None` when they are the same.
pub(crate) fn tree_difference(expected: &Tree, actual: &Tree) -> Option<String> {
    let mut text = String::new();
    for path in expected
        .keys()
        .chain(actual.keys().filter(|path| !expected.contains_key(*path)))
    {
        let (wanted, found) = (expected.get(path), actual.get(path));
        if wanted == found {
            continue;
        }
        for (label, side) in [("expected", wanted), ("actual", found)] {
            match side {
                None => writeln!(text, "--- {label} {path}: absent"),
                Some(entry) => writeln!(
                    text,
                    "--- {label} {path} {}\n{}",
                    entry.mode,
                    shown_bytes(&entry.bytes).trim_end_matches('\n')
                ),
            }
            .expect("writing to a string");
        }
    }
    (!text.is_empty()).then_some(text)
}

/// Returns bytes as lines; `→` a tab, `␍` a carriage return, `·` a space at a line's end, `⌁` no final newline.
fn shown_bytes(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let (content, ended) = line
            .strip_suffix(b"\n")
            .map_or((line, false), |content| (content, true));
        let words = content
            .utf8_chunks()
            .fold(String::new(), |mut words, chunk| {
                words.push_str(chunk.valid());
                words.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
                words
            });
        let kept = words.trim_end_matches(' ');
        let trailing = "·".repeat(words.len() - kept.len());
        let line = format!("{kept}{trailing}")
            .replace('\t', "→")
            .replace('\r', "␍")
            .replace('\u{feff}', "<BOM>");
        writeln!(text, "{line}{}", if ended { "" } else { "⌁" }).expect("writing to a string");
    }
    text
}
