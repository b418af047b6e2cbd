//! Directives: comments that tools obey, and people do not read as words about what is below them.

use std::sync::LazyLock;

use regex::bytes::{Match, Regex};

/// What tools look for in comments, with its arguments.
static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        \#\ *type:\ *ignore (\[[^\]\n]*\])?
        | \#\ *((?i:noqa)|nosec|nosemgrep)\b (:\ *[A-Z]+[0-9]+ (,\ *[A-Z]+[0-9]+)*)?
        | \#\ *(pragma|pylint|pyright|mypy|ruff|fmt|isort|yapf|autopep8|flake8): [^\n]*
        | clang-format\ (off|on)\b | @formatter:(off|on)\b | jscpd:ignore-(start|end)
        | (eslint|oxlint|stylelint|markdownlint)-(disable|enable)[a-z-]*
        | (tslint|rubocop|swiftlint|phpcs|cspell):\ *(disable|enable|ignore)[a-z:-]*
        | (yamllint|shellcheck)\ (disable|enable)[^\n]*
        | deno-lint-ignore(-file)? | //lint:(file-)?ignore | \bNOSONAR\b | \bnosemgrep\b
        | \$Flow(FixMe|Issue|ExpectedError) | \bnoinspection\b | \#\ *renovate:[^\n]*
        | webpack(ChunkName|Ignore|Mode|Prefetch|Preload): | \#\ *hadolint\ ignore=[^\n]*
        | //\ *nolint\b (:[a-z,]+)?
        | NOLINT(NEXTLINE|BEGIN|END)? (\([^)\n]*\))?
        | \#!?\[(allow|expect)\([^)\n]*\)\]
        | @ts-(ignore|expect-error|nocheck|check)
        | @SuppressWarnings(\([^)\n]*\))?
        | prettier-ignore(-start|-end)?
        | //\ *SAFETY:
        | //(go:[a-z]+|export\b)[^\n]*
        | /\*\s*(eslint\s+[@\w/-]+\s*: | (globals?|exported)\s) | (revive|jscs):(disable|enable)[a-z-]*
        | \#\ *(pytype|yaml-language-server): | \#\ *pyre-(ignore|fixme|strict|unsafe)[a-z-]* | spell-?checker:
        | @(noflow|flow|jsx[A-Za-z]*)\b | /\*\s*js[hl]int\s | codespell:ignore | skipcq
        | phpstan-ignore[a-z-]* | @psalm-suppress | (LCOV|GCOVR?|GRCOV)_[A-Z_]+ | editor-fold
        | (BEGIN|END)\ ANSIBLE\ MANAGED\ BLOCK
        | (biome-ignore|v8\ ignore|c8\ ignore|istanbul\ ignore)\b",
    )
    .expect("the pattern is a constant that a test compiles")
});

/// Returns the directives in `bytes`, each with its arguments.
pub fn find_iter(bytes: &[u8]) -> impl Iterator<Item = Match<'_>> {
    DIRECTIVE.find_iter(bytes)
}

/// Returns the directive that a comment begins with, without its arguments.
pub fn of_comment(comment: &[u8]) -> Option<&[u8]> {
    if !may_hold_one(comment) {
        return None;
    }
    let found = DIRECTIVE
        .find(comment)
        .filter(|found| found.start() <= comment_mark_length(comment))?
        .as_bytes();
    let begun = comment_mark_length(found);
    let name = found[begun..]
        .iter()
        .position(|byte| b"([ ".contains(byte))
        .map_or(found.len(), |at| begun + at);
    Some(&found[..name])
}

/// Returns how many bytes a comment begins with that say no more than that it is one.
fn comment_mark_length(comment: &[u8]) -> usize {
    comment
        .iter()
        .take_while(|byte| b"#/*;-<! \t".contains(byte))
        .count()
}

/// What begins or ends a stretch of lines, or holds for the rest of a block or file, in lower case. The closed list of comments that,
/// on a line of their own, are not for what is right below them: deleting that must not end or begin the stretch with it.
/// Those that hold for one line have longer names (`eslint-disable-next-line`, `pylint: disable-next`). A blank after a colon may
/// be left out.
#[rustfmt::skip]
const PAIRS: &[&str] = &[
    // Formatters.
    "fmt: off", "fmt: on", "yapf: disable", "yapf: enable", "isort: off", "isort: on", "isort: skip_file",
    "ruff: isort: off", "ruff: isort: on", "autopep8: off", "autopep8: on",
    "pyformat: disable", "pyformat: enable", "prettier-ignore-start", "prettier-ignore-end", "clang-format off", "clang-format on",
    "@formatter:off", "@formatter:on", "spotless:off", "spotless:on", "dprint-ignore-start", "dprint-ignore-end",
    // Linters; that of pylint alone on its line holds for the rest of the block.
    "pylint: disable", "pylint: enable", "pylint: skip-file", "ruff: disable", "ruff: enable", "ruff: noqa", "flake8: noqa",
    "eslint-disable", "eslint-enable", "eslint-env", "oxlint-disable", "oxlint-enable",
    "tslint:disable", "tslint:enable", "biome-ignore-start", "biome-ignore-end", "biome-ignore-all", "jshint ignore:start",
    "jshint ignore:end", "deno-lint-ignore-file", "stylelint-disable", "stylelint-enable", "markdownlint-disable", "markdownlint-enable",
    "yamllint disable", "yamllint enable", "cspell: disable", "cspell: enable", "rubocop:disable", "rubocop:enable", "rubocop:todo",
    "swiftlint:disable", "swiftlint:enable", "ktlint-disable", "ktlint-enable", "phpcs:disable", "phpcs:enable",
    "nolintbegin", "nolintend", "checkstyle:off", "checkstyle:on", "checkstyle.off", "checkstyle.on", "nosec begin", "nosec end",
    "cpd-off", "cpd-on", "jscpd:ignore-start", "jscpd:ignore-end", "revive:disable", "revive:enable", "lint:file-ignore",
    "jscs:disable", "jscs:enable", "jshint ", "jslint ", "noqa: disable", "noqa: enable", "nopycln: file",
    "dart format off", "dart format on",
    // Spelling, all for the whole file or up to their counterpart.
    "cspell: words", "cspell: word", "cspell: ignore", "cspell: dictionaries", "cspell: language", "spell-checker:",
    "spellchecker:",
    // Type checkers and compilers, for the whole file.
    "mypy:", "pyright: basic", "pyright: standard", "pyright: strict", "@ts-nocheck", "@ts-check", "@flow", "@noflow",
    "@jsx ", "@jsxfrag ", "@jsxruntime", "@jsximportsource", "@jest-environment", "pytype:", "pyre-ignore-all-errors",
    "pyre-strict", "pyre-unsafe",
    // Editors, and what writes parts of a file.
    "vim:", "vi:", "editor-fold", "yaml-language-server:", "begin ansible", "end ansible",
    // Coverage.
    "c8 ignore start", "c8 ignore stop", "v8 ignore start", "v8 ignore stop", "istanbul ignore start", "istanbul ignore end",
    "istanbul ignore file", "c8 ignore file", "v8 ignore file",
    "lcov_excl_start", "lcov_excl_stop", "lcov_excl_br_start", "lcov_excl_br_stop", "gcov_excl_start", "gcov_excl_stop",
    "coverage: off", "coverage: on", "coverage:ignore-start", "coverage:ignore-end", "coverage:ignore-file",
    "@codecoverageignorestart", "@codecoverageignoreend", "gcovr_excl_start", "gcovr_excl_stop", "grcov_excl_start", "grcov_excl_stop",
    // Parts of a file that a manual quotes, and cells of a notebook.
    "tag::", "end::", "docregion", "enddocregion", "anchor:", "anchor_end:", "[start ", "[end ", "8<-- [start", "8<-- [end",
    "snippet-start", "snippet-end", "%%", "in[", "command ----------",
];

/// Those of one line whose names only go on: after `swiftlint:disable` may be a `:next`.
const OF_ONE_LINE: [&str; 3] = [":next", ":this", ":previous"];

/// Says whether a comment begins or ends a stretch of lines for some tool, or holds for what follows it.
pub fn is_border(comment: &[u8]) -> bool {
    let text = &comment[comment_mark_length(comment)..];
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    PAIRS.iter().any(|pair| {
        let Some(rest) = text_after(pair, text) else {
            return false;
        };
        let ends_in_word = pair.as_bytes().last().is_some_and(is_word);
        let goes_on = ends_in_word && rest.first().is_some_and(is_word);
        !goes_on
            && !OF_ONE_LINE
                .iter()
                .any(|line| rest.starts_with(line.as_bytes()))
    }) || is_of_eslint(comment)
}

/// Says whether a block comment sets rules, or names variables, for a whole file: `/* eslint eqeqeq: 0 */`, `/* global a, b: off */`.
fn is_of_eslint(comment: &[u8]) -> bool {
    let Some(inner) = comment
        .strip_prefix(b"/*")
        .and_then(|rest| rest.strip_suffix(b"*/"))
    else {
        return false;
    };
    let inner = inner.trim_ascii();
    if let Some(rules) = inner.strip_prefix(b"eslint ") {
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"@/-_".contains(byte);
        let rules = rules.trim_ascii_start();
        let name = rules.iter().take_while(|byte| is_of_name(byte)).count();
        return name > 0 && rules[name..].trim_ascii_start().starts_with(b":");
    }
    let words = [&b"globals "[..], b"global ", b"exported "];
    let Some(names) = words.iter().find_map(|word| inner.strip_prefix(*word)) else {
        return false;
    };
    names.split(|&byte| byte == b',').all(|name| {
        let mut parts = name.splitn(2, |&byte| byte == b':').map(<[u8]>::trim_ascii);
        parts.all(|part| {
            !part.is_empty()
                && part
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(byte))
        })
    })
}

/// Returns what of `text` is after `pair`, with which it begins in whatever case.
fn text_after<'t>(pair: &str, text: &'t [u8]) -> Option<&'t [u8]> {
    let mut rest = text;
    let mut last = b' ';
    for byte in pair.bytes() {
        if byte == b' ' && last == b':' {
            rest = rest.trim_ascii_start();
        } else {
            let (first, others) = rest.split_first()?;
            rest = Some(others).filter(|_| first.eq_ignore_ascii_case(&byte))?;
        }
        last = byte;
    }
    Some(rest)
}

/// Says whether a line is a comment that is obeyed for no more than what is right below it. Code is none: `export class A {` is no
/// `//export A` of cgo.
pub fn is_for_next(comment: &[u8]) -> bool {
    #[rustfmt::skip]
    const FOR_NEXT: &[&[u8]] = &[
        // Scripts, styles and pages.
        b"eslint-disable-next-line", b"oxlint-disable-next-line", b"tslint:disable-next-line", b"stylelint-disable-next-line",
        b"markdownlint-disable-next-line", b"biome-ignore", b"deno-lint-ignore", b"prettier-ignore", b"dprint-ignore",
        b"@ts-ignore", b"@ts-expect-error", b"$FlowFixMe", b"$FlowIgnore", b"$FlowIssue", b"$FlowExpectedError",
        b"v8 ignore", b"c8 ignore", b"istanbul ignore", b"webpackIgnore", b"jscs:disable-next-line",
        // Other languages.
        b"NOLINTNEXTLINE", b"cppcheck-suppress", b"SAFETY:", b"nolint", b"lint:ignore", b"pylint: disable-next", b"pyre-ignore",
        b"pyre-fixme", b"noinspection", b"swiftlint:disable:next", b"swiftformat:disable:next", b"swift-format-ignore",
        b"@phpstan-ignore", b"phpstan-ignore-next-line", b"@psalm-suppress", b"phpcs:ignore", b"solhint-disable-next-line",
        b"slither-disable-next-line", b"buf:lint:ignore", b"selene: allow",
        // Infrastructure and shell.
        b"shellcheck disable", b"hadolint ignore", b"yamllint disable-line", b"tflint-ignore", b"tfsec:ignore", b"trivy:ignore",
        b"renovate:",
        // Any.
        b"nosemgrep", b"cspell:disable-next-line", b"cspell: disable-next-line", b"skipcq",
    ];
    // These are for a whole file, or for none.
    const OF_FILE: [&[u8]; 5] = [
        b"go:build",
        b"go:generate",
        b"go:debug",
        b"istanbul ignore file",
        b"deno-lint-ignore-file",
    ];
    // In the elements of JSX a comment stands in braces.
    let comment = match comment.strip_prefix(b"{") {
        Some(inner) if inner.starts_with(b"/*") => inner,
        _ => comment,
    };
    let words = &comment[comment_mark_length(comment)..];
    let begins = |known: &[&[u8]]| known.iter().any(|it| words.starts_with(it));
    let is_go = comment.starts_with(b"//go:") || comment.starts_with(b"//export ");
    let is_lua = comment.starts_with(b"---@");
    let is_dart = comment.starts_with(b"// ignore: ");
    words.len() < comment.len()
        && (is_go || is_lua || is_dart || begins(FOR_NEXT))
        && !begins(&OF_FILE)
        && !is_border(comment)
}

/// Says whether any of the words that directives are made of is there. Compiling the pattern costs more than the rest of a
/// small batch, and hardly any edit needs it.
pub fn may_hold_one(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 61] = [
        b"/* eslint ",
        b"/*eslint ",
        b"/* global",
        b"/*global",
        b"/* exported",
        b"revive:",
        b"jscs:",
        b"pytype:",
        b"language-server:",
        b"pyre-",
        b"checker:",
        b"jshint",
        b"jslint",
        b"ANSIBLE",
        b"codespell:",
        b"phpstan-",
        b"skipcq",
        b"COV_",
        b"COVR_",
        b"editor-fold",
        b"type:",
        b"noqa",
        b"NOQA",
        b"nosemgrep",
        b"lint-disable",
        b"lint-enable",
        b"lint:",
        b"lint ",
        b"lint-ignore",
        b"check disable",
        b"cop:",
        b"phpcs:",
        b"NOSONAR",
        b"$Flow",
        b"noinspection",
        b"webpack",
        b"spell:",
        b"renovate:",
        b"nosec",
        b"pragma:",
        b"pylint:",
        b"pyright:",
        b"mypy:",
        b"ruff:",
        b"fmt:",
        b"isort:",
        b"nolint",
        b"NOLINT",
        b"@",
        b"prettier-ignore",
        b"SAFETY:",
        b"//go:",
        b"//export",
        b"biome-",
        b" ignore",
        b"check enable",
        b"yapf:",
        b"pep8:",
        b"lake8:",
        b"clang-format ",
        b"jscpd:",
    ];
    WORDS
        .iter()
        .any(|word| memchr::memmem::find(bytes, word).is_some())
        || memchr::memmem::find(bytes, b"[allow(").is_some()
        || memchr::memmem::find(bytes, b"[expect(").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tools_obey_is_a_directive() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> = find_iter(text.as_bytes())
                .map(|it| std::str::from_utf8(it.as_bytes()).unwrap())
                .collect();
            assert_eq!(found, expected, "{text}");
            assert!(
                expected.is_empty() || may_hold_one(text.as_bytes()),
                "{text}"
            );
        };
        check("x = 1  # type: ignore", &["# type: ignore"]);
        check(
            "x = 1  # type: ignore[arg-type]  # noqa: E501,W291",
            &["# type: ignore[arg-type]", "# noqa: E501,W291"],
        );
        check("# noqa", &["# noqa"]);
        check("# pragma: no cover", &["# pragma: no cover"]);
        check(
            "// eslint-disable-next-line no-console",
            &["eslint-disable-next-line"],
        );
        check("x() //nolint:errcheck", &["//nolint:errcheck"]);
        check(
            "// NOLINTNEXTLINE(runtime/int)",
            &["NOLINTNEXTLINE(runtime/int)"],
        );
        check("#[allow(dead_code)]", &["#[allow(dead_code)]"]);
        check("// @ts-expect-error why", &["@ts-expect-error"]);
        check("<!-- prettier-ignore -->", &["prettier-ignore"]);
        check("// SAFETY: it is aligned", &["// SAFETY:"]);
        check("# the type: int", &[]);
        check("x = 'type: ignored'", &[]);
        check("# NOQA: E501", &["# NOQA: E501"]);
        check("# nosemgrep: x", &["# nosemgrep"]);
        check(
            "// tslint:disable-next-line:no-any",
            &["tslint:disable-next-line:no-any"],
        );
        check("// deno-lint-ignore no-explicit-any", &["deno-lint-ignore"]);
        check("// $FlowFixMe[x]", &["$FlowFixMe"]);
        check("//lint:ignore SA1000 why", &["//lint:ignore"]);
        check("x(); // NOSONAR", &["NOSONAR"]);
        check(
            "import(/* webpackChunkName: \"a\" */ \"a\")",
            &["webpackChunkName:"],
        );
        check(
            "# yamllint disable rule:line-length",
            &["yamllint disable rule:line-length"],
        );
        check(
            "# shellcheck disable=SC2086",
            &["shellcheck disable=SC2086"],
        );
        check(
            "<!-- markdownlint-disable MD013 -->",
            &["markdownlint-disable"],
        );
        check("# renovate: datasource=x", &["# renovate: datasource=x"]);
        check("# hadolint ignore=DL3008", &["# hadolint ignore=DL3008"]);
        check(
            "/* stylelint-disable-next-line a */",
            &["stylelint-disable-next-line"],
        );
        check("a linter: it", &[]);
        check("webpack mode: x", &[]);
        check("# a noqabc", &[]);
        check("# yapf: disable", &["# yapf: disable"]);
        check("/* eslint no-eval: 0 */", &["/* eslint no-eval:"]);
        check("/* global a */", &["/* global "]);
        check("//revive:disable:x", &["revive:disable"]);
        check("# pyre-ignore[7]", &["# pyre-ignore"]);
        check("# pytype: disable=x", &["# pytype:"]);
        check("// LCOV_EXCL_START", &["LCOV_EXCL_START"]);
        check("/* @flow strict */", &["@flow"]);
        check(
            "# BEGIN ANSIBLE MANAGED BLOCK",
            &["BEGIN ANSIBLE MANAGED BLOCK"],
        );
        check("/* jshint esversion: 6 */", &["/* jshint "]);
        check("x = global_value", &[]);
        check("# flake8: noqa", &["# flake8: noqa"]);
        check("// clang-format off", &["clang-format off"]);
    }

    #[test]
    fn comments_that_begin_with_a_directive() {
        let check = |comment: &str, expected: Option<&str>| {
            assert_eq!(
                of_comment(comment.as_bytes()),
                expected.map(str::as_bytes),
                "{comment}"
            );
        };
        check("//go:embed a.tmpl", Some("//go:embed"));
        check("//export Add", Some("//export"));
        check(
            "// eslint-disable-next-line no-eval",
            Some("eslint-disable-next-line"),
        );
        check("// @ts-ignore why", Some("@ts-ignore"));
        check("# type: ignore[x]", Some("# type:"));
        check("// Runs //go:embed.", None);
        check("// exports it", None);
        check("# What it does.", None);
    }

    #[test]
    fn directives_for_what_is_right_below() {
        let check = |comment: &str, expected: bool| {
            assert_eq!(is_for_next(comment.as_bytes()), expected, "{comment}")
        };
        check("//go:embed a.tmpl", true);
        check("//go:build linux", false);
        check("// @ts-expect-error old", true);
        check("// @ts-nocheck", false);
        check("// eslint-disable-next-line no-eval", true);
        check("/* eslint-disable no-eval */", false);
        check("// SAFETY: checked", true);
        check("# shellcheck disable=SC2086", true);
        check("# hadolint ignore=DL3008", true);
        check("// swiftlint:disable:next force_try", true);
        check("// swiftlint:disable force_try", false);
        check("// ignore: avoid_print", true);
        check("// ignore_for_file: avoid_print", false);
        check("---@type string", true);
        check("---", false);
        check("/* stylelint-disable-next-line x */", true);
        check("{/* @ts-expect-error */}", true);
        check("<!-- prettier-ignore -->", true);
        check("<!-- prettier-ignore-start -->", false);
        check("# yamllint disable-line rule:colons", true);
        check("# yamllint disable rule:colons", false);
        check("// biome-ignore lint: why", true);
        check("// prettier-ignore", true);
        check("// prettier-ignore-start", false);
        check("# pylint: disable=x", false);
        check("//nolint:errcheck", true);
        check("# pylint: disable-next=x", true);
        check("//export Add", true);
        check("// exported", false);
        check("export class A {", false);
        check("nolint();", false);
        check(" * @ts-ignore", true);
        check("// What it is.", false);
    }

    #[test]
    fn borders_are_beginnings_and_ends() {
        let check = |comment: &str, expected: bool| {
            assert_eq!(is_border(comment.as_bytes()), expected, "{comment}")
        };
        check("# fmt: off", true);
        check("#fmt: on", true);
        check("# pylint: enable=x", true);
        check("/* eslint-enable */", true);
        check("/* eslint-enable-it */", false);
        check("/* c8 ignore stop */", true);
        check("/* c8 ignore next */", false);
        check("// CHECKSTYLE:ON", true);
        check("// end::main[]", true);
        check("# ANCHOR_END: main", true);
        check("// [END main]", true);
        check("// stylelint-disable-next-line x", false);
        check("<!-- prettier-ignore-end -->", true);
        check("# fmt: skip", false);
        check("# pylint: disable=x", true);
        check("#pylint:disable=x", true);
        check("# pylint: disable-next=x", false);
        check("# pylint: disabled", false);
        check("/* eslint-disable no-eval */", true);
        check("// eslint-disable-next-line no-eval", false);
        check("// eslint-disable-line", false);
        check("# nosec begin", true);
        check("# nosec", false);
        check("# %% Load", true);
        check("# In[3]:", true);
        check("# in the end", false);
        check("# yapf:disable", true);
        check("# flake8: noqa: E501", true);
        check("# noqa: E501", false);
        check("// swiftlint:disable x", true);
        check("// swiftlint:disable:next x", false);
        check("// clang-format off", true);
        check("# rubocop:disable Style/X", true);
        check("# type: ignore", false);
        check("// @ts-ignore", false);
        check("# Turns fmt: off", false);
        check("/* global a, b:writable */", true);
        check("/* globals $ */", true);
        check("/* exported main */", true);
        check("/* global state of it */", false);
        check("/* eslint eqeqeq: 0, @a/curly: 2 */", true);
        check("/* eslint knows it */", false);
        check("//lint:file-ignore U1000 why", true);
        check("//lint:ignore U1000 why", false);
        check("//revive:disable", true);
        check("//revive:disable-next-line", false);
        check("// <editor-fold desc=\"a\">", true);
        check("// </editor-fold>", true);
        check("# BEGIN ANSIBLE MANAGED BLOCK", true);
        check("# yaml-language-server: $schema=a.json", true);
        check("# pytype: disable=x", true);
        check("# pyre-ignore-all-errors", true);
        check("# spell-checker: ignore abc", true);
        check("// cspell:ignore abc", true);
        check("// cspell:disable-next-line", false);
        check("# vim: set ts=4:", true);
        check("// LCOV_EXCL_BR_START", true);
        check("/** @jsx h */", true);
    }
}
