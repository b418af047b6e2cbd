//! Which bytes a part of a segment is.

use super::document::Document;
use super::items::{self, ItemProblem};
use crate::manifest::{ItemName, Part};
use crate::syntax::markdown::{self, MarkdownBlockKind};
use crate::syntax::{ItemKind, SegmentKind, Symbol};
use crate::text::Span;

/// Why a segment has no such part, as data for the refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartProblem {
    /// Segments of this kind never have it.
    NotOfThisKind(Part),
    /// Which of its items is meant.
    Item(ItemProblem),
    /// This segment lacks it.
    Lacking(Part),
    /// The section's own text holds fewer blocks of this sort.
    TooFew {
        /// What was asked for.
        part: Part,
        /// How many there are.
        available: usize,
    },
}

/// Returns the bytes of `part` of `symbol`; without one its definition, or the whole section.
pub fn span(document: &Document, symbol: &Symbol, part: Option<Part>) -> Result<Span, PartProblem> {
    if symbol.kind == SegmentKind::Section {
        return section_part(document, symbol, part);
    }
    let part = part.unwrap_or(Part::Definition);
    let found = match part {
        Part::Definition => Some(symbol.definition),
        Part::Whole => Some(symbol.whole()),
        Part::Body => symbol.body,
        Part::Signature => return Ok(symbol.signature),
        Part::Docstring => symbol.docstring,
        Part::Item(kind, name) => return item(document, symbol, kind, name),
        Part::Own
        | Part::Heading
        | Part::Code(_)
        | Part::Table(_)
        | Part::List(_)
        | Part::Inner
        | Part::Attribute(_) => {
            return Err(PartProblem::NotOfThisKind(part));
        }
    };
    found
        .map(|span| document.widened(span))
        .ok_or(PartProblem::Lacking(part))
}

fn item(
    document: &Document,
    symbol: &Symbol,
    kind: ItemKind,
    name: Option<ItemName>,
) -> Result<Span, PartProblem> {
    let list = items::list(document, symbol, kind)
        .ok_or(PartProblem::NotOfThisKind(Part::Item(kind, None)))?;
    let Some(name) = name else {
        return Err(PartProblem::Item(items::unnamed(
            &list,
            Part::Item(kind, None),
        )));
    };
    let at = items::find(document, &list, kind, name).map_err(PartProblem::Item)?;
    Ok(list.items[at].span)
}

fn section_part(
    document: &Document,
    section: &Symbol,
    part: Option<Part>,
) -> Result<Span, PartProblem> {
    let part = part.unwrap_or(Part::Whole);
    match part {
        Part::Definition
        | Part::Signature
        | Part::Docstring
        | Part::Inner
        | Part::Attribute(_)
        | Part::Item(..) => Err(PartProblem::NotOfThisKind(part)),
        Part::Whole => Ok(section.definition),
        Part::Heading => Ok(section.signature),
        // A section without text has an empty one, right below its heading.
        Part::Body => Ok(section.body.unwrap_or(Span::at(section.signature.end))),
        Part::Own => {
            Ok(markdown::own(&document.bytes, section).unwrap_or(Span::at(section.signature.end)))
        }
        Part::Code(index) => block(document, section, (part, MarkdownBlockKind::Code, index)),
        Part::Table(index) => block(document, section, (part, MarkdownBlockKind::Table, index)),
        Part::List(index) => block(document, section, (part, MarkdownBlockKind::List, index)),
    }
}

/// Returns the `index`-th block of one sort, from 1.
fn block(
    document: &Document,
    section: &Symbol,
    wanted: (Part, MarkdownBlockKind, usize),
) -> Result<Span, PartProblem> {
    let (part, sort, index) = wanted;
    let blocks = markdown::blocks(&document.bytes, section, sort);
    let found = index.checked_sub(1).and_then(|at| blocks.get(at)).copied();
    found.ok_or(PartProblem::TooFew {
        part,
        available: blocks.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::snapshot::HashKind;

    const TEXT: &str = "# a\nb\n\n```\nc\n```\n\n- d\n\n## e\n| f |\n| - |\n";

    fn check(part: Part, expected: Result<&str, PartProblem>) {
        let path = RepoPath::parse("a.md").unwrap();
        let document = Document::new(path, TEXT.as_bytes().into(), HashKind::Sha1);
        let section = &document.outline().symbols[0];
        assert_eq!(
            span(&document, section, Some(part)).map(|span| &TEXT[span.start..span.end]),
            expected
        );
    }

    #[test]
    fn a_section_has_parts_of_its_own() {
        check(Part::Whole, Ok(TEXT.trim_end()));
        check(Part::Heading, Ok("# a"));
        check(Part::Body, Ok(&TEXT["# a\n".len()..TEXT.len() - 1]));
        check(Part::Own, Ok("b\n\n```\nc\n```\n\n- d"));
        check(Part::Code(1), Ok("```\nc\n```"));
        check(Part::List(1), Ok("- d"));
        check(
            Part::Code(2),
            Err(PartProblem::TooFew {
                part: Part::Code(2),
                available: 1,
            }),
        );
        check(
            Part::Table(1),
            Err(PartProblem::TooFew {
                part: Part::Table(1),
                available: 0,
            }),
        );
        check(
            Part::Docstring,
            Err(PartProblem::NotOfThisKind(Part::Docstring)),
        );
    }
}
