//! The presets as a whole: what every one of them is held to.

use super::*;
use crate::config::globs;
use crate::config::presets::preset::ARGS;

#[test]
fn names_are_told_apart() {
    let mut names: Vec<&str> = VALIDATORS.iter().map(|preset| preset.name).collect();
    names.extend(VALIDATORS.iter().flat_map(|preset| preset.aliases));
    let servers = SERVERS.iter();
    let servers = servers.flat_map(|preset| [&[preset.name][..], preset.aliases].concat());
    let mut servers: Vec<&str> = servers.collect();
    for names in [&mut names, &mut servers] {
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }
}

#[test]
fn the_settings_of_every_server_are_a_mapping() {
    for preset in SERVERS {
        let settings: serde_json::Value = serde_json::from_str(preset.settings).unwrap();
        assert!(settings.is_object(), "{}", preset.name);
    }
}

#[test]
fn every_glob_can_be_read() {
    let of_validators = VALIDATORS
        .iter()
        .flat_map(|preset| [preset.files, preset.configured_by]);
    let of_formatters = FORMATTERS
        .iter()
        .flat_map(|preset| [preset.files, preset.configured_by]);
    let of_servers = SERVERS.iter().map(|preset| preset.files);
    let all = of_validators.chain(of_formatters).chain(of_servers);
    for glob in all.flatten() {
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
    for preset in SERVERS {
        assert_eq!(placed(preset.command, ARGS), 1, "{}", preset.name);
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
