//! The presets: tools whose command lines, exit codes and output this program knows.
//!
//! Each line was run with the versions that `tests/tools/install.py` pins; `tests/tools/presets` runs them again. What a
//! tool leaves out by its own configuration stays left out where the tool has a way to say so. Not so: black's `exclude`
//! and mypy's `files` count only for runs that name no path; a project that leans on them says `files` or `args` here.

mod formatters;
mod validators;

pub use formatters::FORMATTERS;
pub use validators::VALIDATORS;

use super::{Output, Ranges, Scope, Severity};

/// The word of a preset's command in whose place the repository's `args` come.
pub(super) const ARGS: &str = "{args}";

/// A validator that a repository may ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct ValidatorPreset {
    /// Its name.
    pub name: &'static str,
    /// Other names that people use for it.
    pub aliases: &'static [&'static str],
    /// Which paths are its business, unless the repository says otherwise.
    pub files: &'static [&'static str],
    /// The program and its arguments, with `{args}`; `{cache}` in a word stands for a folder that outlives the run.
    pub command: &'static [&'static str],
    /// What takes the place of `{args}` unless the repository gives its own: which paths to judge, as a rule.
    pub args: &'static [&'static str],
    /// Variables it needs.
    pub env: &'static [(&'static str, &'static str)],
    /// The files that configure it.
    pub configured_by: &'static [&'static str],
    /// Files of which it only wants to know whether they are there.
    pub looks_for: &'static [&'static str],
    /// Folders of the worktree that it borrows.
    pub borrows: &'static [&'static str],
    /// Folders of the worktree whose programs come first.
    pub programs: &'static [&'static str],
    /// What it is shown.
    pub scope: Scope,
    /// How it says what it found.
    pub output: Output,
    /// The exit codes by which it says so.
    pub verdicts: &'static [i32],
    /// The least severity that counts.
    pub counts: Severity,
}

/// A formatter that a repository may ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct FormatterPreset {
    /// Its name.
    pub name: &'static str,
    /// Which paths are its business, unless the repository says otherwise.
    pub files: &'static [&'static str],
    /// The program and its arguments, with `{args}`, `{range}` and `{file}`.
    pub command: &'static [&'static str],
    /// The words that `{range}` stands for.
    pub range: &'static [&'static str],
    /// How many ranges one run takes.
    pub ranges: Ranges,
    /// The files that configure it.
    pub configured_by: &'static [&'static str],
    /// Folders of the worktree that it borrows.
    pub borrows: &'static [&'static str],
    /// Folders of the worktree whose programs come first.
    pub programs: &'static [&'static str],
}

/// Where a Python tool of the project itself would stand.
const VENV: &[&str] = &[".venv/bin", "venv/bin"];
/// Where a Node tool of the project itself would stand.
const NODE: &[&str] = &["node_modules/.bin"];
/// What a Node tool's configuration imports from.
const NODE_MODULES: &[&str] = &["node_modules"];

const OF_BLACK: &[&str] = &["pyproject.toml"];
const OF_RUFF: &[&str] = &["ruff.toml", ".ruff.toml", "pyproject.toml"];
/// Prettier passes over what git ignores, and reads that only in the root.
const OF_PRETTIER: &[&str] = &[
    ".prettierrc",
    ".prettierrc.*",
    "prettier.config.*",
    "/.prettierignore",
    "/.gitignore",
    ".editorconfig",
    "package.json",
    "package.yaml",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::globs;

    #[test]
    fn names_are_told_apart() {
        let mut names: Vec<&str> = VALIDATORS.iter().map(|preset| preset.name).collect();
        names.extend(VALIDATORS.iter().flat_map(|preset| preset.aliases));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }

    #[test]
    fn every_glob_can_be_read() {
        let of_validators = VALIDATORS
            .iter()
            .flat_map(|preset| [preset.files, preset.configured_by]);
        let of_formatters = FORMATTERS
            .iter()
            .flat_map(|preset| [preset.files, preset.configured_by]);
        for glob in of_validators.chain(of_formatters).flatten() {
            assert_eq!(globs::check(glob), Ok(()), "{glob}");
        }
    }

    #[test]
    fn a_command_has_a_place_for_arguments() {
        let placed =
            |command: &[&str], word: &str| command.iter().filter(|other| **other == word).count();
        for preset in VALIDATORS {
            assert_eq!(placed(preset.command, ARGS), 1, "{}", preset.name);
            assert!(preset.verdicts.contains(&0), "{}", preset.name);
        }
        for preset in FORMATTERS {
            let ranges = usize::from(!preset.range.is_empty());
            assert_eq!(
                (
                    placed(preset.command, ARGS),
                    placed(preset.command, "{range}")
                ),
                (1, ranges),
                "{}",
                preset.name
            );
            let is_told = preset.command.iter().any(|word| word.ends_with("={file}"));
            assert!(
                is_told || preset.configured_by.is_empty(),
                "{}",
                preset.name
            );
        }
    }

    #[test]
    fn a_file_that_loosens_a_rule_configures() {
        let check = |name: &str, path: &str, expected: bool| {
            let preset = VALIDATORS
                .iter()
                .find(|preset| preset.name == name)
                .unwrap();
            let globs: Vec<String> = preset
                .configured_by
                .iter()
                .map(ToString::to_string)
                .collect();
            assert_eq!(globs::matches(&globs, path), expected, "{name} {path}");
        };
        check("ruff", "sub/ruff.toml", true);
        check("ruff", "setup.cfg", false);
        check("eslint", ".eslintrc", true);
        check("eslint", "app/.eslintrc.json", true);
        check("eslint", "eslint.config.mjs", true);
        check("eslint", "src/tsconfig.build.json", true);
        check("prettier", ".prettierrc.yaml", true);
        check("prettier", "docs/.gitignore", false);
        check("pylint", ".pylintrc", true);
        check("mypy", "setup.cfg", true);
        check("cargo-fmt", "crates/a/Cargo.toml", true);
        check("markdownlint-cli2", "docs/.markdownlint.yaml", true);
        check("shellcheck", ".shellcheckrc", true);
    }
}
