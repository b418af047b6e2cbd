//! What the compiler refuses and the grammar takes, to which a file is a block without braces, a macro call a statement however
//! it ends, an attribute a member of its own, and a documentation comment a comment.
//!
//! Known limits: documentation among arguments and parameters, and in what a macro is given.

use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;
use crate::syntax::tree::visit;

/// Signs that go on with a macro call in brackets, before a statement as well.
const GOING_ON: &[u8] = b"-*&([|<.";

/// Keywords of the first edition, which the grammar takes for names where they do not belong, as in `else;` ("Keywords" of the language's
/// reference).
const KEYWORDS: [&[u8]; 27] = [
    b"as",
    b"break",
    b"const",
    b"continue",
    b"else",
    b"enum",
    b"extern",
    b"fn",
    b"for",
    b"if",
    b"impl",
    b"in",
    b"let",
    b"loop",
    b"match",
    b"mod",
    b"move",
    b"mut",
    b"pub",
    b"ref",
    b"return",
    b"struct",
    b"trait",
    b"type",
    b"use",
    b"where",
    b"while",
];

/// Words that are ahead of an operand, and no keywords of every edition.
const LEADING: [&[u8]; 7] = [
    b"async", b"await", b"box", b"dyn", b"raw", b"static", b"unsafe",
];

/// Macros of the standard library that take expressions with commas between, and nothing else.
const OF_EXPRESSIONS: [&[u8]; 16] = [
    b"assert",
    b"assert_eq",
    b"assert_ne",
    b"dbg",
    b"debug_assert",
    b"debug_assert_eq",
    b"debug_assert_ne",
    b"eprint",
    b"eprintln",
    b"format",
    b"panic",
    b"print",
    b"println",
    b"vec",
    b"write",
    b"writeln",
];

/// Returns the errors of a file, in file order; `own` are those of the tree.
pub(super) fn errors(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    let file = tree.root_node();
    let mut braces = memchr::memchr_iter(b'{', source).peekable();
    visit(tree, |cursor| {
        let node = cursor.node();
        while braces.next_if(|brace| *brace < node.start_byte()).is_some() {}
        // What has no brace holds no list, unless it is the file.
        let has_brace = braces.peek().is_some_and(|brace| *brace < node.end_byte());
        let kind = if has_brace || node == file {
            node.kind()
        } else {
            ""
        };
        // What the parser could not read may have cast anything out of its function.
        if !node.has_error() {
            if matches!(kind, "source_file" | "declaration_list" | "block") {
                found.extend(of_list(node, kind, source));
            }
            if is_documented(kind) {
                found.extend(of_nothing(node, kind, source));
            }
        }
        // Nothing is known of what a macro makes of its tokens.
        has_brace && !matches!(kind, "token_tree" | "macro_definition")
    });
    if own.is_empty() {
        found.extend(of_words(tree, source));
    }
    found.extend(own);
    found.sort_by_key(|error: &SyntaxError| error.offset);
    found
}

/// Returns an error for each keyword that is a name, and for each operand that comes right behind another in a macro of expressions.
fn of_words(tree: &Tree, source: &[u8]) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    let word = |node: Node<'_>| source.get(node.byte_range()).unwrap_or_default();
    visit(tree, |cursor| {
        let node = cursor.node();
        match node.kind() {
            "identifier" if KEYWORDS.contains(&word(node)) => found.push(SyntaxError {
                offset: node.start_byte(),
                message: format!("unexpected `{}`", String::from_utf8_lossy(word(node))),
            }),
            "macro_invocation" => {
                let name = node.child_by_field_name("macro").map(word);
                if name.is_some_and(|name| OF_EXPRESSIONS.contains(&name)) {
                    found.extend(unparted(node, source));
                }
            }
            // Nothing is known of what a macro makes of its tokens; and some words are ones here.
            "token_tree" | "macro_definition" | "attribute" | "lifetime" => return false,
            _ => {}
        }
        true
    });
    found
}

/// Returns an error for the first operand among the tokens of a macro that comes right behind another: a comma or an operator is missing.
fn unparted(call: Node<'_>, source: &[u8]) -> Option<SyntaxError> {
    let last = call.child_count().checked_sub(1)?;
    let tokens = call.child(last).filter(|it| it.kind() == "token_tree")?;
    let mut cursor = tokens.walk();
    let mut follows = false;
    for token in tokens.children(&mut cursor).filter(|it| !it.is_extra()) {
        let is_operand = match token.kind() {
            "identifier" => {
                let word = source.get(token.byte_range()).unwrap_or_default();
                !KEYWORDS.contains(&word) && !LEADING.contains(&word)
            }
            "integer_literal" | "float_literal" | "string_literal" | "raw_string_literal"
            | "char_literal" | "boolean_literal" => true,
            _ => false,
        };
        if is_operand && follows {
            return Some(SyntaxError {
                offset: token.start_byte(),
                message: "a comma is missing".to_owned(),
            });
        }
        follows = is_operand;
    }
    None
}

/// Returns the errors of the members of one list themselves, what is inside of them left out.
fn of_list(list: Node<'_>, kind: &str, source: &[u8]) -> Vec<SyntaxError> {
    let is_block = kind == "block";
    let mut found = Vec::new();
    if kind == "source_file" && is_expression(list) {
        return found;
    }
    // A macro call in brackets, right before and without a `;` so far.
    let mut open: Option<Node<'_>> = None;
    // A call of a macro may have its `;` apart from it; an item has none.
    let mut takes_end = false;
    let mut cursor = list.walk();
    for member in list
        .children(&mut cursor)
        .filter(|member| !member.is_extra())
    {
        let is_ended = match member.kind() {
            ";" | "empty_statement" => true,
            "}" => is_block,
            _ => {
                is_block
                    && source
                        .get(member.start_byte())
                        .is_some_and(|sign| GOING_ON.contains(sign))
            }
        };
        if !is_block && !takes_end && matches!(member.kind(), ";" | "empty_statement") {
            found.push(SyntaxError {
                offset: member.start_byte(),
                message: "unexpected `;`".to_owned(),
            });
        }
        takes_end = matches!(member.kind(), "macro_invocation" | "expression_statement");
        found.extend(open.take().filter(|_| !is_ended).map(unended));
        open = Some(member).filter(|member| is_bracketed_call(*member, source));
        if !is_block && is_statement(member) {
            let is_let = member.kind() == "let_declaration";
            let message = if is_let {
                "`let` outside of a function"
            } else {
                "statement outside of a function"
            };
            found.push(SyntaxError {
                offset: member.start_byte(),
                message: message.to_owned(),
            });
        }
    }
    found.extend(open.filter(|_| !is_block).map(unended));
    found
}

/// Says whether attributes and documentation may be before the members of such a list.
fn is_documented(kind: &str) -> bool {
    let has_inner = takes_inner(kind);
    has_inner
        || matches!(
            kind,
            "field_declaration_list" | "enum_variant_list" | "field_initializer_list"
        )
}

/// Says whether what is around such a list may be documented at the beginning of it.
fn takes_inner(kind: &str) -> bool {
    matches!(
        kind,
        "source_file" | "declaration_list" | "block" | "match_block"
    )
}

/// What an attribute or a comment is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    /// What comes next.
    Next,
    /// What is around it.
    Around,
}

/// Returns the errors of the attributes and the documentation in one list: those that nothing comes after, and those of what is
/// around them that come after something.
fn of_nothing(list: Node<'_>, kind: &str, source: &[u8]) -> Vec<SyntaxError> {
    let mut found = Vec::new();
    // The first of those that the next member will have.
    let mut pending: Option<Node<'_>> = None;
    let mut is_leading = takes_inner(kind);
    let mut cursor = list.walk();
    for member in list.children(&mut cursor) {
        match purpose(member, source) {
            Some(For::Next) => {
                pending = pending.or(Some(member));
                is_leading = false;
            }
            Some(For::Around) if is_leading => {}
            Some(For::Around) => {
                found.push(misplaced(member, "after something that it is not for"))
            }
            None if member.is_extra() || member.kind() == "shebang" => {}
            None => {
                let documents = !matches!(member.kind(), "}" | "empty_statement");
                found.extend(
                    pending
                        .take()
                        .filter(|_| !documents)
                        .map(|it| misplaced(it, "of nothing")),
                );
                is_leading &= matches!(member.kind(), "{" | "label" | ":");
            }
        }
    }
    found.extend(pending.map(|it| misplaced(it, "of nothing")));
    found
}

/// Returns what an attribute or documentation is for; nothing of any other node.
fn purpose(member: Node<'_>, source: &[u8]) -> Option<For> {
    match member.kind() {
        "attribute_item" => Some(For::Next),
        "inner_attribute_item" => Some(For::Around),
        "line_comment" | "block_comment" => match source.get(member.byte_range())? {
            [b'/', b'/' | b'*', b'!', ..] => Some(For::Around),
            // `////`, `/***` and `/**/` look like it, and are plain.
            [b'/', b'/', b'/', b'/', ..] | [b'/', b'*', b'*', b'*' | b'/', ..] => None,
            [b'/', b'/', b'/', ..] | [b'/', b'*', b'*', ..] => Some(For::Next),
            _ => None,
        },
        _ => None,
    }
}

fn misplaced(member: Node<'_>, how: &str) -> SyntaxError {
    let is_comment = member.is_extra();
    let what = if is_comment {
        "documentation"
    } else {
        "attribute"
    };
    SyntaxError {
        offset: member.start_byte(),
        message: format!("{what} {how}"),
    }
}

fn unended(call: Node<'_>) -> SyntaxError {
    SyntaxError {
        offset: call.end_byte(),
        message: "missing `;`".to_owned(),
    }
}

/// Says whether the file is one expression, as `include!` may take it.
fn is_expression(file: Node<'_>) -> bool {
    let mut cursor = file.walk();
    let mut members = file
        .named_children(&mut cursor)
        .filter(|member| !member.is_extra());
    let (first, second) = (members.next(), members.next());
    let is_value = |member: Node<'_>| match member.kind() {
        "expression_statement" => !ends_itself(member),
        kind => kind == "macro_invocation",
    };
    second.is_none() && first.is_some_and(is_value)
}

/// Says whether the statement has a `;` of its own.
fn ends_itself(statement: Node<'_>) -> bool {
    let last = statement
        .child_count()
        .checked_sub(1)
        .and_then(|last| statement.child(last));
    last.is_some_and(|last| last.kind() == ";")
}

/// Says whether the member of a list is a macro call that needs a `;`: one in braces ends with them.
fn is_bracketed_call(member: Node<'_>, source: &[u8]) -> bool {
    let is_call = member.kind() == "macro_invocation";
    is_call
        && member
            .end_byte()
            .checked_sub(1)
            .and_then(|last| source.get(last))
            .is_some_and(|last| *last != b'}')
}

/// Says whether the member may be in a function only; a macro call is an item as well.
fn is_statement(member: Node<'_>) -> bool {
    match member.kind() {
        "let_declaration" => true,
        "expression_statement" => member
            .named_child(0)
            .is_none_or(|inner| inner.kind() != "macro_invocation"),
        _ => false,
    }
}
