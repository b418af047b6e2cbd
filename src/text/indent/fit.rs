//! Fitting: content measured and then moved or converted to the place that it is written at.

use super::line_role::LineRole;
use super::measure::{self, IndentedLine, lines_of};
use super::place::{IndentSyntax, IndentTarget, Start};
use super::shift::{LineShift, shift_docstrings};
use super::unit::Unit;
use super::{convert, unchanged};

/// Why content cannot be re-indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Tabs here and spaces there, first seen on this 1-based line of the content: what is inside what is a guess.
    Mixed {
        /// 1-based line of the content.
        line: usize,
    },
}

/// Returns `content` as it has to be written at `place`. `roles` holds one role for each line; a missing one is `Code`.
pub fn fit(
    content: &[u8],
    roles: &[LineRole],
    place: &IndentTarget<'_>,
) -> Result<Vec<u8>, Problem> {
    let mut lines = lines_of(content, roles, place.line_comments);
    if let Some(old) = place.old
        && unchanged::says_the_same(&lines, old, place)
    {
        return Ok(old.to_vec());
    }
    if let Some(line) = measure::mixed(&lines) {
        return Err(Problem::Mixed { line });
    }
    let nested =
        place.layout == IndentSyntax::Free || unchanged::is_nested_as_given_or_mended(&mut lines);
    if nested
        && unchanged::lost_its_first_indentation(&lines, place)
        && let Some(first) = lines.iter_mut().find(|line| !line.is_empty())
    {
        first.indent = place.base;
    }
    let indents = match change_of_unit(&lines, place.unit) {
        Some((from, to)) if nested => convert::indents(&lines, place, from, to),
        // What no reading makes whole is for the file's own parser to refuse, not for us to guess.
        Some(_) | None => moved(&lines, place),
    };
    Ok(written(&lines, &indents, place))
}

/// Returns the content's unit and the place's if they differ and both are known.
pub(super) fn change_of_unit(lines: &[IndentedLine<'_>], to: Option<Unit>) -> Option<(Unit, Unit)> {
    let to = to?;
    // Content of several units that begins with the place's own is laid out for it, as oddly as somebody meant it.
    if measure::first_step(lines) == Some(to) {
        return None;
    }
    let from = measure::unit(lines).or_else(|| measure::hanging_unit(lines, to))?;
    (from != to).then_some((from, to))
}

/// Returns each line's new indentation when all of them move alike.
pub(super) fn moved(lines: &[IndentedLine<'_>], place: &IndentTarget<'_>) -> Vec<Vec<u8>> {
    let shift = LineShift::between(measure::base(lines), place.base);
    let mut indents: Vec<Vec<u8>> = Vec::with_capacity(lines.len());
    for line in lines {
        indents.push(match line.role {
            LineRole::Code | LineRole::Continuation(_) => shift.clamped(line.indent),
            LineRole::Docstring(_) | LineRole::Frozen | LineRole::Blank => Vec::new(),
        });
    }
    shift_docstrings(lines, &mut indents, shift);
    indents
}

/// Puts the lines together with their new indentations.
pub(super) fn written(
    lines: &[IndentedLine<'_>],
    indents: &[Vec<u8>],
    place: &IndentTarget<'_>,
) -> Vec<u8> {
    let kept = place
        .old
        .map(|old| unchanged::blank_lines_kept(lines, indents, old))
        .unwrap_or_default();
    let first = lines.iter().position(|line| !line.is_empty());
    let mut bytes = Vec::new();
    for (number, (line, indent)) in lines.iter().zip(indents).enumerate() {
        let mid_line = place.start == Start::MidLine && Some(number) == first;
        match kept.get(&number) {
            Some(white) => bytes.extend_from_slice(white),
            None if !mid_line => bytes.extend_from_slice(indent),
            None => {}
        }
        bytes.extend_from_slice(line.text);
    }
    bytes
}
