//! `Segment`: a found place, described for people and programs. `outline`, `show`, `find` and the report speak of it.

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
