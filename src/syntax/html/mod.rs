//! HTML: elements as their tags are in the file, found by CSS selectors, with what is embedded in them.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what it is called, and its grammar |
//! | `tokens` | bytes → tags and text |
//! | `mask` | the template tags, which are overlooked |
//! | `dom`, `rules` | who is inside of whom, by the tables of the standard |
//! | `selector` | the home of the selector engine |
//! | `address` | the selector that finds an element and no other |
//! | `outline` | elements → segments |
//! | `embedded` | scripts and styles, read by their own grammar |
//! | `lines` | what may be re-indented |
//! | `tree` | the home of the parser that says what a browser makes of a page |
//!
//! Whether tags are in order is not a question of syntax here but of structure: see `Dom::problems`.

mod address;
mod dom;
mod embedded;
mod language;
mod lines;
mod mask;
mod outline;
mod rules;
mod selector;
mod tokens;
mod tree;

pub use address::Addresses;
pub use dom::{Dom, HtmlElement, PageProblem, PageProblemKind};
pub use embedded::{
    EmbeddedHolder, EmbeddedPiece, FILLINGS, Filling, errors, has_tags,
    language as embedded_language, pieces, text as embedded_text,
};
pub use language::{HTML, is_html, is_template_of_page};
pub use mask::template_tags;
pub use outline::outline;
pub use rules::{end_is_optional, is_block, is_void};
pub use selector::{CssSelector, Exhausted};
pub use tokens::{Attribute, is_space};
pub use tree::{TreeMark, TreeMarkKind, TreePlace, places};
