//! No element matches a selector: the same selector with a name that the page has, or where its last part stands.

use std::collections::BTreeSet;

use super::super::Reading;
use crate::diagnostic::{Code, Diagnostic, nearest, shown};
use crate::manifest::ElementSelector;
use crate::syntax::html::{CssSelector, Dom, HtmlElement};
use crate::text::Span;

/// No element matches.
pub(super) fn missing(reading: &Reading<'_>, selector: &ElementSelector) -> Diagnostic {
    let document = reading.document;
    let text = selector.0.as_str();
    let message = format!("no element of {} matches `{}`", document.path, shown(text));
    let mut suggestions = corrected(reading, text);
    if suggestions.is_empty() {
        suggestions = elsewhere(reading, text);
    }
    let diagnostic = Diagnostic::new(Code::SegmentNotFound, message);
    let diagnostic = if suggestions.is_empty() {
        diagnostic.note(format!(
            "`git segedit outline {}` lists its elements with an id and its headings",
            document.path
        ))
    } else {
        diagnostic
    };
    diagnostic.suggest(
        suggestions
            .into_iter()
            .map(|suggestion| format!("{}::{suggestion}", document.path)),
    )
}

/// Returns the selector with a name that the page does not have turned into the nearest that it has, where that matches.
fn corrected(reading: &Reading<'_>, text: &str) -> Vec<String> {
    let document = reading.document;
    let (dom, bytes) = (document.dom(), &document.bytes);
    let known = PageNames::of(dom, bytes);
    let mut suggestions = Vec::new();
    for word in words(text) {
        let names = known.like(&word, dom, bytes);
        let name = &text[word.span.start..word.span.end];
        if names.contains(name) {
            continue;
        }
        for near in nearest(name, names.iter().map(String::as_str), MOST) {
            let other = format!(
                "{}{near}{}",
                &text[..word.span.start],
                &text[word.span.end..]
            );
            let matches =
                CssSelector::parse(&other).is_ok_and(|other| matches_any(reading, &other));
            if matches && suggestions.len() < MOST {
                suggestions.push(other);
            }
        }
    }
    suggestions
}

/// Returns the addresses of what the last part of the selector finds at another place.
fn elsewhere(reading: &Reading<'_>, text: &str) -> Vec<String> {
    let document = reading.document;
    let last = last_compound(text);
    let Some(selector) = (last.len() < text.len())
        .then(|| CssSelector::parse(last).ok())
        .flatten()
    else {
        return Vec::new();
    };
    let found = selector.matches_within(
        document.dom(),
        &document.bytes,
        reading.allowance.selecting(),
    );
    let found = found.unwrap_or_default();
    found
        .into_iter()
        .take(MOST)
        .map(|at| reading.addresses().address(at))
        .collect()
}

fn matches_any(reading: &Reading<'_>, selector: &CssSelector) -> bool {
    let document = reading.document;
    let found = selector.matches_within(
        document.dom(),
        &document.bytes,
        reading.allowance.selecting(),
    );
    found.is_ok_and(|found| !found.is_empty())
}

/// The names that a page has.
struct PageNames {
    ids: BTreeSet<String>,
    classes: BTreeSet<String>,
    tags: BTreeSet<String>,
}

impl PageNames {
    fn of(dom: &Dom, bytes: &[u8]) -> PageNames {
        let mut known = PageNames {
            ids: BTreeSet::new(),
            classes: BTreeSet::new(),
            tags: BTreeSet::new(),
        };
        for element in &dom.elements {
            known.tags.insert(element.name.to_string());
            known.ids.extend(value(bytes, element, "id"));
            let classes = value(bytes, element, "class").unwrap_or_default();
            known
                .classes
                .extend(classes.split_whitespace().map(str::to_owned));
        }
        known
    }

    /// Returns the names of the same sort as `word`.
    fn like(&self, word: &SelectorName<'_>, dom: &Dom, bytes: &[u8]) -> BTreeSet<String> {
        match word.sort {
            SelectorNameKind::Id => self.ids.clone(),
            SelectorNameKind::Class => self.classes.clone(),
            SelectorNameKind::Tag => self.tags.clone(),
            SelectorNameKind::Value(name) => dom
                .elements
                .iter()
                .filter_map(|element| value(bytes, element, name))
                .collect(),
        }
    }
}

fn value(bytes: &[u8], element: &HtmlElement, name: &str) -> Option<String> {
    let value = element.attribute(bytes, name)?.value?;
    Some(String::from_utf8_lossy(value.of(bytes)).into_owned())
}

/// A name in a selector.
struct SelectorName<'t> {
    span: Span,
    sort: SelectorNameKind<'t>,
}

/// What a name in a selector is of.
enum SelectorNameKind<'t> {
    Id,
    Class,
    Tag,
    /// The value of this attribute.
    Value(&'t str),
}

/// Returns the names in a selector that parses, as far as they are written plainly.
fn words(text: &str) -> Vec<SelectorName<'_>> {
    let is_name = |character: char| {
        character.is_alphanumeric() || matches!(character, '-' | '_') || !character.is_ascii()
    };
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let after = at + character.len_utf8();
        let run = |from: usize| {
            from + text[from..]
                .find(|character| !is_name(character))
                .unwrap_or(text.len() - from)
        };
        match character {
            '#' | '.' => {
                let sort = if character == '#' {
                    SelectorNameKind::Id
                } else {
                    SelectorNameKind::Class
                };
                words.push(SelectorName {
                    span: Span::new(after, run(after)),
                    sort,
                });
                at = run(after);
            }
            ':' => at = run(after),
            '[' => {
                let end = at + text[at..].find(']').unwrap_or(text.len() - at);
                words.extend(quoted_value(text, after, end));
                at = end;
            }
            _ if is_name(character) => {
                let end = run(at);
                if character.is_alphabetic() {
                    words.push(SelectorName {
                        span: Span::new(at, end),
                        sort: SelectorNameKind::Tag,
                    });
                }
                at = end;
            }
            _ => at = after,
        }
    }
    words
}

/// Returns the value of `name="value"` between `start` and `end`.
fn quoted_value(text: &str, start: usize, end: usize) -> Option<SelectorName<'_>> {
    let inside = text.get(start..end)?;
    let (name, value) = inside.split_once('=')?;
    let quote = value
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let value = value.strip_prefix(quote)?.split(quote).next()?;
    let from = start + name.len() + 2;
    let name = name.trim_end_matches(['~', '|', '^', '$', '*']).trim();
    Some(SelectorName {
        span: Span::new(from, from + value.len()),
        sort: SelectorNameKind::Value(name),
    })
}

/// Returns what stands behind the last combinator.
fn last_compound(text: &str) -> &str {
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    for (at, character) in text.char_indices() {
        match character {
            _ if quote == Some(character) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(character),
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ' ' | '>' | '+' | '~' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    &text[start..]
}

/// Most suggestions of a refusal.
pub(super) const MOST: usize = 5;
