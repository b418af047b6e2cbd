//! A definition gets another name.

use std::ops::Deref;

use crate::diagnostic::Code;
use crate::manifest::{Operation, RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::plan::whole;
use crate::references::{self, Analysis, RenameRefused, Renaming};
use crate::snapshot::Snapshot;

/// Returns every place that changes when `symbol`, in the file at `path`, is called `to`.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (symbol, to, terms): (&SymbolSelector, &str, RenameTerms),
    analysis: &impl Deref<Target = Analysis>,
) -> Result<Renaming, RenameRefused> {
    whole::editable(snapshot, path, operation)?;
    references::rename(analysis, path, symbol, to, terms)
}

/// Returns the field that a refusal speaks of.
pub(super) fn field(code: Code) -> &'static str {
    match code {
        Code::FileNotFound | Code::UnsupportedLanguage => "file",
        Code::NameClash => "to",
        _ => "symbol",
    }
}
