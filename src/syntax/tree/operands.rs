//! Operands: what is beside an expression binds the nearest part of it, unless that is in parentheses.
//!
//! Example: `60 * 1000` in the place of `TIMEOUT` in `ms / TIMEOUT` is no operand of it: `ms / 60` is one of `*`.

use tree_sitter::{Node, Tree};

use crate::text::Span;

/// Nodes with an operator between their parts.
const INFIX: [&str; 33] = [
    "additive_expression",
    "as_expression",
    "binary",
    "binary_expression",
    "binary_operator",
    "bitwise_and_expression",
    "bitwise_operation",
    "bitwise_or_expression",
    "bitwise_xor_expression",
    "boolean_operator",
    "comparison_expression",
    "comparison_operator",
    "conditional",
    "conditional_expression",
    "conditional_type",
    "conjunction_expression",
    "disjunction_expression",
    "equality_expression",
    "function_type",
    "if_null_expression",
    "infix_expression",
    "intersection_type",
    "logical_and_expression",
    "logical_or_expression",
    "multiplicative_expression",
    "nil_coalescing_expression",
    "range_expression",
    "relational_expression",
    "shift_expression",
    "ternary_expression",
    "type_cast_expression",
    "union_type",
    "with_expression",
];

/// Nodes that begin with what they are of.
const SUFFIXED: [&str; 9] = [
    "attribute",
    "call",
    "call_expression",
    "field_access",
    "field_expression",
    "macro_invocation",
    "member_expression",
    "method_invocation",
    "selector_expression",
];

/// Returns for each of `pairs`, what was taken of the old file and what is in its place in the new one, whether that was one operand,
/// or has one at an end of it that became another, and is parted by what is beside it.
pub fn parted(
    parse: impl Fn(&[u8]) -> Option<Tree>,
    (old, new): (&[u8], &[u8]),
    pairs: &[(Span, Span)],
) -> Vec<bool> {
    let operands = |tree: Tree| -> Vec<Option<(Span, Span)>> {
        let operand = |pair: &(Span, Span)| match is_whole(&tree, old, pair.0) {
            true => Some(*pair),
            false => narrowed(&tree, (old, new), *pair),
        };
        pairs.iter().map(operand).collect()
    };
    let operands = parse(old).map(operands).unwrap_or_default();
    let has_one = operands.iter().any(Option::is_some);
    let after = has_one.then(|| parse(new)).flatten();
    let Some(after) = after else {
        return vec![false; pairs.len()];
    };
    let is_parted = |operand: Option<(Span, Span)>| {
        operand.is_some_and(|(was, now)| is_parted(&after, new, now, was.of(old)))
    };
    operands.into_iter().map(is_parted).collect()
}

/// Returns the operand at an end of what was taken that became another, and what is in its place; the rest of both is the same:
/// `data` of `const found = data`, where `const found = data || []` is now.
fn narrowed(
    tree: &Tree,
    (old, new): (&[u8], &[u8]),
    (was, now): (Span, Span),
) -> Option<(Span, Span)> {
    let (taken, given) = (was.of(old), now.of(new));
    let same = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let ahead = same(&mut taken.iter().zip(given));
    let most = taken.len().min(given.len()) - ahead;
    let behind = same(&mut taken.iter().rev().zip(given.iter().rev())).min(most);
    let changed = Span::new(was.start + ahead, was.end - behind);
    // Between two bytes it is the operand that ends there, else the one that begins there.
    let places = match changed.is_empty() {
        true => [
            Span::new(changed.start.saturating_sub(1).max(was.start), changed.end),
            Span::new(changed.start, (changed.end + 1).min(was.end)),
        ],
        false => [changed; 2],
    };
    places.into_iter().find_map(|place| {
        let mut node = smallest(tree, place).filter(|node| was.contains(span_of(*node)))?;
        while let Some(around) = node.parent().filter(|it| was.contains(span_of(*it))) {
            node = around;
        }
        let own = span_of(node);
        let is_at_end = own.start == was.start || own.end == was.end;
        let is_same_beside = own.start - was.start <= ahead && was.end - own.end <= behind;
        let then = Span::new(
            now.start + (own.start - was.start),
            now.end - (was.end - own.end),
        );
        (is_at_end && is_same_beside && own.contains(changed) && is_whole(tree, old, own))
            .then_some((own, then))
    })
}

/// Says whether one node is all of `span`, and no name after a dot.
fn is_whole(tree: &Tree, source: &[u8], span: Span) -> bool {
    let before = source.get(..span.start).unwrap_or_default();
    let before = before.trim_ascii_end();
    // Text and variables of PHP are no names after a dot, which puts texts together there.
    let begins_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80;
    let is_word = span.of(source).first().is_some_and(begins_name);
    let is_name = is_word
        && [&b"."[..], b"::", b"->"]
            .iter()
            .any(|mark| before.ends_with(mark));
    let node = smallest(tree, span);
    !is_name && node.is_some_and(|node| node.is_named() && span_of(node) == span)
}

/// Says whether what is beside `span` takes a part of what is in it, which was one operand, `was`, before, and means something else then.
fn is_parted(tree: &Tree, source: &[u8], span: Span, was: &[u8]) -> bool {
    let Some(node) =
        smallest(tree, span).filter(|node| INFIX.contains(&node.kind()) && span_of(*node) != span)
    else {
        return false;
    };
    let Some(crossing) = crossing(node, span) else {
        return false;
    };
    if crossing.start_byte() >= span.start {
        // What is added before a call or a member leaves that as it was.
        return !(SUFFIXED.contains(&crossing.kind()) && span.of(source).ends_with(was));
    }
    // From the last operator of the content to the one before it.
    let mut inside = vec![operator(node, source)];
    let mut outer = crossing;
    while let Some(deeper) = self::crossing(outer, span)
        && INFIX.contains(&outer.kind())
        && operator_of(outer).is_some_and(|it| it.start_byte() >= span.start)
    {
        inside.push(operator(outer, source));
        outer = deeper;
    }
    let before = operator(outer, source);
    !inside.iter().all(|after| is_alike(before, *after))
}

/// Says whether it makes no difference which of two operators in a row is carried out first.
fn is_alike(before: Option<&[u8]>, after: Option<&[u8]>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    match before {
        b"+" => matches!(after, b"+" | b"-"),
        b"*" => matches!(after, b"*" | b"/"),
        b"&&" | b"||" | b"??" | b"." | b"and" | b"or" | b"|" | b"&" | b"^" => before == after,
        _ => false,
    }
}

/// Returns the operator of a node with two operands.
fn operator<'s>(node: Node<'_>, source: &'s [u8]) -> Option<&'s [u8]> {
    match node.kind() {
        "union_type" => Some(b"|"),
        "intersection_type" => Some(b"&"),
        _ => operator_of(node).and_then(|it| source.get(it.byte_range())),
    }
}

/// Returns the operator between two operands: as the grammar calls it, or what is between them.
fn operator_of(node: Node<'_>) -> Option<Node<'_>> {
    let named = ["operator", "op"].iter();
    let called = named
        .filter_map(|field| node.child_by_field_name(field))
        .next();
    called.or_else(|| {
        let mut cursor = node.walk();
        let mut inner = node.children(&mut cursor).skip(1);
        inner.find(|child| !child.is_named() || child.kind().ends_with("operator"))
    })
}

/// Returns the child of a node that is in part in `span`, and in part beside it.
fn crossing(node: Node<'_>, span: Span) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let crosses = |child: &Node<'_>| {
        let child = span_of(*child);
        child.overlaps(span) && !span.contains(child)
    };
    node.children(&mut cursor).find(crosses)
}

fn smallest(tree: &Tree, span: Span) -> Option<Node<'_>> {
    tree.root_node()
        .descendant_for_byte_range(span.start, span.end)
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}
