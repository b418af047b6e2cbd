//! The one integration binary: the tool as its users meet it. A line for each module says what belongs there.

/// Markdown sections, beside an independent CommonMark reader.
mod markdown;
/// Diffs, judged by git itself.
mod diffs;
