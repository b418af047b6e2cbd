//! The validators. `verdicts` are the exit codes with which a tool has judged all it was given; one that stumbled over
//! its configuration or over a file has not, whatever it printed.

use super::ValidatorPreset;
use super::preset::{NODE, NODE_MODULES, OF_BLACK, OF_PRETTIER, OF_RUFF, VENV};
use crate::config::{Severity, ValidatorOutput, ValidatorScope};

/// Every validator.
pub const VALIDATORS: &[ValidatorPreset] = &[
    RUFF,
    PYLINT,
    MYPY,
    PYRIGHT,
    BLACK,
    ESLINT,
    PRETTIER,
    MARKDOWNLINT,
    SHELLCHECK,
    CARGO_FMT,
    GOFMT,
];

/// The batch's own files.
const FILES: &[&str] = &["--", "{files}"];

/// 0: nothing found; 1: something.
const FOUND: &[i32] = &[0, 1];

const PYTHON: &[&str] = &["*.py", "*.pyi"];

/// A plugin of the project's own is imported from the candidate, which is to stay as it was laid out.
const NO_BYTECODE: &[(&str, &str)] = &[("PYTHONDONTWRITEBYTECODE", "1")];

/// What most have in common.
const PLAIN: ValidatorPreset = ValidatorPreset {
    name: "",
    aliases: &[],
    files: &[],
    command: &[],
    args: FILES,
    env: &[],
    configured_by: &[],
    looks_for: &[],
    borrows: &[],
    programs: &[],
    scope: ValidatorScope::Files,
    output: ValidatorOutput::Exit,
    verdicts: FOUND,
    // A tool that exits with 1 for a note means it.
    counts: Severity::Note,
};

/// `fix = true` in the project's configuration would mend the candidate rather than judge it.
const RUFF: ValidatorPreset = ValidatorPreset {
    name: "ruff",
    files: PYTHON,
    command: &[
        "ruff",
        "check",
        "--quiet",
        "--no-cache",
        "--force-exclude",
        "--no-fix",
        "--no-fix-only",
        "--output-format=sarif",
        "{args}",
    ],
    configured_by: OF_RUFF,
    // Which imports are the project's own, and which folders are packages.
    looks_for: PYTHON,
    programs: VENV,
    output: ValidatorOutput::Sarif,
    ..PLAIN
};

/// Infers across modules, so it sees the whole tree; judges the batch's files, so that it ends. Its exit code is a sum,
/// a bit for each sort of message; 32 is a complaint about how it was called.
const PYLINT: ValidatorPreset = ValidatorPreset {
    name: "pylint",
    files: &["*.py"],
    command: &[
        "pylint",
        "--output-format=json2",
        "--persistent=no",
        "--reports=no",
        "{args}",
    ],
    env: NO_BYTECODE,
    configured_by: &[
        "pylintrc",
        ".pylintrc",
        "pylintrc.toml",
        ".pylintrc.toml",
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
    ],
    programs: VENV,
    scope: ValidatorScope::Tree,
    output: ValidatorOutput::Pylint,
    verdicts: &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31,
    ],
    // The informational ones (`I0011`) do not show in the exit code.
    counts: Severity::Warning,
    ..PLAIN
};

/// Judges the whole tree: a changed signature breaks its callers elsewhere. `exclude` holds only for what it finds by
/// itself. 2 means that it could not begin: two modules of one name, a plugin that is not there.
const MYPY: ValidatorPreset = ValidatorPreset {
    name: "mypy",
    files: PYTHON,
    command: &[
        "mypy",
        "--output=json",
        "--cache-dir={cache}",
        "--no-error-summary",
        "--no-color-output",
        "--hide-error-context",
        "{args}",
    ],
    args: &["{all}"],
    env: NO_BYTECODE,
    configured_by: &["mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"],
    programs: VENV,
    scope: ValidatorScope::Tree,
    output: ValidatorOutput::Mypy,
    counts: Severity::Error,
    ..PLAIN
};

/// Paths on the command line would take the place of the project's own `include` and `exclude`.
const PYRIGHT: ValidatorPreset = ValidatorPreset {
    name: "pyright",
    files: PYTHON,
    command: &["pyright", "--outputjson", "{args}"],
    args: &[],
    configured_by: &["pyrightconfig.json", "pyproject.toml"],
    borrows: &[".venv"],
    programs: &[".venv/bin", "venv/bin", "node_modules/.bin"],
    scope: ValidatorScope::Tree,
    output: ValidatorOutput::Pyright,
    counts: Severity::Error,
    ..PLAIN
};

/// 123 means that it could not read a file. With `--diff` it keeps no cache.
const BLACK: ValidatorPreset = ValidatorPreset {
    name: "black",
    files: PYTHON,
    command: &[
        "black",
        "--check",
        "--diff",
        "--quiet",
        "--no-color",
        "{args}",
    ],
    configured_by: OF_BLACK,
    programs: VENV,
    output: ValidatorOutput::Diff,
    ..PLAIN
};

/// A path that exists is taken literally, whatever characters it has. 2 means that its configuration is broken.
const ESLINT: ValidatorPreset = ValidatorPreset {
    name: "eslint",
    files: &[
        "*.js", "*.jsx", "*.mjs", "*.cjs", "*.ts", "*.tsx", "*.mts", "*.cts",
    ],
    command: &["eslint", "--format=json", "--no-color", "{args}"],
    configured_by: &[
        "eslint.config.*",
        ".eslintrc",
        ".eslintrc.*",
        ".eslintignore",
        "eslint-suppressions.json",
        "package.json",
        "tsconfig*.json",
        "jsconfig.json",
        ".prettierrc",
        ".prettierrc.*",
        "prettier.config.*",
        ".editorconfig",
    ],
    borrows: NODE_MODULES,
    programs: NODE,
    output: ValidatorOutput::Eslint,
    counts: Severity::Error,
    ..PLAIN
};

/// Says nothing of files that it has no parser for or that the project ignores. 2 means that a file does not parse.
const PRETTIER: ValidatorPreset = ValidatorPreset {
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
        "*.css",
        "*.scss",
        "*.less",
        "*.json",
        "*.json5",
        "*.jsonc",
        "*.html",
        "*.vue",
        "*.md",
        "*.mdx",
        "*.yaml",
        "*.yml",
        "*.graphql",
        "*.gql",
        "*.hbs",
    ],
    command: &[
        "prettier",
        "--list-different",
        "--no-color",
        "--ignore-unknown",
        "--no-error-on-unmatched-pattern",
        "{args}",
    ],
    configured_by: OF_PRETTIER,
    borrows: NODE_MODULES,
    programs: NODE,
    output: ValidatorOutput::Paths,
    ..PLAIN
};

/// Behind `--` a path is no glob. It has no machine format without a further package; its lines have one form.
const MARKDOWNLINT: ValidatorPreset = ValidatorPreset {
    name: "markdownlint-cli2",
    aliases: &["markdownlint"],
    files: &["*.md", "*.markdown"],
    command: &["markdownlint-cli2", "--no-globs", "{args}"],
    configured_by: &[
        ".markdownlint-cli2.*",
        ".markdownlint.*",
        "package.json",
        "/.gitignore",
    ],
    borrows: NODE_MODULES,
    programs: NODE,
    output: ValidatorOutput::Markdownlint,
    counts: Severity::Error,
    ..PLAIN
};

/// In a locale that has only ASCII it breaks off at the first path beyond it, with 1 and half of its findings. 2 and more
/// mean that it could not read a file or its own arguments.
const SHELLCHECK: ValidatorPreset = ValidatorPreset {
    name: "shellcheck",
    files: &["*.sh", "*.bash", "*.dash", "*.ksh"],
    command: &["shellcheck", "--format=gcc", "--color=never", "{args}"],
    env: &[("LC_ALL", "C.UTF-8")],
    configured_by: &[".shellcheckrc", "shellcheckrc"],
    programs: VENV,
    output: ValidatorOutput::Gcc,
    ..PLAIN
};

/// Reads the edition, the members and the modules from the tree. 1 also means that there is no `Cargo.toml` or that a
/// file does not parse, and then no path comes with it.
const CARGO_FMT: ValidatorPreset = ValidatorPreset {
    name: "cargo-fmt",
    aliases: &["rustfmt"],
    files: &["*.rs"],
    command: &[
        "cargo",
        "fmt",
        "--check",
        "{args}",
        "--",
        "-l",
        "--color=never",
    ],
    args: &["--all"],
    configured_by: &[
        "rustfmt.toml",
        ".rustfmt.toml",
        "Cargo.toml",
        "rust-toolchain",
        "rust-toolchain.toml",
        ".cargo/config",
        ".cargo/config.toml",
    ],
    scope: ValidatorScope::Tree,
    output: ValidatorOutput::Paths,
    ..PLAIN
};

/// Older ones exit with 0 whatever they find, newer ones with 1; 2 means that a file does not parse.
const GOFMT: ValidatorPreset = ValidatorPreset {
    name: "gofmt",
    files: &["*.go"],
    command: &["gofmt", "-d", "{args}"],
    output: ValidatorOutput::Diff,
    ..PLAIN
};
