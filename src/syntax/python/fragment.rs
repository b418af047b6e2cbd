//! Pieces of code that are indented: under a header that opens a block, they are a file like any other.

use crate::text::leading_blank;

/// The header.
pub(super) const HEADER: &[u8] = b"if 1:\n";

/// Says whether the first line of code is indented.
pub(super) fn is_indented(fragment: &[u8]) -> bool {
    let blank = |line: &&[u8]| {
        let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
        first.is_none_or(|&byte| byte == b'#')
    };
    let first = fragment
        .split(|&byte| byte == b'\n')
        .find(|line| !blank(line));
    first.is_some_and(|line| !leading_blank(line).is_empty())
}
