//! `Shift`: one indentation exchanged for another, on any line that has the part that goes.
//!
//! What both have in common at their end stays, so that a shift to the right only adds, and is possible on every line;
//! a shift to the left takes away, and is exact only on lines that have what is taken.

use super::line_role::LineRole;
use super::measure::IndentedLine;

/// Takes the bytes `off` from a line's indentation and puts `on` in their place.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineShift<'a> {
    off: &'a [u8],
    on: &'a [u8],
}

impl<'a> LineShift<'a> {
    /// Returns the shift that makes `to` of `from`.
    pub(super) fn between(from: &'a [u8], to: &'a [u8]) -> LineShift<'a> {
        let common = from
            .iter()
            .rev()
            .zip(to.iter().rev())
            .take_while(|(old, new)| old == new)
            .count();
        LineShift {
            off: &from[..from.len() - common],
            on: &to[..to.len() - common],
        }
    }

    /// Returns `indent` shifted, or `None` when it lacks what is to be taken off.
    pub(super) fn exact(self, indent: &[u8]) -> Option<Vec<u8>> {
        indent
            .strip_prefix(self.off)
            .map(|rest| [self.on, rest].concat())
    }

    /// Returns `indent` shifted, or as far as it goes: a line at column 0 cannot move to the left.
    pub(super) fn clamped(self, indent: &[u8]) -> Vec<u8> {
        self.exact(indent).unwrap_or_else(|| {
            let shared = indent
                .iter()
                .zip(self.off)
                .take_while(|(have, off)| have == off)
                .count();
            // `off` is not empty here, else every line would have it.
            let on = self.on.len() * shared / self.off.len().max(1);
            [&self.on[..on.min(self.on.len())], &indent[shared..]].concat()
        })
    }
}

/// Gives the lines of each docstring the shift of the line that it begins on, or leaves all of them as they are when
/// one has less indentation than goes: half a docstring moved would be another docstring.
pub(super) fn shift_docstrings(
    lines: &[IndentedLine<'_>],
    indents: &mut [Vec<u8>],
    fallback: LineShift<'_>,
) {
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let LineRole::Docstring(begins) = line.role else {
            at += 1;
            continue;
        };
        let inside = |line: &&IndentedLine<'_>| {
            line.role == LineRole::Docstring(begins) || line.role == LineRole::Blank
        };
        let whole = at..at + lines[at..].iter().take_while(inside).count();
        let opener = lines[..at]
            .get(begins)
            .zip(indents[..at].get(begins).cloned());
        let shift = opener.as_ref().map_or(fallback, |(opener, indent)| {
            LineShift::between(opener.indent, indent)
        });
        let docstring = &lines[whole.clone()];
        let moves = docstring
            .iter()
            .all(|line| line.is_empty() || shift.exact(line.indent).is_some());
        for (line, indent) in docstring
            .iter()
            .zip(&mut indents[whole.clone()])
            .filter(|(line, _)| !line.is_empty())
        {
            *indent = if moves {
                shift.clamped(line.indent)
            } else {
                line.indent.to_vec()
            };
        }
        at = whole.end;
    }
}
