//! The rules and declarations of CSS, for whoever has to tell whether an edit left alone what is beside it.
//!
//! A rule is all up to its `}`, with what is in its braces as statements inside of it; a declaration, as an at-rule without a block,
//! ends before its `;`. What a name or a value means is not asked, so that tomorrow's CSS is read too. `lists.rs` parts what commas
//! part in them.

use super::balance::{opaque_end, sound};
use super::lists;
use crate::diagnostic::shown;
use crate::syntax::{Statement, SyntaxError};
use crate::text::Span;

pub(super) const DECLARATION: u16 = 1;
pub(super) const RULE: u16 = 2;
pub(super) const AT_RULE: u16 = 3;
const AT_STATEMENT: u16 = 4;

/// Returns the rules and declarations of `source` in the order in which they begin; `None` where something is left open.
pub fn statements(source: &[u8]) -> Option<Vec<Statement>> {
    if !sound(source) {
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
        let next = opaque_end(source, at).unwrap_or(at + 1).max(at + 1);
        let is_comment = source.get(at..).is_some_and(|rest| rest.starts_with(b"/*"));
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
    mark_leading(source, &mut found);
    Some(found)
}

/// Returns where the last at-rule of `source` ends that counts nowhere but at its top, with its `;`; 0 where there is none.
pub fn top_end(source: &[u8]) -> usize {
    let found = statements(source).unwrap_or_default();
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
const TOP: [&[u8]; 3] = [b"@charset", b"@import", b"@namespace"];

/// Marks the at-rules that count because nothing else comes before them: browsers drop an `@import` below a rule.
fn mark_leading(source: &[u8], found: &mut [Statement]) {
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
        match TOP.iter().position(|it| *it == name) {
            Some(own) if is_statement && own >= stage => (stage, statement.leads) = (own, true),
            None if is_statement && name == b"@layer" => {}
            Some(_) | None => return,
        }
    }
}

/// Returns the errors of sound CSS for which browsers drop a whole declaration or rule, in file order.
pub fn dropped(source: &[u8]) -> Vec<SyntaxError> {
    let found = statements(source).unwrap_or_default();
    let mut errors = run_on(source, &found);
    errors.extend(lists::commas_too_many(source, &found));
    errors.extend(cut_off(source, &found));
    errors.sort_by_key(|error| error.offset);
    errors
}

/// Returns where a declaration goes on in what looks like another, because no `;` is between them: both are dropped.
fn run_on(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    let declarations = found
        .iter()
        .filter(|it| it.kind == DECLARATION && it.depth > 0);
    let offsets = declarations.filter_map(|it| second_in(source, it.span));
    offsets
        .map(|offset| SyntaxError {
            offset,
            message: "a `;` is missing before this declaration".to_owned(),
        })
        .collect()
}

/// Returns each `;` outside of all rules that ends nothing, or nothing but a declaration, where more comes after it: as far as the next
/// block that is one rule, which is dropped. In a block a `;` too many is none (CSS Syntax 3, 5.4.4).
fn cut_off(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    // Braces of a template are blocks here.
    let is_template = [&b"{{"[..], b"{%"]
        .iter()
        .any(|sign| memchr::memmem::find(source, sign).is_some());
    if is_template {
        return Vec::new();
    }
    let top: Vec<&Statement> = found.iter().filter(|it| it.depth == 0).collect();
    let pairs = top.array_windows::<2>().filter_map(|[above, below]| {
        let gap = Span::new(above.span.end, below.span.start);
        let mut ends = semicolons(source, gap);
        let ends_itself = match above.kind {
            RULE | AT_RULE => false,
            // Words that are no declaration are somebody's who fills them in.
            DECLARATION => !is_property(above.span.of(source)),
            _ => true,
        };
        let offset = if ends_itself {
            ends.nth(1)
        } else {
            ends.next()
        }?;
        Some((offset, *below))
    });
    let first = top.first().and_then(|first| {
        Some((
            semicolons(source, Span::new(0, first.span.start)).next()?,
            *first,
        ))
    });
    first
        .into_iter()
        .chain(pairs)
        .map(|(offset, next)| SyntaxError {
            offset,
            message: cut_off_by(source, next),
        })
        .collect()
}

fn cut_off_by(source: &[u8], next: &Statement) -> String {
    const QUOTED: usize = 40;
    let text = String::from_utf8_lossy(next.span.of(source));
    let line = text
        .split(['\n', '{', ';'])
        .next()
        .unwrap_or_default()
        .trim_end();
    let quoted: String = line.chars().take(QUOTED).collect();
    format!(
        "this `;` becomes a part of `{}`, which comes after it: browsers drop that",
        shown(&quoted)
    )
}

/// Returns the semicolons in a span that has nothing else than blanks and comments.
fn semicolons(source: &[u8], gap: Span) -> impl Iterator<Item = usize> + '_ {
    let mut at = gap.start;
    std::iter::from_fn(move || {
        while at < gap.end {
            let begins = at;
            at = opaque_end(source, at).unwrap_or(at + 1).max(at + 1);
            if source.get(begins) == Some(&b';') {
                return Some(begins);
            }
        }
        None
    })
}

/// Returns where another declaration begins in one, on a line of its own or not. The value of a custom property may be anything.
fn second_in(source: &[u8], declaration: Span) -> Option<usize> {
    if declaration.of(source).starts_with(b"--") {
        return None;
    }
    let (mut brackets, mut last, mut begins_word, mut has_name) = (0_usize, b':', false, false);
    let mut at = declaration.start;
    while at < declaration.end {
        let byte = *source.get(at)?;
        let next = opaque_end(source, at).unwrap_or(at + 1).max(at + 1);
        let is_comment = source.get(at..).is_some_and(|rest| rest.starts_with(b"/*"));
        match byte {
            _ if byte.is_ascii_whitespace() || is_comment => begins_word = true,
            _ => {
                let is_end = has_name && !matches!(last, b':' | b',' | b'/');
                if begins_word
                    && is_end
                    && brackets == 0
                    && is_property(source.get(at..declaration.end)?)
                {
                    return Some(at);
                }
                match byte {
                    b'(' | b'[' => brackets += 1,
                    b')' | b']' => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                has_name |= byte == b':';
                (last, begins_word) = (byte, false);
            }
        }
        at = next;
    }
    None
}

/// Says whether a name and a colon come first. Old filters have `progid:` in their values.
fn is_property(text: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = text.iter().take_while(|byte| is_letter(byte)).count();
    let (name, rest) = text.split_at(length);
    !name.is_empty()
        && !name.eq_ignore_ascii_case(b"progid")
        && rest.trim_ascii_start().starts_with(b":")
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
        let found = statements(source.as_bytes()).expect("sound CSS");
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
    fn a_declaration_ends_before_the_next() {
        let check = |source: &str, expected: &[usize]| {
            let found: Vec<usize> = dropped(source.as_bytes())
                .iter()
                .map(|error| error.offset)
                .collect();
            assert_eq!(found, expected, "{source:?}");
        };
        check("a {\n b: c\n d: e;\n}", &[11]);
        check("a {\n b: c /* ; */\n d: e\n}", &[19]);
        check("a { b: c d: e }", &[9]);
        check("a { b: x(c) d : e; }", &[12]);
        for source in [
            "a {\n b: c;\n d: e\n}",
            "a {\n b:\n  c,\n  d;\n}",
            "a {\n filter:\n  x(b=1)\n  progid:Y.Z(c=2);\n}",
            "a {\n --b: c\n d: e;\n}",
            "a {\n grid: 'a'\n 'b' / [c] 1fr\n [d];\n}",
            "a:b\nc:d { e: f }",
            "a { filter: x(b=1) progid:Y.Z(c=2) }",
            "a { b: url(data:image/png;base64,x) c }",
            "a { b: c::d e; --f: g h: i; }",
            "a { b: if(style(--c: d): e; else: f) }",
            "a { b : c }",
        ] {
            check(source, &[]);
        }
    }

    #[test]
    fn a_semicolon_too_many_takes_the_next_rule() {
        let check = |source: &str, expected: &[usize]| {
            let found: Vec<usize> = dropped(source.as_bytes())
                .iter()
                .map(|error| error.offset)
                .collect();
            assert_eq!(found, expected, "{source:?}");
        };
        check("a { b: c };\nd { e: f }", &[10]);
        check("; a {}", &[0]);
        check("a {} /* ; */ ;; @media b {}", &[13]);
        check("@import 'a';; b {}", &[12]);
        check("color: red;\na {}", &[10]);
        check("a {}\nb: c;\n@media d { e {} }", &[9]);
        for source in [
            "a { b: c };\n",
            "a {};;\n/* d {} */",
            "@import 'a'; b {}",
            "@media a { b {}; c {}; }",
            "a { b {}; c: d;; e: f }",
            "a { --b: { c: d }; e: f }",
            "v; a {}",
            "{{ a }}; b {}",
        ] {
            check(source, &[]);
        }
        let found = dropped(b"a {};\n.b > c,\n.d { e: f }");
        assert!(found[0].message.contains("`.b > c,`"), "{found:?}");
    }

    #[test]
    fn what_is_left_open_has_none() {
        for source in ["a { b: c", "a { b: 'c }\n}", "/* a {}", "a } b {}"] {
            assert_eq!(statements(source.as_bytes()), None, "{source:?}");
        }
    }
}
