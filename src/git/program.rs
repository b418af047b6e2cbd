//! `Program`: what only the git program does, run in a cleaned environment and never through a shell.
//!
//! Invariant: a child sees this repository and no other, whatever variables we were called with; it asks nobody
//! for a password, talks English, and starts no file-system monitor of the repository's choosing.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::base::flush::Flush;
use super::{Repo, environment, failure};
use crate::diagnostic::{Code, Diagnostic, shown};

/// The variables that point git at a repository (`git rev-parse --local-env-vars`), but for those that carry
/// `git -c`, which hold for our children as they hold for us.
pub(super) const LOCAL: [&str; 13] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
];

/// Says whether git takes another repository, or sees another part of it, where the variable `name` is set: as in a hook of another
/// repository.
pub fn points_elsewhere(name: &OsStr) -> bool {
    LOCAL
        .iter()
        .chain(&["GIT_NAMESPACE", "GIT_QUARANTINE_PATH"])
        .any(|local| name == *local)
}

/// The git program, pointed at one repository.
pub(crate) struct Program<'r> {
    repo: &'r Repo,
    variables: Vec<(&'static str, OsString)>,
    /// Words that set something, each with the variable that carries the value.
    settings: Vec<(OsString, String, OsString)>,
    /// Whether it may fetch what a partial clone does not have, where not everything may start.
    fetches: bool,
    /// The worktree, when it is not the repository's own.
    place: Option<PathBuf>,
}

/// What a run of it said.
pub(crate) struct Answer {
    /// Whether it exited with 0.
    pub success: bool,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it complained.
    pub stderr: Vec<u8>,
}

/// What a hook said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookRun {
    /// How it exited; `None` when a signal ended it.
    pub exit: Option<i32>,
    /// That signal.
    pub signal: Option<i32>,
    /// The end of what it wrote to both its streams.
    pub output: Vec<u8>,
}

impl Repo {
    /// Returns the git program, pointed at this repository.
    pub(crate) fn program(&self) -> Program<'_> {
        Program {
            repo: self,
            variables: Vec::new(),
            settings: Vec::new(),
            fetches: false,
            place: None,
        }
    }
}

impl Program<'_> {
    /// Returns it with one more variable in its environment.
    pub(crate) fn with(mut self, variable: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((variable, value.as_ref().to_owned()));
        self
    }

    /// Returns it fetching what a partial clone does not have, or a refusal in the name of `what` it would fetch.
    pub(crate) fn fetching(mut self, what: &str) -> Result<Self, Diagnostic> {
        if !self.repo.may_fetch() {
            return Err(self.repo.refuse_to_fetch(what));
        }
        self.fetches = true;
        Ok(self)
    }

    /// Returns it with the setting `name` at `value`, both of which may hold any character.
    pub(crate) fn setting(mut self, name: &[u8], value: &[u8]) -> Self {
        let variable = format!("SEGEDIT_SETTING_{}", self.settings.len());
        let word = [b"--config-env=", name, b"=", variable.as_bytes()].concat();
        self.settings.push((
            OsString::from_vec(word),
            variable,
            OsString::from_vec(value.to_vec()),
        ));
        self
    }

    /// Returns it working on the files in `folder` instead of those of the worktree.
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.place = Some(folder.to_owned());
        self
    }

    /// Returns it writing its objects to `folder`, and finding all others where they are.
    pub(crate) fn storing_in(self, folder: &Path) -> Self {
        let own = environment::variable("GIT_OBJECT_DIRECTORY").map(PathBuf::from);
        let own = own.map_or_else(|| self.repo.common_dir().join("objects"), absolute);
        let mut others = quoted(&own);
        for folder in environment::folders("GIT_ALTERNATE_OBJECT_DIRECTORIES") {
            others.push(":");
            others.push(quoted(&folder));
        }
        self.with("GIT_OBJECT_DIRECTORY", folder)
            .with("GIT_ALTERNATE_OBJECT_DIRECTORIES", others)
    }

    /// Runs `git <arguments>` without input.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Answer, Diagnostic> {
        self.feed(arguments, &[])
    }

    /// Runs `git <arguments>` with `input` on its standard input.
    pub(crate) fn feed<A: AsRef<OsStr>>(
        &self,
        arguments: &[A],
        input: &[u8],
    ) -> Result<Answer, Diagnostic> {
        let mut command = self.command();
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(failure::system("run the git program"))?;
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            // From a thread of its own: a child that answers before it has read all would block us both. One that
            // does not want its input closes the pipe, which is no failure of ours.
            scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(input)));
            let output = child
                .wait_with_output()
                .map_err(failure::system("run the git program"))?;
            Ok(Answer {
                success: output.status.success(),
                stdout: output.stdout,
                stderr: output.stderr,
            })
        })
    }

    /// Runs `git <arguments>` with `input` and returns what it wrote, or its complaint as a failure to `attempt`.
    pub(crate) fn demand<A: AsRef<OsStr>>(
        &self,
        attempt: &str,
        arguments: &[A],
        input: &[u8],
    ) -> Result<Vec<u8>, Diagnostic> {
        let answer = self.feed(arguments, input)?;
        if answer.success {
            return Ok(answer.stdout);
        }
        let complaint = String::from_utf8_lossy(&answer.stderr);
        Err(Diagnostic::new(
            Code::Io,
            format!("could not {attempt}: {}", shown(complaint.trim())),
        ))
    }

    /// Runs the hook at `file`: in the same place as the program, told what git tells its hooks and nothing of ours.
    pub(crate) fn run_hook(
        &self,
        file: &Path,
        arguments: &[&OsStr],
    ) -> Result<HookRun, Diagnostic> {
        let attempt = format!("run the hook {}", file.display());
        // A file: a program that the hook leaves running may hold it open, and a pipe would make us wait for that.
        let output = tempfile::tempfile().map_err(failure::system(&attempt))?;
        let start = |mut command: Command| {
            self.point(&mut command);
            command
                .envs(
                    self.variables
                        .iter()
                        .map(|(variable, value)| (variable, value)),
                )
                .args(arguments);
            command
                .stdin(Stdio::null())
                .stdout(output.try_clone()?)
                .stderr(output.try_clone()?)
                .status()
        };
        let status = match start(Command::new(file)) {
            // Without a first line that says what reads it, it is the shell's, as git has it.
            Err(error)
                if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) =>
            {
                let mut shell = Command::new("sh");
                shell.arg(file);
                start(shell)
            }
            status => status,
        };
        let status = status.map_err(failure::system(&attempt))?;
        let output = tail(output).map_err(failure::system(&attempt))?;
        Ok(HookRun {
            exit: status.code(),
            signal: status.signal(),
            output,
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        self.point(&mut command);
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1");
        command.env("LC_ALL", "C");
        command.envs(
            self.variables
                .iter()
                .map(|(variable, value)| (variable, value)),
        );
        command.args(["-c", "core.fsmonitor=false"]);
        if !self.repo.may_start_all() {
            command.args([
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "maintenance.auto=false",
                "-c",
                "gc.auto=0",
            ]);
            command.env("GIT_ALLOW_PROTOCOL", "file:http:https:ssh");
            if !self.fetches {
                command.env("GIT_NO_LAZY_FETCH", "1");
            }
        }
        for (word, variable, value) in &self.settings {
            command.arg(word).env(variable, value);
        }
        if self.repo.config.flush() == Flush::ALL {
            command.args(["-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync"]);
        }
        command
    }

    /// Has `command` see this repository and no other.
    fn point(&self, command: &mut Command) {
        let git2 = &self.repo.git2;
        for variable in LOCAL {
            command.env_remove(variable);
        }
        command.env("GIT_DIR", git2.path());
        if let Some(worktree) = self.place.as_deref().or_else(|| git2.workdir()) {
            command.env("GIT_WORK_TREE", worktree).current_dir(worktree);
        } else {
            command.current_dir(git2.path());
        }
        command.env("GIT_INDEX_FILE", &self.repo.index_file);
        for variable in ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"] {
            // The caller's own choice of object store holds for us, so it holds for our children.
            if let Some(value) = environment::variable(variable) {
                command.env(variable, absolute(PathBuf::from(value)));
            }
        }
    }
}

/// Returns the end of what was written to `output`.
fn tail(mut output: File) -> std::io::Result<Vec<u8>> {
    const MOST: u64 = 64 * 1024;
    let length = output.metadata()?.len();
    output.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    output.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns `path` as it counts from the process's own folder.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Returns `path` as git reads it in a list that is separated by colons.
fn quoted(path: &Path) -> OsString {
    let bytes = path.as_os_str().as_bytes();
    if !bytes.contains(&b':') && !bytes.starts_with(b"\"") {
        return path.as_os_str().to_owned();
    }
    let mut text = OsString::from("\"");
    for &byte in bytes {
        if matches!(byte, b'"' | b'\\') {
            text.push("\\");
        }
        text.push(OsStr::from_bytes(&[byte]));
    }
    text.push("\"");
    text
}
