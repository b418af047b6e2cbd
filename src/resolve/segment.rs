//! `Segment`: a found place, described for people and programs. `outline`, `show`, `find` and the report speak of it.

use super::document::Document;
use crate::snapshot::Id;
use crate::text::Span;

/// One named range of a file. The range covers whole lines when the segment has them to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// `path::segment`, unique in its file, fit to be pasted back.
    pub address: String,
    /// Its own name: the last component of a qualified name, the heading's text.
    pub name: String,
    /// `function`, `method`, `section`, …; `text`, `pattern`, `lines` or `file` for what has no name.
    pub kind: String,
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
    let lines = document.lines();
    let last = if span.is_empty() { span.start } else { span.end - 1 };
    Segment {
        address: match name.address {
            Some(address) => format!("{}::{address}", document.path),
            None => document.path.to_string(),
        },
        name: name.name.to_owned(),
        kind: kind.to_owned(),
        start_line: lines.line(span.start),
        end_line: lines.line(last),
        start_byte: span.start,
        end_byte: span.end,
        indent: document.indentation(span.start).len(),
        hash: Id::of_blob(document.hash, span.of(&document.bytes)).0,
        signature: name.signature.map(|signature| on_one_line(signature.of(&document.bytes))),
        parent: name.parent,
    }
}

/// Returns a header on one line, runs of blanks as one space.
fn on_one_line(header: &[u8]) -> String {
    String::from_utf8_lossy(header).split_whitespace().collect::<Vec<_>>().join(" ")
}
