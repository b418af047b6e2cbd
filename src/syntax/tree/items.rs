//! The parameters of a function, of every language that tree-sitter reads: what commas part in the first parentheses after its name.

use tree_sitter::{Node, Tree};

use super::compiled::Compiled;
use super::visit::visit;
use crate::syntax::{ItemList, ListedItem, Symbol};
use crate::text::Span;

/// Words before a parameter's name that are none, in languages that part it from its type by a colon.
const MODIFIERS: [&str; 18] = [
    "mut",
    "ref",
    "var",
    "val",
    "let",
    "inout",
    "borrowing",
    "consuming",
    "comptime",
    "noalias",
    "public",
    "private",
    "protected",
    "internal",
    "readonly",
    "override",
    "vararg",
    "noinline",
];

/// Returns the parameters of `symbol`, a definition of this file; `None` where no parentheses follow its name, or what is
/// in them are no parameters.
pub(super) fn find_parameters(
    compiled: &Compiled,
    tree: &Tree,
    source: &[u8],
    symbol: &Symbol,
) -> Option<ItemList> {
    let open = first_parenthesis(tree, source, symbol)?;
    let holder = open.parent()?;
    // `VG_(free)(void *block)`: the first ones are those of a macro that makes the name.
    let declares = |node: &Node<'_>| node.kind() == "function_declarator";
    let around = holder.parent().filter(declares);
    if around
        .and_then(|it| it.parent())
        .is_some_and(|it| declares(&it))
    {
        return None;
    }
    // What is called has arguments, and a type has types.
    let mut are_parameters = holder.kind().contains("param");
    let mut cursor = holder.walk();
    let after = holder
        .children(&mut cursor)
        .filter(|child| child.start_byte() >= open.end_byte());
    let (mut items, mut begun): (Vec<ListedItem>, Vec<Node<'_>>) = (Vec::new(), Vec::new());
    for child in after {
        let is_comma = Span::from(child.byte_range()).of(source) == b",";
        are_parameters |= child.kind().contains("param");
        match child.kind() {
            ")" => {
                items.extend(item(&begun, source));
                if !are_parameters && !items.is_empty() {
                    return None;
                }
                // The one word of a list of nothing.
                items.retain(|item| item.span.of(source) != b"void");
                return Some(ItemList {
                    brackets: Span::new(open.start_byte(), child.end_byte()),
                    items,
                });
            }
            _ if is_comma => {
                items.extend(item(&begun, source));
                begun.clear();
            }
            _ if compiled.traits(child).comment => {}
            _ => begun.push(child),
        }
    }
    None
}

/// Returns the first parenthesis after the name in the header of `symbol`.
fn first_parenthesis<'t>(tree: &'t Tree, source: &[u8], symbol: &Symbol) -> Option<Node<'t>> {
    let header = symbol.signature;
    let name = symbol.name.as_bytes();
    let (mut named_to, mut found) = (None, None);
    visit(tree, |cursor| {
        let node = cursor.node();
        let place = Span::from(node.byte_range());
        let is_beside = place.end <= header.start || header.end <= place.start;
        if found.is_some() || is_beside || is_of_a_type(node) {
            return false;
        }
        if node.child_count() > 0 {
            return true;
        }
        match named_to {
            None if place.of(source) == name => named_to = Some(place.end),
            Some(_) if node.kind() == "(" => found = Some(node),
            _ => {}
        }
        false
    });
    found
}

/// Says whether what is in a node says a type, or is a parameter of one: `<F: Fn(u8)>`, `: (e: Event) => void`.
fn is_of_a_type(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.contains("type_parameter")
        || kind.contains("type_argument")
        || kind.contains("function_type")
        || matches!(kind, "type_annotation" | "generic_type")
}

fn item(nodes: &[Node<'_>], source: &[u8]) -> Option<ListedItem> {
    let (first, last) = (nodes.first()?, nodes.last()?);
    let span = Span::new(first.start_byte(), last.end_byte());
    let named = nodes.iter().find_map(|node| names_of_node(*node, source));
    let names = named.unwrap_or_else(|| vec![name_of_text(&text(span, source)).to_owned()]);
    Some(ListedItem {
        names,
        span,
        is_named: nodes.iter().any(|node| node.kind() == "keyword_parameter"),
        leaves: None,
    })
}

fn text(span: Span, source: &[u8]) -> String {
    String::from_utf8_lossy(span.of(source)).into_owned()
}

/// Returns what a grammar says that a parameter is called; `None` where it does not.
fn names_of_node(node: Node<'_>, source: &[u8]) -> Option<Vec<String>> {
    let mut cursor = node.walk();
    let mut children = node.children(&mut cursor);
    // Behind it a type may have a name, too.
    let colon = children
        .find(|child| child.kind() == ":")
        .map_or(node.end_byte(), |colon| colon.start_byte());
    for field in ["name", "pattern", "declarator", "left"] {
        let mut cursor = node.walk();
        let named: Vec<Node<'_>> = node.children_by_field_name(field, &mut cursor).collect();
        let named = named
            .into_iter()
            .filter(|it| it.is_named() && it.start_byte() <= colon);
        let names: Vec<String> = named
            .map(|node| {
                let innermost = declared(node);
                let own = text(innermost.byte_range().into(), source);
                name_of_text(&own).to_owned()
            })
            .collect();
        if !names.is_empty() {
            return Some(names);
        }
    }
    None
}

/// Returns what a declarator of C declares: the innermost one, `cb` in `(*cb)(int)`.
fn declared(mut node: Node<'_>) -> Node<'_> {
    const DEEPEST: usize = 16;
    for _ in 0..DEEPEST {
        let inner = node
            .child_by_field_name("declarator")
            .or_else(|| node.child_by_field_name("name"))
            .or_else(|| {
                let is_around = node.kind().starts_with("parenthesized_declarator")
                    || node.kind() == "reference_declarator";
                is_around.then(|| node.named_child(0)).flatten()
            });
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// Returns the name in a parameter as it is written: the last word before its type's colon or its default.
fn name_of_text(text: &str) -> &str {
    let (mut depth, mut end) = (0, text.len());
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ':' | '=' if depth <= 0 && at > 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let is_of_word = |character: char| {
        character.is_alphanumeric() || matches!(character, '_' | '$' | '\'' | '@' | '?')
    };
    let words = text[..end].split(|character: char| !is_of_word(character));
    let words: Vec<&str> = words
        .filter(|word| !word.is_empty() && !MODIFIERS.contains(word))
        .collect();
    words
        .last()
        .map_or(text[..end].trim(), |word| word.trim_end_matches('?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_called_by_what_is_before_its_type_or_default() {
        let check = |text: &str, expected: &str| assert_eq!(name_of_text(text), expected);
        check("name", "name");
        check("mut name: &str", "name");
        check("&mut self", "self");
        check("final Map<String, Integer> counts", "counts");
        check("int $limit = 10", "$limit");
        check("for name: String", "name");
        check("limit?: number", "limit");
        check("...rest", "rest");
        check("*args", "args");
        check("required this.key", "key");
        check("x::Int", "x");
        check("&block", "block");
    }
}
