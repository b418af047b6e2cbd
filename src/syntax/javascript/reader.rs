//! The one door to oxc's parser: the language as the standard and TypeScript's compiler have it.

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;
use tree_sitter::{Node, Tree};

/// Levels of a tree that any thread's stack can bear: oxc takes some two kilobytes for each.
const SHALLOW: u32 = 250;
/// Levels that a thread with `DEEP_STACK` can bear.
const DEEP: u32 = 20_000;
const DEEP_STACK: usize = 128 << 20;
/// Brackets in one another, past which the time to read them grows with the cube of their number.
const MOST_BRACKETS: usize = 400;

/// Returns what `look` makes of the file as oxc reads it, `tree` being what the grammar makes of it; `None` of a file in Flow, of one that
/// is not UTF-8, and of one that nests deeper than anybody writes.
pub(super) fn read<T: Send>(
    tree: &Tree,
    source: &[u8],
    sort: SourceType,
    look: impl FnOnce(&ParserReturn<'_>) -> T + Send,
) -> Option<T> {
    let text = std::str::from_utf8(source).ok()?;
    if depth(tree)? > SHALLOW {
        return std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(DEEP_STACK);
            thread
                .spawn_scoped(scope, || parsed(text, sort, look))
                .ok()?
                .join()
                .ok()?
        });
    }
    // Should the reader of others fail, we know as much as without it.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| parsed(text, sort, look))).ok()?
}

fn parsed<T>(text: &str, sort: SourceType, look: impl FnOnce(&ParserReturn<'_>) -> T) -> Option<T> {
    let allocator = Allocator::default();
    // A module of CommonJS is the body of a function.
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: sort.is_javascript(),
        ..ParseOptions::default()
    };
    let read = Parser::new(&allocator, text, sort)
        .with_options(options)
        .parse();
    (!read.is_flow_language).then(|| look(&read))
}

/// Returns how deep oxc's tree can be at most: `None` where that is too deep for it. What tree-sitter could not read may be nested
/// by as much as there is of it.
fn depth(tree: &Tree) -> Option<u32> {
    let mut cursor = tree.walk();
    let (mut here, mut deepest, mut unread, mut brackets) = (0_u32, 0_u32, 0_u32, 0_usize);
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            unread = unread.saturating_add(node.child_count().max(1));
        }
        deepest = deepest.max(here);
        brackets = match bracket(node) {
            Some(true) => brackets + 1,
            Some(false) => brackets.saturating_sub(1),
            None => brackets,
        };
        if deepest.saturating_add(unread) > DEEP || brackets > MOST_BRACKETS {
            return None;
        }
        if cursor.goto_first_child() {
            here += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(deepest.saturating_add(unread));
            }
            here = here.saturating_sub(1);
        }
    }
}

/// Says of a token whether it opens or closes a bracket.
fn bracket(node: Node<'_>) -> Option<bool> {
    if node.is_named() {
        return None;
    }
    match node.kind() {
        "(" | "[" | "{" | "${" => Some(true),
        ")" | "]" | "}" => Some(false),
        _ => None,
    }
}
