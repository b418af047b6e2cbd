//! `MovedDefinition`: what changes with a definition that moves, by file.

use std::collections::BTreeMap;

use crate::path::RepoPath;
use crate::references::References;
use crate::syntax::python::ImportStatement;
use crate::text::Span;

/// What changes with a definition that moves.
#[derive(Clone, Debug)]
pub(crate) struct MovedDefinition {
    /// By file, what changes outside of the definition.
    pub(crate) files: BTreeMap<RepoPath, RelocatedFile>,
    /// Places of the definition itself, in the file that it leaves, and what is written there.
    pub(crate) inside: BTreeMap<Span, String>,
    /// Where it may stand in the file that it goes to: from this byte on, as that file is now.
    pub(crate) from: usize,
    /// And up to this one, which begins a statement of the module.
    pub(crate) until: Option<usize>,
    /// Where it had better stand before, if that is not before `from`.
    pub(crate) ahead: Option<usize>,
    /// Every place, each with its verdict.
    pub(crate) references: References,
}

/// What changes in one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct RelocatedFile {
    /// Places, and what is written there.
    pub(crate) words: BTreeMap<Span, String>,
    /// Names that are imported from another module, or no more.
    pub(crate) moved: Vec<RelocatedImport>,
    /// Statements of one name that the file has to have.
    pub(crate) imports: Vec<String>,
    /// The same, for those alone who check types.
    pub(crate) imports_for_types: Vec<String>,
}

/// A name of an import statement that comes from another module.
#[derive(Clone, Debug)]
pub(crate) struct RelocatedImport {
    /// The statement.
    pub(crate) statement: ImportStatement,
    /// Which of its names.
    pub(crate) at: usize,
    /// Where the statement names its module, if that is written in one piece, and the new module.
    pub(crate) origin: Option<(Span, String)>,
    /// The statement of this name alone then; `None` where it goes.
    pub(crate) new: Option<String>,
}
