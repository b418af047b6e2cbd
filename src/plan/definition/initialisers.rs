//! What a constructor begins with, in its header: `: base(x)`, `: n(x), k(1)`. A header without any leaves those that are there.

use crate::resolve::{Definition, Reading};
use crate::text::Span;

/// Returns where the header of `named` ends that `content` takes the place of: ahead of the initialisers, unless the content brings some.
pub(super) fn header_end(
    reading: &Reading<'_>,
    named: &Definition<'_>,
    header: Span,
    content: &[u8],
) -> Option<usize> {
    let document = reading.document;
    let bytes = &document.bytes;
    let grammar = document.language?.grammar;
    let old = grammar.initialisers(bytes);
    let old = old
        .iter()
        .find(|it| named.symbol.signature.contains(**it) && header.contains(**it))?;
    let (before, behind) = (bytes.get(..header.start)?, bytes.get(header.end..)?);
    let new = [before, content, behind].concat();
    let written = Span::new(header.start, header.start + content.len());
    let brings = grammar
        .initialisers(&new)
        .iter()
        .any(|it| written.overlaps(*it));
    let ahead = bytes.get(header.start..old.start)?;
    (!brings).then(|| header.start + ahead.trim_ascii_end().len())
}
