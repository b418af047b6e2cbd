//! What servers call the language of a file: `languageId` of the Language Server Protocol 3.17.

use crate::path::RepoPath;

/// Endings of file names whose language has another word there than the ending itself.
const WORDS: [(&str, &str); 24] = [
    ("c++", "cpp"),
    ("cc", "cpp"),
    ("cjs", "javascript"),
    ("cs", "csharp"),
    ("cts", "typescript"),
    ("cxx", "cpp"),
    ("ex", "elixir"),
    ("exs", "elixir"),
    ("h", "cpp"),
    ("hh", "cpp"),
    ("hpp", "cpp"),
    ("hxx", "cpp"),
    ("js", "javascript"),
    ("jsx", "javascriptreact"),
    ("kt", "kotlin"),
    ("mjs", "javascript"),
    ("mts", "typescript"),
    ("py", "python"),
    ("pyi", "python"),
    ("rb", "ruby"),
    ("rs", "rust"),
    ("sh", "shellscript"),
    ("ts", "typescript"),
    ("tsx", "typescriptreact"),
];

/// Returns the word for the file at `path`.
pub(super) fn language_of(path: &RepoPath) -> &str {
    let name = path.as_str().rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or(name, |(_, ending)| ending);
    let known = WORDS.iter().find(|(known, _)| *known == ending);
    known.map_or(ending, |(_, word)| word)
}
