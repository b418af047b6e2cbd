//! For each preset a project, content that its tool accepts and content that it rejects, and where it says so: known
//! from the tool's documentation of the rule.

/// One preset at work.
pub(super) struct Case {
    /// The name in `.segedit.yaml`.
    pub preset: &'static str,
    /// The program that has to be installed.
    pub tool: &'static str,
    /// The other files of the project.
    pub project: &'static [(&'static str, &'static str)],
    /// The file that the batch replaces.
    pub file: &'static str,
    /// What it holds before.
    pub clean: &'static str,
    /// Content that the tool has nothing against.
    pub accepted: &'static str,
    /// Content that it finds fault with.
    pub rejected: &'static str,
    /// Where the fault is found.
    pub path: &'static str,
    /// On which line, if the tool says.
    pub line: Option<usize>,
    /// Under which name, if it has one.
    pub rule: Option<&'static str>,
    /// A part of the message.
    pub message: &'static str,
}

const LIBRARY: &str = "def double(value: int) -> int:\n    return 2 * value\n";
const LIBRARY_OTHERWISE: &str = "def double(value: int) -> int:\n    return value + value\n";
/// Right in itself; it is the caller that breaks.
const LIBRARY_CHANGED: &str = "def double(value: int) -> str:\n    return str(2 * value)\n";
const CALLER: (&str, &str) = (
    "app.py",
    "from library import double\n\nresult: int = double(2)\n",
);

pub(super) const CASES: &[Case] = &[
    Case {
        preset: "ruff",
        tool: "ruff",
        project: &[],
        file: "a.py",
        clean: "def double(value):\n    return 2 * value\n",
        accepted: "def double(value):\n    return value + value\n",
        rejected: "def double(value):\n    return 2 * valeu\n",
        path: "a.py",
        line: Some(2),
        rule: Some("F821"),
        message: "Undefined name `valeu`",
    },
    Case {
        preset: "pylint",
        tool: "pylint",
        project: &[],
        file: "a.py",
        clean: "\"\"\"A module.\"\"\"\n\n\ndef double(value):\n    \"\"\"Return twice the value.\"\"\"\n    return 2 * value\n",
        accepted: "\"\"\"A module.\"\"\"\n\n\ndef double(value):\n    \"\"\"Return twice the value.\"\"\"\n    return value + value\n",
        rejected: "\"\"\"A module.\"\"\"\n\n\ndef double(value):\n    \"\"\"Return twice the value.\"\"\"\n    return value + valeu\n",
        path: "a.py",
        line: Some(6),
        rule: Some("undefined-variable"),
        message: "Undefined variable 'valeu'",
    },
    Case {
        preset: "mypy",
        tool: "mypy",
        project: &[CALLER],
        file: "library.py",
        clean: LIBRARY,
        accepted: LIBRARY_OTHERWISE,
        rejected: LIBRARY_CHANGED,
        path: "app.py",
        line: Some(3),
        rule: Some("assignment"),
        message: "Incompatible types in assignment (expression has type \"str\", variable has type \"int\")",
    },
    Case {
        preset: "pyright",
        tool: "pyright",
        project: &[CALLER],
        file: "library.py",
        clean: LIBRARY,
        accepted: LIBRARY_OTHERWISE,
        rejected: LIBRARY_CHANGED,
        path: "app.py",
        line: Some(3),
        rule: Some("reportAssignmentType"),
        message: "\"str\" is not assignable to",
    },
    Case {
        preset: "black",
        tool: "black",
        project: &[],
        file: "a.py",
        clean: "x = 1\ny = 2\n",
        accepted: "x = 1\ny = 3\n",
        rejected: "x = 1\ny  =  3\n",
        path: "a.py",
        line: Some(2),
        rule: None,
        message: "would be reformatted",
    },
    Case {
        preset: "eslint",
        tool: "eslint",
        project: &[(
            "eslint.config.mjs",
            "export default [{ rules: { \"no-undef\": \"error\" } }];\n",
        )],
        file: "a.js",
        clean: "export const a = 1;\n",
        accepted: "export const a = 2;\n",
        rejected: "export const a = b;\n",
        path: "a.js",
        line: Some(1),
        rule: Some("no-undef"),
        message: "'b' is not defined.",
    },
    Case {
        preset: "prettier",
        tool: "prettier",
        project: &[],
        file: "a.css",
        clean: "a {\n  color: red;\n}\n",
        accepted: "a {\n  color: blue;\n}\n",
        rejected: "a{color:blue}\n",
        path: "a.css",
        line: None,
        rule: None,
        message: "would be reformatted",
    },
    Case {
        preset: "markdownlint",
        tool: "markdownlint-cli2",
        project: &[],
        file: "a.md",
        clean: "# A\n\nText.\n",
        accepted: "# A\n\nText.\n\nMore.\n",
        rejected: "# A\n\nText.\n\n\nMore.\n",
        path: "a.md",
        line: Some(5),
        rule: Some("MD012"),
        message: "Multiple consecutive blank lines",
    },
    Case {
        preset: "shellcheck",
        tool: "shellcheck",
        project: &[],
        file: "a.sh",
        clean: "#!/bin/sh\necho \"$1\"\n",
        accepted: "#!/bin/sh\necho \"$2\"\n",
        rejected: "#!/bin/sh\necho $2\n",
        path: "a.sh",
        line: Some(2),
        rule: Some("SC2086"),
        message: "Double quote to prevent globbing and word splitting.",
    },
    Case {
        preset: "cargo-fmt",
        tool: "cargo-fmt",
        project: &[(
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        )],
        file: "src/lib.rs",
        clean: "pub fn one() -> u8 {\n    1\n}\n",
        accepted: "pub fn one() -> u8 {\n    2 - 1\n}\n",
        rejected: "pub fn one() -> u8 {\n  2-1\n}\n",
        path: "src/lib.rs",
        line: None,
        rule: None,
        message: "would be reformatted",
    },
    Case {
        preset: "gofmt",
        tool: "gofmt",
        project: &[],
        file: "a.go",
        clean: "package main\n\nfunc main() {\n\tprintln(1)\n}\n",
        accepted: "package main\n\nfunc main() {\n\tprintln(2)\n}\n",
        rejected: "package main\n\nfunc main() {\n  println(2)\n}\n",
        path: "a.go",
        line: Some(4),
        rule: None,
        message: "would be reformatted",
    },
];

/// A preset, a configuration that keeps the tool from `CASES`' file, and its text.
pub(super) const EXCLUDED: &[(&str, &str, &str)] = &[
    ("ruff", "ruff.toml", "extend-exclude = [\"a.py\"]\n"),
    ("pylint", ".pylintrc", "[MAIN]\nignore = a.py\n"),
    ("mypy", "mypy.ini", "[mypy]\nexclude = ^app\\.py$\n"),
    (
        "pyright",
        "pyrightconfig.json",
        "{\"exclude\": [\"app.py\"]}\n",
    ),
    (
        "black",
        "pyproject.toml",
        "[tool.black]\nforce-exclude = \"a.py\"\n",
    ),
    (
        "eslint",
        "eslint.config.mjs",
        "export default [{ ignores: [\"a.js\"] }, { rules: { \"no-undef\": \"error\" } }];\n",
    ),
    ("prettier", ".prettierignore", "a.css\n"),
    (
        "markdownlint",
        ".markdownlint-cli2.jsonc",
        "{\"ignores\": [\"a.md\"]}\n",
    ),
];

/// A preset, a configuration that the tool cannot read, and its text.
pub(super) const BROKEN: &[(&str, &str, &str)] = &[
    ("ruff", "ruff.toml", "bogus = 1\n"),
    ("mypy", "mypy.ini", "[mypy]\nplugins = nosuch\n"),
    ("pyright", "pyrightconfig.json", "{bad"),
    ("eslint", "eslint.config.mjs", "export default [\n"),
    ("prettier", ".prettierrc", "{bad"),
    ("markdownlint", ".markdownlint-cli2.jsonc", "{bad"),
];

/// A formatter, a file, its content, and what becomes of it when its second line is to be formatted.
pub(super) const FORMATTED: &[(&str, &str, &str, &str)] = &[
    (
        "black",
        "a.py",
        "a  =  1\nb  =  2\nc  =  3\n",
        "a  =  1\nb = 2\nc  =  3\n",
    ),
    (
        "ruff",
        "a.py",
        "a  =  1\nb  =  2\nc  =  3\n",
        "a  =  1\nb = 2\nc  =  3\n",
    ),
    (
        "prettier",
        "a.ts",
        "a  =  1;\nb  =  2;\nc  =  3;\n",
        "a  =  1;\nb = 2;\nc  =  3;\n",
    ),
    (
        "clang-format",
        "a.c",
        "int  a;\nint  b;\nint  c;\n",
        "int  a;\nint b;\nint  c;\n",
    ),
];
