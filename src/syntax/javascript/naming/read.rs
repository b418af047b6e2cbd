//! Asks oxc for the names of a file, by the kind of file that it is.

use oxc_parser::ParserReturn;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use tree_sitter::Tree;

use super::walker::ScriptWalker;
use crate::syntax::ScriptNames;
use crate::syntax::javascript::reader;

/// Returns the names of JavaScript, of a module or of a script, whichever the file can be; `None` where it does not parse.
pub(crate) fn javascript(tree: &Tree, source: &[u8]) -> Option<ScriptNames> {
    names(tree, source, SourceType::unambiguous().with_jsx(true))
        .or_else(|| names(tree, source, SourceType::mjs().with_jsx(true)))
}

/// Does that for TypeScript.
pub(crate) fn typescript(tree: &Tree, source: &[u8]) -> Option<ScriptNames> {
    names(tree, source, SourceType::ts())
}

/// Does that for a file of declarations.
pub(crate) fn declarations(tree: &Tree, source: &[u8]) -> Option<ScriptNames> {
    names(tree, source, SourceType::d_ts())
}

/// Does that for TypeScript with JSX.
pub(crate) fn tsx(tree: &Tree, source: &[u8]) -> Option<ScriptNames> {
    names(tree, source, SourceType::tsx())
}

fn names(tree: &Tree, source: &[u8], sort: SourceType) -> Option<ScriptNames> {
    reader::read(tree, source, sort, names_of)?
}

fn names_of(read: &ParserReturn<'_>) -> Option<ScriptNames> {
    if read.panicked || !read.diagnostics.is_empty() {
        return None;
    }
    let judged = SemanticBuilder::new().build(&read.program);
    Some(ScriptWalker::new(judged.semantic.scoping()).names(&read.program))
}
