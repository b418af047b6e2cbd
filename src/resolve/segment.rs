//! `Segment`: a found place, described for people and programs. `outline`, `show`, `find` and the report speak of it.

use std::borrow::Cow;

use super::document::{Document, LineSpan};
use super::named::Definition;
use crate::snapshot::Id;
use crate::text::Span;

/// One named range of a file. The range covers whole lines when the segment has them to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// `path::segment`, unique in its file, fit to be pasted back.
    pub address: String,
    /// How many bytes of the address are the path, in which `::` may stand too.
    pub path_length: usize,
    /// Its own name: the last component of a qualified name, the heading's text.
    pub name: String,
    /// `function`, `method`, `section`, …; `text`, `pattern`, `lines` or `file` for what has no name.
    pub kind: Cow<'static, str>,
    /// 1-based.
    pub start_line: usize,
    /// 1-based, included.
    pub end_line: usize,
    /// Byte offset.
    pub start_byte: usize,
    /// Byte offset after the last byte.
    pub end_byte: usize,
    /// Number of spaces and tabs ahead of the segment's first line.
    pub indent: usize,
    /// The git blob id of the segment's bytes.
    pub hash: String,
    /// The header on one line; a section's heading.
    pub signature: Option<String>,
    /// The qualified name (or heading) of the segment around it.
    pub parent: Option<String>,
}

impl Segment {
    /// Returns the path of its file.
    pub fn path(&self) -> &str {
        self.address
            .get(..self.path_length)
            .unwrap_or(&self.address)
    }

    /// Returns its address within the file; of what has none, its name.
    pub fn within_file(&self) -> &str {
        let behind = self.address.get(self.path_length..).unwrap_or_default();
        behind.strip_prefix("::").unwrap_or(&self.name)
    }
}

/// What a segment is called.
pub struct Name<'a> {
    /// The address within the file; `None` for a range outside every segment.
    pub address: Option<String>,
    /// Its own name.
    pub name: &'a str,
    /// The header.
    pub signature: Option<Span>,
    /// The qualified name of the segment around it.
    pub parent: Option<String>,
}

/// Describes `span` of `document`.
pub fn describe(document: &Document, span: Span, kind: &str, name: Name<'_>) -> Segment {
    let mut segment = placed(
        document,
        document.place(span),
        Cow::Owned(kind.to_owned()),
        name.address.as_deref(),
    );
    name.name.clone_into(&mut segment.name);
    segment.signature = name
        .signature
        .map(|signature| on_one_line(signature.of(&document.bytes)));
    segment.parent = name.parent;
    segment
}

/// Describes the segment `named`, which stands at `place` inside of `around`.
pub(super) fn of_named(
    document: &Document,
    place: LineSpan,
    named: &Definition<'_>,
    around: Option<&Definition<'_>>,
) -> Segment {
    let symbol = named.symbol;
    let kind = Cow::Borrowed(symbol.kind.as_str());
    let mut segment = placed(document, place, kind, Some(named.address_within()));
    segment.name.clone_from(&symbol.name);
    segment.signature = Some(on_one_line(symbol.signature.of(&document.bytes)));
    segment.parent = around.map(|around| around.qualified.clone());
    segment
}

/// Returns what stands at `place`, still without a name of its own.
fn placed(
    document: &Document,
    place: LineSpan,
    kind: Cow<'static, str>,
    address: Option<&str>,
) -> Segment {
    let LineSpan { span, first, last } = place;
    let path = document.path.as_str();
    let parts = [path, "::", address.unwrap_or_default()];
    Segment {
        address: parts[..if address.is_some() { 3 } else { 1 }].concat(),
        path_length: path.len(),
        name: String::new(),
        kind,
        start_line: first,
        end_line: last,
        start_byte: span.start,
        end_byte: span.end,
        indent: document.indentation_of_line(first).len(),
        hash: Id::of_blob(document.hash, span.of(&document.bytes)).0,
        signature: None,
        parent: None,
    }
}

/// Returns a header on one line, runs of blanks as one space.
fn on_one_line(header: &[u8]) -> String {
    let text = String::from_utf8_lossy(header);
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !text.starts_with(' ')
        && !text.ends_with(' ');
    if plain && !text.as_bytes().array_windows().any(|pair| pair == b"  ") {
        return text.into_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
