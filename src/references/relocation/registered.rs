//! Definitions that are registered while their module is imported: by a decorator, a base or a metaclass.
//!
//! Where nothing that imports the old module comes to import the new one, nothing is registered any more.

use std::collections::{BTreeSet, HashSet};

use super::reading::reaches_module;
use super::request::Ends;
use crate::references::ancestry::AncestryStep;
use crate::references::facts::{FileId, Thing};
use crate::references::{Analysis, decorators, outside};
use crate::syntax::python::{
    BindingKind, ExpressionId, ImportOrigin, ModuleNames, OccurrenceKind, ScopeId, UsedExpression,
    import_table,
};
use crate::text::Span;

/// The last words of decorators of other projects that keep what they decorate.
const KEEPERS: [&str; 7] = [
    "register",
    "receiver",
    "task",
    "shared_task",
    "hookimpl",
    "impl",
    "listens_for",
];

/// The last words of classes of other projects that keep the classes below them.
const KEEPING_BASES: [&str; 4] = ["Model", "DeclarativeBase", "Document", "SQLModel"];

/// Returns what may register the definition called `word` of the old module: where it stands, and in words.
pub(super) fn registrar(analysis: &Analysis, ends: &Ends, word: &str) -> Option<(Span, String)> {
    let names = analysis.names(ends.old);
    let bound = names.scopes[0].names.get(word)?;
    let binding = bound.bindings.first()?;
    let scope = match binding.kind {
        BindingKind::Function(scope) | BindingKind::Class(scope) => scope,
        _ => return None,
    };
    let opened = &names.scopes[scope];
    for decorator in opened.decorators() {
        if may_keep(analysis, ends.old, *decorator) {
            let word = names.last_word(*decorator).unwrap_or("…");
            let made = called(names, *decorator);
            let place = names.occurrences.iter().find(|it| match it.kind {
                OccurrenceKind::Load { expression }
                | OccurrenceKind::Attribute { expression, .. } => expression == made,
                _ => false,
            });
            let place = place.map_or(Span::at(opened.span.start), |it| it.span);
            return Some((place, format!("its decorator `{word}`")));
        }
    }
    opened.class.as_ref()?;
    let base = keeping_base(analysis, ends.old, scope)?;
    Some((Span::at(opened.span.start), base))
}

/// Returns what is called, of a decorator with arguments.
fn called(names: &ModuleNames, decorator: ExpressionId) -> ExpressionId {
    match names.expression(decorator) {
        UsedExpression::Call { callee, .. } => *callee,
        _ => decorator,
    }
}

/// Says whether a decorator may keep what it decorates for others.
fn may_keep(analysis: &Analysis, file: FileId, decorator: ExpressionId) -> bool {
    let names = analysis.names(file);
    let Some(word) = names.last_word(decorator) else {
        return true;
    };
    if decorators::is_harmless(word) {
        return false;
    }
    let things = analysis.things_of(file, called(names, decorator));
    let is_quiet = |thing: &Thing| match thing {
        Thing::Outside(name) => {
            let last = name.rsplit('.').next().unwrap_or(name);
            !KEEPERS.contains(&last)
        }
        Thing::Function((file, scope), None) => {
            wraps(analysis, *file, *scope) && !fills(analysis, *file, *scope)
        }
        _ => false,
    };
    things.is_open || things.known.is_empty() || !things.known.iter().all(is_quiet)
}

/// Says whether a function makes another one of what it is given, by `wraps`.
fn wraps(analysis: &Analysis, file: FileId, function: ScopeId) -> bool {
    let names = analysis.names(file);
    let mut inner = names.scopes.iter().enumerate();
    inner.any(|(scope, it)| {
        let is_inside = names.outward(scope).any(|around| around == function);
        let header = it.function.as_ref();
        is_inside && header.is_some_and(|it| names.is_decorated(&it.decorators, &["wraps"]))
    })
}

/// Says whether a function uses a variable of its module, where it may keep what it is given.
fn fills(analysis: &Analysis, file: FileId, function: ScopeId) -> bool {
    let names = analysis.names(file);
    let span = names.scopes[function].span;
    names.occurrences.iter().any(|it| {
        let OccurrenceKind::Load { expression } = it.kind else {
            return false;
        };
        let bound = names.scopes[0].names.get(&it.name);
        let is_variable = bound.is_some_and(|bound| {
            let mut bindings = bound.bindings.iter();
            bindings.any(|it| matches!(it.kind, BindingKind::Assigned { .. }))
        });
        span.contains(it.span) && is_variable && reaches_module(names, it, expression)
    })
}

/// Returns what is above a class and may keep it for others, in words.
fn keeping_base(analysis: &Analysis, file: FileId, class: ScopeId) -> Option<String> {
    analysis
        .ancestry((file, class))
        .steps
        .iter()
        .find_map(|step| match step {
            AncestryStep::Own(place) => {
                let scope = analysis.scope(*place);
                let has_metaclass = scope.class.as_ref().is_some_and(|it| it.has_metaclass);
                let is_above = *place != (file, class);
                let keeps =
                    has_metaclass || is_above && scope.names.contains_key("__init_subclass__");
                let name = scope.name.as_deref().unwrap_or("…");
                keeps.then(|| format!("what makes classes of `{name}`"))
            }
            AncestryStep::Outside(name) => {
                let last = name.rsplit('.').next().unwrap_or(name);
                let keeps = KEEPING_BASES.contains(&last) && !outside::is_known(name);
                keeps.then(|| format!("its base `{last}`"))
            }
            AncestryStep::Unknown(name) => Some(format!("its base `{name}`")),
        })
}

/// Returns where a class of the old module begins that has `word` for a base, if that may keep the classes below it for others.
pub(super) fn is_kept_below(
    analysis: &Analysis,
    ends: &Ends,
    moved: Span,
    word: &str,
) -> Option<usize> {
    let names = analysis.names(ends.old);
    let bound = names.scopes[0].names.get(word)?;
    let keeps = match bound.bindings.first()?.kind {
        BindingKind::Class(class) => {
            let own = &names.scopes[class].names;
            own.contains_key("__init_subclass__")
                || keeping_base(analysis, ends.old, class).is_some()
        }
        BindingKind::Assigned { .. } => true,
        _ => false,
    };
    let below = names.scopes.iter().find(|scope| {
        let header = scope.class.as_ref();
        let mut bases = header.into_iter().flat_map(|it| &it.bases);
        !moved.contains(scope.span) && bases.any(|base| names.last_word(*base) == Some(word))
    });
    below.filter(|_| keeps).map(|scope| scope.span.start)
}

/// Returns a file that imports the old module, or is it, and does not come to import the new one, where `then` has the files that import the
/// new one afterwards.
pub(super) fn left_out(
    analysis: &Analysis,
    ends: &Ends,
    then: &BTreeSet<FileId>,
) -> Option<FileId> {
    let sources = &analysis.sources;
    let word = sources.module_word(ends.old);
    let importing = sources.holding(&[word]).into_iter();
    let importing = importing.filter(|file| {
        let is_other = *file != ends.old && *file != ends.new;
        is_other && sources.is_python(*file) && analysis.imported_at_once(*file).contains(&ends.old)
    });
    let mut importing: Vec<FileId> = importing.collect();
    if importing.is_empty() {
        importing.push(ends.old);
    }
    importing
        .into_iter()
        .find(|file| !comes_to_new(analysis, ends, *file, then))
}

fn comes_to_new(analysis: &Analysis, ends: &Ends, file: FileId, then: &BTreeSet<FileId>) -> bool {
    let mut seen: HashSet<FileId> = HashSet::from([file]);
    let mut waiting = vec![file];
    while let Some(next) = waiting.pop() {
        if next == ends.new || then.contains(&next) {
            return true;
        }
        let imported = analysis.imported_at_once(next).into_iter();
        waiting.extend(imported.filter(|file| seen.insert(*file)));
    }
    false
}

/// Says whether a file that imports `word` of the old module imports that all the same without it, or what does.
pub(super) fn keeps_old(analysis: &Analysis, ends: &Ends, file: FileId, word: &str) -> bool {
    let sources = &analysis.sources;
    let table = import_table(sources.bytes(file));
    let is_old = |origin: &ImportOrigin| sources.modules(file, origin).contains(&ends.old_module);
    let keeps = table.imports.iter().any(|statement| match &statement.from {
        Some(from) => is_old(from) && statement.names.iter().any(|name| name.name != word),
        None => statement.one_by_one().any(|one| is_old(&one.origin())),
    });
    if keeps {
        return true;
    }
    let others = analysis.imported_at_once(file).into_iter();
    let mut waiting: Vec<FileId> = others.filter(|other| *other != ends.old).collect();
    let mut seen: HashSet<FileId> = waiting.iter().copied().collect();
    seen.insert(file);
    while let Some(next) = waiting.pop() {
        let imported = analysis.imported_at_once(next);
        if imported.contains(&ends.old) {
            return true;
        }
        waiting.extend(imported.into_iter().filter(|file| seen.insert(*file)));
    }
    false
}
