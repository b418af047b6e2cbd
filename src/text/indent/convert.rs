//! Conversion: content of one unit, written in another.
//!
//! Where indentation is syntax, levels are kept by a stack of the columns that are open: equal stays equal, deeper
//! stays deeper, so a parser reads the same tree whatever the widths. Elsewhere widths are counted in units.
//! Continuations keep their offset; docstrings move with their statement.

use std::collections::BTreeMap;

use super::measure::{IndentedLine, base};
use super::shift::{LineShift, shift_docstrings};
use super::{IndentSyntax, IndentTarget, LineRole, Unit};

/// An indentation of the content and what becomes of it.
type Column<'a> = (&'a [u8], Vec<u8>);

/// Returns each line's new indentation when steps of `from` become steps of `to`.
pub(super) fn indents(
    lines: &[IndentedLine<'_>],
    place: &IndentTarget<'_>,
    from: Unit,
    to: Unit,
) -> Vec<Vec<u8>> {
    let base = base(lines);
    let conversion = IndentConversion {
        from,
        to,
        shift: LineShift::between(base, place.base),
    };
    let mut indents = vec![Vec::new(); lines.len()];
    match place.layout {
        IndentSyntax::Offside => {
            conversion.by_levels(lines, (base, place.base.to_vec()), &mut indents)
        }
        IndentSyntax::Free => {
            conversion.by_widths(lines, (base, place.base.to_vec()), &mut indents)
        }
    }
    conversion.continuations(lines, &mut indents);
    shift_docstrings(lines, &mut indents, conversion.shift);
    indents
}

#[derive(Clone, Copy)]
struct IndentConversion<'a> {
    from: Unit,
    to: Unit,
    shift: LineShift<'a>,
}

impl IndentConversion<'_> {
    /// Code whose indentation is syntax. A comment says nothing about levels: it follows the statement below if it
    /// stands in its column, else the column open at its left.
    fn by_levels<'a>(self, lines: &[IndentedLine<'a>], base: Column<'a>, indents: &mut [Vec<u8>]) {
        let mut open: Vec<Column<'_>> = vec![base];
        let mut comments: Vec<usize> = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            if line.role == LineRole::Code && line.comment {
                comments.push(number);
            }
            if !line.is_statement() {
                continue;
            }
            let deeper = self.deeper(&open, line.indent);
            for comment in comments.drain(..) {
                let indent = lines[comment].indent;
                indents[comment] = match &deeper {
                    Some(new) if indent == line.indent => new.clone(),
                    _ => self.beside(&open, indent),
                };
            }
            indents[number] = match deeper {
                Some(new) => {
                    open.push((line.indent, new.clone()));
                    new
                }
                None => self.out_to(&mut open, line.indent),
            };
        }
        for comment in comments {
            indents[comment] = self.beside(&open, lines[comment].indent);
        }
    }

    /// Returns the new indentation of a statement one level inside the innermost, if `indent` is deeper.
    fn deeper(self, open: &[Column<'_>], indent: &[u8]) -> Option<Vec<u8>> {
        let (old, new) = open.last()?;
        let inside = indent.len() > old.len() && indent.starts_with(old);
        inside.then(|| [new.as_slice(), &self.to.steps(1)].concat())
    }

    /// Closes the levels right of `indent` and returns the new indentation of the one that remains.
    fn out_to<'a>(self, open: &mut Vec<Column<'a>>, indent: &'a [u8]) -> Vec<u8> {
        while open.len() > 1 && open.last().is_some_and(|(old, _)| !indent.starts_with(old)) {
            open.pop();
        }
        match open.last() {
            Some((old, new)) if *old == indent => new.clone(),
            _ => self.shift.clamped(indent),
        }
    }

    fn by_widths(
        self,
        lines: &[IndentedLine<'_>],
        (old, new): Column<'_>,
        indents: &mut [Vec<u8>],
    ) {
        for (line, indent) in lines
            .iter()
            .zip(indents)
            .filter(|(line, _)| line.role == LineRole::Code)
        {
            *indent = match line.indent.strip_prefix(old) {
                Some(beyond) => self.widened(&new, beyond),
                None => self.shift.clamped(line.indent),
            };
        }
    }

    /// Lines that continue a statement: each stands against the columns that the lines before it opened.
    fn continuations(self, lines: &[IndentedLine<'_>], indents: &mut [Vec<u8>]) {
        let mut statements: BTreeMap<usize, Vec<Column<'_>>> = BTreeMap::new();
        for (number, line) in lines.iter().enumerate() {
            let LineRole::Continuation(begins) = line.role else {
                continue;
            };
            let statement = lines[..number]
                .get(begins)
                .zip(indents[..number].get(begins));
            let Some((statement, moved)) = statement else {
                indents[number] = self.shift.clamped(line.indent);
                continue;
            };
            let open = statements
                .entry(begins)
                .or_insert_with(|| vec![(statement.indent, moved.clone())]);
            while open.len() > 1
                && open
                    .last()
                    .is_some_and(|(old, _)| !line.indent.starts_with(old))
            {
                open.pop();
            }
            let new = match open.last() {
                Some((old, new)) if line.indent.starts_with(old) => {
                    self.offset(new, &line.indent[old.len()..])
                }
                _ => LineShift::between(statement.indent, moved).clamped(line.indent),
            };
            open.push((line.indent, new.clone()));
            indents[number] = new;
        }
    }

    /// Returns the new indentation of a comment that stands at or right of the innermost column that it can.
    fn beside(self, open: &[Column<'_>], indent: &[u8]) -> Vec<u8> {
        match open.iter().rev().find(|(old, _)| indent.starts_with(old)) {
            Some((old, new)) => self.offset(new, &indent[old.len()..]),
            None => self.shift.clamped(indent),
        }
    }

    /// Returns `column` and `beyond` behind it: one or two units become as many, anything else is alignment and stays.
    fn offset(self, column: &[u8], beyond: &[u8]) -> Vec<u8> {
        match self.from {
            Unit::Spaces(width) if beyond.len() != width && beyond.len() != 2 * width => {
                [column, beyond].concat()
            }
            Unit::Spaces(_) | Unit::Tab => self.widened(column, beyond),
        }
    }

    /// Returns `column` and `beyond` behind it, its whole units converted and the rest kept as spaces.
    fn widened(self, column: &[u8], beyond: &[u8]) -> Vec<u8> {
        let (count, rest) = match self.from {
            Unit::Tab => {
                let tabs = beyond.iter().take_while(|&&byte| byte == b'\t').count();
                (tabs, &beyond[tabs..])
            }
            Unit::Spaces(_) if beyond.contains(&b'\t') => (0, beyond),
            Unit::Spaces(width) => (
                beyond.len() / width.max(1),
                &beyond[beyond.len() - beyond.len() % width.max(1)..],
            ),
        };
        // Behind alignment a tab would be as wide as chance has it.
        let aligned = self.to == Unit::Tab && column.ends_with(b" ") && self.from != Unit::Tab;
        if aligned {
            [column, beyond].concat()
        } else {
            [column, &self.to.steps(count), rest].concat()
        }
    }
}
