//! The one integration binary: the tool as its users meet it. A line for each module says what belongs there.

/// Diffs, judged by git itself.
mod diffs;
