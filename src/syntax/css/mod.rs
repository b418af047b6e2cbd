//! CSS, as far as pages and checks need it: whether a style parses, its rules and declarations, and which of its lines may be
//! re-indented.
//!
//! Deliberately not here: segments. It is in no list of languages, so files of its own are plain text where a name is looked for;
//! what edits make of them is checked as if they were in one (`is_css`).
//!
//! | file | holds |
//! |---|---|
//! | `language` | what it is called, and its grammar |
//! | `balance` | brackets and quotes that are never closed |
//! | `statements` | rules and declarations |
//! | `lists` | selectors, queries and values that commas part |
//! | `names` | ids and classes in selectors |
//! | `headers` | selectors that are none |
//! | `dropped` | what browsers drop of a style that is balanced |

mod balance;
mod dropped;
mod headers;
mod language;
mod lists;
mod names;
mod statements;

pub use language::{CSS, is_css};
pub use lists::items;
pub use names::{is_of_name, selector_names};
pub use statements::top_end;
