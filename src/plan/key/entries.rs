//! What each way to write entries needs: the rest of a line, commas and comments, keys that are there already.

use super::piece::Piece;
use super::site::EntryPlace;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::plan::edit::{EditKind, Insertion};
use crate::syntax::keys::KeySegment;
use crate::text::{Span, is_blank};

/// Puts lines in the place of `old`; what stands behind it on its line stays behind the line with this number.
pub(super) fn around_the_rest(
    site: &EntryPlace<'_>,
    old: Span,
    ready: &[u8],
    line: usize,
) -> Vec<EditKind> {
    let cut = ready
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .nth(line)
        .map_or(ready.len(), |(at, _)| at);
    let cut = cut - usize::from(ready[..cut].ends_with(b"\r"));
    let rest_end = site.line_end(old.end);
    let (head, lines) = ready.split_at(cut);
    if rest_end == old.end || lines.is_empty() {
        return vec![EditKind::replace(old, ready.to_vec())];
    }
    let rest = site.bytes().get(old.end..rest_end).unwrap_or_default();
    // A sign with a comment of its own has no room for another.
    let commented = head.windows(2).any(|pair| pair == b" #");
    if is_blank(rest) || commented {
        return vec![EditKind::replace(
            Span::new(old.start, rest_end),
            ready.to_vec(),
        )];
    }
    let below = Insertion {
        at: rest_end,
        content: lines.to_vec(),
        ..Insertion::default()
    };
    vec![
        EditKind::replace(old, head.to_vec()),
        EditKind::Insert(below),
    ]
}

pub(super) fn is_comment(site: &EntryPlace<'_>, rest: &[u8]) -> bool {
    without_comma(rest)
        .trim_ascii_start()
        .starts_with(site.format.line_comment().as_bytes())
}

pub(super) fn without_comma(rest: &[u8]) -> &[u8] {
    let open = rest.trim_ascii_start();
    open.strip_prefix(b",").unwrap_or(rest)
}

/// Refuses entries whose keys stand in the holder already.
pub(super) fn check_new(holder: &EntryPlace<'_>, piece: &Piece) -> Result<(), Diagnostic> {
    for step in &piece.steps() {
        let KeySegment::Key(key) = step else { continue };
        let twin = holder
            .entry
            .children
            .iter()
            .filter_map(|&child| holder.tree.get(child))
            .find(|child| child.step == *step);
        if let Some(twin) = twin {
            let line = holder.document.lines().line(twin.span.start);
            let message = format!(
                "`{}` is already in {}, at line {line}",
                shown(key),
                holder.described()
            );
            return Err(Diagnostic::new(Code::Unsupported, message)
                .note("`op: replace` with that key gives it another value"));
        }
    }
    Ok(())
}
