//! What an engine or TypeScript's compiler refuses before it runs anything: what does not parse, and the standard's early errors,
//! such as a name declared twice or `await` in a function that is not asynchronous. Read by oxc, whose verdicts are held to the
//! standard's own tests; tree-sitter, which the segments are from, takes more than the language has.
//!
//! Known limits: whether a name exists, a type fits or a module has what is imported, nobody looks at here. A file in Flow,
//! one that is not UTF-8, and one that nests deeper than anybody writes is judged by tree-sitter alone.

mod declared;

use oxc_allocator::Allocator;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use tree_sitter::{Node, Tree};

use crate::syntax::SyntaxError;

/// Levels of a tree that any thread's stack can bear: oxc takes some two kilobytes for each.
const SHALLOW: u32 = 250;
/// Levels that a thread with `DEEP_STACK` can bear.
const DEEP: u32 = 20_000;
const DEEP_STACK: usize = 128 << 20;
/// Brackets in one another, past which the time to read them grows with the cube of their number.
const MOST_BRACKETS: usize = 400;

/// Returns the errors of JavaScript, of a module or of a script, whichever the file can be; `own` are those of the tree.
pub fn javascript(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let either = errors(tree, source, SourceType::unambiguous().with_jsx(true));
    let found = match either {
        // A module that neither imports nor exports, and awaits.
        Some(errors_of_script) if !errors_of_script.is_empty() => {
            let as_module = errors(tree, source, SourceType::mjs().with_jsx(true));
            as_module.filter(Vec::is_empty).or(Some(errors_of_script))
        }
        either => either,
    };
    match found {
        // Of what neither can read, the tree tells more: which bracket is open, and what else is wrong further down.
        Some(found) if own.is_empty() || found.is_empty() => found,
        _ => own,
    }
}

/// Returns the errors of TypeScript; `own` are those of the tree.
pub fn typescript(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    of_program(tree, source, own, SourceType::ts())
}

/// Does that for a file of declarations.
pub fn declarations(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    of_types(tree, source, own, SourceType::d_ts())
}

/// Does that for TypeScript with JSX.
pub fn tsx(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    of_program(tree, source, own, SourceType::tsx())
}

/// Of types oxc passes over some things that are none, such as `a: b c` in an interface: what the tree has errors in has errors.
fn of_types(tree: &Tree, source: &[u8], own: Vec<SyntaxError>, sort: SourceType) -> Vec<SyntaxError> {
    if !own.is_empty() {
        return own;
    }
    errors(tree, source, sort).unwrap_or_default()
}

fn of_program(tree: &Tree, source: &[u8], own: Vec<SyntaxError>, sort: SourceType) -> Vec<SyntaxError> {
    let found = of_types(tree, source, own, sort);
    if found.is_empty() { declared::contradictions(tree, source) } else { found }
}

/// Returns the errors that oxc finds; `None` where it cannot tell.
fn errors(tree: &Tree, source: &[u8], sort: SourceType) -> Option<Vec<SyntaxError>> {
    let text = std::str::from_utf8(source).ok()?;
    if depth(tree)? > SHALLOW {
        return on_deep_stack(text, sort);
    }
    // Should the reader of others fail, we know as much as without it.
    std::panic::catch_unwind(|| read(text, sort)).ok()?
}

fn read(text: &str, sort: SourceType) -> Option<Vec<SyntaxError>> {
    let allocator = Allocator::default();
    // A module of CommonJS is the body of a function.
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: sort.is_javascript(),
        ..ParseOptions::default()
    };
    let read = Parser::new(&allocator, text, sort).with_options(options).parse();
    if read.is_flow_language {
        return None;
    }
    let mut found: Vec<SyntaxError> = read.diagnostics.iter().map(syntax_error).collect();
    if !read.panicked {
        let judged = SemanticBuilder::new().with_check_syntax_error(true).build(&read.program);
        found.extend(judged.diagnostics.iter().map(syntax_error));
    }
    found.sort_by_key(|error| error.offset);
    Some(found)
}

fn on_deep_stack(text: &str, sort: SourceType) -> Option<Vec<SyntaxError>> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, move || read(text, sort));
        thread.ok()?.join().ok()?
    })
}

fn syntax_error(error: &OxcDiagnostic) -> SyntaxError {
    // Where two places are shown, the later one is the repetition.
    let offset = error.labels.iter().map(|label| label.offset() as usize).max().unwrap_or(0);
    SyntaxError { offset, message: error.message.trim_end_matches('.').to_owned() }
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

#[cfg(test)]
mod tests;
