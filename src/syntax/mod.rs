//! What a file's language says of it: its outline, its errors, the role of each of its lines.
//!
//! A language is a folder of data here and one line in `LANGUAGES`. Home of tree-sitter, of the Python parser, of the
//! CommonMark parser, of those of JSON, TOML and YAML, and of the engine of CSS selectors. Everything is pure: bytes in, values
//! out. No input makes it panic.
//!
//! | file | holds |
//! |---|---|
//! | `registry`, `declared` | the table of all languages, which of them a file is in, and what it says of that itself |
//! | `language`, `habits` | what a language is called, and how its code is laid out by custom |
//! | `grammar` | what is asked of the reader of a language |
//! | `outline`, `own_comments` | the named segments of a file, and which comments belong to them |
//! | `braces` | what is between two braces |
//! | `word_names` | names of what is called by a text |
//! | `wording` | whether a word is code, a comment or a text |
//! | `statements`, `elements`, `items`, `syntax_error` | the other answers of a grammar |
//! | `directives`, `head`, `regions` | comments that mean something: to tools, of the whole file, around a region |
//! | `access` | lines that say who may use what is below them: `private:` |
//! | `tree` | the grammar of every language that tree-sitter reads |
//! | `conditions` | lines that say what of a file counts: `#if`, `#endif` |
//! | `keys` | the entries of every configuration language |
//! | `jinja` | templates |
//! | `css`, `go`, `html`, `java`, … | one language each |

mod access;
mod bash;
mod braces;
mod c;
mod cmake;
pub(crate) mod conditions;
mod cpp;
mod csharp;
pub mod css;
mod dart;
mod declared;
pub mod directives;
pub(crate) mod dockerfile;
mod elements;
pub mod go;
mod grammar;
mod graphql;
mod habits;
mod hcl;
pub mod head;
pub mod html;
pub mod include_guard;
pub(crate) mod ini;
mod items;
pub mod java;
pub mod javascript;
pub mod jinja;
pub mod json;
pub mod keys;
mod kotlin;
mod language;
mod lua;
pub mod markdown;
mod nix;
pub mod outline;
mod own_comments;
mod pairs;
mod php;
mod prisma;
mod proto;
pub mod python;
mod r;
pub mod regions;
mod registry;
mod ruby;
pub mod rust;
mod scala;
pub mod script_names;
mod solidity;
mod starlark;
pub mod statements;
mod swift;
mod syntax_error;
pub mod toml;
pub mod tree;
pub mod typescript;
mod word_names;
mod wording;
pub mod yaml;
mod zig;

pub use access::{AccessBody, AccessLabel};
pub(crate) use access::{AccessMap, says_access};
pub use elements::{Attribution, Hole, Member, TypedVariables};
pub use grammar::{Grammar, GrammarGaps};
pub use habits::{Habits, NameCharacters, Redefinition};
pub use items::{ItemKind, ItemList, ListedItem};
pub use language::Language;
pub use outline::{Decoration, DecorationKind, Excess, Outline, SegmentKind, Symbol};
pub use registry::{
    LANGUAGES, language_in, language_of, left_out_language, may_have_language, named_language,
    says_unknown_language, told_language,
};
pub use script_names::ScriptNames;
pub use statements::{Doubtful, Fall, Implied, Statement};
pub use syntax_error::SyntaxError;
pub use wording::Wording;
