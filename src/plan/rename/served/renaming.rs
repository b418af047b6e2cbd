//! The way in: what a rename by a server changes, and what it says of places that are not certain without it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::survey::WordSurvey;
use crate::diagnostic::Diagnostic;
use crate::manifest::{Operation, RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::plan::name_service::{DefinedAt, NamePlace, NameService};
use crate::plan::whole;
use crate::references::{References, RenameRefused, Renaming, Verdict, renamed};
use crate::resolve::Document;
use crate::snapshot::{Blob, Project, Snapshot};

/// Returns every place that changes when `symbol`, in the file at `path`, is called `to`, as `server` and the snapshot have it.
pub(in crate::plan::rename) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (symbol, to, terms): (&SymbolSelector, &str, RenameTerms),
    (service, server): (&dyn NameService, &str),
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
    let survey = WordSurvey::of(&document, &snapshot.project, symbol, (service, server))?;
    survey.check_new(to, terms)?;
    let written = survey.written_everywhere(to)?;
    let named = written.keys().cloned().collect();
    let mut references = survey.references(named)?;
    survey.doubt_short_forms(&written, &mut references);
    survey.settle_left(&written, &mut references)?;
    let renaming = renamed(references, path, terms, |path, span| {
        let place = NamePlace {
            path: path.clone(),
            span,
        };
        Some(Rc::from(written.get(&place).map_or(to, String::as_str)))
    })?;
    if !terms.allows_clash && to != survey.word {
        survey.check_meanings(&renaming, to)?;
        survey.check_errors(&renaming, to)?;
    }
    Ok(renaming)
}

/// Returns every place where the name of `symbol` is written, which is defined in `document`, as `server` and the project have it.
pub(crate) fn references(
    document: &Document,
    project: &Project,
    symbol: &SymbolSelector,
    (service, server): (&dyn NameService, &str),
) -> Result<References, Diagnostic> {
    let survey = WordSurvey::of(document, project, symbol, (service, server))?;
    let uses = service.uses(server, &survey.place)?.into_iter();
    let shown = uses.filter_map(|place| match place {
        DefinedAt::Shown(place) => Some(place),
        DefinedAt::Unshown(_) | DefinedAt::Outside(_) => None,
    });
    survey.references(shown.collect())
}

/// Says that a server would be asked about the places among `references` that are not certain, if there is one.
pub(in crate::plan::rename) fn offer(
    references: &References,
    service: &dyn NameService,
) -> Result<Option<String>, Diagnostic> {
    let by_server = doubtful(references, service)?;
    let server = by_server.into_keys().next();
    Ok(server.map(|server| format!("`unsure: ask` takes the word of `{server}` for them")))
}

/// Asks servers about the places among `references` that are not certain, and gives those a verdict of which they know where they are
/// defined. Returns a sentence on why nobody was asked, where that is so.
pub(in crate::plan::rename) fn settle(
    references: &mut References,
    project: &Project,
    service: &dyn NameService,
) -> Result<Option<String>, Diagnostic> {
    let by_server = doubtful(references, service)?;
    if by_server.is_empty() {
        return Ok(Some(
            "`.segedit.yaml` names no language server that could be asked".to_owned(),
        ));
    }
    for (server, unsure) in by_server {
        settle_with(references, project, &unsure, (service, &server))?;
    }
    Ok(None)
}

/// Returns which places are not certain because nothing says what they are of, by the server that answers for their files.
fn doubtful(
    references: &References,
    service: &dyn NameService,
) -> Result<BTreeMap<String, Vec<usize>>, Diagnostic> {
    let mut by_server: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, place) in references.places.iter().enumerate() {
        // What may be several things a server cannot know better.
        let is_unknown = |reason: &String| reason.starts_with("nothing says what");
        if place.verdict == Verdict::Unsure
            && place.reason.as_ref().is_some_and(is_unknown)
            && let Some(server) = service.server_of(&place.path)?
        {
            by_server.entry(server).or_default().push(at);
        }
    }
    Ok(by_server)
}

fn settle_with(
    references: &mut References,
    project: &Project,
    unsure: &[usize],
    (service, server): (&dyn NameService, &str),
) -> Result<(), Diagnostic> {
    let certain: Vec<NamePlace> = references
        .with(Verdict::Certain)
        .map(NamePlace::of)
        .collect();
    let asked: Vec<NamePlace> = unsure
        .iter()
        .map(|at| NamePlace::of(&references.places[*at]))
        .collect();
    let mut files: BTreeMap<&RepoPath, Blob> = BTreeMap::new();
    for place in asked.iter().chain(&certain) {
        if let Some(bytes) = project.files.get(&place.path)
            && service.server_of(&place.path)?.as_deref() == Some(server)
        {
            files.insert(&place.path, bytes.clone());
        }
    }
    let files: Vec<(&RepoPath, Blob)> = files.into_iter().collect();
    service.show(server, &files)?;
    let definitions = service.definitions(server, &asked)?;
    for (at, defined) in unsure.iter().zip(definitions) {
        let is_ours =
            |place: &DefinedAt| matches!(place, DefinedAt::Shown(place) if certain.contains(place));
        let ours = defined.iter().filter(|place| is_ours(place)).count();
        let place = &mut references.places[*at];
        if ours == 0 && !defined.is_empty() {
            place.verdict = Verdict::Other;
        } else if ours > 0 && ours == defined.len() {
            place.verdict = Verdict::Certain;
        } else {
            continue;
        }
        place.reason = Some(format!("says `{server}`"));
    }
    Ok(())
}
