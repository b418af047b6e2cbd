//! Indentation: measured, taken off, put on again, so that the caller never has to think about it.
//!
//! Two laws hold: taking indentation off and putting it back is the identity, and a line whose role is `Frozen`
//! keeps its bytes. Pure strings and roles; which line plays which role is for syntax to say.
//!
//! Content is *moved* when its unit is the place's own: one prefix is exchanged for another on every line, so that
//! lines left of the base (a comment at column 0, an odd continuation) stay where they stood against their neighbours.
//! Only content of another unit is *converted*, level by level. Lines end with LF here; a CRLF file's endings are
//! written over the result.
//!
//! ```
//! use segedit::text::indent::{self, IndentTarget, IndentSyntax, LineRole, Unit};
//! let place = IndentTarget { unit: Some(Unit::Spaces(4)), ..IndentTarget::at(b"    ", IndentSyntax::Offside) };
//! let fitted = indent::fit(b"def f():\n  return 1\n", &[LineRole::Code; 2], &place).unwrap();
//! assert_eq!(fitted, b"    def f():\n        return 1\n");
//! ```
//!
//! Known limits: content whose margin was taken off line by line, where a line had less than the margin, cannot be
//! told from content that was meant so; such a line moves with the others.

mod convert;
mod fit;
mod line_role;
mod measure;
mod place;
mod shift;
#[cfg(test)]
mod tests;
mod unchanged;
mod unit;

pub use fit::{Problem, fit};
pub use line_role::LineRole;
pub use measure::{base_of, unit_of, unit_of_file};
pub use place::{IndentSyntax, IndentTarget, Start};
pub use unit::{Unit, spaces};
