//! Tests of which every day runs a part, and the sweep all: one text, two sizes.

/// Operation files that want much.
mod cost;
/// Files that nest or list without end.
mod nesting;
/// Files that hold more than git stores of them.
mod own;
/// What happens to the index of segments.
mod segment_index;

const IS_SWEEP: bool = matches!(env!("CARGO_CRATE_NAME").as_bytes(), b"sweep");

/// Returns all of `values` in the sweep, and every `nth` of them, from the first on, otherwise.
fn few<T>(values: impl IntoIterator<Item = T>, nth: usize) -> impl Iterator<Item = T> {
    values.into_iter().step_by(if IS_SWEEP { 1 } else { nth })
}

/// Returns `all` in the sweep, and `part` otherwise.
const fn less(all: usize, part: usize) -> usize {
    if IS_SWEEP { all } else { part }
}
