//! Ends of statements that the grammar does not know: the standard takes a line break inside of a comment for a line break, has
//! a declaration without a value end with its line even where the next one begins with `(` or `[`, and has a line end the
//! statement wherever what the next one begins with cannot follow: `const f = () => {}` ahead of `(g)()`, for an arrow function is
//! no operand.
//!
//! A file with such a place is read once more with these written as the grammar knows them, byte for byte in the same
//! places: such a comment becomes blank, and a `;` takes the place of a blank behind such a statement. What the file defines
//! and where its statements stand is then told of the file as it is.
//!
//! Known limits: a comment over two lines is not looked at where the grammar reads its place without an error (`return`, the
//! comment, and a value); nor are types and JSX elements that end a statement ahead of a line that begins with an operator.

use std::ops::Range;

use tree_sitter::{Node, Tree};

/// Returns the text that is to be read in the place of `source`, whose tree it is, if that makes a difference.
pub fn legible(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    let mut changes = Vec::new();
    if tree.root_node().has_error() {
        visit(tree, |node| {
            changes.extend(change_at(node, source));
            // Everything that an error touches has one around it, but that a comment may be read as a part of `/x//* … */`.
            node.has_error() || node.kind() == "regex"
        });
    }

    let continuations = continuations(source);
    let mut later = continuations.iter().copied().peekable();
    if !continuations.is_empty() {
        visit(tree, |node| {
            while later.next_if(|&at| at <= node.start_byte()).is_some() {}
            let is_continued = later.peek().is_some_and(|&at| at < node.end_byte());
            if is_continued {
                changes.extend(end_within(node, source));
            }
            is_continued
        });
    }

    if changes.is_empty() {
        return None;
    }
    let mut legible = source.to_vec();
    for change in changes {
        change.write(&mut legible);
    }
    Some(legible)
}

/// Visits the nodes in file order, a parent ahead of its children, which are visited only where `enter` says so.
fn visit<'tree>(tree: &'tree Tree, mut enter: impl FnMut(Node<'tree>) -> bool) {
    let mut cursor = tree.walk();
    loop {
        if enter(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// Returns where lines begin with what may continue the expression above, and may as well begin a statement or a member.
fn continuations(source: &[u8]) -> Vec<usize> {
    let begins = |line_feed: usize| {
        let start = line_feed + 1;
        let line = source.get(start..)?;
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let is_comment = || line.get(blanks + 1) == Some(&b'/');
        let continues = match line.get(blanks)? {
            b'(' | b'[' | b'`' | b'+' | b'-' | b'*' | b'<' => true,
            b'/' => !is_comment(),
            _ => false,
        };
        continues.then_some(start + blanks)
    };
    memchr::memchr_iter(b'\n', source).filter_map(begins).collect()
}

/// What makes a text legible: bytes that become blank but for their line breaks, and then the byte that a `;` is written over.
struct Change {
    blank: Range<usize>,
    end: Option<usize>,
}

impl Change {
    fn write(self, text: &mut [u8]) {
        for byte in text.get_mut(self.blank).unwrap_or_default() {
            *byte = if matches!(byte, b'\n' | b'\r') { *byte } else { b' ' };
        }
        if let Some(byte) = self.end.and_then(|at| text.get_mut(at)) {
            *byte = b';';
        }
    }
}

/// Returns the end of the statement within `node`, if a line break parts what `node` begins with from what cannot follow it.
fn end_within(node: Node<'_>, source: &[u8]) -> Option<Change> {
    let first = node.child(0)?;
    let last = match node.kind() {
        "call_expression" | "subscript_expression" if is_closed(first) => first,
        "binary_expression" if is_arrow_block(first) => first,
        "lookup_type" | "array_type" | "generic_type" => first,
        _ => return None,
    };
    end_after(last.end_byte(), source)
}

/// Says whether nothing can be called on this expression, nor taken from it, without parentheses.
fn is_closed(expression: Node<'_>) -> bool {
    match expression.kind() {
        "update_expression" => expression.child(0).is_some_and(|it| it.is_named()),
        "as_expression" | "satisfies_expression" => true,
        _ => is_arrow_block(expression),
    }
}

/// Says whether it is an arrow function whose body is a block.
fn is_arrow_block(expression: Node<'_>) -> bool {
    let mut inner = expression;
    while inner.kind() == "arrow_function" {
        let Some(body) = inner.child_by_field_name("body") else { return false };
        inner = body;
    }
    inner.kind() == "statement_block"
}

fn change_at(node: Node<'_>, source: &[u8]) -> Option<Change> {
    if node.kind() == "comment" {
        let (start, end) = (node.start_byte(), node.end_byte());
        let parts = ends_line_within(source.get(start..end)?) && !begins_line(source, start) && !ends_line(source, end);
        return parts.then_some(Change { blank: start..end, end: None });
    }
    let end = if node.is_missing() {
        bare_name_ahead(node)?.end_byte()
    } else if node.is_error() && (is_bare_field(node) || is_bare_let(node, source) || is_closed_at_its_end(node)) {
        node.end_byte()
    } else {
        return None;
    };
    end_after(end, source)
}

/// `var x`, or a field `x`, ahead of the `;` or `,` that is missing.
fn bare_name_ahead(missing: Node<'_>) -> Option<Node<'_>> {
    if !matches!(missing.kind(), ";" | ",") {
        return None;
    }
    let mut ahead = missing.prev_sibling()?;
    while ahead.kind() == "comment" {
        ahead = ahead.prev_sibling()?;
    }
    let declares = matches!(ahead.kind(), "variable_declarator" | "field_definition" | "public_field_definition");
    (declares && ahead.child_by_field_name("value").is_none()).then_some(ahead)
}

/// An expression that the next line was taken to go on with.
fn is_closed_at_its_end(error: Node<'_>) -> bool {
    error.child(error.child_count().saturating_sub(1)).is_some_and(is_closed)
}

/// `x` as a member of a class.
fn is_bare_field(error: Node<'_>) -> bool {
    let in_class = error.parent().is_some_and(|it| it.kind() == "class_body");
    let name = error.child(error.child_count().saturating_sub(1));
    in_class && name.is_some_and(|it| matches!(it.kind(), "property_identifier" | "private_property_identifier"))
}

/// `let x`, read as an expression that begins with a name `let`.
fn is_bare_let(error: Node<'_>, source: &[u8]) -> bool {
    let is_name = error.child_count() == 1 && error.child(0).is_some_and(|it| it.kind() == "identifier");
    let ahead = error.prev_sibling();
    is_name && ahead.is_some_and(|it| it.kind() == "identifier" && source.get(it.byte_range()) == Some(b"let"))
}

/// Returns what makes a statement end at byte `end`, if a line ends between there and the next token.
fn end_after(end: usize, source: &[u8]) -> Option<Change> {
    let mut line_break = None;
    let mut blank = None;
    let mut at = end;
    loop {
        let rest = source.get(at..)?;
        let is_comment = rest.starts_with(b"//") || rest.starts_with(b"/*");
        let length = match rest.first()? {
            byte if byte.is_ascii_whitespace() => 1,
            // The line feed is the comment's: it can be written over only with the comment.
            b'/' if rest.starts_with(b"//") => memchr::memchr(b'\n', rest)? + 1,
            b'/' if rest.starts_with(b"/*") => memchr::memmem::find(rest, b"*/")? + 2,
            _ => break,
        };
        let piece = rest.get(..length)?;
        if let Some(within) = memchr::memchr(b'\n', piece) {
            line_break = line_break.or(Some(at + within));
        }
        if !is_comment {
            blank = blank.or(Some(at));
        }
        at += length;
    }

    let line_break = line_break?;
    let whole_gap = || Change { blank: end..at, end: Some(line_break) };
    Some(blank.map_or_else(whole_gap, |blank| Change { blank: 0..0, end: Some(blank) }))
}

fn ends_line_within(comment: &[u8]) -> bool {
    comment.contains(&b'\n') || comment.contains(&b'\r') || has_separator(comment)
}

/// Says whether U+2028 or U+2029 stands in it.
fn has_separator(text: &[u8]) -> bool {
    memchr::memmem::find(text, "\u{2028}".as_bytes()).is_some()
        || memchr::memmem::find(text, "\u{2029}".as_bytes()).is_some()
}

fn begins_line(source: &[u8], at: usize) -> bool {
    let ahead = source.get(..at).unwrap_or_default();
    matches!(ahead.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n' | b'\r'))
}

fn ends_line(source: &[u8], at: usize) -> bool {
    let behind = source.get(at..).unwrap_or_default();
    matches!(behind.iter().find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n' | b'\r'))
}
