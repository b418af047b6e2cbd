//! The index of segments that `find` looks names up in: an answer with it is the answer without it (`support::segment_index`).

/// What happens to the index: damage, foreign versions, others who use it, kills, places where it cannot be.
mod bad_days;
/// What happens to files and to git between two questions.
mod changes;
/// The command `index`, pathspecs, `outline` and `show`.
mod command;
