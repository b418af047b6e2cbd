//! What CPython's compiler would refuse in a file: errors of the grammar, of the version, and those that only a look
//! at scopes finds (`return` outside a function, two parameters of one name, `nonlocal` of nothing).
//!
//! Not here: a literal beyond CPython's limits, and a file whose bytes are not in the encoding that it declares.

use ruff_python_ast::ModModule;
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;

use super::module::{TooDeep, parsed};
use super::scopes::{has_lazy_annotations, scope_errors};
use super::source::{SourceText, offset};
use super::tabs::inconsistent_indentation;
use crate::syntax::SyntaxError;

/// Returns the errors that CPython 3.`minor` would report, in file order.
pub(super) fn find_errors(text: &SourceText, minor: u8) -> Vec<SyntaxError> {
    match parsed(text.as_str(), minor, |module| {
        errors_in_module(text.as_str(), module, minor)
    }) {
        Ok(errors) => errors,
        Err(place) => vec![too_deep(place)],
    }
}

/// Returns the error of a file that cannot be parsed for its nesting.
pub(super) fn too_deep(TooDeep(offset): TooDeep) -> SyntaxError {
    SyntaxError {
        offset,
        message: "nested too deeply".to_owned(),
    }
}

/// Returns the errors of a file that was parsed for Python 3.`minor`.
pub(super) fn errors_in_module(
    text: &str,
    module: &Parsed<ModModule>,
    minor: u8,
) -> Vec<SyntaxError> {
    errors_in_part(
        text,
        module,
        minor,
        has_lazy_annotations(&module.syntax().body),
    )
}

/// Does what `found` does with a part of a file, in which annotations are evaluated late or at once.
pub(super) fn errors_in_part(
    text: &str,
    module: &Parsed<ModModule>,
    minor: u8,
    lazy_annotations: bool,
) -> Vec<SyntaxError> {
    let at = |ranged: &dyn Ranged, message: String| SyntaxError {
        offset: offset(ranged.start()),
        message,
    };
    let mut errors: Vec<SyntaxError> = module
        .errors()
        .iter()
        .map(|error| at(error, error.error.to_string()))
        .collect();
    errors.extend(
        module
            .unsupported_syntax_errors()
            .iter()
            .map(|error| at(error, error.to_string())),
    );
    if module.has_valid_syntax() {
        // In a tree with holes every second name would be in the wrong scope.
        errors.extend(scope_errors(text, module.syntax(), minor, lazy_annotations));
        errors.extend(inconsistent_indentation(text.as_bytes(), module.tokens()));
    }
    errors.sort_by_key(|error| error.offset);
    errors.dedup();
    errors
}
