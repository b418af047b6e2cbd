//! Heads and documentation: what stands first in a file because it has to, or speaks of all of it (`#!`, a licence, `"use strict"`,
//! `package`), and what documents a definition that stays. Content that was written from memory leaves them out, and no other check
//! would notice.
//!
//! Known limits: directives at the head of a function are not looked at; what a tool reads from a comment is for `directives`.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::attached::documentation;
use super::decorators::{Heirs, line_at};
use super::exchange::{Came, Gone};
use super::lines::lines_with_words;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Operation, Part, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::{Definition, Document};
use crate::syntax::{directives, head};
use crate::text::Span;
use crate::text::splice::Splices;

/// What goes from the head of a file, or documented a definition that stays.
#[derive(Clone, Debug)]
pub struct LeftOut {
    path: RepoPath,
    /// The address of what it documents.
    of: Option<String>,
    /// That is what the operation names, and this stands above or below it.
    is_beside: bool,
    /// That is elsewhere now.
    is_moved: bool,
    /// Its first line that has a word.
    text: String,
    /// 1-based, the end excluded.
    lines: Range<usize>,
    operation: usize,
}

/// Returns what the edit takes from the head of a file and does not write again.
pub(super) fn gone(edit: &FileEdit, old: &Document, new: &Document) -> Vec<LeftOut> {
    let Some(splices) = edit
        .splices
        .as_ref()
        .filter(|_| !old.too_large() && !new.too_large())
    else {
        return Vec::new();
    };
    // All of it stands ahead of the definitions.
    let symbols = old.language.map_or(&[][..], |_| &old.outline().symbols);
    let end = symbols
        .iter()
        .map(|symbol| symbol.definition.start)
        .min()
        .unwrap_or(old.bytes.len());
    if !splices
        .iter()
        .any(|splice| splice.span.start < end && !splice.span.is_empty())
    {
        return Vec::new();
    }
    let taken: Vec<HeadItem> = pieces(old)
        .into_iter()
        .filter(|piece| claimant(edit, splices, piece.span).is_some())
        .collect();
    if taken.is_empty() {
        return Vec::new();
    }
    let left = pieces(new);
    let is_lost = |piece: &&HeadItem| !left.iter().any(|left| left.sort == piece.sort);
    let lost = taken.iter().filter(is_lost).map(|piece| piece.span);
    let shortened = shortened((&taken, old), (&left, new)).into_iter();
    lost.chain(shortened)
        .filter_map(|span| LeftOut::of(span, None, edit, splices, (old, new)))
        .collect()
}

/// Returns the lines that comments at the head of a file lose where they are fewer lines than before, of each comment from the first:
/// as many as before are the same ones, changed.
fn shortened(
    (taken, old): (&[HeadItem], &Document),
    (left, new): (&[HeadItem], &Document),
) -> Vec<Span> {
    let of_comments = |pieces: &[HeadItem]| -> Vec<Span> {
        pieces
            .iter()
            .filter(|piece| piece.sort == HeadItemKind::Comment)
            .map(|piece| piece.span)
            .collect()
    };
    let (before, after) = (of_comments(taken), of_comments(left));
    let count = |spans: &[Span], document: &Document| -> usize {
        spans
            .iter()
            .map(|span| lines_with_words(span.of(&document.bytes)).count())
            .sum()
    };
    if after.is_empty() || count(&after, new) >= count(&before, old) {
        return Vec::new();
    }
    let from_first_lost = |span: Span| {
        let is_lost = |line: &&[u8]| memchr::memmem::find(&new.bytes, line).is_none();
        let line = lines_with_words(span.of(&old.bytes)).find(is_lost)?;
        let start = span.start + memchr::memmem::find(span.of(&old.bytes), line)?;
        Some(Span::new(start, span.end))
    };
    before.into_iter().filter_map(from_first_lost).collect()
}

/// Returns the documentation that the edit takes from definitions that `new` still has, where they have none now.
pub(super) fn undocumented(
    edit: &FileEdit,
    splices: &Splices,
    (old, old_named): (&Document, &[Definition<'_>]),
    (new, new_named): (&Document, &[Definition<'_>]),
    renamed: &[(usize, usize)],
) -> Vec<LeftOut> {
    let touched: Vec<Span> = splices.iter().map(|splice| splice.span).collect();
    let is_taken = |docstring: &Span| {
        let from = touched.partition_point(|splice| splice.end <= docstring.start);
        touched
            .get(from)
            .is_some_and(|splice| splice.overlaps(*docstring))
    };
    let documented = |named: &'_ Definition<'_>| documentation(named, old).filter(is_taken);
    let taken: Vec<(&Definition<'_>, Span)> = old_named
        .iter()
        .filter_map(|named| Some((named, documented(named)?)))
        .collect();
    if taken.is_empty() {
        return Vec::new();
    }
    let heirs = Heirs::of(splices, old_named, new_named, renamed);
    let is_mute = |was: &Definition<'_>| {
        heirs
            .heir(was, &touched)
            .is_some_and(|heir| documentation(heir, new).is_none())
    };
    // What documents one of several overloads may stand above another.
    let (before, after) = (
        documented_by_name(old_named, old),
        documented_by_name(new_named, new),
    );
    let has_another = |was: &Definition<'_>| {
        was.twins > 1 && after.get(was.qualified.as_str()) >= before.get(was.qualified.as_str())
    };
    let robbed = taken
        .into_iter()
        .filter(|(was, _)| is_mute(was) && !has_another(was));
    let left_out = |(was, span): (&Definition<'_>, Span)| {
        let left_out = LeftOut::of(span, Some(was.address()), edit, splices, (old, new))?;
        let whole = old.widened(was.symbol.whole());
        let mut claims = edit
            .claims
            .iter()
            .filter(|(_, operation)| *operation == left_out.operation);
        let is_beside = !was.symbol.definition.contains(span)
            && claims.any(|(claim, _)| whole.contains(*claim));
        Some(LeftOut {
            is_beside,
            ..left_out
        })
    };
    robbed.filter_map(left_out).collect()
}

/// Returns the documentation of a definition which the batch puts elsewhere, or gives another name, if it has none there.
pub(super) fn undocumented_on_the_way(gone: &Gone, came: &Came) -> Option<LeftOut> {
    let documentation = gone
        .attached
        .documentation
        .filter(|_| came.attached.documentation.is_none())?;
    let &(span, operation) = gone.taken.iter().find(|(span, _)| *span == documentation)?;
    let text = lines_with_words(span.of(gone.file())).next()?;
    let count = |file: &[u8]| memchr::memmem::find_iter(file, text).count();
    let least = if gone.path == came.path {
        count(gone.file())
    } else {
        1
    };
    if count(came.file()) >= least {
        return None;
    }
    let lines =
        line_at(gone.file(), span.start)..line_at(gone.file(), span.end.saturating_sub(1)) + 1;
    Some(LeftOut {
        path: gone.path.clone(),
        of: Some(gone.address().to_owned()),
        is_beside: false,
        is_moved: !gone.is_at(came),
        text: String::from_utf8_lossy(text).into_owned(),
        lines,
        operation,
    })
}

/// Returns how many of each name are documented.
fn documented_by_name<'n>(
    all: &'n [Definition<'_>],
    document: &Document,
) -> HashMap<&'n str, usize> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for named in all
        .iter()
        .filter(|named| documentation(named, document).is_some())
    {
        *counts.entry(&named.qualified).or_default() += 1;
    }
    counts
}

/// Returns the operation that takes a part of `span` away.
fn claimant(edit: &FileEdit, splices: &Splices, span: Span) -> Option<usize> {
    let taking = splices.iter().find(|splice| splice.span.overlaps(span))?;
    edit.claimant(taking.span)
}

/// Returns a warning for each thing that goes from the head of a file, and one for each operation that leaves documentation out.
pub(super) fn warnings(left_out: &[LeftOut], operations: &[Operation]) -> Vec<Diagnostic> {
    const MOST: usize = 10;
    let mut found = Vec::new();
    let mut undocumented: BTreeMap<usize, Vec<&LeftOut>> = BTreeMap::new();
    for left_out in left_out
        .iter()
        .filter(|left_out| !left_out.is_named(operations))
    {
        if left_out.of.is_some() {
            undocumented
                .entry(left_out.operation)
                .or_default()
                .push(left_out);
            continue;
        }
        let message = format!(
            "`{}` at {} of {} goes",
            shown(&left_out.text),
            left_out.place(),
            left_out.path
        );
        found.push(Diagnostic::new(Code::WouldRemove, message).of_operation(left_out.operation));
    }
    for (operation, of) in undocumented {
        let mut named: Vec<String> = of.iter().take(MOST).map(|of| of.documented()).collect();
        if of.len() > MOST {
            named.push(format!("and {} more", of.len() - MOST));
        }
        let path = of.first().map(|of| of.path.to_string()).unwrap_or_default();
        let message = format!("the documentation of {} goes from {path}", named.join(", "));
        found.push(Diagnostic::new(Code::WouldRemove, message).of_operation(operation));
    }
    found
}

impl LeftOut {
    /// Says whether `other` is the same one.
    pub(super) fn is_same(&self, other: &LeftOut) -> bool {
        self.path == other.path && self.lines == other.lines && self.of == other.of
    }

    /// Returns what stands at `span`, unless what it says stands elsewhere now.
    fn of(
        span: Span,
        of: Option<String>,
        edit: &FileEdit,
        splices: &Splices,
        (old, new): (&Document, &Document),
    ) -> Option<LeftOut> {
        let operation = claimant(edit, splices, span)?;
        let text = lines_with_words(span.of(&old.bytes)).next()?;
        let count = |document: &Document| memchr::memmem::find_iter(&document.bytes, text).count();
        if count(new) >= count(old) {
            return None;
        }
        let text = String::from_utf8_lossy(text).into_owned();
        let (first, last) = (
            old.lines().line(span.start),
            old.lines().line(span.end.saturating_sub(1).max(span.start)),
        );
        Some(LeftOut {
            path: edit.path.clone(),
            of,
            is_beside: false,
            is_moved: false,
            text,
            lines: first..last + 1,
            operation,
        })
    }

    /// Says whether the operation names it: as a part, by what it quotes, or with what it deletes.
    fn is_named(&self, operations: &[Operation]) -> bool {
        operations.get(self.operation).is_none_or(|operation| {
            let is_part = match &operation.verb {
                Verb::Replace { part: Some(Part::Docstring), .. } => true,
                Verb::Replace { part: Some(Part::Whole), .. } => self.is_beside,
                _ => false,
            };
            let is_quoted = operation.scoped().is_some_and(
                |scoped| matches!(&scoped.selector, Selector::Text(text) if text.contains(self.text.as_str())),
            );
            is_part || is_quoted || matches!(operation.verb, Verb::Delete { .. }) && !self.is_moved
        })
    }

    fn place(&self) -> String {
        match self.lines.len() {
            0 | 1 => format!("line {}", self.lines.start),
            _ => format!("lines {}-{}", self.lines.start, self.lines.end - 1),
        }
    }

    fn documented(&self) -> String {
        format!(
            "`{}` ({})",
            self.of.as_deref().map(shown).unwrap_or_default(),
            self.place()
        )
    }
}

/// One thing at the head of a file.
struct HeadItem {
    sort: HeadItemKind,
    span: Span,
}

/// What one thing at the head of a file is. Another of the same sort is the same one, changed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum HeadItemKind {
    /// What has to stand first, by how it begins: `#!`, `<?xml`.
    First(String),
    /// A comment that speaks of the whole file.
    Comment,
    /// What documents the file.
    Documentation,
    /// The name of the package.
    Package,
    /// What changes the language: `"use strict"`, a name from `__future__`, `#![no_std]`.
    Switch(String),
}

/// Returns what stands at the head of a file, but what other checks tell of.
fn pieces(document: &Document) -> Vec<HeadItem> {
    let source = &document.bytes;
    let mut found = Vec::new();
    for (span, is_comment) in
        head::stated(source, document.language.map(|language| &language.habits))
    {
        let text = span.of(source);
        let sort = match text {
            _ if directives::find_iter(text).next().is_some() => continue,
            _ if is_comment => HeadItemKind::Comment,
            // What a style sheet imports is none of its head's.
            [b'@', b'i', ..] => continue,
            [b'#', b'!', ..] => HeadItemKind::First("#!".to_owned()),
            [b'#', ..] => HeadItemKind::First("coding".to_owned()),
            _ => HeadItemKind::First(first_word(&String::from_utf8_lossy(text)).to_owned()),
        };
        found.push(HeadItem { sort, span });
    }
    let lead = document
        .language
        .and_then(|language| Some((language, language.grammar.lead(source, None)?)));
    let Some((language, lead)) = lead else {
        return found;
    };
    let is_offside = language.habits.offside;
    for span in leading(source, lead, language.habits.offside) {
        let text = String::from_utf8_lossy(span.of(source));
        let switch = |name: &str| HeadItem {
            sort: HeadItemKind::Switch(name.to_owned()),
            span,
        };
        if let Some(names) = text.strip_prefix("from __future__ import") {
            let names =
                names.split(|character: char| !(character.is_alphanumeric() || character == '_'));
            found.extend(names.filter(|name| !name.is_empty()).map(switch));
        } else if text.starts_with("package") {
            found.push(HeadItem {
                sort: HeadItemKind::Package,
                span,
            });
        } else if is_offside || text.starts_with("//!") || text.starts_with("/*!") {
            found.push(HeadItem {
                sort: HeadItemKind::Documentation,
                span,
            });
        } else if text.starts_with("#![") {
            let is_told = directives::find_iter(span.of(source)).next().is_some();
            let end = text.find(['(', '=', ']']).unwrap_or(text.len());
            found.extend((!is_told).then(|| switch(text[..end].trim())));
        } else if let Some(quoted) = text.trim_end_matches(';').strip_prefix(['"', '\'']) {
            found.push(switch(quoted.trim_end_matches(['"', '\''])));
        }
    }
    found
}

/// Returns the ranges of what stands in `lead` one after the other: each begins a line, as what goes on does not. What is in a
/// docstring begins nothing.
fn leading(source: &[u8], lead: Span, is_offside: bool) -> Vec<Span> {
    let begins: &[&[u8]] = if is_offside {
        &[b"from __future__"]
    } else {
        &[b"package", b"#![", b"//!", b"/*!", b"\"", b"'"]
    };
    let mut found: Vec<Span> = Vec::new();
    let mut at = lead.start;
    for line in lead.of(source).split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        let goes_on = text.starts_with(b"//!")
            && found
                .last()
                .is_some_and(|last| last.of(source).starts_with(b"//!"));
        let is_new = found.is_empty() || begins.iter().any(|begins| text.starts_with(begins));
        let start = at + line.len() - line.trim_ascii_start().len();
        let end = at + line.trim_ascii_end().len();
        match found.last_mut() {
            Some(last) if goes_on || !is_new => last.end = end.max(last.end),
            _ if text.is_empty() => {}
            _ => found.push(Span::new(start, end)),
        }
        at += line.len();
    }
    found
}

/// Returns how a text begins, up to the end of its first word.
fn first_word(text: &str) -> &str {
    let begun = text.find(char::is_alphanumeric).unwrap_or(text.len());
    let end = text[begun..]
        .find(|character: char| !character.is_alphanumeric())
        .map_or(text.len(), |at| begun + at);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::HashKind;

    #[test]
    fn heads_are_told_piece_by_piece() {
        let check = |path: &str, text: &str, expected: &[&str]| {
            let document = Document::new(
                RepoPath::parse(path).unwrap(),
                text.as_bytes().into(),
                HashKind::Sha1,
            );
            let found = pieces(&document).into_iter().map(|piece| match piece.sort {
                HeadItemKind::First(word) => format!("first {word}"),
                HeadItemKind::Comment => "comment".to_owned(),
                HeadItemKind::Documentation => "documentation".to_owned(),
                HeadItemKind::Package => "package".to_owned(),
                HeadItemKind::Switch(name) => format!("switch {name}"),
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text:?}");
        };
        check(
            "a.py",
            "#!/usr/bin/env python3\n# coding: utf-8\n\"\"\"A.\n\nB.\n\"\"\"\n",
            &["first #!", "first coding", "documentation"],
        );
        check(
            "a.py",
            "from __future__ import (\n    annotations,\n    division,\n)\n",
            &["switch annotations", "switch division"],
        );
        check("a.py", "# Copyright 2026 A\n# noqa\nimport a\n", &[]);
        check("a.py", "# What it is.\nimport a\n", &[]);
        check(
            "a.js",
            "// @license MIT\n'use client';\n\"use strict\"\nf();\n",
            &["comment", "switch use client", "switch use strict"],
        );
        check(
            "a.rs",
            "//! A.\n//! B.\n#![no_std]\n#![allow(x)]\n#![deny(\n    y,\n)]\n",
            &["documentation", "switch #![no_std", "switch #![deny"],
        );
        check("a.go", "//go:build linux\n\npackage a\n", &["package"]);
        check(
            "a.css",
            "@charset \"utf-8\";\n@import \"b.css\";\n",
            &["first @charset"],
        );
        check("a.xml", "<?xml version=\"1.0\"?>\n", &["first <?xml"]);
        check("a.sh", "#!/bin/sh\nset -e\n", &["first #!"]);
        check("a.md", "", &[]);
    }
}
