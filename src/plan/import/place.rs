//! Where a statement goes that no list takes in.

use super::groups::{ImportGroup, IsOwn, group_of};
use super::order::LineOrder;
use super::sections::{ImportLine, sections};
use crate::syntax::python::{ImportStatement, ImportTable, ModuleStatement, ModuleStatementKind};
use crate::text::splice::Splice;
use crate::text::{BOM, Lines, Span, is_blank};

/// Returns what adds `statement`, of one name, on a line of its own, before `limit`.
pub(super) fn placed(
    bytes: &[u8],
    lines: &Lines,
    table: &ImportTable,
    statement: &ImportStatement,
    limit: usize,
    is_own: IsOwn<'_>,
    line_break: &str,
) -> Splice {
    let group = group_of(statement, is_own);
    let sections = sections(bytes, lines, table, limit, is_own);
    let page = Page {
        bytes,
        lines,
        table,
        line_break,
        words: statement.words(),
    };
    if group == ImportGroup::Future && !sections.iter().flatten().any(|it| it.group == group) {
        return page.first();
    }
    if let Some(section) = home(&sections, statement, group) {
        return page.in_section(section, &sections, statement, group);
    }
    // What has to come first does so.
    let before = sections
        .iter()
        .rev()
        .find(|section| section.iter().all(|line| line.group <= group));
    if let Some(line) = before.and_then(|section| section.last()) {
        return page.paragraph_after(line.last);
    }
    match sections.first().and_then(|section| section.first()) {
        Some(line) => page.paragraph_before(line.first),
        None => page.first(),
    }
}

/// Returns the section that a statement belongs to.
fn home<'s, 't>(
    sections: &'s [Vec<ImportLine<'t>>],
    statement: &ImportStatement,
    group: ImportGroup,
) -> Option<&'s [ImportLine<'t>]> {
    let of_group =
        |section: &[ImportLine<'_>]| section.iter().filter(|line| line.group == group).count();
    let first_part = statement.origin().parts.first().cloned();
    let is_kin = |section: &[ImportLine<'_>]| {
        let kin =
            |line: &ImportLine<'_>| line.statement.origin().parts.first() == first_part.as_ref();
        matches!(group, ImportGroup::Other | ImportGroup::Own) && section.iter().any(kin)
    };
    let weigh = |section: &[ImportLine<'_>]| (is_kin(section), of_group(section));
    let best = sections
        .iter()
        .rev()
        .filter(|section| of_group(section) > 0)
        .max_by_key(|section| weigh(section));
    // A file that keeps no groups apart does not begin to.
    let mixed = || {
        let is_mixed = |section: &&Vec<ImportLine<'_>>| {
            section.iter().any(|line| line.group != section[0].group)
        };
        sections.iter().find(is_mixed)
    };
    let mixed = || mixed().filter(|_| group != ImportGroup::Future);
    best.or_else(mixed).map(Vec::as_slice)
}

struct Page<'a> {
    bytes: &'a [u8],
    lines: &'a Lines,
    table: &'a ImportTable,
    line_break: &'a str,
    words: String,
}

impl Page<'_> {
    fn in_section(
        &self,
        section: &[ImportLine<'_>],
        sections: &[Vec<ImportLine<'_>>],
        statement: &ImportStatement,
        group: ImportGroup,
    ) -> Splice {
        let run = longest_run(section, group);
        let sorted = [section, run]
            .into_iter()
            .filter(|lines| !lines.is_empty())
            .find_map(|lines| Some((lines, LineOrder::of(lines, sections)?)));
        let nearly = || LineOrder::nearly(section, sections).map(|order| (section, order));
        let Some((lines, order)) = sorted.or_else(nearly) else {
            let same_form = |line: &&ImportLine<'_>| {
                line.group == group && line.statement.from.is_some() == statement.from.is_some()
            };
            let last = section
                .iter()
                .rfind(same_form)
                .or_else(|| section.iter().rfind(|line| line.group <= group));
            return match last.or(section.last()) {
                Some(line) => self.line_after(line.last),
                None => self.first(),
            };
        };
        let before = order.turn(lines, statement).checked_sub(1);
        match (before.and_then(|at| lines.get(at)), lines.first()) {
            (Some(line), _) => self.line_after(line.last),
            (None, Some(line)) => self.line_before(line.first),
            (None, None) => self.first(),
        }
    }

    fn line_after(&self, line: usize) -> Splice {
        let whole = self.lines.whole(line);
        let ends = self.lines.content(self.bytes, line).end < whole.end;
        let (line_break, words) = (self.line_break, &self.words);
        match ends {
            true => Splice::new(Span::at(whole.end), format!("{words}{line_break}")),
            false => Splice::new(Span::at(whole.end), format!("{line_break}{words}")),
        }
    }

    fn line_before(&self, line: usize) -> Splice {
        let (line_break, words) = (self.line_break, &self.words);
        Splice::new(Span::at(self.start(line)), format!("{words}{line_break}"))
    }

    fn paragraph_after(&self, line: usize) -> Splice {
        let mut splice = self.line_after(line);
        splice.bytes = [self.line_break.as_bytes(), &splice.bytes].concat();
        splice
    }

    fn paragraph_before(&self, line: usize) -> Splice {
        let mut first = line;
        while first > 1 && self.is_comment(first - 1) {
            first -= 1;
        }
        // A comment at the very top is about the file.
        let first = if first == 1 { line } else { first };
        let mut splice = self.line_before(first);
        splice.bytes.extend_from_slice(self.line_break.as_bytes());
        splice
    }

    /// Returns what puts it before all other code, below the docstring or what comments say at the top.
    fn first(&self) -> Splice {
        let docstring = self
            .table
            .statements
            .first()
            .filter(|first| first.kind == ModuleStatementKind::Docstring);
        let next = self
            .table
            .statements
            .iter()
            .find(|statement| statement.kind != ModuleStatementKind::Docstring);
        let count = self.lines.count();
        let is_blank_line =
            |line: usize| is_blank(self.lines.content(self.bytes, line).of(self.bytes));
        let last = match docstring {
            Some(docstring) => self.lines.line(docstring.span.end - 1),
            None => self.header(),
        };
        let below = (last + 1..=count)
            .take_while(|line| is_blank_line(*line))
            .count();
        let is_last = last + below >= count;
        let wanted = match next {
            Some(next) if self.begins_with(next, last + below + 1) => 2,
            _ => 1,
        };
        if last == 0 {
            let mut splice = self.line_before(1);
            if !is_last {
                let gap = self.line_break.repeat(wanted - below.min(wanted));
                splice.bytes.extend_from_slice(gap.as_bytes());
            }
            return splice;
        }
        let mut splice = self.paragraph_after(last);
        // With something on its line after a semicolon, the docstring is not what ends there.
        if !is_last && below < wanted {
            let gap = self.line_break.repeat(wanted - below);
            splice.bytes.extend_from_slice(gap.as_bytes());
        }
        splice
    }

    /// Says whether a definition begins at `line`, or a comment that is right above it.
    fn begins_with(&self, next: &ModuleStatement, line: usize) -> bool {
        let first = self.lines.line(next.span.start);
        next.kind == ModuleStatementKind::Definition
            && (line..first).all(|line| self.is_comment(line))
    }

    /// Returns the last line of the comments at the top that are about the file: those before a blank line, or what programs read.
    fn header(&self) -> usize {
        let count = self.lines.count();
        let mut last = 0;
        while last < count && self.is_comment(last + 1) {
            last += 1;
        }
        let is_blank_line =
            |line: usize| is_blank(self.lines.content(self.bytes, line).of(self.bytes));
        if last == count || is_blank_line(last + 1) {
            return last;
        }
        let is_read = |line: &usize| {
            let text = self.lines.content(self.bytes, *line).of(self.bytes);
            text.starts_with(b"#!") || memchr::memmem::find(text, b"coding").is_some()
        };
        (1..=last.min(2)).take_while(is_read).count()
    }

    fn is_comment(&self, line: usize) -> bool {
        let text = self.lines.content(self.bytes, line).of(self.bytes);
        text.strip_prefix(BOM).unwrap_or(text).starts_with(b"#")
    }

    fn start(&self, line: usize) -> usize {
        let start = self.lines.start(line);
        let has_mark = line == 1 && self.bytes.starts_with(BOM);
        start + if has_mark { BOM.len() } else { 0 }
    }
}

/// Returns the longest run of lines of one group.
fn longest_run<'s, 't>(section: &'s [ImportLine<'t>], group: ImportGroup) -> &'s [ImportLine<'t>] {
    section
        .chunk_by(|one, other| one.group == other.group)
        .filter(|run| run[0].group == group)
        .max_by_key(|run| run.len())
        .unwrap_or(&[])
}
