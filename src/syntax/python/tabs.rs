//! Tabs among spaces in indentation, judged as CPython's tokenizer does: the parser's own idea of a tab is another.
//!
//! Each line has two columns, one where a tab goes to the next multiple of 8 and one where it is 1 wide; the two must
//! give the same answer when lines are compared.

use ruff_python_ast::token::{Token, TokenKind};
use ruff_text_size::Ranged;

use super::source::{line_start, offset};
use crate::syntax::SyntaxError;

/// Returns the first place where the indentation of a file that parses otherwise is inconsistent.
pub(super) fn inconsistent_indentation(bytes: &[u8], tokens: &[Token]) -> Option<SyntaxError> {
    if !bytes.contains(&b'\t') {
        return None;
    }
    let mut open = vec![Columns::default()];
    statements(tokens).find_map(|start| {
        let line = line_start(bytes, start);
        let message = enter_line(&mut open, Columns::of(bytes.get(line..start)?)?)?;
        Some(SyntaxError {
            offset: line,
            message: message.to_owned(),
        })
    })
}

/// Returns where the first token of each logical line is.
fn statements(tokens: &[Token]) -> impl Iterator<Item = usize> + '_ {
    use TokenKind::{Comment, Dedent, EndOfFile, Indent, NonLogicalNewline};
    let solid = |token: &&Token| {
        !matches!(
            token.kind(),
            Comment | Dedent | EndOfFile | Indent | NonLogicalNewline
        )
    };
    tokens
        .split(|token| token.kind() == TokenKind::Newline)
        .filter_map(move |line| {
            let first = line.iter().find(solid)?;
            Some(offset(first.start()))
        })
}

#[derive(Clone, Copy, Default)]
struct Columns {
    wide: usize,
    narrow: usize,
}

impl Columns {
    /// Returns the columns after `blank`, or `None` if more than white space is there: a joined line.
    fn of(blank: &[u8]) -> Option<Columns> {
        blank.iter().try_fold(
            Columns::default(),
            |Columns { wide, narrow }, byte| match byte {
                b' ' => Some(Columns {
                    wide: wide + 1,
                    narrow: narrow + 1,
                }),
                b'\t' => Some(Columns {
                    wide: (wide / 8 + 1) * 8,
                    narrow: narrow + 1,
                }),
                0x0c => Some(Columns::default()),
                _ => None,
            },
        )
    }
}

/// Takes a line's columns into the stack of open blocks, or says what CPython would say.
fn enter_line(open: &mut Vec<Columns>, line: Columns) -> Option<&'static str> {
    const TABS: &str = "inconsistent use of tabs and spaces in indentation";
    let outer = open.last().copied().unwrap_or_default();
    if line.wide > outer.wide {
        open.push(line);
        return (line.narrow <= outer.narrow).then_some(TABS);
    }
    while open.len() > 1 && open.last().is_some_and(|block| block.wide > line.wide) {
        open.pop();
    }
    let block = open.last().copied().unwrap_or_default();
    if block.wide != line.wide {
        return Some("unindent does not match any outer indentation level");
    }
    (block.narrow != line.narrow).then_some(TABS)
}
