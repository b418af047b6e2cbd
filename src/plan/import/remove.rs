//! A statement goes, or a name of it.

use super::list;
use super::sections::last_line_of;
use crate::syntax::python::{ImportStatement, ImportTable, ModuleStatementKind};
use crate::text::splice::Splice;
use crate::text::{Lines, Span, is_blank};

/// Returns what takes the name at `at` out of `statement`, which is one of the module itself; `None` where a comment is in the way.
pub(super) fn removed(
    bytes: &[u8],
    lines: &Lines,
    table: &ImportTable,
    statement: &ImportStatement,
    at: usize,
) -> Option<Vec<Splice>> {
    if statement.names.len() > 1 {
        return list::taken_out(bytes, lines, statement, at);
    }
    let (first, last) = (
        lines.line(statement.span.start),
        lines.line(statement.span.end - 1),
    );
    let beside = table.statements.iter().filter(|other| {
        other.span != statement.span
            && lines.line(other.span.start) <= last
            && first <= lines.line(other.span.end - 1)
    });
    if beside.count() > 0 {
        return Some(vec![Splice::new(between_semicolons(bytes, statement), "")]);
    }
    let last = last_line_of(bytes, lines, statement.span);
    let start = lines.start(first);
    let end = lines.whole(last).end;
    let blank = |line: usize| is_blank(lines.content(bytes, line).of(bytes));
    let count = lines.count();
    let above = (1..first).rev().take_while(|line| blank(*line)).count();
    let below = (last + 1..=count).take_while(|line| blank(*line)).count();
    let is_first = above + 1 == first;
    let is_last = last + below == count;
    let has_gaps = (above > 0 || is_first) && (below > 0 || is_last);
    let span = match () {
        () if !has_gaps => Span::new(start, end),
        // Nothing is above or below: the gap on the other side goes with it.
        () if is_first => Span::new(start, lines.whole(last + below).end),
        () if is_last => Span::new(lines.start(first - above), end),
        // A paragraph of its own: the smaller gap goes, and what comes after imports keeps its own.
        () if above <= below => Span::new(lines.start(first - above), end),
        () if is_import_at(lines, table, last + below + 1) => {
            Span::new(lines.start(first - above), end)
        }
        () => Span::new(start, lines.whole(last + below).end),
    };
    Some(vec![Splice::new(span, "")])
}

fn is_import_at(lines: &Lines, table: &ImportTable, line: usize) -> bool {
    table.statements.iter().any(|statement| {
        statement.kind == ModuleStatementKind::Import && lines.line(statement.span.start) == line
    })
}

/// Returns the bytes of a statement that shares its line with others, with the semicolon after it, or else the one before.
fn between_semicolons(bytes: &[u8], statement: &ImportStatement) -> Span {
    let after = &bytes[statement.span.end..];
    let blanks = |bytes: &[u8]| {
        bytes
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count()
    };
    let gap = blanks(after);
    let next = after.get(gap + 1..).unwrap_or_default();
    let more = blanks(next);
    if after.get(gap) == Some(&b';') && !matches!(next.get(more), None | Some(b'\r' | b'\n' | b'#'))
    {
        return Span::new(statement.span.start, statement.span.end + gap + 1 + more);
    }
    let before = &bytes[..statement.span.start];
    let kept = before
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t' | b';'))
        .map_or(0, |at| at + 1);
    Span::new(kept, statement.span.end)
}
