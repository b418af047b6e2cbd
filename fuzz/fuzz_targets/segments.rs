//! Blocks, elements and keys of any bytes at all. The first byte picks the language; for a scaffolded file, a NUL separates
//! the file from the templates it was made from.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| segedit_fuzz::check_any(bytes));
