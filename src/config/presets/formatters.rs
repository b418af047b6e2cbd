//! The formatters. Each reads standard input and writes standard output; a file that its configuration leaves out comes
//! back as it was.

use super::FormatterPreset;
use super::preset::{NODE, NODE_MODULES, OF_BLACK, OF_PRETTIER, OF_RUFF, VENV};
use crate::config::Ranges;

/// Every formatter.
pub const FORMATTERS: &[FormatterPreset] = &[BLACK, RUFF, PRETTIER, CLANG_FORMAT, GOFMT];

const BLACK: FormatterPreset = FormatterPreset {
    name: "black",
    files: &["*.py", "*.pyi"],
    command: &[
        "black",
        "--quiet",
        "{args}",
        "{range}",
        "--stdin-filename={file}",
        "-",
    ],
    range: &["--line-ranges={first}-{last}"],
    ranges: Ranges::Many,
    configured_by: OF_BLACK,
    borrows: &[],
    programs: VENV,
};

/// The end of a range is excluded, and a column past the line's end is its end.
const RUFF: FormatterPreset = FormatterPreset {
    name: "ruff",
    files: &["*.py", "*.pyi"],
    command: &[
        "ruff",
        "format",
        "--quiet",
        "--no-cache",
        "--force-exclude",
        "{args}",
        "{range}",
        "--stdin-filename={file}",
        "-",
    ],
    range: &["--range={first}:1-{last}:1000000000"],
    ranges: Ranges::One,
    configured_by: OF_RUFF,
    borrows: &[],
    programs: VENV,
};

/// Only languages in which a range is heeded: in CSS, Markdown, HTML and YAML nothing would happen, and in JSON the whole
/// file would be formatted.
const PRETTIER: FormatterPreset = FormatterPreset {
    name: "prettier",
    files: &[
        "*.js",
        "*.jsx",
        "*.mjs",
        "*.cjs",
        "*.ts",
        "*.tsx",
        "*.mts",
        "*.cts",
        "*.graphql",
        "*.gql",
    ],
    command: &[
        "prettier",
        "--no-color",
        "{args}",
        "{range}",
        "--stdin-filepath={file}",
    ],
    range: &["--range-start={start}", "--range-end={end}"],
    ranges: Ranges::One,
    configured_by: OF_PRETTIER,
    borrows: NODE_MODULES,
    programs: NODE,
};

const CLANG_FORMAT: FormatterPreset = FormatterPreset {
    name: "clang-format",
    files: &[
        "*.c", "*.h", "*.cc", "*.cpp", "*.cxx", "*.c++", "*.hh", "*.hpp", "*.hxx", "*.m", "*.mm",
        "*.proto",
    ],
    command: &[
        "clang-format",
        "{args}",
        "{range}",
        "--assume-filename={file}",
    ],
    range: &["--lines={first}:{last}"],
    ranges: Ranges::Many,
    configured_by: &[".clang-format", "_clang-format", ".clang-format-ignore"],
    borrows: &[],
    programs: VENV,
};

/// Knows no ranges: it formats the whole file, which in a file that is formatted changes what is new.
const GOFMT: FormatterPreset = FormatterPreset {
    name: "gofmt",
    files: &["*.go"],
    command: &["gofmt", "{args}"],
    range: &[],
    ranges: Ranges::Many,
    configured_by: &[],
    borrows: &[],
    programs: &[],
};
