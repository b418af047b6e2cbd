//! What keeps a header of C from being read twice: `#pragma once`, or `#ifndef A_H`, `#define A_H` … `#endif` around all of it.

use crate::text::is_blank;

/// Where the code of a header begins and ends, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncludeGuard {
    /// After the line that begins it.
    pub start: usize,
    /// Before the line that ends it, if one does.
    pub end: Option<usize>,
}

/// Returns the guard of a header that begins at or after `from`, where nothing but comments and blank lines come before it.
pub fn include_guard(source: &[u8], from: usize) -> Option<IncludeGuard> {
    let mut at = from;
    let mut is_in_comment = false;
    loop {
        let line = line_at(source, at)?;
        let text = line.trim_ascii();
        let opens = text.starts_with(b"/*");
        if is_in_comment || opens {
            is_in_comment = memchr::memmem::find(text, b"*/").is_none();
        } else if let Some(words) = directive(text) {
            return guard_at(source, at, words);
        } else if !text.is_empty() && !text.starts_with(b"//") {
            return None;
        }
        at += line.len();
    }
}

fn guard_at(source: &[u8], at: usize, words: (&[u8], &[u8])) -> Option<IncludeGuard> {
    let next = at + line_at(source, at)?.len();
    let name = match words {
        (b"pragma", b"once") => {
            return Some(IncludeGuard {
                start: next,
                end: None,
            });
        }
        (b"ifndef", name) => name,
        _ => return None,
    };
    let defining = line_at(source, next)?;
    let (b"define", defined) = directive(defining.trim_ascii())? else {
        return None;
    };
    if defined.split(u8::is_ascii_whitespace).next() != Some(name) {
        return None;
    }
    let start = next + defining.len();
    let mut depth = 1;
    let mut at = start;
    while let Some(line) = line_at(source, at) {
        match directive(line.trim_ascii()) {
            Some((b"if" | b"ifdef" | b"ifndef", _)) => depth += 1,
            Some((b"endif", _)) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let rest = &source[at + line.len()..];
            return is_blank(rest).then_some(IncludeGuard {
                start,
                end: Some(at),
            });
        }
        at += line.len();
    }
    None
}

/// Returns where the lines end, from `from` on, that include other files, with the blank lines and comments between them; `from` if there
/// are none.
pub fn past_includes(source: &[u8], from: usize) -> usize {
    let mut end = from;
    let mut at = from;
    while let Some(line) = line_at(source, at) {
        at += line.len();
        let text = line.trim_ascii();
        match directive(text) {
            Some((b"include" | b"import", _)) => end = at,
            Some(_) => break,
            None if text.is_empty() || text.starts_with(b"//") => {}
            None => break,
        }
    }
    end
}

/// Returns the word of a line for the preprocessor, and what follows it.
fn directive(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let words = line.strip_prefix(b"#")?.trim_ascii_start();
    let length = words
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (word, rest) = words.split_at(length);
    Some((word, rest.trim_ascii()))
}

/// Returns the line at `at` with its ending.
fn line_at(source: &[u8], at: usize) -> Option<&[u8]> {
    let rest = source.get(at..).filter(|rest| !rest.is_empty())?;
    let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    Some(&rest[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards() {
        let check = |source: &str, expected: Option<(&str, Option<&str>)>| {
            let found = include_guard(source.as_bytes(), 0);
            let found = found.map(|it| (&source[it.start..], it.end.map(|end| &source[end..])));
            assert_eq!(found, expected, "{source}");
        };
        check("#pragma once\nint a;\n", Some(("int a;\n", None)));
        check(
            "// x\n/* y\n */\n\n#ifndef A\n#define A\nint a;\n#endif // A\n",
            Some(("int a;\n#endif // A\n", Some("#endif // A\n"))),
        );
        check(
            "# ifndef A\n# define A 1\n#if B\n#endif\n# endif\n",
            Some(("#if B\n#endif\n# endif\n", Some("# endif\n"))),
        );
        check("#ifndef A\n#define A 1\n#endif\nint a;\n", None);
        check("#ifndef A\n#define B\n#endif\n", None);
        check("int a;\n#pragma once\n", None);
        check("#ifndef A\n#define A\n", None);
    }

    #[test]
    fn includes() {
        let rest = |source: &str| source[past_includes(source.as_bytes(), 0)..].to_owned();
        assert_eq!(
            rest("#include <a>\n\n// b\n#include \"b\"\n\nint a;\n"),
            "\nint a;\n"
        );
        assert_eq!(rest("int a;\n#include <a>\n"), "int a;\n#include <a>\n");
        assert_eq!(
            rest("#include <a>\n#define B\n#include <b>\n"),
            "#define B\n#include <b>\n"
        );
    }
}
