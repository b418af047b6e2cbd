//! `Selector`: an address as written. Parsing and `Display` are inverses.
//!
//! ```
//! use segedit::manifest::SymbolSelector;
//! let selector = SymbolSelector::parse("Worker.value[2]").unwrap();
//! assert_eq!(selector.components[1].index, Some(2));
//! assert_eq!(selector.to_string(), "Worker.value[2]");
//! ```

use std::fmt;

use regex::bytes::{Regex, RegexBuilder};

use super::words::ordinal;
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;

/// Longest name or heading that is looked for, in bytes: more is not a name but an attack on whoever compares it.
pub const MAX_NAME: usize = 4096;

/// Memory that a compiled pattern may take, in bytes.
pub const MAX_PATTERN: usize = 256 << 10;

/// Says where an operation acts.
#[derive(Clone, Debug)]
pub enum Selector {
    /// A definition by its qualified name.
    Symbol(SymbolSelector),
    /// A Markdown section by its heading.
    Section(SectionSelector),
    /// Literal text that occurs once.
    Text(String),
    /// A regular expression.
    Pattern(Pattern),
    /// Lines of the snapshot.
    Lines(LineRange),
}

/// A regular expression with the text it was made from and its flags.
///
/// Invariant: the regex's own text is `text` behind its flags, written inline (`(?im)`), when it was made by `compile`.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As written.
    pub text: String,
    /// Compiled over bytes, with its flags and a size limit.
    pub regex: Regex,
}

/// How a pattern reads case, lines and `.`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Letters match in either case.
    pub ignore_case: bool,
    /// `^` and `$` match at every line.
    pub multiline: bool,
    /// `.` matches a line break too.
    pub dotall: bool,
}

/// A qualified name: `Worker.process`, `*.process`, `Worker.value[2]`.
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

/// Lines of the snapshot, 1-based, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// First line.
    pub first: usize,
    /// Last line, at least `first`.
    pub last: usize,
}

/// `path::segment` as the command line, reports and the log write it.
///
/// The path ends at the first `::`, so that a file with `::` in its name can only be named in an operation file.
#[derive(Clone, Debug)]
pub struct Address {
    /// The file.
    pub path: RepoPath,
    /// `Selector::Symbol` or `Selector::Section`; `None` names the file.
    pub selector: Option<Selector>,
}

impl SymbolSelector {
    /// Returns the qualified name that `text` writes, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<SymbolSelector, String> {
        check_name(text)?;
        let (any_depth, names) = match text.strip_prefix("*.") {
            Some(names) => (true, names),
            None => (false, text),
        };
        let components = names.split('.').map(SymbolComponent::parse).collect::<Result<_, _>>()?;
        Ok(SymbolSelector { any_depth, components })
    }
}

impl SymbolComponent {
    fn parse(text: &str) -> Result<SymbolComponent, String> {
        let (name, index) = match text.split_once('[') {
            None => (text, None),
            Some((name, rest)) => (name, Some(parse_index(rest)?)),
        };
        match name {
            "" => Err("has an empty name: names stand between single dots".to_owned()),
            "*" => Err("has a `*` that is not the `*.` in front: only that stands for any depth".to_owned()),
            _ if name.contains(']') => Err("has a `]` without a `[`".to_owned()),
            _ => Ok(SymbolComponent { name: name.to_owned(), index }),
        }
    }
}

fn parse_index(rest: &str) -> Result<usize, String> {
    let digits = rest.strip_suffix(']').ok_or("has something behind a `[n]` other than a dot")?;
    ordinal(digits).ok_or_else(|| format!("has `[{}]`, which is not a number from 1", shown(digits)))
}

impl SectionSelector {
    /// Returns the section of one heading.
    pub fn parse(text: &str) -> Result<SectionSelector, String> {
        SectionSelector::parse_list([text])
    }

    /// Returns the section that a list of headings walks down to.
    pub fn parse_list<'a>(headings: impl IntoIterator<Item = &'a str>) -> Result<SectionSelector, String> {
        let path = headings.into_iter().map(HeadingSelector::parse).collect::<Result<Vec<_>, _>>()?;
        if path.is_empty() { Err("names no heading".to_owned()) } else { Ok(SectionSelector { path }) }
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
        let (level, title) =
            if marked { (u8::try_from(markers).ok(), without_closing(rest).trim()) } else { (None, text) };
        if title.is_empty() {
            return Err("has no title".to_owned());
        }
        Ok(HeadingSelector { level, title: title.to_owned() })
    }

    /// Returns title and 1-based index when the title ends in `[n]`.
    pub fn split_index(&self) -> Option<(&str, usize)> {
        let (title, index) = self.title.strip_suffix(']')?.rsplit_once('[')?;
        let index = index.parse().ok().filter(|&index| index > 0)?;
        (!title.is_empty()).then_some((title.trim_end(), index))
    }
}

/// Says whether `text` begins like an ATX heading.
fn begins_with_markers(text: &str) -> bool {
    let rest = text.trim_start_matches('#');
    let markers = text.len() - rest.len();
    (1..=6).contains(&markers) && rest.starts_with([' ', '\t'])
}

/// Returns what stands behind a heading's markers without its closing sequence of `#`, as CommonMark takes it off.
fn without_closing(rest: &str) -> &str {
    let open = rest.trim_end().trim_end_matches('#');
    if open.ends_with([' ', '\t']) || open.is_empty() { open } else { rest }
}

impl LineRange {
    /// Returns the lines that `text` writes, `12` or `50-52`, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<LineRange, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |digits: &str| {
            ordinal(digits).ok_or_else(|| match digits.bytes().all(|byte| byte == b'0') && !digits.is_empty() {
                true => "begins at line 0: lines are counted from 1".to_owned(),
                false => "is not a line `12` or a range `50-52`".to_owned(),
            })
        };
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(format!("ends before it begins: `{last}-{first}`?"));
        }
        Ok(LineRange { first, last })
    }
}

impl Pattern {
    /// Compiles `text` with `flags` within the size limit, or says what is wrong with it.
    pub fn compile(text: &str, flags: Flags) -> Result<Pattern, String> {
        if text.is_empty() {
            return Err("is empty, and would match everywhere".to_owned());
        }
        // The text alone first: what is wrong with it should be told without our own flags in front.
        Pattern::build(text)?;
        let regex = Pattern::build(&format!("{flags}{text}"))?;
        Ok(Pattern { text: text.to_owned(), regex })
    }

    /// Returns the pattern that matches `text` literally in either case.
    pub fn literally_ignoring_case(text: &str) -> Result<Pattern, String> {
        Pattern::compile(&regex::escape(text), Flags { ignore_case: true, ..Flags::default() })
    }

    fn build(text: &str) -> Result<Regex, String> {
        RegexBuilder::new(text).size_limit(MAX_PATTERN).build().map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => format!("needs more than {limit} bytes when compiled"),
            error => format!("is not a regular expression: {}", last_line(&error.to_string())),
        })
    }

    /// Returns the flags it was compiled with.
    pub fn flags(&self) -> Flags {
        let inline = self.regex.as_str().strip_suffix(self.text.as_str()).unwrap_or_default();
        Flags { ignore_case: inline.contains('i'), multiline: inline.contains('m'), dotall: inline.contains('s') }
    }

    /// Returns the first group that `replacement` names and the pattern does not have, as it is written there.
    pub fn unknown_group<'a>(&self, replacement: &'a str) -> Option<&'a str> {
        group_references(replacement).find(|group| !self.has_group(group))
    }

    fn has_group(&self, group: &str) -> bool {
        match group.parse::<usize>() {
            Ok(number) => number < self.regex.captures_len(),
            Err(_) => self.regex.capture_names().flatten().any(|name| name == group),
        }
    }

    /// Returns the groups that a replacement can name, for a suggestion.
    pub fn groups(&self) -> Vec<String> {
        let name = |(at, name): (usize, Option<&str>)| match name {
            Some(name) => format!("${{{name}}}"),
            None => format!("${{{at}}}"),
        };
        self.regex.capture_names().enumerate().map(name).collect()
    }
}

/// Iterates over the groups that `replacement` names, read as the regex crate expands them: `$name`, `${name}`, with
/// the longest run of letters, digits and `_`; `$$` is a dollar sign.
fn group_references(replacement: &str) -> impl Iterator<Item = &str> {
    let mut rest = replacement;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('$')? + 1..];
            if let Some(behind) = rest.strip_prefix('$') {
                rest = behind;
                continue;
            }
            if let Some((group, behind)) = rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
                rest = behind;
                return Some(group);
            }
            let letters = |character: char| character.is_ascii_alphanumeric() || character == '_';
            let (group, behind) = rest.split_at(rest.find(|character| !letters(character)).unwrap_or(rest.len()));
            rest = behind;
            if !group.is_empty() {
                return Some(group);
            }
        }
    })
}

/// Regex errors draw a picture over several lines; the sentence is the last.
fn last_line(text: &str) -> &str {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or(text);
    line.trim().trim_start_matches("error: ")
}

impl Address {
    /// Returns the address that `text` writes: `path`, `path::symbol`, `path::## Heading`, `path::# Guide::## Usage`.
    ///
    /// A segment that begins with heading markers, or stands in a Markdown file, is a section; any other is a symbol.
    pub fn parse(text: &str) -> Result<Address, Diagnostic> {
        let (path, segment) = match text.split_once("::") {
            Some((path, segment)) => (path, Some(segment)),
            None => (text, None),
        };
        let path = RepoPath::parse(path)
            .map_err(|why| Diagnostic::new(Code::PathRefused, format!("path `{}` {why}", shown(path))))?;
        let selector = segment.map(|segment| {
            Selector::of_segment(&path, segment)
                .map_err(|why| Diagnostic::new(Code::Malformed, format!("address `{}` {why}", shown(text))))
        });
        Ok(Address { selector: selector.transpose()?, path })
    }
}

impl Selector {
    fn of_segment(path: &RepoPath, segment: &str) -> Result<Selector, String> {
        if begins_with_markers(segment) || is_markdown(path) {
            SectionSelector::parse_path(segment).map(Selector::Section)
        } else {
            SymbolSelector::parse(segment).map(Selector::Symbol)
        }
    }

    /// Returns the field that writes this selector in an operation file.
    pub fn field(&self) -> &'static str {
        match self {
            Selector::Symbol(_) => "symbol",
            Selector::Section(_) => "section",
            Selector::Text(_) => "text",
            Selector::Pattern(_) => "pattern",
            Selector::Lines(_) => "lines",
        }
    }
}

fn is_markdown(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    name.ends_with(".md") || name.ends_with(".markdown")
}

fn check_name(text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("is blank".to_owned());
    }
    if text.len() > MAX_NAME {
        return Err(format!("is longer than {MAX_NAME} bytes"));
    }
    match control_character(text) {
        Some(odd) => Err(format!("holds the control character U+{:04X}", odd as u32)),
        None => Ok(()),
    }
}

/// Returns the first control character of `text`; a tab or a line break is one.
pub(super) fn control_character(text: &str) -> Option<char> {
    text.chars().find(|character| character.is_control())
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [(self.ignore_case, 'i'), (self.multiline, 'm'), (self.dotall, 's')];
        let letters: String = flags.into_iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect();
        if letters.is_empty() { Ok(()) } else { write!(f, "(?{letters})") }
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
        let Some(level) = self.level else { return f.write_str(&self.title) };
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

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => write!(f, "{}", self.first),
            false => write!(f, "{}-{}", self.first, self.last),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)?;
        match &self.selector {
            Some(Selector::Symbol(symbol)) => write!(f, "::{symbol}"),
            Some(Selector::Section(section)) => write!(f, "::{section}"),
            Some(Selector::Text(_) | Selector::Pattern(_) | Selector::Lines(_)) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Some(text) when it parses and must write itself as `text`; None when it is refused.
    fn check<T: fmt::Display>(parse: fn(&str) -> Result<T, String>, text: &str, expected: Option<&str>) {
        let found = parse(text).map(|parsed| parsed.to_string());
        assert_eq!(found.as_deref().ok(), expected, "{text:?}: {found:?}");
    }

    #[test]
    fn symbols_are_names_between_dots() {
        let check = |text, expected| check(SymbolSelector::parse, text, expected);
        for text in ["f", "Worker.process", "*.process", "Worker.value[2]", "A[2].b[10]", "Foo.#private", "ünï.ß"] {
            check(text, Some(text));
        }
        check("operator <<", Some("operator <<"));
        for text in [
            "",
            " ",
            ".",
            "..",
            "a..b",
            ".a",
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
        assert_eq!(parsed.components[1], SymbolComponent { name: "b".to_owned(), index: Some(3) });
    }

    #[test]
    fn headings_are_read_as_commonmark_reads_them() {
        let heading = |text: &str, level: Option<u8>, title: &str| {
            let found = HeadingSelector::parse(text).unwrap();
            assert_eq!((found.level, found.title.as_str()), (level, title), "{text:?}");
        };
        heading("## Installation", Some(2), "Installation");
        heading("Installation", None, "Installation");
        heading("##   Installation  ##  ", Some(2), "Installation");
        heading("## C#", Some(2), "C#");
        heading("# Issue #", Some(1), "Issue");
        heading("## # ##", Some(2), "#");
        heading("#hash", None, "#hash");
        heading("## Usage[2]", Some(2), "Usage[2]");
        for text in ["", "#", "###", "### ###", "####### seven", "a\nb", "# \u{7}"] {
            check(HeadingSelector::parse, text, None);
        }
        let index = |text: &str| HeadingSelector::parse(text).unwrap().split_index().map(|(t, n)| (t.to_owned(), n));
        assert_eq!(index("## Usage[2]"), Some(("Usage".to_owned(), 2)));
        assert_eq!(index("## Usage[0]"), None);
    }

    #[test]
    fn lines_are_one_or_a_range() {
        let check = |text, expected| check(LineRange::parse, text, expected);
        check("12", Some("12"));
        check("50-52", Some("50-52"));
        check("7-7", Some("7"));
        for text in ["", "0", "0-3", "5-3", "-3", "3-", "1-2-3", "a", "1.5", "0x10", "012", "+1", " 1", "١"] {
            check(text, None);
        }
        check("99999999999999999999999", None);
        check("1-99999999999999999999999", None);
    }

    #[test]
    fn addresses_tell_sections_from_symbols() {
        let check = |text: &str, expected: &str| {
            let address = Address::parse(text).unwrap();
            let field = address.selector.as_ref().map_or("file", Selector::field);
            assert_eq!(format!("{field} {address}"), expected, "{text:?}");
        };
        check("src/a.py", "file src/a.py");
        check("src/a.py::Worker.process", "symbol src/a.py::Worker.process");
        check("src/a.js::Foo.#x", "symbol src/a.js::Foo.#x");
        check("README.md::Installation", "section README.md::Installation");
        check("README.MARKDOWN::std::vec", "section README.MARKDOWN::std::vec");
        check("README.md::## std::vec", "section README.md::## std::vec");
        check("notes.txt::## Usage", "section notes.txt::## Usage");
        let Some(Selector::Section(section)) = Address::parse("a.md::# Guide::## Use::std").unwrap().selector else {
            panic!("a section")
        };
        assert_eq!(section.path.iter().map(|h| h.title.as_str()).collect::<Vec<_>>(), ["Guide", "Use::std"]);
    }

    #[test]
    fn bad_addresses_say_which_half_is_wrong() {
        let code = |text: &str| Address::parse(text).map(|address| address.to_string()).map_err(|error| error.code);
        assert_eq!(code("../x::f"), Err(Code::PathRefused));
        assert_eq!(code("::f"), Err(Code::PathRefused));
        assert_eq!(code(""), Err(Code::PathRefused));
        assert_eq!(code("a.py::"), Err(Code::Malformed));
        assert_eq!(code("a.py::a..b"), Err(Code::Malformed));
        assert_eq!(code("a.md::##"), Err(Code::Malformed));
    }

    #[test]
    fn patterns_compile_within_bounds_and_keep_their_flags() {
        let all = Flags { ignore_case: true, multiline: true, dotall: true };
        let pattern = Pattern::compile("a|b.c$", all).unwrap();
        assert_eq!((pattern.text.as_str(), pattern.flags()), ("a|b.c$", all));
        assert!(pattern.regex.is_match(b"xB\nC\nd"));
        assert_eq!(Pattern::compile("a", Flags::default()).unwrap().flags(), Flags::default());
        assert!(Pattern::literally_ignoring_case("a.B").unwrap().regex.is_match(b"A.b"));
        assert!(!Pattern::literally_ignoring_case("a.B").unwrap().regex.is_match(b"Axb"));
        for text in ["", "(", "[a", "a{1000}{1000}{1000}", "(?P<n>a)(?P<n>b)", r"(a)\1", r"(?=a)"] {
            assert!(Pattern::compile(text, Flags::default()).is_err(), "{text:?}");
        }
        assert!(Pattern::compile(&"(".repeat(300), Flags::default()).is_err());
        let why = Pattern::compile("(", Flags::default()).unwrap_err();
        assert_eq!(why, "is not a regular expression: unclosed group");
    }

    #[test]
    fn replacements_name_groups_that_exist() {
        let pattern = Pattern::compile("(?P<word>a)(b)", Flags::default()).unwrap();
        let check = |replacement: &str, unknown: Option<&str>| {
            assert_eq!(pattern.unknown_group(replacement), unknown, "{replacement:?}");
        };
        check("$0 $1 ${2} $word ${word}x", None);
        check("cost: 5$ or $, $$9 and ${open", None);
        check("$9", Some("9"));
        check("$1a", Some("1a"));
        check("$$$3", Some("3"));
        check("${}", Some(""));
        check("${word }", Some("word "));
        assert_eq!(pattern.groups(), ["${0}", "${word}", "${2}"]);
    }

    fn symbol() -> impl Strategy<Value = SymbolSelector> {
        let component = ("[^.\\[\\]*\\p{Cc}]{1,6}", prop::option::of(1usize..100))
            .prop_map(|(name, index)| SymbolComponent { name: format!("a{name}"), index });
        (any::<bool>(), prop::collection::vec(component, 1..4))
            .prop_map(|(any_depth, components)| SymbolSelector { any_depth, components })
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
                prop_assert_eq!(symbol.to_string(), text);
            }
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

        #[test]
        fn addresses_never_panic_and_write_themselves(text in "[ab./:#\\[\\]1 ]{0,16}|\\PC{0,16}") {
            if let Ok(address) = Address::parse(&text) {
                let again = Address::parse(&address.to_string());
                prop_assert_eq!(again.map(|again| again.to_string()).ok(), Some(address.to_string()));
            }
        }

        #[test]
        fn group_references_are_those_that_the_regex_crate_expands(replacement in "[$a1{}_ ]{0,10}") {
            let pattern = Pattern::compile("(x)", Flags::default()).unwrap();
            // With no unknown group, expanding loses nothing but the names of groups 0 and 1 and doubled dollars.
            let mut expanded = Vec::new();
            pattern.regex.captures(b"x").unwrap().expand(replacement.as_bytes(), &mut expanded);
            let mut ours = replacement.clone();
            for group in group_references(&replacement).collect::<Vec<_>>() {
                let value = if matches!(group.parse(), Ok(0usize | 1)) { "x" } else { "" };
                let braced = format!("${{{group}}}");
                let (at, len) = next_reference(&ours, &braced, group);
                ours.replace_range(at..at + len, &format!("\u{1}{value}"));
            }
            let ours = ours.replace("$$", "$").replace('\u{1}', "");
            prop_assert_eq!(String::from_utf8(expanded).unwrap(), ours);
        }
    }

    /// Finds where a reference to `group` stands first, dollars counted in pairs from the left.
    fn next_reference(text: &str, braced: &str, group: &str) -> (usize, usize) {
        let mut at = 0;
        loop {
            let here = &text[at..];
            if here.starts_with("$$") {
                at += 2;
            } else if here.starts_with(braced) {
                return (at, braced.len());
            } else if !group.is_empty() && here.strip_prefix('$').is_some_and(|rest| rest.starts_with(group)) {
                return (at, group.len() + 1);
            } else {
                at += here.chars().next().map_or(1, char::len_utf8);
            }
        }
    }
}
