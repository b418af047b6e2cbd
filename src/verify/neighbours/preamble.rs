//! Preambles: what cgo compiles is the comment right above `import "C"`, and no other. A blank line between both, or something else
//! that is put there, leaves a comment that nothing reads, and Go builds on without it.
//!
//! Example: with `import "unsafe"` in between, `/* #include <math.h> */` includes nothing any more.
//!
//! Known limits: a comment above a group of imports with nothing but `"C"` in it is none here.

use super::changed::ChangedStatement;
use super::guard::Guard;
use crate::text::{Span, is_blank};

/// What makes cgo read the comment above it.
const IMPORT: &[u8] = b"import \"C\"";

/// The same in a group of imports.
const SPECIFICATION: &[u8] = b"\"C\"";

/// An import that makes cgo read the comments above it.
struct Import {
    span: Span,
    /// The comments right above it, without a blank line between them.
    preamble: Vec<Span>,
    /// The comment above it, over blank lines as well.
    above: Option<Span>,
}

/// Returns the first import of the old file of which the preamble, or a part of it, would be a mere comment in the new one, or would
/// have a remark for its last line; `comments` finds those of a file.
pub(super) fn parted(
    guard: &Guard,
    (old, new): (&[u8], &[u8]),
    comments: impl Fn(bool) -> Vec<Span>,
) -> Option<ChangedStatement> {
    memchr::memmem::find(old, SPECIFICATION)?;
    let (before, after) = (comments(false), comments(true));
    let (were, are) = (imports(&before, old), imports(&after, new));
    let is_read = |comment: &[u8]| {
        are.iter()
            .flat_map(|it| &it.preamble)
            .any(|it| it.of(new) == comment)
    };
    let has = |comments: &[Span], bytes: &[u8], text: &[u8]| {
        comments.iter().any(|it| it.of(bytes) == text)
    };
    // It is there as it was.
    let is_loose = |comment: &Span| {
        let text = comment.of(old);
        has_words(text) && !is_read(text) && has(&after, new, text)
    };
    // It is another one, and the content has it too far above.
    let is_rewritten = |import: &Import| {
        import.preamble.is_empty()
            && import
                .above
                .is_some_and(|it| !has(&before, old, it.of(new)))
    };
    let is_parted = |(at, import): &(usize, &Import)| {
        let now = are.get(*at).filter(|_| were.len() == are.len());
        !are.is_empty() && import.preamble.iter().any(is_loose)
            || !import.preamble.is_empty() && now.is_some_and(is_rewritten)
    };
    // Code in brackets is whole: a line below it is a remark, which cgo would compile as well.
    let is_remarked = |(_, import): &(usize, &Import)| {
        let last = import.preamble.last().map_or(&[][..], |last| last.of(old));
        let now = are
            .iter()
            .find(|it| last.starts_with(b"/*") && has(&it.preamble, new, last));
        let end = now
            .and_then(|now| now.preamble.last())
            .map_or(last, |end| end.of(new));
        end != last && end.strip_prefix(b"//").is_some_and(is_remark)
    };
    let parted = were
        .iter()
        .enumerate()
        .find(|import| is_parted(import) || is_remarked(import));
    parted.map(|(_, import)| {
        ChangedStatement::Unread(import.span, guard.moves.after(import.span.start))
    })
}

/// Returns the imports of a file that has these comments, in file order.
fn imports(comments: &[Span], bytes: &[u8]) -> Vec<Import> {
    let found = memchr::memmem::find_iter(bytes, SPECIFICATION).filter_map(|at| {
        let end = at + SPECIFICATION.len();
        let line = bytes.get(line_start(at, bytes)..end)?.trim_ascii_start();
        let rest = bytes.get(end..).unwrap_or_default();
        let rest = rest
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default()
            .trim_ascii();
        // An element of a list has a comma.
        let is_whole = rest.is_empty() || rest.starts_with(b"/") || rest.starts_with(b";");
        let is_comment = comments
            .iter()
            .any(|comment| comment.start <= at && at < comment.end);
        if line != IMPORT && line != SPECIFICATION || !is_whole || is_comment {
            return None;
        }
        let begin = end - line.len();
        let mut import = Import {
            span: Span::new(begin, end),
            preamble: Vec::new(),
            above: None,
        };
        let mut next = begin;
        for comment in comments[..comments.partition_point(|comment| comment.end <= begin)]
            .iter()
            .rev()
        {
            let gap = bytes.get(comment.end..next).unwrap_or_default();
            let begins_line = is_blank(
                bytes
                    .get(line_start(comment.start, bytes)..comment.start)
                    .unwrap_or_default(),
            );
            if !is_blank(gap) || !begins_line {
                break;
            }
            import.above = import.above.or(Some(*comment));
            if gap.iter().filter(|&&byte| byte == b'\n').count() > 1 {
                break;
            }
            import.preamble.insert(0, *comment);
            next = comment.start;
        }
        Some(import)
    });
    found.collect()
}

/// Says whether a comment of one line says something to people: what the preprocessor reads begins with `#`, and C ends with a sign.
fn is_remark(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    has_words(text)
        && !text.starts_with(b"#")
        && !text.ends_with(b";")
        && !text.ends_with(b"{")
        && !text.ends_with(b"}")
}

fn has_words(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_alphanumeric)
}

fn line_start(at: usize, bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |line| line + 1)
}
