//! What is inside of what, what may be left out, what is out of order.

use proptest::prelude::*;

use super::*;
use crate::syntax::html::{Addresses, CssSelector, HTML};
use crate::text::Lines;

/// Tells each element as `name(children)`, `/` after one with an end tag, then the problems.
fn told(source: &str) -> String {
    fn element(dom: &Dom, at: usize) -> String {
        let found = &dom.elements[at];
        let mut children = Vec::new();
        let mut child = found.first_child;
        while let Some(at) = child {
            children.push(element(dom, at));
            child = dom.elements[at].next;
        }
        let inside = if children.is_empty() {
            String::new()
        } else {
            format!("({})", children.join(" "))
        };
        format!(
            "{}{inside}{}",
            found.name,
            if found.end_tag.is_some() { "/" } else { "" }
        )
    }
    let dom = Dom::of(source.as_bytes());
    let tops = (0..dom.elements.len()).filter(|&at| dom.elements[at].parent.is_none());
    let mut told: Vec<String> = tops.map(|at| element(&dom, at)).collect();
    told.extend(dom.problems.iter().map(|problem| {
        format!(
            "{:?} {}",
            problem.sort,
            &source[problem.span.start..problem.span.end]
        )
    }));
    told.join(" ")
}

fn check(source: &str, expected: &str) {
    assert_eq!(told(source), expected, "{source:?}");
}

#[test]
fn elements_stand_where_their_tags_stand() {
    check("<div><p>a</p><br>b</div>", "div(p/ br)/");
    check("<DIV><IMG SRC=x></div>", "div(img)/");
    check("<table><tr><td>a</table>", "table(tr(td))/");
    check(
        "<svg><path d='x'/><g><title>a<b/></title></g></svg>",
        "svg(path g(title(b)/)/)/ Unclosed <b/>",
    );
    check("<svg><linearGradient/></svg><p/>", "svg(lineargradient)/ p");
    check("<?xml version='1'?><div/><p>a</p>", "div p/");
    check("{% if a %}<p>{{ b }}</p>{% endif %}", "p/");
    check(
        "<textarea><p></textarea><title><b></title>",
        "textarea/ title/",
    );
}

#[test]
fn end_tags_may_be_left_out() {
    check(
        "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
        "ul(li li(ul(li)/) li)/",
    );
    check("<p>a<p>b<div>c</div>", "p p div/");
    check("<dl><dt>a<dd>b<dt>c</dl>", "dl(dt dd dt)/");
    check(
        "<select><optgroup><option>a<option>b<optgroup><option>c</select>",
        "select(optgroup(option option) optgroup(option))/",
    );
    check(
        "<table><thead><tr><th>a<tbody><tr><td>b<td>c<tr><td>d</table>",
        "table(thead(tr(th)) tbody(tr(td td) tr(td)))/",
    );
    check(
        "<table><tr><td><table><tr><td>a</table><td>b</table>",
        "table(tr(td(table(tr(td))/) td))/",
    );
    check(
        "<html><head><title>a</title><body><p>b",
        "html(head(title/) body(p))",
    );
    check("<head><meta><div>a</div>", "head(meta) div/");
    check("<ruby>a<rt>b<rp>c</ruby>", "ruby(rt rp)/");
    check("<p><button><p>a</button>b", "p(button(p)/)");
    check("<p>a<table><tr><td><p>b</table>", "p table(tr(td(p)))/");
}

#[test]
fn what_is_out_of_order_is_told() {
    check("<div><p>a</div>", "div(p)/");
    check("<div><span>a</div>", "div(span)/ Unclosed <span>");
    check("<div>a</div></div>", "div/ Stray </div>");
    check("<b><i>a</b></i>", "b(i)/ Unclosed <i> Stray </i>");
    check(
        "<span><div>a</span></div>",
        "span(div/) Stray </span> Unclosed <span>",
    );
    check(
        "<table><tr><td></div></td></table>",
        "table(tr(td/))/ Stray </div>",
    );
    check("<div>a<p", "div Unterminated(\"tag\") <p Unclosed <div>");
    check(
        "<div><!-- a</div>",
        "div Unterminated(\"comment\") <!-- a</div> Unclosed <div>",
    );
    check("<h1>a<h2>b</h2>", "h1 h2/ Unclosed <h1>");
    check(
        "<li><div><li>a</div>",
        "li(div) li Unclosed <div> Stray </div>",
    );
    check("</br>", " Stray </br>".trim_start());
    check("<script>a", "script Unclosed <script>");
}

#[test]
fn a_page_begins_once() {
    check(
        "<html><head></head><body>a</body></html>",
        "html(head/ body/)/",
    );
    check("<head><title>a</title><body>b", "head(title/) body");
    check("<!-- a --><html><body><p>b", "html(body(p))");
    check("<html><body><head>", "html(body(head)) Misplaced <head>");
    check(
        "<html><body>a<html class=b>",
        "html(body(html)) Misplaced <html class=b>",
    );
    check("<body></body><body>", "body/ body Misplaced <body>");
    check("<body></body><head>", "body/ head Misplaced <head>");
    check("<div><body></div>", "div(body)/ Misplaced <body>");
    check("<svg><html></html></svg>", "svg(html/)/");
    check("<p>a<html>", "p(html) Misplaced <html>");
}

#[test]
fn a_button_is_a_page_of_its_own_to_a_p() {
    check("<p><button><p>a</button>b", "p(button(p)/)");
    check("<p>a<button>b</p>c</button>", "p(button/) Stray </p>");
    check("<p><button><div>a</div></button></p>", "p(button(div/)/)/");
}

#[test]
fn where_every_blank_counts() {
    let source = "<p>a</p><pre>b<b>c</b>\n<textarea>d</textarea></pre><listing>e</listing><svg><textarea/></svg>f";
    let dom = Dom::of(source.as_bytes());
    let told: String = source
        .char_indices()
        .filter(|&(at, _)| dom.is_preformatted(at))
        .map(|(_, character)| character)
        .collect();
    assert_eq!(told, "b<b>c</b>\n<textarea>d</textarea><e<");
}

#[test]
fn an_element_without_end_tag_ends_with_its_content() {
    let source = "<ul>\n  <li>one <b>x</b>\n  <li>\n  <!-- c -->\n</ul>\n";
    let dom = Dom::of(source.as_bytes());
    let whole = |at: usize| dom.elements[at].whole().of(source.as_bytes());
    assert_eq!(whole(1), b"<li>one <b>x</b>");
    assert_eq!(whole(3), b"<li>\n  <!-- c -->");
    assert_eq!(dom.inside(0), 1..4);
    assert_eq!(dom.inside(1), 2..3);
    assert_eq!(dom.inside(3), 4..4);
}

#[test]
fn hostile_input_takes_time_in_proportion() {
    let cases = [
        "<b>",
        "<p><b>",
        "<li>",
        "<div><li>",
        "</p>",
        "<svg><a>",
        "<table>",
        "<!--",
        "<a b=\"",
        "{{",
        "<script>",
        "<p><object>",
    ];
    for case in cases {
        let source = case.repeat(400_000 / case.len());
        let start = std::time::Instant::now();
        Dom::of(source.as_bytes());
        assert!(
            start.elapsed() < std::time::Duration::from_secs(20),
            "{case}: {:?}",
            start.elapsed()
        );
    }
}

/// Pieces that pages are made of, whole and broken, and bytes that are not text.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"<div id=a>",
        b"<div class='b c'>",
        b"</div>",
        b"<p>",
        b"</p>",
        b"<li>",
        b"<ul>",
        b"</ul>",
        b"<table>",
        b"<tr>",
        b"<td>",
        b"</table>",
        b"<svg>",
        b"<path/>",
        b"</svg>",
        b"<title>",
        b"</title>",
        b"<h1>",
        b"<h2 id='a'>",
        b"</h2>",
        b"<script>",
        b"</script>",
        b"<style>",
        b"</style>",
        b"<pre>\n",
        b"</pre>",
        b"<br>",
        b"<a href=\"/x\">",
        b"</a>",
        b"<a href=/x?a&amp;b>",
        b"<!--",
        b"-->",
        b"<!DOCTYPE html>",
        b"<html>",
        b"<head>",
        b"<body>",
        b"</body>",
        b"</html>",
        b"{{ a }}",
        b"{% if \"b\" %}",
        b"{#",
        b"#}",
        b"\n",
        b"\r\n",
        b" ",
        b"\t",
        b"x",
        b"<",
        b">",
        b"\"",
        b"'",
        b"=",
        b"/",
        b"&",
        b"`",
        b"{",
        b"}",
        b"\xff",
        "\u{fc}".as_bytes(),
        b"\0",
        b"</",
        b"<!",
        b"<?",
        b"<x:y>",
        b"<form><b><i>",
        b"</b>",
        b"<option>",
        b"<button>",
        b"<template>",
    ];
    prop_oneof![
        12 => proptest::sample::select(pieces).prop_map(<[u8]>::to_vec),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ]
}

proptest! {
    #[test]
    fn pages_hold_together_whatever_the_bytes(pieces in proptest::collection::vec(piece(), 0..40)) {
        let source = pieces.concat();
        let dom = Dom::of(&source);
        let mut last = 0;
        for (at, element) in dom.elements.iter().enumerate() {
            let HtmlElement { start_tag, end_tag, end, .. } = *element;
            prop_assert!(last <= start_tag.start && start_tag.end <= end && end <= source.len(), "{:?}", element);
            last = start_tag.end;
            prop_assert!(end_tag.is_none_or(|tag| start_tag.end <= tag.start && tag.end == end), "{:?}", element);
            if let Some(parent) = element.parent {
                let around = &dom.elements[parent];
                prop_assert!(parent < at && around.inner().is_some_and(|inner| inner.contains(element.whole())));
            }
            let previous = element.previous.map(|previous| &dom.elements[previous]);
            prop_assert!(previous.is_none_or(|previous| previous.end <= start_tag.start && previous.next == Some(at)));
        }
        prop_assert!(dom.problems.iter().all(|problem| problem.span.end <= source.len()));
        let addresses = Addresses::of(&dom, &source);
        for at in 0..dom.elements.len() {
            let address = addresses.address(at);
            let selector = CssSelector::parse(&address).map_err(TestCaseError::fail)?;
            prop_assert_eq!(selector.matches(&dom, &source), Ok(vec![at]), "{}", address);
        }
        prop_assert_eq!(HTML.grammar.line_roles(&source, None).len(), Lines::of(&source).count());
        HTML.grammar.outline(&source);
        HTML.grammar.errors(&source);
        HTML.grammar.comments(&source);
    }
}
