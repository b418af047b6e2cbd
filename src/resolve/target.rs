//! `Target`: an address found, with its description.

use super::block::Block;
use super::named::Definition;
use super::reading::Reading;
use super::segment::Segment;
use crate::syntax::html::HtmlElement;
use crate::text::Span;

/// An address found.
#[derive(Clone, Debug)]
pub struct Target<'r, 'd> {
    /// Where the operation acts.
    pub span: Span,
    /// The named segment, when the selector names one.
    pub named: Option<&'r Definition<'d>>,
    /// The element, when the selector names one.
    pub element: Option<&'d HtmlElement>,
    /// The block, when the selector names one.
    pub block: Option<&'r Block>,
    /// The number of the entry of a configuration file, when the selector names one.
    pub key: Option<usize>,
    /// The range described.
    pub segment: Segment,
}

impl<'r, 'd> Target<'r, 'd> {
    /// Returns a range that no name stands for.
    pub(super) fn unnamed(reading: &Reading<'d>, span: Span, kind: &str) -> Target<'r, 'd> {
        Target {
            span,
            named: None,
            block: None,
            element: None,
            key: None,
            segment: reading.describe(span, None, kind),
        }
    }
}
