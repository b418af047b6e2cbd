//! Indentation: measured, taken off, put on again, so that the caller never has to think about it.
//!
//! Two laws hold: taking indentation off and putting it back is the identity, and a line whose role is `Frozen`
//! keeps its bytes. Pure strings and roles; which line plays which role is for syntax to say.
//!
//! Content is *moved* when its unit is the place's own: one prefix is exchanged for another on every line, so that
//! lines left of the base (a comment at column 0, an odd continuation) stay where they stood against their neighbours.
//! Only content of another unit is *converted*, level by level. Lines end with LF here; a CRLF file's endings are
//! written over the result.
//!
//! ```
//! use segedit::text::indent::{self, Layout, LineRole, Place, Unit};
//! let place = Place { unit: Some(Unit::Spaces(4)), ..Place::at(b"    ", Layout::Offside) };
//! let fitted = indent::fit(b"def f():\n  return 1\n", &[LineRole::Code; 2], &place).unwrap();
//! assert_eq!(fitted, b"    def f():\n        return 1\n");
//! ```
//!
//! Known limits: content whose margin was taken off line by line, where a line had less than the margin, cannot be
//! told from content that was meant so; such a line moves with the others.

mod convert;
mod measure;
mod shift;
mod standing;
#[cfg(test)]
mod tests;

pub use measure::{base_of, unit_of, unit_of_file};

use measure::{Line, lines_of};
use shift::Shift;

/// What a line is to whoever re-indents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRole {
    /// Begins a statement or stands for itself; its indentation has meaning.
    Code,
    /// Continues the statement that begins on the line with this 0-based number.
    Continuation(usize),
    /// Begins inside a docstring or a block comment that begins on this 0-based line: moves with it as a unit.
    Docstring(usize),
    /// Begins inside any other multi-line string: keeps its bytes.
    Frozen,
    /// Nothing but white space: stays or becomes empty.
    Blank,
}

/// A step of indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// One tab.
    Tab,
    /// So many spaces, at least 1.
    Spaces(usize),
}

impl Unit {
    /// Returns the unit that `white` stands for: a tab if it begins with one, else so many spaces; `None` if empty.
    pub fn from_white(white: &str) -> Option<Unit> {
        match white.as_bytes() {
            [] => None,
            [b'\t', ..] => Some(Unit::Tab),
            spaces => Some(Unit::Spaces(spaces.len())),
        }
    }

    /// Returns `count` steps as bytes.
    pub fn steps(self, count: usize) -> Vec<u8> {
        match self {
            Unit::Tab => vec![b'\t'; count],
            Unit::Spaces(width) => spaces(width.saturating_mul(count)),
        }
    }
}

/// Returns an indentation of `count` spaces.
pub fn spaces(count: usize) -> Vec<u8> {
    vec![b' '; count]
}

/// Whether indentation is syntax where the content goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Deeper means inside: levels are kept, whatever their widths.
    Offside,
    /// Braces or markers say what is inside: widths are kept, counted in units.
    Free,
}

/// How much of its first line the content takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It begins in the first column, and brings the indentation along.
    OwnLine,
    /// Something stands ahead of it on the line, so its first line gets no indentation.
    MidLine,
}

/// Where content is to stand, and how code is laid out there.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The indentation of the definition that stands there (`base_of`), or that a new one is to have.
    pub base: &'a [u8],
    /// The step of indentation there; `None` keeps the content's own.
    pub unit: Option<Unit>,
    /// Whether the content has its first line to itself.
    pub start: Start,
    /// Whether indentation is syntax.
    pub layout: Layout,
    /// What begins a comment that runs to the end of its line. Comments stand where they like: no level is read off them.
    pub line_comments: &'a [&'a str],
    /// What stands there now, if anything.
    pub old: Option<&'a [u8]>,
}

impl<'a> Place<'a> {
    /// Returns the place at indentation `base`, lines of its own, units as the content has them, nothing there yet.
    pub fn at(base: &'a [u8], layout: Layout) -> Place<'a> {
        Place {
            base,
            unit: None,
            start: Start::OwnLine,
            layout,
            line_comments: &["#"],
            old: None,
        }
    }
}

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
pub fn fit(content: &[u8], roles: &[LineRole], place: &Place<'_>) -> Result<Vec<u8>, Problem> {
    let mut lines = lines_of(content, roles, place.line_comments);
    if let Some(old) = place.old
        && standing::says_the_same(&lines, old, place)
    {
        return Ok(old.to_vec());
    }
    if let Some(line) = measure::mixed(&lines) {
        return Err(Problem::Mixed { line });
    }
    let nested = place.layout == Layout::Free || standing::is_nested_as_given_or_mended(&mut lines);
    if nested
        && standing::lost_its_first_indentation(&lines, place)
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
fn change_of_unit(lines: &[Line<'_>], to: Option<Unit>) -> Option<(Unit, Unit)> {
    let to = to?;
    // Content of several units that begins with the place's own is laid out for it, as oddly as somebody meant it.
    if measure::first_step(lines) == Some(to) {
        return None;
    }
    let from = measure::unit(lines).or_else(|| measure::hanging_unit(lines, to))?;
    (from != to).then_some((from, to))
}

/// Returns each line's new indentation when all of them move alike.
fn moved(lines: &[Line<'_>], place: &Place<'_>) -> Vec<Vec<u8>> {
    let shift = Shift::between(measure::base(lines), place.base);
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

/// Gives the lines of each docstring the shift of the line that it begins on, or leaves all of them as they are when
/// one has less indentation than goes: half a docstring moved would be another docstring.
fn shift_docstrings(lines: &[Line<'_>], indents: &mut [Vec<u8>], fallback: Shift<'_>) {
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let LineRole::Docstring(begins) = line.role else {
            at += 1;
            continue;
        };
        let inside = |line: &&Line<'_>| {
            line.role == LineRole::Docstring(begins) || line.role == LineRole::Blank
        };
        let whole = at..at + lines[at..].iter().take_while(inside).count();
        let opener = lines[..at]
            .get(begins)
            .zip(indents[..at].get(begins).cloned());
        let shift = opener.as_ref().map_or(fallback, |(opener, indent)| {
            Shift::between(opener.indent, indent)
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

/// Puts the lines together with their new indentations.
fn written(lines: &[Line<'_>], indents: &[Vec<u8>], place: &Place<'_>) -> Vec<u8> {
    let kept = place
        .old
        .map(|old| standing::blank_lines_kept(lines, indents, old))
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
