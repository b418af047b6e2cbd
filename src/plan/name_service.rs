//! `NameService`: whoever is asked about names of languages whose scopes this program does not know, a language server as a rule.

use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::snapshot::Blob;
use crate::text::Span;

/// A word in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamePlace {
    /// The file.
    pub path: RepoPath,
    /// Where in it.
    pub span: Span,
}

/// What would be written in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedEdit {
    /// The place; it may be empty.
    pub place: NamePlace,
    /// What would be there then.
    pub text: String,
}

/// Where a name is defined, or used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefinedAt {
    /// In a file that was shown.
    Shown(NamePlace),
    /// In another file of the repository.
    Unshown(String),
    /// Outside of the repository.
    Outside(String),
}

/// What is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedError {
    /// The file.
    pub path: RepoPath,
    /// Where it begins, in bytes.
    pub at: usize,
    /// The line of that, from 1.
    pub line: usize,
    /// Which of the faults it is that are told apart: `2345`.
    pub code: String,
    /// What is wrong, in words, on one line.
    pub message: String,
}

/// What is wrong in several files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedErrors {
    /// By file, in the order in which they were asked for.
    pub errors: Vec<ServedError>,
    /// Files of which nothing was said.
    pub unknown: Vec<RepoPath>,
}

/// Answers questions about names. Files are shown to it before it is asked about places in them.
pub trait NameService {
    /// Returns what whoever answers for the file at `path` is called; `None` where nobody does.
    fn server_of(&self, path: &RepoPath) -> Result<Option<String>, Diagnostic>;

    /// Shows files as they are to be understood from now on, all of one server.
    fn show(&self, server: &str, files: &[(&RepoPath, Blob)]) -> Result<(), Diagnostic>;

    /// Returns what changes when the name at `place` becomes `to`.
    fn renamed(
        &self,
        server: &str,
        place: &NamePlace,
        to: &str,
    ) -> Result<Vec<ServedEdit>, Diagnostic>;

    /// Returns where the name at `place` is used, its definition included.
    fn uses(&self, server: &str, place: &NamePlace) -> Result<Vec<DefinedAt>, Diagnostic>;

    /// Returns for each of `places` where what it names is defined; nowhere, where the server does not know.
    fn definitions(
        &self,
        server: &str,
        places: &[NamePlace],
    ) -> Result<Vec<Vec<DefinedAt>>, Diagnostic>;

    /// Returns the paths of all files that `server` answers for.
    fn files_of(&self, server: &str) -> Result<Vec<RepoPath>, Diagnostic>;

    /// Returns what is wrong in the files at `paths`, as they were shown, or else as they are; `None` where the server does not say such things.
    fn errors(&self, server: &str, paths: &[RepoPath]) -> Result<Option<ServedErrors>, Diagnostic>;
}

/// Answers for no file.
pub struct NoServers;

impl NameService for NoServers {
    fn server_of(&self, _path: &RepoPath) -> Result<Option<String>, Diagnostic> {
        Ok(None)
    }

    fn show(&self, _server: &str, _files: &[(&RepoPath, Blob)]) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn renamed(
        &self,
        _server: &str,
        _place: &NamePlace,
        _to: &str,
    ) -> Result<Vec<ServedEdit>, Diagnostic> {
        Ok(Vec::new())
    }

    fn uses(&self, _server: &str, _place: &NamePlace) -> Result<Vec<DefinedAt>, Diagnostic> {
        Ok(Vec::new())
    }

    fn definitions(
        &self,
        _server: &str,
        places: &[NamePlace],
    ) -> Result<Vec<Vec<DefinedAt>>, Diagnostic> {
        Ok(vec![Vec::new(); places.len()])
    }

    fn files_of(&self, _server: &str) -> Result<Vec<RepoPath>, Diagnostic> {
        Ok(Vec::new())
    }

    fn errors(
        &self,
        _server: &str,
        _paths: &[RepoPath],
    ) -> Result<Option<ServedErrors>, Diagnostic> {
        Ok(None)
    }
}
