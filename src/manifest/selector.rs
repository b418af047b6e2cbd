//! `Selector`: an address as written. Parsing and `Display` are inverses.
//!
//! ```
//! use segedit::manifest::SymbolSelector;
//! let selector = SymbolSelector::parse("Worker.value[2]").unwrap();
//! assert_eq!(selector.components[1].index, Some(2));
//! assert_eq!(selector.to_string(), "Worker.value[2]");
//! ```

use std::fmt;

use super::lexical::{MAX_NAME, check_name, ordinal};
use super::pattern::Pattern;
use crate::diagnostic::shown;
use crate::syntax::css::is_of_name;
use crate::syntax::html::CssSelector;
use crate::syntax::keys::KeySegment;

/// Says where an operation acts.
#[derive(Clone, Debug)]
pub enum Selector {
    /// A definition by its qualified name.
    Symbol(SymbolSelector),
    /// A Markdown section by its heading.
    Section(SectionSelector),
    /// An HTML element.
    Element(ElementSelector),
    /// A template block, a region, or what else goes by that name.
    Block(BlockSelector),
    /// A key of a configuration file.
    Key(KeySelector),
    /// Literal text that occurs once.
    Text(String),
    /// A regular expression.
    Pattern(Pattern),
    /// Lines of the snapshot.
    Lines(LineRange),
}

/// A qualified name: `Worker.process`, `*.process`, `Worker.value[2]`. What describes one of several is a part of its name:
/// `f(String)`, `f@setter`, `S as From<u8>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolSelector {
    /// Written with a leading `*.`: matches at any depth, the top included.
    pub any_depth: bool,
    /// The names from the outside in; never empty.
    pub components: Vec<SymbolComponent>,
}

/// One name of a qualified name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolComponent {
    /// The name.
    pub name: String,
    /// From 1: the n-th definition, in file order, that the address up to here names.
    pub index: Option<usize>,
}

/// One heading, or a list that walks down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSelector {
    /// From the outside in; never empty.
    pub path: Vec<HeadingSelector>,
}

/// One heading as written: `## Installation`, `Installation`, `## Installation[2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadingSelector {
    /// Number of `#` markers; `None` when written without.
    pub level: Option<u8>,
    /// The heading's text, with an index still on it: a heading may really end in `[2]`, so that the literal title
    /// is tried first. `split_index` takes it off.
    pub title: String,
}

/// A CSS selector that must match one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementSelector(pub CssSelector);

/// A key by the way to it from the top: `services.web.image`, `steps[0].uses`, `"a.b".c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySelector {
    /// Keys and item numbers, these from 0; never empty.
    pub steps: Vec<KeySegment>,
}

/// The name of a block as written: `sidebar`, `sidebar[2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockSelector {
    /// The name, with an index still on it: a region may really be called `step[2]`, so that the literal name is tried
    /// first. `split_index` takes it off.
    pub name: String,
}

/// Lines of the snapshot, 1-based, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// First line.
    pub first: usize,
    /// Last line, at least `first`.
    pub last: usize,
}

impl SymbolSelector {
    /// Returns the qualified name that `text` writes, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<SymbolSelector, String> {
        check_name(text)?;
        if let Some(selector) = style_selector(text) {
            return Ok(selector);
        }
        let (any_depth, names) = match text.strip_prefix("*.") {
            Some(names) => (true, names),
            None => (false, text),
        };
        // What is in the parentheses of an overload is no name.
        let (names, parameters) = names.split_at(parameters_at(names).unwrap_or(names.len()));
        let (mut depth, mut is_quoted, mut before) = (0, false, '.');
        let parts = names.split(|character| {
            // A name in quotes is one whatever is in it: `A."GET /a.b"`.
            is_quoted = if is_quoted {
                character != '"'
            } else {
                character == '"' && before == '.' && depth <= 0
            };
            before = character;
            if !is_quoted {
                depth += i32::from(character == '[') - i32::from(character == ']');
            }
            character == '.' && depth <= 0 && !is_quoted
        });
        let mut components = parts
            .map(SymbolComponent::parse)
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(last) = components.last_mut() {
            last.name.push_str(parameters);
        }
        Ok(SymbolSelector {
            any_depth,
            components,
        })
    }
}

/// What begins a selector of a style sheet and no name of any other language.
const STYLE_SIGNS: [char; 5] = ['.', '#', '@', '&', ':'];

/// Returns what a selector of CSS names that is not in quotes: `.card > a:hover`, `#main[2]`. It is one name, dots and all.
fn style_selector(text: &str) -> Option<SymbolSelector> {
    let rest = text.strip_prefix(STYLE_SIGNS)?;
    let is_selector = rest
        .starts_with(|next: char| next.is_alphanumeric() || "-_:[.#".contains(next))
        && !rest.starts_with('.')
        && !text.contains('"');
    if !is_selector {
        return None;
    }
    let indexed = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once('['));
    let (name, index) = match indexed.map(|(name, digits)| (name, ordinal(digits))) {
        Some((name, Some(index))) => (name, Some(index)),
        _ => (text, None),
    };
    let words: Vec<&str> = name.split_whitespace().collect();
    let component = SymbolComponent {
        name: format!("\"{}\"", words.join(" ")),
        index,
    };
    Some(SymbolSelector {
        any_depth: false,
        components: vec![component],
    })
}

/// Returns where the parentheses begin that end a text, if something is before them.
fn parameters_at(text: &str) -> Option<usize> {
    let mut depth = 0;
    let open = text
        .char_indices()
        .rev()
        .take_while(|_| text.ends_with(')'))
        .find(|(_, character)| {
            depth += i32::from(*character == ')') - i32::from(*character == '(');
            depth == 0
        });
    open.map(|(at, _)| at)
        .filter(|at| *at > 0 && !text[..*at].ends_with(['.', ']']))
}

impl SymbolComponent {
    fn parse(text: &str) -> Result<SymbolComponent, String> {
        // The name of a computed member begins with its bracket: `[Symbol.iterator]`.
        let is_computed =
            text.starts_with('[') && !text[1..].starts_with(|next: char| next.is_ascii_digit());
        let computed = if is_computed {
            end_of_brackets(text).unwrap_or(0)
        } else {
            0
        };
        if let Some((quoted, rest)) = text.strip_prefix('"').and_then(|text| text.split_once('"')) {
            let index = rest.strip_prefix('[').map(parse_index).transpose()?;
            return match rest {
                _ if quoted.is_empty() => Err("has an empty name in quotes".to_owned()),
                "" => Ok(SymbolComponent {
                    name: format!("\"{quoted}\""),
                    index,
                }),
                _ if index.is_some() => Ok(SymbolComponent {
                    name: format!("\"{quoted}\""),
                    index,
                }),
                _ => Err(
                    "has something behind a quotation mark other than a dot or a `[n]`".to_owned(),
                ),
            };
        }
        let (name, index) = match text[computed..].split_once('[') {
            None => (text, None),
            Some((name, rest)) => (&text[..computed + name.len()], Some(parse_index(rest)?)),
        };
        match name {
            _ if computed > 2 && name.len() == computed => Ok(SymbolComponent {
                name: name.to_owned(),
                index,
            }),
            _ if computed > 0 => {
                Err("has a name that begins with `[` and does not end with its `]`".to_owned())
            }
            "" => Err("has an empty name: names stand between single dots".to_owned()),
            "*" => Err(
                "has a `*` that is not the `*.` in front: only that stands for any depth"
                    .to_owned(),
            ),
            _ if name.contains(']') => Err("has a `]` without a `[`".to_owned()),
            _ => Ok(SymbolComponent {
                name: name.to_owned(),
                index,
            }),
        }
    }
}

/// Returns where the bracket is closed that a text begins with, after it.
fn end_of_brackets(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let close = text.char_indices().find(|(_, character)| {
        depth = match character {
            '[' => depth + 1,
            ']' => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    });
    close.map(|(at, _)| at + 1)
}

fn parse_index(rest: &str) -> Result<usize, String> {
    let digits = rest
        .strip_suffix(']')
        .ok_or("has something behind a `[n]` other than a dot")?;
    ordinal(digits)
        .ok_or_else(|| format!("has `[{}]`, which is not a number from 1", shown(digits)))
}

impl SectionSelector {
    /// Returns the section of one heading.
    pub fn parse(text: &str) -> Result<SectionSelector, String> {
        SectionSelector::parse_list([text])
    }

    /// Returns the section that a list of headings walks down to.
    pub fn parse_list<'a>(
        headings: impl IntoIterator<Item = &'a str>,
    ) -> Result<SectionSelector, String> {
        let path = headings
            .into_iter()
            .map(HeadingSelector::parse)
            .collect::<Result<Vec<_>, _>>()?;
        if path.is_empty() {
            Err("names no heading".to_owned())
        } else {
            Ok(SectionSelector { path })
        }
    }

    /// Returns the section that an address names: `## Usage`, or `# Guide::## Usage`.
    ///
    /// Only `::` ahead of heading markers separates, because a title may hold `::` itself (`## std::vec`).
    pub fn parse_path(text: &str) -> Result<SectionSelector, String> {
        let mut headings = Vec::new();
        let mut start = 0;
        for (at, separator) in text.match_indices("::") {
            let next = at + separator.len();
            if at >= start && begins_with_markers(&text[next..]) {
                headings.push(&text[start..at]);
                start = next;
            }
        }
        headings.push(&text[start..]);
        SectionSelector::parse_list(headings)
    }
}

impl BlockSelector {
    /// Returns the block that `text` names, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<BlockSelector, String> {
        check_name(text)?;
        Ok(BlockSelector {
            name: text.trim().to_owned(),
        })
    }

    /// Returns name and 1-based index when the name ends in `[n]`.
    pub fn split_index(&self) -> Option<(&str, usize)> {
        let (name, index) = self.name.strip_suffix(']')?.rsplit_once('[')?;
        let index = ordinal(index)?;
        (!name.trim().is_empty()).then_some((name.trim_end(), index))
    }
}

impl HeadingSelector {
    /// Returns the heading that `text` writes, with its markers or without, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<HeadingSelector, String> {
        check_name(text)?;
        let text = text.trim();
        let markers = text.bytes().take_while(|&byte| byte == b'#').count();
        let rest = &text[markers..];
        let marked = markers > 0 && (rest.is_empty() || rest.starts_with([' ', '\t']));
        if marked && markers > 6 {
            return Err("has more than six `#`: headings have one to six".to_owned());
        }
        let (level, title) = if marked {
            (u8::try_from(markers).ok(), without_closing(rest).trim())
        } else {
            (None, text)
        };
        if title.is_empty() {
            return Err("has no title".to_owned());
        }
        Ok(HeadingSelector {
            level,
            title: title.to_owned(),
        })
    }

    /// Returns title and 1-based index when the title ends in `[n]`.
    pub fn split_index(&self) -> Option<(&str, usize)> {
        let (title, index) = self.title.strip_suffix(']')?.rsplit_once('[')?;
        let index = index.parse().ok().filter(|&index| index > 0)?;
        (!title.is_empty()).then_some((title.trim_end(), index))
    }
}

/// Says whether `text` begins like an ATX heading.
pub(super) fn begins_with_markers(text: &str) -> bool {
    let rest = text.trim_start_matches('#');
    let markers = text.len() - rest.len();
    (1..=6).contains(&markers) && rest.starts_with([' ', '\t'])
}

/// Returns what stands behind a heading's markers without its closing sequence of `#`, as CommonMark takes it off.
fn without_closing(rest: &str) -> &str {
    let open = rest.trim_end().trim_end_matches('#');
    if open.ends_with([' ', '\t']) || open.is_empty() {
        open
    } else {
        rest
    }
}

impl ElementSelector {
    /// Returns the element that `text` writes, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<ElementSelector, String> {
        check_name(text)?;
        CssSelector::parse(text).map(ElementSelector)
    }

    /// Returns the name that it asks for, where that is all: the id of `#main`, the class of `.card`.
    pub(crate) fn id_or_class(&self) -> Option<String> {
        let text = self.to_string();
        let name = text.strip_prefix(['#', '.'])?;
        (!name.is_empty() && name.bytes().all(is_of_name)).then(|| name.to_owned())
    }
}

impl KeySelector {
    /// Returns the key that `text` writes, or says what is wrong with it.
    ///
    /// Keys stand between dots; one that holds a dot, a bracket, a quote or outer white space stands in double quotes, with
    /// JSON's escapes. `[n]` is an item of a list, from 0. Nothing at all is the top of the file, which holds its first keys.
    pub fn parse(text: &str) -> Result<KeySelector, String> {
        if text.is_empty() {
            return Ok(KeySelector { steps: Vec::new() });
        }
        if text.len() > MAX_NAME {
            return Err(format!("is longer than {MAX_NAME} bytes"));
        }
        check_name(text)?;
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (step, behind) = if let Some(inside) = rest.strip_prefix('[') {
                item_step(inside)?
            } else {
                let key = if steps.is_empty() {
                    rest
                } else {
                    rest.strip_prefix('.').ok_or_else(|| not_apart(rest))?
                };
                key_step(key)?
            };
            steps.push(step);
            rest = behind;
        }
        Ok(KeySelector { steps })
    }
}

fn not_apart(rest: &str) -> String {
    let shown: String = rest.chars().take(20).collect();
    format!("has `{shown}` right behind a key or a `]`: a dot stands between keys")
}

fn item_step(inside: &str) -> Result<(KeySegment, &str), String> {
    let (digits, behind) = inside.split_once(']').ok_or("has a `[` without a `]`")?;
    let number = if digits == "0" {
        Some(0)
    } else {
        ordinal(digits)
    };
    match number {
        Some(number) => Ok((KeySegment::Item(number), behind)),
        None => Err(format!(
            "has `[{}]`, which is not a number from 0; a key with brackets stands in quotes",
            shown(digits)
        )),
    }
}

fn key_step(text: &str) -> Result<(KeySegment, &str), String> {
    if text.starts_with('"') {
        let (key, behind) = quoted_key(text)?;
        return Ok((KeySegment::Key(key), behind));
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (key, behind) = text.split_at(end);
    match key {
        "" => Err("has an empty key: keys stand between single dots".to_owned()),
        _ if key.contains(']') => Err("has a `]` without a `[`".to_owned()),
        _ if key.contains('"') => {
            Err("has a quote inside of a key: quotes stand around all of it".to_owned())
        }
        _ if key.trim() != key => {
            Err("has white space around a key: it belongs in quotes, or nowhere".to_owned())
        }
        _ => Ok((KeySegment::Key(key.to_owned()), behind)),
    }
}

/// Reads a key in quotes as JSON does.
fn quoted_key(text: &str) -> Result<(String, &str), String> {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                let (quoted, behind) = text.split_at(at + 1);
                let key = serde_json::from_str(quoted)
                    .map_err(|_| "has an escape that JSON does not know".to_owned())?;
                return Ok((key, behind));
            }
            _ => {}
        }
    }
    Err("has a quote that is never closed".to_owned())
}

impl fmt::Display for KeySelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut address = String::new();
        for step in &self.steps {
            step.write_to(&mut address);
        }
        f.write_str(&address)
    }
}

impl LineRange {
    /// Returns the lines that `text` writes, `12` or `50-52`, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<LineRange, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |digits: &str| {
            ordinal(digits).ok_or_else(|| {
                match digits.bytes().all(|byte| byte == b'0') && !digits.is_empty() {
                    true => "begins at line 0: lines are counted from 1".to_owned(),
                    false => "is not a line `12` or a range `50-52`".to_owned(),
                }
            })
        };
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(format!("ends before it begins: `{last}-{first}`?"));
        }
        Ok(LineRange { first, last })
    }
}

impl Selector {
    /// Returns the field that writes this selector in an operation file.
    pub fn field(&self) -> &'static str {
        match self {
            Selector::Symbol(_) => "symbol",
            Selector::Section(_) => "section",
            Selector::Element(_) => "element",
            Selector::Block(_) => "block",
            Selector::Key(_) => "key",
            Selector::Text(_) => "text",
            Selector::Pattern(_) => "pattern",
            Selector::Lines(_) => "lines",
        }
    }
}

impl fmt::Display for SymbolSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.any_depth {
            f.write_str("*.")?;
        }
        for (at, component) in self.components.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            f.write_str(&component.name)?;
            if let Some(index) = component.index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for HeadingSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(level) = self.level else {
            return f.write_str(&self.title);
        };
        let markers = "#".repeat(usize::from(level));
        write!(f, "{markers} {}", self.title)?;
        // A title that ends in ` #` would lose it as a closing sequence, so it is closed once more.
        if without_closing(&format!(" {}", self.title)).trim_end() == format!(" {}", self.title) {
            return Ok(());
        }
        write!(f, " {markers}")
    }
}

impl fmt::Display for SectionSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, heading) in self.path.iter().enumerate() {
            if at > 0 {
                f.write_str("::")?;
            }
            heading.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for ElementSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BlockSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => write!(f, "{}", self.first),
            false => write!(f, "{}-{}", self.first, self.last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Some(text) when it parses and must write itself as `text`; None when it is refused.
    fn check<T: fmt::Display>(
        parse: fn(&str) -> Result<T, String>,
        text: &str,
        expected: Option<&str>,
    ) {
        let found = parse(text).map(|parsed| parsed.to_string());
        assert_eq!(found.as_deref().ok(), expected, "{text:?}: {found:?}");
    }

    #[test]
    fn symbols_are_names_between_dots() {
        let check = |text, expected| check(SymbolSelector::parse, text, expected);
        for text in [
            "f",
            "Worker.process",
            "*.process",
            "Worker.value[2]",
            "A[2].b[10]",
            "Foo.#private",
            "ünï.ß",
        ] {
            check(text, Some(text));
        }
        for text in [
            "A.[Symbol.iterator]",
            "*.[a.b][2]",
            "[Id].x",
            "A.[\"a b\"]",
            "A.[S[\"x\"]]",
            "A.[a ? b : c[1]].d[2]",
        ] {
            check(text, Some(text));
        }
        for text in [
            "A.\"GET /a.b\"",
            "\"m x\"[2].f",
            "A.\"a[0].b\".\"c\"",
            "a\"b.c",
        ] {
            check(text, Some(text));
        }
        check("operator <<", Some("operator <<"));
        for (text, written) in [
            (".card > a.b:hover", "\".card > a.b:hover\""),
            ("#main[2]", "\"#main\"[2]"),
            (".a[href='x']", "\".a[href='x']\""),
            ("@media  (a: b)", "\"@media (a: b)\""),
            ("&:hover", "\"&:hover\""),
            ("::before", "\"::before\""),
        ] {
            check(text, Some(written));
        }
        for text in [
            "",
            " ",
            ".",
            "..",
            "a..b",
            "..a",
            "a.",
            "*",
            "*.",
            "a.*",
            "*.*",
            "a[0]",
            "a[01]",
            "a[-1]",
            "a[]",
            "a[1",
            "a]",
            "[0]",
            "[1]",
            "[]",
            "[a",
            "[a]b",
            "A.\"a b\"c",
            "A.\"\"",
            "A.[a]b[1]",
            "a[1]b",
            "a[1][2]",
            "a[x]",
            "a\0b",
            "a\nb",
            "a\u{1b}",
            "a[99999999999999999999999]",
        ] {
            check(text, None);
        }
        check(&"x".repeat(MAX_NAME + 1), None);
        let parsed = SymbolSelector::parse("*.A.b[3]").unwrap();
        assert!(parsed.any_depth);
        assert_eq!(
            parsed.components[1],
            SymbolComponent {
                name: "b".to_owned(),
                index: Some(3)
            }
        );
    }

    #[test]
    fn headings_are_read_as_commonmark_reads_them() {
        let heading = |text: &str, level: Option<u8>, title: &str| {
            let found = HeadingSelector::parse(text).unwrap();
            assert_eq!(
                (found.level, found.title.as_str()),
                (level, title),
                "{text:?}"
            );
        };
        heading("## Installation", Some(2), "Installation");
        heading("Installation", None, "Installation");
        heading("##   Installation  ##  ", Some(2), "Installation");
        heading("## C#", Some(2), "C#");
        heading("# Issue #", Some(1), "Issue");
        heading("## # ##", Some(2), "#");
        heading("#hash", None, "#hash");
        heading("## Usage[2]", Some(2), "Usage[2]");
        for text in [
            "",
            "#",
            "###",
            "### ###",
            "####### seven",
            "a\nb",
            "# \u{7}",
        ] {
            check(HeadingSelector::parse, text, None);
        }
        let index = |text: &str| {
            HeadingSelector::parse(text)
                .unwrap()
                .split_index()
                .map(|(t, n)| (t.to_owned(), n))
        };
        assert_eq!(index("## Usage[2]"), Some(("Usage".to_owned(), 2)));
        assert_eq!(index("## Usage[0]"), None);
    }

    #[test]
    fn elements_are_css_selectors() {
        let check = |text, expected| check(ElementSelector::parse, text, expected);
        for text in [
            "#header h1",
            "nav > a[href=\"/x\"]:nth-of-type(2)",
            "script[src='a.js']",
            ":is(a, b):not(.c)",
        ] {
            check(text, Some(text));
        }
        for text in ["", " ", "a >", "a[", "a:hover", "p::before", "a\nb", "a\0"] {
            check(text, None);
        }
        check(&"x".repeat(MAX_NAME + 1), None);
    }

    #[test]
    fn blocks_are_plain_names() {
        let check = |text, expected| check(BlockSelector::parse, text, expected);
        for text in ["sidebar", "private helpers", "step[2]", "a.b", "[1]"] {
            check(text, Some(text));
        }
        check(" sidebar ", Some("sidebar"));
        for text in ["", " ", "a\nb", "a\0"] {
            check(text, None);
        }
        let index = |text: &str| {
            BlockSelector::parse(text)
                .unwrap()
                .split_index()
                .map(|(name, at)| (name.to_owned(), at))
        };
        assert_eq!(index("step[2]"), Some(("step".to_owned(), 2)));
        assert_eq!(index("step [2]"), Some(("step".to_owned(), 2)));
        for text in ["step", "step[0]", "step[02]", "step[x]", "[2]"] {
            assert_eq!(index(text), None, "{text}");
        }
    }

    #[test]
    fn keys_stand_between_dots() {
        let check = |text, expected| check(KeySelector::parse, text, expected);
        for text in [
            "image",
            "services.web.image",
            "steps[0].uses",
            "\"a.b\".c",
            "[0][1].x",
            "<<",
            "a b.c",
            "on",
            "ünï",
        ] {
            check(text, Some(text));
        }
        check("\"plain\"", Some("plain"));
        check("\"\".x", Some("\"\".x"));
        check("\"q\\\"\\\\\\n\"", Some("\"q\\\"\\\\\\n\""));
        check("\" a\"", Some("\" a\""));
        check("a[0][12].b", Some("a[0][12].b"));
        for text in [
            " ",
            ".",
            "a.",
            ".a",
            "a..b",
            "a[",
            "a[x]",
            "a[-1]",
            "a[01]",
            "a[]",
            "a]",
            "a[0]b",
            "a.[0]",
            "\"a",
            "a\"b",
            "\"a\"b",
            "a\nb",
            " a",
            "a .b",
            "\"\\q\"",
            "a[99999999999999999999999]",
        ] {
            check(text, None);
        }
        assert_eq!(
            KeySelector::parse("\"a.b\"[2]").unwrap().steps,
            [KeySegment::Key("a.b".to_owned()), KeySegment::Item(2)]
        );
        // The top of a file.
        check("", Some(""));
    }

    #[test]
    fn lines_are_one_or_a_range() {
        let check = |text, expected| check(LineRange::parse, text, expected);
        check("12", Some("12"));
        check("50-52", Some("50-52"));
        check("7-7", Some("7"));
        for text in [
            "", "0", "0-3", "5-3", "-3", "3-", "1-2-3", "a", "1.5", "0x10", "012", "+1", " 1", "١",
        ] {
            check(text, None);
        }
        check("99999999999999999999999", None);
        check("1-99999999999999999999999", None);
    }

    fn symbol() -> impl Strategy<Value = SymbolSelector> {
        let component = ("[^.\\[\\]*()\\p{Cc}]{1,6}", prop::option::of(1usize..100)).prop_map(
            |(name, index)| SymbolComponent {
                name: format!("a{name}"),
                index,
            },
        );
        (any::<bool>(), prop::collection::vec(component, 1..4)).prop_map(
            |(any_depth, components)| SymbolSelector {
                any_depth,
                components,
            },
        )
    }

    fn title() -> impl Strategy<Value = String> {
        "[^\\p{Cc}]{1,8}| ?[a #\\[\\]1:]{1,8}"
            .prop_map(|text| text.trim().to_owned())
            .prop_filter("blank", |text| !text.is_empty())
    }

    proptest! {
        #[test]
        fn every_symbol_parses_back(symbol in symbol()) {
            prop_assert_eq!(SymbolSelector::parse(&symbol.to_string()), Ok(symbol));
        }

        #[test]
        fn what_parses_as_a_symbol_writes_itself(text in "\\PC{0,12}|[a*.\\[\\]12]{0,10}") {
            if let Ok(symbol) = SymbolSelector::parse(&text) {
                // A selector of a style sheet gets its quotes.
                let written = symbol.to_string();
                let is_quoted = style_selector(&text).is_some();
                prop_assert_eq!(&SymbolSelector::parse(&written), &Ok(symbol));
                prop_assert_eq!(is_quoted || written == text, true);
            }
        }

        #[test]
        fn every_key_parses_back(steps in prop::collection::vec(
            prop_oneof!["\\PC{0,5}|[a.\"\\\\\\[\\] \n]{0,4}".prop_map(KeySegment::Key), (0usize..300).prop_map(KeySegment::Item)], 1..5
        )) {
            let key = KeySelector { steps };
            prop_assert_eq!(KeySelector::parse(&key.to_string()), Ok(key));
        }

        #[test]
        fn every_heading_parses_back(level in 1u8..=6, title in title()) {
            let heading = HeadingSelector { level: Some(level), title };
            prop_assert_eq!(HeadingSelector::parse(&heading.to_string()), Ok(heading));
        }

        #[test]
        fn what_parses_as_a_heading_parses_back(text in "\\PC{0,12}|[a #\\[\\]1]{0,10}") {
            if let Ok(heading) = HeadingSelector::parse(&text) {
                prop_assert_eq!(HeadingSelector::parse(&heading.to_string()), Ok(heading));
            }
        }

        #[test]
        fn every_line_range_parses_back(first in 1usize..10_000, more in 0usize..100) {
            let range = LineRange { first, last: first + more };
            prop_assert_eq!(LineRange::parse(&range.to_string()), Ok(range));
        }
    }
}
