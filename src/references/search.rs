//! Every place where the word of a name is written, each with its verdict.

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::facts::FileId;
use super::reference::{Reference, References, Verdict};
use super::target::{Renamable, RenamableSort};
use super::words;
use crate::syntax::python::{BindingKind, ModuleNames, NameBinding, UsedText, folded};
use crate::text::{Lines, Span};

/// Words that Python takes for names or for its own, by where they are.
const SOFT_KEYWORDS: [&str; 5] = ["match", "case", "type", "lazy", "_"];

/// A place in a file, and its verdict.
pub(super) struct Place {
    pub(super) file: FileId,
    pub(super) span: Span,
    pub(super) verdict: Verdict,
    pub(super) reason: Option<String>,
    /// The occurrence that it is, where it is code.
    pub(super) occurrence: Option<usize>,
}

impl Analysis {
    /// Returns every place where the word of `target` is written.
    pub(super) fn places(&self, target: &Renamable) -> Vec<Place> {
        let mut places = Vec::new();
        for file in self.sources.holding(&[target.word.as_str()]) {
            if self.sources.is_python(file) {
                self.places_in_code(target, file, &mut places);
            } else if !crate::text::is_binary(self.sources.bytes(file)) {
                let found = words::places_of(&target.word, self.sources.bytes(file));
                places.extend(found.into_iter().map(|span| Place {
                    file,
                    span,
                    verdict: Verdict::Mention,
                    reason: None,
                    occurrence: None,
                }));
            }
        }
        places
    }

    fn places_in_code(&self, target: &Renamable, file: FileId, places: &mut Vec<Place>) {
        let names = self.names(file);
        let bytes = self.sources.bytes(file);
        let mut by_start: BTreeMap<usize, Place> = BTreeMap::new();
        let keys: Vec<&str> = target.keys();
        if names.is_sound {
            for (at, occurrence) in names.occurrences.iter().enumerate() {
                if !keys.contains(&occurrence.name.as_str()) {
                    continue;
                }
                let (mut verdict, mut reason) = self.verdict(target, file, occurrence);
                let written = String::from_utf8_lossy(occurrence.span.of(bytes));
                if verdict == Verdict::Certain && folded(&written) != target.word {
                    verdict = Verdict::Unsure;
                    reason = Some("it is written with its class before it".to_owned());
                }
                let place = Place {
                    file,
                    span: occurrence.span,
                    verdict,
                    reason,
                    occurrence: Some(at),
                };
                by_start.entry(occurrence.span.start).or_insert(place);
            }
        }
        let mut classes: Vec<&str> = match target.sort {
            RenamableSort::Member => target
                .entities
                .iter()
                .filter_map(|entity| self.scope((entity.file, entity.scope)).name.as_deref())
                .collect(),
            _ => Vec::new(),
        };
        if !classes.is_empty() {
            let others = other_names(names, &classes);
            classes.extend(others);
            classes.extend(["cls", "__members__", "type(self)", "__class__"]);
        }
        for span in words::places_of(&target.word, bytes) {
            by_start.entry(span.start).or_insert_with(|| {
                let (mut verdict, mut reason) = verdict_on_text(names, span, &target.word);
                if verdict == Verdict::Mention && is_looked_up(bytes, span, &classes) {
                    verdict = Verdict::Unsure;
                    reason = Some("a member may be looked up by its name".to_owned());
                }
                Place {
                    file,
                    span,
                    verdict,
                    reason,
                    occurrence: None,
                }
            });
        }
        places.extend(by_start.into_values());
    }

    /// Returns places as they are told.
    pub(super) fn told(&self, target: &Renamable, places: &[Place]) -> References {
        let mut found: Vec<Reference> = Vec::with_capacity(places.len());
        let mut lines: Option<(FileId, Lines)> = None;
        for place in places {
            if lines.as_ref().is_none_or(|(file, _)| *file != place.file) {
                lines = Some((place.file, Lines::of(self.sources.bytes(place.file))));
            }
            if let Some((_, lines)) = &lines {
                let reason = place.reason.clone();
                let told = self.reference(place.file, place.span, place.verdict, reason, lines);
                found.push(told);
            }
        }
        let doubts = target.doubts.iter().map(|(entity, why)| {
            let names = self.names(entity.file);
            let scope = &names.scopes[entity.scope];
            let bound = scope.names.get(&entity.name);
            let first = bound.and_then(|bound| bound.bindings.first());
            let members = scope.members.get(&entity.name);
            let span = first
                .map(|binding| binding.span)
                .or_else(|| members?.first().map(|member| member.span))
                .unwrap_or(Span::at(scope.span.start));
            let lines = Lines::of(self.sources.bytes(entity.file));
            self.reference(
                entity.file,
                span,
                Verdict::Unsure,
                Some(why.clone()),
                &lines,
            )
        });
        let spreads = self.spreads(target);
        let spreads = spreads.into_iter().map(|(file, span, why)| {
            let lines = Lines::of(self.sources.bytes(file));
            self.reference(file, span, Verdict::Unsure, Some(why), &lines)
        });
        References {
            address: target.address.clone(),
            word: target.word.clone(),
            doubts: doubts.chain(spreads).collect(),
            places: found,
        }
    }

    /// Returns one place as it is told.
    pub(super) fn reference(
        &self,
        file: FileId,
        span: Span,
        verdict: Verdict,
        reason: Option<String>,
        lines: &Lines,
    ) -> Reference {
        let path = self.sources.path(file);
        let mut address = path.to_string();
        if self.sources.is_python(file) && self.names(file).is_sound {
            let words = self.qualified((file, self.scope_at(file, span)));
            if !words.is_empty() {
                address = format!("{path}::{}", words.join("."));
            }
        }
        let bytes = self.sources.bytes(file);
        let line = lines.line(span.start);
        let line_start = bytes[..span.start]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let before = String::from_utf8_lossy(&bytes[line_start..span.start]);
        Reference {
            path: path.clone(),
            span,
            line,
            column: before.chars().filter(|it| *it != '\u{feff}').count() + 1,
            address,
            verdict,
            reason,
            is_changed: false,
        }
    }

    /// Returns the innermost function or class around a place.
    fn scope_at(&self, file: FileId, span: Span) -> usize {
        let scopes = &self.names(file).scopes;
        let around = scopes
            .iter()
            .enumerate()
            .filter(|(_, scope)| scope.name.is_some() && scope.span.contains(span));
        around
            .min_by_key(|(_, scope)| scope.span.len())
            .map_or(0, |(at, _)| at)
    }
}

/// Returns what `classes` are called in a file besides: `from colors import Color as C`, `C = Color`.
fn other_names<'n>(names: &'n ModuleNames, classes: &[&str]) -> Vec<&'n str> {
    let is_one = |binding: &NameBinding| match &binding.kind {
        BindingKind::Imported { name, .. } => classes.contains(&name.as_str()),
        BindingKind::Assigned {
            value: Some(value), ..
        } => names
            .last_word(*value)
            .is_some_and(|word| classes.contains(&word)),
        _ => false,
    };
    let all = names.scopes.iter().flat_map(|scope| &scope.names);
    all.filter(|(name, bound)| {
        !classes.contains(&name.as_str()) && bound.bindings.iter().any(is_one)
    })
    .map(|(name, _)| name.as_str())
    .collect()
}

/// Says whether a text is all of the index of one of `classes`: `Color["RED"]`.
fn is_looked_up(bytes: &[u8], span: Span, classes: &[&str]) -> bool {
    let (before, after) = (&bytes[..span.start], &bytes[span.end..]);
    let Some((quote, before)) = before.split_last() else {
        return false;
    };
    let is_text = matches!(quote, b'"' | b'\'') && after.first() == Some(quote);
    let closes = after
        .get(1..)
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"]"));
    let Some(before) = before.trim_ascii_end().strip_suffix(b"[") else {
        return false;
    };
    let is_class = |class: &&str| {
        let rest = before.strip_suffix(class.as_bytes());
        rest.is_some_and(|rest| !rest.last().is_some_and(|byte| words::is_letter(*byte)))
    };
    is_text && closes && classes.iter().any(is_class)
}

/// Returns the verdict on a word that is no name of a file's code.
fn verdict_on_text(names: &ModuleNames, span: Span, word: &str) -> (Verdict, Option<String>) {
    let after = names
        .texts
        .partition_point(|(text, _)| text.start <= span.start);
    let text = after.checked_sub(1).and_then(|at| names.texts.get(at));
    if let Some((_, kind)) = text.filter(|(text, _)| text.contains(span)) {
        let what = match kind {
            UsedText::Comment => "in a comment",
            UsedText::String => "in a string",
        };
        return (Verdict::Mention, Some(what.to_owned()));
    }
    if !names.is_sound {
        let why = "the file does not parse";
        return (Verdict::Unsure, Some(why.to_owned()));
    }
    if names.occurrences.iter().any(|it| it.span == span) || SOFT_KEYWORDS.contains(&word) {
        return (Verdict::Other, None);
    }
    let why = "it is not understood";
    (Verdict::Unsure, Some(why.to_owned()))
}
