//! Reads keys and values line by line.

use super::entry::PairEntry;
use super::{dotenv, properties};
use crate::syntax::word_names::dotted_name;
use crate::syntax::{Decoration, DecorationKind, SegmentKind, Statement, Symbol, SyntaxError};
use crate::text::indent::LineRole;
use crate::text::{BOM, Lines, Span, is_blank};

/// How a file writes keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairDialect {
    /// `KEY=value`, for the environment of a process.
    Dotenv,
    /// `java.util.Properties`.
    Properties,
}

/// What a file is made of.
#[derive(Default)]
pub(super) struct PairReading {
    pub symbols: Vec<Symbol>,
    pub errors: Vec<SyntaxError>,
    pub roles: Vec<LineRole>,
    pub comments: Vec<Span>,
    pub statements: Vec<Statement>,
}

/// The kinds of statements.
const KEY: u16 = 1;
const VALUE_LINE: u16 = 2;

/// Returns what `source` is made of.
pub(super) fn read(source: &[u8], dialect: PairDialect) -> PairReading {
    let lines = Lines::of(source);
    let mut reading = PairReading::default();
    // The comment lines right above.
    let mut above: Vec<Decoration> = Vec::new();
    let mut number = 1;
    while number <= lines.count() {
        let line = lines.content(source, number);
        let mark = match number {
            1 if line.of(source).starts_with(BOM) => BOM.len(),
            _ => 0,
        };
        let text = line.of(source).get(mark..).unwrap_or_default();
        let blanks = text
            .iter()
            .take_while(|&&byte| properties::is_space(byte))
            .count();
        let start = line.start + mark + blanks;
        let is_comment = match text.get(blanks) {
            Some(b'#') => true,
            Some(b'!') => dialect == PairDialect::Properties,
            _ => false,
        };
        if is_blank(text) {
            above.clear();
            reading.roles.push(LineRole::Blank);
        } else if is_comment {
            let span = Span::new(start, line.start + mark + text.trim_ascii_end().len());
            reading.comments.push(span);
            above.push(Decoration {
                sort: DecorationKind::Comment,
                span,
            });
            reading.roles.push(LineRole::Code);
        } else {
            let (entry, last) = match dialect {
                PairDialect::Dotenv => dotenv::entry_at(source, &lines, number, start),
                PairDialect::Properties => properties::entry_at(source, &lines, number, start),
            };
            reading.roles.push(LineRole::Code);
            reading
                .roles
                .extend((number..last).map(|_| LineRole::Frozen));
            state(
                source,
                &lines,
                &entry,
                (number, last),
                &mut reading.statements,
            );
            take(entry, std::mem::take(&mut above), &mut reading);
            number = last;
        }
        number += 1;
    }
    reading
}

fn take(entry: PairEntry, above: Vec<Decoration>, reading: &mut PairReading) {
    reading.comments.extend(entry.comment);
    if let Some((offset, what)) = entry.fault {
        reading.errors.push(SyntaxError {
            offset,
            message: what.to_owned(),
        });
    }
    let Some((owner, name)) = entry.name.as_deref().and_then(dotted_name) else {
        return;
    };
    reading.symbols.push(Symbol {
        name,
        owner,
        address: None,
        names_inside: true,
        parted: false,
        component: false,
        kind: SegmentKind::Variable,
        level: 0,
        definition: entry.whole,
        decorations: above,
        trailing: None,
        signature: entry.key,
        body: entry.value,
        docstring: None,
        children: Vec::new(),
    });
}

/// Adds a statement for the key, and one in it for each line that its value goes on in.
fn state(
    source: &[u8],
    lines: &Lines,
    entry: &PairEntry,
    (first, last): (usize, usize),
    statements: &mut Vec<Statement>,
) {
    let statement = |kind, span: Span, depth| Statement {
        kind,
        span,
        decorated: span.start,
        depth,
        leads: false,
        is_open: false,
    };
    statements.push(statement(KEY, entry.whole, 0));
    for number in first + 1..=last {
        let line = lines.content(source, number);
        let end = line.end.min(entry.whole.end);
        let text = source.get(line.start..end).unwrap_or_default();
        let blanks = text.len() - text.trim_ascii_start().len();
        let span = Span::new(line.start + blanks, line.start + text.len());
        if !span.is_empty() {
            statements.push(statement(VALUE_LINE, span, 1));
        }
    }
}
