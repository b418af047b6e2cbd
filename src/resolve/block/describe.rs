//! Blocks as reports describe them.

use super::model::{Block, BlockKind};
use crate::resolve::Reading;
use crate::resolve::segment::{Name, Segment, describe};
use crate::text::Span;

/// Describes `span` of a block.
pub fn described(reading: &Reading<'_>, block: &Block, span: Span) -> Segment {
    let parent = block.parent.and_then(|at| reading.blocks().list.get(at));
    let around = || {
        reading
            .enclosing(block.open.cover(block.close))
            .map(|around| around.qualified.clone())
    };
    describe(
        reading.document,
        span,
        block.sort.as_str(),
        Name {
            address: Some(block.address.clone()),
            name: &block.name,
            signature: Some(block.open)
                .filter(|open| !open.is_empty() && block.sort != BlockKind::Scaffold),
            parent: parent.map(|parent| parent.address.clone()).or_else(around),
        },
    )
}
