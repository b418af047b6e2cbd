//! Changes the spans of a symbol, for code that was read elsewhere than it is.

use crate::syntax::Symbol;
use crate::text::Span;

/// Changes the spans of a symbol and of all inside of it.
pub(super) fn each_span(symbol: &mut Symbol, change: &mut dyn FnMut(&mut Span)) {
    change(&mut symbol.definition);
    change(&mut symbol.signature);
    symbol
        .decorations
        .iter_mut()
        .for_each(|decoration| change(&mut decoration.span));
    [
        &mut symbol.trailing,
        &mut symbol.body,
        &mut symbol.docstring,
    ]
    .into_iter()
    .flatten()
    .for_each(&mut *change);
    symbol
        .children
        .iter_mut()
        .for_each(|child| each_span(child, change));
}

/// Takes off what was put before the code of a symbol, `by` bytes.
pub(super) fn unwrap_spans(symbol: &mut Symbol, by: usize) {
    each_span(symbol, &mut |span| {
        *span = Span::new(span.start.saturating_sub(by), span.end.saturating_sub(by))
    });
}
