//! Headers: whether a definition is missing in a file that does not parse, and whose segments are anybody's guess.
//!
//! A header is told by how it begins, up to the name: `def f` is still there when its parameters are others.

/// Says whether the header with this name in it begins more lines of `old` than of `new`.
pub(super) fn is_missing((header, name): (&[u8], &str), old: &[u8], new: &[u8]) -> bool {
    let opening = up_to_name(header, name);
    lines_beginning_with(opening, new) < lines_beginning_with(opening, old)
}

/// Returns a header up to the end of its name; all of it where the name is a part of other words only.
fn up_to_name<'h>(header: &'h [u8], name: &str) -> &'h [u8] {
    let is_apart = |&(start, end): &(usize, usize)| {
        !header[..start].last().is_some_and(is_of_word)
            && !header[end..].first().is_some_and(is_of_word)
    };
    let mut names =
        memchr::memmem::find_iter(header, name).map(|start| (start, start + name.len()));
    names
        .find(is_apart)
        .map_or(header, |(_, end)| &header[..end])
}

/// Returns how many lines of `text` begin with `opening`, whatever their indentation, and with no longer word.
fn lines_beginning_with(opening: &[u8], text: &[u8]) -> usize {
    let begins_line = |at: usize| {
        let ahead = text[..at].trim_ascii_end();
        ahead.is_empty() || text[ahead.len()..at].contains(&b'\n')
    };
    let ends_word = |at: usize| !text[at + opening.len()..].first().is_some_and(is_of_word);
    memchr::memmem::find_iter(text, opening)
        .filter(|&at| begins_line(at) && ends_word(at))
        .count()
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_missing_when_fewer_lines_begin_with_it() {
        let check = |header: &str, name: &str, new: &str, expected: bool| {
            let old = "class A:\n    def f(self):\n        pass\nX = 1\n";
            let found = is_missing((header.as_bytes(), name), old.as_bytes(), new.as_bytes());
            assert_eq!(found, expected, "{header}: {new:?}");
        };
        check(
            "def f(self):",
            "f",
            "class A:\n    def f(self):\n        (\n",
            false,
        );
        check("def f(self):", "f", "def f(self, other): (\n", false);
        check("def f(self):", "f", "class A: (\n", true);
        check("def f(self):", "f", "def ff(self): (\n", true);
        check("def f(self):", "f", "x = 1 # def f\n(", true);
        check("class A:", "A", "class A(B): (\n", false);
        check("class A:", "A", "class B(A): (\n", true);
        check("X = 1", "X", "X = (1\n", false);
        check("X = 1", "X", "Y = (X\n", true);
    }
}
