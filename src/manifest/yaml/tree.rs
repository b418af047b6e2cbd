//! YAML as a tree of words with their places. Home of serde-saphyr, of which only its event parser is used.
//!
//! Operation files come from strangers, so the tree is built from events, without recursion, under limits, and from
//! a small YAML: no anchors, aliases, merge keys or tags, one document, no key twice. Every such complaint is
//! collected; only an error of grammar or of size ends the reading. JSON is YAML, and so accepted.
//!
//! Deriving serde structs straight from the file was not taken: serde stops at its first complaint, and turns
//! `file: no` into a boolean before anybody can ask how it was written.

use std::collections::HashMap;

use serde_saphyr::granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, Span as Extent, options,
};

use crate::diagnostic::{Code, Diagnostic, PlanPlace, shown};
use crate::text::{BOM, Lines};

/// Most bytes in a file.
pub const MAX_BYTES: usize = 8 << 20;

/// Deepest nesting of lists and mappings; the deepest valid file needs five.
pub const MAX_DEPTH: usize = 16;

/// Most words, lists and mappings in a file, keys counted.
pub const MAX_NODES: usize = 350_000;

/// Most complaints about one file; a person reads no further.
pub const MAX_COMPLAINTS: usize = 100;

/// A word, a list or a mapping, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct ManifestNode {
    /// The place of all of it.
    pub place: PlanPlace,
    /// What it is.
    pub value: ManifestValue,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum ManifestValue {
    /// A scalar, as text whatever it looks like.
    Word {
        /// The text, escapes and folding undone.
        text: String,
        /// How it was written.
        style: NodeStyle,
    },
    /// Nothing, where a value could stand.
    Nothing,
    /// A list.
    List(Vec<ManifestNode>),
    /// A mapping in the file's order; keys are words and differ.
    Map(Vec<(ManifestKey, ManifestNode)>),
    /// Something already complained about.
    Refused,
}

/// How a scalar was written: quotes make `12` or `true` text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeStyle {
    /// Without quotes, on one or more lines.
    Plain,
    /// In quotes.
    Quoted,
    /// As a block (`|` or `>`).
    Block,
}

/// A key of a mapping.
#[derive(Clone, Debug)]
pub(crate) struct ManifestKey {
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub place: PlanPlace,
}

impl ManifestValue {
    /// Returns what messages call this sort of value.
    pub(crate) fn sort(&self) -> &'static str {
        match self {
            ManifestValue::Word { .. } => "text",
            ManifestValue::Nothing => "nothing",
            ManifestValue::List(_) => "a list",
            ManifestValue::Map(_) => "a mapping",
            ManifestValue::Refused => "something refused",
        }
    }
}

/// Complaints about one file, at most `MAX_COMPLAINTS` of them.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    found: Vec<Diagnostic>,
    left_out: usize,
    /// The operation that they are about.
    operation: Option<usize>,
}

impl Complaints {
    /// Returns none yet, about the operation at `index`.
    pub(crate) fn of_operation(index: usize) -> Complaints {
        Complaints {
            operation: Some(index),
            ..Complaints::default()
        }
    }

    /// Adds one, unless there are too many.
    pub(crate) fn add(&mut self, mut complaint: Diagnostic) {
        complaint.operation = self.operation;
        if self.found.len() < MAX_COMPLAINTS {
            self.found.push(complaint)
        } else {
            self.left_out += 1
        }
    }

    /// Adds those of `other`, as they are.
    pub(crate) fn append(&mut self, other: Complaints) {
        let room = MAX_COMPLAINTS.saturating_sub(self.found.len());
        self.left_out += other.left_out + other.found.len().saturating_sub(room);
        self.found.extend(other.found.into_iter().take(room));
    }

    /// Returns how many there are, those left out included.
    pub(crate) fn count(&self) -> usize {
        self.found.len() + self.left_out
    }

    /// Returns them in the order of their places.
    pub(crate) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by(|one, other| one.place.cmp(&other.place));
        if let Some(last) = self.found.last_mut().filter(|_| self.left_out > 0) {
            last.notes.push(format!(
                "{} further complaints are not shown",
                self.left_out
            ));
        }
        self.found
    }
}

/// Returns the tree of a file's only document; `None` when there is none to be had, with the reason in
/// `complaints`.
pub(crate) fn parse(bytes: &[u8], complaints: &mut Complaints) -> Option<ManifestNode> {
    let text = decode(bytes)
        .map_err(|refusal| complaints.add(*refusal))
        .ok()?;
    let shift = bytes.len() - text.len();
    match (Builder {
        shift,
        depth: 0,
        nodes: 0,
        text,
        complaints,
    })
    .document()
    {
        Ok(Some(root)) => Some(root),
        Ok(None) => {
            complaints.add(Diagnostic::new(Code::Malformed, "the file is empty"));
            None
        }
        Err(refusal) => {
            complaints.add(*refusal);
            None
        }
    }
}

/// Returns the file as text without its byte-order mark, or why it cannot be one.
fn decode(bytes: &[u8]) -> Result<&str, Box<Diagnostic>> {
    if bytes.len() > MAX_BYTES {
        let message = format!(
            "the file has {} bytes; at most {MAX_BYTES} are read",
            bytes.len()
        );
        let refusal =
            Diagnostic::new(Code::TooLarge, message).note("split the batch over several files");
        return Err(Box::new(refusal.at(Some(&place_of(bytes, MAX_BYTES)))));
    }
    let refuse = |offset: usize, message: String, hint: String| {
        Box::new(
            Diagnostic::new(Code::Malformed, message)
                .note(hint)
                .at(Some(&place_of(bytes, offset))),
        )
    };
    let hint = "save it as UTF-8";
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let message = "the file is UTF-16: byte 0 begins its byte-order mark";
        return Err(refuse(0, message.to_owned(), hint.to_owned()));
    }
    let body = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let shift = bytes.len() - body.len();
    let text = std::str::from_utf8(body).map_err(|error| {
        let offset = shift + error.valid_up_to();
        refuse(
            offset,
            format!("the file is not UTF-8: byte {offset} begins no character"),
            hint.to_owned(),
        )
    })?;
    // YAML admits no control characters as they are; a parser that takes NUL for the end would drop what follows.
    let odd = text
        .bytes()
        .enumerate()
        .find(|&(_, byte)| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r'));
    let Some((at, byte)) = odd else {
        return Ok(text);
    };
    let offset = at + shift;
    let message = format!("the file holds the control character U+{byte:04X} at byte {offset}");
    let hint = match byte {
        0 => "a file with NUL characters is UTF-16 or binary; save it as UTF-8".to_owned(),
        _ => format!("write it as \"\\x{byte:02x}\" in double quotes"),
    };
    Err(refuse(offset, message, hint))
}

/// Returns the place of the byte at `offset`, for a file that could not be parsed.
fn place_of(bytes: &[u8], offset: usize) -> PlanPlace {
    let lines = Lines::of(bytes);
    let line = lines.line(offset);
    let ahead = bytes.get(lines.start(line)..offset).unwrap_or_default();
    let ahead = ahead.strip_prefix(BOM).unwrap_or(ahead);
    let column = String::from_utf8_lossy(ahead).chars().count() + 1;
    PlanPlace {
        line,
        column,
        start: offset,
        end: (offset + 1).min(bytes.len()),
    }
}

/// A list or mapping that is still open.
enum Open {
    List(PlanPlace, Vec<ManifestNode>),
    Map {
        place: PlanPlace,
        entries: Vec<(ManifestKey, ManifestNode)>,
        lines: HashMap<String, usize>,
        key: PendingNode,
    },
}

/// What the next node of a mapping is.
enum PendingNode {
    /// A key.
    Key,
    /// The value of this key.
    Value(ManifestKey),
    /// The value of a key that was refused.
    Dropped,
}

struct Builder<'text, 'complaints> {
    text: &'text str,
    /// Bytes of the file ahead of the text: its byte-order mark.
    shift: usize,
    depth: usize,
    nodes: usize,
    complaints: &'complaints mut Complaints,
}

impl Builder<'_, '_> {
    fn document(mut self) -> Result<Option<ManifestNode>, Box<Diagnostic>> {
        let mut limits = options! {
            emit_anchor_events: true, emit_unresolved_aliases: true,
            // The scanner runs ahead of the events, so its own limits are wider: the place named is then ours.
            flow_nesting_limit: 2 * MAX_DEPTH, block_nesting_limit: 2 * MAX_DEPTH,
        };
        limits.set_emit_comments(false);
        let mut root = None;
        let mut open: Vec<Open> = Vec::new();
        let mut documents = 0;
        for next in Parser::new_from_str_with_options(self.text, limits) {
            let (event, extent) = next.map_err(|error| self.grammar(&error))?;
            let done = match event {
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 {
                        return Err(self
                            .refuse(&extent, "the file holds a second document")
                            .into());
                    }
                    continue;
                }
                Event::Anchor(..) => {
                    self.complain(&extent, "anchors are not taken here");
                    continue;
                }
                Event::Alias(_) | Event::UnresolvedAlias(_) => {
                    self.complain(&extent, "aliases are not taken here");
                    ManifestNode {
                        place: self.place(&extent),
                        value: ManifestValue::Refused,
                    }
                }
                Event::Scalar(text, style, _, tag) => {
                    let tagged = self.refuse_tag(tag.is_some(), &extent);
                    self.scalar(&text, style, tagged, &extent)
                }
                Event::SequenceStart(_, _, tag) => {
                    self.refuse_tag(tag.is_some(), &extent);
                    self.deeper(&extent)?;
                    open.push(Open::List(self.place(&extent), Vec::new()));
                    continue;
                }
                Event::MappingStart(_, _, tag) => {
                    self.refuse_tag(tag.is_some(), &extent);
                    self.deeper(&extent)?;
                    let place = self.place(&extent);
                    open.push(Open::Map {
                        place,
                        entries: Vec::new(),
                        lines: HashMap::new(),
                        key: PendingNode::Key,
                    });
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    self.depth = self.depth.saturating_sub(1);
                    let Some(closed) = open.pop() else { continue };
                    self.closed(closed, &extent)
                }
                _ => continue,
            };
            self.count(&done.place)?;
            match open.last_mut() {
                None => root = Some(done),
                Some(Open::List(_, items)) => items.push(done),
                Some(Open::Map {
                    entries,
                    lines,
                    key,
                    ..
                }) => self.enter(done, entries, lines, key),
            }
        }
        Ok(root)
    }

    /// Takes the next node of a mapping, a key or a value.
    fn enter(
        &mut self,
        node: ManifestNode,
        entries: &mut Vec<(ManifestKey, ManifestNode)>,
        lines: &mut HashMap<String, usize>,
        pending: &mut PendingNode,
    ) {
        *pending = match std::mem::replace(pending, PendingNode::Key) {
            PendingNode::Value(key) => {
                // A value that is not written stands nowhere; its key shows what is meant.
                let unwritten = matches!(node.value, ManifestValue::Nothing)
                    && node.place.start == node.place.end;
                let node = if unwritten {
                    ManifestNode {
                        place: key.place.clone(),
                        ..node
                    }
                } else {
                    node
                };
                entries.push((key, node));
                PendingNode::Key
            }
            PendingNode::Dropped => PendingNode::Key,
            PendingNode::Key => match self.key(node, lines) {
                Some(key) => PendingNode::Value(key),
                None => PendingNode::Dropped,
            },
        };
    }

    /// Returns `node` as a key that the mapping does not have yet; complains otherwise.
    fn key(
        &mut self,
        node: ManifestNode,
        lines: &mut HashMap<String, usize>,
    ) -> Option<ManifestKey> {
        let place = node.place;
        let complaint = match node.value {
            ManifestValue::Word {
                text,
                style: NodeStyle::Plain,
            } if text == "<<" => Diagnostic::new(Code::Malformed, "merge keys are not taken here"),
            ManifestValue::Word { text, .. } => match lines.get(&text) {
                None => {
                    lines.insert(text.clone(), place.line);
                    return Some(ManifestKey { text, place });
                }
                Some(first) => {
                    let message = format!(
                        "key `{}` stands twice: on line {first} and on line {}",
                        shown(&text),
                        place.line
                    );
                    Diagnostic::new(Code::Malformed, message)
                }
            },
            ManifestValue::Refused => return None,
            value @ (ManifestValue::Nothing | ManifestValue::List(_) | ManifestValue::Map(_)) => {
                Diagnostic::new(
                    Code::Malformed,
                    format!("a key must be a word, not {}", value.sort()),
                )
            }
        };
        self.complaints.add(complaint.at(Some(&place)));
        None
    }

    fn scalar(
        &self,
        text: &str,
        style: ScalarStyle,
        tagged: bool,
        extent: &Extent,
    ) -> ManifestNode {
        let place = self.place(extent);
        let style = match style {
            ScalarStyle::Plain => NodeStyle::Plain,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => NodeStyle::Quoted,
            ScalarStyle::Literal | ScalarStyle::Folded => NodeStyle::Block,
        };
        let nothing =
            style == NodeStyle::Plain && matches!(text, "" | "~" | "null" | "Null" | "NULL");
        let value = match () {
            () if tagged => ManifestValue::Refused,
            () if nothing => ManifestValue::Nothing,
            () => ManifestValue::Word {
                text: text.to_owned(),
                style,
            },
        };
        ManifestNode { place, value }
    }

    /// Returns a closed list or mapping, from its first child or bracket to its last.
    fn closed(&self, closed: Open, extent: &Extent) -> ManifestNode {
        let bracket = self.place(extent);
        let reach = |mut place: PlanPlace, last: Option<&PlanPlace>| {
            // In block style the end is where the next thing begins, lines further down.
            let end = if bracket.start < bracket.end {
                bracket.end
            } else {
                last.map_or(place.end, |last| last.end)
            };
            place.end = place.end.max(end);
            place
        };
        match closed {
            Open::List(place, items) => ManifestNode {
                place: reach(place, items.last().map(|item| &item.place)),
                value: ManifestValue::List(items),
            },
            Open::Map { place, entries, .. } => {
                let last = entries.last().map(|(key, value)| {
                    if value.place.end > key.place.end {
                        &value.place
                    } else {
                        &key.place
                    }
                });
                ManifestNode {
                    place: reach(place, last),
                    value: ManifestValue::Map(entries),
                }
            }
        }
    }

    fn deeper(&mut self, extent: &Extent) -> Result<(), Box<Diagnostic>> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            Ok(())
        } else {
            Err(self.too_deep(self.place(extent)).into())
        }
    }

    fn too_deep(&self, place: PlanPlace) -> Diagnostic {
        let message = format!("the file is nested more than {MAX_DEPTH} deep");
        Diagnostic::new(Code::TooLarge, message).at(Some(&place))
    }

    fn count(&mut self, place: &PlanPlace) -> Result<(), Box<Diagnostic>> {
        self.nodes += 1;
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        let message = format!("the file holds more than {MAX_NODES} words, lists and mappings");
        Err(Box::new(
            Diagnostic::new(Code::TooLarge, message).at(Some(place)),
        ))
    }

    fn refuse_tag(&mut self, tagged: bool, extent: &Extent) -> bool {
        if tagged {
            let extent = extent.tag_span().unwrap_or(*extent);
            self.complain(&extent, "tags are not taken here");
        }
        tagged
    }

    fn complain(&mut self, extent: &Extent, message: &str) {
        let complaint = self.refuse(extent, message);
        self.complaints.add(complaint);
    }

    fn refuse(&self, extent: &Extent, message: &str) -> Diagnostic {
        Diagnostic::new(Code::Malformed, message).at(Some(&self.place(extent)))
    }

    /// Returns where a node stands; white space behind it is not part of it.
    fn place(&self, extent: &Extent) -> PlanPlace {
        let range = extent.byte_range().unwrap_or_default();
        let written = self.text.get(range.clone()).unwrap_or_default().trim_end();
        PlanPlace {
            line: extent.start.line(),
            column: extent.start.col() + 1,
            start: range.start + self.shift,
            end: range.start + written.len() + self.shift,
        }
    }

    fn grammar(&self, error: &ScanError) -> Box<Diagnostic> {
        let tab = matches!(
            error.kind(),
            ErrorKind::TabInBlockIndentation
                | ErrorKind::TabInIndentation
                | ErrorKind::TabNotAllowed
        );
        let place = self.place_of_error(error, tab);
        let diagnostic = match error.kind() {
            ErrorKind::RecursionLimitExceeded => return Box::new(self.too_deep(place)),
            _ if tab => {
                Diagnostic::new(Code::Malformed, "a tab stands where YAML wants indentation")
                    .note("indent with spaces")
            }
            ErrorKind::InvalidQuotedScalarIndent | ErrorKind::UnclosedQuotedScalar => {
                Diagnostic::new(Code::Malformed, format!("not YAML: {}", error.info()))
                    .note("a quote that was opened above may be missing its end")
            }
            _ => Diagnostic::new(
                Code::Malformed,
                format!("not YAML: {}", shown(&error.info())),
            ),
        };
        Box::new(diagnostic.at(Some(&place)))
    }

    /// Returns where the scanner stopped; it stops behind the tabs that it refuses.
    fn place_of_error(&self, error: &ScanError, tab: bool) -> PlanPlace {
        let marker = error.marker();
        let stopped = marker.byte_offset().unwrap_or(0).min(self.text.len());
        let ahead = self.text.get(..stopped).unwrap_or_default();
        let back = if tab {
            ahead.len() - ahead.trim_end_matches('\t').len()
        } else {
            0
        };
        let width = self
            .text
            .get(stopped..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
        PlanPlace {
            line: marker.line(),
            column: (marker.col() + 1).saturating_sub(back).max(1),
            start: stopped.saturating_sub(back) + self.shift,
            end: stopped + width + self.shift,
        }
    }
}

/// Returns the place of a mapping's first key: where to point when something is missing in it.
pub(crate) fn first_word(node: &ManifestNode) -> PlanPlace {
    match &node.value {
        ManifestValue::Map(entries) => entries
            .first()
            .map_or(&node.place, |(key, _)| &key.place)
            .clone(),
        _ => node.place.clone(),
    }
}
