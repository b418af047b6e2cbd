//! Lines of definitions, compared without their indentation.

use std::collections::HashMap;

/// Returns the lines that hold a word, without the blanks around them.
pub(super) fn lines_with_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let has_word = |line: &&[u8]| {
        line.iter()
            .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
    };
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(has_word)
}

/// Says whether more than half of some lines are among others.
pub(super) fn are_mostly_in(lines: &[&[u8]], others: &[&[u8]]) -> bool {
    let mut left: HashMap<&[u8], usize> = HashMap::new();
    for line in others {
        *left.entry(line).or_default() += 1;
    }
    let shared = lines.iter().filter(|line| match left.get_mut(**line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    2 * shared.count() > lines.len()
}
