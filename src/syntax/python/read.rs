//! Reads what a file or a piece of one defines: by the parser where it parses, else as tree-sitter sees it.

use ruff_python_ast::ModModule;

use super::module::{self, NEWEST_MINOR};
use super::outline::{self, StatementScope};
use super::source::SourceText;
use super::{errors, recovered};
use crate::syntax::{Outline, SyntaxError};

/// Returns the errors that CPython 3.`minor` would report, in file order.
pub fn errors_of(source: &[u8], minor: u8) -> Vec<SyntaxError> {
    errors::find_errors(&SourceText::of(source), minor)
}

/// Returns the outline of a file that parses, else `None`.
pub fn parsed_outline(source: &[u8]) -> Option<Outline> {
    parsed(&SourceText::of(source), StatementScope::Module)
}

/// Returns the outline of any file as tree-sitter sees it.
pub fn recovered_outline(source: &[u8]) -> Outline {
    recovered::outline(&SourceText::of(source), StatementScope::Module)
}

/// Returns what a file or a piece of one defines.
pub(super) fn read(text: &SourceText, scope: StatementScope) -> Outline {
    parsed(text, scope).unwrap_or_else(|| recovered::outline(text, scope))
}

/// Returns what it defines if it parses.
pub(super) fn parsed(text: &SourceText, scope: StatementScope) -> Option<Outline> {
    module::parsed(text.as_str(), NEWEST_MINOR, |module| {
        outlined(text, module, scope)
    })
    .ok()
    .flatten()
}

/// Returns what a parsed file or piece of one defines, if it has no errors of syntax.
pub(super) fn outlined(
    text: &SourceText,
    module: &ruff_python_parser::Parsed<ModModule>,
    scope: StatementScope,
) -> Option<Outline> {
    module
        .has_valid_syntax()
        .then(|| outline::outline(text, module, scope))
}
