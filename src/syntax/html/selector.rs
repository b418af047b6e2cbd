//! `CssSelector`: a CSS selector as written, and the elements that it matches. Home of the `selectors` engine, the one of
//! Servo and Firefox; this file only answers its questions about elements.
//!
//! Names of elements and attributes match in any case, ids and classes to the letter. A value matches as it is written in
//! the file and with its character references resolved, so that `[href="?a&amp;b"]` and `[href="?a&b"]` find the same.
//! Pseudo-classes that a file cannot answer (`:hover`) and pseudo-elements are refused when the selector is read.
//!
//! Known limit: `:has()`, `~` and descendants are bounded by a number of steps; a selector past them is `Exhausted`, never slow.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use cssparser::{CssStringWriter, ParseError, Parser as CssParser, ToCss, serialize_identifier};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector_list};
use selectors::parser::{ParseRelative, SelectorList, SelectorParseErrorKind};
use selectors::{OpaqueElement, SelectorImpl};

use super::dom::{Dom, Element};
use super::mask;

/// How many looks at elements one selector may take where nobody sets another bound: some tenths of a second.
pub const STEPS: usize = 50_000_000;

/// A CSS selector that parses.
#[derive(Clone)]
pub struct CssSelector {
    text: String,
    list: SelectorList<Html>,
}

/// The selector takes more looks at the page than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl CssSelector {
    /// Returns the selector that `text` writes, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<CssSelector, String> {
        if let Some(open) = unclosed(text) {
            return Err(format!("is not a CSS selector: `{open}` is never closed"));
        }
        let mut parser = CssParser::new(text);
        let list = SelectorList::parse(&Reader, &mut parser, ParseRelative::No);
        match list {
            Ok(list) => Ok(CssSelector { text: text.to_owned(), list }),
            Err(error) => Err(why(&error, text, parser.position().byte_index())),
        }
    }

    /// Returns the selector as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the numbers of the elements that match, in file order.
    pub fn matches(&self, dom: &Dom, source: &[u8]) -> Result<Vec<usize>, Exhausted> {
        self.matches_within(dom, source, &Cell::new(STEPS))
    }

    /// The same, with each look at an element taken off `steps`.
    pub fn matches_within(&self, dom: &Dom, source: &[u8], steps: &Cell<usize>) -> Result<Vec<usize>, Exhausted> {
        let page = Page { dom, source, steps };
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
            let matched = matches_selector_list(&self.list, Node { page, element }, &mut context);
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

/// Returns `name` as an identifier is written in a selector.
pub(super) fn identifier(name: &str) -> String {
    let mut written = String::new();
    // Writing into a string cannot fail.
    let _ = serialize_identifier(name, &mut written);
    written
}

/// Returns `value` as a string is written in a selector.
pub(super) fn string(value: &str) -> String {
    let mut written = String::from('"');
    // Writing into a string cannot fail.
    let _ = fmt::Write::write_str(&mut CssStringWriter::new(&mut written), value);
    written.push('"');
    written
}

/// Returns the bracket or quote that `text` leaves open. CSS closes it at the end, but here something got lost.
fn unclosed(text: &str) -> Option<char> {
    let mut open: Vec<char> = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let quoted = open.last().copied().filter(|quote| matches!(quote, '"' | '\''));
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
fn why(error: &ParseError<SelectorParseErrorKind>, text: &str, at: usize) -> String {
    use cssparser::ParseErrorKind::{Basic, Custom};
    let what = match &error.kind {
        Basic(kind) => kind.to_string(),
        Custom(kind) => match kind {
            SelectorParseErrorKind::EmptySelector => "there is no selector".to_owned(),
            SelectorParseErrorKind::DanglingCombinator => "nothing stands behind the last combinator".to_owned(),
            SelectorParseErrorKind::UnsupportedPseudoClassOrElement => {
                "a pseudo-class that says nothing of a file, or a pseudo-element".to_owned()
            }
            SelectorParseErrorKind::ClassNeedsIdent => "no class name stands behind the dot".to_owned(),
            SelectorParseErrorKind::NoIdentForPseudo
            | SelectorParseErrorKind::PseudoElementExpectedColon
            | SelectorParseErrorKind::PseudoElementExpectedIdent => "no name stands behind the colon".to_owned(),
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
    let ahead = text.get(..at.min(text.len())).unwrap_or(text);
    format!("is not a CSS selector: {what} (at character {})", ahead.chars().count().max(1))
}

/// What the engine is told of HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Html;

/// A name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Name(String);

/// A value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Value(String);

impl SelectorImpl for Html {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Value;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoElement;
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name(text.to_owned())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value(text.to_owned())
    }
}

impl AsRef<str> for Value {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        // FNV-1a, which is the same in every run.
        self.0.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl ToCss for Value {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        dest.write_char('"')?;
        fmt::Write::write_str(&mut CssStringWriter::new(dest), &self.0)?;
        dest.write_char('"')
    }
}

/// The pseudo-classes beside those of the tree that a file can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PseudoClass {
    /// `:link`, `:any-link`: an `a` or `area` with `href`.
    Link,
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        dest.write_str(":any-link")
    }
}

impl selectors::parser::NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

/// There are none: a pseudo-element is no place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PseudoElement {}

impl ToCss for PseudoElement {
    fn to_css<W: fmt::Write>(&self, _dest: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl selectors::parser::PseudoElement for PseudoElement {}

struct Reader;

impl<'i> selectors::parser::Parser<'i> for Reader {
    type Impl = Html;
    type Error = SelectorParseErrorKind;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    /// A mistake inside of `:is()` is a mistake, not a branch that matches nothing.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<PseudoClass, ParseError<SelectorParseErrorKind>> {
        if name.eq_ignore_ascii_case("link") || name.eq_ignore_ascii_case("any-link") {
            return Ok(PseudoClass::Link);
        }
        Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement))
    }
}

/// A page that is asked, and how often it may still be.
#[derive(Clone, Copy)]
struct Page<'p> {
    dom: &'p Dom,
    source: &'p [u8],
    steps: &'p Cell<usize>,
}

impl<'p> Page<'p> {
    /// Returns the element with this number. Who is beside whom stays true when the steps are spent, for the engine counts
    /// on it; what fails then is every question about an element, which soon ends the search.
    fn node(self, at: usize) -> Option<Node<'p>> {
        self.spend();
        Some(Node { page: self, element: self.dom.elements.get(at)? })
    }

    /// Takes one step off and says whether there was one.
    fn spend(self) -> bool {
        let left = self.steps.get().checked_sub(1);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// An element as the engine sees it.
#[derive(Clone, Copy)]
struct Node<'p> {
    page: Page<'p>,
    element: &'p Element,
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}> at byte {}", self.element.name, self.element.start_tag.start)
    }
}

impl Node<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        let attribute = self.element.attribute(self.page.source, name)?;
        let value = attribute.value.map_or(&b""[..], |value| value.of(self.page.source));
        Some(String::from_utf8_lossy(value))
    }

    /// Says whether the value, as written or with its references resolved, is as `fits` says.
    fn value_fits(&self, name: &str, fits: impl Fn(&str) -> bool) -> bool {
        if !self.page.spend() {
            return false;
        }
        let Some(written) = self.value(name) else { return false };
        fits(&written) || resolved(&written).is_some_and(|resolved| fits(&resolved))
    }
}

impl selectors::Element for Node<'_> {
    type Impl = Html;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.element)
    }

    fn parent_element(&self) -> Option<Self> {
        self.page.node(self.element.parent?).filter(|_| self.page.steps.get() > 0)
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.page.node(self.element.previous?)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.page.node(self.element.next?)
    }

    fn first_element_child(&self) -> Option<Self> {
        self.page.node(self.element.first_child?)
    }

    /// In SVG too names match in any case, because the file's spelling is what the caller sees.
    fn is_html_element_in_html_document(&self) -> bool {
        true
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.page.spend() && *self.element.name == name.0
    }

    fn has_namespace(&self, _namespace: &Name) -> bool {
        true
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.element.name == other.element.name
    }

    fn attr_matches(
        &self,
        _namespace: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&Value>,
    ) -> bool {
        self.value_fits(&name.0, |value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, class: &PseudoClass, _context: &mut MatchingContext<Html>) -> bool {
        match class {
            PseudoClass::Link => self.is_link(),
        }
    }

    fn match_pseudo_element(&self, element: &PseudoElement, _context: &mut MatchingContext<Html>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        matches!(&*self.element.name, "a" | "area") && self.value("href").is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.value_fits("id", |value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, class: &Name, case: CaseSensitivity) -> bool {
        self.value_fits("class", |value| {
            class_words(value).split_ascii_whitespace().any(|word| case.eq(word.as_bytes(), class.0.as_bytes()))
        })
    }

    fn has_custom_state(&self, _name: &Name) -> bool {
        false
    }

    fn imported_part(&self, _name: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _name: &Name) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.page.spend() && !self.element.has_text && self.element.first_child.is_none()
    }

    fn is_root(&self) -> bool {
        self.page.spend() && self.element.parent.is_none()
    }

    fn add_element_unique_hashes(&self, _filter: &mut BloomFilter) -> bool {
        false
    }
}

/// Returns the value of a `class` with the words of template tags taken out: what one writes is a part of a name that
/// nobody knows, what one says is no class.
pub(super) fn class_words(value: &str) -> Cow<'_, str> {
    let tags = mask::tags(value.as_bytes());
    if tags.is_empty() {
        return Cow::Borrowed(value);
    }
    let filled = mask::filled(value.as_bytes(), &tags, |tag| if tag.is_value { mask::MASK } else { b' ' });
    Cow::Owned(String::from_utf8_lossy(&filled).into_owned())
}

/// Returns `value` with its character references resolved: numbers and the five that every page uses; `None` when there
/// are none.
pub(super) fn resolved(value: &str) -> Option<String> {
    const NAMED: [(&str, char); 6] =
        [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", '\u{a0}')];
    let mut text = String::new();
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        let (ahead, reference) = rest.split_at(at);
        text.push_str(ahead);
        let end = reference.find(';').filter(|&end| end <= 10);
        let name = end.and_then(|end| reference.get(1..end)).unwrap_or_default();
        let number = name.strip_prefix('#').and_then(|digits| match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        });
        let named = NAMED.iter().find(|(known, _)| *known == name).map(|&(_, character)| character);
        match (number.and_then(char::from_u32).or(named), end) {
            (Some(character), Some(end)) => {
                text.push(character);
                rest = &reference[end + 1..];
            }
            _ => {
                text.push('&');
                rest = &reference[1..];
            }
        }
    }
    text.push_str(rest);
    (text != value).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><body><nav id=Top class='a b'><a href=\"/x\">1</a><a href=\"/x\">2</a>\
        <A HREF='/y?a=1&amp;b=2' data-x=\"it's\">3</A></nav><div><p>4<p class=\"a\">5</div><br>\
        <svg viewBox=\"0 0\"><linearGradient id=\"g\"/></svg><p></p><p> </p><p><!-- c --></p>\
        <input type=TEXT disabled><a href=\"{{ url('z') }}\">6</a></body></html>";

    /// Checks what the selector matches, as the start of the source of each element.
    fn check(selector: &str, expected: &[&str]) {
        let dom = Dom::of(PAGE.as_bytes());
        let selector = CssSelector::parse(selector).unwrap();
        let found = selector.matches(&dom, PAGE.as_bytes()).unwrap();
        let told: Vec<&str> =
            found.iter().map(|&at| &PAGE[dom.elements[at].start_tag.start..dom.elements[at].end]).collect();
        assert!(
            told.len() == expected.len() && told.iter().zip(expected).all(|(told, begin)| told.starts_with(begin)),
            "{selector}: {told:#?}"
        );
    }

    #[test]
    fn selectors_find_elements() {
        check("#Top", &["<nav"]);
        check("#top", &[]);
        check("nav > a[href=\"/x\"]:nth-of-type(2)", &["<a href=\"/x\">2"]);
        check("NAV>A:nth-of-type(3)", &["<A HREF"]);
        check(".a.b", &["<nav"]);
        check(".a", &["<nav", "<p class=\"a\""]);
        check("a:not([href='/x'])", &["<A HREF", "<a href=\"{{"]);
        check(":is(nav, svg) > :first-child", &["<a href=\"/x\">1", "<linearGradient"]);
        check("div p + p", &["<p class"]);
        check("nav:has(> a[data-x])", &["<nav"]);
        check("p:empty", &["<p></p>", "<p><!-- c"]);
        check(":root", &["<html"]);
        check("linearGradient", &["<linearGradient"]);
        check("svg[viewBox]", &["<svg"]);
        check("[type=text][disabled]", &["<input"]);
        check("a[href='/y?a=1&b=2'], a[href='/y?a=1&amp;b=2']", &["<A HREF"]);
        check("a[href=\"{{ url('z') }}\"]", &["<a href=\"{{"]);
        check("[data-x=\"it's\"]", &["<A HREF"]);
        check("div p:last-of-type, br", &["<p class", "<br>"]);
        check("body > :nth-last-child(1)", &["<a href=\"{{"]);
        check("a:any-link:nth-child(2 of a)", &["<a href=\"/x\">2"]);
        check("a[href^='/'][href$='x' i]", &["<a href=\"/x\">1", "<a href=\"/x\">2"]);
    }

    #[test]
    fn what_is_no_selector_is_refused() {
        for text in [
            "",
            " ",
            "a >",
            "> a",
            "a[",
            "a[href",
            "..x",
            "a:hover",
            "p::before",
            "a b,",
            "a{}",
            "#",
            ":nth-child(x)",
            ":is(..)",
            ":unknown",
            "svg|a",
            "!",
            "a]",
            "#1",
        ] {
            assert!(CssSelector::parse(text).is_err(), "{text:?}");
        }
        let message = CssSelector::parse("a:hover").unwrap_err();
        assert!(message.contains("pseudo-class") && message.contains("character 7"), "{message}");
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in ["a", "1", "-", "ü b", "a\"b\\c", "x.y#z", "\u{1}", ""] {
            let selector = format!("[x={}]", string(text));
            let CssSelector { list, .. } = CssSelector::parse(&selector).unwrap();
            assert_eq!(list.slice().len(), 1, "{selector}");
            if !text.is_empty() {
                CssSelector::parse(&format!("#{}", identifier(text))).unwrap();
            }
        }
    }

    #[test]
    fn a_selector_that_asks_too_much_is_given_up() {
        let page = "<i>".to_owned() + &"<b></b>".repeat(60_000);
        let dom = Dom::of(page.as_bytes());
        let selector = CssSelector::parse("u ~ b ~ b ~ b ~ b").unwrap();
        let start = std::time::Instant::now();
        assert_eq!(selector.matches_within(&dom, page.as_bytes(), &Cell::new(1_000_000)), Err(Exhausted));
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
