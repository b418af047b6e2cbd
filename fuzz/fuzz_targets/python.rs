//! Segments of any bytes at all, read as Python.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| segedit_fuzz::check_outline("a.py", bytes));
