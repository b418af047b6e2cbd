//! `Called`: a segment with all that it goes by, so that whoever keeps it can say later whether a name names it.

use super::block::{self, Block};
use super::element;
use super::named::{Definition, is_code};
use super::reading::Reading;
use super::segment::{self, Segment};
use crate::syntax::SegmentKind;

/// A segment, and what it answers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The segment, described.
    pub segment: Segment,
    /// Its qualified name; of a section its heading with markers, of a block its own name.
    pub qualified: String,
    /// Its address within the file.
    pub address: String,
    /// What decides how names are compared.
    pub sort: CalledKind,
    /// Whether the dots of the qualified name are those between its components and no others.
    pub is_plain: bool,
}

/// What decides how names are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalledKind {
    /// A definition: the end of its qualified name names it too.
    Code,
    /// A section, an element or a key.
    Other,
    /// A block or a region.
    Block,
}

/// What a segment goes by.
#[derive(Clone, Copy, Debug)]
pub struct SegmentNames<'a> {
    name: &'a str,
    qualified: &'a str,
    /// Within the file.
    address: &'a str,
    sort: CalledKind,
}

impl SegmentNames<'_> {
    /// Says whether `asked` names it: its own name, its qualified one, the end of that, or its address. A `*` in it stands for
    /// any characters but a dot.
    pub fn answer_to(&self, asked: &str) -> bool {
        let asked = asked.trim_start_matches("*.").trim();
        if is_pattern(asked) {
            return self.fits(asked);
        }
        if self.sort == CalledKind::Block {
            return self.name == asked.strip_prefix("block:").unwrap_or(asked);
        }
        let ends = |qualified: &str| {
            qualified
                .strip_suffix(asked)
                .is_some_and(|around| around.ends_with('.'))
        };
        self.name == asked
            || self.qualified == asked
            || self.address == asked
            || (self.sort == CalledKind::Code && ends(self.qualified))
    }
}

impl SegmentNames<'_> {
    fn fits(&self, pattern: &str) -> bool {
        match self.sort {
            CalledKind::Code => {
                let (mut wanted, mut own) = (pattern.rsplit('.'), self.qualified.rsplit('.'));
                wanted.all(|piece| own.next().is_some_and(|own| fits(own, piece)))
            }
            CalledKind::Block => fits(self.name, pattern.strip_prefix("block:").unwrap_or(pattern)),
            CalledKind::Other => fits(self.name, pattern) || fits(self.address, pattern),
        }
    }
}

/// Says whether a name that is asked for has a `*`, and stands for several.
pub fn is_pattern(asked: &str) -> bool {
    asked.trim_start_matches("*.").contains('*')
}

/// Says whether `name` is `pattern`, in which each `*` stands for any characters.
fn fits(name: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    for piece in pieces {
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

impl Called {
    /// Returns what it goes by.
    pub fn names(&self) -> SegmentNames<'_> {
        let segment = &self.segment;
        SegmentNames {
            name: &segment.name,
            qualified: &self.qualified,
            address: &self.address,
            sort: self.sort,
        }
    }
}

/// Returns the word that stands in every file where `asked` is looked for: a file without it need not be parsed.
pub fn word_of(asked: &str) -> &str {
    if is_pattern(asked) {
        let pieces = asked.split(['*', '.', ':', '#']).map(str::trim);
        return pieces.max_by_key(|piece| piece.len()).unwrap_or_default();
    }
    let name = asked.trim_start_matches("*.").trim_start_matches("block:");
    name.rsplit('.')
        .next()
        .unwrap_or(name)
        .trim_start_matches('#')
        .trim()
}

/// Returns every segment of a document, blocks and regions too, in file order.
pub fn all(reading: &Reading<'_>) -> Vec<Called> {
    matching(reading, |_| true)
}

/// Returns those that go by the names that are wanted.
pub(super) fn matching(
    reading: &Reading<'_>,
    wanted: impl Fn(&SegmentNames<'_>) -> bool,
) -> Vec<Called> {
    let named = reading
        .named()
        .iter()
        .filter(|named| wanted(&names_of(named)) && has_address(reading, named));
    let blocks = reading
        .blocks()
        .list
        .iter()
        .filter(|block| wanted(&names_of_block(block)));
    let mut called: Vec<Called> = named.map(|named| of_named(reading, named)).collect();
    called.extend(blocks.map(|block| of_block(reading, block)));
    called.sort_by_key(|called| order(&called.segment));
    called
}

fn names_of<'a>(named: &'a Definition<'_>) -> SegmentNames<'a> {
    let sort = if is_code(named.symbol.kind) {
        CalledKind::Code
    } else {
        CalledKind::Other
    };
    SegmentNames {
        name: &named.symbol.name,
        qualified: &named.qualified,
        address: named.address_within(),
        sort,
    }
}

fn names_of_block(block: &Block) -> SegmentNames<'_> {
    SegmentNames {
        name: &block.name,
        qualified: &block.name,
        address: &block.address,
        sort: CalledKind::Block,
    }
}

/// Returns every segment, blocks and regions too, in file order, for whoever does not ask what they answer to.
pub(super) fn segments(reading: &Reading<'_>) -> Vec<Segment> {
    let (named, blocks) = (reading.named(), &reading.blocks().list);
    let mut segments = Vec::with_capacity(named.len() + blocks.len());
    let addressed = named.iter().filter(|named| has_address(reading, named));
    segments.extend(addressed.map(|named| segment_of(reading, named)));
    segments.extend(blocks.iter().map(|block| segment_of_block(reading, block)));
    segments.sort_by_key(order);
    segments
}

/// Returns what puts segments into file order, outer ones first.
fn order(segment: &Segment) -> (usize, usize) {
    (segment.start_byte, usize::MAX - segment.end_byte)
}

fn segment_of(reading: &Reading<'_>, named: &Definition<'_>) -> Segment {
    let (document, definition) = (reading.document, named.symbol.definition);
    let place = match named.symbol.kind {
        SegmentKind::Element => document.place(element::extent(document, definition)),
        _ => document.widened_place(definition),
    };
    segment::of_named(document, place, named, reading.parent(named))
}

fn segment_of_block(reading: &Reading<'_>, block: &Block) -> Segment {
    block::described(reading, block, block.whole(reading.document))
}

fn of_named(reading: &Reading<'_>, named: &Definition<'_>) -> Called {
    Called {
        segment: segment_of(reading, named),
        qualified: named.qualified.clone(),
        address: named.address(),
        sort: names_of(named).sort,
        is_plain: named.qualified.split('.').count() == named.components.len(),
    }
}

fn of_block(reading: &Reading<'_>, block: &Block) -> Called {
    Called {
        segment: segment_of_block(reading, block),
        qualified: block.name.clone(),
        address: block.address.clone(),
        sort: CalledKind::Block,
        is_plain: false,
    }
}

/// Says whether an address can tell the segment from all others: a key that stands twice in one mapping has none.
fn has_address(reading: &Reading<'_>, named: &Definition<'_>) -> bool {
    let around = std::iter::successors(Some(named), |named| {
        named.parent.and_then(|at| reading.named().get(at))
    });
    !around
        .filter(|named| named.symbol.kind == SegmentKind::Key)
        .any(|named| named.twins > 1)
}
