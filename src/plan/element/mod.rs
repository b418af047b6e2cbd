//! Edits of HTML elements: the whole, what stands between the tags, an attribute's value.
//!
//! White space is content in HTML, so bytes are moved to lines of their own only where nobody sees that: in a block such
//! as `<ul>`, never inside of a line of text and never in `<pre>`.

pub mod attribute;
mod edits;
mod inside;
mod layout;

pub use edits::{insert_at_element, remove_element, replace_element};
