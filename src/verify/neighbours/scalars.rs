//! Scalars of YAML go on in deeper lines: an item that is put a little too deep below another is a part of what that says.
//!
//! Example: `- main⏎  - release` is one item, `main - release`.
//!
//! Known limits: lines that are no items may continue a scalar, as their author may want.

use std::collections::HashSet;

use super::Changed;
use crate::resolve::Document;
use crate::syntax::keys::{Form, Tree};
use crate::text::Span;

/// Returns the lines of `new` that look like items and are parts of the scalar above, where `old` has no such scalar.
pub(super) fn continued(old: &Document, new: &Document) -> Vec<Changed> {
    let (Some(Ok(before)), Some(Ok(after))) = (old.keys(), new.keys()) else { return Vec::new() };
    let found = swallowed(after, &new.bytes);
    if found.is_empty() {
        return Vec::new();
    }
    let known: HashSet<&[u8]> = swallowed(before, &old.bytes).iter().map(|item| item.of(&old.bytes)).collect();
    found.into_iter().filter(|item| !known.contains(item.of(&new.bytes))).map(Changed::Continued).collect()
}

/// Returns the first line that looks like an item in each plain scalar, without the blanks around it.
fn swallowed(tree: &Tree, bytes: &[u8]) -> Vec<Span> {
    let scalars = tree.entries.iter().filter(|entry| matches!(entry.form, Form::Plain));
    let values = scalars.map(|entry| entry.value).filter(|value| !matches!(bytes.get(value.start), Some(b'"' | b'\'')));
    values.filter_map(|value| first_item(value, bytes)).collect()
}

fn first_item(value: Span, bytes: &[u8]) -> Option<Span> {
    let mut start = value.start;
    for line in value.of(bytes).split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        if start > value.start && (text.starts_with(b"- ") || text == b"-") {
            let start = start + line.len() - line.trim_ascii_start().len();
            return Some(Span::new(start, start + text.len()));
        }
        start += line.len();
    }
    None
}
