//! Reserved words where a grammar has them for names: what it knows no use for at a place, it takes for a name there.

use tree_sitter::{Node, Tree};

use super::visit::visit;
use crate::syntax::SyntaxError;

/// What a language's reserved words are to its grammar.
pub struct ReservedWords {
    /// The kinds of nodes that names are.
    pub names: &'static [&'static str],
    /// The words, in small letters.
    pub words: &'static [&'static str],
    /// Whether capital letters make no other word.
    pub in_any_case: bool,
    /// Says whether any word may be the name that a node is, which is in this field of the node around it.
    pub takes_any: fn(field: Option<&str>, name: Node<'_>) -> bool,
}

/// Returns the errors of a file, those in `own` among them, in file order.
pub fn reserved_words(
    reserved: &ReservedWords,
    tree: &Tree,
    source: &[u8],
    own: Vec<SyntaxError>,
) -> Vec<SyntaxError> {
    let mut found = own;
    visit(tree, |cursor| {
        let node = cursor.node();
        if reserved.names.contains(&node.kind()) {
            let word = source.get(node.byte_range()).unwrap_or_default();
            let is_one = |it: &&str| {
                *it.as_bytes() == *word
                    || reserved.in_any_case && it.as_bytes().eq_ignore_ascii_case(word)
            };
            if reserved.words.iter().any(is_one) && !(reserved.takes_any)(cursor.field_name(), node)
            {
                found.push(SyntaxError {
                    offset: node.start_byte(),
                    message: format!("unexpected `{}`", String::from_utf8_lossy(word)),
                });
            }
        }
        true
    });
    found.sort_by_key(|error| error.offset);
    found
}
