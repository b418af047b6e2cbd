//! The answers to the engine's questions: what a selector may say, and what an element is.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use cssparser::{CssStringWriter, ParseError, ToCss, serialize_identifier};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::parser::SelectorParseErrorKind;
use selectors::{OpaqueElement, SelectorImpl};

use super::super::dom::{Dom, HtmlElement};
use super::references::resolved;
use super::values::class_words;

/// What the engine has to know of HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Html;

/// A name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CssName(String);

/// A value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CssValue(String);

impl SelectorImpl for Html {
    type ExtraMatchingData<'a> = ();
    type AttrValue = CssValue;
    type Identifier = CssName;
    type LocalName = CssName;
    type NamespaceUrl = CssName;
    type NamespacePrefix = CssName;
    type BorrowedNamespaceUrl = CssName;
    type BorrowedLocalName = CssName;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoElement;
}

impl From<&str> for CssName {
    fn from(text: &str) -> CssName {
        CssName(text.to_owned())
    }
}

impl From<&str> for CssValue {
    fn from(text: &str) -> CssValue {
        CssValue(text.to_owned())
    }
}

impl AsRef<str> for CssValue {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl PrecomputedHash for CssName {
    fn precomputed_hash(&self) -> u32 {
        // FNV-1a, which is the same in every run.
        self.0.bytes().fold(0x811c_9dc5, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
    }
}

impl ToCss for CssName {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl ToCss for CssValue {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        dest.write_char('"')?;
        fmt::Write::write_str(&mut CssStringWriter::new(dest), &self.0)?;
        dest.write_char('"')
    }
}

/// The pseudo-classes beside those of the tree that a file can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PseudoClass {
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
pub(super) enum PseudoElement {}

impl ToCss for PseudoElement {
    fn to_css<W: fmt::Write>(&self, _dest: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl selectors::parser::PseudoElement for PseudoElement {}

/// Which selectors are read.
pub(super) struct SelectorReader;

impl<'i> selectors::parser::Parser<'i> for SelectorReader {
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

    fn parse_non_ts_pseudo_class(
        &self,
        name: &str,
    ) -> Result<PseudoClass, ParseError<SelectorParseErrorKind>> {
        if name.eq_ignore_ascii_case("link") || name.eq_ignore_ascii_case("any-link") {
            return Ok(PseudoClass::Link);
        }
        Err(ParseError::custom(
            SelectorParseErrorKind::UnsupportedPseudoClassOrElement,
        ))
    }
}

/// A page that is asked, and how often it may still be.
#[derive(Clone, Copy)]
pub(super) struct SearchedPage<'p> {
    pub dom: &'p Dom,
    pub source: &'p [u8],
    pub steps: &'p Cell<usize>,
}

impl<'p> SearchedPage<'p> {
    /// Returns the element with this number. Who is beside whom stays true when the steps are spent, for the engine counts
    /// on it; what fails then is every question about an element, which soon ends the search.
    fn node(self, at: usize) -> Option<ElementNode<'p>> {
        self.spend();
        Some(ElementNode {
            page: self,
            element: self.dom.elements.get(at)?,
        })
    }

    /// Takes one step off and says whether there was one.
    pub(super) fn spend(self) -> bool {
        let left = self.steps.get().checked_sub(1);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// An element as the engine sees it.
#[derive(Clone, Copy)]
pub(super) struct ElementNode<'p> {
    pub page: SearchedPage<'p>,
    pub element: &'p HtmlElement,
}

impl fmt::Debug for ElementNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "<{}> at byte {}",
            self.element.name, self.element.start_tag.start
        )
    }
}

impl ElementNode<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        let attribute = self.element.attribute(self.page.source, name)?;
        let value = attribute
            .value
            .map_or(&b""[..], |value| value.of(self.page.source));
        Some(String::from_utf8_lossy(value))
    }

    /// Says whether the value, as written or with its references resolved, is as `fits` says.
    fn value_fits(&self, name: &str, fits: impl Fn(&str) -> bool) -> bool {
        if !self.page.spend() {
            return false;
        }
        let Some(written) = self.value(name) else {
            return false;
        };
        fits(&written) || resolved(&written).is_some_and(|resolved| fits(&resolved))
    }
}

impl selectors::Element for ElementNode<'_> {
    type Impl = Html;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.element)
    }

    fn parent_element(&self) -> Option<Self> {
        self.page
            .node(self.element.parent?)
            .filter(|_| self.page.steps.get() > 0)
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

    fn has_local_name(&self, name: &CssName) -> bool {
        self.page.spend() && *self.element.name == name.0
    }

    fn has_namespace(&self, _namespace: &CssName) -> bool {
        true
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.element.name == other.element.name
    }

    fn attr_matches(
        &self,
        _namespace: &NamespaceConstraint<&CssName>,
        name: &CssName,
        operation: &AttrSelectorOperation<&CssValue>,
    ) -> bool {
        self.value_fits(&name.0, |value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(
        &self,
        class: &PseudoClass,
        _context: &mut MatchingContext<Html>,
    ) -> bool {
        match class {
            PseudoClass::Link => self.is_link(),
        }
    }

    fn match_pseudo_element(
        &self,
        element: &PseudoElement,
        _context: &mut MatchingContext<Html>,
    ) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        matches!(&*self.element.name, "a" | "area") && self.value("href").is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &CssName, case: CaseSensitivity) -> bool {
        self.value_fits("id", |value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, class: &CssName, case: CaseSensitivity) -> bool {
        self.value_fits("class", |value| {
            class_words(value)
                .split_ascii_whitespace()
                .any(|word| case.eq(word.as_bytes(), class.0.as_bytes()))
        })
    }

    fn has_custom_state(&self, _name: &CssName) -> bool {
        false
    }

    fn imported_part(&self, _name: &CssName) -> Option<CssName> {
        None
    }

    fn is_part(&self, _name: &CssName) -> bool {
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
