//! Places that name a definition behind its module: `old.name`.

use std::collections::HashMap;

use super::request::Ends;
use crate::references::Analysis;
use crate::references::facts::{FileId, Thing};
use crate::references::lookup::visible;
use crate::references::moves::{chain_of, is_whole};
use crate::syntax::python::{
    BindingKind, ExpressionId, ImportOrigin, ModuleNames, NameOccurrence, OccurrenceKind,
};
use crate::text::Span;

/// What becomes of a place behind a module.
pub(super) enum ByModule {
    /// Another module gives it on: nothing.
    Stays,
    /// It is written so, and the file needs the import.
    Becomes(Span, String, Option<String>),
    /// It is not certain, for this reason.
    Unsure(&'static str),
}

/// Returns what becomes of `occurrence`, an attribute of `file` that surely is the definition called `word`.
pub(super) fn by_module(
    analysis: &Analysis,
    ends: &Ends,
    file: FileId,
    occurrence: &NameOccurrence,
    loads: &HashMap<ExpressionId, usize>,
) -> ByModule {
    let OccurrenceKind::Attribute {
        receiver,
        is_target,
        ..
    } = occurrence.kind
    else {
        return ByModule::Stays;
    };
    let word = &occurrence.name;
    let names = analysis.names(file);
    let things = analysis.things_of(file, receiver);
    let is_old = |thing: &Thing| *thing == Thing::Module(ends.old_module.clone());
    if !things.known.iter().any(is_old) {
        return ByModule::Stays;
    }
    if things.known.len() > 1 || things.is_open {
        return ByModule::Unsure("it may be of another module as well");
    }
    let bytes = analysis.sources.bytes(file);
    let chain = chain_of(names, loads, receiver);
    let Some((start, dotted)) = chain.filter(|(start, dotted)| {
        let is_written = is_whole(bytes, *start, dotted);
        is_written && start + dotted.len() + 1 == occurrence.span.start
    }) else {
        return ByModule::Unsure("its module is not written as a plain name there");
    };
    let whole = Span::new(start, occurrence.span.end);
    if is_target {
        return ByModule::Unsure("it is set from outside of its module");
    }
    if file == ends.new {
        let mut scopes = visible(names, occurrence.scope).into_iter();
        let is_taken =
            scopes.any(|scope| scope != 0 && names.scopes[scope].names.contains_key(word));
        return match is_taken {
            true => ByModule::Unsure("its name alone is something else there"),
            false => ByModule::Becomes(whole, word.clone(), None),
        };
    }
    let first = dotted.split('.').next().unwrap_or(&dotted);
    if is_imported_below(analysis, ends, file, names, occurrence.span.start) {
        return ByModule::Unsure("the new module is imported only below it there");
    }
    match new_module(analysis, ends, file, names, first) {
        Ok((module, import)) => ByModule::Becomes(whole, format!("{module}.{word}"), import),
        Err(why) => ByModule::Unsure(why),
    }
}

/// Returns how `file` names the new module, and the import that it needs for that; the old one is bound there by `first`.
fn new_module(
    analysis: &Analysis,
    ends: &Ends,
    file: FileId,
    names: &ModuleNames,
    first: &str,
) -> Result<(String, Option<String>), &'static str> {
    let Some(bound) = names.scopes[0].names.get(first) else {
        return Err("its module is imported inside of a function");
    };
    let [binding] = bound.bindings.as_slice() else {
        // `import a.b` and `import a.c` both bind `a`.
        let is_part = |kind: &BindingKind| matches!(kind, BindingKind::ModulePart { .. });
        return match bound.bindings.iter().all(|it| is_part(&it.kind)) {
            true => by_packages(analysis, ends, file, names),
            false => Err("its module may be another one there"),
        };
    };
    if let Some(known) = known_name(analysis, ends, file, names) {
        return Ok((known, None));
    }
    match &binding.kind {
        BindingKind::Imported { from, .. } => {
            let origin = analysis.named_like(file, &ends.new_module, from);
            let Some((last, package)) = origin.as_ref().and_then(|it| it.parts.split_last()) else {
                return Err("no import leads to the new module from here");
            };
            let dots = origin.as_ref().map_or(0, |origin| origin.dots);
            if dots == 0 && package.is_empty() {
                return by_packages(analysis, ends, file, names);
            }
            let package = ImportOrigin {
                dots,
                parts: package.to_vec(),
            };
            check_free(names, last)?;
            let import = format!("from {} import {last}", package.words());
            Ok((last.clone(), Some(import)))
        }
        BindingKind::ModuleAlias { .. } => {
            let origin = analysis.named_like(file, &ends.new_module, &plain());
            let origin = origin.ok_or("no import leads to the new module from here")?;
            let last = origin.parts.last().cloned().unwrap_or_default();
            check_free(names, &last)?;
            let import = match origin.parts.as_slice() {
                [only] => format!("import {only}"),
                parts => format!("import {} as {last}", parts.join(".")),
            };
            Ok((last, Some(import)))
        }
        BindingKind::ModulePart { .. } => by_packages(analysis, ends, file, names),
        _ => Err("its module may be another one there"),
    }
}

fn plain() -> ImportOrigin {
    ImportOrigin {
        dots: 0,
        parts: Vec::new(),
    }
}

/// Returns the new module by all its packages.
fn by_packages(
    analysis: &Analysis,
    ends: &Ends,
    file: FileId,
    names: &ModuleNames,
) -> Result<(String, Option<String>), &'static str> {
    let origin = analysis.named_like(file, &ends.new_module, &plain());
    let origin = origin.filter(|origin| origin.dots == 0);
    let origin = origin.ok_or("no import leads to the new module from here")?;
    let first = &origin.parts[0];
    let bound = names.scopes[0].names.get(first);
    let is_part = |kind: &BindingKind| matches!(kind, BindingKind::ModulePart { parts } if parts[0] == *first);
    let is_same = bound.is_some_and(|bound| bound.bindings.iter().all(|it| is_part(&it.kind)));
    if !is_same {
        check_free(names, first)?;
    }
    let dotted = origin.parts.join(".");
    Ok((dotted.clone(), Some(format!("import {dotted}"))))
}

/// Refuses a word that is something else anywhere in the file.
fn check_free(names: &ModuleNames, word: &str) -> Result<(), &'static str> {
    let is_bound = names
        .scopes
        .iter()
        .any(|scope| scope.names.contains_key(word));
    let is_read = names
        .occurrences
        .iter()
        .any(|it| it.name == word && matches!(it.kind, OccurrenceKind::Load { .. }));
    match is_bound || is_read {
        true => Err("the name of the new module is something else there"),
        false => Ok(()),
    }
}

/// Says whether all that a file itself imports the new module by comes after `place`: an import that is there is not made again, and has
/// not run yet where the place is reached from above it.
fn is_imported_below(
    analysis: &Analysis,
    ends: &Ends,
    file: FileId,
    names: &ModuleNames,
    place: usize,
) -> bool {
    let mut own = names.scopes[0]
        .names
        .values()
        .flat_map(|bound| &bound.bindings)
        .filter(|binding| gives_new(analysis, ends, file, &binding.kind))
        .peekable();
    own.peek().is_some() && own.all(|binding| binding.span.start > place)
}

/// Says whether a binding imports the new module.
fn gives_new(analysis: &Analysis, ends: &Ends, file: FileId, kind: &BindingKind) -> bool {
    let sources = &analysis.sources;
    match kind {
        BindingKind::Imported { from, name } => sources
            .modules(file, from)
            .iter()
            .any(|module| sources.submodule(module, name).as_ref() == Some(&ends.new_module)),
        BindingKind::ModuleAlias { parts } | BindingKind::ModulePart { parts } => {
            let parts = parts.clone();
            analysis.leads_to(file, &ImportOrigin { dots: 0, parts }, &ends.new_module)
        }
        _ => false,
    }
}

/// Returns the name by which a file has the new module already.
fn known_name(
    analysis: &Analysis,
    ends: &Ends,
    file: FileId,
    names: &ModuleNames,
) -> Option<String> {
    names.scopes[0].names.iter().find_map(|(name, bound)| {
        let [binding] = bound.bindings.as_slice() else {
            return None;
        };
        let is_named = match &binding.kind {
            BindingKind::ModulePart { parts } => parts.len() == 1,
            _ => true,
        };
        (is_named && gives_new(analysis, ends, file, &binding.kind)).then(|| name.clone())
    })
}
