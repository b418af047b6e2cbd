//! Where a definition says its name, and which definition is around a place.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{Scoped, Selector, SymbolSelector};
use crate::resolve::{Definition, Document, Found, Purpose, Reading, locate};
use crate::text::Span;

/// A definition that says its name in a place of its own.
pub(super) struct NamedDefinition<'r, 'd> {
    pub(super) definition: &'r Definition<'d>,
    /// Where its name is.
    pub(super) span: Span,
    pub(super) address: String,
}

impl<'r, 'd> NamedDefinition<'r, 'd> {
    /// Returns the definition that `symbol` names.
    pub(super) fn of(
        reading: &'r Reading<'d>,
        symbol: &SymbolSelector,
    ) -> Result<NamedDefinition<'r, 'd>, Diagnostic> {
        let document = reading.document;
        let selector = Scoped::from(Selector::Symbol(symbol.clone()));
        let (target, _) = locate(reading, &selector, None, Purpose::Edit)?;
        let definition = match target.found {
            Found::Definition(definition) => Some(definition),
            _ => None,
        };
        let span = definition.and_then(|definition| {
            let language = document.language?;
            language
                .grammar
                .name_place(&document.bytes, definition.symbol)
        });
        let (Some(definition), Some(span)) = (definition, span) else {
            let message = format!(
                "the name of `{}` stands in no place of its own",
                shown(&target.segment.address)
            );
            return Err(Diagnostic::new(Code::Unsupported, message));
        };
        Ok(NamedDefinition {
            definition,
            span,
            address: target.segment.address.clone(),
        })
    }
}

/// Returns the address of the innermost definition around a place; that of the file where there is none, or it is not read.
pub(super) fn address_around(reading: &Reading<'_>, span: Span) -> String {
    let document: &Document = reading.document;
    if document.too_large() {
        return document.path.to_string();
    }
    let all = reading.register().all().iter();
    let around = all.filter(|named| named.symbol.definition.contains(span));
    match around.min_by_key(|named| named.symbol.definition.len()) {
        Some(named) => format!("{}::{}", document.path, named.address()),
        None => document.path.to_string(),
    }
}
