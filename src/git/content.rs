//! Stored form and checkout form: what line-ending settings and filters make of a file's bytes, both ways.
//!
//! Nearly every file has the same bytes in both, and that is decided here from its attributes, cheaply. All others go
//! through the git program, so that filters (LFS, git-crypt, …), encodings and line endings are exactly git's.

use std::collections::HashMap;
use std::path::Path;

use git2::{AttrCheckFlags, AttrValue};

use super::base::rules::{FILTERS, LINE_ENDINGS};
use super::program::Program;
use super::{ReadSource, Repo};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::snapshot::{Change, Id};

/// What the attributes of a path ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentConversion {
    /// Nothing: both forms are the same.
    None,
    /// Line endings, on the way in alone: CRLF becomes LF, and nothing becomes CRLF.
    PlainLineEndings,
    /// Line endings only.
    LineEndings,
    /// A filter, an encoding or a keyword.
    Other,
}

impl Repo {
    /// Returns the stored form of `bytes`, which are those of the worktree's file at `path`.
    pub fn stored_form(&self, path: &RepoPath, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
        match self.conversion(path)? {
            ContentConversion::None => Ok(bytes),
            // On the way in, git only ever turns CRLF into LF.
            ContentConversion::PlainLineEndings | ContentConversion::LineEndings
                if !has_crlf(&bytes) =>
            {
                Ok(bytes)
            }
            ContentConversion::PlainLineEndings
            | ContentConversion::LineEndings
            | ContentConversion::Other => self.clean(path, &bytes),
        }
    }

    /// Returns the form that `bytes`, as stored, take in the worktree at `path`.
    pub fn checkout_form(&self, path: &RepoPath, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
        match self.conversion(path)? {
            ContentConversion::None | ContentConversion::PlainLineEndings => Ok(bytes),
            ContentConversion::LineEndings | ContentConversion::Other => self.smudge(path, &bytes),
        }
    }

    /// Says whether the file at `path` may have other bytes in the worktree than those that are stored.
    pub fn is_converted(&self, path: &RepoPath) -> Result<bool, Diagnostic> {
        Ok(self.conversion(path)? != ContentConversion::None)
    }

    /// Says whether a filter, an encoding or a keyword has a say in the bytes of `path`.
    pub(super) fn is_filtered(&self, path: &RepoPath) -> Result<bool, Diagnostic> {
        Ok(self.conversion(path)? == ContentConversion::Other)
    }

    fn conversion(&self, path: &RepoPath) -> Result<ContentConversion, Diagnostic> {
        if !self.converts_text() && !self.rules.may_say_something(self, path) {
            return Ok(ContentConversion::None);
        }
        Ok(self.conversion_by(&self.set_of(path)?))
    }

    /// Returns what the attributes ask for of which those in `set` are set, and what the settings do.
    pub(super) fn conversion_by(&self, set: &[&str]) -> ContentConversion {
        let any = |names: &[&str]| set.iter().any(|name| names.contains(name));
        if any(&FILTERS) {
            return ContentConversion::Other;
        }
        match self.converts_text() || any(&LINE_ENDINGS) {
            false => ContentConversion::None,
            // `text` says that there is an ending to be chosen; these say which.
            true if self.writes_crlf() || any(&["eol", "crlf"]) => ContentConversion::LineEndings,
            true => ContentConversion::PlainLineEndings,
        }
    }

    /// Says whether the settings alone ask for line endings to be looked at.
    pub(super) fn converts_text(&self) -> bool {
        let configured = |name: &str| {
            self.config
                .get(name)
                .is_some_and(|value| value != "false" && value != "native")
        };
        configured("core.autocrlf") || configured("core.eol")
    }

    /// Returns which of the attributes that matter are set for `path`, from whoever can tell.
    pub(super) fn set_of(&self, path: &RepoPath) -> Result<Vec<&'static str>, Diagnostic> {
        if let Some(known) = self.rules.foreseen(path) {
            return Ok(known);
        }
        if !self.rules.are_dear(self, path)
            && let Ok(set) = self.attributes(path)
        {
            return Ok(set);
        }
        // libgit2 takes too long with these patterns, or it cannot read the index, where it looks for .gitattributes too.
        Ok(self
            .ask_attributes(&[path])?
            .remove(path.as_str())
            .unwrap_or_default())
    }

    /// Has git say at once what it would be asked of `paths` one by one, for as long as `work` takes.
    pub(super) fn foreseeing<'p, T>(
        &self,
        source: &ReadSource,
        paths: impl IntoIterator<Item = &'p RepoPath>,
        work: impl FnOnce() -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        match source {
            ReadSource::Worktree => {}
            // What they hold is stored.
            ReadSource::Commit { .. } | ReadSource::Unborn { .. } | ReadSource::Index => {
                return work();
            }
        }
        let text = self.converts_text();
        let may_matter = |path: &RepoPath| text || self.rules.may_say_something(self, path);
        let are_dear = |path: &&RepoPath| may_matter(path) && self.rules.are_dear(self, path);
        let dear: Vec<&RepoPath> = paths.into_iter().filter(are_dear).collect();
        if dear.len() > 1 {
            self.rules.foresee(self.ask_attributes(&dear)?);
        }
        let done = work();
        self.rules.foresee(HashMap::new());
        done
    }

    /// Says whether the settings ask for CRLF in the worktree, of what is text.
    fn writes_crlf(&self) -> bool {
        let autocrlf = self
            .config
            .get("core.autocrlf")
            .is_some_and(|value| !value.eq_ignore_ascii_case("input"));
        let eol = self
            .config
            .get("core.eol")
            .is_some_and(|value| value.eq_ignore_ascii_case("crlf"));
        (autocrlf && self.config.get_bool("core.autocrlf") != Some(false)) || eol
    }

    /// Returns which of the attributes that matter are set to anything that asks for work.
    fn attributes(&self, path: &RepoPath) -> Result<Vec<&'static str>, git2::Error> {
        let mut set = Vec::new();
        // Whoever reads the index for itself reports that it cannot be read.
        let _ = self.give_index();
        for name in FILTERS.into_iter().chain(LINE_ENDINGS) {
            let value = self.git2.get_attr(
                Path::new(path.as_str()),
                name,
                AttrCheckFlags::FILE_THEN_INDEX,
            )?;
            match AttrValue::from_string(value) {
                AttrValue::Unspecified | AttrValue::False => {}
                AttrValue::True | AttrValue::String(_) | AttrValue::Bytes(_) => set.push(name),
            }
        }
        Ok(set)
    }

    /// Has git say the same of many paths.
    pub(super) fn ask_attributes(
        &self,
        paths: &[&RepoPath],
    ) -> Result<HashMap<String, Vec<&'static str>>, Diagnostic> {
        let attempt = match paths {
            [path] => format!("read the attributes of {}", shown(path.as_str())),
            _ => format!("read the attributes of {} files", paths.len()),
        };
        let names = || FILTERS.into_iter().chain(LINE_ENDINGS);
        let arguments: Vec<&str> = ["check-attr", "-z", "--stdin"]
            .into_iter()
            .chain(names())
            .collect();
        let input: Vec<u8> = paths
            .iter()
            .flat_map(|path| path.as_str().bytes().chain([0]))
            .collect();
        let answer = self.program().demand(&attempt, &arguments, &input)?;
        // Triples of path, attribute and value, each ended by a NUL.
        let words: Vec<&[u8]> = answer.split(|&byte| byte == 0).collect();
        let mut found: HashMap<String, Vec<&'static str>> = HashMap::new();
        for triple in words.chunks_exact(3) {
            let [path, name, value] = triple else {
                continue;
            };
            let set = found
                .entry(String::from_utf8_lossy(path).into_owned())
                .or_default();
            if *value != b"unset" && *value != b"unspecified" {
                set.extend(names().find(|known| known.as_bytes() == *name));
            }
        }
        Ok(found)
    }

    /// Has git make the stored form, in an object store that is thrown away.
    fn clean(&self, path: &RepoPath, bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        let attempt = format!("store {}", shown(path.as_str()));
        let scratch = self.scratch()?;
        let git = self.filtering(self.program().storing_in(scratch.path()))?;
        let hash = ["hash-object", "-w", "--stdin", "--path", path.as_str()];
        let name = git.demand(&attempt, &hash, bytes)?;
        let blob = String::from_utf8_lossy(&name).trim().to_owned();
        git.demand(&attempt, &["cat-file", "blob", &blob], &[])
    }

    /// Has git make the checkout form.
    fn smudge(&self, path: &RepoPath, bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        self.smudge_by(self.filtering(self.program())?, path, bytes)
    }

    /// Has `git` make the checkout form, from an object store that is thrown away.
    pub(super) fn smudge_by(
        &self,
        git: Program<'_>,
        path: &RepoPath,
        bytes: &[u8],
    ) -> Result<Vec<u8>, Diagnostic> {
        let attempt = format!("check out {}", shown(path.as_str()));
        let scratch = self.scratch()?;
        let git = git.storing_in(scratch.path());
        let name = git.demand(
            &attempt,
            &["hash-object", "-w", "--stdin", "--no-filters"],
            bytes,
        )?;
        let blob = Id(String::from_utf8_lossy(&name).trim().to_owned());
        let filters = format!("--path={path}");
        git.demand(&attempt, &["cat-file", "--filters", &filters, &blob.0], &[])
    }
}

/// Refuses to edit the pointer that Git LFS stores in a file's place: the words of the file are elsewhere. What only moves
/// one, or removes it, passes.
pub fn refuse_pointers(changes: &[Change]) -> Result<(), Diagnostic> {
    let edited = |change: &&Change| match (&change.before, &change.after) {
        (Some(before), Some(after)) => before.bytes != after.bytes && is_pointer(&before.bytes),
        (Some(_), None) | (None, Some(_) | None) => false,
    };
    let Some(path) = changes.iter().find(edited).map(|change| &change.path) else {
        return Ok(());
    };
    Err(Diagnostic::new(
        Code::UnsupportedRepository,
        format!(
            "{} is stored by Git LFS; the repository holds only a pointer to it",
            shown(path.as_str())
        ),
    )
    .note("edit the file in the worktree and `git add` it, so that Git LFS stores it"))
}

fn is_pointer(stored: &[u8]) -> bool {
    stored.len() <= 1024 && stored.starts_with(b"version https://git-lfs.github.com/spec/")
}

pub(super) fn has_crlf(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == b"\r\n")
}
