//! The lists of CSS: the selectors of a rule, the queries of an at-rule, and the values of a declaration that commas part.
//!
//! What is in brackets is a part of what holds it, and parted by commas itself; the value of a custom property may be anything.

use super::balance::opaque_end;
use super::dialect::StyleDialect;
use super::statements::{AT_RULE, DECLARATION, RULE, statements};
use crate::syntax::{Statement, SyntaxError};
use crate::text::Span;

/// Brackets in brackets up to which their items are looked at.
const DEEPEST: usize = 8;

/// Returns the items of every list of `source`, less blanks and comments around each, in the order in which they begin, those around others
/// before them; a rule with one selector has one. `None` where something is left open.
pub fn items(source: &[u8]) -> Option<Vec<Span>> {
    let found = statements(source, StyleDialect::Css)?;
    let lists = found.iter().filter_map(|it| list(source, it));
    let mut items: Vec<Span> = lists
        .flat_map(|list| [parts(source, list), parts_in_brackets(source, list)].concat())
        .filter(|item| !item.is_empty())
        .collect();
    items.sort_by_key(|item| (item.start, std::cmp::Reverse(item.end)));
    Some(items)
}

/// Returns what commas part in brackets that are in `list`.
fn parts_in_brackets(source: &[u8], list: Span) -> Vec<Span> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let mut at = list.start;
    while at < list.end {
        let end = opaque_end(source, at, StyleDialect::Css)
            .unwrap_or(at + 1)
            .max(at + 1);
        match source.get(at) {
            Some(b'(' | b'[') if end == at + 1 => open.push(end),
            Some(b')' | b']') => {
                let parts = open
                    .pop()
                    .filter(|_| open.len() < DEEPEST)
                    .map(|start| parts(source, Span::new(start, at)));
                found.extend(parts.filter(|parts| parts.len() > 1).unwrap_or_default());
            }
            _ => {}
        }
        at = end;
    }
    found
}

/// Returns where nothing is before or after a comma in sound CSS whose statements are `found`: browsers drop the whole rule or
/// declaration. A media query of nothing is one that does not apply.
pub(super) fn commas_too_many(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    for statement in found
        .iter()
        .filter(|it| it.kind == RULE || it.kind == DECLARATION && it.depth > 0)
    {
        let Some(list) = list(source, statement) else {
            continue;
        };
        let items = parts(source, list);
        let what = if statement.kind == RULE {
            "rule"
        } else {
            "declaration"
        };
        let empty = items
            .iter()
            .position(|item| item.is_empty())
            .filter(|_| items.len() > 1);
        if let Some(offset) = empty.and_then(|at| items.get(at)).map(|item| item.start) {
            let message =
                format!("a comma has nothing before or after it: browsers drop the whole {what}");
            errors.push(SyntaxError { offset, message });
        }
    }
    errors
}

/// Returns what of a statement may be a list: all before the block, or after the name and its colon.
fn list(source: &[u8], statement: &Statement) -> Option<Span> {
    let Span { start, end } = statement.span;
    let text = statement.span.of(source);
    match statement.kind {
        RULE | AT_RULE => Some(Span::new(
            start,
            tokens(source, statement.span)
                .find(|(_, byte)| *byte == b'{')?
                .0,
        )),
        DECLARATION if !text.starts_with(b"--") => {
            Some(Span::new(start + memchr::memchr(b':', text)? + 1, end))
        }
        _ => None,
    }
}

/// Returns what commas part in `list`, less blanks and comments around each; an empty part is where its comma is.
fn parts(source: &[u8], list: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut part: Option<Span> = None;
    let mut last_comma = None;
    for (at, byte) in tokens(source, list) {
        if byte == b',' {
            found.push(part.take().unwrap_or(Span::at(at)));
            last_comma = Some(at);
        } else {
            let end = opaque_end(source, at, StyleDialect::Css)
                .unwrap_or(at + 1)
                .max(at + 1);
            part = Some(part.map_or(Span::new(at, end), |part| Span::new(part.start, end)));
        }
    }
    found.extend(part.or(last_comma.map(Span::at)));
    found
}

/// Returns each byte that means something outside of brackets, and the brackets themselves, with its offset. What is in brackets comes as the
/// one that closes them.
fn tokens(source: &[u8], span: Span) -> impl Iterator<Item = (usize, u8)> + '_ {
    let mut at = span.start;
    let mut brackets = 0_usize;
    std::iter::from_fn(move || {
        while at < span.end {
            let begins = at;
            let byte = *source.get(at)?;
            at = opaque_end(source, at, StyleDialect::Css)
                .unwrap_or(at + 1)
                .max(at + 1);
            let is_comment = source
                .get(begins..)
                .is_some_and(|rest| rest.starts_with(b"/*"));
            if byte.is_ascii_whitespace() || is_comment {
                continue;
            }
            // An address without quotes is one piece with its bracket.
            let is_whole = at > begins + 1;
            match byte {
                b'(' | b'[' if !is_whole => brackets += 1,
                b')' | b']' => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            if brackets == 0 || (brackets == 1 && matches!(byte, b'(' | b'[') && !is_whole) {
                return Some((begins, byte));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::css::dropped::tests::check_dropped;

    #[test]
    fn commas_part_selectors_and_values() {
        let check = |source: &str, expected: &[&str]| {
            let found = items(source.as_bytes()).expect("sound CSS");
            let found: Vec<&str> = found.iter().map(|it| &source[it.start..it.end]).collect();
            assert_eq!(found, expected, "{source:?}");
        };
        check("a, /* x */ b > c /* y */,\n.d {}", &["a", "b > c", ".d"]);
        check(
            ":is(a, b) c, d[e=\"f,g\"] { h: i(j, k), l }",
            &[
                ":is(a, b) c",
                "a",
                "b",
                "d[e=\"f,g\"]",
                "i(j, k)",
                "j",
                "k",
                "l",
            ],
        );
        check(
            "@media a, b { c { --d: e, f; g: url(h,i), j } }",
            &["@media a", "b", "c", "url(h,i)", "j"],
        );
        check("@import 'a', b;", &[]);
        check("{ a: b }", &["b"]);
        check("a:not([b],\n[c]) {}", &["a:not([b],\n[c])", "[b]", "[c]"]);
        check(
            "a { b: c(d(e f), g(h, i /* , */)) j }",
            &[
                "a",
                "c(d(e f), g(h, i /* , */)) j",
                "d(e f)",
                "g(h, i /* , */)",
                "h",
                "i",
            ],
        );
    }

    #[test]
    fn a_comma_parts_two() {
        check_dropped("a,, b {}", &[2]);
        check_dropped("a, /* c */ , b {}", &[11]);
        check_dropped("a, b, {}", &[4]);
        check_dropped(", a {}", &[0]);
        check_dropped("@media x { a, { b: c } }", &[12]);
        check_dropped("a { b: c, d,; e: f }", &[11]);
        check_dropped("a { b: c,, d }", &[9]);
        for source in [
            "a:is(b,) {}",
            "a { b: var(--c,) d }",
            "a { --b: ,; }",
            "@media a,, b { c {} }",
            "a { b: \",,\" }",
            "{ a: b }",
            "@layer a,, b;",
        ] {
            check_dropped(source, &[]);
        }
    }
}
