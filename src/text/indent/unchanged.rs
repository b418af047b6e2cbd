//! What stands at the place already: content that says the same changes nothing, blank lines that stay keep their
//! white space, and content cut out in mid-line is recognised by where its other lines stand.

use std::collections::BTreeMap;

use super::measure::{self, IndentedLine};
use super::{IndentTarget, LineRole, Start};
use crate::text::diff::{self, Run};
use crate::text::{is_blank, leading_blank, trim_ending};

/// Says whether the content is `old`, but for a margin taken off all lines and white space on blank ones, and `old`
/// stands where the content is to go: asked for other columns, it moves.
pub(super) fn says_the_same(
    lines: &[IndentedLine<'_>],
    old: &[u8],
    place: &IndentTarget<'_>,
) -> bool {
    let old: Vec<&[u8]> = old
        .split_inclusive(|&byte| byte == b'\n')
        .map(trim_ending)
        .collect();
    if old.len() != lines.len() {
        return false;
    }
    let skipped = match place.start {
        Start::OwnLine => 0,
        Start::MidLine => 1,
    };
    let stands = |number: usize| {
        old.get(number)
            .is_some_and(|line| leading_blank(line) == place.base)
    };
    let anchor = lines
        .iter()
        .position(IndentedLine::is_statement)
        .unwrap_or(0);
    if skipped == 0 && !stands(anchor) && !stands(0) {
        return false;
    }
    let movable = || {
        lines
            .iter()
            .zip(&old)
            .enumerate()
            .skip(skipped)
            .filter(|(_, (line, old))| {
                !(line.is_empty() || line.role == LineRole::Frozen || is_blank(old))
            })
    };
    let taken = common(movable().map(|(_, (line, _))| line.indent));
    let standing = common(movable().map(|(_, (_, old))| leading_blank(old)));
    lines
        .iter()
        .zip(&old)
        .enumerate()
        .all(|(number, (line, old))| {
            let text = trim_ending(line.text);
            match line.role {
                LineRole::Frozen => text == *old,
                _ if line.is_empty() => leading_blank(old).len() == old.len(),
                _ if number < skipped => text == &old[leading_blank(old).len()..],
                _ => {
                    let indent = leading_blank(old);
                    text == &old[indent.len()..]
                        && line.indent.get(taken.len()..) == indent.get(standing.len()..)
                }
            }
        })
}

/// Returns the longest indentation that all of `indents` begin with.
fn common<'a>(mut indents: impl Iterator<Item = &'a [u8]>) -> &'a [u8] {
    let Some(first) = indents.next() else {
        return b"";
    };
    indents.fold(first, |common, indent| {
        let same = common
            .iter()
            .zip(indent)
            .take_while(|(one, other)| one == other)
            .count();
        &common[..same]
    })
}

/// Returns the white space of the blank lines that stay: those in a run of lines that stays. Others become
/// empty, and so do blank lines that are alike by chance, between lines that all change.
pub(super) fn blank_lines_kept<'o>(
    lines: &[IndentedLine<'_>],
    indents: &[Vec<u8>],
    old: &'o [u8],
) -> BTreeMap<usize, &'o [u8]> {
    let blank = |line: &[u8]| leading_blank(line).len() == line.len();
    let old: Vec<&[u8]> = old
        .split_inclusive(|&byte| byte == b'\n')
        .map(trim_ending)
        .collect();
    if !old.iter().any(|line| blank(line) && !line.is_empty()) {
        return BTreeMap::new();
    }
    let without_white: Vec<&[u8]> = old
        .iter()
        .map(|&line| if blank(line) { b"" } else { line })
        .collect();
    let new: Vec<Vec<u8>> = lines
        .iter()
        .zip(indents)
        .map(|(line, indent)| [indent, trim_ending(line.text)].concat())
        .collect();
    let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).collect();
    let kept = |run: &Run| {
        let ends = run.old.end == without_white.len() && run.new.end == new.len();
        let anchored = run.old.start == 0 && run.new.start == 0
            || ends
            || lines[run.new.clone()].iter().any(|line| !line.is_empty());
        let pairs = run
            .new
            .clone()
            .zip(run.old.clone())
            .filter(|&(at, _)| anchored && lines[at].is_empty());
        pairs
            .map(|(at, old_at)| (at, old[old_at]))
            .collect::<Vec<_>>()
    };
    diff::equal_runs(&without_white, &new)
        .iter()
        .flat_map(kept)
        .collect()
}

/// Says whether the content was cut out from behind its first line's indentation, its other lines standing as they
/// stand in the file: then only its first line is to be moved.
pub(super) fn lost_its_first_indentation(
    lines: &[IndentedLine<'_>],
    place: &IndentTarget<'_>,
) -> bool {
    let Some(at) = lines.iter().position(|line| !line.is_empty()) else {
        return false;
    };
    let (first, rest) = (&lines[at], &lines[at + 1..]);
    let mut movable = rest
        .iter()
        .filter(|line| !line.is_empty() && line.role != LineRole::Frozen)
        .peekable();
    let stands =
        movable.peek().is_some() && movable.all(|line| line.indent.starts_with(place.base));
    if place.base.is_empty() || !first.indent.is_empty() || first.role != LineRole::Code || !stands
    {
        return false;
    }
    match place.start {
        Start::MidLine => true,
        Start::OwnLine => one_step_too_deep(first, rest, place),
    }
}

/// Says whether each statement goes back to a column that an earlier one opened, as Python asks for. Where the first
/// line stands in column 0 and one goes back to a column that nothing opened, the first line was cut out without
/// its indentation: it is put back in the leftmost of these columns, if that makes the whole nested.
pub(super) fn is_nested_as_given_or_mended(lines: &mut [IndentedLine<'_>]) -> bool {
    if measure::is_nested(lines) {
        return true;
    }
    let Some(at) = lines
        .iter()
        .position(IndentedLine::is_statement)
        .filter(|&at| lines[at].indent.is_empty())
    else {
        return false;
    };
    let others = lines[at + 1..]
        .iter()
        .filter(|line| line.is_statement())
        .map(|line| line.indent);
    lines[at].indent = others.min_by_key(|indent| indent.len()).unwrap_or_default();
    let mended = measure::is_nested(lines);
    if !mended {
        lines[at].indent = b"";
    }
    mended
}

/// Says whether the body begins one unit deeper than the *place*, which no layout would make of a header at column
/// 0; or a decorator at column 0 stands over a definition in the place's own column. A segment that is laid out so
/// today proves nothing.
fn one_step_too_deep(
    first: &IndentedLine<'_>,
    rest: &[IndentedLine<'_>],
    place: &IndentTarget<'_>,
) -> bool {
    let continues = |line: &&IndentedLine<'_>| matches!(line.role, LineRole::Continuation(_));
    let body = rest
        .iter()
        .find(|line| line.is_statement())
        .or_else(|| rest.iter().find(continues));
    let Some(beyond) = body.and_then(|body| body.indent.strip_prefix(place.base)) else {
        return false;
    };
    let step = place.unit.map(|unit| unit.steps(1));
    let decorated = beyond.is_empty() && first.text.starts_with(b"@");
    (decorated || step.as_deref() == Some(beyond))
        && !place.old.is_some_and(|old| is_deep(old, place.base))
}

/// Says whether all lines of `old` but the first are indented by twice `base` or more.
fn is_deep(old: &[u8], base: &[u8]) -> bool {
    let mut inner = old
        .split(|&byte| byte == b'\n')
        .filter(|line| !is_blank(line))
        .skip(1)
        .peekable();
    inner.peek().is_some() && inner.all(|line| leading_blank(line).len() >= 2 * base.len())
}
