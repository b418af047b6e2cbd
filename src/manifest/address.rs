//! `Address`: `path::segment`, the same on the command line, in reports and in the log.
//!
//! ```
//! use segedit::manifest::Address;
//! let address = Address::parse("README.md::# Guide::## Installation").unwrap();
//! assert_eq!(address.path.as_str(), "README.md");
//! assert_eq!(address.to_string(), "README.md::# Guide::## Installation");
//! ```

use std::fmt;

use super::selector::{
    BlockSelector, ElementSelector, KeySelector, SectionSelector, Selector, SymbolSelector,
    begins_with_markers,
};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::path::RepoPath;
use crate::syntax::{Language, html, markdown, named_language};

/// `path::segment` as the command line, reports and the log write it.
///
/// The path ends at the first `::`, so that a file with `::` in its name can only be named in an operation file.
#[derive(Clone, Debug)]
pub struct Address {
    /// The file.
    pub path: RepoPath,
    /// A selector of a segment; `None` names the file.
    pub selector: Option<Selector>,
}

impl Address {
    /// Returns the address that `text` writes: `path`, `path::symbol`, `path::## Heading`, `path::# Guide::## Usage`.
    ///
    /// A segment behind `block:`, or in a file whose name says no language, is a block, until the file is read and says one itself.
    /// In an HTML file any other is a CSS selector (`page.html::nav > a`), in a configuration file a key
    /// (`compose.yaml::services.web.image`), and in a Markdown file after `key:` one of its front matter. Elsewhere one that begins
    /// with heading markers, or stands in a Markdown file, is a section; any other is a symbol.
    pub fn parse(text: &str) -> Result<Address, Diagnostic> {
        let (path, segment) = match text.split_once("::") {
            Some((path, segment)) => (path, Some(segment)),
            None => (text, None),
        };
        let path = RepoPath::parse(path).map_err(|why| {
            Diagnostic::new(Code::PathRefused, format!("path `{}` {why}", shown(path)))
        })?;
        let selector = segment
            .map(|segment| segment_of(&path, segment))
            .transpose()
            .map_err(|why| {
                Diagnostic::new(Code::Malformed, format!("address `{}` {why}", shown(text)))
            })?;
        Ok(Address { path, selector })
    }
}

/// Reads what stands behind the path.
fn segment_of(path: &RepoPath, segment: &str) -> Result<Selector, String> {
    if let Some(name) = segment.strip_prefix(BLOCK) {
        return BlockSelector::parse(name).map(Selector::Block);
    }
    if let Some(key) = segment.strip_prefix(KEY).filter(|_| is_markdown(path)) {
        return KeySelector::parse(key).map(Selector::Key);
    }
    // Of one that a build leaves out as well: what names a definition there does so in every build.
    match named_language(path) {
        Some(language) => segment_in(language, segment),
        None if begins_with_markers(segment) => {
            SectionSelector::parse_path(segment).map(Selector::Section)
        }
        None => BlockSelector::parse(segment).map(Selector::Block),
    }
}

/// Reads what stands behind the path of a file in `language`.
pub fn segment_in(language: &Language, segment: &str) -> Result<Selector, String> {
    if html::is_html(language) {
        ElementSelector::parse(segment).map(Selector::Element)
    } else if language.grammar.format().is_some() {
        if segment.is_empty() {
            Err("is blank".to_owned())
        } else {
            KeySelector::parse(segment).map(Selector::Key)
        }
    } else if begins_with_markers(segment) || markdown::is_markdown(language) {
        SectionSelector::parse_path(segment).map(Selector::Section)
    } else {
        SymbolSelector::parse(segment).map(Selector::Symbol)
    }
}

/// What stands ahead of a block's name where the name alone would be a symbol's or a heading's.
const BLOCK: &str = "block:";

/// What stands before a key of the front matter of a Markdown file.
const KEY: &str = "key:";

/// Returns how an address within the file at `path` writes a key.
pub fn key_address(path: &RepoPath, key: &str) -> String {
    if is_markdown(path) {
        format!("{KEY}{key}")
    } else {
        key.to_owned()
    }
}

/// Returns how an address within the file at `path` writes the block called `name`.
pub fn block_address(path: &RepoPath, name: &str) -> String {
    match segment_of(path, name) {
        Ok(Selector::Block(block)) if block.name == name => name.to_owned(),
        Ok(_) | Err(_) => format!("{BLOCK}{name}"),
    }
}

fn is_markdown(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    name.ends_with(".md") || name.ends_with(".markdown")
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)?;
        match &self.selector {
            Some(Selector::Symbol(symbol)) => write!(f, "::{symbol}"),
            Some(Selector::Section(section)) => write!(f, "::{section}"),
            Some(Selector::Element(element)) => write!(f, "::{element}"),
            Some(Selector::Block(block)) => {
                write!(f, "::{}", block_address(&self.path, &block.name))
            }
            Some(Selector::Key(key)) => {
                write!(f, "::{}", key_address(&self.path, &key.to_string()))
            }
            Some(Selector::Text(_) | Selector::Pattern(_) | Selector::Lines(_)) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_tell_sections_from_symbols() {
        let check = |text: &str, expected: &str| {
            let address = Address::parse(text).unwrap();
            let field = address.selector.as_ref().map_or("file", Selector::field);
            assert_eq!(format!("{field} {address}"), expected, "{text:?}");
        };
        check("src/a.py", "file src/a.py");
        check(
            "src/a.py::Worker.process",
            "symbol src/a.py::Worker.process",
        );
        check("src/a.js::Foo.#x", "symbol src/a.js::Foo.#x");
        check("README.md::Installation", "section README.md::Installation");
        check(
            "README.MARKDOWN::std::vec",
            "section README.MARKDOWN::std::vec",
        );
        check("README.md::## std::vec", "section README.md::## std::vec");
        check("a.html::#header", "element a.html::#header");
        check(
            "a.HTM::nav > a[href=\"/x\"]",
            "element a.HTM::nav > a[href=\"/x\"]",
        );
        check("a.html.j2::h1", "element a.html.j2::h1");
        check(
            "ci.yml::jobs.test.steps[0].uses",
            "key ci.yml::jobs.test.steps[0].uses",
        );
        check("a.json::\"a.b\".c", "key a.json::\"a.b\".c");
        check("Cargo.lock::package[0]", "key Cargo.lock::package[0]");
        check("notes.txt::## Usage", "section notes.txt::## Usage");
        check("base.jinja2::sidebar", "block base.jinja2::sidebar");
        check(
            "base.jinja2::block:sidebar[2]",
            "block base.jinja2::sidebar[2]",
        );
        check("base.jinja2::block:## a", "block base.jinja2::block:## a");
        check(
            "base.jinja2::block:block:a",
            "block base.jinja2::block:block:a",
        );
        check(
            "src/a.py::block:private helpers",
            "block src/a.py::block:private helpers",
        );
        check("README.md::block:intro", "block README.md::block:intro");
        let Some(Selector::Section(section)) = Address::parse("a.md::# Guide::## Use::std")
            .unwrap()
            .selector
        else {
            panic!("a section")
        };
        assert_eq!(
            section
                .path
                .iter()
                .map(|h| h.title.as_str())
                .collect::<Vec<_>>(),
            ["Guide", "Use::std"]
        );
    }

    #[test]
    fn bad_addresses_say_which_half_is_wrong() {
        let code = |text: &str| {
            Address::parse(text)
                .map(|address| address.to_string())
                .map_err(|error| error.code)
        };
        assert_eq!(code("../x::f"), Err(Code::PathRefused));
        assert_eq!(code("::f"), Err(Code::PathRefused));
        assert_eq!(code(""), Err(Code::PathRefused));
        assert_eq!(code("a.py::"), Err(Code::Malformed));
        assert_eq!(code("a.py::a..b"), Err(Code::Malformed));
        assert_eq!(code("a.html::a >"), Err(Code::Malformed));
        assert_eq!(code("a.md::##"), Err(Code::Malformed));
    }

    proptest! {
        #[test]
        fn addresses_never_panic_and_write_themselves(text in "[ab./:#\\[\\]1 ]{0,16}|\\PC{0,16}") {
            if let Ok(address) = Address::parse(&text) {
                let again = Address::parse(&address.to_string());
                prop_assert_eq!(again.map(|again| again.to_string()).ok(), Some(address.to_string()));
            }
        }
    }
}
