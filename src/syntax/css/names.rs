//! The ids and classes that the selectors of a style name.
//!
//! Deliberately not here: names with escapes in them, and what an at-rule asks for before its block.

use super::balance::opaque_end;
use super::dialect::StyleDialect;
use super::statements::{RULE, statements};
use crate::text::Span;

/// A name in a selector: `#main`, `.card`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StyleName {
    /// `#` of an id, `.` of a class.
    pub sign: u8,
    /// Without the sign.
    pub span: Span,
}

/// Returns the ids and classes that selectors name, in file order; none of a style that is out of balance.
pub fn selector_names(source: &[u8]) -> Vec<StyleName> {
    let rules = statements(source, StyleDialect::Css).unwrap_or_default();
    let rules = rules.iter().filter(|it| it.kind == RULE);
    let mut found: Vec<StyleName> = rules
        .flat_map(|rule| names_of_header(source, rule.span))
        .collect();
    found.sort_unstable_by_key(|name| name.span);
    found.dedup();
    found
}

/// Returns the names before the `{` of a rule.
fn names_of_header(source: &[u8], rule: Span) -> Vec<StyleName> {
    let mut found = Vec::new();
    let mut at = rule.start;
    // Brackets hold attributes: `[href=".a"]`, `[data-a=#b]`.
    let mut attributes = 0_usize;
    while at < rule.end {
        let Some(&byte) = source.get(at) else { break };
        if let Some(end) = opaque_end(source, at, StyleDialect::Css) {
            at = end.max(at + 1);
            continue;
        }
        match byte {
            b'{' => break,
            b'[' => attributes += 1,
            b']' => attributes = attributes.saturating_sub(1),
            b'#' | b'.' if attributes == 0 => {
                let rest = source.get(at + 1..rule.end).unwrap_or_default();
                let length = rest.iter().take_while(|byte| is_of_name(**byte)).count();
                let is_whole = rest.get(length) != Some(&b'\\');
                if length > 0 && is_whole {
                    found.push(StyleName {
                        sign: byte,
                        span: Span::new(at + 1, at + 1 + length),
                    });
                }
                at += length;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Says whether a byte may be of a name of CSS that needs no escapes.
pub fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_selectors_alone() {
        let style = "#main > .card:not(.big, #x)::before,\n.a.b-c { color: #fff; margin: .5em }\n\
                     @media (min-width: 1.5em) { .in { background: url(#main) } }\n\
                     .card { &.open { x: y } .inner { z: #main } }\n\
                     [href=\".no\"], a[title=#no], /* .no */ .\\31 a, .md\\:x { }\n\
                     @keyframes k { 0.5% { left: 0 } }\n";
        let said: Vec<String> = selector_names(style.as_bytes())
            .iter()
            .map(|name| {
                let sign = char::from(name.sign);
                format!(
                    "{sign}{}",
                    std::str::from_utf8(name.span.of(style.as_bytes())).unwrap()
                )
            })
            .collect();
        let expected = [
            "#main", ".card", ".big", "#x", ".a", ".b-c", ".in", ".card", ".open", ".inner",
        ];
        assert_eq!(said, [&expected[..], &[".5"]].concat());
    }
}
