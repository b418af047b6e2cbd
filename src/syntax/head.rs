//! The head of a file: what is first in it because it has to (`#!`, `<?xml`, `@charset`, a front matter's like), and comments
//! there that speak of the file, not of what is below them: a licence, what some tool reads for the whole file, or a comment that
//! a blank line sets apart.
//!
//! Known limits: a comment is one that begins its line; which comments speak of the file is judged by how their lines begin.

use super::Habits;
use crate::text::{BOM, Span};

/// Where the head of a file ends, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileHead {
    /// After the last line that has to be first, or says itself that it speaks of the file.
    pub stated: usize,
    /// After a comment, too, that is the first thing there and that a blank line sets apart.
    pub end: usize,
}

/// Returns the head of a file whose comments are as `habits` say; without them as most languages have them.
pub fn of(source: &[u8], habits: Option<&Habits>) -> FileHead {
    let start = if source.starts_with(BOM) {
        BOM.len()
    } else {
        0
    };
    let mut head = FileHead {
        stated: start,
        end: start,
    };
    let mut at = start;
    while let Some(piece) = next_piece(source, at, start, habits) {
        let is_set_apart = line(source, piece.end).is_some_and(<[u8]>::is_empty);
        match piece.sort {
            HeadPieceKind::Needed => head.stated = piece.end,
            HeadPieceKind::Comment if speaks_of_file(&source[at..piece.end]) => {
                head.stated = piece.end
            }
            HeadPieceKind::Comment if is_set_apart && head.end == head.stated => {}
            HeadPieceKind::Comment => break,
        }
        head.end = piece.end;
        at = past_blanks(source, piece.end);
    }
    head
}

/// Returns the range of each thing that has to be first, or says itself that it speaks of the file, and whether that is a comment.
pub fn stated(source: &[u8], habits: Option<&Habits>) -> Vec<(Span, bool)> {
    let start = if source.starts_with(BOM) {
        BOM.len()
    } else {
        0
    };
    let end = of(source, habits).stated;
    let mut found = Vec::new();
    let mut at = start;
    while let Some(piece) = next_piece(source, at, start, habits).filter(|_| at < end) {
        let text = &source[at..piece.end];
        let is_comment = matches!(piece.sort, HeadPieceKind::Comment);
        if !is_comment || speaks_of_file(text) {
            found.push((Span::new(at, at + text.trim_ascii_end().len()), is_comment));
        }
        at = past_blanks(source, piece.end);
    }
    found
}

/// What is one thing in a head.
struct HeadPiece {
    sort: HeadPieceKind,
    /// Where the line after it begins.
    end: usize,
}

enum HeadPieceKind {
    /// It has to be first.
    Needed,
    Comment,
}

fn next_piece(
    source: &[u8],
    at: usize,
    start: usize,
    habits: Option<&Habits>,
) -> Option<HeadPiece> {
    let text = line(source, at)?;
    let needed = |end| {
        Some(HeadPiece {
            sort: HeadPieceKind::Needed,
            end,
        })
    };
    if at == start {
        if text.starts_with(b"#!") && !text.starts_with(b"#![") || text.starts_with(b"<?php") {
            return needed(line_end(source, at));
        }
        if text.starts_with(b"<?xml") {
            let close = memchr::memmem::find(&source[at..], b"?>")?;
            return needed(line_end(source, at + close));
        }
    }
    let is_php = source[start..].starts_with(b"<?php")
        && (text.starts_with(b"declare(") || text.starts_with(b"namespace "));
    let is_top_of_style = || {
        let names = [&b"@import "[..], b"@namespace "];
        text.starts_with(b"@charset ")
            || text.ends_with(b";") && names.iter().any(|name| text.starts_with(name))
    };
    if is_php || is_top_of_style() {
        return needed(line_end(source, at));
    }
    // A coding cookie counts on the first two lines only.
    let is_cookie = text.starts_with(b"#")
        && [&b"coding:"[..], b"coding="]
            .iter()
            .any(|it| contains(text, it));
    if is_cookie && (at == start || line_end(source, start) == at) {
        return needed(line_end(source, at));
    }
    comment(source, at, habits).map(|end| HeadPiece {
        sort: HeadPieceKind::Comment,
        end,
    })
}

/// Returns where the line after the comment begins that begins at `at`: one in brackets, or lines that begin with the same mark.
fn comment(source: &[u8], at: usize, habits: Option<&Habits>) -> Option<usize> {
    let rest = source.get(at..)?;
    let blocks = habits.map_or(&[("/*", "*/"), ("<!--", "-->")][..], |habits| {
        habits.block_comments
    });
    for (open, close) in blocks {
        if rest.starts_with(open.as_bytes()) {
            let end = at
                + open.len()
                + memchr::memmem::find(&rest[open.len()..], close.as_bytes())?
                + close.len();
            let is_alone = source[end..line_end(source, end)].trim_ascii().is_empty();
            return is_alone.then(|| line_end(source, end));
        }
    }
    let marks = habits.map_or(&["#", "//", "--", ";"][..], |habits| habits.line_comments);
    let mark = marks
        .iter()
        .find(|mark| is_comment(rest, mark.as_bytes(), habits.is_none()))?;
    let mut end = at;
    while end < source.len() && is_comment(&source[end..], mark.as_bytes(), habits.is_none()) {
        end = line_end(source, end);
    }
    (end > at).then_some(end)
}

/// Says whether `rest` begins with a line comment; in a language that is not known, one whose mark nothing else follows at once:
/// `#include` is none, and `#syntax=` is.
fn is_comment(rest: &[u8], mark: &[u8], is_guess: bool) -> bool {
    let Some(words) = rest.strip_prefix(mark) else {
        return false;
    };
    let is_apart = || {
        words
            .first()
            .is_none_or(|byte| byte.is_ascii_whitespace() || mark.contains(byte))
    };
    !rest.starts_with(b"#!")
        && (!is_guess
            || is_apart()
            || SAYS_SO
                .iter()
                .any(|says| words.starts_with(says.as_bytes())))
}

/// Says whether a line of a comment begins as those do that speak of the whole file.
fn speaks_of_file(comment: &[u8]) -> bool {
    let is_mark = |byte: &u8| b"#/*;-<!% \t".contains(byte);
    comment.starts_with(b"/*!")
        || comment.split(|&byte| byte == b'\n').any(|line| {
            let marks = line.iter().take_while(|byte| is_mark(byte)).count();
            let words = line[marks..].trim_ascii().to_ascii_lowercase();
            let is_own = || line.starts_with(b"/// <") || line.starts_with(b"# /// script");
            let says = |says: &&str| {
                words
                    .strip_prefix(says.as_bytes())
                    .is_some_and(|rest| !rest.starts_with(b"-next"))
            };
            is_own() || SAYS_SO.iter().any(says)
        })
}

/// How the lines of such comments begin after their mark, in lower case.
#[rustfmt::skip]
const SAYS_SO: &[&str] = &[
    "copyright", "(c) ", "\u{a9}", "spdx-", "licensed under", "license:", "this file is part of", "this source code is",
    "this program is free", "this software is", "the mit license", "mit license", "apache license", "permission is hereby",
    "use of this source code", "all rights reserved", "@license", "@licence", "@copyright", "@preserve",
    "@ts-nocheck", "@ts-check", "@flow", "@noflow", "@jest-", "@vitest-", "@jsx", "@fileoverview", "@file ", "@module",
    "@packagedocumentation", "@format", "@prettier", "@generated", "code generated", "eslint-disable ", "eslint-env", "eslint ",
    "tslint:", "jshint", "istanbul ignore file", "mypy:", "ruff: noqa", "ruff:noqa", "flake8: noqa", "pylint:", "pyright:",
    "isort: skip_file", "isort:skip_file", "type: ignore", "vim:", "-*-", "frozen_string_literal", "typed:", "syntax=",
    "escape=", "check=", "go:build", "+build", "go:debug", "yaml-language-server", "yamllint", "markdownlint", "rubocop:",
    "swift-tools-version", "cspell:",
];

/// Returns where the first line at or after `at` begins that is not empty.
fn past_blanks(source: &[u8], mut at: usize) -> usize {
    while at < source.len() && line(source, at).is_some_and(<[u8]>::is_empty) {
        at = line_end(source, at);
    }
    at
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}

/// Returns the line at `at` without its ending and the blanks there; `None` at the end of the file.
fn line(source: &[u8], at: usize) -> Option<&[u8]> {
    (at < source.len()).then(|| source[at..line_end(source, at)].trim_ascii_end())
}

/// Returns where the next line after `at` begins.
fn line_end(source: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |length| at + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::syntax::language_of;

    /// Checks where a head ends: `¦` is `stated`, `|` is `end`, where that is another.
    #[track_caller]
    fn check(file: &str, marked: &str) {
        let source = marked.replace(['¦', '|'], "");
        let stated = marked.replace('|', "").find('¦').unwrap();
        let end = marked.replace('¦', "").find('|').unwrap_or(stated);
        let habits = language_of(&RepoPath::parse(file).unwrap()).map(|language| &language.habits);
        assert_eq!(
            of(source.as_bytes(), habits),
            FileHead { stated, end },
            "{marked}"
        );
    }

    #[test]
    fn what_has_to_stand_first() {
        check(
            "a.py",
            "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n¦import os\n",
        );
        check("a.py", "\u{feff}¦import os\n");
        check(
            "pom.xml",
            "<?xml version=\"1.0\"\n  encoding=\"UTF-8\"?>\n¦<project/>\n",
        );
        check(
            "a.php",
            "<?php\n\n// Words.\n\n|declare(strict_types=1);\n"
                .replace("\n\n|", "\n\n")
                .replace("1);\n", "1);\n¦")
                .as_str(),
        );
        check(
            "a.css",
            "@charset \"utf-8\";\n@import \"b.css\";\n¦a { color: red }\n",
        );
        check(
            "Dockerfile",
            "# syntax=docker/dockerfile:1.7\n¦FROM alpine\n",
        );
        check(
            "Dockerfile",
            "#syntax=docker/dockerfile:1.7\n¦FROM alpine\n",
        );
        check("a.c", "¦#include <stdio.h>\n\nint a;\n");
        check("a.rs", "¦#![allow(x)]\n");
        check("a.sh", "#!/bin/sh\n¦set -e\n");
        check("a.py", "¦");
    }

    #[test]
    fn comments_that_speak_of_the_file() {
        check("a.ts", "// @ts-nocheck\n¦import x from 'x';\n");
        check(
            "a.ts",
            "/// <reference types=\"node\" />\n¦import x from 'x';\n",
        );
        check("a.ts", "¦/// Words.\nlet x;\n");
        check(
            "a.js",
            "/**\n * @jest-environment jsdom\n */\n¦import x from 'x';\n",
        );
        check("a.js", "/*! x v1 */\n¦let x;\n");
        check(
            "a.js",
            "// eslint-disable-next-line no-x\nlet x;\n"
                .replacen("//", "¦//", 1)
                .as_str(),
        );
        check(
            "a.py",
            "# Copyright 2026 The Authors\n# Some more.\n¦\nimport os\n",
        );
        check(
            "a.py",
            "# Copyright 2026 The Authors\n\n# Some words.\n|\nimport os\n"
                .replacen("Authors\n", "Authors\n¦", 1)
                .as_str(),
        );
        check("a.py", "¦# What it is.\nx = 1\n");
        check("a.py", "¦# What it is.\n|\nx = 1\n");
        check("a.py", "¦# One.\n|\n# Two.\n\nx = 1\n");
        check("a.rs", "// SPDX-License-Identifier: MIT\n¦use a::b;\n");
        check("a.md", "<!-- markdownlint-disable -->\n¦# T\n");
        check("a.yaml", "# yaml-language-server: $schema=x\n¦a: 1\n");
        check("a.sql", "-- Copyright 2026 The Authors\n¦select 1;\n");
        check("a.js", "¦/* one */ let x;\n");
        check(
            "a.py",
            "# /// script\n# dependencies = []\n# ///\n¦import os\n",
        );
    }
}
