//! Statements that content brings along and that would be somewhere else than the rest of it.

use std::collections::HashMap;

use super::touched::{Stroke, Touched};
use crate::syntax::Statement;
use crate::text::Span;

/// Returns the first statement of some content that does not stand where the content begins: what follows the only statement that
/// a header takes, as in `if a: b`, is no part of it any more.
pub(super) fn strays(new: &Touched, statements: &[Statement], bytes: &[u8]) -> Option<Span> {
    // What each statement on the way in is, and, for each content, what its first statement stands in.
    let mut open: Vec<Statement> = Vec::new();
    let mut first: HashMap<usize, Option<Span>> = HashMap::new();
    for statement in statements {
        while open
            .last()
            .is_some_and(|outer| outer.depth >= statement.depth)
        {
            open.pop();
        }
        let outer = open.last().map(|outer| outer.span);
        open.push(*statement);
        let mut strokes = new
            .at(statement.span)
            .filter(|stroke| stroke.is_named || stroke.is_inline);
        let content = strokes.find(|stroke| stroke.span.contains(statement.span));
        let Some(Stroke { span: content, .. }) = content else {
            continue;
        };
        if outer.is_some_and(|outer| content.contains(outer)) {
            continue;
        }
        match first.get(&content.start) {
            None => drop(first.insert(content.start, outer)),
            Some(begun) if *begun == outer => {}
            // `export` and its like are a prefix of the one, and no block.
            Some(Some(begun))
                if is_prefix(Span::new(begun.start, content.start.max(begun.start)).of(bytes)) => {}
            Some(_) => return Some(statement.span),
        }
    }
    None
}

fn is_prefix(header: &[u8]) -> bool {
    let words = String::from_utf8_lossy(header);
    words
        .split_whitespace()
        .next()
        .is_none_or(|word| matches!(word, "export" | "declare"))
}
