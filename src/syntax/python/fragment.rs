//! Pieces of code that are indented: under a header that opens a block, they are a file like any other.

use std::borrow::Cow;

use ruff_python_ast::Stmt;

use crate::syntax::SegmentKind;
use crate::text::leading_blank;

/// The header.
pub(super) const HEADER: &[u8] = b"if 1:\n";

/// Returns whole lines that are in a segment of kind `parent` with the header above them, and its length; the lines of a file as
/// they are.
pub(super) fn under_header(lines: &[u8], parent: Option<SegmentKind>) -> (Cow<'_, [u8]>, usize) {
    match parent {
        Some(_) => (Cow::Owned([HEADER, lines].concat()), HEADER.len()),
        None => (Cow::Borrowed(lines), 0),
    }
}

/// Returns the statements below the header, if it is there and all is below it; of a file, which has none, all.
pub(super) fn body_under_header(body: &[Stmt], has_header: bool) -> Option<&[Stmt]> {
    match body {
        [Stmt::If(header)] if has_header && header.elif_else_clauses.is_empty() => {
            Some(&header.body)
        }
        _ if has_header => None,
        body => Some(body),
    }
}

/// Says whether the first line of code is indented.
pub(super) fn is_indented(fragment: &[u8]) -> bool {
    fragment
        .split(|&byte| byte == b'\n')
        .find(|line| is_code(line))
        .is_some_and(|line| !leading_blank(line).is_empty())
}

fn is_code(line: &[u8]) -> bool {
    let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_some_and(|&byte| byte != b'#')
}
