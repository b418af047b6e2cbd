//! Writes names and values as they are written in a selector.

use std::fmt;

use cssparser::{CssStringWriter, serialize_identifier};

/// Returns `name` as an identifier is written in a selector.
pub(crate) fn identifier(name: &str) -> String {
    let mut written = String::new();
    // Writing into a string cannot fail.
    let _ = serialize_identifier(name, &mut written);
    written
}

/// Returns `value` as a string is written in a selector.
pub(crate) fn string(value: &str) -> String {
    let mut written = String::from('"');
    // Writing into a string cannot fail.
    let _ = fmt::Write::write_str(&mut CssStringWriter::new(&mut written), value);
    written.push('"');
    written
}
