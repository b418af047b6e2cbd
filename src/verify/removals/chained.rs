//! Names that one statement binds with another: `var app = module.exports = make()`, `A = B = 1`. They have no segment of their own, so
//! that a replacement or deletion by the first name would take them along unseen.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{AllowRemove, Operation, Selector};
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::{Definition, Document};
use crate::syntax::SegmentKind;

/// A name that goes with another, which alone was asked for.
#[derive(Clone, Debug)]
pub struct BoundAlong {
    path: RepoPath,
    /// The name that was asked for, as an address within the file.
    with: String,
    name: String,
    /// 1-based.
    line: usize,
    operation: usize,
}

/// Returns the names that edited definitions bound along and that the file binds less often than before.
pub(super) fn gone(
    edit: &FileEdit,
    (old, old_named): (&Document, &[Definition<'_>]),
    new: &Document,
) -> Vec<BoundAlong> {
    let Some(splices) = &edit.splices else {
        return Vec::new();
    };
    let may_bind = |named: &&Definition<'_>| {
        let definition = named.symbol.definition;
        matches!(
            named.symbol.kind,
            SegmentKind::Variable | SegmentKind::Constant | SegmentKind::Function
        ) && splices
            .iter()
            .any(|splice| splice.span.overlaps(definition))
    };
    let mut gone = Vec::new();
    for named in old_named.iter().filter(may_bind) {
        let definition = named.symbol.definition;
        for name in bound_along(definition.of(&old.bytes)) {
            let is_kept = bindings(name, &new.bytes) >= bindings(name, &old.bytes);
            let operation = edit.claimant(definition).filter(|_| !is_kept);
            gone.extend(operation.map(|operation| BoundAlong {
                path: edit.path.clone(),
                with: named.address(),
                name: String::from_utf8_lossy(name).into_owned(),
                line: old.lines().line(definition.start),
                operation,
            }));
        }
    }
    gone
}

/// Returns the names after the first that a definition gives its value to.
fn bound_along(definition: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let mut rest = memchr::memchr(b'\n', definition)
        .and_then(|end| definition.get(..end))
        .unwrap_or(definition);
    while let Some((before, after)) = at_sign(rest) {
        // A parameter with its value, not what is defined.
        if before.contains(&b'(') {
            break;
        }
        rest = after.trim_ascii_start();
        let end = name_end(rest);
        let (name, after) = rest.split_at(end);
        if end == 0 || sign_length(after.trim_ascii_start()).is_none() {
            break;
        }
        names.push(name);
        rest = after;
    }
    names
}

/// Returns what is before and after the first sign of an assignment.
fn at_sign(text: &[u8]) -> Option<(&[u8], &[u8])> {
    (0..text.len()).find_map(|at| {
        let is_of_comparison = at
            .checked_sub(1)
            .and_then(|before| text.get(before))
            .is_some_and(|byte| {
                matches!(byte, b'<' | b'>' | b'!' | b'=' | b'+' | b'-' | b'*' | b'|')
            });
        let length = sign_length(text.get(at..)?).filter(|_| !is_of_comparison)?;
        Some((text.get(..at)?, text.get(at + length..)?))
    })
}

/// Returns how long the sign of an assignment is that `text` begins with.
fn sign_length(text: &[u8]) -> Option<usize> {
    match text {
        [b'=', b'=' | b'>' | b'~', ..] => None,
        [b'=', ..] => Some(1),
        [b'<', b'<', b'-', ..] => Some(3),
        [b'<', b'-', ..] => Some(2),
        _ => None,
    }
}

/// Returns where the name ends that `text` begins with, dots and all.
fn name_end(text: &[u8]) -> usize {
    let is_first = |byte: &u8| {
        byte.is_ascii_alphabetic() || *byte >= 0x80 || matches!(byte, b'_' | b'$' | b'@')
    };
    let is_of_name = |byte: &&u8| is_first(byte) || byte.is_ascii_digit() || **byte == b'.';
    match text.first() {
        Some(first) if is_first(first) => text.iter().take_while(is_of_name).count(),
        _ => 0,
    }
}

/// Counts the assignments to a name.
fn bindings(name: &[u8], text: &[u8]) -> usize {
    let is_binding = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        let is_whole = before.is_none_or(|byte| name_end(&[*byte]) == 0 && !byte.is_ascii_digit());
        let after = text.get(at + name.len()..).unwrap_or_default();
        is_whole && before != Some(&b'.') && sign_length(after.trim_ascii_start()).is_some()
    };
    memchr::memmem::find_iter(text, name)
        .filter(is_binding)
        .count()
}

impl BoundAlong {
    /// Returns the refusal, unless the operation quotes the name or allows that it goes.
    pub(super) fn refusal(&self, operations: &[Operation]) -> Option<Diagnostic> {
        let operation = operations.get(self.operation)?;
        let is_quoted = operation
            .scoped()
            .is_some_and(|scoped| match &scoped.selector {
                Selector::Text(text) => text.contains(&self.name),
                _ => false,
            });
        let is_allowed = match &operation.allow_remove {
            AllowRemove::Nothing => false,
            AllowRemove::Everything => true,
            AllowRemove::Named(names) => names.contains(&self.name),
        };
        if is_quoted || is_allowed {
            return None;
        }
        let name = shown(&self.name);
        let message = format!(
            "{} would lose `{name}`, which line {} binds with `{}`",
            self.path,
            self.line,
            shown(&self.with)
        );
        let note = format!(
            "keep it in the content, or allow it: `allow_remove: [{}]` (`--allow-remove={}`)",
            self.name, self.name
        );
        let diagnostic = Diagnostic::new(Code::WouldRemove, message);
        Some(diagnostic.of_operation(self.operation).note(note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_chain() {
        let check = |text: &str, expected: &[&str]| {
            let found = bound_along(text.as_bytes());
            let found: Vec<String> = found
                .into_iter()
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("var app = module.exports = make(1);", &["module.exports"]);
        check(
            "var a = exports = module.exports = {}",
            &["exports", "module.exports"],
        );
        check(
            "const f = exports.f = function (x) {\n  a = b = 1\n}",
            &["exports.f"],
        );
        check("A = B = 1", &["B"]);
        check("a <- b <- 1", &["b"]);
        check("x = y == z", &[]);
        check("const f = a => b", &[]);
        check("let ok = a <= b = 1", &[]);
        check("const f = (a = b) => a", &[]);
        check("x = @y = 1", &["@y"]);
        check("x = 1", &[]);
        check("function f(a = b = 1) {}", &[]);
    }

    #[test]
    fn assignments_are_counted() {
        assert_eq!(
            bindings(b"b", b"a = b = 1\nb == 2\nab = 3\nb = 4\nx.b = 5"),
            2
        );
        assert_eq!(
            bindings(
                b"module.exports",
                b"module.exports = a\nmodule.exports.x = 1"
            ),
            1
        );
    }
}
