//! What a manifest is about: the files that whoever makes the snapshot has to read.

use super::page_links::link_words;
use super::{import, mend, repoint};
use crate::manifest::{Files, Manifest, Operation, Selector, SymbolSelector, Verb};
use crate::path::RepoPath;
use crate::snapshot::Snapshot;
use crate::syntax::language_of;

/// Returns the files that an operation is about.
pub(super) fn paths_of(operation: &Operation, snapshot: &Snapshot) -> Vec<RepoPath> {
    match &operation.files {
        Files::One(path) => vec![path.clone()],
        Files::Matching(specs) => snapshot.matches.get(specs).cloned().unwrap_or_default(),
    }
}

/// Returns the files in which a manifest looks for a block, for whoever reads the templates that they were made from.
pub fn asked_for_blocks(manifest: &Manifest, snapshot: &Snapshot) -> Vec<RepoPath> {
    let asking = manifest
        .operations
        .iter()
        .filter(|operation| names_a_segment(operation));
    asking
        .flat_map(|operation| paths_of(operation, snapshot))
        .collect()
}

/// Says whether an operation looks for a segment by its name, which may be that of a block.
pub(super) fn names_a_segment(operation: &Operation) -> bool {
    let is_name = |selector: &Selector| match selector {
        Selector::Block(_)
        | Selector::Symbol(_)
        | Selector::Section(_)
        | Selector::Element(_)
        | Selector::Key(_) => true,
        Selector::Text(_) | Selector::Pattern(_) | Selector::Lines(_) => false,
    };
    let selectors = operation
        .scoped()
        .map(|scoped| [Some(&scoped.selector), scoped.within.as_ref()]);
    selectors.is_some_and(|selectors| selectors.into_iter().flatten().any(is_name))
}

/// Says whether an operation looks for a definition or a section, and for nothing inside it.
pub(super) fn names_a_definition(operation: &Operation) -> bool {
    let is_definition =
        |selector: &Selector| matches!(selector, Selector::Symbol(_) | Selector::Section(_));
    operation
        .scoped()
        .is_some_and(|scoped| scoped.within.is_none() && is_definition(&scoped.selector))
}

/// Says whether an operation names bytes, not a place.
pub(super) fn quotes(operation: &Operation) -> bool {
    operation
        .scoped()
        .is_some_and(|scoped| match scoped.selector {
            Selector::Text(_) | Selector::Pattern(_) | Selector::Lines(_) => true,
            Selector::Block(_)
            | Selector::Symbol(_)
            | Selector::Section(_)
            | Selector::Element(_)
            | Selector::Key(_) => false,
        })
}

/// What has to be read of a project to look for names in it, beside all files of Python.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedFiles {
    /// Files that hold one of these.
    pub words: Vec<String>,
    /// Whether all scripts of JavaScript and TypeScript are needed, and what says where their packages are.
    pub with_scripts: bool,
}

/// Says whether the names of a file are those of JavaScript or TypeScript by its name, or its name says nothing.
fn may_be_script(path: &RepoPath) -> bool {
    language_of(path).is_none_or(|language| language.grammar.has_script_names())
}

/// Returns what a manifest needs of the project; `None` where it needs nothing of it.
pub fn wanted_files(manifest: &Manifest) -> Option<WantedFiles> {
    let words = |operation: &Operation| match &operation.verb {
        Verb::Rename {
            selector: Selector::Symbol(symbol),
            to,
            ..
        } => vec![word_of(symbol), to.clone()],
        _ if operation.callers.is_some() => operation
            .scoped()
            .and_then(|scoped| match &scoped.selector {
                Selector::Symbol(symbol) => Some(word_of(symbol)),
                _ => None,
            })
            .into_iter()
            .collect(),
        Verb::Import { statement } => import::looked_up(statement),
        Verb::Unimport { statement, .. } => {
            let names = statement.names.iter();
            names.map(|name| name.bound().to_owned()).collect()
        }
        Verb::Move {
            selector: Selector::Symbol(symbol),
            to,
            ..
        } => moved_words(operation, symbol, to.file.as_ref()),
        Verb::Move { .. } | Verb::Rename { .. } => linked_words(operation),
        Verb::RenameFile { .. } => repoint::moved_module(operation)
            .map(|(from, ..)| module_word(from))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    };
    let mut words: Vec<String> = manifest.operations.iter().flat_map(words).collect();
    words.sort();
    words.dedup();
    let is_wanted = !words.is_empty() || manifest.operations.iter().any(mend::mends);
    let renames_in_script = |operation: &Operation| match (&operation.verb, &operation.files) {
        (
            Verb::Rename {
                selector: Selector::Symbol(_),
                ..
            },
            Files::One(path),
        ) => may_be_script(path),
        _ => false,
    };
    is_wanted.then(|| WantedFiles {
        words,
        with_scripts: manifest.operations.iter().any(renames_in_script),
    })
}

/// Returns the words that may name a definition, the module that it leaves or the one that it goes to.
fn moved_words(
    operation: &Operation,
    symbol: &SymbolSelector,
    to: Option<&RepoPath>,
) -> Vec<String> {
    let from = match &operation.files {
        Files::One(path) => Some(path),
        Files::Matching(_) => None,
    };
    let modules = from.into_iter().chain(to).map(module_word);
    modules.chain([word_of(symbol)]).collect()
}

/// Returns the words by which pages link to the one that a section leaves, or something gets another name in, and to the one that it goes
/// to.
fn linked_words(operation: &Operation) -> Vec<String> {
    let from = match &operation.files {
        Files::One(path) => Some(path),
        Files::Matching(_) => None,
    };
    let to = match &operation.verb {
        Verb::Move { to, .. } => to.file.as_ref(),
        _ => None,
    };
    // Style sheets and scripts say an id or a class by itself.
    let own = match &operation.verb {
        Verb::Rename {
            selector: Selector::Element(selector),
            ..
        } => selector.id_or_class(),
        _ => None,
    };
    let links = from.into_iter().chain(to).flat_map(link_words);
    links.chain(own).collect()
}

/// Returns the last word of the name of the module at `path`.
fn module_word(path: &RepoPath) -> String {
    let path = path.as_str();
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    stem.rsplit('/').next().unwrap_or(stem).to_owned()
}

/// Returns the word that a symbol is written as where it is used: of `f(x)` that is `x`.
pub fn word_of(symbol: &SymbolSelector) -> String {
    let last = symbol.components.last();
    let last = last.map_or("", |component| component.name.as_str());
    let inner = last
        .split_once('(')
        .and_then(|(_, rest)| rest.strip_suffix(')'))
        .filter(|inner| !inner.is_empty() && !inner.contains(','));
    inner.unwrap_or(last).trim().to_owned()
}

/// Returns every path that a manifest names, for whoever reads the snapshot.
pub fn wanted_paths(manifest: &Manifest) -> (Vec<RepoPath>, Vec<Vec<String>>) {
    let mut paths = Vec::new();
    let mut specs = Vec::new();
    for operation in &manifest.operations {
        match &operation.files {
            Files::One(path) => paths.push(path.clone()),
            Files::Matching(list) => specs.push(list.clone()),
        }
        match &operation.verb {
            Verb::RenameFile { to, .. } => paths.push(to.clone()),
            Verb::Move { to, .. } => paths.extend(to.file.clone()),
            _ => {}
        }
    }
    paths.sort();
    paths.dedup();
    specs.sort();
    specs.dedup();
    (paths, specs)
}
