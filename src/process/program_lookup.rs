//! Finds a job's program, and says in a sentence why it is not there or cannot be run.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;

/// Fails when nothing can run in `folder`, which is no program's fault.
pub(super) fn can_run_in(folder: &Path) -> io::Result<()> {
    if !std::fs::metadata(folder)?.is_dir() {
        return Err(Errno::NOTDIR.into());
    }
    Ok(access(folder, Access::EXEC_OK)?)
}

/// Returns the program that `command` names and its arguments: with a slash in it a path from `folder`, else what is first
/// found in `folders`.
pub(super) fn find_program<'c>(
    command: &'c [OsString],
    folder: &Path,
    folders: &[PathBuf],
) -> Result<(PathBuf, &'c [OsString]), String> {
    let Some((word, arguments)) = command.split_first() else {
        return Err("the command names no program".to_owned());
    };
    look_up(word, folder, folders).map(|path| (path, arguments))
}

fn look_up(word: &OsStr, folder: &Path, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let name = Path::new(word).display();
    if word.as_bytes().contains(&b'/') {
        let path = folder.join(word);
        return if path.exists() {
            Ok(path)
        } else {
            Err(format!("there is no {name} in the folder it runs in"))
        };
    }
    let candidates = || {
        folders
            .iter()
            .map(|folder| folder.join(word))
            .filter(|path| path.is_file())
    };
    if let Some(path) = candidates().find(|path| access(path, Access::EXEC_OK).is_ok()) {
        return Ok(path);
    }
    if let Some(path) = candidates().next() {
        return Err(format!("{} is not executable", path.display()));
    }
    let searched: Vec<String> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    Err(format!(
        "there is no program `{name}` in {}",
        searched.join(", ")
    ))
}

/// Returns why the program at `path` could not be run, when that is the program's fault; `None` when it is ours.
pub(super) fn explain_spawn_error(path: &Path, error: &io::Error) -> Option<String> {
    let name = path.display();
    match Errno::from_io_error(error)? {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP if path.exists() => {
            Some(match missing_interpreter(path) {
                Some(interpreter) => {
                    format!("{name} asks for the interpreter {interpreter}, which is not there")
                }
                None => format!("{name} was made for a system whose loader is not there"),
            })
        }
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP => Some(format!("there is no program {name}")),
        Errno::ACCESS | Errno::PERM | Errno::ISDIR if path.is_dir() => {
            Some(format!("{name} is a folder"))
        }
        Errno::ACCESS | Errno::PERM | Errno::ISDIR => Some(match missing_interpreter(path) {
            Some(interpreter) => {
                format!("{name} or its interpreter {interpreter} is not executable")
            }
            None => format!("{name} is not executable"),
        }),
        Errno::NOEXEC | Errno::LIBBAD => Some(format!(
            "{name} is no program that this system can run, and has no `#!` line"
        )),
        _ => None,
    }
}

/// Returns what the `#!` line of a script names.
fn missing_interpreter(path: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(path)
        .ok()?
        .take(256)
        .read_to_end(&mut start)
        .ok()?;
    let line = start
        .strip_prefix(b"#!")?
        .split(|&byte| byte == b'\n')
        .next()?;
    let word = line
        .trim_ascii()
        .split(|byte| byte.is_ascii_whitespace() && *byte != b'\r')
        .next()?;
    Some(String::from_utf8_lossy(word).escape_debug().to_string())
}
