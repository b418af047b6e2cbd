//! What selectors find, and which are none.

use std::cell::Cell;

use super::*;
use crate::syntax::html::Dom;

const PAGE: &str = "<html><body><nav id=Top class='a b'><a href=\"/x\">1</a><a href=\"/x\">2</a>\
    <A HREF='/y?a=1&amp;b=2' data-x=\"it's\">3</A></nav><div><p>4<p class=\"a\">5</div><br>\
    <svg viewBox=\"0 0\"><linearGradient id=\"g\"/></svg><p></p><p> </p><p><!-- c --></p>\
    <input type=TEXT disabled><a href=\"{{ url('z') }}\">6</a></body></html>";

/// Checks what the selector matches, as the start of the source of each element.
fn check(selector: &str, expected: &[&str]) {
    let dom = Dom::of(PAGE.as_bytes());
    let selector = CssSelector::parse(selector).unwrap();
    let found = selector.matches(&dom, PAGE.as_bytes()).unwrap();
    let told: Vec<&str> = found
        .iter()
        .map(|&at| &PAGE[dom.elements[at].start_tag.start..dom.elements[at].end])
        .collect();
    assert!(
        told.len() == expected.len()
            && told
                .iter()
                .zip(expected)
                .all(|(told, begin)| told.starts_with(begin)),
        "{selector}: {told:#?}"
    );
}

#[test]
fn selectors_find_elements() {
    check("#Top", &["<nav"]);
    check("#top", &[]);
    check("nav > a[href=\"/x\"]:nth-of-type(2)", &["<a href=\"/x\">2"]);
    check("NAV>A:nth-of-type(3)", &["<A HREF"]);
    check(".a.b", &["<nav"]);
    check(".a", &["<nav", "<p class=\"a\""]);
    check("a:not([href='/x'])", &["<A HREF", "<a href=\"{{"]);
    check(
        ":is(nav, svg) > :first-child",
        &["<a href=\"/x\">1", "<linearGradient"],
    );
    check("div p + p", &["<p class"]);
    check("nav:has(> a[data-x])", &["<nav"]);
    check("p:empty", &["<p></p>", "<p><!-- c"]);
    check(":root", &["<html"]);
    check("linearGradient", &["<linearGradient"]);
    check("svg[viewBox]", &["<svg"]);
    check("[type=text][disabled]", &["<input"]);
    check(
        "a[href='/y?a=1&b=2'], a[href='/y?a=1&amp;b=2']",
        &["<A HREF"],
    );
    check("a[href=\"{{ url('z') }}\"]", &["<a href=\"{{"]);
    check("[data-x=\"it's\"]", &["<A HREF"]);
    check("div p:last-of-type, br", &["<p class", "<br>"]);
    check("body > :nth-last-child(1)", &["<a href=\"{{"]);
    check("a:any-link:nth-child(2 of a)", &["<a href=\"/x\">2"]);
    check(
        "a[href^='/'][href$='x' i]",
        &["<a href=\"/x\">1", "<a href=\"/x\">2"],
    );
}

#[test]
fn what_is_no_selector_is_refused() {
    for text in [
        "",
        " ",
        "a >",
        "> a",
        "a[",
        "a[href",
        "..x",
        "a:hover",
        "p::before",
        "a b,",
        "a{}",
        "#",
        ":nth-child(x)",
        ":is(..)",
        ":unknown",
        "svg|a",
        "!",
        "a]",
        "#1",
    ] {
        assert!(CssSelector::parse(text).is_err(), "{text:?}");
    }
    let message = CssSelector::parse("a:hover").unwrap_err();
    assert!(
        message.contains("pseudo-class") && message.contains("character 7"),
        "{message}"
    );
}

#[test]
fn what_is_written_reads_back() {
    for text in ["a", "1", "-", "ü b", "a\"b\\c", "x.y#z", "\u{1}", ""] {
        let selector = format!("[x={}]", string(text));
        let CssSelector { list, .. } = CssSelector::parse(&selector).unwrap();
        assert_eq!(list.slice().len(), 1, "{selector}");
        if !text.is_empty() {
            CssSelector::parse(&format!("#{}", identifier(text))).unwrap();
        }
    }
}

#[test]
fn a_selector_that_asks_too_much_is_given_up() {
    let page = "<i>".to_owned() + &"<b></b>".repeat(60_000);
    let dom = Dom::of(page.as_bytes());
    let selector = CssSelector::parse("u ~ b ~ b ~ b ~ b").unwrap();
    let start = std::time::Instant::now();
    assert_eq!(
        selector.matches_within(&dom, page.as_bytes(), &Cell::new(1_000_000)),
        Err(Exhausted)
    );
    assert!(
        start.elapsed() < std::time::Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}
