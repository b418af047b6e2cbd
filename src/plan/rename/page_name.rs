//! An id or a class of a page gets another name, and so does what surely means it: in the page its attributes, its links to itself and its
//! styles, and of an id the links of other pages to it.
//!
//! Scripts say names as they like, and attributes are there that a script reads; a style sheet of its own may be another page's, too. What
//! they say is not certain.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::manifest::{ElementSelector, Operation, RenameTerms, Scoped, Selector};
use crate::path::RepoPath;
use crate::plan::page_links::{is_page, leads_to, resolved};
use crate::plan::whole;
use crate::references::{Reference, References, RenameRefused, Renaming, Verdict, renamed};
use crate::resolve::{Document, Purpose, Reading, locate};
use crate::snapshot::{Project, Snapshot};
use crate::syntax::css::{CSS, is_of_name, selector_names};
use crate::syntax::html::{Attribute, Dom, HtmlElement, is_html};
use crate::syntax::language_of;
use crate::syntax::markdown::anchors::{WrittenLink, decoded, links};
use crate::text::ascii::to_percent;
use crate::text::{Lines, Span, is_binary};

/// Attributes whose words are ids of the page.
const IDS: [&str; 16] = [
    "for",
    "form",
    "headers",
    "itemref",
    "list",
    "popovertarget",
    "commandfor",
    "aria-activedescendant",
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "aria-labelledby",
    "aria-owns",
    "interestfor",
];

/// What each place becomes, where that is not the new name to the letter.
type EncodedNames = BTreeMap<(RepoPath, Span), String>;

/// Returns every place that changes when the id or class that `selector` is, in the page at `path`, is called `to`.
pub(super) fn renaming(
    operation: &Operation,
    snapshot: &Snapshot,
    path: &RepoPath,
    (selector, to, terms): (&ElementSelector, &str, RenameTerms),
) -> Result<Renaming, RenameRefused> {
    let file = whole::editable(snapshot, path, operation)?;
    let document = Document::new(path.clone(), file.bytes.clone(), snapshot.hash);
    let reading = Reading::of(&document);
    let name = PageName::of(&reading, selector)?;
    if to != name.name {
        name.check_new(to, terms)?;
    }
    let mut encoded = EncodedNames::new();
    let references = name.references(&snapshot.project, &mut encoded, to);
    renamed(references, path, terms, |path, span| {
        let word = encoded.get(&(path.clone(), span));
        Some(Rc::from(word.map_or(to, String::as_str)))
    })
}

/// Returns where an id or a class is written, and everything that means it.
pub(crate) fn references(
    document: &Document,
    project: &Project,
    selector: &ElementSelector,
) -> Result<References, Diagnostic> {
    let reading = Reading::of(document);
    let name = PageName::of(&reading, selector)?;
    let mut found = name.references(project, &mut EncodedNames::new(), &name.name);
    for place in &mut found.places {
        place.is_changed = false;
    }
    Ok(found)
}

/// An id or a class of a page.
struct PageName<'d> {
    document: &'d Document,
    name: String,
    is_class: bool,
}

/// A place where the name is written.
struct FoundName {
    span: Span,
    verdict: Result<(), &'static str>,
    /// How it is written there, where that is a part of an address.
    encoded: Option<String>,
}

impl FoundName {
    fn certain(span: Span) -> FoundName {
        FoundName {
            span,
            verdict: Ok(()),
            encoded: None,
        }
    }

    fn unsure(span: Span, why: &'static str) -> FoundName {
        FoundName {
            verdict: Err(why),
            ..FoundName::certain(span)
        }
    }
}

impl<'d> PageName<'d> {
    fn of(reading: &Reading<'d>, selector: &ElementSelector) -> Result<PageName<'d>, Diagnostic> {
        let document = reading.document;
        if !document.language.is_some_and(is_html) {
            let message = format!(
                "ids and classes are of pages, which {} is not",
                document.path
            );
            return Err(Diagnostic::new(Code::UnsupportedLanguage, message));
        }
        let Some(name) = selector.id_or_class() else {
            let message = format!("`{}` is no id and no class", shown(&selector.to_string()));
            return Err(Diagnostic::new(Code::Unsupported, message)
                .in_field("element")
                .note("`rename` of a page names one of them: `#main`, `.card`"));
        };
        let page = PageName {
            document,
            is_class: selector.to_string().starts_with('.'),
            name,
        };
        // Of an id there is one; of a class there may be many, and what is not there is told with what is like it.
        if !page.is_class || page.own_words(&page.name).is_empty() {
            let scoped = Scoped::from(Selector::Element(selector.clone()));
            locate(reading, &scoped, None, Purpose::Edit)?;
        }
        Ok(page)
    }

    /// Refuses what can be no name, or is one of the page already.
    fn check_new(&self, to: &str, terms: RenameTerms) -> Result<(), Diagnostic> {
        let kind = self.kind();
        let begins = to
            .trim_start_matches('-')
            .starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        if !begins || !to.bytes().all(is_of_name) {
            let message = format!("`{}` can be no {kind} here", shown(to));
            return Err(Diagnostic::new(Code::NameClash, message).note(
                "it begins with a letter; letters, digits, `-` and `_` need no escapes in a style",
            ));
        }
        let Some(&twin) = self.own_words(to).first() else {
            return Ok(());
        };
        if self.is_class && terms.allows_clash {
            return Ok(());
        }
        let path = &self.document.path;
        let line = self.document.lines().line(twin.start);
        let message = format!("`{}` is a {kind} of {path} already", shown(to));
        let clash = Diagnostic::new(Code::NameClash, message).note(format!("it is at line {line}"));
        Err(match self.is_class {
            true => clash.note("`clash: allow` makes one of both"),
            false => clash,
        })
    }

    fn kind(&self) -> &'static str {
        match self.is_class {
            true => "class",
            false => "id",
        }
    }

    fn sign(&self) -> u8 {
        match self.is_class {
            true => b'.',
            false => b'#',
        }
    }

    /// Returns where elements of the page have `name`.
    fn own_words(&self, name: &str) -> Vec<Span> {
        let bytes = &self.document.bytes;
        let attribute = self.kind();
        let elements = self.document.dom().elements.iter();
        elements
            .filter_map(|element| element.attribute(bytes, attribute)?.value)
            .flat_map(|value| match self.is_class {
                true => words_that_are(name, bytes, value),
                false => Some(value)
                    .filter(|value| value.of(bytes) == name.as_bytes())
                    .into_iter()
                    .collect(),
            })
            .collect()
    }

    fn references(&self, project: &Project, encoded: &mut EncodedNames, to: &str) -> References {
        let path = &self.document.path;
        let bytes = &self.document.bytes;
        let mut places = Vec::new();
        let mut add = |path: &RepoPath, bytes: &[u8], lines: &Lines, found: FoundName| {
            let place = Reference::at(path, bytes, lines, found.span, found.verdict);
            places.push(match found.verdict {
                Ok(()) => place,
                Err(_) => Reference {
                    verdict: Verdict::Unsure,
                    ..place
                },
            });
            if let Some(name) = found.encoded {
                encoded.insert((path.clone(), found.span), name);
            }
        };
        for found in self.in_own_page(to) {
            add(path, bytes, self.document.lines(), found);
        }
        for (other, bytes) in project.files.iter().filter(|(other, _)| *other != path) {
            if is_binary(bytes) {
                continue;
            }
            let found = self.in_another(other, bytes, to);
            if !found.is_empty() {
                let lines = Lines::of(bytes);
                found
                    .into_iter()
                    .for_each(|found| add(other, bytes, &lines, found));
            }
        }
        places.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
        places.dedup_by(|one, other| (&one.path, one.span) == (&other.path, other.span));
        References {
            address: format!("{path}::{}{}", char::from(self.sign()), self.name),
            word: self.name.clone(),
            places,
            doubts: Vec::new(),
        }
    }

    fn in_own_page(&self, to: &str) -> Vec<FoundName> {
        let bytes = &self.document.bytes;
        let own = self.own_words(&self.name).into_iter();
        let mut found: Vec<FoundName> = own.map(FoundName::certain).collect();
        for element in &self.document.dom().elements {
            for attribute in &element.attributes {
                found.extend(self.in_attribute(element, attribute, to));
            }
            match (&*element.name, element.inner()) {
                ("style", Some(inner)) => found.extend(self.in_style(bytes, inner)),
                ("script", Some(inner)) => found.extend(self.in_script(bytes, inner)),
                _ => {}
            }
        }
        found
    }

    fn in_attribute(
        &self,
        element: &HtmlElement,
        attribute: &Attribute,
        to: &str,
    ) -> Vec<FoundName> {
        let bytes = &self.document.bytes;
        let Some(value) = attribute.value else {
            return Vec::new();
        };
        let named = attribute.name.of(bytes).to_ascii_lowercase();
        let named = String::from_utf8_lossy(&named).into_owned();
        if named == self.kind() {
            return Vec::new();
        }
        if named.starts_with("on") {
            return self.in_script(bytes, value);
        }
        if named.starts_with("data-") || named.starts_with("hx-") {
            let why = "an attribute that a script may read";
            let words = self.words_of_selector(bytes, value).into_iter();
            return words.map(|span| FoundName::unsure(span, why)).collect();
        }
        if self.is_class {
            return Vec::new();
        }
        let is_of_ids = IDS.contains(&named.as_str());
        if is_of_ids && !(named == "for" && &*element.name == "script") {
            let words = words_that_are(&self.name, bytes, value);
            return words.into_iter().map(FoundName::certain).collect();
        }
        if matches!(named.as_str(), "href" | "xlink:href") {
            let leads = |file: &str| file.is_empty() || self.is_resolved(&self.document.path, file);
            return self
                .in_address(bytes, value, leads, to)
                .into_iter()
                .collect();
        }
        self.in_urls(bytes, value)
    }

    /// Returns the name as the fragment of an address whose file `leads` to the page.
    fn in_address(
        &self,
        bytes: &[u8],
        value: Span,
        leads: impl Fn(&str) -> bool,
        to: &str,
    ) -> Option<FoundName> {
        let address = std::str::from_utf8(value.of(bytes)).ok()?;
        let (file, fragment) = address.split_once('#')?;
        if address.contains(['&', '{']) || decoded(fragment) != self.name || !leads(file) {
            return None;
        }
        let span = Span::new(value.end - fragment.len(), value.end);
        Some(FoundName {
            encoded: Some(to_percent(to)),
            ..FoundName::certain(span)
        })
    }

    fn is_resolved(&self, from: &RepoPath, file: &str) -> bool {
        let file = file.split('?').next().unwrap_or(file);
        resolved(from, file).is_some_and(|file| file == self.document.path.as_str())
    }

    /// Returns the name in what `url(#…)` of a style, or of an attribute of SVG, leads to.
    fn in_urls(&self, bytes: &[u8], span: Span) -> Vec<FoundName> {
        if self.is_class {
            return Vec::new();
        }
        let name = self.name.as_bytes();
        let found = memchr::memmem::find_iter(span.of(bytes), b"url(").filter_map(|at| {
            let rest = Span::new(span.start + at + b"url(".len(), span.end);
            let quoted = rest.of(bytes);
            let quotes = quoted
                .iter()
                .take_while(|byte| matches!(byte, b'"' | b'\'' | b' '))
                .count();
            let after = quoted
                .get(quotes..)?
                .strip_prefix(b"#")?
                .strip_prefix(name)?;
            let is_whole = !after.first().is_some_and(|byte| is_of_name(*byte));
            let start = rest.start + quotes + 1;
            is_whole.then(|| FoundName::certain(Span::new(start, start + name.len())))
        });
        found.collect()
    }

    fn in_style(&self, bytes: &[u8], style: Span) -> Vec<FoundName> {
        let mut found = self.in_urls(bytes, style);
        let names = selector_names(style.of(bytes)).into_iter();
        let ours = names
            .filter(|it| it.sign == self.sign())
            .map(|it| it.span.shifted(style.start))
            .filter(|span| span.of(bytes) == self.name.as_bytes());
        found.extend(ours.map(FoundName::certain));
        let others = words_that_are_in(&self.name, bytes, style).into_iter();
        let asked = others.filter(|place| is_asked_for(bytes, style, *place));
        let asked: Vec<Span> = asked
            .filter(|place| found.iter().all(|known| known.span != *place))
            .collect();
        let why = "a style asks for it by its attribute";
        found.extend(asked.into_iter().map(|place| FoundName::unsure(place, why)));
        found
    }

    /// Returns the name in texts of a script: by itself, as a word of classes, in a selector, or in an attribute of tags in a text.
    fn in_script(&self, bytes: &[u8], script: Span) -> Vec<FoundName> {
        let mut texts = texts_of(bytes, script);
        let with_tags = texts.iter().filter(|text| text.of(bytes).contains(&b'<'));
        let inner: Vec<Span> = with_tags.flat_map(|text| texts_of(bytes, *text)).collect();
        texts.extend(inner);
        texts
            .into_iter()
            .flat_map(|text| self.words_of_selector(bytes, text))
            .map(|span| FoundName::unsure(span, "a text of a script"))
            .collect()
    }

    /// Returns where a text is the name or, in a selector, has it behind its sign.
    fn words_of_selector(&self, bytes: &[u8], text: Span) -> Vec<Span> {
        let mut found = words_that_are(&self.name, bytes, text);
        let signed = [&[self.sign()], self.name.as_bytes()].concat();
        let at_sign = memchr::memmem::find_iter(text.of(bytes), &signed);
        found.extend(at_sign.filter_map(|at| {
            let span = Span::new(text.start + at + 1, text.start + at + signed.len());
            let after = bytes.get(span.end..text.end)?.first();
            (!after.is_some_and(|byte| is_of_name(*byte))).then_some(span)
        }));
        found
    }

    /// Returns the name in another file: links of pages to an id, style sheets and scripts that the page brings along.
    fn in_another(&self, path: &RepoPath, bytes: &[u8], to: &str) -> Vec<FoundName> {
        if language_of(path).is_some_and(|it| std::ptr::eq(it, &CSS)) {
            let is_ours = self.brings(path, "link", "href");
            let names = match is_ours {
                true => self.in_style(bytes, Span::new(0, bytes.len())),
                false => Vec::new(),
            };
            let why = "a style sheet, which other pages may have";
            return names
                .into_iter()
                .map(|it| FoundName::unsure(it.span, why))
                .collect();
        }
        let is_script = [".js", ".mjs"]
            .iter()
            .any(|end| path.as_str().ends_with(end));
        if is_script {
            return match self.brings(path, "script", "src") {
                true => self.in_script(bytes, Span::new(0, bytes.len())),
                false => Vec::new(),
            };
        }
        if self.is_class {
            return Vec::new();
        }
        if is_page(path) {
            let own = &self.document.path;
            let led = links(bytes)
                .into_iter()
                .filter(|link| leads_to(path, link, own));
            let of_link = |link: WrittenLink| {
                let anchor = link.anchor.as_deref()?;
                let span = Span::new(link.span.end - anchor.len(), link.span.end);
                (decoded(anchor) == self.name).then(|| FoundName {
                    encoded: Some(to_percent(to)),
                    ..FoundName::certain(span)
                })
            };
            return led.filter_map(of_link).collect();
        }
        if !language_of(path).is_some_and(is_html) {
            return Vec::new();
        }
        let dom = Dom::of(bytes);
        let leads = |file: &str| !file.is_empty() && self.is_resolved(path, file);
        let elements = dom.elements.iter();
        let addresses = elements.filter_map(|element| element.attribute(bytes, "href")?.value);
        addresses
            .filter_map(|value| self.in_address(bytes, value, leads, to))
            .collect()
    }

    /// Says whether an element of the page brings the file at `path` along.
    fn brings(&self, path: &RepoPath, element: &str, attribute: &str) -> bool {
        let bytes = &self.document.bytes;
        let mut elements = self.document.dom().elements.iter();
        elements.any(|it| {
            let value = || it.attribute(bytes, attribute)?.value;
            let leads = |value: Span| {
                let address = String::from_utf8_lossy(value.of(bytes));
                let file = address.split(['?', '#']).next().unwrap_or_default();
                resolved(&self.document.path, file).is_some_and(|file| file == path.as_str())
            };
            &*it.name == element && value().is_some_and(leads)
        })
    }
}

/// Returns every place of `name` in `span` that is no part of a longer one.
fn words_that_are_in(name: &str, bytes: &[u8], span: Span) -> Vec<Span> {
    let text = span.of(bytes);
    let ends = |byte: Option<&u8>| !byte.is_some_and(|byte| is_of_name(*byte));
    memchr::memmem::find_iter(text, name.as_bytes())
        .filter(|at| {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            ends(before) && ends(text.get(at + name.len()))
        })
        .map(|at| Span::new(at, at + name.len()).shifted(span.start))
        .collect()
}

/// Says whether a word of a style is in brackets of a selector, `[class~="card"]`, or of an `@scope`.
fn is_asked_for(bytes: &[u8], style: Span, place: Span) -> bool {
    let ahead = Span::new(style.start, place.start).of(bytes);
    let begins = ahead
        .iter()
        .rposition(|byte| matches!(byte, b'{' | b'}' | b';'))
        .map_or(0, |at| at + 1);
    let header = ahead[begins..].trim_ascii_start();
    let last = |sign: u8| header.iter().rposition(|byte| *byte == sign);
    last(b'[') > last(b']') || header.starts_with(b"@scope")
}

/// Returns the words between blanks in `span` that are `name`.
fn words_that_are(name: &str, bytes: &[u8], span: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = span.start;
    for word in span.of(bytes).split(u8::is_ascii_whitespace) {
        if word == name.as_bytes() {
            found.push(Span::new(start, start + word.len()));
        }
        start += word.len() + 1;
    }
    found
}

/// Returns the texts in quotes of a script, without them; comments and regular expressions are not told apart from code.
fn texts_of(bytes: &[u8], script: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = script.start;
    while at < script.end {
        let byte = bytes[at];
        at += 1;
        if !matches!(byte, b'"' | b'\'' | b'`') {
            continue;
        }
        let start = at;
        while at < script.end && bytes[at] != byte && (byte == b'`' || bytes[at] != b'\n') {
            at += 1 + usize::from(bytes[at] == b'\\');
        }
        let end = at.min(script.end);
        if bytes.get(end) == Some(&byte) {
            found.push(Span::new(start, end));
            at = end + 1;
        }
    }
    found
}
