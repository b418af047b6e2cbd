//! What Java has and the grammar has not: statements before `super(…)` and `this(…)`, and `import module`. In a file in which the grammar
//! finds errors such a call is read as one of any method, and `module` as a blank.

use tree_sitter::{Node, Tree};

use crate::syntax::tree::{blanked, tokens};

/// Returns the text that is to be read in the place of `source`, whose tree it is, if that may make a difference.
pub(super) fn legible(tree: &Tree, source: &[u8]) -> Option<Vec<u8>> {
    if !tree.root_node().has_error() {
        return None;
    }
    let tokens = tokens(tree);
    let text = |token: &Node<'_>| source.get(token.byte_range()).unwrap_or_default();
    let mut words = Vec::new();
    let mut names = Vec::new();
    for three in tokens.windows(3) {
        let [before, word, after] = three else {
            continue;
        };
        match (text(before), text(word), text(after)) {
            (b"import", b"module", next) if next.first().is_some_and(u8::is_ascii_alphabetic) => {
                words.push(word.byte_range());
            }
            (b";" | b"}", b"super" | b"this", b"(") => names.push(word.byte_range()),
            _ => {}
        }
    }
    let mut read = blanked(source, &words);
    for name in names {
        read.get_mut(name)
            .into_iter()
            .flatten()
            .for_each(|byte| *byte = b'x');
    }
    (read != source).then_some(read)
}
