//! YAML: mappings, lists and scalars, in blocks or in brackets. One home of granit-parser, of which the events are used.
//!
//! `language.rs` is the language, `tree.rs` makes the entries, `marks.rs` reads what is between the words, `template.rs` knows
//! files that are templates of YAML.

mod language;
mod marks;
mod template;
mod tree;

pub use language::YAML;
pub use template::{
    TemplateInsertion, brought, first_bare_tag, has_braced_key, is_template, masked,
};
pub use tree::fragment;

pub(super) use tree::tree;
