//! A definition gets another name: in Python by what its scopes say, in other languages by a language server, if there is one; without, in
//! JavaScript and TypeScript by their scopes, too.

use std::ops::Deref;

use super::{script, served};
use crate::diagnostic::Code;
use crate::manifest::{OnUnsure, Operation, RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::plan::name_service::NameService;
use crate::plan::whole;
use crate::references::{self, Analysis, RenameRefused, Renaming, is_python_file};
use crate::snapshot::Snapshot;

/// Returns every place that changes when `symbol`, in the file at `path`, is called `to`.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (symbol, to, terms): (&SymbolSelector, &str, RenameTerms),
    analysis: &impl Deref<Target = Analysis>,
    service: &dyn NameService,
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    if !is_python_file(path, &file.bytes) {
        let asked = (symbol, to, terms);
        if let Some(server) = service.server_of(path)? {
            return served::renaming(operation, snapshot, path, asked, (service, &server));
        }
        if script::is_script(path, &file.bytes) {
            return script::renaming(operation, snapshot, path, asked);
        }
    }
    let settle = |found: &mut _| match terms.unsure {
        OnUnsure::Ask => served::settle(found, &snapshot.project, service),
        _ => served::offer(found, service),
    };
    references::rename(analysis, path, symbol, (to, terms), settle)
}

/// Returns the field that a refusal speaks of.
pub(super) fn field(code: Code) -> &'static str {
    match code {
        Code::FileNotFound | Code::UnsupportedLanguage => "file",
        Code::NameClash => "to",
        _ => "symbol",
    }
}
