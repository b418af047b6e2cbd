//! The entries of a YAML file, made from the parser's events without recursion.
//!
//! The parser says where scalars and brackets are, and where an anchor and a tag do. Colons, the `-` of items and the
//! sign of a block of text are between those, with nothing but white space and comments around them, and are found by
//! looking there.

use std::collections::BTreeMap;

use serde_saphyr::granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, Span as Extent, options,
};

use super::marks::{next_word, sign_at, with_sign};
use crate::syntax::SyntaxError;
use crate::syntax::keys::{
    self, Anchor, CollectionKind, KeyEntry, KeyFormat, KeySegment, Tree, ValueForm,
};
use crate::text::Span;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 256;

const EXPLICIT: &str = "its key is written with a `?`";
const PAIR: &str = "it is a pair in a list, without braces";
const COMPLEX: &str = "its key is no plain word";

/// Returns the entries of a YAML text.
pub(crate) fn tree(text: &str) -> Result<Tree, SyntaxError> {
    read(text, Aliases::OfThisText).map(|reader| reader.tree)
}

/// Returns the entries of a piece of YAML, whose aliases may be of anchors elsewhere.
pub fn fragment(source: &[u8]) -> Result<Tree, SyntaxError> {
    let (text, shift) = keys::decoded(source)?;
    let reader = read(text, Aliases::Anywhere)?;
    Ok(reader.tree.shifted(shift))
}

/// Returns the comments of a YAML text; none when it cannot be read.
pub(super) fn comments_of(text: &str) -> Vec<Span> {
    read(text, Aliases::Anywhere)
        .map(|reader| reader.comments)
        .unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Aliases {
    OfThisText,
    Anywhere,
}

fn read(text: &str, aliases: Aliases) -> Result<YamlReader<'_>, SyntaxError> {
    let mut limits = options! {
        emit_anchor_events: true, emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH, block_nesting_limit: MAX_DEPTH,
    };
    limits.set_emit_comments(false);
    let mut reader = YamlReader::of(text);
    for next in Parser::new_from_str_with_options(text, limits) {
        let (event, extent) = next.map_err(|error| syntax_error(&error))?;
        if let (Event::UnresolvedAlias(name), Aliases::OfThisText) = (&event, aliases) {
            let message = format!("alias `*{name}` without an anchor ahead of it");
            return Err(SyntaxError {
                offset: range(&extent).start,
                message,
            });
        }
        reader.take(
            event,
            range(&extent),
            extent.tag_span().map(|tag| range(&tag)),
        );
    }
    reader.finish();
    Ok(reader)
}

fn syntax_error(error: &ScanError) -> SyntaxError {
    let offset = error.marker().byte_offset().unwrap_or(0);
    match error.kind() {
        ErrorKind::RecursionLimitExceeded => SyntaxError::too_deep(offset),
        _ => SyntaxError {
            offset,
            message: error.info().to_string(),
        },
    }
}

fn range(extent: &Extent) -> Span {
    extent
        .byte_range()
        .map_or(Span::at(0), |range| Span::new(range.start, range.end))
}

/// A collection that is still open.
struct OpenCollection {
    at: usize,
    sort: CollectionKind,
    flow: bool,
    /// Of a mapping: the key whose value is awaited.
    key: Option<PendingKey>,
    /// Depth of collections inside of a key that is one.
    inside_key: usize,
}

struct PendingKey {
    text: String,
    span: Span,
    start: usize,
    odd: Option<&'static str>,
}

struct YamlReader<'t> {
    text: &'t str,
    tree: Tree,
    open: Vec<OpenCollection>,
    /// End of the last word, bracket or mark.
    last: usize,
    words: Vec<Span>,
    comments: Vec<Span>,
    anchors: BTreeMap<usize, usize>,
    /// The entry that an anchor's event is of.
    latest: Option<usize>,
    documents: usize,
}

/// A node's own range and how it is written.
struct YamlNode {
    value: Span,
    tag: Option<Span>,
    form: ValueForm,
    text: Option<String>,
    anchor: usize,
}

impl<'t> YamlReader<'t> {
    fn of(text: &'t str) -> YamlReader<'t> {
        YamlReader {
            text,
            tree: Tree::default(),
            open: Vec::new(),
            last: 0,
            words: Vec::new(),
            comments: Vec::new(),
            anchors: BTreeMap::new(),
            latest: None,
            documents: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, at: Span, tag: Option<Span>) {
        match event {
            // One that is not written is placed wherever the parser has got to.
            Event::DocumentStart(..) | Event::DocumentEnd if !self.is_marker(at) => {}
            Event::DocumentStart(..) | Event::DocumentEnd => self.advance(at),
            Event::Anchor(_, name) => self.anchor(&name, at),
            Event::Alias(id) => {
                let name = self.slice(at).trim_start_matches('*').to_owned();
                let target = self.anchors.get(&id).copied();
                if let Some(anchor) =
                    target.and_then(|at| self.tree.entries.get_mut(at)?.anchor.as_mut())
                {
                    anchor.aliases.push(at);
                }
                self.node(YamlNode {
                    value: at,
                    tag: None,
                    form: ValueForm::Alias,
                    text: Some(name),
                    anchor: 0,
                });
            }
            Event::UnresolvedAlias(name) => {
                let text = Some(name.into_owned());
                self.node(YamlNode {
                    value: at,
                    tag: None,
                    form: ValueForm::Alias,
                    text,
                    anchor: 0,
                });
            }
            Event::Scalar(text, style, anchor, _) => {
                self.scalar(text.into_owned(), style, anchor, at, tag)
            }
            Event::SequenceStart(_, anchor, _) => self.start(CollectionKind::List, anchor, at, tag),
            Event::MappingStart(_, anchor, _) => self.start(CollectionKind::Map, anchor, at, tag),
            Event::SequenceEnd | Event::MappingEnd => self.end(at),
            _ => {}
        }
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn is_marker(&self, at: Span) -> bool {
        let word = self.slice(at);
        word.starts_with("---") || word.starts_with("...")
    }

    fn advance(&mut self, to: Span) {
        self.words.push(to);
        self.last = self.last.max(to.end);
    }

    fn scalar(
        &mut self,
        text: String,
        style: ScalarStyle,
        anchor: usize,
        at: Span,
        tag: Option<Span>,
    ) {
        let (value, form) = match style {
            ScalarStyle::Literal | ScalarStyle::Folded => (at, ValueForm::Text),
            ScalarStyle::Plain if at.is_empty() => (at, ValueForm::Nothing),
            ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => (
                Span::new(at.start, at.start + self.slice(at).trim_end().len()),
                ValueForm::Plain,
            ),
        };
        self.node(YamlNode {
            value,
            tag,
            form,
            text: Some(text),
            anchor,
        });
    }

    fn start(&mut self, sort: CollectionKind, anchor: usize, at: Span, tag: Option<Span>) {
        let flow = !at.is_empty();
        let form = if flow {
            ValueForm::Flow(sort)
        } else {
            ValueForm::Block(sort)
        };
        if let Some(open) = self
            .open
            .last_mut()
            .filter(|open| open.inside_key > 0 || open.awaits_key())
        {
            open.inside_key += 1;
            if open.inside_key == 1 {
                open.key = Some(PendingKey {
                    text: String::new(),
                    span: at,
                    start: at.start,
                    odd: Some(COMPLEX),
                });
            }
            self.last = self.last.max(at.end);
            // An anchor that follows is inside of the key, and of no entry.
            self.latest = None;
            return;
        }
        let Some(entry) = self.node(YamlNode {
            value: at,
            tag,
            form,
            text: None,
            anchor,
        }) else {
            return;
        };
        if !flow && sort == CollectionKind::Map && self.in_flow() {
            self.tree.entries[entry].odd = Some(PAIR);
        }
        self.open.push(OpenCollection {
            at: entry,
            sort,
            flow,
            key: None,
            inside_key: 0,
        });
    }

    fn in_flow(&self) -> bool {
        self.open.last().is_some_and(|open| open.flow)
    }

    fn end(&mut self, at: Span) {
        if let Some(open) = self.open.last_mut().filter(|open| open.inside_key > 0) {
            open.inside_key -= 1;
            if open.inside_key == 0
                && let Some(key) = &mut open.key
            {
                let end = at.end.max(self.last);
                key.span = Span::new(key.span.start, end);
                key.text = self
                    .text
                    .get(key.span.start..end)
                    .unwrap_or_default()
                    .trim()
                    .to_owned();
                self.last = end;
                self.colon();
            } else {
                self.last = self.last.max(at.end);
            }
            return;
        }
        let Some(open) = self.open.pop() else { return };
        if open.flow {
            self.advance(at);
        }
        let children = self.tree.entries[open.at].children.clone();
        let first = children
            .first()
            .and_then(|&child| self.tree.get(child))
            .map(|child| child.span.start);
        let last = children
            .iter()
            .filter_map(|&child| self.tree.get(child))
            .map(|child| child.span.end)
            .max();
        let entry = &mut self.tree.entries[open.at];
        entry.value = match (open.flow, first, last) {
            (true, ..) => Span::new(entry.value.start, at.end),
            (false, Some(first), Some(last)) => Span::new(first, last.max(first)),
            (false, ..) => entry.value,
        };
        entry.span = Span::new(entry.span.start, entry.value.end.max(entry.span.end));
        self.latest = None;
    }

    /// Takes a node as what comes next: a key, a value, an item or a document. Returns its entry.
    fn node(&mut self, node: YamlNode) -> Option<usize> {
        let inside_key = self.open.last().is_some_and(|open| open.inside_key > 0);
        if inside_key {
            self.words.push(node.value);
            self.last = self.last.max(node.value.end);
            return None;
        }
        if self.open.last().is_some_and(OpenCollection::awaits_key) {
            self.key(&node);
            return None;
        }
        let mut entry = self.begun(&node);
        let properties = node.tag.map_or(0, |tag| tag.end);
        if let Some(tag) = node.tag {
            self.advance(tag);
        }
        if entry.parent.is_none() && node.form == ValueForm::Text {
            // The sign is before what the parser names.
            entry.lead = self.last;
            let sign = sign_at(self.text, self.last.max(properties), node.value.start);
            entry.span = Span::at(sign.unwrap_or(entry.span.start).min(entry.span.start));
        }
        entry.lead = entry.lead.max(properties);
        let value = if node.form == ValueForm::Text {
            with_sign(self.text, node.value, entry.lead)
        } else {
            node.value
        };
        // Where nothing is written, the parser may name a place further down.
        let value = if node.form == ValueForm::Nothing {
            Span::at(entry.lead)
        } else {
            value
        };
        entry.value = value;
        entry.span = Span::new(
            entry.span.start,
            value.end.max(entry.lead).max(entry.span.end),
        );
        entry.form = node.form;
        entry.tag = node.tag;
        match node.form {
            ValueForm::Alias => entry.alias = node.text,
            ValueForm::Text => entry.text = self.ended(node.text, value),
            ValueForm::Plain if self.slice(value).contains('\n') => entry.text = node.text,
            _ => {}
        }
        let at = self.tree.push(entry);
        self.latest = Some(at);
        match node.form {
            ValueForm::Block(_) => {}
            ValueForm::Flow(_) => self.advance(node.value),
            ValueForm::Text => {
                self.words.push(Span::new(value.start, node.value.end));
                self.last = self.last.max(node.value.end);
            }
            ValueForm::Plain
            | ValueForm::Alias
            | ValueForm::Nothing
            | ValueForm::Table
            | ValueForm::Implied
            | ValueForm::Tables => {
                self.advance(value);
            }
        }
        if node.anchor > 0 {
            self.anchors.insert(node.anchor, at);
        }
        Some(at)
    }

    /// Returns what a block of text says: a line ending that the file does not have at its end is none of it.
    fn ended(&self, text: Option<String>, value: Span) -> Option<String> {
        let open = value.end == self.text.len() && !self.text.ends_with('\n');
        let sign = self.slice(value).lines().next().unwrap_or_default();
        let stripped = sign.split('#').next().unwrap_or_default().contains('-');
        text.map(|text| {
            if open && !stripped {
                text.strip_suffix('\n').unwrap_or(&text).to_owned()
            } else {
                text
            }
        })
    }

    /// Returns the entry that begins with a node: after its key, its marker or alone.
    fn begun(&mut self, node: &YamlNode) -> KeyEntry {
        let start = node
            .tag
            .map_or(node.value.start, |tag| tag.start.min(node.value.start));
        let Some(open) = self.open.last_mut() else {
            let number = self.documents;
            self.documents += 1;
            return KeyEntry::new(KeySegment::Item(number), None, Span::at(start));
        };
        let (parent, sort, flow) = (open.at, open.sort, open.flow);
        let number = self.tree.entries[parent].children.len();
        match (sort, open.key.take()) {
            (CollectionKind::Map, Some(key)) => {
                let mut entry = KeyEntry::new(
                    KeySegment::Key(key.text),
                    Some(parent),
                    Span::new(key.start, self.last),
                );
                entry.key = Some(key.span);
                entry.lead = self.last.max(key.span.end);
                entry.odd = key.odd;
                entry
            }
            (CollectionKind::List, _) | (CollectionKind::Map, None) => {
                let marker = (!flow).then(|| self.find(b'-', self.text.len())).flatten();
                let mut entry =
                    KeyEntry::new(KeySegment::Item(number), Some(parent), Span::at(start));
                if let Some(marker) = marker {
                    self.last = marker + 1;
                    entry = KeyEntry::new(
                        KeySegment::Item(number),
                        Some(parent),
                        Span::new(marker, marker + 1),
                    );
                    entry.key = Some(Span::new(marker, marker + 1));
                    entry.lead = marker + 1;
                }
                entry
            }
        }
    }

    fn key(&mut self, node: &YamlNode) {
        let explicit = self.find(b'?', node.value.start);
        let odd = match (explicit, node.form) {
            (Some(_), _) => Some(EXPLICIT),
            (None, ValueForm::Plain) => None,
            (None, _) => Some(COMPLEX),
        };
        let start = node
            .tag
            .map_or(node.value.start, |tag| tag.start.min(node.value.start));
        let start = explicit.unwrap_or(start);
        self.advance(node.value);
        let text = node.text.clone().unwrap_or_default();
        if let Some(open) = self.open.last_mut() {
            open.key = Some(PendingKey {
                text,
                span: node.value,
                start,
                odd,
            });
        }
        self.latest = None;
        self.colon();
    }

    /// Goes past the colon after a key, if there is one.
    fn colon(&mut self) {
        if let Some(colon) = self.find(b':', self.text.len()) {
            self.last = colon + 1;
        }
    }

    fn anchor(&mut self, name: &str, at: Span) {
        self.words.push(at);
        let Some(entry) = self
            .latest
            .take()
            .and_then(|latest| self.tree.entries.get_mut(latest))
        else {
            return;
        };
        entry.anchor = Some(Anchor {
            name: name.to_owned(),
            aliases: Vec::new(),
        });
        let before = entry.lead;
        entry.lead = entry.lead.max(at.end);
        entry.span = Span::new(entry.span.start.min(at.start), entry.span.end.max(at.end));
        if matches!(entry.form, ValueForm::Nothing) {
            entry.value = Span::at(entry.lead);
        }
        if entry.form == ValueForm::Text && entry.value.start < at.end {
            let end = entry.value.end;
            let sign = sign_at(self.text, at.end, end);
            entry.value = Span::new(sign.unwrap_or(before.max(at.end)), end);
        }
        self.last = self.last.max(at.end);
    }

    /// Returns where `mark` is as the next thing that is neither white space nor a comment, before `limit`.
    fn find(&self, mark: u8, limit: usize) -> Option<usize> {
        let at = next_word(self.text.as_bytes(), self.last, limit)?;
        (self.text.as_bytes().get(at) == Some(&mark)).then_some(at)
    }

    fn finish(&mut self) {
        self.words.retain(|word| !word.is_empty());
        self.words.sort();
        // What is inside of a block of text or a scalar is not looked into, brackets are.
        self.comments = keys::comments(self.text.as_bytes(), &self.words, KeyFormat::Yaml);
        keys::lines_above(&mut self.tree, self.text.as_bytes(), &self.comments);
        let column =
            |offset: usize| offset - self.text[..offset].rfind('\n').map_or(0, |line| line + 1);
        for entry in &mut self.tree.entries {
            // What is indented deeper belongs to what is above.
            if !entry.comments.is_empty() {
                let own = column(entry.span.start);
                let deeper = entry
                    .comments
                    .iter()
                    .rposition(|comment| column(comment.start) > own);
                entry
                    .comments
                    .drain(..deeper.map_or(0, |deeper| deeper + 1));
            }
            let marked = entry.key.is_some() && entry.odd.is_none();
            if marked && entry.span.start > entry.lead {
                entry.odd = Some(COMPLEX);
            }
        }
    }
}

impl OpenCollection {
    fn awaits_key(&self) -> bool {
        self.sort == CollectionKind::Map && self.key.is_none()
    }
}
