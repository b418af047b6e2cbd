//! The segments of a page: elements with an id, and headings.

use super::address::Addresses;
use super::dom::{Dom, HtmlElement, PageProblemKind};
use super::selector::resolved_text;
use super::tokens::{Token, Tokenizer};
use crate::syntax::outline::Extent;
use crate::syntax::{Excess, Outline, SegmentKind, Symbol};
use crate::text::Span;

/// Longest text of a heading that names it, in characters.
const LONGEST: usize = 200;

/// Returns the segments of `source`, each inside of the nearest one around it.
pub fn outline(source: &[u8], dom: &Dom) -> Outline {
    if dom
        .problems
        .iter()
        .any(|problem| problem.sort == PageProblemKind::TooIntricate)
    {
        return Outline::exceeding(Excess::Work);
    }
    let addresses = Addresses::of(dom, source);
    let mut open: Vec<Symbol> = Vec::new();
    let mut outline = Outline::default();
    let mut left = Extent::of_file(source.len());
    for (at, element) in dom.elements.iter().enumerate() {
        let Some((name, level)) = name(source, element) else {
            continue;
        };
        close_segments(&mut open, &mut outline, element.start_tag.start);
        let whole = element.whole();
        let address = addresses.address(at);
        let around = open
            .last()
            .and_then(|around| around.address.as_ref())
            .map_or(0, String::len);
        if let Err(excess) = left.take(open.len(), whole.len(), address.len() + around) {
            return Outline::exceeding(excess);
        }
        open.push(Symbol {
            name,
            owner: None,
            address: Some(address),
            names_inside: true,
            parted: false,
            component: false,
            kind: SegmentKind::Element,
            level,
            definition: whole,
            decorations: Vec::new(),
            trailing: None,
            signature: if level > 0 { whole } else { element.start_tag },
            body: element.inner(),
            docstring: None,
            children: Vec::new(),
        });
    }
    close_segments(&mut open, &mut outline, usize::MAX);
    outline
}

/// Moves the open segments that end before `offset` into the ones around them.
fn close_segments(open: &mut Vec<Symbol>, outline: &mut Outline, offset: usize) {
    while let Some(ended) = open.pop_if(|last| last.definition.end <= offset) {
        match open.last_mut() {
            Some(around) => around.children.push(ended),
            None => outline.symbols.push(ended),
        }
    }
}

/// Returns the name of a segment, and of a heading its level.
fn name(source: &[u8], element: &HtmlElement) -> Option<(String, u8)> {
    let level = match element.name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => digit - b'0',
        _ => 0,
    };
    let id = element
        .attribute(source, "id")
        .and_then(|id| id.value)
        .map(|value| value.of(source));
    let id = id
        .map(|id| String::from_utf8_lossy(id).trim().to_owned())
        .filter(|id| !id.is_empty());
    match (level, id) {
        (0, id) => Some((id?, 0)),
        (level, id) => {
            let text = element
                .inner()
                .map(|inner| text(inner.of(source)))
                .filter(|text| !text.is_empty());
            Some((
                text.or(id).unwrap_or_else(|| element.name.to_string()),
                level,
            ))
        }
    }
}

/// Returns what a reader sees of `source`, on one line.
fn text(source: &[u8]) -> String {
    let mut tokens = Tokenizer::of(source);
    let mut text = String::new();
    while let Some(token) = tokens.next(false) {
        if let Token::Text(span) = token {
            text.push_str(&String::from_utf8_lossy(Span::of(span, source)));
        }
    }
    let text = resolved_text(&text).unwrap_or(text);
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(LONGEST)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_with_an_id_and_headings_are_segments() {
        fn told(symbols: &[Symbol]) -> Vec<String> {
            let children = |symbol: &Symbol| told(&symbol.children).join(" ");
            let one = |symbol: &Symbol| {
                format!(
                    "{}={}({})",
                    symbol.address.clone().unwrap(),
                    symbol.name,
                    children(symbol)
                )
            };
            symbols.iter().map(one).collect()
        }
        let check = |source: &str, expected: &[&str]| {
            assert_eq!(
                told(&outline(source.as_bytes(), &Dom::of(source.as_bytes())).symbols),
                expected
            );
        };
        check(
            "<div id=a><h1>T <b>x</b> &amp;  y</h1><p id=b></div><h2 id=c></h2><h3></h3>",
            &["#a=a(h1=T x & y() #b=b())", "#c=c()", "h3=h3()"],
        );
        check("<p>a</p>", &[]);
        check("<p id=''>", &[]);
    }
}
