//! Heredocs that the grammar's scanner does not survive. It writes down the words of all that are open in a buffer of a fixed size, each
//! with its length in one byte, and ends the process where what it reads back is another length.
//!
//! Known limit: openers are looked for without knowing strings and comments, so that a file with very many of what only looks like one
//! is not read.

/// Bytes of one word, and of all words that are open at once, each with what is written down beside it: a fifth of what would be too many, so
/// that a letter may take four, and no more than the buffer holds.
const LONGEST_WORD: usize = 48;
const MOST_OPEN: usize = 800;
const BESIDE_A_WORD: usize = 4;

/// Says whether more is open at once in `source` than the scanner can write down.
pub(super) fn too_long(source: &[u8]) -> bool {
    let mut open: Vec<&[u8]> = Vec::new();
    let mut size = 0;
    for line in source.split(|&byte| byte == b'\n') {
        let ended = line.trim_ascii();
        if let Some(at) = open.iter().position(|word| *word == ended) {
            size -= open.remove(at).len() + BESIDE_A_WORD;
        }
        for at in memchr::memmem::find_iter(line, b"<<") {
            let Some(word) = word(line.get(at + 2..).unwrap_or_default()) else {
                continue;
            };
            size += word.len() + BESIDE_A_WORD;
            if word.len() > LONGEST_WORD || size > MOST_OPEN {
                return true;
            }
            open.push(word);
        }
    }
    false
}

/// Returns the word of a heredoc, as far as it is on its line; `rest` is what comes after the `<<`.
fn word(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest
        .strip_prefix(b"~")
        .or_else(|| rest.strip_prefix(b"-"))
        .unwrap_or(rest);
    let &first = rest.first()?;
    if matches!(first, b'"' | b'\'' | b'`') {
        let quoted = rest.get(1..)?;
        return quoted.split(|&byte| byte == first).next();
    }
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let length = rest.iter().take_while(|byte| is_of_word(byte)).count();
    rest.get(..length).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::too_long;

    #[test]
    fn what_the_scanner_can_write_down_is_read() {
        let check = |source: &str, expected: bool| {
            assert_eq!(too_long(source.as_bytes()), expected, "{source}");
        };
        check("a = <<~TEXT\n  one\nTEXT\n", false);
        check("a = <<-'TEXT'\n  one\n  TEXT\n", false);
        check(&"a = <<~TEXT\n  one\nTEXT\n".repeat(1_000), false);
        check(&format!("a = <<~{}\n", "A".repeat(300)), true);
        check(&format!("a = <<~'{}'\n", "a ".repeat(200)), true);
        check(&format!("a = <<\"{}\n", "a ".repeat(200)), true);
        check(&"<<~A, ".repeat(300), true);
        check(&"<<~A\n#{".repeat(300), true);
        check("class << self\nend\n", false);
    }
}
