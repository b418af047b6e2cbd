//! `CssSelector`: reads a selector, and finds the elements that it matches.

use std::cell::Cell;
use std::fmt;

use cssparser::{ParseError, Parser as CssParser};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::matches_selector_list;
use selectors::parser::{Component, ParseRelative, Selector, SelectorList, SelectorParseErrorKind};

use super::engine::{ElementNode, Html, SearchedPage, SelectorReader};
use crate::syntax::html::dom::Dom;

/// How many looks at elements one selector may take where no other bound is set: some tenths of a second.
pub(super) const STEPS: usize = 50_000_000;

/// A CSS selector that parses.
#[derive(Clone)]
pub struct CssSelector {
    text: String,
    pub(super) list: SelectorList<Html>,
}

/// The selector takes more looks at the page than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl CssSelector {
    /// Returns the selector that `text` writes, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<CssSelector, String> {
        if let Some(open) = unclosed_bracket(text) {
            return Err(format!("is not a CSS selector: `{open}` is never closed"));
        }
        let mut parser = CssParser::new(text);
        let list = SelectorList::parse(&SelectorReader, &mut parser, ParseRelative::No);
        match list {
            Ok(list) => Ok(CssSelector {
                text: text.to_owned(),
                list,
            }),
            Err(error) => Err(describe_error(&error, text, parser.position().byte_index())),
        }
    }

    /// Returns the selector as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Says whether it counts siblings, as `:nth-child(2)` and `:last-of-type` do.
    pub fn counts(&self) -> bool {
        self.list.slice().iter().any(counts_siblings)
    }

    /// Returns the numbers of the elements that match, in file order.
    pub fn matches(&self, dom: &Dom, source: &[u8]) -> Result<Vec<usize>, Exhausted> {
        self.matches_within(dom, source, &Cell::new(STEPS))
    }

    /// The same, with each look at an element taken off `steps`.
    pub fn matches_within(
        &self,
        dom: &Dom,
        source: &[u8],
        steps: &Cell<usize>,
    ) -> Result<Vec<usize>, Exhausted> {
        let page = SearchedPage { dom, source, steps };
        let mut caches = SelectorCaches::default();
        let mut found = Vec::new();
        for (at, element) in dom.elements.iter().enumerate() {
            let mut context = MatchingContext::new(
                MatchingMode::Normal,
                None,
                &mut caches,
                QuirksMode::NoQuirks,
                NeedsSelectorFlags::No,
                MatchingForInvalidation::No,
            );
            let matched =
                matches_selector_list(&self.list, ElementNode { page, element }, &mut context);
            if !page.spend() {
                return Err(Exhausted);
            }
            found.extend(matched.then_some(at));
        }
        Ok(found)
    }
}

impl fmt::Debug for CssSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CssSelector({:?})", self.text)
    }
}

impl PartialEq for CssSelector {
    fn eq(&self, other: &CssSelector) -> bool {
        self.text == other.text
    }
}

impl Eq for CssSelector {}

impl fmt::Display for CssSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Says whether any part of a selector counts. An only child is not counted: with another one beside it nothing matches.
fn counts_siblings(selector: &Selector<Html>) -> bool {
    selector
        .iter_raw_match_order()
        .any(|component| match component {
            Component::Nth(nth) => !nth.ty.is_only(),
            Component::NthOf(_) => true,
            Component::Negation(list) | Component::Is(list) | Component::Where(list) => {
                list.slice().iter().any(counts_siblings)
            }
            Component::Has(relatives) => relatives
                .iter()
                .any(|relative| counts_siblings(&relative.selector)),
            _ => false,
        })
}

/// Returns the bracket or quote that `text` leaves open. CSS closes it at the end, but here something got lost.
fn unclosed_bracket(text: &str) -> Option<char> {
    let mut open: Vec<char> = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let quoted = open
            .last()
            .copied()
            .filter(|quote| matches!(quote, '"' | '\''));
        match character {
            '\\' => drop(characters.next()),
            _ if quoted == Some(character) => drop(open.pop()),
            _ if quoted.is_some() => {}
            '(' | '[' | '"' | '\'' => open.push(character),
            ')' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    open.first().copied()
}

/// Words what the parser has against a selector.
fn describe_error(error: &ParseError<SelectorParseErrorKind>, text: &str, at: usize) -> String {
    use cssparser::ParseErrorKind::{Basic, Custom};
    let what = match &error.kind {
        Basic(kind) => kind.to_string(),
        Custom(kind) => match kind {
            SelectorParseErrorKind::EmptySelector => "there is no selector".to_owned(),
            SelectorParseErrorKind::DanglingCombinator => {
                "nothing stands behind the last combinator".to_owned()
            }
            SelectorParseErrorKind::UnsupportedPseudoClassOrElement => {
                "a pseudo-class that says nothing of a file, or a pseudo-element".to_owned()
            }
            SelectorParseErrorKind::ClassNeedsIdent => {
                "no class name stands behind the dot".to_owned()
            }
            SelectorParseErrorKind::NoIdentForPseudo
            | SelectorParseErrorKind::PseudoElementExpectedColon
            | SelectorParseErrorKind::PseudoElementExpectedIdent => {
                "no name stands behind the colon".to_owned()
            }
            SelectorParseErrorKind::ExpectedNamespace => "namespaces have no names here".to_owned(),
            SelectorParseErrorKind::NoQualifiedNameInAttributeSelector
            | SelectorParseErrorKind::UnexpectedTokenInAttributeSelector
            | SelectorParseErrorKind::ExpectedBarInAttr
            | SelectorParseErrorKind::BadValueInAttr
            | SelectorParseErrorKind::InvalidQualNameInAttr => {
                "between brackets stands a name, or `name=\"value\"`".to_owned()
            }
            _ => "unexpected token".to_owned(),
        },
    };
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    format!(
        "is not a CSS selector: {what} (at character {})",
        before.chars().count().max(1)
    )
}
