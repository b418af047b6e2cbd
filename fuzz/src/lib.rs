//! What several fuzz targets share: the laws that a file's segments keep, whatever the file holds.

use segedit::path::RepoPath;
use segedit::resolve::{self, Document, Reading};
use segedit::snapshot::HashKind;
use segedit::syntax::{Outline, Symbol};
use segedit::text::Span;

/// Outlines `bytes` as the file `name` and holds every segment to its laws.
pub fn check_outline(name: &str, bytes: &[u8]) {
    let path = RepoPath::parse(name).expect("targets name plain paths");
    let document = Document::new(path, bytes.into(), HashKind::Sha1);
    check_symbols(document.outline(), bytes);
    check_addresses(&document);
    let lines = document.lines().count();
    let roles = document.roles().len();
    assert!(roles == 0 || roles >= lines.saturating_sub(1), "{roles} roles for {lines} lines");
}

/// Spans are in bounds, children inside their parents, and neighbours apart and in order.
fn check_symbols(outline: &Outline, bytes: &[u8]) {
    let mut pending: Vec<(&[Symbol], Span)> = vec![(&outline.symbols, Span::new(0, bytes.len()))];
    while let Some((symbols, around)) = pending.pop() {
        let mut end = around.start;
        for symbol in symbols {
            let whole = symbol.whole();
            assert!(around.contains(whole), "{} is not inside what is around it ({around:?})", shown(symbol));
            assert!(whole.start >= end, "{} begins ahead of {end}, where the one before it ends", shown(symbol));
            end = whole.end;
            assert!(symbol.definition.contains(symbol.signature), "the signature of {}", shown(symbol));
            for part in [symbol.body, symbol.docstring].into_iter().flatten() {
                assert!(symbol.definition.contains(part), "{part:?} of {}", shown(symbol));
            }
            let mut above = whole.start;
            for decoration in &symbol.decorations {
                assert!(decoration.span.start >= above, "the decorations of {}", shown(symbol));
                above = decoration.span.end;
            }
            assert!(above <= symbol.definition.start, "the decorations of {}", shown(symbol));
            pending.push((&symbol.children, whole));
        }
    }
}

/// Descriptions are in bounds, and no address stands for two segments.
fn check_addresses(document: &Document) {
    let segments = resolve::segments(&Reading::of(document));
    let mut addresses: Vec<&str> = segments.iter().map(|segment| segment.address.as_str()).collect();
    addresses.sort_unstable();
    let count = addresses.len();
    addresses.dedup();
    assert_eq!(addresses.len(), count, "two segments share an address");
    for segment in &segments {
        assert!(segment.start_byte <= segment.end_byte && segment.end_byte <= document.bytes.len(), "{segment:?}");
        assert!(1 <= segment.start_line && segment.start_line <= segment.end_line, "{segment:?}");
    }
}

fn shown(symbol: &Symbol) -> String {
    format!("{} `{}` at {:?}", symbol.kind, symbol.name, symbol.whole())
}
