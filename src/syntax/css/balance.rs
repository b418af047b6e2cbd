//! The errors of CSS that take more than one declaration with them: a bracket, a string or a comment left open, a bracket
//! that closes nothing.
//!
//! CSS gives every sequence of bytes a meaning and drops the declarations that it does not know, so that these are all the
//! errors there are, to decide without refusing tomorrow's CSS. Why not the grammar of tree-sitter: it takes
//! `url(../a.png)`, `--empty: ;` and much else for errors, in 82 of 145 style sheets that browsers read.

use super::dialect::StyleDialect;
use crate::syntax::SyntaxError;

/// Says whether nothing of `source` is left open, and nothing closed that is not open.
pub(super) fn sound(source: &[u8], dialect: StyleDialect) -> bool {
    errors(source, dialect).is_empty()
}

/// Returns where what begins at `at` of sound CSS has ended, if nothing in it means anything: a comment, a string, an escaped
/// character, the bracket of an address without quotes; where a dialect has them, a comment that ends with its line, and what it
/// computes (`#{$a}`, `@{a}`).
pub(super) fn opaque_end(source: &[u8], at: usize, dialect: StyleDialect) -> Option<usize> {
    if let Some(end) = line_comment_end(source, at, dialect) {
        return Some(end);
    }
    match *source.get(at)? {
        sign if Some(sign) == dialect.computes() && source.get(at + 1) == Some(&b'{') => {
            computed_end(source, at + 2)
        }
        b'\\' => Some(source.len().min(at + 2)),
        b'/' if source.get(at + 1) == Some(&b'*') => {
            find_from(source, at + 2, b"*/").map(|end| end + 2)
        }
        quote @ (b'"' | b'\'') => string_end(source, at + 1, quote).ok(),
        b'(' => bare_url_end(source, at),
        _ => None,
    }
}

/// Returns where a comment ends that begins at `at` and ends with its line: before the line ending.
pub(super) fn line_comment_end(source: &[u8], at: usize, dialect: StyleDialect) -> Option<usize> {
    let rest = source.get(at..)?;
    if !dialect.has_line_comments() || !rest.starts_with(b"//") {
        return None;
    }
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    Some(at + rest[..end].trim_ascii_end().len())
}

/// Returns where what is computed ends that begins before `at`, after its brace; none where it is not closed on its line.
fn computed_end(source: &[u8], at: usize) -> Option<usize> {
    let line = source.get(at..)?;
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let mut depth = 1_usize;
    for (offset, byte) in line.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + offset + 1);
        }
    }
    None
}

/// Returns the errors of `source` in file order.
pub(super) fn errors(source: &[u8], dialect: StyleDialect) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let begins = at;
        if let Some(end) = line_comment_end(source, at, dialect) {
            at = end;
            continue;
        }
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'/' if source.get(at) == Some(&b'*') => match find_from(source, at + 1, b"*/") {
                Some(end) => at = end + 2,
                None => return with_error(errors, begins, "a comment is never closed"),
            },
            b'"' | b'\'' => match string_end(source, at, byte) {
                Ok(end) => at = end,
                Err(end) => {
                    errors.push(SyntaxError {
                        offset: begins,
                        message: "a string is never closed".to_owned(),
                    });
                    at = end;
                }
            },
            b'(' => {
                open.push((begins, byte));
                if let Some(end) = bare_url_end(source, begins) {
                    at = end;
                }
            }
            b'{' | b'[' => open.push((begins, byte)),
            b'}' | b']' | b')' => {
                let partner = match byte {
                    b'}' => b'{',
                    b']' => b'[',
                    _ => b'(',
                };
                match open.iter().rposition(|&(_, opener)| opener == partner) {
                    // A brace ends whatever is still open in its block.
                    Some(depth) if depth + 1 == open.len() || byte == b'}' => {
                        errors.extend(open.drain(depth..).skip(1).map(never_closed));
                    }
                    _ => {
                        let message = format!("`{}` closes nothing", char::from(byte));
                        errors.push(SyntaxError {
                            offset: begins,
                            message,
                        });
                    }
                }
            }
            _ => {}
        }
    }
    errors.extend(open.into_iter().map(never_closed));
    errors.sort_by_key(|error| error.offset);
    errors
}

fn never_closed((offset, opener): (usize, u8)) -> SyntaxError {
    SyntaxError {
        offset,
        message: format!("`{}` is never closed", char::from(opener)),
    }
}

fn with_error(mut errors: Vec<SyntaxError>, offset: usize, message: &str) -> Vec<SyntaxError> {
    errors.push(SyntaxError {
        offset,
        message: message.to_owned(),
    });
    errors
}

fn find_from(source: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(source.get(from..)?, needle).map(|at| from + at)
}

/// Returns where the string ends that begins before `at`; the end of its line when it is not closed there.
fn string_end(source: &[u8], mut at: usize, quote: u8) -> Result<usize, usize> {
    while let Some(&byte) = source.get(at) {
        match byte {
            b'\\' => {
                at += if source.get(at + 1..at + 3) == Some(b"\r\n") {
                    2
                } else {
                    1
                }
            }
            b'\n' => return Err(at),
            _ if byte == quote => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
    Err(source.len())
}

/// Returns where the address without quotes ends that is after `url(`: all of it is text, up to the `)`.
fn bare_url_end(source: &[u8], bracket: usize) -> Option<usize> {
    let name = source.get(bracket.checked_sub(3)?..bracket)?;
    let text = source.get(bracket + 1..)?;
    let first = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    if !name.eq_ignore_ascii_case(b"url") || matches!(text.get(first), Some(b'"' | b'\'')) {
        return None;
    }
    let end = text
        .iter()
        .position(|byte| matches!(byte, b')' | b'\n' | b'{' | b'}'))?;
    (text.get(end) == Some(&b')')).then_some(bracket + 1 + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let told: Vec<String> = errors(source.as_bytes(), StyleDialect::Css)
            .iter()
            .map(|error| format!("{} {}", error.offset, error.message))
            .collect();
        assert_eq!(told, expected, "{source:?}");
    }

    #[test]
    fn what_is_left_open_is_told() {
        check("a { b: c }", &[]);
        check("a { b: c", &["2 `{` is never closed"]);
        check("a { b: c } }", &["11 `}` closes nothing"]);
        check("a { b: calc(1px }", &["11 `(` is never closed"]);
        check("a { b: \"c }\n}", &["7 a string is never closed"]);
        check("a { /* } ", &["4 a comment is never closed"]);
        check("a[b=c { d: e }", &["1 `[` is never closed"]);
        check("a) { b: c }", &["1 `)` closes nothing"]);
    }

    #[test]
    fn what_browsers_read_is_no_error() {
        for source in [
            "@import url(https://x.y/css2?family=A:wght@400;700&display=swap);",
            "a { background: url(../img/a.svg) 0 0 no-repeat; --empty: ; *zoom: 1 }",
            "@container (min-width: 1px) { a { &:hover { b: c } } }",
            "a::before { content: '\\'}'; b: \"\\\n}\" }",
            "a { b: url( 'c)' ) } /* { */",
            "@media print{#a{b:c}}",
            "a\\{b { c: d }",
        ] {
            check(source, &[]);
        }
    }
}
