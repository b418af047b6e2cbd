//! `RepoPath`: the path of a file inside a repository, checked once at the door and trusted after.
//!
//! Invariant: relative, `/`-separated, UTF-8, no empty, `.` or `..` component, and no component that
//! any file system git knows could read as git's own folder (`.git`, `.GIT`, `git~1`, ignorable Unicode).
//! Deliberately not here: whether the path exists or passes through a link; only a snapshot knows that.
//!
//! ```
//! use segedit::path::RepoPath;
//! assert_eq!(RepoPath::parse("src/worker.py").unwrap().as_str(), "src/worker.py");
//! assert!(RepoPath::parse("../x").is_err());
//! assert!(RepoPath::parse("sub/.GIT/config").is_err());
//! ```

use std::borrow::Borrow;
use std::fmt;

use gix_validate::path::component;
use unicode_normalization::UnicodeNormalization as _;

/// A checked path relative to the repository's root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(String);

/// Why a text is not a `RepoPath`, as the end of a sentence: "is absolute".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathProblem(pub String);

impl fmt::Display for PathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Longest path in bytes, and longest component: what Linux and git themselves can hold.
const MAX_PATH: usize = 4096;
const MAX_COMPONENT: usize = 255;

impl RepoPath {
    /// Checks `text` and returns it as a path, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<RepoPath, PathProblem> {
        let refuse = |why: &str| Err(PathProblem(why.to_owned()));
        if text.is_empty() {
            return refuse("is empty");
        }
        if text.starts_with('/') {
            return refuse("is absolute; paths are relative to the repository's root");
        }
        if text.contains('\0') {
            return refuse("contains a NUL byte");
        }
        if text.len() > MAX_PATH {
            return refuse("is longer than 4096 bytes");
        }
        for part in text.split('/') {
            if part.len() > MAX_COMPONENT {
                return refuse("has a component longer than 255 bytes");
            }
            check_component(part)?;
        }
        Ok(RepoPath(text.to_owned()))
    }

    /// Says why a *new* file should not get this name: one that some platform cannot check out.
    /// Existing files with such names stay editable.
    pub fn check_portable(&self) -> Result<(), PathProblem> {
        for part in self.0.split('/') {
            component(part.into(), None, component::Options::default()).map_err(|error| {
                PathProblem(format!("cannot be checked out everywhere: {error}"))
            })?;
        }
        Ok(())
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Returns the folder that holds the file, or `None` at the root.
    pub fn parent(&self) -> Option<RepoPath> {
        self.0
            .rsplit_once('/')
            .map(|(folder, _)| RepoPath(folder.to_owned()))
    }

    /// Returns every folder on the way to the file, outermost first.
    pub fn ancestors(&self) -> impl Iterator<Item = RepoPath> + '_ {
        self.0
            .match_indices('/')
            .map(|(at, _)| RepoPath(self.0[..at].to_owned()))
    }
}

/// What a caller may reach of a repository: all of it, or only what is in one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach(Option<RepoPath>);

impl Reach {
    /// Returns the reach of a caller who is confined to `folder`.
    pub fn within(folder: RepoPath) -> Reach {
        Reach(Some(folder))
    }

    /// Returns the folder, or `None` where nothing is out of reach.
    pub fn folder(&self) -> Option<&RepoPath> {
        self.0.as_ref()
    }

    /// Says whether `path` is the folder or in it.
    pub fn holds(&self, path: &str) -> bool {
        let inside = |folder: &RepoPath| {
            path.strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.0.as_ref().is_none_or(inside)
    }

    /// Says that `path` is out of reach, if it is.
    pub fn check(&self, path: &RepoPath) -> Result<(), PathProblem> {
        match &self.0 {
            Some(folder) if !self.holds(path.as_str()) => Err(PathProblem(format!(
                "is not in {folder}, and nothing else can be reached here"
            ))),
            Some(_) | None => Ok(()),
        }
    }
}

/// Refuses what would leave the repository or reach git's own folder on any file system.
fn check_component(part: &str) -> Result<(), PathProblem> {
    let options = component::Options {
        protect_windows: false,
        protect_hfs: true,
        protect_ntfs: true,
    };
    let explain = |error: component::Error| {
        PathProblem(match error {
            component::Error::Empty => {
                "has an empty component (`//` or a slash at the end)".to_owned()
            }
            component::Error::Relative => "has a `.` or `..` component".to_owned(),
            component::Error::DotGitDir => format!("names git's own folder ({part:?})"),
            other => other.to_string(),
        })
    };
    component(part.into(), None, options).map_err(explain)?;
    // A backslash separates folders on Windows, so each piece between them is a component there.
    for piece in part
        .split('\\')
        .filter(|piece| piece.len() < part.len() && !piece.is_empty())
    {
        component(piece.into(), None, options).map_err(explain)?;
    }
    Ok(())
}

/// Returns `name` as file systems compare it that fold case and compose characters, as those of macOS do.
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        name.to_ascii_lowercase()
    } else {
        name.nfd()
            .collect::<String>()
            .to_lowercase()
            .nfc()
            .collect()
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for RepoPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_leaves_the_repository_or_names_gits_folder() {
        for text in [
            "",
            "/etc/x",
            "../x",
            "a/../x",
            "a//b",
            "a/",
            "./a",
            "a/./b",
            ".git/config",
            ".GIT/x",
            "git~1/x",
            "GIT~1",
            ".git./x",
            ".git /x",
            ".git::$INDEX_ALLOCATION/x",
            ".g\u{200c}it/x",
            "sub/.git/x",
            ".git\\config",
            "a\0b",
        ] {
            assert!(RepoPath::parse(text).is_err(), "{text:?} should be refused");
        }
    }

    #[test]
    fn accepts_odd_names_that_exist_but_not_for_new_files() {
        for text in [
            "CON",
            "a:b",
            "foo.",
            "a*b",
            "new\nline",
            "-rf",
            ".gitignore",
            "x\\y",
            "naïve/ß.md",
        ] {
            assert!(RepoPath::parse(text).is_ok(), "{text:?} should be accepted");
        }
        for text in ["CON.py", "a:b", "foo.", "a*b", "new\nline", "x\\y"] {
            assert!(
                RepoPath::parse(text).unwrap().check_portable().is_err(),
                "{text:?} should not be created"
            );
        }
        assert!(
            RepoPath::parse("-rf/.gitignore")
                .unwrap()
                .check_portable()
                .is_ok()
        );
    }
}
