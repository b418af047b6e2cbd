//! What TOML 1.1 allows and TOML 1.0 does not: readers of the older edition would refuse a file that holds it.

use super::tree::tree;
use crate::syntax::keys::{CollectionKind, KeyEntry, Tree, ValueForm};

/// Says what in the text is of TOML 1.1 alone, when something is.
pub fn newer(text: &str) -> Option<&'static str> {
    let tree = tree(text).ok()?;
    tree.entries.iter().find_map(|entry| match entry.form {
        ValueForm::Flow(CollectionKind::Map) => in_braces(&tree, entry, text),
        ValueForm::Plain => in_word(entry.value.of(text.as_bytes())),
        _ => None,
    })
}

/// A table in braces is on one line, without a comma at its end.
fn in_braces(tree: &Tree, table: &KeyEntry, text: &str) -> Option<&'static str> {
    let mut inside: Vec<&KeyEntry> = Vec::new();
    let mut open = table.children.clone();
    while let Some(entry) = open.pop().and_then(|at| tree.get(at)) {
        match entry.form {
            ValueForm::Implied => open.extend(&entry.children),
            _ => inside.push(entry),
        }
    }
    inside.sort_by_key(|entry| entry.span);
    let mut from = table.value.start + 1;
    let mut last = "";
    for end in inside
        .iter()
        .map(|entry| entry.span.start)
        .chain([table.value.end.saturating_sub(1)])
    {
        last = text.get(from..end).unwrap_or_default();
        if last.contains('\n') {
            return Some("a table in braces goes over several lines");
        }
        from = inside
            .iter()
            .find(|entry| entry.span.start == end)
            .map_or(end, |entry| entry.span.end);
    }
    (!inside.is_empty() && last.contains(','))
        .then_some("a comma stands at the end of a table in braces")
}

fn in_word(word: &[u8]) -> Option<&'static str> {
    if word.starts_with(b"\"") {
        let mut escapes = word
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| matches!(**pair, [b'\\', b'e' | b'x']));
        let live = |at: usize| {
            word[..at]
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'\\')
                .count()
                % 2
                == 0
        };
        return escapes
            .any(|(at, _)| live(at))
            .then_some("a text holds `\\e` or `\\x`");
    }
    // 07:32, 1979-05-27T07:32Z
    let time = word
        .iter()
        .position(|&byte| byte == b':')
        .filter(|_| word[0].is_ascii_digit())?;
    (word.get(time + 3) != Some(&b':')).then_some("a time has no seconds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_the_newer_edition_allows_is_told() {
        let check = |text: &str, newer_edition: bool| {
            assert_eq!(newer(text).is_some(), newer_edition, "{text}")
        };
        check("a = { b = 1 }\n", false);
        check("a = { b = 1, c.d = 2 }\n", false);
        check("a = {}\n", false);
        check("a = {\n b = 1\n}\n", true);
        check("a = { b = 1, }\n", true);
        check("a = { b = [\n  1,\n] }\n", false);
        check("a = { b = \"\"\"\n,\"\"\" }\n", false);
        check("a = \"\\e\"\n", true);
        check("a = \"\\\\e\"\n", false);
        check("a = '\\e'\n", false);
        check("a = \"\\x41\"\n", true);
        check("a = 07:32\n", true);
        check("a = 07:32:00\nb = 1979-05-27T07:32:00-08:00\n", false);
        check("a = 1979-05-27 07:32Z\n", true);
    }
}
