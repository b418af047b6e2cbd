//! Statements that import a definition which moves: they name the new module.

use super::outcome::RelocatedImport;
use super::request::Ends;
use crate::references::Analysis;
use crate::references::facts::FileId;
use crate::syntax::python::{ImportPlace, ImportStatement, ImportedName, import_table};
use crate::text::Span;

/// What becomes of one place that imports the definition.
pub(super) enum Importer {
    /// It names the new module.
    Moves(RelocatedImport),
    /// It is not certain what it means, for this reason.
    Unsure(Span, &'static str),
    /// All of the old module is imported.
    Star(Span),
}

/// Returns every statement of `file` that imports `word` from the old module.
pub(super) fn importers(
    analysis: &Analysis,
    ends: &Ends,
    file: FileId,
    word: &str,
) -> Vec<Importer> {
    let bytes = analysis.sources.bytes(file);
    let mut found = Vec::new();
    for statement in import_table(bytes).imports {
        let Some(from) = &statement.from else {
            continue;
        };
        let named = statement.names.iter().position(|name| name.name == word);
        if named.is_none() && !statement.is_star() {
            continue;
        }
        let modules = analysis.sources.modules(file, from);
        if !modules.contains(&ends.old_module) {
            continue;
        }
        let Some(at) = named else {
            found.push(Importer::Star(statement.span));
            continue;
        };
        let place = statement.names[at].span;
        if modules.len() > 1 {
            let why = "several modules of the project may be meant";
            found.push(Importer::Unsure(place, why));
            continue;
        }
        if file == ends.old {
            let why = "the module imports it from itself";
            found.push(Importer::Unsure(place, why));
            continue;
        }
        found.push(match moved(analysis, ends, file, &statement, at) {
            Some(moved) => Importer::Moves(moved),
            None => Importer::Unsure(place, "no import leads to the new module from here"),
        });
    }
    found
}

fn moved(
    analysis: &Analysis,
    ends: &Ends,
    file: FileId,
    statement: &ImportStatement,
    at: usize,
) -> Option<RelocatedImport> {
    let from = statement.from.as_ref()?;
    let name = statement.names.get(at)?;
    if file == ends.new {
        return Some(RelocatedImport {
            statement: statement.clone(),
            at,
            origin: None,
            new: None,
        });
    }
    let origin = analysis.named_like(file, &ends.new_module, from)?;
    let place = statement.place_of_origin(analysis.sources.bytes(file));
    Some(RelocatedImport {
        statement: statement.clone(),
        at,
        origin: place.map(|place| (place, origin.words())),
        new: Some(format!("from {} import {}", origin.words(), name.words())),
    })
}

/// Says whether the name of a statement is bound by its own word there.
pub(super) fn binds_own_word(name: &ImportedName) -> bool {
    name.bound() == name.name
}

/// Says whether a statement runs while its module is imported.
pub(super) fn is_of_module(statement: &ImportStatement) -> bool {
    statement.within == ImportPlace::Module
}
