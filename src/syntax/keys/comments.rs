//! Comments of a configuration file, found between its words.

use super::{KeyFormat, Tree};
use crate::syntax::{head, regions};
use crate::text::{BOM, Span};

/// Returns every comment in file order. `words` are the scalars, keys and headers of the file, sorted; what begins
/// inside of one is no comment.
pub fn comments(source: &[u8], words: &[Span], format: KeyFormat) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut words = words.iter().peekable();
    while at < source.len() {
        if let Some(word) = words.next_if(|word| word.start <= at) {
            at = at.max(word.end);
            continue;
        }
        let limit = words.peek().map_or(source.len(), |word| word.start);
        match next_comment(source, at, limit, format) {
            Some(comment) => {
                found.push(comment);
                at = comment.end.max(at + 1);
            }
            None => at = limit,
        }
    }
    found
}

fn next_comment(source: &[u8], from: usize, to: usize, format: KeyFormat) -> Option<Span> {
    (from..to.min(source.len())).find_map(|at| {
        let rest = &source[at..];
        let line = || Span::new(at, at + end_of_line(rest));
        match format {
            KeyFormat::Toml => rest.starts_with(b"#").then(line),
            KeyFormat::Yaml => {
                let apart = at == 0 || source[at - 1].is_ascii_whitespace();
                (apart && rest.starts_with(b"#")).then(line)
            }
            KeyFormat::Json | KeyFormat::Jsonc if rest.starts_with(b"//") => Some(line()),
            KeyFormat::Json | KeyFormat::Jsonc if rest.starts_with(b"/*") => {
                let close = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                Some(Span::new(
                    at,
                    at + close.map_or(rest.len(), |close| close + 4),
                ))
            }
            KeyFormat::Json | KeyFormat::Jsonc => None,
        }
    })
}

fn end_of_line(rest: &[u8]) -> usize {
    let end = rest
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(rest.len());
    if rest[..end].ends_with(b"\r") {
        end - 1
    } else {
        end
    }
}

/// Gives each entry that begins its line the comments that stand alone on the lines directly above it, but for those at the top
/// that speak of the file.
pub fn lines_above(tree: &mut Tree, source: &[u8], comments: &[Span]) {
    let begins_file = |comment: &&Span| {
        source
            .get(..comment.start)
            .is_some_and(|before| before.is_empty() || before == BOM)
    };
    let head = comments
        .first()
        .filter(begins_file)
        .map_or(0, |_| head::of(source, None).stated);
    let comments = &comments[comments.partition_point(|comment| comment.start < head)..];
    for entry in tree
        .entries
        .iter_mut()
        .filter(|entry| entry.parent.is_some())
    {
        entry.comments = above(source, comments, entry.span.start);
    }
}

/// Returns the comments that stand alone on the lines directly above `offset`, when that begins its line; those of regions
/// are none of its own.
pub(super) fn above(source: &[u8], comments: &[Span], offset: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let mut below = offset;
    let before = comments.partition_point(|comment| comment.end <= offset);
    for comment in comments[..before].iter().rev() {
        // Backwards from the entry, so that a long line is not gone through for each entry on it.
        let gap = source.get(..below).unwrap_or_default();
        let gap = &gap[gap.trim_ascii_end().len()..];
        let one_line = below - gap.len() == comment.end
            && gap.iter().filter(|&&byte| byte == b'\n').count() == 1;
        if !one_line
            || begins_line(source, comment.start).is_none()
            || regions::is_border(comment.of(source))
        {
            break;
        }
        found.push(*comment);
        below = comment.start;
    }
    found.reverse();
    found
}

/// Returns where the line of `offset` begins, when only blanks come before it on it.
fn begins_line(source: &[u8], offset: usize) -> Option<usize> {
    let before = source.get(..offset)?;
    let start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let start = if start == 0 && before.starts_with(crate::text::BOM) {
        crate::text::BOM.len()
    } else {
        start
    };
    before
        .get(start..)?
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\t'))
        .then_some(start)
}
