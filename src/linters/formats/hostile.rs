//! No bytes make a reader panic: random ones, lines of the right words in the wrong order, and real output cut short.

use std::path::Path;

use proptest::prelude::*;

use super::{eslint, markdownlint, mypy, pylint, pyright, read, sarif};
use crate::config::ValidatorOutput;

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

/// What the formats are made of.
fn shred() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "--- ",
        "+++ ",
        "@@ -1,2 +3 @@\n",
        "@@ -0,0 +18446744073709551615,0 @@\n",
        "@@ -18446744073709551615 +0 @@\n",
        "-",
        "+",
        " ",
        "\n",
        "a.py",
        ":",
        "12",
        ":0",
        ": ",
        "18446744073709551616",
        "error",
        " [X]",
        "]",
        "[",
        "é",
        "\t",
        "\r",
        "{",
        "}",
        "\"",
        "%",
        "%e",
        "file:",
        "//",
        "./",
        "MD001/x y",
        "\\",
    ];
    let word = prop::sample::select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec());
    let word = prop_oneof![8 => word, 1 => prop::collection::vec(any::<u8>(), 1..3)];
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

/// A path or an URI out of the same, in an otherwise whole SARIF log.
fn log(uri: &[u8]) -> Vec<u8> {
    let uri = serde_json::Value::String(String::from_utf8_lossy(uri).into_owned());
    format!(r#"{{"runs": [{{"results": [{{"locations": [{{"physicalLocation": {{"artifactLocation": {{"uri": {uri}}}}}}}]}}]}}]}}"#)
        .into_bytes()
}

proptest! {
    #[test]
    fn any_bytes_are_survived(stdout in prop_oneof![shred(), prop::collection::vec(any::<u8>(), 0..200)], stderr in shred()) {
        for output in EVERY {
            let _ = read(output, &stdout, &stderr, Path::new("/r"));
            let _ = read(output, &stderr, &stdout, Path::new("/r"));
        }
        prop_assert!(read(ValidatorOutput::Sarif, &log(&stdout), b"", Path::new("/r")).is_ok());
    }
}

#[test]
fn real_output_cut_short_is_survived() {
    let whole = [
        (ValidatorOutput::Sarif, sarif::tests::RUFF),
        (ValidatorOutput::Pylint, pylint::tests::REPORT),
        (ValidatorOutput::Mypy, mypy::tests::REPORT),
        (ValidatorOutput::Pyright, pyright::tests::REPORT),
        (ValidatorOutput::Eslint, eslint::tests::REPORT),
        (ValidatorOutput::Markdownlint, markdownlint::tests::REPORT),
    ];
    for (output, text) in whole {
        let text = text.trim_end().as_bytes();
        for end in 0..text.len() {
            let found = read(output, &text[..end], &text[..end], Path::new("/copy/of/it"));
            match output {
                ValidatorOutput::Sarif
                | ValidatorOutput::Pylint
                | ValidatorOutput::Pyright
                | ValidatorOutput::Eslint => {
                    assert!(
                        found.is_err(),
                        "{output:?} up to byte {end} was taken for whole"
                    );
                }
                _ => drop(found),
            }
        }
    }
}

#[test]
fn nesting_without_end_is_told() {
    let deep = "[".repeat(1_000_000);
    for output in [
        ValidatorOutput::Sarif,
        ValidatorOutput::Pylint,
        ValidatorOutput::Pyright,
        ValidatorOutput::Eslint,
    ] {
        assert!(
            read(output, deep.as_bytes(), b"", Path::new("/r")).is_err(),
            "{output:?}"
        );
    }
}
