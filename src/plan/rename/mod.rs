//! `rename`: what has a name gets another one, and so does every place that surely means it.
//!
//! | file | holds |
//! |---|---|
//! | `renamings` | the way in: what some operations rename |
//! | `definition` | a definition of Python |
//! | `heading` | a section of Markdown, and the links to its heading |

mod definition;
mod heading;
mod renamings;

pub(crate) use heading::references as references_of_section;
pub(super) use renamings::renamings;
