//! Paragraphs of imports: lines of imports with no blank line and nothing else between them.

use super::groups::{ImportGroup, IsOwn, group_of};
use crate::syntax::python::{ImportPlace, ImportStatement, ImportTable, ModuleStatementKind};
use crate::text::{Lines, Span, end_in_column, is_blank};

/// Lines that hold imports and nothing else.
#[derive(Clone, Debug)]
pub(super) struct ImportLine<'t> {
    /// The first statement, which it is sorted by.
    pub(super) statement: &'t ImportStatement,
    /// Its group.
    pub(super) group: ImportGroup,
    /// Its first line.
    pub(super) first: usize,
    /// Its last line, or that of the comment at its end, which may go on below in its column.
    pub(super) last: usize,
}

/// Returns the paragraphs of imports that begin before `limit`, an offset, and before the first definition.
pub(super) fn sections<'t>(
    bytes: &[u8],
    lines: &Lines,
    table: &'t ImportTable,
    limit: usize,
    is_own: IsOwn<'_>,
) -> Vec<Vec<ImportLine<'t>>> {
    let mut found: Vec<Vec<ImportLine<'t>>> = Vec::new();
    let mut imports = table
        .imports
        .iter()
        .filter(|import| import.within == ImportPlace::Module);
    let mut is_open = false;
    let mut last_line = 0;
    for statement in &table.statements {
        if statement.span.start >= limit || statement.kind == ModuleStatementKind::Definition {
            break;
        }
        let first = lines.line(statement.span.start);
        let last = lines.line(statement.span.end.saturating_sub(1));
        let shares_line = first == last_line;
        let import = match statement.kind {
            ModuleStatementKind::Import => imports.next(),
            _ => None,
        };
        let Some(import) = import else {
            // Lines that hold something else too are no lines of imports.
            if shares_line && is_open {
                found.last_mut().map(Vec::pop);
            }
            is_open = false;
            last_line = last;
            continue;
        };
        if shares_line {
            if let Some(line) = found
                .last_mut()
                .filter(|_| is_open)
                .and_then(|it| it.last_mut())
            {
                line.last = last_line_of(bytes, lines, statement.span);
            }
            last_line = last;
            continue;
        }
        let line = ImportLine {
            statement: import,
            group: group_of(import, is_own),
            first,
            last: last_line_of(bytes, lines, statement.span),
        };
        let has_gap =
            (last_line + 1..first).any(|line| is_blank(lines.content(bytes, line).of(bytes)));
        match found.last_mut() {
            Some(section) if is_open && !has_gap && !section.is_empty() => section.push(line),
            _ => found.push(vec![line]),
        }
        is_open = true;
        last_line = last;
    }
    found.retain(|section| !section.is_empty());
    found
}

/// Returns the last line of a statement: that of the comment at its end, where that goes on below in its column.
pub(super) fn last_line_of(bytes: &[u8], lines: &Lines, statement: Span) -> usize {
    let last = lines.line(statement.end.saturating_sub(1));
    let end = lines.content(bytes, last).end;
    let rest = Span::new(statement.end.min(end), end).of(bytes);
    let comment = rest.trim_ascii_start();
    if !comment.starts_with(b"#") {
        return last;
    }
    let begin = end - comment.len();
    lines.line(end_in_column(bytes, begin, end, b"#"))
}
