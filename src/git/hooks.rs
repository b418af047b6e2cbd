//! Hook files: which folder git runs them from, what stands there, and putting one in its place.
//!
//! Invariant: a name that was free when it was looked at is only ever taken by a call that refuses to replace, so a hook
//! that somebody puts there meanwhile stays. What a hook says, and whose it is, is decided elsewhere.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, RenameFlags};
use rustix::io::Errno;
use tempfile::NamedTempFile;

use super::{Repo, environment, failure};
use crate::diagnostic::{Code, Diagnostic, shown};

/// The longest hook that is read to find out whose it is.
const MOST_READ: u64 = 1 << 20;

/// What stands at a path where git would look for a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookFile {
    /// Nothing.
    Nothing,
    /// A file, or a link to one.
    Script {
        /// What it says; empty when it cannot be read, or is longer than any hook of ours.
        bytes: Vec<u8>,
        /// Whether git would run it.
        executable: bool,
    },
    /// A link that leads nowhere, which git passes over.
    DeadLink,
    /// A folder, a pipe, or something stranger.
    Other,
}

impl Repo {
    /// Returns the folder that git runs hooks from; it need not exist.
    pub fn hooks_folder(&self) -> Result<PathBuf, Diagnostic> {
        let Some(configured) = self.config.get("core.hookspath") else {
            return Ok(self.common_dir().join("hooks"));
        };
        let top = self.git2.workdir().unwrap_or(self.git2.path());
        if let (Some(rest), Some(home)) =
            (configured.strip_prefix("~/"), environment::variable("HOME"))
        {
            return Ok(Path::new(&home).join(rest));
        }
        if configured.starts_with(['~', '%']) {
            // Somebody else's home, or git's own prefix: only git knows where that is.
            let asked = ["config", "-z", "--type=path", "--get", "core.hooksPath"];
            let mut answer =
                self.program()
                    .demand("find the folder of core.hooksPath", &asked, &[])?;
            answer.retain(|&byte| byte != 0);
            return Ok(top.join(OsString::from_vec(answer)));
        }
        // git puts a slash and the hook's name behind an empty one, and looks in the root of the file system.
        Ok(if configured.is_empty() {
            PathBuf::from("/")
        } else {
            top.join(configured)
        })
    }

    /// Returns whether the repository has an executable hook called `name`.
    pub fn has_hook(&self, name: &str) -> bool {
        let found = self
            .hooks_folder()
            .and_then(|folder| look_at_hook(&folder.join(name)));
        matches!(
            found,
            Ok(HookFile::Script {
                executable: true,
                ..
            })
        )
    }

    /// Returns whether the hook called `name` is one that this program ships, and runs no other.
    pub fn has_only_ours(&self, name: &str) -> bool {
        let Ok(folder) = self.hooks_folder() else {
            return false;
        };
        let whole = |bytes: &[u8]| is_ours(bytes) && line_of_others(name, bytes).is_none();
        let ours = matches!(look_at_hook(&folder.join(name)), Ok(HookFile::Script { bytes, .. }) if whole(&bytes));
        ours && matches!(
            look_at_hook(&folder.join(format!("{name}{ASIDE}"))),
            Ok(HookFile::Nothing)
        )
    }

    /// Returns where `folder` stands below the worktree's root, if it does; git's own folder does not count.
    pub fn below_worktree(&self, folder: &Path) -> Option<PathBuf> {
        let folder = real(folder);
        if folder.starts_with(real(self.common_dir())) || folder.starts_with(real(self.git_dir())) {
            return None;
        }
        let root = real(self.workdir().filter(|_| !self.is_bare())?);
        folder.strip_prefix(root).ok().map(Path::to_path_buf)
    }

    /// Returns where `folder` leads to, if it is git's own by its name and a link leads from there to somewhere that is neither
    /// git's nor the worktree's.
    pub fn leads_out(&self, folder: &Path) -> Option<PathBuf> {
        let target = real(folder);
        let own = [self.common_dir(), self.git_dir()];
        let is_own = own.iter().any(|own| target.starts_with(real(own)))
            || self.below_worktree(folder).is_some();
        (!is_own && own.iter().any(|own| folder.starts_with(own))).then_some(target)
    }

    /// Returns whether git tracks anything in `folder`, which counts from the worktree's root and is empty for the root.
    pub fn tracks_files_in(&self, folder: &Path) -> Result<bool, Diagnostic> {
        let entries = self.read_index()?;
        let Some(folder) = folder.to_str() else {
            return Ok(false);
        };
        Ok(if folder.is_empty() {
            !entries.names("").is_empty()
        } else {
            entries.has_folder(folder)
        })
    }
}

/// The second line of each hook that this program ships.
pub const MARKER: &str = "# Written by `git segedit hooks install`, which replaces it; `git segedit hooks uninstall` removes it.";

/// What the name of a hook that was moved aside ends in.
pub const ASIDE: &str = ".before-segedit";

/// Says whether a script is one that this program ships, in whatever version.
pub fn is_ours(script: &[u8]) -> bool {
    script.split(|&byte| byte == b'\n').nth(1) == Some(MARKER.as_bytes())
}

/// Returns the hook called `name` as this program ships it.
pub fn shipped_hook(name: &str) -> Option<&'static str> {
    match name {
        "pre-commit" => Some(include_str!("../../hooks/pre-commit")),
        "pre-push" => Some(include_str!("../../hooks/pre-push")),
        "pre-receive" => Some(include_str!("../../hooks/pre-receive")),
        _ => None,
    }
}

/// Lines that earlier versions wrote and this one does not. One that leaves a hook is added here.
const EARLIER: [(&str, &str); 1] = [(
    "pre-push",
    "printf %s \"$pushed\" | git segedit check --pushed",
)];

/// Returns the first line of a hook of ours that no version of this program wrote, with its number.
pub fn line_of_others(name: &str, script: &[u8]) -> Option<(usize, String)> {
    let own = |line: &&str| {
        line.trim().is_empty()
            || EARLIER.contains(&(name, line))
            || shipped_hook(name).is_some_and(|shipped| shipped.lines().any(|own| own == *line))
    };
    let text = String::from_utf8_lossy(script);
    let mut lines = text.lines().enumerate();
    lines
        .find(|(_, line)| !own(line))
        .map(|(at, line)| (at + 1, line.to_owned()))
}

/// Returns `path` with the links on its way followed as far as it exists.
fn real(path: &Path) -> PathBuf {
    let real_part = path
        .ancestors()
        .find_map(|above| Some((above.canonicalize().ok()?, path.strip_prefix(above).ok()?)));
    real_part.map_or_else(|| path.to_owned(), |(above, rest)| above.join(rest))
}

/// Returns what stands at `path`.
pub fn look_at_hook(path: &Path) -> Result<HookFile, Diagnostic> {
    let attempt = format!("read {}", shown(&path.to_string_lossy()));
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_absent(&error) => {
            let link = fs::symlink_metadata(path).is_ok();
            return Ok(if link {
                HookFile::DeadLink
            } else {
                HookFile::Nothing
            });
        }
        // A link that leads round in a circle.
        Err(_) if fs::symlink_metadata(path).is_ok_and(|link| link.is_symlink()) => {
            return Ok(HookFile::DeadLink);
        }
        Err(error) => return Err(failure::system(&attempt)(error)),
    };
    if !metadata.is_file() {
        return Ok(HookFile::Other);
    }
    let executable = metadata.permissions().mode() & 0o111 != 0;
    let read = if metadata.len() > MOST_READ {
        Ok(Vec::new())
    } else {
        fs::read(path)
    };
    let bytes = match read {
        // git can run what nobody can read.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(Vec::new()),
        read => read,
    };
    Ok(HookFile::Script {
        bytes: bytes.map_err(failure::system(&attempt))?,
        executable,
    })
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Puts a hook that says `text` at `path`, where nothing may stand.
pub fn add_hook(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let placed = hook_to_be(path, text)?.persist_noclobber(path);
    placed
        .map(drop)
        .map_err(|error| not_placed(path, error.error))
}

/// Puts a hook that says `text` in the place of the one at `path`.
pub fn replace_hook(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let placed = hook_to_be(path, text)?.persist(path);
    placed
        .map(drop)
        .map_err(|error| not_placed(path, error.error))
}

/// Puts a hook that says `text` in the place of the one at `path`, which gets the name `aside`, that no other file may have. At
/// each moment a hook is at `path`, the former or the new one. A link moves as a link.
pub fn replace_and_keep_hook(path: &Path, aside: &Path, text: &str) -> Result<(), Diagnostic> {
    let new = hook_to_be(path, text)?;
    match rustix::fs::linkat(CWD, path, CWD, aside, AtFlags::empty()) {
        // What a process left that was ended before the second step.
        Err(Errno::EXIST) if is_same_hook(path, aside) => {}
        Err(Errno::EXIST) => return Err(not_placed(aside, Errno::EXIST.into())),
        Ok(()) => {}
        // A file system without second names.
        Err(_) => {
            move_hook(path, aside)?;
            return new.persist_noclobber(path).map(drop).map_err(|error| {
                let refusal = not_placed(path, error.error);
                match move_hook(aside, path) {
                    Ok(()) => refusal,
                    Err(left) => refusal.note(left.message),
                }
            });
        }
    }
    new.persist(path).map(drop).map_err(|error| {
        // It is at its place as well.
        let _ = fs::remove_file(aside);
        not_placed(path, error.error)
    })
}

/// Says whether two names are of one hook.
pub fn is_same_hook(one: &Path, other: &Path) -> bool {
    let number = |path: &Path| {
        let found = fs::symlink_metadata(path).ok()?;
        Some((found.dev(), found.ino()))
    };
    number(one).is_some_and(|found| number(other) == Some(found))
}

/// Gives the hook at `from` the name `to`, which nobody may have. A link moves as a link.
pub fn move_hook(from: &Path, to: &Path) -> Result<(), Diagnostic> {
    let moved = match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // A file system that cannot refuse to replace a file can still refuse to make a second link.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            rustix::fs::linkat(CWD, from, CWD, to, AtFlags::empty())
                .and_then(|()| rustix::fs::unlink(from))
        }
        outcome => outcome,
    };
    moved.map_err(|error| not_placed(to, error.into()))
}

/// Puts the hook at `from` in the place of the one at `to`, in one step. A link moves as a link.
pub fn put_back_hook(from: &Path, to: &Path) -> Result<(), Diagnostic> {
    fs::rename(from, to).map_err(|error| not_placed(to, error))
}

/// Removes the hook at `path`.
pub fn remove_hook(path: &Path) -> Result<(), Diagnostic> {
    fs::remove_file(path).map_err(failure::system(&format!(
        "remove {}",
        shown(&path.to_string_lossy())
    )))
}

/// Writes the hook beside its place, wholly, so that git never runs half of one.
fn hook_to_be(path: &Path, text: &str) -> Result<NamedTempFile, Diagnostic> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".segedit-")
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file()
            .set_permissions(Permissions::from_mode(0o755))?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    write().map_err(|error| not_placed(path, error))
}

fn not_placed(path: &Path, error: std::io::Error) -> Diagnostic {
    let place = shown(&path.to_string_lossy());
    if error.kind() == ErrorKind::AlreadyExists {
        let message =
            format!("somebody put something at {place} at this moment; it was left as it is");
        return Diagnostic::new(Code::ChangedSince, message).note("run the command again");
    }
    failure::system(&format!("write {place}"))(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    #[test]
    fn hooks_are_where_git_looks_for_them() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n"), ("sub/b.txt", "two\n")]);
        let linked = sandbox.beside("linked");
        sandbox.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
        let check = |configured: Option<&str>| {
            if let Some(path) = configured {
                sandbox.git(&["config", "core.hooksPath", path]);
            }
            for folder in [sandbox.root(), linked.as_path()] {
                // A home of its own is known to git's program only, which the sandbox seals; ours is the test's.
                let ours = Repo::open(folder).unwrap().hooks_folder().unwrap();
                let gits = sandbox.git_in(
                    folder,
                    &[
                        "rev-parse",
                        "--path-format=absolute",
                        "--git-path",
                        "hooks/x",
                    ],
                );
                assert_eq!(
                    real(&ours.join("x")),
                    real(Path::new(&gits)),
                    "{configured:?}"
                );
            }
        };
        check(None);
        check(Some("/somewhere/else"));
        check(Some("tools/hooks"));
        check(Some("../beside"));
        check(Some("~root/hooks"));
        check(Some(""));
    }

    #[test]
    fn a_hook_is_replaced_and_kept_or_stays_in_force() {
        let folder = tempfile::tempdir().unwrap();
        let (hook, aside) = (folder.path().join("hook"), folder.path().join("aside"));
        let read = |path: &Path| fs::read_to_string(path).ok();
        let held = || (read(&hook), read(&aside));
        let words = |hook: &str, aside: &str| (Some(hook.to_owned()), Some(aside.to_owned()));
        fs::write(&hook, "mine").unwrap();
        fs::write(&aside, "another").unwrap();
        assert!(replace_and_keep_hook(&hook, &aside, "new").is_err());
        assert_eq!(held(), words("mine", "another"));
        fs::remove_file(&aside).unwrap();
        // As a process leaves it that is ended in between.
        fs::hard_link(&hook, &aside).unwrap();
        replace_and_keep_hook(&hook, &aside, "new").unwrap();
        assert_eq!(held(), words("new", "mine"));
        fs::remove_file(&aside).unwrap();
        let no_folder = folder.path().join("none/aside");
        assert!(replace_and_keep_hook(&hook, &no_folder, "newer").is_err());
        assert_eq!(read(&hook).as_deref(), Some("new"), "it was not moved away");
        replace_and_keep_hook(&hook, &aside, "newer").unwrap();
        assert_eq!(held(), words("newer", "new"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_link_moves_as_a_link_and_nothing_is_replaced() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        let at = |name: &str| sandbox.beside(name);
        std::os::unix::fs::symlink("nowhere", at("link")).unwrap();
        fs::write(at("taken"), "mine\n").unwrap();
        assert_eq!(look_at_hook(&at("link")), Ok(HookFile::DeadLink));
        assert_eq!(
            move_hook(&at("link"), &at("taken")).unwrap_err().code,
            Code::ChangedSince
        );
        assert_eq!(
            add_hook(&at("taken"), "ours\n").unwrap_err().code,
            Code::ChangedSince
        );
        assert_eq!(fs::read_to_string(at("taken")).unwrap(), "mine\n");
        move_hook(&at("link"), &at("moved")).unwrap();
        assert_eq!(fs::read_link(at("moved")).unwrap(), Path::new("nowhere"));
        assert_eq!(look_at_hook(&at("")), Ok(HookFile::Other));
        assert_eq!(look_at_hook(&at("taken/below")), Ok(HookFile::Nothing));
    }
}
