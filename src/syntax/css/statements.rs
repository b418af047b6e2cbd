//! The rules and declarations of CSS, to decide whether an edit left alone what is beside it.
//!
//! A rule is all up to its `}`, with what is in its braces as statements inside of it; a declaration, as an at-rule without a block,
//! ends before its `;`. What a name or a value means is not asked, so that tomorrow's CSS is read too. `lists.rs` parts what commas
//! part in them.

use super::balance::{line_comment_end, opaque_end, sound};
use super::dialect::StyleDialect;
use crate::syntax::Statement;
use crate::text::Span;

pub(super) const DECLARATION: u16 = 1;
pub(super) const RULE: u16 = 2;
pub(super) const AT_RULE: u16 = 3;
pub(super) const AT_STATEMENT: u16 = 4;

/// Returns the rules and declarations of `source` in the order in which they begin; `None` where something is left open.
pub(super) fn statements(source: &[u8], dialect: StyleDialect) -> Option<Vec<Statement>> {
    if !sound(source, dialect) {
        return None;
    }
    let mut found: Vec<Statement> = Vec::new();
    // The rules that are open, by their numbers.
    let mut open: Vec<usize> = Vec::new();
    let mut begun: Option<usize> = None;
    let mut end = 0;
    let mut brackets = 0_usize;
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let next = opaque_end(source, at, dialect)
            .unwrap_or(at + 1)
            .max(at + 1);
        let is_comment = source.get(at..).is_some_and(|rest| rest.starts_with(b"/*"))
            || line_comment_end(source, at, dialect).is_some();
        match byte {
            _ if byte.is_ascii_whitespace() || is_comment => {}
            b'{' if brackets == 0 => {
                let start = begun.take().unwrap_or(at);
                let kind = if source.get(start) == Some(&b'@') {
                    AT_RULE
                } else {
                    RULE
                };
                open.push(found.len());
                found.push(statement(kind, Span::new(start, next), open.len() - 1));
            }
            b';' | b'}' if brackets == 0 => {
                if let Some(start) = begun.take() {
                    let kind = if source.get(start) == Some(&b'@') {
                        AT_STATEMENT
                    } else {
                        DECLARATION
                    };
                    found.push(statement(kind, Span::new(start, end), open.len()));
                }
                if byte == b'}'
                    && let Some(rule) = open.pop().and_then(|rule| found.get_mut(rule))
                {
                    rule.span = Span::new(rule.span.start, next);
                }
            }
            _ => {
                match byte {
                    b'(' | b'[' => brackets += 1,
                    b')' | b']' => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                begun = begun.or(Some(at));
                end = next;
            }
        }
        at = next;
    }
    if let Some(start) = begun {
        found.push(statement(DECLARATION, Span::new(start, end), open.len()));
    }
    mark_leading(source, dialect, &mut found);
    Some(found)
}

/// Returns where the last at-rule of `source` ends that counts nowhere but at its top, with its `;`; 0 where there is none.
pub fn top_end(source: &[u8]) -> usize {
    let found = statements(source, StyleDialect::Css).unwrap_or_default();
    let last = found
        .iter()
        .filter(|it| it.leads)
        .map(|it| it.span.end)
        .max();
    last.map_or(0, |end| {
        let gap = memchr::memchr(b';', source.get(end..).unwrap_or_default());
        gap.map_or(source.len(), |at| end + at + 1)
    })
}

/// What may come at the top of a sheet, in this order; an `@layer` without a block may be anywhere between.
const TOP: [&[&[u8]]; 3] = [&[b"@charset"], &[b"@import"], &[b"@namespace"]];
/// The same of SCSS, where variables may be between. Sass puts what it imports where it has to be; so does Less, which has no such order.
const TOP_OF_SCSS: [&[&[u8]]; 2] = [&[b"@charset"], &[b"@use", b"@forward"]];

/// Marks the at-rules that count because nothing else comes before them: browsers drop an `@import` below a rule.
fn mark_leading(source: &[u8], dialect: StyleDialect, found: &mut [Statement]) {
    let top: &[&[&[u8]]] = match dialect {
        StyleDialect::Css => &TOP,
        StyleDialect::Scss => &TOP_OF_SCSS,
        StyleDialect::Less => &[],
    };
    let mut stage = 0;
    for statement in found.iter_mut() {
        let text = statement.span.of(source);
        let length = text
            .iter()
            .skip(1)
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count()
            + 1;
        let name = text.get(..length).unwrap_or_default().to_ascii_lowercase();
        let is_statement = !text.ends_with(b"}");
        match top.iter().position(|it| it.contains(&&name[..])) {
            Some(own) if is_statement && own >= stage => (stage, statement.leads) = (own, true),
            None if is_statement && name == b"@layer" => {}
            None if dialect == StyleDialect::Scss && text.starts_with(b"$") => {}
            Some(_) | None => return,
        }
    }
}

fn statement(kind: u16, span: Span, depth: usize) -> Statement {
    Statement {
        kind,
        span,
        decorated: span.start,
        depth,
        leads: false,
        is_open: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let found = statements(source.as_bytes(), StyleDialect::Css).expect("sound CSS");
        let words: Vec<String> = found
            .iter()
            .map(|it| {
                format!(
                    "{} {} {}",
                    it.depth,
                    it.kind,
                    &source[it.span.start..it.span.end]
                )
            })
            .collect();
        assert_eq!(words, expected, "{source:?}");
    }

    #[test]
    fn rules_hold_their_declarations() {
        check(
            "/* x */ a, b { c: d; e: f /* g */ } h { }",
            &[
                "0 2 a, b { c: d; e: f /* g */ }",
                "1 1 c: d",
                "1 1 e: f",
                "0 2 h { }",
            ],
        );
        check(
            "@import url(a;b.css); @media (x: 1px) { a { b: c; } }",
            &[
                "0 4 @import url(a;b.css)",
                "0 3 @media (x: 1px) { a { b: c; } }",
                "1 2 a { b: c; }",
                "2 1 b: c",
            ],
        );
        check(
            "a { b: \"};\"; c: url( 'd' ) } ;; e{}",
            &[
                "0 2 a { b: \"};\"; c: url( 'd' ) }",
                "1 1 b: \"};\"",
                "1 1 c: url( 'd' )",
                "0 2 e{}",
            ],
        );
        check("a\\{ { b: c }", &["0 2 a\\{ { b: c }", "1 1 b: c"]);
        check("a[b=\"{\"] { }", &["0 2 a[b=\"{\"] { }"]);
        check("", &[]);
    }

    #[test]
    fn imports_count_at_the_top() {
        let check = |source: &str, expected: &str| {
            assert_eq!(
                &source[..top_end(source.as_bytes())],
                expected,
                "{source:?}"
            );
        };
        check(
            "@charset \"a\";\n@layer b, c;\n@import url(d;e);\n@namespace f;\ng {}",
            "@charset \"a\";\n@layer b, c;\n@import url(d;e);\n@namespace f;",
        );
        check(
            "/* a */ @IMPORT 'b' ; c {} @import 'd';",
            "/* a */ @IMPORT 'b' ;",
        );
        check("a {} @import 'b';", "");
        check("@layer a {} @import 'b';", "");
        check("@namespace a; @import 'b';", "@namespace a;");
        check("@import 'a'", "@import 'a'");
    }

    #[test]
    fn what_is_left_open_has_none() {
        for source in ["a { b: c", "a { b: 'c }\n}", "/* a {}", "a } b {}"] {
            assert_eq!(
                statements(source.as_bytes(), StyleDialect::Css),
                None,
                "{source:?}"
            );
        }
    }
}
