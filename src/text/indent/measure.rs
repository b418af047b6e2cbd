//! Measures: lines with their indentation apart, the base of a segment, the unit of a segment or a file.
//!
//! Every measure here is blind to a common margin: it reads the same off a segment and off the segment with its
//! indentation taken off. The identity law rests on that.

use std::collections::BTreeMap;

use super::{LineRole, Unit};
use crate::text::{is_blank, leading_blank, trim_ending};

/// A line, its indentation apart. Of a frozen line everything is text; a blank line has no indentation.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndentedLine<'a> {
    pub role: LineRole,
    pub indent: &'a [u8],
    /// The rest, with the line's ending.
    pub text: &'a [u8],
    /// Nothing but a comment stands here, and no level is to be read off it.
    pub comment: bool,
}

impl IndentedLine<'_> {
    /// Says whether no byte but the ending would remain without indentation.
    pub(super) fn is_empty(&self) -> bool {
        self.role != LineRole::Frozen && trim_ending(self.text).is_empty()
    }

    /// Says whether a statement begins here.
    pub(super) fn is_statement(&self) -> bool {
        self.role == LineRole::Code && !self.comment && !self.is_empty()
    }
}

/// Takes `content` apart into lines.
pub(super) fn lines_of<'a>(
    content: &'a [u8],
    roles: &[LineRole],
    line_comments: &[&str],
) -> Vec<IndentedLine<'a>> {
    let apart = |(number, line): (usize, &'a [u8])| {
        let role = roles.get(number).copied().unwrap_or(LineRole::Code);
        let indent = match role {
            LineRole::Frozen => &line[..0],
            LineRole::Code
            | LineRole::Continuation(_)
            | LineRole::Docstring(_)
            | LineRole::Blank => leading_blank(line),
        };
        let text = &line[indent.len()..];
        let comment = role == LineRole::Code
            && line_comments
                .iter()
                .any(|start| text.starts_with(start.as_bytes()));
        match is_blank(text) && !matches!(role, LineRole::Frozen | LineRole::Docstring(_)) {
            // A form feed is content, not indentation: it stays.
            true if text.contains(&0x0c) => IndentedLine {
                role: LineRole::Frozen,
                indent: &line[..0],
                text: line,
                comment: false,
            },
            true => IndentedLine {
                role: LineRole::Blank,
                indent: &line[..0],
                text: &line[trim_ending(line).len()..],
                comment: false,
            },
            // Whatever it is called, a line that holds something is not blank.
            false if role == LineRole::Blank => IndentedLine {
                role: LineRole::Code,
                indent,
                text,
                comment,
            },
            false => IndentedLine {
                role,
                indent,
                text,
                comment,
            },
        }
    };
    content
        .split_inclusive(|&byte| byte == b'\n')
        .enumerate()
        .map(apart)
        .collect()
}

/// Returns the indentation of the definition that `segment` holds: of its first statement, not of a comment above
/// that stands elsewhere.
pub fn base_of<'a>(segment: &'a [u8], roles: &[LineRole], line_comments: &[&str]) -> &'a [u8] {
    base(&lines_of(segment, roles, line_comments))
}

/// Returns the step of indentation that `segment` shows, if it shows one.
pub fn unit_of(segment: &[u8], roles: &[LineRole], line_comments: &[&str]) -> Option<Unit> {
    unit(&lines_of(segment, roles, line_comments))
}

/// Returns the step of indentation that a file of any language shows, told by its lines alone.
pub fn unit_of_file(file: &[u8]) -> Option<Unit> {
    const WIDEST: usize = 8;
    let indents = file
        .split(|&byte| byte == b'\n')
        .filter(|line| !is_blank(line))
        .filter_map(|line| {
            let indent = leading_blank(line);
            // The inner lines of a block comment step by one.
            (!line[indent.len()..].starts_with(b"*")).then_some(indent)
        });
    let likely = |unit: &Unit| matches!(unit, Unit::Tab | Unit::Spaces(2..=WIDEST));
    most_common(steps(indents).filter(likely))
}

/// Returns the indentation of the first statement, else of the first line of code that there is.
pub(super) fn base<'a>(lines: &[IndentedLine<'a>]) -> &'a [u8] {
    let first = lines.iter().find(|line| line.is_statement());
    first
        .or_else(|| lines.iter().find(|line| line.role == LineRole::Code))
        .map_or(b"", |line| line.indent)
}

/// Returns the commonest step from a statement to a deeper one.
pub(super) fn unit(lines: &[IndentedLine<'_>]) -> Option<Unit> {
    most_common(steps(
        lines
            .iter()
            .filter(|line| line.is_statement())
            .map(|line| line.indent),
    ))
}

/// Returns the first step from a statement to a deeper one.
pub(super) fn first_step(lines: &[IndentedLine<'_>]) -> Option<Unit> {
    steps(
        lines
            .iter()
            .filter(|line| line.is_statement())
            .map(|line| line.indent),
    )
    .next()
}

/// Guesses the unit of content that has no nested statement but hanging continuations, where tabs and spaces would
/// mix otherwise: a tab is a unit; in a tab file, so is what an open bracket is followed by.
pub(super) fn hanging_unit(lines: &[IndentedLine<'_>], to: Unit) -> Option<Unit> {
    let mut hanging = lines.iter().filter_map(|line| {
        let LineRole::Continuation(begins) = line.role else {
            return None;
        };
        let statement = lines.get(begins)?;
        let offset = line.indent.strip_prefix(statement.indent)?;
        (!offset.is_empty()).then_some((statement, offset))
    });
    match to {
        Unit::Spaces(_) => hanging
            .any(|(_, offset)| offset.starts_with(b"\t"))
            .then_some(Unit::Tab),
        Unit::Tab => {
            let (statement, offset) = hanging.next()?;
            let opens = matches!(statement.text.trim_ascii_end(), [.., b'(' | b'[' | b'{']);
            step(b"", offset).filter(|_| opens)
        }
    }
}

/// Returns the first 1-based line at which tabs and spaces mix: a space ahead of a tab, lines led by the one among
/// lines led by the other, or a continuation led by a tab among code led by spaces. Spaces may align behind tabs.
pub(super) fn mixed(lines: &[IndentedLine<'_>]) -> Option<usize> {
    let mut code_leads = None;
    for (number, line) in lines.iter().enumerate() {
        let spaced = line.indent.iter().position(|&byte| byte == b' ');
        let jumbled = spaced.is_some_and(|from| line.indent[from..].contains(&b'\t'));
        let lead = line.indent.first().copied();
        let clashes = match (line.role, code_leads, lead) {
            (LineRole::Code, Some(leads), Some(lead)) => leads != lead,
            (LineRole::Continuation(_), Some(b' '), Some(b'\t')) => true,
            _ => false,
        };
        match line.role {
            LineRole::Code if jumbled || clashes => return Some(number + 1),
            LineRole::Continuation(_) if clashes => return Some(number + 1),
            LineRole::Code => code_leads = code_leads.or(lead),
            LineRole::Continuation(_)
            | LineRole::Docstring(_)
            | LineRole::Frozen
            | LineRole::Blank => {}
        }
    }
    None
}

/// Says whether no statement goes back to a column between two that are open: deeper ones open a column, others go
/// back to one that is open, or to the left of all.
pub(super) fn is_nested(lines: &[IndentedLine<'_>]) -> bool {
    let mut open: Vec<&[u8]> = Vec::new();
    lines.iter().filter(|line| line.is_statement()).all(|line| {
        let deeper = open
            .last()
            .is_none_or(|inner| line.indent.len() > inner.len());
        if deeper {
            open.push(line.indent);
            return true;
        }
        while open.len() > 1
            && open
                .last()
                .is_some_and(|inner| line.indent.len() < inner.len())
        {
            open.pop();
        }
        open.last()
            .is_some_and(|inner| line.indent.len() <= inner.len())
    })
}

fn steps<'a>(indents: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = Unit> {
    let mut before: Option<&[u8]> = None;
    indents.filter_map(move |indent| step(before.replace(indent)?, indent))
}

/// Returns the step from one indentation to a deeper one.
fn step(from: &[u8], to: &[u8]) -> Option<Unit> {
    match to.strip_prefix(from)? {
        [] => None,
        [b'\t', ..] => Some(Unit::Tab),
        spaces => Some(Unit::Spaces(spaces.len())),
    }
}

/// Returns the commonest unit; of equally common ones the smallest.
fn most_common(units: impl Iterator<Item = Unit>) -> Option<Unit> {
    let mut counts: BTreeMap<Unit, usize> = BTreeMap::new();
    for unit in units {
        *counts.entry(unit).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    counts
        .into_iter()
        .find(|&(_, count)| count == most)
        .map(|(unit, _)| unit)
}
