//! Directives: comments that tools obey. One that goes unasked is a warning, because no other check would notice.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Selector, Verb};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;

/// What tools look for in comments, with its arguments.
static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        \#\ *type:\ *ignore (\[[^\]\n]*\])?
        | \#\ *(noqa|nosec)\b (:\ *[A-Z]+[0-9]+ (,\ *[A-Z]+[0-9]+)*)?
        | \#\ *(pragma|pylint|pyright|mypy|ruff|fmt|isort): [^\n]*
        | eslint-(disable|enable)[a-z-]*
        | //\ *nolint\b (:[a-z,]+)?
        | NOLINT(NEXTLINE|BEGIN|END)? (\([^)\n]*\))?
        | \#!?\[(allow|expect)\([^)\n]*\)\]
        | @ts-(ignore|expect-error|nocheck|check)
        | @SuppressWarnings(\([^)\n]*\))?
        | prettier-ignore(-start|-end)?
        | //\ *SAFETY:",
    )
    .expect("the pattern is a constant that a test compiles")
});

/// A directive that goes.
#[derive(Clone, Debug)]
pub struct Directive {
    path: RepoPath,
    text: String,
    /// 1-based.
    line: usize,
    operation: usize,
}

/// Returns the directives that the edit takes from `old` and does not write again.
pub fn gone(edit: &FileEdit, old: &Document) -> Vec<Directive> {
    let Some(splices) = &edit.splices else { return Vec::new() };
    if !splices.iter().any(|splice| may_hold_one(splice.span.of(&old.bytes))) {
        return Vec::new();
    }
    let mut written: HashMap<Vec<u8>, usize> = HashMap::new();
    for found in splices.iter().flat_map(|splice| DIRECTIVE.find_iter(&splice.bytes)) {
        *written.entry(found.as_bytes().to_vec()).or_default() += 1;
    }

    let mut gone = Vec::new();
    for splice in splices.iter() {
        let Some(operation) = edit.claimant(splice.span) else { continue };
        for found in DIRECTIVE.find_iter(splice.span.of(&old.bytes)) {
            match written.get_mut(found.as_bytes()) {
                Some(left) if *left > 0 => *left -= 1,
                _ => gone.push(Directive {
                    path: edit.path.clone(),
                    text: String::from_utf8_lossy(found.as_bytes()).trim_end().to_owned(),
                    line: old.lines().line(splice.span.start + found.start()),
                    operation,
                }),
            }
        }
    }
    gone
}

impl Directive {
    /// Returns what to tell of it, unless the operation names or quotes what goes with it.
    pub fn warning(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation)?;
        // What is deleted by its name goes with all that belongs to it.
        if matches!(operation.verb, Verb::Delete { .. }) {
            return None;
        }
        let is_quoted = operation.scoped().is_some_and(
            |scoped| matches!(&scoped.selector, Selector::Text(text) if text.contains(self.text.as_str())),
        );
        if is_quoted || operation.allow_remove == AllowRemove::Everything {
            return None;
        }
        let message = format!("`{}` at line {} of {} goes", shown(&self.text), self.line, self.path);
        Some(Diagnostic::new(Code::WouldRemove, message).of_operation(self.operation))
    }
}

/// Says whether any of the words that directives are made of is there. Compiling the pattern costs more than the rest of a
/// small batch, and hardly any edit needs it.
fn may_hold_one(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 16] = [
        b"type:",
        b"noqa",
        b"nosec",
        b"pragma:",
        b"pylint:",
        b"pyright:",
        b"mypy:",
        b"ruff:",
        b"fmt:",
        b"isort:",
        b"eslint-",
        b"nolint",
        b"NOLINT",
        b"@",
        b"prettier-ignore",
        b"SAFETY:",
    ];
    WORDS.iter().any(|word| memchr::memmem::find(bytes, word).is_some())
        || memchr::memmem::find(bytes, b"[allow(").is_some()
        || memchr::memmem::find(bytes, b"[expect(").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tools_obey_is_a_directive() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> =
                DIRECTIVE.find_iter(text.as_bytes()).map(|it| std::str::from_utf8(it.as_bytes()).unwrap()).collect();
            assert_eq!(found, expected, "{text}");
            assert!(expected.is_empty() || may_hold_one(text.as_bytes()), "{text}");
        };
        check("x = 1  # type: ignore", &["# type: ignore"]);
        check("x = 1  # type: ignore[arg-type]  # noqa: E501,W291", &["# type: ignore[arg-type]", "# noqa: E501,W291"]);
        check("# noqa", &["# noqa"]);
        check("# pragma: no cover", &["# pragma: no cover"]);
        check("// eslint-disable-next-line no-console", &["eslint-disable-next-line"]);
        check("x() //nolint:errcheck", &["//nolint:errcheck"]);
        check("// NOLINTNEXTLINE(runtime/int)", &["NOLINTNEXTLINE(runtime/int)"]);
        check("#[allow(dead_code)]", &["#[allow(dead_code)]"]);
        check("// @ts-expect-error why", &["@ts-expect-error"]);
        check("<!-- prettier-ignore -->", &["prettier-ignore"]);
        check("// SAFETY: it is aligned", &["// SAFETY:"]);
        check("# the type: int", &[]);
        check("x = 'type: ignored'", &[]);
        check("# a noqabc", &[]);
    }
}
