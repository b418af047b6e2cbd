//! Reads what a file or a piece of one defines: by the parser where it parses, else as tree-sitter sees it.

use ruff_python_ast::ModModule;

use super::module::{self, NEWEST_MINOR};
use super::outline::{self, Scope};
use super::source::Text;
use super::{errors, recovered};
use crate::syntax::{Outline, SyntaxError};

/// Returns the errors that CPython 3.`minor` would report, in file order.
pub fn errors_of(source: &[u8], minor: u8) -> Vec<SyntaxError> {
    errors::errors(&Text::of(source), minor)
}

/// Returns the outline of a file that parses, else `None`.
pub fn parsed_outline(source: &[u8]) -> Option<Outline> {
    parsed(&Text::of(source), Scope::Module)
}

/// Returns the outline of any file as tree-sitter sees it.
pub fn recovered_outline(source: &[u8]) -> Outline {
    recovered::outline(&Text::of(source), Scope::Module)
}

/// Returns what a file or a piece of one defines.
pub(super) fn read(text: &Text, scope: Scope) -> Outline {
    parsed(text, scope).unwrap_or_else(|| recovered::outline(text, scope))
}

/// Returns what it defines if it parses.
pub(super) fn parsed(text: &Text, scope: Scope) -> Option<Outline> {
    module::parsed(text.as_str(), NEWEST_MINOR, |module| {
        outlined(text, module, scope)
    })
    .ok()
    .flatten()
}

/// Returns what a parsed file or piece of one defines, if it has no errors of syntax.
pub(super) fn outlined(
    text: &Text,
    module: &ruff_python_parser::Parsed<ModModule>,
    scope: Scope,
) -> Option<Outline> {
    module
        .has_valid_syntax()
        .then(|| outline::outline(text, module, scope))
}
