//! Rows for every level.
