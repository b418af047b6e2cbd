//! `Rebuild`: the old outline, with definitions that were read again in the place of the old ones.

use super::touched::start_of;
use crate::syntax::{Decoration, Symbol};
use crate::text::Span;
use crate::text::splice::OffsetShift;

/// A definition that was read again.
pub(super) struct RereadDefinition<'o> {
    pub(super) lines: Span,
    pub(super) old: &'o Symbol,
    /// Where its statement begins in the new file.
    pub(super) start: usize,
    pub(super) symbol: Symbol,
}

/// Makes the new outline of the old one.
pub(super) struct Rebuild<'o> {
    pub(super) moves: OffsetShift,
    pub(super) replaced: Vec<RereadDefinition<'o>>,
}

impl Rebuild<'_> {
    pub(super) fn symbol(&self, old: &Symbol) -> Option<Symbol> {
        let at = self
            .replaced
            .partition_point(|replaced| replaced.lines.end <= old.definition.start);
        if let Some(replaced) = self
            .replaced
            .get(at)
            .filter(|replaced| std::ptr::eq(replaced.old, old))
        {
            // The comments above are as they were.
            let above = old
                .decorations
                .iter()
                .filter(|decoration| decoration.span.end <= replaced.lines.start);
            let above: Option<Vec<Decoration>> = above
                .map(|above| {
                    Some(Decoration {
                        span: self.span(above.span)?,
                        ..*above
                    })
                })
                .collect();
            let decorations = [above?, replaced.symbol.decorations.clone()].concat();
            return Some(Symbol {
                decorations,
                ..replaced.symbol.clone()
            });
        }
        let optional =
            |span: Option<Span>| span.map_or(Some(None), |span| self.span(span).map(Some));
        let decorations: Option<Vec<Decoration>> = old
            .decorations
            .iter()
            .map(|decoration| {
                Some(Decoration {
                    span: self.span(decoration.span)?,
                    ..*decoration
                })
            })
            .collect();
        let children: Option<Vec<Symbol>> = old
            .children
            .iter()
            .map(|child| self.symbol(child))
            .collect();
        Some(Symbol {
            name: old.name.clone(),
            owner: old.owner.clone(),
            address: old.address.clone(),
            names_inside: old.names_inside,
            parted: old.parted,
            component: old.component,
            kind: old.kind,
            level: old.level,
            definition: self.span(old.definition)?,
            decorations: decorations?,
            trailing: optional(old.trailing)?,
            signature: self.span(old.signature)?,
            body: optional(old.body)?,
            docstring: optional(old.docstring)?,
            children: children?,
        })
    }

    fn span(&self, span: Span) -> Option<Span> {
        Some(Span::new(self.offset(span.start)?, self.offset(span.end)?))
    }

    /// Returns where an offset of the old file is now. Of a definition that was read again, only its first byte and
    /// its end have a place that is known.
    fn offset(&self, offset: usize) -> Option<usize> {
        let at = self
            .replaced
            .partition_point(|replaced| replaced.lines.end < offset);
        match self
            .replaced
            .get(at)
            .filter(|replaced| replaced.lines.start < offset)
        {
            Some(inside) if offset == inside.old.definition.end => {
                Some(inside.symbol.definition.end)
            }
            Some(inside) if offset == start_of(inside.old) => Some(inside.start),
            Some(inside) if offset < inside.lines.end => None,
            Some(_) | None => Some(self.moves.before(offset)),
        }
    }
}
