//! The one integration binary: the tool as its users meet it. A line for each module says what belongs there.

/// Python read by us and by CPython.
mod python;
