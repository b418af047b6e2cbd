//! What a test has of its file and its folders: fixtures, marks, what runs before each test. It would not have that elsewhere.

use std::collections::{BTreeSet, HashMap};

use super::request::Ends;
use crate::references::Analysis;
use crate::references::modules::folder_of;
use crate::syntax::python::{ExpressionId, ModuleNames, OccurrenceKind, UsedText};
use crate::text::{Lines, Span};

/// Returns what a definition has of its file because it is a test of that: fixtures, marks, what runs before each test.
pub(super) fn given_by_file(
    analysis: &Analysis,
    ends: &Ends,
    span: Span,
    word: &str,
) -> Option<String> {
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
    let called: HashMap<ExpressionId, String> = names
        .occurrences
        .iter()
        .filter_map(|it| match it.kind {
            OccurrenceKind::Keyword { call } if it.name == "name" => {
                let rest = bytes.get(it.span.end..)?.trim_ascii_start();
                let text = quoted(rest.strip_prefix(b"=")?.trim_ascii_start())?;
                Some((call, text))
            }
            _ => None,
        })
        .collect();
    let mut found = BTreeSet::new();
    for scope in of_module {
        let Some(header) = &scope.function else {
            continue;
        };
        if !names.is_decorated(&header.decorators, &["fixture"]) {
            continue;
        }
        let mut names = header.decorators.iter().filter_map(|it| called.get(it));
        let name = names.next().or(scope.name.as_ref());
        found.extend(name.cloned());
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
