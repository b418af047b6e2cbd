//! A definition of JavaScript or TypeScript gets another name, by what scopes, imports and exports say.

use super::named::{NamedDefinition, address_around};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::plan::whole;
use crate::references::{
    References, RenameRefused, Renaming, ScriptDefinition, ScriptSurvey, Verdict, renamed,
};
use crate::resolve::{Document, Reading};
use crate::snapshot::{Project, Snapshot};
use crate::syntax::language_in;

/// Says whether the names of a file are those of JavaScript or TypeScript, and this build reads it.
pub(crate) fn is_script(path: &RepoPath, bytes: &[u8]) -> bool {
    let language = language_in(path, bytes);
    language.is_some_and(|language| language.grammar.has_script_names())
}

/// Returns every place that changes when `symbol`, in the file at `path`, is called `to`.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (symbol, to, terms): (&SymbolSelector, &str, RenameTerms),
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
    let survey = survey(&document, &snapshot.project, symbol)?;
    survey.check_new(to)?;
    let references = addressed(survey.references(), &document, &snapshot.project);
    let renaming = renamed(references, path, terms, |path, span| {
        survey.written(path, span, to)
    })
    .map_err(|mut refused| {
        let note = "a language server that `.segedit.yaml` names knows types, too: `servers: [{preset: typescript}]`";
        *refused.diagnostic = refused.diagnostic.note(note);
        refused
    })?;
    survey.check(&renaming, to, terms)?;
    Ok(renaming)
}

/// Returns every place where the name of `symbol` is written, which is defined in `document`.
pub(crate) fn references(
    document: &Document,
    project: &Project,
    symbol: &SymbolSelector,
) -> Result<References, Diagnostic> {
    let survey = survey(document, project, symbol)?;
    Ok(addressed(survey.references(), document, project))
}

fn survey<'p>(
    document: &Document,
    project: &'p Project,
    symbol: &SymbolSelector,
) -> Result<ScriptSurvey<'p>, Diagnostic> {
    let reading = Reading::of(document);
    // `f(load)` is a parameter, which is a definition of Python alone.
    if symbol
        .components
        .last()
        .is_some_and(|last| last.name.contains('('))
    {
        let message = format!(
            "`{}` names a parameter, and those are renamed in Python alone",
            shown(&symbol.to_string())
        );
        return Err(Diagnostic::new(Code::Unsupported, message));
    }
    let named = NamedDefinition::of(&reading, symbol)?;
    let definition = ScriptDefinition {
        path: &document.path,
        span: named.span,
        address: named.address,
    };
    ScriptSurvey::of(project, &definition)
}

/// Returns references with the definition that each is in.
fn addressed(mut references: References, document: &Document, project: &Project) -> References {
    let places = references.places.iter_mut().chain(&mut references.doubts);
    let mut of_file: Vec<_> = places.collect();
    of_file.sort_by(|one, other| one.path.cmp(&other.path));
    for places in of_file.chunk_by_mut(|one, other| one.path == other.path) {
        let Some(first) = places.first() else {
            continue;
        };
        let is_code = |verdict| !matches!(verdict, Verdict::Mention);
        if !places.iter().any(|place| is_code(place.verdict)) {
            continue;
        }
        let bytes = project.files.get(&first.path).cloned().unwrap_or_default();
        let own = Document::new(first.path.clone(), bytes, document.hash);
        let reading = Reading::of(&own);
        for place in places {
            place.address = address_around(&reading, place.span);
        }
    }
    references
}
