//! Markdown: sections named by their headings, exactly the headings that CommonMark sees. Home of `pulldown-cmark`.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what it is called, and its grammar |
//! | `legible` | bytes → text that the parser reads the same way |
//! | `sections` | text → the tree of sections |
//! | `lines` | where lines begin and end |
//! | `comments` | HTML comments |
//! | `fences` | what has to be closed |
//! | `halves` | tags and comments of which one half is there |
//! | `links` | what is defined for links |
//! | `anchors` | where links lead, and the anchors of headings |
//! | `levels`, `titles` | headings of another level; where the words of a heading stand |
//! | `leaves` | what an edit makes of the blocks beside it |
//! | `parts` | the own text of a section and the blocks in it |
//!
//! Invariant: spans are offsets into the original bytes, whatever their encoding and line endings.
//!
//! Known limit: MDX is read as CommonMark, so a heading inside of a multi-line JSX expression counts as one.

pub mod anchors;
mod comments;
mod fences;
pub mod halves;
mod language;
pub mod leaves;
mod legible;
pub mod levels;
mod lines;
pub mod links;
mod parts;
mod sections;
pub mod titles;

pub use fences::{Enclosure, Fence, enclosures, may_enclose};
pub use language::{MARKDOWN, is_markdown};
pub use parts::{MarkdownBlockKind, blocks, own};
pub use sections::front_matter;
