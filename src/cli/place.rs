//! Paths as typed, turned into paths of the repository: relative to where the caller stands, as git takes them.
//!
//! Behind a revision (`HEAD:src/a.py`) a path counts from the root unless it begins with `./` or `../`, as in git.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use crate::actions::look::{AskedPath, RevPath};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::Repo;
use crate::path::{PathProblem, Reach, RepoPath};

/// Where the caller stands in the repository, and what git's configuration there says about how replies look.
pub(super) struct CallerLocation {
    /// `src/deep`; empty at the root.
    prefix: String,
    /// The worktree's folder.
    root: Option<PathBuf>,
    /// `color.segedit`, or else `color.ui`.
    pub colour: Option<String>,
    /// `advice.segedit`.
    pub advice: Option<bool>,
    /// The repository itself, until somebody takes it.
    repo: Cell<Option<Repo>>,
    /// What a model that asks here may reach.
    reach: Reach,
}

impl CallerLocation {
    /// Finds out where this process was started.
    pub(super) fn here() -> Result<CallerLocation, Diagnostic> {
        let repo = Repo::glance(Path::new("."))?;
        let setting = |name| repo.config().get(name);
        Ok(CallerLocation {
            prefix: repo.prefix(),
            root: repo.workdir().map(Path::to_path_buf),
            colour: setting("color.segedit").or_else(|| setting("color.ui")),
            advice: repo.config().get_bool("advice.segedit"),
            repo: Cell::new(Some(repo)),
            reach: Reach::default(),
        })
    }

    /// Returns it for a model that may reach nothing outside of `folder`. The root of the repository leaves all of it.
    pub(super) fn within(self, folder: &Path) -> Result<CallerLocation, Diagnostic> {
        let named = folder.to_string_lossy();
        let outside = || refuse_place(&named, "is no folder of the repository");
        // Without a worktree there is no folder but the repository's own.
        let root = match &self.root {
            Some(root) => root.clone(),
            None => Repo::glance(Path::new("."))?.common_dir().to_path_buf(),
        };
        let root = root.canonicalize().map_err(|_| outside())?;
        let folder = folder.canonicalize().map_err(|_| outside())?;
        let inside = folder.strip_prefix(&root).map_err(|_| outside())?;
        let reach = match inside.to_str() {
            Some("") => Reach::default(),
            Some(_) if self.root.is_none() => return Err(outside()),
            Some(text) => Reach::within(
                RepoPath::parse(text).map_err(|problem| refuse_place(&named, &problem.0))?,
            ),
            None => return Err(refuse_place(&named, "is not text")),
        };
        Ok(CallerLocation { reach, ..self })
    }

    /// Returns what a model that asks here may reach.
    pub(super) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Hands out the repository as it was opened to find this out; the second who asks gets it opened again.
    pub(super) fn repo(&self) -> Result<Repo, Diagnostic> {
        self.repo
            .take()
            .map_or_else(|| Repo::glance(Path::new(".")), Ok)
    }

    /// Returns the file that `typed` means.
    pub(super) fn path(&self, typed: &str) -> Result<RepoPath, Diagnostic> {
        let inside = match self.below_root(typed) {
            Some(inside) => inside,
            None => join_typed(&self.prefix, typed)
                .ok_or_else(|| refuse_place(typed, "leaves the repository"))?,
        };
        RepoPath::parse(&inside).map_err(|problem| refuse_place(typed, &problem.0))
    }

    /// Returns the file that `typed` means to a model, if that is in its reach: answers have paths from the root, so one of those is
    /// understood, too. Where both a file here and one at the root could be meant, neither is.
    pub(super) fn path_of_model(&self, typed: &str) -> Result<RepoPath, Diagnostic> {
        let path = self.here_or_at_root(typed)?;
        let out_of_reach = |problem: PathProblem| {
            let refusal = refuse_place(typed, &problem.0);
            match self
                .path(&format!("./{typed}"))
                .ok()
                .filter(|here| self.reach.holds(here.as_str()))
            {
                Some(here) => refusal.note(format!("write `./{}` for {here}", shown(typed))),
                None => refusal,
            }
        };
        self.reach.check(&path).map_err(out_of_reach)?;
        Ok(path)
    }

    fn here_or_at_root(&self, typed: &str) -> Result<RepoPath, Diagnostic> {
        let here = self.path(typed);
        let is_plain = !typed.starts_with(['.', '/']) && !self.prefix.is_empty();
        let (Some(root), true, Ok(top)) = (&self.root, is_plain, RepoPath::parse(typed)) else {
            return here;
        };
        let here = here?;
        let is_there = |path: &str| root.join(path).symlink_metadata().is_ok();
        let folder_is_there = |path: &RepoPath| {
            path.as_str()
                .rsplit_once('/')
                .is_none_or(|(folder, _)| is_there(folder))
        };
        let refused = || {
            let (here, top) = (here.as_str(), root.join(top.as_str()));
            let refusal = refuse_place(
                typed,
                &format!("is {here}, seen from here, and another file, seen from the root"),
            );
            Err(refusal.note(format!(
                "write `./{typed}` for {here}, `{}` for the other",
                shown(&top.to_string_lossy())
            )))
        };
        match (is_there(here.as_str()), is_there(top.as_str())) {
            // A namesake that is out of reach is not meant.
            (true, _) if !self.reach.holds(top.as_str()) => Ok(here),
            (false, _) if !self.reach.holds(top.as_str()) && !typed.contains('/') => Ok(here),
            (true, true) => refused(),
            (true, false) => Ok(here),
            (false, true) => Ok(top),
            // A file to be made goes where there is a folder for it.
            (false, false) => match (folder_is_there(&here), folder_is_there(&top)) {
                (true, true) if typed.contains('/') => refused(),
                (false, true) => Ok(top),
                (true | false, _) => Ok(here),
            },
        }
    }

    /// Returns the path from the root that a file at `inside` has in the folder `typed`, which counts from the root wherever the caller
    /// is, unless it is absolute.
    pub(super) fn in_folder(&self, typed: &str, inside: &str) -> Result<RepoPath, Diagnostic> {
        let folder = self.below_root(typed).unwrap_or_else(|| typed.to_owned());
        let path = match folder.trim_end_matches('/') {
            "" if !folder.is_empty() => {
                return Err(refuse_place(typed, "is no folder of the repository"));
            }
            "" => inside.to_owned(),
            folder => format!("{folder}/{inside}"),
        };
        RepoPath::parse(&path).map_err(|problem| refuse_place(typed, &problem.0))
    }

    /// Says whether `typed` means the root of the repository.
    pub(super) fn is_root(&self, typed: &str) -> bool {
        let inside = self
            .below_root(typed)
            .or_else(|| join_typed(&self.prefix, typed));
        inside.is_some_and(|inside| inside.trim_matches('/').is_empty()) && !typed.is_empty()
    }

    /// Returns the file that `[<rev>:]<path>` means.
    pub(super) fn rev_path(&self, typed: &str) -> Result<RevPath, Diagnostic> {
        let Some((rev, path)) = split_revision(typed) else {
            return Ok(RevPath {
                rev: None,
                path: self.path(typed)?,
            });
        };
        let relative = path.starts_with("./") || path.starts_with("../");
        let path = if relative {
            self.path(path)?
        } else {
            RepoPath::parse(path).map_err(|why| refuse_place(path, &why.0))?
        };
        Ok(RevPath {
            rev: Some(rev.to_owned()),
            path,
        })
    }

    /// Returns the file or folder that `[<rev>:]<path>` means.
    pub(super) fn asked(&self, typed: &str) -> Result<AskedPath, Diagnostic> {
        let (rev, path) =
            split_revision(typed).map_or((None, typed), |(rev, path)| (Some(rev.to_owned()), path));
        let relative = rev.is_none() || path.starts_with('.');
        let inside = if relative {
            join_typed(&self.prefix, path)
        } else {
            Some(path.to_owned())
        };
        if inside
            .is_some_and(|inside| inside.trim_matches('/').is_empty() && !path.starts_with('/'))
        {
            return Ok(AskedPath::Root(rev));
        }
        let trimmed = typed.strip_suffix('/').unwrap_or(typed);
        self.rev_path(trimmed).map(AskedPath::Path)
    }

    /// Returns the file or folder that `typed` means to a model; see `path_of_model`.
    pub(super) fn asked_of_model(&self, typed: &str) -> Result<AskedPath, Diagnostic> {
        match self.asked(typed)? {
            AskedPath::Path(RevPath { rev: None, .. }) => {
                let path = self.path_of_model(typed.strip_suffix('/').unwrap_or(typed))?;
                Ok(AskedPath::Path(RevPath { rev: None, path }))
            }
            AskedPath::Path(RevPath { rev, path }) => {
                self.reach
                    .check(&path)
                    .map_err(|problem| refuse_place(typed, &problem.0))?;
                Ok(AskedPath::Path(RevPath { rev, path }))
            }
            AskedPath::Root(rev) => match self.reach.folder() {
                Some(folder) => Err(refuse_place(
                    typed,
                    &format!("is more than {folder}, and nothing else can be reached here"),
                )),
                None => Ok(AskedPath::Root(rev)),
            },
        }
    }

    /// Returns the pathspec that `typed` means, seen from the root.
    pub(super) fn pathspec(&self, typed: &str) -> String {
        if self.prefix.is_empty() {
            return typed.to_owned();
        }
        let (magic, pattern) = split_magic(typed);
        if magic.starts_with(":/") || magic.contains("top") {
            return typed.to_owned();
        }
        format!(
            "{magic}{}",
            join_typed(&self.prefix, pattern).unwrap_or_else(|| pattern.to_owned())
        )
    }

    /// Returns the pathspec that `typed` means to a model: of a file or folder that is there this one, see `path_of_model`.
    fn pathspec_of_model(&self, typed: &str) -> Result<String, Diagnostic> {
        let typed = typed.strip_suffix('/').unwrap_or(typed);
        let is_there = |path: &RepoPath| {
            self.root
                .as_ref()
                .is_some_and(|root| root.join(path.as_str()).symlink_metadata().is_ok())
        };
        if self.reach.folder().is_some() && typed.starts_with(':') {
            return Err(refuse_place(
                typed,
                "has a meaning for git that may lead elsewhere: name a file, a folder, or a pattern",
            ));
        }
        if self.reach.folder().is_none() && (self.prefix.is_empty() || self.path(typed).is_err()) {
            return Ok(self.pathspec(typed));
        }
        let path = self.path_of_model(typed)?;
        Ok(if is_there(&path) {
            format!(":(top,literal){path}")
        } else {
            self.pathspec(typed)
        })
    }

    /// Returns the pathspecs that `typed` mean to a model, of all in its reach where it names none.
    pub(super) fn pathspecs_of_model(&self, typed: &[String]) -> Result<Vec<String>, Diagnostic> {
        match self.reach.folder() {
            Some(folder) if typed.is_empty() => Ok(vec![format!(":(top,literal){folder}")]),
            Some(_) | None => typed
                .iter()
                .map(|typed| self.pathspec_of_model(typed))
                .collect(),
        }
    }

    /// Returns an absolute path seen from the root; `None` when it is not one, or leads elsewhere.
    fn below_root(&self, typed: &str) -> Option<String> {
        let path = Path::new(typed);
        let root = self.root.as_deref().filter(|_| path.is_absolute())?;
        let canonical = root.canonicalize().ok();
        let inside = path
            .strip_prefix(root)
            .ok()
            .or_else(|| path.strip_prefix(canonical?).ok())?;
        inside.to_str().map(str::to_owned)
    }
}

fn refuse_place(typed: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Code::PathRefused, format!("path `{}` {why}", shown(typed)))
}

/// Returns `typed` as seen from the root by a caller who stands in `prefix`, without `.` and `..`; `None` when it
/// leads out. An absolute path stays as it is, for `RepoPath` to refuse.
fn join_typed(prefix: &str, typed: &str) -> Option<String> {
    if typed.starts_with('/') {
        return Some(typed.to_owned());
    }
    let mut parts: Vec<&str> = prefix.split('/').filter(|part| !part.is_empty()).collect();
    for part in typed.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns revision and path of `rev:path`; `None` for a path alone.
fn split_revision(typed: &str) -> Option<(&str, &str)> {
    if typed.starts_with("./") || typed.starts_with("../") || typed.starts_with('/') {
        return None;
    }
    typed.split_once(':')
}

/// Returns the magic of a pathspec (`:!`, `:(exclude,icase)`) and what follows it.
fn split_magic(typed: &str) -> (&str, &str) {
    let Some(rest) = typed.strip_prefix(':') else {
        return ("", typed);
    };
    let length = match rest.find(')') {
        Some(end) if rest.starts_with('(') => end + 1,
        _ => rest
            .find(|letter| !"/!^:".contains(letter))
            .unwrap_or(rest.len()),
    };
    typed.split_at(1 + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(prefix: &str) -> CallerLocation {
        CallerLocation {
            prefix: prefix.to_owned(),
            root: Some(PathBuf::from("/repo")),
            colour: None,
            advice: None,
            repo: Cell::default(),
            reach: Reach::default(),
        }
    }

    #[test]
    fn paths_count_from_where_the_caller_stands() {
        let check = |prefix: &str, typed: &str, expected: Option<&str>| {
            let path = standing(prefix).path(typed);
            assert_eq!(
                path.as_ref().ok().map(RepoPath::as_str),
                expected,
                "{prefix} {typed}"
            );
            assert!(path.is_ok() || path.is_err_and(|refusal| refusal.code == Code::PathRefused));
        };
        check("", "src/a.py", Some("src/a.py"));
        check("src", "a.py", Some("src/a.py"));
        check("src", "./a.py", Some("src/a.py"));
        check("src/deep", "../a.py", Some("src/a.py"));
        check("src", "../../a.py", None);
        check("src", "/repo/README.md", Some("README.md"));
        check("src", "/elsewhere/README.md", None);
        check("src", "", None);
        check("src", ".git/config", None);
        check("src", "a//b", None);
    }

    #[test]
    fn folders_count_from_the_root() {
        let check = |typed: &str, expected: Option<&str>| {
            let path = standing("src").in_folder(typed, "a/b.md");
            assert_eq!(
                path.as_ref().ok().map(RepoPath::as_str),
                expected,
                "{typed}"
            );
        };
        check("", Some("a/b.md"));
        check("docs/", Some("docs/a/b.md"));
        check("/repo", Some("a/b.md"));
        check("/repo/docs", Some("docs/a/b.md"));
        check("/docs", None);
        check("/", None);
        check("/repo/../docs", None);
        check("../docs", None);
    }

    #[test]
    fn behind_a_revision_they_count_from_the_root() {
        let check = |typed: &str, rev: Option<&str>, path: &str| {
            let found = standing("src").rev_path(typed).unwrap();
            assert_eq!(
                (found.rev.as_deref(), found.path.as_str()),
                (rev, path),
                "{typed}"
            );
        };
        check("a.py", None, "src/a.py");
        check("HEAD:a.py", Some("HEAD"), "a.py");
        check("HEAD~2:./a.py", Some("HEAD~2"), "src/a.py");
        check(":a.py", Some(""), "a.py");
        check("./odd:name", None, "src/odd:name");
    }

    #[test]
    fn pathspecs_keep_their_magic() {
        let check =
            |typed: &str, expected: &str| assert_eq!(standing("src").pathspec(typed), expected);
        check("*.py", "src/*.py");
        check("../docs", "docs");
        check(":/docs", ":/docs");
        check(":(top)docs", ":(top)docs");
        check(":!a.py", ":!src/a.py");
        check(":(exclude,icase)a.py", ":(exclude,icase)src/a.py");
    }
}
