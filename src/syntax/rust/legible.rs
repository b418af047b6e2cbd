//! What Rust has and the grammar has not: `safe fn`, a unit struct with a `where`, attributes on the fields of a pattern. In a file in which
//! the grammar finds errors these are read as blanks, and the first as `pub fn`.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::syntax::tree::{blanked, tokens};

/// Returns the text that is to be read in the place of `source`, whose tree it is, if that may make a difference.
pub(super) fn legible(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    if !tree.root_node().has_error() {
        return None;
    }
    let tokens = tokens(tree);
    let text = |token: &Node<'_>| source.get(token.byte_range()).unwrap_or_default();
    let (mut blank, mut public) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at + 1..).unwrap_or_default();
        match text(token) {
            b"safe"
                if rest
                    .first()
                    .is_some_and(|next| matches!(text(next), b"fn" | b"static")) =>
            {
                let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                match before.is_some_and(|before| matches!(text(before), b"pub" | b")")) {
                    true => blank.push(token.byte_range()),
                    false => public.push(token.start_byte()),
                }
            }
            b"struct" => blank.extend(clause_of_a_unit(rest, source)),
            b"#" => blank.extend(attribute_of_a_field(token, rest, source)),
            _ => {}
        }
    }
    // The definition begins with the word, so that another has to stand for it.
    let mut read = blanked(source, &blank);
    for at in public {
        read.get_mut(at..at + b"pub ".len())?
            .copy_from_slice(b"pub ");
    }
    (read != source).then_some(read)
}

/// Returns the `where` clause of a struct that ends with `;`; `rest` is what comes after the word `struct`.
fn clause_of_a_unit(rest: &[Node<'_>], source: &[u8]) -> Option<Range<usize>> {
    let text = |token: &Node<'_>| source.get(token.byte_range()).unwrap_or_default();
    let end = rest
        .iter()
        .find(|token| matches!(text(token), b";" | b"{" | b"}"))?;
    let clause = rest.iter().find(|token| text(token) == b"where")?;
    let is_clause = text(end) == b";" && clause.start_byte() < end.start_byte();
    is_clause.then(|| clause.start_byte()..end.start_byte())
}

/// Returns an attribute before a field that is taken by its own name, as only a pattern's is.
fn attribute_of_a_field(sign: &Node<'_>, rest: &[Node<'_>], source: &[u8]) -> Option<Range<usize>> {
    let text = |token: &Node<'_>| source.get(token.byte_range()).unwrap_or_default();
    let mut depth = 0_usize;
    let close = rest.iter().position(|token| {
        depth = match text(token) {
            b"[" | b"(" | b"{" => depth + 1,
            b"]" | b")" | b"}" => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    })?;
    let (first, last) = (rest.first()?, rest.get(close)?);
    let mut after = rest
        .get(close + 1..)?
        .iter()
        .skip_while(|token| matches!(text(token), b"ref" | b"mut"));
    let name = after
        .next()
        .filter(|token| matches!(token.kind(), "identifier" | "shorthand_field_identifier"))?;
    let ends = after
        .next()
        .is_some_and(|next| matches!(text(next), b"," | b"}"));
    let is_variant = name
        .parent()
        .is_some_and(|parent| parent.kind() == "enum_variant");
    let is_one = text(first) == b"[" && ends && !is_variant;
    is_one.then(|| sign.start_byte()..last.end_byte())
}
