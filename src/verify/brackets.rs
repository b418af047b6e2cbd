//! Whether the brackets of what an edit wrote pair as those did that it took the place of: what is left to judge of code that its grammar
//! cannot read, though a compiler may.
//!
//! Known limits: a string ends on its line, unless three quotes begin it; an arm of `#if` counts like any other code.

use crate::plan::FileEdit;
use crate::syntax::Habits;
use crate::text::Span;

/// The brackets that have no partner in a text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Unpaired {
    /// What closes something before the text.
    closing: Vec<u8>,
    /// What something after the text closes, quotes among them.
    opening: Vec<u8>,
}

/// Says whether brackets pair in all of the lines that the edit wrote as they did in those that were there before; in a new file, whether
/// they pair.
pub(super) fn pair_as_before(edit: &FileEdit, old: &[u8], new: &[u8], habits: &Habits) -> bool {
    let Some(splices) = &edit.splices else {
        return unpaired(old, habits) == unpaired(new, habits);
    };
    splices.with_new_spans().all(|(splice, written)| {
        let was = lines_around(old, splice.span).of(old);
        let now = lines_around(new, written).of(new);
        unpaired(was, habits) == unpaired(now, habits)
    })
}

/// Returns the whole lines that `span` is on, without the last line break.
pub(super) fn lines_around(bytes: &[u8], span: Span) -> Span {
    let before = bytes.get(..span.start).unwrap_or_default();
    // What ends in a line break is not on the next line.
    let last = span.end - usize::from(span.of(bytes).ends_with(b"\n"));
    let after = bytes.get(last..).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let more = memchr::memchr(b'\n', after).unwrap_or(after.len());
    Span::new(start, last + more)
}

fn unpaired(text: &[u8], habits: &Habits) -> Unpaired {
    let mut found = Unpaired::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = comment_or_string(rest, habits, &mut found) {
            at += length;
            continue;
        }
        let byte = rest[0];
        let opener = match byte {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => 0,
        };
        if matches!(byte, b'(' | b'[' | b'{') {
            found.opening.push(byte);
        } else if opener != 0 && found.opening.pop_if(|it| *it == opener).is_none() {
            found.closing.push(byte);
        }
        at += 1;
    }
    found
}

/// Returns the length of the comment or string that `rest` begins with, if it does.
fn comment_or_string(rest: &[u8], habits: &Habits, found: &mut Unpaired) -> Option<usize> {
    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let begins = |mark: &&&str| rest.starts_with(mark.as_bytes());
    if habits.line_comments.iter().any(|mark| begins(&mark)) {
        return Some(line);
    }
    for (open, close) in habits.block_comments {
        if let Some(inside) = rest.strip_prefix(open.as_bytes()) {
            let end = memchr::memmem::find(inside, close.as_bytes());
            return Some(end.map_or(rest.len(), |end| open.len() + end + close.len()));
        }
    }
    if let Some(inside) = rest.strip_prefix(b"\"\"\"") {
        let Some(end) = memchr::memmem::find(inside, b"\"\"\"") else {
            found.opening.push(b'"');
            return Some(rest.len());
        };
        return Some(end + 6);
    }
    let &quote = rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let mut at = 1;
    while at < line {
        match rest[at] {
            b'\\' => at += 1,
            byte if byte == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    // A single one is a letter, or a sign, in some languages.
    if quote == b'"' {
        found.opening.push(quote);
    }
    Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::RepoPath;
    use crate::syntax::language_of;

    #[test]
    fn what_has_no_partner_is_told() {
        let path = RepoPath::parse("a.c").unwrap();
        let habits = &language_of(&path).unwrap().habits;
        let check = |source: &str, closing: &str, opening: &str| {
            let expected = Unpaired {
                closing: closing.into(),
                opening: opening.into(),
            };
            assert_eq!(unpaired(source.as_bytes(), habits), expected, "{source}");
        };
        check("f(a[1], {2});", "", "");
        check("} else {", "}", "{");
        check("f(\"(\", '(', '\\'') // (\n/* ( */", "", "");
        check("f(\"(\n", "", "(\"(");
        check("f(1]", "]", "(");
        check("/* (\n", "", "");
        check("don't (", "", "(");
    }
}
