//! Ends of statements that the grammar does not know: the standard takes a line break inside of a comment for a line break, has
//! a declaration without a value end with its line even where the next one begins with `(` or `[`, and has a line end the
//! statement wherever what the next one begins with cannot follow: `const f = () => {}` and then `(g)()`, for an arrow function is
//! no operand. `export`, on the other hand, ends with no line, nor do `static`, `get` and `set` before a member; all other
//! modifiers do, and are members of that name.
//!
//! Such a comment becomes blank, and a `;` takes the place of a blank after such a statement.
//!
//! Known limits: a comment over two lines is not looked at where the grammar reads its place without an error (`return`, the
//! comment, and a value); nor are types and JSX elements that end a statement before a line that begins with an operator.

use std::ops::Range;

use tree_sitter::{Node, Tree, TreeCursor};

use super::change::LegibleEdit;

const EXPORT: &[u8] = b"export";

/// Words that belong to the member after them on whatever line it is.
const MODIFIERS: [&[u8]; 3] = [b"static", b"get", b"set"];

/// Returns what has to change in `source`, whose tree it is, for the grammar to see these ends.
pub(super) fn changes(tree: &Tree, source: &[u8]) -> Vec<LegibleEdit> {
    let mut changes = Vec::new();
    if tree.root_node().has_error() {
        visit(tree, |cursor| {
            changes.extend(change_at(cursor, source));
            let node = cursor.node();
            // Everything that an error touches has one around it, but that a comment may be read as a part of `/x//* … */`.
            node.has_error() || node.kind() == "regex"
        });
    }

    let mut places = continuations(source);
    places.extend(bare_words(source));
    places.sort_unstable();
    let mut later = places.iter().copied().peekable();
    if !places.is_empty() {
        visit(tree, |cursor| {
            let node = cursor.node();
            while later.next_if(|&at| at <= node.start_byte()).is_some() {}
            let is_concerned = later.peek().is_some_and(|&at| at < node.end_byte());
            if is_concerned {
                changes.extend(end_within(cursor, source).or_else(|| join_after(cursor, source)));
            }
            is_concerned
        });
    }
    changes
}

/// Visits the nodes in file order, a parent before its children, which are visited only where `enter` says so.
///
/// What is around a node and beside it the cursor knows; a node looks for it from the root on, by recursion where it is empty.
fn visit<'tree>(tree: &'tree Tree, mut enter: impl FnMut(&TreeCursor<'tree>) -> bool) {
    let mut cursor = tree.walk();
    loop {
        if enter(&cursor) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// Returns the node around the one that `cursor` is at.
fn parent_of<'tree>(cursor: &TreeCursor<'tree>) -> Option<Node<'tree>> {
    let mut cursor = cursor.clone();
    cursor.goto_parent().then(|| cursor.node())
}

/// Returns where lines begin with what may continue the expression above, and may as well begin a statement or a member.
fn continuations(source: &[u8]) -> Vec<usize> {
    let begins = |line_feed: usize| {
        let start = line_feed + 1;
        let line = source.get(start..)?;
        let blanks = line
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            .count();
        let is_comment = || line.get(blanks + 1) == Some(&b'/');
        let continues = match line.get(blanks)? {
            b'(' | b'[' | b'`' | b'+' | b'-' | b'*' | b'<' => true,
            b'/' => !is_comment(),
            _ => false,
        };
        continues.then_some(start + blanks)
    };
    memchr::memchr_iter(b'\n', source)
        .filter_map(begins)
        .collect()
}

/// Returns offsets within the word `export`, or one before a member, where it ends its line, or a comment follows it.
fn bare_words(source: &[u8]) -> impl Iterator<Item = usize> {
    let words = MODIFIERS.into_iter().chain([EXPORT]);
    words.flat_map(move |word| {
        let is_bare = move |at: &usize| {
            let before = at.checked_sub(1).and_then(|before| source.get(before));
            let rest = source.get(at + word.len()..).unwrap_or_default();
            let ends = matches!(
                rest.iter()
                    .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')),
                Some(b'\n' | b'/')
            );
            ends && !before.is_some_and(is_of_name)
        };
        memchr::memmem::find_iter(source, word)
            .filter(is_bare)
            .map(|at| at + 1)
    })
}

/// Returns the end of the statement within `node`, if a line break parts what `node` begins with from what cannot follow it.
fn end_within(cursor: &TreeCursor<'_>, source: &[u8]) -> Option<LegibleEdit> {
    let node = cursor.node();
    let first = node.child(0)?;
    let last = match node.kind() {
        "call_expression" | "subscript_expression" if is_closed(first) => first,
        "binary_expression" if is_arrow_block(first) => first,
        "lookup_type" | "array_type" => first,
        // After `extends` and `implements` the line may end here.
        "generic_type" if !parent_of(cursor).is_some_and(|it| it.kind().ends_with("_clause")) => {
            first
        }
        _ => return None,
    };
    end_after(last.end_byte(), source)
}

/// Returns what makes `export` and the next line one statement, if `node` is the first of two that the grammar makes of them.
fn join_after(cursor: &TreeCursor<'_>, source: &[u8]) -> Option<LegibleEdit> {
    let node = cursor.node();
    if matches!(node.kind(), "field_definition" | "public_field_definition") {
        return join_member(node, source);
    }
    let word = node
        .child(0)
        .filter(|_| node.kind() == "expression_statement")?;
    let is_export = source.get(word.byte_range()) == Some(EXPORT);
    let is_alone = node.child(1).is_none_or(|next| next.kind() == "comment");
    if !is_export || !is_alone {
        return None;
    }
    Some(LegibleEdit::Join(
        Gap::after(word.end_byte(), source)?.whole,
    ))
}

/// Returns what makes a modifier and the member after it one, where the grammar takes the modifier for a field of that name.
fn join_member(field: Node<'_>, source: &[u8]) -> Option<LegibleEdit> {
    let name = field.child(field.child_count().checked_sub(1)?)?;
    let word = source
        .get(name.byte_range())
        .filter(|word| MODIFIERS.contains(word))?;
    let gap = Gap::after(name.end_byte(), source)?;
    let next = source.get(gap.whole.end..)?;
    let is_joined = match next.first()? {
        // `async` ends with its line, too, which the grammar does not know.
        _ if next.starts_with(b"async") => false,
        b'*' | b'{' => word == b"static",
        b'[' | b'"' | b'\'' => true,
        byte => is_of_name(byte),
    };
    is_joined.then_some(LegibleEdit::Join(gap.whole))
}

fn is_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#') || !byte.is_ascii()
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
        let Some(body) = inner.child_by_field_name("body") else {
            return false;
        };
        inner = body;
    }
    inner.kind() == "statement_block"
}

fn change_at(cursor: &TreeCursor<'_>, source: &[u8]) -> Option<LegibleEdit> {
    let node = cursor.node();
    if node.kind() == "comment" {
        let (start, end) = (node.start_byte(), node.end_byte());
        let parts = ends_line_within(source.get(start..end)?)
            && !begins_line(source, start)
            && !ends_line(source, end);
        return parts.then_some(LegibleEdit::Blank(start..end));
    }
    let end = if node.is_missing() {
        bare_name_before(cursor)?.end_byte()
    } else if node.is_error()
        && (is_bare_field(cursor) || is_bare_let(cursor, source) || is_closed_at_its_end(node))
    {
        node.end_byte()
    } else {
        return None;
    };
    end_after(end, source)
}

/// `var x`, or a field `x`, before the `;` or `,` that is missing.
fn bare_name_before<'tree>(missing: &TreeCursor<'tree>) -> Option<Node<'tree>> {
    if !matches!(missing.node().kind(), ";" | ",") {
        return None;
    }
    let mut cursor = missing.clone();
    while cursor.goto_previous_sibling() && cursor.node().kind() == "comment" {}
    let previous = cursor.node();
    let declares = matches!(
        previous.kind(),
        "variable_declarator" | "field_definition" | "public_field_definition"
    );
    (declares && previous.child_by_field_name("value").is_none()).then_some(previous)
}

/// An expression that the next line was taken to go on with.
fn is_closed_at_its_end(error: Node<'_>) -> bool {
    error
        .child(error.child_count().saturating_sub(1))
        .is_some_and(is_closed)
}

/// `x` as a member of a class.
fn is_bare_field(cursor: &TreeCursor<'_>) -> bool {
    let error = cursor.node();
    let in_class = parent_of(cursor).is_some_and(|it| it.kind() == "class_body");
    let name = error.child(error.child_count().saturating_sub(1));
    in_class
        && name.is_some_and(|it| {
            matches!(
                it.kind(),
                "property_identifier" | "private_property_identifier"
            )
        })
}

/// `let x`, read as an expression that begins with a name `let`.
fn is_bare_let(cursor: &TreeCursor<'_>, source: &[u8]) -> bool {
    let error = cursor.node();
    let is_name =
        error.child_count() == 1 && error.child(0).is_some_and(|it| it.kind() == "identifier");
    let mut cursor = cursor.clone();
    let before = cursor.goto_previous_sibling().then(|| cursor.node());
    is_name
        && before.is_some_and(|it| {
            it.kind() == "identifier" && source.get(it.byte_range()) == Some(b"let")
        })
}

/// Returns what makes a statement end at byte `end`, if a line ends between there and the next token.
pub(super) fn end_after(end: usize, source: &[u8]) -> Option<LegibleEdit> {
    let gap = Gap::after(end, source)?;
    let line_break = gap.line_break?;
    Some(gap.blank.map_or(
        LegibleEdit::EndOver(gap.whole, line_break),
        LegibleEdit::End,
    ))
}

/// Blanks and comments between two tokens.
struct Gap {
    whole: Range<usize>,
    /// The first line feed.
    line_break: Option<usize>,
    /// The first byte that is blank, in no comment, and does not end one.
    blank: Option<usize>,
}

impl Gap {
    /// Returns the one that begins at `start`; nothing where the file ends with it.
    fn after(start: usize, source: &[u8]) -> Option<Gap> {
        let mut gap = Gap {
            whole: start..start,
            line_break: None,
            blank: None,
        };
        loop {
            let at = gap.whole.end;
            let rest = source.get(at..)?;
            let is_blank = rest.first()?.is_ascii_whitespace();
            let length = if is_blank {
                1
            } else if rest.starts_with(b"//") {
                memchr::memchr(b'\n', rest)? + 1
            } else if rest.starts_with(b"/*") {
                memchr::memmem::find(rest, b"*/")? + 2
            } else {
                return Some(gap);
            };
            let line_feed = || memchr::memchr(b'\n', rest.get(..length)?).map(|within| at + within);
            gap.line_break = gap.line_break.or_else(line_feed);
            gap.blank = gap.blank.or(is_blank.then_some(at));
            gap.whole.end += length;
        }
    }
}

fn ends_line_within(comment: &[u8]) -> bool {
    comment.contains(&b'\n') || comment.contains(&b'\r') || has_separator(comment)
}

/// Says whether U+2028 or U+2029 is in it.
fn has_separator(text: &[u8]) -> bool {
    memchr::memmem::find(text, "\u{2028}".as_bytes()).is_some()
        || memchr::memmem::find(text, "\u{2029}".as_bytes()).is_some()
}

fn begins_line(source: &[u8], at: usize) -> bool {
    let before = source.get(..at).unwrap_or_default();
    matches!(
        before
            .iter()
            .rev()
            .find(|byte| !matches!(byte, b' ' | b'\t')),
        None | Some(b'\n' | b'\r')
    )
}

fn ends_line(source: &[u8], at: usize) -> bool {
    let after = source.get(at..).unwrap_or_default();
    matches!(
        after.iter().find(|byte| !matches!(byte, b' ' | b'\t')),
        None | Some(b'\n' | b'\r')
    )
}
