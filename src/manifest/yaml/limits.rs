//! The version of operation files, and how much one file may ask for.

/// The only version of operation files there is.
pub const VERSION: u64 = 1;

/// Most operations in a batch.
pub const MAX_OPERATIONS: usize = 10_000;

/// Most operations with a `pattern`: each may take `MAX_PATTERN` bytes once it is compiled.
pub const MAX_PATTERNS: usize = 1_000;
