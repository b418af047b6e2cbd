//! What a program is given of our environment: where things are, and nothing that opens a door.
//!
//! An allow-list, because nobody can list every name that a token may have. What stands in files under HOME is not hidden by
//! this; a program that may run may read it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// What passes; a name that ends in `*` stands for all that begin so. Nothing of git's: a program shall find the copy it was
/// given and no repository. No sockets (`SSH_AUTH_SOCK`, `DBUS_*`, `XDG_RUNTIME_DIR`), no proxies (they carry passwords), and
/// nothing that loads code into every program (`LD_*`, `NODE_OPTIONS`, `PYTHONPATH`, `BASH_ENV`): who needs one of these for a
/// validator says so in its `env`.
const PASSED: &[&str] = &[
    // Who runs it, and where its own configuration and caches are.
    "HOME",
    "USER",
    "LOGNAME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "TMPDIR",
    // In which language and time it talks, and how it reads bytes as text.
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    // Where PATH leads to a shim: which of several installed versions it stands for.
    "ASDF_DATA_DIR",
    "ASDF_DIR",
    "CARGO_HOME",
    "CONDA_PREFIX",
    "MISE_DATA_DIR",
    "NVM_DIR",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "RBENV_ROOT",
    "RBENV_VERSION",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
    // Where a language keeps its library, which a type checker reads.
    "GOCACHE",
    "GOFLAGS",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "GOTOOLCHAIN",
    "JAVA_HOME",
    "NODE_PATH",
];

/// What every program is told. Not `CI`: several tools judge more strictly under it, and a person who runs the same command by
/// hand shall see the same verdict.
const FIXED: [(&str, &str); 3] = [
    // Nobody watches: no colours, no cursor movements in what is read by machine or shown in a report.
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    // A checkout that is kept for the next batch stays as it was laid out.
    ("PYTHONDONTWRITEBYTECODE", "1"),
];

/// Where programs are looked for when nobody says.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Returns the caller's whole environment, of which `of` passes on only what every program may see.
pub(super) fn of_caller() -> Vec<(OsString, OsString)> {
    std::env::vars_os().collect()
}

/// Returns the absolute folders that `path` lists, or without it the caller's `PATH`.
pub(crate) fn path_folders(path: Option<&str>) -> Vec<PathBuf> {
    let Some(path) = path
        .map(OsString::from)
        .or_else(|| std::env::var_os("PATH"))
    else {
        return Vec::new();
    };
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .collect()
}

/// Returns the environment that comes of the `caller`'s variables and the job's own `added` variables, which win, and the
/// folders to look for programs in, which its PATH lists: `programs` first, none that is `avoided`.
pub(super) fn environment_for(
    caller: Vec<(OsString, OsString)>,
    added: &[(OsString, OsString)],
    programs: &[PathBuf],
    avoided: &[PathBuf],
) -> (BTreeMap<OsString, OsString>, Vec<PathBuf>) {
    let path = OsStr::new("PATH");
    let inherited = caller
        .into_iter()
        .filter(|(name, _)| name == path || is_passed_on(name));
    let mut environment: BTreeMap<OsString, OsString> = inherited.collect();
    environment.extend(FIXED.map(|(name, value)| (name.into(), value.into())));
    environment.extend(added.iter().cloned());
    let listed = environment
        .get(path)
        .map_or(OsStr::new(DEFAULT_PATH), OsString::as_os_str);
    let mut folders = program_folders(programs, listed);
    folders.retain(|folder| !avoided.contains(folder));
    environment.insert(path.to_owned(), join_folders(&folders));
    (environment, folders)
}

fn is_passed_on(name: &OsStr) -> bool {
    PASSED.iter().any(|passed| match passed.strip_suffix('*') {
        Some(beginning) => name.as_bytes().starts_with(beginning.as_bytes()),
        None => name == *passed,
    })
}

/// Only absolute ones: from a relative or empty entry the files of a batch would be run, in whose copy the program stands.
fn program_folders(programs: &[PathBuf], path: &OsStr) -> Vec<PathBuf> {
    let listed = path
        .as_bytes()
        .split(|&byte| byte == b':')
        .map(|entry| Path::new(OsStr::from_bytes(entry)));
    programs
        .iter()
        .map(PathBuf::as_path)
        .chain(listed)
        .filter(|folder| folder.is_absolute())
        .map(Path::to_owned)
        .collect()
}

fn join_folders(folders: &[PathBuf]) -> OsString {
    let bytes: Vec<&[u8]> = folders
        .iter()
        .map(|folder| folder.as_os_str().as_bytes())
        .collect();
    // A PATH has no way to say a folder with a colon in its name.
    let sayable: Vec<&[u8]> = bytes
        .into_iter()
        .filter(|folder| !folder.contains(&b':'))
        .collect();
    OsString::from_vec(sayable.join(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        list.iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    #[track_caller]
    fn check(
        caller: &[(&str, &str)],
        added: &[(&str, &str)],
        programs: &[&str],
        expected: &[(&str, &str)],
    ) {
        let programs: Vec<PathBuf> = programs.iter().map(PathBuf::from).collect();
        let (environment, _) = environment_for(
            pairs(caller),
            &pairs(added),
            &programs,
            &["/avoided/bin".into()],
        );
        let mut expected = pairs(expected);
        expected.extend(pairs(&[
            ("NO_COLOR", "1"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
        ]));
        expected.sort();
        assert_eq!(environment.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn only_what_is_listed_passes() {
        check(
            &[
                ("PATH", "/bin"),
                ("HOME", "/h"),
                ("LC_ALL", "C"),
                ("LC", "no"),
                ("HOMEPAGE", "no"),
                ("GITHUB_TOKEN", "no"),
                ("AWS_SECRET_ACCESS_KEY", "no"),
                ("SSH_AUTH_SOCK", "/no"),
                ("GIT_DIR", "/no"),
                ("GOFLAGS", "-mod=mod"),
                ("TERM", "xterm"),
            ],
            &[],
            &[],
            &[
                ("PATH", "/bin"),
                ("HOME", "/h"),
                ("LC_ALL", "C"),
                ("GOFLAGS", "-mod=mod"),
                ("TERM", "dumb"),
            ],
        );
    }

    #[test]
    fn the_jobs_own_variables_win() {
        check(
            &[("PATH", "/bin"), ("HOME", "/h")],
            &[
                ("HOME", "/other"),
                ("TERM", "vt100"),
                ("PATH", "/opt"),
                ("GIT_DIR", "asked for"),
            ],
            &["/x/bin"],
            &[
                ("PATH", "/x/bin:/opt"),
                ("HOME", "/other"),
                ("TERM", "vt100"),
                ("GIT_DIR", "asked for"),
            ],
        );
    }

    #[test]
    fn a_path_leads_nowhere_into_the_copy() {
        check(
            &[("PATH", ":.:bin:/avoided/bin:/usr/bin::")],
            &[],
            &["rel", "/a:b", "/x"],
            &[("PATH", "/x:/usr/bin"), ("TERM", "dumb")],
        );
        check(&[], &[], &[], &[("PATH", DEFAULT_PATH), ("TERM", "dumb")]);
        let (_, folders) = environment_for(
            pairs(&[("PATH", "/bin:.")]),
            &[],
            &["/a:b".into(), "rel".into()],
            &[],
        );
        assert_eq!(folders, [PathBuf::from("/a:b"), PathBuf::from("/bin")]);
    }
}
