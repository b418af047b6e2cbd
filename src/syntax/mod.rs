//! What a file's language tells us: its outline, its errors, the role of each of its lines.
//!
//! A language is a folder of data here and one line in `LANGUAGES`. Home of tree-sitter, of the Python parser, of the
//! CommonMark parser, of those of JSON, TOML and YAML, and of the engine of CSS selectors. Everything is pure: bytes in, values
//! out. No input makes it panic.

pub mod directives;
pub mod head;
pub mod keys;
pub mod outline;

pub mod jinja;
pub mod regions;
pub mod statements;
pub mod tree;

pub mod css;
pub mod go;
pub mod html;
pub mod java;
pub mod javascript;
pub mod json;
pub mod markdown;
pub mod python;
pub mod rust;
pub mod toml;
pub mod typescript;
pub mod yaml;

pub use outline::{Decoration, DecorationSort, Excess, Kind, Outline, Symbol};
pub use statements::{Fall, Implied, Statement};

use crate::path::RepoPath;
use crate::text::Span;
use crate::text::indent::LineRole;
use crate::text::splice::Splices;

/// A language: how its files are told, its habits, and what reads it.
pub struct Language {
    /// As messages call it.
    pub name: &'static str,
    /// File-name endings after the last dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names (`BUILD`).
    pub file_names: &'static [&'static str],
    /// How its code is laid out by custom.
    pub habits: Habits,
    /// What reads it.
    pub grammar: &'static dyn Grammar,
}

/// How code of a language is laid out by custom, for what the neighbours do not say.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// What begins a comment that runs to the end of its line.
    pub line_comments: &'static [&'static str],
    /// What begins and ends a block comment.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Blank lines between definitions at the top of a file.
    pub blank_lines_top: usize,
    /// Blank lines between definitions inside another.
    pub blank_lines_nested: usize,
    /// Indentation is syntax.
    pub offside: bool,
    /// What an emptied body must hold.
    pub empty_body: Option<&'static str>,
    /// What opens a body after the header: `:` or `{`.
    pub body_opener: &'static str,
    /// The indentation unit where a file shows none.
    pub unit: &'static str,
    /// Words before a definition that say who else may use it: it keeps them.
    pub exports: &'static [&'static str],
    /// What comes of a second definition of a name in one block.
    pub second: Second,
    /// What its names are made of.
    pub names: Names,
}

/// What names are made of besides letters, digits and `_`.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Characters that are a part of names.
    pub characters: &'static str,
    /// What those never come before as such: there they mean something else. So they do before a digit.
    pub none_before: &'static str,
    /// Characters that make one name of the words on both sides, in some places of a file at least.
    pub joints: &'static str,
}

impl Names {
    /// Nothing besides.
    pub const PLAIN: Names = Names {
        characters: "",
        none_before: "",
        joints: "",
    };
    /// Words with hyphens between them: of classes, attributes, keys.
    pub const HYPHENED: Names = Names {
        joints: "-",
        ..Names::PLAIN
    };
}

/// What comes of a second definition of a name in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// It takes the place of the first, and nobody says so.
    TakesPlace,
    /// The compiler refuses it; where there are overloads, one with the same types of parameters.
    Refused {
        /// A name may stand for several.
        overloads: bool,
    },
    /// Both stand, and a name no longer tells which is meant.
    Stands,
    /// Nothing: names mean nothing here, or are told elsewhere.
    Allowed,
}

/// A member that has no address: a field of a struct, a variant of an enum, a property of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// As it is written.
    pub name: String,
    /// All of it but its attributes.
    pub span: Span,
    /// Its name.
    pub named: Span,
    /// Its attributes, annotations, or the keys of its tag.
    pub attributes: Vec<Span>,
}

/// Reads one language. Pure; no input makes it panic.
pub trait Grammar: Sync {
    /// Returns the segments of a file. A file with errors gives those that can still be told.
    fn outline(&self, source: &[u8]) -> Outline;

    /// Returns the segments of a file to a process that ends once it has told them: what was made to find them is left to
    /// that end, which frees it all at once.
    fn parting_outline(&self, source: &[u8]) -> Outline {
        self.outline(source)
    }

    /// Returns the segments of a piece of code that would stand inside a segment of kind `parent` (a method without
    /// its class), with spans into `fragment`.
    fn fragment_outline(&self, fragment: &[u8], parent: Option<Kind>) -> Outline;

    /// Returns the file's syntax errors in file order; empty when it parses.
    fn errors(&self, source: &[u8]) -> Vec<SyntaxError>;

    /// Says whether the segments are all there: nothing of the file was passed over to find them.
    fn parses(&self, source: &[u8]) -> bool {
        self.errors(source).is_empty()
    }

    /// Returns segments and errors together, which costs less than one after the other.
    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        (self.outline(source), self.errors(source))
    }

    /// Returns the segments of `new`, which `splices` made of `old`, a file without errors whose segments are `outline`, where
    /// that can be told from the touched definitions alone, and `new` has no errors either; `None` where all has to be read.
    fn reread(
        &self,
        old: &[u8],
        outline: &Outline,
        new: &[u8],
        splices: &Splices,
    ) -> Option<Outline> {
        let _ = (old, outline, new, splices);
        None
    }

    /// Returns the segments of a piece of code as `fragment_outline` does, and with them the role of each of its lines where
    /// one reading tells both.
    fn read_fragment(
        &self,
        fragment: &[u8],
        parent: Option<Kind>,
    ) -> (Outline, Option<Vec<LineRole>>) {
        (self.fragment_outline(fragment, parent), None)
    }

    /// Returns the role of each line of `fragment` (one for each line that `Lines::of` counts).
    fn line_roles(&self, fragment: &[u8], parent: Option<Kind>) -> Vec<LineRole>;

    /// Returns the spans of comments in file order, each without its line ending.
    fn comments(&self, source: &[u8]) -> Vec<Span>;

    /// Returns the statements of a file, or of whole lines of one that stand in a segment of kind `parent`, in the order in
    /// which they begin; `None` where `source` does not parse by itself, and of a language that has none.
    fn statements(&self, source: &[u8], parent: Option<Kind>) -> Option<Vec<Statement>> {
        let _ = (source, parent);
        None
    }

    /// Returns the range of what has to stand first in a file, or in the body of a definition: directives, a docstring, a `package`
    /// clause, attributes and comments that speak of what is around them; `None` where nothing has to.
    fn lead(&self, source: &[u8], body: Option<Span>) -> Option<Span> {
        let _ = (source, body);
        None
    }

    /// Returns the elements of lists, the arguments of calls, parameters and their like, of a file, or of whole lines of one that stand
    /// in a segment of kind `parent`, in the order in which they begin.
    fn elements(&self, source: &[u8], parent: Option<Kind>) -> Vec<Span> {
        let _ = (source, parent);
        Vec::new()
    }

    /// Returns the commas before which an array has an element of nothing, in file order; none where a language has no such.
    fn holes(&self, source: &[u8]) -> Vec<Hole> {
        let _ = source;
        Vec::new()
    }

    /// Returns for each of these definitions of a file its direct members that have no address; none where a language has none.
    fn members(&self, source: &[u8], definitions: &[Span]) -> Vec<Vec<Member>> {
        let _ = source;
        definitions.iter().map(|_| Vec::new()).collect()
    }

    /// Returns the statements that stand for something told elsewhere, in file order; none where a language has none.
    fn implied(&self, source: &[u8]) -> Vec<Implied> {
        let _ = source;
        Vec::new()
    }

    /// Returns the cases that fall through to the next, in the order in which they begin; none where a language has none.
    fn falls(&self, source: &[u8]) -> Vec<Fall> {
        let _ = source;
        Vec::new()
    }

    /// Returns for each of `pairs`, what was taken of the old file and what is in its place in the new one, whether that was one
    /// operand, and is parted by what is beside it.
    fn parted_operands(&self, (old, new): (&[u8], &[u8]), pairs: &[(Span, Span)]) -> Vec<bool> {
        let _ = (old, new);
        vec![false; pairs.len()]
    }

    /// Says whether a statement may end with its line, without a `;`, unless what follows can be read as a part of it.
    fn ends_lines_freely(&self) -> bool {
        false
    }

    /// Returns where the last statement of a piece of code, which would stand inside a segment of kind `parent`, lacks the
    /// `;` that it may end without.
    fn unterminated(&self, fragment: &[u8], parent: Option<Kind>) -> Option<usize> {
        let _ = (fragment, parent);
        None
    }

    /// Returns the format of a configuration language, whose segments are keys.
    fn format(&self) -> Option<keys::Format> {
        None
    }
}

/// An element of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The offset of the comma that ends it.
    pub comma: usize,
    /// The array that it is in.
    pub list: Span,
}

/// A place where a file does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset.
    pub offset: usize,
    /// What is wrong, in the parser's words.
    pub message: String,
}

impl SyntaxError {
    /// What the readers of configuration files say of one that they do not follow to the bottom.
    const TOO_DEEP: &'static str = "values nest too deep";

    /// Returns the error of a file whose values nest deeper than its reader goes.
    fn too_deep(offset: usize) -> SyntaxError {
        SyntaxError {
            offset,
            message: SyntaxError::TOO_DEEP.to_owned(),
        }
    }

    /// Says whether it is that one.
    pub fn is_too_deep(&self) -> bool {
        self.message == SyntaxError::TOO_DEEP
    }
}

/// Every language, each a line.
pub static LANGUAGES: &[&Language] = &[
    &python::PYTHON,
    &markdown::MARKDOWN,
    &javascript::JAVASCRIPT,
    &typescript::DECLARATIONS,
    &typescript::TYPESCRIPT,
    &typescript::TSX,
    &rust::RUST,
    &go::GO,
    &java::JAVA,
    &html::HTML,
    &json::JSON,
    &json::JSONC,
    &toml::TOML,
    &yaml::YAML,
];

/// Returns the language of the file at `path`, told by its name.
pub fn language_of(path: &RepoPath) -> Option<&'static Language> {
    let name = path.file_name();
    if json::has_comments_by_custom(path.as_str()) {
        return Some(&json::JSONC);
    }
    let named = LANGUAGES
        .iter()
        .copied()
        .find(|language| language.file_names.contains(&name));
    let name = name.to_ascii_lowercase();
    // `.d.ts` before `.ts`.
    let ends = |extension: &&str| {
        name.strip_suffix(*extension)
            .is_some_and(|rest| rest.ends_with('.'))
    };
    let of_extension = |language: &&Language| language.extensions.iter().any(ends);
    let known = named.or_else(|| LANGUAGES.iter().copied().find(of_extension));
    known.or_else(|| html::is_template_of_page(&name).then_some(&html::HTML))
}
