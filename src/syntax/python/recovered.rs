//! The outline of any file, from tree-sitter's tree, which makes something of files that do not parse.
//!
//! Only what can hold statements is entered. What is in an `ERROR` node counts as what is around it. The
//! tests hold it to the answers of `outline` on files that do parse; it does not know defaults of type parameters
//! (PEP 696) and `lazy import` (PEP 810), and spells identifiers as they are written, not NFKC.

use std::collections::BTreeSet;

use tree_sitter::{Node, Tree};

use super::comments::Comments;
use super::outline::{StatementScope, documents};
use super::source::{SourceText, between, line_end, next_line};
use crate::syntax::{Excess, Outline, SegmentKind, Symbol, tree};
use crate::text::Span;

/// Containers deeper than this are not entered, so that recursion is safe; CPython allows 99 indentations.
const DEEPEST: usize = 300;

/// The grammar's scanner keeps its indentations in 1,024 bytes, 2 each, and trusts that they fit.
const MOST_INDENTATIONS: usize = 450;

/// Returns the segments of a file whose statements are in `scope`.
pub(super) fn outline(text: &SourceText, scope: StatementScope) -> Outline {
    let tree = match parse(text) {
        Ok(tree) => tree,
        Err(excess) => return Outline::exceeding(excess),
    };
    let comments = Comments::new(text.bytes(), comment_spans(&tree, text.bytes()));
    let reader = NodeReader { text, comments };
    let mut symbols = Vec::new();
    reader.collect(tree.root_node(), scope, 0, &mut symbols);
    Outline {
        symbols,
        sound: false,
        excess: None,
    }
}

/// Returns the spans of all comments.
pub(super) fn comments(source: &[u8]) -> Vec<Span> {
    parse(&SourceText::of(source))
        .map(|tree| comment_spans(&tree, source))
        .unwrap_or_default()
}

/// Returns the tree of a file; `None` where it takes too much work.
pub(super) fn tree(source: &[u8]) -> Option<Tree> {
    parse(&SourceText::of(source)).ok()
}

fn parse(text: &SourceText) -> Result<Tree, Excess> {
    if indentations(text.bytes()) > MOST_INDENTATIONS {
        return Err(Excess::Nesting);
    }
    tree::parse(
        &tree_sitter_python::LANGUAGE.into(),
        text.as_str().as_bytes(),
    )
    .ok_or(Excess::Work)
}

/// Returns a number of indentations that no line of the file can exceed: each deeper one needs a width of its own.
fn indentations(bytes: &[u8]) -> usize {
    let mut widths = BTreeSet::new();
    let mut width = 0_usize;
    let mut leading = true;
    for &byte in bytes {
        match byte {
            b'\n' => (width, leading) = (0, true),
            b' ' if leading => width += 1,
            b'\t' if leading => width += 8,
            // What follows a line joined by a backslash adds to the width in the grammar's eyes: count it apart.
            b'\\' if leading => width += 1,
            _ if leading => {
                leading = false;
                widths.insert(width);
            }
            _ => {}
        }
        if widths.len() > MOST_INDENTATIONS {
            break;
        }
    }
    widths.len()
}

fn comment_spans(tree: &Tree, bytes: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "comment" {
            // The grammar ends a comment at LF alone.
            found.push(between(
                node.start_byte(),
                line_end(bytes, node.start_byte()).min(node.end_byte()),
            ));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

struct NodeReader<'a> {
    text: &'a SourceText<'a>,
    comments: Comments<'a>,
}

impl NodeReader<'_> {
    fn collect(&self, node: Node, scope: StatementScope, depth: usize, found: &mut Vec<Symbol>) {
        if depth > DEEPEST {
            return;
        }
        let children: Vec<Node> = node.children(&mut node.walk()).collect();
        for (at, &child) in children.iter().enumerate() {
            match child.kind() {
                "function_definition" | "class_definition" => {
                    add_symbol(found, self.definition(child, &[], scope, depth));
                }
                "decorated_definition" => match child.child_by_field_name("definition") {
                    Some(definition) => add_symbol(
                        found,
                        self.definition(definition, &decorators(child), scope, depth),
                    ),
                    None => self.collect(child, scope, depth + 1, found),
                },
                "expression_statement" => {
                    let mut rest = children[at + 1..].iter();
                    let next = rest.find(|node| node.is_named() && node.kind() != "comment");
                    add_symbol(found, self.variable(child, next.copied(), scope));
                }
                kind if holds_statements(kind) => self.collect(child, scope, depth + 1, found),
                _ => {}
            }
        }
    }

    fn definition(
        &self,
        node: Node,
        decorators: &[Span],
        scope: StatementScope,
        depth: usize,
    ) -> Option<Symbol> {
        let (kind, inside) = match (node.kind(), scope) {
            ("class_definition", _) => (SegmentKind::Class, StatementScope::Class),
            (_, StatementScope::Class) => (SegmentKind::Method, StatementScope::Function),
            (_, StatementScope::Module | StatementScope::Function) => {
                (SegmentKind::Function, StatementScope::Function)
            }
        };
        let name = node
            .child_by_field_name("name")
            .filter(|name| !name.is_missing())?;
        let definition = between(node.start_byte(), self.end(node));
        let (signature, body) = self.parts(node, definition);
        let block = node.child_by_field_name("body");
        let mut children = Vec::new();
        if let Some(block) = block {
            self.collect(block, inside, depth + 1, &mut children);
        }
        let mut symbol = Symbol {
            owner: None,
            address: None,
            names_inside: true,
            parted: false,
            component: false,
            name: self.spelled(name),
            kind,
            level: 0,
            definition,
            decorations: self.comments.decorations(decorators, definition.start),
            trailing: self.comments.trailing(definition.start, definition.end),
            signature,
            body,
            docstring: block
                .and_then(first_statement)
                .filter(|first| is_docstring(*first, self.text.as_str()))
                .map(span),
            children,
        };
        // A comment may be deeper than the child and not than its parent, where the lines are broken.
        let end = symbol.whole().end;
        give_up_comments(symbol.children.last_mut(), end);
        Some(symbol)
    }

    /// Returns the end of a definition: of its last statement, and of the semicolon after that.
    fn end(&self, node: Node) -> usize {
        let end = content_end(node);
        let rest = self.text.bytes().get(end..).unwrap_or_default();
        let blank = crate::text::leading_blank(rest).len();
        if rest.get(blank) == Some(&b';') {
            end + blank + 1
        } else {
            end
        }
    }

    /// Returns the header without its colon, and what the colon introduces.
    fn parts(&self, node: Node, definition: Span) -> (Span, Option<Span>) {
        let mut cursor = node.walk();
        let children: Vec<Node> = node.children(&mut cursor).collect();
        let Some(colon) = children.iter().position(|child| child.kind() == ":") else {
            return (definition, None);
        };
        let closed = children[..colon]
            .iter()
            .rev()
            .find(|child| child.kind() != "comment");
        let signature = between(
            definition.start,
            closed.map_or(definition.start, Node::end_byte),
        );
        let Some(first) = node.child_by_field_name("body").and_then(first_statement) else {
            return (signature, None);
        };
        let bytes = self.text.bytes();
        let second_line =
            next_line(bytes, line_end(bytes, children[colon].end_byte())).unwrap_or(bytes.len());
        let start = self.comments.start_of_body(second_line, first.start_byte());
        (signature, Some(between(start, definition.end.max(start))))
    }

    /// Returns the variable that `statement` defines; `next` is the statement after it in its block.
    fn variable(
        &self,
        statement: Node,
        next: Option<Node>,
        scope: StatementScope,
    ) -> Option<Symbol> {
        let assignment = statement
            .named_child(0)
            .filter(|child| child.kind() == "assignment")?;
        let target = assignment
            .child_by_field_name("left")
            .and_then(single_name)?;
        let value = assignment.child_by_field_name("right");
        let chained = value.is_some_and(|value| value.kind() == "assignment");
        if scope == StatementScope::Function || chained {
            return None;
        }
        let definition = span(assignment);
        let docstring = next
            .filter(|next| is_docstring(*next, self.text.as_str()))
            .map(span);
        let docstring =
            docstring.filter(|docstring| documents(self.text.bytes(), definition, *docstring));
        Some(Symbol {
            owner: None,
            address: None,
            names_inside: true,
            parted: false,
            component: false,
            name: self.spelled(target),
            kind: SegmentKind::Variable,
            level: 0,
            definition,
            decorations: self.comments.decorations(&[], definition.start),
            trailing: docstring,
            signature: definition,
            body: value.map(span),
            docstring,
            children: Vec::new(),
        })
    }

    fn spelled(&self, name: Node) -> String {
        let span = span(name);
        self.text.name(
            self.text
                .as_str()
                .get(span.start..span.end)
                .unwrap_or_default(),
            span,
        )
    }
}

/// Adds a segment after the others. Where the indentation is broken, the comments above it may look like the end of the
/// one before; they are its own, and no other's. Unless that one's definition really ends after them.
fn add_symbol(found: &mut Vec<Symbol>, symbol: Option<Symbol>) {
    let Some(mut symbol) = symbol else { return };
    give_up_comments(found.last_mut(), symbol.whole().start);
    if let Some(last) = found.last() {
        symbol
            .decorations
            .retain(|decoration| decoration.span.start >= last.whole().end);
    }
    found.push(symbol);
}

/// Takes the comments after a segment, and after the last ones inside it, away from it where they end past `limit`.
fn give_up_comments(mut last: Option<&mut Symbol>, limit: usize) {
    while let Some(symbol) = last {
        if symbol.trailing.is_some_and(|trailing| trailing.end > limit) {
            symbol.trailing = None;
        }
        last = symbol.children.last_mut();
    }
}

/// Returns the name that an assignment's left side is, in parentheses or not. `(x)` is a tuple to the grammar.
fn single_name(target: Node<'_>) -> Option<Node<'_>> {
    match target.kind() {
        "identifier" => Some(target),
        "tuple_pattern" if target.child_count() == 3 => target.named_child(0).and_then(single_name),
        _ => None,
    }
}

fn span(node: Node) -> Span {
    between(node.start_byte(), node.end_byte())
}

fn decorators(node: Node) -> Vec<Span> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|child| child.kind() == "decorator")
        .map(span)
        .collect()
}

fn holds_statements(kind: &str) -> bool {
    matches!(
        kind,
        "module"
            | "block"
            | "if_statement"
            | "elif_clause"
            | "else_clause"
            | "for_statement"
            | "while_statement"
            | "try_statement"
            | "except_clause"
            | "except_group_clause"
            | "finally_clause"
            | "with_statement"
            | "match_statement"
            | "case_clause"
            | "decorated_definition"
            | "function_definition"
            | "class_definition"
            | "ERROR"
    )
}

fn first_statement(block: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = block.walk();
    block
        .named_children(&mut cursor)
        .find(|child| child.kind() != "comment")
}

/// Returns where the last statement of `node` ends: the grammar counts comments and semicolons to a block.
fn content_end(mut node: Node) -> usize {
    while holds_statements(node.kind()) && node.kind() != "ERROR" {
        let mut cursor = node.walk();
        let solid = |child: &Node| child.is_named() && child.kind() != "comment";
        match node.children(&mut cursor).filter(solid).last() {
            Some(last) => node = last,
            None => break,
        }
    }
    node.end_byte()
}

/// Says whether a body's first statement is its documentation: a string literal alone, no f-string and no bytes.
fn is_docstring(statement: Node, text: &str) -> bool {
    if statement.kind() != "expression_statement" || statement.child_count() != 1 {
        return false;
    }
    let mut expression = statement.child(0);
    while let Some(inner) = expression.filter(|node| node.kind() == "parenthesized_expression") {
        expression = inner.named_child(0);
    }
    let Some(expression) = expression else {
        return false;
    };
    match expression.kind() {
        "string" => is_plain(expression, text),
        "concatenated_string" => {
            let mut cursor = expression.walk();
            expression
                .named_children(&mut cursor)
                .filter(|part| part.kind() != "comment")
                .all(|part| is_plain(part, text))
        }
        _ => false,
    }
}

/// Says whether a string literal is plain text, as its prefix says.
fn is_plain(string: Node, text: &str) -> bool {
    let opening = string
        .child(0)
        .and_then(|opening| text.get(opening.byte_range()));
    opening.is_some_and(|opening| !opening.contains(['f', 'F', 't', 'T', 'b', 'B']))
}
