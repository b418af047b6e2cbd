//! First lines: what counts only where its file begins, or before all code of it, goes on counting: `#!`, the encoding of a Python file,
//! `# syntax=` of a Dockerfile, `@charset`, `<?xml`, the front matter of a page, the docblock of Jest, `// @ts-nocheck`, `//go:build`. With something above it, such
//! a line is there to the letter, and nothing obeys it any more.
//!
//! Example: with a licence above `/** @jest-environment jsdom */` the tests run without a page.
//!
//! Such a line may be taken away, changed, or exchanged for another of its sort. Directives (`"use strict"`) that no edit quotes are
//! looked at as statements, too.
//!
//! Known limits: all that is no comment is code here, and which lines count depends on the file's name alone; PHP's and Haskell's are not looked at.

use crate::diagnostic::{Code, Diagnostic, Excerpt, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::markdown::front_matter;
use crate::text::{BOM, Span};

/// Where something counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstPlace {
    /// Where the file begins.
    Start,
    /// In the first two lines.
    FirstLines,
    /// Before all comments and code.
    FirstComment,
    /// Before all code.
    Leading,
    /// Before all that is none of its like.
    Directives,
}

/// What counts because of where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FirstLine {
    place: FirstPlace,
    /// What of its sort takes its place has the same name.
    name: String,
    span: Span,
}

/// Returns a refusal for the first thing that counts in the old file, and is in the new one where it does not.
pub(super) fn displaced(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    let (before, after) = (&old.bytes[..], &new.bytes[..]);
    let were = counted(old.path.as_str(), before);
    if were.is_empty() {
        return None;
    }

    let are = counted(new.path.as_str(), after);
    let is_there = |was: &FirstLine| {
        let text = was.span.of(before);
        let has_it = |bytes: &[u8]| whole_lines(text, bytes).count();
        has_it(after) >= has_it(before)
    };
    let is_kept = |was: &FirstLine| {
        are.iter()
            .any(|it| (it.place, &it.name) == (was.place, &was.name))
    };
    let was = were.iter().find(|was| !is_kept(was) && is_there(was))?;
    let text = was.span.of(before);
    let place = whole_lines(text, after).next().unwrap_or_default();
    Some(refusal(edit, was, old, place))
}

fn refusal(edit: &FileEdit, was: &FirstLine, old: &Document, place: usize) -> Diagnostic {
    let lines = old.lines();
    // Of a comment in brackets the line that says something.
    let words = was
        .span
        .of(&old.bytes)
        .iter()
        .position(|byte| byte.is_ascii_alphanumeric())
        .unwrap_or_default();
    let line = lines.line(was.span.start + words);
    let text = String::from_utf8_lossy(lines.content(&old.bytes, line).of(&old.bytes)).into_owned();
    let counts = match was.place {
        FirstPlace::Start => "where its file begins",
        FirstPlace::FirstLines => "in the first two lines of its file",
        FirstPlace::FirstComment => "as the first comment of its file",
        FirstPlace::Leading => "before all code of its file",
        FirstPlace::Directives => "before all that is no directive",
    };
    let path = &edit.path;
    let message = format!(
        "`{}`, at line {line} of {path}, counts only {counts}",
        shown(text.trim_start_matches('\u{feff}').trim())
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
        .showing(Excerpt {
            path: path.clone(),
            line,
            column: lines.column(was.span.start + words),
            text,
        })
        .note("put the content below it; or take it away, if it is to count no longer");
    match edit.operation_at(place) {
        Some(operation) => diagnostic.of_operation(operation),
        None => diagnostic,
    }
}

/// Returns where `text` stands in `bytes` on lines of its own.
fn whole_lines<'t>(text: &'t [u8], bytes: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    memchr::memmem::find_iter(bytes, text).filter(move |&at| {
        let (head, rest) = (&bytes[..at], &bytes[at + text.len()..]);
        let head = head
            .strip_suffix(BOM)
            .filter(|head| head.is_empty())
            .unwrap_or(head);
        let own = head
            .rsplit(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let tail = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        own.trim_ascii().is_empty() && tail.trim_ascii().is_empty()
    })
}

/// Returns what counts in a file with this path because of where it is.
fn counted(path: &str, source: &[u8]) -> Vec<FirstLine> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    let start = if source.starts_with(BOM) {
        BOM.len()
    } else {
        0
    };
    let first = line_at(source, start);
    let mut found = Vec::new();
    let mut add = |place, name: &str, span| {
        found.push(FirstLine {
            place,
            name: name.to_owned(),
            span,
        })
    };

    let is_rust = suffix == "rs";
    let has_shebang = first.of(source).starts_with(b"#!") && !is_rust;
    let after_shebang = if has_shebang { first.end } else { start };
    if has_shebang {
        add(FirstPlace::Start, "#!", first);
    }
    // Of Markdown it is compared as its language is, and in YAML it is a document.
    let is_other = !matches!(suffix, "md" | "markdown" | "mdx" | "yaml" | "yml");
    if let Some(front) = front_matter(source).filter(|_| is_other) {
        let line = line_at(source, next_line(source, first.end).unwrap_or(first.end));
        add(
            FirstPlace::Start,
            "front matter",
            Span::new(front.start, line.end),
        );
    }
    let is_page = matches!(suffix, "html" | "htm");
    let starts: [(&[u8], bool); 6] = [
        (b"<?xml", !is_page),
        (b"@charset ", suffix == "css"),
        (b"#cloud-config", true),
        (b"#compdef ", true),
        (b"#autoload", true),
        (b"// swift-tools-version", name == "Package.swift"),
    ];
    for (begins, counts) in starts {
        if counts && first.of(source).starts_with(begins) {
            let statement = match begins {
                b"@charset " => memchr::memchr(b';', first.of(source)),
                _ => None,
            };
            let end = statement.map_or(first.end, |at| first.start + at + 1);
            let first = Span::new(first.start, end);
            add(FirstPlace::Start, &String::from_utf8_lossy(begins), first);
        }
    }
    match suffix {
        "py" | "pyi" | "pyw" => {
            if let Some(encoding) = encoding(source, start) {
                add(FirstPlace::FirstLines, "coding", encoding);
            }
        }
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => {
            let comments = leading_comments(source, after_shebang);
            let docblock = comments.first().filter(|first| {
                let tags = [&b"@jest-"[..], b"@format", b"@prettier"];
                let text = first.of(source);
                text.starts_with(b"/*")
                    && tags
                        .iter()
                        .any(|tag| memchr::memmem::find(text, tag).is_some())
            });
            if let Some(docblock) = docblock {
                add(FirstPlace::FirstComment, "docblock", *docblock);
            }
            let tags = [
                "@ts-nocheck",
                "@ts-check",
                "@flow",
                "@noflow",
                "deno-lint-ignore-file",
                "biome-ignore-all",
            ];
            for directive in directives(
                source,
                comments.last().map_or(after_shebang, |last| last.end),
            ) {
                add(
                    FirstPlace::Leading,
                    &String::from_utf8_lossy(words(directive.of(source))),
                    directive,
                );
            }
            for comment in comments {
                let text = comment.of(source);
                let words = words(text);
                if text.starts_with(b"/// <") {
                    add(FirstPlace::Leading, &String::from_utf8_lossy(text), comment);
                } else if let Some(tag) = tags.iter().find(|tag| words.starts_with(tag.as_bytes()))
                {
                    add(FirstPlace::Leading, tag, comment);
                }
            }
        }
        "go" => {
            for comment in leading_comments(source, start) {
                let text = comment.of(source);
                if let Some(tag) = ["//go:build ", "//go:debug "]
                    .iter()
                    .find(|tag| text.starts_with(tag.as_bytes()))
                {
                    add(FirstPlace::Leading, tag, comment);
                }
            }
        }
        "rb" | "rake" | "gemspec" => {
            for comment in leading_hashes(source, start) {
                let tags = ["frozen_string_literal:", "warn_indent:", "typed:"];
                let words = comment.of(source)[1..].trim_ascii_start();
                if let Some(tag) = tags.iter().find(|tag| words.starts_with(tag.as_bytes())) {
                    add(FirstPlace::Leading, tag, comment);
                }
            }
        }
        _ if is_dockerfile(name, suffix) => {
            for (name, span) in parser_directives(source, start) {
                add(FirstPlace::Directives, &name, span);
            }
        }
        _ => {}
    }
    found
}

fn is_dockerfile(name: &str, suffix: &str) -> bool {
    let is_one = |name: &str| matches!(name, "Dockerfile" | "Containerfile");
    is_one(name)
        || name.split_once('.').is_some_and(|(name, _)| is_one(name))
        || suffix.eq_ignore_ascii_case("dockerfile")
}

/// Returns the line that names the encoding of a Python file; one that names what every file has anyway does nothing.
fn encoding(source: &[u8], start: usize) -> Option<Span> {
    let first = line_at(source, start);
    let is_comment = |line: Span| line.of(source).trim_ascii_start().starts_with(b"#");
    let second = || Some(line_at(source, next_line(source, first.end)?));
    let has_second = is_comment(first) || first.of(source).trim_ascii().is_empty();
    let named = |line: Span| {
        let text = line.of(source);
        let at =
            memchr::memmem::find(text, b"coding").filter(|_| is_comment(line))? + b"coding".len();
        let value = text
            .get(at..)?
            .strip_prefix(b":")
            .or(text.get(at..)?.strip_prefix(b"="))?
            .trim_ascii_start();
        Some(value.to_ascii_lowercase())
    };
    let is_other = |line: &Span| {
        named(*line)
            .is_some_and(|value| !value.starts_with(b"utf-8") && !value.starts_with(b"utf8"))
    };
    if named(first).is_some() {
        return Some(first).filter(is_other);
    }
    second().filter(|_| has_second).filter(is_other)
}

/// Returns the directives at the top of a Dockerfile, with their names.
fn parser_directives(source: &[u8], start: usize) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    let mut next = Some(start);
    while let Some(at) = next {
        let line = line_at(source, at);
        let text = String::from_utf8_lossy(line.of(source)).into_owned();
        let directive = text
            .trim()
            .strip_prefix('#')
            .and_then(|rest| rest.split_once('='));
        let Some((name, _)) = directive.filter(|(name, value)| {
            let name = name.trim();
            !name.is_empty()
                && name.chars().all(|sign| sign.is_ascii_alphanumeric())
                && !value.trim().is_empty()
        }) else {
            break;
        };
        found.push((name.trim().to_ascii_lowercase(), line));
        next = next_line(source, line.end);
    }
    found
}

/// Returns the lines from `at` on of nothing but a directive such as `"use strict"`.
fn directives(source: &[u8], at: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let mut next = Some(at);
    while let Some(line) = next.map(|at| line_at(source, at)) {
        let text = line.of(source).trim_ascii();
        let bare = text.strip_suffix(b";").unwrap_or(text);
        match bare {
            [] => {}
            [open @ (b'"' | b'\''), rest @ .., close]
                if open == close && rest.starts_with(b"use ") =>
            {
                found.push(line)
            }
            _ => break,
        }
        next = next_line(source, line.end);
    }
    found
}

/// Returns the comments from `at` on that no code comes before, where they are written as in C.
fn leading_comments(source: &[u8], mut at: usize) -> Vec<Span> {
    let mut found = Vec::new();
    loop {
        let rest = source.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_ascii_start().len();
        let rest = rest.trim_ascii_start();
        let end = if rest.starts_with(b"//") {
            line_at(source, at).end
        } else if rest.starts_with(b"/*") {
            let Some(length) = memchr::memmem::find(&rest[2..], b"*/") else {
                return found;
            };
            at + 2 + length + 2
        } else {
            return found;
        };
        found.push(Span::new(at, end));
        at = end;
    }
}

/// Returns the lines from `at` on that begin with `#`, up to the first with code.
fn leading_hashes(source: &[u8], at: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let mut next = Some(at);
    while let Some(line) = next.map(|at| line_at(source, at)) {
        match line.of(source) {
            [] => {}
            [b'#', ..] => found.push(line),
            _ => break,
        }
        next = next_line(source, line.end);
    }
    found
}

/// Returns what a comment or directive says, without the marks before it.
fn words(text: &[u8]) -> &[u8] {
    let marks = text
        .iter()
        .take_while(|byte| b"/*\"' \t\r\n".contains(byte))
        .count();
    &text[marks..]
}

/// Returns the line at `at`, without its ending and the blanks there.
fn line_at(source: &[u8], at: usize) -> Span {
    let rest = source.get(at..).unwrap_or_default();
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Span::new(at, at + line.trim_ascii_end().len())
}

/// Returns where the line after the one that ends at `end` begins.
fn next_line(source: &[u8], end: usize) -> Option<usize> {
    Some(end + memchr::memchr(b'\n', source.get(end..)?)? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::snapshot::HashKind;

    /// Holds what becomes of a file to the first line that does not count any more.
    #[track_caller]
    fn check(path: &str, old: &str, new: &str, expected: Option<&str>) {
        let path = RepoPath::parse(path).unwrap();
        let document =
            |text: &str| Document::new(path.clone(), text.as_bytes().into(), HashKind::Sha1);
        let edit = FileEdit::whole(path.clone(), None, None);
        let found = displaced(&edit, &document(old), &document(new));
        let quoted = found
            .as_ref()
            .map(|it| it.message[1..].split("`, at line").next().unwrap());
        assert_eq!(quoted, expected, "{old:?} to {new:?}");
    }

    /// Puts `above` on top of a file that begins with `first`.
    #[track_caller]
    fn check_above(path: &str, above: &str, first: &str, is_refused: bool) {
        let line = first
            .lines()
            .find(|line| line.contains(char::is_alphanumeric))
            .unwrap()
            .trim();
        let old = format!("{first}a\n");
        check(
            path,
            &old,
            &format!("{above}{old}"),
            is_refused.then_some(line),
        );
        // In the same place it counts still.
        check(path, &old, &format!("{first}{above}a\n"), None);
    }

    #[test]
    fn what_counts_only_where_it_is() {
        check_above("a", "# Words.\n", "#!/bin/sh\n", true);
        check_above("a", "\n", "#!/bin/sh\n", true);
        let front = "---\nlayout: a\n---\n";
        check_above("a.html", "<!-- words -->\n", front, true);
        check_above("a.njk", "\n", front, true);
        check_above("a.yml", "# Words.\n", front, false);
        check_above("a.py", "\n\n", "# coding: latin-1\n", true);
        check_above("a.py", "#!/usr/bin/python3\n", "# coding: latin-1\n", false);
        check_above("a.py", "import b\n", "# -*- coding: latin-1 -*-\n", true);
        check_above("a.py", "\n\n", "# -*- coding: utf-8 -*-\n", false);
        check_above(
            "a.xml",
            "<!-- words -->\n",
            "<?xml version=\"1.0\"?>\n",
            true,
        );
        check_above("a.css", "/* words */\n", "@charset \"utf-8\";\n", true);
        check_above(
            "Dockerfile",
            "# Words.\n",
            "# syntax=docker/dockerfile:1\n",
            true,
        );
        check_above(
            "a/b.Dockerfile",
            "FROM b\n",
            "# syntax=docker/dockerfile:1\n",
            true,
        );
        check_above(
            "Dockerfile",
            "# escape=`\n",
            "# syntax=docker/dockerfile:1\n",
            false,
        );
        check_above(
            "a.js",
            "/** Words. */\n",
            "/**\n * @jest-environment jsdom\n */\n",
            true,
        );
        check_above(
            "a.js",
            "#!/usr/bin/env node\n",
            "/** @jest-environment jsdom */\n",
            false,
        );
        check_above("a.js", "/** Words. */\n", "/** More words. */\n", false);
        check_above("a.ts", "import b;\n", "// @ts-nocheck\n", true);
        check_above(
            "a.ts",
            "// Words.\n/* More. */\n",
            "// @ts-nocheck\n",
            false,
        );
        check_above(
            "a.ts",
            "import b;\n",
            "/// <reference types=\"b\" />\n",
            true,
        );
        check_above("a.js", "import b;\n", "'use client';\n", true);
        check_above("a.js", "// Words.\n", "\"use strict\"\n", false);
        check_above("a.js", "'use strict';\n", "'use client';\n", false);
        check_above("a.go", "package b\n", "//go:build linux\n", true);
        check_above("a.go", "// Words.\n\n", "//go:build linux\n", false);
        check_above(
            "a.rb",
            "require 'b'\n",
            "# frozen_string_literal: true\n",
            true,
        );
        check_above(
            "a.rb",
            "# Words.\n\n",
            "# frozen_string_literal: true\n",
            false,
        );
        check_above("a.yaml", "a: 1\n", "#cloud-config\n", true);
        check_above(
            "a.txt",
            "# Words.\n",
            "# syntax=docker/dockerfile:1\n",
            false,
        );
        check_above("a.rs", "// Words.\n", "#![allow(b)]\n", false);
    }

    #[test]
    fn what_counts_may_go_or_change() {
        check("a", "#!/bin/sh\na\n", "a\n", None);
        check("a", "#!/bin/sh\na\n", "#!/bin/bash\na\n#!/bin/sh\n", None);
        check(
            "a",
            "#!/bin/sh\ncat <<.\n#!/bin/sh\n.\n",
            "cat <<.\n#!/bin/sh\n.\n",
            None,
        );
        check("a", "a\n#!/bin/sh\n", "b\na\n#!/bin/sh\n", None);
        check("a.ts", "// @ts-nocheck\na\n", "b\n// @ts-ignore\na\n", None);
        check(
            "a.ts",
            "\u{feff}// @ts-nocheck\na\n",
            "\u{feff}a\n// @ts-nocheck\n",
            Some("// @ts-nocheck"),
        );
        check(
            "a.js",
            "/** @jest-environment a */\nb\n",
            "/** @jest-environment c */\nb\n",
            None,
        );
    }
}
