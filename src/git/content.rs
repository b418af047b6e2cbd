//! Stored form and checkout form: what line-ending settings and filters make of a file's bytes, both ways.
//!
//! Nearly every file has the same bytes in both, and that is decided here from its attributes, cheaply. All others go
//! through the git program, so that filters (LFS, git-crypt, …), encodings and line endings are exactly git's.

use std::path::Path;

use git2::{AttrCheckFlags, AttrValue};

use super::{Repo, failure};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::Id;

/// What the attributes of a path ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conversion {
    /// Nothing: both forms are the same.
    None,
    /// Line endings only.
    LineEndings,
    /// A filter, an encoding or a keyword.
    Other,
}

impl Repo {
    /// Returns the stored form of `bytes`, which are those of the worktree's file at `path`.
    pub fn stored_form(&self, path: &RepoPath, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
        match self.conversion(path)? {
            Conversion::None => Ok(bytes),
            // On the way in, git only ever turns CRLF into LF.
            Conversion::LineEndings if !has_crlf(&bytes) => Ok(bytes),
            Conversion::LineEndings | Conversion::Other => self.clean(path, &bytes),
        }
    }

    /// Returns the form that `bytes`, as stored, take in the worktree at `path`.
    pub fn checkout_form(&self, path: &RepoPath, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
        match self.conversion(path)? {
            Conversion::None => Ok(bytes),
            Conversion::LineEndings | Conversion::Other => self.smudge(path, &bytes),
        }
    }

    fn conversion(&self, path: &RepoPath) -> Result<Conversion, Diagnostic> {
        for name in ["filter", "working-tree-encoding", "ident"] {
            if self.has_attribute(path, name)? {
                return Ok(Conversion::Other);
            }
        }
        for name in ["text", "eol", "crlf"] {
            if self.has_attribute(path, name)? {
                return Ok(Conversion::LineEndings);
            }
        }
        let set = |name: &str| self.config.get(name).is_some_and(|value| value != "false" && value != "native");
        let text = set("core.autocrlf") || set("core.eol");
        Ok(if text { Conversion::LineEndings } else { Conversion::None })
    }

    /// Returns whether the attribute `name` of `path` is set to anything that asks for work.
    fn has_attribute(&self, path: &RepoPath, name: &str) -> Result<bool, Diagnostic> {
        let attempt = format!("read the attributes of {}", shown(path.as_str()));
        let value = self.git2.get_attr(Path::new(path.as_str()), name, AttrCheckFlags::FILE_THEN_INDEX);
        let value = AttrValue::from_string(value.map_err(failure::git2(&attempt))?);
        Ok(match value {
            AttrValue::Unspecified | AttrValue::False => false,
            AttrValue::True | AttrValue::String(_) | AttrValue::Bytes(_) => true,
        })
    }

    /// Has git make the stored form, in an object store that is thrown away.
    fn clean(&self, path: &RepoPath, bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        let attempt = format!("store {}", shown(path.as_str()));
        let scratch = self.scratch()?;
        let git = self.scratch_program(scratch.path());
        let hash = ["hash-object", "-w", "--stdin", "--path", path.as_str()];
        let name = git.demand(&attempt, &hash, bytes)?;
        let blob = String::from_utf8_lossy(&name).trim().to_owned();
        git.demand(&attempt, &["cat-file", "blob", &blob], &[])
    }

    /// Has git make the checkout form, from an object store that is thrown away.
    fn smudge(&self, path: &RepoPath, bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        let attempt = format!("check out {}", shown(path.as_str()));
        let scratch = self.scratch()?;
        let git = self.scratch_program(scratch.path());
        let name = git.demand(&attempt, &["hash-object", "-w", "--stdin", "--no-filters"], bytes)?;
        let blob = Id(String::from_utf8_lossy(&name).trim().to_owned());
        let filters = format!("--path={path}");
        git.demand(&attempt, &["cat-file", "--filters", &filters, &blob.0], &[])
    }

    /// Returns the git program, writing its objects to `folder` and finding all others where they are.
    fn scratch_program(&self, folder: &Path) -> super::program::Program<'_> {
        let objects =
            std::env::var_os("GIT_OBJECT_DIRECTORY").map_or_else(|| self.common_dir().join("objects"), Into::into);
        self.program().with("GIT_OBJECT_DIRECTORY", folder).with("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects)
    }
}

/// Refuses to edit the pointer that Git LFS stores in a file's place: the words of the file are elsewhere.
pub fn refuse_pointer(path: &RepoPath, stored: &[u8]) -> Result<(), Diagnostic> {
    const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
    if stored.len() > 1024 || !stored.starts_with(POINTER) {
        return Ok(());
    }
    Err(Diagnostic::new(
        Code::UnsupportedRepository,
        format!("{} is stored by Git LFS; the repository holds only a pointer to it", shown(path.as_str())),
    )
    .note("destination `worktree` or `index` edits the file itself"))
}

fn has_crlf(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == b"\r\n")
}
