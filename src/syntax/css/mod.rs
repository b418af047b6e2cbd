//! CSS, SCSS and Less: rules by their selectors, declarations by their properties, and what a browser would drop.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what they are called, and their grammar |
//! | `dialect` | what is written otherwise in each |
//! | `balance` | brackets and quotes that are never closed |
//! | `statements` | rules and declarations |
//! | `segments` | those of them that have a name |
//! | `lists` | selectors, queries and values that commas part |
//! | `names` | ids and classes in selectors |
//! | `headers` | selectors that are none |
//! | `dropped` | what browsers drop of a style that is balanced |

mod balance;
mod dialect;
mod dropped;
mod headers;
mod language;
mod lists;
mod names;
mod segments;
mod statements;
#[cfg(test)]
mod tests;

pub use language::{CSS, LESS, SCSS, is_style};
pub use lists::items;
pub use names::{is_of_name, selector_names};
pub(crate) use segments::{VARIABLE_SIGNS, is_rule};
pub use statements::top_end;
