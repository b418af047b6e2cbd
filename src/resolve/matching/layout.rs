//! Layout: whether lines found are as deep as those looked for.

use super::question::Question;
use crate::text::indent::Unit;
use crate::text::{is_blank, leading_blank};

/// Says whether a place at this much indentation can be what the text means: the least that a line of the text has, and
/// of the place. Where indentation is syntax, a text that brings indentation of its own says how deep it stands, give or
/// take one step; one that begins in the first column had it taken off.
pub(super) fn depth_agrees(question: &Question<'_>, quoted: &[u8], stands: &[u8]) -> bool {
    let offside = question
        .language
        .is_some_and(|language| language.habits.offside);
    if !offside || question.narrowed || quoted.is_empty() {
        return true;
    }
    let tabs = |indent: &[u8]| indent.iter().filter(|&&byte| byte == b'\t').count();
    // Tabs for spaces: as deep, if the spaces can be so many tabs.
    let (mixed, written) = (
        tabs(quoted).max(tabs(stands)),
        quoted.len().max(stands.len()),
    );
    if tabs(quoted).min(tabs(stands)) == 0
        && mixed > 0
        && written % mixed == 0
        && (2..=8).contains(&(written / mixed))
    {
        return true;
    }
    let width = match question.unit {
        Some(Unit::Spaces(width)) => width.max(1),
        Some(Unit::Tab) | None => 4,
    };
    let steps = |indent: &[u8]| tabs(indent) + (indent.len() - tabs(indent)).div_ceil(width);
    steps(quoted).abs_diff(steps(stands)) <= 1
}

/// Returns the least indentation of `lines` that are not blank.
pub(super) fn least_indentation<'l>(lines: impl Iterator<Item = &'l [u8]>) -> &'l [u8] {
    let indents = lines.filter(|line| !is_blank(line)).map(leading_blank);
    indents
        .min_by_key(|indent| indent.len())
        .unwrap_or_default()
}
