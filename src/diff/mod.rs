//! Line differences as git shows them: which lines changed, how many, and a diff that `git apply` takes. Home of
//! gix-diff.
//!
//! Lines end with LF and keep their endings, so a changed ending or a missing final newline is a change like any other,
//! and no byte needs to be UTF-8. What the two versions have in common at their ends is set aside before anything is
//! compared: one edit in a large file costs about as much as one in a small file.
//!
//! Deliberately not here: colours, and emphasis inside lines (`text::diff`). Known limits: the content of binary files is
//! not in the diff, only that they differ, as with `git diff` without `--binary`.
//!
//! | file | holds |
//! |---|---|
//! | `hunks` | which lines differ, and how many |
//! | `unified` | the diff as text |

mod hunks;
mod unified;

pub use hunks::{Hunk, count, hunks};
pub use unified::{DiffSide, DiffStyle, unified};
