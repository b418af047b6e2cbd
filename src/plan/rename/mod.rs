//! `rename`: what has a name gets another one, and so does every place that surely means it.
//!
//! | file | holds |
//! |---|---|
//! | `renamings` | the way in: what some operations rename |
//! | `definition` | a definition: by a server where there is one for its file, else by what is known of its language |
//! | `named` | where a definition says its name |
//! | `script` | a definition of JavaScript or TypeScript, without a server |
//! | `served` | a definition of a language that a language server knows |
//! | `heading` | a section of Markdown, and the links to its heading |
//! | `key` | a key of a configuration file, and the pointers to it |
//! | `toml_keys` | where a key of TOML is written |
//! | `page_name` | an id or a class of a page, and what means it |

mod definition;
mod heading;
mod key;
mod named;
mod page_name;
mod renamings;
mod script;
mod served;
mod toml_keys;

pub(crate) use heading::references as references_of_section;
pub(crate) use key::references as references_of_key;
pub(crate) use page_name::references as references_of_page_name;
pub(super) use renamings::renamings;
pub(crate) use script::{is_script, references as references_of_script};
pub(crate) use served::references as references_by_server;
