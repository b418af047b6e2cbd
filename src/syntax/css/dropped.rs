//! Errors of CSS that is balanced: what browsers drop a whole declaration or rule for.

use super::balance::opaque_end;
use super::dialect::StyleDialect;
use super::statements::{AT_RULE, DECLARATION, RULE, statements};
use super::{headers, lists};
use crate::diagnostic::shown;
use crate::syntax::{Statement, SyntaxError};
use crate::text::Span;

/// Returns the errors of sound CSS for which browsers drop a whole declaration or rule, in file order.
pub(super) fn dropped(source: &[u8]) -> Vec<SyntaxError> {
    let found = statements(source, StyleDialect::Css).unwrap_or_default();
    let mut errors = run_on(source, &found);
    errors.extend(run_into(source, &found));
    errors.extend(lists::commas_too_many(source, &found));
    errors.extend(cut_off(source, &found));
    errors.extend(headers::unread(source, &found));
    errors.extend(slashes(source, &found));
    errors.extend(unended(source, &found));
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

/// Returns where a declaration goes on in a nested rule on the next line, because no `;` is between them: browsers drop both.
fn run_into(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    if has_tags(source) {
        return Vec::new();
    }
    let nested = found
        .iter()
        .filter(|it| it.depth > 0 && !it.span.of(source).starts_with(b"--"));
    let offsets = nested.filter_map(|it| rule_in(source, it.span));
    offsets
        .map(|offset| SyntaxError {
            offset,
            message: "a `;` is missing before this rule".to_owned(),
        })
        .collect()
}

/// Returns where a rule begins in what begins as a declaration does, with a blank after its colon, which no selector has there.
fn rule_in(source: &[u8], statement: Span) -> Option<usize> {
    let text = statement.of(source);
    let colon = memchr::memchr(b':', text).filter(|_| is_property(text))?;
    if !text.get(colon + 1)?.is_ascii_whitespace() {
        return None;
    }
    let (mut last, mut line, mut brackets) = (b':', None, 0_usize);
    let mut at = statement.start + colon + 1;
    while at < statement.end {
        let byte = *source.get(at)?;
        let next = opaque_end(source, at, StyleDialect::Css)
            .unwrap_or(at + 1)
            .max(at + 1);
        let is_comment = source.get(at..).is_some_and(|rest| rest.starts_with(b"/*"));
        match byte {
            b'{' if brackets == 0 => return line,
            b'\n' if brackets == 0 && !matches!(last, b':' | b',' | b'/') => {
                line = line.or(Some(next))
            }
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        if !byte.is_ascii_whitespace() && !is_comment {
            last = byte;
        }
        at = next;
    }
    None
}

/// Returns where a rule begins in an at-rule that has no block, because no `;` is between them: browsers drop both.
fn unended(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    if has_tags(source) {
        return Vec::new();
    }
    let rules = found
        .iter()
        .filter(|it| source.get(it.span.start) == Some(&b'@'));
    let offsets = rules.filter_map(|it| next_rule_in(source, it.span));
    offsets
        .map(|offset| SyntaxError {
            offset,
            message: "a `;` is missing before this rule".to_owned(),
        })
        .collect()
}

/// Returns where, before the block of an at-rule, a line begins with another at-rule, or with anything where the at-rule has no block.
fn next_rule_in(source: &[u8], rule: Span) -> Option<usize> {
    const WITHOUT_BLOCK: [&[u8]; 3] = [b"@import", b"@charset", b"@namespace"];
    let text = rule.of(source);
    let length = text.iter().take_while(|byte| !byte.is_ascii_whitespace());
    let name = text.get(..length.count())?.to_ascii_lowercase();
    let has_no_block = WITHOUT_BLOCK.contains(&&name[..]);
    let (mut brackets, mut line, mut begins_line) = (0_usize, None, false);
    let mut at = rule.start + name.len();
    while at < rule.end {
        let byte = *source.get(at)?;
        let next = opaque_end(source, at, StyleDialect::Css)
            .unwrap_or(at + 1)
            .max(at + 1);
        if begins_line && brackets == 0 && !byte.is_ascii_whitespace() {
            begins_line = false;
            if byte == b'@' {
                return Some(at);
            }
            line = line.or(Some(at));
        }
        match byte {
            b'{' if brackets == 0 => return line.filter(|_| has_no_block),
            b'\n' => begins_line = true,
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        at = next;
    }
    None
}

/// Says whether a template fills something in: its braces are blocks here.
fn has_tags(source: &[u8]) -> bool {
    [&b"{{"[..], b"{%"]
        .iter()
        .any(|sign| memchr::memmem::find(source, sign).is_some())
}

/// Returns each `//` that is meant as a comment, where its rule or declaration goes on below its line: all of that is dropped. One
/// that is on the same line up to its `;` or `}` is dropped as it is meant.
fn slashes(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    let offsets = found.iter().filter_map(|it| comment_in(source, it));
    offsets
        .map(|offset| SyntaxError {
            offset,
            message: "CSS has no `//`, and browsers drop what is on the next line with it: write `/* … */`"
                .to_owned(),
        })
        .collect()
}

/// Returns where a `//` begins a word outside of brackets and strings, if the statement goes on below its line before its block.
fn comment_in(source: &[u8], statement: &Statement) -> Option<usize> {
    let span = statement.span;
    let has_block = matches!(statement.kind, RULE | AT_RULE);
    if !has_block && span.of(source).starts_with(b"--") {
        return None;
    }
    let mut brackets = 0_usize;
    let mut begins_word = true;
    let mut comment = None;
    let mut at = span.start;
    while at < span.end {
        let byte = *source.get(at)?;
        let next = opaque_end(source, at, StyleDialect::Css)
            .unwrap_or(at + 1)
            .max(at + 1);
        match byte {
            b'{' if brackets == 0 && has_block => return None,
            b'\n' if comment.is_some() => return comment,
            b'/' if begins_word && brackets == 0 && source.get(next) == Some(&b'/') => {
                comment = comment.or(Some(at));
            }
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        begins_word = byte.is_ascii_whitespace();
        at = next;
    }
    None
}

/// Returns each `;` outside of all rules that ends nothing, or nothing but a declaration, where more comes after it: as far as the next
/// block that is one rule, which is dropped. In a block a `;` too many is none (CSS Syntax 3, 5.4.4).
fn cut_off(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    if has_tags(source) {
        return Vec::new();
    }
    let top: Vec<&Statement> = found.iter().filter(|it| it.depth == 0).collect();
    let pairs = top.array_windows::<2>().filter_map(|[above, below]| {
        let gap = Span::new(above.span.end, below.span.start);
        let mut ends = semicolons(source, gap);
        let ends_itself = match above.kind {
            RULE | AT_RULE => false,
            // Words that are no declaration are for a template to fill in.
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
            at = opaque_end(source, at, StyleDialect::Css)
                .unwrap_or(at + 1)
                .max(at + 1);
            if source.get(begins) == Some(&b';') {
                return Some(begins);
            }
        }
        None
    })
}

/// Returns where another declaration begins in one, on a line of its own or not. The value of a custom property may be anything, but
/// what looks like a declaration on the next line is meant as one.
fn second_in(source: &[u8], declaration: Span) -> Option<usize> {
    let is_custom = declaration.of(source).starts_with(b"--");
    let (mut brackets, mut last, mut begins_word, mut has_name) = (0_usize, b':', false, false);
    let mut at = declaration.start;
    while at < declaration.end {
        let byte = *source.get(at)?;
        let next = opaque_end(source, at, StyleDialect::Css)
            .unwrap_or(at + 1)
            .max(at + 1);
        let is_comment = source.get(at..).is_some_and(|rest| rest.starts_with(b"/*"));
        match byte {
            _ if byte.is_ascii_whitespace() || is_comment => {
                begins_word |= !is_custom || byte == b'\n';
            }
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Checks where the errors begin that `dropped` finds.
    #[track_caller]
    pub(crate) fn check_dropped(source: &str, expected: &[usize]) {
        let found: Vec<usize> = dropped(source.as_bytes())
            .iter()
            .map(|error| error.offset)
            .collect();
        assert_eq!(found, expected, "{source:?}");
    }

    #[test]
    fn a_declaration_ends_before_the_next() {
        check_dropped("a {\n b: c\n d: e;\n}", &[11]);
        check_dropped("a {\n b: c /* ; */\n d: e\n}", &[19]);
        check_dropped("a { b: c d: e }", &[9]);
        check_dropped("a {\n --b: c\n d: e;\n}", &[13]);
        check_dropped("a {\n --b: c\n --d: e\n}", &[13]);
        check_dropped("a { b: x(c) d : e; }", &[12]);
        for source in [
            "a {\n b: c;\n d: e\n}",
            "a {\n b:\n  c,\n  d;\n}",
            "a {\n filter:\n  x(b=1)\n  progid:Y.Z(c=2);\n}",
            "a { --b: c d: e; }",
            "a { --b: c; --d:\n e f; --g: [h\n i: j] }",
            "a { --b:\n c: d }",
            "a {\n grid: 'a'\n 'b' / [c] 1fr\n [d];\n}",
            "a:hover\nc:focus { e: f }",
            "a { filter: x(b=1) progid:Y.Z(c=2) }",
            "a { b: url(data:image/png;base64,x) c }",
            "a { b: c::d e; --f: g h: i; }",
            "a { b: if(style(--c: d): e; else: f) }",
            "a { b : c }",
        ] {
            check_dropped(source, &[]);
        }
    }

    #[test]
    fn a_declaration_ends_before_a_nested_rule() {
        check_dropped("a {\n b: c\n &:hover { d: e }\n}", &[10]);
        check_dropped("a {\n b: c d /* x */\n .f,\n .g { d: e }\n}", &[20]);
        check_dropped("a {\n b: c\n @media x { d: e }\n}", &[10]);
        for source in [
            "a {\n b: c;\n &:hover { d: e }\n}",
            "a {\n b:hover\n .c { d: e }\n}",
            "a {\n b:is(c,\n d) e\n f { g: h }\n}",
            "a {\n --b: {\n c: d\n };\n}",
            "a {\n b: {{ c }}\n &:hover { d: e }\n}",
            "a {\n & > b: c { d: e }\n}",
        ] {
            check_dropped(source, &[]);
        }
    }

    #[test]
    fn an_at_rule_without_a_block_ends_before_the_next_rule() {
        check_dropped("@import 'a';\n@import 'b'\n\n:root {\n b: c;\n}", &[26]);
        check_dropped("@layer a, b\n\n@layer a { c { d: e } }", &[13]);
        check_dropped("@import 'a'\n@import 'b';\n", &[12]);
        for source in [
            "@import 'a'\n layer(b);\n:root { c: d }",
            "@media (a)\n and (b) {\n c { d: e }\n}",
            "@supports at-rule(@container)\n and (a: b) { c { d: e } }",
            "@layer a,\n b;\n@layer a { c { d: e } }",
            "@font-face\n{\n a: b\n}",
            "@namespace\n a 'b';\nc { d: e }",
        ] {
            check_dropped(source, &[]);
        }
    }

    #[test]
    fn a_comment_of_another_language_takes_the_next_line() {
        check_dropped("// x\na { b: c }", &[0]);
        check_dropped("a {\n // x\n b: c;\n}", &[5]);
        check_dropped("a {\n b: c; // x\n d: e;\n}", &[11]);
        check_dropped("@media a {\n // x\n b { c: d }\n}", &[12]);
        check_dropped("a { b: c }\n// x\n@media d { e {} }", &[11]);
        for source in [
            "// a { b: c }\nd { e: f }",
            "a {\n // b: c;\n d: e;\n}",
            "a {\n //b: c;\n d: e;\n}",
            "a {\n b: c;\n // x\n}",
            "a { b: url(//c/d)\n e }",
            "@import '//a'\n b;",
            "a { b: c; /* // */\n d: e }",
            "a { b: 'x // y'\n 'z' }",
            "@namespace url(http://a.b/c);\nd {}",
        ] {
            check_dropped(source, &[]);
        }
    }

    #[test]
    fn a_semicolon_too_many_takes_the_next_rule() {
        check_dropped("a { b: c };\nd { e: f }", &[10]);
        check_dropped("; a {}", &[0]);
        check_dropped("a {} /* ; */ ;; @media b {}", &[13]);
        check_dropped("@import 'a';; b {}", &[12]);
        check_dropped("color: red;\na {}", &[10]);
        check_dropped("a {}\nb: c;\n@media d { e {} }", &[9]);
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
            check_dropped(source, &[]);
        }
        let found = dropped(b"a {};\n.b > c,\n.d { e: f }");
        assert!(found[0].message.contains("`.b > c,`"), "{found:?}");
    }
}
