//! What each line of a piece of code is when it is re-indented, and where its comments are.

use tree_sitter::Tree;

use super::compiled::Compiled;
use super::reading::FragmentReading;
use super::visit::visit;
use super::walk::comment_span;
use crate::text::indent::LineRole;
use crate::text::{Lines, Span, is_blank};

/// Returns the role of each line of `fragment`.
pub(super) fn roles(
    compiled: &Compiled,
    reading: &FragmentReading,
    fragment: &[u8],
) -> Vec<LineRole> {
    let mut roles = plain_roles(fragment);
    let lines = Lines::of(&reading.source);
    let lines_before = lines.line(reading.inner.start).saturating_sub(1);
    visit(&reading.tree, |cursor| {
        let node = cursor.node();
        let traits = compiled.traits(node);
        if traits.loose {
            return false;
        }
        let moves = traits.comment || traits.description;
        if !traits.string && !moves {
            // A node that ends where it began a line holds no line's beginning.
            return node.start_position().row < node.end_position().row;
        }
        let span = if traits.comment {
            comment_span(node, &reading.source)
        } else {
            node.byte_range().into()
        };
        let begins = |mark: &&str| span.of(&reading.source).starts_with(mark.as_bytes());
        let is_in_column = traits.comment && compiled.column_comments.iter().any(begins);
        let first = lines.line(span.start).saturating_sub(1);
        let last = lines.line(span.end.saturating_sub(1).max(span.start));
        let mut is_joined = false;
        for line in first + usize::from(!is_in_column)..last {
            let above = lines.content(&reading.source, line).of(&reading.source);
            is_joined = traits.joined && (ends_joined(above) || is_joined && is_blank(above));
            let Some(role) = line
                .checked_sub(lines_before)
                .and_then(|line| roles.get_mut(line))
            else {
                continue;
            };
            *role = match *role {
                LineRole::Blank if moves => LineRole::Blank,
                _ if is_in_column => LineRole::Frozen,
                _ if moves => LineRole::Docstring(first.saturating_sub(lines_before)),
                LineRole::Code if is_joined => {
                    LineRole::Continuation(first.saturating_sub(lines_before))
                }
                _ => LineRole::Frozen,
            };
        }
        false
    });
    roles
}

/// Says whether a backslash ends the line that no other backslash takes for a character.
fn ends_joined(line: &[u8]) -> bool {
    line.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Returns the roles as far as the bytes alone show them.
pub(super) fn plain_roles(fragment: &[u8]) -> Vec<LineRole> {
    let lines = Lines::of(fragment);
    let role = |line| {
        if is_blank(lines.whole(line).of(fragment)) {
            LineRole::Blank
        } else {
            LineRole::Code
        }
    };
    (1..=lines.count()).map(role).collect()
}

/// Returns the spans of the comments in file order.
pub(super) fn comments(compiled: &Compiled, tree: &Tree, source: &[u8]) -> Vec<Span> {
    let mut comments = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        let is_comment = compiled.traits(node).comment;
        if is_comment {
            comments.push(comment_span(node, source));
        }
        !is_comment
    });
    comments
}
