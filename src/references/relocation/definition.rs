//! Whether a definition can be moved at all: it is one statement of its module, which binds its name once.

use std::collections::BTreeSet;

use super::request::{Ends, MoveRequest};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::references::Analysis;
use crate::references::modules::folder_of;
use crate::references::target::{Renamable, RenamableSort};
use crate::syntax::python::{
    BindingKind, ModuleNames, ModuleStatement, NameScopeKind, OccurrenceKind, Outward, UsedText,
    import_table,
};
use crate::text::{Lines, Span};

/// Refuses what cannot be moved.
pub(super) fn check(
    analysis: &Analysis,
    request: &MoveRequest<'_>,
    target: &Renamable,
    ends: &Ends,
) -> Result<(), Diagnostic> {
    let word = shown(&target.word);
    let path = request.path;
    let refuse = |why: String| Err(Diagnostic::new(Code::Unsupported, why));
    let names = analysis.names(ends.old);
    let entity = target.entities.iter().next();
    let is_own = entity.is_some_and(|it| it.file == ends.old && it.scope == 0);
    if target.sort != RenamableSort::Global || target.entities.len() != 1 || !is_own {
        return refuse(format!(
            "`{word}` is inside of a class or a function: what is moved is a function, class or variable of the module itself"
        ));
    }
    if target.is_fixture && !ends.is_one_file() {
        return refuse(format!(
            "`{word}` is a fixture, which tests find by the file that it is in"
        ));
    }
    let bound = names.scopes[0].names.get(&target.word);
    let bindings = bound.map_or(&[][..], |bound| &bound.bindings[..]);
    let [binding] = bindings else {
        let lines = Lines::of(analysis.sources.bytes(ends.old));
        let places = bindings.iter().map(|it| lines.line(it.span.start));
        let message = format!("`{word}` is bound in several places of {path}");
        return Err(
            places.fold(Diagnostic::new(Code::Unsupported, message), |told, line| {
                told.note(format!("{path}, line {line}"))
            }),
        );
    };
    let is_definition = matches!(
        binding.kind,
        BindingKind::Function(_) | BindingKind::Class(_) | BindingKind::Assigned { .. }
    );
    let table = import_table(analysis.sources.bytes(ends.old));
    let holds = |it: &&ModuleStatement| it.span.overlaps(request.span);
    let statements: Vec<&ModuleStatement> = table.statements.iter().filter(holds).collect();
    let is_alone = match statements.as_slice() {
        [only] => request.span.contains(only.span) && only.span.contains(binding.span),
        _ => false,
    };
    if !is_definition || !is_alone {
        return refuse(format!(
            "`{word}` is not defined by a statement of its own at the top level of {path}"
        ));
    }
    if ends.is_one_file() {
        return Ok(());
    }
    if let Some(what) = given_by_file(analysis, ends, request.span, &target.word) {
        return refuse(format!(
            "`{word}` has {what}, which it would not have in {}",
            request.to
        ));
    }
    for scope in &names.scopes {
        let mut declared = scope.names.iter();
        let is_inside = request.span.contains(scope.span) && scope.kind != NameScopeKind::Module;
        let global = declared.find(|(name, bound)| {
            bound.outward == Some(Outward::Global) && (is_inside || **name == target.word)
        });
        if let Some((name, _)) = global {
            return refuse(format!(
                "a function has `global {name}`, which would be another name then"
            ));
        }
    }
    let beside = names.scopes[0].names.iter().find(|(name, bound)| {
        let mut bindings = bound.bindings.iter();
        **name != target.word && bindings.any(|it| request.span.contains(it.span))
    });
    if let Some((other, _)) = beside {
        return refuse(format!("what defines `{word}` binds `{other}`, too"));
    }
    let bytes = analysis.sources.bytes(ends.old);
    let has_types = names.texts.iter().any(|(span, kind)| {
        let text = span.of(bytes);
        *kind == UsedText::Comment
            && request.span.contains(*span)
            && memchr::memmem::find(text, b"type:").is_some()
            && memchr::memmem::find(text, b"ignore").is_none()
    });
    if has_types {
        return refuse(format!(
            "`{word}` has types in comments, whose names are not followed"
        ));
    }
    Ok(())
}

/// Returns what a definition has of its file because it is a test of that: fixtures, marks, what runs before each test.
fn given_by_file(analysis: &Analysis, ends: &Ends, span: Span, word: &str) -> Option<String> {
    let names = analysis.names(ends.old);
    let bytes = analysis.sources.bytes(ends.old);
    let own = fixtures(names, bytes, span);
    let asked = asked(names, bytes, span);
    if let Some(name) = asked.iter().find(|it| own.contains(*it)) {
        return Some(format!("the fixture `{name}` of its file"));
    }
    if let Some(given) = given_by_folder(analysis, ends, &asked) {
        return Some(given);
    }
    if !(word.starts_with("test") || word.starts_with("Test")) {
        return None;
    }
    let of_all = [
        "pytestmark",
        "setup_module",
        "setup_function",
        "teardown_module",
    ];
    let bound = &names.scopes[0].names;
    if let Some(name) = of_all.iter().find(|name| bound.contains_key(**name)) {
        return Some(format!("`{name}` of its file"));
    }
    let for_all = names.occurrences.iter().find(|it| {
        let is_keyword = matches!(it.kind, OccurrenceKind::Keyword { .. });
        is_keyword && it.name == "autouse" && !span.contains(it.span)
    });
    let for_all = for_all.filter(|_| !own.is_empty());
    for_all.map(|it| {
        let line = Lines::of(bytes).line(it.span.start);
        format!("a fixture for all tests (line {line})")
    })
}

/// Returns the fixture of a `conftest.py` that is asked for and is not one where the definition goes.
fn given_by_folder(analysis: &Analysis, ends: &Ends, asked: &BTreeSet<String>) -> Option<String> {
    let sources = &analysis.sources;
    let (old, new) = (sources.path(ends.old), sources.path(ends.new));
    let mut folder = folder_of(old.as_str());
    while !folder.is_empty() && !new.as_str().starts_with(&format!("{folder}/")) {
        if let Some(conftest) = sources.at(&format!("{folder}/conftest.py")) {
            let names = analysis.names(conftest);
            let known = fixtures(names, sources.bytes(conftest), Span::at(0));
            if let Some(name) = asked.iter().find(|it| known.contains(*it)) {
                return Some(format!("the fixture `{name}` of {folder}/conftest.py"));
            }
        }
        folder = folder_of(folder);
    }
    None
}

/// Returns what the fixtures of a module are called, those in `left_out` aside: by their functions, or by what the decorator says.
fn fixtures(names: &ModuleNames, bytes: &[u8], left_out: Span) -> BTreeSet<String> {
    let of_module = names
        .scopes
        .iter()
        .filter(|scope| scope.parent == Some(0) && !left_out.contains(scope.span));
    let mut found = BTreeSet::new();
    for scope in of_module {
        let Some(header) = &scope.function else {
            continue;
        };
        if !names.is_decorated(&header.decorators, &["fixture"]) {
            continue;
        }
        let called = names.occurrences.iter().find_map(|it| match it.kind {
            OccurrenceKind::Keyword { call }
                if it.name == "name" && header.decorators.contains(&call) =>
            {
                let rest = bytes.get(it.span.end..)?.trim_ascii_start();
                quoted(rest.strip_prefix(b"=")?.trim_ascii_start())
            }
            _ => None,
        });
        found.extend(called.or_else(|| scope.name.clone()));
    }
    found
}

/// Returns what the string says that begins `bytes`.
fn quoted(bytes: &[u8]) -> Option<String> {
    let (quote, rest) = bytes.split_first()?;
    let end = matches!(quote, b'"' | b'\'').then(|| memchr::memchr(*quote, rest))??;
    Some(String::from_utf8_lossy(rest.get(..end)?).into_owned())
}

/// Returns the fixtures that what is in a span may ask for: by parameters, or by strings (`usefixtures`, `getfixturevalue`).
fn asked(names: &ModuleNames, bytes: &[u8], span: Span) -> BTreeSet<String> {
    let inside = names
        .scopes
        .iter()
        .filter(|scope| span.contains(scope.span));
    let headers = inside.filter_map(|scope| scope.function.as_ref());
    let parameters = headers.flat_map(|header| header.parameters.iter().map(|it| it.name.clone()));
    let mut asked: BTreeSet<String> = parameters.collect();
    let by_words = memchr::memmem::find(span.of(bytes), b"fixture").is_some();
    let strings = names
        .texts
        .iter()
        .filter(|(place, kind)| by_words && *kind == UsedText::String && span.contains(*place));
    asked.extend(strings.filter_map(|(place, _)| quoted(place.of(bytes))));
    asked
}
