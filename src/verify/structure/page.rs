//! `Page`: the elements of a page as its structure is compared, and `Moves`: where they are in the new one.

use std::collections::HashMap;

use crate::diagnostic::Excerpt;
use crate::plan::FileEdit;
use crate::syntax::html::{Attribute, Dom, HtmlElement};
use crate::text::splice::Splices;
use crate::text::{Lines, Span};

/// Elements that a page has once and does not lose.
pub(super) const FRAME: [&str; 3] = ["html", "head", "body"];

pub(super) struct PageTree<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) dom: &'b Dom,
}

/// Where what no splice touches stands afterwards.
pub(super) struct MovedSpans {
    /// The old ranges and the new ones, in order.
    pub(super) splices: Option<Vec<(Span, Span)>>,
}

impl MovedSpans {
    pub(super) fn of(splices: Option<&Splices>) -> MovedSpans {
        MovedSpans {
            splices: splices.map(|splices| {
                splices
                    .with_new_spans()
                    .map(|(splice, new)| (splice.span, new))
                    .collect()
            }),
        }
    }

    /// Returns where `span` begins afterwards; `None` when a splice touches it.
    pub(super) fn start(&self, span: Span) -> Option<usize> {
        let splices = self.splices.as_ref()?;
        let ahead = splices.partition_point(|(old, _)| old.end <= span.start);
        if splices
            .get(ahead)
            .is_some_and(|(old, _)| old.start < span.end)
        {
            return None;
        }
        let shifted = ahead.checked_sub(1).and_then(|last| splices.get(last));
        Some(shifted.map_or(span.start, |(old, new)| span.start - old.end + new.end))
    }

    /// Says whether a splice takes or puts something within `span` of the old file.
    pub(super) fn reaches(&self, span: Span) -> bool {
        let splices = self.splices.as_deref().unwrap_or_default();
        let from = splices.partition_point(|(old, _)| old.end <= span.start);
        splices
            .get(from)
            .is_some_and(|(old, _)| old.start < span.end)
    }

    /// Says whether a splice wrote any of `span` of the new file, or took something out of it.
    pub(super) fn touched(&self, span: Span) -> bool {
        let touches = |new: &Span| match new.is_empty() {
            true => span.start <= new.start && new.start <= span.end,
            false => new.overlaps(span),
        };
        self.splices.iter().flatten().any(|(_, new)| touches(new))
    }

    /// Returns what the splices took that `new` is of.
    pub(super) fn sources(&self, new: Span) -> impl Iterator<Item = Span> {
        let splices = self.splices.as_deref().unwrap_or_default();
        let from = splices.partition_point(|(_, written)| written.end < new.start);
        let near = splices[from..].iter();
        near.take_while(move |(_, written)| written.start <= new.end)
            .filter(move |(_, written)| written.overlaps(new) || new.contains(*written))
            .map(|(was, _)| *was)
    }

    /// Says whether a splice that `new` is of touches `old`, or is beside it: whether the one was made of the other.
    pub(super) fn made(&self, new: Span, old: Span) -> bool {
        self.sources(new)
            .any(|was| was.start <= old.end && old.start <= was.end)
    }

    /// Says whether a splice wrote `span` of the new file.
    pub(super) fn wrote(&self, span: Span) -> bool {
        self.splices
            .iter()
            .flatten()
            .any(|(_, new)| new.contains(span))
    }
}

/// Counts the closing tags that touch `span`, by name.
pub(super) fn within<'p>(end_tags: &[(Span, &'p str)], span: Span) -> HashMap<&'p str, usize> {
    let from = end_tags.partition_point(|(tag, _)| tag.end <= span.start);
    let mut counts = HashMap::new();
    for (_, name) in end_tags
        .iter()
        .skip(from)
        .take_while(|(tag, _)| tag.start < span.end)
    {
        *counts.entry(*name).or_insert(0) += 1;
    }
    counts
}

impl PageTree<'_> {
    /// Returns the closing tags in file order, each with its name.
    pub(super) fn end_tags(&self) -> Vec<(Span, &str)> {
        let ended = self
            .dom
            .elements
            .iter()
            .filter_map(|element| Some((element.end_tag?, &*element.name)));
        let mut tags: Vec<(Span, &str)> = ended.collect();
        tags.sort_unstable();
        tags
    }

    /// Returns the elements whose start tag touches `span`.
    pub(super) fn begun_in(&self, span: Span) -> impl Iterator<Item = &HtmlElement> {
        let from = self
            .dom
            .elements
            .partition_point(|element| element.start_tag.end <= span.start);
        self.dom
            .elements
            .iter()
            .skip(from)
            .take_while(move |element| element.start_tag.start < span.end)
    }

    /// Returns the names of an element's attributes that one before has as well, with another value. One way through a template may have the one and
    /// another way the other, so nothing is said of two with a tag of a template between them, nor of names that such a tag writes.
    pub(super) fn second_attributes(&self, element: &HtmlElement) -> Vec<Span> {
        let has_tag = |span: Span| {
            let from = self
                .dom
                .tags
                .partition_point(|tag| tag.span.end <= span.start);
            self.dom
                .tags
                .get(from)
                .is_some_and(|tag| tag.span.start < span.end)
        };
        let value = |attribute: &Attribute| attribute.value.map(|value| value.of(self.bytes));
        let mut before: HashMap<String, &Attribute> = HashMap::new();
        let mut second = Vec::new();
        for attribute in element
            .attributes
            .iter()
            .filter(|attribute| !has_tag(attribute.name))
        {
            let name = self.name_of(attribute.name);
            let is_hidden = |first: &&Attribute| {
                value(first) != value(attribute)
                    && !has_tag(Span::new(first.span().end, attribute.name.start))
            };
            if before
                .insert(name, attribute)
                .as_ref()
                .is_some_and(is_hidden)
            {
                second.push(attribute.name);
            }
        }
        second
    }

    /// Returns the name of an attribute as names are compared.
    pub(super) fn name_of(&self, name: Span) -> String {
        String::from_utf8_lossy(name.of(self.bytes)).to_ascii_lowercase()
    }

    /// Returns a tag as `<div>` or `</div>`, without attributes.
    pub(super) fn tag(&self, span: Span) -> String {
        let text = String::from_utf8_lossy(span.of(self.bytes));
        let end = text
            .find(|character: char| character.is_whitespace() || character == '>')
            .unwrap_or(text.len());
        let name: String = text[..end].chars().take(40).collect();
        format!("{}>", name.trim_end_matches('/').to_ascii_lowercase())
    }

    pub(super) fn line(&self, span: Span) -> usize {
        Lines::of(self.bytes).line(span.start)
    }

    pub(super) fn excerpt(&self, edit: &FileEdit, span: Span) -> Excerpt {
        let lines = Lines::of(self.bytes);
        let line = lines.line(span.start);
        let text =
            String::from_utf8_lossy(lines.content(self.bytes, line).of(self.bytes)).into_owned();
        Excerpt {
            path: edit.path.clone(),
            line,
            column: lines.column(span.start),
            text,
        }
    }
}
