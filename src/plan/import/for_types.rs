//! Imports for those alone who check types: in `if TYPE_CHECKING:`, of the module itself.

use std::ops::Deref;

use super::outcome::{ImportWish, imported};
use super::{inner, list, uses};
use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::references::Analysis;
use crate::syntax::python::{
    ImportPlace, ImportStatement, ImportTable, ModuleNames, ModuleStatement, ModuleStatementKind,
    import_table, is_type_checking, module_names,
};
use crate::text::splice::{Splice, Splices};
use crate::text::{LineEnding, Lines, Span, leading_blank};

/// Indentation of a branch that is new.
const INDENT: &str = "    ";

/// Returns the file at `path` with `statement`, of one name, for those who check types; a branch for that is written as in `model`.
pub(in crate::plan) fn imported_for_types(
    path: &RepoPath,
    bytes: &[u8],
    statement: &ImportStatement,
    model: &[u8],
    analysis: &dyn Deref<Target = Analysis>,
) -> Result<Vec<u8>, Diagnostic> {
    let table = import_table(bytes);
    let Some(name) = statement.names.first() else {
        return Ok(bytes.to_vec());
    };
    let is_there = |it: &ImportStatement| {
        it.from == statement.from
            && it.within != ImportPlace::Definition
            && it.names.iter().any(|other| other.words() == name.words())
    };
    if table.imports.iter().any(is_there) {
        return Ok(bytes.to_vec());
    }
    let lines = Lines::of(bytes);
    let line_break = LineEnding::at(bytes, 0).as_bytes();
    let line_break = std::str::from_utf8(line_break).unwrap_or("\n");
    let Some(branch) = branch(bytes, &table) else {
        return with_branch(path, bytes, statement, model, analysis);
    };
    let inside: Vec<&ImportStatement> = table
        .imports
        .iter()
        .filter(|it| branch.span.contains(it.span) && it.within == ImportPlace::OtherRun)
        .collect();
    let takes = |it: &&&ImportStatement| {
        let plain = name.alias.is_none() && it.names.iter().all(|name| name.alias.is_none());
        statement.from.is_some() && it.from == statement.from && plain
    };
    let splice = match inside.iter().find(takes) {
        Some(own) => list::added(bytes, &lines, &table, own, name, line_break),
        None => {
            let words = statement.words();
            let is_sorted = inside.is_sorted_by_key(|it| it.words());
            let next = inside.iter().find(|it| is_sorted && it.words() > words);
            let beside = next.or(inside.last());
            let line = beside.map_or_else(
                || lines.line(branch.span.end.saturating_sub(1)),
                |it| lines.line(it.span.start),
            );
            let indent = leading_blank(lines.content(bytes, line).of(bytes));
            let indent = String::from_utf8_lossy(indent).into_owned();
            match (next, inside.last()) {
                (Some(next), _) => {
                    let start = lines.start(lines.line(next.span.start));
                    Splice::new(Span::at(start), format!("{indent}{words}{line_break}"))
                }
                (None, last) => {
                    let end = last.map_or(branch.span.end, |last| last.span.end);
                    let end = lines.content(bytes, lines.line(end - 1)).end;
                    Splice::new(Span::at(end), format!("{line_break}{indent}{words}"))
                }
            }
        }
    };
    Ok(applied(bytes, vec![splice]))
}

/// Returns the file without the imports for those who check types that were used `before` and are not now, and those.
pub(in crate::plan) fn without_unused_for_types(
    before: &[u8],
    after: &[u8],
) -> (Vec<u8>, Vec<String>) {
    let old = module_names(before);
    let mut bytes = after.to_vec();
    let mut removed = Vec::new();
    loop {
        let table = import_table(&bytes);
        let names = module_names(&bytes);
        let found = branch(&bytes, &table).and_then(|branch| unused(&old, &names, &table, branch));
        let Some((statement, at)) = found else {
            return (bytes, removed);
        };
        let Some(splices) = inner::taken_out_inside(&bytes, &table, statement, at) else {
            return (bytes, removed);
        };
        let one = statement.one_by_one().nth(at);
        removed.extend(one.map(|one| one.words()));
        let shorter = applied(&bytes, splices);
        if shorter.len() >= bytes.len() {
            return (bytes, removed);
        }
        bytes = shorter;
    }
}

fn unused<'t>(
    old: &ModuleNames,
    names: &ModuleNames,
    table: &'t ImportTable,
    branch: &ModuleStatement,
) -> Option<(&'t ImportStatement, usize)> {
    let inside = table
        .imports
        .iter()
        .filter(|it| branch.span.contains(it.span) && !it.is_star());
    let each = inside.flat_map(|it| (0..it.names.len()).map(move |at| (it, at)));
    let is_unused = |(statement, at): &(&ImportStatement, usize)| {
        let bound = statement.names[*at].bound();
        !uses::uses(old, bound).is_empty() && uses::uses(names, bound).is_empty()
    };
    let mut found = each.filter(is_unused);
    found.next()
}

/// Returns the first branch of the module for those who check types.
fn branch<'t>(bytes: &[u8], table: &'t ImportTable) -> Option<&'t ModuleStatement> {
    let mut statements = table.statements.iter();
    statements.find(|it| is_type_checking(it.span.of(bytes)))
}

/// Returns the file with a branch below its imports.
fn with_branch(
    path: &RepoPath,
    bytes: &[u8],
    statement: &ImportStatement,
    model: &[u8],
    analysis: &dyn Deref<Target = Analysis>,
) -> Result<Vec<u8>, Diagnostic> {
    let (test, import) = test_of(bytes, model);
    let bytes = match ImportStatement::parse(&import) {
        Ok(import) => imported(path, bytes, &ImportWish::Has(&import), analysis)?.bytes,
        Err(_) => bytes.to_vec(),
    };
    let table = import_table(&bytes);
    let lines = Lines::of(&bytes);
    let line_break = LineEnding::at(&bytes, 0).as_bytes();
    let line_break = std::str::from_utf8(line_break).unwrap_or("\n");
    let last = table
        .statements
        .iter()
        .take_while(|it| it.kind != ModuleStatementKind::Definition)
        .filter(|it| it.kind == ModuleStatementKind::Import)
        .last();
    let end = last.map_or(0, |last| last.span.end);
    let end = lines.content(&bytes, lines.line(end.saturating_sub(1))).end;
    let words = statement.words();
    let comment = comment_of(model);
    let text = format!("{line_break}{line_break}if {test}:{comment}{line_break}{INDENT}{words}");
    Ok(applied(&bytes, vec![Splice::new(Span::at(end), text)]))
}

/// Returns the test of such a branch as `model` writes it, or as the names of the file have it, and the import that it needs.
fn test_of(bytes: &[u8], model: &[u8]) -> (String, String) {
    let plain = || {
        let import = "from typing import TYPE_CHECKING".to_owned();
        ("TYPE_CHECKING".to_owned(), import)
    };
    let table = import_table(model);
    let Some(branch) = branch(model, &table) else {
        return plain();
    };
    let header = branch.span.of(model).split(|byte| *byte == b':').next();
    let test = header.unwrap_or_default().strip_prefix(b"if ");
    let test = String::from_utf8_lossy(test.unwrap_or_default());
    let test = test.trim();
    let first = test.split('.').next().unwrap_or(test);
    let statements = table.imports.iter().flat_map(ImportStatement::one_by_one);
    let binds = |it: &ImportStatement| {
        it.within == ImportPlace::Module && it.names.iter().any(|name| name.bound() == first)
    };
    let mut found = statements.filter(binds);
    let Some(import) = found.next() else {
        return plain();
    };
    let there = import_table(bytes);
    let same = |it: &ImportStatement| it.words() == import.words();
    let is_there = there.imports.iter().flat_map(ImportStatement::one_by_one);
    let is_there = is_there.filter(same).count() > 0;
    let names = module_names(bytes);
    let is_free = names.scopes.iter().all(|it| !it.names.contains_key(first));
    match is_there || is_free {
        true => (test.to_owned(), import.words()),
        false => plain(),
    }
}

/// Returns what `model` says of such a branch behind its test, which coverage or a linter may read.
fn comment_of(model: &[u8]) -> String {
    let table = import_table(model);
    let header = branch(model, &table).and_then(|branch| {
        let line = branch.span.of(model).split(|byte| *byte == b'\n').next()?;
        let colon = line.iter().position(|byte| *byte == b':')?;
        Some(line[colon + 1..].trim_ascii_end())
    });
    let is_comment = |rest: &&[u8]| rest.trim_ascii_start().starts_with(b"#");
    let comment = header.filter(is_comment).unwrap_or_default();
    String::from_utf8_lossy(comment).into_owned()
}

fn applied(bytes: &[u8], splices: Vec<Splice>) -> Vec<u8> {
    match Splices::new(splices) {
        Ok(splices) => splices.apply(bytes),
        Err(_) => bytes.to_vec(),
    }
}
