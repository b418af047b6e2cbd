//! The language servers. What of their settings matters here is that a rename changes words and nothing else, and that nothing
//! is built, fetched or checked for it.

use super::preset::{NODE, NODE_MODULES, VENV};

/// A language server that a repository may ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct ServerPreset {
    /// Its name.
    pub name: &'static str,
    /// Other names that people use for it.
    pub aliases: &'static [&'static str],
    /// Which paths are its business, unless the repository says otherwise.
    pub files: &'static [&'static str],
    /// The program and its arguments, with `{args}`; `{cache}` in a word stands for a folder that outlives the run.
    pub command: &'static [&'static str],
    /// What takes the place of `{args}` unless the repository gives its own.
    pub args: &'static [&'static str],
    /// Folders of the worktree that it borrows.
    pub borrows: &'static [&'static str],
    /// Folders of the worktree whose programs come first.
    pub programs: &'static [&'static str],
    /// What it is told when it begins, and when it asks for its settings: a mapping in JSON.
    pub settings: &'static str,
}

/// Every language server.
pub const SERVERS: &[ServerPreset] =
    &[PYRIGHT, TY, TYPESCRIPT, GOPLS, RUST_ANALYZER, CLANGD, JDTLS];

const PLAIN: ServerPreset = ServerPreset {
    name: "",
    aliases: &[],
    files: &[],
    command: &[],
    args: &[],
    borrows: &[],
    programs: &[],
    settings: "{}",
};

const PYTHON: &[&str] = &["*.py", "*.pyi"];

const PYRIGHT: ServerPreset = ServerPreset {
    name: "pyright",
    aliases: &["pyright-langserver"],
    files: PYTHON,
    command: &["pyright-langserver", "--stdio", "{args}"],
    borrows: &[".venv"],
    programs: &[".venv/bin", "venv/bin", "node_modules/.bin"],
    settings: r#"{"python": {"analysis": {"diagnosticMode": "openFilesOnly", "indexing": false}}}"#,
    ..PLAIN
};

const TY: ServerPreset = ServerPreset {
    name: "ty",
    files: PYTHON,
    command: &["ty", "server", "{args}"],
    borrows: &[".venv"],
    programs: VENV,
    ..PLAIN
};

/// With the first setting `{name}` becomes `{name: new}`: the key stays. An import becomes `import {new as name}` then, and whoever asks
/// has to go on from there.
const TYPESCRIPT: ServerPreset = ServerPreset {
    name: "typescript-language-server",
    aliases: &["typescript", "tsserver"],
    files: &[
        "*.ts", "*.tsx", "*.mts", "*.cts", "*.js", "*.jsx", "*.mjs", "*.cjs",
    ],
    command: &["typescript-language-server", "--stdio", "{args}"],
    borrows: NODE_MODULES,
    programs: NODE,
    settings: r#"{"preferences": {"providePrefixAndSuffixTextForRename": true},
        "disableAutomaticTypingAcquisition": true}"#,
    ..PLAIN
};

const GOPLS: ServerPreset = ServerPreset {
    name: "gopls",
    files: &["*.go"],
    command: &["gopls", "{args}"],
    ..PLAIN
};

/// Neither build scripts nor macros of the project are run, and no `cargo check`.
const RUST_ANALYZER: ServerPreset = ServerPreset {
    name: "rust-analyzer",
    files: &["*.rs"],
    command: &["rust-analyzer", "{args}"],
    settings: r#"{"cargo": {"buildScripts": {"enable": false}}, "procMacro": {"enable": false},
        "checkOnSave": false, "cachePriming": {"enable": false}}"#,
    ..PLAIN
};

/// Headers are to be those that it is shown, and it is to say when it has read a file anew.
const CLANGD: ServerPreset = ServerPreset {
    name: "clangd",
    files: &[
        "*.c", "*.h", "*.cc", "*.cpp", "*.cxx", "*.hh", "*.hpp", "*.hxx",
    ],
    command: &[
        "clangd",
        "--background-index",
        "--use-dirty-headers",
        "{args}",
    ],
    args: &["--log=error"],
    settings: r#"{"clangdFileStatus": true}"#,
    ..PLAIN
};

const JDTLS: ServerPreset = ServerPreset {
    name: "jdtls",
    files: &["*.java"],
    command: &["jdtls", "-data", "{cache}/jdtls", "{args}"],
    ..PLAIN
};
