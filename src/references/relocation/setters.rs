//! Places that set a name of the old module which the definition reads when it is called: from the new module it would read another one.
//!
//! `old.NAME = value`, `setattr(old, "NAME", value)`, `patch.object(old, "NAME")` and their like, `patch("package.old.NAME")`.

use std::collections::{BTreeSet, HashMap};

use super::request::Ends;
use crate::references::Analysis;
use crate::references::facts::{FileId, Thing};
use crate::syntax::python::{ExpressionId, ModuleNames, OccurrenceKind, UsedExpression, UsedText};
use crate::text::Span;

/// Functions that look a name up and leave it as it is.
const READERS: [&str; 3] = ["getattr", "hasattr", "attrgetter"];

/// Returns the places that set one of `names` of the old module from outside of it, each with the name.
pub(super) fn setters(
    analysis: &Analysis,
    ends: &Ends,
    names: &BTreeSet<String>,
) -> Vec<(FileId, Span, String)> {
    let sources = &analysis.sources;
    let word = sources.module_word(ends.old);
    let dotted = sources.parts_of(&ends.old_module);
    let dotted = dotted.map(|(_, parts)| parts.join("."));
    let mut found = Vec::new();
    for file in sources.holding(&[word]) {
        if file == ends.old || !sources.is_python(file) || !analysis.names(file).is_sound {
            continue;
        }
        let search = SetterSearch {
            analysis,
            ends,
            file,
            names,
            dotted: dotted.as_deref(),
            starts: HashMap::new(),
        };
        let places = search.places().into_iter();
        found.extend(places.map(|(place, name)| (file, place, name)));
    }
    found
}

struct SetterSearch<'a> {
    analysis: &'a Analysis,
    ends: &'a Ends,
    file: FileId,
    names: &'a BTreeSet<String>,
    /// The old module, by all its packages.
    dotted: Option<&'a str>,
    /// By the byte behind it, a name or attribute that is read.
    starts: HashMap<usize, ExpressionId>,
}

impl SetterSearch<'_> {
    fn places(mut self) -> Vec<(Span, String)> {
        let own = self.analysis.names(self.file);
        let mut found = Vec::new();
        for occurrence in &own.occurrences {
            match &occurrence.kind {
                OccurrenceKind::Load { expression } => {
                    self.starts.insert(occurrence.span.end, *expression);
                }
                OccurrenceKind::Attribute {
                    expression,
                    receiver,
                    is_target,
                } => {
                    self.starts.insert(occurrence.span.end, *expression);
                    let is_ours = *is_target && self.names.contains(&occurrence.name);
                    if is_ours && self.is_old_module(*receiver) {
                        found.push((occurrence.span, occurrence.name.clone()));
                    }
                }
                OccurrenceKind::Keyword { call } => {
                    let is_ours = self.names.contains(&occurrence.name);
                    if is_ours && self.patches_several(own, *call) {
                        found.push((occurrence.span, occurrence.name.clone()));
                    }
                }
                _ => {}
            }
        }
        let bytes = self.analysis.sources.bytes(self.file);
        for (place, kind) in &own.texts {
            if *kind != UsedText::String {
                continue;
            }
            let inner = without_quotes(bytes, *place);
            let Ok(text) = std::str::from_utf8(inner.of(bytes)) else {
                continue;
            };
            let name = match self.names.contains(text) {
                true => self.is_handed(place.start).then_some(text),
                false => self.behind_module(text),
            };
            if let Some(name) = name {
                found.push((inner, name.to_owned()));
            }
        }
        found
    }

    /// Returns the name that stands behind that of the old module in a text, and ends it.
    fn behind_module<'t>(&self, text: &'t str) -> Option<&'t str> {
        // What comes before the dot may be the module: `patch(f"{MODULE}.NAME")`.
        if let Some(name) = text.strip_prefix('.').filter(|it| self.names.contains(*it)) {
            let bytes = self.analysis.sources.bytes(self.file);
            let mut ways = [&b"patch"[..], b"setattr"].into_iter();
            return ways
                .any(|way| memchr::memmem::find(bytes, way).is_some())
                .then_some(name);
        }
        let rest = text.strip_prefix(self.dotted?)?.strip_prefix('.')?;
        self.names.contains(rest).then_some(rest)
    }

    /// Says whether a text that begins at a place comes behind the old module as the second argument of what may set a name.
    fn is_handed(&self, place: usize) -> bool {
        let bytes = self.analysis.sources.bytes(self.file);
        let before = bytes[..place].trim_ascii_end();
        let Some(before) = before.strip_suffix(b",") else {
            return false;
        };
        let before = before.trim_ascii_end();
        let expression = self.starts.get(&before.len());
        if !expression.is_some_and(|expression| self.is_old_module(*expression)) {
            return false;
        }
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let other = before.iter().rposition(|byte| !is_word(byte));
        let called = other.map_or(&[][..], |other| &before[..=other]);
        let Some(called) = called.trim_ascii_end().strip_suffix(b"(") else {
            return false;
        };
        let called = called.trim_ascii_end();
        !READERS
            .iter()
            .any(|reader| called.ends_with(reader.as_bytes()))
    }

    /// Says whether a call is one of `patch.multiple` for the old module.
    fn patches_several(&self, own: &ModuleNames, call: ExpressionId) -> bool {
        let UsedExpression::Call {
            callee, arguments, ..
        } = own.expression(call)
        else {
            return false;
        };
        let first = arguments.first();
        own.last_word(*callee) == Some("multiple")
            && first.is_some_and(|first| {
                let is_text = matches!(own.expression(*first), UsedExpression::BuiltIn("str"));
                is_text || self.is_old_module(*first)
            })
    }

    fn is_old_module(&self, expression: ExpressionId) -> bool {
        let things = self.analysis.things_of(self.file, expression);
        let old = Thing::Module(self.ends.old_module.clone());
        things.known.contains(&old)
    }
}

/// Returns where what is between the quotes of a string stands.
fn without_quotes(bytes: &[u8], place: Span) -> Span {
    let text = place.of(bytes);
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let first = text.iter().position(is_quote).unwrap_or(0);
    let start = text[first..].iter().position(|byte| !is_quote(byte));
    let last = text.iter().rposition(|byte| !is_quote(byte));
    match (start, last) {
        (Some(start), Some(last)) if first + start <= last => {
            Span::new(place.start + first + start, place.start + last + 1)
        }
        _ => Span::at(place.end),
    }
}
