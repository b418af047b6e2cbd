//! `Config`: the caller's git configuration, `git -c` and `GIT_CONFIG_COUNT` included.
//!
//! libgit2 reads files only, so what the environment sets is laid over them as one more level, for our own
//! look-ups and for what libgit2 decides by itself (`core.autocrlf`, `core.fileMode`, …).

use std::cell::RefCell;

use tempfile::NamedTempFile;

use super::{Repo, failure};
use crate::diagnostic::Diagnostic;

/// The configuration that holds for one repository.
pub struct Config {
    files: RefCell<git2::Config>,
    /// What the environment sets, weakest first.
    overrides: Vec<(String, String)>,
    /// The level laid over the files; libgit2 reads it again whenever it likes, so it lives as long as we do.
    _overlay: Option<NamedTempFile>,
}

impl Config {
    /// Reads the configuration of `git2` and lays what the environment sets over it.
    pub(super) fn of(git2: &git2::Repository) -> Result<Config, Diagnostic> {
        let mut files = git2.config().map_err(failure::git2("read git's configuration"))?;
        let overrides = environment();
        let overlay = overlay(&overrides)?;
        if let Some(overlay) = &overlay {
            files
                .add_file(overlay.path(), git2::ConfigLevel::App, true)
                .map_err(failure::git2("read the configuration given with `git -c`"))?;
        }
        Ok(Config { files: RefCell::new(files), overrides, _overlay: overlay })
    }

    /// Returns the value of `key`, written in lower case: `user.name`.
    pub fn get(&self, key: &str) -> Option<String> {
        let set = self.overrides.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(key));
        if let Some((_, value)) = set {
            return Some(value.clone());
        }
        let snapshot = self.files.borrow_mut().snapshot().ok()?;
        snapshot.get_bytes(key).ok().map(|value| String::from_utf8_lossy(value).into_owned())
    }

    /// Returns the value of `key` as git reads a boolean, or `None` when it is not set or not one.
    pub fn get_bool(&self, key: &str) -> Option<bool> {
        let value = self.get(key)?;
        git2::Config::parse_bool(value.as_str()).ok()
    }

    /// Returns whether any key matches the regular expression `pattern`.
    pub(super) fn any(&self, pattern: &str) -> bool {
        let mut files = self.files.borrow_mut();
        let Ok(snapshot) = files.snapshot() else { return false };
        snapshot.entries(Some(pattern)).is_ok_and(|mut entries| entries.next().is_some())
    }
}

impl Repo {
    /// Returns the configuration that holds here.
    pub fn config(&self) -> &Config {
        &self.config
    }
}

/// Returns what `GIT_CONFIG_COUNT` and `git -c` set, weakest first.
fn environment() -> Vec<(String, String)> {
    let counted = git_config_env::ConfigEnv::new();
    let given = git_config_env::ConfigParameters::new();
    let mut overrides: Vec<(String, String)> =
        counted.iter().map(|(key, value)| (key.into_owned(), value.into_owned())).collect();
    for (key, value) in &given {
        // `git -c core.bare` without a value means true.
        overrides.push((key.into_owned(), value.map_or_else(|| "true".to_owned(), |value| value.into_owned())));
    }
    overrides
}

/// Writes what libgit2 may need to a file of its own; what may hold a password stays in memory.
fn overlay(overrides: &[(String, String)]) -> Result<Option<NamedTempFile>, Diagnostic> {
    let secret = |key: &str| {
        ["http.", "credential.", "url.", "remote."].iter().any(|section| key.to_ascii_lowercase().starts_with(section))
    };
    let plain: Vec<_> = overrides.iter().filter(|(key, _)| !secret(key)).collect();
    if plain.is_empty() {
        return Ok(None);
    }
    let file = NamedTempFile::new().map_err(failure::system("make a temporary file"))?;
    let mut config = git2::Config::open(file.path()).map_err(failure::git2("open a temporary configuration"))?;
    for (key, value) in plain {
        // A key that libgit2 cannot write is one that it would not ask for either.
        let _ = config.set_str(key, value);
    }
    Ok(Some(file))
}
