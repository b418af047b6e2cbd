//! What a file says of its language itself: by the program that its first line names, or by a line for an editor.
//!
//! ```text
//! #!/usr/bin/env python3
//! # -*- mode: python -*-
//! # vim: set filetype=python :
//! ```
//!
//! The first of them that is there is what the file says, in this order: whoever runs a script goes by its first line. Only words
//! are found here; which languages they mean is the table's to say.

/// A language as a file declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DeclaredLanguage {
    /// The program that runs it, without its version.
    Interpreter(String),
    /// The name of its language to an editor, in lower case, its words joined by `-`.
    Called(String),
}

/// How many bytes at either end of a file are looked at.
const NEAR: usize = 4096;

/// How many lines at either end of a file Vim looks at.
const MOST_LINES: usize = 5;

/// Returns what the file `source` says that its language is.
pub(super) fn declared(source: &[u8]) -> Option<DeclaredLanguage> {
    let head = source.get(..NEAR).unwrap_or(source);
    let first: Vec<&[u8]> = head.split(|&byte| byte == b'\n').take(MOST_LINES).collect();
    if let Some(program) = interpreter(&first) {
        return Some(DeclaredLanguage::Interpreter(program));
    }
    let tail = source
        .get(source.len().saturating_sub(NEAR)..)
        .unwrap_or(source);
    let last = tail.strip_suffix(b"\n").unwrap_or(tail);
    let last = last.rsplit(|&byte| byte == b'\n').take(MOST_LINES);
    // Emacs looks at the second line where the first names a program.
    let for_emacs = first.iter().take(2).find_map(|line| emacs_mode(line));
    let called = for_emacs.or_else(|| first.iter().copied().chain(last).find_map(vim_filetype))?;
    Some(DeclaredLanguage::Called(joined(&called)))
}

/// Returns how the name of a language is written in the table.
pub(super) fn joined(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join("-").to_ascii_lowercase()
}

/// Returns the program that runs a script with these first lines.
fn interpreter(lines: &[&[u8]]) -> Option<String> {
    let (first, below) = lines.split_first()?;
    let line = std::str::from_utf8(first.strip_prefix(b"#!")?).ok()?;
    let mut words = line.split_whitespace();
    let mut program = base_name(words.next()?);
    if program == "env" {
        program = base_name(words.find(|word| !is_of_env(word))?);
    }
    // A shell is only to start another program with the same file.
    if matches!(program, "sh" | "bash")
        && let Some(other) = below.iter().find_map(|line| started(line))
    {
        program = other;
    }
    Some(without_version(program).to_owned())
}

/// Says whether `word` is an option of `env`, or sets a variable.
fn is_of_env(word: &str) -> bool {
    word.starts_with('-') || word.contains('=')
}

/// Returns the program that a line of a shell script goes on as: `exec tclsh "$0" "$@"`.
fn started(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.trim_start().strip_prefix("exec ")?.split_whitespace();
    let program = words.next()?;
    (line.contains("$0") && line.contains("$@")).then(|| base_name(program))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns `python` of `python3.12`.
fn without_version(program: &str) -> &str {
    // To its reader that is another language than the one of today.
    if program.starts_with("python2") {
        return program;
    }
    let name = program
        .trim_end_matches(|character: char| character.is_ascii_digit() || character == '.')
        .trim_end_matches('-');
    if name.is_empty() { program } else { name }
}

/// Returns the mode of `-*- mode: python; coding: utf-8 -*-`, or of `-*- python -*-`.
fn emacs_mode(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    let (_, behind) = line.split_once("-*-")?;
    let (inside, _) = behind.split_once("-*-")?;
    let mode = if inside.contains(':') {
        inside.split(';').find_map(|setting| {
            let (name, value) = setting.split_once(':')?;
            name.trim().eq_ignore_ascii_case("mode").then_some(value)
        })?
    } else {
        inside
    };
    let mode = mode.trim().to_ascii_lowercase();
    let mode = mode.strip_suffix("-mode").unwrap_or(&mode);
    let mode = mode.strip_suffix("-ts").unwrap_or(mode);
    (!mode.is_empty()).then(|| mode.to_owned())
}

/// Returns the type of `vim: set ft=python :`, or of `vim: ft=python`.
fn vim_filetype(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    let settings = ["vim:", "Vim:", "vi:", "ex:"]
        .iter()
        .find_map(|sign| settings_behind(line, sign))?;
    let mut settings = settings.split([' ', '\t', ':']);
    settings.find_map(|setting| {
        let (name, value) = setting.split_once('=')?;
        let kind = value.split('.').next().unwrap_or(value);
        let is_type = matches!(name, "ft" | "filetype" | "syn" | "syntax");
        (is_type && !kind.is_empty()).then(|| kind.to_owned())
    })
}

/// Returns the settings behind a sign that begins the line or stands behind a blank.
fn settings_behind<'l>(line: &'l str, sign: &str) -> Option<&'l str> {
    let (at, _) = line.match_indices(sign).find(|&(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        before.is_empty() || before.ends_with([' ', '\t'])
    })?;
    let settings = line.get(at + sign.len()..)?.trim_start();
    match settings
        .strip_prefix("set ")
        .or_else(|| settings.strip_prefix("se "))
    {
        // What stands behind the colon is the rest of a comment.
        Some(settings) => settings.split_once(':').map(|(settings, _)| settings),
        None => Some(settings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_what_runs_a_script() {
        let check = |source: &str, expected: &str| {
            assert_eq!(
                declared(source.as_bytes()),
                Some(DeclaredLanguage::Interpreter(expected.to_owned())),
                "{source:?}"
            );
        };
        check("#!/bin/sh\n", "sh");
        check("#! /usr/bin/python3.12 -u\nx = 1\n", "python");
        check("#!/usr/bin/env python3", "python");
        check("#!/usr/bin/env -S deno run --allow-net\n", "deno");
        check("#!/usr/bin/env -S PATH=/x -i lua5.4\r\n", "lua");
        check("#!/usr/local/bin/Rscript --vanilla\n", "Rscript");
        check("#!/opt/node-18\n", "node");
        check(
            "#!/bin/sh\n# the next line starts tclsh \\\nexec tclsh \"$0\" \"$@\"\n",
            "tclsh",
        );
        check("#!/bin/sh\nexec make all\n", "sh");
        check("#!/usr/bin/env ruby\n# -*- mode: python -*-\n", "ruby");
        check("#!/usr/bin/env python2.7\n", "python2.7");
        for nothing in ["", "#!", "#!\n", "#!/usr/bin/env -S\n", "\n#!/bin/sh\n"] {
            assert_eq!(declared(nothing.as_bytes()), None, "{nothing:?}");
        }
        assert_eq!(declared(b"#!/bin/\xff\n"), None);
    }

    #[test]
    fn lines_for_editors_name_a_language() {
        let check = |source: &str, expected: Option<&str>| {
            let expected = expected.map(|name| DeclaredLanguage::Called(name.to_owned()));
            assert_eq!(declared(source.as_bytes()), expected, "{source:?}");
        };
        check("# -*- Python -*-\n", Some("python"));
        check(
            "\n;; -*- coding: utf-8; Mode: Shell-Script; -*-\n",
            Some("shell-script"),
        );
        check("// -*- c++-ts-mode -*-\n", Some("c++"));
        check("# -*- coding: utf-8 -*-\n", None);
        check("a\nb\n# -*- python -*-\n", None);
        check("# vim: set ts=4 ft=sh :\n", Some("sh"));
        check("/* vim: set filetype=c: */\n", Some("c"));
        check("# vim:ft=yaml.ansible\n", Some("yaml"));
        check("x\n".repeat(900).as_str(), None);
        check(
            &format!("{}# vi: syntax=toml\n\n", "x\n".repeat(9000)),
            Some("toml"),
        );
        check(&format!("{}# vim: ft=toml\n{0}", "x\n".repeat(9)), None);
        check("see vim: set ft=sh\n", None);
        check("dim: ft=sh, gvim:ft=sh\n", None);
        check("# vim: ft=\n", None);
    }
}
