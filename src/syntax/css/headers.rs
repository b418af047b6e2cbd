//! Selectors that are none: browsers drop the whole rule, with all other selectors of its list.
//!
//! Example: `.card, .md:flex { … }`, where `.md\:flex` was meant.
//!
//! Deliberately not here: what is in brackets, pseudo-elements, and what a vendor or a tool has of its own (`:-moz-…`, `:--name`).

use super::balance::opaque_end;
use super::dialect::StyleDialect;
use super::statements::{AT_RULE, RULE};
use crate::diagnostic::shown;
use crate::syntax::{Statement, SyntaxError};
use crate::text::Span;

/// Pseudo-classes, and the four elements that may be written with one colon; those of Vue, Angular and CSS modules, too.
const KNOWN: &str = " active active-view-transition active-view-transition-type after any any-link autofill before blank buffering \
checked closed current deep default defined dir disabled empty enabled first first-child first-letter first-line first-of-type \
focus focus-visible focus-within fullscreen future global has has-slotted heading host host-context hover in-range \
indeterminate interest-source interest-target invalid is lang last-child last-of-type left link local local-link matches modal muted not nth-child \
nth-col nth-last-child nth-last-col nth-last-of-type nth-of-type only-child only-of-type open optional out-of-range past paused \
picture-in-picture placeholder-shown playing popover-open read-only read-write recto required right root scope seeking slotted \
snapped stalled state stuck target target-after target-before target-current target-within user-invalid user-valid valid verso \
visited volume-locked where export import xr-overlay ";

/// Returns the selectors of sound CSS that are none, each with why.
pub(super) fn unread(source: &[u8], found: &[Statement]) -> Vec<SyntaxError> {
    // Braces of a template may be anything.
    let is_template = [&b"{{"[..], b"{%", b"<%", b"<?", b"${", b"#{"]
        .iter()
        .any(|sign| memchr::memmem::find(source, sign).is_some());
    if is_template {
        return Vec::new();
    }
    let frames: Vec<Span> = found
        .iter()
        .filter(|it| it.kind == AT_RULE && is_frames(it.span.of(source)))
        .map(|it| it.span)
        .collect();
    let is_frame = |span: Span| frames.iter().any(|frames| frames.contains(span));
    let rules = found
        .iter()
        .filter(|it| it.kind == RULE && !is_frame(it.span));
    rules.filter_map(|it| unread_in(source, it.span)).collect()
}

/// Says whether an at-rule holds steps of an animation.
fn is_frames(text: &[u8]) -> bool {
    let name = text.split(|byte| byte.is_ascii_whitespace()).next();
    name.is_some_and(|name| name.to_ascii_lowercase().ends_with(b"keyframes"))
}

fn unread_in(source: &[u8], rule: Span) -> Option<SyntaxError> {
    let (mut at, mut brackets) = (rule.start, 0_usize);
    while at < rule.end {
        let byte = *source.get(at)?;
        let next = opaque_end(source, at, StyleDialect::Css)
            .unwrap_or(at + 1)
            .max(at + 1);
        let rest = source.get(at + 1..).unwrap_or_default();
        match byte {
            b'{' => return None,
            // What is escaped is a part of a name.
            b'\\' => {
                at += 2;
                continue;
            }
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            b':' if brackets == 0 && rest.first() == Some(&b':') => {
                at += 2;
                continue;
            }
            b':' if brackets == 0 => {
                let word = word(rest);
                let is_own = word.starts_with(b"-");
                let word = String::from_utf8_lossy(word).to_ascii_lowercase();
                if !is_own && !word.is_empty() && !KNOWN.contains(&format!(" {word} ")) {
                    let message = format!(
                        "there is no `:{}`, and browsers drop the whole rule: in the name of a class the colon is written `\\:`",
                        shown(&word)
                    );
                    return Some(SyntaxError {
                        offset: at,
                        message,
                    });
                }
            }
            b'.' if brackets == 0 && rest.first().is_some_and(u8::is_ascii_digit) => {
                let message = "a class that begins with a digit is written with an escape (`\\32 xl`): browsers drop the whole rule";
                return Some(SyntaxError {
                    offset: at,
                    message: message.to_owned(),
                });
            }
            _ => {}
        }
        at = next;
    }
    None
}

fn word(text: &[u8]) -> &[u8] {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii();
    &text[..text.iter().take_while(|byte| is_part(byte)).count()]
}

#[cfg(test)]
mod tests {
    use crate::syntax::css::dropped::tests::check_dropped;

    #[test]
    fn a_selector_that_is_none() {
        check_dropped("a, .md:flex { b: c }", &[6]);
        check_dropped("@media a {\n .hover:underline { b: c }\n}", &[18]);
        check_dropped(".2xl { b: c }", &[0]);
        check_dropped("a { &:hovr { b: c } }", &[5]);
        for source in [
            "a, .md\\:flex { b: c }",
            ".\\32 xl { b: c }",
            "a:hover, b:NOT(.c:d) , c:nth-child(2n + 1)::x { b: c }",
            "a:-moz-x, b:--own, :root, :host(.a), a:before { b: c }",
            "@keyframes a { 12.5% { b: c } .5% { b: d } }",
            "a { b:c; d: .5em; e: f:g }",
            "a[href=\"x:y\"], /* .a:b */ b { b: c }",
            ".{{ a }}:x { b: c }",
            "b:is(.c:d) { b: c }",
            "@page :first { b: c }",
        ] {
            check_dropped(source, &[]);
        }
    }
}
