//! What the lines of a configuration file are to an indentation, as far as most of its languages go.

use crate::text::indent::LineRole;
use crate::text::{Lines, is_blank};

/// Returns the role of each line of `fragment`, whose `lines` are these: of one that is not blank that it may be indented.
pub fn plain_roles(fragment: &[u8], lines: &Lines) -> Vec<LineRole> {
    (1..=lines.count())
        .map(|line| {
            if is_blank(lines.content(fragment, line).of(fragment)) {
                LineRole::Blank
            } else {
                LineRole::Code
            }
        })
        .collect()
}
