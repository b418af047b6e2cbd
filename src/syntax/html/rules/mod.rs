//! What HTML says of its tags: which have no content, which hold text alone, whose end tag may be left out, and what
//! closes them. After <https://html.spec.whatwg.org/multipage/parsing.html>, of which this keeps what shows in a file:
//! elements are where their tags are, and none is invented (no `tbody` that is not written).
//!
//! `tags.rs` says it, by the tables of `names.rs`.

mod names;
mod tags;

pub(super) use tags::{
    breaks_out, closes_p, ends_head, ends_open, is_integration_point, is_raw, keeps_blanks,
    shields_p, stops_end_tag, stops_ending,
};
pub use tags::{end_is_optional, is_block, is_void};
