//! Asks oxc for the errors of a file, and the tree where oxc cannot say.

use oxc_diagnostics::OxcDiagnostic;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use tree_sitter::Tree;

use super::{declared, remarks};
use crate::syntax::SyntaxError;
use crate::syntax::javascript::reader;

/// Returns the errors of JavaScript, of a module or of a script, whichever the file can be; `own` are those of the tree.
pub(crate) fn javascript(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
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
        // Of what neither can read, the tree says more: which bracket is open, and what else is wrong further down.
        Some(found) if found.is_empty() => remarks::shown(tree, source),
        Some(found) if own.is_empty() => found,
        _ => own,
    }
}

/// Returns the errors of TypeScript; `own` are those of the tree.
pub(crate) fn typescript(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    of_program(tree, source, own, SourceType::ts())
}

/// Does that for a file of declarations.
pub(crate) fn declarations(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    of_types(tree, source, own, SourceType::d_ts())
}

/// Does that for TypeScript with JSX.
pub(crate) fn tsx(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let found = of_program(tree, source, own, SourceType::tsx());
    if found.is_empty() {
        remarks::shown(tree, source)
    } else {
        found
    }
}

/// Of types oxc passes over some things that are none, such as `a: b c` in an interface: what the tree has errors in has errors.
fn of_types(
    tree: &Tree,
    source: &[u8],
    own: Vec<SyntaxError>,
    sort: SourceType,
) -> Vec<SyntaxError> {
    if !own.is_empty() {
        return own;
    }
    errors(tree, source, sort).unwrap_or_default()
}

fn of_program(
    tree: &Tree,
    source: &[u8],
    own: Vec<SyntaxError>,
    sort: SourceType,
) -> Vec<SyntaxError> {
    let found = of_types(tree, source, own, sort);
    if found.is_empty() {
        declared::contradictions(tree, source)
    } else {
        found
    }
}

/// Returns the errors that oxc finds; `None` where it cannot say.
fn errors(tree: &Tree, source: &[u8], sort: SourceType) -> Option<Vec<SyntaxError>> {
    reader::read(tree, source, sort, |read| {
        let mut found: Vec<SyntaxError> = read.diagnostics.iter().map(syntax_error).collect();
        if !read.panicked {
            let judged = SemanticBuilder::new()
                .with_check_syntax_error(true)
                .build(&read.program);
            found.extend(judged.diagnostics.iter().map(syntax_error));
        }
        found.sort_by_key(|error| error.offset);
        found
    })
}

fn syntax_error(error: &OxcDiagnostic) -> SyntaxError {
    // Where two places are shown, the later one is the repetition.
    let offset = error
        .labels
        .iter()
        .map(|label| label.offset() as usize)
        .max()
        .unwrap_or(0);
    SyntaxError {
        offset,
        message: error.message.trim_end_matches('.').to_owned(),
    }
}
