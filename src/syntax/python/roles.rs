//! What each line of a piece of code is when it is re-indented, from the parser's tokens, which exist for broken
//! code too.

use ruff_python_ast::str_prefix::AnyStringPrefix;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{ModModule, StringFlags};
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;

use super::module;
use super::source::{SourceText, offset, span};
use crate::syntax::SegmentKind;
use crate::text::indent::LineRole;
use crate::text::{Lines, Span, is_blank};

/// Returns the role of each line of `fragment`, which would be inside a segment of kind `parent`.
pub(super) fn line_roles(fragment: &[u8], parent: Option<SegmentKind>) -> Vec<LineRole> {
    let text = SourceText::of(fragment);
    let found = module::parsed(text.as_str(), super::NEWEST_MINOR, |module| {
        of_module(fragment, module, parent)
    });
    found.unwrap_or_else(|_| roles(fragment, &Lines::of(fragment), &[], &[], &[]))
}

/// Does the same for a fragment that was parsed as `module`.
pub(super) fn of_module(
    fragment: &[u8],
    module: &Parsed<ModModule>,
    parent: Option<SegmentKind>,
) -> Vec<LineRole> {
    let tokens = module.tokens();
    let docstrings = docstrings(tokens, parent != Some(SegmentKind::Variable));
    roles(
        fragment,
        &Lines::of(fragment),
        &literals(tokens),
        &docstrings,
        &logical_lines(tokens),
    )
}

/// A string literal that is not part of another.
struct Literal {
    span: Span,
    raw: bool,
}

/// Returns each line's role: what a line begins inside of decides.
fn roles(
    bytes: &[u8],
    lines: &Lines,
    literals: &[Literal],
    docstrings: &[Span],
    logical: &[Span],
) -> Vec<LineRole> {
    let number = |at: usize| lines.line(at) - 1;
    let around = |spans: &[Span], start: usize| {
        let last = spans[..spans.partition_point(|span| span.start < start)].last();
        last.copied().filter(|span| span.end > start)
    };
    let role = |line: usize| {
        let start = lines.start(line);
        let literal =
            literals[..literals.partition_point(|literal| literal.span.start < start)].last();
        if let Some(literal) = literal.filter(|literal| literal.span.end > start) {
            return match around(docstrings, start) {
                Some(docstring) if literal.raw || !is_joined(&bytes[..start]) => {
                    LineRole::Docstring(number(docstring.start))
                }
                _ => LineRole::Frozen,
            };
        }
        if is_blank(lines.whole(line).of(bytes)) {
            return LineRole::Blank;
        }
        match around(logical, start) {
            Some(statement) => LineRole::Continuation(number(statement.start)),
            None => LineRole::Code,
        }
    };
    (1..=lines.count()).map(role).collect()
}

/// Says whether a backslash before the line ending joins two lines: then white space after it is in the middle
/// of a line, and to move it would change the text.
fn is_joined(before: &[u8]) -> bool {
    let line = crate::text::trim_ending(before);
    line.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// Returns the logical lines, each from its first token to the end of its last. A backslash before the first token
/// begins it too.
fn logical_lines(tokens: &[Token]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut open = false;
    for token in tokens {
        match token.kind() {
            TokenKind::Newline | TokenKind::EndOfFile => open = false,
            TokenKind::Comment if !open => {}
            TokenKind::NonLogicalNewline | TokenKind::Dedent | TokenKind::Indent => {}
            _ => match found.last_mut().filter(|_| open) {
                Some(line) => *line = line.cover(span(token)),
                None => {
                    found.push(span(token));
                    open = true;
                }
            },
        }
    }
    found
}

/// Returns the string literals that are part of no other, in file order.
fn literals(tokens: &[Token]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut interpolated: Vec<usize> = Vec::new();
    for token in tokens {
        match token.kind() {
            TokenKind::FStringStart | TokenKind::TStringStart => {
                interpolated.push(offset(token.start()))
            }
            TokenKind::FStringEnd | TokenKind::TStringEnd => {
                if let Some(start) = interpolated.pop().filter(|_| interpolated.is_empty()) {
                    found.push(Literal {
                        span: Span::new(start, offset(token.end())),
                        raw: false,
                    });
                }
            }
            TokenKind::String if interpolated.is_empty() => {
                let raw = token
                    .string_flags()
                    .is_some_and(|flags| flags.is_raw_string());
                found.push(Literal {
                    span: span(token),
                    raw,
                });
            }
            // An f-string that is still open where a line or the file ends is over for the parser too.
            TokenKind::Newline => {
                if let Some(&start) = interpolated.first() {
                    found.push(Literal {
                        span: Span::new(start, offset(token.end())),
                        raw: false,
                    });
                }
                interpolated.clear();
            }
            _ => {}
        }
    }
    found
}

/// Returns the statements that document a function or class, or, if `at_start`, the whole: text alone, first in a body; and
/// those that document an attribute: text alone below its assignment.
fn docstrings(tokens: &[Token], at_start: bool) -> Vec<Span> {
    let mut found = Vec::new();
    let mut body_begins = at_start;
    let mut is_assigned = false;
    for line in tokens.split(|token| token.kind() == TokenKind::Newline) {
        let code: Vec<&Token> = line
            .iter()
            .filter(|token| !is_layout(token.kind()))
            .collect();
        let inline = body_opener(&code).map(|colon| &code[colon + 1..]);
        let is_level = !line
            .iter()
            .any(|token| matches!(token.kind(), TokenKind::Indent | TokenKind::Dedent));
        let statement = match inline {
            Some(inline) => inline,
            None if body_begins || is_assigned && is_level => &code[..],
            None => &[],
        };
        found.extend(documentation(statement));
        if !code.is_empty() {
            body_begins = inline.is_some_and(<[_]>::is_empty);
            is_assigned = assigns(&code);
        }
    }
    found
}

/// Says whether a line is one assignment, with a value or only a type, to a name or an attribute of names.
fn assigns(code: &[&Token]) -> bool {
    let names = code
        .iter()
        .take_while(|token| matches!(token.kind(), TokenKind::Name | TokenKind::Dot))
        .count();
    let gives = code
        .get(names)
        .is_some_and(|token| matches!(token.kind(), TokenKind::Equal | TokenKind::Colon));
    names > 0 && gives && !code.iter().any(|token| token.kind() == TokenKind::Semi)
}

/// Returns the index of the colon that ends the header of a function or class.
fn body_opener(code: &[&Token]) -> Option<usize> {
    let keyword = code.iter().find(|token| token.kind() != TokenKind::Async)?;
    if !matches!(keyword.kind(), TokenKind::Def | TokenKind::Class) {
        return None;
    }
    let mut brackets = 0_usize;
    code.iter().position(|token| {
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => brackets += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                brackets = brackets.saturating_sub(1)
            }
            _ => {}
        }
        brackets == 0 && token.kind() == TokenKind::Colon
    })
}

/// Returns the span of the first of some statements on a line if it is text alone.
fn documentation(code: &[&Token]) -> Option<Span> {
    let first = code.split(|token| token.kind() == TokenKind::Semi).next()?;
    let is_bracket = |kind| matches!(kind, TokenKind::Lpar | TokenKind::Rpar);
    let is_text = |token: &Token| {
        token
            .string_flags()
            .is_some_and(|flags| matches!(flags.prefix(), AnyStringPrefix::Regular(_)))
    };
    let mut parts = first.iter().filter(|token| !is_bracket(token.kind()));
    let alone = first.iter().all(|token| {
        is_bracket(token.kind()) || token.kind() == TokenKind::String && is_text(token)
    });
    parts.next().filter(|_| alone)?;
    Some(span(*first.first()?).cover(span(*first.last()?)))
}

fn is_layout(kind: TokenKind) -> bool {
    use TokenKind::{Comment, Dedent, EndOfFile, Indent, NonLogicalNewline};
    matches!(
        kind,
        Comment | NonLogicalNewline | Indent | Dedent | EndOfFile
    )
}
