//! Scripts, styles and data in a page, read by their own grammar.
//!
//! Template tags in them are filled in three ways, because it is not known what they will stand for: as a name
//! (`let a = {{ b }};`), as nothing (`{{ styles }}` between two rules), and with the first way through each condition alone
//! (`let a = {% if b %}1{% else %}2{% endif %};`). What parses one way has no error. A `{% … %}` is nothing always.
//!
//! Known limit: a script of SVG with character references in it is not read, for it says something else than it shows.

use super::dom::{Dom, HtmlElement};
use super::mask::{self, TemplateTag};
use crate::syntax::css::CSS;
use crate::syntax::javascript::JAVASCRIPT;
use crate::syntax::json::JSON;
use crate::syntax::typescript::{TSX, TYPESCRIPT};
use crate::syntax::{Language, SyntaxError};
use crate::text::Span;

/// Every filling, the surest first.
pub const FILLINGS: [Filling; 3] = [Filling::Values, Filling::Nothing, Filling::FirstWay];

/// What is in the place of `{{ … }}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// A name, or in data a number.
    Values,
    /// Blanks.
    Nothing,
    /// A name, and blanks for what an `else` says.
    FirstWay,
}

/// What the standard has handlers for, without `on`: `once` and `only` are none.
#[rustfmt::skip]
const EVENTS: [&str; 98] = [
    "abort", "afterprint", "animationcancel", "animationend", "animationiteration", "animationstart", "auxclick", "beforeinput",
    "beforematch", "beforeprint", "beforetoggle", "beforeunload", "blur", "cancel", "canplay", "canplaythrough", "change", "click",
    "close", "command", "contextlost", "contextmenu", "contextrestored", "copy", "cuechange", "cut", "dblclick", "drag", "dragend",
    "dragenter", "dragleave", "dragover", "dragstart", "drop", "durationchange", "emptied", "ended", "error", "focus", "focusin",
    "focusout", "formdata", "gotpointercapture", "hashchange", "input", "invalid", "keydown", "keypress", "keyup", "languagechange",
    "load", "loadeddata", "loadedmetadata", "loadstart", "lostpointercapture", "message", "messageerror", "mousedown", "mouseenter",
    "mouseleave", "mousemove", "mouseout", "mouseover", "mouseup", "mousewheel", "pagehide", "pageshow", "paste", "pause", "play",
    "playing", "pointercancel", "pointerdown", "pointerenter", "pointerleave", "pointermove", "pointerout", "pointerover", "pointerup",
    "popstate", "progress", "ratechange", "reset", "resize", "scroll", "scrollend", "search", "seeked", "seeking", "select",
    "stalled", "submit", "suspend", "timeupdate", "toggle", "touchend", "touchmove", "touchstart",
];

/// What holds code or data of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddedHolder {
    /// A `<script>` or a `<style>`.
    Element,
    /// An event handler: `onclick="…"`.
    Handler,
    /// The declarations of one element: `style="…"`.
    Style,
}

/// Code or data of a page in a language of its own: what is in a `<script>` or a `<style>`, or the value of an event handler or of `style`.
#[derive(Clone, Copy)]
pub struct EmbeddedPiece {
    /// Its bytes, without tags or quotes.
    pub span: Span,
    /// What reads it; `None` where nothing does.
    pub language: Option<&'static Language>,
    /// Where what holds it begins: the start tag of a script or style, the value of a handler.
    pub start: usize,
    /// Where the end tag of a script or style begins.
    pub end_tag: Option<usize>,
    /// What holds it.
    pub holder: EmbeddedHolder,
}

/// Returns the scripts, styles, event handlers and declarations of a page in file order.
pub fn pieces(source: &[u8], dom: &Dom) -> Vec<EmbeddedPiece> {
    let mut found = Vec::new();
    for element in &dom.elements {
        found.extend(attributes(source, element));
        let holds_code = matches!(&*element.name, "script" | "style");
        let Some(span) = element.inner().filter(|_| holds_code) else {
            continue;
        };
        let (start, end_tag) = (
            element.start_tag.start,
            element.end_tag.map(|tag| tag.start),
        );
        found.push(EmbeddedPiece {
            span,
            language: language(source, element),
            start,
            end_tag,
            holder: EmbeddedHolder::Element,
        });
    }
    found
}

/// Returns the handlers and the `style` of an element that say what they show: `&quot;` in one is no code.
fn attributes<'e>(
    source: &'e [u8],
    element: &'e HtmlElement,
) -> impl Iterator<Item = EmbeddedPiece> + 'e {
    let is_handler = |name: &[u8]| {
        let event = name.get(2..).filter(|_| {
            name.get(..2)
                .is_some_and(|on| on.eq_ignore_ascii_case(b"on"))
        });
        event.is_some_and(|event| {
            EVENTS
                .iter()
                .any(|known| known.as_bytes().eq_ignore_ascii_case(event))
        })
    };
    element.attributes.iter().filter_map(move |attribute| {
        let name = attribute.name.of(source);
        let (holder, language) = if is_handler(name) && !JAVASCRIPT.is_left_out() {
            (EmbeddedHolder::Handler, &JAVASCRIPT)
        } else if name.eq_ignore_ascii_case(b"style") {
            (EmbeddedHolder::Style, &CSS)
        } else {
            return None;
        };
        let span = attribute
            .value
            .filter(|value| !value.of(source).contains(&b'&'))?;
        Some(EmbeddedPiece {
            span,
            language: Some(language),
            start: span.start,
            end_tag: None,
            holder,
        })
    })
}

/// Says whether template tags are in `inner`.
pub fn has_tags(dom: &Dom, inner: Span) -> bool {
    !tags_within(dom, inner).is_empty()
}

/// Returns the language of what the element holds, when it is one that is read.
pub fn language(source: &[u8], element: &HtmlElement) -> Option<&'static Language> {
    if !matches!(&*element.name, "style" | "script") || says_something_else(source, element) {
        return None;
    }
    let value = |name: &str| {
        let value = element
            .attribute(source, name)
            .and_then(|attribute| attribute.value);
        String::from_utf8_lossy(value.map_or(&b""[..], |value| value.of(source)))
            .trim()
            .to_ascii_lowercase()
    };
    let language: Option<&'static Language> = match (
        &*element.name,
        value("type").as_str(),
        value("lang").as_str(),
    ) {
        ("style", "" | "text/css", "" | "css") => Some(&CSS),
        ("script", "text/typescript" | "application/typescript" | "ts", _) => Some(&TYPESCRIPT),
        ("script", "" | "module", "ts" | "typescript") => Some(&TYPESCRIPT),
        ("script", "" | "module", "tsx") => Some(&TSX),
        (
            "script",
            "" | "module" | "text/javascript" | "application/javascript" | "text/ecmascript",
            "" | "js" | "javascript" | "jsx",
        ) => Some(&JAVASCRIPT),
        ("script", "application/json" | "importmap" | "speculationrules", _) => Some(&JSON),
        ("script", sort, _) if sort.ends_with("+json") => Some(&JSON),
        _ => None,
    };
    language.filter(|language| !language.is_left_out())
}

/// In SVG, `&lt;` and CDATA sections are not what the script says.
fn says_something_else(source: &[u8], element: &HtmlElement) -> bool {
    let inner = element.inner().map_or(&b""[..], |inner| inner.of(source));
    element.is_foreign && inner.iter().any(|byte| matches!(byte, b'&' | b'<'))
}

/// Returns the text of `inner`, which is in `language`, with its template tags filled.
pub fn text(
    source: &[u8],
    dom: &Dom,
    inner: Span,
    language: &Language,
    filling: Filling,
) -> Vec<u8> {
    let tags = tags_within(dom, inner);
    let value = if std::ptr::eq(language, &JSON) {
        b'1'
    } else {
        b'v'
    };
    let mut text = mask::filled(inner.of(source), &tags, |tag| match filling {
        Filling::Values | Filling::FirstWay if tag.is_value => value,
        Filling::Values | Filling::FirstWay | Filling::Nothing => b' ',
    });
    if filling == Filling::FirstWay {
        for other in other_ways(inner.of(source), &tags) {
            let other = text.get_mut(other.start..other.end).unwrap_or_default();
            other
                .iter_mut()
                .filter(|byte| !matches!(byte, b'\n' | b'\r'))
                .for_each(|byte| *byte = b' ');
        }
    }
    text
}

/// Returns the template tags inside of `inner`, counted from its start.
fn tags_within(dom: &Dom, inner: Span) -> Vec<TemplateTag> {
    let from = dom.tags.partition_point(|tag| tag.span.start < inner.start);
    let tags = dom
        .tags
        .get(from..)
        .unwrap_or_default()
        .iter()
        .take_while(|tag| inner.contains(tag.span));
    tags.map(|tag| TemplateTag {
        span: Span::new(tag.span.start - inner.start, tag.span.end - inner.start),
        ..*tag
    })
    .collect()
}

/// What a statement of a template does to the ways through it.
enum BranchEffect {
    Opens,
    Other,
    Closes,
    Nothing,
}

/// Returns where the ways are that begin with an `else`, up to the end of their condition.
fn other_ways(text: &[u8], tags: &[TemplateTag]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut other: Option<(usize, usize)> = None;
    for tag in tags.iter().filter(|tag| !tag.is_value) {
        match (branch_effect(tag.span.of(text)), &mut other) {
            (BranchEffect::Other, None) => other = Some((tag.span.end, 0)),
            (BranchEffect::Opens, Some((_, depth))) => *depth += 1,
            (BranchEffect::Closes, Some((start, 0))) => {
                found.push(Span::new(*start, tag.span.start));
                other = None;
            }
            (BranchEffect::Closes, Some((_, depth))) => *depth -= 1,
            (BranchEffect::Opens | BranchEffect::Closes, None)
            | (BranchEffect::Other, Some(_))
            | (BranchEffect::Nothing, _) => {}
        }
    }
    found
}

fn branch_effect(tag: &[u8]) -> BranchEffect {
    let tag = String::from_utf8_lossy(tag);
    let inside = tag
        .trim_start_matches("<?php")
        .trim_matches(|character: char| "{}<>%?-+ \t\r\n;:".contains(character));
    let word = inside
        .split(|character: char| !character.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let has = |brace| {
        tag.trim_matches(|character: char| "{}".contains(character))
            .contains(brace)
    };
    match word {
        "else" | "elif" | "elsif" | "elseif" => BranchEffect::Other,
        _ if word.starts_with("end") => BranchEffect::Closes,
        "" if has('}') => BranchEffect::Closes,
        "if" | "unless" | "for" | "foreach" | "while" | "case" | "switch" | "with" => {
            BranchEffect::Opens
        }
        _ => BranchEffect::Nothing,
    }
}

/// Returns the errors of every script, style and piece of data, in file order.
pub fn errors(source: &[u8], dom: &Dom) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    for element in &dom.elements {
        let (Some(language), Some(inner)) = (language(source, element), element.inner()) else {
            continue;
        };
        let read = |filling| {
            language
                .grammar
                .errors(&text(source, dom, inner, language, filling))
        };
        let mut found = read(Filling::Values);
        if inner.of(source).trim_ascii().is_empty() || found.is_empty() {
            continue;
        }
        if !tags_within(dom, inner).is_empty() {
            for other in [read(Filling::Nothing), read(Filling::FirstWay)] {
                if other.len() < found.len() {
                    found = other;
                }
            }
        }
        let shifted = |error: SyntaxError| SyntaxError {
            offset: error.offset + inner.start,
            message: format!(
                "{} in <{}> ({})",
                error.message, element.name, language.name
            ),
        };
        errors.extend(found.into_iter().map(shifted));
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let errors = errors(source.as_bytes(), &Dom::of(source.as_bytes()));
        let told: Vec<String> = errors
            .iter()
            .map(|error| format!("{} {}", error.offset, error.message))
            .collect();
        assert_eq!(told, expected, "{source:?}");
    }

    #[test]
    fn scripts_and_styles_are_read_by_their_own_grammar() {
        check("<script>let a = 1;</script><style>a { b: c }</style>", &[]);
        check(
            "<script>let a = (1;</script>",
            &["18 missing `)` in <script> (JavaScript)"],
        );
        check(
            "<p><style>a { b: c </style>",
            &["12 `{` is never closed in <style> (CSS)"],
        );
        check("<script type='text/x-template'>{ nonsense</script>", &[]);
        check(
            "<script>let a = {{ b|c }};\n{% if x %}d();{% endif %}</script>",
            &[],
        );
        check(
            "<style>{{ styles }} a { color: {{ c }}; {# d #} }</style>",
            &[],
        );
        check(
            "<script src=a></script><script type=module>import a from 'b';</script>",
            &[],
        );
        check("<script><!--\na();\n//--></script>", &[]);
        check(
            "<script lang=ts>let a: number = 1;</script><script type=text/typescript>type A = 1;</script>",
            &[],
        );
        check("<style lang=scss>a { b: c; // it's\n }</style>", &[]);
        check(
            "<svg><script>a &lt; b</script><style>a{}</style></svg>",
            &[],
        );
    }

    #[test]
    fn data_is_json() {
        let found = |source: &str| errors(source.as_bytes(), &Dom::of(source.as_bytes())).len();
        for sort in ["application/json", "application/ld+json", "importmap"] {
            assert_eq!(
                found(&format!("<script type=\"{sort}\">{{\"a\": }}</script>")),
                1,
                "{sort}"
            );
        }
        check("<script type='application/json'> {\"a\": 1} </script>", &[]);
        check("<script type='application/json'></script>", &[]);
        check(
            "<script type='application/json'>{\"a {{ b }}\": {{ c|tojson }}}</script>",
            &[],
        );
        check(
            "<script type='application/json'>[{% if a %}1{% else %}2{% endif %}]</script>",
            &[],
        );
    }

    #[test]
    fn one_way_through_a_condition_is_enough() {
        for (condition, other, end) in [
            ("{% if b %}", "{% else %}", "{% endif %}"),
            ("{%- if b -%}", "{%- elif c -%}3{% else %}", "{%- endif -%}"),
            ("<?php if ($b): ?>", "<?php else: ?>", "<?php endif; ?>"),
            ("<?php if ($b) { ?>", "<?php } else { ?>", "<?php } ?>"),
            ("<% if b %>", "<% elsif c %>4<% else %>", "<% end %>"),
            ("<% if (b) { %>", "<% } else { %>", "<% } %>"),
            (
                "{% if b %}",
                "{% else %}{% if c %}5{% else %}6{% endif %}",
                "{% endif %}",
            ),
        ] {
            check(
                &format!("<script>let a = {condition}1{other}2{end};</script>"),
                &[],
            );
            let broken = format!("<script>let (a = {condition}1{other}2{end};</script>");
            assert!(
                !errors(broken.as_bytes(), &Dom::of(broken.as_bytes())).is_empty(),
                "{broken}"
            );
        }
    }
}
