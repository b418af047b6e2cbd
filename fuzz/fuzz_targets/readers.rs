//! What a validator may write, in every format that is read. The first byte picks the format, a NUL separates the two
//! streams.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use segedit::config::ValidatorOutput;
use segedit::linters::formats;

const EVERY: [ValidatorOutput; 10] = [
    ValidatorOutput::Exit,
    ValidatorOutput::Gcc,
    ValidatorOutput::Sarif,
    ValidatorOutput::Diff,
    ValidatorOutput::Paths,
    ValidatorOutput::Pylint,
    ValidatorOutput::Mypy,
    ValidatorOutput::Pyright,
    ValidatorOutput::Eslint,
    ValidatorOutput::Markdownlint,
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else {
        return;
    };
    let output = EVERY[usize::from(first) % EVERY.len()];
    let cut = rest
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(rest.len());
    let (stdout, stderr) = (&rest[..cut], rest.get(cut + 1..).unwrap_or_default());
    let Ok(findings) = formats::read(output, stdout, stderr, Path::new("/copy/of/it")) else {
        return;
    };
    for finding in findings {
        assert!(
            finding.line != Some(0) && finding.column != Some(0),
            "{finding:?}"
        );
    }
});
