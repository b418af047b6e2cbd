//! Commands in folded texts of YAML (`run: >-`): their lines are one, so that a comment in it takes all that is below it along.
//!
//! Example: with `--cov=src # why` in the place of `--cov=src`, what is written below it would never reach the command.
//!
//! Looked at are texts below the keys that hold commands. Lines that are deeper than the first, and those below a blank one, are lines
//! of their own.

use super::continued::Quoting;
use super::edited_file::showing;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::syntax::keys::{KeyEntry, KeySegment, Tree, ValueForm};
use crate::syntax::yaml::YAML;
use crate::text::{Span, is_blank};

/// Keys that hold commands: of workflows, pipelines, Compose, Ansible, task files.
const COMMANDS: [&str; 14] = [
    "run",
    "script",
    "before_script",
    "after_script",
    "command",
    "commands",
    "cmd",
    "cmds",
    "entrypoint",
    "shell",
    "bash",
    "entry",
    "install",
    "build",
];

/// Returns a refusal when a comment of the content would take the next line of a command.
pub(super) fn check(edit: &FileEdit, old: &Document, new: &Document) -> Option<Diagnostic> {
    let splices = edit.splices.as_ref()?;
    let is_yaml = new.language.is_some_and(|it| std::ptr::eq(it, &YAML));
    let brings_sign = || splices.iter().any(|splice| splice.bytes.contains(&b'#'));
    if !is_yaml || !brings_sign() || old.too_large() || new.too_large() {
        return None;
    }
    let found = taken_lines(new);
    if found.is_empty() || found.len() <= taken_lines(old).len() {
        return None;
    }
    let (splice, taken) = splices.with_new_spans().find_map(|(splice, given)| {
        let brought = found.iter().find(|it| given.contains(Span::at(it.comment)));
        Some((splice, brought?))
    })?;
    let lines = new.lines();
    let line = lines.line(taken.line);
    let text = String::from_utf8_lossy(lines.content(&new.bytes, line).of(&new.bytes)).into_owned();
    let text = shown(text.trim()).to_string();
    let path = &edit.path;
    let message = format!(
        "the edit would make a part of a comment of `{text}`, at line {line} of {path}: in a text after `>` all lines are one"
    );
    let diagnostic = Diagnostic::new(Code::InventoryChanged, message)
        .note("put the comment above the key, or write the text after `|`, with a `\\` at the end of each line but the last");
    let place = (&old.bytes[..], splice.span.start);
    Some(showing(edit, diagnostic, place, taken.line))
}

/// A line of a command that a comment takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TakenLine {
    /// Where the comment begins.
    comment: usize,
    /// Where the text of the line begins.
    line: usize,
}

fn taken_lines(document: &Document) -> Vec<TakenLine> {
    let Some(Ok(tree)) = document.keys() else {
        return Vec::new();
    };
    let bytes = &document.bytes[..];
    let is_folded = |(at, entry): &(usize, &KeyEntry)| {
        entry.form == ValueForm::Text
            && entry.value.of(bytes).starts_with(b">")
            && holds_command(tree, *at)
    };
    let entries = tree.entries.iter().enumerate().filter(is_folded);
    entries
        .flat_map(|(_, entry)| taken_of(entry.value, bytes))
        .collect()
}

/// Says whether an entry is a command, or in a list of commands.
fn holds_command(tree: &Tree, at: usize) -> bool {
    let mut upwards = tree.upwards(at).filter_map(|at| tree.get(at));
    let key = upwards.find_map(|entry| match &entry.step {
        KeySegment::Key(key) => Some(key.as_str()),
        KeySegment::Item(_) => None,
    });
    key.is_some_and(|key| COMMANDS.contains(&key))
}

/// Returns the lines of one text that come after a comment in the same paragraph.
fn taken_of(value: Span, bytes: &[u8]) -> Vec<TakenLine> {
    let mut found = Vec::new();
    let mut at = value.start;
    let mut depth = None;
    let mut comment: Option<usize> = None;
    let mut shell = Quoting::default();
    for (number, line) in value
        .of(bytes)
        .split_inclusive(|&byte| byte == b'\n')
        .enumerate()
    {
        let start = at;
        at += line.len();
        if number == 0 {
            continue;
        }
        let indentation = line.len() - line.trim_ascii_start().len();
        if is_blank(line) || indentation > *depth.get_or_insert(indentation) {
            (comment, shell) = (None, Quoting::default());
            continue;
        }
        let text = start + indentation;
        match comment {
            Some(comment) => found.push(TakenLine {
                comment,
                line: text,
            }),
            None => comment = shell.read(line.trim_ascii()).map(|within| text + within),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::snapshot::HashKind;

    #[test]
    fn a_comment_takes_what_is_below_it_in_its_paragraph() {
        let check = |text: &str, expected: &[&str]| {
            let path = RepoPath::parse("ci.yml").expect("a path");
            let document = Document::new(path, text.as_bytes().to_vec().into(), HashKind::Sha1);
            let taken: Vec<&str> = taken_lines(&document)
                .iter()
                .map(|it| text[it.line..].lines().next().unwrap_or_default())
                .collect();
            assert_eq!(taken, expected, "{text}");
        };
        check("run: >-\n  a\n  --b # c\n  --d\n  --e\n", &["--d", "--e"]);
        check("run: >\n  # c\n  a\n", &["a"]);
        check("script:\n  - >\n    a # c\n    --b\n  - d\n", &["--b"]);
        check("script:\n  - >-\n    a\n    --b # c\n  - d\n", &[]);
        // A line of its own, a string, a word, another sort of text, no command.
        check("run: >-\n  a # c\n    --b\n", &[]);
        check("run: >-\n  a # c\n\n  b\n", &[]);
        check("run: >-\n  a '# c\n  d' b\n  e\n", &[]);
        check("run: >-\n  a#b $#\n  c\n", &[]);
        check("run: |\n  a # c\n  b\n", &[]);
        check("description: >\n  # a\n  b\n", &[]);
    }
}
