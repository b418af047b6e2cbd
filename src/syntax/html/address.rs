//! The selector that finds an element and no other: what `outline` prints and a refusal offers.
//!
//! By id where there is one of its own, else by name, by `src`, `href` or `name`, by class, else by its place in the
//! nearest element around it that can be addressed so. Invariant: the selector matches its element and nothing else.

use std::collections::{HashMap, HashSet};

use super::dom::{Dom, HtmlElement};
use super::mask::MASK;
use super::selector::{class_words, identifier, resolved, string};

/// Attributes that tell elements of one name apart.
const TELLING: [&str; 4] = ["src", "href", "name", "for"];

/// Longest value in bytes that is written into an address.
const LONGEST: usize = 80;

/// What the elements of a page can be addressed by.
pub struct Addresses<'d> {
    dom: &'d Dom,
    source: &'d [u8],
    /// How many elements each short selector finds.
    counts: HashMap<String, usize>,
}

impl<'d> Addresses<'d> {
    /// Counts what the elements of `dom` can be addressed by.
    pub fn of(dom: &'d Dom, source: &'d [u8]) -> Addresses<'d> {
        let mut addresses = Addresses {
            dom,
            source,
            counts: HashMap::new(),
        };
        for element in &dom.elements {
            // A selector finds values as they are written and with their references resolved, so it counts for both.
            let mut found = addresses.short(element, written);
            found.extend(addresses.short(element, resolved));
            found.sort();
            found.dedup();
            for selector in found {
                *addresses.counts.entry(selector).or_insert(0) += 1;
            }
        }
        addresses
    }

    /// Returns the address of the element with this number.
    pub fn address(&self, at: usize) -> String {
        let mut steps = Vec::new();
        let mut next = Some(at);
        while let Some(element) = next.and_then(|at| self.dom.elements.get(at)) {
            if let Some(short) = self
                .short(element, written)
                .into_iter()
                .find(|short| self.counts.get(short) == Some(&1))
            {
                steps.push(short);
                break;
            }
            let name = identifier(&element.name);
            let root = if element.parent.is_none() {
                ":root"
            } else {
                ""
            };
            let nth = if element.of_type > 1 {
                format!(":nth-of-type({})", element.nth_of_type)
            } else {
                String::new()
            };
            steps.push(format!("{name}{root}{nth}"));
            next = element.parent;
        }
        steps.reverse();
        steps.join(" > ")
    }

    /// Returns the element's short selectors, the best first, with its values as `read` gives them.
    fn short(&self, element: &HtmlElement, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let name = identifier(&element.name);
        let mut short = Vec::new();
        let value = |attribute: &str| {
            let value = element
                .attribute(self.source, attribute)?
                .value?
                .of(self.source);
            read(&String::from_utf8_lossy(value))
        };
        let plain = |attribute: &str| value(attribute).filter(|value| is_plain(value));
        if let Some(id) = plain("id") {
            let id = id.as_str();
            let odd = id.contains(|character: char| {
                character.is_whitespace() || "{}\\".contains(character)
            });
            short.push(if odd {
                format!("[id={}]", string(id))
            } else {
                format!("#{}", identifier(id))
            });
        }
        short.push(name.clone());
        for attribute in TELLING {
            short.extend(
                plain(attribute).map(|value| format!("{name}[{attribute}={}]", string(&value))),
            );
        }
        let class = value("class").unwrap_or_default();
        let class = class_words(&class);
        let mut seen = HashSet::new();
        let whole = |class: &&str| !class.contains(char::from(MASK));
        let classes = class
            .split_ascii_whitespace()
            .filter(whole)
            .filter(|class| seen.insert(*class));
        short.extend(classes.map(|class| format!("{name}.{}", identifier(class))));
        short
    }
}

fn written(value: &str) -> Option<String> {
    Some(value.to_owned())
}

fn is_plain(value: &str) -> bool {
    !value.trim().is_empty()
        && value.len() <= LONGEST
        && !value.contains(|character: char| {
            character.is_control() || character == char::REPLACEMENT_CHARACTER
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::html::CssSelector;

    fn check(source: &str, expected: &[&str]) {
        let dom = Dom::of(source.as_bytes());
        let addresses = Addresses::of(&dom, source.as_bytes());
        let told: Vec<String> = (0..dom.elements.len())
            .map(|at| addresses.address(at))
            .collect();
        assert_eq!(told, expected, "{source:?}");
        for (at, address) in told.iter().enumerate() {
            let selector = CssSelector::parse(address).unwrap();
            assert_eq!(
                selector.matches(&dom, source.as_bytes()),
                Ok(vec![at]),
                "{address} in {source:?}"
            );
        }
    }

    #[test]
    fn every_address_finds_its_element_and_no_other() {
        check(
            "<html><body><p id=a>1<p>2<p>3</body></html>",
            &[
                "html",
                "body",
                "#a",
                "body > p:nth-of-type(2)",
                "body > p:nth-of-type(3)",
            ],
        );
        check(
            "<p id=a></p><p id=a></p>",
            &["p:root:nth-of-type(1)", "p:root:nth-of-type(2)"],
        );
        check("<div><p></p></div><p></p>", &["div", "div > p", "p:root"]);
        check(
            "<p id='a b'></p><i id='{{ x }}'></i><b id='1.x'>",
            &["[id=\"a b\"]", "[id=\"{{ x }}\"]", "#\\31 \\.x"],
        );
        check(
            "<a href='/x'></a><a href='/y'></a><a href='/y'>",
            &[
                "a[href=\"/x\"]",
                "a:root:nth-of-type(2)",
                "a:root:nth-of-type(3)",
            ],
        );
        check(
            "<a href='a&amp;b'></a><a href='a&b'></a>",
            &["a[href=\"a&amp;b\"]", "a:root:nth-of-type(2)"],
        );
        check(
            "<a class='x y'></a><a class='y'></a>",
            &["a.x", "a:root:nth-of-type(2)"],
        );
        check(
            "<a class='x x'></a><a></a>",
            &["a.x", "a:root:nth-of-type(2)"],
        );
        check(
            "<a class='x{% if b %} c{% endif %}'></a><a class='c{{ d }} b'></a>",
            &["a.x", "a.b"],
        );
        check("<x:y></x:y><x.y></x.y>", &["x\\:y", "x\\.y"]);
        check(
            "<ul><li>a<ul><li>b</ul></ul>",
            &[
                "ul:root",
                "ul:root > li",
                "ul:root > li > ul",
                "ul:root > li > ul > li",
            ],
        );
    }
}
